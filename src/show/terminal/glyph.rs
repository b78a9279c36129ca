//! Text of the input as what a terminal shows in its cells: characters with the marks that stand on them, and how many
//! columns they take. What a terminal would obey, or not show at all, is spelled out.

use crate::printable::is_hidden;
use unicode_width::UnicodeWidthChar;

/// The most marks on one character. More of them would grow over the lines above and below.
const MARKS: usize = 8;
/// The longest control sequence that is let through whole in a raw drawing.
const SEQUENCE: usize = 256;

/// What a text is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph<'a> {
    /// The line is over.
    Newline,
    /// A space.
    Space,
    /// A tabulator.
    Tab,
    /// A character with its marks, and how many columns it takes.
    Text(&'a str, usize),
    /// A character that is not shown as itself, spelled out.
    Odd(&'a str, usize),
}

/// Makes glyphs of text that comes in pieces. The glyphs do not depend on how it was cut.
#[derive(Debug, Default)]
pub struct Glyphs {
    /// Text passes as it is.
    raw: bool,
    /// The character that may still get marks, with those it has.
    text: String,
    width: usize,
    marks: usize,
    /// Its first character.
    base: char,
    /// The last character was a CR.
    cr: bool,
    /// A control sequence passes as it is: what of it has come.
    sequence: Option<u8>,
}

impl Glyphs {
    /// With `raw`, nothing is spelled out.
    pub fn new(raw: bool) -> Self {
        Self { raw, ..Self::default() }
    }

    /// The glyphs of the next piece of the text. The last one is kept until it cannot get another mark.
    pub fn push(&mut self, text: &str, mut sink: impl FnMut(Glyph<'_>)) {
        for c in text.chars() {
            self.next(c, &mut sink);
        }
    }

    /// The text is over.
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

    /// A CR that no line feed follows would let a line be written over.
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

    /// A character that is seen.
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
            // A mark with nothing to stand on, or one too many.
            self.close(sink);
            spell(c, sink);
        } else {
            self.close(sink);
            self.begin(c, width);
        }
    }

    /// A character that is not seen, but may be there for a reason: it chooses between two forms of an emoji, joins
    /// several, or keeps letters apart in a script where they join. Terminals do not agree on the first two, so they
    /// are left out, and the emoji stand beside each other.
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

    /// In a raw drawing: a character that takes no column.
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

/// The character by its picture or its number.
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

/// Whether it may be drawn as a picture; about right, which is enough to tell what may follow it.
fn is_emoji(c: char) -> bool {
    matches!(c, '©' | '®' | '\u{203c}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// The colour of the skin of an emoji.
fn is_skin(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether it may have one.
fn takes_skin(c: char) -> bool {
    matches!(c, '\u{261d}' | '\u{26f9}' | '\u{270a}'..='\u{270d}' | '\u{1f385}'..='\u{1f3cc}' | '\u{1f442}'..='\u{1faff}')
}

/// Half of a flag.
fn is_flag(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Whether it is of a script whose letters join, so that what keeps them apart is part of the spelling.
fn is_joining(c: char) -> bool {
    c.is_alphabetic()
        && matches!(c, '\u{620}'..='\u{7ff}' | '\u{840}'..='\u{dff}' | '\u{1780}'..='\u{18aa}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// The text in one line of at most so many columns, with what it takes. Where it was cut, it ends with `…`.
pub fn line(text: &str, most: usize, raw: bool) -> (String, usize) {
    let (mut out, mut width) = (String::new(), 0);
    // Where it is cut, if it has to be: there is room for the sign.
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
    // All of a long text is not looked at for the little of it that is seen.
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
