//! Finds reasoning in answers: passages that an answer shares with the reasoning of its own message or an earlier one,
//! and that nobody else wrote before.
//!
//! The first search takes time and memory for few bytes of the reasoning only: each text has a hash for every block of
//! half a passage's length, and no passage can be shared that does not hold such a block. If an answer holds one, the
//! places of all blocks are put into a table, and the texts around them are compared. If a block stands in too many
//! places, every window of the reasoning is put into a table. So the time is linear in the conversation, whatever its
//! text.

use super::code::Code;
use super::compare::{answer, common, is_answer, is_first, places, trimmed};
use super::fold::{BARRIER, Folded, Folder, chars};
use super::public::Public;
use super::windows::{Blocks, Table, blocks, windows};
use memchr::memmem::Finder;
use std::collections::HashMap;
use std::ops::Range;

/// How many of the reasoning's first characters must not stand in the answer.
pub(super) const PREFIX: usize = 24;

/// How many bytes of a conversation are kept. Beyond that, texts by others are dropped.
const MOST: usize = 256 << 20;

/// A passage that an answer shares with reasoning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its range in the visible text, in bytes.
    pub at: Range<usize>,
    /// Its length in characters, folded.
    pub chars: usize,
    /// The number of the message with the reasoning.
    pub message: u64,
    /// It is the whole text of a block of reasoning.
    pub whole: bool,
}

/// The passages that an answer shares with reasoning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaks {
    /// Passages that are long enough, in the order of the answer.
    pub passages: Vec<Stretch>,
    /// Passages that are the beginning of a text of reasoning.
    pub beginnings: Vec<Stretch>,
    /// The share of the visible text that is such passages, in per cent.
    pub percent: u8,
}

/// A text of reasoning in the buffer.
#[derive(Clone, Debug)]
struct Part {
    at: Range<usize>,
    message: u64,
}

/// The texts of a conversation, prepared for the search.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The least length of a passage, in characters.
    least: usize,
    /// The reasoning so far, folded, with barriers between its texts.
    buffer: Vec<u8>,
    parts: Vec<Part>,
    /// The blocks of the reasoning.
    blocks: Blocks,
    /// The texts of the conversation that are public.
    public: Public,
    /// The first message of the current response: its choices do not know each other's reasoning.
    first: u64,
    siblings: Range<u64>,
    /// The texts of these choices, which become public with the end of the response.
    pending: Vec<String>,
    /// How many bytes are kept.
    most: usize,
    /// Reasoning was dropped, since there was too much of it.
    forgot: bool,
    /// Tables that are built when they are needed.
    exact: Option<Exact>,
    room: Folded,
}

#[derive(Debug)]
struct Exact {
    /// All windows of the reasoning, if its blocks stand in too many places.
    secret: Option<Table>,
    /// The beginnings of the texts of reasoning.
    beginnings: Table,
    /// How many texts are in the tables.
    parts: usize,
}

/// In how many places a block may stand: beyond that, comparing all of them would be slow.
const PLACES: u32 = 32;

impl Conversation {
    pub fn new(least: usize) -> Self {
        let least = least.clamp(2, MOST);
        Self {
            least,
            buffer: Vec::new(),
            parts: Vec::new(),
            blocks: Blocks::default(),
            public: Public::new(least.div_ceil(2)),
            first: 0,
            siblings: 0..0,
            pending: Vec::new(),
            most: MOST,
            forgot: false,
            exact: None,
            room: Folded::default(),
        }
    }

