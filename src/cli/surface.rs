//! The manual page and the completions, made from the definition that `--help` is made from.

use super::io::Ended;
use super::notes::Notes;
use super::options::ColorArg;
use super::targets::Targets;
use super::{Cli, Status};
use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;
use unthink::out::Sinks;

/// The definition of the command line.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Completions for a shell.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut command(), "unthink", &mut out);
    out
}

/// A page of the manual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Page {
    /// The program and its commands
    #[default]
    Unthink,
    /// What check looks for
    Rules,
}

/// A page of the manual. That of the program includes all commands.
pub fn man(page: Page) -> Vec<u8> {
    if page == Page::Rules {
        return super::check::manual::page().into_bytes();
    }
    let mut out = Vec::new();
    let mut top = command().disable_help_subcommand(true);
    top.build();
    // Rendering into memory cannot fail.
    let _ = clap_mangen::Man::new(top.clone()).render(&mut out);
    for verb in top.get_subcommands() {
        let man = clap_mangen::Man::new(verb.clone());
        let name = verb.get_name().to_uppercase();
        out.extend_from_slice(format!(".SH \"UNTHINK {name}\"\n").as_bytes());
        let _ = man.render_synopsis_section(&mut out);
        let _ = man.render_description_section(&mut out);
        let _ = man.render_options_section(&mut out);
    }
    out
}

/// Rows as lines, in aligned columns.
pub fn columns(rows: &[impl AsRef<[String]>]) -> String {
    let mut widths = Vec::new();
    for row in rows {
        let row = row.as_ref();
        widths.resize(row.len().max(widths.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for row in rows {
        let line: String = row.as_ref().iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Prints a page.
pub fn print(page: &[u8]) -> Status {
    let notes = Notes::new(false, false, ColorArg::Never);
    write(page).unwrap_or_else(|e| {
        notes.error(&format!("{e:#}"));
        Status::Io
    })
}

/// Writes a page. A reader that goes away is no failure.
fn write(page: &[u8]) -> anyhow::Result<Status> {
    let mut sinks = Sinks { out: page.to_vec(), ..Sinks::default() };
    match Targets::open(None, None, None).map_err(Ended::Write).and_then(|mut to| to.write(&mut sinks)) {
        Err(Ended::Write(e)) => Err(e),
        _ => Ok(Status::Done),
    }
}
