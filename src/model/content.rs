//! The content of messages for writers that build them anew: events folded into messages of blocks, and the interface
//! of such a writer.

use super::{Loss, Role, Source};

/// What kind of record it is, for writers of another in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// A request, or a conversation: a list of messages.
    Request,
    /// A whole response.
    Response,
    /// A message that is a record.
    Message,
    /// A line of a log, in which a message may go on that began in another.
    Line,
    /// An event of a streamed response.
    Stream,
    /// A list of such records, in one record.
    List,
}

/// A block that is neither text nor reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A tool is called.
    Call,
    /// The result of such a call.
    Result,
    /// An image, a document, a sound.
    Media,
    /// Something else.
    Other,
}

/// A fact of a record, a message or a block, as a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// The identifier of the message.
    Id,
    /// The model.
    Model,
    /// When the message was made, in seconds since 1970.
    Created,
    /// Tokens of the request; of the answer; of its reasoning.
    Input,
    /// See `Input`.
    Output,
    /// See `Input`.
    Thought,
    /// How many tokens of the request were read from a cache, beside [`Attribute::Input`].
    CacheRead,
    /// How many were written to a cache, beside it.
    CacheWrite,
    /// How many of [`Attribute::Input`] were read from a cache.
    Cached,
    /// The signature of a block of reasoning.
    Signature,
    /// A block of reasoning as a ciphertext.
    Ciphertext,
    /// The identifier of a tool call.
    CallId,
    /// The name of a tool.
    Name,
    /// The tool is one of the provider's own, without a name: the type of the block that calls it.
    Tool,
    /// What the tool is called with is a text of free form, whatever it looks like.
    Free,
    /// The text of the call has its name and its arguments, as an object of JSON.
    CallText,
    /// Arguments of a call: a value, or a piece of its text.
    Arguments,
    /// Which call a result answers.
    ResultOf,
    /// The result.
    Result,
    /// Whether the result is an error.
    IsError,
    /// Instructions beside the messages.
    System,
    /// The tools of a request.
    Tools,
    /// The most tokens of the answer.
    Limit,
    /// A parameter of a request.
    Parameter,
    /// A member without a place in other formats.
    Extra,
    /// Something else of a message that has none.
    Lost(Loss),
    /// A member of a response beside its message that has none: its key. Events of a stream may repeat it.
    Member,
    /// The sources that a text names.
    Citations,
    /// A text is a refusal.
    Refusal,
    /// A block of reasoning is hidden from people.
    Hidden,
    /// The name of the field that a block of reasoning came from.
    SourceField,
    /// The key that joins a line of a batch with the line that it answers.
    Batch,
    /// The identifier of such a line itself.
    BatchId,
    /// What went wrong: an object with a `message`.
    Error,
    /// Why the message ended, as far as [`Stop`] does not say it: a word that only this provider has, or the text that
    /// ended it.
    StopDetail,
}

impl Attribute {
    /// Whether it is a number of tokens.
    pub fn is_usage(self) -> bool {
        use Attribute::{CacheRead, CacheWrite, Cached, Input, Output, Thought};
        matches!(self, Input | Output | Thought | CacheRead | CacheWrite | Cached)
    }
}

/// Why a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It is complete.
    End,
    /// Tools are called.
    Calls,
    /// It is as long as it may be.
    Length,
    /// Something in it is not allowed.
    Filter,
    /// The model or its host failed.
    Error,
}

/// What a block of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Reasoning.
    Reasoning,
    /// Neither.
    Other(What),
}

/// A block of a message.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Where its reasoning came from.
    pub source: Source,
    /// Its number, by which pieces of calls are matched.
    pub number: u32,
    /// Its text, decoded, as WTF-8: of text, of reasoning, and of arguments that are a text.
    pub text: Vec<u8>,
    /// It has a text, which need not be kept.
    pub fed: bool,
    /// Its facts, as JSON values.
    pub facts: Vec<(Attribute, Vec<u8>)>,
}

impl Block {
    /// A block without text.
    pub fn new(kind: Kind, source: Source, number: u32) -> Self {
        Self { kind, source, number, text: Vec::new(), fed: false, facts: Vec::new() }
    }

    /// The same block without its text and facts.
    pub fn clone_head(&self) -> Self {
        Self::new(self.kind, self.source, self.number)
    }

    /// A fact, as a JSON value.
    pub fn get(&self, name: Attribute) -> Option<&[u8]> {
        self.facts.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_slice())
    }

    /// Whether it is signed or encrypted.
    pub fn is_sealed(&self) -> bool {
        self.filled(Attribute::Signature).or_else(|| self.filled(Attribute::Ciphertext)).is_some()
    }

    /// A fact that is a string with something in it.
    pub fn filled(&self, name: Attribute) -> Option<&[u8]> {
        self.get(name).filter(|value| value.len() > 2 && value[0] == b'"')
    }
}

/// A message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Who wrote it.
    pub role: Role,
    /// Why it ended.
    pub stop: Option<Stop>,
    /// Its facts, as JSON values.
    pub facts: Vec<(Attribute, Vec<u8>)>,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

