//! The program: parses the command line, runs the command, returns its status. Everything else is in `cli` and in the
//! library.
#![allow(missing_docs, reason = "a binary has no public items")]

mod cli;

use clap::Parser;
use clap::error::ErrorKind;

fn main() {
    let status = match cli::Cli::try_parse_from(cli::arguments(std::env::args_os())) {
        Ok(cli) => cli::run(cli).code(),
        Err(e) => {
            use std::io::Write;
            let text = e.render().to_string();
            // Errors of clap get the form of all other errors.
            let shown = match text.starts_with("error:") {
                true => write!(std::io::stderr(), "unthink: {text}"),
                false => e.print(),
            };
            match (e.kind(), shown) {
                (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, Ok(())) => 0,
                (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, Err(e)) if is_closed(&e) => 0,
                (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, Err(e)) => {
                    let _ = writeln!(std::io::stderr(), "unthink: error: write standard output: {e}");
                    cli::Status::Io.code()
                }
                _ => cli::Status::Usage.code(),
            }
        }
    };
    std::process::exit(status);
}

fn is_closed(e: &std::io::Error) -> bool {
    e.kind() == std::io::ErrorKind::BrokenPipe
}
