//! Scans the values of a record: what others may differ in, and what is to be searched.

use super::Walk;
use crate::dialect::read::alike::MAX_DIFFERENT_VALUES;
use crate::dialect::read::searched::Searched;
use crate::dialect::read::walked::{FreeKind, FreeValue, UnnamedMember};
use crate::dialect::shape::{Meaning, Slot};
use crate::dialect::suspect;
use crate::error::Error;
use crate::json::{Literal, Token, is_empty};

impl<const ALIKE: bool> Walk<'_, '_, ALIKE> {
    /// Scans the rest of a value. `free`: the walk does not depend on what it holds.
    #[inline(always)]
    pub(super) fn pass(&mut self, token: Token, free: bool) -> Result<(), Error> {
        if !free || !ALIKE || !self.out.compared {
            return self.s.skip(token);
        }
        self.pass_free(token)
    }

    fn pass_free(&mut self, token: Token) -> Result<(), Error> {
        self.spot(token, FreeKind::Text);
        if matches!(token, Token::ObjectStart | Token::ArrayStart) {
            let all = &mut self.out.free_values;
            self.s.pass_values(|_, literal, string| spot(all, literal, kind(string, FreeKind::Text)))?;
        }
        Ok(())
    }

    /// The same for a value in a slot for names, numbers and switches. Returns whether it looks like something else.
    pub(super) fn name(&mut self, token: Token, free: bool) -> Result<bool, Error> {
        let free = free && ALIKE && self.out.compared;
        match token {
            Token::ObjectStart | Token::ArrayStart => {
                let (text, all, mut counts) = (self.s.text(), &mut self.out.free_values, true);
                self.s.pass_values(|key, literal, string| {
                    counts &= !string || suspect::is_count(text, key, literal);
                    if free {
                        spot(all, literal, kind(string, FreeKind::Word));
                    }
                })?;
                Ok(!counts)
            }
            _ => {
                if free {
                    self.spot(token, FreeKind::Name);
                }
                Ok(matches!(token, Token::String(word) if !suspect::is_name(word.raw(self.s.text()))))
            }
        }
    }

    /// Notes a value that was scanned, if it is a string of this kind or a number.
    #[inline]
    fn spot(&mut self, token: Token, string: FreeKind) {
        match token {
            Token::String(word) => spot(&mut self.out.free_values, word, string),
            Token::Number => {
                let literal = Literal { start: self.s.from(), end: self.s.at(), escaped: false };
                spot(&mut self.out.free_values, literal, FreeKind::Number);
            }
            _ => (),
        }
    }

    /// Notes of the strings in a value that it is searched if they are more than words. It was scanned, and began at `start`.
    pub(super) fn only_words(&mut self, start: usize) {
        let inside = self.out.free_values.iter_mut().rev().take_while(|free| free.literal.start > start);
        inside.filter(|free| free.kind != FreeKind::Number).for_each(|free| free.kind = FreeKind::Word);
    }

    /// Walks the value of a member that its state does not list.
    pub(super) fn unnamed(&mut self, number: u32, (key, token): (Literal, Token), start: usize) -> Result<(), Error> {
        self.pass(token, token == Token::Number)?;
        self.out.nodes[number as usize].flagged |= suspect::is_marked(self.s.text(), (key, token), start);
        if !ALIKE {
            let entry = self.out.add(number, Slot::Unnamed, (key, token), start..self.s.at());
            self.out.entries[entry].odd = self.is_unread(Slot::Unnamed, (key, token));
            self.out.nodes[number as usize].unnamed |= matches!(token, Token::String(_));
            return Ok(());
        }
        self.rest(number, Some(key), token, start);
        if self.out.nodes[number as usize].slot == Slot::Inner {
            if self.out.asks_lost {
                self.out.unknown.push((number, key, start..self.s.at()));
            }
            self.out.nodes[number as usize].unnamed = true;
        } else {
            self.lose(number, start);
        }
        Ok(())
    }

    /// Whether a member of the chat family is to be searched: no node of the family uses its slot. What the nodes of
    /// other rows use is known at their end.
    pub(super) fn is_unread(&self, slot: Slot, (key, token): (Literal, Token)) -> bool {
        !ALIKE && !Meaning::Family.uses(slot) && suspect::may_hold(self.s.text(), Some(key), token, self.plain)
    }

    /// Notes that a member would be lost in other formats. It was scanned, and its value began at `start`.
    pub(super) fn lose(&mut self, number: u32, start: usize) {
        let value = &self.s.text()[start..self.s.at()];
        self.out.nodes[number as usize].lost |= self.out.asks_lost && !is_empty(value);
    }

    /// Notes a value that is to be searched. It was scanned, and began at `value`.
    pub(super) fn rest(&mut self, node: u32, key: Option<Literal>, token: Token, value: usize) {
        let (text, end) = (self.s.text(), self.s.at());
        let may_be = matches!(token, Token::String(_) | Token::ObjectStart | Token::ArrayStart);
        let known = match key {
            Some(key) if ALIKE && may_be => self.searched.get(text, key, end),
            _ => Searched::No,
        };
        match (known, key, token) {
            (Searched::Plain, Some(key), _) => return self.spot_plain(key, token),
            (Searched::PlainKey, Some(key), Token::String(word)) if suspect::is_plain_word(word.raw(text)) => {
                self.searched.add(text, key, end, true);
                return self.spot_plain(key, token);
            }
            (Searched::Clean, ..) => (),
            _ if !suspect::may_hold(text, key, token, self.plain) => return self.learn_plain(key, token),
            _ => (),
        }
        self.out.rest.push(UnnamedMember { node, key, value, end, searched: known == Searched::Clean });
    }

    /// Notes a member that needs no search, if its key says nothing and its value is a word.
    fn learn_plain(&mut self, key: Option<Literal>, token: Token) {
        let (text, end) = (self.s.text(), self.s.at());
        let (true, Some(key), Token::String(_)) = (ALIKE, key, token) else { return };
        if self.plain && suspect::is_plain_key(&key.decoded(text)) {
            self.searched.add_plain(text, key, end);
            self.spot_plain(key, token);
        }
    }

    /// Notes the value of such a member, unless it may say something of its object.
    fn spot_plain(&mut self, key: Literal, token: Token) {
        if ALIKE && self.out.compared && !suspect::may_mark(self.s.text(), key) {
            self.spot(token, FreeKind::Word);
        }
    }
}

/// Notes a value that the walk does not depend on. One above the limit shows that there are too many.
#[inline]
fn spot(all: &mut Vec<FreeValue>, literal: Literal, kind: FreeKind) {
    if all.len() <= MAX_DIFFERENT_VALUES {
        all.push(FreeValue { literal, kind });
    }
}

/// The kind of a number, or of a string.
fn kind(string: bool, of_string: FreeKind) -> FreeKind {
    if string { of_string } else { FreeKind::Number }
}
