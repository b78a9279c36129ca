//! A stretch of text as a person sees it: without colours of a terminal, and without what quotes are escaped with.

use memchr::memchr3;

/// A text without escapes, and where each of its bytes stands in the text that it was made of.
#[derive(Default)]
pub(in crate::dialect) struct Plain {
    pub text: Vec<u8>,
    /// Where runs of bytes begin that follow each other in both texts: in this one, and in that which was read.
    runs: Vec<(usize, usize)>,
}

impl Plain {
    /// Reads a stretch of text.
    pub fn read(&mut self, raw: &[u8]) {
        self.text.clear();
        self.runs.clear();
        let mut i = 0;
        while i < raw.len() {
            let end = memchr3(0x1B, b'\\', b'&', &raw[i..]).map_or(raw.len(), |n| i + n);
            self.push(&raw[i..end], i);
            i = match raw.get(end) {
                Some(0x1B) => end + sequence(&raw[end..]),
                Some(b'\\') => self.escape(raw, end),
                Some(_) => self.entity(raw, end),
                None => end,
            };
        }
    }

    /// The offset in the text that was read.
    pub fn raw(&self, at: usize) -> usize {
        let at = at.min(self.text.len().saturating_sub(1));
        let run = self.runs.partition_point(|(from, _)| *from <= at);
        run.checked_sub(1).map_or(0, |run| self.runs[run].1 + at - self.runs[run].0)
    }

    /// How many of its bytes stand before an offset of the text that was read.
    pub fn until(&self, raw: usize) -> usize {
        let next = self.runs.partition_point(|(_, from)| *from < raw);
        let Some((from, start)) = next.checked_sub(1).map(|run| self.runs[run]) else { return 0 };
        let end = self.runs.get(next).map_or(self.text.len(), |(from, _)| *from);
        end.min(from + raw - start)
    }

    fn push(&mut self, bytes: &[u8], at: usize) {
        let follows = self.runs.last().is_some_and(|(from, start)| start + self.text.len() - from == at);
        if !follows && !bytes.is_empty() {
            self.runs.push((self.text.len(), at));
        }
        self.text.extend_from_slice(bytes);
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
        self.push(&[byte], from);
        end + len
    }

    fn entity(&mut self, raw: &[u8], from: usize) -> usize {
        let names =
            [(&b"&quot;"[..], b'"'), (b"&#34;", b'"'), (b"&#x22;", b'"'), (b"&#39;", b'\''), (b"&apos;", b'\'')];
        let found = names.iter().find(|(name, _)| raw[from..].starts_with(name));
        let (byte, len) = found.map_or((b'&', 1), |(name, quote)| (*quote, name.len()));
        self.push(&[byte], from);
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

    /// Each byte has a place, and the places are found again.
    #[test]
    fn where_bytes_stand() {
        let mut plain = Plain::default();
        let raw = b"a\x1b[1mb\\\"c&quot;&d\\n\x1b[0m";
        plain.read(raw);
        let places: Vec<usize> = (0..plain.text.len()).map(|at| plain.raw(at)).collect();
        assert_eq!((&plain.text[..], &places[..]), (&b"ab\"c\"&d "[..], &[0, 5, 6, 8, 9, 15, 16, 17][..]));
        assert_eq!(plain.raw(100), 17);
        for at in 0..=raw.len() {
            assert_eq!(plain.until(at), places.iter().filter(|place| **place < at).count(), "{at}");
        }
    }
}
