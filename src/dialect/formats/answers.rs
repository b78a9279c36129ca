//! Answers of servers and frameworks that are one text, which has its reasoning between tags.
//!
//! Specified by SGLang's documentation of its own API (`/generate`), KoboldCpp's (`/api/v1/generate`, and the events of
//! `/api/extra/generate/stream`), Replicate's HTTP API ("Get a prediction") and the reference of Workers AI (text generation); found in
//! the code of CrewAI (`crews/crew_output.py`, `utilities/file_handler.py`) and in what n8n's nodes give. The names are common
//! words, so that each counts beside others only.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, LIST, NONE, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, is, others, same,
    state, sure, text,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::{Attribute, Stop};

/// A text by itself.
static ANSWER: State = state("answer", &[], &[]).or_string(Does::Message);

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

/// A piece of a prediction, as the model has sent it: a tag may stand in several.
static PIECE: State = state("piece", &[], &[]).or_string(Does::Feed(Some(Kind::Text)));

/// How far a prediction has come.
static OVER: State = state("status", &[], &[]).or_string(Does::End);

/// What a task of a crew has given.
static TASK: State = state(
    "task",
    &[is("raw", STRING, Slot::Text), others("description"), others("expected_output")],
    &[case(&[When::Has(Slot::Text)], Does::Message)],
);

/// What an agent of n8n has given.
static ITEM: State = state("item", &[text("output", Slot::Messages, &ANSWER)], &[]);

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
        each("output", Slot::Inner, &PIECE).beside("urls", &[]),
        text("output", Slot::Inner, &PIECE).beside("urls", &[]),
        text("status", Slot::Inner, &OVER).beside("urls", &[]),
        text("raw", Slot::Messages, &ANSWER).beside("tasks_output", &[]),
        each("tasks_output", Slot::Messages, &TASK),
        text("output", Slot::Messages, &ANSWER).beside("task_name", &[]),
        same("json", &ITEM).beside("pairedItem", &[]),
    ],
    &[
        sure(&[When::Has(Slot::ForeignMember)], Does::Unclear),
        sure(&[When::Under(Slot::Text, "text"), When::Has(Slot::Stop)], Does::Response),
        sure(&[When::Under(Slot::Text, "token")], Does::Piece),
        sure(&[When::Under(Slot::Text, "response")], Does::Piece),
        sure(&[When::Has(Slot::Messages)], Does::Request),
        sure(&[When::Several(Slot::Inner)], Does::Envelope),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("text", &[]), ("meta_info", &[])], sure: true },
        Recognition { has: &[("results", &[]), ("", &["\"finish_reason\""])], sure: true },
        Recognition { has: &[("token", &[]), ("finish_reason", &[])], sure: true },
        Recognition { has: &[("response", &[]), ("p", &[])], sure: true },
        Recognition { has: &[("output", &[]), ("urls", &[]), ("status", &[])], sure: true },
        Recognition { has: &[("raw", &[]), ("tasks_output", &[])], sure: true },
        Recognition { has: &[("output", &[]), ("task_name", &[])], sure: true },
        Recognition { has: &[("json", &[]), ("pairedItem", &[])], sure: true },
    ],
    stops: &[("stop", Stop::End), ("length", Stop::Length)],
    used: &[("prompt_tokens", Attribute::Input), ("completion_tokens", Attribute::Output)],
    inline: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "answers",
    aliases: &["text-answers"],
    kin: &["sglang", "koboldcpp", "replicate", "cloudflare", "crewai", "n8n"],
    about: "answers of servers and frameworks that are one text, with inline tags",
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
            signs: &[Sign::Members(&["/output", "/urls", "/status"])],
            examples: &[r#"{"id":"p","urls":{},"input":{},"output":["By ","noon."],"status":"succeeded"}"#],
            ..product("Replicate")
        },
        Product {
            signs: &[Sign::Members(&["/response", "/p"])],
            examples: &["data: {\"response\":\"By noon.\",\"p\":\"abc\"}\n\n"],
            ..product("Workers AI")
        },
        Product {
            signs: &[Sign::Members(&["/raw", "/tasks_output"]), Sign::Members(&["/task_name", "/agent", "/output"])],
            examples: &[
                r#"{"raw":"By noon.","tasks_output":[{"raw":"By noon.","agent":"Forecaster"}],"token_usage":{}}"#,
                r#"{"task_name":"t","task":"Will it rain?","agent":"Forecaster","status":"completed","output":"By noon."}"#,
            ],
            ..product("CrewAI")
        },
        Product {
            signs: &[Sign::Members(&["/json", "/pairedItem"])],
            examples: &[r#"[{"json":{"output":"By noon."},"pairedItem":{"item":0}}]"#],
            ..product("n8n")
        },
    ],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
