//! Reads a text into conversations: a request, a list of messages, one of either a line, or a log of a coding agent.
//!
//! Messages of all shapes are read by the same code, since real files mix them. What a block is, its type says, or
//! its only key. Which shape a conversation has is told by what only one of them has.

use super::conversation::{
    MessageSender, RequestBlock, RequestConversation, RequestItemKind, RequestMessage, RequestOrigin, RequestPart,
};
use super::few::Few;
use super::parse::{Inner, Parsed, Spare};
use super::session::Sessions;
use super::targets::RequestShape;
use super::value::{MAX_TEXT_BYTES, Object, Value};
use crate::error::Error;
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

/// Members that a request may stand in, in the files of batches and in logs.
const ENVELOPES: &[&str] = &["body", "request", "params", "modelInput"];

/// The members that hold messages, and what shape that means.
const LISTS: &[(&str, Option<RequestShape>)] =
    &[("contents", Some(RequestShape::Contents)), ("messages", None), ("input", Some(RequestShape::Items))];

/// Whether a member of this name may make a request of an object: it is one of those above.
pub fn request_has(key: &[u8]) -> bool {
    matches!(key, b"contents" | b"messages" | b"input" | b"body" | b"request" | b"params" | b"modelInput")
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

/// The request that an object is, or holds in its envelope: with its list of messages, and its shape if that is clear.
fn request<'a>(object: &Object<'a>) -> Option<(Object<'a>, Value<'a>, Option<RequestShape>)> {
    let own = |object: &Object<'a>| {
        let is_it = |value: &Value<'_>| value.is_list() || value.is_string();
        LISTS.iter().find_map(|(key, shape)| Some((object.get(key).filter(is_it)?, *shape)))
    };
    if let Some((list, shape)) = own(object) {
        return Some((object.clone(), list, shape));
    }
    ENVELOPES.iter().find_map(|key| {
        let inner = object.inner(key)?;
        let (list, shape) = own(&inner)?;
        Some((inner, list, shape))
    })
}

/// Whether an object is an item, and no message.
pub fn is_item(object: &Object<'_>) -> bool {
    let kinds = ["reasoning", "function_call", "function_call_output", "item_reference"];
    object.has("call_id") || kinds.iter().any(|kind| object.says("type", kind))
}

/// A conversation of these messages.
pub fn conversation<'a>(
    shape: Option<RequestShape>,
    origin: RequestOrigin,
    messages: Vec<RequestMessage<'a>>,
    record: u64,
) -> RequestConversation<'a> {
    let shape = shape.or_else(|| shape_of(&messages));
    let mut thoughts = Vec::new();
    for (number, message) in messages.iter().enumerate().filter(|(_, message)| message.is_assistant()) {
        let blocks = message.blocks.iter().enumerate().filter(|(_, block)| block.thinks());
        thoughts.extend(blocks.map(|(block, _)| (number, block)));
    }
    RequestConversation { shape, origin, root: None, list: None, messages, thoughts, record, model: None }
}

/// The shape of messages, if they have what only one shape has.
fn shape_of(messages: &[RequestMessage<'_>]) -> Option<RequestShape> {
    let any = |is: &dyn Fn(&RequestMessage<'_>) -> bool| messages.iter().any(is);
    let block = |is: &dyn Fn(&RequestBlock<'_>) -> bool| any(&|message| message.blocks.iter().any(is));
    let untyped = |block: &RequestBlock<'_>| !block.object.has("type") && block.kind != RequestItemKind::Other;
    match () {
        () if any(&|message| message.object().has("parts")) => Some(RequestShape::Contents),
        () if block(&untyped) => Some(RequestShape::Converse),
        () if any(&|message| message.object().has("tool_calls") || message.role == MessageSender::Tool) => {
            Some(RequestShape::Chat)
        }
        () if block(&|block| {
            matches!(block.kind, RequestItemKind::Call | RequestItemKind::Result | RequestItemKind::Redacted)
        }) =>
        {
            Some(RequestShape::Blocks)
        }
        () => None,
    }
}

/// Reads a message or an item.
pub fn message<'a>(object: Object<'a>, line: Option<usize>) -> RequestMessage<'a> {
    let (role, kind, part) = (role(&object), item(&object), RequestPart { object, line });
    let blocks = blocks(part.content());
    RequestMessage { role, kind, parts: Few::of(part), blocks }
}

/// Reads a message or an item of a log, of which a part was read before.
pub fn message_of<'a>(mut inner: Inner<'a>, line: usize) -> RequestMessage<'a> {
    let (role, kind) = (role(&inner.object), item(&inner.object));
    let content = inner.object.first(&["content", "parts"]).map(|(_, content)| content);
    let known = content.and_then(|content| inner.blocks_of(content));
    let blocks = known.unwrap_or_else(|| blocks(content));
    RequestMessage { role, kind, parts: Few::of(RequestPart { object: inner.object, line: Some(line) }), blocks }
}

