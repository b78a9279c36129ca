//! The content of a message: a text, or a list of parts.

use super::*;
use crate::dialect::draft;
use crate::dialect::formats::chat::states::THOUGHT;
use crate::dialect::shape::Kind;
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
            let token = self.token(node);
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

    /// Reads a content part. Returns whether it is reasoning.
    fn part(&mut self, draft: &mut Draft, node: u32) -> bool {
        let (walked, found) = (self.walked, &self.walked.nodes[node as usize]);
        let (at, reasoning, from) = (found.value.clone(), found.does == THOUGHT, draft.members.entries.len());
        if self.detail.edits {
            let members = walked.all_of(node).map(|entry| (entry.key, entry.token, entry.value.clone()));
            draft.members.entries.extend(members.map(PartMember::of));
            let entries = from..draft.members.entries.len();
            draft.members.parts.push(draft::Part { at: at.clone(), entries, reasoning });
        }
        let kind = walked.get(node, Slot::Type).map(|entry| entry.word(self.text));
        let plain = kind.as_deref().unwrap_or_default();
        draft.has.parts |= plain != b"text" || self.record.style.gemini && kind.is_some();
        draft.has.tool |= found.does == Does::Block(Kind::Call);
        self.record.style.call_parts |= matches!(plain, b"tool-call" | b"tool-result" | b"tool_use" | b"tool_result");
        if reasoning {
            let thought = |entry: &Entry| entry.slot == Slot::Thought && entry.key.is(self.text, "thought");
            self.record.style.blocks |= walked.all_of(node).any(thought);
            draft.units.push(Stretch::Deep("part", at));
            return true;
        }
        let (rest, before, mut elsewhere, mut more, mut whole) =
            (self.record.rest.len(), draft.units.len(), false, false, false);
        let refuses = found.does == Does::Block(Kind::Refusal) && !self.detail.edits;
        for entry in walked.all_of(node) {
            match (entry.slot, entry.token) {
                (Slot::Text, Token::String(s)) => draft.units.push(Stretch::Text(s)),
                // The user reads this text.
                (Slot::Shown, Token::String(s)) if refuses => draft.units.push(Stretch::Text(s)),
                (Slot::Type | Slot::Id | Slot::CallId | Slot::Ciphertext | Slot::Seal, _) => (),
                (_, token) => {
                    elsewhere |= matches!(token, Token::String(_)) && self.is_content_key(entry);
                    // Other formats have the type of a part under other keys.
                    whole |= entry.literal().is_some_and(|word| self.is_reasoning(word));
                    more |= matches!(token, Token::String(_) | Token::ObjectStart | Token::ArrayStart);
                    self.rest(Some(entry.key), token, entry.value.start, true);
                }
            }
        }
        let said = draft.units.len() > before;
        let mut seals =
            walked.all_of(node).filter(|entry| matches!(entry.slot, Slot::Ciphertext | Slot::Seal)).peekable();
        if whole || !said && seals.peek().is_none() && more {
            self.search_whole(rest, node, true);
        }
        let acts = matches!(found.does, Does::Block(Kind::Call | Kind::Result));
        let marked = found.does == Does::Unclear || said && found.flagged;
        draft.has.partly_unread |= marked || elsewhere && !said && !acts && is_text_kind(plain);
        for entry in seals {
            let (source, at) = (self.field(entry).map_or("", |field| field.key), entry.key.start - 1..entry.value.end);
            let seals = if entry.slot == Slot::Seal { self.detail.seals } else { Seals::Reason };
            let goes = draft.seal(seals, source, at.clone());
            draft.cuts.extend(goes.then_some(at));
        }
        draft.has.results |= found.does == Does::Block(Kind::Result);
        draft.has.beside_results |= said;
        draft.has.tool |= plain.starts_with(b"tool") || plain.starts_with(b"function");
        draft.has.other |= !said;
        draft.units.extend((!said && self.detail.usage).then_some(Stretch::Call(at)));
        false
    }
}

/// Whether a part of this type holds text.
fn is_text_kind(kind: &[u8]) -> bool {
    kind.is_empty() || memchr::memmem::find(kind, b"text").is_some()
}
