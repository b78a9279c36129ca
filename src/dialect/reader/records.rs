//! Records that were walked by a shape: each, and each element of a list of records, is read to its end, and then sent.

use super::recogniser::ShapedRow;
use super::sender::{element, envelope};
use super::shaped::{Begins, NodeFacts, NodeReader};
use super::understood;
use super::watch::UNCLEAR;
use super::{JsonReader, NotUnderstood};
use crate::dialect::draft::{Item, MessageChange, Record, Stretch};
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Shape, Slot};
use crate::error::Error;
use crate::frame::Body;
use crate::model::content::Envelope;
use crate::model::{ConversationEvent, Event, Facts, Lane, Sink};
use std::ops::Range;

/// The error for a record of a format that is not converted.
const FIXED: &str =
    "texts beside others, such as columns of a data set, which are converted one by one (--field names one)";

/// The state while the records in a record are read and sent.
pub(super) struct WalkedRecord<'r> {
    pub walked: &'r Walked,
    pub shape: &'static Shape,
    pub record: &'r mut Record,
    pub facts: &'r mut Facts,
    /// The record is an element of a list.
    element: bool,
    /// It holds nothing but reasoning of the message in this lane.
    gone: Option<Lane>,
    /// A record inside of this one was refused.
    pub refused: Option<NotUnderstood>,
}

impl JsonReader {
    /// Sends the content of a record that was recognised and walked.
    pub(super) fn shaped(
        &mut self,
        body: &Body<'_>,
        row: ShapedRow,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        self.shaped_once(body, (row, true), sink)
    }

    /// The same. `learns`: others may be like it.
    fn shaped_once(
        &mut self,
        body: &Body<'_>,
        (row, learns): (ShapedRow, bool),
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        let suspects = self.watch.suspects.len();
        self.one_format(body)?;
        if row.1.fixed && self.setup.options.to.is_some() {
            return Err(Error::new(0, FIXED).into());
        }
        self.understand_nodes(body)?;
        self.watch.spread_nodes(body, &self.recogniser.walked)?;
        if self.setup.options.wants.instructions.is_some() || self.setup.options.target() == Some(row.0) {
            understood::may_be_written(&self.recogniser.walked, body)?;
        }
        // What stands inside of another record is not compared, and must not take the place of what is.
        let learns = learns && self.inside == 0 && self.setup.options.templates;
        if learns && self.watch.suspects.len() == suspects {
            self.recogniser.learn(body, self.watch.search.is_some());
        }
        let walked = std::mem::take(&mut self.recogniser.walked);
        let sender = &mut self.sender;
        let certain = sender.tagged.nodes((&self.setup, &sender.streams), body, (&walked, row.1.inline));
        let understood = certain.map_err(NotUnderstood::from).and_then(|()| self.understand_inside(body, &walked));
        let facts = understood.and_then(|()| self.walked(body, row, &walked, sink));
        self.recogniser.walked = walked;
        facts
    }

    /// Searches what was not read of the walked record.
    pub(super) fn understand_nodes(&mut self, body: &Body<'_>) -> Result<(), NotUnderstood> {
        let recogniser = &mut self.recogniser;
        self.watch.nodes(body, &recogniser.walked, &mut recogniser.searched)
    }

    /// Sends the content of a record that is like the kept one `at`.
    pub(super) fn shaped_alike(
        &mut self,
        body: &Body<'_>,
        at: usize,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        if let Some(row) = self.recogniser.swap_line(at) {
            let facts = self.shaped_once(body, (row, false), sink);
            self.recogniser.swap_line(at);
            return facts;
        }
        self.last.alike = true;
        let (row, template) = self.recogniser.template(at);
        let walked = std::mem::take(&mut template.walked);
        let spread = self.watch.spread_nodes(body, &walked);
        let facts = spread.and_then(|()| self.walked(body, row, &walked, sink));
        self.recogniser.template(at).1.walked = walked;
        let facts = facts?;
        self.learn_last(body, at, &facts);
        Ok(facts)
    }

