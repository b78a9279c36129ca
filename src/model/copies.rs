//! Which text is a copy (behaviour.md, section 3): the same text from two sources of one item of reasoning is one text
//! and a copy. Texts are compared without white space at their ends, with runs of white space as one (Unicode's
//! `White_Space`), and with any white space or none between the blocks of a source: one source may have as two blocks
//! what another has as one.
//!
//! All outputs ask here, whether they have whole texts or pieces. Of a text only a hash is kept, whatever its length;
//! its key is random, so that no text can be made to look like another.

use super::{SUMMARY, Source};
use crate::json::text::{incomplete, utf8};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

/// Whether the reasoning of a source counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyFate {
    /// It counts.
    Counts,
    /// It is a copy of the reasoning of this source of the item, which counts.
    Copy(usize),
    /// It is a summary, beside reasoning that it sums up.
    Summary,
    /// It has no text, unlike another source, or like an earlier one.
    Empty,
}

/// The sources of an item of reasoning, in the order of their first pieces.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    sources: Vec<(Source, ComparedText)>,
}

impl Copies {
    /// Adds a piece, which may be cut anywhere. `fresh`: it begins a block.
    pub fn piece(&mut self, source: Source, fresh: bool, text: &[u8]) {
        let at = self.sources.iter().position(|(known, _)| *known == source).unwrap_or_else(|| {
            self.sources.push((source, ComparedText::default()));
            self.sources.len() - 1
        });
        let all = &mut self.sources[at].1;
        if fresh {
            all.block();
        }
        all.push(text);
    }

    /// Whether any source has text. An incomplete character at the end of a piece is none yet.
    pub fn has_text(&self) -> bool {
        self.sources.iter().any(|(_, text)| !text.is_blank())
    }

    /// The fate of each source. `sent`: the reasoning of this source is written already, so that it counts.
    pub fn fates(&self, sent: Option<Source>) -> Vec<CopyFate> {
        fates(&self.sources, self.has_text(), sent)
    }

    /// The fate of one source.
    pub fn fate(&self, source: Source, sent: Option<Source>) -> CopyFate {
        let at = self.sources.iter().position(|(known, _)| *known == source);
        at.map_or(CopyFate::Empty, |at| self.fates(sent)[at])
    }
}

/// The fate of each source of a message. `items`: the index of the first source of each item but the first. `read` adds
/// the blocks of a source.
pub fn of_message<T>(
    sources: &[(Source, T)],
    items: &[usize],
    mut read: impl FnMut(&T, &mut ComparedText),
) -> Vec<CopyFate> {
    if sources.len() < 2 {
        return vec![CopyFate::Counts; sources.len()];
    }
    let mut texts: Vec<(Source, ComparedText)> =
        sources.iter().map(|(source, _)| (*source, ComparedText::default())).collect();
    texts.iter_mut().zip(sources).for_each(|((_, text), (_, blocks))| read(blocks, text));
    let some = texts.iter().any(|(_, text)| !text.is_empty());
    let starts = std::iter::once(0).chain(items.iter().copied());
    let ends = items.iter().copied().chain([texts.len()]);
    let of_item = |at: Range<usize>| {
        let start = at.start;
        fates(&texts[at], some, None).into_iter().map(move |fate| match fate {
            CopyFate::Copy(of) => CopyFate::Copy(start + of),
            fate => fate,
        })
    };
    starts.zip(ends).flat_map(|(start, end)| of_item(start..end)).collect()
}

