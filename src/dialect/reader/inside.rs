//! Records that stand in a record of another format, as in a batch or the log of a proxy: each is recognised anew, by all
//! rows.

use super::elements::SEVERAL;
use super::framed::framing;
use super::recogniser::ShapedRow;
use super::records::WalkedRecord;
use super::watch::copies::Across;
use super::watch::texts::may_be_json;
use super::{JsonReader, NotUnderstood, Suspect};
use crate::dialect::draft::{Draft, Item, Record};
use crate::dialect::read::{Entry, Node, SearchedMembers, Walked};
use crate::dialect::shape::{Does, Slot};
use crate::dialect::suspect::{self, pointer};
use crate::error::Error;
use crate::frame::Body;
use crate::json::{Literal, Token, elements};
use crate::model::{Event, Facts, Sink};
use std::ops::Range;

/// How deep records may stand in each other.
const MAX_RECORD_DEPTH: u8 = 4;

const TOO_DEEP: &str = "records in more records than are read";
const COMMA: &str = "JSON in a string, with a comma that is spelled as an escape";
pub(super) const EVENT: &str = "an event of a stream in another record, where it cannot go";
const STREAMED: &str = "an event stream in a string of a record, which cannot be converted there";
const LOGGED: &str = "a line of a log in a record of another format, which cannot be converted there";
const CARRIED: &str = "a record that stands in a line of its own, which is converted only by itself";
const BESIDE: &str = "messages beside a record that stands in the same record, which cannot be converted together";

impl JsonReader {
    /// Examines the records inside of a walked one, before any event is sent.
    pub(super) fn understand_inside(&mut self, body: &Body<'_>, walked: &Walked) -> Result<(), NotUnderstood> {
        let (inner, converts) = (walked.records(), self.setup.options.to.is_some());
        let Some(first) = inner.first() else { return Ok(()) };
        let may_go = self.recogniser.row().is_some_and(|(_, shape)| shape.carrier);
        if converts && may_go {
            return Err(Error::new(first.start, CARRIED).into());
        }
        if converts && outermost(walked).any(|node| speaks(walked, node)) {
            return Err(Error::new(first.start, BESIDE).into());
        }
        if !matches!(self.watch.across, Across::Nothing) {
            return self.examine_all(body, &inner, may_go).and_then(|()| self.watch.around(body, walked));
        }
        self.watch.across = Across::Gathers(self.watch.reasoning_of(body, walked));
        let mut understood = self.examine_all(body, &inner, may_go);
        if let Across::Gathers(copies) = std::mem::take(&mut self.watch.across)
            && understood.is_ok()
            && !copies.is_empty()
        {
            // What one of them calls reasoning may stand in another one, or around them.
            self.watch.across = Across::Compares(copies);
            understood = self.examine_all(body, &inner, may_go).and_then(|()| self.watch.around(body, walked));
            self.watch.across = Across::Nothing;
        }
        understood
    }

    /// Examines the records at these places.
    fn examine_all(&mut self, body: &Body<'_>, inner: &[Range<usize>], may_go: bool) -> Result<(), NotUnderstood> {
        let (row, converts) = (self.recogniser.last, self.setup.options.to.is_some());
        inner.iter().try_for_each(|at| {
            self.recogniser.forget(self.last.inner_row);
            let examined = self.in_record(body, at, |reader, inner| match framing(inner.text) {
                Some(_) if converts => Err(Error::new(0, STREAMED).into()),
                Some(framing) => reader.examine_framed(inner, framing),
                None => reader.examine_inside(inner, may_go),
            });
            self.recogniser.forget(row);
            match examined {
                Err(NotUnderstood::Elements) => self.examine_all(body, &elements_at(body.text, at), may_go),
                examined => examined,
            }
        })
    }

    /// Reads an object that no other row reads as one that holds records, if it is understood so. `unread`: nothing of it was
    /// read so far.
    pub(super) fn held(
        &mut self,
        body: &Body<'_>,
        record: &mut Box<Record>,
        unread: bool,
        sink: &mut dyn Sink,
    ) -> Option<Result<Facts, NotUnderstood>> {
        if unread && !self.is_likely_holder(record, body) {
            return None;
        }
        let row = match self.holder(body) {
            // A block may begin in one record and end in another.
            Ok(_) if self.watch.spans(body) => return None,
            Ok(row) => row,
            Err(copied) => return copied.filter(|_| !unread).map(Err),
        };
        self.record = Some(std::mem::take(record));
        let walked = std::mem::take(&mut self.recogniser.walked);
        let read = self.walked(body, row, &walked, sink);
        self.recogniser.walked = walked;
        self.recogniser.forget(None);
        self.last.held = true;
        *record = self.record.take().unwrap_or_default();
        Some(read)
    }

