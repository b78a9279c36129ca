//! The slots of nodes.

/// A slot of a node: what a value in it is for. Which meanings of a node use which slots says [`super::Does::uses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    // Of any node.
    /// The type of the object.
    Type,
    /// The type under a second key.
    Object,
    /// The identifier of the node.
    Id,
    /// One of several numbers that identify the node together.
    IdPart,
    /// A member that says what the node is: a flag, or an object that the others stand in.
    Flag,
    /// An object that holds a message, a block or a piece of one.
    Inner,

    /// A member that its state does not list, where these are read one by one.
    Unnamed,

    /// In a tree of messages: the identifier of the one before it; of the request, that of the last one that is shown.
    Before,
    Latest,

    // Of a record: a request, a response, a line.
    /// A record in the record: a log or a batch wraps one.
    Wrapped,
    /// A list of the pieces of one response.
    Pieces,
    /// How many of the messages before it the record takes back.
    TakenBack,
    /// A message that replaces all messages before it.
    Replaced,
    /// Notes about the message, in which counts of tokens may stand.
    Notes,
    /// A list of messages.
    Messages,
    /// A list of conversations, each with its messages.
    Sessions,
    /// What stands in the record once more: in a request, messages; in a message, other forms of it, as messages or blocks.
    /// Messages are known by their identifiers; one that repeats none is like the others.
    Again,
    /// A list of blocks that stand apart from their messages: these name them ([`Slot::Parts`]), or they name the message
    /// ([`Slot::PartOf`]).
    Apart,
    /// The alternative answers of a response, each whole or a piece.
    Choices,
    /// A list of records, items, blocks or parts.
    List,
    /// The text of the user in place of a list of items; or the input of a tool that takes free text.
    Input,
    /// Instructions that stand beside the messages.
    System,
    /// The tools that may be called.
    Tools,
    /// What a tool is for.
    Description,
    /// The token limit of the answer.
    Limit,
    /// A parameter of a request that all providers have under the same name.
    Parameter,
    /// The layout that the answer is to have: a schema, which no model has written.
    Layout,
    /// A parameter that only requests of this format have: it distinguishes them from similar ones.
    OwnParameter,
    /// A member that only requests of another, similar format have.
    ForeignParameter,
    /// A prompt template that the provider stores, and its variables.
    Template,
    /// The key that joins a line of a batch with the line that it answers.
    Batch,
    /// How the request in a line of a batch went.
    Outcome,
    /// An error reported by the provider.
    Error,
    /// What such an error says, or the error of a line of a batch. It is not text of the model.
    Fault,

    /// A record of any format: what the provider's API took or gave, in the log of a program.
    Record,

    // Of a message.
    /// Reasoning of the message under a key of its own, which goes as a member.
    Thought,
    /// A member that holds the reasoning in another form, as the numbers of its tokens: it goes, too.
    Shadow,
    /// The blocks that the text of the message was made of: what the text has of their reasoning is a copy.
    MadeOf,
    /// The identifiers of its blocks, which stand apart ([`Slot::Apart`]).
    Parts,
    /// The identifier of the message that a block belongs to, which stands apart.
    PartOf,
    /// Calls of tools, in a list beside the text.
    Calls,
    /// The text of a message, or the list of its parts.
    Content,
    /// More of a message.
    Delta,
    /// An object that repeats the reasoning of the message.
    Copies,
    /// Something visible that stands beside the content.
    Shown,
    /// The channel that the message was written to.
    Channel,
    /// The function of a call.
    Function,
    /// The message is over.
    Over,
    /// An object that holds a call: it says what its block is.
    Called,
    /// An object that holds the result of a call.
    Answered,
    /// The role of the author.
    Role,
    /// A switch that says that the user speaks.
    ByUser,
    /// A member that only another format has in its messages: such a message is not of this format.
    ForeignMember,
    /// The phase in which the message is written.
    Phase,
    /// Why the message ended.
    Stop,
    /// The details of why it ended early.
    StopDetails,
    /// The stop sequence that ended it.
    StopText,
    /// The model that wrote the message.
    Model,
    /// The time of the message.
    Created,
    /// The folder that the program worked in.
    Project,
    /// The branch of that folder.
    Branch,
    /// What the program calls the session: its title, or a summary in a line.
    Title,
    /// What the message has cost, in US dollars.
    Cost,
    /// What the session has cost so far, in US dollars.
    TotalCost,
    /// The token usage: an object, or a count under its own key.
    Usage,
    /// Further counts. Of them only that of the reasoning tokens is read.
    Counts,
    /// A list of marks and instructions, for what a message does besides its text.
    Marks,
    /// Marks a delegation whose agent writes the answer itself, and not a step on the way to it.
    Answers,

    // Of a block, of an item, or of a piece of one in an event.
    /// The text.
    Text,
    /// The signature of the text.
    Signature,
    /// The text as a ciphertext.
    Ciphertext,
    /// Which provider has made the signature or the ciphertext.
    SealedBy,
    /// The object of one provider. Its key says who has signed or encrypted what stands in it.
    SealedUnder,
    /// A signature of reasoning, which may stand on any block: where the block stays, it goes as a member.
    Seal,
    /// The summary of an item of reasoning: a list of parts.
    Summary,
    /// What programs show of a block of reasoning in a line, beside its text: a title, a retelling. It is no part of the text.
    Heading,
    /// The sources that a text cites.
    Citations,
    /// The tokens of a text once more, with their probabilities.
    Probabilities,
    /// An image, a document, a sound.
    Media,
    /// The identifier of a tool call.
    CallId,
    /// The name of a tool, or of who sent a message.
    Name,
    /// The arguments of a tool call, or the schema of a tool.
    Arguments,
    /// The identifier of the call that a result answers, or of the message that a message answers.
    ResultOf,
    /// The result of a tool, or of a whole run of a program.
    Result,
    /// Whether a result is an error.
    IsError,
    /// The number of a block in a stream.
    Index,
    /// The number of a part within such a block.
    Part,

    // Of a line of a log.
    /// The conversation that the line belongs to: its session, context or path.
    Conversation,
    /// Marks the line as part of a side chain, which is a conversation of its own.
    SideChain,
    /// Marks a line in the role of the user that is no turn of the user.
    NoTurn,
    /// The type of the line under its type.
    Subtype,
    /// What the program added to the conversation: a file, the output of a hook.
    Attachment,
    /// Calls that the user has not allowed.
    Denials,

    // Of a message in a log in which several speak.
    /// Whether the line records the message as received, as delivered or as rejected.
    Delivery,
    /// Who the message is for.
    Addressee,
    /// A context, as an operation on it: an agent enters, leaves or resumes one.
    Operation,
    /// The topic of such a context.
    Topic,
}

impl Slot {
    /// Whether what a node means may depend on the value in the slot, and not only on there being one.
    #[inline]
    pub const fn decides(self) -> bool {
        matches!(self, Slot::Type | Slot::Object | Slot::Role | Slot::Subtype | Slot::Delivery | Slot::Channel)
    }
}
