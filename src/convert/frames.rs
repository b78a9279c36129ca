//! Writes values in the framing of the input, in place of its frames.

use super::*;
use crate::model::Bit;
use crate::out::FrameStatus;
use std::borrow::Cow;

/// Whether a value is too long to be copied when it is framed.
fn has_long(values: &Values) -> bool {
    values.iter().any(|(_, value)| value.len() >= 1 << 16)
}

impl Emit {
    /// Ends a frame: the values built from its record replace it.
    pub(super) fn put(&mut self, mut placed: Placed) -> Placed {
        let mut record = self.record.value.take();
        if let Some((envelope, _)) = record {
            self.write_record(envelope);
            if envelope == Envelope::List {
                // All of a list stays in one record.
                self.conversations.flush(&mut self.values);
            }
        }
        record = record.filter(|_| !self.record.inner || !self.values.is_empty());
        let whole = matches!(placed.fate, FrameStatus::Record | FrameStatus::Element(_)) && !placed.facts.stream;
        let streamed = matches!(record, Some((Envelope::Stream | Envelope::Line, _)));
        let mut refused_at = placed.span.start;
        if let (Some(lost), true, true, false, None) =
            (self.record.lost, self.rules.strict, whole, streamed, &self.record.refusal)
        {
            (self.record.refusal, refused_at) = (Some(would_lose(lost.loss)), lost.at.unwrap_or(refused_at));
        }
        if matches!(record, Some((Envelope::Line, _))) && !self.record.message {
            let mut losses = Losses::default();
            losses.push_at(record.map(|(_, value)| value.start), Loss::Record);
            self.lose(&losses);
        }
        if let Some(what) = self.record.refusal.take() {
            self.refuse(PlacedRecord { number: self.record.number, offset: refused_at }, what);
            placed.fate =
                if matches!(placed.fate, FrameStatus::Element(_)) { FrameStatus::BadElement } else { FrameStatus::Bad };
            self.values.truncate(self.record.earlier);
        }
        self.record.over = true;
        if self.around.framing == Framing::Text && self.rules.edits_text {
            return placed;
        }
        if self.around.framing == Framing::Text && placed.fate == FrameStatus::Text {
            self.edit(placed.span, Vec::new());
            return placed;
        }
        self.put_before(placed.span.start);
        if self.around.framing != Framing::Sse {
            // Only an event stream ends with a value that is not JSON.
            self.values.retain(|(_, value)| value != b"[DONE]");
        }
        if matches!(self.around.framing, Framing::Json | Framing::Jsonl)
            && matches!(placed.fate, FrameStatus::Element(_) | FrameStatus::BadElement | FrameStatus::Glue)
            && self.put_element(&placed, record)
        {
            return placed;
        }
        let mut values = std::mem::take(&mut self.values);
        match (record, placed.fate) {
            (_, FrameStatus::Bad | FrameStatus::BadElement) | (None, _) => {
                // The values of earlier records go before this record.
                let bytes = self.framed(&values, None);
                if !bytes.is_empty() {
                    self.edit(Span::new(placed.span.start, placed.span.start), bytes);
                }
                self.messages.clear();
                self.head = RecordHead::default();
            }
            (Some(_), _) if values.is_empty() => {
                placed.facts.stream = true;
                placed.facts.payload = false;
                self.splice.cut(placed.span);
            }
            (Some((envelope, value)), _) => {
                placed.facts.stream = false;
                let at = if self.around.framing == Framing::Sse { placed.span } else { value };
                // A single value goes out without a copy of it.
                let one = values.len() == 1 && self.around.framing != Framing::Sse && envelope != Envelope::List;
                let bytes = match placed.fate {
                    _ if one => std::mem::take(&mut values[0].1),
                    FrameStatus::Element(_) => joined(&values),
                    _ if streamed && has_long(&values) => return self.put_long(placed, at, values),
                    _ => self.framed(&values, Some(envelope)),
                };
                self.edit(at, bytes);
            }
        }
        placed
    }

    /// Puts values of a stream in a place, of which no copy is made.
    fn put_long(&mut self, placed: Placed, at: Span, values: Values) -> Placed {
        let bits = self.framed_parts(values, true).into_iter().map(|bytes| Bit::Text(Cow::Owned(bytes)));
        self.splice.put_all(at, bits.collect());
        placed
    }

