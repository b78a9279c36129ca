//! Where the bytes that an output wrote stand in its input, for the engine that reads them: what it says of places is about
//! the input of the user.

use crate::out::SpliceStep;
use std::collections::VecDeque;

/// How many runs, and how many records, are kept. The oldest go first.
const MAX_PLACES: usize = 1 << 16;

/// A run of bytes, which were copied, or put in at a place.
#[derive(Clone, Copy, Debug)]
struct WrittenRun {
    /// Where it begins in what was written.
    written: u64,
    /// Where it begins in the input, and how many bytes of it were copied.
    input: u64,
    copied: u64,
}

/// Where written bytes come from.
#[derive(Debug, Default)]
pub(super) struct SourceMap {
    runs: VecDeque<WrittenRun>,
    /// The offset of each record in the input, and its number.
    records: VecDeque<(u64, u64)>,
    /// How many bytes were written, and how many of the input were read.
    written: u64,
    read: u64,
}

impl SourceMap {
    /// Notes where a record begins in the input.
    pub fn begin(&mut self, at: u64, number: u64) {
        if self.records.back().is_none_or(|(_, last)| *last != number) {
            self.records.push_back((at, number));
            self.records.drain(..self.records.len().saturating_sub(MAX_PLACES));
        }
    }

    /// Notes how the next bytes were written.
    pub fn steps(&mut self, steps: &[SpliceStep]) {
        for step in steps {
            let run = WrittenRun { written: self.written, input: self.read, copied: 0 };
            match *step {
                SpliceStep::Keep(n) => {
                    let goes_on = |last: &&mut WrittenRun| {
                        last.written + last.copied == self.written && last.input + last.copied == self.read
                    };
                    match self.runs.back_mut().filter(goes_on) {
                        Some(last) => last.copied += n,
                        None => self.runs.push_back(WrittenRun { copied: n, ..run }),
                    }
                    (self.written, self.read) = (self.written + n, self.read + n);
                }
                SpliceStep::Cut(n) => self.read += n,
                SpliceStep::Put(n) => {
                    self.runs.push_back(run);
                    self.written += n;
                }
            }
        }
        self.runs.drain(..self.runs.len().saturating_sub(MAX_PLACES));
    }

    /// Where a written byte stands in the input. Of bytes that were put in, it is the place where that happened.
    pub fn offset(&self, written: u64) -> u64 {
        let i = self.runs.partition_point(|run| run.written <= written);
        let run = i.checked_sub(1).map_or(self.runs.front(), |i| self.runs.get(i));
        run.map_or(written, |run| run.input + written.saturating_sub(run.written).min(run.copied))
    }

    /// The number of the record of the input in which a written byte stands.
    pub fn record(&self, written: u64) -> Option<u64> {
        let at = self.offset(written);
        let i = self.records.partition_point(|(start, _)| *start <= at);
        self.records.get(i.checked_sub(1)?).map(|(_, number)| *number)
    }
}

#[cfg(test)]
mod tests {
    use super::SpliceStep::*;
    use super::*;

    #[test]
    fn a_written_byte_stands_where_it_was_copied_from() {
        let mut map = SourceMap::default();
        for (at, number) in [(0, 1), (10, 2), (20, 3)] {
            map.begin(at, number);
        }
        // Input: 10 bytes kept; the second record cut; of the third 2 bytes kept, 3 replaced by 4, the rest kept.
        map.steps(&[Keep(4), Keep(6), Cut(10), Keep(2)]);
        map.steps(&[Cut(3), Put(4), Keep(5)]);
        for (written, at, number) in
            [(0, 0, 1), (9, 9, 1), (10, 20, 3), (11, 21, 3), (12, 25, 3), (15, 25, 3), (16, 25, 3), (20, 29, 3)]
        {
            assert_eq!((map.offset(written), map.record(written)), (at, Some(number)), "{written}");
        }
    }

    #[test]
    fn the_oldest_places_are_forgotten() {
        let mut map = SourceMap::default();
        for i in 0..2 * MAX_PLACES as u64 {
            map.begin(2 * i, i + 1);
            map.steps(&[Keep(1), Cut(1)]);
        }
        assert_eq!(map.runs.len(), MAX_PLACES);
        assert_eq!(map.records.len(), MAX_PLACES);
        let last = 2 * MAX_PLACES as u64 - 1;
        assert_eq!((map.offset(last), map.record(last)), (2 * last, Some(last + 1)));
    }
}
