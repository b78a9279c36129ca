//! What stands in front of each line of a value over several lines: `web-1  | `, `> `, a time and the name of a program.

use super::HEAD;
use memchr::memchr;

/// What the lines of a value begin with.
#[derive(Default)]
pub(super) struct LinePrefix(Vec<u8>);

impl LinePrefix {
    /// The prefix that a line whose value begins behind `before` shares with the next line, if `rest` begins with one that is
    /// whole. Digits stand for each other, since the time may go on. Blanks alone indent the value.
    pub fn shared(before: &[u8], rest: &[u8]) -> Self {
        let before = &before[..before.len().min(HEAD)];
        let Some(end) = memchr(b'\n', rest) else { return Self::default() };
        let len = before.iter().zip(&rest[..end]).take_while(|(a, b)| alike(**a, **b)).count();
        let begins =
            matches!(rest[len..end].trim_ascii_start().first(), Some(b'"' | b'\'' | b'\\' | b'{' | b'[' | b'&'));
        let says = before[..len].iter().any(|b| !b.is_ascii_whitespace());
        Self(if begins && says { before[..len].to_vec() } else { Vec::new() })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A line without it. None: it does not begin with it.
    pub fn without<'t>(&self, line: &'t [u8]) -> Option<&'t [u8]> {
        let begins = line.len() >= self.0.len() && self.0.iter().zip(line).all(|(a, b)| alike(*a, *b));
        begins.then(|| &line[self.0.len()..])
    }

    /// The lines of a text without it, each with its length; the first one is as it is. None for one that does not begin with it.
    pub fn lines<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = (Option<&'t [u8]>, usize)> {
        let lines = text.split_inclusive(|b| *b == b'\n').enumerate();
        lines.map(|(number, line)| (if number == 0 { Some(line) } else { self.without(line) }, line.len()))
    }
}

fn alike(a: u8, b: u8) -> bool {
    a == b || a.is_ascii_digit() && b.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lines_begin_with() {
        for (before, rest, want) in [
            ("web-1  | ", "web-1  |   \"a\": 1\n", "web-1  | "),
            ("web-1  | got ", "web-1  |   \"a\": 1\n", "web-1  | "),
            ("10:00:09 app[1]: ", "10:00:10 app[1]:   \"a\": 1\n", "10:00:09 app[1]: "),
            ("> ", ">   \"a\": 1\n", "> "),
            ("+", "+  'a': 1\n", "+"),
            ("> ", ">   \"a\": 1", ""),
            ("  x = ", "    \"a\": 1\n", ""),
            ("foo(", "  bar\n", ""),
            ("> ", "> so it is\n", ""),
        ] {
            let found = LinePrefix::shared(before.as_bytes(), rest.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found.0), want, "{before:?} {rest:?}");
        }
    }
}
