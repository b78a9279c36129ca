//! One pass over a record that may be a conversation, a response or a message, into a draft: what stands where.
//!
//! Nothing is decided here that needs the whole record, and nothing goes out: only a record that was understood to
//! its end becomes events (`reader`). The functions call each other as deep as messages nest, never as deep as the
//! input does.

use super::names::{Name, Names};
use crate::error::Error;
use crate::json::{Cuts, Literal, Scanner, Token, text};
use crate::model::{Role, Source};
use std::ops::Range;

/// What a record holds, in order.
#[derive(Debug)]
pub(super) enum Item {
    Start,
    Message(Draft),
    /// A choice of a response: its message, or a delta of it.
    Choice(Draft),
    Delta(Draft),
    /// An element of a list that is no message.
    Stays((usize, Range<usize>)),
    End,
}

/// A message that was passed.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub role: Option<Role>,
    pub units: Vec<Unit>,
    /// What goes when the reasoning goes.
    pub cuts: Vec<Range<usize>>,
    pub tool: bool,
    pub other: bool,
    /// Of a delta: it carries something besides reasoning, text and role.
    pub payload: bool,
    /// The choice's number.
    pub index: u32,
    pub finished: bool,
    /// From the end of the element before it in its list, and of the list.
    pub element: Option<(usize, Range<usize>)>,
    /// It has a key that only a message has.
    telling: bool,
    content: bool,
}

/// A stretch of a message.
#[derive(Debug)]
pub(super) enum Unit {
    /// Visible text, if nothing in it says otherwise.
    Text(Literal),
    /// Reasoning in a string.
    Field(Source, Literal),
    /// Reasoning somewhere in this value.
    Deep(Source, Range<usize>),
    /// A reasoning field that holds nothing.
    Void(Source),
}

/// The record as a whole.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub items: Vec<Item>,
    /// Drafts of earlier records, empty, for their memory.
    spare: Vec<Draft>,
    pub id: Option<Literal>,
    /// It says something that keeps an event in its stream.
    pub payload: bool,
}

pub(super) struct Walk<'a, 'n> {
    s: Scanner<'a>,
    names: &'n Names,
    record: &'n mut Record,
    /// A list of messages, or choices, was seen.
    listed: bool,
}

type Done<T = ()> = Result<T, Error>;

impl Record {
    /// Makes room for the next record.
    fn clear(&mut self) {
        for item in self.items.drain(..) {
            if let Item::Message(mut draft) | Item::Choice(mut draft) | Item::Delta(mut draft) = item {
                draft.units.clear();
                draft.cuts.clear();
                let Draft { units, cuts, .. } = draft;
                self.spare.push(Draft { units, cuts, ..Draft::default() });
            }
        }
        (self.id, self.payload) = (None, false);
    }

    fn draft(&mut self) -> Draft {
        self.spare.pop().unwrap_or_default()
    }
}

/// Walks `body` into `record`.
pub(super) fn walk(body: &[u8], names: &Names, record: &mut Record) -> Result<(), Error> {
    record.clear();
    let mut w = Walk { s: Scanner::new(body)?, names, record, listed: false };
    match w.s.next()? {
        Token::ObjectStart => {
            if let Some(draft) = w.record()? {
                w.record.items.push(Item::Message(draft));
            }
        }
        Token::ArrayStart => w.array()?,
        token => w.s.skip(token)?,
    }
    w.s.next()?;
    Ok(())
}

impl Walk<'_, '_> {
    fn name(&self, key: Literal) -> Name {
        self.names.get(self.s.text(), key)
    }

    /// A record in an object; a bare message is given back.
    fn record(&mut self) -> Done<Option<Draft>> {
        let (mut draft, mut cuts, mut found) = (self.record.draft(), Cuts::default(), false);
        while let Token::Key(key) = self.s.next()? {
            let from = self.s.from();
            match self.name(key) {
                Name::List => found |= self.list()?,
                Name::Choices => found |= self.choices()?,
                Name::Id => {
                    if let Token::String(id) = self.value()? {
                        self.record.id = Some(id);
                    }
                }
                Name::Telling => {
                    let value = self.value()?;
                    self.record.payload |= value != Token::Null;
                }
                name => {
                    self.member(&mut draft, &mut cuts, name, from)?;
                    continue;
                }
            }
            draft.cuts.extend(cuts.keep(from));
            cuts.end(self.s.at());
        }
        draft.cuts.extend(cuts.close());
        self.listed |= found;
        let message = draft.role.is_some() || draft.telling && draft.content;
        Ok((message && !found).then_some(draft))
    }

