//! Records of formats that are described by a shape: nodes become messages, and events of a stream become pieces of a
//! message.

mod again;
mod alike;
mod anew;
mod blocks;
mod by_id;
mod check;
mod delivery;
mod envelopes;
mod events;
pub(super) mod facts;
mod lines;
mod members;
mod nodes;
mod repeats;
mod state;
mod turns;
mod understood;
mod unnamed;

use super::{JsonReader, Refused};
use crate::dialect::draft::{Draft, Item, Record};
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Shape, Slot};
use crate::frame::Body;
use crate::model::content::Envelope;
use crate::model::{Event, Facts, Lane, Role, Sink};
use alike::Known;
pub(super) use check::COPIED;
pub use delivery::{AHEAD_BYTES, AHEAD_RECORDS};
pub(super) use nodes::role_of;
pub(super) use state::Shapes;
pub(super) use understood::{Authors, is_spoken, is_thought, is_whole_from};
use unnamed::suspect_in;

/// How many elements of an array are looked at to recognise its format.
const ELEMENTS: usize = 4;

impl JsonReader<'_> {
    /// Recognises and walks a record. Returns whether it is of a format with a shape. `likely`: the row of the last
    /// record is tried first.
    pub(super) fn fits(&mut self, body: &Body<'_>, likely: bool) -> bool {
        let shapes = &mut self.shapes;
        shapes.forget_last();
        let before = shapes.last.take();
        (shapes.known, shapes.walked_by) = (None, None);
        if shapes.rows.is_empty() {
            return false;
        }
        if let Some(row) = before.filter(|_| likely) {
            // An event that only this format has needs no look at its outermost members.
            let shape = shapes.rows[row].1;
            let walked = shapes.walk(body, shape, self.detail.plain);
            let whole = |walked: &Walked| understood::is_own_event(walked) && understood::is_whole(walked, shape.log);
            // Inside of an open stream, an event may have members that are not known.
            let streamed = shapes.conversations.any_streamed();
            let silent = |walked: &Walked| walked.sure && streamed && walked.nodes[0].does == Does::Nothing;
            shapes.walked_by = walked.is_ok().then_some(row);
            let whole = walked.is_ok() && whole(&shapes.walked);
            if whole || walked.is_ok() && silent(&shapes.walked) {
                (shapes.last, shapes.known) = (before, Some(if whole { Known::Always } else { Known::InStream }));
                return true;
            }
        }
        for element in 0..ELEMENTS {
            let Shapes { root, walked, walked_by, .. } = &mut self.shapes;
            // A walk has seen the outermost members, too.
            let seen = element == 0 && walked_by.is_some() && root.take(body.text, walked).is_some();
            let looked = seen || root.look(body.text, element).is_some();
            if looked && self.fits_root(body, before, likely) {
                return true;
            }
            if !self.shapes.root.array {
                return false;
            }
        }
        false
    }

    /// The same, by the outermost members in `root`.
    fn fits_root(&mut self, body: &Body<'_>, before: Option<usize>, likely: bool) -> bool {
        let shapes = &mut self.shapes;
        let first = before.filter(|_| likely);
        let order = first.into_iter().chain((0..shapes.rows.len()).filter(|row| Some(*row) != first));
        let only = self.options.dialects.len() == 1;
        let whole = |walked: &Walked, log| understood::is_whole(walked, log) || only && understood::has_input(walked);
        for row in order {
            let shape = shapes.rows[row].1;
            let Some(must_be_sure) = shapes.root.may_be((body.text, body.event), shape) else { continue };
            let must_be_sure = must_be_sure && !only;
            if shapes.walked_by.take() != Some(row) && shapes.walk(body, shape, self.detail.plain).is_err() {
                continue;
            }
            shapes.walked_by = Some(row);
            if must_be_sure && !shapes.walked.sure || shapes.walked.nodes.is_empty() {
                continue;
            }
            if !whole(&shapes.walked, shape.log) {
                continue;
            }
            // If this format is recognised by its nodes only and leaves reasoning unread, another format may read the
            // record.
            let instructed = understood::is_instructed(&shapes.walked, body.text);
            // No other format reads these, and the elements of an array of events are looked at one by one.
            let apart = shape.inline || shape.by_id && shapes.walked.nodes[0].does == Does::Records;
            let search = self.watch.search.as_mut().filter(|_| must_be_sure && !instructed && !apart);
            if search.is_some_and(|search| suspect_in(&shapes.walked, body, search).is_some()) {
                continue;
            }
            shapes.last = Some(row);
            shapes.known = (first == Some(row)).then_some(Known::Always);
            return true;
        }
        false
    }

    /// Sends the content of a record that was walked.
    pub(super) fn shaped(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, Refused> {
        let suspects = self.watch.suspects.len();
        self.one_format(body)?;
        let row = self.understand_shaped(body)?;
        if self.options.wants.instructions.is_some() || self.options.target() == Some(row.0) {
            understood::may_be_written(&self.shapes.walked, body)?;
        }
        if self.options.templates && self.watch.suspects.len() == suspects {
            self.learn(body);
        }
        let walked = std::mem::take(&mut self.shapes.walked);
        let understood = self.refuse_nodes(body, &walked).map_err(Refused::from);
        let facts = match understood.and_then(|()| self.understand_inside(body, &walked)) {
            Ok(()) => self.walked(body, row, &walked, sink),
            Err(refused) => Err(refused),
        };
        self.shapes.walked = walked;
        facts
    }

    /// Sends the content of a walked record, once all of it is understood.
    fn walked(
        &mut self,
        body: &Body<'_>,
        (name, shape): (&'static str, &'static Shape),
        walked: &Walked,
        sink: &mut dyn Sink,
    ) -> Result<Facts, Refused> {
        if let Some(at) = self.unopened(body, walked, shape).filter(|_| self.watch.search.is_some()) {
            self.suspect_at(body, at, check::UNCLEAR)?;
        }
        if self.options.target() == Some(name) {
            // The record is in the target's format already.
            self.rebuilt = false;
            return Ok(Facts { dialect: Some(name), ..Facts::default() });
        }
        self.shapes.may_be_rejected_later = shape.delivery_words.is_some();
        let mut record = self.room.record.take().unwrap_or_default();
        let mut facts = Facts { dialect: Some(name), ..Facts::default() };
        record.clear();
        record.style.row = Some(name);
        let mut run =
            Run { walked, shape, record: &mut record, facts: &mut facts, element: false, gone: None, refused: None };
        self.node(body, &mut run, 0, None, sink);
        let refused = run.refused.take();
        self.room.record = Some(record);
        // An event without content, as a ping, does not end the stream.
        if facts.stream || facts.messages > 0 {
            self.learn_end(&facts, self.builds());
        }
        refused.map_or(Ok(facts), Err)
    }
}

