//! Finds what JSON allows and programs read differently: duplicate keys, and halves of surrogate pairs. Also makes JSON
//! Pointers (RFC 6901) to places.
//!
//! These functions expect one valid value, and text before and behind it. In other text they find what they can.

use super::text::{decode, end_of_string};
use std::collections::HashSet;
use std::ops::Range;

/// A token, as far as these functions need it.
enum LintToken {
    /// The inside of a key.
    Key(Range<usize>),
    /// A string that is a value.
    Text,
    /// An object or an array begins.
    Open(bool),
    /// It ends.
    Close,
    /// The comma behind an element.
    Comma,
}

/// Calls `found` with each token, and where it begins, until it returns false.
fn tokens(text: &[u8], mut found: impl FnMut(LintToken, usize) -> bool) {
    let mut at = 0;
    // For each open container: whether it is an object, and whether a key comes next.
    let mut open: Vec<(bool, bool)> = Vec::new();
    while at < text.len() {
        let start = at;
        at += 1;
        let token = match text[start] {
            b'"' => {
                let end = end_of_string(text, at, b'"');
                let inside = at..end;
                at = end + 1;
                match open.last_mut() {
                    Some((true, key @ true)) => {
                        *key = false;
                        LintToken::Key(inside)
                    }
                    _ => LintToken::Text,
                }
            }
            b @ (b'{' | b'[') => {
                open.push((b == b'{', b == b'{'));
                LintToken::Open(b == b'{')
            }
            b'}' | b']' => {
                open.pop();
                LintToken::Close
            }
            b',' => {
                if let Some((object, key)) = open.last_mut() {
                    *key = *object;
                }
                LintToken::Comma
            }
            _ => continue,
        };
        if !found(token, start) {
            return;
        }
    }
}

/// The ranges of keys that their object has already, without quotes.
pub fn duplicate_keys(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Vec<ObjectKeys> = Vec::new();
    let mut decoded = Vec::new();
    tokens(text, |token, _| {
        match token {
            LintToken::Open(_) => open.push(ObjectKeys::default()),
            LintToken::Close => drop(open.pop()),
            LintToken::Key(at) => {
                let raw = &text[at.clone()];
                let known = open.last_mut().is_some_and(|keys| match memchr::memchr(b'\\', raw) {
                    None => keys.knows(raw),
                    Some(_) => {
                        decoded.clear();
                        decode(raw, &mut decoded);
                        keys.knows(&decoded)
                    }
                });
                if known {
                    found.push(at);
                }
            }
            LintToken::Text | LintToken::Comma => (),
        }
        true
    });
    found
}

/// The keys of one object so far.
#[derive(Default)]
struct ObjectKeys {
    /// A few keys are compared one by one.
    few: Vec<Box<[u8]>>,
    many: HashSet<Box<[u8]>>,
}

impl ObjectKeys {
    /// Adds a key. Returns whether it was there already.
    fn knows(&mut self, key: &[u8]) -> bool {
        const MAX_COMPARED_KEYS: usize = 16;
        if self.many.is_empty() {
            if self.few.iter().any(|known| **known == *key) {
                return true;
            }
            if self.few.len() < MAX_COMPARED_KEYS {
                self.few.push(key.into());
                return false;
            }
            self.many = self.few.drain(..).collect();
        }
        !self.many.insert(key.into())
    }
}

/// The ranges of escapes that are half of a surrogate pair.
pub fn lone_surrogates(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(n) = memchr::memchr(b'\\', &text[at..]) {
        at += n;
        match unit(text, at) {
            Some(0xD800..0xDC00) if matches!(unit(text, at + 6), Some(0xDC00..0xE000)) => at += 12,
            Some(0xD800..0xE000) => {
                found.push(at..at + 6);
                at += 6;
            }
            // The next character is escaped by this backslash.
            _ => at += 2,
        }
        if at >= text.len() {
            break;
        }
    }
    found
}

