//! A conversation as a provider gets it: messages, and the blocks in them, each with its place in the text.

use super::few::Few;
use super::targets::RequestShape;
use super::value::{Object, Value};
use std::ops::Range;

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageSender {
    User,
    Assistant,
    /// A result of a tool, as a message.
    Tool,
    /// Instructions.
    System,
    /// Anything else: items that are no message.
    Other,
}

/// What an item or a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestItemKind {
    Thinking,
    /// Thinking that only the provider can read.
    Redacted,
    Text,
    Call,
    Result,
    /// An item that stands for another one.
    Reference,
    Other,
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

impl RequestItemKind {
    /// What a block is.
    pub fn of_block(object: &Object<'_>) -> Self {
        let Some(kind) = object.get("type") else {
            let found = UNTYPED.iter().find(|(key, _)| object.has(key));
            let thought = object.get("thought").is_some_and(Value::is_true);
            return match found {
                Some((_, Self::Text)) if thought => Self::Thinking,
                Some((_, kind)) => *kind,
                None => Self::Other,
            };
        };
        match kind.bytes().as_ref() {
            b"thinking" => Self::Thinking,
            b"redacted_thinking" => Self::Redacted,
            b"text" | b"input_text" | b"output_text" => Self::Text,
            b"tool_use" => Self::Call,
            b"tool_result" => Self::Result,
            _ => Self::Other,
        }
    }
}

/// A message, or an item.
#[derive(Clone, Debug)]
pub struct RequestMessage<'a> {
    pub role: MessageSender,
    /// What an item is; of a message it is [`RequestItemKind::Text`].
    pub kind: RequestItemKind,
    /// Its objects: one, or one for each line of a log that has a piece of it.
    pub parts: Few<RequestPart<'a>>,
    /// The blocks of all parts.
    pub blocks: Few<RequestBlock<'a>>,
}

/// An object that is a message, or a part of one.
#[derive(Clone, Debug)]
pub struct RequestPart<'a> {
    pub object: Object<'a>,
    /// The line of the log that it stands in.
    pub line: Option<usize>,
}

/// A block of a message.
#[derive(Clone, Debug)]
pub struct RequestBlock<'a> {
    pub kind: RequestItemKind,
    pub object: Object<'a>,
}

impl<'a> RequestPart<'a> {
    /// The list of blocks, or a text.
    pub fn content(&self) -> Option<Value<'a>> {
        self.object.first(&["content", "parts"]).map(|(_, content)| content)
    }
}

impl<'a> RequestMessage<'a> {
    /// The only object of a message of a request.
    pub fn object(&self) -> &Object<'a> {
        &self.parts[0].object
    }

    /// The value of this member, in its first part.
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        self.object().get(key)
    }

    /// Where it begins and ends in the text, as far as its first part goes.
    pub fn at(&self) -> Range<usize> {
        self.object().at()
    }

    /// Whether it has a block of this kind.
    pub fn holds(&self, kind: RequestItemKind) -> bool {
        self.blocks.iter().any(|block| block.kind == kind)
    }

    /// Whether any of its blocks is thinking.
    pub fn thinks(&self) -> bool {
        self.blocks.iter().any(RequestBlock::thinks)
    }

    pub fn is_assistant(&self) -> bool {
        self.role == MessageSender::Assistant
    }

    /// Whether it goes on with the turn: a result of a tool.
    pub fn is_result(&self) -> bool {
        self.role == MessageSender::Tool || self.kind == RequestItemKind::Result || self.holds(RequestItemKind::Result)
    }

    /// Whether it begins a turn.
    pub fn is_prompt(&self) -> bool {
        self.role == MessageSender::User && !self.is_result()
    }

    /// Whether it has calls of tools.
    pub fn calls(&self) -> bool {
        let list = self.get("tool_calls").is_some_and(|calls| calls.list().next().is_some());
        list || self.kind == RequestItemKind::Call || self.holds(RequestItemKind::Call)
    }

    /// The name of the first tool that it calls.
    pub fn tool(&self) -> Option<String> {
        let call = self.get("tool_calls").and_then(|calls| calls.list().next()).and_then(Value::object);
        let name = match call {
            Some(call) => call.inner("function")?.get("name"),
            None => self.blocks.iter().find(|block| block.kind == RequestItemKind::Call)?.object.get("name"),
        };
        name.map(|name| name.word().into_owned())
    }

    /// Its text, if it is a string.
    pub fn text(&self) -> Option<Value<'a>> {
        match &*self.parts {
            [part] => part.content().filter(|content| content.is_string()),
            _ => None,
        }
    }

    /// Whether all of its parts are empty: no block, and no text.
    pub fn is_empty(&self) -> bool {
        if !self.blocks.is_empty() {
            return false;
        }
        let nothing = |content: Value<'_>| content.is_blank() || content.is_empty_list();
        self.parts.iter().all(|part| part.content().is_some_and(nothing))
    }
}

