//! What the key of a member means for its value, in whatever format the object is.

use super::unread::UNREAD;
use super::words::{MAX_NAME_BYTES, Weight, has, is_reasoning_kind, may_name_reasoning, names_reasoning};
use crate::dialect::DIALECTS;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// What a key is for in its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// Any other member.
    Plain,
    /// The type of the object: `type` and its relatives.
    Kind,
    /// The role of its author.
    Role,
    /// An identifier, a number, a checksum: never a text.
    Meta,
    /// The arguments of a tool call, the result of one, or a schema: never searched.
    Pass,
    /// Arguments or a result, if the object is a tool call or a tool result.
    Argument,
    /// The name of a tool, or of anything else.
    Name,
    /// The identifier of a tool call.
    Call,
    /// The schema of a tool's arguments, beside its name.
    Parameters,
    /// The arguments of a tool call, if the object is one.
    Arguments,
    /// A member that only schemas have.
    Schema,
    /// A member that schemas and other objects have.
    MaybeSchema,
    /// Instructions to the model, whatever the value looks like.
    Instructions,
    /// The key of an attribute, whose value stands beside it.
    Key,
    /// The channel of a message in the form of Harmony.
    Channel,
    /// Text of other roles: instructions and questions.
    Others,
    /// A template or its source code, whose tags are not reasoning.
    Template,
    /// An object that has the type or the role of the outer object.
    Outer,
    /// A member that only events of a stream have.
    Done,
    /// A title.
    Title,
}

/// What a key tells about its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyFacts {
    /// It is a key of the vocabulary.
    pub weight: Option<Weight>,
    /// Keys that count together: the number of the key with the text, from 1, if this is that key (`beside`), and a bit for each
    /// ([`bit`]) that counts if this key stands beside it (`besides`). 0 if there is none.
    pub beside: u8,
    pub besides: u8,
    pub part: Duty,
    /// Its value is the text of a reasoning object, if the object is one.
    pub payload: bool,
    /// Its value is the content of the object.
    pub content: bool,
    /// Its value is a text that the author of the object says.
    pub says: bool,
    /// Its object says something about the object that it stands in.
    pub about: bool,
    /// Its object has the type of what the object says something about that it stands in.
    pub names_kind: bool,
    /// `true` under it marks the object's text as reasoning.
    pub flag: bool,
    /// Its value is that of an attribute, or is in it.
    pub attribute: bool,
    /// Its value is the kind of an object, or the line of a log.
    pub event: bool,
    /// Objects under this key are messages or pieces: in them, one word under a key of the vocabulary counts.
    pub message: bool,
}

/// Keys under which an object of a reasoning kind has its text, its signature or its ciphertext.
const PAYLOAD: &str = "text content contents summary summaries summary_text raw_content delta content_delta text_delta data \
    value signature encrypted payload body message part parts chunk output subject description token \
    delta_content aText Text params providerMetadata providerOptions v markdown";

/// Words that such keys are made of: `textDelta`, `full_text`, `content_chunk`.
const PAYLOAD_WORDS: &str = "text delta chunk content partial full accumulated snapshot";

/// Whether an object of a reasoning kind has its text under a key: by its name, or if it has no other words.
fn holds_payload(key: &str) -> bool {
    let parts = || {
        let ends = key.char_indices().skip(1).filter(|(_, c)| *c == '_' || c.is_ascii_uppercase()).map(|(at, _)| at);
        let ends: Vec<usize> = ends.chain([key.len()]).collect();
        let mut from = 0;
        ends.into_iter().all(|end| {
            let part = key[std::mem::replace(&mut from, end)..end].trim_start_matches('_').to_ascii_lowercase();
            has(PAYLOAD_WORDS, &part)
        })
    };
    has(PAYLOAD, key) || key.len() <= MAX_NAME_BYTES && parts()
}

/// Keys of the content of an object.
const CONTENTS: &[&str] = &[
    "content",
    "contents",
    "text",
    "parts",
    "message",
    "value",
    "body",
    "mes",
    "contentParts",
    "fragments",
    "data",
    "kwargs",
    "payload",
    "status",
    "item",
    "token",
];

/// Keys of a part or a piece of a message.
const MESSAGES: &[&str] =
    &["delta", "content", "message", "part", "content_block", "contentBlock", "block", "chunk", "reasoningContent"];

