//! Gemini Interactions: an interaction as a whole, and the events of one that is streamed.
//!
//! Specified by Google's API reference ("Interactions", v1beta). An interaction has steps; one of the type `thought` is
//! reasoning, as a summary or as nothing but a signature.

mod write;

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, LIST, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, is,
    one, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::{Attribute, Stop};
use crate::model::{BlockProperty, SUMMARY};
use write::Interactions;

/// A part of the summary of a thought.
static SUMMARY_PART: State = state(
    "summary",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text)],
    &[case(&[ty(&["text"])], Does::Block(Kind::Reasoning(SUMMARY)))],
);

/// A part of a step's content.
static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("data", STRING, Slot::Media),
        is("uri", STRING, Slot::Media),
    ],
    &[case(&[ty(&["text"])], Does::Block(Kind::Text)), case(&[When::Has(Slot::Media)], Does::Block(Kind::Media))],
);

/// A step, or how it begins.
static STEP: State = state(
    "step",
    STEP_KEYS,
    &[
        sure(&[ty(&["thought"])], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["model_output"])], Does::Block(Kind::Message)),
        // What was asked, where an interaction is kept with it.
        sure(&[ty(&["user_input"])], Does::Block(Kind::Other)),
        case(&[ty(&["function_call"])], Does::Block(Kind::Call)),
        sure(&[ty(&["function_result"])], Does::Block(Kind::Result)),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[When::Has(Slot::Media)], Does::Block(Kind::Media)),
    ],
);

/// An element of what is asked: a step, or a part of what the user says.
static INPUT: State = state(
    "input",
    // What the user says has a type in place of a role.
    &[
        is("type", STRING, Slot::Role).beside("type", &["user_input"]),
        is("type", STRING, Slot::ByUser).beside("type", &["text"]),
    ],
    &[
        sure(&[ty(&["thought"])], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["model_output"])], Does::Block(Kind::Message)),
        sure(&[When::Has(Slot::Role)], Does::Block(Kind::Message)),
        case(&[When::Has(Slot::ByUser)], Does::Block(Kind::Message)),
        // Elsewhere the arguments of such a call are a text.
        sure(&[ty(&["function_call"]), When::Has(Slot::Arguments)], Does::Block(Kind::Call)),
        sure(&[ty(&["function_result"])], Does::Block(Kind::Result)),
        case(&[When::Has(Slot::Media)], Does::Block(Kind::Media)),
    ],
)
.include(&[STEP_KEYS]);

const STEP_KEYS: &[Key] = &[
    is("type", STRING, Slot::Type),
    is("signature", STRING, Slot::Signature),
    each("summary", Slot::Summary, &SUMMARY_PART),
    each("content", Slot::List, &PART),
    is("id", STRING, Slot::CallId),
    is("name", STRING, Slot::Name),
    is("arguments", OBJECT, Slot::Arguments),
    is("call_id", STRING, Slot::ResultOf),
    is("result", ANY, Slot::Result),
    is("is_error", ANY, Slot::IsError),
    is("text", STRING, Slot::Text),
    is("data", STRING, Slot::Media),
    is("uri", STRING, Slot::Media),
];

/// What is new of a step.
static DELTA: State = state(
    "delta",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        same("content", &PIECE),
        is("signature", STRING, Slot::Signature),
        is("arguments", STRING, Slot::Arguments),
    ],
    &[
        case(&[ty(&["thought_summary", "thought_signature"])], Does::Block(Kind::Reasoning(SUMMARY))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["arguments_delta"])], Does::Block(Kind::Call)),
    ],
);

static PIECE: State = state("piece", &[is("text", STRING, Slot::Text)], &[]);

/// An interaction: all of it, or how it stands.
static INTERACTION: State = state("interaction", INTERACTION_KEYS, &[]);

static INTERACTION_KEYS: &[Key] = &[
    is("id", STRING, Slot::Id),
    is("status", STRING, Slot::Stop),
    is("model", STRING, Slot::Model),
    is("usage", OBJECT, Slot::Usage),
];

/// The settings of a request.
static SETTINGS: State = state(
    "generation configuration",
    &[
        is("max_output_tokens", NUMBER, Slot::Limit),
        is("temperature", NUMBER, Slot::Parameter),
        is("top_p", NUMBER, Slot::Parameter),
        is("seed", NUMBER, Slot::Parameter),
        is("stop_sequences", LIST, Slot::Parameter),
        is("thinking_level", STRING, Slot::Parameter),
        is("thinking_summaries", STRING, Slot::Parameter),
        is("tool_choice", STRING | OBJECT, Slot::Parameter),
    ],
    &[],
);

