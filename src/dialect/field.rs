//! Strings and members that the user names with JSON Pointers (RFC 6901), in records of any format.

use crate::error::Error;
use crate::json::{Literal, Scanner, Token, text, with_commas};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A JSON Pointer, in which a step `*` is every member of an object, or element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    steps: Vec<PointerStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PointerStep {
    Every,
    Name(Vec<u8>),
}

impl Pointer {
    /// Whether it names the record as a whole.
    #[cfg(feature = "cli")]
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether it names a member of this name.
    pub(super) fn is_step(&self, name: &str) -> bool {
        match self.steps.as_slice() {
            [PointerStep::Every] => true,
            [PointerStep::Name(step)] => step == name.as_bytes(),
            _ => false,
        }
    }

    /// Whether it has a `*`, and so names values in several places.
    fn is_several(&self) -> bool {
        self.steps.contains(&PointerStep::Every)
    }

    /// Whether it names the value at this path.
    fn is_at(&self, path: &[FieldLevel]) -> bool {
        let same = |(step, level): (&PointerStep, &FieldLevel)| match step {
            PointerStep::Every => true,
            PointerStep::Name(name) => *name == level.step,
        };
        self.steps.len() == path.len() && self.steps.iter().zip(path).all(same)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| match step {
            PointerStep::Every => f.write_str("/*"),
            PointerStep::Name(name) => write!(f, "/{}", text::utf8(name).replace('~', "~0").replace('/', "~1")),
        })
    }
}

/// Which of the pointers that the user named have found something so far: those to strings, then those to members that
/// go.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedPointers {
    seen: Vec<bool>,
}

impl UsedPointers {
    /// Notes that the pointer with this number has found something.
    pub fn note(&mut self, number: usize) {
        if self.seen.len() <= number {
            self.seen.resize(number + 1, false);
        }
        self.seen[number] = true;
    }

    /// What to say of the pointers that have found nothing.
    pub fn unused(&self, pointers: &[Pointer], drops: &[Pointer]) -> Vec<String> {
        let all = pointers.iter().map(|p| ("--field", p)).chain(drops.iter().map(|p| ("--drop", p)));
        let unused = all.enumerate().filter(|(i, _)| !self.seen.get(*i).is_some_and(|seen| *seen));
        unused.map(|(_, (option, pointer))| format!("{option} '{pointer}' names nothing in any record")).collect()
    }
}

/// The error for a text that is not a JSON Pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerError;

impl fmt::Display for PointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON Pointer is empty or begins with /, and ~ stands only in ~0 and ~1")
    }
}

impl std::error::Error for PointerError {}

impl FromStr for Pointer {
    type Err = PointerError;

    fn from_str(text: &str) -> Result<Self, PointerError> {
        if text.is_empty() {
            return Ok(Self { steps: Vec::new() });
        }
        let step = |step: &str| {
            let plain = step.replace("~1", "").replace("~0", "");
            let name = || PointerStep::Name(step.replace("~1", "/").replace("~0", "~").into_bytes());
            (!plain.contains('~')).then(|| if step == "*" { PointerStep::Every } else { name() })
        };
        let steps = text.strip_prefix('/').ok_or(PointerError)?.split('/').map(step);
        Ok(Self { steps: steps.collect::<Option<_>>().ok_or(PointerError)? })
    }
}

/// A string that a pointer names.
#[derive(Debug)]
pub(super) struct Named {
    /// The number of the pointer.
    pub number: u32,
    pub literal: Literal,
    /// Its path, where the pointer names several.
    pub path: Option<String>,
    /// Where the object begins whose member it is. An element of an array, or the whole record, is in none.
    pub object: Option<usize>,
}

/// The values in a record that the pointers name.
#[derive(Debug, Default)]
pub(super) struct FieldValues {
    /// Strings, in order.
    pub strings: Vec<Named>,
    /// Other values that a pointer to one string names, without nulls: the number of the pointer, and where they begin.
    pub others: Vec<(u32, usize)>,
    /// Values to take out, and the ranges to cut so that the rest stays JSON.
    pub dropped: Vec<Range<usize>>,
    /// The numbers of the pointers that took something out.
    pub drops: Vec<usize>,
    pub cuts: Vec<Range<usize>>,
}

/// The position of the scanner in one open object or array.
struct FieldLevel {
    array: bool,
    /// Where the object or array begins.
    at: usize,
    /// In an array, how many elements came before; in an object, none.
    count: u64,
    step: Vec<u8>,
    /// Where the current member or element begins.
    start: usize,
}