    /// The same for a record that was `checked`, if something in it is suspect. `known`: how many suspects there were before.
    pub(super) fn held_after_all(
        &mut self,
        body: &Body<'_>,
        record: &mut Box<Record>,
        (checked, known): (&Result<(), NotUnderstood>, usize),
        sink: &mut dyn Sink,
    ) -> Option<Result<Facts, NotUnderstood>> {
        let suspects = self.watch.suspects.split_off(known);
        if suspects.is_empty() && !matches!(checked, Err(NotUnderstood::Suspect(_))) {
            return None;
        }
        let read = self.held(body, record, false, sink);
        if read.is_none() {
            self.watch.suspects.extend(suspects);
        }
        read
    }

    /// Whether a record may be an object that holds records: nothing of it was read by the keys of chat, or only what is in a
    /// member and says nothing, or has parts of a kind that is not chat's.
    fn is_likely_holder(&self, record: &Record, body: &Body<'_>) -> bool {
        let wraps = |entry: &Entry| entry.slot == Slot::Wrapped && entry.token == Token::ObjectStart;
        let strange = |draft: &Draft| draft.has.parts && !draft.thinks() || !draft.says();
        let parts = |item: &Item| matches!(item, Item::Message(draft) | Item::Choice(draft) if strange(draft));
        let strange = record.items.iter().any(parts) && self.chat.all_of(0).any(wraps);
        (record.is_unread() || strange) && (self.last.held || self.recogniser.may_hold_records(body.text))
    }

    /// Walks an object that holds records, and examines them.
    ///
    /// # Errors
    /// When it is no such object, none of them is read, or not all of it is understood: what else says why is better, unless
    /// it is only that reasoning has a copy.
    fn holder(&mut self, body: &Body<'_>) -> Result<ShapedRow, Option<NotUnderstood>> {
        if self.inside == MAX_RECORD_DEPTH || self.is_message(body.text) || suspect::is_marked_inside(body.text) {
            return Err(None);
        }
        let row = self.recogniser.holder(body).ok_or(None)?;
        let (known, read) = (self.watch.suspects.len(), std::mem::take(&mut self.last.inner_read));
        let walked = std::mem::take(&mut self.recogniser.walked);
        let (mut searched, chat) = (SearchedMembers::default(), std::mem::take(&mut self.chat));
        let understood =
            self.watch.nodes(body, &walked, &mut searched).and_then(|()| self.understand_inside(body, &walked));
        (self.recogniser.walked, self.chat) = (walked, chat);
        let some = std::mem::replace(&mut self.last.inner_read, read);
        if understood.is_ok() && some {
            return Ok(row);
        }
        self.watch.suspects.truncate(known);
        self.recogniser.forget(None);
        Err(understood.err().filter(|refused| refused.is_copied()))
    }

    /// Whether the record that was walked by the keys of chat is a message itself, or holds messages by its own keys.
    fn is_message(&self, text: &[u8]) -> bool {
        let own = |entry: &Entry| match (entry.slot, entry.token) {
            (Slot::Role | Slot::Content | Slot::Delta | Slot::Over, _) => true,
            (Slot::Choices | Slot::Pieces, token) => token == Token::ArrayStart,
            // The text of an answer.
            (Slot::Wrapped, Token::String(answer)) => answer.start < answer.end && !may_be_json(answer.raw(text)),
            _ => false,
        };
        self.chat.nodes.is_empty() || self.chat.all_of(0).any(own)
    }

