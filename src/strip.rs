//! Writes the input minus the cuts. Edits are data; `Splice::write` is the one place that turns source and edits into
//! bytes, with one cursor that only moves forward.
//!
//! A frame is written whole once every edit in it is decided; raw text is written up to the first edit that is not. An
//! event of a stream goes whole if it had nothing but reasoning.

mod again;
mod compact;
mod decide;
mod edits;
mod losses;
mod messages;
mod number;
mod write;

use crate::frame::Framing;
use crate::model::{Bit, Element, Event, MessageFact, Piece, PieceKind, Role, Sink, Wants};
use crate::out::{FrameStatus, MoreText, Output, Placed, Sinks, SourceBytes};
use crate::policy::{Ticket, Verdict};
use crate::span::Span;
use again::EventEdit;
use decide::Decisions;
use edits::Edits;
use losses::LossReport;
use messages::{SpliceMessage, SpliceMessages};
use number::Renumber;
use std::collections::VecDeque;

/// The options of `strip` beside the policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpliceOptions {
    /// A message left without content goes as well.
    pub drop_empty: bool,
    /// Records that were not understood are written unchanged.
    pub pass_bad: bool,
    /// Nothing is cut, whatever the input is.
    pub verbatim: bool,
    /// Each loss is reported separately, as a JSON object a line.
    pub each_loss: bool,
    /// What was done with the bytes of the input is reported in [`Sinks::steps`].
    pub steps: bool,
    /// Messages may go whole, whatever they hold.
    pub takes_messages: bool,
}

/// Counts for `--stats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Blocks of reasoning that went.
    pub removed: u64,
    /// Blocks of reasoning that stayed.
    pub kept: u64,
    /// Bytes that went, without those of records that were refused.
    pub bytes: u64,
    /// Bytes of sections that were emptied in reasoning that stays.
    pub emptied: u64,
    /// Messages whose reasoning was cut whole for such a section, since it is signed or encrypted.
    pub sealed: u64,
    /// Events and messages that went whole.
    pub dropped: u64,
    /// Messages on the way to an answer that went whole; and those of which only their instructions stayed.
    pub messages: (u64, u64),
}

/// When something is cut that is no reasoning, but goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CutWhen {
    #[default]
    Never,
    Always,
    /// If the decision is that the reasoning goes.
    If(Ticket),
}

