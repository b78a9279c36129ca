//! Splits text into words, each with the white space before it. The result does not depend on how the text was cut into
//! pieces.
//!
//! A word of more than [`PART`] characters comes in parts, so that text without spaces streams, too; it counts as one
//! word.

use crate::agents::fold::joined;

/// The most characters of a word that comes whole.
const PART: usize = 64;

/// A word, or a part of a long one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// The white space before it, and the word.
    pub text: String,
    /// Where the word begins in `text`.
    pub at: usize,
    /// It is the beginning of a word, since it follows white space or nothing.
    pub begins: bool,
    /// It is one of several parts.
    pub part: bool,
    /// It is part of a copy of the words before, and is left out.
    pub copy: bool,
}

/// The state of a text between pieces.
#[derive(Debug, Default)]
pub(super) struct WordWindow {
    /// Runs of the same white space become one.
    collapse: bool,
    /// White space before the next word, and where in it something was cut.
    gap: String,
    cuts: Vec<usize>,
    /// The separator of two blocks, which replaces white space.
    join: String,
    word: String,
    chars: usize,
    /// A part of the current word was sent.
    parted: bool,
    /// Something was cut behind the current word, unless more of the word follows.
    cut: bool,
    /// White space is left out until a word comes.
    skip: bool,
    /// A word was sent, or is open.
    begun: bool,
    /// The next word follows the one before without white space.
    glued: bool,
    /// Text of another side stood before: without white space, the next word begins a line.
    apart: bool,
}

impl WordWindow {
    pub fn new(collapse: bool) -> Self {
        Self { collapse, ..Self::default() }
    }

    /// Reads text. The words that it completes go to `out`.
    pub fn push(&mut self, text: &str, out: &mut Vec<Word>) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.end(out);
                if !self.skip {
                    self.gap.push(c);
                }
                continue;
            }
            if self.chars == PART {
                self.part(true, out);
                self.parted = true;
            }
            self.skip = false;
            self.cut = false;
            self.word.push(c);
            self.chars += 1;
        }
    }

    /// Ends the current word.
    pub fn end(&mut self, out: &mut Vec<Word>) {
        if self.chars > 0 {
            self.part(self.parted, out);
            self.parted = false;
        }
        if std::mem::take(&mut self.cut) {
            self.cuts.push(0);
        }
    }

    fn part(&mut self, part: bool, out: &mut Vec<Word>) {
        let mut text = self.lead();
        if std::mem::take(&mut self.apart) && self.begun && text.is_empty() {
            text.push('\n');
        }
        let begins = !self.parted && (!text.is_empty() || !self.glued);
        let at = text.len();
        text.push_str(&self.word);
        self.word.clear();
        self.chars = 0;
        (self.begun, self.glued) = (true, true);
        out.push(Word { text, at, begins, part, copy: false });
    }

    /// The separator and white space before the next word.
    pub fn lead(&mut self) -> String {
        let mut lead = std::mem::take(&mut self.join);
        let gap = std::mem::take(&mut self.gap);
        match self.cuts.is_empty() {
            true => self.blank(&gap, &mut lead),
            false => {
                let cuts = std::mem::take(&mut self.cuts);
                let gap = joined(gap.as_bytes(), &cuts);
                self.blank(std::str::from_utf8(&gap).unwrap_or_default(), &mut lead);
            }
        }
        lead
    }

    fn blank(&self, gap: &str, out: &mut String) {
        let mut last = None;
        for c in gap.chars() {
            if !self.collapse || last != Some(c) {
                out.push(c);
            }
            last = Some(c);
        }
    }

    /// Notes that something was cut here. Before the first word, the white space is dropped.
    pub fn cut(&mut self) {
        match self.chars > 0 || self.parted {
            true => self.cut = true,
            false if !self.begun => self.skip_blanks(),
            false => self.cuts.push(self.gap.len()),
        }
    }

    /// Drops white space up to the next word, also what is kept already.
    fn skip_blanks(&mut self) {
        self.gap.clear();
        self.cuts.clear();
        self.skip = true;
    }

    /// Begins another text, on a line of its own.
    pub fn line(&mut self, out: &mut Vec<Word>) {
        self.end(out);
        if self.begun && self.join.is_empty() && !self.gap.ends_with('\n') {
            self.gap.push('\n');
        }
    }

    /// Begins another block, behind `join`. `trim`: white space at the block's ends is dropped.
    pub fn block(&mut self, join: &str, trim: bool, out: &mut Vec<Word>) {
        self.end(out);
        match self.begun {
            true => {
                self.join = self.lead() + join;
                self.skip = trim;
            }
            false if trim => self.skip_blanks(),
            false => (),
        }
    }

    /// Ends a block, and drops white space at its end.
    pub fn trim(&mut self, out: &mut Vec<Word>) {
        self.end(out);
        self.gap.clear();
        self.cuts.clear();
    }

    /// Notes text of another side: the words around it are two.
    pub fn apart(&mut self) {
        self.apart = true;
    }

    /// Notes that words of another text were sent behind the white space that is kept here.
    pub fn others(&mut self) {
        (self.begun, self.glued, self.skip) = (true, true, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` between words, `@` for a cut.
    fn words(text: &str, collapse: bool, piece: usize) -> String {
        let (mut words, mut out) = (WordWindow::new(collapse), Vec::new());
        for (i, text) in text.split('@').enumerate() {
            if i > 0 {
                words.cut();
            }
            let chars: Vec<char> = text.chars().collect();
            for chunk in chars.chunks(piece.min(chars.len().max(1))) {
                words.push(&chunk.iter().collect::<String>(), &mut out);
            }
        }
        words.end(&mut out);
        let mut all: Vec<String> = out.into_iter().map(|word| word.text).collect();
        all.push(words.lead());
        all.join("|")
    }

    #[test]
    fn white_space() {
        for (text, collapse, want) in [
            ("", false, ""),
            (" a  b ", false, " a|  b| "),
            (" a  b ", true, " a| b| "),
            ("a \n\n b\r\n\r\nc", true, "a| \n b|\r\n\r\nc|"),
            ("a\u{a0}\u{a0}b\u{2028}c", true, "a|\u{a0}b|\u{2028}c|"),
            ("@ a", false, "a|"),
            ("\n@\na", false, "a|"),
            ("a\n@\n\nb", false, "a|\n\nb|"),
            ("a@\n\n\n\nb", false, "a|\n\nb|"),
            ("a@b", false, "ab|"),
            ("a @ b", false, "a|  b|"),
            ("a\n\n@@\n@\nb", false, "a|\n\nb|"),
        ] {
            for piece in [usize::MAX, 1, 2] {
                assert_eq!(words(text, collapse, piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn long_words() {
        let (mut words, mut out) = (WordWindow::new(false), Vec::new());
        words.push(&format!(" {}", "é".repeat(130)), &mut out);
        assert_eq!(out.len(), 2);
        words.push(" b", &mut out);
        words.end(&mut out);
        let lengths: Vec<_> = out.iter().map(|w| (w.text.chars().count() - w.at, w.begins, w.part)).collect();
        assert_eq!(lengths, [(64, true, true), (64, false, true), (2, false, true), (1, true, false)]);
        assert_eq!(words.gap, "");
    }
}
