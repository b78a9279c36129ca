//! Events that only say more of the answer: each has the edits of the last one that was read, moved by the length of its text.

use super::compact::MAX_JOINED_BYTES;
use super::{Act, CutWhen, Splice, WaitingFrame};
use crate::out::{FrameStatus, MoreText};
use crate::span::Span;

/// An edit of such an event, by the place of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventEdit {
    /// It stands behind the text, and is measured from the end of it; else from the beginning of the frame.
    behind: bool,
    from: u64,
    to: u64,
    act: Act,
}

impl Splice {
    /// Adds a frame to the last one, whose edits it would have, too. Returns whether that can be done.
    pub(super) fn says_more(&mut self, frame: Span, more: &MoreText<'_>) -> bool {
        if self.edits.unsorted {
            return false;
        }
        if self.event_edits.is_none() {
            self.event_edits = self.edits_again(more.last);
        }
        let Some(edits) = &self.event_edits else { return false };
        let Some(WaitingFrame { placed, emptied: CutWhen::Never, frames, .. }) = self.frames.queue.back_mut() else {
            return false;
        };
        if placed.span.end != frame.start || frame.end - placed.span.start > MAX_JOINED_BYTES {
            return false;
        }
        placed.span.end = frame.end;
        *frames += 1;
        for edit in edits {
            let base = if edit.behind { more.at.end } else { frame.start };
            self.edits.list.push(super::Edit { span: Span::new(base + edit.from, base + edit.to), act: edit.act });
        }
        self.join(more.lane, more.text);
        true
    }

    /// The edits of the last frame but for that of its text, if it is an event that says some of an answer. `text`: where that
    /// stands in the frame, if nothing else differs in the next event.
    fn edits_again(&self, text: Option<Span>) -> Option<Vec<EventEdit>> {
        let WaitingFrame { placed, frames: 1, .. } = self.frames.queue.back()? else { return None };
        let event = placed.fate == FrameStatus::Record && placed.facts.stream;
        let (frame, edits) = (placed.span, &self.edits.list[self.edits.done..]);
        let own = &edits[edits.partition_point(|edit| edit.span.start < frame.start)..];
        if !event || !own.iter().any(|edit| matches!(edit.act, Act::Visible)) {
            return None;
        }
        let text = text.map(|text| Span::new(frame.start + text.start, frame.start + text.end));
        let others = own.iter().filter(|edit| !matches!(edit.act, Act::Visible));
        others
            .map(|edit| {
                let (Span { start, end }, act, text) = (edit.span, edit.act, text?);
                let behind = start >= text.end;
                let moves = matches!(act, Act::Cut | Act::Pending(_) | Act::Number(_)) && (behind || end <= text.start);
                let base = if behind { text.end } else { frame.start };
                moves.then(|| EventEdit { behind, from: start - base, to: end - base, act })
            })
            .collect()
    }
}
