//! Sections that `--redact` empties in reasoning that stays. If the reasoning goes, they go with it.

use super::*;

impl Splice {
    /// Notes a section. `verdict`: that on the reasoning around it.
    pub(super) fn redacted(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        let sealed = u64::from(piece.whole);
        let ticket = match verdict {
            Verdict::Drop => return,
            Verdict::Keep => {
                self.stats.sealed += sealed;
                None
            }
            Verdict::Hold(ticket) => {
                self.decisions.seal(ticket, sealed);
                Some(ticket)
            }
        };
        let filled = piece.at.iter().filter(|span| !span.is_empty());
        filled.for_each(|span| self.edit(*span, Act::Redacted(ticket)));
    }

    /// Whether the section with this decision is emptied; false while the decision is open.
    pub(super) fn empties(&self, ticket: Option<Ticket>) -> bool {
        ticket.is_none_or(|ticket| self.decisions.goes(Some(ticket)) == Some(false))
    }

    /// Leaves out the bytes of a section. They are counted apart from removed blocks.
    pub(super) fn empty(&mut self, at: Span, source: SourceBytes<'_>, sinks: &mut Sinks) {
        if at.end > self.cursor {
            self.copy_to(at.start, source, sinks);
            self.stats.emptied += at.end - self.cursor;
            self.pass(at.end, sinks);
        }
    }
}
