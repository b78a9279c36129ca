//! The tool calls of a message.

use super::*;

impl Drafts<'_> {
    /// Reads the tool calls of a message: a list, or one call in an object.
    pub(super) fn calls(&mut self, draft: &mut Draft, entry: &Entry) {
        self.walked.nodes_in(entry).for_each(|node| self.call(draft, node));
        draft.delta.payload |= draft.calls(self.text, &entry.value, self.detail);
    }

    /// Reads a tool call. An object in it may hold the signature of the reasoning before it.
    fn call(&mut self, draft: &mut Draft, node: u32) {
        let (rest, before, walked) = (self.record.rest.len(), draft.units.len(), self.walked);
        if !self.is_object(node) {
            return;
        }
        for entry in walked.all_of(node) {
            match entry.slot {
                Slot::Copies => self.copies(draft, entry),
                Slot::Function | Slot::Called => {
                    walked.all_of(entry.first_node).for_each(|entry| self.of_call(entry));
                }
                _ => self.of_call(entry),
            }
        }
        if self.record.rest.len() > rest && draft.units.len() == before {
            // The keys of the call decide which of its members are arguments.
            self.search_whole(rest, node, false);
        }
    }

    /// Notes a member of a call that is to be searched. Whatever its name looks like, it is no text.
    fn of_call(&mut self, entry: &Entry) {
        if entry.slot != Slot::Name {
            self.unread(entry, false);
        }
    }
}
