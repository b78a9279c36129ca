//! Public texts, which are no secret: texts of the user, results of tools, instructions, earlier answers, allowed
//! passages.
//!
//! They are needed only if an answer shares a passage with the reasoning, which is rare. So they are kept unfolded, and
//! folded when the first such passage is found.

use super::compare::is_first;
use super::corpus::Corpus;
use super::windows::block;
use std::collections::HashSet;
use std::ops::Range;

/// The public texts of a conversation.
#[derive(Debug)]
pub(super) struct Public {
    /// The length of a window in characters.
    n: usize,
    /// Texts that are not folded yet, joined, and where each ends.
    texts: String,
    ends: Vec<usize>,
    /// The others.
    folded: Corpus,
    /// The hashes of texts that may be repeated.
    known: HashSet<u64>,
}

impl Public {
    /// Public texts with windows of `n` characters.
    pub fn new(n: usize) -> Self {
        Self { n, texts: String::new(), ends: Vec::new(), folded: Corpus::new(n, n), known: HashSet::new() }
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
        self.texts.len() + self.folded.buffer.len()
    }

    /// For each byte of a folded text, whether it is in a public window, as far as it lies in one of these stretches.
    pub fn known(&mut self, own: &[u8], at: &[Range<usize>]) -> Vec<bool> {
        self.fold();
        let mut known = vec![false; own.len()];
        if !self.folded.is_empty() {
            let areas = self.around(own, at);
            let shared = self.folded.shared(own, &areas, &|_| true);
            shared.into_iter().for_each(|(at, _)| known[at].fill(true));
        }
        known
    }

    /// Folds the texts that were added since the last call.
    fn fold(&mut self) {
        let (texts, mut start) = (std::mem::take(&mut self.texts), 0);
        for end in std::mem::take(&mut self.ends) {
            self.folded.add(&texts[start..end]);
            start = end;
        }
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
        /// Nothing outside of the stretches makes a difference.
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
            let part = public.known(own.as_bytes(), std::slice::from_ref(&(cut..own.len())));
            prop_assert_eq!(&part[cut..], &all[cut..]);
        }
    }
}
