//! What is said of a file when it is over: records that were not understood, and what a user should know.

use super::one::Over;
use super::{Job, Main, Total};
use crate::cli::Status;
use crate::cli::accept::tell_refused;
use crate::cli::destination::OutputMode;
use crate::cli::mend::told;
use crate::cli::notes::{self, Notes, kinds};
use crate::cli::options::OnError;
use crate::cli::pump::PumpResult;
use unthink::dialect::DIALECTS;
use unthink::engine::Counts;
use unthink::frame::Framing;

impl Job<'_> {
    /// Reports the records that were not understood. Returns how many of them the user accepts.
    fn problems<K>(&self, main: Main<'_>, over: &Over<K>, notes: &mut Notes) -> u64 {
        let done = match self.typed.common.unread.on_error {
            _ if self.treatment.verbatim => "passed through",
            OnError::Skip if matches!(self.mode, OutputMode::Diff(..)) => "left as it is",
            OnError::Stop => "stopped",
            _ if self.checks => "not checked",
            OnError::Skip => "skipped",
            OnError::Pass => "passed through",
        };
        let passed = if self.checks { "not checked" } else { "passed through" };
        let (mut problems, counts): (Vec<_>, _) = (over.problems.iter().collect(), over.counts);
        let (mut accepted, mut counted) = (0, false);
        if let Some(accepts) = main.accepts {
            problems.retain(|problem| {
                let is_accepted = accepts(problem);
                if !problem.again {
                    // A suspect record that passes is not bad.
                    counted = is_accepted && (problem.suspect.is_none() || problem.skipped);
                    accepted += u64::from(counted);
                } else if !is_accepted {
                    // A record is accepted with all of its problems.
                    accepted -= u64::from(std::mem::take(&mut counted));
                }
                !is_accepted
            });
        }
        // If more records are not valid in the framing than were read, it may be the wrong one.
        let misread = problems.iter().filter(|problem| problem.misread).count() as u64;
        let misled = counts.guessed && misread > notes::read(counts);
        let mut guess = over.framing.filter(|framing| misled && *framing != Framing::Text);
        for problem in problems {
            let guess = if problem.misread { guess.take() } else { None };
            notes.problem(&over.name, problem, (done, passed), guess);
        }
        if !self.treatment.verbatim {
            let is_read = counts.known.0.iter().any(|n| *n > 0);
            notes.remedy(&over.name, &over.remedies, is_read);
        }
        accepted
    }

    /// Reports a file that is over. A file that is skipped is named only for --verbose.
    pub(super) fn report<K>(&self, main: Main<'_>, over: &Over<K>, notes: &mut Notes, total: &mut Total) {
        let accepted = self.problems(main, over, notes);
        if let Some(replayed) = &over.replayed {
            told(&over.name, &replayed.text, &replayed.done, notes);
            tell_refused(&replayed.done.refused, &over.name, notes);
            if replayed.is_too_long {
                let name = &over.name;
                notes.error(&format!(
                    "{name}: the result is longer than --max-record, and was not looked at for --replay"
                ));
            }
        }
        let Over { name, is_found, is_skipped, counts, framing, ended, .. } = over;
        let counts = *counts;
        if let Some(framing) = framing {
            notes.detail(&format!("{name}: framing {}", framing.name()));
        }
        for (dialect, n) in DIALECTS.iter().zip(counts.known.0).filter(|(_, n)| *n > 0) {
            notes.detail(&format!("{name}: dialect {} in {n} records", dialect.name));
        }
        notes.detail(&format!(
            "{name}: {} records ({}), {} messages; {} blocks never closed, {} stray delimiters",
            counts.records,
            kinds(counts),
            counts.messages,
            counts.tags.unclosed,
            counts.tags.strays + counts.tags.markers
        ));
        match self.treatment.verbatim {
            true => (),
            // Most files of a folder may be no conversations: one line at the end reports all of them.
            false if self.checks || *is_skipped => foreign_detail(name, counts, notes),
            false => notes.foreign(Some(name), counts, self.copies_unread),
        }
        if self.cuts && !self.treatment.verbatim {
            unpaired(name, counts, notes);
        }
        noticed(name, counts, self.checks, notes);
        match ended {
            PumpResult::Read(e) => {
                notes.error(&format!("{name}: read error at byte {}: {e}", counts.bytes));
                total.status = total.status.max(Status::Io);
            }
            PumpResult::Write(e) => {
                notes.error(&e.to_string());
                total.status = total.status.max(Status::Io);
            }
            PumpResult::Done | PumpResult::Closed => (),
        }
        // A folder may hold other files, too, which nobody named.
        let must_read = self.must_read && !*is_found;
        if must_read && counts.foreign > 0 && notes::read(counts) + counts.bad == 0 {
            notes.error(&format!("{name}: nothing was converted: no record is in a format that is read"));
            total.status = total.status.max(Status::NotUnderstood);
        }
        if counts.bad > accepted {
            total.status = total.status.max(Status::NotUnderstood);
        }
        let sum = &mut total.counts;
        sum.bad += counts.bad;
        sum.refused += counts.refused;
        sum.declined += counts.declined;
        sum.foreign += counts.foreign;
        sum.suspect += counts.suspect;
        sum.records += counts.records;
    }
}

/// Notes that a file has records in no format that is read.
fn foreign_detail(name: &str, counts: Counts, notes: &Notes) {
    if counts.foreign > 0 {
        notes.detail(&format!("{name}: no conversation in {} of {} records", counts.foreign, counts.records));
    }
}

/// Warns of tags without a partner whose text was taken for reasoning.
fn unpaired(name: &str, counts: Counts, notes: &Notes) {
    let some = |n: u64, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let unclosed = some(counts.tags.unclosed, "block that is never closed", "blocks that are never closed");
    let unopened =
        some(counts.tags.unopened, "closing tag without an opening one", "closing tags without an opening one");
    let found: Vec<String> = unclosed.into_iter().chain(unopened).collect();
    if !found.is_empty() {
        let bytes = match counts.tags.unpaired_bytes {
            1 => "1 byte was".into(),
            n => format!("{n} bytes were"),
        };
        notes.warning(&format!("{name}: {}: {bytes} taken for reasoning", found.join(" and ")));
    }
    if let Some(found) = some(counts.tags.strays, "tag that belongs to no block", "tags that belong to no block") {
        let (bytes, was) = (counts.tags.stray_bytes, if counts.tags.strays == 1 { "was" } else { "were" });
        notes.warning(&format!("{name}: {found} {was} taken out of the visible text ({bytes} bytes)"));
    }
}

/// Notes what a user should know though it is no error: reasoning may have been missed, or other text taken for it.
fn noticed(name: &str, counts: Counts, checks: bool, notes: &Notes) {
    let messages = |n: u64| if n == 1 { "message" } else { "messages" };
    if counts.tags.channels > 0 {
        let (n, was) = (counts.tags.channels, if counts.tags.channels == 1 { "was" } else { "were" });
        notes.warning(&format!("{name}: {n} {} in a channel that is not known {was} taken as reasoning", messages(n)));
    }
    // A check has a finding for each of them.
    if counts.tags.lost > 0 && !checks {
        let (n, look, its) =
            if counts.tags.lost == 1 { (1, "looks", "its") } else { (counts.tags.lost, "look", "their") };
        notes.warning(&format!(
            "{name}: {n} {} {look} like Harmony whose tokens were lost: {its} reasoning was not taken out",
            messages(n)
        ));
    }
}
