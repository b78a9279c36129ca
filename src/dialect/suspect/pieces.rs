//! The texts of a stream that no dialect reads: strings at the same place of its records are pieces of one text, in
//! which a block of inline tags may begin in one record and end in another.

use super::encoded::{MAX_STRING_DEPTH, UNQUOTED, may_have_json};
use super::nested::{self, Starts};
use super::search::is_by_others;
use crate::inline::Tags;
use crate::json::{Literal, Scanner, Token, text};
use std::borrow::Cow;

/// What is known of the texts of a stream.
#[derive(Default)]
pub(in crate::dialect) struct Pieces {
    /// The texts in which a block is open, or that end with what may be the beginning of a delimiter.
    lanes: Vec<PiecedText>,
    /// How many records came before.
    records: u64,
    /// Whether the current record has a sentence, once that was looked for.
    speaks: Option<bool>,
    /// The texts of the current record are read by themselves: only one that is nothing but a delimiter opens a block that goes
    /// on in others, or one that ends within a delimiter.
    whole: bool,
}

/// A text in pieces.
#[derive(Debug)]
struct PiecedText {
    /// A hash of the keys that lead to it.
    path: u64,
    /// Its end, if that may be the beginning of a delimiter.
    tail: Vec<u8>,
    /// A block is open.
    inside: bool,
}

/// The place of a piece.
#[derive(Clone, Copy)]
struct PiecePlace<'a> {
    /// A hash of the keys that lead to it.
    path: u64,
    /// It stands in a list.
    listed: bool,
    /// The record that it stands in, as JSON, and how many strings that one stands in.
    record: &'a [u8],
    depth: usize,
}

/// A string of a record.
#[derive(Clone, Copy)]
pub(super) struct RecordString {
    pub literal: Literal,
    /// A hash of the keys that lead to it.
    pub path: u64,
    listed: bool,
    /// A hash of the identifiers of the objects around it: 0 without any. Several responses may be streamed at once.
    ids: u64,
    /// The object that it stands in, and the list that it is an element of: 0 if it is none.
    object: usize,
    list: usize,
    /// The place of an element of a record that is a list: a row, whose elements mean what their places say. 0 of any other.
    row: u64,
}

/// How many texts are followed at a time.
const MAX_LANES: usize = 64;

/// The path of what stands in the texts of messages that are read.
const NESTED: u64 = 1;

/// The longest beginning of a delimiter that is kept, in bytes.
const MAX_TAIL_BYTES: usize = 256;

/// How far behind a delimiter a text of its own is looked for, in bytes.
const NEAR: usize = 64;

impl Pieces {
    /// Reads the next record. Returns the first place in it that is part of a block: the string's quote.
    pub fn record(&mut self, tags: &Tags, record: &[u8]) -> Option<usize> {
        let found = if self.may_be_in(tags, record) { self.value(tags, record, (0, 0)).0 } else { None };
        self.records += 1;
        found
    }

    /// Whether a block is open, or a delimiter has begun.
    pub fn wait(&self) -> bool {
        !self.lanes.is_empty()
    }

    /// Reads the next record, whose texts are read by others, too. `whole`: nothing says that they are pieces. Returns as
    /// [`Pieces::record`].
    pub fn whole(&mut self, tags: &Tags, record: &[u8], whole: bool) -> Option<usize> {
        self.whole = whole;
        let found = self.record(tags, record);
        self.whole = false;
        found
    }

    /// Reads the text of an event that is no JSON. Returns whether it is part of a block.
    pub fn text(&mut self, tags: &Tags, plain: &[u8]) -> bool {
        let part = self.piece(tags, PiecePlace { path: 0, listed: false, record: b"", depth: 0 }, plain);
        self.records += 1;
        part
    }

    /// Reads a line of a text that may be a piece. Returns as [`Pieces::text`].
    pub fn line(&mut self, tags: &Tags, plain: &[u8]) -> bool {
        self.whole = true;
        let part = self.text(tags, plain);
        self.whole = false;
        part
    }

