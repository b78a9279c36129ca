//! Spans and log records of OpenTelemetry about calls of models: the conventions for generative AI, and those of OpenInference.
//!
//! Specified by OpenTelemetry's semantic conventions ("Generative AI", the JSON schemas of input and output messages), by
//! the OTLP JSON encoding, and by the OpenInference specification ("LLM spans"). A message has parts, and a part of the
//! type `reasoning` is reasoning; pydantic-ai calls it `thinking`. An attribute holds the messages as a list, or as a string
//! of JSON, as any attribute may hold a request or a response of the provider: each is recognised anew. OpenInference has
//! the messages as lists, or flattened: the keys of the attributes are paths through these lists.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, ANY_KEY, BASE, Does, Key, Kind, PairWords, Recognition, STRING, Shape, Slot, State, When, case, each, is,
    json, pairs, record, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Stop;

const THOUGHT: Kind = Kind::Reasoning("part");

/// A part of a message.
static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("content", STRING, Slot::Text),
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("arguments", ANY, Slot::Arguments),
        is("response", ANY, Slot::Result),
        is("result", ANY, Slot::Result),
    ],
    &[
        sure(&[When::Type(&["reasoning", "thinking"]), When::Has(Slot::Text)], Does::Block(THOUGHT)),
        case(&[When::Type(&["reasoning", "thinking"])], Does::Unclear),
        sure(&[When::Type(&["text"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[When::Type(&["tool_call"])], Does::Block(Kind::Call)),
        sure(&[When::Type(&["tool_call_response"])], Does::Block(Kind::Result)),
    ],
);

/// A part of a message of OpenInference.
static CONTENT: State = state(
    "content",
    &[
        is("message_content.type", STRING, Slot::Type),
        is("message_content.text", STRING, Slot::Text),
        is("message_content.signature", STRING, Slot::Signature),
        is("message_content.data", STRING, Slot::Ciphertext),
        is("message_content.encrypted_content", STRING, Slot::Ciphertext),
        same("message_content", &INNER_CONTENT),
    ],
    &[
        sure(&[When::Type(&["reasoning", "thinking", "redacted_thinking"])], Does::Block(THOUGHT)),
        sure(&[When::Type(&["text"])], Does::Block(Kind::Text)),
    ],
);

/// The same, where the prefix of its keys is an object.
static INNER_CONTENT: State = state(
    "content",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        is("data", STRING, Slot::Ciphertext),
        is("encrypted_content", STRING, Slot::Ciphertext),
    ],
    &[],
);

/// A call in such a message.
static CALL: State = state(
    "call",
    &[
        is("tool_call.id", STRING, Slot::CallId),
        is("tool_call.function.name", STRING, Slot::Name),
        is("tool_call.function.arguments", ANY, Slot::Arguments),
        is("tool_call.reasoning_signature", STRING, Slot::Seal),
    ],
    &[case(&[], Does::Block(Kind::Call))],
);

/// A message of OpenInference.
static MESSAGE: State = state(
    "message",
    &[
        is("message.role", STRING, Slot::Role),
        is("message.content", STRING, Slot::Text),
        each("message.contents", Slot::List, &CONTENT),
        each("message.tool_calls", Slot::List, &CALL),
        same("message", &INNER_MESSAGE),
    ],
    &[sure(&[], Does::Message)],
)
.paths();

static INNER_MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        each("contents", Slot::List, &CONTENT),
        each("tool_calls", Slot::List, &CALL),
    ],
    &[],
);

/// The attributes of a span as an object. Any of them may be a string of JSON.
static ATTRIBUTES: State = state(
    "attributes",
    &[
        each("llm.input_messages", Slot::Inner, &MESSAGE),
        each("llm.output_messages", Slot::Inner, &MESSAGE),
        record("gen_ai.input.messages"),
        record("gen_ai.output.messages"),
        json("gen_ai.input.messages"),
        json("gen_ai.output.messages"),
        json(ANY_KEY),
    ],
    &[],
)
.paths();

/// The words of OTLP for attributes, and for maps and lists as their values.
static OTLP: PairWords = PairWords {
    key: "key",
    value: "value",
    map: "kvlistValue",
    list: "arrayValue",
    values: "values",
    number: "intValue",
};

