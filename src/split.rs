//! The output of `split` for messages: visible text and reasoning separately, as objects of whole messages, or as text
//! that is written as it comes (`split::text`).

mod calls;
pub(super) mod chars;
mod delegations;
#[cfg(feature = "cli")]
mod events;
mod object;
mod options;
mod sequence;
mod text;
mod thoughts;

#[cfg(feature = "cli")]
pub use events::{Events, EventsOptions, Metrics, Wire, page as metrics_page};
#[cfg(feature = "cli")]
pub use options::Only;
pub use options::ReportOptions;

use crate::agents::fold::{Fold, FoldedMessage};
use crate::agents::regroup::{Grouped, Regroup};
use crate::count::estimate;
use crate::frame::Framing;
use crate::inline::{Row, Tags, apart, is_message};
use crate::model::{Event, PieceKind, Role, Sink, Wants, is_inline};
use crate::out::{FrameStatus, Output, Placed, Sinks, SourceBytes};
use crate::postproc::{Postproc, PostprocInput};
use crate::span::Span;
use options::TextOptions;
use std::borrow::Cow;
use text::TextWriter;

/// The texts of a message, as they are written.
#[derive(Debug)]
pub struct SplitTexts {
    /// The visible text.
    pub visible: String,
    /// Text for the user before tool calls.
    pub commentary: Option<String>,
    /// The reasoning.
    pub reasoning: Option<String>,
    /// Sections of the reasoning that are kept separately.
    pub redactions: Vec<String>,
    /// The visible text has reasoning in it, if that was looked for.
    pub leaked: bool,
}

impl SplitTexts {
    /// An estimate of the tokens of the reasoning.
    pub fn estimate(&self) -> u64 {
        self.reasoning.as_deref().map_or(0, |text| estimate(text.trim()))
    }
}

/// The output of `split`.
pub struct Report {
    show: ReportOptions,
    /// Turns sequences of reasoning into groups. It is taken out for each event: moving it must cost nothing.
    regroup: Option<Box<Regroup>>,
    fold: Fold,
    /// Writes text as it comes.
    text: Option<TextWriter>,
    /// The tags of such sections.
    redacted: Tags,
    /// Messages that are kept.
    kept: Vec<(FoldedMessage, SplitTexts)>,
    /// How many messages were written, or kept.
    written: u64,
    end: u64,
    /// The input is one text: its object has no number.
    whole: bool,
    /// How many messages began in that text.
    began: u64,
    over: bool,
    /// The input ends with a line end.
    newline: bool,
    /// Records that were not understood, each with how much waits before it: messages, or bytes of text.
    bad: Vec<(usize, Span)>,
}

impl Report {
    /// An output for one input.
    pub fn new(show: ReportOptions) -> Self {
        let mut fold = Fold::default();
        fold.keep_pieces = show.postproc.is_some();
        fold.is_message = Some(is_message);
        let options = TextOptions {
            visible: show.visible,
            reasoning: show.reasoning,
            aside: show.aside,
            join: show.join.clone(),
            verbatim: show.verbatim,
            streaming: show.streaming,
            raw: false,
            hold: show.hold || show.postproc.is_some(),
        };
        let text = show.text.then(|| TextWriter::new(options));
        let (whole, over, newline) = (false, false, false);
        let regroup = Some(Box::new(Regroup::new(text.is_none(), false)));
        Self {
            show,
            regroup,
            fold,
            text,
            redacted: Tags::new(vec![Row::redacted()]),
            kept: Vec::new(),
            written: 0,
            end: 0,
            whole,
            began: 0,
            over,
            newline,
            bad: Vec::new(),
        }
    }

    /// How many messages were written.
    pub fn written(&self) -> u64 {
        self.text.as_ref().map_or(self.written, |text| text.written)
    }

    /// The messages that are over and were not taken yet.
    pub fn take_messages(&mut self) -> Vec<(FoldedMessage, SplitTexts)> {
        std::mem::take(&mut self.kept)
    }

