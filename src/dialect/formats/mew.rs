//! MEW, the Multi-Entity Workspace protocol (formerly MEUP): envelopes, and the history log of its gateway.
//!
//! Specified in `spec/protocol/SPEC.md` of the protocol, section 3.5; the kinds with a dot are of the decision record
//! before it, and the payloads are those that agents write. An envelope of a reasoning kind is reasoning as a whole,
//! whoever it is addressed to. The history log has an envelope once as received, and once for each participant that it
//! was delivered to; a rejected one was delivered to nobody.

mod write;

use crate::dialect::product::product;
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, LIST, NONE, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, is,
    one, pass, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::{BlockProperty, SequenceStep};
use std::sync::Arc;
use write::Mew;

/// An envelope, or a line of the log that holds one.
static LINE: State = state(
    "envelope",
    &[
        is("kind", STRING | LIST | OBJECT, Slot::Type),
        is("id", STRING, Slot::Id),
        is("from", STRING, Slot::Name),
        is("to", STRING | LIST, Slot::Addressee),
        pass("protocol"),
        pass("ts"),
        is("correlation_id", STRING | LIST, Slot::ResultOf),
        is("correlationId", STRING | LIST, Slot::ResultOf),
        is("context", STRING, Slot::Conversation),
        one("context", Slot::Operation, &CONTEXT),
        one("payload", Slot::Inner, &PAYLOAD),
        is("payload", STRING | LIST, Slot::Text),
        is("event", STRING, Slot::Delivery),
        one("envelope", Slot::Inner, &LINE),
    ],
    &[
        sure(&[When::Under(Slot::Inner, "envelope"), When::Is(Slot::Delivery, &["rejected"])], Does::Undelivered),
        sure(&[When::Under(Slot::Inner, "envelope")], Does::Envelope),
        case(&[When::Spelled(&["chat"])], Does::Sent(SequenceStep::Say)),
        sure(&[When::Spelled(&["reasoning/start"])], Does::Sent(SequenceStep::Begin)),
        sure(&[When::Spelled(&["reasoning/conclusion"])], Does::Sent(SequenceStep::End)),
        sure(&[When::Spelled(&["reasoning/cancel"])], Does::Sent(SequenceStep::Cancel)),
        sure(&[When::Spelled(&["reasoning", "reasoning/*"])], Does::Sent(SequenceStep::Think)),
        case(&[When::Spelled(&["mcp/request", "mcp/proposal"])], Does::Sent(SequenceStep::Call)),
        case(&[When::Spelled(&["mcp/response"])], Does::Sent(SequenceStep::Result)),
        sure(&[When::Thinks], Does::Unclear),
        // Kinds of the decision record, without the word before the dot.
        case(&[When::Spelled(&["hypothesis", "observation", "question"])], Does::Unclear),
        case(&[When::Has(Slot::Type)], Does::Sent(SequenceStep::Other)),
    ],
);

/// The kinds of reasoning: the protocol has thoughts, its decision record also observations, hypotheses and questions.
const REASONING: &[&str] = &["reasoning/*", "reasoning.*"];

/// The context as an operation: an agent enters, leaves or resumes one.
static CONTEXT: State = state(
    "context",
    &[
        is("topic", STRING, Slot::Topic),
        is("correlation_id", STRING | LIST, Slot::Conversation),
        is("correlationId", STRING | LIST, Slot::Conversation),
    ],
    &[case(&[], Does::Block(Kind::Other))],
);

/// The payload of an envelope. In an envelope of reasoning every text is reasoning, except those of a call that the
/// agent is about to make, and identifiers.
static PAYLOAD: State = state(
    "payload",
    &[
        is("text", STRING, Slot::Text),
        is("message", STRING, Slot::Text),
        is("context", STRING, Slot::Conversation),
        one("context", Slot::Operation, &CONTEXT),
        is("method", STRING, Slot::Type),
        one("params", Slot::Inner, &PARAMS),
        one("result", Slot::Result, &RESULT),
        is("result", ANY, Slot::Result),
        is("error", ANY, Slot::Error),
        is("isError", TRUE, Slot::IsError),
        is("success", NONE, Slot::Outcome),
        pass("success"),
        is("action", ANY, Slot::OwnParameter),
        is("actionInput", ANY, Slot::OwnParameter),
        is("metadata", ANY, Slot::OwnParameter),
        is("references", ANY, Slot::OwnParameter),
        is("triggered_by", ANY, Slot::OwnParameter),
    ],
    &[case(&[], Does::Block(Kind::Other))],
);

/// The result of a tool, as MCP has it.
static RESULT: State = state(
    "result",
    &[is("isError", TRUE, Slot::IsError), is("success", NONE, Slot::Outcome)],
    &[case(&[], Does::Block(Kind::Other))],
);

/// The arguments of a tool call.
static PARAMS: State = state(
    "params",
    &[is("name", STRING, Slot::Name), is("arguments", ANY, Slot::Arguments)],
    &[case(&[], Does::Block(Kind::Call))],
);

/// The kinds of the protocol that are not reasoning.
const OTHERS: &[&str] =
    &["chat", "chat/*", "mcp/*", "mcp.*", "system/*", "stream/*", "participant/*", "space/*", "capability/*"];

/// Whether a line is a frame of a stream: the identifier of the stream between `#`, and an object behind it. Agents
/// send long reasoning in such frames.
fn is_frame(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii().strip_prefix(b"#") else { return false };
    let id = rest.iter().take_while(|b| !b.is_ascii_whitespace() && **b != b'#').count();
    let inner = rest[id..].strip_prefix(b"#").filter(|_| id > 0);
    inner.is_some_and(|inner| inner.starts_with(b"{") && inner.ends_with(b"}"))
}

/// The names of the protocol, each with a version behind it.
const PROTOCOLS: &[&str] = &["mew/*", "meup/*", "mcpx/*", "mcp-x/*"];

/// Where an envelope comes from.
static ORIGIN: State = state(
    "origin",
    &[
        same("envelope", &ORIGIN),
        is("ts", STRING | NUMBER, Slot::Created),
        is("timestamp", STRING | NUMBER, Slot::Created),
    ],
    &[],
);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("protocol", PROTOCOLS), ("kind", &[])], sure: false },
        Recognition { has: &[("kind", REASONING), ("payload", &[])], sure: false },
        Recognition { has: &[("kind", REASONING), ("from", &[])], sure: false },
        Recognition { has: &[("kind", REASONING), ("context", &[])], sure: false },
        Recognition { has: &[("kind", OTHERS), ("payload", &[])], sure: false },
        Recognition { has: &[("kind", &[]), ("payload", &[])], sure: true },
        Recognition { has: &[("envelope", &[]), ("event", &["received", "delivered", "rejected"])], sure: false },
        Recognition { has: &[("envelope", &[]), ("timestamp", &[])], sure: true },
    ],
    framed: Some(is_frame),
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "mew",
    aliases: &["meup"],
    about: "MEW/MEUP envelopes, and the gateway's history log of them",
    products: &[product("MEW")],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    write: Some(|spelling| Arc::new(Mew::new(spelling.seed))),
    properties: Some(&[BlockProperty::Blocks]),
    ..PLAIN
};
