//! The parts of a row of the chat family. One walk reads all of its formats: it knows the structure of a message, but
//! no key. The rows say what each key means; `names` merges them, since real records mix the formats.

use crate::model::content::Attribute;

/// The keys and types of a format.
#[derive(Debug)]
pub struct Keys {
    /// Keys of lists of messages.
    pub lists: &'static [&'static str],
    /// Keys of the role of a message.
    pub roles: &'static [&'static str],
    /// Keys of a message's text or list of parts.
    pub contents: &'static [&'static str],
    /// Roles and contents under common words: they count only in a list, beside one of these roles.
    pub speakers: Option<&'static Speakers>,
    /// Keys of a message that hold its reasoning.
    pub fields: &'static [Field],
    /// Keys of objects in a message that repeat such fields.
    pub containers: &'static [&'static str],
    /// Types of content parts that are reasoning.
    pub parts: &'static [&'static str],
    /// It has responses: a list of choices with a message or a delta.
    pub choices: bool,
    /// Keys of lists whose elements are the deltas of one response.
    pub chunks: &'static [&'static str],
    /// Keys of objects that hold a record.
    pub wrappers: &'static [&'static str],
    /// Keys of a wrapper's objects that are messages, in addition to `contents`.
    pub nested: &'static [&'static str],
    /// Its messages come as typed events.
    pub events: Option<&'static TypedEvents>,
    /// Types of the content parts that its readers know, beside those of its reasoning.
    pub native: &'static [&'static str],
}

impl Keys {
    /// The keys of the format that hold reasoning, each with whether programs use the key for other things, too.
    pub(in crate::dialect) fn reasoning_keys(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let fields = self.fields.iter().map(|field| (field.key, field.common));
        fields.chain(self.events.map(|events| (events.reasoning, false)))
    }

    /// The types of objects that are reasoning in this format. Other kinds of its events are common words, which mean
    /// nothing without the rest of the format.
    pub(in crate::dialect) fn reasoning_types(&self) -> impl Iterator<Item = &'static str> {
        let kinds = self.events.into_iter().flat_map(|events| events.kinds);
        let repeats = kinds.filter(|kind| kind.content == EventContent::WholeReasoning);
        self.parts.iter().copied().chain(repeats.map(|kind| kind.name))
    }
}

/// No keys.
pub(in crate::dialect) const NO_KEYS: Keys = Keys {
    lists: &[],
    roles: &[],
    contents: &[],
    speakers: None,
    fields: &[],
    containers: &[],
    parts: &[],
    choices: false,
    chunks: &[],
    wrappers: &[],
    nested: &[],
    events: None,
    native: &[],
};

/// The roles of a format whose keys alone do not make an object a message.
#[derive(Debug)]
pub struct Speakers {
    /// The roles whose content is text.
    pub text: &'static [&'static str],
    /// The roles of the assistant whose content is a tool call.
    pub calls: &'static [&'static str],
}

/// The typed events of a format: each has one kind, and its text at the top level.
#[derive(Debug)]
pub struct TypedEvents {
    /// The kinds.
    pub kinds: &'static [TypedEvent],
    /// The key with the identifier of the response that an event belongs to.
    pub response: &'static str,
    /// Two keys with numbers that together identify the response in its place.
    pub numbers: [&'static str; 2],
    /// The key under which an event repeats the reasoning.
    pub reasoning: &'static str,
    /// The key of token counts.
    pub stats: &'static str,
    /// The key of the model.
    pub model: &'static str,
    /// The key of the stop reason.
    pub stop: &'static str,
    /// The keys inside of the token counts.
    pub usage: &'static [(&'static str, Attribute)],
    /// Keys about the stream, not about the message.
    pub silent: &'static [&'static str],
}

/// A typed event in a record.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    /// The dialect.
    pub dialect: &'static str,
    /// Its events.
    pub events: &'static TypedEvents,
    /// The kind of the event.
    pub row: &'static TypedEvent,
}

/// A kind of typed event.
#[derive(Debug)]
pub struct TypedEvent {
    /// The name of the event, or its type.
    pub name: &'static str,
    /// Whether the type alone is enough to recognise it.
    pub typed: bool,
    /// The part of the message in it.
    pub content: EventContent,
    /// The keys of its text, in order of preference.
    pub texts: &'static [&'static str],
    /// Keys that may stand beside the text.
    pub beside: &'static [&'static str],
}

/// The part of its message that an event has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventContent {
    /// More of its reasoning.
    Reasoning,
    /// More of its answer.
    Answer,
    /// More of its commentary.
    Commentary,
    /// A tool is called.
    Call,
    /// All of its reasoning, repeating that of other events.
    WholeReasoning,
    /// The whole message, which repeats other events and ends it.
    WholeMessage,
    /// Counts of tokens.
    Usage,
    /// The end of the message.
    End,
}

/// A key that holds reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// Programs also use the key for other things: a flag or a number under it is ignored, and the key alone does not
    /// make an object a message.
    pub common: bool,
    /// Its value is not text, but a signature or a ciphertext of its block.
    pub opaque: bool,
    /// The source of the same field in an object that repeats reasoning: usually a copy.
    pub copy: &'static str,
}

pub(in crate::dialect) const fn field(key: &'static str, copy: &'static str) -> Field {
    Field { key, common: false, opaque: false, copy }
}

pub(in crate::dialect) const fn common(key: &'static str, copy: &'static str) -> Field {
    Field { key, common: true, opaque: false, copy }
}

pub(in crate::dialect) const fn opaque(key: &'static str, copy: &'static str) -> Field {
    Field { key, common: false, opaque: true, copy }
}
