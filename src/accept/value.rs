//! Values of a JSON text as ranges of it. Of an object its members are read once; nothing is written anew.
//!
//! The text was validated before. Of members with the same key the last one counts, as for the parsers of providers.

use crate::json::{Literal, Token, elements, members};
use std::borrow::Cow;
use std::ops::Range;

/// A value, and the text that it stands in.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    text: &'a [u8],
    start: usize,
    end: usize,
    sort: ValueSort,
}

/// What a value is. Of a string, its place tells the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueSort {
    Object,
    List,
    String,
    Escaped,
    Null,
    True,
    False,
    Number,
}

impl ValueSort {
    fn of(token: Token) -> Self {
        match token {
            Token::ObjectStart => ValueSort::Object,
            Token::ArrayStart => ValueSort::List,
            Token::String(literal) if literal.escaped => ValueSort::Escaped,
            Token::String(_) => ValueSort::String,
            Token::Null => ValueSort::Null,
            Token::True => ValueSort::True,
            Token::False => ValueSort::False,
            Token::Number | Token::ObjectEnd | Token::ArrayEnd | Token::Key(_) | Token::End => ValueSort::Number,
        }
    }
}

impl<'a> Value<'a> {
    /// The value that begins with this token.
    pub fn new(text: &'a [u8], token: Token, at: Range<usize>) -> Self {
        Self { text, start: at.start, end: at.end, sort: ValueSort::of(token) }
    }

    /// The inside of a string.
    fn literal(self) -> Option<Literal> {
        self.is_string().then(|| Literal {
            start: self.start + 1,
            end: self.end - 1,
            escaped: self.sort == ValueSort::Escaped,
        })
    }

    /// Where it stands.
    pub fn at(self) -> Range<usize> {
        self.start..self.end
    }

    /// Its bytes.
    pub fn raw(self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    /// The text of a string.
    pub fn string(self) -> Option<Cow<'a, [u8]>> {
        self.literal().map(|literal| literal.decoded(self.text))
    }

    /// The text of a string; of anything else, nothing.
    pub fn bytes(self) -> Cow<'a, [u8]> {
        self.string().unwrap_or_default()
    }

    /// The text of a string that is read as UTF-8; of anything else, nothing.
    pub fn word(self) -> Cow<'a, str> {
        match self.string() {
            Some(Cow::Borrowed(text)) => String::from_utf8_lossy(text),
            Some(Cow::Owned(text)) => Cow::Owned(String::from_utf8_lossy(&text).into_owned()),
            None => Cow::Borrowed(""),
        }
    }

    /// Whether it is this string.
    pub fn is(self, word: &str) -> bool {
        self.literal().is_some_and(|literal| literal.is(self.text, word))
    }

    pub fn is_string(self) -> bool {
        matches!(self.sort, ValueSort::String | ValueSort::Escaped)
    }

    pub fn is_null(self) -> bool {
        self.sort == ValueSort::Null
    }

    pub fn is_list(self) -> bool {
        self.sort == ValueSort::List
    }

    pub fn is_object(self) -> bool {
        self.sort == ValueSort::Object
    }

    pub fn is_true(self) -> bool {
        self.sort == ValueSort::True
    }

    pub fn is_false(self) -> bool {
        self.sort == ValueSort::False
    }

    /// Whether it is the empty string.
    pub fn is_blank(self) -> bool {
        self.raw() == b"\"\""
    }

    /// Whether it is a string of nothing but white space, or an empty one.
    pub fn is_white(self) -> bool {
        let Some(literal) = self.literal() else { return false };
        match literal.raw(self.text).trim_ascii_start() {
            [] => true,
            // Only a text that begins with white space has to be read to its end.
            [b'\\', b'n' | b'r' | b't' | b'f' | b'u', ..] => literal.decoded(self.text).trim_ascii().is_empty(),
            _ => false,
        }
    }

    /// The members, if it is an object.
    pub fn object(self) -> Option<Object<'a>> {
        self.is_object().then(|| Object::read(self.text, self.at()))
    }

    /// The elements of a list. Another value has none.
    pub fn list(self) -> impl Iterator<Item = Value<'a>> {
        let text = self.text;
        elements(text, self.start).map(move |(token, at)| Value::new(text, token, at))
    }

    /// Whether it has no element.
    pub fn is_empty_list(self) -> bool {
        self.is_list() && self.text[self.start + 1..].trim_ascii_start().starts_with(b"]")
    }
}