fn part(name: &str) -> Duty {
    match name {
        "type" | "event_type" | "event" | "kind" | "content_type" | "contentType" | "part_kind" | "block_type"
        | "blockType" | "sessionUpdate" | "say" | "subtype" | "phase" | "method" => Duty::Kind,
        "channel" => Duty::Channel,
        "key" => Duty::Key,
        "role" | "speaker" | "sender" | "from" => Duty::Role,
        "id" | "status" | "object" | "timestamp" | "uuid" | "version" | "integrity" | "hash" | "checksum"
        | "digest" | "sha256" | "created_at" | "createdAt" | "finish_reason" | "stop_reason" => Duty::Meta,
        "added_tokens"
        | "added_tokens_decoder"
        | "arguments_json"
        | "functionResponse"
        | "function_response"
        | "toolResult"
        | "toolUseResult"
        | "tool_results"
        | "toolResults"
        | "$defs"
        | "patternProperties"
        | "partial_json"
        | "capabilities" => Duty::Pass,
        "arguments" | "args" => Duty::Arguments,
        "input" | "params" | "output" | "result" | "response" | "rawInput" | "rawOutput" => Duty::Argument,
        "name" | "toolName" | "tool_name" | "function" | "tool" => Duty::Name,
        "call_id" | "callId" | "toolCallId" | "tool_call_id" | "toolUseId" | "tool_use_id" | "toolUseID" => Duty::Call,
        "parameters"
        | "input_schema"
        | "inputSchema"
        | "parametersJsonSchema"
        | "json_schema"
        | "jsonSchema"
        | "responseSchema"
        | "response_schema" => Duty::Parameters,
        "enum"
        | "anyOf"
        | "oneOf"
        | "allOf"
        | "$ref"
        | "additionalProperties"
        | "minimum"
        | "maximum"
        | "minLength"
        | "maxLength"
        | "const" => Duty::Schema,
        "properties" | "items" | "required" | "default" | "examples" | "example" | "description" => Duty::MaybeSchema,
        "system" | "system_prompt" | "systemPrompt" | "instructions" | "system_instruction" | "systemInstruction"
        | "base_instructions" => Duty::Instructions,
        "prompt" | "instruction" | "question" | "query" | "user" | "human" | "problem" | "task" | "developer" => {
            Duty::Others
        }
        "author" | "info" | "style" => Duty::Outer,
        "done" => Duty::Done,
        "title" => Duty::Title,
        _ if name.ends_with("_id") || name.ends_with("Id") || name.ends_with("_at") || name.ends_with("_hash") => {
            Duty::Meta
        }
        _ if name.to_lowercase().contains("template") => Duty::Template,
        _ if ["type", "kind"].iter().any(|end| name.to_lowercase().trim_end_matches('_').ends_with(end)) => Duty::Kind,
        "__typename" => Duty::Kind,
        _ => Duty::Plain,
    }
}

/// Whether `true` under this key marks the text of its object as reasoning.
pub(super) fn is_flag(name: &str) -> bool {
    const FLAGS: &str =
        "thought isThought is_thought isThinking is_thinking isReasoning is_reasoning adk_thought kagent_thought";
    has(FLAGS, name)
}

/// Whether a value under this key is none of a tool, of instructions, or of another author.
pub(super) fn is_plain(key: &[u8]) -> bool {
    std::str::from_utf8(key).is_ok_and(|key| part(key) == Duty::Plain)
}

/// Whether an object under this key has the type of what the object around it is about: Gemini CLI as a server of A2A, and the
/// activities of Microsoft's Bot Framework.
pub(super) fn names_kind(key: &[u8]) -> bool {
    matches!(key, b"coderAgent" | b"channelData")
}

/// Whether an object of a reasoning kind has its text under this key.
pub(super) fn is_payload(key: &[u8]) -> bool {
    std::str::from_utf8(key).is_ok_and(holds_payload)
}

/// The keys and types under which formats hold reasoning: those of the rows of [`DIALECTS`] and of [`UNREAD`], and
/// every name with a word for reasoning.
#[derive(Debug)]
pub(super) struct Vocabulary {
    keys: HashMap<&'static str, Weight>,
    /// The keys whose names have no word for reasoning.
    wordless: Vec<&'static str>,
    kinds: HashSet<&'static str>,
    beside: Vec<(&'static str, &'static str)>,
}

