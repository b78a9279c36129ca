//! Members that a list holds as pairs of a key and a value, whose type stands beside it: `{"key":…,"value":{TYPE:…}}`. They
//! are read as the members of an object with these keys, and the lists and maps among them as its lists and objects.

use super::paths::{PathMember, Paths};
use super::{Walk, may_be_record};
use crate::dialect::read::walked::UnnamedMember;
use crate::dialect::shape::{Does, PairWords, Slot, State, To, bit};
use crate::dialect::suspect;
use crate::error::Error;
use crate::json::{Literal, Scanner, Token, elements, member, members};
use std::mem::replace;
use std::ops::Range;

/// The most levels that such lists and maps nest.
const MAX_PAIR_DEPTH: usize = 8;

/// A pair: its key, and its value without the type. Of a list or a map, that is the list of its elements.
struct Pair {
    key: Literal,
    value: (Token, Range<usize>),
}

/// The pair at `at`, if the object there is one and nothing else.
fn pair(text: &[u8], at: usize, words: &PairWords) -> Option<Pair> {
    let (mut key, mut value, mut others) = (None, None, false);
    for (name, token, range) in members(text, at) {
        match token {
            Token::String(word) if name.is(text, words.key) && key.is_none() => key = Some(word),
            Token::ObjectStart if name.is(text, words.value) && value.is_none() => {
                value = Some(typed(text, range.start, words)?);
            }
            _ => others = true,
        }
    }
    Some(Pair { key: key?, value: value? }).filter(|_| !others)
}

/// The members of the object of a value. Some programs write those of other types, too, as null.
fn of_value(text: &[u8], at: usize) -> impl Iterator<Item = (Literal, Token, Range<usize>)> {
    let several = members(text, at).nth(1).is_some();
    members(text, at).filter(move |(_, token, _)| !several || *token != Token::Null)
}

/// The value in the object at `at`, if its type is all that the object has beside it.
fn typed(text: &[u8], at: usize, words: &PairWords) -> Option<(Token, Range<usize>)> {
    let mut all = of_value(text, at);
    let (Some((name, token, value)), None) = (all.next(), all.next()) else { return None };
    let opens = match token {
        Token::ObjectStart if name.is(text, words.map) => Token::ObjectStart,
        Token::ObjectStart if name.is(text, words.list) => Token::ArrayStart,
        Token::ObjectStart | Token::ArrayStart => return None,
        token => return Some((token, value)),
    };
    let (inner, values) = member(text, value.start, words.values)?;
    let alone = members(text, value.start).count() == 1;
    (alone && inner == Token::ArrayStart).then_some((opens, values))
}

/// The object that the pairs of the list at `at` stand for, if they do and are not too deep in each other.
pub(in crate::dialect) fn object(text: &[u8], at: usize, words: &PairWords) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    write_object(text, at, (words, MAX_PAIR_DEPTH), &mut out).map(|()| out)
}

fn write_object(text: &[u8], at: usize, (words, depth): (&PairWords, usize), out: &mut Vec<u8>) -> Option<()> {
    out.push(b'{');
    for (number, (_, element)) in elements(text, at).enumerate() {
        let pair = [words.key, words.value].map(|name| member(text, element.start, name));
        let [Some((Token::String(_), key)), Some((Token::ObjectStart, value))] = pair else { return None };
        out.extend_from_slice(if number > 0 { b"," } else { b"" });
        out.extend_from_slice(&text[key]);
        out.push(b':');
        write_value(text, value.start, (words, depth), out)?;
    }
    out.push(b'}');
    Some(())
}

