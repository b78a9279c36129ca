//! Dify: the answers of its API, whole or as the events of a stream.
//!
//! Specified by its documentation ("Send Chat Message", "Execute Workflow"). A text has its reasoning between tags; what an agent
//! thinks before a call stands under a key of an event.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, NUMBER, Recognition, STRING, Shape, Slot, State, When, each, flat, is, one, pass, same, state, sure,
    text, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Stop;

static ANSWER: State = state("answer", &[], &[]).or_string(Does::Message);

/// What a node or a workflow has given.
static OUTPUTS: State = state(
    "outputs",
    &[
        text("text", Slot::Messages, &ANSWER),
        text("answer", Slot::Messages, &ANSWER),
        text("output", Slot::Messages, &ANSWER),
        text("result", Slot::Messages, &ANSWER),
    ],
    &[],
);

/// What a node with a model has given: its reasoning stands beside its text, if it is set so.
static ANSWERED: State = state(
    "model outputs",
    &[is("text", STRING, Slot::Text), is("reasoning_content", STRING, Slot::Thought)],
    &[sure(&[When::Has(Slot::Text)], Does::Message)],
);

static DATA: State = state(
    "data",
    &[
        is("text", STRING, Slot::Text),
        one("outputs", Slot::Messages, &ANSWERED).beside("node_type", &["llm"]),
        same("outputs", &OUTPUTS),
    ],
    &[],
);

/// What an agent has thought before a call in an earlier answer.
static THOUGHT: State =
    state("thought", &[is("thought", STRING, Slot::Thought), pass("observation"), pass("tool_input")], &[]);

/// A question, and the answer to it.
static PAST: State = state(
    "past answer",
    &[is("answer", STRING, Slot::Text), flat("agent_thoughts", &THOUGHT)],
    &[sure(&[When::Has(Slot::Text)], Does::Message)],
);

const EVENTS: &[&str] =
    &["message", "agent_message", "message_end", "agent_thought", "text_chunk", "node_finished", "workflow_finished"];

static RECORD: State = state(
    "record",
    &[
        // A whole answer says which kind of program has given it; the last event of a stream has no text.
        is("mode", STRING, Slot::Over).beside("event", &["message"]),
        is("event", STRING, Slot::Stop).beside("event", &["message_end"]),
        is("event", STRING, Slot::Type),
        is("message_id", STRING, Slot::Id),
        is("conversation_id", STRING, Slot::Conversation),
        is("answer", STRING, Slot::Text),
        same("data", &DATA),
        each("data", Slot::Messages, &PAST).beside("has_more", &[]),
        is("thought", STRING, Slot::Thought).beside("event", &["agent_thought"]),
        // A call, and what came of it.
        pass("observation").beside("event", &["agent_thought"]),
        pass("tool_input").beside("event", &["agent_thought"]),
        is("position", NUMBER, Slot::OwnParameter).beside("event", &["agent_thought"]),
    ],
    &[
        sure(&[ty(&["message", "agent_message", "text_chunk"]), When::Has(Slot::Text)], Does::Piece),
        sure(&[ty(&["agent_thought"]), When::Has(Slot::Thought)], Does::Message),
        sure(&[ty(&["node_finished", "workflow_finished"]), When::Has(Slot::Messages)], Does::Request),
        // A workflow that was waited for, the history of a conversation.
        sure(&[When::Lacks(Slot::Type), When::Has(Slot::Messages)], Does::Request),
        sure(&[When::Has(Slot::Stop), When::Has(Slot::Id)], Does::Piece),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("event", EVENTS), ("task_id", &[])], sure: true },
        Recognition { has: &[("has_more", &[]), ("data", &[]), ("", &["\"query\""])], sure: true },
        Recognition { has: &[("workflow_run_id", &[]), ("task_id", &[]), ("data", &[])], sure: true },
    ],
    stops: &[("message_end", Stop::End)],
    inline: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "dify",
    aliases: &[],
    about: "Dify: answers and events of its API, with inline tags and thoughts of agents",
    products: &[Product {
        signs: &[
            Sign::Members(&["/event", "/task_id", "/answer"]),
            Sign::Members(&["/event", "/task_id", "/data"]),
            Sign::Members(&["/workflow_run_id", "/task_id", "/data"]),
        ],
        examples: &[
            "data: {\"event\":\"message\",\"task_id\":\"t\",\"message_id\":\"m\",\"answer\":\"By noon.\"}\n\n",
            "data: {\"event\":\"workflow_finished\",\"task_id\":\"t\",\"data\":{\"outputs\":{\"answer\":\"By noon.\"}}}\n\n",
            r#"{"workflow_run_id":"w","task_id":"t","data":{"outputs":{"answer":"By noon."}}}"#,
        ],
        ..product("Dify")
    }],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