/// The code unit of a `\u` escape.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The JSON Pointers of the values at these offsets, which must be in order. Behind the value, the pointer is that of
/// the whole.
pub fn pointers(text: &[u8], offsets: &[usize]) -> Vec<String> {
    /// A container around the current value: an object with its last key, or an array with the number of an element.
    enum PathStep {
        Key(Range<usize>),
        Number(usize),
    }
    let mut found = Vec::new();
    let mut path: Vec<PathStep> = Vec::new();
    let shown = |path: &[PathStep]| {
        let mut pointer = String::new();
        for step in path {
            match step {
                PathStep::Key(at) if at.is_empty() && at.start == 0 => (),
                PathStep::Key(at) => {
                    let mut key = Vec::new();
                    decode(&text[at.clone()], &mut key);
                    pointer.push('/');
                    pointer.push_str(&String::from_utf8_lossy(&key).replace('~', "~0").replace('/', "~1"));
                }
                PathStep::Number(n) => pointer.push_str(&format!("/{n}")),
            }
        }
        pointer
    };
    tokens(text, |token, start| {
        // Offsets before this token belong to the token before it.
        // One at a container is that of the container, not that of its first element.
        let reach = start + usize::from(matches!(token, LintToken::Open(_)));
        while offsets.get(found.len()).is_some_and(|at| *at < reach) {
            found.push(shown(&path));
        }
        match token {
            LintToken::Open(true) => path.push(PathStep::Key(0..0)),
            LintToken::Open(false) => path.push(PathStep::Number(0)),
            LintToken::Close => drop(path.pop()),
            LintToken::Key(at) => {
                if let Some(step) = path.last_mut() {
                    *step = PathStep::Key(at);
                }
            }
            LintToken::Comma => {
                if let Some(PathStep::Number(n)) = path.last_mut() {
                    *n += 1;
                }
            }
            LintToken::Text => (),
        }
        found.len() < offsets.len()
    });
    found.resize_with(offsets.len(), || shown(&path));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_that_come_twice() {
        let many = format!("{{{}\"k7\":1}}", (0..40).map(|n| format!("\"k{n}\":1,")).collect::<String>());
        for (text, want) in [
            (r#"{"a":1,"a":2}"#, vec!["a"]),
            (r#"{"a":{"a":1},"b":["a","a"],"c":[{"a":1},{"a":1}]}"#, vec![]),
            (r#"{"a":1,"\u0061":2,"b":{"c":1,"c":1,"c":1}}"#, vec!["\\u0061", "c", "c"]),
            (r#"{"a":"a","b":"{\"a\":1,\"a\":2}"}"#, vec![]),
            (many.as_str(), vec!["k7"]),
            ("[1,2]", vec![]),
        ] {
            let found: Vec<&str> = duplicate_keys(text.as_bytes()).into_iter().map(|at| &text[at]).collect();
            assert_eq!(found, want, "{text}");
        }
    }

    #[test]
    fn halves() {
        for (text, want) in [
            (r#""\ud83c""#, vec![(1, 7)]),
            (r#""\ud83c\udf27""#, vec![]),
            (r#""\udf27\ud83c""#, vec![(1, 7), (7, 13)]),
            (r#""\\ud83c""#, vec![]),
            (r#""\ud83c\ud83c\udf27""#, vec![(1, 7)]),
            (r#""\ud83"#, vec![]),
        ] {
            let found: Vec<_> = lone_surrogates(text.as_bytes()).iter().map(|at| (at.start, at.end)).collect();
            assert_eq!(found, want, "{text}");
        }
    }

    #[test]
    fn ways() {
        let text = r#"{"a~/b":[1,{"\u0063":"x"}],"d":"y"}"#;
        let at = |what: &str| text.find(what).unwrap();
        let offsets = [0, at("[1"), at("1"), at("{\"\\u"), at("x"), at("y"), text.len() - 1];
        let want = ["", "/a~0~1b", "/a~0~1b/0", "/a~0~1b/1", "/a~0~1b/1/c", "/d", ""];
        assert_eq!(pointers(text.as_bytes(), &offsets), want);
        assert_eq!(pointers(b"data: {\"a\":\"x\"}\n\n", &[12]), ["/a"]);
    }

    proptest! {
        #[test]
        fn anything_is_taken(text in "[{}\\[\\],:\"\\\\a]{0,20}", at in 0usize..20) {
            duplicate_keys(text.as_bytes());
            lone_surrogates(text.as_bytes());
            prop_assert_eq!(pointers(text.as_bytes(), &[at, at + 1]).len(), 2);
        }
    }
}