    /// The same, but with fewer bytes to keep.
    #[cfg(test)]
    pub fn remembering(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Drops texts by others, and reasoning only if it alone is too much.
    fn forget(&mut self) {
        self.public = Public::new(self.least.div_ceil(2));
        if self.buffer.len() > self.most / 2 {
            self.forgot = true;
            (self.buffer, self.parts) = (Vec::new(), Vec::new());
            (self.blocks, self.exact) = (Blocks::default(), None);
        }
    }

    /// Makes room for another text.
    fn room_for(&mut self, text: &str) {
        if self.buffer.len() + self.public.len() + text.len() > self.most {
            self.forget();
        }
    }

    /// Whether reasoning was dropped.
    pub fn forgot(&self) -> bool {
        self.forgot
    }

    /// The length of blocks in bytes. A passage has at least as many bytes as characters, so that a block lies in it,
    /// wherever the blocks begin.
    fn block(&self) -> usize {
        self.least.div_ceil(2).min(PREFIX)
    }

    /// Begins a message of the assistant. `joined`: it is a further choice of the same response.
    pub fn begin(&mut self, message: u64, joined: bool) {
        if joined {
            self.siblings = self.first..message;
            return;
        }
        (self.first, self.siblings) = (message, 0..0);
        for text in std::mem::take(&mut self.pending) {
            self.public(&text);
        }
    }

    /// Adds a text of reasoning.
    pub fn reasoning(&mut self, text: &str, message: u64) {
        self.room_for(text);
        let start = self.buffer.len();
        let mut room = Folded { bytes: std::mem::take(&mut self.buffer), places: Vec::new() };
        let mut folder = Folder::new(&mut room, false);
        folder.push(text, 0);
        folder.end();
        self.buffer = room.bytes;
        let at = start..self.buffer.len();
        if at.is_empty() {
            return;
        }
        self.buffer.push(BARRIER);
        self.blocks.insert(&self.buffer, at.clone(), self.block());
        self.parts.push(Part { at, message });
    }

    /// Adds a text by another author, or a passage that is allowed.
    pub fn public(&mut self, text: &str) {
        self.room_for(text);
        self.public.add(text);
    }

    /// Adds a public text that may be repeated.
    pub fn public_once(&mut self, text: &str) {
        if self.public.is_new(text) {
            self.public(text);
        }
    }

    /// The passages that an answer shares with the reasoning so far. `last`: the last thought of its own message.
    pub fn answer(&mut self, text: &str, code: &Code, last: Option<&str>) -> Leaks {
        if self.blocks.is_empty() {
            self.pending.push(text.to_string());
            return Leaks::default();
        }
        let mut room = std::mem::take(&mut self.room);
        room.bytes.clear();
        room.places.clear();
        answer(text, code, false, &mut room);
        let mut hit = false;
        let n = self.block();
        blocks(&room.bytes, n, |at, hash| {
            hit = self.blocks.places(&self.buffer, &room.bytes[at..at + n], hash).next().is_some();
            !hit
        });
        let mut leaks = Leaks::default();
        // Some programs write their answer as a thought first.
        if hit && last.is_none_or(|last| !is_answer(last, text)) {
            room.bytes.clear();
            answer(text, code, true, &mut room);
            leaks = self.search(text, &room);
        }
        self.room = room;
        self.publish(text, &leaks);
        leaks
    }

    /// Makes an answer public for later messages, except for the passages that leaked into it.
    fn publish(&mut self, text: &str, leaks: &Leaks) {
        let mut from = 0;
        for at in leaks.passages.iter().map(|passage| passage.at.clone()) {
            self.pending.push(text[from..at.start.max(from)].to_string());
            from = at.end;
        }
        self.pending.push(text[from..].to_string());
    }

    /// Builds the tables for all texts of reasoning so far.
    fn exact(&mut self) -> Exact {
        let mut exact =
            self.exact.take().unwrap_or_else(|| Exact { secret: None, beginnings: Table::new(PREFIX), parts: 0 });
        let new = &self.parts[exact.parts..];
        for part in new {
            let bytes = &self.buffer[part.at.clone()];
            let firsts = bytes.iter().enumerate().filter(|(_, b)| is_first(**b)).map(|(i, _)| i);
            let end = firsts.chain([bytes.len()]).nth(PREFIX).unwrap_or(0);
            exact.beginnings.insert(&self.buffer, part.at.start..part.at.start + end);
        }
        match &mut exact.secret {
            Some(table) => new.iter().for_each(|part| table.insert(&self.buffer, part.at.clone())),
            None if self.blocks.most > PLACES => {
                let mut table = Table::new(self.least);
                self.parts.iter().for_each(|part| table.insert(&self.buffer, part.at.clone()));
                exact.secret = Some(table);
            }
            None => (),
        }
        exact.parts = self.parts.len();
        exact
    }

    /// Whether reasoning at this place can leak into the answer: that of another choice cannot.
    fn counts(&self, at: usize) -> bool {
        self.siblings.is_empty() || !self.siblings.contains(&self.part(at).message)
    }

    fn part(&self, at: usize) -> &Part {
        &self.parts[self.parts.partition_point(|part| part.at.end <= at).min(self.parts.len() - 1)]
    }

    /// Passages of the answer that stand in the reasoning, each with one of its places there.
    fn passages(&self, exact: &Exact, own: &[u8]) -> Vec<(Range<usize>, usize)> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        if let Some(table) = &exact.secret {
            windows(own, self.least, |at, hash| {
                let there = table.get(&self.buffer, &own[at.clone()], hash).filter(|there| self.counts(*there));
                found.extend(there.map(|there| (at, there)));
            });
        } else {
            let n = self.block();
            // For each distance between two places: how far the texts were compared.
            let mut compared: HashMap<isize, usize> = HashMap::new();
            blocks(own, n, |at, hash| {
                for there in self.blocks.places(&self.buffer, &own[at..at + n], hash) {
                    let end = compared.entry(there as isize - at as isize).or_default();
                    if *end > at || !self.counts(there) {
                        continue;
                    }
                    let all = common(own, &self.buffer, at, there, n);
                    *end = all.end;
                    if chars(&own[all.clone()]) >= self.least {
                        found.push((all.clone(), there + all.start - at));
                    }
                }
                true
            });
        }
        // Passages that touch each other are merged.
        found.sort_by_key(|(at, _)| (at.start, std::cmp::Reverse(at.end)));
        found.dedup_by(|(next, _), (last, _)| {
            let touches = next.start <= last.end;
            last.end = if touches { last.end.max(next.end) } else { last.end };
            touches
        });
        found
    }

