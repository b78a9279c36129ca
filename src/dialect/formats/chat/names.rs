//! The keys of the dialects in force, merged for lookup: one table for each state of the walk, since a key means
//! something only in its kind of object.

use self::State::{Call, Choice, Container, Logprobs, Message, Part, Record, Wrapped};
use super::row::{Field, Speakers, Typed, TypedEvent, TypedEvents};
use crate::dialect::Dialect;
use crate::json::{Literal, text};

/// What a key means to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Name {
    /// A list of messages.
    List,
    /// A list of deltas.
    Chunks,
    /// An object inside of a wrapper that is a message.
    Nested,
    Choices,
    Message,
    Delta,
    Index,
    Finish,
    Logprobs,
    Id,
    Role,
    Content,
    /// A role or a text of a message, in a list with a known role.
    Speaker,
    SpeakerText,
    ToolCalls,
    ToolResult,
    /// A field of reasoning.
    Field(&'static Field),
    Container,
    /// An object that holds a record: a log or a batch wraps a response in one.
    Wrapper,
    Type,
    Text,
    /// Something visible that is not text.
    Visible,
    /// The token usage or an error, which keeps an event in its stream.
    Status,
    /// A value that may hold counts of reasoning tokens.
    Logged,
    /// A member that only events of a stream have.
    Done,
    /// The number of earlier messages that are taken back.
    Rewind,
    /// A message that replaces all messages before it.
    Reset,
    /// A member that is useless to readers of a stream once the reasoning is gone.
    Idle,
    Other,
}

/// The kind of object that a key stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum State {
    /// The record. It may be a message itself.
    Record,
    /// A record inside of another record.
    Wrapped,
    /// A choice of a response.
    Choice,
    /// A message or a delta.
    Message,
    /// A part of the content of a message.
    Part,
    /// An object in a message that repeats its reasoning.
    Container,
    /// A call of a tool.
    Call,
    /// The probabilities of the tokens of a choice.
    Logprobs,
}

/// The states of objects that hold messages, and of those that may be a message.
const RECORDS: &[State] = &[Record, Wrapped];
const MESSAGES: &[State] = &[Record, Wrapped, Message];

/// Keys with the same meaning in every dialect that has them, with their states.
const FIXED: &[(&str, Name, &[State])] = &[
    ("id", Name::Id, &[Record, Wrapped, Message, Part]),
    ("tool_calls", Name::ToolCalls, &[Record, Wrapped, Message, Part]),
    ("function_call", Name::ToolCalls, &[Record, Wrapped, Message, Part]),
    ("functionCall", Name::ToolCalls, &[Record, Wrapped, Message, Part]),
    ("functionResponse", Name::ToolResult, &[Part]),
    ("type", Name::Type, &[Record, Wrapped, Message, Part]),
    ("text", Name::Text, &[Choice, Part]),
    ("refusal", Name::Visible, &[Record, Wrapped, Message, Part]),
    ("audio", Name::Visible, MESSAGES),
    ("images", Name::Visible, MESSAGES),
    ("usage", Name::Status, RECORDS),
    ("error", Name::Status, RECORDS),
    ("done", Name::Done, RECORDS),
    ("itemsRemoved", Name::Rewind, &[Wrapped]),
    ("itemsCompressed", Name::Reset, &[Wrapped]),
    ("usageMetadata", Name::Logged, MESSAGES),
    ("tokens", Name::Logged, MESSAGES),
    ("metadata", Name::Logged, MESSAGES),
    ("channel", Name::Idle, MESSAGES),
];

/// Keys of responses. A delta may stand in a record without a list of choices.
const CHOICES: &[(&str, Name, &[State])] = &[
    ("choices", Name::Choices, RECORDS),
    ("message", Name::Message, &[Choice]),
    ("delta", Name::Delta, &[Record, Choice]),
    ("index", Name::Index, &[Record, Choice]),
    ("finish_reason", Name::Finish, &[Record, Choice]),
    ("logprobs", Name::Logprobs, &[Record, Choice]),
];

const LONGEST: usize = 32;

#[derive(Clone, Debug)]
struct Entry {
    ends: (u64, u64),
    key: &'static [u8],
    name: Name,
}

/// The first eight and the last eight bytes of a key, which may overlap: together they are all of a key of up to 16
/// bytes, so that keys are compared without a function call.
#[inline]
fn ends(key: &[u8]) -> (u64, u64) {
    match (key.first_chunk::<8>(), key.last_chunk::<8>(), key.first_chunk::<4>(), key.last_chunk::<4>()) {
        (Some(a), Some(z), ..) => (u64::from_le_bytes(*a), u64::from_le_bytes(*z)),
        (_, _, Some(a), Some(z)) => (u32::from_le_bytes(*a).into(), u32::from_le_bytes(*z).into()),
        _ => (key.iter().fold(0, |n, b| n << 8 | u64::from(*b)), 0),
    }
}

/// The keys of a state, by their length.
#[derive(Debug)]
struct Table {
    by_len: Vec<Vec<Entry>>,
}

impl Default for Table {
    fn default() -> Self {
        Self { by_len: vec![Vec::new(); LONGEST + 1] }
    }
}

impl Table {
    /// Adds a key. If several rows have it, the first one wins.
    fn add(&mut self, key: &'static str, name: Name) {
        let bucket = &mut self.by_len[key.len().min(LONGEST)];
        if !bucket.iter().any(|e| e.key == key.as_bytes()) {
            bucket.push(Entry { ends: ends(key.as_bytes()), key: key.as_bytes(), name });
        }
    }

