//! Gemini Interactions: an interaction as a whole, and the events of one that is streamed.
//!
//! Specified by Google's API reference ("Interactions", v1beta). An interaction has steps; one of the type `thought` is
//! reasoning, as a summary or as nothing but a signature.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, same,
    state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::SUMMARY;
use crate::model::content::{Attribute, Stop};

const fn ty(names: &'static [&'static str]) -> When {
    When::Type(names)
}

/// A part of the summary of a thought.
static SUMMARY_PART: State = state(
    "summary",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text)],
    &[case(&[ty(&["text"])], Does::Block(Kind::Reasoning(SUMMARY)))],
);

/// A part of a step's content.
static PART: State = state(
    "part",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text), is("data", STRING, Slot::Media)],
    &[case(&[ty(&["text"])], Does::Block(Kind::Text)), case(&[When::Has(Slot::Media)], Does::Block(Kind::Media))],
);

/// A step, or how it begins.
static STEP: State = state(
    "step",
    &[
        is("type", STRING, Slot::Type),
        is("signature", STRING, Slot::Signature),
        each("summary", Slot::Summary, &SUMMARY_PART),
        each("content", Slot::List, &PART),
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("arguments", OBJECT, Slot::Arguments),
        is("call_id", STRING, Slot::ResultOf),
        is("result", ANY, Slot::Result),
    ],
    &[
        sure(&[ty(&["thought"])], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["model_output"])], Does::Block(Kind::Message)),
        sure(&[ty(&["function_call"])], Does::Block(Kind::Call)),
        sure(&[ty(&["function_result"])], Does::Block(Kind::Result)),
    ],
);

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
        each("steps", Slot::List, &STEP),
    ],
    &[
        sure(&[ty(&["interaction.created", "interaction.start"])], Does::Begin),
        sure(&[ty(&["step.start"]), When::Has(Slot::Inner)], Does::Open),
        sure(&[ty(&["step.delta"]), When::Has(Slot::Inner)], Does::Feed(None)),
        sure(&[ty(&["step.stop"])], Does::Close),
        sure(&[ty(&["interaction.completed", "interaction.complete"])], Does::Amend),
        sure(&[ty(&["interaction.*"])], Does::Nothing),
        sure(&[When::Is(Slot::Object, &["interaction"]), When::Has(Slot::List)], Does::Response),
    ],
)
.include(&[INTERACTION_KEYS]);

/// Where a record comes from.
static ORIGIN: State = state("origin", &[is("model", STRING, Slot::Model), same("interaction", &ORIGIN)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("event_type", &["interaction.*", "step.*"])], sure: true },
        Recognition { has: &[("object", &["interaction"]), ("steps", &[])], sure: true },
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
    ..PLAIN
};