    /// A bare array: one conversation if its elements are messages, otherwise records.
    fn array(&mut self) -> Done {
        let (list, mut last, mut open) = (self.s.at() - 1, self.s.at(), false);
        loop {
            match self.s.next()? {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let from = last;
                    let at = self.record.items.len();
                    if let Some(mut draft) = self.record()? {
                        if !open {
                            self.record.items.insert(at, Item::Start);
                            open = true;
                        }
                        draft.element = Some((list, from..self.s.at()));
                        self.record.items.push(Item::Message(draft));
                    } else if open && self.record.items.len() > at {
                        // A conversation among messages closes theirs.
                        self.record.items.insert(at, Item::End);
                        open = false;
                    }
                }
                token => self.s.skip(token)?,
            }
            last = self.s.at();
        }
        if open {
            self.record.items.push(Item::End);
        }
        Ok(())
    }

    /// A list of messages. Whether it is one.
    fn list(&mut self) -> Done<bool> {
        let token = self.s.next()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let (list, mut last) = (self.s.at() - 1, self.s.at());
        let (at, mut empty) = (self.record.items.len(), true);
        self.record.items.push(Item::Start);
        loop {
            let token = self.s.next()?;
            empty &= token == Token::ArrayEnd;
            match token {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let mut draft = self.message()?;
                    draft.element = Some((list, last..self.s.at()));
                    self.record.items.push(Item::Message(draft));
                }
                token => {
                    self.s.skip(token)?;
                    self.record.items.push(Item::Stays((list, last..self.s.at())));
                }
            }
            last = self.s.at();
        }
        self.record.items.push(Item::End);
        let messages = self.record.items[at..].iter().any(|item| matches!(item, Item::Message(_)));
        Ok(messages || empty)
    }

    fn choices(&mut self) -> Done<bool> {
        let token = self.s.next()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let mut number = 0;
        loop {
            match self.s.next()? {
                Token::ArrayEnd => return Ok(number > 0),
                Token::ObjectStart => self.choice(number)?,
                token => self.s.skip(token)?,
            }
            number += 1;
        }
    }

    fn choice(&mut self, number: u32) -> Done {
        let (mut delta, mut whole) = (None, None);
        let (mut index, mut finished, mut cuts) = (number, false, Vec::new());
        while let Token::Key(key) = self.s.next()? {
            match self.name(key) {
                name @ (Name::Message | Name::Delta) => {
                    let token = self.s.next()?;
                    if token != Token::ObjectStart {
                        self.s.skip(token)?;
                        continue;
                    }
                    let slot = if name == Name::Delta { &mut delta } else { &mut whole };
                    *slot = Some(self.message()?);
                }
                Name::Index => {
                    let at = self.value_range()?;
                    let digits = std::str::from_utf8(&self.s.text()[at]).unwrap_or_default();
                    index = digits.parse().unwrap_or(number);
                }
                Name::Finish => finished |= matches!(self.value()?, Token::String(s) if s.start < s.end),
                Name::Logprobs => self.logprobs(&mut cuts)?,
                _ => {
                    self.value()?;
                }
            }
        }
        let end = |draft: Draft, more: &mut Vec<Range<usize>>| {
            let mut draft = Draft { index, finished, ..draft };
            if draft.units.iter().any(|u| !matches!(u, Unit::Text(_))) {
                draft.cuts.append(more);
            }
            draft
        };
        let items = [whole.map(|d| Item::Choice(end(d, &mut cuts))), delta.map(|d| Item::Delta(end(d, &mut cuts)))];
        self.record.payload |= finished;
        self.record.items.extend(items.into_iter().flatten());
        Ok(())
    }

    /// Token probabilities of the reasoning say the reasoning again.
    fn logprobs(&mut self, out: &mut Vec<Range<usize>>) -> Done {
        let token = self.s.next()?;
        if token != Token::ObjectStart {
            return self.s.skip(token);
        }
        let mut cuts = Cuts::default();
        while let Token::Key(key) = self.s.next()? {
            let (from, name) = (self.s.from(), self.name(key));
            let value = self.value()?;
            if matches!(name, Name::Field(..)) && value != Token::Null {
                out.extend(cuts.drop(from, self.s.at()));
            } else {
                out.extend(cuts.keep(from));
                cuts.end(self.s.at());
            }
        }
        out.extend(cuts.close());
        Ok(())
    }

    /// A message whose `{` was passed.
    fn message(&mut self) -> Done<Draft> {
        let (mut draft, mut cuts) = (self.record.draft(), Cuts::default());
        while let Token::Key(key) = self.s.next()? {
            let from = self.s.from();
            let name = self.name(key);
            self.member(&mut draft, &mut cuts, name, from)?;
        }
        draft.cuts.extend(cuts.close());
        Ok(draft)
    }

    /// A member of a message, whose key was passed; it began at `from`.
    fn member(&mut self, draft: &mut Draft, cuts: &mut Cuts, name: Name, from: usize) -> Done {
        if let Name::Field(source, common) = name {
            return self.field(draft, cuts, (source, common), from);
        }
        draft.cuts.extend(cuts.keep(from));
        match name {
            Name::Role => self.role(draft)?,
            Name::Content => self.content(draft)?,
            Name::Container => self.container(draft)?,
            Name::ToolCalls => {
                let (value, at) = self.value_at()?;
                let some = filled(value, &self.s.text()[at]);
                draft.tool |= some;
                draft.payload |= some;
            }
            Name::Idle => {
                self.value()?;
            }
            _ => {
                let (value, at) = self.value_at()?;
                draft.payload |= filled(value, &self.s.text()[at]);
            }
        }
        cuts.end(self.s.at());
        Ok(())
    }

    fn role(&mut self, draft: &mut Draft) -> Done {
        let value = self.value()?;
        let Token::String(name) = value else {
            return Ok(());
        };
        let mut plain = Vec::new();
        let role = if name.escaped {
            text::decode(name.raw(self.s.text()), &mut plain);
            role(&plain)
        } else {
            role(name.raw(self.s.text()))
        };
        // Of two roles, the one whose text is searched.
        if draft.role != Some(Role::Assistant) {
            draft.role = Some(role);
        }
        Ok(())
    }

    fn field(&mut self, draft: &mut Draft, cuts: &mut Cuts, (source, common): (Source, bool), from: usize) -> Done {
        let (value, at) = self.value_at()?;
        let unit = match value {
            Token::True | Token::False | Token::Number if common => {
                draft.payload = true;
                draft.cuts.extend(cuts.keep(from));
                cuts.end(self.s.at());
                return Ok(());
            }
            Token::String(s) => Unit::Field(source, s),
            Token::ObjectStart | Token::ArrayStart if filled(value, &self.s.text()[at.clone()]) => {
                Unit::Deep(source, at)
            }
            _ => Unit::Void(source),
        };
        draft.telling |= !common;
        draft.units.push(unit);
        draft.cuts.extend(cuts.drop(from, self.s.at()));
        Ok(())
    }

    fn content(&mut self, draft: &mut Draft) -> Done {
        draft.content = true;
        match self.s.next()? {
            Token::String(s) => draft.units.push(Unit::Text(s)),
            Token::ArrayStart => self.parts(draft)?,
            token => self.s.skip(token)?,
        }
        Ok(())
    }

    fn parts(&mut self, draft: &mut Draft) -> Done {
        let mut cuts = Cuts::default();
        loop {
            let token = self.s.next()?;
            let from = self.start_of(token);
            let mut reasoning = false;
            match token {
                Token::ArrayEnd => break,
                Token::ObjectStart => reasoning = self.part(draft, from)?,
                Token::String(s) => draft.units.push(Unit::Text(s)),
                token => self.s.skip(token)?,
            }
            if reasoning {
                draft.cuts.extend(cuts.drop(from, self.s.at()));
            } else {
                draft.cuts.extend(cuts.keep(from));
                cuts.end(self.s.at());
            }
        }
        draft.cuts.extend(cuts.close());
        Ok(())
    }

    /// A content part whose `{` was passed. Whether it is reasoning.
    fn part(&mut self, draft: &mut Draft, from: usize) -> Done<bool> {
        let (mut kind, mut texts, mut thought) = (None, Vec::new(), false);
        while let Token::Key(key) = self.s.next()? {
            match (self.name(key), self.value()?) {
                (Name::Type, Token::String(s)) => kind = Some(s),
                (Name::Text, Token::String(s)) => texts.push(s),
                (Name::Field("thought" | "thinking", _), value) => {
                    thought |= !matches!(value, Token::False | Token::Null)
                }
                _ => (),
            }
        }
        let mut plain = Vec::new();
        if let Some(kind) = kind {
            text::decode(kind.raw(self.s.text()), &mut plain);
        }
        let named = self.names.is_reasoning(&plain);
        if named || (thought && (kind.is_none() || texts.is_empty())) {
            draft.units.push(Unit::Deep("part", from..self.s.at()));
            return Ok(true);
        }
        draft.tool |= plain.starts_with(b"tool") || plain.starts_with(b"function");
        draft.other |= texts.is_empty();
        draft.units.extend(texts.into_iter().map(Unit::Text));
        Ok(false)
    }

    /// An object in a message in which reasoning fields stand again.
    fn container(&mut self, draft: &mut Draft) -> Done {
        let token = self.s.next()?;
        if token != Token::ObjectStart {
            return self.s.skip(token);
        }
        let mut cuts = Cuts::default();
        while let Token::Key(key) = self.s.next()? {
            let from = self.s.from();
            match self.name(key) {
                Name::Field(source, common) => self.field(draft, &mut cuts, (source, common), from)?,
                _ => {
                    draft.cuts.extend(cuts.keep(from));
                    self.value()?;
                    cuts.end(self.s.at());
                }
            }
        }
        draft.cuts.extend(cuts.close());
        Ok(())
    }

    /// Passes a value.
    fn value(&mut self) -> Done<Token> {
        let token = self.s.next()?;
        self.s.skip(token)?;
        Ok(token)
    }

    /// Passes a value and says where it stood.
    fn value_at(&mut self) -> Done<(Token, Range<usize>)> {
        let token = self.s.next()?;
        let from = self.start_of(token);
        self.s.skip(token)?;
        Ok((token, from..self.s.at()))
    }

    /// Where the token that was just passed began.
    fn start_of(&self, token: Token) -> usize {
        match token {
            Token::ObjectStart | Token::ArrayStart => self.s.at() - 1,
            _ => self.s.from(),
        }
    }

    fn value_range(&mut self) -> Done<Range<usize>> {
        self.value_at().map(|(_, at)| at)
    }
}

