//! LangChain: messages as Python programs dump them, by `dumpd` and `messages_to_dict`.
//!
//! Found in the library's own code (`langchain_core/load/dump.py`, `messages/`); not specified. A message stands under
//! `kwargs` or `data`, or by itself as graphs write it, with `type` as its role. Its parts are those of the provider, or the library's own
//! (`{"type":"reasoning","reasoning":…}`); some providers' reasoning stands under `additional_kwargs`. Dumps of the JavaScript
//! library do not say in the message who speaks, and are refused if they have reasoning. Graphs stream the pieces of a message, each with
//! what they say of the step: in an event, or as a list of both.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, into, is,
    pass, same, state, sure, text, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Stop;

const THOUGHT: Kind = Kind::Reasoning("part");

/// What the library keeps of a provider's block.
static EXTRAS: State = state("extras", &[is("signature", STRING, Slot::Signature)], &[]);

/// A block of Bedrock.
static BEDROCK: State =
    state("reasoning", &[is("text", STRING, Slot::Text), is("signature", STRING, Slot::Signature)], &[]);

/// A part of a summary.
static SUMMARY: State =
    state("summary", &[is("text", STRING, Slot::Text)], &[case(&[When::Has(Slot::Text)], Does::Block(THOUGHT))]);

static OF_PART: &[Key] = &[
    is("type", STRING, Slot::Type),
    is("text", STRING, Slot::Text),
    is("thinking", STRING, Slot::Text),
    is("reasoning", STRING, Slot::Text),
    is("signature", STRING, Slot::Signature),
    is("data", STRING, Slot::Ciphertext).beside("type", &["redacted_thinking"]),
    is("encrypted_content", STRING, Slot::Ciphertext),
    same("extras", &EXTRAS),
    same("reasoning_content", &BEDROCK),
    each("summary", Slot::Summary, &SUMMARY),
    is("id", STRING, Slot::CallId).beside("type", &["tool_use"]),
    is("name", STRING, Slot::Name),
    is("input", ANY, Slot::Arguments),
    pass("id"),
    pass("index"),
    pass("partial_json"),
];

static PART: State = state(
    "part",
    OF_PART,
    &[
        sure(&[ty(&["thinking", "reasoning", "reasoning_content"])], Does::Block(THOUGHT)),
        sure(&[ty(&["redacted_thinking"])], Does::Block(Kind::Sealed("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["tool_use"])], Does::Block(Kind::Call)),
        case(&[ty(&["image", "image_url", "file", "audio"])], Does::Block(Kind::Media)),
    ],
)
.or_string(Does::Block(Kind::Text));

/// The members of a part in a piece of a message. Calls stand beside the parts, too, in pieces that say more of them.
static PART_OF_PIECE: State = state(
    "part of a piece",
    OF_PART,
    &[
        sure(&[ty(&["thinking", "reasoning", "reasoning_content"])], Does::Block(THOUGHT)),
        sure(&[ty(&["redacted_thinking"])], Does::Block(Kind::Sealed("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["tool_use", "input_json_delta"])], Does::Nothing),
        case(&[ty(&["image", "image_url", "file", "audio"])], Does::Block(Kind::Media)),
    ],
)
.or_string(Does::Block(Kind::Text));

/// A piece of a call: a part of its arguments. Only the first has the name.
static CALL_PIECE: State = state(
    "piece of a call",
    &[
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("args", STRING, Slot::Arguments),
        is("index", NUMBER, Slot::Index),
        pass("type"),
    ],
    &[case(&[When::Has(Slot::Index)], Does::Block(Kind::Call))],
);

static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), is("name", STRING, Slot::Name), is("args", ANY, Slot::Arguments)],
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Call))],
);

/// Where the packages of some providers keep reasoning.
static ADDITIONAL: State = state(
    "additional arguments",
    &[
        is("reasoning_content", STRING, Slot::Thought),
        is("reasoning", OBJECT, Slot::Thought),
        // By the identifiers of the calls.
        is("__gemini_function_call_thought_signatures__", OBJECT, Slot::Seal),
    ],
    &[],
);

/// What a message of a tool that has failed says.
const FAILED: &[&str] = &["error"];

static MESSAGE: State = state(
    "message",
    &[
        is("type", STRING, Slot::Role),
        same("additional_kwargs", &ADDITIONAL),
        is("content", STRING, Slot::Text),
        each("content", Slot::List, &PART),
        // Calls that the parts have, too, in the library's own form.
        each("tool_calls", Slot::List, &CALL),
        is("tool_call_id", STRING, Slot::ResultOf),
        is("status", STRING, Slot::IsError).beside("status", FAILED),
    ],
    &[],
);

/// The types of messages, and of the pieces in which graphs stream them.
const TYPES: &[&str] =
    &["ai", "human", "system", "tool", "AIMessageChunk", "HumanMessage", "SystemMessage", "ToolMessage"];

/// The members of a message stand under a key, or in the object itself: so graphs write their state and their streams.
static OF_RECORD: &[Key] = &[
    same("kwargs", &MESSAGE),
    same("data", &MESSAGE),
    is("type", STRING, Slot::Role).beside("content", &[]),
    into("additional_kwargs", Slot::Flag, &ADDITIONAL).beside("type", TYPES),
    is("content", STRING, Slot::Text).beside("type", TYPES),
    each("content", Slot::List, &PART_OF_PIECE).beside("type", PIECE),
    each("content", Slot::List, &PART).beside("type", TYPES),
    each("tool_call_chunks", Slot::List, &CALL_PIECE).beside("type", PIECE),
    pass("tool_calls").beside("tool_call_chunks", &[]),
    each("tool_calls", Slot::List, &CALL).beside("type", TYPES),
    is("tool_call_id", STRING, Slot::ResultOf).beside("type", TYPES),
    is("status", STRING, Slot::IsError).beside("status", FAILED),
];