    /// Sends the content of a walked record, once all of it is understood.
    pub(super) fn walked(
        &mut self,
        body: &Body<'_>,
        (name, shape): ShapedRow,
        walked: &Walked,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        let unopened = self.open.unopened(body.text, walked, shape);
        if let Some(at) = unopened.filter(|_| self.watch.search.is_some()) {
            self.watch.suspect_at(body, at, UNCLEAR)?;
        }
        if self.setup.options.target() == Some(name) {
            // The record is in the target's format already.
            self.last.rebuilt = false;
            return Ok(Facts { dialect: Some(name), ..Facts::default() });
        }
        if let Some(origins) = &mut self.sender.origins {
            origins.next(shape.origin);
        }
        let mut record = self.record.take().unwrap_or_default();
        let mut facts = Facts { dialect: Some(name), ..Facts::default() };
        record.clear();
        record.style.row = Some(name);
        let mut run = WalkedRecord {
            walked,
            shape,
            record: &mut record,
            facts: &mut facts,
            element: false,
            gone: None,
            refused: None,
        };
        let logs = shape.log || shape.carrier;
        let inner = if self.setup.options.wants.messages && !logs { walked.records() } else { Vec::new() };
        let exchange = inner.len() > 1;
        // Messages in lists of their own are the two sides of one conversation.
        let is_list = |at: &Range<usize>| matches!(&body.text[at.clone()], [b'[', ..] | [b'"', b'[', ..]);
        let begins = inner.iter().any(is_list);
        exchange.then(|| sink.event(&Event::Conversation(ConversationEvent::Exchange(begins))));
        self.node(body, &mut run, 0, None, sink);
        exchange.then(|| sink.event(&Event::Conversation(ConversationEvent::ExchangeOver)));
        let refused = run.refused.take();
        self.record = Some(record);
        // An event without content, as a ping, does not end the stream.
        if facts.stream || facts.messages > 0 {
            self.learn_end(&facts, self.setup.builds());
        }
        refused.map_or(Ok(facts), Err)
    }

    /// Ends a message that items in records of their own have made, before a message of the chat family: programs mix them.
    pub(super) fn items_over(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) {
        if record.items.iter().any(|item| matches!(item, Item::Message(_))) {
            self.end_items(body, sink);
        }
    }

    /// Ends the message that items outside of a stream have made, if one is open.
    pub(super) fn end_items(&mut self, body: &Body<'_>, sink: &mut dyn Sink) {
        if let Some(message) = self.open.items_over() {
            let mut over = Record::default();
            over.items.push(Item::Open(message, MessageChange::Over));
            self.sender.send(body, &over, sink);
        }
    }

    /// What is told of a record that was walked by the keys of chat, and stays since it is the target's own. `otherwise`: it is read
    /// in another way.
    pub(super) fn stays(&mut self, body: &Body<'_>, record: &Record, otherwise: bool) -> Option<Facts> {
        (!otherwise && self.is_targets_own(body, record)).then(|| {
            self.last.rebuilt = false;
            Facts { dialect: Some(record.dialect()), ..Facts::default() }
        })
    }

    /// Whether a record that was walked by the keys of chat is in the target's format already, which has no shape of its own.
    fn is_targets_own(&self, body: &Body<'_>, record: &Record) -> bool {
        let Some(own) = self.setup.options.own_records() else { return false };
        let mut known = record.id(body.text).is_some_and(|id| !own.id.is_empty() && id.starts_with(own.id.as_bytes()));
        if record.is_written_anew() || record.style.blocks || record.is_piece() && !known {
            return false;
        }
        for draft in record.drafts() {
            for unit in &draft.units {
                match unit {
                    Stretch::Text(text) if draft.may_hold(&self.setup.tags, body.text, *text) => return false,
                    Stretch::Text(_) | Stretch::Call(_) => (),
                    Stretch::Field(source, _)
                    | Stretch::Deep(source, _)
                    | Stretch::Opaque(source)
                    | Stretch::Void(source) => {
                        if !own.reasoning.contains(source) {
                            return false;
                        }
                        known |= *source == own.reasoning[0];
                    }
                }
            }
        }
        known
    }

