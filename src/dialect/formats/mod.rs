//! One file a format: its row, with everything that only this format has.

pub(super) mod anthropic;
pub(super) mod chat;
pub(super) mod claude_code;
pub(super) mod llxprt;
pub(super) mod mia;
pub(super) mod responses;
pub(super) mod sharegpt;
pub(super) mod text;
pub(super) mod thinking_block;
