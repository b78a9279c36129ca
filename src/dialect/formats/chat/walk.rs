//! One pass over a record that may be a conversation, a response or a message: makes drafts of what it holds.
//!
//! Nothing is decided here that needs the whole record, and no event is sent: only a record that was understood to its
//! end becomes events (`reader`). The functions call each other as deep as messages nest, never as deep as the input
//! does.

mod calls;
mod lists;
mod message;
mod parts;
mod typed;

pub(in crate::dialect) use typed::said;

use super::names::{Name, Names, State};
use crate::dialect::draft::{Detail, Draft, Entry, Item, Member, Part, Record, Rest, Unit};
use crate::dialect::formats::shared::{logged, role};
use crate::dialect::suspect;
use crate::error::Error;
use crate::json::{Cuts, Literal, Scanner, Token, is_filled, members, text};
use crate::model::{Role, Source};
use std::ops::Range;

struct Walk<'a, 'n> {
    s: Scanner<'a>,
    names: &'n Names,
    record: &'n mut Record,
    /// A list of messages, or choices, was found.
    listed: bool,
    /// The text of an answer that stands in a wrapper, without a message.
    answer: Option<Literal>,
    /// The record is a delta of a kind that is not read.
    partial: bool,
    /// The type of the record.
    kind: Option<Literal>,
    detail: Detail,
    /// The walk is inside of a message of a list or a response.
    inside: bool,
    /// The record has the type of a completion, once that was looked for.
    completes: Option<bool>,
}

/// The state while one record is walked.
struct Outer {
    /// The message that the record itself may be.
    draft: Box<Draft>,
    cuts: Cuts,
    /// The choice that the record itself may be: a delta without a list of choices.
    choice: lists::Choice,
    /// The range of unread members inside of that delta, and the delta as one unread member.
    delta: Option<(Range<usize>, Rest)>,
    /// The number of its first unread member.
    rest: usize,
    own: usize,
    /// It holds messages, so that it is no message itself.
    found: bool,
}

/// How deep records are searched for in records: a batch holds a response that holds a body.
const WRAPPERS: usize = 2;

type Done<T = ()> = Result<T, Error>;

/// Walks `body` into `record`. `event`: the name of the event that it came in.
pub(in crate::dialect) fn walk(body: &[u8], event: &[u8], names: &Names, detail: Detail, record: &mut Record) -> Done {
    record.clear();
    let (s, listed, answer, partial, kind) = (Scanner::new(body)?, false, None, false, None);
    let (inside, completes) = (false, None);
    let mut w = Walk { s, names, record, listed, answer, partial, kind, detail, inside, completes };
    let first = w.s.token()?;
    match first {
        Token::ObjectStart => {
            if let Some(draft) = w.record(0)? {
                w.record.items.push(Item::Message(draft));
            }
        }
        Token::ArrayStart => w.array(0)?,
        token => w.s.skip(token)?,
    }
    w.s.token()?;
    if first == Token::ObjectStart && w.record.items.is_empty() && (w.kind.is_some() || !event.is_empty()) {
        w.typed_event(event)?;
    }
    Ok(())
}

impl Walk<'_, '_> {
    fn name(&self, state: State, key: Literal) -> Name {
        self.names.get(state, self.s.text(), key)
    }

    /// Walks a record in an object. A bare message is returned.
    fn record(&mut self, depth: usize) -> Done<Option<Box<Draft>>> {
        let draft = self.record.draft();
        let (cuts, choice, delta) = (Cuts::default(), lists::Choice::default(), None);
        let (rest, own) = (self.record.rest.len(), self.record.own.len());
        let mut outer = Outer { draft, cuts, choice, delta, rest, own, found: false };
        let start = self.s.at() - 1;
        while let Token::Key(key) = self.s.token()? {
            if !self.record_member(&mut outer, depth, key)? {
                continue;
            }
            let Outer { draft, cuts, .. } = &mut outer;
            draft.cuts.extend(cuts.keep(key.start - 1));
            cuts.end(self.s.at());
            if self.detail.members {
                draft.members.list.push(Member { name: Name::Other, key, value: key.end + 1..self.s.at() });
            }
        }
        outer.draft.cuts.extend(outer.cuts.close());
        outer.draft.object = start..self.s.at();
        Ok(self.close_record(outer))
    }

