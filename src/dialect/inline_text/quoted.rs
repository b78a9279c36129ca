//! Reasoning that is written as a quotation: the marks before its lines are no part of its text, and what is written as
//! HTML is read as the character that it stands for. The bytes of both go with the block.

use super::Out;
use super::place::spans;
use crate::inline::Scanned;
use crate::model::{Lane, PieceKind};

/// What HTML writes in place of a character.
const REFERENCES: &[(&[u8], u8)] =
    &[(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&#x27;", b'\''), (b"&#39;", b'\'')];

/// How a block is quoted, which its first line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuotedForm {
    /// Its first line has not come.
    Unknown,
    /// It is not quoted.
    Plain,
    Markdown,
    Html,
}

/// The text of a block, read in pieces.
#[derive(Debug)]
pub(super) struct Quotation {
    form: QuotedForm,
    /// The next byte begins a line.
    starts_line: bool,
    /// The offset of text that waits for more, and that text: it may be a mark, or a character that is written as HTML.
    held: (u64, Vec<u8>),
}

impl Default for Quotation {
    fn default() -> Self {
        Self { form: QuotedForm::Unknown, starts_line: true, held: (0, Vec::new()) }
    }
}

/// A part of such a text: how many of its bytes, and what they say.
type QuotedPart<'t> = (usize, &'t [u8]);

impl Quotation {
    /// Where the text that waits begins.
    pub fn decided(&self) -> Option<u64> {
        (!self.held.1.is_empty()).then_some(self.held.0)
    }

    /// Reads more of the text, which stands at `at`. `over`: nothing follows. Sends each part with its offset.
    fn feed(&mut self, at: u64, text: &[u8], over: bool, to: &mut dyn FnMut(u64, QuotedPart<'_>)) {
        let (from, mut all) = std::mem::take(&mut self.held);
        let mut at = if all.is_empty() { at } else { from };
        all.extend_from_slice(text);
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let Some(part) = self.part(rest, over) else {
                self.held = (at, rest.to_vec());
                return;
            };
            to(at, part);
            at += part.0 as u64;
            rest = &rest[part.0..];
        }
    }

    /// The part that a text begins with. None if that depends on what follows it.
    fn part<'t>(&mut self, text: &'t [u8], over: bool) -> Option<QuotedPart<'t>> {
        let cut_off = |whole: &[u8]| !over && text.len() < whole.len() && whole.starts_with(text);
        if self.form == QuotedForm::Unknown && !matches!(text[0], b'\n' | b'\r') {
            if cut_off(HTML_MARK) {
                return None;
            }
            self.form = match text {
                [b'>', ..] => QuotedForm::Markdown,
                _ if text.starts_with(HTML_MARK) => QuotedForm::Html,
                _ => QuotedForm::Plain,
            };
        }
        let (mark, html): (&[u8], bool) = match self.form {
            QuotedForm::Plain => return Some((text.len(), text)),
            QuotedForm::Html => (HTML_MARK, true),
            QuotedForm::Unknown | QuotedForm::Markdown => (b">", false),
        };
        if self.starts_line {
            if cut_off(mark) {
                return None;
            }
            match text.strip_prefix(mark) {
                Some([]) if !over => return None,
                Some([b' ', ..]) => return self.says((mark.len() + 1, b"")),
                Some([] | [b'\n' | b'\r', ..]) => return self.says((mark.len(), b"")),
                // A line that began like a quotation before has no mark of its own.
                _ => (),
            }
        }
        if html && text[0] == b'&' {
            if let Some((name, character)) = REFERENCES.iter().find(|(name, _)| text.starts_with(name)) {
                return self.says((name.len(), std::slice::from_ref(character)));
            }
            if REFERENCES.iter().any(|(name, _)| cut_off(name)) {
                return None;
            }
        }
        let end = text[1..].iter().position(|b| *b == b'&' && html).map_or(text.len(), |end| end + 1);
        match text[..end].iter().position(|b| *b == b'\n') {
            Some(line) => {
                self.starts_line = true;
                Some((line + 1, &text[..=line]))
            }
            None => self.says((end, &text[..end])),
        }
    }

    fn says<'t>(&mut self, part: QuotedPart<'t>) -> Option<QuotedPart<'t>> {
        self.starts_line = false;
        Some(part)
    }
}

