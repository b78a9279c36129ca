//! The tool calls of a message.

use super::*;
use crate::dialect::formats::shared::is_blank;

impl Drafts<'_> {
    /// Reads the tool calls of a message: a list, or one call in an object.
    pub(super) fn calls(&mut self, draft: &mut Draft, entry: &Entry) {
        if matches!(entry.token, Token::ObjectStart | Token::ArrayStart) {
            self.walked.nodes_in(entry).for_each(|node| self.call(draft, node));
        }
        let at = entry.value.clone();
        let some = is_filled(&self.text[at.clone()]) && !is_blank(self.text, at.start);
        draft.has.tool |= some;
        draft.delta.payload |= some;
        if some && self.detail.usage {
            draft.units.push(Unit::Call(at));
        }
    }

    /// Reads a tool call. An object in it may hold the signature of the reasoning before it.
    fn call(&mut self, draft: &mut Draft, node: u32) {
        let (rest, before, walked) = (self.record.rest.len(), draft.units.len(), self.walked);
        for entry in walked.all_of(node) {
            match entry.slot {
                Slot::Copies => self.copies(draft, entry),
                Slot::Function => {
                    for entry in walked.all_of(entry.first_node) {
                        self.rest(Some(entry.key), entry.token, entry.value.start, false);
                    }
                }
                _ => self.rest(Some(entry.key), entry.token, entry.value.start, false),
            }
        }
        if self.record.rest.len() > rest && draft.units.len() == before {
            // The keys of the call decide which of its members are arguments, so that it is searched as a whole.
            self.record.rest.truncate(rest);
            self.rest(None, Token::ObjectStart, walked.nodes[node as usize].value.start, false);
        }
    }
}
