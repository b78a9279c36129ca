//! One pass over a JSON value that no dialect reads: whether anything in it may be reasoning.

use super::encoded::{MAX_STRING_DEPTH, cut_string, encoded, may_have_json};
use super::keys::{Duty, KeyFacts, Lookup};
use super::labels::without_labels;
use super::level::Level;
use super::printed::{has_printed, may_hold_values};
use super::words::{MAX_SWITCH_BYTES, Weight, is_switch, is_text, names_thought};
use super::{named, schema, table};
use crate::dialect::turns::Recordings;
use crate::inline::Tags;
use crate::json::{Literal, Scanner, Token, text};
use aho_corasick::AhoCorasick;
use std::borrow::Cow;
use std::cell::OnceCell;

/// Searches values. Positions are offsets in the text that is searched.
pub(in crate::dialect) struct Search {
    pub(super) tags: Tags,
    pub(super) recordings: Recordings,
    pub(super) shown: OnceCell<AhoCorasick>,
    lookup: Lookup,
    pub(super) levels: Vec<Level>,
    /// The outermost object is of a reasoning kind.
    named: bool,
    /// Records are events of a stream, whose texts are pieces: a tag counts without text behind it.
    pub pieces: bool,
    /// The current record is such an event.
    event: bool,
    /// The strings of the open arrays: each array's own begin where it says ([`Level::strings`]).
    pub(super) joined: Vec<u8>,
}

impl Search {
    /// A search for these tags, and for the vocabulary.
    pub fn new(tags: &Tags) -> Self {
        Self {
            tags: tags.clone(),
            recordings: Recordings::new(tags),
            shown: OnceCell::new(),
            lookup: Lookup::new(),
            levels: Vec::new(),
            named: false,
            pieces: false,
            event: false,
            joined: Vec::new(),
        }
    }

    /// Whether a text is JSON that may hold reasoning.
    pub fn is_json(&mut self, plain: &[u8]) -> bool {
        self.has_json(plain, 0, true)
    }

    /// Whether a text is JSON as a whole, or on lines of its own, that may hold reasoning.
    pub fn is_json_itself(&mut self, plain: &[u8]) -> bool {
        self.has_json(plain, 0, false)
    }

    /// Whether a text in a column of this name may be reasoning.
    pub fn is_cell(&mut self, name: &str, text: &str) -> bool {
        self.lookup.facts(name.as_bytes()).weight.is_some() && is_text(text) && !is_switch(text)
    }

    /// The first place in a record that may be reasoning: of a member, the quote before its key.
    pub fn record(&mut self, record: &[u8]) -> Option<usize> {
        let found = self.anywhere(record).or_else(|| table::in_json(record, 0))?;
        // Labels and commands of other programs are no reasoning; the rest of their files is searched.
        match if self.pieces { None } else { without_labels(record) } {
            Some(rest) => self.anywhere(&rest),
            None => Some(found),
        }
    }

    fn anywhere(&mut self, record: &[u8]) -> Option<usize> {
        let root = Level::new(true, self.lookup.facts(b""), None, false);
        self.value(record, 0, root, 0).0
    }

    /// The facts of what has no key.
    pub(super) fn facts_of_nothing(&mut self) -> KeyFacts {
        self.lookup.facts(b"")
    }

    /// Whether an event of this name is reasoning, so that its data is, whatever it looks like.
    pub fn is_event(&self, name: &[u8]) -> bool {
        !name.is_empty() && (self.lookup.is_kind(name) || name == ANALYSIS)
    }

    /// The same for the data of an event with this name.
    pub fn event(&mut self, name: &[u8], record: &[u8]) -> Option<usize> {
        self.named = self.is_event(name);
        self.event = self.pieces;
        let found = self.record(record);
        (self.named, self.event) = (false, false);
        found
    }

