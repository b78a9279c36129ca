//! Messages: their members, their parts, and the objects that repeat reasoning.

use super::*;
use crate::dialect::formats::chat::row::Field;
use std::borrow::Cow;

impl Walk<'_, '_> {
    /// Walks a message whose `{` was scanned.
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

    /// Walks a member of a message, whose key was scanned.
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

    /// Walks the value of a member.
    fn member_value(&mut self, draft: &mut Draft, cuts: &mut Cuts, name: Name, key: Literal) -> Done {
        if let Name::Field(field) = name {
            return self.field(draft, cuts, field, field.key, key);
        }
        draft.cuts.extend(cuts.keep(key.start - 1));
        // Most keys are recognised by their first letter.
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
                let at = self.s.next_value();
                let (value, logged) = self.status_value()?;
                draft.delta.payload |= !matches!(value, Token::Null);
                draft.logged = logged.or(draft.logged);
                if !suspect::is_counts(&self.s.text()[at..self.s.at()]) {
                    draft.has.hidden |= self.is_titled(at);
                    self.rest(Some(key), value, at, false);
                }
            }
            _ => self.other(draft, name, key)?,
        }
        cuts.end(self.s.at());
        Ok(())
    }

    /// Walks a member that is not content of a message in the dialects in force.
    fn other(&mut self, draft: &mut Draft, name: Name, key: Literal) -> Done {
        let (value, at) = self.value_at()?;
        let some = is_filled(&self.s.text()[at.clone()]);
        draft.delta.payload |= some;
        draft.has.other |= some && name == Name::Visible;
        match (name, value) {
            (Name::Type, Token::String(s)) => {
                draft.has.typed |= some;
                draft.has.partly_unread |= self.is_reasoning(s);
                draft.has.hidden |= s.raw(self.s.text()) == b"analysis";
            }
            (Name::Speaker | Name::SpeakerText, Token::String(s)) => {
                self.speaker_member(draft, name, s);
                self.rest(Some(key), value, at.start, true);
            }
            (Name::Id, _) => (),
            // The user reads this in place of an answer. If the message is edited, it stays as it is.
            (Name::Visible, Token::String(s)) if !self.detail.edits && self.is_key(key, "refusal") => {
                draft.units.push(Unit::Text(s));
            }
            (_, Token::True) => draft.has.hidden |= suspect::is_flag(&key.decoded(self.s.text())),
            _ if some => {
                let content = self.is_content_key(key);
                draft.has.elsewhere |= content;
                self.rest(Some(key), value, at.start, content);
            }
            _ => (),
        }
        Ok(())
    }

    /// Whether the object that begins here has a title that names reasoning.
    pub(super) fn is_titled(&self, at: usize) -> bool {
        let text = self.s.text();
        let names = |value| matches!(value, Token::String(title) if suspect::names_thought(&title.decoded(text)));
        members(text, at).any(|(key, value, _)| self.is_key(key, "title") && names(value))
    }

    /// Whether this type or role names reasoning.
    pub(super) fn is_reasoning(&self, name: Literal) -> bool {
        suspect::is_kind(&text::decoded(name.raw(self.s.text())))
    }

    /// Whether a key is `name`, also if it has escapes.
    pub(super) fn is_key(&self, key: Literal, name: &str) -> bool {
        key.is(self.s.text(), name)
    }

    /// Whether formats that are not read have the content of a message under this key.
    pub(super) fn is_content_key(&self, key: Literal) -> bool {
        CONTENT_KEYS.contains(&&*key.decoded(self.s.text()))
    }

    /// Notes a value that no dialect in force reads, unless it is empty.
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

    /// Notes a member that means something only in a message, while it is not known whether the record is one.
    pub(super) fn own(&mut self, key: Literal, value: usize) {
        if !self.inside {
            self.record.own.push(Rest { key: Some(key), value, message: false, content: false });
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

    /// Notes a text under a common key, whose meaning is known only at the end of its object.
    fn speaker_member(&mut self, draft: &mut Draft, name: Name, text: Literal) {
        if name == Name::SpeakerText {
            return draft.speaker.texts.push(text);
        }
        let word = text::decoded(text.raw(self.s.text()));
        if let Some(calls) = self.names.speaker(&word) {
            // If there are two speakers, the one counts whose text is searched.
            let searched = draft.speaker.known == Some((Role::Assistant, false));
            let role = role(&word).unwrap_or(Role::Assistant);
            draft.speaker.known = if searched { draft.speaker.known } else { Some((role, calls)) };
        } else {
            // A speaker whose name is one of reasoning is in no dialect.
            draft.has.partly_unread |= suspect::is_kind(&word);
        }
    }

    /// Whether a message of a list is one of a speaker; then its speaker and text are set.
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
            draft.speaker.calls.extend(calls.then_some(text));
        }
        true
    }

    /// Texts of unknown speakers are not the model's, but are kept where messages are written anew.
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
        // An unknown role counts as the assistant's, unless its name is one of reasoning.
        draft.has.partly_unread |= known.is_none() && self.is_reasoning(name);
        let role = known.unwrap_or(Role::Assistant);
        // If there are two roles, the one counts whose text is searched.
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
                draft.has.hidden |= value == Token::True && suspect::is_flag(field.key.as_bytes());
                draft.cuts.extend(cuts.keep(from));
                cuts.end(self.s.at());
                return Ok(());
            }
            Token::Null => Unit::Void(source),
            _ if field.opaque => Unit::Opaque(source),
            Token::String(s) => Unit::Field(source, s),
            Token::ObjectStart | Token::ArrayStart if is_filled(&self.s.text()[at.clone()]) => Unit::Deep(source, at),
            _ => Unit::Void(source),
        };
        draft.has.message_key |= !field.common;
        self.own(key, at_value);
        draft.units.push(unit);
        draft.cuts.extend(cuts.drop(from, self.s.at()));
        Ok(())
    }

    /// Walks an object in a message that repeats reasoning fields, itself or in such an object inside of it.
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

/// How deep such objects are searched for in each other: `extra_content` holds `google`.
const CONTAINERS: usize = 2;
