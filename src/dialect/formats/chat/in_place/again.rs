//! The edits of a delta, made again in the next one, if that differs from it in nothing but its text.
//!
//! Where reasoning goes into a field or into blocks, no edit of a delta depends on its text. Between delimiters, the text
//! must hold none; the rest is as it was. What a text of the answer becomes is decided as it is for the first one, by the pieces
//! that are read of it: only what it waits with is made again.

use super::buffered::BufferedDelta;
use super::delimiters::behind;
use super::deltas::DeltaRewriter;
use super::edits::{Plan, RangeEdits, move_edits};
use super::{ConversionTarget, edits};
use crate::frame::Body;
use crate::model::{Loss, Losses, Sink};
use crate::span::Span;
use std::ops::Range;

/// The edits of the last delta.
#[derive(Debug)]
pub(in crate::dialect) struct LastEdits {
    edits: RangeEdits,
    /// What each of the records loses.
    losses: Losses,
    /// What its text waits with, if it has one that is no reasoning.
    text: Option<BufferedDelta>,
    /// Where the record begins in the input.
    base: u64,
}

impl LastEdits {
    /// The edits that a record was given, if they may be made again: in a payload of one piece, without a loss that depends
    /// on its text. `deltas` has converted it.
    pub fn of(
        body: &Body<'_>,
        Plan { edits, losses, unsupported, .. }: Plan,
        deltas: &mut DeltaRewriter,
    ) -> Option<Self> {
        let text = deltas.last_text.take();
        let alike = losses.list().iter().all(|lost| matches!(lost.loss, Loss::Copy | Loss::Extra));
        let again = body.is_one_line() && alike && unsupported.is_empty();
        again.then(|| Self { edits, losses, text, base: body.offset(0) })
    }

    /// Whether they are those of a text that is no reasoning.
    pub fn are_of_text(&self) -> bool {
        self.text.is_some()
    }

    /// Moves them to the next record. `moved`: where a place of the last record is in that one.
    pub fn move_to(&mut self, body: &Body<'_>, moved: impl Fn(usize) -> usize) {
        let (old, new) = (std::mem::replace(&mut self.base, body.offset(0)), body.offset(0));
        let place = |at: u64| new + moved((at - old) as usize) as u64;
        let shift = |span: &mut Span| *span = Span::new(place(span.start), place(span.end));
        self.losses.shift(place);
        move_edits(&mut self.edits, &shift);
        self.text.iter_mut().for_each(|text| text.shift(&shift));
    }

    /// Sends them.
    pub fn send(&self, sink: &mut dyn Sink) {
        edits::send(&self.edits, sink);
        self.losses.send(sink);
    }
}

impl DeltaRewriter {
    /// The text of a record to which these edits were moved waits as that of the last one.
    pub fn wait_again(&mut self, last: &LastEdits) {
        last.text.iter().for_each(|text| self.buffer(text.clone()));
    }

    /// Whether a delta of reasoning with this text, which stands in `object`, can be written between delimiters as the last one
    /// was, with nothing but its text exchanged. If so, it counts as written.
    pub fn goes_on(
        &mut self,
        body: &Body<'_>,
        (object, plain): (Range<usize>, &[u8]),
        target: &ConversionTarget,
    ) -> bool {
        let Some(open) = self.going_on.as_ref().and_then(|name| self.open.get_mut(name)) else { return false };
        if behind(&mut open.tail, plain, target, false).is_some() {
            return false;
        }
        open.around.0.clear();
        open.around.0.extend_from_slice(&body.text[..object.start]);
        open.around.1.clear();
        open.around.1.extend_from_slice(&body.text[object.end..]);
        true
    }
}
