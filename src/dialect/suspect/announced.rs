//! What a record of a stream that no dialect reads says of later ones: that the place which the next pieces go to is
//! reasoning (JSON Patch, RFC 6902, and its short forms `{"p":…,"o":…,"v":…}` of chat sites), or that an object is, to whose
//! identifier later records refer.

use super::encoded::may_have_json;
use super::nested::Starts;
use super::{is_kind, names_reasoning, words};
use crate::json::text::{Needle, Needles};
use crate::json::{Literal, Scanner, Token, text};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::VecDeque;

/// What was said so far.
#[derive(Default)]
pub(in crate::dialect) struct Announced {
    /// The place that pieces without one go to is reasoning.
    thinks: bool,
    /// Identifiers of objects that are reasoning.
    ids: VecDeque<Vec<u8>>,
    open: Vec<OpenValue>,
}

/// Where a patch goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PatchPlace {
    Reasoning,
    /// The last element of a list, or a numbered one: which kind it is was said before.
    Element,
    Other,
}

/// An open object or list.
#[derive(Default)]
struct OpenValue {
    key: PieceKey,
    /// Where its current member begins.
    at: usize,
    place: Option<PatchPlace>,
    /// It is a patch with whole words as keys, which says each time where it goes to, and also sets settings.
    spelled: bool,
    /// It has a value, with or without a text.
    valued: bool,
    /// The first text in the value of the patch, and whether that is a sentence.
    value: Option<(usize, bool)>,
    /// There is a patch in its value.
    patches: bool,
    /// The last type in it: whether it is one of reasoning.
    kind: Option<bool>,
    id: Option<Literal>,
    /// It refers to an object that is reasoning.
    refers: bool,
    /// The first text that is its own, and whether there is one at all, or a sentence.
    payload: Option<usize>,
    filled: bool,
    sentence: bool,
}

/// What a key is for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum PieceKey {
    #[default]
    Other,
    Place,
    Value,
    Kind,
    Id,
    Reference,
    Payload,
}

/// How many identifiers are known at a time, and the shortest.
const MAX_IDS: usize = 256;
const MIN_ID_BYTES: usize = 4;

/// How deep JSON inside of JSON strings is read.
const MAX_STRING_DEPTH: usize = 2;

impl Announced {
    /// Reads the next record. Returns the first place in it that is reasoning by what was said.
    pub fn record(&mut self, record: &[u8]) -> Option<usize> {
        if self.may_matter(record) { self.value(record, 0, 0).0 } else { None }
    }

    /// Whether a text has a patch, or a type of reasoning, or may go on with what was said. Most records do neither, so that
    /// they are not read.
    fn may_matter(&self, text: &[u8]) -> bool {
        // What most records have none of. A key in a string has a backslash behind it.
        static SIGNS: Needles =
            Needles::new(&["\"v\"", "\"v\\", "\"value", "easoning", "EASONING", "hinking", "hought", "hink", "THINK"]);
        static PATCHES: Needles = Needles::new(&["\"v\"", "\"v\\"]);
        static PATHS: [Needle; 2] = [Needle::new("\"value"), Needle::new("\"path")];
        const KINDS: [&[u8]; 6] = [b"easoning", b"EASONING", b"hinking", b"hought", b"hink", b"THINK"];
        if self.thinks || !self.ids.is_empty() {
            return true;
        }
        if !SIGNS.stand_in(text) {
            return false;
        }
        let patches = PATCHES.stand_in(text) || PATHS.iter().all(|sign| sign.stands_in(text));
        // Types end with these words, or go on with a hyphen; keys go on with a line.
        let ends = |at: usize| matches!(text.get(at), Some(b'"' | b'\\' | b'-'));
        let is_kind = |word: &&[u8]| memmem::find_iter(text, *word).any(|at| ends(at + word.len()));
        patches || KINDS.iter().any(is_kind)
    }

    /// Reads the value at `from`. Returns the first place, and where it ends.
    fn value(&mut self, record: &[u8], from: usize, depth: usize) -> (Option<usize>, usize) {
        let base = self.open.len();
        let (mut s, mut end, mut found) = (Scanner::within(record, from), from, None);
        while let Ok(token) = s.token() {
            end = if token == Token::End { end } else { s.at() };
            match token {
                Token::End => break,
                Token::ObjectStart | Token::ArrayStart => self.open.push(OpenValue::default()),
                Token::ObjectEnd | Token::ArrayEnd => {
                    let outermost = self.open.len() == base + 1;
                    found = found.or(self.close(record, outermost));
                }
                Token::Key(key) => {
                    if let Some(level) = self.open.last_mut() {
                        level.begin(&key.decoded(record), key.start - 1);
                    }
                }
                Token::String(literal) => found = found.or(self.string(record, literal, depth)),
                Token::Number | Token::True | Token::False | Token::Null => (),
            }
        }
        self.open.truncate(base);
        (found, end)
    }

