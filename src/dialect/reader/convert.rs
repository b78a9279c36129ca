//! Conversion by edits: a record becomes one of another dialect of the same family.

use super::{CHUNKS, JsonReader};
use crate::dialect::draft::{Item, Record};
use crate::dialect::formats::chat::patch::{self, Context, Delta, UNSUPPORTED};
use crate::dialect::stream::Outside;
use crate::error::Error;
use crate::frame::Body;
use crate::model::{Event, Facts, Sink, Wants};
use std::borrow::Cow;

impl JsonReader<'_> {
    /// Sends the edits that make a record one of another dialect.
    pub(super) fn convert(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) -> Result<Facts, Error> {
        let Self { tags, rows, options, edited, notes, deltas, room, .. } = self;
        let mut facts = Facts { payload: true, ..Facts::default() };
        let Some(target) = options.in_place() else { return Ok(facts) };
        let mut context = Context { body, tags, rows: *rows, inline: options.inline, notes };
        let mut plan = patch::record(&mut context, &room.chat, record, target)?;
        for (i, item) in record.items.iter().enumerate() {
            facts.dialect = facts.dialect.or_else(|| Some(record.dialect()));
            let (Item::Delta(draft) | Item::Chunk(draft)) = item else {
                facts.messages += u64::from(matches!(item, Item::Message(_) | Item::Choice(_)));
                if matches!(item, Item::ChunksEnd) {
                    edited.end(CHUNKS, &mut deltas.delta_sink(sink), context.notes);
                }
                continue;
            };
            let chunk = matches!(item, Item::Chunk(_));
            facts.stream |= !chunk;
            let last = matches!(record.items.get(i + 1), Some(Item::ChunksEnd));
            let id = if chunk { Some(Cow::Borrowed(CHUNKS)) } else { record.id(body.text) };
            let delta = Delta { id: id.as_deref(), draft, last };
            deltas.delta(&mut context, &delta, target, &mut plan)?;
            // A delta that is refused is read too: a block that it opens goes on in the next deltas.
            let out = Outside { body, wants: Wants::default(), sink: &mut *sink, notes: &mut *context.notes };
            deltas.read(edited, &delta, &mut facts, out);
        }
        if let Some((at, _)) = plan.unsupported.first().filter(|_| !target.supports(record, &plan)) {
            plan.unsupported.iter().for_each(|(_, loss)| sink.event(&Event::Loss(*loss)));
            return Err(Error::new(*at, UNSUPPORTED));
        }
        patch::send(&plan, sink);
        Ok(facts)
    }
}
