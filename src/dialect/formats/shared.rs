//! Words that several formats share: for roles, for keys of texts and of counts.

mod calls;
mod deep;
mod error;
mod keys;
mod metadata;
mod origin;
mod usage;

pub(in crate::dialect) use calls::CALL;
pub(in crate::dialect) use deep::{
    block_numbers, call_text, deep_blocks, deep_literals, deep_text, is_call, is_sealed, names_call,
};
pub(in crate::dialect) use error::{ERROR, failure_in, provider_error};
pub(in crate::dialect) use keys::{Holds, holds};
pub(in crate::dialect) use metadata::{PROVIDER_METADATA, PROVIDER_SEALS};
pub(in crate::dialect) use origin::{ORIGIN, ORIGIN_OF_USAGE};
pub(in crate::dialect) use usage::logged;

use crate::dialect::read::Entry;
use crate::json::scan::validate;
use crate::json::{Scanner, Token};
use crate::model::Role;
use crate::model::content::Stop;

/// The stop reasons of the chat family, which others have taken over.
pub(in crate::dialect) const FINISH_REASONS: &[(&str, Stop)] = &[
    ("stop", Stop::End),
    ("tool_calls", Stop::Calls),
    ("function_call", Stop::Calls),
    ("length", Stop::Length),
    ("model_length", Stop::Length),
    ("content_filter", Stop::Filter),
    ("error", Stop::Error),
];

/// The column of a table that says whose a text is.
pub(in crate::dialect) const ROLE: &str = "role";

/// The role with this name, if it is known.
pub(in crate::dialect) fn role(name: &[u8]) -> Option<Role> {
    Some(match name {
        b"assistant" | b"model" | b"ai" | b"assistant.message" | b"assistant.reasoning" => Role::Assistant,
        b"user" | b"human" | b"user_input" | b"user.message" => Role::User,
        b"system" | b"developer" | b"system.message" | b"_system_prompt" => Role::System,
        b"tool" | b"function" | b"function_response" | b"toolResult" | b"ipython" | b"environment" | b"observation" => {
            Role::Tool
        }
        _ => return None,
    })
}

/// The author in the header of a message of Harmony, if that says more than its role: a tool, or the developer.
pub(in crate::dialect) fn author(header: &[u8]) -> Option<&[u8]> {
    let name = header.strip_prefix(b"<|start|>")?;
    let name = &name[..name.iter().position(|b| matches!(b, b'<' | b' ')).unwrap_or(name.len())];
    (!matches!(name, b"" | b"tool" | b"system" | b"user" | b"assistant")).then_some(name)
}

/// Whether a member of a call is what Google has signed it with: no other provider demands the signature of a call back. Gateways
/// keep objects of their own there, which no API takes.
pub(in crate::dialect) fn signs_call(record: &[u8], entry: &Entry) -> bool {
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_' | b'=');
    let named = ["thoughtSignature", "thought_signature"].iter().any(|name| entry.key.is(record, name));
    named && entry.literal().is_some_and(|seal| seal.start < seal.end && seal.raw(record).iter().all(base64))
}

/// Whether the value that begins at `start` says nothing: no string with text, no number, and no `true` in it. Clients
/// record members that they did not get as objects of empty values.
pub(in crate::dialect) fn is_blank(record: &[u8], start: usize) -> bool {
    let mut s = Scanner::within(record, start);
    let outside = s.depth();
    loop {
        match s.token() {
            Ok(Token::String(word)) if word.start < word.end => return false,
            Ok(Token::Number | Token::True) => return false,
            Ok(Token::End) | Err(_) => return true,
            Ok(_) if s.depth() <= outside => return true,
            Ok(_) => (),
        }
    }
}

/// A list in a text: a column of a dataset has one type, and lists of tools are of many.
pub(in crate::dialect) fn list_in(text: &[u8]) -> Option<Vec<u8>> {
    let list = text.trim_ascii();
    (list.starts_with(b"[") && validate(list).is_ok()).then(|| list.to_vec())
}