/// Finds the values that the pointers name, for every duplicate of a key. Values inside of a dropped value are not
/// looked at.
pub(super) fn find(record: &[u8], pointers: &[Pointer], drops: &[Pointer], out: &mut FieldValues) -> Result<(), Error> {
    let deepest = pointers.iter().chain(drops).map(|p| p.steps.len()).max().unwrap_or(0);
    let (mut s, mut path) = (Scanner::new(record)?, Vec::<FieldLevel>::new());
    loop {
        let token = s.token()?;
        let start = s.from();
        match (token, path.last_mut()) {
            (Token::End, _) => {
                with_commas(record, &mut out.cuts);
                return Ok(());
            }
            (Token::ObjectEnd | Token::ArrayEnd, _) => {
                path.pop();
                continue;
            }
            (Token::Key(key), Some(level)) => {
                level.step.clear();
                text::decode(key.raw(record), &mut level.step);
                level.start = start;
                continue;
            }
            (_, Some(level)) if level.array => {
                level.step = level.count.to_string().into_bytes();
                level.count += 1;
                level.start = start;
            }
            _ => (),
        }
        if drops.iter().any(|p| p.is_at(&path)) {
            out.drops.extend(drops.iter().enumerate().filter(|(_, p)| p.is_at(&path)).map(|(i, _)| i));
            s.skip(token)?;
            out.dropped.push(start..s.at());
            out.cuts.extend(path.last().map(|level| level.start..s.at()));
            continue;
        }
        if !matches!(token, Token::String(_) | Token::Null) {
            let named = pointers.iter().enumerate().filter(|(_, p)| !p.is_several() && p.is_at(&path));
            out.others.extend(named.map(|(i, _)| (i as u32, start)));
        }
        match token {
            Token::ObjectStart | Token::ArrayStart if path.len() < deepest => {
                path.push(FieldLevel {
                    array: token == Token::ArrayStart,
                    at: start,
                    count: 0,
                    step: Vec::new(),
                    start: 0,
                });
            }
            Token::String(literal) => {
                let object = path.last().filter(|level| !level.array).map(|level| level.at);
                let named = pointers.iter().enumerate().filter(|(_, p)| p.is_at(&path));
                out.strings.extend(named.map(|(i, p)| {
                    let path = p.is_several().then(|| shown(&path));
                    Named { number: i as u32, literal, path, object }
                }));
            }
            token => s.skip(token)?,
        }
    }
}

/// A path as a JSON Pointer.
fn shown(path: &[FieldLevel]) -> String {
    let step = |level: &FieldLevel| format!("/{}", text::utf8(&level.step).replace('~', "~0").replace('/', "~1"));
    path.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(record: &str, pointer: &str) -> Vec<String> {
        let (mut out, pointers) = (FieldValues::default(), [pointer.parse().unwrap()]);
        find(record.as_bytes(), &pointers, &[], &mut out).unwrap();
        assert!(out.cuts.is_empty());
        let path = |path: Option<String>| path.map_or(String::new(), |path| format!(" at {path}"));
        let shown = |named: Named| {
            let object = named.object.map_or(String::new(), |at| format!(" in {at}"));
            format!("{}{}{object}", &record[named.literal.start..named.literal.end], path(named.path))
        };
        out.strings.into_iter().map(shown).collect()
    }

    /// The record without what a pointer names.
    fn dropped(record: &str, pointer: &str) -> String {
        let (mut out, drops, mut text) = (FieldValues::default(), [pointer.parse().unwrap()], record.to_string());
        find(record.as_bytes(), &[], &drops, &mut out).unwrap();
        out.cuts.into_iter().rev().for_each(|cut| text.replace_range(cut, ""));
        text
    }

    #[test]
    fn members_go() {
        let record = r#"{"a": 1, "b": [{"c":1,"d":2}, 3], "a":{}, "e":0}"#;
        for (pointer, want) in [
            ("/a", r#"{"b": [{"c":1,"d":2}, 3], "e":0}"#),
            ("/b/0", r#"{"a": 1, "b": [3], "a":{}, "e":0}"#),
            ("/b/1", r#"{"a": 1, "b": [{"c":1,"d":2}], "a":{}, "e":0}"#),
            ("/b/*/d", r#"{"a": 1, "b": [{"c":1}, 3], "a":{}, "e":0}"#),
            ("/b/*", r#"{"a": 1, "b": [], "a":{}, "e":0}"#),
            ("/*", "{}"),
            ("/e", r#"{"a": 1, "b": [{"c":1,"d":2}, 3], "a":{}}"#),
            ("/x", record),
        ] {
            assert_eq!(dropped(record, pointer), want, "{pointer}");
        }
    }

    #[test]
    fn pointers() {
        let record = r#"{"a":{"b":["x","y",{"c/d":"z"}]},"a":"w","":"e","~":"t"}"#;
        for (pointer, want) in [
            ("/a/b/0", vec!["x"]),
            ("/a/b/1", vec!["y"]),
            ("/a/b/2/c~1d", vec!["z in 19"]),
            ("/a", vec!["w in 0"]),
            ("/", vec!["e in 0"]),
            ("/~0", vec!["t in 0"]),
            ("/a/b", vec![]),
            ("/x", vec![]),
            ("", vec![]),
            ("/a/b/*", vec!["x at /a/b/0", "y at /a/b/1"]),
            ("/*", vec!["w at /a in 0", "e at / in 0", "t at /~0 in 0"]),
            ("/a/*/2/*", vec!["z at /a/b/2/c~1d in 19"]),
        ] {
            assert_eq!(strings(record, pointer), want, "{pointer}");
        }
        assert_eq!(strings("\"whole\"", ""), ["whole"]);
        assert_eq!("a".parse::<Pointer>(), Err(PointerError));
        assert_eq!("/~2".parse::<Pointer>(), Err(PointerError));
    }
}
