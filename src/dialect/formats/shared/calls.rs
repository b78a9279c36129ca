//! Calls of tools as the chat family has them, in formats that have taken them over: the name and the arguments stand in an object
//! of their own, the arguments as a string.

use crate::dialect::shape::{Does, Kind, STRING, Slot, State, When, case, is, same, state};

static FUNCTION: State =
    state("function", &[is("name", STRING, Slot::Name), is("arguments", STRING, Slot::Arguments)], &[]);

/// A call in a list of calls.
pub(in crate::dialect) static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), same("function", &FUNCTION)],
    &[case(&[When::Has(Slot::CallId)], Does::Block(Kind::Call))],
);
