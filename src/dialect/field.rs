//! Strings that the user names with JSON Pointers (RFC 6901), in records of any shape.

use crate::error::Error;
use crate::json::{Literal, Scanner, Token, text};
use std::fmt;
use std::str::FromStr;

/// A JSON Pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    steps: Vec<Vec<u8>>,
}

/// What is wrong with a JSON Pointer.
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
            (!plain.contains('~')).then(|| step.replace("~1", "/").replace("~0", "~").into_bytes())
        };
        let steps = text.strip_prefix('/').ok_or(PointerError)?.split('/').map(step);
        Ok(Self { steps: steps.collect::<Option<_>>().ok_or(PointerError)? })
    }
}

/// Which member or element of each open object or array the scanner is in.
struct Level {
    array: bool,
    /// How many elements came before; of an object, nothing.
    count: u64,
    step: Vec<u8>,
}

/// Finds the strings that the pointers name; every duplicate of a key counts. Gives the pointer's number with each.
pub(super) fn find(record: &[u8], pointers: &[Pointer], out: &mut Vec<(u32, Literal)>) -> Result<(), Error> {
    let deepest = pointers.iter().map(|p| p.steps.len()).max().unwrap_or(0);
    let (mut s, mut path) = (Scanner::new(record)?, Vec::<Level>::new());
    loop {
        let token = s.token()?;
        if let (Some(level), false) = (path.last_mut(), matches!(token, Token::ArrayEnd | Token::ObjectEnd))
            && level.array
        {
            level.step = level.count.to_string().into_bytes();
            level.count += 1;
        }
        match token {
            Token::End => return Ok(()),
            Token::ObjectStart | Token::ArrayStart if path.len() >= deepest => s.skip(token)?,
            Token::ObjectStart | Token::ArrayStart => {
                path.push(Level { array: token == Token::ArrayStart, count: 0, step: Vec::new() });
            }
            Token::ObjectEnd | Token::ArrayEnd => drop(path.pop()),
            Token::Key(key) => {
                if let Some(level) = path.last_mut() {
                    level.step.clear();
                    text::decode(key.raw(record), &mut level.step);
                }
            }
            Token::String(literal) => {
                let here =
                    |p: &Pointer| p.steps.len() == path.len() && p.steps.iter().zip(&path).all(|(a, b)| *a == b.step);
                let named = pointers.iter().enumerate().filter(|(_, p)| here(p));
                out.extend(named.map(|(i, _)| (i as u32, literal)));
            }
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(record: &str, pointer: &str) -> Vec<String> {
        let (mut out, pointers) = (Vec::new(), [pointer.parse().unwrap()]);
        find(record.as_bytes(), &pointers, &mut out).unwrap();
        out.iter().map(|(_, l)| record[l.start..l.end].to_string()).collect()
    }

    #[test]
    fn pointers() {
        let record = r#"{"a":{"b":["x","y",{"c/d":"z"}]},"a":"w","":"e","~":"t"}"#;
        for (pointer, want) in [
            ("/a/b/0", vec!["x"]),
            ("/a/b/1", vec!["y"]),
            ("/a/b/2/c~1d", vec!["z"]),
            ("/a", vec!["w"]),
            ("/", vec!["e"]),
            ("/~0", vec!["t"]),
            ("/a/b", vec![]),
            ("/x", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(strings(record, pointer), want, "{pointer}");
        }
        assert_eq!(strings("\"whole\"", ""), ["whole"]);
        assert_eq!("a".parse::<Pointer>(), Err(PointerError));
        assert_eq!("/~2".parse::<Pointer>(), Err(PointerError));
    }
}
