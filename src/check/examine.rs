//! Applies the rules to a message.

use super::case::SharedSearches;
use super::code::Code;
use super::compare;
use super::leaks::ConversationTexts;
use super::rules::DUPLICATE;
use super::{Hit, Leaks, MessageCase, Rule, RuleOptions, RuleSearch, VisibleMessage};
use crate::count::{Counter, Method};
use std::collections::{HashMap, VecDeque};

/// The conversations of an input, with their texts as far as rules need them.
pub(crate) struct ExaminedConversations {
    options: RuleOptions,
    /// The conversation of the current record, and those of the stream by number.
    inner: ConversationTexts,
    stream: HashMap<u32, ConversationTexts>,
    /// The last thought of each of these conversations.
    last: HashMap<u32, String>,
    /// Recent texts outside of all sequences, for sequences that begin.
    late: VecDeque<String>,
    /// A conversation that has ended had more reasoning than is kept.
    forgot: bool,
    counter: Counter,
}

/// The lowest number of a conversation that is a sequence of reasoning. This number itself is for everything outside of
/// sequences.
pub(crate) const SEQUENCE: u32 = 1 << 31;

/// How many bytes of texts outside of sequences are kept, besides the last text: they are searched for every sequence
/// that begins.
const MAX_LATE_TEXT_BYTES: usize = 1 << 12;

/// The longest text that is kept, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 16;

/// What the rules found in a message.
pub(crate) type Hits = Vec<(&'static Rule, Hit)>;

/// A message to examine, with facts about its place.
pub(crate) struct Examinee<'a> {
    pub shown: &'a VisibleMessage,
    pub number: u64,
    /// Its conversation in the stream; `None`: the conversation of the record.
    pub conversation: Option<u32>,
    /// It is a further choice of a response.
    pub joined: bool,
    /// The policy removes reasoning from it.
    pub removed: bool,
    /// It answers a sequence, whose last thought may be the same text.
    pub is_answer: bool,
}

impl ExaminedConversations {
    pub fn new(options: &RuleOptions) -> Self {
        let fresh = || fresh(options);
        Self {
            options: options.clone(),
            inner: fresh(),
            stream: HashMap::new(),
            last: HashMap::new(),
            late: VecDeque::new(),
            forgot: false,
            counter: Counter::new(Method::Chars4),
        }
    }

    /// Begins the conversation of a record.
    pub fn start(&mut self) {
        self.forgot |= self.inner.forgot();
        self.inner = fresh(&self.options);
    }

    /// Ends all conversations of the stream.
    pub fn over(&mut self) {
        self.forgot = self.forgot();
        self.stream.clear();
        self.last.clear();
        self.late.clear();
    }

    /// Ends a conversation of the stream.
    pub fn end(&mut self, conversation: u32) {
        let ended = self.stream.remove(&conversation);
        self.forgot |= ended.is_some_and(|ended| ended.forgot());
        self.last.remove(&conversation);
    }

    /// Keeps a text outside of all sequences of reasoning.
    pub fn remember(&mut self, text: &str) {
        if text.len() <= MAX_TEXT_BYTES {
            self.late.push_back(text.to_string());
        }
        while self.late.len() > 1 && self.late.iter().map(String::len).sum::<usize>() > MAX_LATE_TEXT_BYTES {
            self.late.pop_front();
        }
    }

    fn of(&mut self, conversation: Option<u32>) -> &mut ConversationTexts {
        match conversation {
            None => &mut self.inner,
            Some(n) => self.stream.entry(n).or_insert_with(|| {
                let mut conversation = fresh(&self.options);
                let late = self.late.iter().filter(|_| n >= SEQUENCE);
                late.for_each(|text| conversation.public(text));
                conversation
            }),
        }
    }

    /// Whether a conversation had more reasoning than is kept.
    pub fn forgot(&self) -> bool {
        self.forgot || self.inner.forgot() || self.stream.values().any(ConversationTexts::forgot)
    }

    /// Notes a text by another author.
    pub fn public(&mut self, conversation: Option<u32>, text: &str) {
        self.of(conversation).public(text);
    }

    /// Notes instructions, which the records of a conversation repeat.
    pub fn public_once(&mut self, conversation: Option<u32>, text: &str) {
        self.of(conversation).public_once(text);
    }