/// Whether a value says anything: it is not null, and not an empty string, array or object.
fn filled(token: Token, raw: &[u8]) -> bool {
    match token {
        Token::Null => false,
        Token::String(s) => s.start < s.end,
        Token::ObjectStart | Token::ArrayStart => raw.len() > 2 && !raw[1..raw.len() - 1].trim_ascii().is_empty(),
        _ => true,
    }
}

fn role(name: &[u8]) -> Role {
    match name {
        b"user" | b"human" => Role::User,
        b"system" | b"developer" => Role::System,
        b"tool" | b"function" | b"ipython" | b"environment" | b"observation" => Role::Tool,
        _ => Role::Assistant,
    }
}

/// The text in a value that holds reasoning, whatever its shape: the strings under keys that hold text, in order.
/// Signatures, ciphertexts and ids are left out.
pub(super) fn deep_text(value: &[u8], out: &mut Vec<u8>) {
    let Ok(mut s) = Scanner::new(value) else {
        return;
    };
    // Whether a string counts, here and in the objects around.
    let (mut counts, mut outer) = (true, Vec::new());
    loop {
        match s.next() {
            Ok(Token::ObjectStart | Token::ArrayStart) => outer.push(counts),
            Ok(Token::ObjectEnd | Token::ArrayEnd) => counts = outer.pop().unwrap_or(true),
            Ok(Token::Key(key)) => {
                let mut plain = Vec::new();
                text::decode(key.raw(value), &mut plain);
                counts = TEXT_KEYS.contains(&plain.as_slice());
            }
            Ok(Token::String(literal)) if counts => text::decode(literal.raw(value), out),
            Ok(Token::End) | Err(_) => return,
            Ok(_) => (),
        }
    }
}

const TEXT_KEYS: &[&[u8]] = &[
    b"text",
    b"thinking",
    b"thought",
    b"reasoning",
    b"summary",
    b"content",
    b"reasoningText",
    b"think",
    b"reasoning_content",
];
