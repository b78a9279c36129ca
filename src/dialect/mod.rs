//! Stage 3: frames to events. One file a wire format, one row a file in [`DIALECTS`].
//!
//! A row is plain data: the keys and types that a format uses. Formats that write messages as JSON objects share one
//! walk (`walk`), which knows what a message looks like but no key by name; what a key means stands in the rows
//! (`names` merges them). To add a format: one file with a row, two lines here, and a folder in `testdata/`.

mod cells;
mod field;
mod formats;
mod inline_text;
mod lines;
mod names;
mod raw;
mod read;
mod reader;
mod redact;
mod rewrite;
pub(crate) mod shape;
mod stream;
mod suspect;
mod template;
mod walk;
mod write;

use crate::frame::Framing;
use crate::model::content::Writer;
use formats::{anthropic, chat, claude_code, llxprt, mia, responses, sharegpt, text, thinking_block};
use std::rc::Rc;

pub use crate::model::{HARMONY, MARKER, TAGS, is_inline};
pub use cells::CellReader;
pub use field::{Pointer, PointerError};
pub use lines::TextLines;
pub use raw::{Pass, RawReader};
pub use reader::{Foreign, Hindsight, JsonReader, ReadOptions, Redaction, Refused, Suspect, UNCLOSED, unclosed};
pub use rewrite::{Spelling, Target};
pub use suspect::{UNREAD, Unread};

/// A wire format.
#[derive(Debug)]
pub struct Dialect {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names it is known by.
    pub aliases: &'static [&'static str],
    /// What it is, in a line.
    pub about: &'static str,
    /// The framings it comes in.
    pub framings: &'static [Framing],
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
    /// It is read by this shape.
    pub shape: Option<&'static shape::Shape>,
    /// Makes what writes it from the content of messages, if it can be written.
    pub write: Option<MakeWriter>,
    /// It can be written: the properties of blocks of reasoning that it keeps beside their text.
    pub properties: Option<&'static [BlockProperty]>,
}

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

/// A property of a block of reasoning beside its text, which a dialect may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockProperty {
    /// Where one block ends and the next begins.
    Blocks,
    /// The name of the field it came from.
    SourceField,
    /// A signature.
    Signature,
    /// Whether it is hidden from people.
    Hidden,
    /// A ciphertext.
    Encrypted,
    /// An empty block as against none.
    Empty,
}

impl BlockProperty {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            BlockProperty::Blocks => "several blocks",
            BlockProperty::SourceField => "sourceField",
            BlockProperty::Signature => "signature",
            BlockProperty::Hidden => "isHidden",
            BlockProperty::Encrypted => "encryptedContent",
            BlockProperty::Empty => "empty text",
        }
    }
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

const fn field(key: &'static str, copy: &'static str) -> Field {
    Field { key, common: false, opaque: false, copy }
}

const fn common(key: &'static str, copy: &'static str) -> Field {
    Field { key, common: true, opaque: false, copy }
}

const fn opaque(key: &'static str, copy: &'static str) -> Field {
    Field { key, common: false, opaque: true, copy }
}

/// An empty row.
const PLAIN: Dialect = Dialect {
    name: "",
    aliases: &[],
    about: "",
    framings: &[],
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
    shape: None,
    write: None,
    properties: None,
};

/// Every dialect, in the order in which they are listed.
pub const DIALECTS: &[Dialect] = &[
    text::ROW,
    chat::ROW,
    chat::REASONING_CONTENT_ROW,
    chat::REASONING_ROW,
    chat::TAGGED_ROW,
    chat::HARMONY_ROW,
    sharegpt::ROW,
    thinking_block::ROW,
    llxprt::SESSION_ROW,
    llxprt::CHECKPOINT_ROW,
    llxprt::LOG_ROW,
    mia::ROW,
    anthropic::ROW,
    responses::ROW,
    claude_code::ROW,
];

/// Makes what writes a dialect from the content of messages.
pub type MakeWriter = fn(&Spelling) -> Rc<dyn Writer>;

/// How records become those of another dialect.
#[derive(Clone)]
pub struct Conversion {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// What edits records of the same family in their place, if there is such a family.
    pub target: Option<Target>,
    /// What writes the others anew.
    pub writer: Rc<dyn Writer>,
}

impl Conversion {
    /// A conversion, if the dialect can be written.
    pub fn new(dialect: &'static Dialect, spelling: &Spelling) -> Option<Self> {
        let writer = dialect.write?(spelling);
        let target = if dialect.shape.is_none() { Target::new(dialect, spelling.clone()) } else { None };
        Some(Self { dialect, target, writer })
    }

    /// Sets what the reader needs for this conversion.
    pub fn ask(&self, options: &mut ReadOptions) {
        options.to = self.target.clone();
        options.target = Some(self.dialect.name);
    }
}

/// The dialect of that name or alias.
pub fn find(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|d| d.name == name || d.aliases.contains(&name))
}

/// The name of the dialect of a record that has these marks: speakers of a dataset, an envelope, Gemini's parts,
/// blocks, and the field that reasoning is in.
fn of(speakers: bool, enveloped: bool, gemini: bool, blocks: bool, field: Option<&'static str>) -> &'static str {
    match field {
        _ if speakers => sharegpt::ROW.name,
        _ if enveloped => llxprt::SESSION_ROW.name,
        _ if gemini => llxprt::CHECKPOINT_ROW.name,
        _ if blocks => thinking_block::ROW.name,
        Some("reasoning_content") => chat::REASONING_CONTENT_ROW.name,
        Some("reasoning") => chat::REASONING_ROW.name,
        _ => chat::ROW.name,
    }
}
