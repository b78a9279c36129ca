//! The start of the program: parses the command line, runs the command, ends with its status.

use super::{Status, Unparsed};
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command that was typed, and ends the process with its status.
pub fn main() {
    let typed = super::arguments(std::env::args_os());
    let status = match super::parse(&typed) {
        Ok(cli) => super::run(cli),
        Err(Unparsed::Typed(e)) => unparsed(&e, &typed),
        Err(Unparsed::Config(e)) => super::misconfigured(&e),
    };
    std::process::exit(status.code());
}

/// Prints the help that was asked for, or says what is wrong.
fn unparsed(e: &clap::Error, typed: &[OsString]) -> Status {
    let page = match e.kind() {
        ErrorKind::DisplayHelp => super::usage::help(typed),
        ErrorKind::DisplayVersion => e.render().to_string(),
        _ => {
            // If stderr is closed, there is no other place to report to.
            let _ = std::io::stderr().write_all(super::usage::message(e, typed).as_bytes());
            return Status::Usage;
        }
    };
    super::print(page.as_bytes())
}
