//! Where an answer comes from, under the keys that OpenAI's API has for it, and others have taken over.

use crate::dialect::shape::{NUMBER, STRING, Slot, State, is, same, state};

/// A response, or a record around one.
pub(in crate::dialect) static ORIGIN: State = state(
    "origin",
    &[
        is("model", STRING, Slot::Model),
        is("created_at", STRING | NUMBER, Slot::Created),
        same("usage", &ORIGIN_OF_USAGE),
        same("response", &ORIGIN),
        same("body", &ORIGIN),
    ],
    &[],
);

/// The token usage of an answer. Not of OpenAI: OpenRouter says there what the answer has cost.
pub(in crate::dialect) static ORIGIN_OF_USAGE: State = state("origin", &[is("cost", NUMBER, Slot::Cost)], &[]);