impl RequestBlock<'_> {
    pub fn thinks(&self) -> bool {
        matches!(self.kind, RequestItemKind::Thinking | RequestItemKind::Redacted)
    }

    /// The text of a block of text, if it is nothing but white space.
    pub fn is_white(&self) -> bool {
        self.kind == RequestItemKind::Text && self.object.get("text").is_some_and(Value::is_white)
    }
}

/// What a conversation was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// A request, with its settings.
    Request,
    /// Messages and nothing else.
    Messages,
    /// A log of Claude Code.
    ClaudeCode,
    /// A log of Codex.
    Codex,
}

/// A conversation.
#[derive(Clone, Debug)]
pub struct RequestConversation<'a> {
    /// How it is written; `None` if it is written alike for several.
    pub shape: Option<RequestShape>,
    pub origin: RequestOrigin,
    /// The request.
    pub root: Option<Object<'a>>,
    /// The list of messages, unless they are lines.
    pub list: Option<Value<'a>>,
    pub messages: Vec<RequestMessage<'a>>,
    /// Where the assistant's blocks of thinking are: the indices of the message, and of the block in it. They are few.
    pub thoughts: Vec<(usize, usize)>,
    /// The number of its record, from 1; of a log, that of its first line.
    pub record: u64,
    /// The name of the model that the text has.
    pub model: Option<String>,
}

impl<'a> RequestConversation<'a> {
    /// The assistant's blocks of thinking, with the indices of their messages.
    pub fn thinking(&self) -> impl Iterator<Item = (usize, &RequestBlock<'a>)> {
        let block = |(message, block): &(usize, usize)| {
            let found = self.messages.get(*message)?.blocks.get(*block)?;
            Some((*message, found))
        };
        self.thoughts.iter().filter_map(block)
    }

    /// A log is judged as if the next message of the user followed.
    pub fn goes_on(&self) -> bool {
        matches!(self.origin, RequestOrigin::ClaudeCode | RequestOrigin::Codex)
    }

    /// A setting of the request.
    #[cfg(feature = "cli")]
    pub fn setting(&self, key: &str) -> Option<Value<'a>> {
        self.root.as_ref()?.get(key)
    }

    /// The last message.
    pub fn last(&self) -> Option<&RequestMessage<'a>> {
        self.messages.last()
    }

    /// The messages behind the last one that begins a turn.
    pub fn turn(&self) -> Range<usize> {
        let n = self.messages.len();
        if self.goes_on() {
            return n..n;
        }
        // At Gemini a picture alone begins none.
        let must_speak = self.shape == Some(RequestShape::Contents);
        let begins =
            |message: &RequestMessage<'_>| message.is_prompt() && (!must_speak || message.holds(RequestItemKind::Text));
        self.messages.iter().rposition(begins).map_or(0, |at| at + 1)..n
    }

    /// The messages of the turn that the model is to go on with: the last message is one of its own or a result. None if
    /// the user was the last to speak.
    pub fn open_turn(&self) -> Option<Range<usize>> {
        let turn = self.turn();
        let open = self.last().is_some_and(|last| last.is_assistant() || last.is_result());
        (open && !turn.is_empty()).then_some(turn)
    }
}
