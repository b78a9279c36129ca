//! Records that stand in a record of another format, as in a batch or the log of a proxy: each is recognised anew, by all
//! rows.

use super::elements::SEVERAL;
use super::framed::framing;
use super::records::WalkedRecord;
use super::{JsonReader, NotUnderstood, Suspect};
use crate::dialect::read::{Node, Walked};
use crate::dialect::shape::{Does, Slot};
use crate::dialect::suspect::pointer;
use crate::error::Error;
use crate::frame::Body;
use crate::json::Literal;
use crate::model::{Event, Sink};
use std::ops::Range;

/// How deep records may stand in each other.
const MAX_RECORD_DEPTH: u8 = 4;

const TOO_DEEP: &str = "records in more records than are read";
const COMMA: &str = "JSON in a string, with a comma that is spelled as an escape";
const EVENT: &str = "an event of a stream in another record, where it cannot go";
const STREAMED: &str = "an event stream in a string of a record, which cannot be converted there";
const LOGGED: &str = "a line of a log in a record of another format, which cannot be converted there";
const CARRIED: &str = "a record that stands in a line of its own, which is converted only by itself";
const BESIDE: &str = "messages beside a record that stands in the same record, which cannot be converted together";

impl JsonReader {
    /// Examines the records inside of a walked one, before any event is sent.
    pub(super) fn understand_inside(&mut self, body: &Body<'_>, walked: &Walked) -> Result<(), NotUnderstood> {
        let row = self.recogniser.last;
        let (inner, converts) = (all(walked), self.setup.options.to.is_some());
        let may_go = self.recogniser.row().is_some_and(|(_, shape)| shape.carrier);
        if let Some(first) = inner.first().filter(|_| converts && may_go) {
            return Err(Error::new(first.start, CARRIED).into());
        }
        if let Some(first) = inner.first().filter(|_| converts && outermost(walked).any(|node| speaks(walked, node))) {
            return Err(Error::new(first.start, BESIDE).into());
        }
        for at in inner {
            let examined = self.in_record(body, &at, |reader, inner| match framing(inner.text) {
                Some(_) if converts => Err(Error::new(0, STREAMED).into()),
                Some(framing) => reader.examine_framed(inner, framing),
                None => reader.examine_inside(inner, may_go),
            });
            self.recogniser.forget(row);
            examined?;
        }
        Ok(())
    }

    /// Examines a record inside of another one. `may_go`: an event goes with the record around it.
    fn examine_inside(&mut self, body: &Body<'_>, may_go: bool) -> Result<(), NotUnderstood> {
        self.examine(body)?;
        let Some((name, shape)) = self.recogniser.row() else { return Ok(()) };
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
        let is_event = |node: u32| is_event(walked.nodes[node as usize].does);
        let event = outermost(&walked).find(|node| !stays && is_event(*node) && !goes(*node));
        let understood = self.sender.tagged.nodes(&self.setup, body, (&walked, inlined)).map_err(NotUnderstood::from);
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
        for at in run.walked.all(node, Slot::Record).map(|entry| entry.value.clone()) {
            let outer = self.sender.origins.as_mut().map(|origins| origins.enter(body.text, at.start));
            let read = self.in_record(body, &at, |reader, inner| {
                reader.recogniser.forget(None);
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
            None => body.part(at, &mut lines),
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
            NotUnderstood::Elements => Error::new(at.start, SEVERAL).into(),
        })
    }
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

/// Where the records inside of a walked one stand.
fn all(walked: &Walked) -> Vec<Range<usize>> {
    let nodes = (0..walked.nodes.len() as u32).filter(|node| walked.nodes[*node as usize].does == Does::Envelope);
    nodes.flat_map(|node| walked.all(node, Slot::Record)).map(|entry| entry.value.clone()).collect()
}

/// The outermost node of a record, those of the elements of a list of records, and those in envelopes.
fn outermost(walked: &Walked) -> impl Iterator<Item = u32> {
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
    let listed = walked.nodes.get(parent as usize).is_some_and(|parent| parent.does == Does::Records);
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
