//! The content of messages for outputs that build them anew: events folded into messages of blocks, and the trait of
//! writers.

mod attribute;
#[cfg(feature = "cli")]
mod texts;

use super::{Leaf, Losses, MessagePlace, Role, Source, WrittenJson};
pub use attribute::Attribute;
#[cfg(feature = "cli")]
pub use texts::{FactTexts, Medium};

/// The kind of a record, which a writer replaces by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// A request, or a conversation: a list of messages.
    Request,
    /// A whole response.
    Response,
    /// A message that is a record by itself.
    Message,
    /// A line of a log: a message may continue in later lines.
    Line,
    /// An event of a streamed response.
    Stream,
    /// A list of such records, inside of one record.
    List,
}

/// A block that is neither text nor reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Other {
    /// A tool is called.
    Call,
    /// The result of such a call.
    Result,
    /// An image, a document, a sound.
    Media,
    /// The next step of an answer begins: the calls before it had their results when the model said what stands behind.
    /// Writers do not see it ([`super::steps`]).
    Step,
    /// Something else that is visible.
    Visible,
}

/// The reason why a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It is complete.
    End,
    /// It calls tools.
    Calls,
    /// It reached the token limit.
    Length,
    /// A filter stopped it.
    Filter,
    /// The model or its host failed.
    Error,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// Text.
    Text,
    /// Reasoning.
    Reasoning,
    /// Neither.
    Other(Other),
}

/// A block of a message.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its kind.
    pub kind: ContentKind,
    /// The source of its reasoning.
    pub source: Source,
    /// Its number, which identifies the block in events about calls.
    pub number: u32,
    /// Its text: of text, of reasoning, and of arguments that are a text.
    pub text: Leaf,
    /// Text has come for it, even if the text is not kept.
    pub fed: bool,
    /// Its facts, as JSON values.
    pub facts: Vec<(Attribute, Vec<u8>)>,
    /// Its first byte in the input, or that of its text; white space and a comma may stand before it.
    pub at: Option<u64>,
    /// The first byte of its signature or ciphertext.
    pub seal_at: Option<u64>,
}

impl Block {
    /// A block without text.
    pub fn new(kind: ContentKind, source: Source, number: u32) -> Self {
        Self { kind, source, number, text: Leaf::default(), fed: false, facts: Vec::new(), at: None, seal_at: None }
    }

    /// The same block without its text and facts.
    pub fn clone_head(&self) -> Self {
        Self { at: self.at, seal_at: self.seal_at, ..Self::new(self.kind, self.source, self.number) }
    }

    /// A fact, as a JSON value.
    pub fn get(&self, name: Attribute) -> Option<&[u8]> {
        self.facts.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_slice())
    }

    /// Whether it has a signature or a ciphertext.
    pub fn is_sealed(&self) -> bool {
        self.filled(Attribute::Signature).or_else(|| self.filled(Attribute::Ciphertext)).is_some()
    }

    /// A fact that is a string and not empty.
    pub fn filled(&self, name: Attribute) -> Option<&[u8]> {
        self.get(name).filter(|value| value.len() > 2 && value[0] == b'"')
    }
}

/// A message.
#[derive(Clone, Debug)]
pub struct BlockMessage {
    /// Its role.
    pub role: Role,
    /// The reason why it ended, if known.
    pub stop: Option<Stop>,
    /// Its facts, as JSON values.
    pub facts: Vec<(Attribute, Vec<u8>)>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// The first byte of its object in the input, or of its first delta.
    pub at: Option<u64>,
    /// Which message of the input it is.
    pub place: MessagePlace,
}

impl BlockMessage {
    /// A message without blocks.
    pub fn new(role: Role) -> Self {
        Self { role, stop: None, facts: Vec::new(), blocks: Vec::new(), at: None, place: MessagePlace::default() }
    }

