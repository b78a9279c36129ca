//! Codex: the rollout files of its sessions, and what `codex exec --json` writes.
//!
//! Found in the program's own code (`codex-rs/rollout`, `codex-rs/exec`); not specified. A line wraps an item of the
//! Responses API or an event of the program. The same reasoning stands in two to four records: in the item, in events
//! with its summary and its raw text, and in the event of the completed item. It goes from all, and is told once.

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

static ITEM_SUMMARY: State = state("summary", &[], &[]).or_string(Does::Block(Kind::Reasoning(ITEM_COPY)));
static ITEM_RAW: State = state("raw text", &[], &[]).or_string(Does::Block(Kind::Reasoning(RAW_ITEM_COPY)));

/// The item in an event of the program, and in a line of `codex exec --json`.
static EVENT_ITEM: State = state(
    "item",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        each("summary_text", Slot::Summary, &ITEM_SUMMARY),
        each("raw_content", Slot::List, &ITEM_RAW),
        pass("status"),
    ],
    &[
        sure(&[ty(&["reasoning"]), When::Has(Slot::Text)], Does::Block(Kind::Reasoning(SUMMARY))),
        sure(&[ty(&["Reasoning", "reasoning"])], Does::Block(Kind::Reasoning(ITEM_COPY))),
        sure(&[ty(&["agent_message"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        case(&[When::Has(Slot::Type)], Does::Nothing),
    ],
);

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
        sure(&[ty(&["compaction", "context_compaction"])], Does::Block(Kind::Sealed("compaction"))),
        sure(&[ty(&["item_*"]), When::Has(Slot::Inner)], Does::Envelope),
        case(&[ty(&["user_message"])], Does::Quotes(&["message"])),
        case(&[When::Under(Slot::List, "replacement_history")], Does::Request),
        case(&[], Does::Nothing),
    ],
);

static LINE: State = state(
    "line",
    &[
        is("type", STRING, Slot::Type),
        pass("timestamp"),
        pass("ordinal"),
        one("payload", Slot::Inner, &PAYLOAD),
        one("item", Slot::Inner, &EVENT_ITEM),
    ],
    &[
        sure(&[ty(RECORDED), When::Under(Slot::Inner, "payload")], Does::Envelope),
        sure(&[ty(&["item.*"]), When::Under(Slot::Inner, "item")], Does::Envelope),
        case(&[ty(PROGRESS)], Does::Nothing),
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
    aliases: &["codex-rollout", "codex-exec"],
    about: "Codex: rollout files of sessions, and the lines of codex exec --json",
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
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
