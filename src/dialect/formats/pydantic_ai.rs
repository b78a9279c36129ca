//! pydantic-ai: lists of messages, as `all_messages_json` writes them, and the events of a response that is streamed.
//!
//! Specified by its documentation ("Messages and chat history", "Streaming Events"). `part_kind` says what a part is:
//! `thinking` is reasoning, with a signature beside its text.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, pass, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// A part of what a user says: a text, or a medium by its address or with its data.
static PROMPT: State = state(
    "prompt",
    &[is("url", STRING, Slot::Media), is("data", STRING, Slot::Media)],
    &[case(&[When::Has(Slot::Media)], Does::Block(Kind::Media))],
)
.or_string(Does::Block(Kind::Text));

const RETRY: &[&str] = &["retry-prompt"];

static PART: State = state(
    "part",
    &[
        // A prompt to try again is the result of a call that failed, or else a message of the user.
        is("part_kind", STRING, Slot::IsError).beside("part_kind", RETRY),
        is("part_kind", STRING, Slot::Type),
        is("content", ANY, Slot::Result).beside("part_kind", &["tool-return"]),
        is("content", ANY, Slot::Result).beside("tool_name", &["*"]),
        is("content", STRING, Slot::Text),
        each("content", Slot::List, &PROMPT).beside("part_kind", &["user-prompt"]),
        is("signature", STRING, Slot::Signature),
        is("provider_name", STRING, Slot::SealedBy).beside("part_kind", &["thinking"]),
        is("tool_call_id", STRING, Slot::CallId).beside("part_kind", &["tool-call"]),
        is("tool_call_id", STRING, Slot::ResultOf).beside("part_kind", &["tool-return"]),
        is("tool_call_id", STRING, Slot::ResultOf).beside("part_kind", RETRY),
        is("outcome", STRING, Slot::IsError).beside("outcome", &["failed", "denied"]),
        is("tool_name", STRING, Slot::Name),
        is("args", ANY, Slot::Arguments),
    ],
    &[
        sure(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["text"])], Does::Block(Kind::Text)),
        sure(&[ty(&["tool-call"])], Does::Block(Kind::Call)),
        sure(&[ty(&["builtin-tool-call", "builtin-tool-return"])], Does::Block(Kind::Hosted)),
        sure(&[ty(&["tool-return"])], Does::Block(Kind::Result)),
        sure(&[ty(&["user-prompt"]), When::Has(Slot::List)], Does::Block(Kind::Message)),
        sure(&[ty(&["user-prompt", "system-prompt"])], Does::Block(Kind::Text)),
        sure(&[When::Has(Slot::IsError), When::Has(Slot::Name)], Does::Block(Kind::Result)),
        sure(&[When::Has(Slot::IsError)], Does::Block(Kind::Text)),
    ],
);

/// More of a part, in an event.
static DELTA: State = state(
    "delta",
    &[
        is("part_delta_kind", STRING, Slot::Type),
        is("content_delta", STRING, Slot::Text),
        is("signature_delta", STRING, Slot::Signature),
        is("args_delta", ANY, Slot::Arguments),
    ],
    &[
        sure(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["text"])], Does::Block(Kind::Text)),
        sure(&[ty(&["tool_call"])], Does::Block(Kind::Call)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        // An event of a response that is streamed.
        is("event_kind", STRING, Slot::Type),
        one("part", Slot::Inner, &PART).beside("index", &[]),
        one("delta", Slot::Inner, &DELTA),
        pass("previous_part_kind").beside("index", &[]),
        pass("next_part_kind").beside("index", &[]),
        is("kind", STRING, Slot::ByUser).beside("kind", &["request"]),
        is("kind", STRING, Slot::Type),
        each("parts", Slot::List, &PART),
    ],
    &[
        sure(&[ty(&["response"]), When::Has(Slot::List)], Does::Message),
        sure(&[When::Has(Slot::ByUser), When::Has(Slot::List)], Does::Message),
        sure(&[ty(&["part_start"]), When::Has(Slot::Inner)], Does::Open),
        sure(&[ty(&["part_delta"]), When::Has(Slot::Inner)], Does::Feed(None)),
        sure(&[ty(&["part_end"]), When::Has(Slot::Inner)], Does::CloseWith),
    ],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("timestamp", STRING, Slot::Created),
        is("model_name", STRING, Slot::Model),
        is("conversation_id", STRING, Slot::Conversation),
    ],
    &[],
);

const SHAPE: Shape = Shape {
    record: &MESSAGE,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("kind", &["request", "response"]), ("parts", &[])], sure: true },
        Recognition { has: &[("event_kind", &["part_start", "part_delta", "part_end"])], sure: true },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "pydantic-ai",
    aliases: &["pydantic-ai-messages"],
    about: "pydantic-ai: lists of messages, with thinking parts",
    products: &[Product {
        signs: &[Sign::Members(&["/kind", "/parts/*/part_kind"])],
        examples: &[r#"[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"Will it rain?"}]}]"#],
        ..product("pydantic-ai")
    }],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    ..PLAIN
};