    fn string(&mut self, record: &[u8], literal: Literal, depth: usize) -> Option<usize> {
        let level = self.open.last_mut()?;
        let plain = literal.decoded(record);
        match level.key {
            PieceKey::Place => level.place = Some(place_of(&plain)),
            PieceKey::Kind => level.kind = Some(is_kind(&plain)),
            PieceKey::Id => level.id = Some(literal),
            PieceKey::Reference => level.refers |= self.ids.iter().any(|id| **id == *plain),
            _ => {
                let letters = plain.iter().any(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
                let sentence = letters && words::is_text(&text::utf8(&plain));
                level.fill(letters, sentence);
                let nested = depth < MAX_STRING_DEPTH && may_have_json(literal.raw(record)) && self.may_matter(&plain);
                if nested && self.nested(&plain, depth) {
                    return Some(literal.start - 1);
                }
            }
        }
        None
    }

    /// Reads the values in a string: a stream that a program has logged.
    fn nested(&mut self, plain: &[u8], depth: usize) -> bool {
        let (mut starts, mut any) = (Starts::new(plain, false), false);
        while let Some(start) = starts.next() {
            let (found, end) = self.value(plain, start, depth + 1);
            any |= found.is_some();
            starts.at = end.max(start + 1);
        }
        any
    }

    /// Ends an object or a list.
    fn close(&mut self, record: &[u8], outermost: bool) -> Option<usize> {
        let inner = self.open.pop()?;
        if let Some(outer) = self.open.last_mut() {
            outer.fill(inner.filled, inner.sentence);
            outer.kind = inner.kind.or(outer.kind);
            outer.patches |= inner.patches || inner.place.is_some();
        }
        if let (Some(true), Some(id)) = (inner.kind, inner.id) {
            self.know(id.decoded(record));
        }
        if inner.refers && inner.payload.is_some() {
            return inner.payload;
        }
        let alone = inner.place.is_none() && (inner.spelled || !outermost);
        if inner.patches || !inner.valued || alone {
            return None;
        }
        let thinks = match (inner.place, inner.kind) {
            (Some(PatchPlace::Reasoning), _) => true,
            (Some(PatchPlace::Other), None) => false,
            (_, Some(kind)) => kind,
            (None | Some(PatchPlace::Element), None) => self.thinks && !inner.spelled,
        };
        if !inner.spelled {
            self.thinks = thinks;
        }
        let (at, sentence) = inner.value?;
        (thinks && (sentence || !inner.spelled)).then_some(at)
    }

    fn know(&mut self, id: Cow<'_, [u8]>) {
        if id.len() < MIN_ID_BYTES || self.ids.iter().any(|known| **known == *id) {
            return;
        }
        if self.ids.len() == MAX_IDS {
            self.ids.pop_front();
        }
        self.ids.push_back(id.into_owned());
    }
}

impl OpenValue {
    /// A member begins.
    fn begin(&mut self, key: &[u8], at: usize) {
        (self.key, self.at) = (key_of(key), at);
        self.valued |= self.key == PieceKey::Value;
        self.spelled |= matches!(key, b"path" | b"value");
    }

