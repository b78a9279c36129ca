//! Finds reasoning in answers: passages that an answer shares with the reasoning of its own message or an earlier one,
//! and that nobody else wrote before.
//!
//! A first look finds out whether an answer may share anything with the reasoning; most do not ([`super::corpus`]).

use super::code::Code;
use super::compare::{answer, is_answer, is_first, is_reasoning, places, trimmed};
use super::corpus::Corpus;
use super::fold::{Folded, chars};
use super::public::Public;
use super::windows::{WindowTable, windows};
use super::{PASSAGE, PREFIX};
use memchr::memmem::Finder;
use std::ops::Range;

/// How many bytes of a conversation are kept. Beyond that, texts by others are dropped.
const MAX_KEPT_BYTES: usize = 256 << 20;

/// A passage that an answer shares with reasoning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPassage {
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
    pub passages: Vec<SharedPassage>,
    /// Passages that are the beginning of a text of reasoning.
    pub beginnings: Vec<SharedPassage>,
    /// The share of the visible text that is such passages, in per cent.
    pub percent: u8,
}

/// A text of reasoning in the buffer.
#[derive(Clone, Debug)]
struct ReasoningText {
    at: Range<usize>,
    message: u64,
}

/// The texts of a conversation, prepared for the search.
#[derive(Debug)]
pub(super) struct ConversationTexts {
    /// The least length of a passage, in characters.
    least: usize,
    /// The reasoning so far.
    secret: Corpus,
    parts: Vec<ReasoningText>,
    /// The beginnings of the texts of reasoning, and of how many texts: filled when it is needed.
    beginnings: (WindowTable, usize),
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
    /// Memory for a folded answer, to be used again.
    scratch: Folded,
}

impl ConversationTexts {
    pub fn new(least: usize) -> Self {
        let least = least.clamp(2, MAX_KEPT_BYTES);
        Self {
            least,
            secret: Corpus::new(least, PREFIX),
            parts: Vec::new(),
            beginnings: (WindowTable::new(PREFIX), 0),
            public: Public::new(least.div_ceil(2)),
            first: 0,
            siblings: 0..0,
            pending: Vec::new(),
            most: MAX_KEPT_BYTES,
            forgot: false,
            scratch: Folded::default(),
        }
    }

