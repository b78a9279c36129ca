//! The tool calls of a message.

use super::*;
use crate::dialect::shape::{To, bit};

impl Drafts<'_> {
    /// Reads the tool calls of a message: a list, or one call in an object.
    pub(super) fn calls(&mut self, draft: &mut Draft, entry: &Entry) {
        match entry.token {
            Token::ObjectStart | Token::ArrayStart => {
                self.walked.nodes_in(entry).for_each(|node| self.call(draft, node));
            }
            token => self.rest(Some(entry.key), token, entry.value.start, false),
        }
        draft.delta.payload |= draft.calls(self.text, &entry.value, self.detail);
    }

    /// Reads a tool call. An object in it may hold the signature of the reasoning before it.
    fn call(&mut self, draft: &mut Draft, node: u32) {
        let (rest, before, walked) = (self.record.rest.len(), draft.units.len(), self.walked);
        let (token, at) = self.element(node);
        if token != Token::ObjectStart {
            return self.rest(None, token, at.start, false);
        }
        for entry in walked.all_of(node) {
            match entry.slot {
                Slot::Copies => self.copies(draft, entry),
                Slot::Function => walked.all_of(entry.first_node).for_each(|entry| self.of_call(entry)),
                _ => self.of_call(entry),
            }
        }
        if self.record.rest.len() > rest && draft.units.len() == before {
            // The keys of the call decide which of its members are arguments, so that it is searched as a whole.
            self.record.rest.truncate(rest);
            self.rest(None, Token::ObjectStart, walked.nodes[node as usize].value.start, false);
        }
    }

    /// Notes a member of a call, unless it is ignored. What is searched does not depend on the output.
    fn of_call(&mut self, entry: &Entry) {
        let key = entry.key.decoded(self.text);
        let found = states::CALL.find(&key, bit(entry.token), self.rows, |_| false);
        if !found.is_some_and(|found| matches!(found.to, To::Pass)) {
            self.rest(Some(entry.key), entry.token, entry.value.start, false);
        }
    }
}
