//! s1K: the data set of simple test-time scaling, those made of it, and others with columns of reasoning.
//!
//! Found in the programs that read it (`simplescaling/s1`, `data/tokenization.py`), and in the cards of the others
//! (OpenThoughts' metadata, Bespoke-Stratos, Dolphin-R1, medical-o1, sets of DeepSeek-R1's answers); not specified. The
//! reasoning of a model stands in a column, its answer in another: in version 1 as a list, in later ones as a text for each
//! model.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, LIST, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, flat, is, pass, state, text,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static ATTEMPT: State = state("attempt", &[], &[]).or_string(Does::Block(Kind::Text));

/// A column of reasoning goes whole, and beside an answer only, whatever its list holds.
const THOUGHT: u8 = STRING | LIST | OBJECT;

/// A message that says once more what the columns say.
static TURN: State = state("turn", &[is("thinking", STRING, Slot::Shadow)], &[]);

static SAMPLE: State = state(
    "sample",
    &[
        is("thinking_trajectories", THOUGHT, Slot::Thought),
        text("attempt", Slot::List, &ATTEMPT),
        is("gemini_thinking_trajectory", THOUGHT, Slot::Thought),
        text("gemini_attempt", Slot::List, &ATTEMPT),
        is("deepseek_thinking_trajectory", THOUGHT, Slot::Thought),
        text("deepseek_attempt", Slot::List, &ATTEMPT),
        is("claude_thinking_trajectory", THOUGHT, Slot::Thought),
        text("claude_attempt", Slot::List, &ATTEMPT),
        // Other sets, whose names for it have no other use.
        is("deepseek_reasoning", THOUGHT, Slot::Thought),
        text("deepseek_solution", Slot::List, &ATTEMPT),
        is("Complex_CoT", THOUGHT, Slot::Thought),
        text("Response", Slot::List, &ATTEMPT).beside("Complex_CoT", &[]),
        // The name is one of a switch, too.
        pass("reasoning").beside("reasoning", &["on", "off"]),
        is("reasoning", STRING, Slot::Thought).beside("deepseek_solution", &[]),
        is("reasoning", STRING, Slot::Thought).beside("answer", &[]),
        text("answer", Slot::List, &ATTEMPT).beside("reasoning", &[]),
        is("reasoning_content", THOUGHT, Slot::Thought).beside("response", &[]),
        text("response", Slot::List, &ATTEMPT).beside("reasoning_content", &[]),
        // A channel is a column, and the conversation stands beside them.
        is("analysis", STRING, Slot::Thought).beside("final", &[]),
        text("final", Slot::List, &ATTEMPT).beside("analysis", &[]),
        flat("messages", &TURN).beside("final", &[]),
    ],
    &[case(&[When::Has(Slot::List)], Does::Response)],
);

const SHAPE: Shape = Shape {
    record: &SAMPLE,
    recognised_by: &[
        Recognition { has: &[("thinking_trajectories", &[])], sure: false },
        // Its reasoning may be gone.
        Recognition { has: &[("question", &[]), ("attempt", &[])], sure: false },
        Recognition { has: &[("gemini_attempt", &[])], sure: false },
        Recognition { has: &[("deepseek_attempt", &[])], sure: false },
        Recognition { has: &[("claude_attempt", &[])], sure: false },
        Recognition { has: &[("gemini_thinking_trajectory", &[])], sure: false },
        Recognition { has: &[("deepseek_thinking_trajectory", &[])], sure: false },
        Recognition { has: &[("claude_thinking_trajectory", &[])], sure: false },
        Recognition { has: &[("deepseek_reasoning", &[]), ("deepseek_solution", &[])], sure: false },
        Recognition { has: &[("reasoning", &[]), ("deepseek_solution", &[])], sure: false },
        Recognition { has: &[("messages", &[]), ("reasoning", &[]), ("answer", &[]), ("model", &[])], sure: false },
        Recognition { has: &[("Complex_CoT", &[]), ("Response", &[])], sure: false },
        Recognition { has: &[("reasoning_content", &[]), ("response", &[])], sure: false },
        Recognition { has: &[("analysis", &[]), ("final", &[]), ("messages", &[])], sure: false },
    ],
    fixed: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "s1k",
    aliases: &["dataset-s1k"],
    about: "s1K data sets, with columns of reasoning",
    products: &[Product {
        signs: &[
            Sign::Members(&["/question", "/thinking_trajectories"]),
            Sign::Members(&["/question", "/deepseek_thinking_trajectory"]),
            Sign::Members(&["/question", "/gemini_thinking_trajectory"]),
            Sign::Members(&["/question", "/claude_thinking_trajectory"]),
        ],
        examples: &[
            r#"{"question":"2+2?","thinking_trajectories":["Two and two."],"attempt":"4"}"#,
            r#"{"question":"2+2?","deepseek_thinking_trajectory":"Two and two.","deepseek_attempt":"4"}"#,
            r#"{"question":"2+2?","gemini_thinking_trajectory":"Two and two.","gemini_attempt":"4"}"#,
            r#"{"question":"2+2?","claude_thinking_trajectory":"Two and two.","claude_attempt":"4"}"#,
        ],
        ..product("s1K data set")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
