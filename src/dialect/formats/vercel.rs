//! The stream of messages to a user interface of Vercel's AI SDK, from version 5 on.
//!
//! Specified by the SDK's documentation ("Stream Protocol: Data Stream Protocol"). Events of the types `reasoning-start`,
//! `reasoning-delta` and `reasoning-end` are reasoning, as are `text-start` and its kin text; a string says which block an
//! event is of. A signature stands under `providerMetadata`, by provider.

use super::shared::{ORIGIN, PROVIDER_METADATA};
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, is, pass, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const THOUGHT: Kind = Kind::Reasoning("part");

static RECORD: State = state(
    "event",
    &[
        is("type", STRING, Slot::Type),
        is("id", STRING, Slot::Index),
        is("delta", STRING, Slot::Text),
        same("providerMetadata", &PROVIDER_METADATA),
        is("messageId", STRING, Slot::Id),
        is("toolCallId", STRING, Slot::Index),
        is("toolName", STRING, Slot::Name),
        is("inputTextDelta", STRING, Slot::Arguments),
        pass("finishReason"),
    ],
    &[
        sure(&[ty(&["start"])], Does::Begin),
        sure(&[ty(&["reasoning-start"])], Does::OpenAs(THOUGHT)),
        sure(&[ty(&["reasoning-delta"])], Does::Feed(Some(THOUGHT))),
        sure(&[ty(&["reasoning-end"])], Does::CloseAs(THOUGHT)),
        sure(&[ty(&["text-start"])], Does::OpenAs(Kind::Text)),
        sure(&[ty(&["text-delta"])], Does::Feed(Some(Kind::Text))),
        sure(&[ty(&["text-end"])], Does::CloseAs(Kind::Text)),
        sure(&[ty(&["tool-input-start"])], Does::OpenAs(Kind::Call)),
        sure(&[ty(&["tool-input-delta"])], Does::Feed(Some(Kind::Call))),
        sure(&[ty(&["tool-input-available", "tool-output-*", "tool-input-error", "data-*"])], Does::Nothing),
        sure(&[ty(&["start-step", "finish-step", "source-*", "file", "message-metadata", "error"])], Does::Nothing),
        sure(&[ty(&["finish", "abort"])], Does::End),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", &["start-step", "finish-step"])], sure: true },
        Recognition { has: &[("type", &["reasoning-*", "text-*"]), ("id", &[])], sure: true },
        Recognition { has: &[("type", &["tool-input-*", "tool-output-*"]), ("toolCallId", &[])], sure: true },
        Recognition { has: &[("type", &["start", "finish", "abort"])], sure: true },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "vercel",
    aliases: &["vercel-ui-stream", "ai-sdk"],
    about: "the stream of Vercel's AI SDK to a user interface, with reasoning events",
    products: &[Product {
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
    }],
    framings: &[Framing::Sse, Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
