//! Ollama's own API: the answers of `/api/chat` and `/api/generate`, whole or as lines, each a piece of the answer.
//!
//! Specified by Ollama's API documentation and `api/types.go`. Reasoning stands under `thinking`, beside the text. The
//! last record of `/api/generate` has the tokens of the whole conversation as numbers in `context`, those of the
//! reasoning among them: they go with it. A request is told from those of the chat family by a setting or a key of its own.

mod write;

use super::shared::ORIGIN;
use crate::dialect::product::product;
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, LIST, NONE, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each,
    is, pass, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::{Attribute, Stop};
use write::Ollama;

static FUNCTION: State =
    state("function", &[is("name", STRING, Slot::Name), is("arguments", OBJECT, Slot::Arguments), pass("index")], &[]);

static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), pass("type"), same("function", &FUNCTION)],
    &[
        // In other formats, arguments are a string.
        sure(&[When::Has(Slot::Name), When::Has(Slot::Arguments)], Does::Block(Kind::Call)),
        case(&[When::Has(Slot::Name)], Does::Block(Kind::Call)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        is("thinking", STRING, Slot::Thought),
        each("tool_calls", Slot::Calls, &CALL),
    ],
    &[],
);

/// An image: its data alone.
static IMAGE: State = state("image", &[], &[]).or_string(Does::Block(Kind::Media));

/// The settings of a request.
static OPTIONS: State = state(
    "options",
    &[
        is("num_predict", NUMBER, Slot::Limit),
        is("temperature", NUMBER, Slot::Parameter),
        is("top_p", NUMBER, Slot::Parameter),
    ],
    &[],
);

/// A message of a request.
static TURN: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        is("thinking", STRING, Slot::Thought),
        each("images", Slot::List, &IMAGE),
        each("tool_calls", Slot::Calls, &CALL),
        is("tool_name", STRING, Slot::Name),
        is("tool_call_id", STRING, Slot::ResultOf),
    ],
    &[
        sure(&[When::Is(Slot::Role, &["tool"]), When::Has(Slot::Name)], Does::Turn(Kind::Result)),
        case(&[When::Is(Slot::Role, &["tool"])], Does::Turn(Kind::Result)),
        case(&[When::Has(Slot::Role)], Does::Message),
    ],
);

static RECORD: State = state(
    "record",
    &[
        // A request.
        each("messages", Slot::Messages, &TURN),
        is("tools", LIST, Slot::Tools),
        same("options", &OPTIONS),
        is("stream", ANY, Slot::Parameter),
        is("model", STRING, Slot::Model),
        is("created_at", STRING, Slot::Created),
        same("message", &MESSAGE),
        is("response", STRING, Slot::Text),
        is("thinking", STRING, Slot::Thought),
        is("done", TRUE, Slot::Over),
        is("done", NONE, Slot::Flag),
        is("done_reason", STRING, Slot::Stop),
        is("context", LIST, Slot::Shadow),
        // The tokens of the answer with those of its reasoning, one by one.
        is("logprobs", LIST, Slot::Probabilities),
        pass("total_duration"),
        pass("load_duration"),
        is("prompt_eval_count", NUMBER, Slot::Usage),
        pass("prompt_eval_duration"),
        is("eval_count", NUMBER, Slot::Usage),
        pass("eval_duration"),
        pass("remote_model"),
        pass("remote_host"),
    ],
    &[
        case(&[When::Has(Slot::Messages), When::Lacks(Slot::Text)], Does::Request),
        sure(&[When::Several(Slot::Text)], Does::Unclear),
        sure(&[When::Has(Slot::Text), When::Has(Slot::Created), When::Has(Slot::Over)], Does::Piece),
        sure(&[When::Has(Slot::Text), When::Has(Slot::Created), When::Has(Slot::Flag)], Does::Piece),
        sure(&[When::Has(Slot::Thought), When::Has(Slot::Created), When::Has(Slot::Flag)], Does::Piece),
        sure(&[When::Has(Slot::Role), When::Has(Slot::Created), When::Has(Slot::Over)], Does::Piece),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("model", &[]), ("created_at", &[]), ("done", &[])], sure: true },
        Recognition { has: &[("model", &[]), ("messages", &[]), ("think", &[])], sure: false },
        Recognition { has: &[("model", &[]), ("messages", &[]), ("keep_alive", &[])], sure: false },
        // The name is a common word.
        Recognition { has: &[("messages", &[]), ("options", &[]), ("", &["\"num_ctx\""])], sure: false },
        Recognition { has: &[("messages", &[]), ("options", &[]), ("", &["\"num_predict\""])], sure: false },
        Recognition { has: &[("messages", &[]), ("options", &[]), ("", &["\"temperature\""])], sure: false },
        Recognition { has: &[("model", &[]), ("messages", &[]), ("", &["\"images\""])], sure: true },
        Recognition { has: &[("model", &[]), ("messages", &[])], sure: true },
    ],
    signs: &[&["\"think\""], &["\"options\""], &["\"keep_alive\""]],
    stops: &[("stop", Stop::End), ("length", Stop::Length)],
    states: &["load", "unload"],
    used: &[("prompt_eval_count", Attribute::Input), ("eval_count", Attribute::Output)],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "ollama",
    aliases: &["ollama-chat", "ollama-generate"],
    about: "Ollama: answers of /api/chat and /api/generate, whole or as lines, with thinking",
    products: &[product("Ollama")],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Ollama)),
    properties: Some(&[]),
    ..PLAIN
};