    /// Whether a record that was walked by the keys of chat would be read, by itself or as one that holds records.
    pub(super) fn examine_by_chat(&mut self, body: &Body<'_>, record: &mut Record) -> Result<(), NotUnderstood> {
        if self.is_likely_holder(record, body) && self.holder(body).is_ok() {
            return Ok(());
        }
        if let Some(refused) = self.refused_list(body, record) {
            return Err(refused);
        }
        let options = &self.setup.options;
        if options.to.is_some() && record.is_piece() && (self.strings > 0 || options.in_place().is_none()) {
            return Err(Error::new(0, EVENT).into());
        }
        let unread = record.is_unread();
        let examined = self.check(body, record);
        if matches!(examined, Err(NotUnderstood::Suspect(_))) && self.holder(body).is_ok() {
            return Ok(());
        }
        self.last.inner_read |= !unread && record.says();
        examined
    }

    /// Examines a record inside of another one. `may_go`: an event goes with the record around it.
    pub(super) fn examine_inside(&mut self, body: &Body<'_>, may_go: bool) -> Result<(), NotUnderstood> {
        self.examine(body)?;
        let Some((name, shape)) = self.recogniser.row() else { return Ok(()) };
        self.last.inner_read = true;
        if !shape.holder.is_empty() {
            // All of it was examined.
            return Ok(());
        }
        self.one_format(body)?;
        if self.setup.options.to.is_some() && shape.log {
            return Err(Error::new(0, LOGGED).into());
        }
        let inlined = shape.inline;
        let walked = std::mem::take(&mut self.recogniser.walked);
        // What is in the target's format already stays, whatever it is.
        let stays = self.setup.options.target() == Some(name);
        let converts = self.setup.options.to.is_some();
        let goes = |node: u32| may_go || !converts && is_listed_block(&walked, node);
        // A piece that looks like the whole is one, unless it says that more comes.
        let is_piece = |node| converts && walked.get(node, Slot::Flag).is_some();
        let is_event = |node: u32| match walked.nodes[node as usize].does {
            Does::Piece => is_piece(node),
            does => is_event(does),
        };
        let event = outermost(&walked).find(|node| !stays && is_event(*node) && !goes(*node));
        let sender = &mut self.sender;
        let certain = sender.tagged.nodes((&self.setup, &sender.streams), body, (&walked, inlined));
        let understood = certain.map_err(NotUnderstood::from);
        let understood = understood.and_then(|()| self.understand_inside(body, &walked));
        self.recogniser.walked = walked;
        event.map_or(understood, |_| Err(Error::new(0, EVENT).into()))
    }

    /// Sends the records inside of a node.
    pub(super) fn records_inside(
        &mut self,
        body: &Body<'_>,
        run: &mut WalkedRecord<'_>,
        node: u32,
        sink: &mut dyn Sink,
    ) {
        let row = self.recogniser.last;
        let session = run.walked.get(node, Slot::Conversation).map(|entry| entry.plain(body.text).into_owned());
        if let Some(session) = session.filter(|session| *session != self.open.session) {
            // Items of another session are no part of the same message.
            self.end_items(body, sink);
            self.open.session = session;
        }
        // The last first: elements of a list that comes apart go before what stands behind it.
        let mut rest: Vec<Range<usize>> = run.walked.all(node, Slot::Record).map(|entry| entry.value.clone()).collect();
        rest.reverse();
        while let Some(at) = rest.pop() {
            let outer = self.sender.origins.as_mut().map(|origins| origins.enter(body.text, at.start));
            let read = self.in_record(body, &at, |reader, inner| {
                reader.recogniser.forget(reader.last.inner_row);
                reader.last_event.clear();
                sink.event(&Event::InStrings(reader.strings));
                match framing(inner.text) {
                    Some(framing) => reader.framed(inner, framing, sink),
                    None => reader.read(inner, sink).inspect(|_| {
                        reader.note_failure(inner);
                        sink.event(&Event::RecordOver);
                    }),
                }
            });
            self.last.inner_row = self.recogniser.last.or(self.last.inner_row);
            sink.event(&Event::InStrings(self.strings));
            if let (Some(origins), Some(outer)) = (&mut self.sender.origins, outer) {
                origins.leave(outer);
            }
            match read {
                Ok(facts) => {
                    run.facts.messages += facts.messages;
                    run.facts.stream |= facts.stream;
                    run.facts.payload |= !run.shape.carrier || facts.payload || !facts.stream;
                }
                Err(NotUnderstood::Elements) => rest.extend(elements_at(body.text, &at).into_iter().rev()),
                Err(refused) => run.refused = Some(refused),
            }
            self.last_event.clear();
            self.recogniser.forget(row);
        }
    }