/// An object, with its members in order.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    text: &'a [u8],
    at: (u32, u32),
    /// The marks of all keys: most questions are for keys that are not there, and need nothing else.
    marks: u64,
    /// `None`: they are read each time that one is asked for.
    members: Option<Vec<ValueMember>>,
}

/// One bit for a key, by its length, its first and its last byte: keys with different bits differ. The factors are those
/// with which the keys that are asked for and those that messages have share the fewest bits.
fn mark(key: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (key.first(), key.last()) else { return 1 };
    1 << ((key.len() + usize::from(*first) * 7 + usize::from(*last) * 38) % 64)
}

/// The longest text whose places fit into members: there are many of those, and so they are small.
pub const MAX_TEXT_BYTES: usize = u32::MAX as usize;

/// A member of an object: the key, and the value by its first token.
#[derive(Clone, Copy, Debug)]
pub struct ValueMember {
    key: (u32, u32),
    value: (u32, u32),
    sort: ValueSort,
    is_escaped: bool,
}

impl ValueMember {
    /// Of a text that is no longer than [`MAX_TEXT_BYTES`].
    pub fn new(key: Literal, token: Token, at: Range<usize>) -> Self {
        let (key, is_escaped) = ((key.start as u32, key.end as u32), key.escaped);
        Self { key, value: (at.start as u32, at.end as u32), sort: ValueSort::of(token), is_escaped }
    }

    fn key(self) -> Literal {
        Literal { start: self.key.0 as usize, end: self.key.1 as usize, escaped: self.is_escaped }
    }

    fn value(self, text: &[u8]) -> Value<'_> {
        Value { text, start: self.value.0 as usize, end: self.end(), sort: self.sort }
    }

    /// The range of key and value.
    fn at(self) -> Range<usize> {
        self.key.0 as usize - 1..self.end()
    }

    fn end(self) -> usize {
        self.value.1 as usize
    }
}

impl<'a> Object<'a> {
    /// The object at this place.
    pub fn read(text: &'a [u8], at: Range<usize>) -> Self {
        let all = members(text, at.start);
        Self::new(text, at, all.map(|(key, token, at)| ValueMember::new(key, token, at)).collect())
    }

    /// The object with these members, which were read before.
    pub fn new(text: &'a [u8], at: Range<usize>, members: Vec<ValueMember>) -> Self {
        let marked = |member: &ValueMember| if member.is_escaped { u64::MAX } else { mark(member.key().raw(text)) };
        let marks = members.iter().fold(0, |marks, member| marks | marked(member));
        Self { text, at: (at.start as u32, at.end as u32), marks, members: Some(members) }
    }

    /// The object at this place, of which little is expected to be asked.
    pub fn unread(text: &'a [u8], at: Range<usize>) -> Self {
        Self { text, at: (at.start as u32, at.end as u32), marks: u64::MAX, members: None }
    }