    /// The lines that may be pieces are over.
    pub fn end_lines(&mut self) {
        self.lanes.retain(|lane| lane.path != 0);
    }

    /// Reads the JSON in a text that is read as something else. Returns whether a string in it is part of a block.
    pub fn inside(&mut self, tags: &Tags, plain: &[u8]) -> bool {
        let part = self.may_be_in(tags, plain) && self.nested(tags, plain, (NESTED, 1));
        self.records += 1;
        part
    }

    /// Reads a member of a record that is read otherwise: its value stands at `start`. Returns the first place in it that is part of
    /// a block.
    pub fn member(&mut self, tags: &Tags, (record, start): (&[u8], usize), key: &[u8]) -> Option<usize> {
        let (found, _) = self.value(tags, &record[start..], (hash(NESTED, key), 0));
        self.records += 1;
        found.map(|at| start + at)
    }

    /// Reads the value that begins a text. Returns the first place, and where the value ends.
    fn value(&mut self, tags: &Tags, record: &[u8], (path, depth): (u64, usize)) -> (Option<usize>, usize) {
        let (mut leaves, mut others) = (Vec::new(), Vec::new());
        self.speaks = None;
        let end = leaves_of(record, path, &mut leaves, &mut others);
        let mut found = None;
        leaves.retain(|leaf| !others.contains(&leaf.object));
        let lists: Vec<RecordString> = leaves.iter().filter(|leaf| leaf.list > 0).copied().collect();
        for leaf in leaves {
            let place = PiecePlace { path: leaf.path, listed: leaf.listed, record, depth };
            let mut part = self.string(tags, place, leaf.literal);
            if leaf.ids != 0 {
                part |= self.string(tags, PiecePlace { path: leaf.path ^ leaf.ids, ..place }, leaf.literal);
            }
            if leaf.row != 0 {
                part |= self.string(tags, PiecePlace { path: leaf.row, ..place }, leaf.literal);
            }
            found = found.or(Some(leaf.literal.start - 1).filter(|_| part));
        }
        found = found.or(self.lists(tags, record, &lists, depth));
        (found, end)
    }

    /// Whether a text in which values stand may have a part of a block.
    fn may_be_in(&self, tags: &Tags, plain: &[u8]) -> bool {
        !self.lanes.is_empty() || tags.may_begin_in_strings(plain)
    }

    /// Reads lists whose strings are lines of JSON.
    fn lists(&mut self, tags: &Tags, record: &[u8], leaves: &[RecordString], depth: usize) -> Option<usize> {
        for list in leaves.chunk_by(|a, b| a.list == b.list).filter(|list| list.len() > 1) {
            if !list.iter().any(|leaf| may_have_json(leaf.literal.raw(record)))
                || !list.iter().any(|leaf| self.may_be_in(tags, leaf.literal.raw(record)))
            {
                continue;
            }
            let mut joined = Vec::new();
            list.iter().for_each(|leaf| text::decode(leaf.literal.raw(record), &mut joined));
            if self.nested(tags, &joined, (hash(list[0].path, b"["), depth + 1)) {
                return Some(list[0].literal.start - 1);
            }
        }
        None
    }

    /// Reads the values in a text.
    fn nested(&mut self, tags: &Tags, plain: &[u8], (path, depth): (u64, usize)) -> bool {
        if depth >= MAX_STRING_DEPTH {
            return false;
        }
        if let Some(inner) = nested::string_in(plain) {
            return self.nested(tags, &inner, (path, depth + 1));
        }
        let (mut starts, mut part) = (Starts::new(plain, true), false);
        while let Some(start) = starts.next() {
            let (found, len) = self.value(tags, &plain[start..], (path, depth));
            part |= found.is_some();
            starts.at = start + len.max(1);
        }
        for (quotes, from) in starts.others.into_iter().flatten() {
            part |= self.nested(tags, &quotes.decode(&plain[from..]), (path, depth + UNQUOTED));
        }
        part
    }

