//! Messages: their members, their parts, and the objects in which reasoning stands again.

use super::*;
use crate::dialect::Field;

impl Walk<'_, '_> {
    /// A message whose `{` was passed.
    pub(super) fn message(&mut self) -> Done<Box<Draft>> {
        let (mut draft, mut cuts) = (self.record.draft(), Cuts::default());
        let start = self.s.at() - 1;
        while let Token::Key(key) = self.s.token()? {
            let name = self.name(key);
            self.member(&mut draft, &mut cuts, name, key)?;
        }
        draft.cuts.extend(cuts.close());
        draft.object = start..self.s.at();
        if draft.results && !draft.says && draft.role == Some(Role::User) {
            draft.role = Some(Role::Tool);
        }
        Ok(draft)
    }

    /// A member of a message, whose key was passed.
    pub(super) fn member(&mut self, draft: &mut Draft, cuts: &mut Cuts, name: Name, key: Literal) -> Done {
        let start = match self.detail.members {
            true => self.s.next_value(),
            false => 0,
        };
        self.member_value(draft, cuts, name, key.start - 1)?;
        if self.detail.members {
            draft.members.push(Member { name, key, value: start..self.s.at() });
        }
        Ok(())
    }

    /// The value of a member that began at `from`.
    fn member_value(&mut self, draft: &mut Draft, cuts: &mut Cuts, name: Name, from: usize) -> Done {
        if let Name::Field(field) = name {
            return self.field(draft, cuts, field, field.key, from);
        }
        draft.cuts.extend(cuts.keep(from));
        let key = &self.s.text()[from + 1..];
        self.record.blocks |= match name {
            Name::Role => key.starts_with(b"speaker\""),
            Name::Content => key.starts_with(b"blocks\""),
            _ => false,
        };
        self.record.gemini |= name == Name::Content && key.starts_with(b"parts\"");
        match name {
            Name::Role => self.role(draft)?,
            Name::Content => self.content(draft)?,
            Name::Container => self.container(draft)?,
            Name::ToolCalls => {
                let (value, at) = self.value_at()?;
                let some = filled(value, &self.s.text()[at.clone()]);
                draft.tool |= some;
                draft.payload |= some;
                if some && self.detail.usage {
                    draft.units.push(Unit::Call(at));
                }
            }
            Name::Idle => {
                self.value()?;
            }
            Name::Logged => {
                let (value, logged) = self.telling()?;
                draft.payload |= !matches!(value, Token::Null);
                draft.logged = logged.or(draft.logged);
            }
            _ => {
                let (value, at) = self.value_at()?;
                let some = filled(value, &self.s.text()[at]);
                draft.payload |= some;
                draft.other |= some && name == Name::Says;
                draft.typed |= some && name == Name::Type;
                if let (Name::Speaker | Name::Said, Token::String(s)) = (name, value) {
                    self.said(draft, name, s);
                }
            }
        }
        cuts.end(self.s.at());
        Ok(())
    }

    /// A text under a key that is a common word: what it means is known when its object is passed.
    fn said(&mut self, draft: &mut Draft, name: Name, text: Literal) {
        if name == Name::Said {
            return draft.said.push(text);
        }
        let word = text::decoded(text.raw(self.s.text()));
        if let Some(calls) = self.names.speaker(&word) {
            // Of two speakers, the one whose text is searched.
            let searched = draft.speaker == Some((Role::Assistant, false));
            draft.speaker = if searched { draft.speaker } else { Some((role(&word), calls)) };
        }
    }

    /// A message of a list, which was passed, is one of a speaker. Whether it is.
    pub(super) fn spoken(&mut self, draft: &mut Draft) -> bool {
        let Some((role, calls)) = draft.speaker else { return false };
        if draft.role != Some(Role::Assistant) {
            draft.role = Some(role);
        }
        if draft.said.is_empty() {
            return false;
        }
        (draft.content, draft.tool) = (true, draft.tool || calls);
        for text in std::mem::take(&mut draft.said) {
            match calls {
                false => draft.units.push(Unit::Text(text)),
                true if self.detail.usage => draft.units.push(Unit::Call(text.start - 1..text.end + 1)),
                true => (),
            }
        }
        true
    }

    pub(super) fn role(&mut self, draft: &mut Draft) -> Done {
        let value = self.value()?;
        let Token::String(name) = value else {
            return Ok(());
        };
        let mut plain = Vec::new();
        let role = if name.escaped {
            text::decode(name.raw(self.s.text()), &mut plain);
            role(&plain)
        } else {
            role(name.raw(self.s.text()))
        };
        // Of two roles, the one whose text is searched.
        if draft.role != Some(Role::Assistant) {
            draft.role = Some(role);
        }
        Ok(())
    }

