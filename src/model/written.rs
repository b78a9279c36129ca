//! JSON that a writer made, with the long texts in it: these are shared with the message, and quoted when they go out.

use super::Leaf;
use super::leaf::inside;
use std::collections::VecDeque;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug, Default)]
pub struct WrittenJson {
    /// Its bytes; without the long texts it is JSON, too.
    pub bytes: Vec<u8>,
    /// Long texts, in the order of their places. Few values have any, and builders move values often.
    texts: Option<Box<LongTexts>>,
}

#[derive(Clone, Debug, Default)]
struct LongTexts(Vec<LongText>);

/// A part of a long text, which stands inside of a string.
#[derive(Clone, Debug)]
struct LongText {
    /// The offset in the bytes around it.
    at: usize,
    part: Arc<[u8]>,
    /// It is the inside of a JSON string with escapes.
    escaped: bool,
}

impl WrittenJson {
    /// A value that begins with this byte, with room for so many more.
    pub fn begin(first: u8, room: usize) -> Self {
        let mut bytes = Vec::with_capacity(room + 1);
        bytes.push(first);
        Self { bytes, texts: None }
    }

    /// Adds a text as a string.
    pub fn quote(&mut self, text: &Leaf) {
        let (parts, rest) = text.parts();
        let escaped = text.is_escaped();
        self.bytes.push(b'"');
        let at = self.bytes.len();
        self.add(parts.iter().map(|part| LongText { at, part: part.clone(), escaped }));
        inside(rest, escaped, &mut self.bytes);
        self.bytes.push(b'"');
    }

    fn add(&mut self, texts: impl ExactSizeIterator<Item = LongText>) {
        if texts.len() == 0 {
            return;
        }
        let LongTexts(list) = &mut **self.texts.get_or_insert_default();
        if list.is_empty() {
            list.reserve_exact(texts.len());
        }
        list.extend(texts);
    }

    fn texts(&self) -> &[LongText] {
        self.texts.as_ref().map_or(&[], |texts| &texts.0)
    }

    /// Adds another value.
    pub fn append(&mut self, other: &WrittenJson) {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.add(other.texts().iter().map(|text| LongText { at: from + text.at, ..text.clone() }));
    }

    /// How many bytes it has, about.
    fn len(&self) -> usize {
        self.bytes.len() + self.texts().iter().map(|text| text.part.len()).sum::<usize>()
    }

    /// All of it as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        if self.texts.is_none() {
            return self.bytes;
        }
        let (mut out, mut from) = (Vec::with_capacity(self.len() + self.len() / 16), 0);
        for LongText { at, part, escaped } in self.texts() {
            out.extend_from_slice(&self.bytes[from..*at]);
            inside(part, *escaped, &mut out);
            from = *at;
        }
        out.extend_from_slice(&self.bytes[from..]);
        out
    }

    /// Whether it is UTF-8, with surrogates as escapes. A part ends where a character ends, or it is not.
    pub fn is_utf8(&self) -> bool {
        let is_utf8 = |text: &LongText| {
            let mut quoted = Vec::new();
            std::str::from_utf8(&text.part).is_ok() || {
                inside(&text.part, text.escaped, &mut quoted);
                std::str::from_utf8(&quoted).is_ok()
            }
        };
        std::str::from_utf8(&self.bytes).is_ok() && self.texts().iter().all(is_utf8)
    }
}

impl From<Vec<u8>> for WrittenJson {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, texts: None }
    }
}

/// Values on their way out.
#[derive(Debug, Default)]
pub struct Outgoing {
    values: VecDeque<WrittenJson>,
    /// How many bytes of the first one are out, and how many of its long texts.
    at: usize,
    texts: usize,
}

impl Outgoing {
    /// Adds a value.
    pub fn push(&mut self, value: WrittenJson) {
        self.values.push_back(value);
    }

    /// Whether all is out.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Writes the next bytes: about so many, or what is left.
    pub fn write(&mut self, most: usize, out: &mut Vec<u8>) {
        let full = out.len().saturating_add(most);
        while let Some(WrittenJson { bytes, texts }) = self.values.front_mut() {
            let next = texts.as_mut().and_then(|texts| texts.0.get_mut(self.texts));
            let end = next.as_ref().map_or(bytes.len(), |text| text.at);
            let part = &bytes[self.at..end.min(self.at.saturating_add(most))];
            out.extend_from_slice(part);
            self.at += part.len();
            match next {
                _ if self.at < end => (),
                Some(LongText { part, escaped, .. }) => {
                    inside(&std::mem::take(part), *escaped, out);
                    self.texts += 1;
                }
                None => {
                    self.values.pop_front();
                    (self.at, self.texts) = (0, 0);
                }
            }
            if out.len() >= full {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &[u8]) -> WrittenJson {
        let mut leaf = Leaf::default();
        leaf.push(text, false);
        let mut value = WrittenJson::begin(b'[', 0);
        value.quote(&leaf);
        value.bytes.push(b']');
        value
    }

    /// What goes out in parts is what the value is, wherever a part ends, and the long texts are not in its bytes.
    #[test]
    fn values_go_out_in_parts() {
        let long = "line \"1\"\n".repeat(5000);
        let mut whole = value(long.as_bytes());
        assert!(whole.bytes.len() < 100 && whole.texts().len() == 1);
        whole.append(&value(b"short"));
        whole.append(&value(long.as_bytes()));
        let want = format!("[\"{0}\"][\"short\"][\"{0}\"]", long.replace('"', "\\\"").replace('\n', "\\n"));
        assert!(whole.clone().into_bytes() == want.as_bytes());
        for most in [1, 3, 100, 1 << 20] {
            let (mut outgoing, mut out, mut times) = (Outgoing::default(), Vec::new(), 0);
            outgoing.push(whole.clone());
            outgoing.push(b"end".to_vec().into());
            while !outgoing.is_empty() {
                let before = out.len();
                outgoing.write(most, &mut out);
                assert!(out.len() - before < most + 2 * long.len());
                times += 1;
            }
            assert!(out == [want.as_bytes(), b"end"].concat(), "{most}");
            assert!(times > 1 || most > 1000);
        }
    }

    /// Surrogates are written as escapes; other bytes that are no characters stay, and are told.
    #[test]
    fn what_is_not_utf8_is_told() {
        for (bytes, is_utf8) in [(&b"\xc3\xa4"[..], true), (b"\xed\xa0\x80", true), (b"\xc3(", false), (b"\xff", false)]
        {
            for text in [bytes.to_vec(), [bytes, &[b'a'; 1 << 15]].concat(), [&[b'a'; 1 << 15], bytes].concat()] {
                let value = value(&text);
                let written = value.clone().into_bytes();
                assert_eq!((value.is_utf8(), std::str::from_utf8(&written).is_ok()), (is_utf8, is_utf8), "{bytes:?}");
            }
        }
    }
}
