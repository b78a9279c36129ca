//! Instructions of messages as lines of text: as in a prompt, before the text of the message, or each in its short
//! form.

use crate::frame::Framing;
use crate::model::{Event, InstructionForm, Lane, MessageFact, PieceKind, Sink, Wants};
use crate::out::{FrameStatus, Output, Placed, Sinks, SourceBytes};
use crate::span::Span;
use std::collections::BTreeMap;

/// The output of `convert --to xml-lines` and `--to serialized`.
pub struct LinesOutput {
    form: InstructionForm,
    /// The text of the messages that are open.
    open: BTreeMap<Lane, Vec<u8>>,
    ready: Vec<u8>,
    end: u64,
    bad: Vec<Span>,
    lost: u64,
}

impl LinesOutput {
    /// An output for one input.
    pub fn new(form: InstructionForm) -> Self {
        Self { form, open: BTreeMap::new(), ready: Vec::new(), end: 0, bad: Vec::new(), lost: 0 }
    }

    /// How many instructions have no known line.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

impl Sink for LinesOutput {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::MessageStart { lane, .. } => drop(self.open.insert(*lane, Vec::new())),
            Event::Fact(lane, MessageFact::Instruction(Some(line))) => {
                if let Some(text) = self.open.get_mut(lane) {
                    text.extend_from_slice(line);
                    text.push(b'\n');
                }
            }
            Event::Fact(_, MessageFact::Instruction(None)) => self.lost += 1,
            Event::Piece(piece) if self.form == InstructionForm::Xml => {
                let is_text =
                    matches!(piece.kind, PieceKind::Visible | PieceKind::Commentary | PieceKind::Tool | PieceKind::Gap);
                if let Some(text) = self.open.get_mut(&piece.lane).filter(|_| is_text) {
                    text.extend_from_slice(piece.text);
                }
            }
            Event::MessageEnd { lane, .. } => {
                let text = self.open.remove(lane).unwrap_or_default();
                self.ready.extend_from_slice(crate::json::text::utf8(&text).as_bytes());
                if !text.is_empty() && !text.ends_with(b"\n") {
                    self.ready.push(b'\n');
                }
            }
            _ => (),
        }
    }
}

impl Output for LinesOutput {
    fn wants(&self) -> Wants {
        let instructions = Some(self.form);
        Wants { text: true, visible: true, messages: true, rest: true, instructions, ..Wants::default() }
    }

    fn framing(&mut self, _framing: Framing) {}

    fn record(&mut self, _number: u64) {}

    fn frame(&mut self, placed: Placed) {
        self.end = placed.span.end;
        if matches!(placed.fate, FrameStatus::Bad | FrameStatus::BadElement) {
            self.bad.push(placed.span);
        }
    }

    fn finish(&mut self) {}

    fn buffered(&self) -> usize {
        self.open.values().map(Vec::len).sum()
    }

    fn drain(&mut self, source: SourceBytes<'_>, _undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        self.bad.drain(..).for_each(|span| sinks.rejects.extend_from_slice(source.get(span)));
        sinks.out.append(&mut self.ready);
        self.end
    }
}
