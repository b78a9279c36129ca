//! The content of a message: a text, or a list of parts.

use super::*;
use crate::dialect::draft;
use crate::json::text;
use crate::model::Seals;

impl Drafts<'_> {
    /// Reads the content of a message.
    pub(super) fn content(&mut self, draft: &mut Draft, entry: &Entry) {
        if matches!(self.text[entry.key.start], b'b' | b'p' | b'\\') {
            self.record.style.blocks |= entry.key.is(self.text, "blocks");
            let parts = entry.key.is(self.text, "parts");
            self.record.style.gemini |= parts;
            // Other formats have a list as text here.
            draft.has.parts |= parts && matches!(entry.token, Token::String(_));
        }
        draft.has.content = true;
        self.own(entry);
        let rest = self.record.rest.len();
        match entry.token {
            Token::String(s) => draft.units.push(Stretch::Text(s)),
            Token::ArrayStart => self.parts(draft, entry),
            Token::ObjectStart if self.part(draft, entry.first_node) => {
                draft.cuts.push(entry.value.start + 1..entry.value.end - 1);
            }
            _ => (),
        }
        self.record.rest[rest..].iter_mut().for_each(|found| found.content = true);
    }

    fn parts(&mut self, draft: &mut Draft, entry: &Entry) {
        for node in self.walked.nodes_in(entry) {
            let at = self.walked.nodes[node as usize].value.clone();
            let token = self.token(&at);
            let mut reasoning = false;
            match token {
                Token::ObjectStart => reasoning = self.part(draft, node),
                Token::String(s) => draft.units.push(Stretch::Text(s)),
                token => self.rest(None, token, at.start, true),
            }
            if self.detail.edits && token != Token::ObjectStart {
                draft.members.parts.push(draft::Part { at: at.clone(), entries: 0..0, reasoning: false });
            }
            draft.cuts.extend(reasoning.then_some(at));
        }
    }

    /// Notes that the part from `from` on was not understood: it is searched as a whole, and not by its members.
    fn search_whole(&mut self, rest: usize, from: usize) {
        self.record.rest.truncate(rest);
        self.rest(None, Token::ObjectStart, from, true);
    }

    /// Reads a content part. Returns whether it is reasoning.
    fn part(&mut self, draft: &mut Draft, node: u32) -> bool {
        let (walked, at) = (self.walked, self.walked.nodes[node as usize].value.clone());
        let (mut kind, mut texts, mut thought, mut result, mut flagged) = (None, Vec::new(), false, false, false);
        let mut opaque = Vec::new();
        let (entries, mut call, mut has_text, mut others) = (draft.members.entries.len(), false, false, false);
        let (rest, mut elsewhere, mut more, mut whole, mut refusal) =
            (self.record.rest.len(), false, false, false, None);
        for entry in walked.all_of(node) {
            let (key, value) = (entry.key, entry.token);
            if self.detail.edits {
                draft.members.entries.push(PartMember::of((key, value, entry.value.clone())));
            }
            let field = if entry.slot == Slot::Thought { self.field(entry) } else { None };
            if let Some(field) = field.filter(|field| field.opaque) {
                opaque.push((field, key.start - 1..entry.value.end));
                continue;
            }
            flagged |= self.is_flagged(entry);
            match (entry.slot, value) {
                (Slot::Calls | Slot::Called, Token::ObjectStart) => call = true,
                (Slot::Answered, Token::ObjectStart) => result = true,
                (Slot::Type, Token::String(s)) => kind = Some(s),
                (Slot::Text, Token::String(s)) => texts.push(s),
                (Slot::Shown, Token::String(s)) if !self.detail.edits => refusal = Some(s),
                _ => (),
            }
            if let Some("thought" | "thinking") = field.map(|field| field.key) {
                let text = matches!(value, Token::String(_));
                self.record.style.blocks |= text && field.is_some_and(|field| field.key == "thought");
                thought |= !matches!(value, Token::False | Token::Null);
                has_text |= text;
            }
            let known = matches!((entry.slot, value), (Slot::Type | Slot::Text, Token::String(_)));
            if !known && !matches!(entry.slot, Slot::Id | Slot::CallId) {
                if let Token::String(s) = value {
                    elsewhere |= self.is_content_key(key);
                    others |= field.is_none();
                    // Other formats have the type of a part under other keys.
                    whole |= self.is_reasoning(s);
                }
                more |= matches!(value, Token::String(_) | Token::ObjectStart | Token::ArrayStart);
                self.rest(Some(key), value, entry.value.start, true);
            }
        }
        let plain = kind.map_or_else(Vec::new, |kind| text::decoded(kind.raw(self.text)));
        // The user reads this text.
        texts.extend(refusal.filter(|_| plain == b"refusal"));
        let named = self.is_reasoning_part(&plain);
        draft.has.tool |= call;
        draft.has.parts |= plain != b"text" || self.record.style.gemini && kind.is_some();
        let typed = texts.is_empty() && is_typed(kind, &plain);
        let mixed = has_text && !named && (typed || kind.is_none() && (!texts.is_empty() || others));
        let reasoning = named || (thought && !mixed && !call && !result && (kind.is_none() || texts.is_empty()));
        let entries = entries..draft.members.entries.len();
        draft.members.parts.extend(self.detail.edits.then(|| draft::Part { at: at.clone(), entries, reasoning }));
        if reasoning {
            self.record.rest.truncate(rest);
            draft.units.push(Stretch::Deep("part", at));
            return true;
        }
        if whole || texts.is_empty() && opaque.is_empty() && more {
            self.search_whole(rest, at.start);
        }
        let text = texts.is_empty() && elsewhere && !call && !result && is_text_kind(&plain);
        // With both reasoning and an answer, no format says which is which. Some mark a text by a flag or a type.
        let flagged = !texts.is_empty() && (flagged || plain == b"analysis");
        draft.has.partly_unread |= mixed || text || flagged || suspect::is_kind(&plain);
        for (field, at) in opaque {
            let seals = if field.seal { self.detail.seals } else { Seals::Reason };
            let goes = draft.seal(seals, field.key, at.clone());
            draft.cuts.extend(goes.then_some(at));
        }
        draft.has.results |= result || plain == b"tool_result" || plain == b"tool_response";
        draft.has.beside_results |= !texts.is_empty();
        draft.has.tool |= plain.starts_with(b"tool") || plain.starts_with(b"function");
        draft.has.other |= texts.is_empty();
        draft.units.extend((texts.is_empty() && self.detail.usage).then_some(Stretch::Call(at)));
        draft.units.extend(texts.into_iter().map(Stretch::Text));
        false
    }

    /// Whether a member says that the text beside it is reasoning.
    fn is_flagged(&self, entry: &Entry) -> bool {
        matches!(entry.token, Token::True | Token::ObjectStart)
            && suspect::is_marked(self.text, (entry.key, entry.token), entry.value.start)
    }

    /// Whether a content part of this type is reasoning.
    fn is_reasoning_part(&self, kind: &[u8]) -> bool {
        states::PARTS.iter().any(|(part, rows)| rows & self.rows != 0 && part.as_bytes() == kind)
    }
}

/// Whether a part has a type that is not one of reasoning: such a part, as a call, stays whole despite a misplaced key.
fn is_typed(kind: Option<Literal>, plain: &[u8]) -> bool {
    kind.is_some_and(|kind| kind.start < kind.end) && !suspect::is_kind(plain)
}

/// Whether a part of this type holds text.
fn is_text_kind(kind: &[u8]) -> bool {
    kind.is_empty() || memchr::memmem::find(kind, b"text").is_some()
}
