//! Sections of the reasoning in the fields of a whole message: `--redact` empties them, and the rest stays.

use super::Sender;
use crate::dialect::draft::{Draft, Stretch};
use crate::dialect::redact::FieldSections;
use crate::frame::Body;
use crate::model::{Event, Lane, Piece, PieceKind, Sink};
use crate::span::Span;

impl Sender {
    /// Sends the bytes in such sections. A signed block cannot lose a part: then all reasoning of the message goes, and
    /// the piece is `whole`.
    pub(super) fn redact(&mut self, body: &Body<'_>, draft: &Draft, lane: Lane, sink: &mut dyn Sink) {
        let Some(tags) = self.setup.tags.redactions() else { return };
        let mut found: Vec<Span> = Vec::new();
        for unit in &draft.units {
            let (_, literals) = unit.reasoning(body.text).unwrap_or_default();
            for literal in literals {
                let mut field = FieldSections::new(tags);
                field.feed(body, literal, &mut self.scratch, &mut |at| found.extend_from_slice(at));
                field.finish(&mut |at| found.extend_from_slice(at));
            }
        }
        let sealed = |unit: &Stretch| unit.is_sealed(body.text);
        let whole = !found.is_empty() && (draft.shaped.sealed || draft.units.iter().any(sealed));
        if whole {
            found = draft.cuts.iter().map(|cut| body.span(cut.clone())).collect();
        }
        found.sort_unstable_by_key(|at| at.start);
        let at = found.as_slice();
        if whole || !at.is_empty() {
            let kind = PieceKind::Redacted;
            sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text: b"", escaped: false, whole, at }));
        }
    }
}
