//! Data sets whose columns are texts: an answer, or several, beside what was asked, with reasoning between tags.
//!
//! Specified by the guides to data of LLaMA-Factory ("Alpaca Format") and TRL ("Dataset formats"), by the cards of data sets
//! (Open-R1, Llama-Nemotron post-training, OpenCodeReasoning, OpenMathReasoning, NuminaMath, SYNTHETIC-1), by the samples of
//! HumanEval, and by the lines that lm-evaluation-harness writes under `--log_samples`. The names are common words, so that each
//! counts beside another one only.
//! A column of reasoning is not read: `reasoning` is a switch in some data sets, and a category in others. What was asked is
//! not by the model. A `response` is read as one of chat.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, LIST, Recognition, STRING, Shape, Slot, State, When, case, each, is, others, search, state, text,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// Programs that ask a model several times keep lists of lists.
static ANSWER: State = state("answer", &[], &[]).or_string(Does::Message).or_list();

/// A message, in a set that has it beside its columns.
static TURN: State = state(
    "turn",
    &[is("role", STRING, Slot::Role), is("content", STRING, Slot::Text)],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static SAMPLE: State = state(
    "sample",
    &[
        text("output", Slot::Messages, &ANSWER).beside("instruction", &[]),
        others("input").beside("instruction", &[]),
        text("completion", Slot::Messages, &ANSWER).beside("prompt", &[]),
        text("completion", Slot::Messages, &ANSWER).beside("task_id", &[]),
        text("generation", Slot::Messages, &ANSWER).beside("prompt", &[]),
        each("messages", Slot::Messages, &TURN).beside("generation", &[]),
        text("llm_response", Slot::Messages, &ANSWER).beside("prompt", &[]),
        text("chosen", Slot::Messages, &ANSWER).beside("rejected", &[]),
        text("rejected", Slot::Messages, &ANSWER).beside("chosen", &[]),
        text("output", Slot::Messages, &ANSWER).beside("category", &[]),
        text("output", Slot::Messages, &ANSWER).beside("license", &[]),
        each("input", Slot::Messages, &TURN).beside("output", &[]),
        others("input").beside("category", &[]),
        others("input").beside("license", &[]),
        each("generations", Slot::Messages, &ANSWER),
        each("messages", Slot::Messages, &TURN).beside("generations", &[]),
        text("generated_solution", Slot::Messages, &ANSWER).beside("problem", &[]),
        // Beside these it is by a person.
        search("solution").beside("generations", &[]),
        text("solution", Slot::Messages, &ANSWER).beside("problem", &[]),
        // What a model has said, and what a task has made of that.
        each("resps", Slot::Messages, &ANSWER),
        each("filtered_resps", Slot::Messages, &ANSWER),
        // Such a record is of the chat family.
        is("messages", LIST, Slot::ForeignMember),
    ],
    &[case(&[When::Has(Slot::Messages), When::Lacks(Slot::ForeignMember)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &SAMPLE,
    recognised_by: &[
        Recognition { has: &[("instruction", &[]), ("output", &[])], sure: false },
        Recognition { has: &[("prompt", &[]), ("completion", &[])], sure: false },
        Recognition { has: &[("task_id", &[]), ("completion", &[])], sure: false },
        Recognition { has: &[("prompt", &[]), ("generation", &[])], sure: false },
        Recognition { has: &[("prompt", &[]), ("llm_response", &[])], sure: false },
        Recognition { has: &[("chosen", &[]), ("rejected", &[])], sure: false },
        Recognition { has: &[("problem", &[]), ("generations", &[])], sure: false },
        Recognition { has: &[("input", &[]), ("output", &[]), ("category", &[])], sure: false },
        Recognition { has: &[("input", &[]), ("output", &[]), ("license", &[])], sure: false },
        Recognition { has: &[("problem", &[]), ("generated_solution", &[])], sure: false },
        // Other texts of both names are by people.
        Recognition { has: &[("problem", &[]), ("solution", &[]), ("", &["<think>"])], sure: false },
        Recognition { has: &[("resps", &[]), ("filtered_resps", &[])], sure: false },
    ],
    inline: true,
    fixed: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "columns",
    aliases: &["dataset-columns"],
    kin: &["alpaca", "preference", "openr1"],
    about: "data sets whose columns are texts, with inline tags in the answers",
    products: &[
        Product {
            signs: &[Sign::Members(&["/instruction", "/output"])],
            examples: &[r#"{"instruction":"2+2?","input":"","output":"4"}"#],
            ..product("Alpaca data set")
        },
        Product {
            signs: &[Sign::Members(&["/problem", "/generations"])],
            examples: &[r#"{"problem":"2+2?","solution":"4","generations":["4"],"correctness_math_verify":[true]}"#],
            ..product("OpenR1 data set")
        },
        Product {
            signs: &[Sign::Members(&["/input", "/output", "/category", "/license"])],
            examples: &[
                r#"{"input":"2+2?","output":"4","category":"math","license":"cc-by-4.0","reasoning":"off","generator":"m"}"#,
            ],
            ..product("Llama-Nemotron data set")
        },
        Product {
            signs: &[Sign::Members(&["/resps", "/filtered_resps", "/doc"])],
            examples: &[r#"{"doc_id":0,"doc":{},"target":"4","resps":[["4"]],"filtered_resps":["4"]}"#],
            ..product("lm-evaluation-harness")
        },
        Product {
            signs: &[Sign::Members(&["/prompt", "/chosen", "/rejected"])],
            examples: &[r#"{"prompt":"2+2?","chosen":"4","rejected":"5"}"#],
            ..product("preference data set")
        },
        Product {
            signs: &[Sign::Members(&["/prompt", "/completion"])],
            examples: &[r#"{"prompt":"2+2?","completion":"4"}"#],
            ..product("prompt and completion data set")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
