//! Messages that say of their text that it has reasoning, which stands between tags: without a tag nobody knows where.

use super::JsonReader;
use crate::dialect::draft::{Item, Record, Stretch};
use crate::frame::Body;

impl JsonReader {
    /// Whether a record says so of a text that neither begins with an opening tag nor goes on with a block.
    pub(super) fn hides_thought(&self, body: &Body<'_>, record: &Record) -> bool {
        record.items.iter().any(|item| {
            let (draft, delta) = match item {
                Item::Delta(draft) | Item::Chunk(draft) => (draft, true),
                Item::Choice(draft) | Item::Message(draft) => (draft, false),
                _ => return false,
            };
            let thinks = |unit: &Stretch| matches!(unit, Stretch::Field(_, text) if text.start < text.end);
            if !draft.has.tagged || draft.units.iter().any(thinks) {
                return false;
            }
            let texts = draft.units.iter().filter_map(|unit| unit.text()).map(|text| text.decoded(body.text));
            let Some(text) = texts.into_iter().find(|text| !text.trim_ascii().is_empty()) else { return false };
            let goes_on = || {
                let (id, choice) = (record.id(body.text), draft.delta.index);
                let streams = [&self.sender.streams, &self.editor.streams];
                streams.iter().any(|streams| streams.is_inside(id.as_deref(), choice))
            };
            !self.begins_block(text.trim_ascii_start()) && !(delta && goes_on())
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
