//! Reads a text into conversations: a request, a list of messages, one of either a line, or a log of a coding agent.

use super::conversation::{RequestConversation, RequestMessage, RequestOrigin};
use super::envelope::request;
use super::message::{conversation, is_item, message};
use super::parse::{Parsed, Spare};
use super::session::Sessions;
use super::targets::RequestShape;
use super::value::{MAX_TEXT_BYTES, Object, Value};
use crate::error::Error;
use crate::frame::sse::is_stream;
use crate::json::{Scanner, Token, scan};
use std::ops::Range;

/// What was read.
#[derive(Debug, Default)]
pub struct RequestInput<'a> {
    pub conversations: Vec<RequestConversation<'a>>,
    /// The lines that are objects, without their ends, if the text is a record a line.
    pub lines: Vec<Range<usize>>,
    /// Records that were not understood: the number, from 1, the offset, and why.
    pub refused: Vec<(u64, Error)>,
    /// Where each record begins.
    pub starts: Vec<usize>,
}

impl<'a> RequestInput<'a> {
    /// Reads a text.
    pub fn read(text: &'a [u8]) -> Self {
        let mut input = Self::default();
        if text.len() > MAX_TEXT_BYTES {
            input.starts.push(0);
            input.refused.push((1, Error::new(0, "longer than 4 GiB: a conversation is judged as a whole")));
            return input;
        }
        // The events of a stream are an answer: there is no request in it.
        if is_stream(text) {
            return input;
        }
        let blank = |line: &[u8]| line.trim_ascii().is_empty();
        let first = lines(text).find(|at| !blank(&text[at.clone()]));
        let Some(first) = first else { return input };
        let is_whole = blank(&text[first.end..]);
        let is_lined = scan::validate(&text[first.clone()]).is_ok() && (!is_whole || is_log(whole(text)));
        if is_lined {
            input.read_lines(text);
        } else {
            input.starts.push(0);
            match scan::validate(text) {
                Ok(()) => input.value(whole(text), 1),
                // A line that is no JSON may be the first of many.
                Err(_) if lines(text).any(|at| scan::validate(&text[at]).is_ok()) => {
                    input.starts.clear();
                    input.read_lines(text);
                }
                Err(e) => input.refused.push((1, e)),
            }
        }
        input
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.starts.len() as u64
    }

    /// The number of the record that an offset is in, from 1, and where that begins.
    pub fn record_of(&self, offset: usize) -> (u64, usize) {
        let number = self.starts.partition_point(|start| *start <= offset).max(1);
        (number as u64, self.starts.get(number - 1).copied().unwrap_or_default())
    }

    fn read_lines(&mut self, text: &'a [u8]) {
        let mut sessions = Sessions::default();
        let (mut said, mut spare, is_utf8) = (Vec::new(), Spare::default(), scan::is_utf8(text));
        for at in lines(text) {
            let line = text[at.clone()].trim_ascii_end();
            if line.is_empty() {
                continue;
            }
            self.starts.push(at.start);
            let record = self.records();
            let begin = at.start + line.len() - line.trim_ascii_start().len();
            let is_object = text[begin] == b'{';
            if let Err(mut e) = if is_object && is_utf8 { Ok(()) } else { scan::validate(line) } {
                e.offset += at.start;
                self.refused.push((record, e));
                continue;
            }
            if !is_object {
                self.value(value_at(text, begin), record);
                continue;
            }
            let mut parsed = match Parsed::read(text, begin..at.start + line.len(), &mut spare) {
                Ok(parsed) => parsed,
                Err(e) => {
                    self.refused.push((record, e));
                    continue;
                }
            };
            let number = self.lines.len();
            self.lines.push(at);
            let found = if parsed.may_be_request { request(&parsed.object) } else { None };
            if let Some(request) = found {
                self.request(request, record);
            } else if !sessions.add(&mut parsed, number, record) {
                said.push((parsed.object, number, record));
                continue;
            }
            spare.line = parsed.object.into_spare();
        }
        self.conversations.extend(sessions.finish());
        if let Some((_, _, record)) = said.first() {
            let record = *record;
            // The lines of an old rollout are the items themselves.
            let is_rollout = said.iter().any(|(object, ..)| is_item(object));
            let (shape, origin) = if is_rollout {
                (Some(RequestShape::Items), RequestOrigin::Codex)
            } else {
                (None, RequestOrigin::Messages)
            };
            let messages = said.into_iter().map(|(object, line, _)| message(object, Some(line))).collect();
            self.conversations.push(conversation(shape, origin, messages, record));
        }
    }

    /// Adds what one value holds.
    fn value(&mut self, value: Value<'a>, record: u64) {
        if let Some(object) = value.object() {
            match request(&object) {
                Some(request) => self.request(request, record),
                None if object.has("role") => {
                    let messages = vec![message(object, None)];
                    self.conversations.push(conversation(None, RequestOrigin::Messages, messages, record));
                }
                None => self.refused.push((record, foreign(value.at().start))),
            }
        } else if value.is_list() {
            let objects: Vec<Object<'a>> = value.list().filter_map(Value::object).collect();
            if objects.iter().any(|object| request(object).is_some()) {
                objects.iter().filter_map(request).for_each(|found| self.request(found, record));
                return;
            }
            let is_message = |object: &Object<'_>| object.has("role") || object.has("type") || object.has("parts");
            if !objects.iter().all(is_message) {
                return self.refused.push((record, foreign(value.at().start)));
            }
            let shape = objects.iter().any(is_item).then_some(RequestShape::Items);
            let messages = objects.into_iter().map(|object| message(object, None)).collect();
            let mut found = conversation(shape, RequestOrigin::Messages, messages, record);
            found.list = Some(value);
            self.conversations.push(found);
        } else {
            self.refused.push((record, foreign(value.at().start)));
        }
    }

    fn request(&mut self, (root, list, shape): (Object<'a>, Value<'a>, Option<RequestShape>), record: u64) {
        let messages: Vec<RequestMessage<'a>> =
            list.list().filter_map(Value::object).map(|object| message(object, None)).collect();
        let mut found = conversation(shape, RequestOrigin::Request, messages, record);
        found.model = root.first(&["model", "modelId"]).map(|(_, name)| name.word().into_owned());
        found.list = Some(list).filter(|list| list.is_list());
        found.root = Some(root);
        self.conversations.push(found);
    }
}

/// Whether a value is a line of a log.
fn is_log(value: Value<'_>) -> bool {
    value.object().is_some_and(|object| {
        let has = |key: &str| object.get(key).and_then(Value::object).is_some();
        has("payload") || has("message") && request(&object).is_none()
    })
}

fn foreign(offset: usize) -> Error {
    Error::new(offset, "neither a request nor a list of messages")
}

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let ends = memchr::memchr_iter(b'\n', text).map(|end| (end, end + 1)).chain([(text.len(), text.len())]);
    let mut from = 0;
    ends.map(move |(end, next)| std::mem::replace(&mut from, next)..end).filter(|at| !at.is_empty())
}

/// The value of a text that holds nothing else.
fn whole(text: &[u8]) -> Value<'_> {
    value_at(text, text.len() - text.trim_ascii_start().len())
}

/// The value that begins here.
fn value_at(text: &[u8], at: usize) -> Value<'_> {
    let mut s = Scanner::within(text, at);
    let token = s.token().unwrap_or(Token::Null);
    let _ = s.skip(token);
    Value::new(text, token, at..s.at())
}