    /// Reads and sends a record, and each record in it. `log`: the line of a log that holds it.
    fn node(&mut self, body: &Body<'_>, run: &mut WalkedRecord<'_>, node: u32, log: Option<u32>, sink: &mut dyn Sink) {
        let walked = run.walked;
        match walked.nodes[node as usize].does {
            Does::Records => {
                for child in walked.children(node, Slot::List) {
                    self.element(body, run, child, log, sink);
                }
                // The list stays, whatever its elements were.
                (run.facts.stream, run.facts.payload) = (false, true);
                let outermost = walked.nodes[node as usize].parent == u32::MAX;
                // Records in records are written where they stand.
                let apart = walked.children(node, Slot::List).any(|child| walked.fills(child, Slot::Record));
                if self.setup.builds() && outermost && !apart {
                    envelope(body, Envelope::List, sink);
                    self.end_list(sink);
                } else if self.inside > 0 && outermost {
                    // The items of the next list are none of its message.
                    self.end_items(body, sink);
                }
            }
            Does::Envelope | Does::Undelivered => {
                let log = log.or(run.shape.log.then_some(node));
                for child in walked.children(node, Slot::Inner) {
                    self.node(body, run, child, log, sink);
                }
                self.records_inside(body, run, node, sink);
            }
            _ => self.one_record(body, run, node, log, sink),
        }
    }

    /// Reads a record to its end, and then sends it.
    fn one_record(
        &mut self,
        body: &Body<'_>,
        run: &mut WalkedRecord<'_>,
        node: u32,
        log: Option<u32>,
        sink: &mut dyn Sink,
    ) {
        let row = run.record.style.row;
        run.record.clear();
        run.record.style.row = row;
        let mut reader = NodeReader {
            setup: &self.setup,
            body,
            walked: run.walked,
            shape: run.shape,
            open: &mut self.open,
            streams: &self.sender.streams,
            record: &mut *run.record,
            facts: *run.facts,
            element: run.element,
            number: 0,
            begins: None,
            gone: None,
        };
        reader.read(node, log);
        let (read, begins, gone) = (reader.facts, reader.begins, reader.gone);
        if let Some(begins) = begins {
            self.begins(body, run, node, begins, sink);
        }
        let sent = self.sender.send(body, run.record, sink);
        run.facts.messages += sent.messages;
        run.facts.stream = read.stream || sent.stream;
        run.facts.payload = read.payload || sent.payload;
        run.gone = gone.and_then(|message| self.sender.streams.lane_of(message)).or(run.gone);
    }

    /// Sends a record that is an element of a list. If it goes, its comma goes too.
    fn element(
        &mut self,
        body: &Body<'_>,
        run: &mut WalkedRecord<'_>,
        node: u32,
        log: Option<u32>,
        sink: &mut dyn Sink,
    ) {
        let at = run.walked.place(node);
        (run.element, run.gone) = (at.is_some(), None);
        self.node(body, run, node, log, sink);
        run.element = false;
        // Some messages send their element themselves.
        let is_message = matches!(run.walked.nodes[node as usize].does, Does::Message | Does::Response);
        let own = |item: &Item| matches!(item, Item::Placed(draft, _) if !draft.shaped.items.is_empty());
        let sent = is_message && self.setup.shows_element(run.shape) || run.record.items.iter().any(own);
        if let Some(at) = at.filter(|_| !sent) {
            let element = element(body, &at);
            sink.event(&match run.gone.take() {
                Some(lane) => Event::Item { lane, element },
                None => Event::Stays(element),
            });
        }
    }

    /// Sends the kind of a record and its facts, for outputs that build messages anew. Finds the instructions beside its
    /// messages.
    fn begins(&self, body: &Body<'_>, run: &mut WalkedRecord<'_>, node: u32, begins: Begins, sink: &mut dyn Sink) {
        let Begins::Record(kind) = begins else { return envelope(body, Envelope::Stream, sink) };
        let walked = run.walked;
        if self.setup.options.wants.rest && kind != Envelope::Line {
            let nodes = std::iter::once(node).chain(walked.children(node, Slot::Inner));
            let slots = |node| walked.all(node, Slot::System).chain(walked.all(node, Slot::Tools));
            run.record.instructions.extend(nodes.flat_map(slots).map(|entry| entry.value.clone()));
        }
        if !self.setup.builds() {
            return;
        }
        envelope(body, kind, sink);
        let facts = NodeFacts { shape: run.shape, walked, record: body.text };
        facts.of_batch(body, node, sink);
        if kind == Envelope::Request {
            facts.of_request(body, node, sink);
        }
    }

    /// Ends a list of records and all of its messages, which are written in its place.
    pub(super) fn end_list(&mut self, sink: &mut dyn Sink) {
        if self.recogniser.last.is_some() || self.setup.options.in_place().is_none() {
            self.finish(sink);
            self.open.clear();
            sink.event(&Event::Conversation(ConversationEvent::StreamOver));
        }
    }
}
