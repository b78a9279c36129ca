//! Events of a response that is streamed.

use crate::dialect::formats::write::*;
use crate::model::SUMMARY;
use crate::model::content::{Attribute, Block, ContentKind, Streamed, Values};

/// The members of a block that events feeding it need.
pub(super) fn head(block: &Block) -> Block {
    let free = block.facts.iter().filter(|(name, _)| *name == Attribute::Free).cloned();
    Block { facts: free.collect(), ..block.clone_head() }
}

/// The names of the event that feeds a block and of the one that repeats it.
pub(super) fn names(block: &Block) -> (&'static str, &'static str) {
    match block.kind {
        ContentKind::Text => ("response.output_text.delta", "response.output_text.done"),
        ContentKind::Reasoning if block.source == SUMMARY => {
            ("response.reasoning_summary_text.delta", "response.reasoning_summary_text.done")
        }
        ContentKind::Reasoning => ("response.reasoning_text.delta", "response.reasoning_text.done"),
        ContentKind::Other(_) if is_free(block) => {
            ("response.custom_tool_call_input.delta", "response.custom_tool_call_input.done")
        }
        ContentKind::Other(_) => ("response.function_call_arguments.delta", "response.function_call_arguments.done"),
    }
}

pub(super) fn numbered(json: Json, number: usize) -> Json {
    json.raw("output_index", number.to_string().as_bytes())
}

/// Adds the members that identify the item and the part of an event.
pub(super) fn piece(json: Json, block: &Block, place: ItemPlace) -> Json {
    let json = numbered(json.some("item_id", place.id(prefix(block)).as_deref()), place.number);
    match block.kind {
        ContentKind::Other(_) => json,
        ContentKind::Reasoning if block.source == SUMMARY => json.raw("summary_index", b"0"),
        _ => json.raw("content_index", b"0"),
    }
}

/// Writes an event with its number.
pub(super) fn event(stream: &mut Streamed, name: &'static str, members: impl FnOnce(Json) -> Json, out: &mut Values) {
    let json = Json::object_for(192).word("type", name);
    let json = json.raw("sequence_number", stream.sequence.to_string().as_bytes());
    stream.sequence += 1;
    out.push((name, members(json).end()));
}

/// Identifies an item: its response and its number. Items of a request get no identifiers: these would refer to items
/// that the provider keeps.
#[derive(Clone, Copy)]
pub(super) struct ItemPlace {
    pub serial: u64,
    pub number: usize,
    pub output: bool,
}

impl ItemPlace {
    pub fn id(self, kind: &str) -> Option<Vec<u8>> {
        self.output.then(|| format!("\"{kind}_{}_{}\"", self.serial, self.number).into_bytes())
    }
}

/// The prefix of an item's identifiers.
pub(super) fn prefix(block: &Block) -> &'static str {
    match block.kind {
        ContentKind::Text => "msg",
        ContentKind::Reasoning => "rs",
        ContentKind::Other(_) if is_free(block) => "ctc",
        ContentKind::Other(_) => "fc",
    }
}
