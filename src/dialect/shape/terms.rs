//! Short constructors for the shapes of formats, and how the words of a record are matched with them.

use super::{
    ANEW, ANY, Case, Does, Key, LIST, NONE, NUMBER, OBJECT, PairWords, Rows, STRING, Slot, State, TRUE, To, When,
};
use crate::json::Token;
use std::sync::OnceLock;

/// A state with these keys, whose nodes mean what the first of these cases says.
pub const fn state(name: &'static str, keys: &'static [Key], cases: &'static [Case]) -> State {
    State {
        name,
        keys,
        include: &[],
        cases,
        string: None,
        nested: false,
        paths: false,
        tables: [const { OnceLock::new() }; 2],
    }
}

const fn key(name: &'static str, json: u8, to: To) -> Key {
    Key { name, json, to, beside: None, rows: !ANEW, anew: false }
}

/// A key that fills a slot.
pub const fn is(name: &'static str, json: u8, slot: Slot) -> Key {
    key(name, json, To::Is(slot))
}

/// A key whose object has members of the same node.
pub const fn same(name: &'static str, state: &'static State) -> Key {
    key(name, OBJECT, To::Same(state))
}

/// A key whose list has objects with members of the same node.
pub const fn flat(name: &'static str, state: &'static State) -> Key {
    key(name, LIST, To::Same(state))
}

/// A key whose object has members of the same node, and fills a slot itself.
pub const fn into(name: &'static str, slot: Slot, state: &'static State) -> Key {
    key(name, OBJECT, To::Into(slot, state))
}

/// A key whose object is a node.
pub const fn one(name: &'static str, slot: Slot, state: &'static State) -> Key {
    key(name, OBJECT, To::One(slot, state))
}

/// A key whose string is a node: its text, with the meaning that strings have in this state.
pub const fn text(name: &'static str, slot: Slot, state: &'static State) -> Key {
    key(name, STRING, To::One(slot, state))
}

/// A key whose object is a node: in the first state if it has a role there, else in the second.
pub const fn either(name: &'static str, slot: Slot, with_role: &'static State, without: &'static State) -> Key {
    key(name, OBJECT, To::Either(slot, with_role, without))
}

/// A key whose list holds nodes.
pub const fn each(name: &'static str, slot: Slot, state: &'static State) -> Key {
    key(name, LIST, To::Each(slot, state))
}

/// A key whose list has the members of the same node, as pairs in these words.
pub const fn pairs(name: &'static str, words: &'static PairWords, state: &'static State) -> Key {
    key(name, LIST, To::Pairs(words, state))
}

/// A key whose value is a record of any format, or a list of such records.
pub const fn record(name: &'static str) -> Key {
    key(name, OBJECT | LIST, To::Record)
}

/// The same as text: a string that holds JSON. Any other string is searched.
pub const fn json(name: &'static str) -> Key {
    key(name, STRING, To::Record)
}

/// A key whose value is ignored.
pub const fn pass(name: &'static str) -> Key {
    key(name, ANY, To::Pass)
}

/// A key whose string is ignored: another author has written it. Any other value is searched.
pub const fn others(name: &'static str) -> Key {
    key(name, STRING, To::Pass)
}

/// A key whose value is ignored, and lost in other formats.
pub const fn lost(name: &'static str) -> Key {
    key(name, ANY, To::Lost)
}

/// A key whose value is searched, and lost in other formats.
pub const fn search(name: &'static str) -> Key {
    key(name, ANY, To::Search)
}

/// A case for nodes that other formats have, too.
pub const fn case(when: &'static [When], does: Does) -> Case {
    Case { when, does, sure: false, rows: !ANEW }
}

impl Case {
    /// Of these rows only.
    pub const fn of(mut self, rows: Rows) -> Self {
        self.rows = rows;
        self
    }
}

/// A case for nodes that only this format has.
pub const fn sure(when: &'static [When], does: Does) -> Case {
    Case { when, does, sure: true, rows: !ANEW }
}

/// A condition on the type of a node: that it fits one of these patterns.
pub const fn ty(patterns: &'static [&'static str]) -> When {
    When::Type(patterns)
}

/// The bit of a value's type, from its first token.
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

/// Whether a word fits one of these patterns: `*` at the end stands for any end, at the start for any beginning.
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
