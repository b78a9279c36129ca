//! The start of an input, whose first bytes decide its framing, and its end.

use super::{Engine, EngineReader};
use crate::dialect::{
    CellReader, Foreign, Hindsight, JsonReader, MAX_WAITING_BYTES, RawReader, TextLines, names_reasoning,
};
use crate::error::ErrorKind;
use crate::frame::{
    Framer, Framing, MAX_CONVERSATION_BYTES, MAX_SNIFFED_BYTES, SEPARATOR, SniffHints, binary, http, sniff,
};
use crate::inline::{Start, Unclosed};
use crate::model::Facts;
use crate::out::{FrameStatus, Output, Sinks, SourceBytes};

/// The error for a stream that ends in reasoning that was written between delimiters.
const CUT_OFF: &str = "the stream is cut off: nothing closes its reasoning";

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What the first bytes of an input say about it.
struct InputHead {
    /// How many bytes come before the first record: a byte order mark, the head of an HTTP response.
    before: usize,
    framing: Framing,
    /// The error if the whole input is refused.
    refused: Option<String>,
}

impl<O: Output> Engine<O> {
    /// Decides the framing. Returns whether enough bytes have come.
    pub(super) fn begin(&mut self, eof: bool) -> bool {
        let Some(head) = self.head(eof) else { return false };
        let Some(mut options) = self.opening.options.take() else {
            return false;
        };
        let InputHead { before, framing, refused } = head;
        if options.hindsight == Hindsight::NotInStreams {
            let stream = framing == Framing::Sse;
            options.hindsight = if stream { Hindsight::Nowhere } else { Hindsight::Everywhere };
        }
        let waits = options.hindsight != Hindsight::Nowhere && options.inline.unclosed == Some(Unclosed::Error);
        let refuses = framing == Framing::Text && waits;
        self.opening.refuses = Some(options.inline).filter(|_| refuses);
        self.framing = Some(framing);
        self.found.counts.guessed = !self.rules.strict && refused.is_none();
        self.stage.output.framing(framing);
        let watch = self.opening.watch.take();
        self.framer = match &watch {
            Some(_) if framing == Framing::Text && !self.rules.ignores => {
                Framer::text_that_waits(MAX_WAITING_BYTES.min(self.rules.max_record / 2))
            }
            _ if framing == Framing::Jsonl && self.buffer.bytes.get(before) == Some(&SEPARATOR) => Framer::sequence(),
            _ if framing == Framing::Json && options.to.is_some() => {
                Framer::of_conversations(self.rules.strict, MAX_CONVERSATION_BYTES.min(self.rules.max_record / 2))
            }
            _ => Framer::new(framing, self.rules.strict),
        };
        self.reader = Some(match framing {
            Framing::Text => {
                self.lines = watch;
                EngineReader::Raw(Box::new(RawReader::new(&self.tags, &options, self.rules.pass)))
            }
            Framing::Csv => EngineReader::Cells(Box::new(CellReader::new(&self.tags, options, None))),
            Framing::Tsv => EngineReader::Cells(Box::new(CellReader::new(&self.tags, options, Some(b'\t')))),
            _ => EngineReader::Json(Box::new(JsonReader::new(&self.tags, options).in_pieces(framing == Framing::Sse))),
        });
        if before > 0 {
            self.place(0..before, FrameStatus::Glue, Facts::default());
        }
        if let Some(what) = refused {
            self.framer = Framer::broken();
            self.found.counts.records += 1;
            self.problem(0, (ErrorKind::Invalid, what), true);
        }
        true
    }

