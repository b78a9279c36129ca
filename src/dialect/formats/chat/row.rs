//! What a row of the chat family is made of: its formats are read by one walk, which knows what a message looks like but
//! no key by name. What a key means stands in the rows; `names` merges them, since real records mix the formats.

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
    /// The keys of its roles and contents are common words, which mean that only in a list, beside one of these roles.
    pub speakers: Option<&'static Speakers>,
    /// Keys of a message that hold its reasoning.
    pub fields: &'static [Field],
    /// Keys of objects in a message in which such fields stand again.
    pub containers: &'static [&'static str],
    /// Types of content parts that are reasoning.
    pub parts: &'static [&'static str],
    /// It has responses: `choices` with a `message` or a `delta`.
    pub choices: bool,
    /// Keys of lists whose elements are the deltas of one response.
    pub chunks: &'static [&'static str],
    /// Keys of objects that hold a record.
    pub wrappers: &'static [&'static str],
    /// Keys of a wrapper's objects that are messages, beside those of `contents`.
    pub nested: &'static [&'static str],
    /// Its messages come as typed events.
    pub events: Option<&'static TypedEvents>,
    /// Types of the content parts that its readers know, beside those of its reasoning.
    pub native: &'static [&'static str],
}

impl Keys {
    /// The keys under which the format has reasoning, and whether programs use the key for other things, too.
    pub(in crate::dialect) fn reasoning_keys(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let fields = self.fields.iter().map(|field| (field.key, field.common));
        fields.chain(self.events.map(|events| (events.reasoning, false)))
    }

    /// The types of objects that are reasoning in it. The other kinds of its events are common words, which mean nothing
    /// without the rest of the format.
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

/// The typed events of a format: each is of one kind, and has its text at the top level.
#[derive(Debug)]
pub struct TypedEvents {
    /// The kinds.
    pub kinds: &'static [TypedEvent],
    /// The key that names the response which an event belongs to.
    pub response: &'static str,
    /// The keys of numbers that do so otherwise, if they stand side by side.
    pub numbers: [&'static str; 2],
    /// The key under which an event repeats the reasoning.
    pub reasoning: &'static str,
    /// The key of counts.
    pub stats: &'static str,
    /// The key of the model.
    pub model: &'static str,
    /// The key that says why the message ended.
    pub stop: &'static str,
    /// The keys of numbers of tokens.
    pub usage: &'static [(&'static str, Attribute)],
    /// The keys of what is about the stream and not about the message.
    pub silent: &'static [&'static str],
}

/// A typed event of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    /// The dialect.
    pub dialect: &'static str,
    /// Its events.
    pub events: &'static TypedEvents,
    /// The kind of this one.
    pub row: &'static TypedEvent,
}

/// A kind of typed event.
#[derive(Debug)]
pub struct TypedEvent {
    /// Its name: the event's, or its type.
    pub name: &'static str,
    /// It may be known by its type alone.
    pub typed: bool,
    /// What it has of the message.
    pub content: EventContent,
    /// The keys of its text, the best first.
    pub texts: &'static [&'static str],
    /// The keys that may stand beside it.
    pub beside: &'static [&'static str],
}

/// What an event has of its message.
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
    /// All of its reasoning, which repeats that of other events.
    WholeReasoning,
    /// All of the message, which repeats other events and is over.
    WholeMessage,
    /// Counts of tokens.
    Usage,
    /// It is over.
    End,
}

/// A key that holds reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// Programs use the key for other things too: a flag or a number under it is ignored, and alone it
    /// does not make an object a message.
    pub common: bool,
    /// Its value is no text: a signature or a ciphertext that goes with its block.
    pub opaque: bool,
    /// The source of the same field in a container: what stands there is most often a copy.
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
