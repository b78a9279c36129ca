//! What `split` says of each message: visible text and reasoning apart.

use super::{Fate, Output, Placed, Sinks, Source};
use crate::dialect::is_inline;
use crate::frame::Framing;
use crate::inline::{Row, Tags, apart};
use crate::json::text::utf16_len;
use crate::model::fold::{Fold, Message};
use crate::model::{Event, Kind, Role, Sink, Wants};
use crate::pass::{Heard, Postproc, PostprocOptions};
use crate::span::Span;
use std::borrow::Cow;

/// What is written, and how.
#[derive(Clone, Debug, Default)]
pub struct Show {
    /// Text instead of JSON objects.
    pub text: bool,
    /// The visible text is written.
    pub visible: bool,
    /// The reasoning is written.
    pub reasoning: bool,
    /// The reasoning goes to another place, and is not in what is written here.
    pub aside: bool,
    /// What stands between blocks.
    pub join: String,
    /// White space just inside tags is kept.
    pub verbatim: bool,
    /// Records that were not understood pass through; otherwise they are rejects.
    pub pass_bad: bool,
    /// The names of the fields that were asked for, in place of message numbers.
    pub fields: Vec<String>,
    /// What is done to the text of messages before they are written.
    pub postproc: Option<PostprocOptions>,
    /// Objects say nothing of the reasoning.
    pub drop_reasoning: bool,
}

/// What is written of a message.
struct Parts<'a> {
    message: &'a Message,
    visible: String,
    commentary: Option<String>,
    reasoning: Option<String>,
    /// The sections that are kept apart from it.
    redactions: Vec<String>,
    leaked: bool,
}

/// The output of `split`.
pub struct Report {
    show: Show,
    fold: Fold,
    /// What begins and ends such a section.
    redacted: Tags,
    /// Messages that were written.
    written: u64,
    end: u64,
    /// The input is one text: its object has no number.
    whole: bool,
    /// So many messages began in it, and it is over.
    began: u64,
    over: bool,
    /// The input ends with a line end.
    newline: bool,
    /// The last text has no line end yet.
    unended: bool,
    /// Records that were not understood, with how many of the messages that wait came before them.
    bad: Vec<(usize, Span)>,
}

impl Report {
    /// An output for one input.
    pub fn new(show: Show) -> Self {
        let mut fold = Fold::default();
        fold.scripts = show.postproc.is_some();
        let redacted = Tags::new(vec![Row::redacted()]);
        let (whole, over, newline, unended) = (false, false, false, false);
        Self { show, fold, redacted, written: 0, end: 0, whole, began: 0, over, newline, unended, bad: Vec::new() }
    }

    /// How many messages were written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The reasoning, and the sections that are kept apart from it.
    fn blocks(&self, message: &Message) -> (Option<String>, Vec<String>) {
        let mut sections = Vec::new();
        let blocks = message.blocks(|source, block| {
            let block = self.apart(block, &mut sections);
            let trim = is_inline(source) && !self.show.verbatim;
            (if trim { block.trim() } else { &block }).to_string()
        });
        ((!message.reasoning.is_empty()).then(|| blocks.join(&self.show.join)), sections)
    }

