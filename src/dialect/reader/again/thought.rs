//! Reasoning that goes on, for an output that writes messages anew: of such events only the text is read.

use super::{JsonReader, NextRecord};
use crate::dialect::draft::{Record, Stretch};
use crate::dialect::stream::ResponseKey;
use crate::json::Literal;
use crate::model::{Lane, Source};

/// A block of reasoning that events say more and more of.
#[derive(Debug)]
pub(super) struct OpenThought {
    lane: Lane,
    source: Source,
    /// The response of the block, if its events name it.
    key: Option<ResponseKey>,
}

impl JsonReader {
    /// The block of reasoning of which the event with these drafts says more, if it does nothing else.
    pub(super) fn thought(&self, record: &Record) -> Option<OpenThought> {
        let event = &self.last_event;
        let reads = self.setup.builds() && !event.edits && event.again.is_set();
        if !reads || self.setup.tags.redactions().is_some() || self.sender.origins.is_some() {
            return None;
        }
        // Blocks get other numbers where they are written.
        let (draft, key) = event.only_draft(record)?;
        let [Stretch::Field(source, _)] = draft.units.as_slice() else { return None };
        let alone = draft.facts.is_empty() && draft.seals.is_empty() && draft.probabilities.is_empty();
        if !alone || draft.has.tool || draft.delta.restated || draft.shaped.apart {
            return None;
        }
        let lane = self.sender.streams.only_lane(key)?;
        Some(OpenThought { lane, source, key: key.map(ResponseKey::owned) })
    }

    /// Whether the last record says more of a block of reasoning, and nothing else, while messages are written anew.
    pub fn may_think_on(&self) -> bool {
        self.last_event.thought.is_some()
    }

    /// Reads the next record if it says more of that block. Returns its length; and the message, the source and the text: nothing
    /// else of it counts.
    #[inline]
    pub fn thinks_on(&mut self, next: &NextRecord<'_>) -> Option<(usize, (Lane, Source, Literal))> {
        let event = &mut self.last_event;
        let thought = event.thought.as_ref()?;
        let len = event.again.read_first(next.bytes).filter(|len| next.ends(*len))?;
        let literal = event.again.text(next.bytes)?;
        event.again.accept();
        (event.thought_on, event.alone) = (true, 0);
        self.sender.streams.thinks_on(thought.key.as_ref());
        Some((len, (thought.lane, thought.source, literal)))
    }
}
