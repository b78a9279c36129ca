//! One pass over a JSON value that no dialect reads: whether anything in it may be reasoning.

use super::keys::{Lookup, Part};
use super::level::{Level, bit};
use super::words::{is_switch, is_text};
use crate::inline::{Options, Part as Stretch, TagScanner, Tags};
use crate::json::{Literal, Scanner, Token, text};
use std::borrow::Cow;

/// Searches values. Positions are offsets in the text that is searched.
pub(in crate::dialect) struct Search<'t> {
    tags: &'t Tags,
    lookup: Lookup,
    levels: Vec<Level>,
    /// The outermost object is of a reasoning kind.
    named: bool,
    /// Records are events of a stream, whose texts are pieces: a tag counts without text behind it.
    pub pieces: bool,
    /// The current record is such an event.
    event: bool,
}

/// How deep JSON inside of JSON strings is searched. Each level is at most half as long, since quotes are escaped anew.
const DEEPEST: usize = 8;

impl<'t> Search<'t> {
    /// A search for these tags, and for the vocabulary.
    pub fn new(tags: &'t Tags) -> Self {
        Self { tags, lookup: Lookup::new(), levels: Vec::new(), named: false, pieces: false, event: false }
    }

    /// Whether a text is JSON that may hold reasoning.
    pub fn is_json(&mut self, plain: &[u8]) -> bool {
        self.has_json(plain, 0)
    }

    /// Whether a text in a column of this name may be reasoning.
    pub fn is_cell(&mut self, name: &str, text: &str) -> bool {
        self.lookup.facts(name.as_bytes()).weight.is_some() && is_text(text) && !is_switch(text)
    }

    /// The first place in a record that may be reasoning: of a member, the quote before its key.
    pub fn record(&mut self, record: &[u8]) -> Option<usize> {
        let root = Level::new(true, self.lookup.facts(b""), None, false);
        self.value(record, 0, root, 0).0
    }