impl Vocabulary {
    /// The vocabulary, built once.
    pub fn get() -> &'static Self {
        static ALL: OnceLock<Vocabulary> = OnceLock::new();
        ALL.get_or_init(Self::new)
    }

    fn new() -> Self {
        let (mut keys, mut kinds, mut beside) = (HashMap::new(), HashSet::new(), Vec::new());
        for dialect in DIALECTS {
            let weight = |common| if common { Weight::Likely } else { Weight::Sure };
            keys.extend(dialect.reasoning_keys().map(|(key, common)| (key, weight(common))));
            kinds.extend(dialect.reasoning_types());
        }
        for row in UNREAD {
            kinds.extend(row.kinds);
            keys.extend(row.keys.iter().map(|key| (*key, Weight::Sure)));
            beside.extend(row.beside);
        }
        let wordless = keys.keys().copied().filter(|key| !may_name_reasoning(key.as_bytes())).collect();
        Self { keys, wordless, kinds, beside }
    }

    /// Whether a text has a word of a row that has no word for reasoning.
    pub fn is_in(&self, text: &[u8]) -> bool {
        let kinds = self.kinds.iter().filter(|kind| !may_name_reasoning(kind.as_bytes()));
        let beside = self.beside.iter().map(|(key, _)| key);
        self.wordless
            .iter()
            .chain(kinds)
            .chain(beside)
            .any(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
    }

    /// Whether a row lists this key although its name has no word for reasoning.
    pub fn has(&self, key: &[u8]) -> bool {
        let is = |known: &&str| known.as_bytes() == key;
        self.wordless.iter().any(is) || self.beside.iter().any(|(known, _)| is(known))
    }

    /// Whether objects of this type, or messages in this role, are reasoning.
    pub fn is_kind(&self, name: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(name) else { return false };
        may_name_reasoning(name) && is_reasoning_kind(text) || self.kinds.contains(text)
    }

    /// Whether an attribute of this name is reasoning: its last segment is a key that has no other use, or one of the
    /// vocabulary in a message, which has a number.
    pub fn is_attribute(&self, name: &[u8]) -> bool {
        let Ok(name) = std::str::from_utf8(name) else { return false };
        let last = name.rsplit('.').next().unwrap_or(name);
        let numbered = || name.split('.').any(|part| part.parse::<u32>().is_ok());
        match self.facts(last).weight {
            Some(Weight::Sure) => self.keys.contains_key(last),
            Some(Weight::Likely) => numbered(),
            None => false,
        }
    }

    /// Whether an attribute of this name may be reasoning, if its value is a text.
    pub fn may_be_attribute(&self, name: &[u8]) -> bool {
        std::str::from_utf8(name).is_ok_and(|name| self.weight(last_segment(name)).is_some())
    }

    /// Whether an attribute of this name is the type or the role of something else.
    pub fn is_kind_attribute(&self, name: &[u8]) -> bool {
        let last = name.rsplit(|b| *b == b'.').next().and_then(|last| std::str::from_utf8(last).ok());
        name.contains(&b'.') && last.is_some_and(|last| matches!(part(last), Duty::Kind | Duty::Role))
    }

    /// Whether a word under this key may be a text.
    pub fn holds_text(&self, key: &[u8]) -> bool {
        let name = &String::from_utf8_lossy(key);
        let last = last_segment(name);
        self.weight(name).is_some() || holds_payload(last) || CONTENTS.contains(&last)
    }

    /// How sure it is that a text under this key is reasoning, if it may be.
    fn weight(&self, name: &str) -> Option<Weight> {
        let named = || may_name_reasoning(name.as_bytes()) && names_reasoning(name);
        self.keys.get(name).copied().or_else(|| named().then_some(Weight::Likely))
    }

    /// The facts of a key. Of a dotted key, the last segment decides whether it is one of an attribute.
    pub fn facts(&self, name: &str) -> KeyFacts {
        let (last, weight) = (last_segment(name), self.weight(name));
        let number = |key: &str| self.beside.iter().position(|pair| pair.0 == key).map_or(0, |i| i as u8 + 1);
        let others = self.beside.iter().filter(|pair| pair.1 == name);
        KeyFacts {
            weight,
            beside: number(name),
            besides: others.fold(0, |all, pair| all | bit(number(pair.0))),
            part: if weight.is_some() { Duty::Plain } else { part(last) },
            payload: weight.is_some() || holds_payload(last),
            content: CONTENTS.contains(&last),
            says: matches!(name, "text" | "content" | "delta"),
            about: name == "metadata",
            event: name == "event",
            names_kind: names_kind(name.as_bytes()),
            flag: is_flag(name),
            attribute: matches!(name, "value" | "stringValue" | "string_value"),
            message: MESSAGES.contains(&name),
        }
    }
}

/// The bit of the key with this number.
pub(super) fn bit(key: u8) -> u8 {
    1 << (key % 8)
}

/// What stands behind the last dot of a key.
fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// A cache of the facts of keys: records repeat their keys.
pub(super) struct Lookup {
    vocabulary: &'static Vocabulary,
    slots: Vec<(Vec<u8>, KeyFacts)>,
}

/// How many keys the cache holds.
const SLOTS: usize = 512;

impl Lookup {
    pub fn new() -> Self {
        Self { vocabulary: Vocabulary::get(), slots: Vec::new() }
    }

    /// Whether objects of this type, or messages in this role, are reasoning.
    pub fn is_kind(&self, name: &[u8]) -> bool {
        self.vocabulary.is_kind(name)
    }

    /// Whether an attribute of this name is reasoning.
    pub fn is_attribute(&self, name: &[u8]) -> bool {
        self.vocabulary.is_attribute(name)
    }

    /// Whether an attribute of this name may be reasoning, if its value is a text.
    pub fn may_be_attribute(&self, name: &[u8]) -> bool {
        self.vocabulary.may_be_attribute(name)
    }

    /// Whether an attribute of this name is the type or the role of something else.
    pub fn is_kind_attribute(&self, name: &[u8]) -> bool {
        self.vocabulary.is_kind_attribute(name)
    }

    /// The facts of a decoded key.
    pub fn facts(&mut self, key: &[u8]) -> KeyFacts {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, (Vec::new(), self.vocabulary.facts("")));
        }
        let hash = |hash: u32, b: &u8| (hash ^ u32::from(*b)).wrapping_mul(0x0100_0193);
        let at = key.iter().fold(0x811C_9DC5, hash) as usize % SLOTS;
        if self.slots[at].0 != key {
            let facts = self.vocabulary.facts(&String::from_utf8_lossy(key));
            self.slots[at] = (key.to_vec(), facts);
        }
        self.slots[at].1
    }
}
