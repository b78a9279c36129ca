//! What LLXPRT writes to disk around its messages: session recordings, checkpoints, and the conversation log.
//!
//! Specified by LLXPRT's `recording` package (session lines `{"v","seq","ts","type","payload"}`), its checkpoint files
//! (`{"history":[…]}` or a bare array, in the shape of Gemini's API: `{"role","parts":[…]}`), and its conversation log
//! (`{"timestamp","type","provider","messages"|"response"|"tool"}`).

use super::row::Guest;
use super::rows;
use crate::dialect::product::product;
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

pub(in crate::dialect) const SESSION_ROW: Dialect = Dialect {
    name: "llxprt-session",
    about: "LLXPRT session recordings: lines with a payload that holds a message",
    products: &[product("LLXPRT session")],
    framings: &[Framing::Jsonl, Framing::Json],
    family: Some(Guest { row: rows::SESSION, native: &[] }),
    ..PLAIN
};

pub(in crate::dialect) const CHECKPOINT_ROW: Dialect = Dialect {
    name: "llxprt-checkpoint",
    about: "LLXPRT checkpoints: a history in the shape of Gemini's API, with thought parts",
    products: &[product("LLXPRT checkpoint")],
    framings: &[Framing::Jsonl, Framing::Json],
    family: Some(Guest { row: rows::CHECKPOINT, native: &[] }),
    ..PLAIN
};

pub(in crate::dialect) const LOG_ROW: Dialect = Dialect {
    name: "llxprt-log",
    about: "LLXPRT conversation logs: requests with messages, and responses",
    products: &[product("LLXPRT log")],
    framings: &[Framing::Jsonl, Framing::Json],
    family: Some(Guest { row: rows::LOG, native: &[] }),
    ..PLAIN
};
