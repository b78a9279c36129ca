//! The keys of the dialects in force, merged for looking up.

use super::row::{Field, Speakers, TypedEvent, TypedEvents};
use crate::dialect::Dialect;
use crate::json::{Literal, text};

/// What a key means to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Name {
    /// A list of messages.
    List,
    /// A list of deltas.
    Chunks,
    /// An object in a wrapper that is a message.
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
    /// The role and the text of a message, where a list has one with a role that is known.
    Speaker,
    SpeakerText,
    ToolCalls,
    ToolResult,
    /// Reasoning.
    Field(&'static Field),
    Container,
    /// A record in a record: the response that a log or a batch wraps.
    Wrapper,
    Type,
    Text,
    /// Something visible that is not text.
    Visible,
    /// Usage or an error, which keeps an event in its stream.
    Status,
    /// May hold counts of tokens.
    Logged,
    /// Only records of a stream have it.
    Done,
    /// How many messages before are taken back.
    Rewind,
    /// The messages before are replaced by one.
    Reset,
    /// A reader of a stream does not need it once the reasoning is gone.
    Idle,
    Other,
}

/// The keys that mean the same in every dialect that has them.
const FIXED: &[(&str, Name)] = &[
    ("id", Name::Id),
    ("tool_calls", Name::ToolCalls),
    ("function_call", Name::ToolCalls),
    ("functionCall", Name::ToolCalls),
    ("functionResponse", Name::ToolResult),
    ("type", Name::Type),
    ("text", Name::Text),
    ("refusal", Name::Visible),
    ("audio", Name::Visible),
    ("images", Name::Visible),
    ("usage", Name::Status),
    ("error", Name::Status),
    ("done", Name::Done),
    ("itemsRemoved", Name::Rewind),
    ("itemsCompressed", Name::Reset),
    ("usageMetadata", Name::Logged),
    ("tokens", Name::Logged),
    ("metadata", Name::Logged),
    ("channel", Name::Idle),
];

const CHOICES: &[(&str, Name)] = &[
    ("choices", Name::Choices),
    ("message", Name::Message),
    ("delta", Name::Delta),
    ("index", Name::Index),
    ("finish_reason", Name::Finish),
    ("logprobs", Name::Logprobs),
];

const LONGEST: usize = 32;

#[derive(Clone, Debug)]
struct Entry {
    ends: (u64, u64),
    key: &'static [u8],
    name: Name,
}

/// The first and the last bytes of a key, which may overlap: all of one of 16 bytes at most, so that keys are
/// compared without a call.
#[inline]
fn ends(key: &[u8]) -> (u64, u64) {
    match (key.first_chunk::<8>(), key.last_chunk::<8>(), key.first_chunk::<4>(), key.last_chunk::<4>()) {
        (Some(a), Some(z), ..) => (u64::from_le_bytes(*a), u64::from_le_bytes(*z)),
        (_, _, Some(a), Some(z)) => (u32::from_le_bytes(*a).into(), u32::from_le_bytes(*z).into()),
        _ => (key.iter().fold(0, |n, b| n << 8 | u64::from(*b)), 0),
    }
}

/// The table: keys by their length.
#[derive(Debug)]
pub(in crate::dialect) struct Names {
    by_len: Vec<Vec<Entry>>,
    parts: Vec<&'static str>,
    /// The dialects with typed events.
    events: Vec<(&'static str, &'static TypedEvents)>,
    speakers: Vec<&'static Speakers>,
    /// No other dialect is looked for.
    pub only: bool,
}

impl Names {
    pub fn new(dialects: &[&'static Dialect]) -> Self {
        let (by_len, parts, events) = (vec![Vec::new(); LONGEST + 1], Vec::new(), Vec::new());
        let mut names = Self { by_len, parts, events, speakers: Vec::new(), only: dialects.len() == 1 };
        for dialect in dialects {
            let Some(d) = dialect.keys else { continue };
            d.fields.iter().for_each(|f| names.add(f.key, Name::Field(f)));
            d.lists.iter().for_each(|key| names.add(key, Name::List));
            let (role, content) =
                d.speakers.map_or((Name::Role, Name::Content), |_| (Name::Speaker, Name::SpeakerText));
            d.roles.iter().for_each(|key| names.add(key, role));
            d.contents.iter().for_each(|key| names.add(key, content));
            names.speakers.extend(d.speakers);
            d.containers.iter().for_each(|key| names.add(key, Name::Container));
            d.chunks.iter().for_each(|key| names.add(key, Name::Chunks));
            d.wrappers.iter().for_each(|key| names.add(key, Name::Wrapper));
            d.nested.iter().for_each(|key| names.add(key, Name::Nested));
            names.parts.extend(d.parts);
            names.events.extend(d.events.map(|events| (dialect.name, events)));
            let choices = if d.choices { CHOICES } else { &[] };
            choices.iter().chain(FIXED).for_each(|(key, name)| names.add(key, *name));
        }
        names
    }

    fn add(&mut self, key: &'static str, name: Name) {
        let bucket = &mut self.by_len[key.len().min(LONGEST)];
        if !bucket.iter().any(|e| e.key == key.as_bytes()) {
            bucket.push(Entry { ends: ends(key.as_bytes()), key: key.as_bytes(), name });
        }
    }

    /// What a key means, however it is escaped.
    #[inline]
    pub fn get(&self, text: &[u8], key: Literal) -> Name {
        if key.escaped {
            let mut plain = Vec::new();
            text::decode(key.raw(text), &mut plain);
            return self.find(&plain);
        }
        self.find(key.raw(text))
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

    /// The kind of an event by its type, or else by the name it came under: with its dialect. If only that is looked
    /// for, every kind is known by its type, and by its name whatever its type is.
    pub fn typed_event(
        &self,
        event: &[u8],
        kind: Option<&[u8]>,
    ) -> Option<(&'static str, &'static TypedEvents, &'static TypedEvent)> {
        let is = |row: &TypedEvent| match kind {
            Some(kind) => (row.typed || self.only) && row.name.as_bytes() == kind,
            None => row.name.as_bytes() == event,
        };
        let named = |row: &TypedEvent| self.only && row.name.as_bytes() == event;
        let find = |(name, events): &(_, &'static TypedEvents)| {
            let mut kinds = events.kinds.iter();
            let kind = kinds.clone().find(|row| is(row)).or_else(|| kinds.find(|row| named(row)))?;
            Some((*name, *events, kind))
        };
        self.events.iter().find_map(find)
    }

    /// Whether a speaker of this name is known, and its text is a tool call.
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
