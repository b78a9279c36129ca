//! Values of OTLP as the JSON that they stand for: a list of pairs is an object, and a value in an object that says its
//! type is the value. What is read of such a translation is cut where it stands in the input.

use crate::dialect::shape::Translation;
use crate::json::{Token, elements, members};
use std::ops::Range;

/// How deep lists and pairs may stand in each other.
const DEEPEST: u8 = 16;

/// What stands in front of translated attributes, so that they are read as those of a span.
const HEAD: &[u8] = b"{\"openinference.\":0,\"attributes\":";

/// Translates the list of pairs that the attributes of a span are, or the object of a value that is a list.
pub(super) fn translate(text: &[u8]) -> Option<Translation> {
    let mut out = Translator { text, out: Translation::default() };
    if text.starts_with(b"[") {
        out.out.put(HEAD, 0);
        out.pairs(0..text.len(), 0, 0)?;
        out.out.ends(text.len());
        out.out.put(b"}", text.len());
    } else {
        out.values(0..text.len(), 0, 0)?;
    }
    out.out.ends(text.len());
    Some(out.out)
}

/// Whether a text may hold values that say their types, also if it is no list of pairs.
pub(super) fn may_be_typed(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"Value").is_some() || memchr::memmem::find(text, b"\\u").is_some()
}

struct Translator<'a> {
    text: &'a [u8],
    out: Translation,
}

impl Translator<'_> {
    /// The list of pairs at this place as an object, which begins at `from`. None if it is anything else.
    fn pairs(&mut self, list: Range<usize>, from: usize, depth: u8) -> Option<()> {
        self.out.put(b"{", from);
        let mut last = list.start + 1;
        let mut all = elements(self.text, list.start);
        for (token, at) in all.by_ref() {
            if token != Token::ObjectStart {
                return None;
            }
            self.out.copy(self.text, last..at.start);
            self.pair(at.clone(), depth)?;
            last = at.end;
        }
        let end = all.end()?.checked_sub(1)?;
        self.out.copy(self.text, last..end);
        self.out.put(b"}", end);
        Some(())
    }

    /// A pair as a member.
    fn pair(&mut self, at: Range<usize>, depth: u8) -> Option<()> {
        let mut all = members(self.text, at.start);
        let (key, value, more) = (all.next()?, all.next()?, all.next());
        let Token::String(name) = key.1 else { return None };
        if !key.0.is(self.text, "key") || !value.0.is(self.text, "value") || more.is_some() {
            return None;
        }
        self.out.put(b"\"", at.start);
        self.out.copy(self.text, name.start..name.end);
        self.out.put(b"\":", name.end);
        self.value((value.1, value.2), depth)?;
        self.out.ends(at.end);
        Some(())
    }

    /// The value in an object that says its type.
    fn value(&mut self, (token, at): (Token, Range<usize>), depth: u8) -> Option<()> {
        if token != Token::ObjectStart || depth == DEEPEST {
            return None;
        }
        let mut all = members(self.text, at.start);
        let (Some((kind, token, inner)), None) = (all.next(), all.next()) else {
            return self.is_empty(at.start).then(|| self.out.put(b"null", at.start));
        };
        let is = |name| kind.is(self.text, name);
        match token {
            Token::String(word) if is("stringValue") || is("bytesValue") || is("intValue") => {
                self.out.put(b"\"", at.start);
                self.out.copy(self.text, word.start..word.end);
                self.out.put(b"\"", word.end);
            }
            Token::ObjectStart if is("arrayValue") || is("kvlistValue") => self.values(inner, at.start, depth + 1)?,
            Token::Number | Token::True | Token::False | Token::Null | Token::String(_)
                if is("intValue") || is("doubleValue") || is("boolValue") =>
            {
                self.out.copy(self.text, inner);
            }
            _ => return None,
        }
        self.out.ends(at.end);
        Some(())
    }

    /// Whether the object at this place has no member.
    fn is_empty(&self, at: usize) -> bool {
        members(self.text, at).next().is_none()
    }

    /// The list in the object at this place, as a list, or as an object that begins at `from` if it holds pairs.
    fn values(&mut self, at: Range<usize>, from: usize, depth: u8) -> Option<()> {
        let mut all = members(self.text, at.start);
        let (Some((name, Token::ArrayStart, list)), None) = (all.next(), all.next()) else {
            return self.is_empty(at.start).then(|| self.out.put(b"[]", from));
        };
        if !name.is(self.text, "values") {
            return None;
        }
        let first = elements(self.text, list.start).next();
        let is_pair = |(_, at): &(Token, Range<usize>)| crate::json::member(self.text, at.start, "key").is_some();
        if first.as_ref().is_some_and(is_pair) {
            return self.pairs(list, from, depth);
        }
        self.out.put(b"[", list.start);
        let mut last = list.start + 1;
        let mut all = elements(self.text, list.start);
        for (token, at) in all.by_ref() {
            self.out.copy(self.text, last..at.start);
            // A list in a list would begin where its brackets stand, and not where the object around it begins.
            if crate::json::member(self.text, at.start, "arrayValue").is_some() {
                return None;
            }
            self.value((token, at.clone()), depth)?;
            last = at.end;
        }
        let end = all.end()?.checked_sub(1)?;
        self.out.copy(self.text, last..end);
        self.out.put(b"]", end);
        Some(())
    }
}
