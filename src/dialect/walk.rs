//! One pass over a record that may be a conversation, a response or a message, into a draft: what stands where.
//!
//! Nothing is decided here that needs the whole record, and nothing goes out: only a record that was understood to
//! its end becomes events (`reader`). The functions call each other as deep as messages nest, never as deep as the
//! input does.

mod deep;
mod message;

pub(super) use deep::deep_text;

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
    /// Reasoning that nobody can read: a signature, a ciphertext.
    Opaque(Source),
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
    /// Its messages are written with speakers, blocks or thoughts.
    pub blocks: bool,
}

pub(super) struct Walk<'a, 'n> {
    s: Scanner<'a>,
    names: &'n Names,
    record: &'n mut Record,
    /// A list of messages, or choices, was seen.
    listed: bool,
}

/// How deep records are looked for in records: a batch holds a response that holds a body.
const WRAPPERS: usize = 2;

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
        (self.id, self.payload, self.blocks) = (None, false, false);
    }

    fn draft(&mut self) -> Draft {
        self.spare.pop().unwrap_or_default()
    }
}

/// Walks `body` into `record`.
pub(super) fn walk(body: &[u8], names: &Names, record: &mut Record) -> Result<(), Error> {
    record.clear();
    let mut w = Walk { s: Scanner::new(body)?, names, record, listed: false };
    match w.s.token()? {
        Token::ObjectStart => {
            if let Some(draft) = w.record(0)? {
                w.record.items.push(Item::Message(draft));
            }
        }
        Token::ArrayStart => w.array()?,
        token => w.s.skip(token)?,
    }
    w.s.token()?;
    Ok(())
}

impl Walk<'_, '_> {
    fn name(&self, key: Literal) -> Name {
        self.names.get(self.s.text(), key)
    }

    /// A record in an object; a bare message is given back.
    fn record(&mut self, depth: usize) -> Done<Option<Draft>> {
        let (mut draft, mut cuts, mut found) = (self.record.draft(), Cuts::default(), false);
        while let Token::Key(key) = self.s.token()? {
            let from = self.s.from();
            match self.name(key) {
                Name::List => found |= self.list()?,
                Name::Choices => found |= self.choices()?,
                Name::Wrapper if depth < WRAPPERS => found |= self.wrapped(depth)?,
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

    /// A record in a record. Whether it is one.
    fn wrapped(&mut self, depth: usize) -> Done<bool> {
        let token = self.s.token()?;
        if token != Token::ObjectStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let items = self.record.items.len();
        if let Some(draft) = self.record(depth + 1)? {
            self.record.items.push(Item::Message(draft));
        }
        Ok(self.record.items.len() > items)
    }

    /// A bare array: one conversation if its elements are messages, otherwise records.
    fn array(&mut self) -> Done {
        let (list, mut last, mut open) = (self.s.at() - 1, self.s.at(), false);
        loop {
            match self.s.token()? {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let from = last;
                    let at = self.record.items.len();
                    if let Some(mut draft) = self.record(0)? {
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
        let token = self.s.token()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let (list, mut last) = (self.s.at() - 1, self.s.at());
        let (at, mut empty) = (self.record.items.len(), true);
        self.record.items.push(Item::Start);
        loop {
            let token = self.s.token()?;
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
        let token = self.s.token()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let mut number = 0;
        loop {
            match self.s.token()? {
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
        while let Token::Key(key) = self.s.token()? {
            match self.name(key) {
                name @ (Name::Message | Name::Delta) => {
                    let token = self.s.token()?;
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
        let items = [delta.map(|d| Item::Delta(end(d, &mut cuts))), whole.map(|d| Item::Choice(end(d, &mut cuts)))];
        // A message beside a delta is a snapshot of what the deltas have said: it comes after.
        self.record.payload |= finished;
        self.record.items.extend(items.into_iter().flatten());
        Ok(())
    }

    /// Token probabilities of the reasoning say the reasoning again.
    fn logprobs(&mut self, out: &mut Vec<Range<usize>>) -> Done {
        let token = self.s.token()?;
        if token != Token::ObjectStart {
            return self.s.skip(token);
        }
        let mut cuts = Cuts::default();
        while let Token::Key(key) = self.s.token()? {
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

    /// Passes a value.
    fn value(&mut self) -> Done<Token> {
        let token = self.s.token()?;
        self.s.skip(token)?;
        Ok(token)
    }

    /// Passes a value and says where it stood.
    fn value_at(&mut self) -> Done<(Token, Range<usize>)> {
        let token = self.s.token()?;
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
