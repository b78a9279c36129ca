//! Lists of messages, of deltas, and of the choices of a response.

use super::*;

impl Walk<'_, '_> {
    /// A list whose elements are the deltas of one response.
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
                    let draft = self.message()?;
                    self.record.items.push(Item::Chunk(draft));
                }
                token => self.s.skip(token)?,
            }
        }
        let some = self.record.items.len() > at;
        if some {
            self.record.items.push(Item::ChunksEnd);
        }
        Ok(some)
    }

    /// A bare array: one conversation if its elements are messages, otherwise records.
    pub(super) fn array(&mut self, depth: usize) -> Done {
        let (list, mut last, mut open) = (self.s.at() - 1, self.s.at(), false);
        loop {
            match self.s.token()? {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let from = last;
                    let at = self.record.items.len();
                    if let Some(mut draft) = self.record(depth)? {
                        if !open {
                            self.record.items.insert(at, Item::Start);
                            open = true;
                        }
                        draft.element = Some((list, from..self.s.at()));
                        self.record.items.push(Item::Message(draft));
                    } else if open && self.record.items.len() > at {
                        // A conversation among messages closes theirs.
                        self.record.items.insert(at, Item::End);
                        open = false;
                    }
                }
                token => self.s.skip(token)?,
            }
            last = self.s.at();
        }
        if open {
            self.record.items.push(Item::End);
        }
        Ok(())
    }

    /// A list of messages. Whether it is one.
    pub(super) fn list(&mut self) -> Done<bool> {
        let token = self.s.token()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let (list, mut last) = (self.s.at() - 1, self.s.at());
        let (at, mut empty, mut spoken) = (self.record.items.len(), true, false);
        self.record.items.push(Item::Start);
        loop {
            let token = self.s.token()?;
            empty &= token == Token::ArrayEnd;
            match token {
                Token::ArrayEnd => break,
                Token::ObjectStart => {
                    let mut draft = self.message()?;
                    spoken |= self.spoken(&mut draft);
                    draft.element = Some((list, last..self.s.at()));
                    self.record.items.push(Item::Message(draft));
                }
                token => {
                    self.s.skip(token)?;
                    self.record.items.push(Item::Stays((list, last..self.s.at())));
                }
            }
            last = self.s.at();
        }
        self.record.items.push(Item::End);
        // No other dialect can be written in their place.
        if spoken && self.detail.members {
            self.record.items.truncate(at);
            return Ok(false);
        }
        self.record.speakers |= spoken;
        let messages = self.record.items[at..].iter().any(|item| matches!(item, Item::Message(_)));
        Ok(messages || empty)
    }

    pub(super) fn choices(&mut self) -> Done<bool> {
        let token = self.s.token()?;
        if token != Token::ArrayStart {
            self.s.skip(token)?;
            return Ok(false);
        }
        let mut number = 0;
        loop {
            match self.s.token()? {
                Token::ArrayEnd => return Ok(number > 0),
                Token::ObjectStart => self.choice(number)?,
                token => self.s.skip(token)?,
            }
            number += 1;
        }
    }

    pub(super) fn choice(&mut self, number: u32) -> Done {
        let (mut delta, mut whole, mut text) = (None, None, None);
        let (mut index, mut finished, mut cuts, mut counted) = (number, false, Vec::new(), false);
        while let Token::Key(key) = self.s.token()? {
            let name = self.name(key);
            counted |= matches!(name, Name::Index | Name::Finish | Name::Logprobs);
            match name {
                name @ (Name::Message | Name::Delta) => {
                    let token = self.s.token()?;
                    if token != Token::ObjectStart {
                        self.s.skip(token)?;
                        continue;
                    }
                    let slot = if name == Name::Delta { &mut delta } else { &mut whole };
                    *slot = Some(self.message()?);
                }
                Name::Index => {
                    let at = self.value_range()?;
                    let digits = std::str::from_utf8(&self.s.text()[at]).unwrap_or_default();
                    index = digits.parse().unwrap_or(number);
                }
                Name::Finish => finished |= matches!(self.value()?, Token::String(s) if s.start < s.end),
                Name::Logprobs => self.logprobs(&mut cuts)?,
                _ => {
                    if let (Name::Text, Token::String(s)) = (name, self.value()?) {
                        text = Some(s);
                    }
                }
            }
        }
        // A message of another dialect cannot stand in its place. Options of a question have a text too, and no number.
        if delta.is_none() && whole.is_none() && counted && !self.detail.members {
            delta = text.map(|s| self.completion(s));
        }
        let end = |mut draft: Box<Draft>, more: &mut Vec<Range<usize>>| {
            (draft.index, draft.finished) = (index, finished);
            if draft.units.iter().any(|u| !matches!(u, Unit::Text(_) | Unit::Call(_))) {
                draft.cuts.append(more);
            }
            draft
        };
        let items = [delta.map(|d| Item::Delta(end(d, &mut cuts))), whole.map(|d| Item::Choice(end(d, &mut cuts)))];
        // A message beside a delta is a snapshot of what the deltas have said: it comes after.
        self.record.payload |= finished;
        self.record.items.extend(items.into_iter().flatten());
        Ok(())
    }

    /// The text of a completion, of which a stream has pieces.
    fn completion(&mut self, text: Literal) -> Box<Draft> {
        let mut draft = self.record.draft();
        (draft.completion, draft.content, draft.object) = (true, true, text.start - 1..text.end + 1);
        draft.units.push(Unit::Text(text));
        draft
    }

    /// Token probabilities of the reasoning say the reasoning again.
    pub(super) fn logprobs(&mut self, out: &mut Vec<Range<usize>>) -> Done {
        let token = self.s.token()?;
        if token != Token::ObjectStart {
            return self.s.skip(token);
        }
        let mut cuts = Cuts::default();
        while let Token::Key(key) = self.s.token()? {
            let (from, name) = (self.s.from(), self.name(key));
            let value = self.value()?;
            if matches!(name, Name::Field(..)) && value != Token::Null {
                out.extend(cuts.drop(from, self.s.at()));
            } else {
                out.extend(cuts.keep(from));
                cuts.end(self.s.at());
            }
        }
        out.extend(cuts.close());
        Ok(())
    }
}