/// The value in the object at `at` without its type.
fn write_value(text: &[u8], at: usize, (words, depth): (&PairWords, usize), out: &mut Vec<u8>) -> Option<()> {
    let deeper = (words, depth.checked_sub(1)?);
    let mut all = of_value(text, at);
    let Some((name, token, value)) = all.next() else {
        out.extend_from_slice(b"null");
        return Some(());
    };
    all.next().is_none().then_some(())?;
    match token {
        Token::ObjectStart if name.is(text, words.map) => match member(text, value.start, words.values) {
            Some((Token::ArrayStart, values)) => write_object(text, values.start, deeper, out)?,
            Some(_) => return None,
            None => out.extend_from_slice(b"{}"),
        },
        Token::ObjectStart if name.is(text, words.list) => {
            out.push(b'[');
            match member(text, value.start, words.values) {
                Some((Token::ArrayStart, values)) => {
                    for (number, (token, element)) in elements(text, values.start).enumerate() {
                        (token == Token::ObjectStart).then_some(())?;
                        out.extend_from_slice(if number > 0 { b"," } else { b"" });
                        write_value(text, element.start, deeper, out)?;
                    }
                }
                Some(_) => return None,
                None => (),
            }
            out.push(b']');
        }
        Token::ObjectStart | Token::ArrayStart => return None,
        Token::String(digits) if name.is(text, words.number) && is_number(digits.raw(text)) => {
            out.extend_from_slice(digits.raw(text));
        }
        _ => out.extend_from_slice(&text[value]),
    }
    Some(())
}

/// Whether a text is a whole number as JSON has it.
fn is_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && (digits == b"0" || digits[0] != b'0')
}

/// Whether pairs in the list at `at`, which nothing reads, may be reasoning: a key names it, or a value says that they are.
/// Other searches do not see through pairs.
fn may_think(text: &[u8], at: usize, words: &PairWords, depth: usize) -> bool {
    elements(text, at).any(|(_, element)| {
        let pair = pair(text, element.start, words);
        if pair.as_ref().is_some_and(|pair| suspect::may_name_reasoning(pair.key, text)) {
            return true;
        }
        match pair.map(|pair| pair.value).or_else(|| typed(text, element.start, words)) {
            Some((Token::String(word), _)) => suspect::is_kind(&word.decoded(text)),
            Some((Token::ObjectStart | Token::ArrayStart, list)) => {
                depth == 0 || may_think(text, list.start, words, depth - 1)
            }
            Some(_) => false,
            None => true,
        }
    })
}

