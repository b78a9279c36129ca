//! The losses of a conversion: how many there are of each kind, and where each of them is.

use super::*;
use crate::json::lint;
use crate::model::Lost;
use crate::out::report::quote;

/// A loss that is reported separately.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    /// The record in which it was found.
    record: u64,
    lost: Lost,
}

/// A loss with its place in words.
#[derive(PartialEq, Eq)]
struct Placing {
    record: u64,
    message: Option<u64>,
    pointer: Option<String>,
    offset: Option<u64>,
    loss: Loss,
}

impl Losses {
    /// Follows the frames: elements of a top-level array are numbered from 0.
    pub(super) fn frame(&mut self, fate: Fate) {
        match fate {
            Fate::Element(_) | Fate::BadElement => drop(self.first.get_or_insert(self.record)),
            Fate::Record => self.first = None,
            _ => (),
        }
    }
}

impl Splice {
    /// How often each loss occurred.
    pub fn losses(&self) -> &BTreeMap<Loss, u64> {
        &self.losses.counts
    }

    /// Counts a loss.
    pub(in crate::out) fn lose(&mut self, lost: Lost) {
        *self.losses.counts.entry(lost.loss).or_default() += 1;
        if self.options.each_loss {
            self.losses.told.push_back(Told { record: self.losses.record, lost });
        }
    }

    /// Writes the losses, one line for each kind and place. Those of frames that are not complete wait.
    pub(super) fn write_losses(&mut self, source: Source<'_>, out: &mut Vec<u8>) {
        let end = self.frames.queue.back().map_or(0, |waiting| waiting.placed.span.end);
        let waits = |told: &Told| !self.losses.over && told.lost.at.is_some_and(|at| at >= end);
        let (mut last, mut count): (Option<Placing>, u64) = (None, 0);
        while let Some(told) = self.losses.told.front().copied().filter(|told| !waits(told)) {
            self.losses.told.pop_front();
            let placing = self.place_loss(told, source);
            if last.as_ref() != Some(&placing) {
                self.write_loss(last.replace(placing), std::mem::take(&mut count), out);
            }
            count += 1;
        }
        self.write_loss(last, count, out);
    }

    /// Finds where a loss stands.
    fn place_loss(&self, Told { record, lost }: Told, source: Source<'_>) -> Placing {
        let message = lost.message.filter(|message| message.number > 0).map(|message| message.number);
        let queue = &self.frames.queue;
        let frame = lost.at.and_then(|at| {
            let i = queue.partition_point(|waiting| waiting.placed.span.end <= at);
            let placed = queue.get(i).map(|waiting| waiting.placed);
            placed.filter(|placed| placed.span.start <= at && placed.span.start >= source.base)
        });
        let mut placing = Placing { record, message, pointer: None, offset: lost.at, loss: lost.loss };
        let (Some(Placed { span, fate, .. }), Some(at), false) = (frame, lost.at, self.raw) else { return placing };
        let bytes = source.get(span);
        // What goes is cut with the white space and the comma before it.
        let skipped = bytes[(at - span.start) as usize..].iter();
        let at = at + skipped.take_while(|b| b.is_ascii_whitespace() || **b == b',').count() as u64;
        placing.offset = Some(at);
        placing.pointer = lint::pointers(bytes, &[(at - span.start) as usize]).into_iter().next();
        let bare = lost.message.is_some_and(|message| message.bare);
        if let (Fate::Element(_) | Fate::BadElement, true, Some(first)) = (fate, bare, self.losses.first) {
            // Messages that are elements of a top-level array are one record together.
            let element = record.saturating_sub(first);
            placing.pointer = placing.pointer.map(|pointer| format!("/{element}{pointer}"));
            placing.record = first;
        }
        placing
    }

    fn write_loss(&self, placing: Option<Placing>, count: u64, out: &mut Vec<u8>) {
        let Some(Placing { record, message, pointer, offset, loss }) = placing else { return };
        let (name, what, ..) = loss.words();
        out.push(b'{');
        if let Some(file) = &self.file {
            out.extend_from_slice(b"\"file\":");
            quote(file, out);
            out.push(b',');
        }
        out.extend_from_slice(format!("\"record\":{record}").as_bytes());
        for (name, number) in [("message", message), ("offset", offset)] {
            if let Some(number) = number {
                out.extend_from_slice(format!(",\"{name}\":{number}").as_bytes());
            }
        }
        if let Some(pointer) = pointer {
            out.extend_from_slice(b",\"pointer\":");
            quote(&pointer, out);
        }
        let words = format!(",\"loss\":\"{name}\",\"what\":\"{what}\",\"count\":{count}}}\n");
        out.extend_from_slice(words.as_bytes());
    }
}
