//! Makes drafts of the messages in a record of the family, from the nodes that the walk found.
//!
//! Nothing is decided here that needs more than the record, and no event is sent: only a record that was understood to
//! its end becomes events (`reader`).

mod calls;
mod lists;
mod message;
mod parts;

use super::states::RECORD;
use crate::dialect::draft::{Detail, Draft, Item, Member, PartMember, Record, Rest, Stretch};
use crate::dialect::formats::shared::logged;
use crate::dialect::read::{Entry, SearchedMembers, Walked, walk_as};
use crate::dialect::shape::{ANEW, Does, Rows, Slot};
use crate::dialect::suspect;
use crate::error::Error;
use crate::json::{Literal, Scanner, Token, is_filled, with_commas};
use crate::model::Role;
use std::ops::Range;

struct Drafts<'a> {
    text: &'a [u8],
    walked: &'a Walked,
    record: &'a mut Record,
    /// The text of an answer that stands in a wrapper, without a message.
    answer: Option<Literal>,
    /// The record is a delta of a kind that is not read.
    partial: bool,
    /// The type of the record.
    kind: Option<Literal>,
    detail: Detail,
    /// Inside of a message of a list or a response.
    inside: bool,
    /// The record has the type of a completion, once that was looked for.
    completes: Option<bool>,
}

/// The state while one record is read.
struct Outer {
    /// The message that the record itself may be.
    draft: Box<Draft>,
    /// The choice that the record itself may be: a delta without a list of choices.
    choice: lists::Choice,
    /// The range of unread members inside of that delta, and the delta as one unread member.
    delta: Option<(Range<usize>, Rest)>,
    /// The number of its first unread member.
    rest: usize,
    /// It holds messages, so that it is no message itself.
    found: bool,
}

/// Walks `text` by the keys of these rows, and makes drafts of what it holds.
pub(in crate::dialect) fn read(
    text: &[u8],
    rows: Rows,
    detail: Detail,
    walked: &mut Walked,
    record: &mut Record,
) -> Result<(), Error> {
    record.clear();
    let read_by = if detail.members { rows | ANEW } else { rows };
    walk_as::<false>((text, b""), &RECORD, (detail.plain, &mut SearchedMembers::default()), read_by, walked)?;
    let Some(root) = walked.nodes.first() else { return Ok(()) };
    let records = root.does == Does::Records;
    let (answer, partial, kind, inside, completes) = (None, false, None, false, None);
    let mut drafts = Drafts { text, walked, record, answer, partial, kind, detail, inside, completes };
    if records {
        drafts.array(drafts.walked.children(0, Slot::List), 0);
    } else if let Some(draft) = drafts.record(0, 0) {
        drafts.record.items.push(Item::Message(draft));
    }
    drafts.record.marks.answers = drafts.has_request();
    Ok(())
}

/// Keys of a request beside its response.
const REQUESTS: [&str; 4] = ["request", "input", "request_body", "requestBody"];

impl<'a> Drafts<'a> {
    /// Reads a record in an object. A bare message is returned.
    fn record(&mut self, node: u32, depth: usize) -> Option<Box<Draft>> {
        let (draft, rest, walked) = (self.draft(node), self.record.rest.len(), self.walked);
        let mut outer = Outer { draft, choice: lists::Choice::default(), delta: None, rest, found: false };
        for entry in walked.all_of(node) {
            self.record_member(&mut outer, depth, entry);
        }
        with_commas(self.text, &mut outer.draft.cuts);
        outer.draft.object = walked.nodes[node as usize].value.clone();
        self.close_record(outer)
    }

    /// Reads a member of a record, or of the message that it is.
    fn record_member(&mut self, outer: &mut Outer, depth: usize, entry: &Entry) {
        match entry.slot {
            Slot::Messages => outer.found |= self.list(entry),
            Slot::Pieces => outer.found |= self.pieces(entry),
            Slot::Choices => outer.found |= self.choices(entry),
            Slot::Delta | Slot::Index | Slot::Stop | Slot::Probabilities => {
                let from = self.record.rest.len();
                self.beside(&mut outer.choice, entry);
                if entry.slot == Slot::Delta {
                    let delta = Rest { key: Some(entry.key), value: entry.value.start, message: false, content: false };
                    outer.delta = Some((from..self.record.rest.len(), delta));
                }
            }
            Slot::Wrapped => outer.found |= self.wrapped(depth, entry),
            Slot::Inner | Slot::Content if depth > 0 && self.holds_message(entry) => {
                let nested = self.message(entry.first_node);
                self.record.marks.partly_unread |= nested.is_partly_unread();
                self.record.items.push(Item::Message(nested));
                self.record.style.enveloped = true;
                outer.found = true;
            }
            Slot::Id => self.record.id = entry.literal().or(self.record.id),
            Slot::Over => self.partial = true,
            Slot::TakenBack => {
                self.record.rewind = entry.number(self.text);
                self.record.style.enveloped |= self.record.rewind.is_some();
                self.record.marks.known |= self.record.rewind.is_some();
            }
            Slot::Replaced => self.record.rewind = Some(u64::MAX),
            Slot::Usage | Slot::Error | Slot::Notes => self.status(outer, entry),
            slot => {
                self.member(&mut outer.draft, entry);
                if slot == Slot::Type && depth == 0 && entry.literal().is_some() {
                    self.kind = entry.literal();
                }
                return;
            }
        }
        self.unread(entry, false);
    }

    /// Reads the token usage or an error, which keep an event in its stream.
    fn status(&mut self, outer: &mut Outer, entry: &Entry) {
        self.record.marks.payload |= entry.slot != Slot::Notes && entry.token != Token::Null;
        self.record.logged = self.logged(entry).or(self.record.logged);
        outer.draft.has.hidden |= self.is_titled(entry);
    }

