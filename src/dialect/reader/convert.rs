//! Conversion by edits: a record becomes one of another dialect of the same family.

use super::JsonReader;
use super::options::Setup;
use crate::dialect::draft::{Item, Record};
use crate::dialect::formats::chat::patch::{self, Context, Delta, DeltaRewriter, UNSUPPORTED};
use crate::dialect::inline_text::Noted;
use crate::dialect::read::Walked;
use crate::dialect::stream::{Outside, ResponseKey, Streams};
use crate::error::Error;
use crate::frame::Body;
use crate::model::{Facts, Losses, Sink, Wants};

/// Edits records of the chat family in place.
pub(super) struct Editor {
    /// The streams whose deltas are edited. Their events are for `deltas`, not for the output.
    pub streams: Streams,
    pub deltas: DeltaRewriter,
}

impl JsonReader {
    /// Sends the edits that make a record one of another dialect.
    pub(super) fn convert(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) -> Result<Facts, Error> {
        self.editor.convert((&self.setup, body), (record, &self.chat), &mut self.sender.notes, sink)
    }
}

impl Editor {
    fn convert(
        &mut self,
        (setup, body): (&Setup, &Body<'_>),
        (record, walked): (&Record, &Walked),
        notes: &mut Vec<Noted>,
        sink: &mut dyn Sink,
    ) -> Result<Facts, Error> {
        let Self { streams, deltas } = self;
        let mut facts = Facts { payload: true, ..Facts::default() };
        let Some(target) = setup.options.in_place() else { return Ok(facts) };
        let mut context = Context { body, tags: &setup.tags, rows: setup.rows, inline: setup.options.inline, notes };
        let mut plan = patch::record(&mut context, walked, record, target, &mut deltas.numbers)?;
        for (i, item) in record.items.iter().enumerate() {
            facts.dialect = facts.dialect.or_else(|| Some(record.dialect()));
            let (Item::Delta(draft) | Item::Chunk(draft)) = item else {
                facts.messages += u64::from(matches!(item, Item::Message(_) | Item::Choice(_)));
                if matches!(item, Item::ChunksEnd) {
                    streams.end_chunks(&mut deltas.delta_sink(sink), context.notes);
                }
                continue;
            };
            let chunk = matches!(item, Item::Chunk(_));
            facts.stream |= !chunk;
            let last = matches!(record.items.get(i + 1), Some(Item::ChunksEnd));
            let id = record.id(body.text);
            let key = if chunk { Some(ResponseKey::Chunks) } else { id.as_deref().map(ResponseKey::Named) };
            let delta = Delta { key, draft, last };
            plan.losses.of_message(Some(body.offset(draft.object.start)), deltas.current);
            let before = plan.losses.len();
            deltas.delta(&mut context, &delta, target, &mut plan)?;
            // A delta that is refused is read too: a block that it opens goes on in the next deltas.
            let out =
                Outside { body, wants: Wants::default(), sink: &mut *sink, notes: &mut *context.notes, origins: None };
            deltas.read(streams, &delta, &mut facts, out);
            // A delta that begins a message was converted before it was read.
            plan.losses.assign(before, deltas.current);
        }
        if let Some((at, _)) = plan.unsupported.first().filter(|_| !target.supports(record, &plan)) {
            let mut losses = Losses::default();
            plan.unsupported.iter().for_each(|(at, loss)| losses.push_at(Some(body.offset(*at)), *loss));
            losses.send(sink);
            return Err(Error::new(*at, UNSUPPORTED));
        }
        patch::send(&plan, sink);
        Ok(facts)
    }
}
