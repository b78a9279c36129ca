//! An empty reasoning in messages with calls of tools, for services that refuse such a message without one.

use super::Context;
use super::chat::{is_named, member};
use super::parsed::ParsedMessage;
use super::plan::{Members, Plan};
use crate::dialect::draft::Draft;

/// Adds the field with an empty text to a message of the assistant that has calls, and no reasoning. One that is null
/// counts as missing.
pub(super) fn fill(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    key: &'static str,
    members: &mut Members<'_>,
    plan: &mut Plan,
) {
    let record = context.body.text;
    let named = |i: &usize| is_named(record, draft, *i, key);
    if !draft.has.tool || !draft.is_model() {
        return;
    }
    let empty = member(&members.style, key, Vec::new());
    match (0..draft.members.list.len()).find(named).or_else(|| parsed.voids.first().copied()) {
        Some(i) if parsed.voids.contains(&i) => members.put(i, empty),
        Some(_) => (),
        None => members.insert(parsed.content, empty, context.body, plan),
    }
}
