//! OpenAI Responses: requests with input items, responses with output items, and the events of a response that is
//! streamed, which repeat earlier content (`.done`, `response.completed`).
//!
//! Specified by OpenAI's API reference ("Responses", "Streaming events"). A reasoning item has a `summary`, raw `content`
//! where the host gives it, and `encrypted_content`. Items are blocks: a run of the model's items is one message. Where
//! an item of a request goes, the `id` of those behind it goes, too, since an id asks for the item before it.

mod events;
mod media;
mod types;
mod write;

pub(in crate::dialect) use write::Responses;

use self::types::{
    BEGINNINGS, CALLS, HOSTED, HOSTED_CALLS, OTHERS, RESTATED, STATES, SUMMARY_DELTAS, SUMMARY_RESTATED,
};
use super::shared::ORIGIN;
use crate::dialect::shape::{
    ANY, BASE, Does, Follow, Kind, LIST, NONE, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, WITHOUT,
    When, case, each, is, lost, one, pass, search, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::{Attribute, Stop};
use crate::model::{BlockProperty, SUMMARY};

/// A part of the summary or the content of an item.
pub(super) static TEXT: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("refusal", STRING, Slot::Text),
        is("annotations", LIST, Slot::Citations),
        is("logprobs", LIST, Slot::Probabilities),
        is("image_url", ANY, Slot::Media),
        is("file_id", STRING, Slot::Media),
        is("file_data", STRING, Slot::Media),
        pass("filename"),
        pass("detail"),
    ],
    &[
        sure(&[ty(&["reasoning_text"])], Does::Block(Kind::Reasoning("reasoning_text"))),
        sure(&[ty(&["summary_text"])], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["output_text", "input_text"])], Does::Block(Kind::Text)),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        // What the user reads.
        case(&[ty(&["refusal"])], Does::Block(Kind::Refusal)),
        sure(&[ty(&["input_image", "input_file", "input_audio"])], Does::Block(Kind::Media)),
    ],
);

