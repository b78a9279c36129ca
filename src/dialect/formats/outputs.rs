//! What services and frameworks keep of a run: texts of a model beside what was asked, with reasoning between tags.
//!
//! Specified by Replicate's HTTP API ("Get a prediction"); found in the code of CrewAI (`crews/crew_output.py`,
//! `utilities/file_handler.py`) and in what n8n's nodes give. The names are common words, so that each counts beside others only.
//! Such a record has no place for reasoning, and says the same text more than once: it is not converted.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, others, same, state, sure, text,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// A text by itself.
static ANSWER: State = state("answer", &[], &[]).or_string(Does::Message);

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
        each("output", Slot::Inner, &PIECE).beside("urls", &[]),
        text("output", Slot::Inner, &PIECE).beside("urls", &[]),
        text("status", Slot::Inner, &OVER).beside("urls", &[]),
        text("raw", Slot::Messages, &ANSWER).beside("tasks_output", &[]),
        each("tasks_output", Slot::Messages, &TASK),
        text("output", Slot::Messages, &ANSWER).beside("task_name", &[]),
        // A task by itself.
        text("raw", Slot::Messages, &ANSWER).beside("output_format", &[]),
        others("description").beside("output_format", &[]),
        others("expected_output").beside("output_format", &[]),
        same("json", &ITEM).beside("pairedItem", &[]),
    ],
    &[sure(&[When::Has(Slot::Messages)], Does::Request), sure(&[When::Several(Slot::Inner)], Does::Envelope)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("output", &[]), ("urls", &[]), ("status", &[])], sure: true },
        Recognition { has: &[("raw", &[]), ("tasks_output", &[])], sure: true },
        Recognition { has: &[("output", &[]), ("task_name", &[])], sure: true },
        Recognition { has: &[("raw", &[]), ("output_format", &[]), ("agent", &[])], sure: true },
        Recognition { has: &[("json", &[]), ("pairedItem", &[])], sure: true },
    ],
    inline: true,
    fixed: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "outputs",
    aliases: &["run-outputs"],
    kin: &["replicate", "crewai", "n8n"],
    about: "what services and frameworks keep of a run, with inline tags in its texts",
    products: &[
        Product {
            signs: &[Sign::Members(&["/output", "/urls", "/status"])],
            examples: &[r#"{"id":"p","urls":{},"input":{},"output":["By ","noon."],"status":"succeeded"}"#],
            ..product("Replicate")
        },
        Product {
            signs: &[
                Sign::Members(&["/raw", "/tasks_output"]),
                Sign::Members(&["/task_name", "/agent", "/output"]),
                Sign::Members(&["/raw", "/output_format", "/agent"]),
            ],
            examples: &[
                r#"{"raw":"By noon.","tasks_output":[{"raw":"By noon.","agent":"Forecaster"}],"token_usage":{}}"#,
                r#"{"task_name":"t","task":"Will it rain?","agent":"Forecaster","status":"completed","output":"By noon."}"#,
                r#"{"description":"Will it rain?","raw":"By noon.","agent":"Forecaster","output_format":"raw"}"#,
            ],
            ..product("CrewAI")
        },
        Product {
            signs: &[Sign::Members(&["/json", "/pairedItem"])],
            examples: &[r#"[{"json":{"output":"By noon."},"pairedItem":{"item":0}}]"#],
            ..product("n8n")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