    fn search(&mut self, text: &str, answer: &Folded) -> Leaks {
        let exact = self.exact();
        let own = &answer.bytes;
        let mut found = self.passages(&exact, own);
        let mut beginnings = Vec::new();
        windows(own, PREFIX, |at, hash| {
            let there = exact.beginnings.get(&self.buffer, &own[at.clone()], hash).filter(|there| self.counts(*there));
            beginnings.extend(there.map(|there| (there, at)));
        });
        if found.is_empty() && beginnings.is_empty() {
            self.exact = Some(exact);
            return Leaks::default();
        }
        // For each byte of the answer, whether another author wrote it before.
        let mut stretches: Vec<Range<usize>> =
            found.iter().map(|(at, _)| at).chain(beginnings.iter().map(|(_, at)| at)).cloned().collect();
        stretches.sort_by_key(|at| at.start);
        let known = self.public.known(own, &stretches);
        let news = |at: &Range<usize>| {
            let new = at.clone().filter(|i| !known[*i] && is_first(own[*i])).count();
            2 * new >= self.least
        };
        found.retain(|(at, _)| news(at));
        let all = chars(own).max(1);
        let shared: usize = found.iter().map(|(at, _)| chars(&own[at.clone()])).sum();
        let stretch = |at: &Range<usize>, there: usize| {
            let part = self.part(there);
            let whole = part.at.len() <= at.len()
                && Finder::new(&self.buffer[part.at.clone()]).find(&own[at.clone()]).is_some();
            let trimmed = trimmed(own, at.clone());
            Stretch { at: places(text, answer, &trimmed), chars: chars(&own[at.clone()]), message: part.message, whole }
        };
        let leaks = Leaks {
            passages: found.iter().map(|(at, there)| stretch(at, *there)).collect(),
            beginnings: self.beginnings(text, answer, &known, beginnings),
            percent: (100 * shared / all) as u8,
        };
        self.exact = Some(exact);
        leaks
    }

