//! Public texts, which are no secret: texts of the user, results of tools, instructions, earlier answers, allowed
//! passages.
//!
//! They are needed only if an answer shares a passage with the reasoning, which is rare. So they are kept unfolded, and
//! folded when the first such passage is found.

use super::compare::{common, is_first};
use super::fold::{BARRIER, Folded, Folder, chars};
use super::windows::{Index, Table, block, windows};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// How often the texts are searched before a table of all their windows is built.
const SEARCHES: usize = 32;

/// If a window of the answer stands in more places than this, the table is used: a search takes time for every pair of
/// places.
const PLACES: usize = 8;

/// The shortest useful block, in bytes.
const LEAST: usize = 4;

/// The public texts of a conversation.
#[derive(Debug)]
pub(super) struct Public {
    /// The length of a window in characters.
    n: usize,
    /// The texts, joined, and where each ends.
    texts: String,
    ends: Vec<usize>,
    /// How many of them are folded.
    done: usize,
    /// These texts, folded, with barriers between them.
    folded: Vec<u8>,
    /// How many bytes were searched so far.
    searched: usize,
    /// A table of all windows of the first folded bytes, and their number, once a table costs less than searching.
    table: Option<(Table, usize)>,
    room: Folded,
    /// The hashes of texts that may be repeated.
    known: HashSet<u64>,
}

impl Public {
    /// Public texts with windows of `n` characters.
    pub fn new(n: usize) -> Self {
        let (texts, ends, folded) = (String::new(), Vec::new(), Vec::new());
        Self {
            n,
            texts,
            ends,
            done: 0,
            folded,
            searched: 0,
            table: None,
            room: Folded::default(),
            known: HashSet::new(),
        }
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        if !text.is_empty() {
            self.texts.push_str(text);
            self.ends.push(self.texts.len());
        }
    }

    /// Whether a text that may be repeated is new.
    pub fn is_new(&mut self, text: &str) -> bool {
        self.known.insert(block(text.as_bytes()))
    }

    /// How many bytes are kept.
    pub fn len(&self) -> usize {
        self.texts.len() + self.folded.len()
    }

    /// For each byte of a folded text, whether it is in a public window, as far as it lies in one of these stretches.
    pub fn known(&mut self, own: &[u8], at: &[Range<usize>]) -> Vec<bool> {
        self.fold();
        let mut known = vec![false; own.len()];
        let stretches = self.around(own, at);
        self.searched += self.folded.len();
        let index = match self.n.div_ceil(2) {
            _ if self.searched > SEARCHES * self.folded.len() => None,
            n if n < LEAST => None,
            n => Index::new(own, &stretches, n, PLACES),
        };
        match index {
            Some(index) => self.search(own, &index, &mut known),
            None => self.look_up(own, &stretches, &mut known),
        }
        known
    }

    /// Marks the bytes that `own` shares with the texts, by a search through them.
    fn search(&self, own: &[u8], index: &Index, known: &mut [bool]) {
        let block = self.n.div_ceil(2);
        // For each distance between two places: how far the texts were compared.
        let mut compared: HashMap<isize, usize> = HashMap::new();
        index.search(own, &self.folded, |there, at| {
            let end = compared.entry(there as isize - at as isize).or_default();
            if *end <= there {
                let all = common(own, &self.folded, at, there, block);
                *end = there + all.end - at;
                if chars(&own[all.clone()]) >= self.n {
                    known[all].fill(true);
                }
            }
        });
    }

    /// Marks the same bytes by a table of all windows of the texts.
    fn look_up(&mut self, own: &[u8], stretches: &[Range<usize>], known: &mut [bool]) {
        let (table, upto) = self.table.get_or_insert_with(|| (Table::new(self.n), 0));
        table.insert(&self.folded, *upto..self.folded.len());
        *upto = self.folded.len();
        for stretch in stretches {
            let mut until = stretch.start;
            windows(&own[stretch.clone()], self.n, |at, hash| {
                let at = stretch.start + at.start..stretch.start + at.end;
                if table.get(&self.folded, &own[at.clone()], hash).is_some() {
                    known[at.start.max(until)..at.end].fill(true);
                    until = at.end;
                }
            });
        }
    }

    /// Folds the texts that were added since the last call.
    fn fold(&mut self) {
        for i in self.done..self.ends.len() {
            let start = i.checked_sub(1).map_or(0, |i| self.ends[i]);
            self.room.bytes.clear();
            let mut folder = Folder::new(&mut self.room, false);
            folder.push(&self.texts[start..self.ends[i]], 0);
            folder.end();
            self.folded.extend_from_slice(&self.room.bytes);
            self.folded.push(BARRIER);
        }
        self.done = self.ends.len();
    }

    /// The stretches, extended by the windows that reach into them. No two of them touch.
    fn around(&self, own: &[u8], at: &[Range<usize>]) -> Vec<Range<usize>> {
        let most = 4 * self.n;
        let mut all: Vec<Range<usize>> = Vec::new();
        for at in at {
            let mut start = at.start.saturating_sub(most);
            let mut end = (at.end + most).min(own.len());
            while start < at.start && !is_first(own[start]) {
                start += 1;
            }
            while end < own.len() && !is_first(own[end]) {
                end += 1;
            }
            match all.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => all.push(start..end),
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whether the texts are searched or looked up makes no difference, and neither does anything outside of the
        /// stretches.
        #[test]
        fn as_defined(texts in proptest::collection::vec("[abcdé]{0,30}", 1..4), before in "[abé]{0,9}", behind in "[abé]{0,9}",
                      n in 1usize..14, cut in 0usize..40) {
            let mut public = Public::new(n);
            texts.iter().for_each(|text| public.add(text));
            let part = |text: &str| text.chars().skip(cut % 7).collect::<String>();
            let own = format!("{before}{}{behind}{}", part(&texts[0]), part(&texts[texts.len() - 1]));
            let cut = (0..=own.len()).rev().find(|i| *i <= cut && own.is_char_boundary(*i)).unwrap_or(0);
            let all = public.known(own.as_bytes(), std::slice::from_ref(&(0..own.len())));
            let chars: Vec<char> = own.chars().collect();
            let mut want = vec![false; chars.len()];
            for i in 0..(chars.len() + 1).saturating_sub(n) {
                let window: String = chars[i..i + n].iter().collect();
                if texts.iter().any(|text| text.contains(&window)) {
                    want[i..i + n].fill(true);
                }
            }
            let got: Vec<bool> = own.char_indices().map(|(i, _)| all[i]).collect();
            prop_assert_eq!(got, want);
            for _ in 0..SEARCHES + 1 {
                let part = public.known(own.as_bytes(), std::slice::from_ref(&(cut..own.len())));
                prop_assert_eq!(&part[cut..], &all[cut..]);
            }
        }
    }
}
