//! Claude Code: the lines of its session files, and what `claude -p --output-format stream-json` writes.
//!
//! Found in the program's own files; not specified. A line wraps a message of the Anthropic API in the line's own data
//! (`uuid`, `parentUuid`, `sessionId`). One message of the API is spread over several lines, one block each, which
//! share its id. Later lines refer to earlier ones, so that no line may go: its content becomes empty.

use super::anthropic;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Follow, NUMBER, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each, is, one, pass, same,
    state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// A line.
static LINE: State = state(
    "line",
    &[
        is("type", STRING, Slot::Type),
        is("sessionId", STRING, Slot::Conversation),
        is("session_id", STRING, Slot::Conversation),
        is("agentId", STRING, Slot::SideChain),
        is("isSidechain", TRUE, Slot::SideChain),
        is("parent_tool_use_id", STRING, Slot::SideChain),
        is("isMeta", TRUE, Slot::NoTurn),
        one("message", Slot::Inner, &anthropic::MESSAGE),
        one("event", Slot::Inner, &anthropic::RECORD),
        pass("toolUseResult"),
        pass("tool_use_result"),
        pass("snapshot"),
        pass("usage"),
        pass("modelUsage"),
        is("uuid", STRING, Slot::Id),
        // The web version keeps the lines of a session in a list.
        each("loglines", Slot::List, &LINE),
        same("data", &PROGRESS),
        is("subtype", STRING, Slot::Subtype),
        is("result", STRING, Slot::Result),
        each("permission_denials", Slot::Denials, &DENIAL),
        one("attachment", Slot::Attachment, &ATTACHMENT),
        same("error", &FAULT),
        same("cause", &FAULT),
    ],
    &[
        sure(&[ty(&["assistant", "user"]), When::Has(Slot::Inner)], Does::Message),
        sure(&[ty(&["stream_event", "progress"]), When::Has(Slot::Inner)], Does::Envelope),
        sure(&[When::Has(Slot::List)], Does::Records),
        // Text of the user, or output of a tool or a hook.
        case(&[ty(&["queue-operation"])], Does::Quotes(&["content"])),
        case(&[ty(&["last-prompt"])], Does::Quotes(&["lastPrompt"])),
        case(&[ty(&["attachment"])], Does::Quotes(&[])),
        // The names of files.
        case(&[ty(&["file-history-snapshot"])], Does::Quotes(&[])),
        case(&[ty(&["progress"])], Does::Quotes(&["output", "fullOutput"])),
        case(&[ty(&["ai-title"])], Does::Quotes(&["aiTitle"])),
        case(&[ty(&["custom-title"])], Does::Quotes(&["customTitle"])),
        case(
            &[ty(&["system"]), When::Is(Slot::Subtype, &["hook_response"])],
            Does::Quotes(&["stdout", "stderr", "output"]),
        ),
        case(&[ty(&["system"]), When::Is(Slot::Subtype, &["task_notification"])], Does::Quotes(&["summary", "result"])),
        case(&[ty(&["system"]), When::Is(Slot::Subtype, &["api_error"])], Does::Quotes(&["message"])),
        case(&[ty(&["result"]), When::Has(Slot::Result)], Does::Answer),
        case(&[ty(&["result"])], Does::Quotes(&[])),
        case(&[ty(OTHERS)], Does::Nothing),
    ],
);

/// The data of a progress line of a tool: a line of a side chain.
static PROGRESS: State = state(
    "progress",
    &[
        one("message", Slot::Inner, &LINE),
        // The lines before it, once more.
        each("normalizedMessages", Slot::Inner, &LINE),
        is("prompt", STRING, Slot::System),
        is("agentId", STRING, Slot::SideChain),
    ],
    &[],
);

/// A call that the user has not allowed.
static DENIAL: State = state("denial", &[pass("tool_input")], &[]);

/// Attachments that the program adds to the conversation: files, and output of hooks.
static ATTACHMENT: State = state(
    "attachment",
    &[is("type", STRING, Slot::Type)],
    &[
        case(&[ty(&["file", "directory", "nested_memory", "skill_listing"])], Does::Quotes(&["content"])),
        case(&[ty(&["edited_text_file"])], Does::Quotes(&["snippet"])),
        case(&[ty(&["queued_command"])], Does::Quotes(&["prompt"])),
        case(&[ty(&["hook_*"])], Does::Quotes(&["content", "stdout", "stderr"])),
    ],
);

/// An error of the API: the program's object around the provider's.
static FAULT: State = state("error", &[same("error", &FAULT_IN)], &[]);
static FAULT_IN: State = state("error", &[same("error", &FAULT_INMOST)], &[]);
static FAULT_INMOST: State = state("error", &[], &[]);

