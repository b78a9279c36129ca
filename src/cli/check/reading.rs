//! Reads the files of `check`, and collects what is found.

use super::found::CheckResults;
use crate::check::{Check, RuleOptions};
use crate::cli::Status;
use crate::cli::run::{Craft, Job, Main};
use crate::engine::Problem;
use std::cell::RefCell;

/// About how many bytes a finding holds.
const FINDING: usize = 512;

/// Reads all files. `most`: findings of a file beyond these are only counted. Returns also whether a conversation has more
/// reasoning than is remembered.
pub fn read(
    job: &Job<'_>,
    found: &RefCell<CheckResults>,
    options: &RuleOptions,
    most: Option<usize>,
) -> (Status, bool) {
    let begin = |file| found.borrow_mut().begin(file);
    let accepts = |problem: &Problem| found.borrow_mut().accept(problem);
    let so_far = || found.borrow().number();
    let main = Main { begin: Some(&begin), accepts: Some(&accepts), found: Some(&so_far), ..Main::default() };
    let craft = Craft {
        make: |_| {
            let check = Check::new(options.clone());
            if let Some(most) = most { check.at_most(most) } else { check }
        },
        part: |check: &mut Check| {
            let findings = check.findings();
            let bytes = findings.len() * FINDING;
            (bytes > 0).then_some((findings, bytes))
        },
        keep: |check: &Check| (check.omitted().to_vec(), check.forgot()),
    };
    let mut forgot = false;
    let status = job.run(
        main,
        &craft,
        |findings| found.borrow_mut().add(findings),
        |(omitted, forgets), told, notes| {
            if *forgets {
                forgot = true;
                notes
                    .error("a conversation has more reasoning than is remembered: not all leaks of it were looked for");
            }
            found.borrow_mut().end(told.counts, omitted);
        },
    );
    (status, forgot)
}
