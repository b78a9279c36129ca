//! Messages: their members, their parts, and the objects in which reasoning stands again.

use super::*;
use crate::dialect::formats::chat::row::Field;
use std::borrow::Cow;

impl Walk<'_, '_> {
    /// A message whose `{` was passed.
    pub(super) fn message(&mut self) -> Done<Box<Draft>> {
        let (mut draft, mut cuts) = (self.record.draft(), Cuts::default());
        let (start, rest) = (self.s.at() - 1, self.record.rest.len());
        let outer = std::mem::replace(&mut self.inside, true);
        while let Token::Key(key) = self.s.token()? {
            let name = self.name(State::Message, key);
            self.member(&mut draft, &mut cuts, name, key)?;
        }
        self.inside = outer;
        draft.cuts.extend(cuts.close());
        draft.object = start..self.s.at();
        self.others(&draft, rest);
        if draft.has.results && !draft.has.beside_results && draft.role == Some(Role::User) {
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
        self.member_value(draft, cuts, name, key)?;
        if self.detail.members {
            draft.members.list.push(Member { name, key, value: start..self.s.at() });
        }
        Ok(())
    }

    /// The value of a member.
    fn member_value(&mut self, draft: &mut Draft, cuts: &mut Cuts, name: Name, key: Literal) -> Done {
        if let Name::Field(field) = name {
            return self.field(draft, cuts, field, field.key, key);
        }
        draft.cuts.extend(cuts.keep(key.start - 1));
        // Most keys are known by their first letter.
        match (name, self.s.text()[key.start]) {
            (Name::Role, b's' | b'\\') => self.record.style.blocks |= self.is_key(key, "speaker"),
            (Name::Content, b'b' | b'p' | b'\\') => {
                self.record.style.blocks |= self.is_key(key, "blocks");
                self.record.style.gemini |= self.is_key(key, "parts");
            }
            _ => (),
        }
        match name {
            Name::Role => self.role(draft)?,
            Name::Content => self.content(draft, key)?,
            Name::Container => self.container(draft, 0)?,
            Name::ToolCalls => self.calls(draft)?,
            Name::Idle => {
                if let Token::String(s) = self.value()? {
                    draft.has.hidden |= text::decoded(s.raw(self.s.text())) == b"analysis";
                }
            }
            Name::Logged => {
                let (value, logged) = self.status_value()?;
                draft.delta.payload |= !matches!(value, Token::Null);
                draft.logged = logged.or(draft.logged);
            }
            _ => self.other(draft, name, key)?,
        }
        cuts.end(self.s.at());
        Ok(())
    }

    /// A member that is no content of the message in the dialects in force.
    fn other(&mut self, draft: &mut Draft, name: Name, key: Literal) -> Done {
        let (value, at) = self.value_at()?;
        let some = filled(value, &self.s.text()[at.clone()]);
        draft.delta.payload |= some;
        draft.has.other |= some && name == Name::Visible;
        match (name, value) {
            (Name::Type, Token::String(s)) => {
                draft.has.typed |= some;
                draft.has.half |= self.is_reasoning(s);
            }
            (Name::Speaker | Name::SpeakerText, Token::String(s)) => {
                self.speaker_member(draft, name, s);
                self.rest(Some(key), value, at.start, true);
            }
            (Name::Id, _) => (),
            // What the user reads in place of an answer. Where a message is edited, it stays as it is.
            (Name::Visible, Token::String(s)) if !self.detail.edits && self.is_key(key, "refusal") => {
                draft.units.push(Unit::Text(s));
            }
            _ if some => {
                let content = self.is_content_key(key);
                draft.has.elsewhere |= content;
                self.rest(Some(key), value, at.start, content);
            }
            _ => (),
        }
        Ok(())
    }

    /// Whether this type or role of an object means reasoning.
    pub(super) fn is_reasoning(&self, name: Literal) -> bool {
        suspect::is_kind(&text::decoded(name.raw(self.s.text())))
    }

    /// Whether a key is this one, however it is escaped.
    pub(super) fn is_key(&self, key: Literal, name: &str) -> bool {
        key.is(self.s.text(), name)
    }

    /// Whether a message may have its content under this key, in formats that are not read.
    pub(super) fn is_content_key(&self, key: Literal) -> bool {
        CONTENT_KEYS.contains(&&*key.decoded(self.s.text()))
    }

    /// A value that no dialect in force reads, if there may be something in it.
    pub(super) fn rest(&mut self, key: Option<Literal>, value: Token, at: usize, content: bool) {
        let some = match value {
            Token::String(s) => {
                let name = key.map_or(Cow::Borrowed(&b""[..]), |key| key.decoded(self.s.text()));
                s.start < s.end && !(self.detail.plain && suspect::is_plain(&name, s.raw(self.s.text())))
            }
            Token::ObjectStart | Token::ArrayStart => true,
            _ => false,
        };
        if some {
            self.record.rest.push(Rest { key, value: at, message: self.inside, content });
        }
    }

    /// A member that means something in a message only. Whether its object is one is not known yet if it may be a
    /// record.
    pub(super) fn own(&mut self, key: Literal, value: usize) {
        if !self.inside {
            self.record.own.push(Rest { key: Some(key), value, message: false, content: false });
        }
    }

    /// A message was passed, of which the rest begins at this number: content of other roles is none.
    pub(super) fn others(&mut self, draft: &Draft, rest: usize) {
        if self.record.rest.len() > rest && !draft.is_model() {
            let mut i = 0;
            self.record.rest.retain(|found| {
                i += 1;
                i <= rest || !found.content
            });
        }
    }

    /// A text under a key that is a common word: what it means is known when its object is passed.
    fn speaker_member(&mut self, draft: &mut Draft, name: Name, text: Literal) {
        if name == Name::SpeakerText {
            return draft.speaker.texts.push(text);
        }
        let word = text::decoded(text.raw(self.s.text()));
        if let Some(calls) = self.names.speaker(&word) {
            // Of two speakers, the one whose text is searched.
            let searched = draft.speaker.known == Some((Role::Assistant, false));
            let role = role(&word).unwrap_or(Role::Assistant);
            draft.speaker.known = if searched { draft.speaker.known } else { Some((role, calls)) };
        } else {
            // No dialect knows a speaker that is reasoning.
            draft.has.half |= suspect::is_kind(&word);
        }
    }

    /// A message of a list, which was passed, is one of a speaker. Whether it is.
    pub(super) fn speaker_message(&mut self, draft: &mut Draft) -> bool {
        let Some((role, calls)) = draft.speaker.known else { return false };
        if draft.role != Some(Role::Assistant) {
            draft.role = Some(role);
        }
        if draft.speaker.texts.is_empty() {
            return false;
        }
        (draft.has.content, draft.has.tool) = (true, draft.has.tool || calls);
        let mine = self.record.rest.iter().rev().take_while(|rest| rest.value > draft.object.start).count();
        let mut last = self.record.rest.split_off(self.record.rest.len() - mine);
        last.retain(|rest| draft.speaker.texts.iter().all(|text| text.start - 1 != rest.value));
        self.record.rest.append(&mut last);
        for text in std::mem::take(&mut draft.speaker.texts) {
            match calls {
                false => draft.units.push(Unit::Text(text)),
                true if self.detail.usage => draft.units.push(Unit::Call(text.start - 1..text.end + 1)),
                true => (),
            }
        }
        true
    }

    /// What speakers say whose names are not known is no text of the model's, but is not lost where it is written anew.
    pub(super) fn unknown_speakers(&mut self, from: usize) {
        for item in &mut self.record.items[from..] {
            if let Item::Message(draft) = item
                && draft.speaker.known.is_none()
                && draft.role.is_none()
                && !draft.speaker.texts.is_empty()
            {
                (draft.role, draft.has.content, draft.speaker.unknown) = (Some(Role::User), true, true);
                draft.units.extend(std::mem::take(&mut draft.speaker.texts).into_iter().map(Unit::Text));
            }
        }
    }

    pub(super) fn role(&mut self, draft: &mut Draft) -> Done {
        let value = self.value()?;
        let Token::String(name) = value else {
            return Ok(());
        };
        let known = role(&name.decoded(self.s.text()));
        // An unknown role is the model's, unless its name is one of reasoning.
        draft.has.half |= known.is_none() && self.is_reasoning(name);
        let role = known.unwrap_or(Role::Assistant);
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
        key: Literal,
    ) -> Done {
        let from = key.start - 1;
        let (value, at) = self.value_at()?;
        let at_value = at.start;
        let unit = match value {
            Token::True | Token::False | Token::Number if field.common => {
                draft.delta.payload = true;
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
        draft.has.message_key |= !field.common;
        self.own(key, at_value);
        draft.units.push(unit);
        draft.cuts.extend(cuts.drop(from, self.s.at()));
        Ok(())
    }

    /// An object in a message in which reasoning fields stand again, itself or in such an object of its own.
    pub(super) fn container(&mut self, draft: &mut Draft, depth: usize) -> Done {
        let token = self.s.token()?;
        if token != Token::ObjectStart {
            return self.s.skip(token);
        }
        let mut cuts = Cuts::default();
        while let Token::Key(key) = self.s.token()? {
            let from = self.s.from();
            match self.name(State::Container, key) {
                Name::Field(field) => self.field(draft, &mut cuts, field, field.copy, key)?,
                Name::Container if depth < CONTAINERS => {
                    draft.cuts.extend(cuts.keep(from));
                    self.container(draft, depth + 1)?;
                    cuts.end(self.s.at());
                }
                _ => {
                    draft.cuts.extend(cuts.keep(from));
                    let (value, at) = self.value_at()?;
                    self.rest(Some(key), value, at.start, false);
                    cuts.end(self.s.at());
                }
            }
        }
        draft.cuts.extend(cuts.close());
        Ok(())
    }
}

/// Keys of the content of messages, in formats that are not read.
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

/// How deep containers are looked for in containers: `extra_content` holds `google`.
const CONTAINERS: usize = 2;
