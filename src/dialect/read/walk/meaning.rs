//! What a node means: the case of its state that applies to it, and what overrules that.

use super::Walk;
use crate::dialect::formats::shared::role;
use crate::dialect::read::conditions::Conditions;
use crate::dialect::read::walked::Entry;
use crate::dialect::shape::{Case, Does, Kind, Slot, State};
use crate::dialect::suspect;

impl<const ALIKE: bool> Walk<'_, '_, ALIKE> {
    /// The case of a node whose members were walked, and what the node does.
    pub(super) fn meaning(&mut self, state: &'static State, number: u32) -> (Option<&'static Case>, Does) {
        let mut found = self.case(state, number);
        if self.twice.last() == Some(&number) {
            // The nodes inside of this one are closed: theirs are gone from the list.
            while self.twice.pop_if(|node| *node == number).is_some() {}
            found = self.by_last_type(state, number, found);
        }
        let does = found.map_or(Does::Rest, |case| case.does);
        if does.is_spoken() && self.is_marked(number) {
            return (found, Does::Unclear);
        }
        (found, does)
    }

    /// The first case that applies to a node.
    fn case(&self, state: &'static State, number: u32) -> Option<&'static Case> {
        Conditions::new((self.s.text(), self.event), self.out, number).case(state, self.rows)
    }

    /// The case of a node with several types. Some readers take the first type and some the last, so that the node is
    /// reasoning if either makes it so.
    fn by_last_type(
        &mut self,
        state: &'static State,
        number: u32,
        first: Option<&'static Case>,
    ) -> Option<&'static Case> {
        let is_one = |case: &&'static Case| match case.does {
            Does::Sent(step) => step.is_reasoning(),
            Does::Unclear => true,
            does => does.kind().is_some_and(Kind::is_reasoning),
        };
        if first.as_ref().is_some_and(is_one) {
            return first;
        }
        self.out.swap_ends(number, Slot::Type);
        let found = self.case(state, number);
        if found.as_ref().is_some_and(is_one) {
            return found;
        }
        self.out.swap_ends(number, Slot::Type);
        first
    }

    /// Whether a node is marked as reasoning that is read as something else: by a flag, a type or a channel that its
    /// state does not name, or by the name of who speaks.
    fn is_marked(&self, number: u32) -> bool {
        let text = self.s.text();
        let thinks = |entry: &Entry| {
            let word = entry.word(text);
            role(&word).is_none() && suspect::is_kind(&word.to_ascii_lowercase())
        };
        self.out.nodes[number as usize].flagged || self.out.all(number, Slot::Role).any(thinks)
    }
}
