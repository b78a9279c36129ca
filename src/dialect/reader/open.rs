//! What is open between records: the conversations of a log or a stream, the open message of each, and its blocks.

use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Does, Kind, Shape, Slot};
use crate::dialect::stream::OpenMessage;
use crate::model::Source;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::ops::{Index, IndexMut};

/// What is open between the records of a log or a stream: its conversations, in the order in which they began, each with
/// its open message.
#[derive(Debug, Default)]
pub(super) struct OpenMessages {
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
    /// The session that the last line around a record named.
    pub session: Vec<u8>,
    pub delivered: Delivered,
}

impl OpenMessages {
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

    /// The number of the conversation that a record belongs to. `log`: the line of a log that holds the record.
    pub fn conversation(&mut self, record: &[u8], walked: &Walked, log: Option<u32>) -> u32 {
        if log.is_none() && self.nameless {
            return 0;
        }
        let name = &mut self.room;
        name.clear();
        if let Some(line) = log {
            let entries = |slot| walked.all(line, slot);
            for entry in entries(Slot::Conversation).take(1).chain(entries(Slot::SideChain)) {
                name.extend_from_slice(&entry.plain(record));
                name.push(0);
            }
        }
        self.number()
    }

    /// Whether any open message was begun by events.
    pub fn any_streamed(&self) -> bool {
        self.streamed > 0
    }

    /// Sets whether the open message of a conversation was begun by events.
    pub fn set_streamed(&mut self, number: u32, streamed: bool) {
        let before = std::mem::replace(&mut self[number].streamed, streamed);
        self.streamed = self.streamed + usize::from(streamed) - usize::from(before);
    }

    /// Ends the message that items outside of a stream have made, if one is open: a message by itself comes. Returns it.
    pub fn items_over(&mut self) -> Option<OpenMessage> {
        let number = *self.numbers.get(&[][..])?;
        let items = &self[number];
        (!items.streamed && items.id == ITEMS).then(|| self.over(number)).flatten()
    }

    /// Forgets all conversations.
    pub fn clear(&mut self) {
        *self = Self { delivered: std::mem::take(&mut self.delivered), ..Self::default() };
    }

    /// Opens a message with this identifier in a conversation in which none is open.
    pub fn open(&mut self, number: u32, id: &[u8]) {
        let conversation = &mut self[number];
        conversation.id.clear();
        conversation.id.extend_from_slice(id);
        conversation.message = Some(OpenMessage { conversation: number, number: conversation.opened });
        conversation.opened += 1;
    }

    /// Ends the open message of a conversation. Returns it, if there is one.
    pub fn over(&mut self, number: u32) -> Option<OpenMessage> {
        self.set_streamed(number, false);
        let conversation = &mut self[number];
        (conversation.text, conversation.reasoning, conversation.follows) = (false, false, false);
        conversation.blocks.clear();
        conversation.names.clear();
        (conversation.last, conversation.item) = (None, None);
        conversation.message.take()
    }
}

impl Index<u32> for OpenMessages {
    type Output = Conversation;

    fn index(&self, number: u32) -> &Conversation {
        &self.all[number as usize]
    }
}

impl IndexMut<u32> for OpenMessages {
    fn index_mut(&mut self, number: u32) -> &mut Conversation {
        &mut self.all[number as usize]
    }
}

/// The identifier of a message that a run of items makes.
pub(super) const ITEMS: &[u8] = b"items";

/// A conversation of a log or a stream.
#[derive(Debug, Default)]
pub struct Conversation {
    /// The open message, if there is one.
    pub message: Option<OpenMessage>,
    /// Its identifier.
    pub id: Vec<u8>,
    /// How many messages were opened.
    opened: u32,
    /// Events of a stream have begun the open message. The next three fields are what they have filled so far.
    pub streamed: bool,
    pub text: bool,
    pub reasoning: bool,
    pub blocks: BTreeMap<BlockKey, StreamBlock>,
    /// The numbers of the identifiers of blocks.
    pub names: HashMap<Vec<u8>, u32>,
    /// The conversation had a message of the assistant.
    pub answered: bool,
    /// Reasoning came before in the open message: later items may refer to it by their identifiers.
    pub follows: bool,
    /// The block, part and source of the last piece of reasoning.
    pub last: Option<(BlockKey, u64, Source)>,
    /// The last item of reasoning.
    pub item: Option<BlockKey>,
}

/// What a block of a streamed message is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKey {
    /// Its number. 0 where events have none.
    Number(u64),
    /// Its identifier, by the number of that. If events say themselves what kind of block they belong to: whether that is
    /// reasoning. Programs count the blocks of each kind for themselves, so that an identifier may be used twice.
    Named(u32, Option<bool>),
    /// Its place in a list that repeats the blocks of a message.
    Listed(u32),
}

impl BlockKey {
    /// The block in facts about it.
    pub fn fact(self) -> u32 {
        match self {
            Self::Number(number) => number as u32,
            Self::Named(name, _) => name,
            Self::Listed(place) => place,
        }
    }
}

/// The block and the part of it that an event belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub index: BlockKey,
    pub part: u64,
}

/// A block of a streamed message.
#[derive(Clone, Debug)]
pub struct StreamBlock {
    pub kind: Kind,
    /// The parts that have come in pieces, each with whether it is a summary.
    pub parts: Vec<(u64, bool)>,
    /// Some of its content has been sent.
    pub filled: bool,
    /// For a call: an event with its name and its identifier has come.
    pub named: bool,
    /// The text so far, if events repeat it and add to it.
    pub text: Option<Vec<u8>>,
}