static RECORD: State = state(
    "record",
    &[
        is("event_type", STRING, Slot::Type),
        is("index", NUMBER, Slot::Index),
        one("step", Slot::Inner, &STEP),
        one("delta", Slot::Inner, &DELTA),
        same("interaction", &INTERACTION),
        is("object", STRING, Slot::Object),
        is("role", STRING, Slot::Role),
        is("error", OBJECT, Slot::Error),
        each("steps", Slot::List, &STEP),
        // The first version of this format had the contents of the answer in place of its steps.
        one("content", Slot::Inner, &STEP),
        each("outputs", Slot::List, &STEP),
        // A request.
        each("input", Slot::List, &INPUT),
        is("input", STRING, Slot::Input),
        is("system_instruction", STRING, Slot::System),
        is("tools", LIST, Slot::Tools),
        is("stream", ANY, Slot::Parameter),
        same("generation_config", &SETTINGS),
        is("response_mime_type", STRING, Slot::Parameter),
        is("response_format", OBJECT, Slot::Parameter),
    ],
    &[
        sure(&[ty(&["interaction.created", "interaction.start"])], Does::Begin),
        sure(&[ty(&["step.start", "content.start"]), When::Has(Slot::Inner)], Does::Open),
        sure(&[ty(&["step.delta", "content.delta"]), When::Has(Slot::Inner)], Does::Feed(None)),
        sure(&[ty(&["step.stop", "content.stop"])], Does::Close),
        sure(&[ty(&["interaction.completed", "interaction.complete"])], Does::Amend),
        sure(&[ty(&["interaction.*"])], Does::Nothing),
        sure(&[ty(&["error"]), When::Has(Slot::Error)], Does::Nothing),
        sure(&[When::Is(Slot::Object, &["interaction"]), When::Has(Slot::List)], Does::Response),
        case(&[When::Has(Slot::List), When::Lacks(Slot::Object), When::Lacks(Slot::Type)], Does::Request),
        case(&[When::Has(Slot::Input), When::Lacks(Slot::Object), When::Lacks(Slot::Type)], Does::Request),
    ],
)
.include(&[INTERACTION_KEYS]);

/// Where a record comes from.
static ORIGIN: State = state("origin", &[is("model", STRING, Slot::Model), same("interaction", &ORIGIN)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("event_type", &["interaction.*", "step.*", "content.*"])], sure: true },
        Recognition { has: &[("event_type", &["error"]), ("error", &[])], sure: true },
        Recognition { has: &[("object", &["interaction"]), ("steps", &[])], sure: true },
        Recognition { has: &[("object", &["interaction"]), ("outputs", &[])], sure: true },
        Recognition { has: &[("input", &[]), ("system_instruction", &[])], sure: false },
        Recognition { has: &[("input", &[]), ("generation_config", &[])], sure: false },
        Recognition { has: &[("input", &[]), ("", &["\"user_input\""])], sure: true },
        Recognition { has: &[("input", &[]), ("", &["\"model_output\""])], sure: true },
        Recognition { has: &[("input", &[]), ("", &["\"thought\""])], sure: true },
        Recognition { has: &[("input", &[]), ("", &["\"function_call\""])], sure: true },
        Recognition { has: &[("input", &[]), ("", &["\"function_result\""])], sure: true },
    ],
    stops: &[
        ("completed", Stop::End),
        ("requires_action", Stop::Calls),
        ("incomplete", Stop::Length),
        ("failed", Stop::Error),
        ("cancelled", Stop::Error),
    ],
    states: &["in_progress"],
    used: &[
        ("total_input_tokens", Attribute::Input),
        ("total_output_tokens", Attribute::Output),
        ("total_thought_tokens", Attribute::ThoughtApart),
        ("total_reasoning_tokens", Attribute::ThoughtApart),
        ("total_cached_tokens", Attribute::Cached),
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "interactions",
    aliases: &["gemini-interactions"],
    about: "Gemini Interactions: interactions and their events, with thought steps",
    products: &[Product {
        signs: &[
            Sign::Members(&["/event_type=interaction.*"]),
            Sign::Members(&["/event_type=step.*"]),
            Sign::Members(&["/object=interaction", "/status"]),
        ],
        examples: &[
            r#"{"interaction":{"id":"v1_a","object":"interaction"},"event_type":"interaction.created"}"#,
            r#"{"index":0,"step":{"type":"thought"},"event_type":"step.start"}"#,
        ],
        ..product("Gemini Interactions")
    }],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Interactions)),
    properties: Some(&[BlockProperty::Blocks]),
    ..PLAIN
};
