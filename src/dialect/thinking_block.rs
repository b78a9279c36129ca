//! The neutral ThinkingBlock, `{"type":"thinking","thought":…,"sourceField"?,"signature"?,"isHidden"?}`, in the
//! `content` or `blocks` of a message (SPEC section 1), as LLXPRT's `IContent` has it.

use super::{Dialect, common};
use crate::frame::Framing;

pub(super) const ROW: Dialect = Dialect {
    name: "thinking-block",
    aliases: &["llxprt", "icontent"],
    about: "messages with ThinkingBlocks in their content or blocks",
    framings: &[Framing::Jsonl, Framing::Json],
    lists: &["messages", "history"],
    roles: &["role", "speaker"],
    contents: &["content", "blocks"],
    fields: &[common("thought", "copy of thought"), common("thinking", "copy of thinking")],
    containers: &[],
    parts: &["thinking", "redacted_thinking"],
    choices: false,
};