/// The fate of each source of an item. `some`: any source has text, here or in another item of the message.
fn fates(sources: &[(Source, ComparedText)], some: bool, sent: Option<Source>) -> Vec<CopyFate> {
    let is_sent = |at: usize| Some(sources[at].0) == sent;
    let same = groups(sources);
    // A summary that says the same as the reasoning beside it is a copy.
    let is_summary = |at: usize| {
        let sums_up = |(i, (source, text)): (usize, &(Source, ComparedText))| {
            *source != SUMMARY && !text.is_empty() && same[i] != same[at]
        };
        sources[at].0 == SUMMARY && sources.iter().enumerate().any(sums_up)
    };
    // The first source of each group that counts, whatever comes before it.
    let mut first: Vec<Option<usize>> = vec![None; sources.len()];
    let count = |first: &mut Vec<Option<usize>>, at: usize| {
        let known = &mut first[same[at]];
        *known = Some(known.map_or(at, |known| known.min(at)));
    };
    (0..sources.len()).filter(|at| is_sent(*at)).for_each(|at| count(&mut first, at));
    let mut some_counts = first.iter().any(Option::is_some);
    let mut fates: Vec<CopyFate> = Vec::with_capacity(sources.len());
    for (i, (_, text)) in sources.iter().enumerate() {
        let fate = match () {
            () if is_sent(i) => CopyFate::Counts,
            () if is_summary(i) => CopyFate::Summary,
            () if text.is_empty() && (some || some_counts) => CopyFate::Empty,
            () => first[same[i]].map_or(CopyFate::Counts, CopyFate::Copy),
        };
        if fate == CopyFate::Counts {
            some_counts = true;
            count(&mut first, i);
        }
        fates.push(fate);
    }
    fates
}

/// For each source, the first with the same text. What is the same as the same text is one: a source of several blocks
/// may be the same as two others that differ in white space.
fn groups(sources: &[(Source, ComparedText)]) -> Vec<usize> {
    let of_source = |(at, (_, text)): (usize, &(Source, ComparedText))| text.prints().map(|print| (print, at));
    let mut prints: Vec<(Print, usize)> = sources.iter().enumerate().flat_map(of_source).collect();
    prints.sort_unstable();
    let mut groups: Vec<usize> = (0..sources.len()).collect();
    for pair in prints.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let [one, other] = [0, 1].map(|of| first(&mut groups, pair[of].1));
        groups[one.max(other)] = one.min(other);
    }
    (0..groups.len()).for_each(|at| groups[at] = groups[groups[at]]);
    groups
}

/// The first source of a group. Its members refer to one before them.
fn first(groups: &mut [usize], mut at: usize) -> usize {
    while groups[at] != at {
        groups[at] = groups[groups[at]];
        at = groups[at];
    }
    at
}

/// A text that comes in pieces, as far as a comparison needs it.
#[derive(Clone, Debug)]
pub struct ComparedText {
    /// The text with nothing between its blocks.
    together: FoldedHash,
    /// The text with white space between its blocks, if it has several.
    apart: Option<FoldedHash>,
    /// An incomplete character at the end of the last piece.
    cut: Vec<u8>,
}

impl Default for ComparedText {
    fn default() -> Self {
        Self { together: FoldedHash::new(), apart: None, cut: Vec::new() }
    }
}

impl ComparedText {
    /// Ends the block: what follows belongs to another one.
    pub fn block(&mut self) {
        self.end();
        if !self.is_blank() {
            self.apart.get_or_insert_with(|| self.together.clone()).blank();
        }
    }

    /// Adds text, in UTF-8 or WTF-8.
    pub fn push(&mut self, text: &[u8]) {
        if self.cut.is_empty() {
            let end = text.len() - incomplete(text);
            self.whole(&text[..end]);
            self.cut.extend_from_slice(&text[end..]);
            return;
        }
        self.cut.extend_from_slice(text);
        let mut all = std::mem::take(&mut self.cut);
        let rest = all.split_off(all.len() - incomplete(&all));
        self.whole(&all);
        self.cut = rest;
    }

    /// Whether its characters so far are white space.
    fn is_blank(&self) -> bool {
        self.together.len == 0
    }

    /// Whether it has no text but white space.
    pub fn is_empty(&self) -> bool {
        self.is_blank() && self.cut.is_empty()
    }

