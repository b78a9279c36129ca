//! Messages: their members, and the objects that repeat reasoning.

use super::*;
use crate::dialect::formats::chat::fields::{FIELDS, Field, field_of};
use crate::dialect::formats::shared::role;
use crate::json::{members, text};

impl Drafts<'_> {
    /// Reads a message.
    pub(super) fn message(&mut self, node: u32) -> Box<Draft> {
        let (mut draft, walked) = (self.draft(node), self.walked);
        let rest = self.record.rest.len();
        let outer = std::mem::replace(&mut self.inside, true);
        for entry in walked.all_of(node) {
            self.member(&mut draft, entry);
        }
        self.inside = outer;
        self.untagged(&mut draft);
        with_commas(self.text, &mut draft.cuts);
        draft.object = walked.nodes[node as usize].value.clone();
        self.others(&draft, rest);
        draft.answers();
        draft
    }

    /// Reads a member of a message.
    pub(super) fn member(&mut self, draft: &mut Draft, entry: &Entry) {
        match entry.slot {
            Slot::Thought => self.thought(draft, false, entry),
            Slot::Role => self.role(draft, entry),
            Slot::Content => self.content(draft, entry),
            Slot::Copies => self.copies(draft, entry),
            Slot::Calls => self.calls(draft, entry),
            Slot::Channel => draft.has.hidden |= *entry.word(self.text) == *b"analysis",
            Slot::Notes => {
                draft.delta.payload |= entry.token != Token::Null;
                draft.logged = self.logged(entry).or(draft.logged);
                if suspect::is_counts(&self.text[entry.value.clone()]) {
                    return;
                }
                draft.has.hidden |= self.is_titled(entry);
            }
            _ => return self.other(draft, entry),
        }
        self.unread(entry, false);
    }

    /// Reads a member that is not content of a message in the dialects in force.
    fn other(&mut self, draft: &mut Draft, entry: &Entry) {
        let some = is_filled(&self.text[entry.value.clone()]);
        draft.delta.payload |= some;
        draft.has.other |= some && matches!(entry.slot, Slot::Shown | Slot::Media);
        match (entry.slot, entry.token) {
            (Slot::Type, Token::String(s)) => {
                draft.has.typed |= some;
                draft.has.partly_unread |= self.is_reasoning(s);
                draft.has.hidden |= s.raw(self.text) == b"analysis";
            }
            // The user reads or hears this in place of an answer. If the message is edited, it stays as it is.
            (Slot::Shown | Slot::Text, Token::String(s)) if !self.detail.edits => draft.units.push(Stretch::Text(s)),
            (Slot::Shown | Slot::Text | Slot::Inner, token) => {
                self.rest(Some(entry.key), token, entry.value.start, false)
            }
            _ => (),
        }
        let content = some && entry.slot == Slot::Unnamed && entry.token != Token::True && self.is_content_key(entry);
        draft.has.elsewhere |= content;
        if some {
            self.unread(entry, content);
        }
    }

    /// Whether an object that is searched has a title that names reasoning.
    pub(super) fn is_titled(&self, entry: &Entry) -> bool {
        let text = self.text;
        let names = |value| matches!(value, Token::String(title) if suspect::names_thought(&title.decoded(text)));
        entry.odd && members(text, entry.value.start).any(|(key, value, _)| key.is(text, "title") && names(value))
    }

    /// Whether this type or role names reasoning.
    pub(super) fn is_reasoning(&self, name: Literal) -> bool {
        suspect::is_kind(&text::decoded(name.raw(self.text)))
    }

    /// Whether formats that are not read have the content of a message under this key.
    pub(super) fn is_content_key(&self, entry: &Entry) -> bool {
        CONTENT_KEYS.contains(&&*entry.key.decoded(self.text))
    }

    /// Of a message without a text, what an object in it says of the text means nothing, and stays.
    fn untagged(&self, draft: &mut Draft) {
        let said = |unit: &Stretch| matches!(unit, Stretch::Text(text) if text.start < text.end);
        if draft.has.tagged && !draft.units.iter().any(said) {
            draft.has.tagged = false;
            let flag = |at: &Range<usize>| self.text[at.clone()].ends_with(b"true");
            draft.cuts.retain(|at| !flag(at));
            let names = FIELDS.iter().filter(|field| field.common && suspect::is_flag(field.key.as_bytes()));
            let copies: Vec<&str> = names.map(|field| field.copy).collect();
            draft.units.retain(|unit| !matches!(unit, Stretch::Void(source) if copies.contains(source)));
        }
    }

    /// Ends a message. If it is of another role, its unread members (from number `rest` on) are not searched as
    /// content.
    pub(super) fn others(&mut self, draft: &Draft, rest: usize) {
        if self.record.rest.len() > rest && !draft.is_model() {
            let mut own = self.record.rest.split_off(rest);
            own.retain(|found| !found.content);
            self.record.rest.append(&mut own);
        }
    }

    fn role(&mut self, draft: &mut Draft, entry: &Entry) {
        // Most keys are recognised by their first letter.
        if matches!(self.text[entry.key.start], b's' | b'\\') {
            self.record.style.blocks |= entry.key.is(self.text, "speaker");
        }
        let Token::String(name) = entry.token else { return };
        let known = role(&name.decoded(self.text));
        // An unknown role counts as the assistant's, unless its name is one of reasoning.
        draft.has.partly_unread |= known.is_none() && self.is_reasoning(name);
        draft.speaks(known.unwrap_or(Role::Assistant));
    }

    /// The row of a key that holds reasoning.
    pub(super) fn field(&self, entry: &Entry) -> Option<&'static Field> {
        field_of(&entry.key.decoded(self.text))
    }

    /// Reads a member that holds reasoning, or a copy of it.
    fn thought(&mut self, draft: &mut Draft, copy: bool, entry: &Entry) {
        let Some(field) = self.field(entry) else { return };
        let source = if copy { field.copy } else { field.key };
        let at = entry.key.start - 1..entry.value.end;
        if field.seal && entry.token != Token::Null {
            draft.has.message_key = true;
            let goes = draft.seal(self.detail.seals, source, at.clone());
            return draft.cuts.extend(goes.then_some(at));
        }
        let unit = match entry.token {
            Token::True | Token::False | Token::Number if field.common => {
                draft.delta.payload = true;
                let says = entry.token == Token::True && suspect::is_flag(field.key.as_bytes());
                draft.has.hidden |= says && !copy;
                if says && copy {
                    // It goes with the reasoning: on what stays it would be wrong.
                    draft.has.tagged = true;
                    draft.units.push(Stretch::Void(source));
                    draft.cuts.push(at);
                }
                return;
            }
            token if field.opaque && token != Token::Null => Stretch::Opaque(source),
            // Data bases keep the blocks as a string of JSON, beside their text.
            Token::String(list) if self.is_list(list) && self.says_beside(entry) => Stretch::Void(source),
            token => Stretch::of_value(source, (token, &entry.value), self.text),
        };
        draft.has.message_key |= !field.common;
        draft.units.push(unit);
        draft.cuts.push(at);
    }

    /// Whether a string is a list of objects in JSON.
    fn is_list(&self, string: Literal) -> bool {
        string.raw(self.text).starts_with(br#"[{\""#)
    }

    /// Whether another field beside this one has reasoning as a text.
    fn says_beside(&self, entry: &Entry) -> bool {
        let said = |other: &Entry| match other.token {
            Token::String(text) => other.key.start != entry.key.start && text.start < text.end && !self.is_list(text),
            _ => false,
        };
        self.walked.all(entry.node, Slot::Thought).any(said)
    }

    /// Reads an object in a message that repeats reasoning fields, itself or in such an object inside of it.
    pub(super) fn copies(&mut self, draft: &mut Draft, entry: &Entry) {
        for entry in self.walked.all_of(entry.first_node) {
            match entry.slot {
                Slot::Thought => self.thought(draft, true, entry),
                Slot::Copies => self.copies(draft, entry),
                _ => self.unread(entry, false),
            }
        }
    }
}

/// Keys of message content in formats that are not read.
const CONTENT_KEYS: &[&[u8]] = &[
    b"text",
    b"content",
    b"message",
    b"parts",
    b"contentParts",
    b"value",
    b"body",
    b"mes",
    b"steps",
    b"versions",
    b"fragments",
    b"blocks",
    b"output",
];