    /// Does something with the record at `at`.
    fn in_record<T>(
        &mut self,
        body: &Body<'_>,
        at: &Range<usize>,
        mut does: impl FnMut(&mut Self, &Body<'_>) -> Result<T, NotUnderstood>,
    ) -> Result<T, NotUnderstood> {
        if self.inside == MAX_RECORD_DEPTH {
            return Err(Error::new(at.start, TOO_DEEP).into());
        }
        let (mut text, mut lines) = (Vec::new(), Vec::new());
        let literal = in_string(body.text, at);
        let strings = u8::from(literal.is_some());
        let inner = match literal {
            Some(literal) => body.inside(literal, &mut text, &mut lines),
            // The records of a list are written one by one.
            None => body.part(at, &mut lines).apart(self.setup.builds()),
        };
        if inner.text.len() != at.len() && has_long_comma(&inner) {
            return Err(Error::new(at.start, COMMA).into());
        }
        (self.inside, self.strings) = (self.inside + 1, self.strings + strings);
        let done = does(self, &inner);
        (self.inside, self.strings) = (self.inside - 1, self.strings - strings);
        done.map_err(|refused| match refused {
            NotUnderstood::Wrong(error) => {
                let offset = body.at(inner.offset(error.offset.min(inner.text.len())));
                NotUnderstood::Wrong(Error { offset, ..error })
            }
            NotUnderstood::Suspect(suspect) => {
                let mut place = pointer(body.text, body.at(suspect.offset));
                if place.is_empty() {
                    // It stands in a string.
                    place = pointer(body.text, at.start);
                }
                NotUnderstood::Suspect(Suspect { pointer: place, ..suspect })
            }
            NotUnderstood::Elements if strings == 0 => NotUnderstood::Elements,
            NotUnderstood::Elements => Error::new(at.start, SEVERAL).into(),
        })
    }
}

/// Where the elements of a list stand.
fn elements_at(text: &[u8], list: &Range<usize>) -> Vec<Range<usize>> {
    elements(text, list.start).map(|(_, at)| at).collect()
}

/// The inside of the string at this place, if it is one.
fn in_string(text: &[u8], at: &Range<usize>) -> Option<Literal> {
    let quoted = text[at.clone()].starts_with(b"\"");
    quoted.then(|| Literal { start: at.start + 1, end: at.end - 1, escaped: text[at.clone()].contains(&b'\\') })
}

/// Whether a comma of the text takes more than a byte of the input: an element that goes is cut with a comma of one.
fn has_long_comma(inner: &Body<'_>) -> bool {
    memchr::memchr_iter(b',', inner.text).any(|at| inner.offset(at + 1) != inner.offset(at) + 1)
}

/// The outermost node of a record, those of the elements of a list of records, and those in envelopes.
pub(super) fn outermost(walked: &Walked) -> impl Iterator<Item = u32> {
    let holds = |does: Does| matches!(does, Does::Records | Does::Envelope | Does::Undelivered);
    (0..walked.nodes.len() as u32).filter(move |node| {
        let parent = walked.nodes.get(walked.nodes[*node as usize].parent as usize);
        parent.is_none_or(|parent| holds(parent.does))
    })
}

/// Whether a node has messages.
fn speaks(walked: &Walked, node: u32) -> bool {
    matches!(
        walked.nodes[node as usize].does,
        Does::Request | Does::Response | Does::Message | Does::Piece | Does::Turn(_) | Does::Sent(_)
    )
}

/// Whether a node is a block in a list, from which it can go.
fn is_listed_block(walked: &Walked, node: u32) -> bool {
    let Node { does, parent, .. } = walked.nodes[node as usize];
    let listed = walked.nodes.get(parent as usize).is_some_and(|parent| matches!(parent.does, Does::Records));
    listed && matches!(does, Does::Block(_))
}

/// Whether a node is an event, a block or a message of a log: if it is reasoning, it goes with its record, which is a
/// value of another one.
fn is_event(does: Does) -> bool {
    match does {
        Does::Begin | Does::Open | Does::Close | Does::CloseWith | Does::Amend | Does::End | Does::EndWith => true,
        Does::Feed(_) | Does::Repeat(_) | Does::Grow(_) | Does::Sent(_) | Does::Mark(_) => true,
        does => does.kind().is_some(),
    }
}