    /// Whether it is the same text as another one.
    pub fn is_same(&self, other: &ComparedText) -> bool {
        let others = other.prints();
        self.prints().iter().any(|print| others.contains(print))
    }

    /// What it is known by: with nothing between its blocks, and with white space.
    fn prints(&self) -> [Print; 2] {
        let mut text = self.clone();
        text.end();
        let together = text.together.print();
        [together, text.apart.map_or(together, FoldedHash::print)]
    }

    fn end(&mut self) {
        let cut = std::mem::take(&mut self.cut);
        self.whole(&cut);
    }

    fn whole(&mut self, text: &[u8]) {
        let text = utf8(text);
        self.together.push(&text);
        if let Some(apart) = &mut self.apart {
            apart.push(&text);
        }
    }
}

/// The length of a folded text, in bytes, and its hash.
type Print = (u64, u64);

/// The hash of a text, folded.
#[derive(Clone, Debug)]
struct FoldedHash {
    hasher: DefaultHasher,
    /// Bytes that are not hashed yet, and how many: the hash must not depend on the pieces.
    word: u64,
    filled: u32,
    /// How many bytes the folded text has.
    len: u64,
    /// White space follows it, so far.
    blank: bool,
}

impl FoldedHash {
    fn new() -> Self {
        static KEY: OnceLock<RandomState> = OnceLock::new();
        let hasher = KEY.get_or_init(RandomState::new).build_hasher();
        Self { hasher, word: 0, filled: 0, len: 0, blank: false }
    }

    fn blank(&mut self) {
        self.blank = true;
    }

    fn push(&mut self, text: &str) {
        let (bytes, mut from, mut at) = (text.as_bytes(), 0, 0);
        while let Some(&b) = bytes.get(at) {
            let word = |b: u8| b > b' ' && b < 0x7F;
            // A single space between words stays.
            if word(b) || b == b' ' && from < at && bytes.get(at + 1).is_some_and(|next| word(*next)) {
                at += 1;
                continue;
            }
            let Some(c) = text[at..].chars().next() else { break };
            let end = at + c.len_utf8();
            if c.is_whitespace() {
                self.solid(&bytes[from..at]);
                self.blank();
                from = end;
            }
            at = end;
        }
        self.solid(&bytes[from..at]);
    }

    /// Adds text that begins and ends with other characters than white space.
    fn solid(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        if std::mem::take(&mut self.blank) && self.len > 0 {
            self.byte(b' ');
        }
        // Eight bytes at once; those that wait come first.
        let (words, rest) = text.as_chunks::<8>();
        for word in words {
            let word = u64::from_le_bytes(*word);
            self.hasher.write_u64(self.word | word << (8 * self.filled));
            self.word = if self.filled == 0 { 0 } else { word >> (64 - 8 * self.filled) };
        }
        self.len += (text.len() - rest.len()) as u64;
        rest.iter().for_each(|b| self.byte(*b));
    }

    fn byte(&mut self, b: u8) {
        self.word |= u64::from(b) << (8 * self.filled);
        self.filled += 1;
        self.len += 1;
        if self.filled == 8 {
            self.hasher.write_u64(std::mem::take(&mut self.word));
            self.filled = 0;
        }
    }

