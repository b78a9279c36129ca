//! The losses of a conversion: how many there are of each kind, and where each of them is.

use super::{Splice, WaitingFrame};
use crate::json::lint;
use crate::json::object::object;
use crate::model::{Loss, Lost};
use crate::out::{FrameStatus, Placed, SourceBytes};
use std::collections::{BTreeMap, VecDeque};

/// The losses of a conversion.
#[derive(Debug, Default)]
pub(super) struct LossReport {
    /// The number of the current record, and of the first element of the current top-level array.
    pub record: u64,
    first: Option<u64>,
    counts: BTreeMap<Loss, u64>,
    /// Losses that are reported separately, in order, each with the record in which it was found.
    told: VecDeque<(u64, Lost)>,
    /// The input is over: no frame follows.
    pub over: bool,
    /// Another output reports them.
    handed_over: bool,
    /// Those of another output are about top-level arrays as records, not about their elements.
    whole_arrays: bool,
    /// Places of which something may be lost in a later record. Where they stand is known when their frame is
    /// complete, and must be noted before it is written.
    later: BTreeMap<u64, Option<BytePlace>>,
    /// Those of them that were not looked up yet.
    new: Vec<u64>,
}

/// How many such places are kept. The oldest go first.
const MAX_LATER_PLACES: usize = 1 << 16;

/// Where a byte stands: its record, and the value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BytePlace {
    record: u64,
    /// The number of its element in a top-level array.
    element: Option<u64>,
    offset: u64,
    pointer: Option<String>,
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

