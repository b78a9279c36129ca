//! Bedrock Converse: requests, responses, and the events of a response that is streamed, as logs hold them.
//!
//! Specified by AWS' API reference ("Converse", "ConverseStream", "ContentBlock"). A block has no type: its only member
//! says what it is. A block of reasoning is `{"reasoningContent":{"reasoningText":{"text":…,"signature":…}}}`, or
//! `{"reasoningContent":{"redactedContent":…}}` where only a ciphertext is given. An event is an object under its name.
//! On the wire the events are binary frames; programs that log them write one JSON object a line.

mod write;

use crate::dialect::product::product;
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, LIST, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, WITHOUT, When, case,
    each, into, is, one, pass, record, same, search, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::BlockProperty;
use crate::model::content::{Attribute, Stop};
use write::Bedrock;

/// The text of reasoning, and its signature. In an event both stand in the object around.
static REASONING_TEXT: State =
    state("reasoning text", &[is("text", STRING, Slot::Text), is("signature", STRING, Slot::Signature)], &[]);

static REASONING: State = state(
    "reasoning",
    &[
        same("reasoningText", &REASONING_TEXT),
        is("text", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        is("redactedContent", STRING, Slot::Ciphertext),
    ],
    &[],
);

static CALL: State = state(
    "tool use",
    &[
        is("toolUseId", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("input", ANY, Slot::Arguments),
        search("type"),
    ],
    &[],
);

static RESULT: State = state(
    "tool result",
    &[
        is("toolUseId", STRING, Slot::ResultOf),
        is("content", LIST, Slot::Result),
        is("status", STRING, Slot::IsError).beside("status", &["error"]),
        pass("status").beside("status", &["success"]),
        search("type"),
    ],
    &[],
);

/// A text with its sources.
static CITED: State = state(
    "citations content",
    &[each("content", Slot::List, &CITED_TEXT), is("citations", LIST, Slot::Citations)],
    &[],
);

static CITED_TEXT: State =
    state("text", &[is("text", STRING, Slot::Text)], &[case(&[When::Has(Slot::Text)], Does::Block(Kind::Text))]);

/// A block of a message, or the new part of one.
static BLOCK: State = state(
    "content block",
    &[
        is("text", STRING, Slot::Text),
        into("reasoningContent", Slot::Flag, &REASONING),
        same("toolUse", &CALL),
        same("toolResult", &RESULT),
        same("citationsContent", &CITED),
        is("image", OBJECT, Slot::Media),
        is("document", OBJECT, Slot::Media),
        is("video", OBJECT, Slot::Media),
        is("audio", OBJECT, Slot::Media),
        is("citation", OBJECT, Slot::Citations),
    ],
    &[
        // A text beside reasoning in the same block: no reader says which is which.
        case(&[When::Has(Slot::Flag), When::Several(Slot::Text)], Does::Unclear),
        sure(&[When::Has(Slot::Flag), When::Has(Slot::Ciphertext)], Does::Block(Kind::Sealed("part"))),
        sure(&[When::Has(Slot::Flag)], Does::Block(Kind::Reasoning("part"))),
        sure(&[When::Has(Slot::ResultOf)], Does::Block(Kind::Result)),
        sure(&[When::Has(Slot::CallId)], Does::Block(Kind::Call)),
        sure(&[When::Has(Slot::Arguments), When::Named], Does::Block(Kind::Call)),
        sure(&[When::Has(Slot::Media), When::Named], Does::Block(Kind::Media)),
        sure(&[When::Has(Slot::List), When::Named], Does::Block(Kind::Message)),
        case(&[When::Has(Slot::Text), When::Named], Does::Block(Kind::Text)),
        case(&[When::Has(Slot::Citations), When::Named], Does::Block(Kind::Other)),
    ],
);

/// Keys of a message. One may stand alone, as programs keep them.
static OF_MESSAGE: &[Key] = &[is("role", STRING, Slot::Role), each("content", Slot::List, &BLOCK)];

static MESSAGE: State = state(
    "message",
    &[is("tool_calls", LIST, Slot::ForeignMember), is("reasoning_content", STRING, Slot::ForeignMember)],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
)
.include(&[OF_MESSAGE]);

/// The parameters of a request.
static PARAMETERS: State = state(
    "inference configuration",
    &[
        is("maxTokens", NUMBER, Slot::Limit),
        is("temperature", NUMBER, Slot::Parameter),
        is("topP", NUMBER, Slot::Parameter),
        is("stopSequences", LIST, Slot::Parameter),
    ],
    &[],
);

/// The tools of a request, each under a name for its kind.
static TOOLS: State =
    state("tool configuration", &[is("tools", LIST, Slot::Tools), is("toolChoice", OBJECT, Slot::Parameter)], &[]);

/// The output of a response.
static OUTPUT: State = state("output", &[same("message", &MESSAGE)], &[]);

/// An event, under its name.
static EVENT: State = state(
    "event",
    &[
        is("contentBlockIndex", NUMBER, Slot::Index),
        one("start", Slot::Inner, &BLOCK),
        one("delta", Slot::Inner, &BLOCK),
        is("stopReason", STRING, Slot::Stop),
        is("usage", OBJECT, Slot::Usage),
        pass("metrics"),
        search("trace"),
        pass("p"),
    ],
    &[],
);

const fn named(name: &'static str) -> When {
    When::Under(Slot::Flag, name)
}

static RECORD: State = state(
    "record",
    &[
        one("messageStart", Slot::Inner, &MESSAGE),
        into("contentBlockStart", Slot::Flag, &EVENT),
        into("contentBlockDelta", Slot::Flag, &EVENT),
        into("contentBlockStop", Slot::Flag, &EVENT),
        into("messageStop", Slot::Flag, &EVENT),
        into("metadata", Slot::Flag, &EVENT),
        // An exception ends a stream.
        is("internalServerException", OBJECT, Slot::Error),
        is("modelStreamErrorException", OBJECT, Slot::Error),
        is("serviceUnavailableException", OBJECT, Slot::Error),
        is("throttlingException", OBJECT, Slot::Error),
        is("validationException", OBJECT, Slot::Error),
        // A response.
        same("output", &OUTPUT),
        is("stopReason", STRING, Slot::Stop),
        is("usage", OBJECT, Slot::Usage).beside("output", &[]),
        pass("metrics"),
        pass("ResponseMetadata"),
        // A request.
        is("modelId", STRING, Slot::Model),
        each("messages", Slot::Messages, &MESSAGE),
        is("system", LIST, Slot::System),
        // Both distinguish a request of this format from others: they do not stay where it becomes another.
        same("inferenceConfig", &PARAMETERS),
        same("toolConfig", &TOOLS),
        // A line of a batch: what the model takes and gives, in the format of its maker.
        record("modelInput"),
        record("modelOutput"),
    ],
    &[
        sure(&[named("contentBlockStart"), When::Has(Slot::Inner)], Does::Open),
        sure(&[named("contentBlockDelta"), When::Has(Slot::Inner)], Does::Feed(None)),
        sure(&[named("contentBlockStop"), When::Has(Slot::Index)], Does::Close),
        sure(&[named("messageStop"), When::Has(Slot::Stop)], Does::Amend),
        // Requests have metadata of their own, and logs of them the usage beside it.
        sure(&[named("metadata"), When::Has(Slot::Usage), When::Lacks(Slot::Messages)], Does::Amend),
        sure(&[When::Has(Slot::Error), When::Named], Does::Nothing),
        sure(&[When::Under(Slot::Inner, "messageStart")], Does::Begin),
        sure(&[When::Has(Slot::List), When::Has(Slot::Role), When::Has(Slot::Stop)], Does::Response),
        case(&[When::Has(Slot::Messages)], Does::Request),
        case(&[When::Has(Slot::Record)], Does::Envelope),
        case(&[When::Has(Slot::List), When::Has(Slot::Role)], Does::Message),
    ],
)
.include(&[OF_MESSAGE]);

/// Where a record comes from: only a request names its model.
static ORIGIN: State = state("origin", &[is("modelId", STRING, Slot::Model)], &[]);

/// In other formats, a block with a text has a type.
const TYPELESS: (&str, &[&str]) = (WITHOUT, &["\"type\":"]);

/// Nor has a request these members of a model's own format, which looks alike.
const NO_OTHER: (&str, &[&str]) = (WITHOUT, &["\"type\":", "\"schemaVersion\":", "\"max_tokens\":"]);

/// The event at the end of a stream has no message. Messages of other formats have metadata with a usage, too.
const NO_MESSAGE: (&str, &[&str]) =
    (WITHOUT, &["\"role\"", "\"speaker\"", "\"author\"", "\"content\"", "\"blocks\"", "\"parts\"", "\"text\""]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("messageStart", &[])], sure: true },
        Recognition { has: &[("contentBlockStart", &[])], sure: true },
        Recognition { has: &[("contentBlockDelta", &[])], sure: true },
        Recognition { has: &[("contentBlockStop", &[])], sure: true },
        Recognition { has: &[("messageStop", &[])], sure: true },
        Recognition { has: &[("metadata", &[]), NO_MESSAGE], sure: true },
        Recognition { has: &[("internalServerException", &[])], sure: true },
        Recognition { has: &[("modelStreamErrorException", &[])], sure: true },
        Recognition { has: &[("serviceUnavailableException", &[])], sure: true },
        Recognition { has: &[("throttlingException", &[])], sure: true },
        Recognition { has: &[("validationException", &[])], sure: true },
        Recognition { has: &[("output", &[]), ("stopReason", &[])], sure: true },
        Recognition { has: &[("modelInput", &[])], sure: false },
        Recognition { has: &[("messages", &[]), ("modelId", &[])], sure: false },
        Recognition {
            has: &[("messages", &[]), ("system", &[]), ("", &["\"system\":[{\"text\":"]), NO_OTHER],
            sure: false,
        },
        Recognition {
            has: &[("messages", &[]), ("system", &[]), ("", &["\"system\": [{\"text\":"]), NO_OTHER],
            sure: false,
        },
        Recognition { has: &[("messages", &[]), ("inferenceConfig", &[])], sure: false },
        Recognition { has: &[("messages", &[]), ("toolConfig", &[])], sure: false },
        Recognition { has: &[("messages", &[])], sure: true },
        Recognition { has: &[("role", &[]), ("content", &[]), ("", &["\"reasoningContent\""])], sure: true },
        Recognition { has: &[("role", &[]), ("content", &[]), ("", &["\"toolUse\""])], sure: true },
        Recognition { has: &[("role", &[]), ("content", &[]), ("", &["\"toolResult\""])], sure: true },
        Recognition {
            has: &[("role", &[]), ("content", &[]), ("", &["\"content\":[{\"text\":"]), TYPELESS],
            sure: false,
        },
        Recognition {
            has: &[("role", &[]), ("content", &[]), ("", &["\"content\": [{\"text\":"]), TYPELESS],
            sure: false,
        },
    ],
    keys: &[],
    stops: &[
        ("end_turn", Stop::End),
        ("stop_sequence", Stop::End),
        ("tool_use", Stop::Calls),
        ("max_tokens", Stop::Length),
        ("model_context_window_exceeded", Stop::Length),
        ("content_filtered", Stop::Filter),
        ("guardrail_intervened", Stop::Filter),
    ],
    used: &[
        ("inputTokens", Attribute::Input),
        ("outputTokens", Attribute::Output),
        ("cacheReadInputTokens", Attribute::CacheRead),
        ("cacheWriteInputTokens", Attribute::CacheWrite),
    ],
    addressed: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "bedrock",
    aliases: &["bedrock-converse", "converse"],
    kin: &["aws", "amazon", "nova"],
    about: "Bedrock Converse: requests, responses and logged events with reasoningContent blocks",
    products: &[product("Bedrock Converse")],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Bedrock)),
    properties: Some(&[BlockProperty::Blocks, BlockProperty::Signature]),
    ..PLAIN
};
