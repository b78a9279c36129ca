//! All integration tests, in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "these are tests")]

mod any;
mod cases;
mod check;
mod cli;
mod convert;
mod convert_odd;
mod convert_stream;
mod delegations;
mod flow;
mod formats;
mod front;
mod harmony;
mod in_place;
mod input;
mod llxprt;
mod matrix;
mod mia;
mod postproc;
mod postproc_laws;
mod random;
mod readme;
mod recognition;
mod requirements;
mod rules;
mod settings;
mod shared;
mod support;
mod surface;
mod tagfile;
mod tally;
mod tidy;
mod tokens;
mod trust;
mod units;
mod vectors;