    /// The reasoning without its sections, and the sections.
    fn blocks(&self, message: &FoldedMessage) -> (Option<String>, Vec<String>) {
        let mut sections = Vec::new();
        let blocks = message.blocks(|source, block| {
            let block = self.apart(block, &mut sections);
            let trim = is_inline(source) && !self.show.verbatim;
            (if trim { block.trim() } else { &block }).to_string()
        });
        ((!message.reasoning.is_empty()).then(|| blocks.join(&self.show.join)), sections)
    }

    /// A block without its sections. Only objects have a separate place for these.
    fn apart<'a>(&self, block: &'a str, sections: &mut Vec<String>) -> Cow<'a, str> {
        if self.show.text || !block.contains("<REDACTED>") {
            return Cow::Borrowed(block);
        }
        let (rest, found) = apart(&self.redacted, block);
        sections.extend(found);
        Cow::Owned(rest)
    }

    fn texts(&self, message: &FoldedMessage) -> SplitTexts {
        let Some(options) = &self.show.postproc else {
            let (visible, commentary) = (message.visible(), message.commentary());
            let (reasoning, redactions) = self.blocks(message);
            return SplitTexts { visible, commentary, reasoning, redactions, leaked: false };
        };
        let mut postproc = Postproc::new(options);
        for piece in calls::without(&message.pieces) {
            let inline = matches!(piece.kind, PieceKind::Reasoning(source) if is_inline(source));
            let input =
                PostprocInput { kind: piece.kind, fresh: piece.fresh, inline, whole: piece.whole, text: &piece.text };
            postproc.feed(&input, &mut |_| ());
        }
        let summary = postproc.finish(&mut |_| ());
        let mut redactions = Vec::new();
        let reasoning = self.apart(&summary.reasoning, &mut redactions).into_owned();
        // Rule 5 of behaviour.md, section 4 applies to processed text, too.
        let visible = if message.text.cuts.is_empty() { summary.answer } else { summary.answer.trim().to_string() };
        SplitTexts {
            visible,
            commentary: message.commentary().map(|_| summary.commentary),
            reasoning: (!message.reasoning.is_empty()).then_some(reasoning),
            redactions,
            leaked: summary.leaked,
        }
    }

    fn write(&mut self, message: FoldedMessage, sinks: &mut Sinks) {
        if message.role != Role::Assistant || message.refused {
            return;
        }
        self.written += 1;
        let texts = self.texts(&message);
        if self.show.keeps {
            self.kept.push((message, texts));
            return;
        }
        if self.show.aside
            && let Some(reasoning) = &texts.reasoning
        {
            sinks.aside.extend_from_slice(reasoning.as_bytes());
            sinks.aside.push(b'\n');
        }
        self.object(&message, &texts, &mut sinks.out);
        sinks.out.push(b'\n');
    }

    /// The answer and the reasoning of a message that was not written as it came.
    fn whole_text(&self, message: &FoldedMessage) -> Option<(Vec<u8>, Vec<u8>)> {
        if message.role != Role::Assistant || message.refused {
            return None;
        }
        let texts = self.texts(message);
        let plain = self.whole && message.text.cuts.is_empty() && self.show.postproc.is_none();
        let mut answer = match (self.show.visible, plain) {
            (false, _) => Vec::new(),
            // Nothing was cut: the text is copied byte for byte, even if it is not UTF-8.
            (true, true) => message.text.visible.clone(),
            (true, false) => texts.visible.into_bytes(),
        };
        if self.show.visible && !self.whole {
            answer.push(b'\n');
        }
        let wanted = texts.reasoning.filter(|_| self.show.reasoning || self.show.aside);
        Some((answer, wanted.map(|text| text + "\n").unwrap_or_default().into_bytes()))
    }

    /// Gives the text writer the messages that are over.
    fn fill(&mut self) {
        let Some(mut text) = self.text.take() else { return };
        for message in std::mem::take(&mut self.fold.done) {
            text.whole(|| self.whole_text(&message));
        }
        self.text = Some(text);
    }
}

