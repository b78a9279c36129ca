//! Claude Code: the lines of its session files, and what `claude -p --output-format stream-json` writes.
//!
//! Seen in the program's own files; not specified. A line wraps a message of the Anthropic API in the line's own data
//! (`uuid`, `parentUuid`, `sessionId`). One message of the API is spread over several lines, one block each, which share
//! its id. Later lines point at earlier ones, so that no line may go: its content becomes empty.

use super::anthropic;
use crate::dialect::shape::{
    ANY, Does, Follow, Knows, LIST, STRING, Shape, Slot, State, TRUE, When, case, each, is, one, pass, same, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const fn ty(names: &'static [&'static str]) -> When {
    When::Type(names)
}

/// A line.
static LINE: State = State {
    name: "line",
    keys: &[
        is("type", STRING, Slot::Type),
        is("sessionId", STRING, Slot::Conversation),
        is("session_id", STRING, Slot::Conversation),
        is("agentId", STRING, Slot::SideChain),
        is("isSidechain", TRUE, Slot::SideChain),
        is("parent_tool_use_id", STRING, Slot::SideChain),
        is("isMeta", TRUE, Slot::Meta),
        one("message", Slot::Inner, &anthropic::MESSAGE),
        one("event", Slot::Inner, &anthropic::RECORD),
        pass("toolUseResult"),
        pass("tool_use_result"),
        pass("todos"),
        pass("thinkingMetadata"),
        pass("snapshot"),
        pass("usage"),
        pass("modelUsage"),
        is("uuid", STRING, Slot::Id),
        // The web version keeps the lines of a session in a list.
        each("loglines", Slot::List, &LINE),
        same("data", &PROGRESS),
        is("tools", LIST, Slot::Tools),
        is("summary", STRING, Slot::System),
        is("parentUuid", ANY, Slot::Parameter),
    ],
    cases: &[
        sure(&[ty(&["assistant", "user"]), When::Has(Slot::Inner)], Does::Message),
        sure(&[ty(&["stream_event", "progress"]), When::Has(Slot::Inner)], Does::Envelope),
        sure(&[When::Has(Slot::List)], Does::Records),
        case(&[ty(OTHERS)], Does::Nothing),
    ],
};

/// The data of a progress line of a tool: a line of a side chain.
static PROGRESS: State = State {
    name: "progress",
    keys: &[
        pass("type"),
        one("message", Slot::Inner, &LINE),
        is("prompt", STRING, Slot::System),
        is("agentId", STRING, Slot::SideChain),
    ],
    cases: &[],
};

/// The types of lines that hold no message.
const OTHERS: &[&str] = &[
    "result",
    "summary",
    "file-history-snapshot",
    "system",
    "progress",
    "queue-operation",
    "attachment",
    "last-prompt",
    "custom-title",
    "agent-name",
];

const SHAPE: Shape = Shape {
    record: &LINE,
    knows: &[
        Knows { has: &[("type", &["assistant", "user"]), ("message", &[]), ("sessionId", &[])], sure: false },
        Knows { has: &[("type", &["assistant", "user"]), ("message", &[]), ("session_id", &[])], sure: false },
        Knows { has: &[("type", &["assistant", "user"]), ("message", &[]), ("uuid", &[])], sure: false },
        Knows { has: &[("type", &["assistant", "user"]), ("message", &[]), ("parent_tool_use_id", &[])], sure: false },
        Knows { has: &[("type", &["assistant", "user"]), ("message", &[]), ("timestamp", &[])], sure: false },
        Knows { has: &[("type", &["stream_event"]), ("event", &[])], sure: false },
        Knows { has: &[("type", OTHERS), ("sessionId", &[])], sure: false },
        Knows { has: &[("type", &["file-history-snapshot"]), ("snapshot", &[])], sure: false },
        Knows { has: &[("type", &["system", "result"]), ("subtype", &[]), ("session_id", &[])], sure: false },
        Knows { has: &[("type", &["summary"]), ("leafUuid", &[])], sure: false },
        Knows { has: &[("loglines", &[])], sure: true },
    ],
    keys: &[],
    kinds: &[],
    signs: &[],
    stops: &[],
    used: &[],
    follow: Follow::Close,
    items: false,
    log: true,
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "claude-code",
    aliases: &["claude-code-session", "stream-json"],
    about: "Claude Code sessions and stream-json: lines that wrap Anthropic messages",
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