    /// Examines the first bytes. `None` if not enough have come.
    fn head(&mut self, eof: bool) -> Option<InputHead> {
        let (head, framing) = (&self.buffer.bytes[..self.buffer.filled], self.framing);
        if !eof && (head.len() < 4 || (head.len() < 8 && head.starts_with(&[0; 3]))) {
            return None;
        }
        let options = self.opening.options.as_ref()?;
        let watched = options.foreign != Foreign::Unwatched;
        if watched && self.opening.watch.is_none() {
            self.opening.watch = Some(Box::new(TextLines::new(&self.tags, options)));
        }
        let bom = if head.starts_with(BOM) { BOM.len() } else { 0 };
        if framing == Some(Framing::Text) {
            return Some(InputHead { before: bom, framing: Framing::Text, refused: None });
        }
        let before = bom + http::heads(&head[bom..], eof)?;
        let head = &head[before..];
        if let Some(what) = binary::known(head, eof)?.filter(|_| watched) {
            return Some(InputHead { before: 0, framing: framing.unwrap_or(Framing::Jsonl), refused: Some(what) });
        }
        if let Some(framing) = framing {
            return Some(InputHead { before, framing, refused: None });
        }
        // Text that is written as it comes cannot wait for a line that may be a record.
        let streaming =
            options.inline.start != Start::Hindsight || options.hindsight == Hindsight::Nowhere || self.rules.ignores;
        // Without another line end there is little news.
        let news = &self.buffer.bytes[self.opening.looked..self.buffer.filled];
        if !streaming
            && !eof
            && self.opening.looked > 0
            && memchr::memchr(b'\n', news).is_none()
            && self.buffer.filled < MAX_SNIFFED_BYTES + before
        {
            return None;
        }
        self.opening.looked = self.buffer.filled;
        let mut is_record = |line: &[u8]| self.opening.watch.as_mut().is_some_and(|watch| watch.is_record(line));
        let framing = match sniff(
            head,
            eof,
            &mut SniffHints { is_record: &mut is_record, thinks: &mut |name| names_reasoning(name), streaming },
        )? {
            // Pointers name strings in JSON, whatever the first bytes look like.
            Framing::Text if options.is_named() => Framing::Jsonl,
            framing => framing,
        };
        // If the first character decides, only the bytes before it are searched for NUL bytes, so that the result does
        // not depend on how many bytes have come.
        let blank = head.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0).count();
        let early = streaming || head.get(blank) == Some(&b'<');
        let known = if early { blank } else { head.len().min(MAX_SNIFFED_BYTES) };
        let nul = framing == Framing::Text && watched && memchr::memchr(0, &head[..known]).is_some();
        let refused = nul.then(|| binary::with_nul(head));
        Some(InputHead { before: if nul { 0 } else { before }, framing, refused })
    }
}

impl<O: Output> Engine<O> {
    /// Finishes the reader and the output, once all input was read.
    pub(super) fn close(&mut self, sinks: &mut Sinks) {
        if self.progress.given_up || self.progress.behind || !self.progress.ended {
            return;
        }
        if let Some(utf8) = &mut self.found.utf8 {
            utf8.finish(self.buffer.base + self.buffer.at as u64);
            self.found.counts.not_utf8 = utf8.wrong;
        }
        match &mut self.reader {
            Some(EngineReader::Json(reader)) => {
                let cut_off = reader.leaves_open() && !self.progress.over;
                reader.finish(&mut self.stage);
                if cut_off {
                    self.problem(self.buffer.base + self.buffer.at as u64, (ErrorKind::Refused, CUT_OFF), false);
                }
            }
            Some(EngineReader::Raw(reader)) => {
                let source = SourceBytes { bytes: &self.buffer.bytes[..self.buffer.at], base: self.buffer.base };
                self.found.counts.messages += reader.finish(source, &mut self.stage).messages;
            }
            Some(EngineReader::Cells(_)) | None => (),
        }
        self.notes();
        for (offset, what, skipped) in std::mem::take(&mut self.found.doubts) {
            self.problem(offset, (ErrorKind::Undecided, what), skipped);
        }
        self.unused_pointers();
        if self.framing == Some(Framing::Sse) && self.found.payloads == 0 && self.framer.is_strange() {
            self.problem(0, (ErrorKind::Invalid, "no event: this is not an event stream"), false);
        }
        self.stage.finish();
        self.progress.closed = true;
        self.drain(sinks);
        self.progress.behind = self.stage.output.is_behind();
    }

    /// Ends an input that cannot be read further because it is damaged: an incomplete record is an error.
    #[cfg(feature = "cli")]
    pub fn abort(&mut self, error: (ErrorKind, &str), sinks: &mut Sinks) {
        self.problem(self.buffer.base + self.buffer.filled as u64, error, true);
        self.progress.over = true;
        self.finish(sinks);
    }

    /// Reports the pointers of the user that have named nothing in any record.
    fn unused_pointers(&mut self) {
        let unused = match &self.reader {
            Some(EngineReader::Json(reader)) => reader.unused_pointers(),
            Some(EngineReader::Cells(reader)) => reader.unused_pointers(),
            Some(EngineReader::Raw(_)) => std::mem::take(&mut self.rules.unused),
            None => return,
        };
        if self.found.counts.records > 0 && !self.progress.over {
            unused.into_iter().for_each(|what| self.problem(0, (ErrorKind::Refused, what), false));
        }
    }
}