static DUMP: State = state(
    "dump",
    &[],
    &[
        case(&[When::Has(Slot::ResultOf)], Does::Turn(Kind::Result)),
        // No other format has both.
        sure(&[When::Has(Slot::Role), When::Has(Slot::Flag)], Does::Message),
        case(&[When::Has(Slot::Role)], Does::Message),
    ],
)
.include(&[OF_RECORD]);

/// Why a message ended.
static RESPONSE: State = state(
    "response",
    &[
        is("finish_reason", STRING, Slot::Stop),
        is("stop_reason", STRING, Slot::Stop),
        is("stopReason", STRING, Slot::Stop),
    ],
    &[],
);

/// The words of the providers for it, which the library leaves as they are.
const STOPS: &[(&str, Stop)] = &[
    ("stop", Stop::End),
    ("end_turn", Stop::End),
    ("stop_sequence", Stop::End),
    ("STOP", Stop::End),
    ("tool_calls", Stop::Calls),
    ("function_call", Stop::Calls),
    ("tool_use", Stop::Calls),
    ("length", Stop::Length),
    ("max_tokens", Stop::Length),
    ("MAX_TOKENS", Stop::Length),
    ("content_filter", Stop::Filter),
    ("refusal", Stop::Filter),
    ("SAFETY", Stop::Filter),
    ("error", Stop::Error),
];

/// The members of a piece of a message.
static OF_PIECE: &[Key] =
    &[is("id", STRING, Slot::Id).beside("type", PIECE), same("response_metadata", &RESPONSE).beside("type", PIECE)];

/// What a graph sends in an event: a message or a piece of one, and then what it says of the step.
static SENT: State = state(
    "sent",
    &[],
    &[
        sure(&[When::Is(Slot::Role, PIECE), When::Has(Slot::Flag)], Does::Piece),
        case(&[When::Has(Slot::ResultOf)], Does::Turn(Kind::Result)),
        sure(&[When::Has(Slot::Role), When::Has(Slot::Flag)], Does::Message),
        case(&[], Does::Unread),
    ],
)
.include(&[OF_PIECE, OF_RECORD]);

/// The type of a piece of an answer.
const PIECE: &[&str] = &["AIMessageChunk"];

/// What a model has given: a message, and its text once more.
static AGAIN: State = state("text", &[], &[]).or_string(Does::Block(Kind::Text));
static GIVEN: State = state("message", &[], &[]).include(&[OF_RECORD]);
static GENERATION: State = state(
    "generation",
    &[same("message", &GIVEN), text("text", Slot::Again, &AGAIN)],
    &[sure(&[When::Has(Slot::Role)], Does::Message)],
)
.or_list();

static RECORD: State = state(
    "record",
    &[
        each("messages", Slot::Messages, &DUMP),
        each("generations", Slot::Messages, &GENERATION),
        each("data", Slot::Inner, &SENT).beside("event", &["messages"]),
    ],
    &[
        sure(&[When::Has(Slot::Inner)], Does::Envelope),
        sure(&[When::Is(Slot::Role, PIECE), When::Has(Slot::Flag)], Does::Piece),
        case(&[When::Has(Slot::Messages)], Does::Request),
        case(&[When::Has(Slot::ResultOf)], Does::Turn(Kind::Result)),
        case(&[When::Has(Slot::Role)], Does::Message),
    ],
)
.include(&[OF_PIECE, OF_RECORD]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("lc", &[]), ("type", &["constructor"]), ("kwargs", &[])], sure: false },
        Recognition { has: &[("type", &["ai", "human", "system", "tool"]), ("data", &[])], sure: false },
        Recognition { has: &[("messages", &[]), ("", &["\"lc\"", "\"kwargs\""])], sure: false },
        Recognition { has: &[("type", TYPES), ("content", &[]), ("additional_kwargs", &[])], sure: false },
        Recognition { has: &[("messages", &[]), ("", &["\"additional_kwargs\""])], sure: true },
        Recognition { has: &[("event", &["messages"]), ("data", &[])], sure: true },
        Recognition { has: &[("generations", &[]), ("llm_output", &[])], sure: true },
    ],
    stops: STOPS,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "langchain",
    aliases: &["langchain-dump"],
    about: "LangChain and LangGraph: messages as Python programs dump them",
    products: &[Product {
        signs: &[
            Sign::Members(&["/lc", "/type=constructor", "/kwargs"]),
            Sign::Members(&["/type=ai", "/data/content"]),
            Sign::Members(&["/messages/*/lc", "/messages/*/kwargs"]),
            Sign::Members(&["/event=messages", "/data/*/additional_kwargs"]),
        ],
        // Of the JavaScript library, and of graphs that are streamed.
        remedy: "jq 'del(.. | objects | select(.type? == \"thinking\" or .type? == \"redacted_thinking\" or .type? == \"reasoning\" or .type? == \"reasoning_content\")) | del(.. | objects | .additional_kwargs? | objects | .reasoning, .reasoning_content)' FILE",
        examples: &[
            r#"[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"Will it rain?","type":"human"}}]"#,
            r#"{"messages":[{"lc":1,"type":"constructor","kwargs":{"content":"Will it rain?","type":"human"}}]}"#,
            r#"[{"type":"ai","data":{"content":"By noon.","type":"ai"}}]"#,
            r#"{"event":"messages","data":[{"type":"AIMessageChunk","content":"By noon.","additional_kwargs":{}},{"langgraph_step":1}]}"#,
        ],
        ..product("LangChain")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
