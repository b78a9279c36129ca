//! Messages that a record has more than once: as a whole, as the blocks that their text was made of, in other forms. And
//! messages whose blocks stand apart, under their identifiers.
//!
//! What a copy has of the reasoning goes with that of its message, and nothing in it counts.

use super::NodeReader;
use crate::dialect::draft::{Draft, Fact, Item, MessagePosition, Stretch};
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Kind, Slot};
use crate::dialect::stream::RestatedParts;
use crate::json::with_commas;
use crate::model::content::Attribute;
use crate::model::{Role, SUMMARY, Source};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The nodes that repeat messages, by the identifiers of these.
pub(super) type CopiesById<'r> = HashMap<Cow<'r, [u8]>, Vec<u32>>;

/// The blocks that stand apart from their messages.
pub(super) struct ApartBlocks<'r> {
    by_id: HashMap<Cow<'r, [u8]>, u32>,
    /// Those that name their message, by its identifier.
    of_message: HashMap<Cow<'r, [u8]>, Vec<u32>>,
    taken: HashSet<u32>,
}

impl NodeReader<'_> {
    /// Adds the reasoning in the blocks that the text of a message was made of: what the text has of it is a copy.
    pub(super) fn made_of(&self, node: u32, draft: &mut Draft) {
        let (walked, mut gone) = (self.walked, Vec::new());
        if !walked.fills(node, Slot::MadeOf) {
            return;
        }
        let raw = walked.children(node, Slot::MadeOf).find_map(|child| raw_text(walked, child));
        for child in walked.children(node, Slot::MadeOf) {
            match self.kind(child) {
                Some(kind) if kind.is_reasoning() => {
                    // A summary is a copy only beside the raw text of the same block.
                    let alone = kind == Kind::Reasoning(SUMMARY) && raw_text(walked, child).is_none();
                    let kind = raw.filter(|_| alone).map_or(kind, Kind::Reasoning);
                    self.block_of((child, kind), draft);
                    gone.push(walked.nodes[child as usize].value.clone());
                }
                kind => draft.has.tool |= matches!(kind, Some(Kind::Call | Kind::Answered | Kind::Hosted)),
            }
        }
        draft.shaped.retold = draft.units.iter().any(|unit| matches!(unit, Stretch::Field(..)));
        with_commas(self.body.text, &mut gone);
        draft.cuts.append(&mut gone);
    }

    /// Adds a message with its other forms, and with the nodes that repeat it.
    pub(super) fn with_copies(&mut self, node: u32, mut message: Item, again: &[u32]) {
        let forms = [Slot::Again, Slot::MadeOf].into_iter().any(|slot| self.walked.fills(node, slot));
        if again.is_empty() && !forms {
            return self.record.items.push(message);
        }
        let models = match &mut message {
            Item::Message(draft) | Item::Choice(draft) => {
                // Other forms of a message have no place elsewhere.
                let forms = self.walked.get(node, Slot::Again).filter(|_| self.setup.detail.members);
                let lost = forms.map(|forms| Fact::set(draft.units.len(), None, Attribute::Extra, &forms.value));
                draft.facts.extend(lost);
                draft.is_model()
            }
            _ => return self.record.items.push(message),
        };
        self.record.items.push(message);
        self.forms_of(node, models);
        for copy in again {
            let draft = self.message(*copy);
            // A copy may name another author.
            let models = models || draft.is_model();
            self.copy(draft, models);
            self.forms_of(*copy, models);
        }
    }

    /// Adds the other forms of a message. `models`: the assistant speaks in it.
    fn forms_of(&mut self, node: u32, models: bool) {
        let walked = self.walked;
        for child in walked.children(node, Slot::Again) {
            let draft = match walked.nodes[child as usize].does {
                Does::Message => {
                    // It may have other forms, too.
                    self.forms_of(child, models);
                    self.message(child)
                }
                Does::Block(_) => {
                    let mut draft = self.record.draft();
                    self.block(child, &mut draft);
                    draft
                }
                _ => continue,
            };
            self.copy(draft, models);
        }
        let mut draft = self.record.draft();
        for child in walked.children(node, Slot::MadeOf) {
            if self.kind(child).is_some_and(|kind| !kind.is_reasoning()) {
                self.block(child, &mut draft);
            }
        }
        self.copy(draft, models);
    }

    /// Adds what repeats a message, if it has reasoning, or a text that may have some.
    fn copy(&mut self, mut draft: Box<Draft>, models: bool) {
        // Texts of others are not searched. A copy begins no turn.
        draft.units.retain(|unit| !matches!(unit, Stretch::Call(_)) && (models || !matches!(unit, Stretch::Text(_))));
        draft.facts.clear();
        draft.has.place_for_reasoning = !self.shape.inline;
        (draft.role, draft.has.tool, draft.has.other, draft.element) = (Some(Role::Assistant), false, false, None);
        draft.shaped.conversation = self.number;
        if !draft.units.is_empty() {
            self.record.items.push(Item::Placed(draft, MessagePosition::Snapshot(RestatedParts::ALL)));
        }
    }
}

