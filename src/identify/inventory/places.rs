//! Where the reasoning of an input stands. A few samples of it are looked up in the bytes of their records.

use super::{Placed, SourceBytes};
use crate::frame::Framing;
use crate::json::{self, lint, text};
use crate::model::{HARMONY, MARKER, Piece, PieceKind, is_inline};
use crate::out::FrameStatus;
use crate::span::Span;

/// The most samples that are looked up: the records of an input are alike. A new source of reasoning is looked up in any case.
const MAX_SAMPLES: u64 = 400;

/// How many bytes of its text identify a sample.
const TEXT: usize = 64;

/// The longest delimiter that is shown, in characters.
const DELIMITER: usize = 24;

/// A piece of reasoning.
struct Sample {
    source: crate::model::Source,
    text: Vec<u8>,
    at: Vec<Span>,
    /// The column of a table that it stands in.
    column: Option<String>,
}

/// The places of reasoning.
#[derive(Default)]
pub(super) struct ReasoningPlaces {
    found: Vec<String>,
    /// The samples of the current frame, and of those whose bytes were not read yet.
    samples: Vec<Sample>,
    framed: Vec<(Placed, Vec<Sample>)>,
    /// The places of pieces without text, and whether one of them is sealed: then they are places of reasoning, too.
    empty: Vec<String>,
    is_sealed: bool,
    /// The elements of lists that are blocks of reasoning in the current frame: their pieces have no bytes of their own.
    items: Vec<Span>,
    column: Option<String>,
    framing: Option<Framing>,
    sources: Vec<crate::model::Source>,
    taken: u64,
}

impl ReasoningPlaces {
    pub fn found(&self) -> &[String] {
        if self.found.is_empty() && self.is_sealed { &self.empty } else { &self.found }
    }

    pub fn framing(&mut self, framing: Framing) {
        self.framing = Some(framing);
    }

    /// The message is a cell of a table, or another string that a pointer names.
    pub fn field(&mut self, pointer: &str) {
        self.column = Some(pointer.to_string());
    }

    /// Takes a piece of reasoning as a sample.
    pub fn reasoning(&mut self, piece: &Piece<'_>) {
        let (PieceKind::Reasoning(source) | PieceKind::Void(source)) = piece.kind else { return };
        let is_new = !self.sources.contains(&source);
        if self.taken >= MAX_SAMPLES && !is_new {
            return;
        }
        let at = piece.at.iter().filter(|span| !span.is_empty()).copied().collect();
        let text = piece.text[..piece.text.len().min(TEXT)].trim_ascii().to_vec();
        // A continued block between tags has its opener elsewhere.
        if is_inline(source) && !piece.fresh {
            return;
        }
        let sample = Sample { source, text, at, column: self.column.clone() };
        if is_new && !sample.text.is_empty() {
            self.sources.push(source);
        }
        self.taken += 1;
        self.samples.push(sample);
    }

    /// A piece of reasoning is an element of a list.
    pub fn item(&mut self, element: Span) {
        self.items.push(element);
    }

    /// A piece without text is signed or encrypted.
    pub fn sealed(&mut self) {
        self.is_sealed = true;
    }

    /// A frame is complete: the samples so far stand in it.
    pub fn frame(&mut self, placed: Placed) {
        let items = std::mem::take(&mut self.items);
        if !self.samples.is_empty() {
            let mut samples = std::mem::take(&mut self.samples);
            // A block between tags stands in a text, and is none of them.
            let blocks = samples.iter_mut().filter(|sample| !is_inline(sample.source));
            blocks.for_each(|sample| drop(sample.at.splice(0..0, items.iter().copied())));
            self.framed.push((placed, samples));
        }
    }

