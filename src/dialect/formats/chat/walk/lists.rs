//! Lists of messages, of deltas, and of the choices of a response.

use super::*;

/// A choice of a response, while it is walked.
#[derive(Default)]
pub(super) struct Choice {
    delta: Option<Box<Draft>>,
    /// Its number, if it has one.
    index: Option<u32>,
    finished: bool,
    /// What goes of the token probabilities with reasoning in a field; the lists of those that do not say which tokens
    /// are reasoning.
    cuts: Vec<Range<usize>>,
    probabilities: Vec<Range<usize>>,
}

impl Walk<'_, '_> {
    /// Walks a list whose elements are the deltas of one response. Returns whether it has any.
    pub(super) fn chunks(&mut self) -> Done<bool> {
        let token = self.s.token()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let at = self.record.items.len();
        loop {
            match self.s.token()? {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let (rest, start) = (self.record.rest.len(), self.s.at() - 1);
                    let draft = self.message()?;
                    self.record.marks.partly_unread |= draft.is_partly_unread();
                    if draft.role.is_none() && !draft.has.content && draft.units.is_empty() {
                        // What its members are is known together only.
                        self.record.rest.truncate(rest);
                        self.rest(None, Token::ObjectStart, start, false);
                    }
                    self.record.items.push(Item::Chunk(draft));
                }
                token => {
                    let at = self.s.from();
                    self.s.skip(token)?;
                    self.rest(None, token, at, false);
                }
            }
        }
        let some = self.record.items.len() > at;
        if some {
            self.record.items.push(Item::ChunksEnd);
        }
        Ok(some)
    }

    /// Walks a bare array: its messages are one conversation, its other elements are records.
    pub(super) fn array(&mut self, depth: usize) -> Done {
        let (list, mut last, mut open) = (self.s.at() - 1, self.s.at(), false);
        loop {
            match self.s.token()? {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let from = last;
                    let (at, rest, start) = (self.record.items.len(), self.record.rest.len(), self.s.at() - 1);
                    let read = self.record(depth)?;
                    if read.is_none() && self.record.items.len() == at {
                        // The object was not understood, so that it is searched as a whole instead of by its members.
                        self.record.rest.truncate(rest);
                        self.rest(None, Token::ObjectStart, start, false);
                    }
                    if let Some(mut draft) = read {
                        if !open {
                            self.record.items.insert(at, Item::Start);
                            open = true;
                        }
                        draft.element = Some((list, from..self.s.at()));
                        self.record.items.push(Item::Message(draft));
                    } else if open && self.record.items.len() > at {
                        // A conversation between messages ends theirs.
                        self.record.items.insert(at, Item::End);
                        open = false;
                    }
                }
                token => {
                    let at = self.s.from();
                    self.s.skip(token)?;
                    self.rest(None, token, at, false);
                }
            }
            last = self.s.at();
        }
        if open {
            self.record.items.push(Item::End);
        }
        Ok(())
    }

    /// Walks a list of messages. Returns whether it is one.
    pub(super) fn list(&mut self) -> Done<bool> {
        let token = self.s.token()?;
        if token != Token::ArrayStart {
            let at = self.s.from();
            self.s.skip(token)?;
            // An object in place of a list.
            if token == Token::ObjectStart {
                self.rest(None, token, at, false);
            }
            return Ok(false);
        }
        let (list, mut last) = (self.s.at() - 1, self.s.at());
        let (at, mut empty, mut speakers) = (self.record.items.len(), true, false);
        self.record.items.push(Item::Start);
        loop {
            let token = self.s.token()?;
            empty &= token == Token::ArrayEnd;
            match token {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let mut draft = self.message()?;
                    speakers |= self.speaker_message(&mut draft);
                    // A message without a role, and without a key that only messages have, is not understood.
                    self.record.marks.partly_unread |=
                        draft.is_partly_unread() || draft.role.is_none() && draft.has.content && !draft.has.message_key;
                    draft.element = Some((list, last..self.s.at()));
                    self.record.items.push(Item::Message(draft));
                }
                token => {
                    let at = self.s.from();
                    self.s.skip(token)?;
                    self.rest(None, token, at, false);
                    self.record.items.push(Item::Stays((list, last..self.s.at())));
                }
            }
            last = self.s.at();
        }
        self.record.items.push(Item::End);
        if speakers && self.detail.members {
            self.unknown_speakers(at);
        }
        self.record.style.speakers |= speakers;
        let messages = self.record.items[at..].iter().any(|item| matches!(item, Item::Message(_)));
        self.record.marks.known |= empty;
        if !messages && !empty {
            // A list of texts only, as in a request for embeddings, is no conversation.
            self.record.items.truncate(at);
        }
        Ok(messages || empty)
    }

    pub(super) fn choices(&mut self) -> Done<bool> {
        let token = self.s.token()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let (mut number, items) = (0, self.record.items.len());
        loop {
            match self.s.token()? {
                Token::ArrayEnd => {
                    // The last event of a stream has no choice.
                    self.record.marks.known |= number == 0 || self.record.items.len() > items;
                    return Ok(number > 0);
                }
                Token::ObjectStart => self.choice(number)?,
                token => self.s.skip(token)?,
            }
            number += 1;
        }
    }

    pub(super) fn choice(&mut self, number: u32) -> Done {
        let (mut choice, mut whole, mut finishes) = (Choice::default(), None, false);
        let mut text: Option<(Literal, Literal)> = None;
        while let Token::Key(key) = self.s.token()? {
            let name = self.name(State::Choice, key);
            finishes |= matches!(name, Name::Finish | Name::Logprobs);
            match name {
                Name::Message => {
                    whole = self.object()?.or(whole);
                    self.record.marks.partly_unread |= whole.as_ref().is_some_and(|draft| draft.is_partly_unread());
                }
                Name::Delta | Name::Index | Name::Finish | Name::Logprobs => self.beside(&mut choice, name)?,
                _ => match (name, self.value_at()?) {
                    (Name::Text, (Token::String(s), _)) => text = Some((key, s)),
                    (_, (value, at)) => self.rest(Some(key), value, at.start, false),
                },
            }
        }
        // Options of a question have a text too, but no `finish_reason`, and their record is of no such type.
        if choice.delta.is_none() && whole.is_none() && text.is_some() && (finishes || self.completes()) {
            choice.delta = text.take().map(|(_, s)| self.completion(s));
        }
        if let Some((key, s)) = text {
            self.rest(Some(key), Token::String(s), s.start - 1, true);
        }
        self.chosen(choice, whole, number);
        Ok(())
    }

    /// Whether the record has the type of a completion, which may stand behind the choices.
    fn completes(&mut self) -> bool {
        let record = self.s.text();
        *self.completes.get_or_insert_with(|| memchr::memmem::find(record, b"\"text_completion\"").is_some())
    }

    /// The message in a value, if it is an object.
    fn object(&mut self) -> Done<Option<Box<Draft>>> {
        match self.s.token()? {
            Token::ObjectStart => {
                let draft = self.message()?;
                self.record.marks.partly_unread |= draft.has.partly_unread || draft.is_hidden();
                Ok(Some(draft))
            }
            token => self.s.skip(token).map(|()| None),
        }
    }

    /// Walks a member of a choice, whose key was scanned.
    pub(super) fn beside(&mut self, choice: &mut Choice, name: Name) -> Done {
        match name {
            Name::Delta => choice.delta = self.object()?.or(choice.delta.take()),
            Name::Index => {
                let at = self.value_range()?;
                let digits = std::str::from_utf8(&self.s.text()[at]).unwrap_or_default();
                choice.index = digits.parse().ok();
            }
            Name::Finish => choice.finished |= matches!(self.value()?, Token::String(s) if s.start < s.end),
            Name::Logprobs => self.logprobs(choice)?,
            _ => drop(self.value()?),
        }
        Ok(())
    }

    /// Adds a delta that stands in a record without a list of choices, if the record is no message itself. Returns
    /// whether it did: other formats use that key for objects with a type.
    pub(super) fn bare(&mut self, record: &Draft, mut choice: Choice) -> bool {
        // An event of a reasoning type is not a delta of an answer.
        if self.kind.is_some_and(|kind| self.is_reasoning(kind)) {
            return false;
        }
        let marked = |d: &Draft| d.role.is_some() || d.has.content || d.thinks() || choice.finished;
        let is = |d: &&mut Box<Draft>| !d.has.typed && marked(d) && !record.has.content && record.units.is_empty();
        let Some(delta) = choice.delta.as_mut().filter(is) else { return false };
        delta.role = delta.role.or(record.role);
        self.chosen(choice, None, 0);
        true
    }

    /// Adds the delta and the message of a choice.
    fn chosen(&mut self, choice: Choice, whole: Option<Box<Draft>>, number: u32) {
        let Choice { delta, index, finished, mut cuts, mut probabilities } = choice;
        let mut end = |mut draft: Box<Draft>, delta: bool| {
            (draft.delta.index, draft.delta.finished) = (index.unwrap_or(number), finished);
            let thinks = draft.units.iter().any(|u| !matches!(u, Unit::Text(_) | Unit::Call(_)));
            if thinks {
                draft.cuts.append(&mut cuts);
            }
            // A whole message is refused instead: most of its tokens are those of the answer.
            match (delta, thinks) {
                (true, true) => draft.cuts.append(&mut probabilities),
                (true, false) => draft.probabilities.extend(probabilities.drain(..).map(|list| (None, list))),
                (false, _) => (),
            }
            draft
        };
        let items = [delta.map(|d| Item::Delta(end(d, true))), whole.map(|d| Item::Choice(end(d, false)))];
        // A message beside a delta is a snapshot of the text of the deltas: it comes after.
        self.record.marks.payload |= finished;
        self.record.items.extend(items.into_iter().flatten());
    }

    /// A draft with the text of a completion, or of a piece of it in a stream.
    fn completion(&mut self, text: Literal) -> Box<Draft> {
        let mut draft = self.record.draft();
        (draft.delta.completion, draft.has.content) = (true, true);
        self.record.style.completions = true;
        draft.units.push(Unit::Text(text));
        draft
    }

    /// Token probabilities of the reasoning repeat its text.
    pub(super) fn logprobs(&mut self, choice: &mut Choice) -> Done {
        let token = self.s.token()?;
        if token != Token::ObjectStart {
            return self.s.skip(token);
        }
        let (mut cuts, mut own, mut others) = (Cuts::default(), false, Vec::new());
        while let Token::Key(key) = self.s.token()? {
            let (from, name) = (self.s.from(), self.name(State::Logprobs, key));
            let at = self.s.next_value();
            let value = self.value()?;
            own |= matches!(name, Name::Field(..));
            let list = at + 1..self.s.at() - 1;
            if value == Token::ArrayStart {
                others.push(list);
            }
            if matches!(name, Name::Field(..)) && value != Token::Null {
                choice.cuts.extend(cuts.drop(from, self.s.at()));
            } else {
                choice.cuts.extend(cuts.keep(from));
                cuts.end(self.s.at());
            }
        }
        choice.cuts.extend(cuts.close());
        if !own {
            self.record.marks.tokens |= !others.is_empty();
            others.retain(|list| !self.s.text()[list.clone()].trim_ascii().is_empty());
            choice.probabilities.append(&mut others);
        }
        Ok(())
    }
}