impl From<Verdict> for CutWhen {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Keep => Self::Never,
            Verdict::Drop => Self::Always,
            Verdict::Hold(ticket) => Self::If(ticket),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Act {
    /// Cut.
    Cut,
    /// Cut, but does not make the event or message go.
    Emptied,
    /// Cut if the decision is that the reasoning goes.
    Pending(Ticket),
    /// Cut if the reasoning around it stays: always, or with that decision.
    Redacted(Option<Ticket>),
    /// Stays, and so does the event that it is in.
    Visible,
    /// A message in a list that goes whole, or a block of reasoning in a list.
    Element(Element, CutWhen),
    /// An element of a list that stays.
    Stays(Element),
    /// An event of a stream in a string, which goes if all that it has goes.
    StreamEvent,
    /// Replaced by these entries of the list of bits.
    Replace(usize, usize),
    /// A line end between two messages, if their separator is cut. It stands in so many strings beside that of the text.
    Line(CutWhen, u8),
    /// The number of a block, which changes with the blocks that go before it.
    Number(Renumber),
}

#[derive(Clone, Copy, Debug)]
struct Edit {
    span: Span,
    act: Act,
}

#[derive(Debug)]
struct WaitingFrame {
    placed: Placed,
    /// Whether the frame is a message that goes whole.
    emptied: CutWhen,
    /// How many frames were put together into this one ([`Splice::compact`]).
    frames: u64,
    /// The number of its record.
    record: u64,
}

/// The frames that wait.
#[derive(Debug, Default)]
struct WaitingFrames {
    queue: VecDeque<WaitingFrame>,
    /// How many frames were left when they were last put together.
    compacted: usize,
    /// More could be written.
    behind: bool,
    /// An element of the top-level array has stayed.
    in_array: bool,
    /// The last frame was cut.
    last_went: bool,
    /// A frame was refused, and a frame stayed.
    refused: bool,
    stayed: bool,
    /// The frames that were written last, if losses may be found in them later.
    passed: Vec<WaitingFrame>,
    keeps_passed: bool,
}

impl WaitingFrames {
    /// Whether all that was read so far was refused.
    fn is_all_refused(&self) -> bool {
        self.refused && !self.stayed
    }
}

/// The output that keeps the input's bytes.
#[derive(Default)]
pub struct Splice {
    options: SpliceOptions,
    edits: Edits,
    frames: WaitingFrames,
    decisions: Decisions,
    messages: SpliceMessages,
    losses: LossReport,
    /// Everything before this offset was written or cut.
    cursor: u64,
    /// The input is raw text: a line end is written as it is, without an escape.
    raw: bool,
    /// The input is one JSON value, which never goes whole: without it the output is no JSON.
    document: bool,
    /// The edits that each event has that says more of the answer than the last frame does.
    event_edits: Option<Vec<EventEdit>>,
    /// The lists of the current frame of which an element stayed, by their offset.
    lists: Vec<u64>,
    stats: Stats,
    /// The output up to this byte is covered by steps.
    reported: usize,
    /// The name of the input, for the report of losses.
    file: Option<String>,
}

impl Splice {
    /// An output for one input.
    pub fn new(options: SpliceOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Names the input in the report of losses.
    #[cfg(feature = "cli")]
    pub fn named(self, file: Option<String>) -> Self {
        Self { file, ..self }
    }

    /// Whether a record that is not understood is written as it is.
    pub fn passes_bad(&self) -> bool {
        self.options.pass_bad
    }

    /// Replaces a range by bits.
    pub(super) fn replace(&mut self, at: Span, with: &[Bit]) {
        let from = self.edits.bits.len();
        self.edits.bits.extend_from_slice(with);
        self.edit(at, Act::Replace(from, self.edits.bits.len()));
    }

    /// Replaces a range by one bit, of which no copy is made.
    pub(super) fn put(&mut self, at: Span, with: Bit) {
        let from = self.edits.bits.len();
        self.edits.bits.push(with);
        self.edit(at, Act::Replace(from, self.edits.bits.len()));
    }

    /// Replaces a range by bits, of which no copies are made.
    pub(super) fn put_all(&mut self, at: Span, mut with: Vec<Bit>) {
        let from = self.edits.bits.len();
        self.edits.bits.append(&mut with);
        self.edit(at, Act::Replace(from, self.edits.bits.len()));
    }

    /// Cuts a range.
    pub(super) fn cut(&mut self, at: Span) {
        self.edit(at, Act::Cut);
    }

    /// The counts so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    fn edit(&mut self, span: Span, act: Act) {
        self.edits.add(span, act);
    }

    fn piece(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        if piece.kind.is_visible() {
            self.joint(piece);
            if piece.at.iter().any(|span| !span.is_empty()) {
                self.visible(piece);
            }
            return;
        }
        if piece.kind == PieceKind::Redacted {
            return self.redacted(piece, verdict);
        }
        let verdict = if matches!(piece.kind, PieceKind::Refused | PieceKind::Seal) { Verdict::Drop } else { verdict };
        if piece.fresh {
            self.count(verdict);
        }
        if let (PieceKind::Reasoning(_), Some(open)) = (piece.kind, self.messages.open.get_mut(&piece.lane)) {
            open.verdict = Some(verdict);
        }
        self.headed(piece, verdict);
        let act = match verdict {
            Verdict::Keep => return,
            Verdict::Drop => Act::Cut,
            Verdict::Hold(ticket) => Act::Pending(ticket),
        };
        piece.at.iter().filter(|span| !span.is_empty()).for_each(|span| self.edit(*span, act));
    }

