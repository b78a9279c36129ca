//! Splits text of the input into glyphs: characters with their marks, and their widths in columns. Characters that a
//! terminal would obey, or not show, are spelled out.

use crate::printable::is_hidden;
use unicode_width::UnicodeWidthChar;

/// The most marks on one character: more would cover the lines above and below.
const MARKS: usize = 8;
/// The longest control sequence that is passed whole in a raw drawing, in bytes.
const SEQUENCE: usize = 256;

/// An element of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph<'a> {
    /// The end of a line.
    Newline,
    /// A space.
    Space,
    /// A tab.
    Tab,
    /// A character with its marks, and its width in columns.
    Text(&'a str, usize),
    /// The spelling of a character that is not shown as itself, and its width in columns.
    Odd(&'a str, usize),
}

/// Makes glyphs of a text in pieces. The glyphs do not depend on how the text was cut.
#[derive(Debug, Default)]
pub struct Glyphs {
    /// Text is passed unchanged.
    raw: bool,
    /// The last character with its marks: it may get more.
    text: String,
    width: usize,
    marks: usize,
    /// Its first character.
    base: char,
    /// The last character was a CR.
    cr: bool,
    /// The last byte of an incomplete control sequence that is passed.
    sequence: Option<u8>,
}

impl Glyphs {
    /// With `raw`, no character is spelled out.
    pub fn new(raw: bool) -> Self {
        Self { raw, ..Self::default() }
    }

    /// Makes the glyphs of the next piece. The last one is kept, since it may get another mark.
    pub fn push(&mut self, text: &str, mut sink: impl FnMut(Glyph<'_>)) {
        for c in text.chars() {
            self.next(c, &mut sink);
        }
    }

    /// Ends the text.
    pub fn end(&mut self, mut sink: impl FnMut(Glyph<'_>)) {
        self.line_end(&mut sink);
        self.close(&mut sink);
        self.sequence = None;
    }

    fn next(&mut self, c: char, sink: &mut impl FnMut(Glyph<'_>)) {
        if self.cr && c == '\n' {
            self.cr = false;
        }
        self.line_end(sink);
        if self.sequence.is_some() {
            return self.in_sequence(c, sink);
        }
        match c {
            ' '..='~' => {
                self.close(sink);
                match c {
                    ' ' => sink(Glyph::Space),
                    c => self.begin(c, 1),
                }
            }
            '\n' | '\t' => {
                self.close(sink);
                sink(if c == '\n' { Glyph::Newline } else { Glyph::Tab });
            }
            '\r' => {
                self.close(sink);
                self.cr = true;
            }
            c if self.raw && (c.is_control() || is_hidden(c)) => self.pass(c, sink),
            c if is_hidden(c) => self.hidden(c, sink),
            c => self.shown(c, sink),
        }
    }

    /// Handles a CR without a line feed, with which a line could be overwritten.
    fn line_end(&mut self, sink: &mut impl FnMut(Glyph<'_>)) {
        if std::mem::take(&mut self.cr) {
            if self.raw { self.pass('\r', sink) } else { spell('\r', sink) }
        }
    }

    fn begin(&mut self, c: char, width: usize) {
        self.text.push(c);
        (self.base, self.width, self.marks) = (c, width, 0);
    }

    fn close(&mut self, sink: &mut impl FnMut(Glyph<'_>)) {
        if !self.text.is_empty() {
            sink(Glyph::Text(&self.text, self.width));
            self.text.clear();
        }
    }

    /// Adds a visible character.
    fn shown(&mut self, c: char, sink: &mut impl FnMut(Glyph<'_>)) {
        let width = c.width().unwrap_or(0);
        let joins = width == 0
            || (is_skin(c) && takes_skin(self.base) && self.marks == 0)
            || (is_flag(c) && is_flag(self.base) && self.marks == 0);
        if joins && !self.text.is_empty() && self.marks < MARKS {
            self.text.push(c);
            self.marks += 1;
            self.width = self.width.max(if is_flag(c) { 2 } else { 0 });
        } else if width == 0 {
            // A mark without a character, or one too many.
            self.close(sink);
            spell(c, sink);
        } else {
            self.close(sink);
            self.begin(c, width);
        }
    }

    /// Handles an invisible character with a purpose: it chooses one of two forms of an emoji, joins several, or keeps
    /// letters apart in a script where they join. Terminals do not agree on the first two, so that these are left out,
    /// and the emoji stand beside each other.
    fn hidden(&mut self, c: char, sink: &mut impl FnMut(Glyph<'_>)) {
        let after = !self.text.is_empty();
        match c {
            '\u{fe0e}' | '\u{fe0f}' if after && self.marks == 0 && (is_emoji(self.base) || self.base.is_ascii()) => {
                self.marks += 1;
            }
            '\u{200d}' if after && self.marks < 2 && is_emoji(self.base) => self.marks = MARKS,
            '\u{200c}' | '\u{200d}' if after && self.marks < MARKS && is_joining(self.base) => {
                self.text.push(c);
                self.marks = MARKS;
            }
            c => {
                self.close(sink);
                spell(c, sink);
            }
        }
    }

    /// In a raw drawing: passes a character that takes no column.
    fn pass(&mut self, c: char, sink: &mut impl FnMut(Glyph<'_>)) {
        if self.text.len() >= SEQUENCE {
            self.close(sink);
        }
        if self.text.is_empty() {
            self.width = 0;
        }
        self.text.push(c);
        (self.base, self.marks) = (c, MARKS);
        self.sequence = (c == '\u{1b}').then_some(0);
    }

    fn in_sequence(&mut self, c: char, sink: &mut impl FnMut(Glyph<'_>)) {
        let n = self.sequence.take().unwrap_or(0);
        if c == '\n' {
            self.close(sink);
            return sink(Glyph::Newline);
        }
        self.text.push(c);
        let goes_on = if n == 0 { c == '[' || c == ']' } else { !matches!(c, '@'..='~' | '\u{7}') };
        if self.text.len() < SEQUENCE && goes_on {
            self.sequence = Some(1);
        }
        self.base = '\0';
        self.marks = MARKS;
    }
}

/// Spells out a character: its picture, or its number.
fn spell(c: char, sink: &mut impl FnMut(Glyph<'_>)) {
    if let Some(picture) = picture(c) {
        return sink(Glyph::Odd(picture.encode_utf8(&mut [0; 4]), 1));
    }
    let spelled: String = c.escape_unicode().collect();
    sink(Glyph::Odd(&spelled, spelled.len()));
}

/// The picture of a control character.
fn picture(c: char) -> Option<char> {
    match u32::from(c) {
        n @ 0..=0x1f => char::from_u32(0x2400 + n),
        0x7f => Some('␡'),
        _ => None,
    }
}

/// Whether a character may be drawn as an emoji; roughly, which is enough to know what may follow it.
fn is_emoji(c: char) -> bool {
    matches!(c, '©' | '®' | '\u{203c}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether a character is the skin colour of an emoji.
fn is_skin(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether an emoji may have a skin colour.
fn takes_skin(c: char) -> bool {
    matches!(c, '\u{261d}' | '\u{26f9}' | '\u{270a}'..='\u{270d}' | '\u{1f385}'..='\u{1f3cc}' | '\u{1f442}'..='\u{1faff}')
}

/// Whether a character is half of a flag.
fn is_flag(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Whether a character is of a script whose letters join, where the characters that keep them apart are part of the
/// spelling.
fn is_joining(c: char) -> bool {
    c.is_alphabetic()
        && matches!(c, '\u{620}'..='\u{7ff}' | '\u{840}'..='\u{dff}' | '\u{1780}'..='\u{18aa}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// A text in one line of at most `most` columns, and its width. If it was cut, it ends with `…`.
pub fn line(text: &str, most: usize, raw: bool) -> (String, usize) {
    let (mut out, mut width) = (String::new(), 0);
    // Where to cut the text if it is too long: with room for the `…`.
    let (mut cut, mut over) = ((0, 0), false);
    let mut add = |text: &str, w: usize| {
        over |= width + w > most;
        if !over {
            out.push_str(text);
            width += w;
            if width < most {
                cut = (out.len(), width);
            }
        }
        over
    };
    let mut sink = |glyph: Glyph<'_>| match glyph {
        Glyph::Newline => add("⏎", 1),
        Glyph::Space => add(" ", 1),
        Glyph::Tab => add("␉", 1),
        Glyph::Text(text, w) | Glyph::Odd(text, w) => add(text, w),
    };
    let mut glyphs = Glyphs::new(raw);
    let mut full = false;
    // Of a long text, only the beginning is read.
    for c in text.trim_matches([' ', '\n', '\r', '\t']).chars() {
        glyphs.next(c, &mut |glyph| full |= sink(glyph));
        if full {
            break;
        }
    }
    glyphs.end(|glyph| full |= sink(glyph));
    if full && most > 0 {
        out.truncate(cut.0);
        out.push('…');
        width = cut.1 + 1;
    }
    (out, width)
}