    /// Whether a delimiter by itself may open a block here. In a list it may be an item of what a text is about: then
    /// there is a sentence beside it, which records of a stream do not have.
    fn opens(&mut self, place: PiecePlace<'_>) -> bool {
        !place.listed || !*self.speaks.get_or_insert_with(|| speaks(place.record))
    }

    fn string(&mut self, tags: &Tags, place: PiecePlace<'_>, literal: Literal) -> bool {
        let raw = literal.raw(place.record);
        let json = may_have_json(raw) && self.may_be_in(tags, raw);
        if raw.is_empty() || self.lanes.is_empty() && !json && !literal.escaped && tags.stands(raw, 0) == Ok(None) {
            return false;
        }
        let plain = if literal.escaped { Cow::Owned(text::decoded(raw)) } else { Cow::Borrowed(raw) };
        let part = self.piece(tags, place, &plain);
        part | (json && self.nested(tags, &plain, (hash(place.path, b""), place.depth + 1)))
    }

    /// Reads the next piece of a text. Returns whether it is part of a block that other pieces belong to, or ends one
    /// that was not seen. A block in one piece is found there.
    fn piece(&mut self, tags: &Tags, place: PiecePlace<'_>, piece: &[u8]) -> bool {
        let path = place.path;
        let lane = self.lanes.iter().position(|lane| lane.path == path).map(|i| self.lanes.swap_remove(i));
        let PiecedText { tail, mut inside, .. } = lane.unwrap_or(PiecedText { path, tail: Vec::new(), inside: false });
        let from = tail.len();
        let joined = if tail.is_empty() { Cow::Borrowed(piece) } else { Cow::Owned([&tail, piece].concat()) };
        let (mut at, mut last, mut part, mut spans) = (0, from, false, inside);
        let rest = loop {
            let delimiter = match tags.stands(&joined, at) {
                Ok(Some(delimiter)) => delimiter,
                Ok(None) => break joined.len(),
                Err(partial) => break partial,
            };
            at = delimiter.at.end;
            let before = joined.get(last..delimiter.at.start).unwrap_or_default();
            part |= inside && spans && has_text(before);
            // In a stream, a delimiter is a piece, or made of some; elsewhere it is a part of a text of its own.
            let split = delimiter.at.start < from && delimiter.at.end > from;
            let (begins, near) = (!has_text(before) && last == from, &joined[at..joined.len().min(at + NEAR)]);
            let alone = || if self.whole { begins && !has_text(near) } else { begins || !has_text(near) };
            match delimiter.opens {
                true if inside => (),
                true => (inside, spans) = (split || alone() && self.opens(place), split),
                false => {
                    let ends = || alone() && before.is_empty() && self.records > 0 && !place.listed && !self.whole;
                    part |= !inside && (split || ends());
                    inside = false;
                }
            }
            last = at;
        };
        part |= inside && spans && has_text(joined.get(last..rest).unwrap_or_default());
        let tail = joined.get(rest..).filter(|tail| tail.len() <= MAX_TAIL_BYTES).unwrap_or_default().to_vec();
        if (inside || !tail.is_empty()) && self.lanes.len() < MAX_LANES {
            self.lanes.push(PiecedText { path, tail, inside });
        }
        part
    }
}

