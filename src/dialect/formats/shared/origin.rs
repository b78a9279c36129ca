//! Where an answer comes from, under the keys that OpenAI's API has for it, and others have taken over.

use crate::dialect::shape::{NUMBER, STRING, Slot, State, is, same, state};

/// A response, or a record around one.
pub(in crate::dialect) static ORIGIN: State = state(
    "origin",
    &[
        is("model", STRING, Slot::Model),
        is("created_at", STRING | NUMBER, Slot::Created),
        same("response", &ORIGIN),
        same("body", &ORIGIN),
    ],
    &[],
);
