//! Codex: the rollout files of its sessions, and what `codex exec --json` and `codex proto` write.
//!
//! Found in the program's own code (`codex-rs/rollout`, `codex-rs/exec`); not specified. A line wraps an item of the
//! Responses API or an event of the program. The same reasoning stands in two to four records: in the item, in events
//! with its summary and its raw text, and in the event of the completed item. It goes from all, and is told once. Before
//! it had items, the program wrote its events alone, each in a line with the number of what was asked: pieces of
//! reasoning, and then all of it.

use super::responses::{ITEM, TEXT};
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Follow, Kind, LIST, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, is, one,
    pass, search, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::{SUMMARY, Source};

/// The sources of reasoning that events have, too: each is compared with the others as a whole.
const COPY: Source = "copy of summary";
const ITEM_COPY: Source = "copy of the item";
const RAW_COPY: Source = "copy of reasoning_text";
const RAW_ITEM_COPY: Source = "copy of the item's reasoning_text";
const PIECES: Source = "pieces of summary";
const RAW_PIECES: Source = "pieces of reasoning_text";
const ITEM_PIECES: Source = "pieces of the item";
const RAW_ITEM_PIECES: Source = "pieces of the item's reasoning_text";

/// Where the event at the end of a command has what that wrote.
const OUTPUT: &[&str] = &["stdout", "stderr", "aggregated_output", "formatted_output"];

static ITEM_SUMMARY: State = state("summary", &[], &[]).or_string(Does::Block(Kind::Reasoning(ITEM_COPY)));
static ITEM_RAW: State = state("raw text", &[], &[]).or_string(Does::Block(Kind::Reasoning(RAW_ITEM_COPY)));

/// The item in an event of the program, and in a line of `codex exec --json`.
static EVENT_ITEM: State = state(
    "item",
    &[
        is("type", STRING, Slot::Type),
        // So it was called before October 2025.
        is("item_type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        each("summary_text", Slot::Summary, &ITEM_SUMMARY),
        each("raw_content", Slot::List, &ITEM_RAW),
        pass("status"),
        is("aggregated_output", STRING, Slot::Result),
    ],
    &[
        sure(&[ty(&["reasoning"]), When::Has(Slot::Text)], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["Reasoning", "reasoning"])], Does::Block(Kind::Reasoning(ITEM_COPY))),
        sure(&[ty(&["agent_message", "assistant_message"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        case(&[ty(TOOLS)], Does::Block(Kind::Hosted)),
        case(&[When::Has(Slot::Type)], Does::Nothing),
    ],
);

/// Items that are what a tool did, its call and its result.
const TOOLS: &[&str] = &["command_execution", "file_change", "mcp_tool_call", "web_search"];

/// What a line holds: an item of the Responses API, an event, or the history that a compaction leaves.
static PAYLOAD: State = state(
    "payload",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        one("item", Slot::Inner, &EVENT_ITEM),
        each("replacement_history", Slot::List, &ITEM),
        // An item.
        is("id", STRING, Slot::Id),
        is("role", STRING, Slot::Role),
        each("summary", Slot::Summary, &TEXT),
        each("content", Slot::List, &TEXT),
        is("encrypted_content", STRING, Slot::Ciphertext),
        is("call_id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("arguments", STRING, Slot::Arguments),
        is("input", STRING, Slot::Input),
        is("output", ANY, Slot::Result),
        is("action", OBJECT | LIST, Slot::Arguments),
        is("phase", STRING, Slot::Phase),
        pass("status"),
        search("metadata"),
        pass("internal_chat_message_metadata_passthrough"),
    ],
    &[
        sure(&[ty(&["reasoning"])], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["agent_reasoning_raw_content*"])], Does::Block(Kind::Reasoning(RAW_COPY))),
        sure(&[ty(&["agent_reasoning"])], Does::Block(Kind::Reasoning(COPY))),
        sure(&[ty(&["agent_reasoning*"]), When::Has(Slot::Text)], Does::Block(Kind::Reasoning(COPY))),
        sure(&[ty(&["message"]), When::Has(Slot::Role)], Does::Block(Kind::Message)),
        sure(&[ty(&["*_call_output"]), When::Has(Slot::CallId)], Does::Block(Kind::Result)),
        sure(&[ty(&["function_call", "custom_tool_call", "local_shell_call"])], Does::Block(Kind::Call)),
        sure(&[ty(&["*_call"])], Does::Block(Kind::Hosted)),
        sure(
            &[ty(&["compaction", "compaction_summary", "context_compaction"])],
            Does::Block(Kind::Sealed("compaction")),
        ),
        sure(&[ty(&["item_*"]), When::Has(Slot::Inner)], Does::Envelope),
        case(&[ty(&["user_message"])], Does::Quotes(&["message"])),
        case(&[ty(&["exec_command_end"])], Does::Quotes(OUTPUT)),
        case(&[When::Under(Slot::List, "replacement_history")], Does::Request),
        case(&[], Does::Nothing),
    ],
);

/// An event of the program in a line of its own, where no line has items. Each says all of a part of the message, and is
/// a block; its pieces come before, and are a source of their own.
static EVENT: State = state(
    "event",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("delta", STRING, Slot::Text),
        is("message", STRING, Slot::Text).beside("type", &["agent_message"]),
        is("last_agent_message", STRING, Slot::Text),
        one("item", Slot::Inner, &EVENT_ITEM),
    ],
    &[
        sure(&[ty(&["agent_reasoning_delta"])], Does::Feed(Some(Kind::Reasoning(PIECES)))),
        sure(&[ty(&["agent_reasoning_raw_content_delta"])], Does::Feed(Some(Kind::Reasoning(RAW_PIECES)))),
        sure(&[ty(&["reasoning_content_delta"])], Does::Feed(Some(Kind::Reasoning(ITEM_PIECES)))),
        sure(&[ty(&["reasoning_raw_content_delta"])], Does::Feed(Some(Kind::Reasoning(RAW_ITEM_PIECES)))),
        sure(&[ty(&["item_*"]), When::Has(Slot::Inner)], Does::Open),
        sure(&[ty(&["agent_reasoning"])], Does::OpenAs(Kind::Reasoning(COPY))),
        sure(&[ty(&["agent_reasoning_raw_content"])], Does::OpenAs(Kind::Reasoning(RAW_COPY))),
        // It stands before the pieces of a part.
        sure(&[ty(&["agent_reasoning_section_break"])], Does::OpenAs(Kind::Reasoning(PIECES))),
        sure(&[ty(&["agent_message"]), When::Has(Slot::Text)], Does::OpenAs(Kind::Text)),
        sure(&[ty(&["task_complete"])], Does::EndWith),
        case(&[ty(&["user_message"])], Does::Quotes(&["message"])),
        case(&[ty(&["exec_command_end"])], Does::Quotes(OUTPUT)),
        sure(&[ty(EVENTS)], Does::Nothing),
    ],
);

