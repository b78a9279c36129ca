//! Whole records: messages, requests and responses, each written when it is over.

use super::*;

/// The error for a raw text that JSON cannot hold.
const NOT_UTF8: &str = "not UTF-8, which a text in JSON must be";

impl Emit {
    /// A message is over.
    pub(super) fn end(&mut self, lane: Lane) {
        self.change(lane, None, Gather::finish);
        self.compare_answer(lane);
        let Some(mut open) = self.begun.open.remove(&lane) else { return };
        match open.envelope {
            Envelope::Stream => {
                self.end_streamed(&mut open);
                self.turns.end(open.serial, &mut self.values);
            }
            Envelope::Line | Envelope::Message | Envelope::List => self.write_message(*open),
            Envelope::Request => steps::of_message(open.gather.message, &mut self.messages),
            Envelope::Response => self.messages.push(open.gather.message),
        }
    }

    /// A message that is a record, or that began in this one.
    pub(super) fn write_message(&mut self, open: EmitMessage) {
        let mut losses = Losses::default();
        // Of raw text each message is refused by itself, since parts of it may have been written.
        let is_text = self.around.framing == Framing::Text;
        let earlier = is_text || open.record.number != self.record.number || self.record.over;
        let mut messages = Vec::new();
        steps::of_message(open.gather.message, &mut messages);
        self.calls.complete(&mut messages);
        let one = |message| {
            losses.of(message);
            self.writer.message(message, &mut losses)
        };
        let written: Result<Vec<Vec<WrittenJson>>, _> = messages.iter().map(one).collect();
        drop(messages);
        // Only raw text may be in another encoding: JSON was read as UTF-8.
        let written = match written {
            Ok(values) if is_text && !values.iter().flatten().all(WrittenJson::is_utf8) => Err(NOT_UTF8.to_string()),
            written => written.map_err(str::to_string),
        };
        self.count(&losses);
        let lost = open.lost.or(losses.first()).filter(|_| self.rules.strict);
        match written.and_then(|values| lost.map_or(Ok(values), |lost| Err(would_lose(lost.loss)))) {
            Ok(values) if is_text => self.around.put_text(values.into_iter().flatten()),
            Ok(values) => {
                let values = values.into_iter().flatten().map(|value| ("", value.into_bytes())).collect();
                match open.envelope {
                    Envelope::Line => self.conversations.write(open.conversation, values, &mut self.values),
                    _ => self.values.extend(values),
                }
            }
            Err(what) if earlier => self.refuse(open.record, what),
            Err(what) => self.record.refusal = Some(what),
        }
        if earlier {
            self.record.earlier = self.values.len();
        }
    }

    /// An error in place of an answer. In an event stream it is an event; elsewhere a response may have a place for it.
    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        let event = self.around.framing == Framing::Sse;
        let (name, value) = self.writer.failure(message).filter(|_| event || !self.writer.fails())?;
        Some((if event { name } else { "" }, value))
    }

    pub(super) fn refuse(&mut self, at: PlacedRecord, what: String) {
        self.refused.push(Refusal { record: at.number, offset: at.offset, what, skipped: true });
    }

    /// The record is over: what takes its place.
    pub(super) fn write_record(&mut self, envelope: Envelope) {
        let (mut losses, mut messages) = (Losses::default(), std::mem::take(&mut self.messages));
        if envelope == Envelope::Request {
            self.calls.anew().complete(&mut messages);
            messages.iter_mut().for_each(BlockMessage::instructs);
        }
        let head = std::mem::take(&mut self.head);
        match envelope {
            Envelope::Request => match self.writer.request(&head, &messages, &mut losses) {
                Ok(value) => {
                    let value = self.in_batch(&head, value, true, &mut losses);
                    self.push(value);
                }
                Err(what) => self.record.refusal = Some(what.into()),
            },
            Envelope::Response => {
                for message in &messages {
                    losses.of(message);
                    let failure = message.is_failure().then(|| self.failure(message)).flatten();
                    if let Some(failure) = failure {
                        self.values.push(failure);
                        continue;
                    }
                    if message.stop == Some(Stop::Error) && !self.writer.fails() {
                        self.record.refusal = Some("a response that failed has no message".into());
                        continue;
                    }
                    match self.writer.response(message, self.begun.serial, &mut losses) {
                        Ok(value) => {
                            let value = self.in_batch(&head, value, false, &mut losses);
                            self.push(value);
                        }
                        Err(what) => self.record.refusal = Some(what.into()),
                    }
                }
            }
            Envelope::Stream => {
                let streams = self.begun.open.values_mut().filter(|open| open.envelope == Envelope::Stream);
                for open in streams {
                    losses.of(&open.gather.message);
                    let out = self.turns.out(open.serial, &mut self.values);
                    begin(self.writer.as_ref(), open, out, &mut losses);
                }
            }
            Envelope::Line | Envelope::Message | Envelope::List => (),
        }
        // Their room is kept for the next record.
        messages.clear();
        self.messages = messages;
        self.lose(&losses);
    }
}