    /// The last fact of this name, as a JSON value.
    pub fn get(&self, name: Attribute) -> Option<&[u8]> {
        self.facts.iter().rev().find(|(other, _)| *other == name).map(|(_, value)| value.as_slice())
    }

    /// Sets a fact to this JSON value: events of a stream may tell one again. The time is that of the first.
    pub fn set(&mut self, name: Attribute, value: &[u8]) {
        match self.facts.iter_mut().rev().find(|(other, _)| *other == name) {
            Some(_) if name == Attribute::Created => (),
            Some((_, known)) => {
                known.clear();
                known.extend_from_slice(value);
            }
            None => self.facts.push((name, value.to_vec())),
        }
    }

    /// Instructions may have a part that tells a model how to think: in them it is a text.
    pub fn instructs(&mut self) {
        if self.role == Role::System {
            let parts =
                self.blocks.iter_mut().filter(|block| block.kind == ContentKind::Reasoning && !block.is_sealed());
            parts.for_each(|block| block.kind = ContentKind::Text);
        }
    }

    /// Whether it calls tools.
    pub fn calls(&self) -> bool {
        self.blocks.iter().any(|block| block.kind == ContentKind::Other(Other::Call))
    }

    /// Whether it is nothing but an error.
    pub fn is_failure(&self) -> bool {
        let own = |(name, _): &(Attribute, Vec<u8>)| matches!(name, Attribute::Error);
        self.stop == Some(Stop::Error) && self.blocks.is_empty() && self.facts.iter().all(own)
    }

    /// Whether it is by the assistant, and has nothing but images and parts that no other format has.
    pub fn is_foreign(&self) -> bool {
        let foreign = |block: &Block| matches!(block.kind, ContentKind::Other(Other::Media | Other::Visible));
        self.role == Role::Assistant && !self.blocks.is_empty() && self.blocks.iter().all(foreign)
    }

    /// The reason why it ended; that of a complete message if none is known. Not every provider has a word for a
    /// message that ends with calls.
    pub fn stop(&self) -> Stop {
        match self.stop.unwrap_or(Stop::End) {
            Stop::End if self.calls() && !self.went_on() => Stop::Calls,
            stop => stop,
        }
    }

    /// Whether a text stands behind the result of its last call: the program that ran its calls keeps the steps of an answer in one
    /// message. What is shown under the number of the call is its result.
    fn went_on(&self) -> bool {
        let last = self.blocks.iter().rposition(|block| block.kind == ContentKind::Other(Other::Call));
        let after = last.map_or(&[][..], |call| &self.blocks[call..]);
        let number = after.first().map(|call| call.number);
        let result = |block: &Block| match block.kind {
            ContentKind::Other(Other::Result | Other::Step) => true,
            ContentKind::Other(Other::Visible) => Some(block.number) == number,
            _ => false,
        };
        let rest = after.iter().position(result).map_or(&[][..], |at| &after[at..]);
        rest.iter().any(|block| block.kind == ContentKind::Text && block.fed)
    }
}

/// A fact of a record beside its messages.
#[derive(Clone, Debug)]
pub struct HeadFact {
    /// The attribute.
    pub name: Attribute,
    /// The key in the input, if that says more than the attribute.
    pub key: Vec<u8>,
    /// The value, as JSON.
    pub value: Vec<u8>,
    /// The first byte of the value in the input.
    pub at: Option<u64>,
}

/// The facts of a record beside its messages.
#[derive(Clone, Debug, Default)]
pub struct RecordHead {
    /// The facts.
    pub facts: Vec<HeadFact>,
}

impl RecordHead {
    /// A fact, as a JSON value.
    pub fn get(&self, name: Attribute) -> Option<&[u8]> {
        self.facts.iter().find(|fact| fact.name == name).map(|fact| fact.value.as_slice())
    }
}