    /// Looks the samples up in their records.
    pub fn resolve(&mut self, source: SourceBytes<'_>) {
        if self.framing == Some(Framing::Text) {
            let samples = std::mem::take(&mut self.samples).into_iter();
            let all: Vec<Sample> = self.framed.drain(..).flat_map(|(_, samples)| samples).chain(samples).collect();
            for sample in all {
                let place = delimiter(&sample, source, true);
                self.add(place, false);
            }
            return;
        }
        for (placed, samples) in std::mem::take(&mut self.framed) {
            if placed.span.start < source.base {
                continue;
            }
            let is_element = matches!(placed.fate, FrameStatus::Element(_) | FrameStatus::BadElement);
            // The bytes of several blocks go with the first.
            for sample in samples.into_iter().filter(|sample| sample.column.is_some() || !sample.at.is_empty()) {
                let mut place = match (&sample.column, self.framing) {
                    (Some(column), _) => path(column),
                    (None, Some(Framing::Csv | Framing::Tsv)) => String::new(),
                    (None, _) => member(&sample, placed.span, source),
                };
                if is_element {
                    place = if place.starts_with('[') || place.is_empty() {
                        format!("[]{place}")
                    } else {
                        format!("[].{place}")
                    };
                }
                if is_inline(sample.source) {
                    place = format!("{place} {}", delimiter(&sample, source, false)).trim_start().to_string();
                }
                self.add(place, sample.text.is_empty() && !is_inline(sample.source));
            }
        }
    }

    fn add(&mut self, place: String, is_empty: bool) {
        let places = if is_empty { &mut self.empty } else { &mut self.found };
        if !place.is_empty() && !places.contains(&place) {
            places.push(place);
        }
    }
}

/// The path of the string that a sample is from, or of the value around it.
fn member(sample: &Sample, frame: Span, source: SourceBytes<'_>) -> String {
    let record = source.get(frame);
    let is_inside = |span: &&Span| frame.start <= span.start && span.end <= frame.end;
    let Some(first) = sample.at.first().filter(is_inside) else { return String::new() };
    let start = memchr::memchr2(b'{', b'[', record).unwrap_or(0);
    let is_in = |at: u64, end: u64| {
        sample.at.iter().any(|span| span.start <= at && end <= span.end || at <= span.start && span.end <= end)
    };
    let literal = json::strings(record, start).find(|literal| {
        let (from, to) = (frame.start + literal.start as u64, frame.start + literal.end as u64);
        let has = || memchr::memmem::find(&literal.decoded(record), &sample.text).is_some();
        is_in(from, to) && !sample.text.is_empty() && has()
    });
    // Without its text, it is what the cut begins with, behind the comma.
    let cut = &record[(first.start - frame.start) as usize..];
    let blank = cut.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
    let offset = literal.map_or((first.start - frame.start) as usize + blank, |literal| literal.start);
    lint::pointers(record, &[offset]).first().map(|pointer| path(pointer)).unwrap_or_default()
}

/// The delimiter before a sample between tags.
fn delimiter(sample: &Sample, source: SourceBytes<'_>, is_raw: bool) -> String {
    match sample.source {
        HARMONY => return "<|channel|>analysis".into(),
        MARKER => return "before a marker".into(),
        _ => (),
    }
    let Some(span) = sample.at.first().filter(|span| span.start >= source.base) else { return String::new() };
    let len = span.len().min(4 * TEXT as u64) as usize;
    let from = (span.start - source.base) as usize;
    let Some(bytes) = source.bytes.get(from..from + len) else { return String::new() };
    let decoded = if is_raw { bytes.to_vec() } else { text::decoded(bytes) };
    let all = text::utf8(&decoded);
    let text = text::utf8(&sample.text);
    let at = if text.is_empty() { None } else { all.find(&*text) };
    let before = at.map_or(&*all, |at| &all[..at]).trim();
    let line = before.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(DELIMITER).collect();
    if shown.len() < line.len() { format!("{shown}…") } else { shown }
}

/// A JSON Pointer as a path of members.
pub(super) fn path(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        let digits = key.bytes().filter(u8::is_ascii_digit).count();
        let is_word =
            !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$'));
        let dot = if path.is_empty() { "" } else { "." };
        path += &match () {
            () if !key.is_empty() && digits == key.len() => "[]".to_string(),
            () if key == "*" => format!("{dot}*"),
            // An identifier differs from record to record.
            () if is_word && key.len() >= 12 && digits >= 2 => format!("{dot}*"),
            () if is_word => format!("{dot}{key}"),
            () => format!("[{}]", serde_json::Value::from(key)),
        };
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (pointer, want) in [
            ("", ""),
            ("/reasoning", "reasoning"),
            ("/choices/0/delta/reasoning_content", "choices[].delta.reasoning_content"),
            ("/3/content/0/thinking", "[].content[].thinking"),
            ("/mapping/5440873c-2d59-4c8c/message", "mapping.*.message"),
            ("/attributes/llm.output/0/a~1b", "attributes[\"llm.output\"][][\"a/b\"]"),
        ] {
            assert_eq!(path(pointer), want, "{pointer}");
        }
    }
}