/// An item of the input or the output.
pub(super) static ITEM: State = state(
    "item",
    &[
        is("type", STRING, Slot::Type),
        is("id", STRING, Slot::Id),
        is("role", STRING, Slot::Role),
        each("summary", Slot::Summary, &TEXT),
        each("content", Slot::List, &TEXT),
        is("content", STRING, Slot::Text),
        is("encrypted_content", STRING, Slot::Ciphertext),
        is("call_id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("arguments", STRING, Slot::Arguments),
        is("input", STRING, Slot::Input),
        is("output", ANY, Slot::Result),
        is("action", ANY, Slot::Arguments),
        is("actions", LIST, Slot::Arguments),
        is("operation", OBJECT, Slot::Arguments),
        is("queries", ANY, Slot::Arguments),
        is("results", ANY, Slot::Result),
        is("result", ANY, Slot::Result),
        is("code", ANY, Slot::Arguments),
        is("outputs", ANY, Slot::Result),
        pass("status"),
        is("phase", STRING, Slot::Phase),
        search("format"),
        search("namespace"),
        pass("internal_chat_message_metadata_passthrough"),
        // Only a message of the chat family has this.
        is("tool_calls", LIST, Slot::ForeignMember),
        is("function_call", OBJECT, Slot::ForeignMember),
        is("tool_call_id", STRING, Slot::ForeignMember),
    ],
    &[
        sure(&[ty(&["reasoning"]), When::Has(Slot::Summary)], Does::Block(Kind::Reasoning(SUMMARY))),
        // LM Studio, in its own API.
        sure(&[ty(&["reasoning"]), When::Has(Slot::Text)], Does::Block(Kind::Reasoning(SUMMARY))),
        case(&[ty(&["reasoning"])], Does::Block(Kind::Reasoning(SUMMARY))),
        case(&[ty(&["message"])], Does::Block(Kind::Message)),
        case(&[When::Lacks(Slot::Type), When::Has(Slot::Role)], Does::Block(Kind::Message)),
        sure(&[ty(&["*_call_output"])], Does::Block(Kind::Result)),
        sure(&[ty(CALLS)], Does::Block(Kind::Call)),
        sure(&[ty(&["*_call"])], Does::Block(Kind::Hosted)),
        sure(
            &[ty(&["compaction", "compaction_summary", "context_compaction"])],
            Does::Block(Kind::Sealed("compaction")),
        ),
        sure(&[ty(OTHERS)], Does::Block(Kind::Other)),
    ],
);

/// The response in an event.
static RESPONSE: State = state(
    "response",
    &[
        is("object", STRING, Slot::Object),
        is("id", STRING, Slot::Id),
        each("output", Slot::List, &ITEM),
        is("model", STRING, Slot::Model),
        is("created_at", NUMBER, Slot::Created),
        is("usage", OBJECT, Slot::Usage),
        is("status", STRING, Slot::Stop),
        is("output_text", STRING, Slot::Text),
        is("incomplete_details", OBJECT, Slot::StopDetails),
        is("error", OBJECT, Slot::Error),
        is("instructions", STRING, Slot::System),
        each("instructions", Slot::System, &ITEM),
        pass("tools"),
        pass("tool_choice"),
        is("prompt", OBJECT, Slot::Template),
        // A line of a batch.
        one("body", Slot::Inner, &RECORD),
    ],
    &[case(&[When::Has(Slot::Inner)], Does::Envelope), case(&[], Does::Response)],
);

/// The request has no member that only another provider's requests have, which look alike otherwise.
const OURS: When = When::Lacks(Slot::ForeignParameter);

/// A record: a request, a response, an event, or an item.
static RECORD: State = state(
    "record",
    &[
        is("type", STRING, Slot::Type),
        pass("sequence_number"),
        pass("item_id"),
        is("output_index", NUMBER, Slot::Index),
        is("delta", STRING, Slot::Text),
        is("content_index", NUMBER, Slot::Part),
        is("summary_index", NUMBER, Slot::Part),
        pass("obfuscation"),
        is("object", STRING, Slot::Object),
        is("id", STRING, Slot::Id),
        one("response", Slot::Inner, &RESPONSE),
        one("item", Slot::Inner, &ITEM),
        one("part", Slot::Inner, &TEXT),
        is("text", STRING, Slot::Text),
        is("arguments", STRING, Slot::Arguments),
        // Input and results of the provider's own tools.
        is("code", STRING, Slot::Arguments),
        is("command", STRING, Slot::Arguments),
        is("diff", STRING, Slot::Arguments),
        is("delta", OBJECT, Slot::Result),
        is("refusal", STRING, Slot::Text),
        is("output_text", STRING, Slot::Text),
        is("logprobs", LIST, Slot::Probabilities),
        // A response or a request.
        each("output", Slot::List, &ITEM),
        is("output", STRING | OBJECT, Slot::Result),
        each("input", Slot::List, &ITEM),
        is("input", STRING, Slot::Input),
        is("model", STRING, Slot::Model),
        is("created_at", NUMBER, Slot::Created),
        is("usage", OBJECT, Slot::Usage),
        is("status", STRING, Slot::Stop),
        is("instructions", STRING, Slot::System),
        each("instructions", Slot::System, &ITEM),
        is("tools", LIST, Slot::Tools),
        is("max_output_tokens", NUMBER, Slot::Limit),
        is("temperature", NUMBER, Slot::Parameter),
        is("top_p", NUMBER, Slot::Parameter),
        is("stream", ANY, Slot::Parameter),
        is("include", LIST, Slot::OwnParameter),
        is("store", TRUE | NONE, Slot::OwnParameter),
        is("reasoning", OBJECT, Slot::OwnParameter),
        is("text", OBJECT, Slot::OwnParameter),
        is("truncation", STRING, Slot::OwnParameter),
        is("previous_response_id", STRING, Slot::OwnParameter),
        // Only a request to Gemini's Interactions API has this.
        is("generation_config", OBJECT, Slot::ForeignParameter),
        is("system_instruction", ANY, Slot::ForeignParameter),
        is("previous_interaction_id", STRING, Slot::ForeignParameter),
        is("tool_choice", ANY, Slot::Parameter),
        is("metadata", OBJECT, Slot::Parameter),
        is("service_tier", STRING, Slot::Parameter),
        is("incomplete_details", OBJECT, Slot::StopDetails),
        is("error", OBJECT, Slot::Error),
        // An event that is an error.
        is("message", STRING, Slot::Error),
        pass("param"),
        is("prompt", OBJECT, Slot::Template),
        // An item.
        is("role", STRING, Slot::Role),
        each("summary", Slot::Summary, &TEXT),
        each("content", Slot::List, &TEXT),
        is("content", STRING, Slot::Text),
        is("encrypted_content", STRING, Slot::Ciphertext),
        // What a library keeps of another provider's reasoning goes with the item.
        lost("provider_data").beside("type", &["reasoning"]),
        is("call_id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("action", ANY, Slot::Arguments),
        is("actions", LIST, Slot::Arguments),
        is("operation", OBJECT, Slot::Arguments),
        is("annotation", OBJECT, Slot::Citations),
        search("namespace"),
        is("phase", STRING, Slot::Phase),
        // A line of a batch.
        one("body", Slot::Inner, &RECORD),
        is("custom_id", STRING | NONE, Slot::Batch),
    ],
    &[
        sure(&[ty(BEGINNINGS), When::Has(Slot::Inner)], Does::Begin),
        sure(&[ty(&["response.output_item.added"]), When::Has(Slot::Inner)], Does::Open),
        sure(&[ty(&["response.output_item.done"]), When::Has(Slot::Inner)], Does::CloseWith),
        sure(&[ty(SUMMARY_DELTAS)], Does::Feed(Some(Kind::Reasoning(SUMMARY)))),
        sure(
            &[ty(&["response.reasoning_text.delta", "response.reasoning.delta"])],
            Does::Feed(Some(Kind::Reasoning("reasoning_text"))),
        ),
        sure(&[ty(SUMMARY_RESTATED)], Does::Repeat(Some(Kind::Reasoning(SUMMARY)))),
        sure(&[ty(RESTATED)], Does::Repeat(Some(Kind::Reasoning("reasoning_text")))),
        sure(&[ty(&["response.content_part.added", "response.content_part.done"])], Does::Repeat(None)),
        sure(&[ty(&["response.output_text.delta"])], Does::Feed(Some(Kind::Text))),
        sure(&[ty(&["response.output_text.done"])], Does::Repeat(Some(Kind::Text))),
        sure(&[ty(&["response.refusal.delta"])], Does::Feed(Some(Kind::Refusal))),
        sure(&[ty(&["response.refusal.done"])], Does::Repeat(Some(Kind::Refusal))),
        sure(&[ty(&["response.function_call_arguments.delta"])], Does::Feed(Some(Kind::Call))),
        sure(&[ty(&["response.custom_tool_call_input.delta"])], Does::Feed(Some(Kind::Call))),
        sure(
            &[
                ty(&["response.completed", "response.incomplete", "response.failed", "response.done"]),
                When::Has(Slot::Inner),
            ],
            Does::EndWith,
        ),
        sure(&[ty(&["response.output_text.annotation.added"])], Does::Feed(Some(Kind::Other))),
        sure(&[ty(HOSTED)], Does::Feed(Some(Kind::Hosted))),
        sure(&[ty(&["error"]), When::Has(Slot::Error)], Does::Nothing),
        // A request over a WebSocket.
        sure(&[ty(&["response.create"]), When::Has(Slot::List)], Does::Request),
        sure(&[ty(&["response.*"])], Does::Nothing),
        sure(&[ty(&["reasoning"]), When::Has(Slot::Summary)], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["*_call_output"]), When::Has(Slot::CallId)], Does::Block(Kind::Result)),
        sure(&[ty(CALLS), When::Has(Slot::CallId)], Does::Block(Kind::Call)),
        sure(&[ty(&["*_call"]), When::Has(Slot::Id)], Does::Block(Kind::Hosted)),
        sure(&[ty(OTHERS)], Does::Block(Kind::Other)),
        case(&[ty(&["message"]), When::Has(Slot::List)], Does::Block(Kind::Message)),
        sure(
            &[ty(&["compaction", "compaction_summary", "context_compaction"])],
            Does::Block(Kind::Sealed("compaction")),
        ),
        case(&[When::Has(Slot::List), When::Has(Slot::Object)], Does::Response),
        case(&[When::Lacks(Slot::Type), When::Has(Slot::Role)], Does::Block(Kind::Message)),
        sure(&[When::Has(Slot::List), When::Has(Slot::OwnParameter), OURS], Does::Request),
        sure(&[When::Has(Slot::List), When::Has(Slot::Limit), OURS], Does::Request),
        sure(&[When::Has(Slot::List), When::Has(Slot::Template), OURS], Does::Request),
        // The least that a request has: logs of conversations have members beside a model and the input.
        sure(
            &[
                When::Under(Slot::List, "input"),
                When::Named,
                When::Has(Slot::Model),
                When::Lacks(Slot::Id),
                When::Lacks(Slot::Result),
                When::Lacks(Slot::Usage),
                When::Lacks(Slot::Inner),
                OURS,
            ],
            Does::Request,
        ),
        case(&[When::Has(Slot::List)], Does::Request),
        // A request for embeddings or for speech has a model and an input, too.
        sure(&[When::Has(Slot::Input), When::Has(Slot::OwnParameter), When::Has(Slot::Model), OURS], Does::Request),
        sure(&[When::Has(Slot::Input), When::Has(Slot::Limit), When::Has(Slot::Model), OURS], Does::Request),
        sure(&[When::Has(Slot::Input), When::Has(Slot::Tools), When::Has(Slot::Model), OURS], Does::Request),
        sure(&[When::Has(Slot::Input), When::Has(Slot::Template), OURS], Does::Request),
        case(&[When::Has(Slot::Input), When::Has(Slot::Model)], Does::Request),
        case(&[When::Has(Slot::System), When::Has(Slot::Model)], Does::Request),
        case(&[When::Has(Slot::Inner)], Does::Envelope),
    ],
);

