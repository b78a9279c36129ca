//! Mistral's Conversations API: the events of a stream. What the API gives as a whole are messages of the chat family.
//!
//! Specified by Mistral's reference ("Beta Conversations"). The content of an event is a text, or a chunk with a type.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, flat, is, one, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Attribute;

const THOUGHT: Kind = Kind::Reasoning("part");

static THOUGHT_PART: State = state("part of a thought", &[is("text", STRING, Slot::Text)], &[]);

static CHUNK: State = state(
    "chunk",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text), flat("thinking", &THOUGHT_PART)],
    &[
        sure(&[ty(&["thinking"])], Does::Block(THOUGHT)),
        case(&[ty(&["text"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        case(&[When::Has(Slot::Text)], Does::Unclear),
        // A reference to a source, or a file.
        case(&[], Does::Block(Kind::Other)),
    ],
);

static EVENT: State = state(
    "event",
    &[
        is("type", STRING, Slot::Type),
        is("content", STRING, Slot::Text),
        one("content", Slot::Inner, &CHUNK),
        is("tool_call_id", STRING, Slot::Index),
        is("name", STRING, Slot::Name),
        is("arguments", STRING, Slot::Text),
        is("usage", OBJECT, Slot::Counts),
        is("created_at", STRING, Slot::Created),
    ],
    &[
        sure(&[ty(&["conversation.response.started"])], Does::Begin),
        sure(&[ty(&["message.output.delta"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Text))),
        sure(&[ty(&["message.output.delta"]), When::Has(Slot::Inner)], Does::Feed(None)),
        sure(&[ty(&["function.call.delta"]), When::Has(Slot::Name)], Does::Feed(Some(Kind::Call))),
        sure(&[ty(&["conversation.response.done"])], Does::End),
    ],
);

const SHAPE: Shape = Shape {
    record: &EVENT,
    recognised_by: &[
        Recognition { has: &[("type", &["message.output.delta", "function.call.delta"])], sure: true },
        Recognition { has: &[("type", &["conversation.response.*"])], sure: true },
    ],
    used: &[("prompt_tokens", Attribute::Input), ("completion_tokens", Attribute::Output)],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "mistral-conversations",
    aliases: &["mistral-agents"],
    about: "Mistral Conversations: the events of a stream, with thinking chunks",
    products: &[Product {
        signs: &[Sign::Members(&["/type=message.output.delta", "/content"])],
        examples: &[
            "data: {\"type\":\"message.output.delta\",\"id\":\"m1\",\"content_index\":0,\"role\":\"assistant\",\"content\":\"By noon.\"}\n\n",
        ],
        ..product("Mistral Conversations (stream)")
    }],
    framings: &[Framing::Sse, Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