/// The state while a record's nodes become events.
struct Run<'r> {
    walked: &'r Walked,
    shape: &'static Shape,
    record: &'r mut Record,
    facts: &'r mut Facts,
    /// The node is an element of a list in the record.
    element: bool,
    /// The node holds nothing but reasoning of the message in this lane.
    gone: Option<Lane>,
    /// A record inside of this one was refused.
    refused: Option<Refused>,
}

impl JsonReader<'_> {
    /// Sends a record, or a record inside of one. `log`: the line of a log that holds it.
    fn node(&mut self, body: &Body<'_>, run: &mut Run<'_>, node: u32, log: Option<u32>, sink: &mut dyn Sink) {
        let walked = run.walked;
        match walked.nodes[node as usize].does {
            Does::Records => {
                for child in walked.children(node, Slot::List) {
                    self.element(body, run, child, log, sink);
                }
                // The list stays, whatever its elements were.
                (run.facts.stream, run.facts.payload) = (false, true);
                if self.builds() && run.walked.nodes[node as usize].parent == u32::MAX {
                    self.envelope(body, Envelope::List, sink);
                    self.end_list(sink);
                }
            }
            Does::Sent(step) => self.sent(body, run, node, step, sink),
            Does::Envelope | Does::Undelivered => {
                let log = log.or(run.shape.log.then_some(node));
                for child in walked.children(node, Slot::Inner) {
                    self.node(body, run, child, log, sink);
                }
                self.records_inside(body, run, node, sink);
            }
            Does::Request => {
                self.begins(body, run, node, Envelope::Request, sink);
                // Items are the blocks of messages, unless the record has messages.
                match run.shape.items && walked.get(node, Slot::Messages).is_none() {
                    true => nodes::items(run, body.text, node, self.detail, true),
                    false => nodes::request(run, body.text, node, self.detail),
                }
                self.calls_with_reasoning(body, walked, &mut run.record.items);
                self.whole(body, run, sink);
            }
            Does::Response if run.shape.items => {
                self.begins(body, run, node, Envelope::Response, sink);
                nodes::items(run, body.text, node, self.detail, false);
                self.whole(body, run, sink);
                // The texts of the items once more.
                self.repeated_text(body, run, 0, repeats::text_of(run, node), sink);
            }
            Does::Piece => self.piece(body, run, node, sink),
            Does::Message if run.shape.log => {
                self.begins(body, run, node, Envelope::Line, sink);
                self.line(body, run, (node, log.unwrap_or(node)), sink);
            }
            Does::Response | Does::Message => self.one_message(body, run, node, sink),
            Does::Block(kind) => {
                self.begins(body, run, node, Envelope::Line, sink);
                self.item(body, run, node, kind, sink);
            }
            Does::Answer => {
                self.begins(body, run, node, Envelope::Line, sink);
                self.last_answer(body, run, node, sink);
            }
            Does::Nothing if self.goes_with_block(body, run, node, log, sink) => (),
            Does::Nothing if self.fails(body, run, node, log, sink) => run.facts.payload = true,
            // A line of a batch whose request failed has no message, and stays.
            Does::Nothing if walked.get(node, Slot::Batch).is_some() => run.facts.payload = true,
            Does::Nothing | Does::Quotes(_) | Does::Rest | Does::Unclear => {
                let envelope = if run.shape.log { Envelope::Line } else { Envelope::Stream };
                self.begins(body, run, node, envelope, sink);
                run.facts.payload = true;
            }
            _ => {
                let envelope = if run.shape.log { Envelope::Line } else { Envelope::Stream };
                self.begins(body, run, node, envelope, sink);
                match run.shape.by_id {
                    true => self.event_by_id(body, run, node, sink),
                    false => self.event(body, run, node, log, sink),
                }
            }
        }
    }

    /// Sends a response with one message, or a message.
    fn one_message(&mut self, body: &Body<'_>, run: &mut Run<'_>, node: u32, sink: &mut dyn Sink) {
        let walked = run.walked;
        let response = walked.nodes[node as usize].does == Does::Response;
        let envelope = if response { Envelope::Response } else { Envelope::Message };
        self.begins(body, run, node, envelope, sink);
        let mut draft = nodes::message(run, body.text, node, self.detail);
        draft.element = nodes::place(walked, node).filter(|_| self.is_listed(run, node));
        if walked.get(node, Slot::Conversation).is_some() {
            draft.shaped.conversation = self.conversation(body, walked, Some(node));
        }
        run.record.id = walked.literal(node, Slot::Id).filter(|_| response);
        run.record.items.push(if response { Item::Choice(draft) } else { Item::Message(draft) });
        self.whole(body, run, sink);
    }

    /// Sends a response, or a piece of one that looks like the whole.
    fn piece(&mut self, body: &Body<'_>, run: &mut Run<'_>, node: u32, sink: &mut dyn Sink) {
        nodes::pieces(run, body.text, node, self.detail);
        let whole = |item: &Item| matches!(item, Item::Delta(draft) if draft.delta.finished);
        let goes_on = self.streams.goes_on(run.record.id(body.text).as_deref());
        let whole = !goes_on && !run.record.items.is_empty() && run.record.items.iter().all(whole);
        let envelope = if whole { Envelope::Response } else { Envelope::Stream };
        let stays = whole || run.record.items.is_empty();
        self.begins(body, run, node, envelope, sink);
        let payload = self.whole(body, run, sink);
        run.facts.payload = payload || stays;
    }

    /// Sends a record that is an element of a list. If it goes, its comma goes too.
    fn element(&mut self, body: &Body<'_>, run: &mut Run<'_>, node: u32, log: Option<u32>, sink: &mut dyn Sink) {
        let at = nodes::place(run.walked, node);
        (run.element, run.gone) = (at.is_some(), None);
        self.node(body, run, node, log, sink);
        let (gone, listed) = (run.gone.take(), self.is_listed(run, node));
        run.element = false;
        // A message that goes as a whole has sent its element already.
        let named = run
            .record
            .items
            .last()
            .is_some_and(|item| matches!(item, Item::Message(draft) if !draft.shaped.items.is_empty()));
        if let Some(at) = at.filter(|_| !named) {
            let element = super::element(body, &at);
            match gone {
                Some(lane) => sink.event(&Event::Item { lane, element }),
                None if listed => (),
                None => sink.event(&Event::Stays(element)),
            }
        }
        // The next element is a record of its own.
        let row = run.record.style.row;
        run.record.clear();
        run.record.style.row = row;
    }

    /// Whether a record in a list is a message whose `MessageEnd` event has the element.
    fn is_listed(&self, run: &Run<'_>, node: u32) -> bool {
        let is_message = matches!(run.walked.nodes[node as usize].does, Does::Message | Does::Response);
        run.element && is_message && !run.shape.log && self.options.wants.visible && !self.builds()
    }

    /// Sends the kind of a record and its facts, for outputs that build messages anew.
    fn begins(&self, body: &Body<'_>, run: &mut Run<'_>, node: u32, envelope: Envelope, sink: &mut dyn Sink) {
        if self.options.wants.rest {
            let nodes = std::iter::once(node).chain(run.walked.children(node, Slot::Inner));
            let slots = |node| run.walked.all(node, Slot::System).chain(run.walked.all(node, Slot::Tools));
            run.record.instructions.extend(nodes.flat_map(slots).map(|entry| entry.value.clone()));
            if envelope == Envelope::Stream {
                self.instructions(body, run.record, sink);
            }
        }
        if !self.builds() {
            return;
        }
        self.envelope(body, envelope, sink);
        facts::of_batch(run.walked, body.text, node, sink);
        if envelope == Envelope::Request {
            facts::of_request(run.shape, run.walked, body.text, node, sink);
        }
    }

    /// Sends the messages in the drafts of a record. Returns whether a delta among them has more than reasoning.
    fn whole(&mut self, body: &Body<'_>, run: &mut Run<'_>, sink: &mut dyn Sink) -> bool {
        let found = self.send(body, run.record, sink);
        run.facts.messages += found.messages;
        run.facts.stream |= found.stream;
        run.facts.payload = true;
        let (row, id) = (run.record.style.row, run.record.id);
        run.record.clear();
        (run.record.style.row, run.record.id) = (row, id);
        found.payload
    }
}

/// An empty message of the assistant.
fn empty(record: &mut Record) -> Box<Draft> {
    let mut draft = record.draft();
    (draft.role, draft.shaped.announced) = (Some(Role::Assistant), true);
    draft
}