    /// The same for the value that begins at `start`. If it has a key, it is a member of a record or, with `message`,
    /// of a message.
    pub fn member(&mut self, record: &[u8], key: Option<Literal>, start: usize, message: bool) -> Option<usize> {
        let mut root = Level::new(key.is_none(), self.lookup.facts(b""), None, message);
        if let Some(key) = key {
            root.key(self.lookup.facts(&key.decoded(record)), key);
        }
        if let (true, Some(key)) = (message && root.facts.part == Duty::Kind, key)
            && let Ok(Token::String(word)) = Scanner::within(record, start).token()
            && self.lookup.is_kind(&word.decoded(record))
        {
            return Some(key.start - 1);
        }
        let (found, end) = self.value(record, start, root, 0);
        found.or_else(|| table::in_json(&record[..end.max(start)], start))
    }

    /// The same for a member of a message of the chat family.
    pub fn of_message(&mut self, record: &[u8], key: Option<Literal>, start: usize) -> Option<usize> {
        let aside = |key: &Literal| self.lookup.facts(&key.decoded(record)).beside > 0;
        match (key.filter(aside), Scanner::within(record, start).token()) {
            (Some(key), Ok(Token::String(text))) if is_text(&text::utf8(&text.decoded(record))) => Some(key.start - 1),
            _ => self.member(record, key, start, true),
        }
    }

    /// Searches the value at `from`, in a level of its own. Returns the first place, and where the value ends or stops
    /// to be JSON.
    pub(super) fn value(&mut self, record: &[u8], from: usize, root: Level, depth: usize) -> (Option<usize>, usize) {
        let (base, joined) = (self.levels.len(), self.joined.len());
        self.levels.push(root);
        let mut s = Scanner::within(record, from);
        // A value that stops to be JSON was cut off: what was found before counts.
        let (mut end, mut key) = (from, false);
        loop {
            let Ok(token) = s.token() else {
                self.cut_off(record, end, (key, depth));
                break;
            };
            key = matches!(token, Token::Key(_));
            if token != Token::End {
                end = s.at();
            }
            match token {
                Token::ObjectStart | Token::ArrayStart => self.open(&mut s, token),
                Token::ObjectEnd | Token::ArrayEnd => self.close(depth),
                Token::Key(key) => {
                    let facts = self.lookup.facts(&key.decoded(record));
                    if let Some(level) = self.levels.last_mut() {
                        level.key(facts, key);
                    }
                }
                Token::String(literal) => self.string(record, literal, depth),
                Token::True => self.flag(),
                Token::Number | Token::False | Token::Null => (),
                Token::End => break,
            }
        }
        while self.levels.len() > base + 1 {
            self.close(depth);
        }
        // A text that was cut off here is none of the list around it.
        self.joined.truncate(joined);
        (self.levels.pop().and_then(|root| root.end()), end)
    }

    /// The text stops to be JSON behind this place: behind a key (`key`), or elsewhere. A string that begins there is a value
    /// that was cut off, as programs log JSON up to some length: it counts like any other.
    fn cut_off(&mut self, record: &[u8], from: usize, (key, depth): (bool, usize)) {
        let Some(level) = self.levels.last_mut() else { return };
        let before = |b: &u8| b.is_ascii_whitespace() || *b == if key { b':' } else { b',' };
        let inside = from + record[from..].iter().take_while(|b| before(b)).count() + 1;
        if !(key || level.array) || inside >= record.len() || record[inside - 1] != b'"' {
            return;
        }
        if key && level.facts.weight.is_some() {
            level.hit(level.at);
        }
        if let Some(literal) = cut_string(record, inside) {
            self.string(record, literal, depth);
        }
    }

    fn open(&mut self, s: &mut Scanner<'_>, token: Token) {
        let Some(level) = self.levels.last_mut() else { return };
        if level.array {
            level.at = s.at() - 1;
        }
        let schema = level.facts.part == Duty::Parameters;
        if matches!(level.facts.part, Duty::Pass | Duty::Instructions) || schema && schema::is_schema(s, token) {
            level.is.tool.parameters |= schema;
            // The value was scanned before, so that this cannot fail.
            let _ = s.skip(token);
            return;
        }
        let under = level.facts.weight.or(level.under);
        let message = level.facts.message || level.array && level.message;
        let mut inner = match token {
            Token::ArrayStart => Level::new(true, level.facts, under, message),
            _ => Level::new(false, level.facts, under, message),
        };
        inner.strings = self.joined.len();
        self.levels.push(inner);
        if let (true, Some(outermost)) = (self.named && self.levels.len() == 2, self.levels.last_mut()) {
            outermost.is.reasoning = true;
        }
    }