impl<const ALIKE: bool> Walk<'_, '_, ALIKE> {
    /// Walks the pairs of a list whose `[` was scanned, as members of the node.
    pub(super) fn pairs(
        &mut self,
        words: &'static PairWords,
        (state, number): (&'static State, u32),
        depth: usize,
    ) -> Result<(), Error> {
        let (text, list) = (self.s.text(), self.s.at() - 1);
        let (mut paths, mut places, mut seals) = (Paths::default(), Vec::new(), Vec::new());
        while let Some(token) = self.s.element()? {
            let start = self.s.from();
            self.s.skip(token)?;
            let Some(pair) = pair(text, start, words) else {
                places.push(start);
                let names =
                    |(_, token, _)| matches!(token, Token::String(word) if suspect::may_name_reasoning(word, text));
                if members(text, start).any(names) {
                    self.unclear(number, start);
                }
                self.rest(number, None, token, start);
                continue;
            };
            let (name, key, whole) = (pair.key.decoded(text), pair.key, start..self.s.at());
            let (token, value) = pair.value;
            places.push(key.start - 1);
            let member = PathMember { path: name.to_vec(), key, token, value, whole };
            match state.paths && paths.has(state, self.rows, &name) {
                true => paths.add(member),
                false => seals.extend(self.pair(words, (state, number), member, depth)?),
            }
        }
        let own = self.out.scattered.len();
        self.out.scattered.extend(seals.into_iter().map(|whole| (number, whole.0, whole.1)));
        self.commas(list, &places, own);
        if state.paths {
            self.paths((state, number), list, (paths, places), depth);
        }
        Ok(())
    }

    /// Notes that what begins here and was scanned may be reasoning.
    fn unclear(&mut self, parent: u32, start: usize) {
        let number = self.open(parent, Slot::Inner, start, None);
        self.close(number);
        self.out.nodes[number as usize].does = Does::Unclear;
    }

    /// Reads one pair, which was scanned. One that may go alone is returned: where its key begins, and all of it.
    fn pair(
        &mut self,
        words: &'static PairWords,
        (state, number): (&'static State, u32),
        PathMember { path, key, token, value, whole }: PathMember,
        depth: usize,
    ) -> Result<Option<(usize, Range<usize>)>, Error> {
        let (text, rows) = (self.s.text(), self.rows);
        let inner = depth < MAX_PAIR_DEPTH;
        let leaf = !matches!(token, Token::ObjectStart | Token::ArrayStart);
        let found = state.find(&path, bit(token), rows, |_| false).map(|found| (found, found.to));
        match found {
            Some((found, To::Is(slot))) if leaf && !matches!(slot, Slot::Thought | Slot::Shadow) => {
                self.entry((number, slot), found, (key, token), value);
                if slot == Slot::Seal {
                    return Ok(Some((key.start - 1, whole)));
                }
            }
            // Arguments and results are not searched.
            Some((found, To::Is(slot @ (Slot::Arguments | Slot::Result))))
                if token == Token::ObjectStart && object(text, value.start, words).is_some() =>
            {
                self.out.pairs = Some(words);
                self.entry((number, slot), found, (key, token), value);
            }
            Some((found, To::Record)) if leaf && may_be_record(token, text) => {
                self.entry((number, Slot::Record), found, (key, token), value);
            }
            Some((found, To::Each(slot, state))) if inner => {
                self.entry((number, slot), found, (key, token), value.clone());
                self.within(value.start, |walk| walk.values(words, number, (slot, state), depth + 1))?;
            }
            Some((_, To::Pass)) => (),
            _ => {
                let start = whole.start;
                let member = matches!(found, Some((_, To::Is(Slot::Thought | Slot::Shadow))));
                if member || !leaf && may_think(text, value.start, words, MAX_PAIR_DEPTH) {
                    // Reasoning that goes as a member cannot go as a pair.
                    self.unclear(number, start);
                }
                self.out.rest.push(UnnamedMember {
                    node: number,
                    key: None,
                    value: start,
                    end: whole.end,
                    searched: false,
                });
                self.lose(number, start);
            }
        }
        Ok(None)
    }

    /// Walks the list at `at`, which was scanned before. The scanner stays where it is.
    fn within(&mut self, at: usize, walk: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let inner = Scanner::within(self.s.text(), at);
        let outer = replace(&mut self.s, inner);
        let walked = self.s.token().and_then(|_| walk(self));
        self.s = outer;
        walked
    }

    /// Walks the values of a list whose `[` was scanned: maps are nodes.
    fn values(
        &mut self,
        words: &'static PairWords,
        parent: u32,
        (slot, state): (Slot, &'static State),
        depth: usize,
    ) -> Result<(), Error> {
        let (text, list, mut last) = (self.s.text(), self.s.at() - 1, self.s.at());
        while let Some(token) = self.s.element()? {
            let start = self.s.from();
            let number = self.open(parent, slot, start, Some((list, last)));
            self.s.skip(token)?;
            last = self.s.at();
            let rest = self.out.rest.len();
            match typed(text, start, words) {
                Some((Token::ObjectStart, pairs)) => {
                    self.within(pairs.start, |walk| walk.pairs(words, (state, number), depth))?;
                    self.close(number);
                    self.settle(state, number, rest);
                    let does = self.out.nodes[number as usize].does;
                    let unread = matches!(does, Does::Rest | Does::Unread | Does::Nothing);
                    if unread && may_think(text, pairs.start, words, MAX_PAIR_DEPTH) {
                        self.out.nodes[number as usize].does = Does::Unclear;
                    }
                }
                value => {
                    self.close(number);
                    self.alike_element(parent, slot);
                    self.rest(number, None, token, start);
                    if let Some((Token::ArrayStart, list)) = value
                        && may_think(text, list.start, words, MAX_PAIR_DEPTH)
                    {
                        self.out.nodes[number as usize].does = Does::Unclear;
                    }
                }
            }
        }
        Ok(())
    }
}
