//! The conversations of a log or a stream, the open message of each, and the log lines that continue that message.

use super::blocks::{Block, BlockKey};
use super::nodes::{self, role_of};
use super::{JsonReader, Run, empty, members};
use crate::dialect::draft::{Draft, Item, Unit};
use crate::dialect::read::Walked;
use crate::dialect::reader::MessagePosition;
use crate::dialect::shape::{Kind, Slot};
use crate::dialect::stream::{CONVERSATION, Known, Outside};
use crate::frame::Body;
use crate::model::{Event, Lane, Piece, Role, SUMMARY, Sink, Source};
use std::collections::{BTreeMap, HashMap};
use std::ops::{Index, IndexMut};

/// The conversations of a log or a stream, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Conversations {
    all: Vec<Conversation>,
    /// Their numbers by name, which is made of session and side chain. A log may hold many thousands.
    numbers: HashMap<Vec<u8>, u32>,
    /// The name of the last one, and its number: lines of one follow each other. The room is for the next name.
    last: (Vec<u8>, u32),
    room: Vec<u8>,
    /// How many have an open message that events have begun.
    streamed: usize,
    /// The first has no name, as that of a stream.
    nameless: bool,
}

impl Conversations {
    /// The number of the conversation of the name in `room`.
    fn number(&mut self) -> u32 {
        if !self.all.is_empty() && self.last.0 == self.room {
            return self.last.1;
        }
        let next = self.all.len() as u32;
        self.nameless |= next == 0 && self.room.is_empty();
        let number = self.numbers.get(&self.room).copied().unwrap_or(next);
        if number == next {
            self.numbers.insert(self.room.clone(), next);
            self.all.push(Conversation::default());
        }
        std::mem::swap(&mut self.last.0, &mut self.room);
        self.last.1 = number;
        number
    }

    /// The id of the open message of a conversation; empty if none is open.
    pub(super) fn message(&self, number: u32) -> &[u8] {
        &self[number].message
    }

    /// Whether any open message was begun by events.
    pub(super) fn any_streamed(&self) -> bool {
        self.streamed > 0
    }

    /// Sets whether the open message of a conversation was begun by events.
    pub(super) fn set_streamed(&mut self, number: u32, streamed: bool) {
        let before = std::mem::replace(&mut self[number].streamed, streamed);
        self.streamed = self.streamed + usize::from(streamed) - usize::from(before);
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Index<u32> for Conversations {
    type Output = Conversation;

    fn index(&self, number: u32) -> &Conversation {
        &self.all[number as usize]
    }
}

impl IndexMut<u32> for Conversations {
    fn index_mut(&mut self, number: u32) -> &mut Conversation {
        &mut self.all[number as usize]
    }
}

/// A conversation of a log or a stream.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// The id of the open message, with the number of the conversation in front. Empty if none is open.
    pub(super) message: Vec<u8>,
    /// The number, as it stands in front.
    front: Option<Vec<u8>>,
    /// Events of a stream have begun the open message. The next three fields are what they have filled so far.
    pub(super) streamed: bool,
    pub(super) text: bool,
    pub(super) reasoning: bool,
    pub(super) blocks: BTreeMap<BlockKey, Block>,
    /// The numbers of the identifiers of blocks.
    pub(super) names: HashMap<Vec<u8>, u32>,
    /// The conversation had a message of the assistant.
    pub(super) answered: bool,
    /// Reasoning came before in the open message: later items may refer to it by their identifiers.
    pub(super) follows: bool,
    /// The block, part and source of the last piece of reasoning.
    pub(super) last: Option<(BlockKey, u64, Source)>,
    /// The last item of reasoning.
    pub(super) item: Option<BlockKey>,
}

impl JsonReader<'_> {
    /// The number of the conversation that a record belongs to. `log`: the line of a log that holds the record.
    pub(super) fn conversation(&mut self, body: &Body<'_>, walked: &Walked, log: Option<u32>) -> u32 {
        let conversations = &mut self.shapes.conversations;
        if log.is_none() && conversations.nameless {
            return 0;
        }
        let name = &mut conversations.room;
        name.clear();
        if let Some(line) = log {
            let entries = |slot| walked.all(line, slot);
            for entry in entries(Slot::Conversation).take(1).chain(entries(Slot::SideChain)) {
                name.extend_from_slice(&entry.plain(body.text));
                name.push(0);
            }
        }
        conversations.number()
    }

    /// The next reasoning (if `reasoning`) and the next text of the open message begin blocks of their own.
    pub(super) fn next_block(&mut self, body: &Body<'_>, number: u32, reasoning: bool, sink: &mut dyn Sink) {
        let mut out = Outside { body, wants: self.options.wants, sink, notes: &mut self.notes };
        let id = &self.shapes.conversations[number].message;
        self.streams.next_block(id, reasoning, &mut out);
    }

