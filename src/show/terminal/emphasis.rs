//! Emphasis and code inside of a line of Markdown: `*`, `_` and backquotes in pairs. A mark without a partner is text,
//! which is known at the end of the line, or after so many glyphs that no partner is searched for any more.
//!
//! The page is read by `pulldown-cmark`, and this is a second reader beside it. One for both was tried:
//!
//! - It needs a whole line, and the terminal shows a stream word by word. Of the texts of the samples 23 % of the characters would
//!   wait for the end of their line (half of the waits are of 64 characters or more, the longest of 454); 7 % wait for a partner
//!   here (13, and 218).
//! - CommonMark finds no emphasis in `**「天気」**です` or `**注意：**这`: a mark between punctuation and a letter closes nothing there,
//!   and scripts without spaces have such marks all the time. Code of blanks only would lose its marks.
//! - This reader in turn knows no links, no nested lists and no HTML, which a page has.

use super::canvas::Canvas;
use super::glyph::Glyph;
use super::look::CharStyle;
use std::collections::VecDeque;

/// How many glyphs may stand between two marks of a pair.
const MAX_GLYPHS_BETWEEN: usize = 4096;

/// The class of a character beside marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    #[default]
    Space,
    Mark,
    Word,
}

/// The style that a pair of marks gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EmphasisKind {
    star: bool,
    bold: bool,
    italic: bool,
}

/// A part of the line that waits for its meaning.
#[derive(Debug)]
enum EmphasisToken {
    /// Text, its width in columns, and whether it stands for characters that are not shown.
    Text(Box<str>, usize, bool),
    Space,
    /// Marks, and how many of them.
    Marks(char, usize),
    /// A mark that was found to be one of a pair.
    On(EmphasisKind),
    Off(EmphasisKind),
    CodeOn,
    CodeOff,
}

/// Finds pairs in a line.
#[derive(Debug, Default)]
pub struct Emphasis {
    queue: VecDeque<EmphasisToken>,
    /// The number of the first waiting token.
    first: usize,
    /// The tokens that may begin a pair, for each style.
    open: [Option<usize>; 6],
    /// Backquotes that may begin code: their token, and how many they are.
    code: Option<(usize, usize)>,
    /// The current run of marks: the character, how many, and the class of the character before them.
    run: Option<(char, usize, Class)>,
    last: Class,
    /// The last character was a backslash.
    escape: bool,
    bold: usize,
    italic: usize,
    in_code: bool,
}