/// The messages of a conversation that repeat others, by the identifiers of these, and those that repeat none.
pub(super) fn repeated<'r>(walked: &'r Walked, record: &'r [u8], node: u32) -> (CopiesById<'r>, Vec<u32>) {
    let (mut copies, mut others) = (CopiesById::new(), Vec::new());
    if !walked.fills(node, Slot::Again) {
        return (copies, others);
    }
    let messages = walked.children(node, Slot::Messages);
    let known: HashSet<_> = messages.filter_map(|child| id(walked, record, child)).collect();
    for child in walked.children(node, Slot::Again) {
        match id(walked, record, child).filter(|id| known.contains(id)) {
            Some(id) => copies.entry(id).or_default().push(child),
            None => others.push(child),
        }
    }
    (copies, others)
}

/// The identifier of a node.
pub(super) fn id<'r>(walked: &Walked, record: &'r [u8], node: u32) -> Option<Cow<'r, [u8]>> {
    walked.get(node, Slot::Id).map(|entry| entry.plain(record)).filter(|id| !id.is_empty())
}

impl<'r> ApartBlocks<'r> {
    /// The blocks of a request that stand apart from its messages.
    pub fn new(walked: &'r Walked, record: &'r [u8], node: u32) -> Self {
        let (mut by_id, mut of_message) = (HashMap::new(), HashMap::<_, Vec<u32>>::new());
        let blocks = walked.fills(node, Slot::Apart).then(|| walked.children(node, Slot::Apart));
        for block in blocks.into_iter().flatten() {
            let word = |slot| walked.get(block, slot).map(|entry| entry.plain(record));
            if let Some(id) = word(Slot::Id) {
                by_id.entry(id).or_insert(block);
            }
            if let Some(message) = word(Slot::PartOf) {
                of_message.entry(message).or_default().push(block);
            }
        }
        Self { by_id, of_message, taken: HashSet::new() }
    }

    /// The blocks of a message in its order, each once: those that it names, and those that name it.
    fn of(&mut self, reader: &NodeReader<'_>, message: u32) -> Vec<u32> {
        let (walked, record) = (reader.walked, reader.body.text);
        let named = walked.children(message, Slot::Parts).filter_map(|part| walked.literal(part, Slot::Text));
        let named = named.filter_map(|id| self.by_id.get(&id.decoded(record)));
        let own = id(walked, record, message).and_then(|id| self.of_message.get(&id));
        let all: Vec<u32> = named.chain(own.into_iter().flatten()).copied().collect();
        all.into_iter().filter(|block| self.taken.insert(*block)).collect()
    }

    /// Whether a message names a block that is reasoning here.
    fn thinks(&self, reader: &NodeReader<'_>, id: &[u8]) -> bool {
        self.by_id.get(id).and_then(|block| reader.kind(*block)).is_some_and(Kind::is_reasoning)
    }

    /// Adds the blocks of a message that stand apart from it. What names reasoning goes with it.
    pub fn add(&mut self, reader: &NodeReader<'_>, message: u32, draft: &mut Draft) {
        let (walked, record) = (reader.walked, reader.body.text);
        if self.by_id.is_empty() && self.of_message.is_empty() {
            return;
        }
        for block in self.of(reader, message) {
            reader.apart(block, draft);
        }
        let names = |part: &u32| {
            let id = walked.literal(*part, Slot::Text);
            id.is_some_and(|id| self.thinks(reader, &id.decoded(record)))
        };
        let named = walked.children(message, Slot::Parts).filter(names);
        let mut gone: Vec<_> = named.map(|part| walked.nodes[part as usize].value.clone()).collect();
        if !gone.is_empty() && !draft.thinks() {
            // Another message has the block.
            draft.units.push(Stretch::Void("part"));
        }
        with_commas(record, &mut gone);
        draft.cuts.append(&mut gone);
    }
}

impl NodeReader<'_> {
    /// Adds a block that stands apart from its message. Reasoning goes as an element of its list.
    fn apart(&self, block: u32, draft: &mut Draft) {
        let Some(kind) = self.kind(block) else { return };
        self.block(block, draft);
        if kind.is_reasoning() {
            draft.shaped.items.extend(self.walked.place(block).map(|at| (true, at)));
        }
    }

    /// Adds the blocks that no message names: each is a message if it is reasoning. All others stay in their lists.
    pub(super) fn unnamed_blocks(&mut self, node: u32, blocks: &ApartBlocks<'_>) {
        let (walked, mut unnamed) = (self.walked, Vec::new());
        for block in walked.children(node, Slot::Apart) {
            let thinks = self.kind(block).is_some_and(Kind::is_reasoning);
            match thinks {
                true if !blocks.taken.contains(&block) => unnamed.push(block),
                true => (),
                false => self.record.items.extend(walked.place(block).map(Item::Kept)),
            }
        }
        if unnamed.is_empty() {
            return;
        }
        self.record.items.push(Item::Start);
        for block in unnamed {
            let mut draft = self.empty();
            draft.object = walked.nodes[block as usize].value.clone();
            self.apart(block, &mut draft);
            self.record.items.push(Item::Placed(draft, MessagePosition::Listed));
        }
        self.record.items.push(Item::End);
    }
}

/// The source of an item's raw text, if it has one that a summary would repeat.
pub(super) fn raw_text(walked: &Walked, item: u32) -> Option<Source> {
    let text = |part: &u32| walked.literal(*part, Slot::Text).is_some_and(|text| text.start < text.end);
    walked.children(item, Slot::List).filter(text).find_map(|part| match walked.nodes[part as usize].does {
        Does::Block(Kind::Reasoning(source)) if source != SUMMARY => Some(source),
        _ => None,
    })
}