/// The state of a writer for one streamed message.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// The message so far; the texts of its blocks are kept for a writer that repeats them.
    pub message: BlockMessage,
    /// The number of the next event.
    pub sequence: u64,
    /// The number of the message in the input, from 1.
    pub serial: u64,
    /// For each block its number in the output, if it has one.
    pub places: Vec<Option<usize>>,
    /// The number of the next block in the output.
    pub next: usize,
    /// The last bytes written between delimiters, to find a delimiter that spans several pieces.
    pub last: Vec<u8>,
}

impl Streamed {
    /// Gives a block the next number in the output, and returns it.
    pub fn place(&mut self, block: usize) -> usize {
        self.places.resize(self.places.len().max(block + 1), None);
        self.places[block] = Some(self.next);
        self.next += 1;
        self.next - 1
    }

    /// Gives a block the number behind that of the last block of its kind.
    pub fn place_in_kind(&mut self, block: usize) {
        let kind = self.message.blocks[block].kind;
        let last = self.message.blocks[..block].iter().rposition(|other| other.kind == kind);
        let number = last.and_then(|last| self.placed(last)).map_or(0, |number| number + 1);
        self.places.resize(self.places.len().max(block + 1), None);
        self.places[block] = Some(number);
    }

    /// The number of a block in the output, if it has one.
    pub fn placed(&self, block: usize) -> Option<usize> {
        self.places.get(block).copied().flatten()
    }
}

/// The error for a record that is not written.
pub type Unwritten = &'static str;

/// Values to write, each with the name of its event.
pub type Values = Vec<(&'static str, Vec<u8>)>;

/// Writes messages in one format, on any thread.
pub trait Writer: Send + Sync {
    /// Whether a streamed message repeats its texts at its end.
    fn restates(&self) -> bool;

    /// Whether what is written of an input depends on the inputs before it, as identifiers that are counted do. They are
    /// written one after the other then.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    fn remembers(&self) -> bool {
        false
    }

    /// Whether a message can stand without a request: if not, a list of messages in another record becomes a request.
    fn has_messages(&self) -> bool {
        true
    }

    /// Whether each event of a stream identifies its message, so that the events of several messages may be mixed.
    fn names_messages(&self) -> bool {
        true
    }

    /// Whether a block of reasoning keeps its identifier, and the name of its provider's format.
    fn names_blocks(&self) -> bool {
        false
    }

    /// Whether a call keeps what its provider has signed it with.
    fn signs_calls(&self) -> bool {
        false
    }

    /// Whether a whole response has a place for an error.
    fn fails(&self) -> bool {
        false
    }

    /// Writes an error in place of an answer, with the name of its event; `None` if the format has none. `message` has
    /// nothing but the error.
    fn failure(&self, _message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        None
    }

    /// Whether a request or a response becomes several records, with line ends between them.
    fn is_log(&self) -> bool {
        false
    }

    /// Writes a request.
    ///
    /// # Errors
    /// When something in it can be neither written nor left out.
    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten>;

    /// Writes a response. `serial`: the number of the message in the input.
    ///
    /// # Errors
    /// As [`Writer::request`].
    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten>;

    /// Wraps a request or a response as a line of a batch with this key; `None` if the format has no batches.
    fn batch(&self, _key: &[u8], _value: &[u8], _request: bool) -> Option<Vec<u8>> {
        None
    }

    /// Writes a message that is a record by itself, as one or several records.
    ///
    /// # Errors
    /// As [`Writer::request`].
    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten>;

    /// Begins a streamed message.
    fn begin(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses);

    /// Begins the block with this number.
    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses);

    /// Writes more text of a block.
    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, losses: &mut Losses);

    /// Whether more text of a block changes nothing in the state of the writer but the number of the next event, and is
    /// written by itself: what stands around it is the same for any text. It may stand there several times.
    fn feeds_as_it_is(&self, block: &Block) -> bool {
        !matches!(block.kind, ContentKind::Other(_))
    }

    /// Ends a block.
    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses);

    /// Ends the message.
    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses);
}