/// Finds the strings of the value that begins a text, and the objects that are by other authors than the model.
/// Returns where the value ends.
pub(super) fn leaves_of(record: &[u8], path: u64, leaves: &mut Vec<RecordString>, others: &mut Vec<usize>) -> usize {
    let (mut end, mut objects, mut arrays) = (0, 0, 0);
    let mut s = Scanner::within(record, 0);
    // For each open object or array: the hash of the keys up to it, that of the current member, and its number.
    let mut open: Vec<(u64, u64, usize)> = vec![(path, path, 0)];
    // The open lists, each with its number; 0 for an object.
    let (mut lists, mut count): (Vec<usize>, _) = (Vec::new(), 0);
    let (mut kind, mut id, mut ids) = (false, false, vec![0_u64]);
    // Whether a key says that a value is a piece of a stream.
    let (mut piece, mut streamed) = (false, vec![false]);
    // How many values came before in the outermost list.
    let mut elements = 0_u64;
    while let Ok(token) = s.token() {
        end = if token == Token::End { end } else { s.at() };
        match token {
            Token::End => break,
            Token::ObjectStart | Token::ArrayStart => {
                let (_, outer, object) = open.last().copied().unwrap_or_default();
                let array = token == Token::ArrayStart;
                objects += usize::from(!array);
                open.push((outer, outer, if array { object } else { objects }));
                ids.push(ids.last().copied().unwrap_or_default());
                arrays += usize::from(array);
                count += usize::from(array);
                streamed.push(streamed.last().copied().unwrap_or_default() || piece);
                lists.push(if array { count } else { 0 });
            }
            Token::ObjectEnd | Token::ArrayEnd => {
                open.pop();
                ids.pop();
                streamed.pop();
                arrays -= usize::from(token == Token::ArrayEnd);
                lists.pop();
            }
            Token::Key(key) => {
                piece = matches!(key.raw(record), b"delta" | b"contentBlockDelta" | b"candidates");
                id = matches!(key.raw(record), b"id" | b"response_id" | b"responseId");
                kind = matches!(key.raw(record), b"role" | b"type" | b"from" | b"author" | b"speaker" | b"sender");
                if let Some((outer, member, _)) = open.last_mut() {
                    *member = hash(*outer, unnumbered(&key.decoded(record)));
                }
                continue;
            }
            Token::String(literal) => {
                let (_, path, object) = open.last().copied().unwrap_or_default();
                if kind && is_by_others(literal.raw(record)) {
                    others.push(object);
                }
                let list = lists.last().copied().unwrap_or_default();
                let around = ids.last().copied().unwrap_or_default();
                // What an event of a stream says is no item of what a text is about.
                let listed = arrays > 0 && !piece && !streamed.last().copied().unwrap_or_default();
                let row = if lists.len() == 1 && list > 0 { hash(path, b"[") + elements } else { 0 };
                leaves.push(RecordString { literal, path, listed, ids: around, object, list, row });
                if let Some(own) = ids.last_mut().filter(|_| id) {
                    *own = hash(*own, literal.raw(record)) | 1;
                }
            }
            Token::Number | Token::True | Token::False | Token::Null => (),
        }
        (kind, id, piece) = (false, false, false);
        elements += u64::from(lists.len() == 1);
    }
    end
}

/// Whether a record has a sentence.
fn speaks(record: &[u8]) -> bool {
    record.split(|b| *b == b'"').any(|string| memchr::memchr_iter(b' ', string).nth(3).is_some())
}

/// Whether a stretch has letters or digits outside of tags.
pub(super) fn has_text(stretch: &[u8]) -> bool {
    let mut rest = stretch;
    while let Some(at) = rest.iter().position(|b| b.is_ascii_alphanumeric() || !b.is_ascii() || *b == b'<') {
        rest = &rest[at..];
        let end = rest.iter().take(MAX_TAIL_BYTES).position(|b| b.is_ascii_whitespace() || *b == b'>');
        match end {
            Some(end) if rest[0] == b'<' && rest[end] == b'>' => rest = &rest[end + 1..],
            _ if rest[0] == b'<' => rest = &rest[1..],
            _ => return true,
        }
    }
    false
}

/// A key without the numbers of what it counts: all keys that are identifiers are one.
fn unnumbered(key: &[u8]) -> &[u8] {
    match key.iter().position(u8::is_ascii_digit) {
        Some(at) if key.len() >= 16 => &key[..at.min(1)],
        Some(at) => &key[..at],
        None => key,
    }
}

fn hash(outer: u64, key: &[u8]) -> u64 {
    let one = |hash: u64, b: &u8| (hash ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01B3);
    key.iter().fold(outer ^ 0xCBF2_9CE4_8422_2325, one).rotate_left(7)
}
