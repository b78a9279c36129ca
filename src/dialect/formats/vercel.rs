//! Vercel's AI SDK: the messages of a user interface, from version 5 on the stream of one to it, and the result and
//! the steps that `generateText` gives back.
//!
//! Specified by the SDK's documentation ("UIMessage", "Stream Protocol: Data Stream Protocol", "generateText"). A part of the
//! type `reasoning` is reasoning, and so are events of the types `reasoning-start`, `reasoning-delta` and `reasoning-end`; a
//! string says which block an event is of. A signature stands under `providerMetadata`, by provider. A message of the assistant
//! has all steps of a turn, each call with its result in one part.

mod write;

use super::shared::{ORIGIN, PROVIDER_METADATA, PROVIDER_SEALS};
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, LIST, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each,
    flat, is, pass, same, state, sure, text, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::BlockProperty;
use crate::model::content::Stop;
use write::Vercel;

const THOUGHT: Kind = Kind::Reasoning("part");

/// The names of the types of calls: that of the tool is part of it, or beside it.
const CALLS: &[&str] = &["tool-*", "dynamic-tool"];

/// What a provider has signed or encrypted of a reasoning part, in version 4.
static DETAIL: State =
    state("detail", &[is("signature", STRING, Slot::Signature), is("data", STRING, Slot::Ciphertext)], &[]);

/// A call with its result, in version 4.
static INVOCATION: State = state(
    "call",
    &[
        is("toolCallId", STRING, Slot::CallId),
        is("toolName", STRING, Slot::Name),
        is("args", ANY, Slot::Arguments),
        is("result", ANY, Slot::Result),
    ],
    &[],
);

/// What a user said who did not allow a call.
static APPROVAL: State = state("approval", &[is("reason", STRING, Slot::Result), pass("id")], &[]);