    #[inline]
    fn find(&self, key: &[u8]) -> Name {
        let bucket = self.by_len.get(key.len()).map_or(&[][..], Vec::as_slice);
        if bucket.is_empty() {
            return Name::Other;
        }
        let ends = ends(key);
        let found = bucket.iter().find(|e| e.ends == ends && (key.len() <= 16 || e.key == key));
        found.map_or(Name::Other, |e| e.name)
    }
}

/// The tables of all states, and other facts of the dialects in force.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Names {
    tables: [Table; 8],
    parts: Vec<&'static str>,
    /// The dialects with typed events.
    events: Vec<(&'static str, &'static TypedEvents)>,
    speakers: Vec<&'static Speakers>,
    /// Whether only one dialect is read.
    pub only: bool,
}

impl Names {
    pub fn new(dialects: &[&'static Dialect]) -> Self {
        let mut names = Self { only: dialects.len() == 1, ..Self::default() };
        for dialect in dialects {
            let Some(d) = dialect.keys else { continue };
            let fields = [Record, Wrapped, Message, Part, Container, Logprobs];
            d.fields.iter().for_each(|f| names.add(&fields, f.key, Name::Field(f)));
            d.lists.iter().for_each(|key| names.add(RECORDS, key, Name::List));
            let (role, content) =
                d.speakers.map_or((Name::Role, Name::Content), |_| (Name::Speaker, Name::SpeakerText));
            d.roles.iter().for_each(|key| names.add(MESSAGES, key, role));
            d.contents.iter().for_each(|key| names.add(MESSAGES, key, content));
            names.speakers.extend(d.speakers);
            let containers = [Record, Wrapped, Message, Container, Call];
            d.containers.iter().for_each(|key| names.add(&containers, key, Name::Container));
            d.chunks.iter().for_each(|key| names.add(RECORDS, key, Name::Chunks));
            d.wrappers.iter().for_each(|key| names.add(RECORDS, key, Name::Wrapper));
            d.nested.iter().for_each(|key| names.add(&[Wrapped], key, Name::Nested));
            names.parts.extend(d.parts);
            names.events.extend(d.events.map(|events| (dialect.name, events)));
            let choices = if d.choices { CHOICES } else { &[] };
            choices.iter().chain(FIXED).for_each(|(key, name, states)| names.add(states, key, *name));
        }
        names
    }

    fn add(&mut self, states: &[State], key: &'static str, name: Name) {
        states.iter().for_each(|state| self.tables[*state as usize].add(key, name));
    }

    /// The meaning of a key in an object of this state, also if the key has escapes.
    #[inline]
    pub fn get(&self, state: State, text: &[u8], key: Literal) -> Name {
        self.tables[state as usize].find(&key.decoded(text))
    }

    /// Whether a key has a meaning in any state.
    pub fn knows(&self, text: &[u8], key: Literal) -> bool {
        let plain = text::decoded(key.raw(text));
        self.tables.iter().any(|table| table.find(&plain) != Name::Other)
    }

    /// The kind of an event by its type, or else by the name of its event. If its dialect is the `only` one, every kind
    /// is recognised by its type, and by the event's name whatever its type is.
    pub fn typed_event(&self, event: &[u8], kind: Option<&[u8]>) -> Option<Typed> {
        let is = |row: &TypedEvent| match kind {
            Some(kind) => (row.typed || self.only) && row.name.as_bytes() == kind,
            None => row.name.as_bytes() == event,
        };
        let named = |row: &TypedEvent| self.only && row.name.as_bytes() == event;
        let find = |&(dialect, events): &(&'static str, &'static TypedEvents)| {
            let mut kinds = events.kinds.iter();
            let row = kinds.clone().find(|row| is(row)).or_else(|| kinds.find(|row| named(row)))?;
            Some(Typed { dialect, events, row })
        };
        self.events.iter().find_map(find)
    }

    /// Whether the text of this speaker is a tool call. None if no dialect has the speaker.
    pub fn speaker(&self, name: &[u8]) -> Option<bool> {
        let is = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
        let find = |s: &&Speakers| if is(s.calls) { Some(true) } else { is(s.text).then_some(false) };
        self.speakers.iter().find_map(find)
    }

    /// Whether a content part of this type is reasoning.
    pub fn is_reasoning(&self, kind: &[u8]) -> bool {
        self.parts.iter().any(|part| part.as_bytes() == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DIALECTS;

    #[test]
    fn a_key_means_something_in_its_objects_only() {
        let names = Names::new(&DIALECTS.iter().collect::<Vec<_>>());
        let meaning = |state, key: &str| {
            names.get(state, key.as_bytes(), Literal { start: 0, end: key.len(), escaped: key.contains('\\') })
        };
        for (key, state, want) in [
            ("index", Choice, Name::Index),
            ("index", Message, Name::Other),
            ("index", Wrapped, Name::Other),
            ("message", Choice, Name::Message),
            ("message", Record, Name::Other),
            ("text", Part, Name::Text),
            ("text", Message, Name::Other),
            ("messages", Record, Name::List),
            ("messages", Message, Name::Other),
            ("content", Message, Name::Content),
            ("conten\\u0074", Message, Name::Content),
            ("content", Call, Name::Other),
            ("google", Call, Name::Container),
            ("google", Part, Name::Other),
            ("itemsRemoved", Record, Name::Other),
            ("itemsRemoved", Wrapped, Name::Rewind),
            ("provider_specific_fields", Container, Name::Container),
        ] {
            assert_eq!(meaning(state, key), want, "{key} in {state:?}");
        }
        assert!(matches!(meaning(Logprobs, "reasoning"), Name::Field(_)));
        assert!(matches!(meaning(Choice, "reasoning"), Name::Other));
        assert!(names.knows(b"itemsRemoved", Literal { start: 0, end: 12, escaped: false }));
        assert!(!names.knows(b"isComplete", Literal { start: 0, end: 10, escaped: false }));
    }
}