    fn tokens(&mut self, text: &str) -> u64 {
        self.counter.text(text.as_bytes())
    }
}

/// A conversation with no texts but the allowed passages.
fn fresh(options: &RuleOptions) -> ConversationTexts {
    let mut conversation = ConversationTexts::new(options.passage);
    options.allowed.iter().for_each(|passage| conversation.public(passage));
    conversation
}

/// Applies the rules in force to a message of the assistant.
pub(crate) fn examine(all: &mut ExaminedConversations, message: &Examinee<'_>) -> Hits {
    let Examinee { shown, number, conversation, joined, removed, is_answer } = *message;
    let earlier = conversation.filter(|_| is_answer).and_then(|key| all.last.get(&key).cloned());
    let last = shown.last().or(earlier.as_deref());
    if let (Some(key), Some(thought)) = (conversation.filter(|key| *key >= SEQUENCE), shown.last()) {
        all.last.insert(key, thought.to_string());
    }
    let code = Code::of(&shown.text);
    let compares = all.options.rules.iter().any(|rule| matches!(rule.search, RuleSearch::Comparison(_)));
    let leaks = if !compares {
        Leaks::default()
    } else {
        // An answer may be the last thought, but not all of the reasoning.
        let (finds, least) = (all.options.uses(&DUPLICATE), all.options.passage);
        let is_all = || finds && compare::is_reasoning(&shown.reasoning, &shown.text, least);
        let is_thought = || compare::is_answer(last, &shown.text) && !is_all();
        let known = all.of(conversation);
        known.begin(number, joined);
        shown.reasoning.iter().for_each(|text| known.reasoning(text, number));
        known.answer(&shown.text, &code, is_thought)
    };
    let budgets = all.options.max_reasoning_tokens.is_some() || all.options.max_ratio.is_some();
    let tokens = match budgets {
        true => (shown.counted().into_iter().map(|text| all.tokens(text)).sum(), all.tokens(&shown.text)),
        false => (0, 0),
    };
    search(&all.options, shown, &leaks, &code, (number, removed, tokens))
}

fn search(
    options: &RuleOptions,
    shown: &VisibleMessage,
    leaks: &Leaks,
    code: &Code,
    (number, removed, tokens): (u64, bool, (u64, u64)),
) -> Hits {
    let (text, marks, blocks, empty) =
        (shown.text.as_str(), shown.marks.as_slice(), shown.blocks, shown.empty.is_some());
    let case = MessageCase {
        text,
        number,
        marks,
        blocks,
        empty,
        leaks,
        removed,
        options,
        tokens,
        code,
        searched: SharedSearches::default(),
    };
    let (mut found, mut hits) = (Vec::new(), Vec::new());
    for rule in &options.rules {
        if let Some(search) = rule.search.of_message() {
            search(&case, &mut hits);
            found.extend(hits.drain(..).map(|hit| (*rule, hit)));
        }
    }
    found
}

/// Applies only the rule about reasoning that the policy removes.
pub(crate) fn only_removed(options: &RuleOptions, removed: bool) -> Hits {
    let (shown, leaks, code) = (VisibleMessage::default(), Leaks::default(), Code::default());
    let mut found = search(options, &shown, &leaks, &code, (0, removed, (0, 0)));
    found.retain(|(_, hit)| hit.at == super::At::Reasoning);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conversations, one of which has forgotten reasoning: that of the record, or one of the stream.
    fn forgetful(stream: Option<u32>) -> ExaminedConversations {
        let mut all = ExaminedConversations::new(&RuleOptions::default());
        *all.of(stream) = ConversationTexts::new(48).remembering(100);
        for number in 1..3 {
            all.of(stream).reasoning(&"The wind turns to the west before noon, I think. ".repeat(2), number);
        }
        all
    }

    #[test]
    fn what_was_forgotten_stays_known() {
        for (stream, end) in [(None, "start"), (Some(1), "over"), (Some(1), "end"), (None, "")] {
            let mut all = forgetful(stream);
            match end {
                "start" => all.start(),
                "over" => all.over(),
                "end" => all.end(1),
                _ => (),
            }
            assert!(all.forgot(), "{end}");
        }
        assert!(!ExaminedConversations::new(&RuleOptions::default()).forgot());
    }
}