    fn print(mut self) -> Print {
        self.hasher.write_u64(self.word);
        (self.len, self.hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A text of blocks, separated by `|`, in pieces of `n` bytes.
    fn text(blocks: &str, n: usize) -> ComparedText {
        let mut text = ComparedText::default();
        for block in blocks.split('|') {
            text.block();
            block.as_bytes().chunks(n).for_each(|piece| text.push(piece));
        }
        text
    }

    #[test]
    fn what_is_the_same_text() {
        for (a, b, same) in [
            ("Low pressure.", "Low pressure.\u{a0}", true),
            ("Low  pressure\n\nfrom", " Low pressure\tfrom\u{2028}", true),
            ("Low\u{3000}pressure", "Low pressure", true),
            ("Low pressure", "Lowpressure", false),
            ("Low pressure", "low pressure", false),
            ("Low pressure", "Low pressur", false),
            ("", " \u{a0}\n", true),
            ("Low.|High.", "Low.High.", true),
            ("Low.|High.", "Low.\n\nHigh.", true),
            ("Low. |\n High.", "Low. High.", true),
            ("Low.|High.", "Low.Hig|h.", true),
            ("Low.||High.|", "Low.|High.", true),
            ("|Low", "Low", true),
            ("a\u{0}b", "a b", false),
            ("𝒳 é\u{85}ü", "𝒳\u{1680}é ü", true),
        ] {
            for n in [1, 2, 3, 99] {
                assert_eq!(text(a, 99).is_same(&text(b, n)), same, "{a:?} {b:?} in pieces of {n}");
                assert_eq!(text(a, n).is_empty(), a.is_empty(), "{a:?}");
            }
        }
        let mut pair = ComparedText::default();
        [&b"\xed\xa0"[..], b"\xb5\xed", b"\xb2\xb3"].iter().for_each(|piece| pair.push(piece));
        assert!(pair.is_same(&text("𝒳", 99)), "two halves of a surrogate pair are one character");
    }

    #[test]
    fn fates_of_sources() {
        use CopyFate::*;
        for (sources, want) in [
            (&[("a", "x")][..], &[Counts][..]),
            (&[("a", "x"), ("b", "x ")], &[Counts, Copy(0)]),
            (&[("a", "x"), ("b", "y"), ("c", "y")], &[Counts, Counts, Copy(1)]),
            (&[("a", ""), ("b", "x"), ("c", "x")], &[Empty, Counts, Copy(1)]),
            (&[("a", ""), ("b", " ")], &[Counts, Empty]),
            (&[("a", "x"), (SUMMARY, "y")], &[Counts, Summary]),
            (&[(SUMMARY, "x"), ("a", "y")], &[Summary, Counts]),
            (&[(SUMMARY, "x"), ("a", "x")], &[Counts, Copy(0)]),
            (&[("a", "x"), (SUMMARY, "x"), ("b", "y")], &[Counts, Summary, Counts]),
            (&[(SUMMARY, "x"), ("a", "")], &[Counts, Empty]),
        ] {
            let mut copies = Copies::default();
            sources.iter().for_each(|(source, text)| copies.piece(source, true, text.as_bytes()));
            assert_eq!(copies.fates(None), want, "{sources:?}");
            assert_eq!(of_message(sources, &[], |text, to| to.push(text.as_bytes())), want, "{sources:?}");
        }
        let mut copies = Copies::default();
        [(SUMMARY, "x"), ("a", "x")].iter().for_each(|(source, text)| copies.piece(source, true, text.as_bytes()));
        assert_eq!(copies.fates(Some(SUMMARY)), [Counts, Copy(0)], "the summary is written already");
        let several = [("a", "x y"), ("b", "xy"), ("c", "x|y")];
        let found = of_message(&several, &[], |blocks, to| {
            blocks.split('|').for_each(|block| {
                to.block();
                to.push(block.as_bytes());
            });
        });
        assert_eq!(found, [Counts, Copy(0), Copy(0)], "the third is the same as both");
        let items = [("a", "x"), ("b", "x"), ("a", "x"), ("b", "y"), ("a", "")];
        let found = of_message(&items, &[2, 4], |text, to| to.push(text.as_bytes()));
        assert_eq!(found, [Counts, Copy(0), Counts, Counts, Empty]);
    }

    proptest! {
        #[test]
        fn as_defined(a in "[ab \u{a0}\n]{0,12}", b in "[ab \u{a0}\n]{0,12}", n in 1usize..5) {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(text(&a, n).is_same(&text(&b, 99)), words(&a) == words(&b));
        }
    }
}
