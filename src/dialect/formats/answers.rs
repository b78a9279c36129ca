//! Answers of servers that are one text, which has its reasoning between tags.
//!
//! Specified by SGLang's documentation of its own API (`/generate`), KoboldCpp's (`/api/v1/generate`, and the events of
//! `/api/extra/generate/stream`) and the reference of Workers AI (text generation). The names are common words, so that each
//! counts beside others only.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, LIST, NONE, NUMBER, Recognition, STRING, Shape, Slot, State, When, each, is, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::{Attribute, Stop};

/// Why SGLang ended a text.
static FINISH: State = state("finish reason", &[is("type", STRING, Slot::Stop)], &[]);

/// What SGLang says of a text. What its tokens might have been may be words of reasoning. An event of a stream has all of the
/// text so far, or the next piece of it, and does not say which: it may end inside of a tag, or before one that says that
/// all of it was reasoning.
static META: State = state(
    "meta information",
    &[
        same("finish_reason", &FINISH),
        is("finish_reason", NONE, Slot::ForeignMember),
        is("output_token_logprobs", LIST, Slot::ForeignMember),
        is("output_top_logprobs", LIST, Slot::ForeignMember),
        is("prompt_tokens", NUMBER, Slot::Usage),
        is("completion_tokens", NUMBER, Slot::Usage),
    ],
    &[],
);

/// A text of KoboldCpp.
static RESULT: State = state(
    "result",
    &[is("text", STRING, Slot::Text), is("finish_reason", STRING, Slot::Stop)],
    &[sure(&[When::Has(Slot::Text), When::Has(Slot::Stop)], Does::Message)],
);

static RECORD: State = state(
    "record",
    &[
        is("text", STRING, Slot::Text).beside("meta_info", &[]),
        is("output_ids", LIST, Slot::Shadow).beside("meta_info", &[]),
        same("meta_info", &META),
        each("results", Slot::Messages, &RESULT),
        is("token", STRING, Slot::Text).beside("finish_reason", &[]),
        is("finish_reason", STRING, Slot::Stop).beside("token", &[]),
        is("response", STRING, Slot::Text).beside("p", &[]),
    ],
    &[
        sure(&[When::Has(Slot::ForeignMember)], Does::Unclear),
        sure(&[When::Under(Slot::Text, "text"), When::Has(Slot::Stop)], Does::Response),
        sure(&[When::Under(Slot::Text, "token")], Does::Piece),
        sure(&[When::Under(Slot::Text, "response")], Does::Piece),
        sure(&[When::Has(Slot::Messages)], Does::Request),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("text", &[]), ("meta_info", &[])], sure: true },
        Recognition { has: &[("results", &[]), ("", &["\"finish_reason\""])], sure: true },
        Recognition { has: &[("token", &[]), ("finish_reason", &[])], sure: true },
        Recognition { has: &[("response", &[]), ("p", &[])], sure: true },
    ],
    stops: &[("stop", Stop::End), ("length", Stop::Length)],
    used: &[("prompt_tokens", Attribute::Input), ("completion_tokens", Attribute::Output)],
    inline: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "answers",
    aliases: &["text-answers"],
    kin: &["sglang", "koboldcpp", "cloudflare"],
    about: "answers of servers that are one text, with inline tags",
    products: &[
        Product {
            signs: &[Sign::Members(&["/text", "/meta_info/finish_reason"])],
            examples: &[r#"{"text":"By noon.","meta_info":{"id":"a","finish_reason":{"type":"stop"}}}"#],
            ..product("SGLang (/generate)")
        },
        Product {
            signs: &[
                Sign::Members(&["/results/*/text", "/results/*/finish_reason"]),
                Sign::Members(&["/token", "/finish_reason"]),
            ],
            examples: &[
                r#"{"results":[{"text":"By noon.","finish_reason":"stop"}]}"#,
                "event: message\ndata: {\"token\":\"By noon.\",\"finish_reason\":null}\n\n",
            ],
            ..product("KoboldCpp")
        },
        Product {
            signs: &[Sign::Members(&["/response", "/p"])],
            examples: &["data: {\"response\":\"By noon.\",\"p\":\"abc\"}\n\n"],
            ..product("Workers AI")
        },
    ],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