    /// Keeps fewer bytes.
    #[cfg(test)]
    pub fn remembering(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Drops texts by others, and reasoning only if it alone is too much.
    fn forget(&mut self) {
        self.public = Public::new(self.least.div_ceil(2));
        if self.secret.buffer.len() > self.most / 2 {
            self.forgot = true;
            (self.secret, self.parts) = (Corpus::new(self.least, PREFIX), Vec::new());
            self.beginnings = (WindowTable::new(PREFIX), 0);
        }
    }

    /// Drops texts if this one would be too much.
    fn forget_if_full(&mut self, text: &str) {
        if self.secret.buffer.len() + self.public.len() + text.len() > self.most {
            self.forget();
        }
    }

    /// Whether reasoning was dropped.
    pub fn forgot(&self) -> bool {
        self.forgot
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
        self.forget_if_full(text);
        let at = self.secret.add(text);
        if !at.is_empty() {
            self.parts.push(ReasoningText { at, message });
        }
    }

    /// Adds a text by another author, or a passage that is allowed.
    pub fn public(&mut self, text: &str) {
        self.forget_if_full(text);
        self.public.add(text);
    }

    /// Adds a public text that may be repeated.
    pub fn public_once(&mut self, text: &str) {
        if self.public.is_new(text) {
            self.public(text);
        }
    }

    /// The passages that an answer shares with the reasoning so far. `is_thought`: whether it is a thought that the model
    /// had last, which is asked only if something is shared.
    pub fn answer(&mut self, text: &str, code: &Code, is_thought: impl FnOnce() -> bool) -> Leaks {
        if self.secret.is_empty() {
            self.pending.push(text.to_string());
            return Leaks::default();
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.bytes.clear();
        scratch.places.clear();
        answer(text, code, false, &mut scratch);
        let hit = self.secret.may_share(&scratch.bytes);
        let mut leaks = Leaks::default();
        // Some programs write their answer as a thought first.
        if hit && !is_thought() {
            scratch.bytes.clear();
            answer(text, code, true, &mut scratch);
            leaks = self.search(text, &scratch);
        }
        self.scratch = scratch;
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

    /// Notes the beginnings of all texts of reasoning so far.
    fn begin_texts(&mut self) {
        let (table, parts) = &mut self.beginnings;
        for part in &self.parts[*parts..] {
            let bytes = &self.secret.buffer[part.at.clone()];
            let firsts = bytes.iter().enumerate().filter(|(_, b)| is_first(**b)).map(|(i, _)| i);
            let end = firsts.chain([bytes.len()]).nth(PREFIX).unwrap_or(0);
            table.insert(&self.secret.buffer, part.at.start..part.at.start + end);
        }
        *parts = self.parts.len();
    }

    fn search(&mut self, text: &str, answer: &Folded) -> Leaks {
        self.begin_texts();
        let own = &answer.bytes;
        // Reasoning of another choice cannot leak into the answer.
        let (parts, siblings) = (&self.parts, &self.siblings);
        let counts = |at: usize| siblings.is_empty() || !siblings.contains(&part_at(parts, at).message);
        let mut found = self.secret.shared(own, std::slice::from_ref(&(0..own.len())), &counts);
        let mut beginnings = Vec::new();
        windows(own, PREFIX, |at, hash| {
            let there = self.beginnings.0.get(&self.secret.buffer, &own[at.clone()], hash);
            beginnings.extend(there.filter(|there| counts(*there)).map(|there| (there, at)));
        });
        if found.is_empty() && beginnings.is_empty() {
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
            let part = part_at(&self.parts, there);
            let whole = part.at.len() <= at.len()
                && Finder::new(&self.secret.buffer[part.at.clone()]).find(&own[at.clone()]).is_some();
            let trimmed = trimmed(own, at.clone());
            SharedPassage {
                at: places(text, answer, &trimmed),
                chars: chars(&own[at.clone()]),
                message: part.message,
                whole,
            }
        };
        Leaks {
            passages: found.iter().map(|(at, there)| stretch(at, *there)).collect(),
            beginnings: self.beginnings(text, answer, &known, beginnings),
            percent: (100 * shared / all) as u8,
        }
    }

    /// Where the beginnings of texts of reasoning stand in the answer, each once.
    fn beginnings(
        &self,
        text: &str,
        answer: &Folded,
        known: &[bool],
        mut found: Vec<(usize, Range<usize>)>,
    ) -> Vec<SharedPassage> {
        let own = &answer.bytes;
        let news = |at: &Range<usize>| at.clone().filter(|i| !known[*i] && is_first(own[*i])).count();
        found.retain(|(_, at)| 2 * news(at) >= PREFIX);
        found.sort_by_key(|(there, at)| (*there, at.start));
        found.dedup_by_key(|(there, _)| *there);
        found.sort_by_key(|(_, at)| at.start);
        let stretch = |(there, at): (usize, Range<usize>)| SharedPassage {
            at: places(text, answer, &trimmed(own, at)),
            chars: PREFIX,
            message: part_at(&self.parts, there).message,
            whole: false,
        };
        found.into_iter().map(stretch).collect()
    }
}

/// Whether an answer holds the beginning of one of these thoughts, which are all reasoning of its message, or a passage
/// of one.
pub(crate) fn is_leaked<'a>(thoughts: impl Iterator<Item = &'a str>, answer: &str) -> bool {
    let thoughts: Vec<&str> = thoughts.filter(|thought| !thought.trim().is_empty()).collect();
    let mut all = ConversationTexts::new(PASSAGE);
    thoughts.iter().for_each(|thought| all.reasoning(thought, 1));
    let last = thoughts.last().copied();
    let is_thought = || is_answer(last, answer) && !is_reasoning(&thoughts, answer, PASSAGE);
    let leaks = all.answer(answer, &Code::of(answer), is_thought);
    !leaks.passages.is_empty() || !leaks.beginnings.is_empty()
}

/// The text of reasoning that stands at this place of the buffer.
fn part_at(parts: &[ReasoningText], at: usize) -> &ReasoningText {
    &parts[parts.partition_point(|part| part.at.end <= at).min(parts.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const THOUGHT: &str = "The user wants to know how many coins there are; I must not say that the vault is empty.";

    /// What an answer shares with a thought, after something that the user wrote.
    fn leaks(user: &str, thought: &str, answer: &str) -> Leaks {
        let mut all = ConversationTexts::new(48);
        all.public(user);
        all.reasoning(thought, 2);
        all.answer(answer, &Code::of(answer), || false)
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
        let mut all = ConversationTexts::new(48);
        all.public("Hello.");
        let first = all.answer(THOUGHT, &Code::default(), || false);
        all.reasoning(&format!("I said: {THOUGHT}"), 4);
        all.begin(4, false);
        let second = all.answer(THOUGHT, &Code::default(), || false);
        assert_eq!((first.passages.len(), second.passages.len()), (0, 0), "an earlier answer");
    }

    #[test]
    fn later_answers() {
        let mut all = ConversationTexts::new(48);
        all.reasoning(THOUGHT, 2);
        for _ in 0..2 {
            let leaks = all.answer(&format!("So: {THOUGHT}"), &Code::default(), || false);
            assert_eq!((leaks.passages.len(), leaks.passages[0].message, leaks.passages[0].whole), (1, 2, true));
        }
        let is_thought = || is_answer(Some(THOUGHT), THOUGHT);
        assert!(all.answer(THOUGHT, &Code::default(), is_thought).passages.is_empty(), "the whole last thought");
        all.forget();
        assert_eq!(
            all.answer(&format!("So: {THOUGHT}"), &Code::default(), || false).passages.len(),
            1,
            "others are forgotten"
        );
    }

    #[test]
    fn choices_of_a_response() {
        let mut all = ConversationTexts::new(48);
        all.reasoning("Nothing that matters was thought of before, or so it seems to all of us.", 2);
        let found = |all: &mut ConversationTexts, number, joined, thought, answer: &str| {
            all.begin(number, joined);
            all.reasoning(thought, number);
            all.answer(answer, &Code::default(), || false).passages.iter().map(|p| p.message).collect::<Vec<_>>()
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
    fn leaks_of_one_message() {
        let found = |thoughts: &[&str], answer: &str| is_leaked(thoughts.iter().copied(), answer);
        assert!(found(&[THOUGHT], &THOUGHT[10..70]));
        assert!(found(&[THOUGHT], &format!("So: {}", &THOUGHT[..24])));
        assert!(found(&["Hm.", THOUGHT], &THOUGHT.replace("coins", "**coins**")[..60]), "emphasis is no difference");
        assert!(!found(&["Hm.", THOUGHT], &format!(" {THOUGHT}\n")), "the whole last thought");
        assert!(found(&[THOUGHT], THOUGHT) && found(&[THOUGHT, THOUGHT], THOUGHT), "all of the reasoning");
        assert!(!found(&["It is four."], "It is four."), "it is short");
        assert!(!found(&["x"], THOUGHT) && !found(&[], THOUGHT) && !found(&[THOUGHT], ""));
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
            let mut all = ConversationTexts::new(least);
            all.reasoning(&thought, 1);
            let found = all.answer(&answer, &Code::default(), || false).passages;
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
