//! The program: parses the command line, runs the command, returns its status. Everything else is in `cli` and in the
//! library.
#![allow(missing_docs, reason = "a binary has no public items")]

mod cli;

use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::Write;

fn main() {
    let typed = cli::arguments(std::env::args_os());
    let status = match cli::parse(&typed) {
        Ok(cli) => cli::run(cli),
        Err(cli::Unparsed::Typed(e)) => unparsed(&e, &typed),
        Err(cli::Unparsed::Config(e)) => cli::misconfigured(&e),
    };
    std::process::exit(status.code());
}

/// Prints the help that was asked for, or says what is wrong.
fn unparsed(e: &clap::Error, typed: &[OsString]) -> cli::Status {
    let page = match e.kind() {
        ErrorKind::DisplayHelp => cli::usage::help(typed),
        ErrorKind::DisplayVersion => e.render().to_string(),
        _ => {
            // If stderr is closed, there is no other place to report to.
            let _ = std::io::stderr().write_all(cli::usage::message(e, typed).as_bytes());
            return cli::Status::Usage;
        }
    };
    cli::print(page.as_bytes())
}
