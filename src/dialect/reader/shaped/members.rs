//! Members of a message or a block that are reasoning, and go by themselves.

use super::NodeReader;
use super::facts::NodeFacts;
use super::values::probabilities;
use crate::dialect::draft::{Draft, Fact, FactKind, Stretch};
use crate::dialect::formats::shared::signs_call;
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Does, Kind, Shape, Slot};
use crate::json::{Token, members, with_commas};
use crate::model::content::Attribute;
use crate::model::{Loss, Source};
use std::ops::Range;

/// Adds reasoning that stands in members of the message itself, and then its texts. `facts`: with what stands beside the
/// texts. Returns the members that go.
pub(super) fn of_message(
    (walked, shape): (&Walked, &Shape),
    record: &[u8],
    (node, facts): (u32, bool),
    draft: &mut Draft,
) -> Vec<Range<usize>> {
    let mut gone = Vec::new();
    for entry in walked.all(node, Slot::Thought) {
        let Some(unit) = thought(shape, record, entry) else { continue };
        match unit {
            Stretch::Deep(source, _) if facts && walked.nodes_in(entry).next().is_some() => {
                let node_facts = NodeFacts { shape, walked, record };
                for element in walked.nodes_in(entry) {
                    draft.units.push(Stretch::Deep(source, walked.nodes[element as usize].value.clone()));
                    node_facts.headings(element, false, draft.units.len(), &mut draft.facts);
                }
            }
            unit => draft.units.push(unit),
        }
        gone.push(of_entry(entry));
    }
    for entry in walked.all(node, Slot::Shadow) {
        draft.units.push(Stretch::Void(MEMBER));
        gone.push(of_entry(entry));
    }
    // Its tokens stand among those of the answer.
    let is_reasoning =
        |block: u32| matches!(walked.nodes[block as usize].does, Does::Block(kind) if kind.is_reasoning());
    let reasons = !gone.is_empty() || walked.children(node, Slot::List).any(is_reasoning);
    for entry in walked.all(node, Slot::Probabilities) {
        match (reasons, entry.token) {
            (true, _) => {
                draft.units.push(Stretch::Void(MEMBER));
                gone.push(of_entry(entry));
            }
            (false, Token::ArrayStart) => {
                draft.probabilities.extend(probabilities(walked, node).map(|list| (None, list)))
            }
            _ => (),
        }
    }
    for text in walked.all(node, Slot::Text).filter_map(Entry::literal) {
        draft.has.beside_results = true;
        draft.units.push(Stretch::Text(text));
    }
    gone
}

/// The range of a member, from its key on.
pub(super) fn of_entry(entry: &Entry) -> Range<usize> {
    // In a pair, the value may stand before the key.
    (entry.key.start - 1).min(entry.value.start)..entry.value.end.max(entry.key.end + 1)
}

/// The reasoning in a member. None if it says that there is none by a value that stays.
pub(super) fn thought(shape: &Shape, record: &[u8], entry: &Entry) -> Option<Stretch> {
    let key = shape.keys.iter().find(|key| entry.key.is(record, key)).copied().unwrap_or(MEMBER);
    match entry.token {
        Token::True | Token::False | Token::Number => None,
        Token::String(text) if text.start == text.end => Some(Stretch::Void(key)),
        token => Some(Stretch::of_value(key, (token, &entry.value), record)),
    }
}

/// The source of reasoning in a member of a message.
const MEMBER: Source = "part";

/// FactKind a block of reasoning says, if the block itself stays: its text becomes empty, and so do lists of its parts;
/// what seals it goes.
pub(super) fn shell(walked: &Walked, record: &[u8], node: u32, draft: &mut Draft) {
    let (mut said, mut gone) = (Vec::new(), Vec::new());
    for entry in walked.all_of(node) {
        match entry.slot {
            Slot::Text | Slot::List | Slot::Summary => said.push(entry.value.start + 1..entry.value.end - 1),
            Slot::Signature | Slot::Ciphertext | Slot::Seal | Slot::Shadow => {
                gone.push(of_entry(entry));
            }
            _ => (),
        }
    }
    gone.sort_unstable_by_key(|at| at.start);
    with_commas(record, &mut gone);
    said.append(&mut gone);
    said.retain(|cut| !cut.is_empty());
    said.sort_unstable_by_key(|at| at.start);
    draft.cuts.append(&mut said);
}

impl NodeReader<'_> {
    /// Signatures of reasoning on nodes that are none.
    pub(super) fn leave_seals(&self, nodes: impl IntoIterator<Item = u32>, draft: &mut Draft) {
        let gone = self.left_seals(nodes, draft);
        draft.cut_members(self.body.text, gone);
    }

    /// The same. Returns the members that go.
    pub(super) fn left_seals(&self, nodes: impl IntoIterator<Item = u32>, draft: &mut Draft) -> Vec<Range<usize>> {
        let all = nodes.into_iter().flat_map(|node| self.walked.all(node, Slot::Seal));
        let mut gone = Vec::new();
        for entry in all {
            let at = of_entry(entry);
            // A member of a scattered node brings its comma.
            let cut = self.walked.cuts_of(entry.node, Some(entry.key.start - 1)).next();
            let goes = self.seal(entry, cut.clone().unwrap_or(at.clone()), draft);
            match cut.filter(|_| goes) {
                Some(cut) => draft.cuts.push(cut),
                None => gone.extend(goes.then_some(at)),
            }
        }
        gone
    }

    /// A signature in this member, which goes with these bytes. Messages that are built anew have no place for it, and it
    /// is no block of them. Returns whether it is cut with the reasoning.
    fn seal(&self, entry: &Entry, goes: Range<usize>, draft: &mut Draft) -> bool {
        if !self.setup.builds() {
            return draft.seal(self.setup.detail.seals, MEMBER, goes);
        }
        // That of a call is one of its facts.
        let call = matches!(self.walked.nodes[entry.node as usize].does, Does::Block(Kind::Call | Kind::Answered));
        if call && signs_call(self.body.text, entry) {
            return true;
        }
        if entry.literal().is_none_or(|seal| seal.start < seal.end) {
            let what = FactKind::Set(Attribute::Lost(Loss::Signature));
            draft.facts.push(Fact { after: draft.units.len(), block: None, what, at: of_entry(entry) });
        }
        true
    }

    /// Adds the signature of a block that is nothing else: such a block goes whole. Beside an empty text only the signature
    /// goes, since clients look for the text; messages that are built anew have no place for an empty one. Returns whether
    /// the node is such a block, and if so, whether it is cut with the reasoning.
    pub(super) fn bare_seal(&self, node: u32, draft: &mut Draft) -> Option<bool> {
        let (walked, record) = (self.walked, self.body.text);
        let entry = walked.get(node, Slot::Seal)?;
        let builds = self.setup.builds();
        let bare = |entry: &Entry| entry.slot == Slot::Seal || builds && entry.slot == Slot::Text && entry.is_empty();
        let known = walked.all_of(node).count();
        let value = walked.nodes[node as usize].value.clone();
        let is_bare = walked.all_of(node).all(bare) && members(record, value.start).count() == known;
        is_bare.then(|| self.seal(entry, value, draft))
    }
}
