//! Builds JSON: objects and lists, whose long texts are no copies.

use super::quote;
use crate::json::members;
use crate::model::{Leaf, WrittenJson};
use std::collections::HashSet;

/// Builds an object or a list.
pub(in crate::dialect) struct Json {
    out: WrittenJson,
    some: bool,
    end: u8,
}

/// How many bytes a short object or list has.
const SHORT: usize = 63;

/// JSON that a writer has made, on one line.
pub(in crate::dialect) trait Made {
    /// How many bytes it needs.
    fn room(&self) -> usize;

    fn add_to(&self, out: &mut WrittenJson);
}

impl Made for Vec<u8> {
    fn room(&self) -> usize {
        self.len()
    }

    fn add_to(&self, out: &mut WrittenJson) {
        out.bytes.extend_from_slice(self);
    }
}

impl Made for WrittenJson {
    fn room(&self) -> usize {
        self.bytes.len()
    }

    fn add_to(&self, out: &mut WrittenJson) {
        out.append(self);
    }
}

impl Json {
    /// An object.
    pub fn object() -> Self {
        Self::object_for(0)
    }

    /// An object with room for this many bytes beside those that most have.
    pub fn object_for(room: usize) -> Self {
        Self { out: WrittenJson::begin(b'{', SHORT + room), some: false, end: b'}' }
    }

    /// A list.
    pub fn list() -> Self {
        Self { out: WrittenJson::begin(b'[', SHORT), some: false, end: b']' }
    }

    /// Reserves room for this many more bytes.
    pub fn with_room(mut self, more: usize) -> Self {
        self.out.bytes.reserve(more);
        self
    }

    fn comma(&mut self) {
        if std::mem::replace(&mut self.some, true) {
            self.out.bytes.push(b',');
        }
    }

    /// Writes the key of a member.
    fn name(&mut self, name: &str) {
        self.comma();
        self.out.bytes.push(b'"');
        self.out.bytes.extend_from_slice(name.as_bytes());
        self.out.bytes.extend_from_slice(b"\":");
    }

    /// The keys that the object has so far, decoded.
    pub fn keys(&self) -> HashSet<Vec<u8>> {
        members(&self.out.bytes, 0).decoded().map(|(key, ..)| key.into_owned()).collect()
    }

    /// Adds a member whose value is JSON.
    pub fn raw(mut self, name: &str, value: &[u8]) -> Self {
        self.name(name);
        line(value, &mut self.out.bytes);
        self
    }

    /// Adds a member whose value is a text.
    pub fn text(mut self, name: &str, value: &[u8]) -> Self {
        self.name(name);
        quote(value, &mut self.out.bytes);
        self
    }

    /// Adds a member whose value is a text as it came.
    pub fn leaf(mut self, name: &str, value: &Leaf) -> Self {
        self.name(name);
        self.out.quote(value);
        self
    }

    /// Adds a member whose value is a word that needs no escapes.
    pub fn word(mut self, name: &str, value: &str) -> Self {
        self.name(name);
        self.out.bytes.push(b'"');
        self.out.bytes.extend_from_slice(value.as_bytes());
        self.out.bytes.push(b'"');
        self
    }

    /// Adds a member whose value is a number.
    pub fn number(mut self, name: &str, value: usize) -> Self {
        self.name(name);
        match u8::try_from(value) {
            Ok(digit @ 0..=9) => self.out.bytes.push(b'0' + digit),
            _ => self.out.bytes.extend_from_slice(value.to_string().as_bytes()),
        }
        self
    }

    /// Adds a member, if there is a value for it.
    pub fn some(self, name: &str, value: Option<&[u8]>) -> Self {
        match value {
            Some(value) => self.raw(name, value),
            None => self,
        }
    }

    /// Adds an element, which is JSON.
    pub fn item(mut self, value: &[u8]) -> Self {
        self.comma();
        line(value, &mut self.out.bytes);
        self
    }

    /// Adds a member that is a list. `fill` writes its elements in place, to avoid copies of long texts.
    pub fn list_of(mut self, name: &str, fill: impl FnOnce(Self) -> Self) -> Self {
        self.name(name);
        self.within([b'[', b']'], fill)
    }

    /// Adds a member that is an object. `fill` writes its members in place.
    pub fn object_in(mut self, name: &str, fill: impl FnOnce(Self) -> Self) -> Self {
        self.name(name);
        self.within([b'{', b'}'], fill)
    }

    /// Adds an element that is an object. `fill` writes its members in place.
    pub fn object_of(mut self, fill: impl FnOnce(Self) -> Self) -> Self {
        self.comma();
        self.within([b'{', b'}'], fill)
    }

    fn within(mut self, [first, last]: [u8; 2], fill: impl FnOnce(Self) -> Self) -> Self {
        self.out.bytes.push(first);
        let Self { mut out, .. } = fill(Self { out: self.out, some: false, end: last });
        out.bytes.push(last);
        Self { out, some: true, end: self.end }
    }

    /// Adds a member whose value was written here.
    pub fn value(mut self, name: &str, value: &impl Made) -> Self {
        self.name(name);
        value.add_to(&mut self.out);
        self
    }

    /// How many bytes it has so far, without its long texts.
    pub fn room(&self) -> usize {
        self.out.bytes.len()
    }

    /// Whether it has no member or element so far.
    pub fn is_empty(&self) -> bool {
        !self.some
    }

    /// Adds these elements, which were written here.
    pub fn items(mut self, values: &[impl Made]) -> Self {
        self.out.bytes.reserve(values.iter().map(|value| value.room() + 1).sum());
        for value in values {
            self.comma();
            value.add_to(&mut self.out);
        }
        self
    }

    /// Closes the object or list, and returns it as bytes.
    pub fn end(self) -> Vec<u8> {
        self.written().into_bytes()
    }

    /// The same without a copy of its long texts.
    pub fn written(mut self) -> WrittenJson {
        self.out.bytes.push(self.end);
        self.out
    }
}

/// Copies JSON without line ends between its tokens, so that it fits on one line.
pub(super) fn line(value: &[u8], out: &mut Vec<u8>) {
    let from = out.len();
    out.extend_from_slice(value);
    let mut rest = &mut out[from..];
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        rest[at] = b' ';
        rest = &mut rest[at + 1..];
    }
}