    /// Long values in the input's framing, of which no copy is made: the events at the end of a message may repeat it.
    fn framed_parts(&self, values: Values, placed: bool) -> Vec<Vec<u8>> {
        let mut parts = Vec::new();
        for (i, (name, value)) in values.into_iter().enumerate() {
            let mut before = Vec::new();
            let behind = self.begin_value(i, name, placed, &mut before).to_vec();
            parts.extend([before, value, behind].into_iter().filter(|part| !part.is_empty()));
        }
        parts
    }

    /// Writes the messages of a raw text so far before what is no text.
    fn put_before(&mut self, at: u64) {
        if self.around.framing == Framing::Text && !self.around.tail.is_empty() {
            let mut bytes = Vec::new();
            self.around.tail.write(usize::MAX, &mut bytes);
            self.edit(Span::new(at, at), bytes);
        }
    }

    /// Handles an element of a top-level array, or an end of the array: values of earlier elements become elements,
    /// too. Returns whether nothing else is to do for the frame.
    fn put_element(&mut self, placed: &Placed, record: Option<(Envelope, Span)>) -> bool {
        let written = self.around.array.unwrap_or_default();
        match placed.fate {
            FrameStatus::BadElement => {
                self.around.array = Some(written || self.splice.passes_bad());
                self.messages.clear();
                self.head = RecordHead::default();
                true
            }
            FrameStatus::Element(comma) if record.is_none() => {
                let values = std::mem::take(&mut self.values);
                if !values.is_empty() {
                    let at = comma.map_or(placed.span.start, |comma| comma + 1);
                    self.edit(Span::new(at, at), [joined(&values), b",".to_vec()].concat());
                }
                self.around.array = Some(true);
                true
            }
            FrameStatus::Element(_) => {
                self.around.array = Some(written || !self.values.is_empty());
                false
            }
            _ => {
                let Some(written) = self.around.array.take() else { return false };
                self.conversations.flush(&mut self.values);
                let values = std::mem::take(&mut self.values);
                if !values.is_empty() {
                    let comma: &[u8] = if written { b"," } else { b"" };
                    self.edit(Span::new(placed.span.start, placed.span.start), [comma, &joined(&values)].concat());
                }
                true
            }
        }
    }

    /// Ends the input: makes the bytes behind its last frame.
    pub(super) fn put_tail(&mut self) {
        self.conversations.flush(&mut self.values);
        let mut values = std::mem::take(&mut self.values);
        values.retain(|(_, value)| self.around.framing == Framing::Sse || value != b"[DONE]");
        let tail = match self.around.array.take() {
            // The array is not closed in the input.
            Some(written) if !values.is_empty() => {
                vec![[if written { b"," } else { &b""[..] }, &joined(&values)].concat()]
            }
            _ if has_long(&values) => self.framed_parts(values, false),
            _ => vec![self.framed(&values, None)],
        };
        let tail = tail.into_iter().filter(|part| !part.is_empty());
        tail.for_each(|part| self.around.tail.push(part.into()));
    }

    pub(super) fn edit(&mut self, at: Span, bytes: Vec<u8>) {
        self.splice.put(at, Bit::Text(Cow::Owned(bytes)));
    }

    /// Values in the input's framing. `place`: the kind of record that they replace, whose line end stays.
    fn framed(&self, values: &Values, place: Option<Envelope>) -> Vec<u8> {
        let room = values.iter().map(|(name, value)| name.len() + value.len() + 20).sum();
        let mut out = Vec::with_capacity(room);
        let stays = matches!(place, Some(Envelope::Stream | Envelope::Line));
        let several = place.is_some() && values.len() > 1 && !stays && self.around.framing == Framing::Json;
        if self.around.framing != Framing::Sse && (several || place == Some(Envelope::List)) {
            return [b"[", &joined(values)[..], b"]"].concat();
        }
        for (i, (name, value)) in values.iter().enumerate() {
            let behind = self.begin_value(i, name, place.is_some(), &mut out);
            out.extend_from_slice(value);
            out.extend_from_slice(behind);
        }
        out
    }