/// The blocks of a list.
fn blocks(content: Option<Value<'_>>) -> Few<RequestBlock<'_>> {
    content
        .into_iter()
        .flat_map(Value::list)
        .filter_map(Value::object)
        .map(|object| RequestBlock { kind: block(&object), object })
        .collect()
}

fn role(object: &Object<'_>) -> MessageSender {
    match object.get("role").map(Value::bytes).as_deref() {
        Some(b"user") => MessageSender::User,
        Some(b"assistant" | b"model") => MessageSender::Assistant,
        Some(b"tool" | b"function") => MessageSender::Tool,
        Some(b"system" | b"developer") => MessageSender::System,
        // A content without a role is the user's.
        None if object.has("parts") => MessageSender::User,
        None => match item(object) {
            RequestItemKind::Thinking | RequestItemKind::Call => MessageSender::Assistant,
            RequestItemKind::Result => MessageSender::Tool,
            _ => MessageSender::Other,
        },
        Some(_) => MessageSender::Other,
    }
}

/// What an item is.
fn item(object: &Object<'_>) -> RequestItemKind {
    let Some(kind) = object.get("type").filter(|_| !object.has("parts")) else { return RequestItemKind::Text };
    match kind.bytes().as_ref() {
        b"message" => RequestItemKind::Text,
        b"reasoning" => RequestItemKind::Thinking,
        b"item_reference" => RequestItemKind::Reference,
        call if call.ends_with(b"_call") => RequestItemKind::Call,
        output if output.ends_with(b"_output") => RequestItemKind::Result,
        _ if object.has("role") => RequestItemKind::Text,
        _ => RequestItemKind::Other,
    }
}

/// The keys that a block without a type has, and what it is.
const UNTYPED: &[(&str, RequestItemKind)] = &[
    ("reasoningContent", RequestItemKind::Thinking),
    ("toolUse", RequestItemKind::Call),
    ("toolResult", RequestItemKind::Result),
    ("functionCall", RequestItemKind::Call),
    ("function_call", RequestItemKind::Call),
    ("functionResponse", RequestItemKind::Result),
    ("function_response", RequestItemKind::Result),
    ("text", RequestItemKind::Text),
];

/// What a block is.
pub fn block(object: &Object<'_>) -> RequestItemKind {
    let Some(kind) = object.get("type") else {
        let found = UNTYPED.iter().find(|(key, _)| object.has(key));
        let thought = object.get("thought").is_some_and(Value::is_true);
        return match found {
            Some((_, RequestItemKind::Text)) if thought => RequestItemKind::Thinking,
            Some((_, kind)) => *kind,
            None => RequestItemKind::Other,
        };
    };
    match kind.bytes().as_ref() {
        b"thinking" => RequestItemKind::Thinking,
        b"redacted_thinking" => RequestItemKind::Redacted,
        b"text" | b"input_text" | b"output_text" => RequestItemKind::Text,
        b"tool_use" => RequestItemKind::Call,
        b"tool_result" => RequestItemKind::Result,
        _ => RequestItemKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_requests_are_known() {
        let lists = LISTS.iter().map(|(key, _)| *key);
        assert!(lists.chain(ENVELOPES.iter().copied()).all(|key| request_has(key.as_bytes())));
        assert!(!request_has(b"message"));
    }
}
