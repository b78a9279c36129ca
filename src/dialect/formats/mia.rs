//! MIA's event streams: what its adapters write of a model's output, as JSON lines, and what its server sends of it, as
//! events of a stream.
//!
//! Specified by MIA's `HarmonyChannelAdapter` (`{"type":"delta","text"}`, …, one `final` a message) and by the route
//! `/generate` of its API (`event: token`, …, one `final` and one `end` a request), where an event's kind stands in its
//! `event` line only.

use crate::dialect::formats::shared::FINISH_REASONS;
use crate::dialect::product::product;
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, LIST, NONE, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, is, state,
    sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Attribute;

/// The kinds of events that both the adapters and the server have, and those that only the server has.
const EVENTS: &[&str] = &[
    "analysis",
    "delta",
    "commentary",
    "tool_call",
    "tool_channel_raw",
    "final",
    "token",
    "reasoning",
    "usage",
    "end",
];

/// Of these the type alone says nothing: other programs use the words.
const OF_SERVER: &[&str] = &["token", "reasoning", "usage", "end"];

/// What may stand beside the text of an event that names no response.
const BESIDE: &[Slot] =
    &[Slot::Type, Slot::Text, Slot::Thought, Slot::Counts, Slot::IdPart, Slot::Model, Slot::Parameter];
const BESIDE_CALL: &[Slot] = &[
    Slot::Type,
    Slot::Name,
    Slot::Arguments,
    Slot::OwnParameter,
    Slot::Thought,
    Slot::Counts,
    Slot::IdPart,
    Slot::Model,
    Slot::Parameter,
];

const fn kind(names: &'static [&'static str]) -> When {
    When::Kind(names)
}

const fn event(names: &'static [&'static str]) -> When {
    When::Event(names)
}

const NAMELESS: When = When::Lacks(Slot::Id);