impl StreamBlock {
    pub fn new(kind: Kind) -> Self {
        Self { kind, parts: Vec::new(), filled: false, named: false, text: None }
    }
}

/// The number or the identifier of the block that an event belongs to: its own, or that of the object in it.
fn index_of(walked: &Walked, node: u32) -> Option<&Entry> {
    let inner = || walked.get(walked.children(node, Slot::Inner).next()?, Slot::Index);
    walked.get(node, Slot::Index).or_else(inner)
}

/// The kind that an event, or the object in it, says itself.
fn kind_of(walked: &Walked, node: u32) -> Option<Kind> {
    let inner = || walked.nodes[walked.children(node, Slot::Inner).next()? as usize].does.kind();
    walked.nodes[node as usize].does.kind().or_else(inner)
}

impl OpenMessages {
    /// Where a record has more of a block whose kind neither the event nor an earlier one says, so that it may be
    /// reasoning.
    pub fn unopened(&mut self, record: &[u8], walked: &Walked, shape: &Shape) -> Option<usize> {
        let (mut node, mut log) = (0, None);
        while matches!(walked.nodes[node as usize].does, Does::Envelope) {
            log = log.or(shape.log.then_some(node));
            node = walked.children(node, Slot::Inner).next()?;
        }
        if !matches!(walked.nodes[node as usize].does, Does::Records) {
            return self.is_unopened(record, walked, (node, log), &HashSet::new());
        }
        let mut opened = HashSet::new();
        for child in walked.children(node, Slot::List) {
            let opens = match walked.nodes[child as usize].does {
                Does::Open | Does::Repeat(_) | Does::Grow(_) => kind_of(walked, child).is_some(),
                Does::OpenAs(_) => true,
                _ => false,
            };
            if opens {
                opened.insert(index_of(walked, child).map(|entry| entry.plain(record).into_owned()));
            }
            let found = self.is_unopened(record, walked, (child, None), &opened);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The same for one event. `opened`: the blocks that earlier events of the record have opened.
    fn is_unopened(
        &mut self,
        record: &[u8],
        walked: &Walked,
        (node, log): (u32, Option<u32>),
        opened: &HashSet<Option<Vec<u8>>>,
    ) -> Option<usize> {
        let (Does::Feed(None) | Does::Repeat(None) | Does::Grow(None)) = walked.nodes[node as usize].does else {
            return None;
        };
        if kind_of(walked, node).is_some() {
            return None;
        }
        // An object without a meaning is searched.
        let inner = walked
            .children(node, Slot::Inner)
            .filter(|inner| !matches!(walked.nodes[*inner as usize].does, Does::Rest));
        let mut nodes = inner.chain([node]);
        let text = nodes.find_map(|node| walked.literal(node, Slot::Text).filter(|text| text.start < text.end))?;
        let index = index_of(walked, node).map(|entry| entry.plain(record).into_owned());
        let number = self.conversation(record, walked, log);
        let place = self.place(record, walked, number, node);
        let known = opened.contains(&index) || self[number].blocks.contains_key(&place.index);
        (!known).then(|| text.start - 1)
    }

    /// The block and the part that an event belongs to.
    pub fn place(&mut self, record: &[u8], walked: &Walked, number: u32, node: u32) -> Place {
        let part = walked.get(node, Slot::Part).and_then(|entry| entry.number(record)).unwrap_or(0);
        let Some(entry) = index_of(walked, node) else { return Place { index: BlockKey::Number(0), part } };
        if entry.literal().is_none() {
            return Place { index: BlockKey::Number(entry.number(record).unwrap_or(0)), part };
        }
        let conversation = &mut self[number];
        let next = conversation.names.len() as u32;
        let name = *conversation.names.entry(entry.word(record).into_owned()).or_insert(next);
        let is_open = |of: &Option<bool>| conversation.blocks.contains_key(&BlockKey::Named(name, *of));
        let of = match walked.nodes[node as usize].does {
            Does::OpenAs(kind) => Some(kind.is_reasoning()),
            Does::Feed(Some(kind)) | Does::Repeat(Some(kind)) | Does::Grow(Some(kind)) | Does::CloseAs(kind) => {
                let own = Some(kind.is_reasoning());
                [own, None].into_iter().find(is_open).unwrap_or(own)
            }
            Does::Open | Does::Repeat(None) | Does::Grow(None) => None,
            _ => [None, Some(true), Some(false)].into_iter().find(is_open).flatten(),
        };
        Place { index: BlockKey::Named(name, of), part }
    }
}

/// The identifiers of recent messages: a log has a copy of a message for each participant that received it.
#[derive(Debug, Default)]
pub struct Delivered {
    hashes: HashSet<u64>,
    order: VecDeque<u64>,
    state: RandomState,
}

/// How many identifiers are kept. A copy is written as soon as the message is sent on.
const REMEMBERED: usize = 1 << 16;

impl Delivered {
    /// Whether a message with this identifier came before. Keeps the identifier.
    pub fn has(&mut self, id: &[u8]) -> bool {
        if id.is_empty() {
            return false;
        }
        let hash = self.state.hash_one(id);
        if !self.hashes.insert(hash) {
            return true;
        }
        self.order.push_back(hash);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.hashes.remove(&oldest);
        }
        false
    }
}
