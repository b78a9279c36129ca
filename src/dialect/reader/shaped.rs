//! Reads records of formats that are described by a shape: nodes become drafts of messages, and events of a stream become
//! pieces of a message. No event is sent here.

mod blocks;
mod by_id;
mod copies;
mod events;
mod facts;
mod lines;
mod members;
mod nodes;
mod repeats;
mod sent;
mod trees;
mod turns;
mod values;

use super::open::{OpenMessages, Place};
use super::options::Setup;
use crate::dialect::draft::{Draft, Item, Record, ResponseChange};
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Shape, Slot};
use crate::dialect::stream::{OpenMessage, Streams};
use crate::frame::Body;
use crate::model::content::Envelope;
use crate::model::{Facts, Role};

pub(super) use facts::NodeFacts;

/// Reads one record, or a record inside of one, to its end: into drafts, and what else happens to what is open.
pub(super) struct NodeReader<'r> {
    pub setup: &'r Setup,
    pub body: &'r Body<'r>,
    pub walked: &'r Walked,
    pub shape: &'static Shape,
    pub open: &'r mut OpenMessages,
    /// What was sent of earlier records.
    pub streams: &'r Streams,
    pub record: &'r mut Record,
    pub facts: Facts,
    /// The node is an element of a list in the record.
    pub element: bool,
    /// The number of its conversation.
    pub number: u32,
    /// What is sent before its messages, where they are built anew.
    pub begins: Option<Begins>,
    /// The node holds nothing but reasoning of this message.
    pub gone: Option<OpenMessage>,
}

/// What an output that builds messages anew gets before those of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    /// The kind of the record, and the facts of it.
    Record(Envelope),
    /// It is an event of a stream, and no record.
    Event,
}

impl NodeReader<'_> {
    /// Reads a record. `log`: the line of a log that holds it.
    pub fn read(&mut self, node: u32, log: Option<u32>) {
        let walked = self.walked;
        let event = if self.shape.log { Envelope::Line } else { Envelope::Stream };
        let (does, mut begins) = (walked.nodes[node as usize].does, None);
        match does {
            Does::Sent(step) => self.sent(node, step),
            Does::Request => {
                begins = Some(Envelope::Request);
                // Items are the blocks of messages, unless the record has messages.
                let listed = [Slot::List, Slot::Input].iter().any(|slot| walked.get(node, *slot).is_some());
                let items = self.shape.items || listed;
                match items && walked.get(node, Slot::Messages).is_none() {
                    true => self.items(node, true),
                    false => self.request(node),
                }
                self.calls_with_reasoning();
                self.facts.payload = true;
            }
            Does::Response if self.shape.items => {
                begins = Some(Envelope::Response);
                self.items(node, false);
                // The texts of the items once more.
                self.repeated_text(self.text_of(node));
                self.facts.payload = true;
            }
            Does::Piece => begins = Some(self.piece(node)),
            Does::Message | Does::Turn(_) if self.shape.log => {
                begins = Some(Envelope::Line);
                self.line((node, log.unwrap_or(node)));
            }
            Does::Response | Does::Message | Does::Turn(_) | Does::Stranger => {
                if self.shape.by_id && does == Does::Message {
                    // What the user says ends the response.
                    self.identify(node);
                    self.record.items.push(Item::Response(ResponseChange::Over));
                }
                begins = Some(self.one_message(node));
            }
            Does::Block(kind) => {
                begins = Some(Envelope::Line);
                self.item(node, kind);
            }
            Does::Answer => {
                begins = Some(Envelope::Line);
                self.last_answer(node);
            }
            Does::Nothing if self.goes_with_block(node, log) => (),
            Does::Nothing if self.fails(node, log) => self.facts.payload = true,
            // A line of a batch whose request failed has no message, and stays.
            Does::Nothing if walked.get(node, Slot::Batch).is_some() => self.facts.payload = true,
            // It stands beside records, and stays.
            Does::Unread => self.facts.payload = true,
            Does::Nothing | Does::Quotes(_) | Does::Rest | Does::Unclear => {
                begins = Some(event);
                self.facts.payload = true;
            }
            _ => {
                begins = Some(event);
                match self.shape.by_id {
                    true => self.event_by_id(node),
                    false => self.event(node, log),
                }
            }
        }
        self.begins = self.begins.or(begins.map(Begins::Record));
    }

    /// Reads a response with one message, or a message.
    fn one_message(&mut self, node: u32) -> Envelope {
        let walked = self.walked;
        let does = walked.nodes[node as usize].does;
        let response = matches!(does, Does::Response);
        let mut draft = self.message(node);
        if matches!(does, Does::Stranger) {
            turns::of_stranger(self.setup.detail, &mut draft);
            // It is nobody's answer.
            draft.role.get_or_insert(Role::User);
        }
        draft.element = walked.place(node).filter(|_| self.element && self.setup.shows_element(self.shape));
        if walked.get(node, Slot::Conversation).is_some() {
            self.enter(Some(node));
            draft.shaped.conversation = self.number;
        }
        self.record.id = walked.literal(node, Slot::Id).filter(|_| response || self.shape.by_id);
        if let Some(question) = walked.literal(node, Slot::Input) {
            // What a log has of a request: its instructions, and what was asked.
            if let Some(instructions) = walked.literal(node, Slot::System) {
                self.said(Role::System, instructions);
            }
            self.asked(question);
        }
        self.with_copies(node, if response { Item::Choice(draft) } else { Item::Message(draft) }, &[]);
        if walked.fills(node, Slot::Messages) {
            for (inner, _) in trees::nested(walked, node) {
                let draft = self.message(inner);
                self.with_copies(inner, Item::Message(draft), &[]);
            }
        }
        self.facts.payload = true;
        if response { Envelope::Response } else { Envelope::Message }
    }

    /// Reads a response, or a piece of one that looks like the whole.
    fn piece(&mut self, node: u32) -> Envelope {
        self.pieces(node);
        let whole = |item: &Item| matches!(item, Item::Delta(draft) if draft.delta.finished);
        let goes_on = self.streams.goes_on(self.record.id(self.body.text).as_deref());
        let whole = !goes_on && !self.record.items.is_empty() && self.record.items.iter().all(whole);
        self.facts.payload = whole || self.record.items.is_empty();
        if whole && !(self.body.is_event && self.setup.builds()) { Envelope::Response } else { Envelope::Stream }
    }

    /// The record belongs to a conversation. `log`: the line of a log that holds the record.
    fn enter(&mut self, log: Option<u32>) {
        self.number = self.open.conversation(self.body.text, self.walked, log);
    }

    /// The block and the part that an event belongs to.
    fn place(&mut self, node: u32) -> Place {
        self.open.place(self.body.text, self.walked, self.number, node)
    }

    /// An empty message of the assistant.
    fn empty(&mut self) -> Box<Draft> {
        let mut draft = self.record.draft();
        (draft.role, draft.shaped.announced) = (Some(Role::Assistant), true);
        draft
    }
}