    /// Walks a member of a record, whose key was scanned. Returns whether it is a member of the record, not of a
    /// message.
    fn record_member(&mut self, outer: &mut Outer, depth: usize, key: Literal) -> Done<bool> {
        match self.name(if depth == 0 { State::Record } else { State::Wrapped }, key) {
            Name::List => outer.found |= self.list()?,
            Name::Chunks => outer.found |= self.chunks()?,
            Name::Choices => outer.found |= self.choices()?,
            name @ (Name::Delta | Name::Index | Name::Finish | Name::Logprobs) => {
                let (value, from) = (self.s.next_value(), self.record.rest.len());
                self.beside(&mut outer.choice, name)?;
                if name == Name::Delta {
                    let delta = Rest { key: Some(key), value, message: false, content: false };
                    outer.delta = Some((from..self.record.rest.len(), delta));
                }
            }
            Name::Wrapper if depth < WRAPPERS => outer.found |= self.wrapped(depth, key)?,
            Name::Nested | Name::Content if depth > 0 && self.at_message() => {
                self.s.token()?;
                let nested = self.message()?;
                self.record.marks.partly_unread |= nested.is_partly_unread();
                self.record.items.push(Item::Message(nested));
                self.record.style.enveloped = true;
                outer.found = true;
            }
            Name::Id => {
                if let Token::String(id) = self.value()? {
                    self.record.id = Some(id);
                }
            }
            Name::Done => {
                self.value()?;
                self.partial = true;
            }
            Name::Rewind => {
                let at = self.value_range()?;
                let digits = std::str::from_utf8(&self.s.text()[at]).unwrap_or_default();
                self.record.rewind = digits.parse().ok();
                self.record.style.enveloped |= self.record.rewind.is_some();
                self.record.marks.known |= self.record.rewind.is_some();
            }
            Name::Reset => {
                self.value()?;
                self.record.rewind = Some(u64::MAX);
            }
            name @ (Name::Status | Name::Logged) => {
                let at = self.s.next_value();
                let (value, logged) = self.status_value()?;
                self.record.marks.payload |= name == Name::Status && value != Token::Null;
                self.record.logged = logged.or(self.record.logged);
                // Counts of tokens are not text, and need no search.
                if !self.is_key(key, "usage") || !suspect::is_counts(&self.s.text()[at..self.s.at()]) {
                    outer.draft.has.hidden |= self.is_titled(at);
                    self.rest(Some(key), value, at, false);
                }
            }
            name => {
                let at = if name == Name::Type && depth == 0 { self.s.next_value() + 1 } else { 0 };
                self.member(&mut outer.draft, &mut outer.cuts, name, key)?;
                if at > 0 && self.s.text()[at - 1] == b'"' {
                    self.kind = Some(Literal { start: at, end: self.s.at() - 1, escaped: true });
                }
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Ends a record. Returns its message, if the record is one.
    fn close_record(&mut self, outer: Outer) -> Option<Box<Draft>> {
        let Outer { draft, choice, delta, rest, own, mut found, .. } = outer;
        found |= self.answered();
        let is_delta = !found && self.bare(&draft, choice);
        found |= is_delta;
        if let Some((inside, delta)) = delta.filter(|_| !is_delta) {
            // It is not a delta that is read, so that all of it is unread.
            self.record.rest.splice(inside, [delta]);
        }
        self.listed |= found;
        let filled = draft.has.content || draft.has.tool || !draft.units.is_empty() || !draft.has.typed;
        let message = (draft.role.is_some() && filled || draft.has.message_key && draft.has.content) && !found;
        self.record.marks.partly_unread |= message && draft.is_partly_unread();
        if message {
            self.record.rest[rest..].iter_mut().for_each(|found| found.message = true);
            self.others(&draft, rest);
        } else {
            // Without a message, its content and reasoning fields are unread members.
            self.record.rest.extend_from_slice(&self.record.own[own..]);
        }
        self.record.own.truncate(own);
        message.then_some(draft)
    }

    /// Makes a message of an answer that is a plain text. Returns whether there was one.
    fn answered(&mut self) -> bool {
        let partial = std::mem::take(&mut self.partial);
        let Some(text) = self.answer.take().filter(|_| !partial) else { return false };
        // Members beside the answer would be lost in a message, and no other dialect of the family has a place for it.
        if self.detail.edits {
            self.record.marks.unwritten = true;
            self.rest(None, Token::String(text), text.start - 1, true);
            return false;
        }
        let mut draft = self.record.draft();
        (draft.role, draft.has.content) = (Some(Role::Assistant), true);
        draft.units.push(Unit::Text(text));
        draft.object = text.start - 1..text.end + 1;
        self.record.items.push(Item::Message(draft));
        self.record.answer = Some(text);
        true
    }

    /// Walks a record inside of another. Returns whether it has messages.
    fn wrapped(&mut self, depth: usize, key: Literal) -> Done<bool> {
        let (token, items, rest) = (self.s.token()?, self.record.items.len(), self.record.rest.len());
        match token {
            Token::ArrayStart => self.array(depth + 1)?,
            Token::ObjectStart => {
                let start = self.s.at() - 1;
                if let Some(draft) = self.record(depth + 1)? {
                    self.record.items.push(Item::Message(draft));
                }
                if self.record.items.len() == items {
                    // What the members of an object mean that is no record is known together only.
                    self.record.rest.truncate(rest);
                    self.rest(Some(key), token, start, false);
                }
            }
            Token::String(text) if self.is_key(key, "response") => self.answer = Some(text),
            token => {
                let at = self.s.from();
                self.s.skip(token)?;
                self.rest(Some(key), token, at, false);
            }
        }
        Ok(self.record.items.len() > items)
    }

    /// Whether the next value is an object with a role.
    fn at_message(&self) -> bool {
        members(self.s.text(), self.s.at()).any(|(key, ..)| self.name(State::Message, key) == Name::Role)
    }

    /// Scans a value with status or usage. Returns its token and its count of reasoning tokens.
    fn status_value(&mut self) -> Done<(Token, Option<u64>)> {
        let (value, at) = self.value_at()?;
        let look = self.detail.usage && value == Token::ObjectStart;
        Ok((value, if look { logged(&self.s.text()[at]) } else { None }))
    }

    /// Scans a value. Returns its first token.
    fn value(&mut self) -> Done<Token> {
        let token = self.s.token()?;
        self.s.skip(token)?;
        Ok(token)
    }

    /// Scans a value. Returns its first token and its range.
    fn value_at(&mut self) -> Done<(Token, Range<usize>)> {
        let (token, from) = (self.s.token()?, self.s.from());
        self.s.skip(token)?;
        Ok((token, from..self.s.at()))
    }

    fn value_range(&mut self) -> Done<Range<usize>> {
        self.value_at().map(|(_, at)| at)
    }
}
