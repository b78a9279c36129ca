//! Words that several formats share: for roles, for keys of texts and of counts.

mod deep;
mod usage;

pub(in crate::dialect) use deep::{call_text, deep_literals, deep_text, is_sealed, names_call};
pub(in crate::dialect) use usage::logged;

use crate::model::Role;

/// The role with this name, if it is known.
pub(in crate::dialect) fn role(name: &[u8]) -> Option<Role> {
    Some(match name {
        b"assistant" | b"model" | b"ai" => Role::Assistant,
        b"user" | b"human" => Role::User,
        b"system" | b"developer" => Role::System,
        b"tool" | b"function" | b"function_response" | b"ipython" | b"environment" | b"observation" => Role::Tool,
        _ => return None,
    })
}
