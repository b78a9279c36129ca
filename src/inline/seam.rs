//! How much white space goes with a block that is cut (behaviour.md, section 6): all white space behind it at the start
//! of the message; elsewhere so many newlines that at most two stay in a row.

use std::ops::Range;

/// Follows the visible text and the blocks of one message.
#[derive(Clone, Debug, Default)]
pub struct Seam {
    /// There was visible text other than white space.
    started: bool,
    /// Newlines at the end of the visible text.
    newlines: usize,
    /// A block ended and only white space has come since.
    after: bool,
}

/// A visible text in three stretches: the first stays, the second goes with the block before it, the rest stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeamSplit {
    /// The bytes that go with the block. May be empty.
    pub gap: Range<usize>,
}

impl Seam {
    /// Notes that a block, or a part of one, comes next.
    pub fn block(&mut self) {
        self.after = true;
    }

    /// Whether a block stands before the text that comes next, and only white space has come since.
    pub fn is_behind_block(&self) -> bool {
        self.after
    }

    /// Splits the visible text that comes next: which of its bytes go with the block before it.
    pub fn visible(&mut self, text: &[u8]) -> SeamSplit {
        let gap = match self.after {
            false => 0..0,
            true if !self.started => 0..self.blank(text),
            true => self.newlines_too_many(text),
        };
        let kept = [&text[..gap.start], &text[gap.end..]];
        kept.iter().for_each(|part| self.count(part));
        SeamSplit { gap }
    }

    /// How many bytes of white space at the start of `text` follow the block. ASCII only, since raw text may be cut
    /// inside of any other character.
    fn blank(&mut self, text: &[u8]) -> usize {
        let trimmed = text.trim_ascii_start().len();
        self.after = trimmed == 0;
        text.len() - trimmed
    }

    /// The newlines beyond two, counting those before the block.
    fn newlines_too_many(&mut self, text: &[u8]) -> Range<usize> {
        let mut left = 2usize.saturating_sub(self.newlines);
        let breaks = text.iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        self.after = breaks == text.len();
        let mut kept = 0;
        while left > 0 && kept < breaks {
            left -= usize::from(text[kept] == b'\n');
            kept += 1;
        }
        kept..breaks
    }

    fn count(&mut self, kept: &[u8]) {
        if kept.is_empty() {
            return;
        }
        let tail = kept.iter().rev().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        let newlines = kept[kept.len() - tail..].iter().filter(|b| **b == b'\n').count();
        self.newlines = if tail == kept.len() { self.newlines + newlines } else { newlines };
        self.started = self.started || !kept.iter().all(u8::is_ascii_whitespace);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `@` stands for a block.
    fn cut(text: &str, piece: usize) -> String {
        let (mut seam, mut out) = (Seam::default(), Vec::new());
        for (i, part) in text.split('@').enumerate() {
            if i > 0 {
                seam.block();
            }
            for chunk in part.as_bytes().chunks(piece) {
                let SeamSplit { gap } = seam.visible(chunk);
                out.extend_from_slice(&chunk[..gap.start]);
                out.extend_from_slice(&chunk[gap.end..]);
            }
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn white_space() {
        for (text, want) in [
            ("@\n\na", "a"),
            ("@ a", "a"),
            (" @ a", " a"),
            ("@\n@\na", "a"),
            ("@ \u{2028} a", "\u{2028} a"),
            ("a @ b", "a  b"),
            ("a\n@\nb", "a\n\nb"),
            ("a\n\n@\n\nb", "a\n\nb"),
            ("a\n@\n\n\nb", "a\n\nb"),
            ("a\n\n\n@\nb", "a\n\n\nb"),
            ("a\n\n@ \nb", "a\n\n \nb"),
            ("a\r\n\r\n@\r\n\r\nb", "a\r\n\r\nb"),
            ("a@\n\n\n\nb", "a\n\nb"),
        ] {
            for piece in [usize::MAX, 1, 2] {
                assert_eq!(cut(text, piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }
}