    /// A block without its sections, which have a place of their own in objects only.
    fn apart<'a>(&self, block: &'a str, sections: &mut Vec<String>) -> Cow<'a, str> {
        if self.show.text || !block.contains("<REDACTED>") {
            return Cow::Borrowed(block);
        }
        let (rest, found) = apart(&self.redacted, block);
        sections.extend(found);
        Cow::Owned(rest)
    }

    fn parts<'a>(&self, message: &'a Message) -> Parts<'a> {
        let Some(options) = &self.show.postproc else {
            let (visible, commentary) = (message.visible(), message.commentary());
            let (reasoning, redactions) = self.blocks(message);
            return Parts { message, visible, commentary, reasoning, redactions, leaked: false };
        };
        let mut postproc = Postproc::new(options);
        for said in &message.script {
            let inline = matches!(said.kind, Kind::Reasoning(source) if is_inline(source));
            let heard = Heard { kind: said.kind, fresh: said.fresh, inline, whole: said.whole, text: &said.text };
            postproc.hear(&heard, &mut |_| ());
        }
        let told = postproc.finish(&mut |_| ());
        let mut redactions = Vec::new();
        let reasoning = self.apart(&told.reasoning, &mut redactions).into_owned();
        // Rule 5 of SPEC section 4 holds for what was done to it, too.
        let visible = if message.cuts.is_empty() { told.answer } else { told.answer.trim().to_string() };
        Parts {
            message,
            visible,
            commentary: message.commentary().map(|_| told.commentary),
            reasoning: (!message.reasoning.is_empty()).then_some(reasoning),
            redactions,
            leaked: told.leaked,
        }
    }

    fn write(&mut self, message: &Message, sinks: &mut Sinks) {
        if message.role != Role::Assistant || message.refused {
            return;
        }
        self.written += 1;
        let parts = self.parts(message);
        if self.show.aside
            && let Some(reasoning) = &parts.reasoning
        {
            sinks.aside.extend_from_slice(reasoning.as_bytes());
            sinks.aside.push(b'\n');
        }
        if self.show.text {
            return self.text(&parts, &mut sinks.out);
        }
        self.object(&parts, &mut sinks.out);
        sinks.out.push(b'\n');
    }

    fn text(&mut self, parts: &Parts<'_>, out: &mut Vec<u8>) {
        let message = parts.message;
        if self.show.visible {
            // In a text in which several speak there may be several messages.
            out.extend_from_slice(if self.whole && self.unended { b"\n" } else { b"" });
            let text = parts.visible.as_bytes();
            match (self.whole, message.cuts.is_empty() && self.show.postproc.is_none()) {
                // Nothing was cut: byte for byte, UTF-8 or not.
                (true, true) => out.extend_from_slice(&message.visible),
                (true, false) => {
                    out.extend_from_slice(text);
                    let ends = self.newline && !text.is_empty() && !text.ends_with(b"\n");
                    out.extend_from_slice(if ends { b"\n" } else { b"" });
                }
                (false, _) => {
                    out.extend_from_slice(text);
                    out.push(b'\n');
                }
            }
            self.unended = out.last().map_or(self.unended, |last| *last != b'\n');
        }
        if let (true, Some(reasoning)) = (self.show.reasoning, &parts.reasoning) {
            out.extend_from_slice(reasoning.as_bytes());
            out.push(b'\n');
        }
    }

    fn object(&self, parts: &Parts<'_>, out: &mut Vec<u8>) {
        let message = parts.message;
        let mut separator = b'{';
        let mut name = |out: &mut Vec<u8>, name: &str| {
            out.push(std::mem::replace(&mut separator, b','));
            out.extend_from_slice(format!("\"{name}\":").as_bytes());
        };
        if !self.whole || self.began > 1 {
            name(out, "record");
            out.extend_from_slice(message.record.to_string().as_bytes());
            let named = self.show.fields.get(message.lane as usize);
            if let Some(pointer) = message.field.as_ref().or(named) {
                name(out, "field");
                quote(pointer, out);
            } else {
                name(out, "message");
                out.extend_from_slice(message.number.to_string().as_bytes());
            }
        }
        if self.show.visible {
            name(out, "visible");
            quote(&parts.visible, out);
            if let Some(commentary) = &parts.commentary {
                name(out, "commentary");
                quote(commentary, out);
            }
        }
        let shown = self.show.reasoning && !self.show.aside && !self.show.drop_reasoning;
        if let (true, Some(text)) = (shown, &parts.reasoning) {
            name(out, "reasoning");
            out.extend_from_slice(b"{\"text\":");
            quote(text, out);
            let estimate = utf16_len(text.trim()).div_ceil(4);
            out.extend_from_slice(format!(",\"tokensEst\":{estimate}").as_bytes());
            for (i, section) in parts.redactions.iter().enumerate() {
                out.extend_from_slice(if i == 0 { b",\"redactions\":[" } else { b"," });
                quote(section, out);
            }
            out.extend_from_slice(if parts.redactions.is_empty() { b"}" } else { b"]}" });
        }
        if parts.leaked {
            name(out, "leak_detected");
            out.extend_from_slice(b"true");
        }
        // An object without members has not been opened either.
        if separator == b'{' {
            out.push(b'{');
        }
        out.push(b'}');
    }
}

/// A JSON string.
pub(super) fn quote(text: &str, out: &mut Vec<u8>) {
    // Writing a string into memory cannot fail.
    let _ = serde_json::to_writer(out, text);
}

impl Sink for Report {
    fn event(&mut self, event: &Event<'_>) {
        self.began += u64::from(matches!(event, Event::MessageStart { .. }));
        self.fold.event(event);
    }
}

impl Output for Report {
    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, ..Wants::default() }
    }

    fn framing(&mut self, framing: Framing) {
        self.whole = framing == Framing::Text;
        self.fold.array = framing == Framing::Json;
    }

    fn record(&mut self, number: u64) {
        self.fold.record = number;
    }

    fn frame(&mut self, placed: Placed) {
        self.end = placed.span.end;
        if matches!(placed.fate, Fate::Bad | Fate::BadElement) {
            self.bad.push((self.fold.done.len(), placed.span));
        }
    }

    fn finish(&mut self) {
        self.over = true;
    }

    fn drain(&mut self, source: Source<'_>, _undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        if self.end > source.base {
            self.newline = source.bytes[..(self.end - source.base) as usize].ends_with(b"\n");
        }
        // Whether the first message of a text is the only one says what its object has.
        if self.whole && !self.show.text && self.began < 2 && !self.over && self.bad.is_empty() {
            return self.end;
        }
        let mut bad = std::mem::take(&mut self.bad).into_iter().peekable();
        let messages = std::mem::take(&mut self.fold.done);
        for i in 0..=messages.len() {
            while let Some((_, span)) = bad.next_if(|(before, _)| *before <= i) {
                let to = if self.show.pass_bad { &mut sinks.out } else { &mut sinks.rejects };
                to.extend_from_slice(source.get(span));
            }
            if let Some(message) = messages.get(i) {
                self.write(message, sinks);
            }
        }
        self.end
    }
}