    /// Its members.
    fn all(&self) -> Cow<'_, [ValueMember]> {
        let read = || {
            members(self.text, self.at.0 as usize).map(|(key, token, at)| ValueMember::new(key, token, at)).collect()
        };
        self.members.as_deref().map_or_else(|| Cow::Owned(read()), Cow::Borrowed)
    }

    /// The memory of its members, to be used again.
    pub fn into_spare(self) -> Vec<ValueMember> {
        let mut members = self.members.unwrap_or_default();
        members.clear();
        members
    }

    /// Where it stands.
    pub fn at(&self) -> Range<usize> {
        self.at.0 as usize..self.at.1 as usize
    }

    /// The text that it stands in.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The value of the last member with this key.
    #[inline]
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        if self.marks & mark(key.as_bytes()) == 0 {
            return None;
        }
        // Most keys have another length: their bytes need not be looked at.
        let may_be = |key: Literal, word: &str| key.end - key.start == word.len() || key.escaped;
        let is_it = |member: &&ValueMember| may_be(member.key(), key) && member.key().is(self.text, key);
        self.all().iter().rev().find(is_it).map(|member| member.value(self.text))
    }

    /// Whether there may be a member with this key: nothing but the marks is looked at.
    pub fn may_have(&self, key: &str) -> bool {
        self.marks & mark(key.as_bytes()) != 0
    }

    /// Whether there is a member with this key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The object that is the value of this member.
    pub fn inner(&self, key: &str) -> Option<Object<'a>> {
        self.get(key)?.object()
    }

    /// Whether the value of this member is this string.
    pub fn says(&self, key: &str, word: &str) -> bool {
        self.get(key).is_some_and(|value| value.is(word))
    }

    /// The value of the first of these keys that is there, and which it is.
    pub fn first<'k>(&self, keys: &[&'k str]) -> Option<(&'k str, Value<'a>)> {
        keys.iter().find_map(|key| Some((*key, self.get(key)?)))
    }

    /// All members: the key, the range of key and value, and the value.
    pub fn members(&self) -> impl Iterator<Item = (Cow<'a, [u8]>, Range<usize>, Value<'a>)> {
        self.each().map(|member| (member.key().decoded(self.text), member.at(), member.value(self.text)))
    }

    /// The ranges of the members with this key.
    pub fn named(&self, key: &str) -> impl Iterator<Item = Range<usize>> {
        self.each().filter(move |member| member.key().is(self.text, key)).map(ValueMember::at)
    }

    fn each(&self) -> impl Iterator<Item = ValueMember> {
        let all = self.all();
        (0..all.len()).map(move |number| all[number])
    }

    /// How many members it has.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// What stands between two members of this object: the comma and the white space around it.
    pub fn comma(&self) -> &'a [u8] {
        match &*self.all() {
            [first, second, ..] => &self.text[first.end()..second.at().start],
            _ => b",",
        }
    }

    /// What stands between a key of this object and its value: the colon and the white space around it.
    pub fn colon(&self) -> &'a [u8] {
        self.all().first().map_or(b":", |member| &self.text[member.key().end + 1..member.value.0 as usize])
    }

    /// Where the last member ends.
    pub fn last_end(&self) -> Option<usize> {
        self.all().last().map(|member| member.end())
    }

    /// All members, for comparisons.
    #[cfg(test)]
    pub fn shown(&self) -> (Range<usize>, Vec<(Range<usize>, String)>) {
        (self.at(), self.each().map(|member| (member.at(), format!("{:?}", member.sort))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_how_they_are_written() {
        let text = br#"{"a" : 1 ,  "b":"x","\u0061":null}"#;
        let object = Object::read(text, 0..text.len());
        assert!(object.get("a").unwrap().is_null(), "the last one counts");
        assert_eq!(object.named("a").collect::<Vec<_>>(), [1..8, 20..33]);
        assert_eq!((object.comma(), object.colon()), (b" ,  ".as_slice(), b" : ".as_slice()));
        assert!(object.says("b", "x") && !object.has("c"));
        let unread = Object::unread(text, 0..text.len());
        assert!(unread.shown() == object.shown() && unread.get("a").unwrap().is_null() && !unread.has("c"));
        let empty = Object::read(b"{}", 0..2);
        assert_eq!((empty.comma(), empty.colon(), empty.last_end()), (b",".as_slice(), b":".as_slice(), None));
    }

    /// The marks of keys never hide a member.
    #[test]
    fn a_member_is_found_whatever_its_key() {
        let keys = ["", "a", "ab", "aab", "thinking", "th\\u0069nking", "\u{e9}", "content", "thought", "\\n"];
        for all in keys.iter().flat_map(|one| keys.iter().map(move |other| [*one, *other])) {
            let text = format!("{{\"{}\":1,\"{}\":2}}", all[0], all[1]);
            let object = Object::read(text.as_bytes(), 0..text.len());
            for (key, ..) in object.members() {
                let key = String::from_utf8(key.into_owned()).unwrap();
                assert!(object.may_have(&key) && object.has(&key) && object.named(&key).next().is_some(), "{text}");
            }
            assert!(!object.has("b") && object.named("b").next().is_none());
        }
    }
}