    /// Notes that reasoning of this item follows. A text can be a copy or a summary only of reasoning in the same item.
    pub(super) fn item_goes_on(&mut self, number: u32, item: BlockKey, sink: &mut dyn Sink) {
        let before = self.shapes.conversations[number].item.replace(item);
        if let Some(lane) = before.filter(|before| *before != item).and_then(|_| self.lane_of(number)) {
            let (kind, at) = (crate::model::Kind::NextItem, &[][..]);
            sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text: b"", escaped: false, whole: false, at }));
        }
    }

    /// The lane of the message that is open in a conversation.
    pub(super) fn lane_of(&self, number: u32) -> Option<Lane> {
        self.streams.lane_of(&self.shapes.conversations[number].message)
    }

    /// Ends the open message of a conversation.
    pub(super) fn over_message(&mut self, number: u32, sink: &mut dyn Sink) {
        self.shapes.conversations.set_streamed(number, false);
        let conversation = &mut self.shapes.conversations[number];
        let id = std::mem::take(&mut conversation.message);
        (conversation.text, conversation.reasoning, conversation.follows) = (false, false, false);
        conversation.blocks.clear();
        conversation.names.clear();
        (conversation.last, conversation.item) = (None, None);
        if !id.is_empty() {
            self.streams.over(Some(&id), sink, &mut self.notes);
        }
    }

    /// Opens a message with this identifier, after ending any other. Returns whether it was open already.
    pub(super) fn open_message(&mut self, number: u32, id: &[u8], sink: &mut dyn Sink) -> bool {
        let conversation = &mut self.shapes.conversations[number];
        conversation.answered = true;
        let front =
            conversation.front.get_or_insert_with(|| [CONVERSATION, number.to_string().as_bytes(), b":"].concat());
        if conversation.message.strip_prefix(front.as_slice()) == Some(id) {
            return true;
        }
        let id = [front.as_slice(), id].concat();
        self.over_message(number, sink);
        self.shapes.conversations[number].message = id;
        false
    }

    /// Opens a message without an identifier if none is open, as where the front of a stream was cut off.
    pub(super) fn open_front(&mut self, number: u32, sink: &mut dyn Sink) {
        if self.shapes.conversations[number].message.is_empty() {
            self.open_message(number, b"", sink);
        }
    }

    /// Sends a draft as a continuation of the open message.
    pub(super) fn more(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        number: u32,
        mut draft: Box<Draft>,
        sink: &mut dyn Sink,
    ) {
        self.open_front(number, sink);
        let id = std::mem::take(&mut self.shapes.conversations[number].message);
        draft.shaped.conversation = number;
        let mut facts = *run.facts;
        let out = Outside { body, wants: self.options.wants, sink, notes: &mut self.notes };
        self.streams.delta(Some(&id), &draft, &mut facts, out);
        *run.facts = facts;
        self.shapes.conversations[number].message = id;
        run.record.items.push(Item::Delta(draft));
    }

    /// Reads a line of a log. Later lines may continue its message. `log`: the outermost line, which says whose
    /// conversation it belongs to.
    pub(super) fn line(&mut self, body: &Body<'_>, run: &mut Run<'_>, (node, log): (u32, u32), sink: &mut dyn Sink) {
        let walked = run.walked;
        let Some(inner) = walked.children(node, Slot::Inner).next() else { return };
        let number = self.conversation(body, run.walked, Some(log));
        let mut draft = nodes::message(run, body.text, inner, self.detail);
        let named = walked.get(node, Slot::Type).map(|kind| kind.word(body.text).into_owned());
        let role = role_of(walked, body.text, inner).or_else(|| crate::dialect::formats::shared::role(&named?));
        draft.shaped.conversation = number;
        draft.role = match draft.role {
            Some(Role::Tool) => Some(Role::Tool),
            _ if role == Some(Role::User) && draft.has.results && !draft.has.beside_results => Some(Role::Tool),
            // Text that the program writes in the user's role begins no turn, though the provider takes it for the
            // user's.
            _ if role == Some(Role::User) && walked.get(node, Slot::NoTurn).is_some() && !self.builds() => {
                Some(Role::System)
            }
            _ => role,
        };
        run.facts.payload = true;
        if draft.role != Some(Role::Assistant) {
            // Results of calls may stand between the lines of one message. Outputs that build messages anew need them
            // in order.
            if draft.role != Some(Role::Tool) || self.builds() {
                self.over_message(number, sink);
            }
            self.whole_message(body, run, &draft, MessagePosition::Listed, sink);
            run.record.items.push(Item::Message(draft));
            return;
        }
        let id = walked.get(inner, Slot::Id).or_else(|| walked.get(node, Slot::Id));
        let id = id.map_or_else(
            || body.offset(walked.nodes[node as usize].value.start).to_string().into_bytes(),
            |id| id.word(body.text).into_owned(),
        );
        if self.open_message(number, &id, sink) && self.shapes.conversations[number].streamed {
            // Events have filled the message already.
            self.whole_message(body, run, &draft, MessagePosition::Snapshot(Known::ALL), sink);
            run.record.items.push(Item::Message(draft));
            return;
        }
        (draft.shaped.announced, draft.shaped.apart) = (true, true);
        self.next_block(body, number, true, sink);
        let logged = draft.logged;
        self.more(body, run, number, draft, sink);
        if let (Some(tokens), true) = (logged, self.options.wants.rest) {
            sink.event(&Event::Logged { lane: self.lane_of(number), tokens });
        }
        (run.facts.stream, run.facts.payload) = (false, true);
    }

    /// The last line of a log, which repeats the text of the last message. Without such a message, the line is the
    /// message.
    pub(super) fn last_answer(&mut self, body: &Body<'_>, run: &mut Run<'_>, node: u32, sink: &mut dyn Sink) {
        let number = self.conversation(body, run.walked, Some(node));
        let text = run.walked.literal(node, Slot::Result);
        if self.shapes.conversations[number].answered {
            run.facts.payload = true;
            return self.repeated_text(body, run, number, text.map(|text| (text, None)), sink);
        }
        self.over_message(number, sink);
        let mut draft = empty(run.record);
        (draft.shaped.conversation, draft.has.content, draft.delta.payload) = (number, true, true);
        draft.object = run.walked.nodes[node as usize].value.clone();
        draft.units.extend(text.map(Unit::Text));
        self.whole_message(body, run, &draft, MessagePosition::Listed, sink);
        run.record.items.push(Item::Message(draft));
        run.facts.payload = true;
    }

    /// An item that is a record by itself: a run of such items makes one message.
    pub(super) fn item(&mut self, body: &Body<'_>, run: &mut Run<'_>, node: u32, kind: Kind, sink: &mut dyn Sink) {
        let number = self.conversation(body, run.walked, None);
        let mut draft = nodes::item(run, body.text, node, kind, self.detail);
        if draft.role != Some(Role::Assistant) {
            self.over_message(number, sink);
            self.whole_message(body, run, &draft, MessagePosition::Listed, sink);
            run.record.items.push(Item::Message(draft));
            run.facts.payload = true;
            return;
        }
        self.open_message(number, b"items", sink);
        (draft.shaped.announced, draft.shaped.apart) = (true, true);
        self.next_block(body, number, true, sink);
        let goes = kind.is_reasoning();
        let conversation = &mut self.shapes.conversations[number];
        let follows = conversation.follows;
        conversation.follows |= goes;
        let id = run
            .walked
            .get(node, Slot::Id)
            .filter(|_| follows && run.shape.follow.drop_ids && nodes::names_itself(kind));
        if let Some(id) = id {
            members::cuts(body.text, std::slice::from_ref(&(id.key.start - 1..id.value.end)), &mut draft.cuts);
            draft.units.insert(0, Unit::Void(SUMMARY));
            draft.facts.iter_mut().for_each(|fact| fact.after += 1);
        }
        if goes {
            draft.delta.payload = false;
        }
        if goes && !run.element {
            // A line around the item goes with it.
            draft.cuts.push(run.walked.nodes[0].value.clone());
        }
        if goes && !run.shape.retold {
            let at = body.offset(run.walked.nodes[node as usize].value.start);
            self.item_goes_on(number, BlockKey::Number(at), sink);
        }
        self.more(body, run, number, draft, sink);
        run.gone = self.lane_of(number).filter(|_| goes);
        (run.facts.stream, run.facts.payload) = (goes, !goes);
    }

    /// Ends a list of records and all of its messages, which are written in its place.
    pub(in crate::dialect::reader) fn end_list(&mut self, sink: &mut dyn Sink) {
        if self.shapes.is_likely() || self.options.in_place().is_none() {
            self.finish(sink);
            self.shapes.conversations.clear();
            sink.event(&Event::StreamOver);
        }
    }

    pub(super) fn whole_message(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        draft: &Draft,
        standing: MessagePosition,
        sink: &mut dyn Sink,
    ) {
        let mut facts = *run.facts;
        self.message(body, draft, &mut facts, standing, sink);
        *run.facts = facts;
    }
}
