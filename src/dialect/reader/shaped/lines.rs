//! The open message of a conversation, and the log lines that continue it.

use super::NodeReader;
use super::members::of_entry;
use super::nodes::names_itself;
use crate::dialect::draft::{Draft, Item, MessageChange, MessagePosition, Stretch};
use crate::dialect::formats::shared::role;
use crate::dialect::reader::open::{BlockKey, ITEMS};
use crate::dialect::reader::roles::role_of;
use crate::dialect::shape::{Kind, Slot};
use crate::dialect::stream::RestatedParts;
use crate::model::{Role, SUMMARY};

impl NodeReader<'_> {
    /// Something happens to the open message, if there is one.
    pub(super) fn change(&mut self, change: MessageChange) {
        if let Some(message) = self.open[self.number].message {
            self.record.items.push(Item::Open(message, change));
        }
    }

    /// The next reasoning (if `reasoning`) and the next text of the open message begin blocks of their own.
    pub(super) fn next_block(&mut self, reasoning: bool) {
        self.change(MessageChange::NextBlock { reasoning });
    }

    /// Notes that reasoning of this item follows. A text can be a copy or a summary only of reasoning in the same item.
    pub(super) fn item_goes_on(&mut self, item: BlockKey) {
        let before = self.open[self.number].item.replace(item);
        if before.is_some_and(|before| before != item) {
            self.change(MessageChange::NextItem);
        }
    }

    /// Ends the open message.
    pub(super) fn over_message(&mut self) {
        if let Some(message) = self.open.over(self.number) {
            self.record.items.push(Item::Open(message, MessageChange::Over));
        }
    }

    /// Opens a message with this identifier, after ending any other. Returns whether it was open already.
    pub(super) fn open_message(&mut self, id: &[u8]) -> bool {
        let conversation = &mut self.open[self.number];
        conversation.answered = true;
        let open = conversation.message.is_some() && conversation.id == id;
        if !open {
            self.over_message();
            self.open.open(self.number, id);
        }
        open
    }

    /// Opens a message without an identifier if none is open, as where the front of a stream was cut off.
    pub(super) fn open_front(&mut self) {
        if self.open[self.number].message.is_none() {
            self.open_message(b"");
        }
    }

    /// Adds a draft as a continuation of the open message.
    pub(super) fn more(&mut self, mut draft: Box<Draft>) {
        self.open_front();
        draft.shaped.conversation = self.number;
        if let Some(message) = self.open[self.number].message {
            self.record.items.push(Item::More(draft, message));
        }
    }

    /// Adds a message that stands by itself.
    pub(super) fn placed(&mut self, mut draft: Box<Draft>, position: MessagePosition) {
        draft.shaped.conversation = self.number;
        self.record.items.push(Item::Placed(draft, position));
    }

    /// Reads a line of a log, which holds a message or is one. Later lines may continue its message. `log`: the outermost
    /// line, which says whose conversation it belongs to.
    pub(super) fn line(&mut self, (node, log): (u32, u32)) {
        let walked = self.walked;
        let inner = walked.children(node, Slot::Inner).next().unwrap_or(node);
        self.enter(Some(log));
        let mut draft = self.message(inner);
        let named = walked.get(node, Slot::Type).map(|kind| kind.word(self.body.text).into_owned());
        let role = role_of(walked, self.body.text, inner).or_else(|| role(&named?));
        draft.role = match draft.role {
            Some(Role::Tool) => Some(Role::Tool),
            _ if role == Some(Role::User) && draft.has.results && !draft.has.beside_results => Some(Role::Tool),
            // Text that the program writes in the user's role begins no turn, though the provider takes it for the
            // user's.
            _ if role == Some(Role::User) && walked.get(node, Slot::NoTurn).is_some() && !self.setup.builds() => {
                Some(Role::System)
            }
            _ => role,
        };
        self.facts.payload = true;
        if draft.role != Some(Role::Assistant) {
            // Results of calls may stand between the lines of one message. Outputs that build messages anew need them
            // in order.
            if draft.role != Some(Role::Tool) || self.setup.builds() {
                self.over_message();
            }
            return self.placed(draft, MessagePosition::Listed);
        }
        let id = walked.get(inner, Slot::Id).or_else(|| walked.get(node, Slot::Id));
        let id = id.map_or_else(
            || self.body.offset(walked.nodes[node as usize].value.start).to_string().into_bytes(),
            |id| id.word(self.body.text).into_owned(),
        );
        if self.open_message(&id) && self.open[self.number].streamed {
            // Events have filled the message already.
            return self.placed(draft, MessagePosition::Snapshot(RestatedParts::ALL));
        }
        (draft.shaped.announced, draft.shaped.apart) = (true, true);
        self.next_block(true);
        let logged = draft.logged;
        self.more(draft);
        if let (Some(tokens), true) = (logged, self.setup.options.wants.rest) {
            self.record.items.push(Item::Logged(self.open[self.number].message, tokens));
        }
        (self.facts.stream, self.facts.payload) = (false, true);
    }

    /// The last line of a log, which repeats the text of the last message. Without such a message, the line is the
    /// message.
    pub(super) fn last_answer(&mut self, node: u32) {
        self.enter(Some(node));
        let text = self.walked.literal(node, Slot::Result);
        if self.open[self.number].answered {
            self.facts.payload = true;
            return self.repeated_text(text.map(|text| (text, None)));
        }
        self.over_message();
        let mut draft = self.empty();
        (draft.has.content, draft.delta.payload) = (true, true);
        draft.object = self.walked.nodes[node as usize].value.clone();
        draft.units.extend(text.map(Stretch::Text));
        self.placed(draft, MessagePosition::Listed);
        self.facts.payload = true;
    }

    /// An item that is a record by itself: a run of such items makes one message.
    pub(super) fn item(&mut self, node: u32, kind: Kind) {
        self.enter(None);
        let mut draft = self.draft_of_item(node, kind);
        if draft.role != Some(Role::Assistant) {
            self.over_message();
            self.facts.payload = true;
            return self.placed(draft, MessagePosition::Listed);
        }
        self.open_message(ITEMS);
        (draft.shaped.announced, draft.shaped.apart) = (true, true);
        self.next_block(true);
        let goes = kind.is_reasoning();
        let conversation = &mut self.open[self.number];
        let follows = conversation.follows;
        conversation.follows |= goes;
        let drops = follows && self.shape.follow.drop_ids && names_itself(kind);
        if let Some(id) = self.walked.get(node, Slot::Id).filter(|_| drops) {
            draft.cut_members(self.body.text, vec![of_entry(id)]);
            draft.units.insert(0, Stretch::Void(SUMMARY));
            draft.facts.iter_mut().for_each(|fact| fact.after += 1);
        }
        if goes {
            draft.delta.payload = false;
        }
        if goes && !self.element {
            // A line around the item goes with it.
            draft.cuts.push(self.walked.nodes[0].value.clone());
        }
        if goes && !self.shape.retold {
            let at = self.body.offset(self.walked.nodes[node as usize].value.start);
            self.item_goes_on(BlockKey::Number(at));
        }
        self.more(draft);
        self.gone = self.open[self.number].message.filter(|_| goes);
        (self.facts.stream, self.facts.payload) = (goes, !goes);
    }
}