/// The types of lines that hold no message.
const OTHERS: &[&str] = &[
    "result",
    "summary",
    "system",
    "progress",
    "queue-operation",
    "attachment",
    "last-prompt",
    "custom-title",
    "agent-name",
    "agent-color",
    "agent-setting",
    "ai-title",
    "attribution-snapshot",
    "content-replacement",
    "mode",
    "permission-mode",
    "pr-link",
    "rate_limit_event",
    "tag",
    "task-summary",
    "tool_progress",
    "worktree-state",
];

/// Where a line comes from. An answer of the API is known by its identifier with that of its request: a session that is
/// resumed begins with copies of earlier lines.
static ORIGIN: State = state(
    "origin",
    &[
        is("timestamp", STRING, Slot::Created),
        is("sessionId", STRING, Slot::Conversation),
        is("session_id", STRING, Slot::Conversation),
        is("cwd", STRING, Slot::Project),
        is("gitBranch", STRING, Slot::Branch),
        is("summary", STRING, Slot::Title).beside("type", &["summary"]),
        is("customTitle", STRING, Slot::Title),
        is("aiTitle", STRING, Slot::Title),
        is("requestId", STRING, Slot::IdPart),
        is("uuid", STRING, Slot::Id),
        is("agentId", STRING, Slot::SideChain),
        is("isSidechain", TRUE, Slot::SideChain),
        is("parent_tool_use_id", STRING, Slot::ResultOf),
        is("costUSD", NUMBER, Slot::Cost),
        is("total_cost_usd", NUMBER, Slot::TotalCost),
        same("message", &ORIGIN_OF_MESSAGE),
        same("event", &ORIGIN_OF_EVENT),
        same("data", &ORIGIN_OF_PROGRESS),
        each("loglines", Slot::List, &ORIGIN),
    ],
    &[],
);

static ORIGIN_OF_MESSAGE: State =
    state("origin", &[is("model", STRING, Slot::Model), is("id", STRING, Slot::IdPart)], &[]);
static ORIGIN_OF_EVENT: State = state("origin", &[same("message", &ORIGIN_OF_MESSAGE)], &[]);
static ORIGIN_OF_PROGRESS: State =
    state("origin", &[same("message", &ORIGIN), is("agentId", STRING, Slot::SideChain)], &[]);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", &["assistant", "user"]), ("message", &[]), ("sessionId", &[])], sure: false },
        Recognition { has: &[("type", &["assistant", "user"]), ("message", &[]), ("session_id", &[])], sure: false },
        Recognition { has: &[("type", &["assistant", "user"]), ("message", &[]), ("uuid", &[])], sure: false },
        Recognition {
            has: &[("type", &["assistant", "user"]), ("message", &[]), ("parent_tool_use_id", &[])],
            sure: false,
        },
        Recognition { has: &[("type", &["assistant", "user"]), ("message", &[]), ("timestamp", &[])], sure: false },
        Recognition { has: &[("type", &["stream_event"]), ("event", &[])], sure: false },
        Recognition { has: &[("type", OTHERS), ("sessionId", &[])], sure: false },
        Recognition { has: &[("type", &["file-history-snapshot"]), ("snapshot", &[])], sure: false },
        Recognition { has: &[("type", &["system", "result"]), ("subtype", &[]), ("session_id", &[])], sure: false },
        Recognition { has: &[("type", &["summary"]), ("leafUuid", &[])], sure: false },
        Recognition { has: &[("loglines", &[])], sure: true },
    ],
    log: true,
    follow: Follow { renumber: true, ..Follow::HOLE },
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "claude-code",
    aliases: &["claude-code-session", "stream-json"],
    kin: &["claudecli", "cc"],
    about: "Claude Code sessions and stream-json: lines that wrap Anthropic messages",
    products: &[
        product("Claude Code"),
        Product {
            signs: &[
                Sign::Members(&["/type", "/parent_tool_use_id", "/message"]),
                Sign::Members(&["/type=stream_event", "/event"]),
            ],
            examples: &[
                r#"{"type":"assistant","parent_tool_use_id":null,"message":{"role":"assistant","content":[]}}"#,
                r#"{"type":"stream_event","event":{"type":"message_stop"},"session_id":"s1"}"#,
            ],
            ..product("claude -p (stream-json)")
        },
        Product {
            signs: &[Sign::Members(&["/loglines/*/message"])],
            examples: &[r#"{"loglines":[{"type":"user","message":{"role":"user","content":"Will it rain?"}}]}"#],
            ..product("Claude Code on the web")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
