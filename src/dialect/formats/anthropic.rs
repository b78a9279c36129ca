//! Anthropic Messages: requests, responses, and the typed events of a response that is streamed.
//!
//! Specified by Anthropic's API reference ("Messages", "Streaming Messages", "Extended thinking"). A reasoning block is
//! `{"type":"thinking","thinking":…,"signature":…}`, or `{"type":"redacted_thinking","data":…}` where only a ciphertext
//! is given. In a stream a block is known by its `index`, and clients count: when one goes, the later ones move up.

mod ciphertext;
mod write;

pub(in crate::dialect) use ciphertext::{once_encoded, twice_encoded};
pub(in crate::dialect) use write::{Anthropic, is_own};

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Case, Does, Follow, Key, Kind, LIST, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, When,
    case, each, flat, is, one, pass, same, search, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::BlockProperty;
use crate::model::content::{Attribute, Stop};

/// What a block of reasoning says, in a line.
static SUMMARY: State = state("summary", &[is("summary", STRING, Slot::Heading)], &[]);

/// A block of a message.
pub(super) static PART: State = state(
    "content block",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("thinking", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        is("data", STRING, Slot::Ciphertext),
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("input", ANY, Slot::Arguments),
        is("tool_use_id", STRING, Slot::ResultOf),
        is("content", ANY, Slot::Result),
        is("is_error", ANY, Slot::IsError),
        is("source", OBJECT, Slot::Media),
        is("citations", LIST, Slot::Citations),
        pass("citations"),
        pass("caller"),
        // The website shows them in a line, and its exports have them.
        flat("summaries", &SUMMARY),
        // Cline keeps there what OpenRouter has said of the reasoning before.
        is("reasoning_details", LIST, Slot::Seal).beside("type", &["text", "tool_use"]),
    ],
    &[
        sure(&[ty(&["thinking"]), When::Has(Slot::Signature)], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["redacted_thinking"])], Does::Block(Kind::Sealed("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        sure(&[ty(&["tool_use"])], Does::Block(Kind::Call)),
        sure(&[ty(&["tool_result"])], Does::Block(Kind::Result)),
        sure(&[ty(&["server_tool_use", "mcp_tool_use", "*_tool_result"])], Does::Block(Kind::Hosted)),
        sure(&[ty(&["image", "document"]), When::Has(Slot::Media)], Does::Block(Kind::Media)),
        sure(&[ty(&["container_upload"])], Does::Block(Kind::Media)),
        case(&[ty(&["image", "document", "search_result"])], Does::Block(Kind::Media)),
        case(&[ty(&["compaction", "fallback"])], Does::Block(Kind::Other)),
    ],
);

/// A message, whole or as it begins in a stream.
pub(super) static MESSAGE: State = state("message", MESSAGE_KEYS, MESSAGE_CASES);

static MESSAGE_KEYS: &[Key] = &[
    is("type", STRING, Slot::Type),
    is("role", STRING, Slot::Role),
    is("id", STRING, Slot::Id),
    is("content", STRING, Slot::Text),
    each("content", Slot::List, &PART),
    is("model", STRING, Slot::Model),
    is("stop_reason", STRING, Slot::Stop),
    is("stop_sequence", STRING, Slot::StopText),
    search("stop_details"),
    is("usage", OBJECT, Slot::Usage),
    search("container"),
    search("context_management"),
    is("tool_calls", LIST, Slot::ForeignMember),
    is("function_call", OBJECT, Slot::ForeignMember),
    is("reasoning_content", STRING, Slot::ForeignMember),
];

const MESSAGE_CASES: &[Case] = &[
    case(&[When::Has(Slot::Role), When::Has(Slot::Text)], Does::Message),
    case(&[When::Has(Slot::List)], Does::Message),
];

/// The new part of a block, or of the message.
static DELTA: State = state(
    "delta",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("thinking", STRING, Slot::Text),
        is("partial_json", STRING, Slot::Arguments),
        is("signature", STRING, Slot::Signature),
        is("stop_reason", STRING, Slot::Stop),
        is("stop_sequence", STRING, Slot::StopText),
        search("stop_details"),
        is("citation", OBJECT, Slot::Citations),
        search("container"),
    ],
    &[
        case(&[ty(&["thinking_delta", "signature_delta"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["text_delta"])], Does::Block(Kind::Text)),
        case(&[ty(&["input_json_delta"])], Does::Block(Kind::Call)),
        case(&[ty(&["citations_delta", "compaction_delta"])], Does::Block(Kind::Other)),
        case(&[When::Lacks(Slot::Type)], Does::Nothing),
    ],
);

/// What the answer is to be like.
static OUTPUT: State =
    state("output configuration", &[is("effort", STRING, Slot::Parameter), is("format", OBJECT, Slot::Layout)], &[]);

/// A tool that may be called.
static TOOL: State = state(
    "tool",
    &[
        is("name", STRING, Slot::Name),
        is("description", STRING, Slot::Description),
        is("input_schema", OBJECT, Slot::Arguments),
        pass("input_examples"),
        // A member that only requests of the chat family have.
        pass("function"),
        pass("parameters"),
    ],
    &[sure(&[When::Has(Slot::Arguments), When::Has(Slot::Name)], Does::Nothing), case(&[], Does::Nothing)],
);

/// The result in a line of a batch.
static BATCH: State = state(
    "result",
    &[is("type", STRING, Slot::Outcome), is("error", OBJECT, Slot::Fault), one("message", Slot::Inner, &RECORD)],
    &[],
);

/// An error.
static ERROR: State = state(
    "error",
    &[is("type", STRING, Slot::Type), is("message", STRING, Slot::Fault)],
    &[case(&[When::Has(Slot::Type), When::Has(Slot::Fault)], Does::Nothing)],
);

/// A record: a request, a response, an event, or a line of a batch.
pub(super) static RECORD: State = state(
    "record",
    &[
        is("index", NUMBER, Slot::Index),
        one("delta", Slot::Inner, &DELTA),
        one("content_block", Slot::Inner, &PART),
        one("message", Slot::Inner, &MESSAGE),
        one("error", Slot::Error, &ERROR),
        each("messages", Slot::Messages, &MESSAGE),
        is("system", STRING | LIST, Slot::System),
        each("tools", Slot::Tools, &TOOL),
        is("max_tokens", NUMBER, Slot::Limit),
        is("temperature", NUMBER, Slot::Parameter),
        is("top_p", NUMBER, Slot::Parameter),
        is("stream", ANY, Slot::Parameter),
        is("top_k", NUMBER, Slot::Parameter),
        is("stop_sequences", LIST, Slot::Parameter),
        is("tool_choice", ANY, Slot::Parameter),
        pass("request_id"),
        same("output_config", &OUTPUT),
        same("result", &BATCH),
        // A batch of requests, or a line of one.
        each("requests", Slot::Inner, &RECORD),
        one("params", Slot::Inner, &RECORD),
        is("custom_id", STRING, Slot::Batch),
    ],
    &[
        sure(&[ty(&["message_start"]), When::Has(Slot::Inner)], Does::Begin),
        sure(&[ty(&["content_block_start"]), When::Has(Slot::Inner)], Does::Open),
        sure(&[ty(&["content_block_delta"]), When::Has(Slot::Inner)], Does::Feed(None)),
        sure(&[ty(&["content_block_stop"]), When::Has(Slot::Index)], Does::Close),
        sure(&[ty(&["message_delta"])], Does::Amend),
        sure(&[ty(&["message_stop"])], Does::End),
        sure(&[ty(&["ping"])], Does::Nothing),
        case(&[ty(&["error"]), When::Has(Slot::Error)], Does::Nothing),
        case(&[When::Has(Slot::Messages)], Does::Request),
        case(&[When::Has(Slot::Role), When::Has(Slot::List), When::Has(Slot::Model)], Does::Response),
        case(&[When::Has(Slot::Role), When::Has(Slot::List), When::Has(Slot::Stop)], Does::Response),
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
        case(&[When::Has(Slot::Role), When::Has(Slot::Text)], Does::Message),
        case(&[When::Has(Slot::Inner), When::Lacks(Slot::Type)], Does::Envelope),
        case(&[When::Has(Slot::Outcome), When::Lacks(Slot::Type)], Does::Nothing),
    ],
)
.include(&[MESSAGE_KEYS]);

/// Where a record comes from.
static ORIGIN: State = state(
    "origin",
    &[
        is("model", STRING, Slot::Model),
        same("message", &ORIGIN),
        // Lines of batches.
        same("params", &ORIGIN),
        same("result", &ORIGIN),
    ],
    &[],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", &["message_start"]), ("message", &[])], sure: true },
        Recognition { has: &[("type", &["content_block_start"]), ("content_block", &[])], sure: true },
        Recognition { has: &[("type", &["content_block_delta"]), ("delta", &[])], sure: true },
        Recognition { has: &[("type", &["content_block_stop"]), ("index", &[])], sure: true },
        Recognition { has: &[("type", &["message_delta"]), ("delta", &[])], sure: true },
        Recognition { has: &[("type", &["message_stop", "ping"])], sure: true },
        Recognition { has: &[("type", &["message"]), ("role", &[]), ("content", &[]), ("model", &[])], sure: false },
        Recognition {
            has: &[("type", &["message"]), ("role", &[]), ("content", &[]), ("stop_reason", &[])],
            sure: false,
        },
        Recognition { has: &[("type", &["message"]), ("role", &[]), ("content", &[])], sure: true },
        Recognition { has: &[("messages", &[]), ("system", &[]), ("max_tokens", &[])], sure: false },
        Recognition { has: &[("messages", &[]), ("anthropic_version", &[])], sure: false },
        Recognition { has: &[("messages", &[])], sure: true },
        Recognition { has: &[("role", &[]), ("content", &[])], sure: true },
        Recognition { has: &[("custom_id", &[]), ("result", &[])], sure: false },
        Recognition { has: &[("custom_id", &[]), ("params", &[])], sure: false },
        Recognition { has: &[("requests", &[]), ("", &["\"custom_id\"", "\"params\""])], sure: false },
        Recognition { has: &[("type", &["error"]), ("error", &[])], sure: false },
    ],
    kinds: &["signature_delta"],
    signs: &[&["\"system\"", "\"max_tokens\""], &["\"input_schema\""], &["\"anthropic_version\""]],
    stops: &[
        ("end_turn", Stop::End),
        ("stop_sequence", Stop::End),
        ("tool_use", Stop::Calls),
        ("max_tokens", Stop::Length),
        ("model_context_window_exceeded", Stop::Length),
        ("refusal", Stop::Filter),
    ],
    billed: &[("service_tier", "standard"), ("server_tool_use", ""), ("cache_creation", "")],
    used: &[
        ("input_tokens", Attribute::Input),
        ("output_tokens", Attribute::Output),
        ("thinking_tokens", Attribute::Thought),
        ("cache_read_input_tokens", Attribute::CacheRead),
        ("cache_creation_input_tokens", Attribute::CacheWrite),
    ],
    follow: Follow { renumber: true, ..Follow::HOLE },
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "anthropic",
    aliases: &["claude", "anthropic-messages"],
    about: "Anthropic Messages: requests, responses and events with thinking blocks",
    products: &[
        product("Anthropic Messages"),
        Product {
            signs: &[Sign::Members(&["/role", "/content/*/type", "/ts"])],
            examples: &[r#"[{"role":"user","content":[{"type":"text","text":"Will it rain?"}],"ts":1785578400000}]"#],
            ..product("Cline or Roo Code")
        },
        Product {
            signs: &[Sign::Members(&["/v", "/id=T-*", "/messages/*/role"])],
            examples: &[r#"{"v":1,"id":"T-1","messages":[{"role":"user","content":[]}]}"#],
            ..product("Amp")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Anthropic)),
    properties: Some(&[BlockProperty::Blocks, BlockProperty::Signature, BlockProperty::Empty]),
    ..PLAIN
};
