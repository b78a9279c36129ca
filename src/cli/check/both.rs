//! What a check of conversations and one for a target have in common: how findings are collected, and how the run ends.

use super::found::CheckResults;
use super::ignores::Ignores;
use super::{CheckArgs, baseline, reports};
use crate::cli::failure::Result;
use crate::cli::fd::stdout_is_terminal;
use crate::cli::notes::Notes;
use crate::cli::path::printable;
use crate::cli::{Common, Status, whole};
use std::path::PathBuf;
use unthink::check::{Rule, Severity};

impl CheckArgs {
    /// What is found is collected here: without what is in a baseline, or ignored one by one.
    pub(super) fn found(&self, common: &Common, files: &[PathBuf], least: Severity) -> Result<CheckResults> {
        let mut found = CheckResults::new(files, least, self.report.max_findings);
        if let Some(path) = &self.known.baseline {
            found.leave_out(baseline::read(path)?);
        }
        if let Some(path) = &self.known.write_baseline {
            found.keep_all(path);
        }
        found.ignore_some(Ignores::read(&self.known.ignore_findings, !common.no_config)?);
        // Now, rather than after hours of work.
        self.written().try_for_each(|path| whole::may_write(path))?;
        Ok(found)
    }

    /// Writes the baseline and the reports, and says the rest.
    pub(super) fn end(
        &self,
        common: &Common,
        mut found: CheckResults,
        rules: &[&'static Rule],
        mut status: Status,
        notes: &Notes,
    ) -> Status {
        match &self.known.write_baseline {
            // It would lack findings that the old one may have.
            Some(path) if status >= Status::Io => {
                notes.error(&format!("{}: not written, since not all files were read", printable(path)));
            }
            Some(path) => status = status.max(found.write_all(path, notes)),
            None => (),
        }
        let run = found.run(rules, common.messages.color.is_on(stdout_is_terminal()));
        status = status.max(reports::write_all(self.report.output, &self.report.output_file, &run, notes));
        if run.left_out() > 0 {
            let (some, all) = (run.left_out(), run.all());
            notes.report(&format!("{some} of {all} findings are not in the report (--max-findings)"));
        }
        self.tell(common, &found, &run, notes);
        let fails = found.fails() && !self.report.exit_zero;
        if fails { status.max(Status::Found) } else { status }
    }
}