    pub(super) fn field(
        &mut self,
        draft: &mut Draft,
        cuts: &mut Cuts,
        field: &Field,
        source: Source,
        from: usize,
    ) -> Done {
        let (value, at) = self.value_at()?;
        let unit = match value {
            Token::True | Token::False | Token::Number if field.common => {
                draft.payload = true;
                draft.cuts.extend(cuts.keep(from));
                cuts.end(self.s.at());
                return Ok(());
            }
            Token::Null => Unit::Void(source),
            _ if field.opaque => Unit::Opaque(source),
            Token::String(s) => Unit::Field(source, s),
            Token::ObjectStart | Token::ArrayStart if filled(value, &self.s.text()[at.clone()]) => {
                Unit::Deep(source, at)
            }
            _ => Unit::Void(source),
        };
        draft.telling |= !field.common;
        draft.units.push(unit);
        draft.cuts.extend(cuts.drop(from, self.s.at()));
        Ok(())
    }

    pub(super) fn content(&mut self, draft: &mut Draft) -> Done {
        draft.content = true;
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
            let from = self.start_of(token);
            let mut reasoning = false;
            match token {
                Token::ArrayEnd => break,
                Token::ObjectStart => reasoning = self.part(draft, from)?,
                Token::String(s) => draft.units.push(Unit::Text(s)),
                token => self.s.skip(token)?,
            }
            if self.detail.members && token != Token::ObjectStart {
                draft.parts.push((from..self.s.at(), 0..0));
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

    /// A content part whose `{` was passed. Whether it is reasoning.
    pub(super) fn part(&mut self, draft: &mut Draft, from: usize) -> Done<bool> {
        let (mut kind, mut texts, mut thought, mut result) = (None, Vec::new(), false, false);
        let (mut cuts, mut opaque, kept) = (Cuts::default(), Vec::new(), draft.cuts.len());
        let (entries, mut call) = (draft.entries.len(), false);
        while let Token::Key(key) = self.s.token()? {
            let (at, name) = (self.s.from(), self.name(key));
            let start = self.s.next_value();
            let value = self.value()?;
            if self.detail.members {
                let escaped = matches!(value, Token::String(Literal { escaped: true, .. }));
                draft.entries.push(Entry { key, value: start..self.s.at(), escaped });
            }
            if let Name::Field(Field { opaque: true, key: source, .. }) = name {
                opaque.push(Unit::Opaque(source));
                draft.cuts.extend(cuts.drop(at, self.s.at()));
                continue;
            }
            draft.cuts.extend(cuts.keep(at));
            cuts.end(self.s.at());
            match (name, value) {
                (Name::ToolCalls, Token::ObjectStart) => call = true,
                (Name::ToolResult, Token::ObjectStart) => result = true,
                (Name::Type, Token::String(s)) => kind = Some(s),
                (Name::Text, Token::String(s)) => texts.push(s),
                (Name::Field(Field { key: name @ ("thought" | "thinking"), .. }), value) => {
                    self.record.blocks |= *name == "thought" && matches!(value, Token::String(_));
                    thought |= !matches!(value, Token::False | Token::Null)
                }
                _ => (),
            }
        }
        if self.detail.members {
            draft.parts.push((from..self.s.at(), entries..draft.entries.len()));
        }
        let mut plain = Vec::new();
        if let Some(kind) = kind {
            text::decode(kind.raw(self.s.text()), &mut plain);
        }
        let named = self.names.is_reasoning(&plain);
        draft.tool |= call;
        if named || (thought && !call && !result && (kind.is_none() || texts.is_empty())) {
            draft.cuts.truncate(kept);
            draft.units.push(Unit::Deep("part", from..self.s.at()));
            return Ok(true);
        }
        draft.cuts.extend(cuts.close());
        draft.units.append(&mut opaque);
        draft.results |= result || plain == b"tool_result" || plain == b"tool_response";
        draft.says |= !texts.is_empty();
        draft.tool |= plain.starts_with(b"tool") || plain.starts_with(b"function");
        draft.other |= texts.is_empty();
        if texts.is_empty() && self.detail.usage {
            draft.units.push(Unit::Call(from..self.s.at()));
        }
        draft.units.extend(texts.into_iter().map(Unit::Text));
        Ok(false)
    }

    /// An object in a message in which reasoning fields stand again.
    pub(super) fn container(&mut self, draft: &mut Draft) -> Done {
        let token = self.s.token()?;
        if token != Token::ObjectStart {
            return self.s.skip(token);
        }
        let mut cuts = Cuts::default();
        while let Token::Key(key) = self.s.token()? {
            let from = self.s.from();
            match self.name(key) {
                Name::Field(field) => self.field(draft, &mut cuts, field, field.copy, from)?,
                _ => {
                    draft.cuts.extend(cuts.keep(from));
                    self.value()?;
                    cuts.end(self.s.at());
                }
            }
        }
        draft.cuts.extend(cuts.close());
        Ok(())
    }
}

fn role(name: &[u8]) -> Role {
    match name {
        b"user" | b"human" => Role::User,
        b"system" | b"developer" => Role::System,
        b"tool" | b"function" | b"function_response" | b"ipython" | b"environment" | b"observation" => Role::Tool,
        _ => Role::Assistant,
    }
}
