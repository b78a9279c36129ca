//! All integration tests, in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "these are tests")]

mod cases;
mod cli;
mod convert;
mod llxprt;
mod matrix;
mod postproc;
mod random;
mod readme;
mod requirements;
mod settings;
mod shared;
mod support;
mod surface;
mod tally;
mod tidy;
mod tokens;