static RECORD: State = state(
    "event",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("text", NONE, Slot::Flag),
        is("final_text", STRING | NONE, Slot::Text),
        is("reasoning_text", STRING | OBJECT | LIST | NONE, Slot::Thought),
        is("recipient", STRING, Slot::Name),
        is("args_text", STRING, Slot::Arguments),
        is("raw", STRING, Slot::Arguments),
        is("constrain", ANY, Slot::OwnParameter),
        is("request_id", STRING, Slot::Id),
        is("record", NUMBER, Slot::IdPart),
        is("message", NUMBER, Slot::IdPart),
        is("model_id", ANY, Slot::Model),
        is("stop_reason", STRING | NONE, Slot::Stop),
        is("stats", OBJECT, Slot::Counts),
        is("prompt_tokens", NUMBER, Slot::Usage),
        is("output_tokens", NUMBER, Slot::Usage),
        is("reasoning_tokens", NUMBER, Slot::Usage),
        is("status", ANY, Slot::Outcome),
        // These say nothing about the message.
        is("seq", ANY, Slot::Parameter),
        is("tokens_out", ANY, Slot::Parameter),
        is("request_id", ANY, Slot::Parameter),
        is("record", ANY, Slot::Parameter),
        is("message", ANY, Slot::Parameter),
        is("stats", ANY, Slot::Parameter),
        is("reasoning_text", ANY, Slot::Parameter),
        // A message of the chat family.
        is("role", STRING, Slot::ForeignMember),
        // What an output of such events shows beside them.
        is("content", ANY, Slot::Media),
        is("tool_calls", ANY, Slot::Media),
        is("refusal", ANY, Slot::Media),
        is("images", ANY, Slot::Media),
        is("audio", ANY, Slot::Media),
        is("choices", LIST, Slot::ForeignMember),
        is("messages", LIST, Slot::ForeignMember),
    ],
    &[
        case(&[When::Shared, When::Has(Slot::ForeignMember)], Does::Rest),
        case(&[When::Shared, When::Has(Slot::Thought), When::Has(Slot::Media)], Does::Rest),
        // A type and a text alone may be those of another program.
        case(&[When::Shared, NAMELESS, When::Lacks(Slot::Type)], Does::Rest),
        case(&[When::Shared, When::Type(OF_SERVER)], Does::Rest),
        case(
            &[
                When::Shared,
                NAMELESS,
                kind(&["final"]),
                When::Lacks(Slot::Thought),
                When::Lacks(Slot::Counts),
                When::Under(Slot::Text, "text"),
            ],
            Does::Rest,
        ),
        case(&[When::Shared, NAMELESS, kind(&["analysis", "delta", "commentary"]), When::Beyond(BESIDE)], Does::Rest),
        case(
            &[When::Shared, NAMELESS, kind(&["tool_call", "tool_channel_raw"]), When::Beyond(BESIDE_CALL)],
            Does::Rest,
        ),
        sure(&[kind(&["analysis"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Reasoning("analysis")))),
        sure(&[kind(&["delta", "token"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Text))),
        sure(&[kind(&["commentary"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Commentary))),
        case(&[kind(&["tool_call", "tool_channel_raw"]), When::Has(Slot::Text)], Does::Rest),
        sure(&[kind(&["tool_call"]), When::Under(Slot::Arguments, "args_text")], Does::Feed(Some(Kind::Call))),
        sure(
            &[kind(&["tool_call"]), When::Has(Slot::Name), When::Lacks(Slot::Arguments)],
            Does::Feed(Some(Kind::Call)),
        ),
        sure(&[kind(&["tool_channel_raw"]), When::Under(Slot::Arguments, "raw")], Does::Feed(Some(Kind::Call))),
        sure(
            &[kind(&["reasoning"]), When::Has(Slot::Thought), When::Lacks(Slot::Text)],
            Does::Repeat(Some(Kind::Reasoning("reasoning_text"))),
        ),
        sure(&[kind(&["final"]), When::Has(Slot::Text)], Does::EndWith),
        sure(&[kind(&["final"]), When::Has(Slot::Thought)], Does::EndWith),
        sure(&[kind(&["final"]), When::Has(Slot::Counts)], Does::EndWith),
        // The answer is empty.
        sure(&[kind(&["final"]), When::Has(Slot::Flag), When::Has(Slot::Id)], Does::EndWith),
        sure(&[kind(&["usage"])], Does::Amend),
        sure(&[kind(&["end"])], Does::End),
        // If only this format is read, the name of the event counts where the type is unknown.
        case(&[When::Shared], Does::Rest),
        sure(&[event(&["analysis"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Reasoning("analysis")))),
        sure(&[event(&["delta", "token"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Text))),
        sure(&[event(&["commentary"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Commentary))),
        sure(&[event(&["final"]), When::Has(Slot::Text)], Does::EndWith),
        sure(&[event(&["final"]), When::Has(Slot::Thought)], Does::EndWith),
        sure(
            &[event(&["reasoning"]), When::Has(Slot::Thought), When::Lacks(Slot::Text)],
            Does::Repeat(Some(Kind::Reasoning("reasoning_text"))),
        ),
        sure(&[event(&["usage"])], Does::Amend),
        sure(&[event(&["end"])], Does::End),
    ],
);

/// Where an event comes from.
static ORIGIN: State = state("origin", &[is("model_id", STRING, Slot::Model)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("type", EVENTS)], sure: true }],
    events: EVENTS,
    keys: &["reasoning_text"],
    kinds: &["reasoning"],
    stops: FINISH_REASONS,
    used: &[
        ("prompt_tokens", Attribute::Input),
        ("output_tokens", Attribute::Output),
        ("reasoning_tokens", Attribute::Thought),
    ],
    by_id: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "mia",
    aliases: &["mia-events"],
    about: "MIA's event streams: analysis, delta or token, commentary, and a final that repeats them",
    products: &[product("MIA")],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    ..PLAIN
};