    fn close(&mut self, depth: usize) {
        let Some(inner) = self.levels.pop() else { return };
        let pieces = self.end_list(&inner, depth);
        let Some(level) = self.levels.last_mut() else { return };
        if let Some(at) = inner.end().or(Some(inner.first).filter(|_| pieces)) {
            level.hit(at);
        }
        if inner.is.filled {
            level.fill();
        }
        level.is.kind |= inner.is.kind && level.facts.attribute;
        level.is.words |= inner.is.words && level.facts.attribute;
        if inner.has_tag() && level.facts.message {
            level.tag(false);
        }
        if level.facts.part == Duty::Outer && !level.array {
            level.is.reasoning |= inner.is.reasoning;
            level.is.others |= inner.is.others;
        }
        let about = level.facts.about && !level.array;
        level.is.titled |= about && inner.is.titled;
        level.is.thought |= about && inner.is.thought || level.facts.names_kind && inner.is.reasoning;
    }

    fn flag(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.is.thought |= level.facts.flag && !level.array;
        }
    }

    fn string(&mut self, record: &[u8], literal: Literal, depth: usize) {
        let Some(level) = self.levels.last_mut() else { return };
        let raw = literal.raw(record);
        if raw.is_empty() {
            return;
        }
        if level.array {
            level.at = literal.start - 1;
        }
        let part = level.facts.part;
        // Of a member that a message should not have, also the name is looked at.
        let object = is_object(raw);
        if part == Duty::Name && !level.array {
            level.is.attributed |= named::weight(raw) == Some(Weight::Sure);
        }
        let exempt = matches!(part, Duty::Meta | Duty::Call | Duty::Name) && !object;
        if part == Duty::Pass || exempt && (self.levels.len() > 1 || super::is_name(raw)) {
            return;
        }
        let Some(mut level) = self.levels.last().copied() else { return };
        match part {
            Duty::Kind | Duty::Role | Duty::Channel | Duty::Key if !level.array && !object => {
                self.read_kind(raw, &mut level);
                // The line of a log is its event to some programs.
                let line = level.facts.event && !super::is_name(raw);
                if !line || !self.may_be_tagged(raw, literal.escaped) {
                    return self.put(level);
                }
            }
            Duty::Title if !level.array => self.read_kind(raw, &mut level),
            _ => (),
        }
        level.fill();
        if level.facts.says && !level.array {
            level.say();
        }
        level.is.kind |= level.facts.attribute && self.lookup.is_kind(raw);
        level.is.words |= level.facts.attribute && is_text(&text::utf8(raw));
        if level.facts.attribute && !is_switch(&text::utf8(&raw[..raw.len().min(MAX_SWITCH_BYTES + 1)])) {
            level.attribute();
        }
        self.join(&mut level, literal, raw);
        let named = level.facts.weight.is_some() || level.under.is_some() || level.facts.beside > 0;
        if named || may_hold_values(raw, literal.escaped) || self.may_be_tagged(raw, literal.escaped) {
            let plain = if literal.escaped { Cow::Owned(text::decoded(raw)) } else { Cow::Borrowed(raw) };
            if named {
                level.text(&text::utf8(&plain));
            }
            if self.has_reasoning(&level, &plain, depth) {
                level.hit(level.at);
            } else if matches!(level.facts.part, Duty::Plain | Duty::Argument) && self.has_tag(&plain) {
                level.tag(self.event);
            }
        }
        self.put(level);
    }

    fn put(&mut self, level: Level) {
        if let Some(last) = self.levels.last_mut() {
            *last = level;
        }
    }

    /// Reads a string that is the type, role or channel of its object.
    fn read_kind(&mut self, raw: &[u8], level: &mut Level) {
        let plain;
        let name = if raw.contains(&b'\\') {
            plain = text::decoded(raw);
            plain.as_slice()
        } else {
            raw
        };
        let is = &mut level.is;
        is.reasoning |= match level.facts.part {
            Duty::Key => {
                is.of_kind = self.lookup.is_kind_attribute(name);
                is.of_words = self.lookup.may_be_attribute(name);
                self.lookup.is_attribute(name)
            }
            _ => self.lookup.is_kind(name),
        };
        if level.facts.part == Duty::Key {
            return;
        }
        let lower = name.to_ascii_lowercase();
        let has = |word: &[u8]| lower.windows(word.len()).any(|part| part == word);
        let ends = |words: &[&[u8]]| words.iter().any(|word| has(word));
        match level.facts.part {
            Duty::Title => (is.entitled, is.titled) = (true, is.titled || names_thought(name)),
            Duty::Channel => is.analysis |= name == ANALYSIS,
            Duty::Role => {
                is.others |= OTHERS.contains(&lower.as_slice());
                level.message |= !is.others;
            }
            _ => {
                let call = has(b"tool") || has(b"function") || lower.ends_with(b"_call");
                is.tool.call |= call;
                is.tool.called |= has(b"call");
                let gives_back = call && ends(&[b"result", b"output", b"return", b"response"]);
                is.others |= gives_back || lower.starts_with(b"user_") || OTHERS.contains(&lower.as_slice());
                is.tool.typed |= schema::is_type(&lower);
                is.analyses |= name == ANALYSIS;
            }
        }
    }

    /// Whether a string holds a block of inline tags, or JSON with reasoning in it.
    fn has_reasoning(&mut self, level: &Level, plain: &[u8], depth: usize) -> bool {
        let template = level.facts.part == Duty::Template
            && (memchr::memmem::find(plain, b"{%").is_some() || memchr::memmem::find(plain, b"{{").is_some());
        let others = is_others(level.facts.part);
        if template {
            return false;
        }
        let deeper = depth < MAX_STRING_DEPTH;
        let tagged = !others && self.is_tagged(plain);
        // A text that is JSON is searched as JSON, where roles count.
        let json =
            || matches!(plain.trim_ascii_start(), [b'{' | b'[', ..]) && crate::json::scan::validate(plain).is_ok();
        tagged && !(deeper && json())
            || deeper && self.has_json(plain, depth, !others)
            || deeper && !others && (self.has_rest(plain, depth) || has_printed(plain))
            || deeper && encoded(plain).is_some_and(|inner| self.has_json(&inner, depth + 1, true))
            || !others && self.is_escaped(plain)
    }
}