/// The types of such events that say nothing of the model, or say it once more in pieces.
const EVENTS: &[&str] = &[
    "session_configured",
    "task_started",
    "token_count",
    "agent_message_delta",
    "agent_message_content_delta",
    "exec_*",
    "mcp_*",
    "patch_apply_*",
    "apply_patch_*",
    "turn_*",
    "web_search_*",
    "background_event",
    "plan_update",
    "stream_error",
    "error",
    "shutdown_complete",
];

static LINE: State = state(
    "line",
    &[
        is("type", STRING, Slot::Type),
        one("msg", Slot::Inner, &EVENT).beside("id", &[]),
        pass("timestamp"),
        pass("ordinal"),
        is("usage", OBJECT, Slot::Usage).beside("type", &["turn.completed"]),
        search("error"),
        one("payload", Slot::Inner, &PAYLOAD),
        one("item", Slot::Inner, &EVENT_ITEM),
    ],
    &[
        sure(&[ty(RECORDED), When::Under(Slot::Inner, "payload")], Does::Envelope),
        sure(&[ty(&["item.*"]), When::Under(Slot::Inner, "item")], Does::Envelope),
        case(&[ty(&["turn.completed", "turn.failed"])], Does::End),
        case(&[ty(PROGRESS)], Does::Nothing),
        sure(&[When::Under(Slot::Inner, "msg"), When::Lacks(Slot::Type)], Does::Envelope),
    ],
);

/// The types of lines of `codex exec --json` without an item.
const PROGRESS: &[&str] = &["thread.started", "turn.started", "turn.completed", "turn.failed"];

/// The types of lines in a rollout file.
const RECORDED: &[&str] = &["session_meta", "response_item", "event_msg", "turn_context", "compacted"];

/// Where a line comes from: the first line of a session, and one at the start of each turn, say it for those behind them.
static ORIGIN: State = state(
    "origin",
    &[
        is("timestamp", STRING, Slot::Created),
        one("payload", Slot::Inner, &ORIGIN_OF_SESSION).beside("type", &["session_meta"]),
        one("payload", Slot::Inner, &ORIGIN_OF_TURN).beside("type", &["turn_context"]),
    ],
    &[],
);

static ORIGIN_OF_SESSION: State = state(
    "origin",
    &[
        is("id", STRING, Slot::Conversation),
        is("cwd", STRING, Slot::Project),
        one("git", Slot::Inner, &ORIGIN_OF_BRANCH),
    ],
    &[],
);
static ORIGIN_OF_BRANCH: State = state("origin", &[is("branch", STRING, Slot::Branch)], &[]);
static ORIGIN_OF_TURN: State =
    state("origin", &[is("model", STRING, Slot::Model), is("cwd", STRING, Slot::Project)], &[]);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", RECORDED), ("payload", &[])], sure: true },
        Recognition { has: &[("type", &["item.*"]), ("item", &[])], sure: true },
        Recognition { has: &[("type", PROGRESS)], sure: false },
        Recognition { has: &[("id", &[]), ("msg", &[])], sure: true },
    ],
    kinds: &["agent_reasoning", "agent_reasoning_raw_content"],
    follow: Follow { drop_ids: true, ..Follow::HOLE },
    items: true,
    retold: true,
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "codex",
    aliases: &["codex-rollout", "codex-exec", "codex-proto"],
    about: "Codex: rollout files of sessions, and the lines of codex exec --json and codex proto",
    products: &[
        product("Codex"),
        Product {
            signs: &[Sign::Members(&["/type=thread.started"]), Sign::Members(&["/type=item.*", "/item/type"])],
            examples: &[
                r#"{"type":"thread.started","thread_id":"t1"}"#,
                r#"{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"By noon."}}"#,
            ],
            ..product("codex exec")
        },
        Product {
            signs: &[
                Sign::Members(&["/id", "/msg/type=agent_*"]),
                Sign::Members(&["/id", "/msg/type=task_*"]),
                Sign::Members(&["/id", "/msg/type=session_configured"]),
            ],
            examples: &[r#"{"id":"1","msg":{"type":"agent_message","message":"By noon."}}"#],
            ..product("Codex before its items (exec --json, proto)")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
