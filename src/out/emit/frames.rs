//! Values in the framing of the input, in place of its frames.

use super::*;
use crate::model::Bit;
use crate::out::Fate;
use std::borrow::Cow;

impl Emit {
    /// A frame is complete: what was built of its record takes its place.
    pub(super) fn put(&mut self, mut placed: Placed) -> Placed {
        let record = self.record.take();
        if let Some((envelope, _)) = record {
            self.write_record(envelope);
        }
        if let Some(what) = self.refusal.take() {
            let (record, what) = (self.number, what.to_string());
            self.refused.push(Refusal { record, offset: placed.span.start, what });
            placed.fate = if matches!(placed.fate, Fate::Element(_)) { Fate::BadElement } else { Fate::Bad };
            self.values.clear();
            return placed;
        }
        if self.framing == Framing::Text && self.edits_text {
            return placed;
        }
        if self.framing == Framing::Text && placed.fate == Fate::Text {
            self.edit(placed.span, Vec::new());
            return placed;
        }
        let values = std::mem::take(&mut self.values);
        match (record, placed.fate) {
            (_, Fate::Bad | Fate::BadElement) | (None, _) => {
                // The values of earlier records stand before this one.
                let bytes = self.framed(&values, false);
                if !bytes.is_empty() {
                    self.edit(Span::new(placed.span.start, placed.span.start), bytes);
                }
                self.messages.clear();
                self.head = Head::default();
            }
            (Some(_), _) if values.is_empty() => {
                placed.facts.stream = true;
                placed.facts.payload = false;
                self.splice.cut(placed.span);
            }
            (Some((_, value)), _) => {
                placed.facts.stream = false;
                let at = if self.framing == Framing::Sse { placed.span } else { value };
                let bytes = self.framed(&values, true);
                self.edit(at, bytes);
            }
        }
        placed
    }

    /// The input is over: what comes behind its last frame.
    pub(super) fn put_tail(&mut self) {
        let values = std::mem::take(&mut self.values);
        self.tail = self.framed(&values, false);
    }

    fn edit(&mut self, at: Span, bytes: Vec<u8>) {
        let bits = [Bit::Text(Cow::Owned(bytes))];
        self.splice.event(&Event::Edit { at, with: &bits });
    }

    /// Values, as they stand in the input's framing; `inside`: in place of a value, whose own line end stays.
    fn framed(&self, values: &Values, inside: bool) -> Vec<u8> {
        let mut out = Vec::new();
        for (i, (name, value)) in values.iter().enumerate() {
            match self.framing {
                Framing::Sse => {
                    if !name.is_empty() {
                        out.extend_from_slice(format!("event: {name}\n").as_bytes());
                    }
                    out.extend_from_slice(b"data: ");
                    out.extend_from_slice(value);
                    out.extend_from_slice(b"\n\n");
                }
                // What is no JSON ends an event stream only.
                _ if value == b"[DONE]" => (),
                Framing::Json if inside => {
                    out.extend_from_slice(if i > 0 { b"," } else { b"" });
                    out.extend_from_slice(value);
                }
                _ => {
                    out.extend_from_slice(if inside && i > 0 { b"\n" } else { b"" });
                    out.extend_from_slice(value);
                    out.extend_from_slice(if inside { b"" } else { b"\n" });
                }
            }
        }
        out
    }
}

/// Whether a line must end before what is written behind the last frame.
pub(super) fn must_end_line(framing: Framing, out: &[u8], source: Source<'_>, tail: &[u8]) -> bool {
    let last = out.last().or(source.bytes.last());
    !tail.is_empty() && framing != Framing::Text && last.is_some_and(|b| *b != b'\n')
}
