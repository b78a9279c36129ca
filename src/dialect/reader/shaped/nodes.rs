//! Makes drafts from the nodes of whole messages.

use super::copies::{ApartBlocks, id, raw_text, repeated};
use super::values::probabilities;
use super::{NodeReader, members, trees, turns};
use crate::dialect::draft::{Draft, Item, Stretch};
use crate::dialect::formats::shared::logged;
use crate::dialect::read::Walked;
use crate::dialect::reader::roles::{is_last, role_of};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::json::{Literal, with_commas};
use crate::model::{Role, SUMMARY, Source};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

impl NodeReader<'_> {
    /// Adds a request with a list of messages, or with several conversations.
    pub(super) fn request(&mut self, node: u32) {
        let (walked, mut apart) = (self.walked, ApartBlocks::new(self.walked, self.body.text, node));
        let is_session = |child: &u32| matches!(walked.nodes[*child as usize].does, Does::Request);
        let sessions = || walked.children(node, Slot::Sessions).filter(is_session);
        match walked.fills(node, Slot::Sessions) && sessions().next().is_some() {
            true => sessions().for_each(|session| self.messages_of(session, &mut apart)),
            false => self.messages_of(node, &mut apart),
        }
        if walked.fills(node, Slot::Apart) {
            self.unnamed_blocks(node, &apart);
        }
        self.record.marks.known = true;
    }

    /// Adds the messages of a conversation.
    fn messages_of(&mut self, node: u32, apart: &mut ApartBlocks<'_>) {
        self.record.items.push(Item::Start);
        let (walked, record) = (self.walked, self.body.text);
        let mut lists = turns::Lists::new(walked, record, node);
        let (copies, others) = repeated(walked, record, node);
        let tree = trees::in_order(walked, record, node);
        let is_tree = tree.is_some();
        let listed = if is_tree { Vec::new() } else { trees::nested(walked, node) };
        let flat = tree.into_iter().flatten().map(|child| (child, false));
        for (child, inner) in flat.chain(listed).chain(others.into_iter().map(|child| (child, false))) {
            // One that holds others, or stands in another one, is no element that may go.
            let nested = inner || walked.fills(child, Slot::Messages);
            let at = walked.place(child).filter(|_| !nested);
            if !inner && lists.begins(walked.place(child).map(|(list, _)| list)) {
                self.record.items.extend([Item::End, Item::Start]);
            }
            let does = walked.nodes[child as usize].does;
            if !matches!(does, Does::Message | Does::Turn(_) | Does::Stranger) {
                self.record.items.extend(at.map(Item::Stays));
                continue;
            }
            let mut draft = self.message(child);
            apart.add(self, child, &mut draft);
            if draft.role.is_none() && !draft.thinks() {
                draft.role = self.shape.unnamed;
                draft.answers();
            }
            if matches!(does, Does::Stranger) {
                turns::of_stranger(self.setup.detail, &mut draft);
            }
            draft.element = at;
            let again = if copies.is_empty() { None } else { id(walked, record, child).and_then(|id| copies.get(&id)) };
            self.with_copies(child, Item::Message(draft), again.map_or(&[], Vec::as_slice));
        }
        self.record.items.push(Item::End);
    }

    /// Adds the answers in a response, or in a piece of one: nothing but the reason to stop distinguishes the two.
    pub(super) fn pieces(&mut self, node: u32) {
        let (walked, record) = (self.walked, self.body.text);
        let own = walked.get(node, Slot::Choices).is_none().then_some(node);
        for (place, child) in walked.children(node, Slot::Choices).chain(own).enumerate() {
            if !matches!(walked.nodes[child as usize].does, Does::Message | Does::Piece) {
                continue;
            }
            let mut draft = self.message(child);
            draft.role = draft.role.or(Some(Role::Assistant));
            let index = walked.get(child, Slot::Index).and_then(|entry| entry.number(record));
            draft.delta.index = index.unwrap_or(place as u64) as u32;
            draft.delta.finished = is_last(walked, child);
            draft.delta.payload = own.is_none()
                || draft.delta.finished
                || draft.has.tool
                || draft.units.iter().any(|unit| matches!(unit, Stretch::Text(text) if text.start < text.end));
            draft.delta.completion = true;
            if self.setup.detail.members {
                self.node_facts().of_message(node, &mut draft);
            }
            self.record.items.push(Item::Delta(draft));
        }
        self.record.id = walked.literal(node, Slot::Id);
        self.record.marks.known = true;
        if let (Some(usage), true) = (walked.get(node, Slot::Usage), self.setup.detail.usage) {
            self.record.logged = logged(&record[usage.value.clone()]);
        }
    }

    /// Makes the draft of a message with its blocks.
    pub(super) fn message(&mut self, node: u32) -> Box<Draft> {
        let (walked, record) = (self.walked, self.body.text);
        let mut draft = self.record.draft();
        draft.object = walked.nodes[node as usize].value.clone();
        draft.role = role_of(walked, record, node);
        (draft.has.content, draft.delta.payload) = (true, true);
        draft.has.place_for_reasoning = !self.shape.inline;
        self.made_of(node, &mut draft);
        let facts = self.setup.detail.members;
        let mut gone = members::of_message((walked, self.shape), record, (node, facts), &mut draft);
        gone.extend(self.left_seals([node], &mut draft));
        draft.cut_members(record, gone);
        if let Does::Turn(kind) = walked.nodes[node as usize].does {
            let (name, failed) = (walked.get(node, Slot::Name), walked.get(node, Slot::IsError));
            turns::of_turn(kind, self.setup.detail, (name, failed), &mut draft);
            self.turn_answers(node, kind, &mut draft);
        }
        self.blocks(node, &mut draft);
        self.calls_beside(node, &mut draft);
        self.marks(node, &mut draft);
        if self.setup.detail.members {
            self.node_facts().of_message(node, &mut draft);
        }
        if let (Some(usage), true) = (walked.get(node, Slot::Usage), self.setup.detail.usage) {
            draft.logged = logged(&record[usage.value.clone()]);
        }
        draft.answers();
        draft
    }

    /// Adds the blocks of a message, and the cuts of those that are reasoning: a list of its own for each key.
    fn blocks(&self, node: u32, draft: &mut Draft) {
        let (walked, record) = (self.walked, self.body.text);
        let own = draft.cuts.len();
        // Blocks in a map go as members.
        let (mut members, mut gone) = (walked.all(node, Slot::List), Vec::new());
        for child in walked.children(node, Slot::List) {
            let found = &walked.nodes[child as usize];
            let at = found.value.clone();
            if let Some(goes) = found.element.and_then(|_| self.bare_seal(child, draft)) {
                gone.extend(goes.then_some(at));
                continue;
            }
            self.block(child, draft);
            let reasons = matches!(found.does, Does::Block(kind) if kind.is_reasoning());
            match reasons && !self.shape.follow.keep_shell {
                true if walked.is_scattered(child) => draft.cuts.extend(walked.cuts_of(child, None)),
                true if found.element.is_none() => {
                    let member = members.find(|entry| entry.value.start == at.start);
                    gone.extend(member.map(|entry| entry.key.start - 1..at.end));
                }
                true => gone.push(at),
                false if reasons => members::shell(walked, record, child, draft),
                false => self.leave_seals([child], draft),
            }
        }
        with_commas(record, &mut gone);
        draft.cuts.append(&mut gone);
        draft.cuts[own..].sort_by_key(|cut| cut.start);
    }

    /// Adds the marks and instructions of a message.
    fn marks(&self, node: u32, draft: &mut Draft) {
        let (walked, record) = (self.walked, self.body.text);
        for child in walked.children(node, Slot::Marks) {
            if let (Some(form), Some(line)) = (self.setup.detail.instructions, self.shape.instruction) {
                draft.shaped.lines.push(line(form, &record[walked.nodes[child as usize].value.clone()]));
            }
            if let Does::Mark(mark) = walked.nodes[child as usize].does {
                let at = walked.nodes[child as usize].value.clone();
                draft.shaped.marks.push((mark, at, walked.literal(child, Slot::System)));
            }
        }
        if let Some(content) = walked.get(node, Slot::List).filter(|_| !draft.shaped.marks.is_empty()) {
            draft.shaped.content = content.value.start + 1..content.value.end - 1;
        }
    }

    /// Adds a block of a message. Where messages are built anew, one that says nothing and has no other members is none.
    pub(super) fn block(&self, node: u32, draft: &mut Draft) {
        let found = &self.walked.nodes[node as usize];
        let silent =
            matches!(found.does, Does::Nothing) && !found.lost && self.walked.unknown_of(node).next().is_none();
        if silent && self.setup.builds() {
            return;
        }
        self.block_of((node, self.kind(node).unwrap_or(Kind::Other)), draft);
    }

    /// Adds a block of this kind.
    pub(super) fn block_of(&self, (node, kind): (u32, Kind), draft: &mut Draft) {
        let walked = self.walked;
        let value = walked.nodes[node as usize].value.clone();
        let text = walked.literal(node, Slot::Text);
        match kind {
            Kind::Text | Kind::Refusal | Kind::Commentary => {
                draft.has.beside_results = true;
                draft.probabilities.extend(probabilities(walked, node).map(|list| (Some(draft.units.len()), list)));
                draft.units.extend(text.map(Stretch::Text));
            }
            Kind::Message => {
                draft.units.extend(text.map(Stretch::Text));
                self.blocks(node, draft);
            }
            Kind::Reasoning(_) | Kind::Sealed(_) => self.reasoning(node, kind, draft),
            Kind::Call | Kind::Result | Kind::Answered | Kind::Hosted => {
                draft.has.tool |= kind != Kind::Result;
                draft.has.results |= kind == Kind::Result;
                draft.units.extend(self.setup.detail.usage.then_some(Stretch::Call(value)));
            }
            Kind::Media | Kind::Other => draft.has.other = true,
            Kind::Step => (),
        }
        if self.setup.detail.members {
            self.node_facts().of_block(node, kind, draft);
        }
    }

    /// A block of reasoning: its texts, or what is signed or encrypted in place of one. A summary has the source of `kind`.
    pub(super) fn reasoning(&self, node: u32, kind: Kind, draft: &mut Draft) {
        let (walked, source) = (self.walked, source(kind));
        let filled = |literal: &Literal| literal.start < literal.end;
        let seal = |slot| walked.literal(node, slot).is_some_and(|literal| filled(&literal));
        let sealed = [Slot::Signature, Slot::Ciphertext, Slot::Seal].into_iter().any(seal);
        draft.shaped.sealed |= sealed;
        let before = draft.units.len();
        draft.units.extend(walked.literal(node, Slot::Text).filter(filled).map(|text| Stretch::Field(source, text)));
        for part in walked.children(node, Slot::List).chain(walked.children(node, Slot::Summary)) {
            let Does::Block(Kind::Reasoning(own)) = walked.nodes[part as usize].does else { continue };
            let own = if own == SUMMARY { source } else { own };
            draft.units.extend(walked.literal(part, Slot::Text).filter(filled).map(|text| Stretch::Field(own, text)));
        }
        if draft.units.len() == before {
            // A block without text is a block, too.
            let value = walked.nodes[node as usize].value.clone();
            draft.units.push(if sealed { Stretch::Opaque(source) } else { Stretch::Deep(source, value) });
        }
    }

    /// Adds a record with a list of items: each run of items by the assistant is one message.
    pub(super) fn items(&mut self, node: u32, input: bool) {
        let (walked, record) = (self.walked, self.body.text);
        let mut open: Option<Box<Draft>> = None;
        let raw = walked.children(node, Slot::List).find_map(|item| raw_text(walked, item));
        // The calls in a response that the provider has answered itself.
        let is_result = |item: &u32| !input && walked.nodes[*item as usize].does == Does::Block(Kind::Result);
        let results = walked.children(node, Slot::List).filter(is_result).map(|item| call_id(walked, record, item));
        let results: HashSet<Option<Cow<'_, [u8]>>> = results.collect();
        // An item of reasoning came before in this run: later items may refer to it by their identifiers.
        let mut follows = false;
        self.record.items.extend(input.then_some(Item::Start));
        self.record.marks.known = true;
        if let (Some(text), true) = (walked.literal(node, Slot::Input), input) {
            self.asked(text);
        }
        for child in walked.children(node, Slot::List) {
            let at = walked.place(child);
            let kind = match walked.nodes[child as usize].does {
                Does::Block(kind) => kind,
                // An output that builds messages anew counts an item of an unknown kind as lost.
                _ if self.setup.detail.members => Kind::Other,
                _ => {
                    self.record.items.extend(at.map(Item::Kept));
                    continue;
                }
            };
            let kind = match kind {
                // In a response, a result is that of a tool that the provider ran.
                Kind::Result if !input => Kind::Hosted,
                Kind::Call if results.contains(&call_id(walked, record, child)) => Kind::Hosted,
                // A summary is a copy only beside the raw text of the same item.
                Kind::Reasoning(SUMMARY) if raw_text(walked, child).is_none() => {
                    Kind::Reasoning(raw.unwrap_or(SUMMARY))
                }
                kind => kind,
            };
            let object = walked.nodes[child as usize].value.clone();
            if !self.is_models(child, kind) {
                self.finish_run(&mut open, input);
                follows = false;
                let mut draft = self.record.draft();
                draft.role = if kind == Kind::Result { Some(Role::Tool) } else { role_of(walked, record, child) };
                (draft.has.content, draft.object) = (true, object);
                draft.shaped.items.extend(at.map(|at| (false, at)));
                self.block_of((child, kind), &mut draft);
                self.record.items.push(Item::Message(draft));
                continue;
            }
            let draft = open.get_or_insert_with(|| self.models(object.clone()));
            let reasoning = kind.is_reasoning();
            self.block_of((child, kind), draft);
            if !reasoning {
                self.leave_seals([child], draft);
            }
            draft.shaped.items.extend(at.map(|at| (reasoning, at)));
            if let Some(id) = walked
                .get(child, Slot::Id)
                .filter(|_| input && follows && self.shape.follow.drop_ids && names_itself(kind))
            {
                draft.cut_members(record, vec![members::of_entry(id)]);
            }
            follows |= reasoning;
        }
        if !input {
            // A response without items is a message, too.
            open.get_or_insert_with(|| self.models(0..0));
        }
        if let (Some(usage), true, Some(draft)) = (walked.get(node, Slot::Usage), self.setup.detail.usage, &mut open) {
            draft.logged = logged(&record[usage.value.clone()]);
        }
        if let (true, Some(draft)) = (self.setup.detail.members && !input, &mut open) {
            self.node_facts().of_message(node, draft);
        }
        if !input {
            self.record.id = walked.literal(node, Slot::Id);
        }
        self.finish_run(&mut open, input);
        self.record.items.extend(input.then_some(Item::End));
    }

    /// Adds the text of the user that stands in place of a list of items, or beside its answer.
    pub(super) fn asked(&mut self, text: Literal) {
        self.said(Role::User, text);
    }

    /// Adds a text by this role, as a message.
    pub(super) fn said(&mut self, role: Role, text: Literal) {
        let mut draft = self.record.draft();
        (draft.role, draft.has.content, draft.has.beside_results) = (Some(role), true, true);
        draft.units.push(Stretch::Text(text));
        self.record.items.push(Item::Message(draft));
    }

    /// An empty message of the assistant.
    fn models(&mut self, object: Range<usize>) -> Box<Draft> {
        let mut draft = self.record.draft();
        (draft.role, draft.has.content, draft.delta.payload) = (Some(Role::Assistant), true, true);
        draft.object = object;
        draft
    }

    /// Ends the open run of items as a message.
    fn finish_run(&mut self, open: &mut Option<Box<Draft>>, input: bool) {
        if let Some(draft) = open.take() {
            self.record.items.push(if input { Item::Message(draft) } else { Item::Choice(draft) });
        }
    }

    /// Makes the draft of an item that is a record by itself.
    pub(super) fn draft_of_item(&mut self, node: u32, kind: Kind) -> Box<Draft> {
        let (walked, record) = (self.walked, self.body.text);
        let mut draft = self.models(walked.nodes[node as usize].value.clone());
        if !self.is_models(node, kind) {
            draft.role = if kind == Kind::Result { Some(Role::Tool) } else { role_of(walked, record, node) };
        }
        self.block(node, &mut draft);
        draft
    }

    /// Whether an item is by the assistant.
    fn is_models(&self, node: u32, kind: Kind) -> bool {
        match kind {
            Kind::Result => false,
            Kind::Message => matches!(role_of(self.walked, self.body.text, node), None | Some(Role::Assistant)),
            _ => true,
        }
    }

    /// Of what kind a block is.
    pub(super) fn kind(&self, node: u32) -> Option<Kind> {
        match self.walked.nodes[node as usize].does {
            Does::Block(kind) => Some(kind),
            _ => None,
        }
    }
}

/// The identifier of the call that an item is, or answers, if it has one.
fn call_id<'r>(walked: &Walked, record: &'r [u8], item: u32) -> Option<Cow<'r, [u8]>> {
    walked.get(item, Slot::CallId).map(|entry| entry.plain(record))
}

/// Whether an item's identifier may be cut after its reasoning is gone: no other item refers to it.
pub(super) fn names_itself(kind: Kind) -> bool {
    matches!(kind, Kind::Message | Kind::Call | Kind::Answered | Kind::Hosted)
}

/// The source of reasoning.
pub(super) fn source(kind: Kind) -> Source {
    match kind {
        Kind::Reasoning(source) | Kind::Sealed(source) => source,
        _ => "",
    }
}

/// Summaries and raw texts of a block count their parts apart.
pub(super) fn is_summary(kind: Kind) -> bool {
    source(kind) == SUMMARY
}
