//! The forms of the report, and where each is written.

use crate::cli::fd::stdout_is_terminal;
use crate::cli::notes::Notes;
use crate::cli::{Status, page, whole};
use clap::ValueEnum;
use std::path::PathBuf;
use unthink::check::report::{ReportFormat, RunResults, write};
use unthink::nearest::meant;

/// A report to a file.
#[derive(Clone, Debug)]
pub struct ReportFile {
    format: ReportFormat,
    pub path: PathBuf,
}

/// Parses `FORMAT=FILE`.
pub fn target(text: &str) -> Result<ReportFile, String> {
    let Some((format, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err("a format and a file, such as sarif=out.sarif".into());
    };
    if path == "-" {
        return Err("a file, since -o writes to stdout".into());
    }
    let format = ReportFormat::from_str(format, false).map_err(|_| {
        let names: Vec<String> = ReportFormat::value_variants()
            .iter()
            .filter_map(|f| Some(f.to_possible_value()?.get_name().into()))
            .collect();
        let near = meant(format, names.iter().map(String::as_str));
        if near.is_empty() {
            format!("no such format; it is one of {}", names.join(", "))
        } else {
            format!("no such format{near}")
        }
    })?;
    Ok(ReportFile { format, path: path.into() })
}

/// Writes the report to stdout, and the reports to files. If the reader of stdout goes away, that is no error.
pub fn write_all(format: Option<ReportFormat>, files: &[ReportFile], run: &RunResults<'_>, notes: &Notes) -> Status {
    let mut status = Status::Done;
    for ReportFile { format, path } in files {
        let plain = RunResults { color: false, ..*run };
        if let Err(e) = whole::write(path, &write(*format, &plain)) {
            notes.error(&e.to_string());
            status = Status::Io;
        }
    }
    let default = if stdout_is_terminal() { ReportFormat::Full } else { ReportFormat::Concise };
    status.max(page::print(&write(format.unwrap_or(default), run)))
}
