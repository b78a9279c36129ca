//! Stage 5: decisions to bytes.

mod check;
#[cfg(feature = "cli")]
mod draw;
mod emit;
mod events;
mod lines;
mod report;
mod splice;
mod step;
mod tally;

pub use check::Check;
#[cfg(feature = "cli")]
pub use draw::{Draw, DrawOptions};
pub use emit::Emit;
pub use events::{Events, EventsOptions, Metrics, Wire, page as metrics_page};
pub use lines::Lines;
pub use report::{Report, Show};
pub use splice::{Splice, SpliceOptions, Stats};
pub use step::{Composed, Step};
pub use tally::{By, Row, Shared, Tally, TallyFormat, TallyOptions, page};

use crate::frame::Framing;
use crate::model::{Event, Facts, Sink, Wants};
use crate::pass::{Ticket, Verdict};
use crate::span::Span;

/// Where a frame lies and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The whole frame.
    pub span: Span,
    /// What became of it.
    pub fate: Fate,
    /// What the reader found in it.
    pub facts: Facts,
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Bytes between records.
    Glue,
    /// A record that was understood.
    Record,
    /// An element of a top-level array that was understood, with the comma before it.
    Element(Option<u64>),
    /// A piece of raw text, which may go out in part.
    Text,
    /// A late half of the frame before it.
    Tail,
    /// Not understood.
    Bad,
    /// Not understood, in a top-level array.
    BadElement,
}

/// The buffered bytes of the input.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The input offset of the first of them.
    pub base: u64,
}

impl<'a> Source<'a> {
    /// The bytes of a range.
    pub fn get(&self, span: Span) -> &'a [u8] {
        &self.bytes[(span.start - self.base) as usize..(span.end - self.base) as usize]
    }
}

/// What an output gives back.
#[derive(Debug, Default)]
pub struct Sinks {
    /// For standard output.
    pub out: Vec<u8>,
    /// Records that were not understood, for `--rejects`.
    pub rejects: Vec<u8>,
    /// For another place: reasoning that is written apart.
    pub aside: Vec<u8>,
    /// How the output was made of the input, from an output that was asked for it.
    pub steps: Vec<Step>,
}

impl Sinks {
    /// So many bytes are enough for one write.
    pub const ENOUGH: usize = 1 << 20;
}

/// A record that an output did not take, though it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its number, from 1.
    pub record: u64,
    /// Offset of what is wrong.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
    /// It is not written.
    pub skipped: bool,
}

/// Turns events into bytes.
pub trait Output: Sink {
    /// What it needs to see.
    fn wants(&self) -> Wants;

    /// An event about reasoning, with the verdict of the pass. Without a pass such events come by [`Sink::event`]: the
    /// reasoning stays.
    fn judged(&mut self, event: &Event<'_>, _verdict: Verdict) {
        self.event(event);
    }

    /// What waits for this decision is decided: whether it goes.
    fn settled(&mut self, _ticket: Ticket, _goes: bool) {}

    /// A record, or a part of one, was not understood: what is wrong at this offset, and where reasoning may be in it.
    fn not_understood(&mut self, _record: u64, _offset: u64, _what: &str, _suspect: Option<&str>) {}

    /// The framing of the input is known.
    fn framing(&mut self, _framing: Framing) {}

    /// Record `number`, from 1, is read next.
    fn record(&mut self, number: u64);

    /// A frame is complete; its events came before.
    fn frame(&mut self, frame: Placed);

    /// The input is over.
    fn finish(&mut self);

    /// Writes what is decided. Nothing is decided about the input from `undecided` on, if that is given. Returns the
    /// offset before which no byte is needed any more.
    fn drain(&mut self, source: Source<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64;

    /// Whether [`Output::drain`] has left something that it could have written: sinks are not filled without end.
    fn is_behind(&self) -> bool {
        false
    }

    /// How many bytes of text it buffers itself, of messages that are not over.
    fn buffered(&self) -> usize {
        0
    }

    /// Whether a part of the input is worth something without the rest: where that cannot be had, what came before it is
    /// all there is.
    fn takes_part(&self) -> bool {
        false
    }

    /// How many blocks of reasoning were removed.
    fn removed(&self) -> u64 {
        0
    }

    /// What it refused since the last call.
    fn refused(&mut self) -> Vec<Refusal> {
        Vec::new()
    }
}
