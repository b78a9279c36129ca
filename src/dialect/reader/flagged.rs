//! Pieces of a message that say of their text that it is reasoning, which begins and ends with tags in it: without a tag, and
//! outside of a block, nobody knows where it ends.

use super::JsonReader;
use crate::dialect::draft::{Item, Record, Stretch};
use crate::frame::Body;

impl JsonReader {
    /// Where a text begins that a record says this of, if it neither begins with an opening tag nor goes on with a block.
    pub(super) fn thought_without_tags(&self, body: &Body<'_>, record: &Record) -> Option<usize> {
        record.items.iter().find_map(|item| {
            let (Item::Delta(draft) | Item::Chunk(draft)) = item else { return None };
            let thinks = |unit: &Stretch| matches!(unit, Stretch::Field(_, text) if text.start < text.end);
            if !draft.has.tagged || draft.units.iter().any(thinks) {
                return None;
            }
            let mut texts = draft.units.iter().filter_map(Stretch::text);
            let literal = texts.find(|text| !text.decoded(body.text).trim_ascii().is_empty())?;
            let goes_on = || {
                let (id, choice) = (record.id(body.text), draft.delta.index);
                let streams = [&self.sender.streams, &self.editor.streams];
                streams.iter().any(|streams| streams.is_inside(id.as_deref(), choice))
            };
            let known = self.begins_block(literal.decoded(body.text).trim_ascii_start()) || goes_on();
            (!known).then_some(literal.start)
        })
    }

    /// Whether a text begins with an opening tag, or with what may become one.
    fn begins_block(&self, text: &[u8]) -> bool {
        match self.setup.tags.stands(text, 0) {
            Ok(found) => found.is_some_and(|found| found.opens && found.at.start == 0),
            Err(partial) => partial == 0,
        }
    }
}