/// Members of a response that repeat its request, or say how it was made.
const USUAL: &[(&str, &[&str])] = &[
    ("background", &[]),
    ("billing", &[]),
    ("completed_at", &[]),
    ("frequency_penalty", &["0", "0.0"]),
    ("parallel_tool_calls", &["true"]),
    ("presence_penalty", &["0", "0.0"]),
    ("reasoning", &[r#"{"effort":null,"summary":null}"#]),
    ("service_tier", &[r#""auto""#, r#""default""#]),
    ("store", &["true"]),
    ("temperature", &["1", "1.0"]),
    ("text", &[r#"{"format":{"type":"text"}}"#, r#"{"format":{"type":"text"},"verbosity":"medium"}"#]),
    ("tool_choice", &[r#""auto""#]),
    ("top_logprobs", &["0"]),
    ("top_p", &["1", "1.0"]),
    ("truncation", &[r#""disabled""#]),
];

/// An item has no reason why it ended: a response of Anthropic has one, and looks alike.
const NO_RESPONSE: (&str, &[&str]) = (WITHOUT, &["\"stop_reason\""]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", &["response.*"])], sure: true },
        Recognition { has: &[("object", &["response"]), ("output", &[])], sure: false },
        Recognition { has: &[("output", &[]), ("model_instance_id", &[]), ("response_id", &[])], sure: false },
        Recognition { has: &[("output", &[])], sure: true },
        Recognition { has: &[("input", &[]), ("instructions", &[])], sure: false },
        Recognition { has: &[("input", &[])], sure: true },
        Recognition { has: &[("type", &["reasoning"]), ("summary", &[])], sure: true },
        Recognition { has: &[("type", &["*_call", "*_call_output"]), ("call_id", &[])], sure: true },
        Recognition { has: &[("type", HOSTED_CALLS), ("id", &[])], sure: true },
        Recognition { has: &[("type", OTHERS), ("id", &[])], sure: true },
        Recognition { has: &[("type", &["mcp_approval_response"]), ("approval_request_id", &[])], sure: true },
        Recognition { has: &[("type", &["message"]), ("role", &[]), ("content", &[])], sure: true },
        Recognition {
            has: &[("type", &["message"]), ("role", &[]), ("content", &[]), ("id", &["msg_*"]), NO_RESPONSE],
            sure: false,
        },
        Recognition {
            has: &[("type", &["message"]), ("role", &[]), ("content", &[]), ("status", STATES)],
            sure: false,
        },
        Recognition { has: &[("", &["\"input_"]), ("role", &[]), ("content", &[])], sure: true },
        Recognition { has: &[("type", &["compaction", "compaction_summary"]), ("encrypted_content", &[])], sure: true },
        Recognition { has: &[("type", &["error"]), ("message", &[]), ("code", &[])], sure: true },
        Recognition { has: &[("response", &[]), ("custom_id", &[])], sure: true },
        Recognition { has: &[("body", &[]), ("custom_id", &[]), ("url", &["*/responses"])], sure: false },
        Recognition { has: &[("body", &[]), ("custom_id", &[])], sure: true },
    ],
    keys: &["encrypted_content"],
    kinds: &["summary_text", "reasoning_text"],
    signs: &[
        &["\"input\"", "\"instructions\""],
        &["\"input\"", "\"model\""],
        &["\"input\"", "\"prompt\""],
        &["\"body\"", "\"custom_id\""],
    ],
    stops: &[
        ("incomplete", Stop::Length),
        ("failed", Stop::Error),
        ("cancelled", Stop::Error),
        ("content_filter", Stop::Filter),
    ],
    states: STATES,
    usual: USUAL,
    used: &[
        ("input_tokens", Attribute::Input),
        ("output_tokens", Attribute::Output),
        ("reasoning_tokens", Attribute::Thought),
        ("cached_tokens", Attribute::Cached),
    ],
    follow: Follow { drop_ids: true, ..Follow::HOLE },
    items: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "responses",
    aliases: &["openai-responses"],
    kin: &["openai", "gpt"],
    about: "OpenAI Responses: requests, responses and events with reasoning items",
    products: &[crate::dialect::product::product("OpenAI Responses")],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Responses)),
    properties: Some(&[BlockProperty::Blocks]),
    ..PLAIN
};