    fn visible(&mut self, piece: &Piece<'_>) {
        let blank = piece.text.iter().all(u8::is_ascii_whitespace) && !piece.text.is_empty();
        if let Some(open) = self.messages.open.get_mut(&piece.lane) {
            open.visible |= !blank;
        }
        piece.at.iter().for_each(|span| self.edit(*span, Act::Visible));
    }
}

impl Sink for Splice {
    fn event(&mut self, event: &Event<'_>) {
        self.judged(event, Verdict::Keep);
    }
}

impl Splice {
    fn take(&mut self, event: &Event<'_>, verdict: Verdict) {
        match event {
            Event::Piece(piece) => self.piece(piece, verdict),
            Event::MessageStart { lane, role, bare, .. } if self.options.drop_empty || self.options.takes_messages => {
                let assistant = *role == Role::Assistant;
                self.messages.open.insert(*lane, SpliceMessage { assistant, bare: *bare, ..SpliceMessage::default() });
            }
            Event::MessageEnd { lane, element } => self.message_end(*lane, *element, verdict),
            Event::Fact(lane, MessageFact::Marks { content, .. }) => self.marks(*lane, *content, verdict),
            Event::Item { element, .. } => self.item(*element, verdict),
            Event::Number { lane, at, number, reasoning } => {
                let reasoning = reasoning.then_some(verdict);
                self.number(*lane, *at, *number, reasoning);
            }
            Event::Fact(lane, MessageFact::ToolCall | MessageFact::Other) => {
                if let Some(open) = self.messages.open.get_mut(lane) {
                    open.visible = true;
                }
            }
            Event::Stays(element) => self.edit(element.span, Act::Stays(*element)),
            Event::InStrings(count) => self.messages.strings = *count,
            Event::Framed(at) => self.edit(*at, Act::StreamEvent),
            Event::Loss(lost) => self.lose(*lost),
            _ => (),
        }
    }
}

impl Output for Splice {
    fn judged(&mut self, event: &Event<'_>, verdict: Verdict) {
        if !self.options.verbatim {
            self.take(event, verdict);
        }
    }

    fn settled(&mut self, ticket: Ticket, goes: bool) {
        self.decide(ticket, goes);
    }

    fn wants(&self) -> Wants {
        Wants {
            visible: self.options.drop_empty || self.options.takes_messages,
            nothing: self.options.verbatim,
            ..Wants::default()
        }
    }

    fn record(&mut self, number: u64) {
        self.losses.record = number;
    }

    fn framing(&mut self, framing: Framing) {
        self.raw = framing == Framing::Text;
        self.document = framing == Framing::Json;
    }

    fn frame(&mut self, mut placed: Placed) {
        self.event_edits = None;
        placed.facts.stream &= !(self.document && placed.fate == FrameStatus::Record);
        if self.options.each_loss {
            self.losses.frame(placed.fate);
        }
        let emptied = match std::mem::take(&mut self.messages.emptied) {
            emptied if placed.facts.messages == 1 && placed.fate != FrameStatus::Text => emptied,
            _ => CutWhen::Never,
        };
        self.frames.queue.push_back(WaitingFrame { placed, emptied, frames: 1, record: self.losses.record });
    }

    fn again(&mut self, frame: Span, more: Option<MoreText<'_>>) -> bool {
        match more {
            // The losses in a frame are told with the record that it is.
            _ if self.options.verbatim || self.frames.keeps_passed => false,
            None => self.lengthen(frame),
            Some(more) => self.says_more(frame, &more),
        }
    }

    fn finish(&mut self) {
        self.losses.over = true;
    }

    fn removed(&self) -> (u64, u64) {
        (self.stats.removed, self.stats.bytes + self.stats.emptied)
    }

    fn is_behind(&self) -> bool {
        self.frames.behind
    }

    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        if std::mem::take(&mut self.edits.unsorted) {
            self.edits.list[self.edits.done..].sort_by_key(|e| e.span.start);
        }
        let undecided = undecided.filter(|_| !self.options.verbatim).unwrap_or(u64::MAX);
        self.frames.behind = false;
        if self.options.each_loss {
            self.write_losses(source, &mut sinks.aside);
        }
        let written = sinks.out.len();
        self.reported = written;
        while self.write(source, undecided, sinks) {
            let passed = self.frames.queue.pop_front();
            self.frames.passed.extend(passed.filter(|_| self.frames.keeps_passed));
            if sinks.out.len() - written >= Sinks::ENOUGH {
                self.frames.behind = !self.frames.queue.is_empty();
                break;
            }
        }
        self.report_put(sinks);
        self.forget();
        self.compact(undecided);
        // A frame before the cursor may still be refused, and is needed until it has been written.
        let next = self.frames.queue.front().map_or(u64::MAX, |waiting| waiting.placed.span.start);
        if self.frames.queue.front().is_some_and(|waiting| waiting.placed.span.end <= self.cursor) {
            next
        } else {
            self.cursor
        }
    }
}
