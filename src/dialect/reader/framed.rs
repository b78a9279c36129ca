//! Event streams and lines of JSON in a string of a record, as in the archives of browsers: each event is read like one of
//! an input of its own, and goes out of the string if it has nothing but reasoning.

use super::{JsonReader, NotUnderstood};
use crate::error::Error;
use crate::frame::{Body, FrameKind, FrameStep, Framer, Framing, INCOMPLETE};
use crate::json::scan::validate;
use crate::model::{Event, Facts, Nobody, Sink};
use std::ops::Range;

/// An event, where it stands in the string.
struct StringEvent<'f> {
    frame: Range<usize>,
    body: Range<usize>,
    /// Its data lines, if it has several.
    lines: Vec<Range<usize>>,
    name: &'f [u8],
}

impl JsonReader {
    /// Whether the events in a string would be read. No event is sent.
    ///
    /// # Errors
    /// As [`JsonReader::framed`].
    pub(super) fn examine_framed(&mut self, body: &Body<'_>, framing: Framing) -> Result<(), NotUnderstood> {
        let (notes, suspects) = (self.sender.notes.len(), self.watch.suspects.len());
        // Another string around this one may be examined, too, or have been read up to here.
        let outer = std::mem::replace(&mut self.watch.examines, true);
        let error = self.last.inner_error.take();
        let read = self.framed(body, framing, &mut Nobody);
        self.watch.examines = outer;
        self.last.inner_error = error;
        self.sender.notes.truncate(notes);
        self.watch.suspects.truncate(suspects);
        self.last.inner_read |= read.as_ref().is_ok_and(|facts| facts.messages > 0);
        read.map(|_| ())
    }

    /// Reads and sends the events in a string. They begin and end messages of their own.
    ///
    /// # Errors
    /// When one of them is not understood, or cut off.
    pub(super) fn framed(
        &mut self,
        body: &Body<'_>,
        framing: Framing,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        let inner = self.sender.streams.apart();
        let outer = std::mem::replace(&mut self.sender.streams, inner);
        let open = std::mem::take(&mut self.open);
        let pieces = self.watch.search.as_mut().map(|search| std::mem::replace(&mut search.pieces, true));
        self.recogniser.forget(None);
        let read = self.frames(body, framing, sink);
        self.last_event.clear();
        self.sender.streams.finish(sink, &mut self.sender.notes);
        if let (Some(search), Some(pieces)) = (&mut self.watch.search, pieces) {
            search.pieces = pieces;
        }
        let inner = std::mem::replace(&mut self.sender.streams, outer);
        self.sender.streams.behind(&inner);
        self.open = open;
        read
    }

    fn frames(&mut self, body: &Body<'_>, framing: Framing, sink: &mut dyn Sink) -> Result<Facts, NotUnderstood> {
        let (mut framer, mut at, mut facts) = (Framer::new(framing, false), 0, Facts::default());
        while let FrameStep::Frame(frame) = framer.step(&body.text[at..], true) {
            let here = |range: &Range<usize>| at + range.start..at + range.end;
            for other in framer.others() {
                self.search_text(&body.part(&here(other), &mut Vec::new())).map_err(NotUnderstood::Suspect)?;
            }
            let name = &body.text[here(&framer.name())];
            let event = StringEvent {
                frame: at..at + frame.len + line_end(&body.text[at + frame.len..], framing),
                body: here(&frame.body),
                lines: match frame.kind {
                    FrameKind::Lines => framer.lines().iter().map(here).collect(),
                    _ => Vec::new(),
                },
                name,
            };
            match frame.kind {
                FrameKind::Bad(error) => return Err(Error { offset: at + error.offset, ..error }.into()),
                FrameKind::Record | FrameKind::Lines => {
                    facts.messages += self.string_event(body, &event, sink)?.messages
                }
                FrameKind::Unfinished if is_done(&body.text[event.body.clone()]) => (),
                FrameKind::Unfinished => return Err(Error::new(at, INCOMPLETE).into()),
                _ => (),
            }
            at += frame.len;
        }
        Ok(facts)
    }

    fn string_event(
        &mut self,
        whole: &Body<'_>,
        event: &StringEvent<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        let (mut text, mut lines) = (Vec::new(), Vec::new());
        let body = match event.lines.as_slice() {
            [] => whole.part(&event.body, &mut lines),
            several => whole.joined(several, &mut text, &mut lines),
        };
        let body = body.named(event.name);
        if is_done(body.text) {
            self.sender.streams.finish(sink, &mut self.sender.notes);
            self.open.clear();
            return Ok(Facts::default());
        }
        if !matches!(body.text.trim_ascii_start().first(), Some(b'{' | b'[')) {
            self.search_text(&body).map_err(NotUnderstood::Suspect)?;
            return Ok(Facts::default());
        }
        self.last_event.clear();
        let facts = self.read(&body, sink).map_err(|refused| match refused {
            NotUnderstood::Wrong(error) => {
                let offset = whole.at(body.offset(error.offset.min(body.text.len())));
                Error { offset, ..error }.into()
            }
            other => other,
        })?;
        self.note_failure(&body);
        if facts.stream && !facts.payload {
            sink.event(&Event::Framed(whole.span(event.frame.clone())));
        }
        Ok(facts)
    }
}

/// How the text of a string is framed, if it is more than one value.
pub(super) fn framing(text: &[u8]) -> Option<Framing> {
    if crate::frame::sse::is_stream(text) {
        return Some(Framing::Sse);
    }
    let text = text.trim_ascii();
    let (first, rest) = text.split_at(memchr::memchr(b'\n', text)?);
    (!rest.is_empty() && validate(first).is_ok()).then_some(Framing::Jsonl)
}

/// The length of the line end behind a line of JSON: a frame of its own, which goes with the line.
fn line_end(rest: &[u8], framing: Framing) -> usize {
    match rest {
        _ if framing != Framing::Jsonl => 0,
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

fn is_done(text: &[u8]) -> bool {
    text.trim_ascii() == b"[DONE]"
}
