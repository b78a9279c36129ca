//! What a user can do about records that may hold reasoning and are not read.

use super::*;
use crate::dialect::remedy;

/// How many bytes of such records are searched for a way out. Records of a file are alike.
const MAX_SEARCHED_BYTES: usize = 16 << 20;

/// The options that take out what may be reasoning in records that are not read.
#[derive(Default)]
pub(super) struct Advice {
    options: Vec<String>,
    /// For how many records they were looked for, and how many bytes those have.
    records: u64,
    bytes: usize,
    /// No option takes it out of one of the records.
    has_none: bool,
}

impl<O: Output> Engine<O> {
    /// Looks for the options that take out what may be reasoning in the record that was refused last.
    #[cold]
    pub(super) fn advise(&mut self, body: &Range<usize>) {
        let last = self.found.problems.last().and_then(|problem| problem.suspect.as_deref());
        let (Some(place), advice) = (last, &mut self.found.advice) else { return };
        advice.records += 1;
        if advice.has_none || advice.bytes > MAX_SEARCHED_BYTES {
            return;
        }
        advice.bytes += body.len();
        let options = match self.framing {
            Some(Framing::Csv | Framing::Tsv) => remedy::column(place),
            _ => remedy::remedies(&self.tags, &self.buffer.bytes[body.clone()], place),
        };
        advice.has_none = options.is_empty();
        for option in options {
            if !advice.options.contains(&option) {
                advice.options.push(option);
            }
        }
    }

    /// The options of `strip` that take out what may be reasoning in records that are not read, as words for a shell. Empty
    /// if no options do that for all of these records, or if others were not understood.
    #[cfg(feature = "cli")]
    pub fn remedies(&self) -> &[String] {
        let (advice, counts) = (&self.found.advice, &self.found.counts);
        let all = !advice.has_none && advice.records == counts.refused && counts.refused == counts.bad;
        if all { &advice.options } else { &[] }
    }
}