impl Report {
    /// Handles an event of the grouping.
    fn grouped(&mut self, grouped: &Grouped<'_>) {
        match grouped {
            Grouped::Event(event) => self.take(event),
            Grouped::Group(group) if self.text.is_some() => group.events(|event| self.take(event)),
            Grouped::Group(group) => self.fold.group(group),
            Grouped::Waits => (),
        }
    }

    fn take(&mut self, event: &Event<'_>) {
        if self.text.as_mut().is_none_or(|text| text.event(event)) {
            self.fold.event(event);
        }
        if matches!(event, Event::MessageEnd { .. }) {
            self.fill();
        }
    }
}

impl Sink for Report {
    fn event(&mut self, event: &Event<'_>) {
        self.began += u64::from(matches!(event, Event::MessageStart { .. }));
        let mut regroup = self.regroup.take().unwrap_or_default();
        regroup.event(self.fold.numbers.record, event, &mut |grouped| self.grouped(&grouped));
        self.regroup = Some(regroup);
    }
}

impl Output for Report {
    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, failures: true, ..Wants::default() }
    }

    fn framing(&mut self, framing: Framing) {
        self.whole = framing == Framing::Text;
        self.fold.numbers.array = framing == Framing::Json;
        if let Some(text) = &mut self.text {
            text.options.raw = self.whole;
            // Text of a stream is passed on, and cannot be taken back.
            text.options.streaming |= framing == Framing::Sse;
        }
    }

    fn record(&mut self, number: u64) {
        let mut regroup = self.regroup.take().unwrap_or_default();
        regroup.record(&mut |grouped| self.grouped(&grouped));
        self.regroup = Some(regroup);
        self.fold.numbers.record = number;
    }

    fn frame(&mut self, placed: Placed) {
        self.end = placed.span.end;
        if matches!(placed.fate, FrameStatus::Bad | FrameStatus::BadElement) {
            let before = self.text.as_ref().map_or(self.fold.done.len(), |text| text.out.len());
            self.bad.push((before, placed.span));
        }
    }

    fn finish(&mut self) {
        self.regroup.take().unwrap_or_default().finish(&mut |grouped| self.grouped(&grouped));
        self.over = true;
    }

    fn buffered(&self) -> usize {
        let waits = self.regroup.as_ref().map_or(0, |regroup| regroup.buffered());
        waits + self.fold.buffered() + self.text.as_ref().map_or(0, TextWriter::buffered)
    }

    fn drain(&mut self, source: SourceBytes<'_>, _undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        if self.end > source.base {
            self.newline = source.bytes[..(self.end - source.base) as usize].ends_with(b"\n");
        }
        // The members of the first object depend on whether the text has more messages.
        if self.whole && self.text.is_none() && self.began < 2 && !self.over && self.bad.is_empty() {
            return self.end;
        }
        let mut bad = std::mem::take(&mut self.bad).into_iter().peekable();
        if let Some(text) = &mut self.text {
            if self.over {
                text.finish(self.newline);
            }
            let mut from = 0;
            for (before, span) in bad {
                sinks.out.extend_from_slice(&text.out[from..before]);
                from = before;
                let to = if self.show.pass_bad { &mut sinks.out } else { &mut sinks.rejects };
                to.extend_from_slice(source.get(span));
            }
            sinks.out.extend_from_slice(&text.out[from..]);
            sinks.aside.append(&mut text.aside);
            text.out.clear();
            return self.end;
        }
        let mut messages = std::mem::take(&mut self.fold.done).into_iter();
        for i in 0..=messages.len() {
            while let Some((_, span)) = bad.next_if(|(before, _)| *before <= i) {
                let to = if self.show.pass_bad { &mut sinks.out } else { &mut sinks.rejects };
                to.extend_from_slice(source.get(span));
            }
            if let Some(message) = messages.next() {
                self.write(message, sinks);
            }
        }
        self.end
    }
}