/// The mark before a line that is written as HTML.
const HTML_MARK: &[u8] = b"&gt;";

impl Out<'_, '_> {
    /// Sends reasoning, without the marks of a quotation if it is one.
    pub(super) fn reasoning(&mut self, found: &Scanned<'_>) {
        self.quoted(found.at, found.text, false);
        if self.quotation.is_none() {
            self.block(PieceKind::Reasoning(self.source), false, found, found.text);
        }
    }

    /// Sends more of a quotation, if the block is one. `over`: nothing of it follows.
    pub(super) fn quoted(&mut self, at: u64, text: &[u8], over: bool) {
        let Some(mut quotation) = self.quotation.take() else { return };
        self.seam.block();
        let kind = PieceKind::Reasoning(self.source);
        quotation.feed(at, text, over, &mut |at, (len, says)| {
            let end = at + len as u64;
            if len == says.len() {
                return self.piece(kind, false, at, len, says);
            }
            // What is read in place of these bytes has none of its own.
            spans(self.places, &mut self.hint, at, end, self.spans);
            for (text, at) in [(says, &[][..]), (&b""[..], self.spans.as_slice())] {
                if !text.is_empty() || !at.is_empty() {
                    (self.to)(&super::Piece {
                        lane: Lane::ONLY,
                        kind,
                        fresh: false,
                        text,
                        escaped: false,
                        whole: false,
                        at,
                    });
                }
            }
        });
        *self.quotation = Some(quotation).filter(|_| !over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, size: usize) -> (String, usize) {
        let (mut quotation, mut out, mut bytes, mut at) = (Quotation::default(), Vec::new(), 0, 0);
        let mut to = |from: u64, (len, says): QuotedPart<'_>| {
            assert_eq!(from, bytes as u64, "every byte is in one part");
            bytes += len;
            out.extend_from_slice(says);
        };
        for piece in text.as_bytes().chunks(size) {
            quotation.feed(at, piece, false, &mut to);
            at += piece.len() as u64;
        }
        quotation.feed(at, b"", true, &mut to);
        assert_eq!(quotation.decided(), None);
        (String::from_utf8(out).unwrap(), bytes)
    }

    #[test]
    fn what_a_quotation_says() {
        for (text, want) in [
            ("\n> Low.\n> \n> High.\n", "\nLow.\n\nHigh.\n"),
            (
                "\n&gt; Is &quot;2 &lt; 3&quot;?\n&gt; \n&gt; It&#x27;s &amp;amp; &#39;so&#39;.",
                "\nIs \"2 < 3\"?\n\nIt's &amp; 'so'.",
            ),
            // Lines that have begun with a mark before have no other.
            ("> a\n>b\n>> c\n>", "a\n>b\n>> c\n"),
            ("&gt; a\n&gt;b\n&gt;&gt; c\n&gt;", "a\n>b\n>> c\n"),
            ("> a\r\n>\r\n> b", "a\r\n\r\nb"),
            // What is not quoted, or not written as HTML, stays as it is.
            ("\nLow &gt; high.\n> b", "\nLow &gt; high.\n> b"),
            ("> a &lt; b\n&gt; c", "a &lt; b\n&gt; c"),
            ("&gt; a & b &nbsp; &l\n&gt", "a & b &nbsp; &l\n&gt"),
            ("&g", "&g"),
            ("> > a", "> a"),
            ("", ""),
        ] {
            for size in 1..8 {
                assert_eq!(read(text, size), (want.to_string(), text.len()), "{text:?} in pieces of {size}");
            }
        }
    }
}