/// Whether the inside of a string is that of an object, or of a list of them: no name or label is.
fn is_object(raw: &[u8]) -> bool {
    let inner = raw.trim_ascii_start();
    let inner = inner.strip_prefix(b"[").map_or(inner, <[u8]>::trim_ascii_start);
    inner.starts_with(b"{") && may_have_json(inner)
}

/// The word for a channel, a kind of event or a type of object that is reasoning, if it holds a text.
const ANALYSIS: &[u8] = b"analysis";

/// Whether a text under a key of this part is by another author than the model.
pub(super) fn is_others(part: Duty) -> bool {
    matches!(part, Duty::Others | Duty::Instructions)
}

/// Whether a role or a type is one of another author than the model, or of a result of a tool.
pub(super) fn is_by_others(name: &[u8]) -> bool {
    let lower = name[..name.len().min(64)].to_ascii_lowercase();
    let has = |word: &[u8]| lower.windows(word.len()).any(|part| part == word);
    OTHERS.contains(&lower.as_slice()) || has(b"tool") && (has(b"result") || has(b"output") || has(b"response"))
}

/// Roles and types of other authors than the model, in lower case.
const OTHERS: &[&[u8]] = &[
    b"user",
    b"human",
    b"system",
    b"developer",
    b"tool",
    b"function",
    b"function_response",
    b"observation",
    b"environment",
    b"ipython",
    b"customer",
];
