//! Messages: their members, their parts, and the objects in which reasoning stands again.

use super::*;
use crate::dialect::Field;

impl Walk<'_, '_> {
    /// A message whose `{` was passed.
    pub(super) fn message(&mut self) -> Done<Draft> {
        let (mut draft, mut cuts) = (self.record.draft(), Cuts::default());
        while let Token::Key(key) = self.s.token()? {
            let from = self.s.from();
            let name = self.name(key);
            self.member(&mut draft, &mut cuts, name, from)?;
        }
        draft.cuts.extend(cuts.close());
        Ok(draft)
    }

    /// A member of a message, whose key was passed; it began at `from`.
    pub(super) fn member(&mut self, draft: &mut Draft, cuts: &mut Cuts, name: Name, from: usize) -> Done {
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
        match name {
            Name::Role => self.role(draft)?,
            Name::Content => self.content(draft)?,
            Name::Container => self.container(draft)?,
            Name::ToolCalls => {
                let (value, at) = self.value_at()?;
                let some = filled(value, &self.s.text()[at]);
                draft.tool |= some;
                draft.payload |= some;
            }
            Name::Idle => {
                self.value()?;
            }
            _ => {
                let (value, at) = self.value_at()?;
                let some = filled(value, &self.s.text()[at]);
                draft.payload |= some;
                draft.other |= some && name == Name::Says;
            }
        }
        cuts.end(self.s.at());
        Ok(())
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
        let (mut kind, mut texts, mut thought) = (None, Vec::new(), false);
        while let Token::Key(key) = self.s.token()? {
            match (self.name(key), self.value()?) {
                (Name::Type, Token::String(s)) => kind = Some(s),
                (Name::Text, Token::String(s)) => texts.push(s),
                (Name::Field(Field { key: name @ ("thought" | "thinking"), .. }), value) => {
                    self.record.blocks |= *name == "thought" && matches!(value, Token::String(_));
                    thought |= !matches!(value, Token::False | Token::Null)
                }
                _ => (),
            }
        }
        let mut plain = Vec::new();
        if let Some(kind) = kind {
            text::decode(kind.raw(self.s.text()), &mut plain);
        }
        let named = self.names.is_reasoning(&plain);
        if named || (thought && (kind.is_none() || texts.is_empty())) {
            draft.units.push(Unit::Deep("part", from..self.s.at()));
            return Ok(true);
        }
        draft.tool |= plain.starts_with(b"tool") || plain.starts_with(b"function");
        draft.other |= texts.is_empty();
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
        b"tool" | b"function" | b"ipython" | b"environment" | b"observation" => Role::Tool,
        _ => Role::Assistant,
    }
}
