//! Puts waiting frames together: frames with the same verdict become one, where thousands wait for a decision of the
//! policy, and where events say more and more of the same reasoning.

use super::{Act, CutWhen, Edit, Splice, WaitingFrame};
use crate::model::Bit;
use crate::out::FrameStatus;
use crate::policy::Ticket;
use crate::span::Span;
use std::borrow::Cow;
use std::collections::VecDeque;

/// How many frames may wait before any are put together.
const MAX_LOOSE_FRAMES: usize = 4096;

/// The largest frame that is made by putting frames together, in bytes, since a frame is written at once.
pub(super) const MAX_JOINED_BYTES: u64 = 1 << 18;

/// What a frame waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameVerdict {
    /// It stays as it is.
    Stays,
    /// It goes whole with this decision. If it stays, sections of it are emptied.
    Goes(Ticket),
}

impl Splice {
    /// Puts frames together that have the same verdict, if many wait. Frames beyond `undecided` are left out.
    pub(super) fn compact(&mut self, undecided: u64) {
        if self.frames.queue.len() < MAX_LOOSE_FRAMES.max(2 * self.frames.compacted)
            || self.edits.unsorted
            || self.frames.behind
        {
            return;
        }
        let (mut frames, mut edits) = (VecDeque::new(), Vec::<Edit>::new());
        // The edit of the frame to which others are added.
        let mut goes_at = 0;
        let mut from = self.edits.done;
        let mut last = None;
        for waiting in std::mem::take(&mut self.frames.queue) {
            let span = waiting.placed.span;
            let count = self.edits.list[from..].iter().take_while(|e| e.span.start < span.end).count();
            let own = &self.edits.list[from..from + count];
            from += count;
            let frame_verdict = frame_verdict(&waiting, own).filter(|_| span.end <= undecided);
            match (frame_verdict, frames.back_mut()) {
                (Some(frame_verdict), Some(WaitingFrame { placed, frames, .. }))
                    if last == Some(frame_verdict)
                        && placed.span.end == span.start
                        && span.end - placed.span.start <= MAX_JOINED_BYTES =>
                {
                    placed.span.end = span.end;
                    *frames += waiting.frames;
                    if let (FrameVerdict::Goes(_), Some(Edit { span, .. })) = (frame_verdict, edits.get_mut(goes_at)) {
                        *span = placed.span;
                        edits.extend(own.iter().filter(is_redacted));
                    }
                    continue;
                }
                (Some(FrameVerdict::Goes(ticket)), _) => {
                    goes_at = edits.len();
                    edits.push(Edit { span, act: Act::Pending(ticket) });
                    edits.extend(own.iter().filter(is_redacted));
                }
                (Some(FrameVerdict::Stays), _) => (),
                (None, _) => edits.extend_from_slice(own),
            }
            frames.push_back(waiting);
            last = frame_verdict;
        }
        edits.extend_from_slice(&self.edits.list[from..]);
        frames.shrink_to_fit();
        edits.shrink_to_fit();
        (self.frames.queue, self.edits.list, self.edits.done) = (frames, edits, 0);
        self.frames.compacted = self.frames.queue.len();
    }
}

impl Splice {
    /// Adds a frame to the last one, whose edits it would have, too. Returns whether that can be done.
    pub(super) fn lengthen(&mut self, frame: Span) -> bool {
        let Some(WaitingFrame { placed, emptied: CutWhen::Never, frames, .. }) = self.frames.queue.back_mut() else {
            return false;
        };
        let event = placed.fate == FrameStatus::Record && placed.facts.stream && !placed.facts.payload;
        let next = placed.span.end == frame.start && frame.end - placed.span.start <= MAX_JOINED_BYTES;
        if !event || !next {
            return false;
        }
        let from = placed.span.start;
        match &mut self.edits.list[self.edits.done..] {
            // Reasoning that stays has no edit. While edits of earlier frames come late, it cannot be told apart.
            [] => (),
            [.., last] if last.span.start < from && self.edits.unsorted => return false,
            [.., last] if last.span.start < from => (),
            edits => {
                let before = edits.iter().rposition(|edit| edit.span.start < from).map_or(0, |at| at + 1);
                let [first, others @ ..] = &mut edits[before..] else { return false };
                let alike = |edit: &Edit| match (first.act, edit.act) {
                    (Act::Cut, Act::Cut) => true,
                    (Act::Pending(ticket), Act::Pending(other)) => ticket == other,
                    _ => false,
                };
                let one = others.is_empty() && matches!(first.act, Act::Cut | Act::Pending(_));
                if !one && (self.edits.unsorted || !others.iter().all(alike)) {
                    return false;
                }
                // The events go or stay as a whole, so that one cut does for all.
                first.span.end = frame.end;
                let kept = self.edits.done + before + 1;
                self.edits.list.truncate(kept);
            }
        }
        placed.span.end = frame.end;
        *frames += 1;
        true
    }
}

impl Splice {
    /// Adds a frame to the last one, which is replaced as a whole: these bytes are put behind those that replace it. Returns whether
    /// that can be done.
    pub(crate) fn puts_more(&mut self, frame: Span, bytes: &[u8]) -> bool {
        let end = self.edits.bits.len();
        let (edits, bits) = (&mut self.edits.list, &mut self.edits.bits);
        let Some(WaitingFrame { placed, emptied: CutWhen::Never, frames, .. }) = self.frames.queue.back_mut() else {
            return false;
        };
        let (Some(edit), Some(Bit::Text(Cow::Owned(text)))) = (edits.last_mut(), bits.last_mut()) else { return false };
        let next = placed.fate == FrameStatus::Record && placed.span.end == frame.start && edit.span == placed.span;
        let last = matches!(edit.act, Act::Replace(_, to) if to == end);
        if !next || !last || self.edits.unsorted || frame.end - placed.span.start > MAX_JOINED_BYTES {
            return false;
        }
        text.extend_from_slice(bytes);
        (placed.span.end, edit.span.end) = (frame.end, frame.end);
        *frames += 1;
        true
    }
}

/// The verdict on a whole frame, if all of its edits have the same one.
fn frame_verdict(waiting: &WaitingFrame, edits: &[Edit]) -> Option<FrameVerdict> {
    let WaitingFrame { placed, emptied: CutWhen::Never, .. } = waiting else { return None };
    let event = placed.fate == FrameStatus::Record && placed.facts.stream;
    match edits {
        edits if event && edits.iter().all(|edit| matches!(edit.act, Act::Visible)) => Some(FrameVerdict::Stays),
        [Edit { act: Act::Pending(ticket), .. }, rest @ ..] if event && !placed.facts.payload => {
            let same = |edit: &Edit| matches!(edit.act, Act::Pending(t) | Act::Redacted(Some(t)) if t == *ticket);
            rest.iter().all(same).then_some(FrameVerdict::Goes(*ticket))
        }
        _ => None,
    }
}

fn is_redacted(edit: &&Edit) -> bool {
    matches!(edit.act, Act::Redacted(_))
}
