//! The content of a message: a text, or a list of parts.

use super::*;
use crate::dialect::formats::chat::row::Field;

impl Walk<'_, '_> {
    /// Walks the content of a message, whose key was scanned.
    pub(super) fn content(&mut self, draft: &mut Draft, key: Literal) -> Done {
        draft.has.content = true;
        self.own(key, self.s.next_value());
        let rest = self.record.rest.len();
        self.contents(draft)?;
        self.record.rest[rest..].iter_mut().for_each(|found| found.content = true);
        Ok(())
    }

    fn contents(&mut self, draft: &mut Draft) -> Done {
        match self.s.token()? {
            Token::String(s) => draft.units.push(Unit::Text(s)),
            Token::ArrayStart => self.parts(draft)?,
            Token::ObjectStart => {
                let from = self.s.at() - 1;
                if self.part(draft, from)? {
                    draft.cuts.push(from + 1..self.s.at() - 1);
                }
            }
            token => self.s.skip(token)?,
        }
        Ok(())
    }

    pub(super) fn parts(&mut self, draft: &mut Draft) -> Done {
        let mut cuts = Cuts::default();
        loop {
            let token = self.s.token()?;
            let from = self.s.from();
            let mut reasoning = false;
            match token {
                Token::ArrayEnd => break,
                Token::ObjectStart => reasoning = self.part(draft, from)?,
                Token::String(s) => draft.units.push(Unit::Text(s)),
                token => {
                    self.s.skip(token)?;
                    self.rest(None, token, from, true);
                }
            }
            if self.detail.members && token != Token::ObjectStart {
                draft.members.parts.push(Part { at: from..self.s.at(), entries: 0..0, reasoning: false });
            }
            if reasoning {
                draft.cuts.extend(cuts.drop(from, self.s.at()));
            } else {
                draft.cuts.extend(cuts.keep(from));
                cuts.end(self.s.at());
            }
        }
        draft.cuts.extend(cuts.close());
        Ok(())
    }

    /// Notes that the part from `from` on was not understood: it is searched as a whole, and not by its members.
    fn search_whole(&mut self, rest: usize, from: usize) {
        self.record.rest.truncate(rest);
        self.rest(None, Token::ObjectStart, from, true);
    }

    /// Walks a content part whose `{` was scanned. Returns whether it is reasoning.
    pub(super) fn part(&mut self, draft: &mut Draft, from: usize) -> Done<bool> {
        let (mut kind, mut texts, mut thought, mut result, mut flagged) = (None, Vec::new(), false, false, false);
        let (mut cuts, mut opaque, kept) = (Cuts::default(), Vec::new(), draft.cuts.len());
        let (entries, mut call, mut has_text, mut others) = (draft.members.entries.len(), false, false, false);
        let (rest, mut elsewhere, mut more, mut whole, mut refusal) =
            (self.record.rest.len(), false, false, false, None);
        while let Token::Key(key) = self.s.token()? {
            let (at, name) = (self.s.from(), self.name(State::Part, key));
            let start = self.s.next_value();
            let value = self.value()?;
            if self.detail.members {
                draft.members.entries.push(Entry::of((key, value, start..self.s.at())));
            }
            if let Name::Field(Field { opaque: true, key: source, .. }) = name {
                opaque.push(Unit::Opaque(source));
                draft.cuts.extend(cuts.drop(at, self.s.at()));
                continue;
            }
            draft.cuts.extend(cuts.keep(at));
            cuts.end(self.s.at());
            flagged |= value == Token::True && suspect::is_flag(&key.decoded(self.s.text()));
            match (name, value) {
                (Name::ToolCalls, Token::ObjectStart) => call = true,
                (Name::ToolResult, Token::ObjectStart) => result = true,
                (Name::Type, Token::String(s)) => kind = Some(s),
                (Name::Text, Token::String(s)) => texts.push(s),
                (Name::Visible, Token::String(s)) if !self.detail.edits => refusal = Some(s),
                (Name::Field(Field { key: name @ ("thought" | "thinking"), .. }), value) => {
                    self.record.style.blocks |= *name == "thought" && matches!(value, Token::String(_));
                    thought |= !matches!(value, Token::False | Token::Null);
                    has_text |= matches!(value, Token::String(_));
                }
                _ => (),
            }
            if !matches!((name, value), (Name::Type | Name::Text, Token::String(_)) | (Name::Id, _)) {
                if let Token::String(s) = value {
                    elsewhere |= self.is_content_key(key);
                    others |= !matches!(name, Name::Field(_));
                    // Other formats have the type of a part under other keys.
                    whole |= self.is_reasoning(s);
                }
                more |= matches!(value, Token::String(_) | Token::ObjectStart | Token::ArrayStart);
                self.rest(Some(key), value, start, true);
            }
        }
        let plain = kind.map_or_else(Vec::new, |kind| text::decoded(kind.raw(self.s.text())));
        // The user reads this text.
        texts.extend(refusal.filter(|_| plain == b"refusal"));
        let named = self.names.is_reasoning(&plain);
        (draft.has.tool, draft.has.parts) = (draft.has.tool || call, draft.has.parts || plain != b"text");
        let typed = texts.is_empty() && is_typed(kind, &plain);
        let mixed = has_text && !named && (typed || kind.is_none() && (!texts.is_empty() || others));
        let reasoning = named || (thought && !mixed && !call && !result && (kind.is_none() || texts.is_empty()));
        let entries = entries..draft.members.entries.len();
        draft.members.parts.extend(self.detail.members.then(|| Part { at: from..self.s.at(), entries, reasoning }));
        if reasoning {
            draft.cuts.truncate(kept);
            self.record.rest.truncate(rest);
            draft.units.push(Unit::Deep("part", from..self.s.at()));
            return Ok(true);
        }
        if whole || texts.is_empty() && opaque.is_empty() && more {
            self.search_whole(rest, from);
        }
        let text = texts.is_empty() && elsewhere && !call && !result && is_text_kind(&plain);
        // With both reasoning and an answer, no format says which is which. Some mark a text by a flag or a type.
        let flagged = !texts.is_empty() && (flagged || plain == b"analysis");
        draft.has.partly_unread |= mixed || text || flagged || suspect::is_kind(&plain);
        draft.cuts.extend(cuts.close());
        draft.units.append(&mut opaque);
        draft.has.results |= result || plain == b"tool_result" || plain == b"tool_response";
        draft.has.beside_results |= !texts.is_empty();
        draft.has.tool |= plain.starts_with(b"tool") || plain.starts_with(b"function");
        draft.has.other |= texts.is_empty();
        draft.units.extend((texts.is_empty() && self.detail.usage).then(|| Unit::Call(from..self.s.at())));
        draft.units.extend(texts.into_iter().map(Unit::Text));
        Ok(false)
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
