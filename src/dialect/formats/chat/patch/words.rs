//! Splits a text of the content into visible stretches and reasoning, which stands between inline tags or in messages
//! with headers.

use super::Context;
use super::parsed::{At, Block, Run, TextPart, Thought};
use crate::dialect::inline_text::{TextReader, decode};
use crate::inline::{Note, Start};
use crate::json::{Literal, text};
use crate::model::HARMONY;
use crate::model::{Kind, Piece};
use std::borrow::Cow;

/// Counts of what is in a text beside its blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    /// Tags without a block: they mean nothing once a block is gone.
    pub strays: usize,
    /// Messages in a channel that is not that of reasoning or of the answer.
    pub channels: usize,
}

/// A stretch: its kind, whether it begins a block or text, its range, and whether its text begins and ends with a line
/// end.
type Stretch = (Kind, bool, At, (bool, bool));

impl Context<'_, '_> {
    /// Reads a text into blocks.
    pub(super) fn text(
        &mut self,
        literal: Literal,
        assistant: bool,
        part: Option<TextPart>,
        out: &mut Vec<Block>,
    ) -> Words {
        let record = self.body.text;
        // The first text of a message may be said to begin with reasoning, whatever is in it.
        let seeded = assistant && self.inline.start == Start::Reasoning && literal.start < literal.end;
        if !assistant || !seeded && !self.tags.may_hold(literal.raw(record), literal.escaped) {
            let whole = Run::At(literal.start..literal.end);
            out.push(Block::Text { text: vec![whole], part });
            return Words::default();
        }
        let mut decoded = Vec::new();
        let (input, map) = decode(self.body, literal, &mut decoded);
        let mut text_reader = TextReader::new(self.tags, self.inline, false);
        if seeded {
            self.inline.start = Start::Hindsight;
        }
        let (mut implied, noted) = (false, self.notes.len());
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut to = |p: &Piece<'_>| {
            let at = |span: &crate::span::Span| {
                let start = literal.start + (span.start - input) as usize;
                start..start + span.len() as usize
            };
            let blank = |b: Option<&u8>| b.is_some_and(u8::is_ascii_whitespace);
            let line = (blank(p.text.first()), blank(p.text.last()));
            stretches.extend(p.at.iter().map(|span| (p.kind, p.fresh, at(span), line)));
            if p.at.is_empty() && p.fresh {
                implied = true;
                stretches.push((p.kind, true, literal.start..literal.start, line));
            }
        };
        text_reader.feed(&decoded, input, map, self.notes, &mut to);
        text_reader.finish(self.notes, &mut to);
        let unknown = self.notes[noted..].iter().filter(|(_, note)| *note == Note::Channel).count();
        let taken = stretches.iter().any(|(kind, ..)| matches!(kind, Kind::Reasoning(_)));
        let words = Words { strays: 0, channels: unknown };
        let mut reading = Reading { record, out, part, implied, taken, framed: false, line: None, words };
        stretches.into_iter().for_each(|stretch| reading.stretch(stretch));
        reading.words
    }
}

/// The state while a text is split into blocks.
struct Reading<'a> {
    record: &'a [u8],
    out: &'a mut Vec<Block>,
    part: Option<TextPart>,
    /// The opening tag of the next block is implied.
    implied: bool,
    /// The text has reasoning.
    taken: bool,
    /// The next text is a message of its own.
    framed: bool,
    /// Whether the visible text so far ends in white space, if that is known.
    line: Option<bool>,
    words: Words,
}

impl Reading<'_> {
    fn stretch(&mut self, (kind, fresh, at, line): Stretch) {
        match kind {
            Kind::Reasoning(source) if fresh => {
                let headed = source == HARMONY;
                let (text, source) = (Some(Vec::new()), Some(Cow::Borrowed("think_tags")));
                let implied = std::mem::take(&mut self.implied);
                let ends = (Some(at).filter(|_| headed), None);
                let thought = Thought { text, source, tagged: true, implied, headed, ends, ..Thought::default() };
                self.out.push(Block::Thought(thought));
            }
            Kind::Reasoning(_) => {
                if let Some(Block::Thought(Thought { text: Some(text), .. })) = self.out.last_mut() {
                    text.push(at);
                }
            }
            Kind::Delimiter => {
                if let Some(Block::Thought(thought)) = self.out.last_mut().filter(|_| !at.is_empty()) {
                    thought.ends.1 = Some(at).filter(|_| thought.headed);
                }
            }
            Kind::Frame => {
                self.framed = true;
                self.out.push(Block::Frame(at));
            }
            Kind::Stray if self.taken => self.words.strays += 1,
            Kind::Visible | Kind::Commentary | Kind::Tool | Kind::Gap | Kind::Stray | Kind::Structure => {
                self.words.channels += usize::from(kind == Kind::Commentary && fresh);
                if kind == Kind::Structure {
                    self.framed = false;
                } else if fresh && std::mem::take(&mut self.framed) && !line.0 && !self.is_at_line() {
                    self.text(Run::LineEnd);
                }
                self.line = Some(line.1);
                self.text(Run::At(at));
            }
            _ => (),
        }
    }

    /// Whether the visible text needs no line end before what follows.
    fn is_at_line(&self) -> bool {
        self.line.unwrap_or_else(|| {
            let mut texts = self.out.iter().filter_map(|block| match block {
                Block::Text { text, .. } => text.iter().rfind(|run| !run.is_empty()),
                _ => None,
            });
            match texts.next_back() {
                Some(Run::At(at)) => {
                    text::decoded(&self.record[at.clone()]).last().is_some_and(u8::is_ascii_whitespace)
                }
                _ => true,
            }
        })
    }

    fn text(&mut self, run: Run) {
        match self.out.last_mut() {
            Some(Block::Text { text, .. }) if self.part.is_none() => text.push(run),
            _ => self.out.push(Block::Text { text: vec![run], part: self.part.take() }),
        }
    }
}
