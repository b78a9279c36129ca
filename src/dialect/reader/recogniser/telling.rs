//! Which rows may have a node of their own in a record, by what such a node needs: one pass over the record in place of a walk
//! by each of them.

use super::ShapedRow;
use crate::dialect::read::Root;
use crate::dialect::shape::{NodeNeed, telling_needs};
use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};
use memchr::memmem;

/// How many rows are told apart: a bit each.
pub(super) const ROWS: usize = RowBits::BITS as usize;

/// A bit for each row.
pub(super) type RowBits = u128;

/// What the rows need, prepared for the sets of rows that records ask for.
#[derive(Default)]
pub(super) struct Telling {
    sets: Vec<RowNeeds>,
}

/// What some rows need.
#[derive(Default)]
struct RowNeeds {
    rows: RowBits,
    /// Those of them that do not say it.
    unknown: RowBits,
    /// Each with the bit of its row.
    cases: Vec<(RowBits, Vec<NumberedNeed>)>,
    words: Vec<String>,
    search: Option<AhoCorasick>,
    /// For each word, the words that it begins with, itself among them.
    beginnings: Vec<Vec<usize>>,
    /// Which words stand in the record.
    stands: Vec<bool>,
}

enum NumberedNeed {
    Members(Vec<&'static str>),
    Words(Vec<usize>),
}

impl Telling {
    /// Which of these rows may have a node of their own in a record that is an object, and stands in no event with a name.
    pub fn may_be_sure(&mut self, all: &[ShapedRow], rows: RowBits, (record, root): (&[u8], &Root)) -> RowBits {
        let known = self.sets.iter().position(|set| set.rows == rows).unwrap_or_else(|| {
            self.sets.push(RowNeeds::new(all, rows));
            self.sets.len() - 1
        });
        self.sets[known].met(record, root)
    }
}

impl RowNeeds {
    fn new(all: &[ShapedRow], rows: RowBits) -> Self {
        let mut set = Self { rows, ..Self::default() };
        for (number, (_, shape)) in all.iter().enumerate().take(ROWS).filter(|(number, _)| rows >> number & 1 == 1) {
            match telling_needs(shape) {
                Some(cases) => cases.into_iter().for_each(|case| set.add(1 << number, case)),
                None => set.unknown |= 1 << number,
            }
        }
        let begins = |word: &String| (0..set.words.len()).filter(|at| word.starts_with(&set.words[*at])).collect();
        set.beginnings = set.words.iter().map(begins).collect();
        set.stands = vec![false; set.words.len()];
        set.search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .prefilter(false)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&set.words)
            .ok();
        set
    }

    fn add(&mut self, row: RowBits, case: Vec<NodeNeed>) {
        let mut number = |word: String| {
            self.words.iter().position(|known| *known == word).unwrap_or_else(|| {
                self.words.push(word);
                self.words.len() - 1
            })
        };
        let needs = case.into_iter().map(|need| match need {
            NodeNeed::Members(keys) => NumberedNeed::Members(keys),
            NodeNeed::Words(words) => NumberedNeed::Words(words.into_iter().map(&mut number).collect()),
        });
        let needs = needs.collect();
        self.cases.push((row, needs));
    }

    fn met(&mut self, record: &[u8], root: &Root) -> RowBits {
        let Some(search) = self.search.as_ref().filter(|_| !has_letter_escapes(record)) else { return self.rows };
        self.stands.fill(false);
        let mut at = 0;
        while let Some(word) = search.find(Input::new(record).range(at..)) {
            // A word may begin inside of another one.
            at = word.start() + 1;
            self.beginnings[word.pattern().as_usize()].iter().for_each(|word| self.stands[*word] = true);
        }
        let met = |need: &NumberedNeed| match need {
            NumberedNeed::Members(keys) => keys.iter().any(|key| root.may_have(record, key)),
            NumberedNeed::Words(words) => words.iter().any(|word| self.stands[*word]),
        };
        let may_be = self.cases.iter().filter(|(_, needs)| needs.iter().all(met));
        may_be.fold(self.unknown, |rows, (row, _)| rows | row)
    }
}

/// Whether a character of a word may be spelled as an escape (`\u0074`).
fn has_letter_escapes(record: &[u8]) -> bool {
    memmem::find_iter(record, b"\\u00").any(|at| matches!(record.get(at + 4), Some(b'2'..=b'7')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DIALECTS;
    use crate::dialect::read::{SearchedMembers, Walked, walk};
    use std::path::Path;

    /// All JSON in the lines of files below a folder.
    fn records(folder: &Path, all: &mut Vec<Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                records(&path, all);
                continue;
            }
            let text = std::fs::read(&path).unwrap();
            all.extend(text.split(|b| *b == b'\n').filter(|line| line.starts_with(b"{")).map(<[u8]>::to_vec));
            all.extend(text.starts_with(b"{").then_some(text));
        }
    }

    #[test]
    fn no_record_has_a_node_of_a_row_without_what_it_needs() {
        let rows: Vec<ShapedRow> = DIALECTS.iter().filter_map(|row| Some((row.name, row.shape?))).collect();
        assert!(rows.len() <= ROWS);
        let (mut all, mut sure, mut passed) = (Vec::new(), 0, 0);
        records(Path::new("testdata"), &mut all);
        let (mut walked, mut telling) = (Walked::default(), Telling::default());
        for record in &all {
            let mut root = Root::default();
            if root.look(record, 0).is_none() {
                continue;
            }
            let may_be = telling.may_be_sure(&rows, (1 << rows.len()) - 1, (record, &root));
            for (number, (name, shape)) in rows.iter().enumerate() {
                let plain = (true, &mut SearchedMembers::default());
                let is_sure = walk((record, b""), shape.record, plain, &mut walked).is_ok() && walked.sure;
                let may_be = may_be >> number & 1 == 1;
                assert!(may_be || !is_sure, "{name}: {}", String::from_utf8_lossy(record));
                (sure, passed) = (sure + usize::from(is_sure), passed + usize::from(!may_be));
            }
        }
        assert!(
            sure > 1_000 && passed > 50 * all.len() / 2,
            "{sure} nodes, {passed} of {} walks",
            rows.len() * all.len()
        );
    }

    #[test]
    fn words_that_begin_alike() {
        let (one, two) = (DIALECTS.iter(), DIALECTS.iter());
        let row = |mut all: std::slice::Iter<'static, crate::dialect::Dialect>, name| {
            all.find(|row| row.name == name).map(|row| (row.name, row.shape.unwrap())).unwrap()
        };
        let rows = [row(one, "anthropic"), row(two, "bedrock")];
        for (record, want) in [
            (r#"{"messages":[{"content":[{"type":"tool_use"}]}]}"#, 0b01),
            (r#"{"messages":[{"content":[{"type":"tool\u005fuse"}]}]}"#, 0b11),
            (r#"{"messages":[{"content":[{"type":"text","text":"\u00e9 \"tool_use\""}]}]}"#, 0),
            (r#"{"messages":[{"content":[{"toolUse":{"toolUseId":"tool_use"}},"tool_use"]}]}"#, 0b11),
        ] {
            let mut root = Root::default();
            root.look(record.as_bytes(), 0).unwrap();
            assert_eq!(Telling::default().may_be_sure(&rows, 0b11, (record.as_bytes(), &root)), want, "{record}");
        }
    }
}
