//! Hugging Face Text Generation Inference: the events of `/generate_stream`, and whole answers with their details.
//!
//! Specified by the server's API ("StreamResponse", "GenerateResponse"). An event has a token of the text, and the last
//! one all of it once more. Special tokens are no part of the text. The answer of `/generate` is read as one of chat, but
//! for one with the tokens of its text in `details`.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, LIST, Recognition, STRING, Shape, Slot, State, TRUE, When, case, is, one, same, state, sure, text,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Stop;

static TOKEN: State = state(
    "token",
    &[is("text", STRING, Slot::Text), is("special", TRUE, Slot::Flag)],
    &[case(&[When::Has(Slot::Flag)], Does::Nothing), case(&[When::Has(Slot::Text)], Does::Feed(Some(Kind::Text)))],
);

/// The text of all tokens.
static WHOLE: State = state("whole text", &[], &[]).or_string(Does::Repeat(Some(Kind::Text)));

static DETAILS: State =
    state("details", &[is("finish_reason", STRING, Slot::Stop)], &[case(&[When::Has(Slot::Stop)], Does::End)]);

static OF_ANSWER: State = state(
    "details",
    &[
        is("finish_reason", STRING, Slot::Stop),
        is("tokens", LIST, Slot::Probabilities),
        is("top_tokens", LIST, Slot::ForeignMember),
    ],
    &[],
);

static RECORD: State = state(
    "record",
    &[
        one("token", Slot::Inner, &TOKEN),
        text("generated_text", Slot::Inner, &WHOLE).beside("token", &[]),
        one("details", Slot::Inner, &DETAILS).beside("token", &[]),
        is("top_tokens", LIST, Slot::ForeignMember),
        is("generated_text", STRING, Slot::Text),
        same("details", &OF_ANSWER),
    ],
    &[
        // What the model might have written at each place.
        sure(&[When::Has(Slot::ForeignMember)], Does::Unclear),
        sure(&[When::Has(Slot::Inner)], Does::Envelope),
        sure(&[When::Has(Slot::Text), When::Has(Slot::Stop)], Does::Block(Kind::Text)),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("token", &[]), ("generated_text", &[])], sure: true },
        Recognition { has: &[("generated_text", &[]), ("details", &[])], sure: true },
    ],
    stops: &[("eos_token", Stop::End), ("length", Stop::Length), ("stop_sequence", Stop::End)],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "tgi",
    aliases: &["text-generation-inference", "tgi-stream"],
    about: "Hugging Face Text Generation Inference: events and answers with details, with inline tags",
    products: &[Product {
        signs: &[
            Sign::Members(&["/token/text", "/token/logprob"]),
            Sign::Members(&["/generated_text", "/details/finish_reason"]),
        ],
        examples: &[
            "data:{\"index\":1,\"token\":{\"id\":5,\"text\":\"By\",\"logprob\":-0.5,\"special\":false},\"generated_text\":null,\"details\":null}\n\n",
            r#"{"generated_text":"By noon.","details":{"finish_reason":"length","generated_tokens":3}}"#,
        ],
        ..product("Text Generation Inference")
    }],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
