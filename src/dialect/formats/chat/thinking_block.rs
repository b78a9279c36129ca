//! The neutral ThinkingBlock, `{"type":"thinking","thought":…,"sourceField"?,"signature"?,"isHidden"?}`, in the
//! `content` or `blocks` of a message (behaviour.md, section 1), as LLXPRT's `IContent` has it:
//! `{"speaker","blocks",…}`.
//!
//! Specified by LLXPRT's `IContent.ts`. A line `{"chunks":[…]}` of its test recordings is one streamed response.

mod write;

pub(in crate::dialect) use write::ThinkingBlockWriter;
pub(super) use write::{blocks_of, thinking};

use super::row::Guest;
use super::rows::BLOCKS;
use crate::dialect::product::product;
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::BlockProperty;

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "thinking-block",
    aliases: &["llxprt", "icontent"],
    about: "messages with ThinkingBlocks in their content or blocks (LLXPRT's IContent)",
    products: &[product("LLXPRT messages")],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    family: Some(Guest { row: BLOCKS, native: &["text", "tool_call", "tool_response", "media", "code"] }),
    write: Some(|_| std::sync::Arc::new(ThinkingBlockWriter)),
    properties: Some(&[
        BlockProperty::Blocks,
        BlockProperty::SourceField,
        BlockProperty::Signature,
        BlockProperty::Hidden,
        BlockProperty::Encrypted,
        BlockProperty::Empty,
    ]),
    ..PLAIN
};
