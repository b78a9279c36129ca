//! Stage 5: decisions to bytes. What every output of a command is ([`Output`]); each stands in the room of its command.

mod step;

pub use step::{Composed, SpliceStep};

use crate::error::ErrorKind;
use crate::frame::Framing;
use crate::model::{Event, Facts, Lane, Sink, Wants};
use crate::policy::{Ticket, Verdict};
use crate::span::Span;

/// A frame, its range, and how it was read.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The whole frame.
    pub span: Span,
    /// How it was read.
    pub fate: FrameStatus,
    /// The facts that the reader returned for it.
    pub facts: Facts,
}

/// How a frame was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameStatus {
    /// Bytes between records.
    Glue,
    /// A record that was understood.
    Record,
    /// An element of a top-level array that was understood, and where the comma before it stands.
    Element(Option<u64>),
    /// A piece of raw text, which may be written in part.
    Text,
    /// A late second half of the frame before it.
    Tail,
    /// A record that was not understood.
    Bad,
    /// An element of a top-level array that was not understood.
    BadElement,
}

/// The buffered bytes of the input.
#[derive(Clone, Copy, Debug)]
pub struct SourceBytes<'a> {
    /// The buffered bytes.
    pub bytes: &'a [u8],
    /// The offset of the first of them in the input.
    pub base: u64,
}

impl<'a> SourceBytes<'a> {
    /// The bytes of a range.
    pub fn get(&self, span: Span) -> &'a [u8] {
        &self.bytes[(span.start - self.base) as usize..(span.end - self.base) as usize]
    }
}

/// The bytes that an output writes, by destination.
#[derive(Debug, Default)]
pub struct Sinks {
    /// For standard output.
    pub out: Vec<u8>,
    /// Records that were not understood, for `--rejects`.
    pub rejects: Vec<u8>,
    /// Reasoning that is written to another place.
    pub aside: Vec<u8>,
    /// How the output was made from the input, if an output was asked for that.
    pub steps: Vec<SpliceStep>,
}

impl Sinks {
    /// A write is long enough from this many bytes on.
    pub const ENOUGH: usize = 1 << 20;
}

/// A record that an output did not take, though it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its number, from 1.
    pub record: u64,
    /// The offset in the input of what is wrong.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
    /// It is not written.
    pub skipped: bool,
}

/// More of the visible text of a message, in a frame that differs from the last one that was read in little else.
#[derive(Clone, Copy, Debug)]
pub struct MoreText<'a> {
    /// The message.
    pub lane: Lane,
    /// The text, decoded.
    pub text: &'a [u8],
    /// Where it stands, with its escapes.
    pub at: Span,
    /// Where the text of the last frame that was read stands in that frame, if the frames differ in nothing but the text.
    pub last: Option<Span>,
}

/// Turns events into bytes.
pub trait Output: Sink {
    /// What the output needs of readers.
    fn wants(&self) -> Wants;

    /// An event about reasoning, with the verdict of the pass. Without a pass, such events come through
    /// [`Sink::event`], and the reasoning stays.
    fn judged(&mut self, event: &Event<'_>, _verdict: Verdict) {
        self.event(event);
    }

    /// A decision was made: whether the reasoning with this ticket goes.
    fn settled(&mut self, _ticket: Ticket, _goes: bool) {}

    /// A record, or a part of one, was not understood: the error at this offset, and where in the record reasoning may
    /// be.
    fn not_understood(&mut self, _record: u64, _offset: u64, _error: (ErrorKind, &str), _suspect: Option<&str>) {}

    /// A tag of a text at this offset may be a mention. Whether that is an error is told when the text is over.
    fn doubted(&mut self, _offset: u64) {}

    /// A record that was read has reasoning at this place, but stands where none should be, as in a line of a log.
    fn misplaced(&mut self, _record: u64, _offset: u64, _what: &str, _pointer: &str) {}

    /// The framing of the input is known.
    fn framing(&mut self, _framing: Framing) {}

    /// Record `number`, from 1, begins.
    fn record(&mut self, number: u64);

    /// A frame is complete. Its events came before.
    fn frame(&mut self, frame: Placed);

    /// The next frame says more of the reasoning of the last one, or of the answer (`more`), and has nothing else. Returns whether
    /// the output does with it what it does with that one; if not, its events come as those of any other.
    fn again(&mut self, _frame: Span, _more: Option<MoreText<'_>>) -> bool {
        false
    }

    /// The input is over.
    fn finish(&mut self);

    /// Writes what is decided. Nothing from the input offset `undecided` on is decided, if it is given. Returns the
    /// offset before which the output needs no byte any more.
    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64;

    /// Whether [`Output::drain`] could have written more: it does not fill the sinks without limit.
    fn is_behind(&self) -> bool {
        false
    }

    /// How many bytes of text the output itself buffers, of messages that are not over.
    fn buffered(&self) -> usize {
        0
    }

    /// Whether a part of the input is useful without the rest. If so, an input that is cut off ends there without an
    /// error.
    fn takes_part(&self) -> bool {
        false
    }

    /// How many blocks of reasoning and how many bytes were removed.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    fn removed(&self) -> (u64, u64) {
        (0, 0)
    }

    /// The records that it refused since the last call.
    fn refused(&mut self) -> Vec<Refusal> {
        Vec::new()
    }
}
