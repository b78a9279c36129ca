//! Signatures of reasoning that stand on calls and texts: what becomes of them is one rule for all formats.

use super::{Draft, Stretch};
use crate::json::with_commas;
use crate::model::{Seals, Source};
use std::ops::Range;

impl Draft {
    /// Notes such a signature in this member of a message, or in this element of its content. Returns whether the range is
    /// cut with the reasoning.
    pub fn seal(&mut self, seals: Seals, source: Source, at: Range<usize>) -> bool {
        match seals {
            Seals::Reason => self.units.push(Stretch::Opaque(source)),
            // It is visible, as what it stands on is.
            Seals::Stay => self.delta.payload = true,
            Seals::Go => self.seals.push(at),
        }
        seals == Seals::Reason
    }

    /// Whether it has units, facts or such signatures.
    pub fn says_something(&self) -> bool {
        !self.units.is_empty() || !self.facts.is_empty() || !self.seals.is_empty()
    }

    /// What is cut with the reasoning, and the signatures that go in any case: each with a comma, so that what is left is
    /// JSON whether the reasoning goes or not.
    pub fn apart(&self, record: &[u8]) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let mut seals = self.seals.clone();
        seals.sort_unstable_by_key(|at| at.start);
        with_commas(record, &mut seals);
        let mut cuts = self.cuts.clone();
        let meets = |cut: &Range<usize>| seals.iter().any(|seal| seal.start < cut.end && cut.start < seal.end);
        if !cuts.iter().any(meets) {
            return (cuts, seals);
        }
        // Both have taken the same comma. The reasoning is cut as if the signatures were gone before.
        let mut left = record.to_vec();
        seals.iter().for_each(|seal| left[seal.clone()].fill(b' '));
        for cut in &mut cuts {
            let is_comma = |b: &u8| b.is_ascii_whitespace() || *b == b',';
            let inside = &record[cut.clone()];
            let from = inside.iter().position(|b| !is_comma(b)).unwrap_or(0);
            let to = inside.iter().rposition(|b| !is_comma(b)).map_or(inside.len(), |last| last + 1);
            *cut = cut.start + from..cut.start + to;
        }
        with_commas(&left, &mut cuts);
        (without(cuts, &seals), seals)
    }
}

/// Ranges without those of others that stand in them.
fn without(ranges: Vec<Range<usize>>, others: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    for range in ranges {
        let mut from = range.start;
        for other in others.iter().filter(|other| other.start < range.end && range.start < other.end) {
            out.push(from..other.start.max(from));
            from = from.max(other.end);
        }
        out.push(from..range.end.max(from));
    }
    out.retain(|range| !range.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::members;

    /// Cuts the members that begin with `R` and those that begin with `S`, or only the latter.
    fn left(record: &str, both: bool) -> String {
        let mut draft = Draft::default();
        for (key, _, at) in members(record.as_bytes(), 0) {
            let at = key.start - 1..at.end;
            match record.as_bytes()[key.start] {
                b'R' => draft.cuts.push(at),
                b'S' => draft.seals.push(at),
                _ => (),
            }
        }
        with_commas(record.as_bytes(), &mut draft.cuts);
        let (cuts, mut gone) = draft.apart(record.as_bytes());
        gone.extend(both.then_some(cuts).into_iter().flatten());
        gone.sort_by_key(|at| at.start);
        let mut out = record.to_string();
        gone.into_iter().rev().for_each(|at| out.replace_range(at, ""));
        out
    }

    /// All orders of some of these names.
    fn orders(names: &[&'static str], most: usize) -> Vec<Vec<&'static str>> {
        let mut all = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..most {
            let to = all.len();
            for at in from..to {
                for name in names.iter().filter(|name| !all[at].contains(*name)).copied().collect::<Vec<_>>() {
                    all.push([all[at].as_slice(), &[name]].concat());
                }
            }
            from = to;
        }
        all
    }

    #[test]
    fn what_is_left_is_json() {
        for order in orders(&["R1", "R2", "S1", "S2", "a", "b"], 4) {
            for comma in [",", " , "] {
                let members: Vec<String> = order.iter().map(|name| format!("\"{name}\":[1,\"{name}\"]")).collect();
                let record = format!("{{{}}}", members.join(comma));
                for both in [true, false] {
                    let out = left(&record, both);
                    let found: serde_json::Map<_, _> =
                        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{record}: {out}: {e}"));
                    let stays = |name: &&str| !(name.starts_with('S') || both && name.starts_with('R'));
                    let mut want: Vec<&str> = order.iter().copied().filter(stays).collect();
                    want.sort_unstable();
                    assert_eq!(found.keys().collect::<Vec<_>>(), want, "{record}: {out}");
                }
            }
        }
    }
}
