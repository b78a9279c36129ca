//! Calls that stand beside the text of a message; messages whose text is one block, a call with the name of the tool in
//! it or the result of one; and messages by someone whose role is not known.

use super::NodeReader;
use crate::dialect::draft::{Detail, Draft, Fact, FactKind, Item, Stretch};
use crate::dialect::read::{Entry, Node, Walked};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::json::Token;
use crate::model::content::{self, Attribute};
use crate::model::{Loss, Role};
use std::borrow::Cow;
use std::iter::Peekable;

/// Makes the texts of a message a call, or the result of one.
pub(super) fn of_turn(kind: Kind, detail: Detail, (name, failed): (Option<&Entry>, Option<&Entry>), draft: &mut Draft) {
    if kind == Kind::Call {
        draft.has.tool = true;
        draft.units.retain_mut(|unit| {
            let Stretch::Text(text) = unit else { return true };
            *unit = Stretch::Call(text.start - 1..text.end + 1);
            detail.usage
        });
    }
    if detail.members {
        facts(kind, (name, failed), draft);
    }
}

/// Adds the facts of such a message. The result of a call may be empty.
fn facts(kind: Kind, (name, failed): (Option<&Entry>, Option<&Entry>), draft: &mut Draft) {
    let says = |entry: &&Entry| entry.literal().is_some() || entry.token == Token::True;
    let failed = failed.filter(|entry| kind == Kind::Result && says(entry));
    if kind == Kind::Result && !draft.units.iter().any(|unit| matches!(unit, Stretch::Text(_))) {
        let (after, block) = (draft.units.len(), Some(0));
        draft.facts.push(Fact { after, block, what: FactKind::Block(content::Other::Result), at: 0..0 });
        draft.facts.extend(failed.map(|entry| Fact { after, block, what: FactKind::Failed, at: entry.value.clone() }));
    }
    for (after, unit) in draft.units.iter().enumerate() {
        let at = match unit {
            Stretch::Call(at) => at.clone(),
            Stretch::Text(text) => text.start - 1..text.end + 1,
            _ => continue,
        };
        let fact = |what, at| Fact { after, block: Some(after as u32), what, at };
        let (block, value) = match kind {
            Kind::Call => (content::Other::Call, Attribute::Arguments),
            _ => (content::Other::Result, Attribute::Result),
        };
        draft.facts.push(fact(FactKind::Block(block), at.start..at.start));
        // The text of the call includes its name, unless that stands beside it.
        draft.facts.push(match name.filter(|_| kind == Kind::Call) {
            Some(name) => fact(FactKind::Set(Attribute::Name), name.value.clone()),
            None => fact(FactKind::Set(Attribute::CallText), at.clone()),
        });
        // Without an identifier, it says which of several calls has this result.
        let answers = name.filter(|_| kind == Kind::Result);
        draft.facts.extend(answers.map(|name| fact(FactKind::Set(Attribute::Name), name.value.clone())));
        draft.facts.push(fact(FactKind::Set(value), at));
        draft.facts.extend(failed.map(|entry| fact(FactKind::Failed, entry.value.clone())));
        draft.facts.extend((kind == Kind::Call).then(|| fact(FactKind::Over, 0..0)));
    }
}

/// The text of a stranger is not the model's, and is kept only where messages are written anew.
pub(super) fn of_stranger(detail: Detail, draft: &mut Draft) {
    let spoke = draft.units.iter().any(|unit| matches!(unit, Stretch::Text(_)));
    if detail.members && spoke {
        draft.role = Some(Role::User);
        let what = FactKind::Set(Attribute::Lost(Loss::Agent));
        draft.facts.insert(0, Fact { after: 0, block: None, what, at: draft.object.clone() });
    } else {
        draft.units.retain(|unit| !matches!(unit, Stretch::Text(_)));
        (draft.role, draft.has.content, draft.has.beside_results) = (None, false, false);
    }
}

/// The lists of messages of a node, in their order.
pub(super) struct Lists<'a> {
    record: &'a [u8],
    entries: Peekable<Box<dyn Iterator<Item = &'a Entry> + 'a>>,
    /// Where the list of the last message begins, if it stands in one; and the key of that list.
    last: Option<Option<usize>>,
    key: Option<Cow<'a, [u8]>>,
}

impl<'a> Lists<'a> {
    pub fn new(walked: &'a Walked, record: &'a [u8], node: u32) -> Self {
        let entries: Box<dyn Iterator<Item = &'a Entry> + 'a> = Box::new(walked.all(node, Slot::Messages));
        Self { record, entries: entries.peekable(), last: None, key: None }
    }

    /// Goes on to the next message, whose list begins at `start`. Returns whether it begins another conversation: each list
    /// is one, unless it is one of several with the same key.
    pub fn begins(&mut self, start: Option<usize>) -> bool {
        if self.last == Some(start) {
            return false;
        }
        let mut key = None;
        while let Some(entry) = self.entries.next_if(|entry| Some(entry.value.start) <= start) {
            key = (Some(entry.value.start) == start).then(|| entry.key.decoded(self.record));
        }
        let same = key.is_some() && key == self.key;
        self.key = key;
        self.last.replace(start).is_some() && !same
    }
}

impl NodeReader<'_> {
    /// Adds the calls of tools that stand beside the text of a message.
    pub(super) fn calls_beside(&self, node: u32, draft: &mut Draft) {
        let (walked, detail) = (self.walked, self.setup.detail);
        for calls in walked.all(node, Slot::Calls) {
            draft.calls(self.body.text, &calls.value, detail);
        }
        let is_call = |child: &u32| walked.nodes[*child as usize].does == Does::Block(Kind::Call);
        for child in walked.children(node, Slot::Calls).filter(|child| detail.members && is_call(child)) {
            self.node_facts().of_block(child, Kind::Call, draft);
        }
    }

    /// Adds which call a message answers that is a result as a whole, and the result itself if it is a list of parts.
    pub(super) fn turn_answers(&self, node: u32, kind: Kind, draft: &mut Draft) {
        let call = self.walked.get(node, Slot::ResultOf).filter(|_| kind == Kind::Result);
        let (Some(call), Some(last)) = (call, draft.facts.last()) else { return };
        let (after, block) = (last.after, last.block);
        draft.facts.push(Fact::set(after, block, Attribute::ResultOf, &call.value));
        let parts = self.walked.get(node, Slot::List);
        draft.facts.extend(parts.map(|parts| Fact::set(after, block, Attribute::Result, &parts.value)));
    }

    /// Calls with a block of tags in front of them are read as texts of the model.
    pub(super) fn calls_with_reasoning(&mut self) {
        let walked = self.walked;
        for item in &mut self.record.items {
            let Item::Message(draft) = item else { continue };
            let (start, object) = (draft.object.start, &draft.object);
            // The nodes stand in the order in which they begin.
            let node = walked.nodes.partition_point(|node| node.value.start < start);
            let is_call = |found: &Node| found.value == *object && found.does == Does::Turn(Kind::Call);
            if !walked.nodes.get(node).is_some_and(is_call) {
                continue;
            }
            for entry in walked.all(node as u32, Slot::Text) {
                let Some(text) = entry.literal().filter(|text| self.setup.is_tagged_call(self.body.text, *text)) else {
                    continue;
                };
                draft.units.retain(|unit| !matches!(unit, Stretch::Call(at) if at.start == text.start - 1));
                draft.facts.retain(|fact| fact.at.start != text.start - 1 && fact.what != FactKind::Over);
                draft.units.push(Stretch::Text(text));
            }
        }
    }
}
