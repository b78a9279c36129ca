//! The terms in which a format is written down, and how the words of a record are compared with them.

use super::{ANY, Case, Does, Key, LIST, NONE, NUMBER, OBJECT, STRING, Slot, State, TRUE, To, When};
use crate::json::Token;

/// A key that fills a slot.
pub const fn is(name: &'static str, json: u8, slot: Slot) -> Key {
    Key { name, json, to: To::Is(slot) }
}

/// A key with an object whose members belong to the same node.
pub const fn same(name: &'static str, state: &'static State) -> Key {
    Key { name, json: OBJECT, to: To::Same(state) }
}

/// A key with an object that is a node.
pub const fn one(name: &'static str, slot: Slot, state: &'static State) -> Key {
    Key { name, json: OBJECT, to: To::One(slot, state) }
}

/// A key with a list of nodes.
pub const fn each(name: &'static str, slot: Slot, state: &'static State) -> Key {
    Key { name, json: LIST, to: To::Each(slot, state) }
}

/// A key that is never looked at.
pub const fn pass(name: &'static str) -> Key {
    Key { name, json: ANY, to: To::Pass }
}

/// A key that is never looked at, of a member that no other format has.
pub const fn lost(name: &'static str) -> Key {
    Key { name, json: ANY, to: To::Lost }
}

/// A key that is searched, of a member that no other format has.
pub const fn search(name: &'static str) -> Key {
    Key { name, json: ANY, to: To::Search }
}

/// A case that other formats have, too.
pub const fn case(when: &'static [When], does: Does) -> Case {
    Case { when, does, sure: false }
}

/// A case that only this format has.
pub const fn sure(when: &'static [When], does: Does) -> Case {
    Case { when, does, sure: true }
}

/// The bit of the type of a value.
pub fn bit(token: Token) -> u8 {
    match token {
        Token::String(_) => STRING,
        Token::ObjectStart => OBJECT,
        Token::ArrayStart => LIST,
        Token::Number => NUMBER,
        Token::True => TRUE,
        _ => NONE,
    }
}

/// Whether a word is one of these patterns: `*` at the end stands for any end, at the start for any beginning.
pub fn matches(word: &[u8], patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| {
        let pattern = pattern.as_bytes();
        match (pattern.strip_suffix(b"*"), pattern.strip_prefix(b"*")) {
            (Some(start), _) => word.starts_with(start),
            (None, Some(end)) => word.ends_with(end),
            (None, None) => word == pattern,
        }
    })
}