    /// Writes what stands before a value in the input's framing. Returns what stands behind it. `i`: how many values stand
    /// before it; `placed`: they replace a record, whose line end stays.
    pub(super) fn begin_value(&self, i: usize, name: &str, placed: bool, out: &mut Vec<u8>) -> &'static [u8] {
        if self.around.framing != Framing::Sse {
            out.extend_from_slice(if placed && i > 0 { b"\n" } else { b"" });
            return if placed { b"" } else { b"\n" };
        }
        if !name.is_empty() {
            out.extend_from_slice(b"event: ");
            out.extend_from_slice(name.as_bytes());
            out.push(b'\n');
        }
        out.extend_from_slice(b"data: ");
        b"\n\n"
    }
}

impl Emit {
    /// The kind of the current record. A raw text is a message.
    pub(super) fn envelope(&self) -> Option<Envelope> {
        match self.around.framing {
            Framing::Text => (!self.rules.edits_text).then_some(Envelope::Message),
            _ => self.record.value.map(|(envelope, _)| envelope),
        }
    }

    /// Adds a written request or response: for a log, several records.
    pub(super) fn push(&mut self, value: Vec<u8>) {
        if !self.writer.is_log() {
            return self.values.push(("", value));
        }
        let lines = value.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        self.values.extend(lines.map(|line| ("", line.to_vec())));
    }

    /// Wraps a value as a line of a batch, if it was one: its key pairs it with another line.
    pub(super) fn in_batch(&self, head: &RecordHead, value: Vec<u8>, request: bool, losses: &mut Losses) -> Vec<u8> {
        let Some(key) = head.get(Attribute::Batch) else { return value };
        losses.extend(head.get(Attribute::BatchId).map(|_| Loss::Parameter));
        self.writer.batch(key, &value, request).unwrap_or_else(|| {
            losses.push(Loss::Parameter);
            value
        })
    }
}

/// Values as elements of an array.
pub(super) fn joined(values: &Values) -> Vec<u8> {
    values.iter().map(|(_, value)| value.as_slice()).collect::<Vec<_>>().join(&b","[..])
}

/// Whether a line end is needed before what is written behind the last frame.
pub(super) fn must_end_line(framing: Framing, out: &[u8], source: SourceBytes<'_>) -> bool {
    let last = out.last().or(source.bytes.last());
    framing != Framing::Text && last.is_some_and(|b| *b != b'\n')
}

impl BetweenRecords {
    /// Adds messages of a raw text. No byte of the text is copied, so that nothing has to be written before them.
    pub fn put_text(&mut self, values: impl Iterator<Item = WrittenJson>) {
        for mut value in values {
            value.bytes.push(b'\n');
            self.tail.push(value);
        }
    }
}

/// The error for a record that would have a loss.
pub(super) fn would_lose(loss: Loss) -> String {
    format!("--strict: {}", loss.words().1)
}

/// Begins a streamed message in the output, if that has not happened.
pub(super) fn begin(writer: &dyn Writer, open: &mut EmitMessage, out: &mut Values, losses: &mut Losses) {
    if open.streamed.is_some() {
        return;
    }
    let message = BlockMessage { blocks: Vec::new(), ..open.gather.message.clone() };
    let serial = open.serial;
    let mut streamed = Streamed { message, sequence: 0, serial, places: Vec::new(), next: 0, last: Vec::new() };
    writer.begin(&mut streamed, out, losses);
    open.streamed = Some(streamed);
}

impl Emit {
    /// Ends a streamed message.
    pub(super) fn end_streamed(&mut self, open: &mut EmitMessage) {
        let mut losses = Losses::default();
        losses.of(&open.gather.message);
        let out = self.turns.out(open.serial, &mut self.values);
        begin(self.writer.as_ref(), open, out, &mut losses);
        let listed = matches!(self.record.value, Some((Envelope::List, _)));
        if (self.record.over || listed) && open.gather.message.stop.is_none() {
            // Neither an event nor `[DONE]` ended it, but the input or its list, so that its output has no end, either.
            let PlacedRecord { number: record, offset } = open.record;
            self.refused.push(Refusal { record, offset, what: CUT_OFF.into(), skipped: false });
        } else if let Some(streamed) = &mut open.streamed {
            std::mem::swap(&mut streamed.message, &mut open.gather.message);
            self.writer.end(streamed, out, &mut losses);
        }
        self.lose(&losses);
    }
}
