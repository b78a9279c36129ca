//! The tool calls of a message. Arguments are no text of the message, and are not searched.

use super::*;
use crate::dialect::formats::shared::is_blank;

impl Walk<'_, '_> {
    /// Walks the tool calls of a message, whose key was scanned: a list, or one call in an object.
    pub(super) fn calls(&mut self, draft: &mut Draft) -> Done {
        let start = self.s.next_value();
        let value = self.s.token()?;
        match value {
            Token::ObjectStart => self.call(draft)?,
            Token::ArrayStart => loop {
                match self.s.token()? {
                    Token::ArrayEnd => break,
                    Token::ObjectStart => self.call(draft)?,
                    token => self.s.skip(token)?,
                }
            },
            _ => (),
        }
        let at = start..self.s.at();
        let some = is_filled(&self.s.text()[at.clone()]) && !is_blank(self.s.text(), at.start);
        draft.has.tool |= some;
        draft.delta.payload |= some;
        if some && self.detail.usage {
            draft.units.push(Unit::Call(at));
        }
        Ok(())
    }

    /// Walks a tool call whose `{` was scanned. An object in it may hold the signature of the reasoning before it.
    fn call(&mut self, draft: &mut Draft) -> Done {
        let (start, rest, before) = (self.s.at() - 1, self.record.rest.len(), draft.units.len());
        let mut cuts = Cuts::default();
        while let Token::Key(key) = self.s.token()? {
            draft.cuts.extend(cuts.keep(key.start - 1));
            if self.name(State::Call, key) == Name::Container {
                self.container(draft, 0)?;
            } else {
                self.call_member(key)?;
            }
            cuts.end(self.s.at());
        }
        draft.cuts.extend(cuts.close());
        if self.record.rest.len() > rest && draft.units.len() == before {
            // The keys of the call decide which of its members are arguments, so that it is searched as a whole.
            self.record.rest.truncate(rest);
            self.rest(None, Token::ObjectStart, start, false);
        }
        Ok(())
    }

    /// Walks a member of a tool call, or of the function in it.
    fn call_member(&mut self, key: Literal) -> Done {
        let known = CALL.contains(&&*key.decoded(self.s.text()));
        let at = self.s.next_value();
        match self.s.token()? {
            Token::ObjectStart if self.is_key(key, "function") => {
                while let Token::Key(inner) = self.s.token()? {
                    let known = CALL.contains(&&*inner.decoded(self.s.text()));
                    let (value, at) = self.value_at()?;
                    if !known {
                        self.rest(Some(inner), value, at.start, false);
                    }
                }
            }
            value => {
                self.s.skip(value)?;
                if !known {
                    self.rest(Some(key), value, at, false);
                }
            }
        }
        Ok(())
    }
}

/// The known keys of a call and of its function.
const CALL: &[&[u8]] = &[b"id", b"type", b"name", b"arguments", b"args", b"index", b"call_id"];