    /// The count of reasoning tokens that a value states.
    fn logged(&self, entry: &Entry) -> Option<u64> {
        let look = self.detail.usage && entry.token == Token::ObjectStart;
        if look { logged(&self.text[entry.value.clone()]) } else { None }
    }

    /// Ends a record. Returns its message, if the record is one.
    fn close_record(&mut self, outer: Outer) -> Option<Box<Draft>> {
        let Outer { draft, choice, delta, rest, mut found } = outer;
        found |= self.answered();
        let is_delta = !found && self.bare(&draft, choice);
        found |= is_delta;
        if let Some((inside, delta)) = delta.filter(|_| !is_delta) {
            // It is not a delta that is read, so that all of it is unread.
            self.record.rest.splice(inside, [delta]);
        }
        let filled = draft.has.content || draft.has.tool || !draft.units.is_empty() || !draft.has.typed;
        let message = (draft.role.is_some() && filled || draft.has.message_key && draft.has.content) && !found;
        self.record.marks.partly_unread |= message && draft.is_partly_unread();
        if message {
            self.record.rest[rest..].iter_mut().for_each(|found| found.message = true);
            self.others(&draft, rest);
        } else {
            // Without a message, what means something only in one is unread.
            for entry in self.walked.all_of(draft.node) {
                let own = match entry.slot {
                    Slot::Content => !self.holds_message(entry),
                    Slot::Thought => !matches!(entry.token, Token::True | Token::False | Token::Number),
                    Slot::Copies => draft.thinks(),
                    _ => false,
                };
                let rest = Rest { key: Some(entry.key), value: entry.value.start, message: false, content: false };
                self.record.rest.extend(own.then_some(rest));
            }
            self.record.reuse(draft);
            return None;
        }
        Some(draft)
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
        draft.units.push(Stretch::Text(text));
        draft.object = text.start - 1..text.end + 1;
        self.record.items.push(Item::Message(draft));
        self.record.answer = Some(text);
        true
    }

    /// Reads a record inside of another. Returns whether it has messages.
    fn wrapped(&mut self, depth: usize, entry: &Entry) -> bool {
        let (items, rest) = (self.record.items.len(), self.record.rest.len());
        match entry.token {
            Token::ArrayStart => self.array(self.walked.nodes_in(entry), depth + 1),
            Token::ObjectStart => {
                if let Some(draft) = self.record(entry.first_node, depth + 1) {
                    self.record.items.push(Item::Message(draft));
                }
                // Whether a request stands beside it is known when all is read.
                self.record.marks.answers |= depth == 0;
                if self.record.items.len() == items {
                    // What the members of an object mean that is no record is known together only.
                    self.record.rest.truncate(rest);
                    self.rest(Some(entry.key), entry.token, entry.value.start, false);
                }
            }
            _ => self.answer = entry.literal(),
        }
        self.record.items.len() > items
    }

    /// Whether the object of a request stands beside what the record is read for.
    fn has_request(&self) -> bool {
        let is_request = |key: Literal| REQUESTS.iter().any(|name| key.is(self.text, name));
        let object = |rest: &&Rest| self.text[rest.value] == b'{';
        self.record.marks.answers && self.record.rest.iter().filter(object).filter_map(|rest| rest.key).any(is_request)
    }

    /// Whether a value is an object with a role.
    fn holds_message(&self, entry: &Entry) -> bool {
        entry.token == Token::ObjectStart && self.walked.get(entry.first_node, Slot::Role).is_some()
    }

    /// An empty draft of the message that this node is.
    fn draft(&mut self, node: u32) -> Box<Draft> {
        let (mut draft, walked) = (self.record.draft(), self.walked);
        (draft.node, draft.has.hidden) = (node, walked.nodes[node as usize].flagged);
        if self.detail.edits {
            draft.members.list.extend(walked.all_of(node).map(Member::of));
        }
        draft
    }

    /// The first token of a node.
    fn token(&self, node: u32) -> Token {
        let start = self.walked.nodes[node as usize].value.start;
        match self.text[start] {
            b'{' => Token::ObjectStart,
            _ => Scanner::within(self.text, start).token().unwrap_or(Token::Null),
        }
    }

    /// Whether an element of a list is an object. Any other is searched.
    fn is_object(&mut self, node: u32) -> bool {
        let token = self.token(node);
        if token != Token::ObjectStart {
            self.rest(None, token, self.walked.nodes[node as usize].value.start, false);
        }
        token == Token::ObjectStart
    }

    /// Notes that an object was not understood. What its members are is known together only, so that it is searched as a
    /// whole instead of by those that were noted behind the number `rest`.
    fn search_whole(&mut self, rest: usize, node: u32, content: bool) {
        self.record.rest.truncate(rest);
        self.rest(None, Token::ObjectStart, self.walked.nodes[node as usize].value.start, content);
    }

    /// Notes a value that no dialect in force reads, unless it is empty.
    fn rest(&mut self, key: Option<Literal>, value: Token, at: usize, content: bool) {
        if suspect::may_hold(self.text, key, value, self.detail.plain) {
            self.record.rest.push(Rest { key, value: at, message: self.inside, content });
        }
    }

    /// Notes a member that is to be searched. `content`: it is content of its message.
    fn unread(&mut self, entry: &Entry, content: bool) {
        if entry.odd {
            let (key, value, message) = (Some(entry.key), entry.value.start, self.inside);
            self.record.rest.push(Rest { key, value, message, content });
        }
    }
}