impl LossReport {
    /// Follows the frames: elements of a top-level array are numbered from 0.
    pub(super) fn frame(&mut self, fate: FrameStatus) {
        match fate {
            FrameStatus::Element(_) | FrameStatus::BadElement => drop(self.first.get_or_insert(self.record)),
            FrameStatus::Record => self.first = None,
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
    pub(crate) fn lose(&mut self, lost: Lost) {
        *self.losses.counts.entry(lost.loss).or_default() += 1;
        if self.options.each_loss {
            self.losses.told.push_back((self.losses.record, lost));
        }
    }

    /// Notes a place of which something may be lost in a later record.
    pub(crate) fn may_lose(&mut self, at: u64) {
        if self.options.each_loss && self.losses.later.insert(at, None).is_none() {
            self.losses.new.push(at);
            if self.losses.later.len() > MAX_LATER_PLACES {
                self.losses.later.pop_first();
            }
        }
    }

    /// What is written is read by another output: it is told how it was made, and reports the losses that are found there.
    pub(crate) fn behind_which_another_reads(mut self) -> Self {
        self.options.steps = true;
        self.frames.keeps_passed = self.options.each_loss;
        self
    }

    /// Forgets the written frames before this offset. Returns the offset before which no byte is needed for those that are
    /// left.
    pub(crate) fn forget_passed(&mut self, before: u64) -> u64 {
        self.frames.passed.retain(|waiting| waiting.placed.span.end > before);
        self.frames.passed.first().map_or(u64::MAX, |waiting| waiting.placed.span.start)
    }

    /// Whether the steps are reported.
    pub(crate) fn reports_steps(&self) -> bool {
        self.options.steps
    }

    /// Another output reports the losses.
    pub(crate) fn hands_over_losses(mut self) -> Self {
        self.losses.handed_over = true;
        self
    }

    /// Gives the losses that were not reported to another output. `place`: where a byte stands in its input.
    pub(crate) fn hand_over_losses(&mut self, to: &mut Self, place: impl Fn(u64) -> u64) {
        let told = self.losses.told.drain(..);
        to.losses.told.extend(told.map(|(record, lost)| (record, Lost { at: lost.at.map(&place), ..lost })));
        to.losses.whole_arrays = self.losses.first.is_none();
        self.losses.later.clear();
        self.losses.new.drain(..).for_each(|at| to.may_lose(place(at)));
    }

    /// Reports the losses that another output found in what was written last. Those of frames that are not complete wait.
    pub(crate) fn report_losses(&mut self, source: SourceBytes<'_>, out: &mut Vec<u8>) {
        if self.options.each_loss {
            self.write_losses(source, out);
        }
    }

    /// Writes the losses, one line for each kind and place. Those of frames that are not complete wait.
    pub(super) fn write_losses(&mut self, source: SourceBytes<'_>, out: &mut Vec<u8>) {
        if self.losses.handed_over {
            return;
        }
        let last = self.frames.queue.back().or(self.frames.passed.last());
        let end = last.map_or(0, |waiting| waiting.placed.span.end);
        let waits = |(_, lost): &(u64, Lost)| !self.losses.over && lost.at.is_some_and(|at| at >= end);
        let count = self.losses.told.iter().take_while(|told| !waits(told)).count();
        let told: Vec<(u64, Lost)> = self.losses.told.drain(..count).collect();
        let new = std::mem::take(&mut self.losses.new);
        let places = told.iter().filter_map(|(_, lost)| lost.at).chain(new.iter().copied()).collect();
        let found = self.standing(places, source);
        for at in new {
            match self.losses.later.get_mut(&at) {
                Some(_) if at >= end => self.losses.new.push(at),
                Some(known) => *known = found.get(&at).cloned(),
                None => (),
            }
        }
        let (mut last, mut count): (Option<Placing>, u64) = (None, 0);
        for (record, lost) in told {
            let placing = self.place_loss(record, lost, &found);
            if last.as_ref() != Some(&placing) {
                self.write_loss(last.replace(placing), std::mem::take(&mut count), out);
            }
            count += 1;
        }
        self.write_loss(last, count, out);
    }

    /// Where these bytes stand, of those that are in a frame that waits. Each frame is read once.
    fn standing(&self, mut places: Vec<u64>, source: SourceBytes<'_>) -> BTreeMap<u64, BytePlace> {
        places.sort_unstable();
        places.dedup();
        let (mut found, mut rest) = (BTreeMap::new(), places.as_slice());
        while let Some(first) = rest.first() {
            let ends = |waiting: &WaitingFrame| waiting.placed.span.end <= *first;
            let passed = self.frames.passed.get(self.frames.passed.partition_point(ends));
            let waiting = passed.or_else(|| self.frames.queue.get(self.frames.queue.partition_point(ends)));
            let Some(WaitingFrame { placed: Placed { span, fate, .. }, record, .. }) = waiting else { break };
            let inside = &rest[rest.partition_point(|at| *at < span.start)..];
            let (inside, later) = inside.split_at(inside.partition_point(|at| *at < span.end));
            rest = later;
            if inside.is_empty() || span.start < source.base {
                continue;
            }
            let bytes = source.get(*span);
            // What goes is cut with the white space and the comma before it.
            let blank = |b: &&u8| b.is_ascii_whitespace() || **b == b',';
            let skipped = |at: &u64| {
                let at = (*at - span.start) as usize;
                at + bytes[at..].iter().take_while(blank).count()
            };
            let offsets: Vec<usize> = inside.iter().map(skipped).collect();
            let pointers = if self.raw { Vec::new() } else { lint::pointers(bytes, &offsets) };
            let mut pointers = pointers.into_iter();
            let is_element = matches!(fate, FrameStatus::Element(_) | FrameStatus::BadElement);
            let element = self.losses.first.filter(|_| is_element).map(|first| record.saturating_sub(first));
            for (at, offset) in inside.iter().zip(offsets) {
                let offset = span.start + offset as u64;
                found.insert(*at, BytePlace { record: *record, element, offset, pointer: pointers.next() });
            }
        }
        found
    }

    /// Finds where a loss stands. What does not stand in the record in which it was found must have been noted before, so
    /// that the report does not depend on how the input arrived.
    fn place_loss(&self, record: u64, lost: Lost, found: &BTreeMap<u64, BytePlace>) -> Placing {
        let message = lost.message.filter(|message| message.number > 0).map(|message| message.number);
        let mut placing = Placing { record, message, pointer: None, offset: lost.at, loss: lost.loss };
        let Some(at) = lost.at else { return placing };
        let noted = || self.losses.later.get(&at)?.as_ref();
        let of_array = |standing: &BytePlace| standing.element.filter(|_| self.losses.whole_arrays);
        let is_own = |standing: &&BytePlace| standing.record - of_array(standing).unwrap_or(0) == record;
        let own = found.get(&at).filter(is_own);
        let Some(standing) = own.or_else(noted) else { return placing };
        (placing.record, placing.offset) = (standing.record, Some(standing.offset));
        placing.pointer.clone_from(&standing.pointer);
        let bare = self.losses.whole_arrays || lost.message.is_some_and(|message| message.bare);
        if let (Some(element), true) = (standing.element, bare) {
            // Messages that are elements of a top-level array are one record together.
            placing.pointer = placing.pointer.map(|pointer| format!("/{element}{pointer}"));
            placing.record -= element;
        }
        placing
    }

    fn write_loss(&self, placing: Option<Placing>, count: u64, out: &mut Vec<u8>) {
        let Some(Placing { record, message, pointer, offset, loss }) = placing else { return };
        let (name, what, ..) = loss.words();
        object(out, |members| {
            if let Some(file) = &self.file {
                members.string("file", file);
            }
            members.number("record", record);
            for (name, number) in [("message", message), ("offset", offset)] {
                number.into_iter().for_each(|number| members.number(name, number));
            }
            if let Some(pointer) = pointer {
                members.string("pointer", &pointer);
            }
            members.string("loss", name);
            members.string("what", what);
            members.number("count", count);
        });
        out.push(b'\n');
    }
}
