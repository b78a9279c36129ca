//! Raw text in another dialect: with other tags it stays a text; a dialect of messages makes it one message.

use super::plan::text;
use super::{Form, Target};
use crate::json::text::{decoded, utf8};
use crate::model::{Bit, Event, Kind, Loss, Piece, Sink};
use crate::span::Span;
use std::borrow::Cow;

/// A text on its way.
pub(in crate::dialect) struct Retold {
    target: Target,
    /// Where it stands, once that is known.
    at: Option<Span>,
    visible: Vec<u8>,
    /// Its blocks, and whether visible text stood before each.
    blocks: Vec<(Vec<u8>, bool)>,
}

impl Retold {
    pub fn new(target: Target) -> Self {
        Self { target, at: None, visible: Vec::new(), blocks: Vec::new() }
    }

    /// From where on nothing is decided before all of it is.
    pub fn from(&self) -> Option<u64> {
        (self.target.form != Form::Tagged).then_some(self.at.map_or(0, |at| at.start))
    }

    pub fn piece(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        if self.target.form == Form::Tagged {
            return self.respell(piece, sink);
        }
        if let (Some(first), Some(last)) = (piece.at.first(), piece.at.last()) {
            let start = self.at.map_or(first.start, |at| at.start.min(first.start));
            self.at = Some(Span::new(start, last.end));
        }
        match piece.kind {
            Kind::Reasoning(_) if piece.fresh => {
                self.blocks.push((piece.text.to_vec(), !self.visible.trim_ascii().is_empty()));
            }
            Kind::Reasoning(_) => {
                if let Some((block, _)) = self.blocks.last_mut() {
                    block.extend_from_slice(piece.text);
                }
            }
            Kind::Visible | Kind::Commentary | Kind::Tool | Kind::Gap => {
                let joins = piece.fresh && !self.visible.is_empty() && !self.visible.ends_with(b"\n");
                self.visible.extend_from_slice(if joins { b"\n" } else { b"" });
                self.visible.extend_from_slice(piece.text);
            }
            _ => (),
        }
    }

    /// Other tags for these.
    fn respell(&self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        let opens = piece.fresh && matches!(piece.kind, Kind::Reasoning(_));
        let tag = match piece.kind {
            _ if !self.target.respell => return,
            Kind::Delimiter => &self.target.close,
            _ if opens => &self.target.open,
            _ => return,
        };
        // A tag may stand in two pieces of input: the second half only goes.
        for (i, at) in piece.at.iter().enumerate() {
            let bits = if i == 0 { vec![Bit::Text(Cow::Owned(decoded(tag.as_bytes())))] } else { Vec::new() };
            sink.event(&Event::Edit { at: *at, with: &bits });
        }
    }

    /// The text is over: as one message, on a line.
    pub fn finish(&self, sink: &mut dyn Sink) {
        let Some(at) = self.at.filter(|_| self.target.form != Form::Tagged) else { return };
        let quoted = |text: &[u8]| serde_json::Value::from(utf8(text)).to_string();
        // The last newline is the file's, not the message's.
        let visible = self.visible.strip_suffix(b"\n").unwrap_or(&self.visible);
        let line = match self.target.form {
            Form::Field(key) => {
                let all: Vec<&[u8]> = self.blocks.iter().map(|(block, _)| block.as_slice()).collect();
                let reasoning = match all.as_slice() {
                    [] => String::new(),
                    all => format!(",\"{key}\":{}", quoted(&all.join(&b'\n'))),
                };
                (1..all.len()).for_each(|_| sink.event(&Event::Loss(Loss::Blocks)));
                self.blocks.iter().filter(|(_, late)| *late).for_each(|_| sink.event(&Event::Loss(Loss::Order)));
                format!("{{\"role\":\"assistant\",\"content\":{}{reasoning}}}\n", quoted(visible))
            }
            _ => {
                let block = |(block, _): &(Vec<u8>, bool)| {
                    let thought = quoted(block);
                    format!("{{\"type\":\"thinking\",\"thought\":{thought},\"sourceField\":\"think_tags\"}},")
                };
                let blocks: String = self.blocks.iter().map(block).collect();
                let answer = format!("{{\"type\":\"text\",\"text\":{}}}", quoted(visible));
                format!("{{\"speaker\":\"ai\",\"blocks\":[{blocks}{answer}]}}\n")
            }
        };
        sink.event(&Event::Edit { at, with: &[text(line)] });
    }
}
