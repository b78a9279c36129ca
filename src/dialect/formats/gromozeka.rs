//! Gromozeka: the messages of its conversations, as its database keeps them and as its recorded calls have them.
//!
//! Found in the program's own code; not specified. A type is the qualified name of a class unless the class names
//! itself. Since its package has moved, only what follows the last dot counts. Members with default values are absent
//! in the database, and present in recorded calls. An `IntermediateMessage` is visible to the user, whatever its name
//! says. A `Thinking` without text that is signed was encrypted by its provider.
//!
//! `DelegateReasoning`, `ReturnControl` and `IntermediateReasoning` are instructions of a message: the first two hand
//! the conversation to another agent and back; the third marks a message as a step on the way to the answer.

mod contexts;
mod lines;
mod write;

pub(in crate::dialect) use write::Gromozeka;

use crate::dialect::product::product;
use crate::dialect::shape::{
    ANY, BASE, Case, Does, Key, Kind, LIST, NONE, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each,
    is, lost, one, pass, same, search, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Attribute;
use crate::model::{BlockProperty, Mark};

const fn class(names: &'static [&'static str]) -> When {
    When::Class(names)
}

/// The text of the assistant, and its form for speech.
static STRUCTURED: State = state("structured text", &[is("fullText", STRING, Slot::Text)], &[]);

/// The arguments of a tool call.
static CALL: State = state("call", &[is("name", STRING, Slot::Name), is("input", ANY, Slot::Arguments)], &[]);

/// The result of a compaction: a summary for everybody, or a state that only its provider reads.
static PAYLOAD: State =
    state("payload", &[is("kind", STRING, Slot::Object), is("state", OBJECT, Slot::Ciphertext)], &[]);