    /// The same for the data of an event with this name.
    pub fn event(&mut self, name: &[u8], record: &[u8]) -> Option<usize> {
        self.named = !name.is_empty() && self.lookup.is_kind(name);
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
            self.key(&mut root, record, key);
        }
        if let (true, Some(key)) = (message && root.facts.part == Part::Kind, key)
            && let Ok(Token::String(word)) = Scanner::within(record, start).token()
            && self.lookup.is_kind(&word.decoded(record))
        {
            return Some(key.start - 1);
        }
        self.value(record, start, root, 0).0
    }

    /// Searches the value at `from`, in a level of its own. Returns the first place, and where the value ends or stops
    /// to be JSON.
    fn value(&mut self, record: &[u8], from: usize, root: Level, depth: usize) -> (Option<usize>, usize) {
        let base = self.levels.len();
        self.levels.push(root);
        let mut s = Scanner::within(record, from);
        // A value that stops to be JSON was cut off: what was found before counts.
        let (mut end, mut key) = (from, false);
        loop {
            let token = match s.token() {
                Ok(token) => token,
                Err(_) if key => {
                    self.cut_off(&record[end..]);
                    break;
                }
                Err(_) => break,
            };
            key = matches!(token, Token::Key(_));
            if token != Token::End {
                end = s.at();
            }
            match token {
                Token::ObjectStart | Token::ArrayStart => self.open(&mut s, token),
                Token::ObjectEnd | Token::ArrayEnd => self.close(),
                Token::Key(key) => {
                    if let Some(mut level) = self.levels.pop() {
                        self.key(&mut level, record, key);
                        self.levels.push(level);
                    }
                }
                Token::String(literal) => self.string(record, literal, depth),
                Token::True => self.flag(),
                Token::Number | Token::False | Token::Null => (),
                Token::End => break,
            }
        }
        while self.levels.len() > base + 1 {
            self.close();
        }
        (self.levels.pop().and_then(|root| root.end()), end)
    }

    /// The text stops behind a key: its value, which is what follows, is cut off.
    fn cut_off(&mut self, rest: &[u8]) {
        let Some(level) = self.levels.last_mut() else { return };
        let value = rest.trim_ascii_start();
        let value = value.strip_prefix(b":").map_or(value, <[u8]>::trim_ascii_start);
        if level.facts.weight.is_some() && value.len() > 1 && value[0] == b'"' {
            level.hit(level.at);
        }
    }

    fn key(&mut self, level: &mut Level, record: &[u8], key: Literal) {
        let facts = self.lookup.facts(&key.decoded(record));
        (level.facts, level.at) = (facts, key.start - 1);
        level.besides |= if facts.besides > 0 { bit(facts.besides) } else { 0 };
        let is = &mut level.is;
        match facts.part {
            Part::Call => is.call = true,
            Part::Name => is.named = true,
            Part::Parameters => is.parameters = true,
            Part::Schema => is.schema = true,
            Part::MaybeSchema => is.maybe_schema = true,
            Part::Done => (level.message, level.done) = (true, true),
            _ => (),
        }
    }

    fn open(&mut self, s: &mut Scanner<'_>, token: Token) {
        let Some(level) = self.levels.last_mut() else { return };
        if level.array {
            level.at = s.at() - 1;
        }
        if matches!(level.facts.part, Part::Pass | Part::Parameters | Part::Instructions) {
            // The value was scanned before, so that this cannot fail.
            let _ = s.skip(token);
            return;
        }
        let under = level.facts.weight.or(level.under);
        let message = level.facts.message || level.array && level.message;
        let inner = match token {
            Token::ArrayStart => Level::new(true, level.facts, under, message),
            _ => Level::new(false, level.facts, under, message),
        };
        self.levels.push(inner);
        if let (true, Some(outermost)) = (self.named && self.levels.len() == 2, self.levels.last_mut()) {
            outermost.is.reasoning = true;
        }
    }

    fn close(&mut self) {
        let Some(inner) = self.levels.pop() else { return };
        let Some(level) = self.levels.last_mut() else { return };
        if let Some(at) = inner.end() {
            level.hit(at);
        }
        if inner.is.filled {
            level.fill();
        }
        level.is.kind |= inner.is.kind && level.facts.attribute;
        if inner.has_tag() && level.facts.message {
            level.tag(false);
        }
        if level.facts.part == Part::Outer && !level.array {
            level.is.reasoning |= inner.is.reasoning;
            level.is.others |= inner.is.others;
        }
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
        let mut level = *level;
        match level.facts.part {
            Part::Meta | Part::Pass | Part::Call | Part::Name => return,
            Part::Kind | Part::Role | Part::Channel | Part::Key if !level.array => {
                self.read_kind(raw, &mut level);
                return self.put(level);
            }
            _ => (),
        }
        level.fill();
        level.is.kind |= level.facts.attribute && self.lookup.is_kind(raw);
        let named = level.facts.weight.is_some() || level.under.is_some() || level.facts.beside > 0;
        if named || self.tags.may_hold(raw, literal.escaped) || may_have_json(raw) {
            let plain = if literal.escaped { Cow::Owned(text::decoded(raw)) } else { Cow::Borrowed(raw) };
            if named {
                level.text(&text::utf8(&plain));
            }
            if self.has_reasoning(&level, &plain, depth) {
                level.hit(level.at);
            } else if matches!(level.facts.part, Part::Plain | Part::Argument) && self.has_tag(&plain) {
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
            Part::Key => {
                is.of_kind = self.lookup.is_kind_attribute(name);
                self.lookup.is_attribute(name)
            }
            _ => self.lookup.is_kind(name),
        };
        if level.facts.part == Part::Key {
            return;
        }
        let lower = name.to_ascii_lowercase();
        let has = |word: &[u8]| lower.windows(word.len()).any(|part| part == word);
        let ends = |words: &[&[u8]]| words.iter().any(|word| has(word));
        match level.facts.part {
            Part::Channel => is.analysis |= name == b"analysis",
            Part::Role => {
                is.others |= OTHERS.contains(&lower.as_slice());
                level.message |= !is.others;
            }
            _ => {
                let call = has(b"tool") || has(b"function") || lower.ends_with(b"_call");
                is.call |= call;
                is.called |= has(b"call");
                let gives_back = call && ends(&[b"result", b"output", b"return", b"response"]);
                is.others |= gives_back || lower.starts_with(b"user_") || OTHERS.contains(&lower.as_slice());
                is.typed |= SCHEMA_TYPES.contains(&lower.as_slice());
            }
        }
    }

    /// Whether a string holds a block of inline tags, or JSON with reasoning in it.
    fn has_reasoning(&mut self, level: &Level, plain: &[u8], depth: usize) -> bool {
        let template = level.facts.part == Part::Template
            && (memchr::memmem::find(plain, b"{%").is_some() || memchr::memmem::find(plain, b"{{").is_some());
        let others = matches!(level.facts.part, Part::Others | Part::Instructions);
        if template {
            return false;
        }
        let deeper = depth < DEEPEST;
        let tagged = !others && self.is_tagged(plain);
        // A text that is JSON is searched as JSON, where roles count.
        let json =
            || matches!(plain.trim_ascii_start(), [b'{' | b'[', ..]) && crate::json::scan::validate(plain).is_ok();
        tagged && !(deeper && json()) || deeper && self.has_json(plain, depth)
    }

    /// Whether a text holds a block of inline tags with something in it.
    pub fn is_tagged(&self, plain: &[u8]) -> bool {
        if !self.tags.may_hold(plain, false) {
            return false;
        }
        let (mut scanner, mut found) = (TagScanner::new(self.tags, Options::default()), false);
        let mut sink = |stretch: crate::inline::Found<'_>| {
            let letters = |text: &[u8]| text.iter().any(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
            found |= stretch.part == Stretch::Reasoning && letters(stretch.text);
        };
        scanner.feed(plain, &mut sink);
        scanner.finish(&mut sink);
        found
    }

    /// Whether a text has an opening or closing tag of a block that goes on elsewhere.
    pub fn has_tag(&self, plain: &[u8]) -> bool {
        if !self.tags.may_hold(plain, false) {
            return false;
        }
        let (mut scanner, mut found) = (TagScanner::new(self.tags, Options::default()), false);
        let mut sink = |stretch: crate::inline::Found<'_>| {
            found |= matches!(stretch.part, Stretch::Open(_) | Stretch::Stray);
        };
        scanner.feed(plain, &mut sink);
        scanner.finish(&mut sink);
        found
    }

    /// Whether a string is JSON, or has lines of JSON or of an event stream, that may hold reasoning. The search goes
    /// on behind the value that it searched last, so that nothing is searched twice.
    fn has_json(&mut self, plain: &[u8], depth: usize) -> bool {
        if let [b'"', inner @ .., b'"'] = plain.trim_ascii()
            && depth < DEEPEST
            && crate::json::scan::validate(plain).is_ok()
        {
            return self.has_json(&text::decoded(inner), depth + 1);
        }
        let mut at = 0;
        while let Some(start) = next_json(plain, at) {
            let root = Level::new(true, self.lookup.facts(b""), None, false);
            let (found, end) = self.value(plain, start, root, depth + 1);
            if found.is_some() {
                return true;
            }
            at = end.max(start + 1);
        }
        false
    }
}

/// Whether the inside of a string may be JSON, or have lines of JSON.
fn may_have_json(raw: &[u8]) -> bool {
    memchr::memchr2(b'{', b'[', raw).is_some() || memchr::memmem::find(raw, b"\\u00").is_some()
}

/// Where the next JSON value begins, at the start of a line or of an event's data, from the line at `at` on.
fn next_json(plain: &[u8], mut at: usize) -> Option<usize> {
    while at < plain.len() {
        let end = memchr::memchr(b'\n', &plain[at..]).map_or(plain.len(), |n| at + n);
        let line = &plain[at..end];
        let start = line.trim_ascii_start();
        let start = start.strip_prefix(b"data:").map_or(start, <[u8]>::trim_ascii_start);
        if matches!(start.first(), Some(b'{' | b'[')) {
            return Some(end - start.len());
        }
        at = end + 1;
    }
    None
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

const SCHEMA_TYPES: &[&[u8]] = &[b"object", b"string", b"array", b"number", b"integer", b"boolean", b"null"];