/// The attributes of a span in OTLP.
static PAIRS: State = state(
    "attributes",
    &[
        each("llm.input_messages", Slot::Inner, &MESSAGE),
        each("llm.output_messages", Slot::Inner, &MESSAGE),
        each("gen_ai.input.messages", Slot::Inner, &TURN),
        each("gen_ai.output.messages", Slot::Inner, &TURN),
        json("gen_ai.input.messages"),
        json("gen_ai.output.messages"),
        json(ANY_KEY),
    ],
    &[],
)
.paths();

/// What a log record says. A list of pairs in its place is not read.
static BODY: State = state("body", &[json("stringValue"), is("kvlistValue", ANY, Slot::Wrapped)], &[]);

static OF_TURN: &[Key] =
    &[is("role", STRING, Slot::Role), each("parts", Slot::List, &PART), is("finish_reason", STRING, Slot::Stop)];

/// A message of the conventions, as an attribute.
static TURN: State = state("message", OF_TURN, &[case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)]);

/// A message of the conventions, a span, a log record, or a document of OTLP.
static RECORD: State = state(
    "record",
    &[
        same("attributes", &ATTRIBUTES),
        pairs("attributes", &OTLP, &PAIRS),
        each("events", Slot::Inner, &RECORD),
        same("body", &BODY),
        each("resourceSpans", Slot::Inner, &RECORD),
        each("scopeSpans", Slot::Inner, &RECORD),
        each("spans", Slot::Inner, &RECORD),
        each("resourceLogs", Slot::Inner, &RECORD),
        each("scopeLogs", Slot::Inner, &RECORD),
        each("logRecords", Slot::Inner, &RECORD),
    ],
    &[
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
        case(&[When::Has(Slot::Wrapped)], Does::Unclear),
        case(&[When::Has(Slot::Inner)], Does::Envelope),
        case(&[When::Has(Slot::Record)], Does::Envelope),
        case(&[], Does::Unread),
    ],
)
.include(&[OF_TURN]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("role", &[]), ("parts", &[])], sure: true },
        Recognition { has: &[("resourceSpans", &[]), ("", &["\"gen_ai."])], sure: false },
        Recognition { has: &[("resourceSpans", &[]), ("", &["\"llm."])], sure: false },
        Recognition { has: &[("resourceSpans", &[]), ("", &["\"openinference."])], sure: false },
        Recognition { has: &[("resourceLogs", &[]), ("", &["\"gen_ai."])], sure: false },
        Recognition { has: &[("attributes", &[]), ("", &["\"gen_ai."])], sure: false },
        Recognition { has: &[("attributes", &[]), ("", &["\"llm."])], sure: false },
        Recognition { has: &[("attributes", &[]), ("", &["\"openinference."])], sure: false },
    ],
    stops: &[
        ("stop", Stop::End),
        ("tool_call", Stop::Calls),
        ("length", Stop::Length),
        ("content_filter", Stop::Filter),
        ("error", Stop::Error),
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "otel",
    aliases: &["opentelemetry", "openinference"],
    kin: &["otlp", "genai", "semconv", "phoenix", "arize", "logfire"],
    about: "spans of OpenTelemetry and OpenInference about calls of models, with reasoning parts",
    products: &[
        Product {
            signs: &[
                Sign::Members(&["/resourceSpans/*/scopeSpans"]),
                Sign::Members(&["/attributes/*/key=gen_ai.*"]),
                Sign::Members(&["/role", "/parts/*/type", "/finish_reason"]),
            ],
            examples: &[
                r#"{"resourceSpans":[{"resource":{},"scopeSpans":[]}]}"#,
                r#"[{"role":"assistant","parts":[{"type":"text","content":"By noon."}],"finish_reason":"stop"}]"#,
            ],
            ..product("OpenTelemetry (gen_ai)")
        },
        Product {
            signs: &[
                Sign::Members(&["/attributes/openinference.span.kind"]),
                Sign::Members(&["/attributes/llm.output_messages"]),
            ],
            examples: &[r#"{"attributes":{"openinference.span.kind":"LLM","llm.model_name":"gpt-5"}}"#],
            ..product("OpenInference")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
