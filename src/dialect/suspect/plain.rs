//! A stretch of text as a person sees it: without colours of a terminal, and without what quotes are escaped with.

/// A text without escapes, and where each of its bytes stands in the text that it was made of.
#[derive(Default)]
pub(in crate::dialect) struct Plain {
    pub text: Vec<u8>,
    at: Vec<u32>,
}

impl Plain {
    /// Reads a stretch of text.
    pub fn read(&mut self, raw: &[u8]) {
        self.text.clear();
        self.at.clear();
        let mut i = 0;
        while i < raw.len() {
            i = match raw[i] {
                0x1B => i + sequence(&raw[i..]),
                b'\\' => self.escape(raw, i),
                b'&' => self.entity(raw, i),
                byte => {
                    self.push(byte, i);
                    i + 1
                }
            };
        }
    }

    /// The offset in the text that was read.
    pub fn raw(&self, at: usize) -> usize {
        self.at.get(at).or(self.at.last()).map_or(0, |at| *at as usize)
    }

    /// How many of its bytes stand before an offset of the text that was read.
    pub fn until(&self, raw: usize) -> usize {
        self.at.partition_point(|at| (*at as usize) < raw)
    }

    fn push(&mut self, byte: u8, at: usize) {
        self.text.push(byte);
        self.at.push(at as u32);
    }

    /// Reads a run of backslashes with the character that it escapes: a quote is escaped once or more often.
    fn escape(&mut self, raw: &[u8], from: usize) -> usize {
        let run = raw[from..].iter().take_while(|b| **b == b'\\').count();
        let end = from + run;
        let (byte, len) = match raw.get(end) {
            Some(quote @ (b'"' | b'\'')) => (*quote, 1),
            Some(b'n' | b't' | b'r') => (b' ', 1),
            Some(b'u') if raw[end..].starts_with(b"u0022") => (b'"', 5),
            Some(b'u') if raw[end..].starts_with(b"u0027") => (b'\'', 5),
            _ => (b'\\', 0),
        };
        self.push(byte, from);
        end + len
    }

    fn entity(&mut self, raw: &[u8], from: usize) -> usize {
        let names =
            [(&b"&quot;"[..], b'"'), (b"&#34;", b'"'), (b"&#x22;", b'"'), (b"&#39;", b'\''), (b"&apos;", b'\'')];
        let found = names.iter().find(|(name, _)| raw[from..].starts_with(name));
        let (byte, len) = found.map_or((b'&', 1), |(name, quote)| (*quote, name.len()));
        self.push(byte, from);
        from + len
    }
}

/// The length of the control sequence of a terminal (ECMA-48) at the start of a text.
pub(in crate::dialect) fn sequence(raw: &[u8]) -> usize {
    match raw.get(1) {
        Some(b'[') => {
            let inner = raw[2..].iter().take(64).take_while(|b| (0x20..0x40).contains(*b)).count();
            let last = raw.get(2 + inner).is_some_and(|b| (0x40..0x7F).contains(b));
            2 + inner + usize::from(last)
        }
        // A command of the terminal, such as a title or a link.
        Some(b']') => {
            let inner = raw[2..].iter().take(256).take_while(|b| !matches!(b, 7 | 0x1B | b'\n')).count();
            2 + inner + usize::from(raw.get(2 + inner) == Some(&7))
        }
        Some(b'\n') | None => 1,
        Some(_) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_sees() {
        let mut plain = Plain::default();
        for (raw, want) in [
            ("a\u{1b}[1;39mb\u{1b}[0m", "ab"),
            (r#"{\"a\":\\\"b\\\"}"#, r#"{"a":"b"}"#),
            (r#"{\u0022a\u0022:1}"#, r#"{"a":1}"#),
            ("&quot;a&#34; & b", "\"a\" & b"),
            ("a\\nb\\", "a b\\"),
            ("\u{1b}]8;;x\u{7}y\u{1b}", "y"),
        ] {
            plain.read(raw.as_bytes());
            assert_eq!(String::from_utf8_lossy(&plain.text), want);
        }
        assert_eq!(plain.raw(0), 7);
    }
}