    /// Notes a text in the current member.
    fn fill(&mut self, letters: bool, sentence: bool) {
        self.filled |= letters;
        self.sentence |= sentence;
        match self.key {
            PieceKey::Value if letters => {
                let (at, before) = self.value.unwrap_or((self.at, false));
                self.value = Some((at, before | sentence));
            }
            PieceKey::Payload if letters => self.payload = self.payload.or(Some(self.at)),
            _ => (),
        }
    }
}

fn key_of(key: &[u8]) -> PieceKey {
    match key {
        b"p" | b"path" => PieceKey::Place,
        b"v" | b"value" => PieceKey::Value,
        b"type" | b"kind" | b"content_type" => PieceKey::Kind,
        b"id" => PieceKey::Id,
        b"delta" | b"text" | b"content" | b"chunk" => PieceKey::Payload,
        _ if key.ends_with(b"ID") || key.ends_with(b"Id") || key.ends_with(b"_id") => PieceKey::Reference,
        _ => PieceKey::Other,
    }
}

/// Where a path leads to.
fn place_of(path: &[u8]) -> PatchPlace {
    let mut segments = path.split(|b| *b == b'/');
    if segments.clone().any(names_reasoning) {
        return PatchPlace::Reasoning;
    }
    let number = |segment: &[u8]| !segment.is_empty() && segment.iter().all(|b| b.is_ascii_digit() || *b == b'-');
    if segments.any(number) { PatchPlace::Element } else { PatchPlace::Other }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the records, from 0, that are reasoning.
    fn found(records: &[&str]) -> Vec<usize> {
        let mut announced = Announced::default();
        let said = |(i, record): (usize, &&str)| announced.record(record.as_bytes()).map(|_| i);
        records.iter().enumerate().filter_map(said).collect()
    }

    #[test]
    fn patches() {
        for (records, want) in [
            (
                &[
                    r#"{"v":{"response":{"thinking_content":"","content":""}}}"#,
                    r#"{"p":"response/thinking_content","v":"The"}"#,
                    r#"{"o":"APPEND","v":" wind"}"#,
                    r#"{"v":" turns"}"#,
                    r#"{"p":"response/thinking_elapsed_secs","o":"SET","v":3}"#,
                    r#"{"p":"response/content","o":"APPEND","v":"Rain"}"#,
                    r#"{"v":" by noon."}"#,
                ][..],
                &[1, 2, 3][..],
            ),
            (
                &[
                    r#"{"p":"response","o":"BATCH","v":[{"p":"fragments","o":"APPEND","v":[{"id":1,"type":"THINK","content":""}]}]}"#,
                    r#"{"p":"response/fragments/-1/content","o":"APPEND","v":"The"}"#,
                    r#"{"v":" wind"}"#,
                    r#"{"p":"response/fragments","o":"APPEND","v":[{"id":2,"type":"RESPONSE","content":"Rain"}]}"#,
                    r#"{"p":"response/fragments/-1/content","o":"APPEND","v":" by"}"#,
                    r#"{"v":" noon."}"#,
                ],
                &[1, 2],
            ),
            (
                &[
                    r#"{"v":{"message":{"id":"m1","content":{"content_type":"thoughts","thoughts":[]}}}}"#,
                    r#"{"p":"","o":"patch","v":[{"p":"/message/content/thoughts/0/content","o":"append","v":"The wind"}]}"#,
                    r#"{"v":[{"p":"/message/content/thoughts/0/content","o":"append","v":" turns"}]}"#,
                    r#"{"v":{"message":{"id":"m2","content":{"content_type":"text","parts":[""]}}}}"#,
                    r#"{"p":"/message/content/parts/0","o":"append","v":"Rain"}"#,
                    r#"{"v":" by noon."}"#,
                ],
                &[1, 2],
            ),
            (
                &[
                    r#"{"delta":[{"op":"add","path":"/steps/0/reasoning","value":"The wind turns."}]}"#,
                    r#"{"delta":[{"op":"replace","path":"/settings/reasoning/effort","value":"high"}]}"#,
                    r#"{"path":"/notes/reasoning/rain.md","content":"The wind turns."}"#,
                    r#"{"v":"words that follow nothing"}"#,
                ],
                &[0],
            ),
            (
                &[
                    r#"{"body":"data: {\"p\":\"response/thinking_content\",\"v\":\"The\"}\n\ndata: {\"v\":\" wind\"}\n"}"#,
                ],
                &[0],
            ),
            (&[r#"{"v":"some words"}"#, r#"{"p":"a/b","v":"some words"}"#, r#"{"p":"x","v":["a b"]}"#], &[]),
        ] {
            assert_eq!(found(records), want, "{records:?}");
        }
    }

    #[test]
    fn references() {
        for (records, want) in [
            (
                &[
                    r#"{"type":"part.updated","part":{"id":"prt_1","messageID":"msg_1","type":"reasoning","text":""}}"#,
                    r#"{"type":"part.delta","messageID":"msg_1","partID":"prt_1","field":"text","delta":"The"}"#,
                    r#"{"type":"part.updated","part":{"id":"prt_2","messageID":"msg_1","type":"text","text":""}}"#,
                    r#"{"type":"part.delta","messageID":"msg_1","partID":"prt_2","field":"text","delta":"Rain"}"#,
                ][..],
                &[1][..],
            ),
            (&[r#"{"type":"reasoning-start","id":"0"}"#, r#"{"type":"text-delta","blockId":"0","delta":"Rain"}"#], &[]),
        ] {
            assert_eq!(found(records), want, "{records:?}");
        }
    }
}
