//! placeholder
pub mod dialect;
pub mod engine;
pub mod error;
pub mod frame;
pub mod inline;
pub mod json;
pub mod model;
pub mod out;
pub mod pass;
pub mod span;