    /// Where the beginnings of texts of reasoning stand in the answer, each once.
    fn beginnings(
        &self,
        text: &str,
        answer: &Folded,
        known: &[bool],
        mut found: Vec<(usize, Range<usize>)>,
    ) -> Vec<Stretch> {
        let own = &answer.bytes;
        let news = |at: &Range<usize>| at.clone().filter(|i| !known[*i] && is_first(own[*i])).count();
        found.retain(|(_, at)| 2 * news(at) >= PREFIX);
        found.sort_by_key(|(there, at)| (*there, at.start));
        found.dedup_by_key(|(there, _)| *there);
        found.sort_by_key(|(_, at)| at.start);
        let stretch = |(there, at): (usize, Range<usize>)| Stretch {
            at: places(text, answer, &trimmed(own, at)),
            chars: PREFIX,
            message: self.part(there).message,
            whole: false,
        };
        found.into_iter().map(stretch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const THOUGHT: &str = "The user wants to know how many coins there are; I must not say that the vault is empty.";

    /// What an answer shares with a thought, after something that the user wrote.
    fn leaks(user: &str, thought: &str, answer: &str) -> Leaks {
        let mut all = Conversation::new(48);
        all.public(user);
        all.reasoning(thought, 2);
        all.answer(answer, &Code::of(answer), None)
    }

    fn passages(user: &str, thought: &str, answer: &str) -> Vec<String> {
        leaks(user, thought, answer).passages.iter().map(|passage| answer[passage.at.clone()].to_string()).collect()
    }

    #[test]
    fn what_is_shared() {
        let part = &THOUGHT[30..];
        for (answer, want) in [
            (format!("Well. {part} Yes."), vec![part.to_string()]),
            (part.replace(' ', "\n\n").to_uppercase(), vec![part.replace(' ', "\n\n").to_uppercase()]),
            (format!("**{part}**"), vec![part.to_string()]),
            (THOUGHT[..47].to_string(), vec![]),
            (THOUGHT[2..50].to_string(), vec![THOUGHT[2..50].to_string()]),
            (format!("x{}x", &THOUGHT[2..50]), vec![THOUGHT[2..50].to_string()]),
            (format!("x{}x", &THOUGHT[3..50]), vec![]),
            (format!("```\n{part}\n```"), vec![]),
            (format!("```rs\n// {part}\n```"), vec![part.to_string()]),
        ] {
            let found = passages("", THOUGHT, &answer);
            assert_eq!(found, want, "{answer:?}");
        }
        // Letters and their accents may be written apart.
        let apart =
            "Der Pru\u{308}fer ha\u{308}tte die Lu\u{308}cke la\u{308}ngst bemerken mu\u{308}ssen, sagte er zu ihr.";
        let whole = "Hm. Der Prüfer hätte die Lücke längst bemerken müssen, sagte er zu ihr.";
        assert_eq!(passages("", whole, &format!("So: {apart}")), [apart]);
        // A comment of two lines is one.
        let comment = format!("```rs\n// {}\n// {}\n```", part[..21].trim(), &part[21..]);
        assert_eq!(leaks("", THOUGHT, &comment).passages.len(), 1);
    }

    #[test]
    fn what_others_wrote_is_no_secret() {
        let quoted = &THOUGHT[20..];
        assert!(passages(quoted, THOUGHT, quoted).is_empty());
        assert!(passages(quoted, THOUGHT, &format!("to know {quoted}")).is_empty(), "few characters are new");
        assert_eq!(passages(&THOUGHT[..45], THOUGHT, THOUGHT), [THOUGHT], "half of it is");
        let mut all = Conversation::new(48);
        all.public("Hello.");
        let first = all.answer(THOUGHT, &Code::default(), None);
        all.reasoning(&format!("I said: {THOUGHT}"), 4);
        all.begin(4, false);
        let second = all.answer(THOUGHT, &Code::default(), None);
        assert_eq!((first.passages.len(), second.passages.len()), (0, 0), "an earlier answer");
    }

    #[test]
    fn later_answers() {
        let mut all = Conversation::new(48);
        all.reasoning(THOUGHT, 2);
        for _ in 0..2 {
            let leaks = all.answer(&format!("So: {THOUGHT}"), &Code::default(), None);
            assert_eq!((leaks.passages.len(), leaks.passages[0].message, leaks.passages[0].whole), (1, 2, true));
        }
        assert!(all.answer(THOUGHT, &Code::default(), Some(THOUGHT)).passages.is_empty(), "the whole last thought");
        all.forget();
        assert_eq!(
            all.answer(&format!("So: {THOUGHT}"), &Code::default(), None).passages.len(),
            1,
            "others are forgotten"
        );
    }

    #[test]
    fn choices_of_a_response() {
        let mut all = Conversation::new(48);
        all.reasoning("Nothing that matters was thought of before, or so it seems to all of us.", 2);
        let found = |all: &mut Conversation, number, joined, thought, answer: &str| {
            all.begin(number, joined);
            all.reasoning(thought, number);
            all.answer(answer, &Code::default(), None).passages.iter().map(|p| p.message).collect::<Vec<_>>()
        };
        let answer = format!("So: {THOUGHT}");
        assert!(found(&mut all, 4, false, THOUGHT, "Hello.").is_empty());
        assert!(found(&mut all, 5, true, "Let me see.", &answer).is_empty(), "the first choice's reasoning");
        assert_eq!(found(&mut all, 6, true, THOUGHT, &answer), [6], "the second choice's answer is no excuse");
        assert!(found(&mut all, 8, false, "", &answer).is_empty(), "it was said by now");
        let before = "Nothing that matters was thought of before, or so it seems";
        assert_eq!(found(&mut all, 9, true, "", before), [2], "an earlier turn's reasoning");
    }

    #[test]
    fn beginnings() {
        let found = |answer: &str| {
            leaks("", THOUGHT, answer).beginnings.into_iter().map(|b| (b.at.start, b.at.end)).collect::<Vec<_>>()
        };
        assert_eq!(found("So: the USER wants\nto know how"), [(4, 28)]);
        assert!(found("the user wants to know").is_empty());
        assert!(leaks("the user wants to know how", THOUGHT, "The user wants to know how").beginnings.is_empty());
    }

    proptest! {
        #[test]
        fn as_defined(thought in "[ab]{0,60}", answer in "[ab]{0,60}", least in 2usize..9) {
            let mut all = Conversation::new(least);
            all.reasoning(&thought, 1);
            let found = all.answer(&answer, &Code::default(), None).passages;
            let windows = |text: &str| text.as_bytes().windows(least).map(<[u8]>::to_vec).collect::<Vec<_>>();
            let secret = windows(&thought);
            let shared: Vec<usize> = windows(&answer).iter().enumerate().filter(|(_, w)| secret.contains(w)).map(|(i, _)| i).collect();
            let mut covered = vec![false; answer.len()];
            shared.iter().for_each(|i| covered[*i..i + least].fill(true));
            let mut got = vec![false; answer.len()];
            found.iter().for_each(|passage| got[passage.at.clone()].fill(true));
            prop_assert_eq!(got, covered);
        }
    }
}
