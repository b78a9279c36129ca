//! Strings of sources that go on over lines: `"""` and `'''` of Python and its kin, and the templates of JavaScript.
//! What stands in one is spoken of, or the text of a prompt. Which of the two cannot be known without the whole file.

use memchr::{memchr, memchr3};

/// Follows visible text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Literals {
    /// The literal that is open: three quotation marks, or a backtick where a value begins.
    open: Option<u8>,
    /// A code span is open on this line.
    span: bool,
    /// The quotation marks or backticks that the text ends with.
    run: (u8, usize),
    /// The run stands where a value begins; or behind a backslash, so that it is text.
    value: bool,
    escaped: bool,
    /// The last byte that is no white space, and the last byte.
    ink: u8,
    last: u8,
}

impl Literals {
    /// Follows more visible text.
    pub fn pass(&mut self, text: &[u8]) {
        let mut from = 0;
        while let Some(n) = memchr3(b'"', b'\'', b'`', &text[from..]) {
            let at = from + n;
            let b = text[at];
            if self.run.1 > 0 && (n > 0 || self.run.0 != b) {
                self.run_over();
            }
            if self.run.1 == 0 {
                self.run_begins(b, &text[from..at]);
            }
            self.run.1 += 1;
            (self.ink, self.last) = (b, b);
            from = at + 1;
        }
        if let Some(last) = text[from..].last() {
            self.run_over();
            self.line_over(&text[from..]);
            self.ink = text[from..].iter().rev().find(|b| !b.is_ascii_whitespace()).copied().unwrap_or(self.ink);
            self.last = *last;
        }
    }

    /// Whether the text ends within a literal.
    pub fn is_open(mut self) -> bool {
        self.run_over();
        self.open.is_some()
    }

    /// A code span ends with its line.
    fn line_over(&mut self, passed: &[u8]) {
        self.span = self.span && memchr(b'\n', passed).is_none();
    }

    fn run_begins(&mut self, b: u8, before: &[u8]) {
        self.line_over(before);
        let last = before.last().copied().unwrap_or(self.last);
        let ink = before.iter().rev().find(|b| !b.is_ascii_whitespace()).copied().unwrap_or(self.ink);
        self.run = (b, 0);
        self.value = matches!(ink, b'=' | b'(' | b':' | b',' | b'[' | b'{' | b'+' | b'?' | b'>');
        self.escaped = last == b'\\';
    }

    /// Opens or closes a literal with the run.
    fn run_over(&mut self) {
        let (b, n) = std::mem::take(&mut self.run);
        let marks = if b == b'`' { n == 1 } else { n == 3 };
        match self.open {
            Some(open) if open == b && marks && !self.escaped => self.open = None,
            None if marks && b == b'`' && (self.span || !self.value) => self.span = !self.span,
            None if marks && !self.escaped => self.open = Some(b),
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_and_closed() {
        for (text, want) in [
            ("", false),
            ("\"\"\"", true),
            ("x = \"\"\"a\n\nb", true),
            ("x = \"\"\"a\n\"\"\"\n", false),
            ("\"\"\"a ''' b", true),
            ("'''a", true),
            ("\"\"", false),
            ("don't", false),
            ("const a = `b\n", true),
            ("const a = `b \\` c", true),
            ("const a = `b` + `c", true),
            ("f(`b`)", false),
            ("the word `b", false),
            ("the word `b>`", false),
            ("the word `b\nf(`c", true),
            ("```js\n", false),
            ("text: ```", false),
        ] {
            let mut whole = Literals::default();
            whole.pass(text.as_bytes());
            let mut bytewise = Literals::default();
            text.bytes().for_each(|b| bytewise.pass(&[b]));
            assert_eq!((whole, whole.is_open()), (bytewise, want), "{text:?}");
        }
    }
}
