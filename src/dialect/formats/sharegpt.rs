//! ShareGPT, the shape of many datasets: `{"conversations":[{"from":"human","value":…},{"from":"gpt","value":…}]}`.
//!
//! Specified by the ShareGPT dataset, by LLaMA-Factory's data README ("Sharegpt Format": `function_call` and
//! `observation` for tools), and by the Hermes function calling dataset (`system`, `tool`). The keys are common words:
//! they count only in a list, beside a known speaker. Some datasets mix these messages with those of the chat family.

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, LIST, NONE, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each,
    is, one, pass, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// The speakers other than the assistant.
const PEOPLE: &[&str] = &["human", "user", "system"];

/// The names of the assistant.
const MODELS: &[&str] =
    &["gpt", "chatgpt", "bing", "bard", "assistant", "model", "claude", "bot", "ai", "llm", "GPT", "Assistant"];

/// The tools that give results.
const TOOLS: &[&str] = &["tool", "function", "function_response", "observation"];

/// The assistant, calling a tool.
const CALLS: &[&str] = &["function_call"];

const SEVERAL: When = When::Several(Slot::Role);
const FROM: When = When::Under(Slot::Role, "from");
const TEXT: When = When::Has(Slot::Text);

const THOUGHT: u8 = STRING | OBJECT | LIST | NONE;

static OF_FUNCTION: &[Key] = &[is("name", STRING, Slot::Name), is("arguments", STRING | OBJECT, Slot::Arguments)];

static FUNCTION: State = state("function", OF_FUNCTION, &[]);

/// A call beside a text, as messages of the chat family have it.
static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), pass("type"), pass("index"), same("function", &FUNCTION)],
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Call))],
)
.include(&[OF_FUNCTION]);

static MESSAGE: State = state(
    "message",
    &[
        is("from", STRING, Slot::Role),
        is("value", STRING, Slot::Text),
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        is("value", LIST | OBJECT, Slot::ForeignMember),
        is("content", LIST | OBJECT, Slot::ForeignMember),
        is("reasoning_content", THOUGHT, Slot::Thought),
        is("reasoning_text", THOUGHT, Slot::Thought),
        is("reasoning", THOUGHT, Slot::Thought),
        is("thinking", THOUGHT, Slot::Thought),
        is("thought", THOUGHT, Slot::Thought),
        is("thoughts", THOUGHT, Slot::Thought),
        // Programs also use these keys for switches and numbers.
        pass("reasoning"),
        pass("thinking"),
        pass("thoughts"),
        each("tool_calls", Slot::Calls, &CALL),
        one("function_call", Slot::Calls, &CALL),
        is("type", STRING, Slot::Type),
    ],
    &[
        // The first speaker counts where conditions ask for a word, and readers differ.
        case(&[SEVERAL, When::ThinksIn(Slot::Role)], Does::Rest),
        sure(&[FROM, TEXT, When::Is(Slot::Role, PEOPLE)], Does::Message),
        sure(&[FROM, TEXT, When::Is(Slot::Role, TOOLS)], Does::Turn(Kind::Result)),
        // A text of the assistant that something else says is reasoning.
        case(&[When::Thinks], Does::Unclear),
        case(&[When::Type(&["analysis"])], Does::Unclear),
        // Of two speakers the assistant counts, whose text is searched.
        sure(&[SEVERAL, TEXT], Does::Message),
        sure(&[FROM, TEXT, When::Is(Slot::Role, MODELS)], Does::Message),
        sure(&[FROM, TEXT, When::Is(Slot::Role, CALLS)], Does::Turn(Kind::Call)),
        case(&[When::ThinksIn(Slot::Role)], Does::Rest),
        case(&[FROM, When::Is(Slot::Role, PEOPLE)], Does::Message),
        case(&[FROM, When::Is(Slot::Role, MODELS)], Does::Message),
        case(&[FROM, When::Is(Slot::Role, TOOLS)], Does::Turn(Kind::Result)),
        case(&[FROM, When::Is(Slot::Role, CALLS)], Does::Message),
        case(&[FROM], Does::Stranger),
        case(&[When::Lacks(Slot::Role)], Does::Stranger),
        case(&[], Does::Message),
    ],
);

/// Members beside the messages.
static BESIDE: &[Key] = &[
    is("system", STRING, Slot::System),
    is("system_prompt", STRING, Slot::System),
    is("tools", STRING | LIST, Slot::Tools),
    is("model", STRING, Slot::Model),
    is("id", ANY, Slot::Id),
    is("metadata", ANY, Slot::Parameter),
    is("max_tokens", NUMBER, Slot::Limit),
    is("temperature", ANY, Slot::Parameter),
    is("top_p", ANY, Slot::Parameter),
    is("stop", ANY, Slot::Parameter),
    is("seed", ANY, Slot::Parameter),
];

static RECORD: State = state(
    "record",
    &[
        each("conversations", Slot::Messages, &MESSAGE),
        each("messages", Slot::Messages, &MESSAGE),
        each("input", Slot::Messages, &MESSAGE),
        each("contents", Slot::Messages, &MESSAGE),
        each("history", Slot::Messages, &MESSAGE),
        // A log may wrap such a record.
        one("body", Slot::Inner, &RECORD),
        one("response", Slot::Inner, &RECORD),
    ],
    &[case(&[When::Has(Slot::Messages)], Does::Request), case(&[When::Has(Slot::Inner)], Does::Envelope)],
)
.include(&[BESIDE]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("conversations", &[])], sure: true },
        Recognition { has: &[("messages", &[]), ("", &["\"from\""])], sure: true },
        Recognition { has: &[("input", &[]), ("", &["\"from\""])], sure: true },
        Recognition { has: &[("contents", &[]), ("", &["\"from\""])], sure: true },
        Recognition { has: &[("history", &[]), ("", &["\"from\""])], sure: true },
        Recognition { has: &[("body", &[]), ("", &["\"from\""])], sure: true },
        Recognition { has: &[("response", &[]), ("", &["\"from\""])], sure: true },
    ],
    keys: &["reasoning_content", "reasoning_text"],
    inline: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "sharegpt",
    aliases: &[],
    kin: &["vicuna", "axolotl"],
    about: "ShareGPT datasets: conversations of messages with from and value, and inline tags",
    products: &[
        product("ShareGPT data set"),
        Product {
            signs: &[Sign::Members(&["/system", "/conversations/*/from", "/conversations/*/value"])],
            examples: &[r#"{"system":"Think.","conversations":[{"from":"user","value":"2+2?"}]}"#],
            ..product("OpenThoughts data set")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