impl Message {
    /// A message without blocks.
    pub fn new(role: Role) -> Self {
        Self { role, stop: None, facts: Vec::new(), blocks: Vec::new() }
    }

    /// A fact, as a JSON value: the last one.
    pub fn get(&self, name: Attribute) -> Option<&[u8]> {
        self.facts.iter().rev().find(|(other, _)| *other == name).map(|(_, value)| value.as_slice())
    }

    /// Whether it calls tools.
    pub fn calls(&self) -> bool {
        self.blocks.iter().any(|block| block.kind == Kind::Other(What::Call))
    }

    /// Whether it is the model's, and has nothing but images and parts that no other format has.
    pub fn is_foreign(&self) -> bool {
        let foreign = |block: &Block| matches!(block.kind, Kind::Other(What::Media | What::Other));
        self.role == Role::Assistant && !self.blocks.is_empty() && self.blocks.iter().all(foreign)
    }

    /// Why it ended, as far as that is known.
    pub fn stop(&self) -> Stop {
        self.stop.unwrap_or(if self.calls() { Stop::Calls } else { Stop::End })
    }
}

/// The facts of a record beside its messages: which, under which key, and the JSON value.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The facts.
    pub facts: Vec<(Attribute, Vec<u8>, Vec<u8>)>,
}

impl Head {
    /// A fact, as a JSON value.
    pub fn get(&self, name: Attribute) -> Option<&[u8]> {
        self.facts.iter().find(|(other, ..)| *other == name).map(|(_, _, value)| value.as_slice())
    }
}

/// A streamed message on its way out.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// The message so far; the texts of its blocks are kept for a writer that repeats them.
    pub message: Message,
    /// The number of the event that comes next.
    pub sequence: u64,
    /// Which message of the input it is, from 1.
    pub serial: u64,
    /// For each of its blocks the number that it has in the output, if it is written.
    pub places: Vec<Option<usize>>,
    /// The number of the block that comes next there.
    pub next: usize,
    /// The last of the text that stands between delimiters.
    pub last: Vec<u8>,
}

impl Streamed {
    /// The next block that is written is this one. Its number in the output.
    pub fn place(&mut self, block: usize) -> usize {
        self.places.resize(self.places.len().max(block + 1), None);
        self.places[block] = Some(self.next);
        self.next += 1;
        self.next - 1
    }

    /// The number that a block has in the output.
    pub fn placed(&self, block: usize) -> Option<usize> {
        self.places.get(block).copied().flatten()
    }
}

/// Why a record is not written.
pub type Refused = &'static str;

/// Values that go out: each with the name of its event.
pub type Values = Vec<(&'static str, Vec<u8>)>;

/// Writes messages in a format from their content.
pub trait Writer {
    /// Whether a streamed message repeats its texts at its end.
    fn restates(&self) -> bool;

    /// Whether each event of a stream names its message, so that the events of several may be mixed.
    fn names_messages(&self) -> bool {
        true
    }

    /// Whether a whole response can say that it failed, and why.
    fn fails(&self) -> bool {
        false
    }

    /// Whether requests and responses are several records, with line ends between them.
    fn is_log(&self) -> bool {
        false
    }

    /// A request.
    ///
    /// # Errors
    /// When something in it cannot be written, and must not be left out.
    fn request(&self, head: &Head, messages: &[Message], losses: &mut Vec<Loss>) -> Result<Vec<u8>, Refused>;

    /// A response. `serial`: which message of the input it is.
    ///
    /// # Errors
    /// As [`Writer::request`].
    fn response(&self, message: &Message, serial: u64, losses: &mut Vec<Loss>) -> Result<Vec<u8>, Refused>;

    /// A request or a response as a line of a batch with this key; none if the format has no batches.
    fn batch(&self, _key: &[u8], _value: &[u8], _request: bool) -> Option<Vec<u8>> {
        None
    }

    /// A message that is a record, or several.
    ///
    /// # Errors
    /// As [`Writer::request`].
    fn message(&self, message: &Message, losses: &mut Vec<Loss>) -> Result<Vec<Vec<u8>>, Refused>;

    /// A streamed message begins.
    fn begin(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Vec<Loss>);

    /// A block of it begins: the one with this number.
    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Vec<Loss>);

    /// More text of it.
    fn feed(&self, stream: &mut Streamed, block: usize, text: &[u8], out: &mut Values, losses: &mut Vec<Loss>);

    /// It is over.
    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Vec<Loss>);

    /// The message is over.
    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Vec<Loss>);
}

/// How the texts are read that stand in facts as JSON values: what a format writes there, only formats know.
#[derive(Clone, Copy, Debug)]
pub struct FactTexts {
    /// The result of a call, as a text.
    pub result: fn(&Block) -> Vec<u8>,
    /// The instructions beside the messages, in the parts that they have.
    pub system: fn(&Head) -> Vec<Vec<u8>>,
    /// The name of the tool that is called, as a JSON string.
    pub call_name: fn(&Block) -> Vec<u8>,
}
