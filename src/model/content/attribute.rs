//! What is known of records, messages and blocks.

use crate::model::Loss;

/// A fact of a record, a message or a block, as a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// The identifier of the message.
    Id,
    /// The model.
    Model,
    /// The time of the message, in seconds since 1970.
    Created,
    /// The token count of the request.
    Input,
    /// The token count of the answer.
    Output,
    /// The token count of the answer's reasoning.
    Thought,
    /// The token count of the answer's reasoning, not included in [`Attribute::Output`].
    ThoughtApart,
    /// How many tokens were read from a cache, not included in [`Attribute::Input`].
    CacheRead,
    /// How many tokens were written to a cache, not included in [`Attribute::Input`].
    CacheWrite,
    /// How many tokens were read from a cache, included in [`Attribute::Input`].
    Cached,
    /// The signature of a block of reasoning.
    Signature,
    /// A block of reasoning as a ciphertext.
    Ciphertext,
    /// What says which provider has made the signature or the ciphertext, where the block does not say it by its place:
    /// a word for it, or the key that the block stood under.
    SealedBy,
    /// The identifier of a block of reasoning.
    BlockId,
    /// A block of reasoning has an identifier, or names the format of its provider: it has a place only where blocks are
    /// named ([`super::Writer::names_blocks`]).
    Identity,
    /// The identifier of a tool call.
    CallId,
    /// The name of a tool.
    Name,
    /// The type of a block that calls a tool of the provider's own, which has no name; and of one of an unknown kind.
    Tool,
    /// The tool takes free text, even if that looks like JSON.
    Free,
    /// A text that is a call, with its name and its arguments as an object of JSON, or the result of one.
    CallText,
    /// What the provider has signed a call with, and demands back beside it (Google). It has a place only where calls are signed
    /// ([`super::Writer::signs_calls`]).
    CallSignature,
    /// Arguments of a call: a value, or a piece of its text.
    Arguments,
    /// The identifier of the call that a result answers.
    ResultOf,
    /// The result.
    Result,
    /// Whether the result is an error.
    IsError,
    /// An image, a document, a sound: the part that it is, or its data. A block of an unknown kind: all of it.
    Media,
    /// Instructions beside the messages.
    System,
    /// The tools of a request.
    Tools,
    /// The token limit of the answer.
    Limit,
    /// A parameter of a request.
    Parameter,
    /// A member without a place in other formats.
    Extra,
    /// A loss of a message that has no other attribute.
    Lost(Loss),
    /// The key of a member of a response beside its message that other formats lack. Events of a stream may repeat it.
    Member,
    /// The sources that a text cites.
    Citations,
    /// The text is a refusal.
    Refusal,
    /// The block of reasoning is hidden from people.
    Hidden,
    /// What programs show of a block of reasoning in a line, beside its text. A block may have several.
    Heading,
    /// The name of the field that a block of reasoning came from.
    SourceField,
    /// That field stood before the content. Only where a message is written in its place.
    SourceFirst,
    /// The key that pairs a line of a batch of requests with the line of its response.
    Batch,
    /// The identifier of the batch line itself.
    BatchId,
    /// That a request is sent to a provider, though nothing in it says so.
    Addressed,
    /// The author of a message, where that says more than its role: the name of a tool, or `developer`.
    Author,
    /// An error: an object with a `message`.
    Error,
    /// More about why the message ended than [`super::Stop`] says: a word of this provider only, or the text that ended it.
    StopDetail,
}

impl Attribute {
    /// Whether it is a number of tokens.
    pub fn is_usage(self) -> bool {
        use Attribute::{CacheRead, CacheWrite, Cached, Input, Output, Thought, ThoughtApart};
        matches!(self, Input | Output | Thought | ThoughtApart | CacheRead | CacheWrite | Cached)
    }
}
