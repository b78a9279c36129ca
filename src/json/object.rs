//! Objects of our own as JSON, written member by member so that they keep their order.

use super::quote::quote;
use super::text::utf8;

/// How texts are written as JSON strings.
type WriteText = fn(&[u8], &mut Vec<u8>);

/// Writes the members of an object, in order. Their names need no escapes.
pub struct MemberWriter<'a> {
    out: &'a mut Vec<u8>,
    begun: bool,
    text: WriteText,
}

/// Writes an object.
pub fn object(out: &mut Vec<u8>, fill: impl FnOnce(&mut MemberWriter<'_>)) {
    object_with(quote, out, fill);
}

/// Writes an object whose texts are written like this.
pub fn object_with(text: WriteText, out: &mut Vec<u8>, fill: impl FnOnce(&mut MemberWriter<'_>)) {
    out.push(b'{');
    fill(&mut MemberWriter { out, begun: false, text });
    out.push(b'}');
}

/// An object as a text.
#[cfg(feature = "cli")]
pub fn object_text(fill: impl FnOnce(&mut MemberWriter<'_>)) -> String {
    let mut out = Vec::with_capacity(256);
    object(&mut out, fill);
    // Names and texts are UTF-8.
    String::from_utf8(out).unwrap_or_default()
}

/// Writes a list whose items each have a line of their own.
#[cfg(feature = "cli")]
pub fn lines<T>(out: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Vec<u8>, T)) {
    let mut is_empty = true;
    list(out, items, |out, item| {
        is_empty = false;
        out.push(b'\n');
        write(out, item);
    });
    if !is_empty {
        out.pop();
        out.extend_from_slice(b"\n]");
    }
}

/// Writes a list.
pub fn list<T>(out: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Vec<u8>, T)) {
    out.push(b'[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

impl<'a> MemberWriter<'a> {
    /// Writes members behind those in `out`, without the braces: [`MemberWriter::members`] takes them.
    pub fn behind(out: &'a mut Vec<u8>) -> Self {
        Self { begun: !out.is_empty(), out, text: quote }
    }

    /// Writes the name of a member. Its value is then appended to the returned buffer.
    pub fn name(&mut self, name: &str) -> &mut Vec<u8> {
        self.out.extend_from_slice(if self.begun { b",\"" } else { b"\"" });
        self.begun = true;
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    /// Writes a text.
    pub fn string(&mut self, name: &str, value: &str) {
        (self.text)(value.as_bytes(), self.name(name));
    }

    /// Writes bytes as a text.
    pub fn bytes(&mut self, name: &str, value: &[u8]) {
        self.string(name, &utf8(value));
    }

    /// Writes a number.
    pub fn number(&mut self, name: &str, value: u64) {
        self.name(name).extend_from_slice(value.to_string().as_bytes());
    }

    /// Writes `true` or `false`.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.name(name).extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Writes `null`.
    pub fn null(&mut self, name: &str) {
        self.name(name).extend_from_slice(b"null");
    }

    /// Writes a text, or `null`.
    pub fn string_or_null(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.string(name, value),
            None => self.null(name),
        }
    }

    /// Writes a number, or `null`.
    pub fn number_or_null(&mut self, name: &str, value: Option<u64>) {
        match value {
            Some(value) => self.number(name, value),
            None => self.null(name),
        }
    }

    /// Writes members that were written by [`MemberWriter::behind`].
    #[cfg(feature = "cli")]
    pub fn members(&mut self, members: &[u8]) {
        if self.begun && !members.is_empty() {
            self.out.push(b',');
        }
        self.begun |= !members.is_empty();
        self.out.extend_from_slice(members);
    }

    /// Writes an object.
    pub fn object(&mut self, name: &str, fill: impl FnOnce(&mut MemberWriter<'_>)) {
        object_with(self.text, self.name(name), fill);
    }

    /// Writes a list.
    pub fn list<T>(&mut self, name: &str, items: impl IntoIterator<Item = T>, write: impl FnMut(&mut Vec<u8>, T)) {
        list(self.name(name), items, write);
    }

    /// Writes a list of texts.
    pub fn strings<T: AsRef<[u8]>>(&mut self, name: &str, items: impl IntoIterator<Item = T>) {
        let text = self.text;
        self.list(name, items, |out, item| text(utf8(item.as_ref()).as_bytes(), out));
    }

    /// Writes a list of objects.
    pub fn objects<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut fill: impl FnMut(&mut MemberWriter<'_>, T),
    ) {
        let text = self.text;
        self.list(name, items, |out, item| object_with(text, out, |members| fill(members, item)));
    }
}