impl Emphasis {
    /// The next glyph of a line.
    pub fn glyph(&mut self, glyph: Glyph<'_>, base: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let mark = match glyph {
            Glyph::Text(text @ ("*" | "_" | "`"), _) => text.chars().next(),
            _ => None,
        };
        if let Some((c, n, before)) = self.run {
            if mark == Some(c) {
                self.run = Some((c, n + 1, before));
                return;
            }
            self.run_ends(class(glyph), base, canvas, out);
        }
        match mark {
            Some(c) if !self.escape || self.code.is_some() => {
                self.escaped(base, canvas, out);
                self.run = Some((c, 1, self.last));
            }
            _ => {
                // A backslash before a mark makes it text, and is removed.
                if mark.is_none() {
                    self.escaped(base, canvas, out);
                }
                self.escape = false;
                self.last = class(glyph);
                match glyph {
                    Glyph::Text("\\", _) if self.code.is_none() => self.escape = true,
                    glyph => self.add(glyph, base, canvas, out),
                }
            }
        }
    }

    /// Ends the line: marks without a partner are text.
    pub fn end(&mut self, base: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
        self.run_ends(Class::Space, base, canvas, out);
        self.escaped(base, canvas, out);
        (self.open, self.code, self.last) = ([None; 6], None, Class::Space);
        self.drain(base, canvas, out);
        (self.bold, self.italic, self.in_code) = (0, 0, false);
    }

    /// Writes a backslash that is only a backslash.
    fn escaped(&mut self, base: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.escape) {
            self.add(Glyph::Text("\\", 1), base, canvas, out);
        }
    }

    fn add(&mut self, glyph: Glyph<'_>, base: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
        if self.queue.is_empty() {
            canvas.glyph(glyph, self.style(base), out);
            return;
        }
        self.queue.push_back(match glyph {
            Glyph::Text(text, width) => EmphasisToken::Text(text.into(), width, false),
            Glyph::Odd(text, width) => EmphasisToken::Text(text.into(), width, true),
            Glyph::Space | Glyph::Tab | Glyph::Newline => EmphasisToken::Space,
        });
        if self.queue.len() > MAX_GLYPHS_BETWEEN {
            // The oldest mark is too far away for a partner.
            let oldest = self.oldest();
            for open in self.open.iter_mut().filter(|open| **open == oldest) {
                *open = None;
            }
            self.code = self.code.filter(|(at, _)| Some(*at) != oldest);
            self.drain(base, canvas, out);
        }
    }

    /// Ends a run of marks, with the class of the character behind them.
    fn run_ends(&mut self, after: Class, base: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let Some((c, n, before)) = self.run.take() else { return };
        let at = self.first + self.queue.len();
        self.queue.push_back(EmphasisToken::Marks(c, n));
        self.last = Class::Mark;
        if c == '`' {
            match self.code {
                Some((from, m)) if m == n => {
                    // Blank code would be invisible without its marks.
                    let inside = self.queue.iter().skip(from + 1 - self.first).take(at - from - 1);
                    if !inside.into_iter().all(|token| matches!(token, EmphasisToken::Space)) {
                        self.set(from, EmphasisToken::CodeOn);
                        self.set(at, EmphasisToken::CodeOff);
                    }
                    self.code = None;
                }
                Some(_) => (),
                None => self.code = Some((at, n)),
            }
        } else if self.code.is_none() {
            self.pair(c, n, at, before, after);
        }
        self.drain(base, canvas, out);
    }

    /// Reads marks of emphasis: they close what is open, or open something, by the characters beside them.
    fn pair(&mut self, c: char, n: usize, at: usize, before: Class, after: Class) {
        let star = c == '*';
        let (kind, slot) = match n {
            1..=3 => (EmphasisKind { star, bold: n > 1, italic: n != 2 }, (n - 1) * 2 + usize::from(star)),
            _ => return,
        };
        // Stars may stand inside of a word, and must in scripts without spaces.
        let opens = after != Class::Space && (star || before != Class::Word);
        let closes = before != Class::Space && (star || after != Class::Word);
        match self.open[slot] {
            Some(from) if closes => {
                self.set(from, EmphasisToken::On(kind));
                self.set(at, EmphasisToken::Off(kind));
                self.open[slot] = None;
            }
            _ if opens => self.open[slot] = Some(at),
            _ => (),
        }
    }

    fn set(&mut self, at: usize, token: EmphasisToken) {
        if let Some(old) = at.checked_sub(self.first).and_then(|i| self.queue.get_mut(i)) {
            *old = token;
        }
    }

    /// The first token that may still change its meaning.
    fn oldest(&self) -> Option<usize> {
        self.open.iter().flatten().copied().chain(self.code.map(|(at, _)| at)).min()
    }

    /// Writes the tokens that cannot change any more.
    fn drain(&mut self, base: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let until = self.oldest().unwrap_or(usize::MAX);
        while self.first < until {
            let Some(token) = self.queue.pop_front() else { return };
            self.first += 1;
            let style = self.style(base);
            match token {
                EmphasisToken::Text(text, width, false) => canvas.glyph(Glyph::Text(&text, width), style, out),
                EmphasisToken::Text(text, width, true) => canvas.glyph(Glyph::Odd(&text, width), style, out),
                EmphasisToken::Space => canvas.glyph(Glyph::Space, style, out),
                EmphasisToken::Marks(c, n) => {
                    for _ in 0..n {
                        canvas.glyph(Glyph::Text(c.encode_utf8(&mut [0; 4]), 1), style, out);
                    }
                }
                EmphasisToken::On(kind) => {
                    self.bold += usize::from(kind.bold);
                    self.italic += usize::from(kind.italic);
                }
                EmphasisToken::Off(kind) => {
                    self.bold = self.bold.saturating_sub(usize::from(kind.bold));
                    self.italic = self.italic.saturating_sub(usize::from(kind.italic));
                }
                EmphasisToken::CodeOn => self.in_code = true,
                EmphasisToken::CodeOff => self.in_code = false,
            }
        }
    }

    fn style(&self, base: CharStyle) -> CharStyle {
        CharStyle {
            bold: base.bold || self.bold > 0,
            italic: base.italic || self.italic > 0,
            code: base.code || self.in_code,
            ..base
        }
    }
}

fn class(glyph: Glyph<'_>) -> Class {
    match glyph {
        Glyph::Newline | Glyph::Space | Glyph::Tab => Class::Space,
        Glyph::Odd(..) => Class::Word,
        Glyph::Text(text, _) => match text.chars().next() {
            Some(c) if c.is_ascii_punctuation() => Class::Mark,
            Some('“' | '”' | '‘' | '’' | '«' | '»' | '（' | '）' | '「' | '」' | '。' | '，' | '、' | '：') => {
                Class::Mark
            }
            Some('\u{a0}') => Class::Space,
            _ => Class::Word,
        },
    }
}