/// A part of a message.
static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("reasoning", STRING, Slot::Text).beside("type", &["reasoning"]),
        flat("details", &DETAIL).beside("type", &["reasoning"]),
        same("toolInvocation", &INVOCATION),
        same("providerMetadata", &PROVIDER_METADATA).beside("type", &["reasoning"]),
        same("providerMetadata", &PROVIDER_SEALS),
        same("callProviderMetadata", &PROVIDER_SEALS),
        is("toolCallId", STRING, Slot::CallId),
        is("toolName", STRING, Slot::Name),
        // A result whose call stands elsewhere has none.
        is("input", OBJECT | LIST | STRING | NUMBER | TRUE, Slot::Arguments),
        is("output", ANY, Slot::Result),
        is("errorText", STRING, Slot::Result),
        // How far it has come.
        is("state", STRING, Slot::IsError).beside("state", &["output-error", "output-denied"]),
        same("approval", &APPROVAL).beside("state", &["output-denied"]),
        pass("state"),
    ],
    &[
        sure(&[ty(&["reasoning"]), When::Has(Slot::Text)], Does::Block(THOUGHT)),
        // What the model made while it was thinking.
        sure(&[ty(&["reasoning-file"])], Does::Block(Kind::Sealed("part"))),
        sure(&[ty(&["text"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[ty(CALLS), When::Lacks(Slot::Arguments)], Does::Block(Kind::Result)),
        sure(&[ty(CALLS)], Does::Block(Kind::Answered)),
        sure(&[ty(&["file"])], Does::Block(Kind::Media)),
        sure(&[ty(&["step-start"])], Does::Block(Kind::Step)),
    ],
);

const ROLES: &[&str] = &["user", "assistant", "system"];

/// All texts of a message, in version 4.
static ANSWER: State = state("answer", &[], &[]).or_string(Does::Block(Kind::Text));

static OF_MESSAGE: &[Key] = &[
    is("id", STRING, Slot::Id).beside("role", ROLES),
    is("role", STRING, Slot::Role),
    // Version 4 has what the parts say once more beside them.
    text("content", Slot::Again, &ANSWER).beside("parts", &[]),
    is("reasoning", STRING, Slot::Shadow).beside("parts", &[]),
    each("parts", Slot::List, &PART),
];

static MESSAGE: State = state("message", &[], &[case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)])
    .include(&[OF_MESSAGE]);

/// A message as the model takes it.
static MODEL_MESSAGE: State = state(
    "model message",
    &[is("role", STRING, Slot::Role), each("content", Slot::List, &PART)],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

/// What a step adds to the conversation: its parts again.
static OF_STEP: State = state("response", &[each("messages", Slot::Again, &MODEL_MESSAGE)], &[]);

/// A step of what `generateText` gives back. Version 4 has its text and its reasoning by themselves.
static STEP: State = state(
    "step",
    &[each("content", Slot::List, &PART), same("response", &OF_STEP), is("finishReason", STRING, Slot::Stop)],
    &[sure(&[When::Has(Slot::Stop)], Does::Message)],
)
.include(&[OF_RESULT]);

/// What a result, and each of its steps, has by itself. Beside its parts it says nothing new.
static OF_RESULT: &[Key] = &[
    text("text", Slot::Again, &ANSWER).beside("content", &[]),
    is("reasoningText", STRING, Slot::Shadow).beside("content", &[]),
    is("text", STRING, Slot::Text).beside("finishReason", &[]),
    is("reasoningText", STRING, Slot::Thought).beside("finishReason", &[]),
    is("reasoning", STRING, Slot::Thought).beside("finishReason", &[]),
    is("reasoning", LIST, Slot::Shadow).beside("finishReason", &[]),
    is("reasoningDetails", LIST, Slot::Shadow).beside("finishReason", &[]),
];

/// What an event of Mastra has beside its type.
static PAYLOAD: State = state("payload", &[is("id", STRING, Slot::Index), is("text", STRING, Slot::Text)], &[]);

static RECORD: State = state(
    "record",
    &[
        // A result that says itself what its steps say.
        each("steps", Slot::Again, &STEP).beside("reasoning", &[]),
        each("steps", Slot::Again, &STEP).beside("reasoningText", &[]),
        each("content", Slot::List, &PART).beside("finishReason", &[]),
        same("response", &OF_STEP).beside("finishReason", &[]),
        each("steps", Slot::Messages, &STEP),
        // A conversation, or a request for the next message of one.
        each("messages", Slot::Messages, &MESSAGE),
        // An event.
        is("type", STRING, Slot::Type),
        is("id", STRING, Slot::Index),
        is("delta", STRING, Slot::Text),
        // As a program has it in hand (`fullStream`).
        is("text", STRING, Slot::Text).beside("type", &["reasoning-delta", "text-delta"]),
        same("payload", &PAYLOAD).beside(
            "type",
            &["reasoning-start", "reasoning-delta", "reasoning-end", "text-start", "text-delta", "text-end"],
        ),
        same("providerMetadata", &PROVIDER_METADATA)
            .beside("type", &["reasoning-start", "reasoning-delta", "reasoning-end"]),
        same("providerMetadata", &PROVIDER_SEALS),
        is("messageId", STRING, Slot::Id),
        is("toolCallId", STRING, Slot::Index),
        is("sourceId", STRING, Slot::Index),
        is("toolName", STRING, Slot::Name),
        is("inputTextDelta", STRING, Slot::Text),
        is("input", ANY, Slot::Arguments),
        is("finishReason", STRING, Slot::Stop),
        is("output", ANY, Slot::Result),
        is("errorText", STRING, Slot::Error).beside("type", &["error"]),
        is("errorText", STRING, Slot::Result),
    ],
    &[
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
        case(&[When::Has(Slot::Messages)], Does::Request),
        sure(&[When::Has(Slot::Stop), When::Has(Slot::Text), When::Lacks(Slot::Type)], Does::Message),
        sure(&[When::Has(Slot::Stop), When::Has(Slot::List), When::Lacks(Slot::Type)], Does::Message),
        sure(&[ty(&["start"])], Does::Begin),
        sure(&[ty(&["reasoning-start"])], Does::OpenAs(THOUGHT)),
        sure(&[ty(&["reasoning-delta"])], Does::Feed(Some(THOUGHT))),
        sure(&[ty(&["reasoning-end"])], Does::CloseAs(THOUGHT)),
        sure(&[ty(&["reasoning-file"])], Does::OpenAs(Kind::Sealed("part"))),
        sure(&[ty(&["text-start"])], Does::OpenAs(Kind::Text)),
        sure(&[ty(&["text-delta"])], Does::Feed(Some(Kind::Text))),
        sure(&[ty(&["text-end"])], Does::CloseAs(Kind::Text)),
        sure(&[ty(&["tool-input-start"])], Does::OpenAs(Kind::Call)),
        sure(&[ty(&["tool-input-delta"])], Does::Feed(Some(Kind::Call))),
        sure(&[ty(&["tool-input-available", "tool-input-error"])], Does::CloseAs(Kind::Call)),
        // No other stream has results.
        sure(&[ty(&["tool-output-*"])], Does::OpenAs(Kind::Hosted)),
        sure(&[ty(&["file"])], Does::OpenAs(Kind::Media)),
        // No other stream has sources apart from their text.
        sure(&[ty(&["source-*"])], Does::OpenAs(Kind::Other)),
        sure(&[ty(&["start-step", "finish-step", "data-*", "message-metadata", "error"])], Does::Nothing),
        sure(&[ty(&["finish", "abort"])], Does::End),
    ],
)
.include(&[OF_MESSAGE, OF_RESULT]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", &["start-step", "finish-step"])], sure: true },
        Recognition { has: &[("type", &["reasoning-*", "text-*"]), ("id", &[])], sure: true },
        Recognition { has: &[("type", &["reasoning-*", "text-*"]), ("payload", &[])], sure: true },
        Recognition { has: &[("type", &["tool-input-*", "tool-output-*"]), ("toolCallId", &[])], sure: true },
        Recognition { has: &[("type", &["start", "finish", "abort", "error"])], sure: true },
        Recognition { has: &[("id", &[]), ("role", ROLES), ("parts", &[])], sure: true },
        Recognition { has: &[("messages", &[]), ("", &["\"parts\""])], sure: true },
        Recognition { has: &[("steps", &[]), ("", &["\"finishReason\""])], sure: true },
        Recognition { has: &[("finishReason", &[]), ("usage", &[]), ("text", &[])], sure: true },
        Recognition { has: &[("finishReason", &[]), ("usage", &[]), ("content", &[])], sure: true },
    ],
    stops: &[
        ("stop", Stop::End),
        ("tool-calls", Stop::Calls),
        ("length", Stop::Length),
        ("content-filter", Stop::Filter),
        ("error", Stop::Error),
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "vercel",
    aliases: &["ai-sdk", "uimessage", "vercel-ui-stream"],
    about: "Vercel's AI SDK: messages of a user interface, and their stream, with reasoning parts and events",
    products: &[
        Product {
            signs: &[
                Sign::Members(&["/type=start-step"]),
                Sign::Members(&["/type=reasoning-*", "/id"]),
                Sign::Members(&["/type=text-*", "/id"]),
            ],
            examples: &[
                "data: {\"type\":\"start-step\"}\n\n",
                "data: {\"type\":\"text-delta\",\"id\":\"1\",\"delta\":\"By noon.\"}\n\n",
            ],
            ..product("Vercel AI SDK (stream)")
        },
        Product {
            signs: &[
                Sign::Members(&["/id", "/role", "/parts/*/type"]),
                Sign::Members(&["/id", "/messages/*/role", "/messages/*/parts/*/type"]),
            ],
            examples: &[
                r#"[{"id":"m1","role":"user","parts":[{"type":"text","text":"Will it rain?"}]}]"#,
                r#"{"id":"c1","messages":[{"id":"m1","role":"user","parts":[{"type":"text","text":"Will it rain?"}]}]}"#,
            ],
            ..product("Vercel AI SDK (messages)")
        },
    ],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Vercel)),
    properties: Some(&[
        BlockProperty::Blocks,
        BlockProperty::Signature,
        BlockProperty::Encrypted,
        BlockProperty::Empty,
    ]),
    ..PLAIN
};