/// An item of the content of a message.
static ITEM: State = state(
    "content item",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        same("structured", &STRUCTURED),
        is("thinking", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        pass("state"),
        is("id", STRING, Slot::CallId),
        same("call", &CALL),
        is("toolUseId", STRING, Slot::ResultOf),
        pass("toolName"),
        is("result", LIST, Slot::Result),
        is("isError", ANY, Slot::IsError),
        // Text by the program.
        pass("level"),
        pass("content"),
        is("source", OBJECT, Slot::Media),
        same("payload", &PAYLOAD),
    ],
    &[
        sure(&[class(&["Thinking", "RedactedThinking", "Reasoning"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[class(&["Message"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[class(&["IntermediateMessage"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[class(&["ToolCall"]), When::Has(Slot::Name)], Does::Block(Kind::Call)),
        sure(&[class(&["ToolResult"]), When::Has(Slot::ResultOf)], Does::Block(Kind::Result)),
        sure(&[class(&["ImageItem", "DocumentItem", "ArtifactItem"])], Does::Block(Kind::Media)),
        sure(
            &[class(&["ContextCompactionResult"]), When::Is(Slot::Object, &["opaque_provider_state"])],
            Does::Block(Kind::Sealed("compaction")),
        ),
        sure(&[class(&["ContextCompactionResult", "System", "UnknownJson"])], Does::Block(Kind::Other)),
    ],
);

/// Types of instructions that are no mark, and only note something about a message.
const INSTRUCTIONS: &[&str] = &[
    "user",
    "agent",
    "message_input_context",
    "message_temporal_context",
    "revealed_secret_context",
    "user_situation_context",
    "previous_turn_terminated",
    "workspace_context",
    "UserInstruction",
    "ResponseExpected",
];

/// An instruction that belongs to a message.
static INSTRUCTION: State = state(
    "instruction",
    &[
        is("type", STRING, Slot::Type),
        // Only a value other than the default is written.
        is("markIntermediate", NONE, Slot::Answers),
        is("agentPrompt", STRING, Slot::System),
        pass("title"),
        pass("description"),
        pass("context"),
        pass("references"),
        pass("reason"),
    ],
    &[
        sure(
            &[class(&["DelegateReasoning"]), When::Has(Slot::Answers)],
            Does::Mark(Mark::Delegates { intermediate: false }),
        ),
        sure(&[class(&["DelegateReasoning"])], Does::Mark(Mark::Delegates { intermediate: true })),
        sure(&[class(&["ReturnControl"])], Does::Mark(Mark::Returns)),
        sure(&[class(&["IntermediateReasoning"])], Does::Mark(Mark::Intermediate)),
        case(&[class(INSTRUCTIONS)], Does::Nothing),
    ],
);

static MESSAGE_KEYS: &[Key] = &[
    is("id", STRING, Slot::Id),
    is("conversationId", STRING, Slot::Conversation),
    is("role", STRING, Slot::Role),
    each("content", Slot::List, &ITEM),
    each("instructions", Slot::Marks, &INSTRUCTION),
    search("originalIds"),
    search("squashOperationId"),
    search("replyTo"),
    search("createdAt"),
    search("error"),
    search("metadata"),
];

const MESSAGE_CASES: &[Case] = &[case(&[When::Has(Slot::List)], Does::Message)];

/// A message in a list.
static MESSAGE: State = state("message", MESSAGE_KEYS, MESSAGE_CASES);

static EXCHANGE_KEYS: &[Key] = &[
    each("messages", Slot::Messages, &MESSAGE),
    is("systemPrompts", LIST, Slot::System),
    is("tools", LIST, Slot::Tools),
    lost("options"),
    is("usage", OBJECT, Slot::Usage),
    is("finishReason", STRING, Slot::Stop),
    search("providerMetadata"),
];

/// A request to a provider, or its response.
static EXCHANGE: State = state("exchange", EXCHANGE_KEYS, &[case(&[When::Has(Slot::Messages)], Does::Request)]);

/// A record: a message, a request or response, or a recorded call, which holds its request a second time for
/// comparison.
static RECORD: State = state(
    "record",
    &[
        one("canonicalRequest", Slot::Inner, &EXCHANGE),
        one("debugRequest", Slot::Inner, &EXCHANGE),
        each("responses", Slot::Inner, &EXCHANGE),
    ],
    &[
        case(&[When::Has(Slot::Inner)], Does::Envelope),
        case(&[When::Has(Slot::Messages)], Does::Request),
        // A recorded answer, which may lack its content.
        sure(&[When::Has(Slot::List), When::Lacks(Slot::Role), When::Lacks(Slot::Id), When::Named], Does::Message),
        case(&[When::Has(Slot::List)], Does::Message),
    ],
)
.include(&[MESSAGE_KEYS, EXCHANGE_KEYS]);

/// Where a record comes from: a message, or a recorded call with the messages of its request.
static ORIGIN: State = state(
    "origin",
    &[
        is("model", STRING, Slot::Model),
        is("recordedAt", STRING, Slot::Created),
        is("createdAt", STRING, Slot::Created),
        is("conversationId", STRING, Slot::Conversation),
        each("messages", Slot::Messages, &ORIGIN),
        same("canonicalRequest", &ORIGIN),
    ],
    &[],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition {
            has: &[("conversationId", &[]), ("role", &["USER", "ASSISTANT", "SYSTEM"]), ("content", &[])],
            sure: false,
        },
        Recognition { has: &[("role", &["USER", "ASSISTANT", "SYSTEM"]), ("content", &[])], sure: true },
        Recognition { has: &[("content", &[]), ("metadata", &[])], sure: true },
        Recognition { has: &[("messages", &[]), ("systemPrompts", &[])], sure: false },
        Recognition { has: &[("messages", &[]), ("finishReason", &[])], sure: false },
        Recognition { has: &[("messages", &[])], sure: true },
        Recognition { has: &[("canonicalRequest", &[]), ("responses", &[])], sure: true },
    ],
    signs: &[&["\"systemPrompts\"", "\"messages\""]],
    used: &[
        ("promptTokens", Attribute::Input),
        ("completionTokens", Attribute::Output),
        ("thinkingTokens", Attribute::Thought),
        ("cacheReadTokens", Attribute::CacheRead),
        ("cacheCreationTokens", Attribute::CacheWrite),
    ],
    instruction: Some(lines::line),
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "gromozeka",
    aliases: &["grz"],
    about: "Gromozeka: messages of conversations with Thinking items, and instructions that delegate reasoning",
    products: &[product("Gromozeka")],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Gromozeka::default())),
    properties: Some(&[BlockProperty::Blocks, BlockProperty::Signature, BlockProperty::Empty]),
    ..PLAIN
};
