//! Lays out lines: words follow each other until the line is full, behind a margin and rails. A word is written as soon
//! as its place is known, and is never moved.

use super::glyph::{self, Glyph};
use super::look::{CharStyle, Ink, Theme};

/// The width of a tab, in columns.
const TAB: usize = 4;

/// The margin of a block: two columns before every line, which text of the input never reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The sign, two columns wide.
    pub sign: &'static str,
    /// The style of the sign.
    pub style: CharStyle,
}

/// Whether a line may break behind the last character, in scripts without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BreakAfter {
    /// Only if a wide character follows.
    Narrow,
    /// Yes.
    Wide,
    /// No: it is an opening bracket or quote.
    Opens,
}

/// The next word, and what stands before it.
#[derive(Debug)]
struct NextWord {
    /// The next word, where its styles begin, and its width.
    word: String,
    styles: Vec<(usize, CharStyle)>,
    word_width: usize,
    /// How many spaces stand before it.
    spaces: usize,
    /// How many line ends stand before it.
    breaks: usize,
    /// The last character of the word.
    last: BreakAfter,
}

/// The state of the lines that are drawn.
#[derive(Debug)]
pub struct Canvas {
    theme: Option<Theme>,
    /// How many columns text may take.
    width: usize,
    /// The rails before every line of a message, to the left of the margin.
    rails: Vec<u8>,
    margin: Margin,
    /// The default style of text.
    base: CharStyle,
    /// The indentation of continued lines, in columns.
    hang: usize,
    /// Lines break only if they are too long, and spaces stay.
    exact: bool,
    /// The current style of the terminal.
    now: CharStyle,
    /// How many columns the current line has, if it has begun.
    open: Option<usize>,
    /// The next word, and what stands before it.
    next: NextWord,
    /// Text of the block was drawn.
    some: bool,
}

impl Canvas {
    /// For lines of this width, without rails and margin. Without a theme there are no colours.
    pub fn new(theme: Option<Theme>, width: usize) -> Self {
        Self {
            theme,
            width,
            rails: Vec::new(),
            margin: Margin { sign: "  ", style: CharStyle::of(Ink::Plain) },
            base: CharStyle::default(),
            hang: 0,
            exact: false,
            now: CharStyle::default(),
            open: None,
            next: NextWord {
                word: String::new(),
                styles: Vec::new(),
                word_width: 0,
                spaces: 0,
                breaks: 0,
                last: BreakAfter::Narrow,
            },
            some: false,
        }
    }

    /// Sets the rails before the following lines, and the width of these lines.
    pub fn set_rails(&mut self, rails: Vec<u8>, width: usize) {
        self.rails = rails;
        self.width = width;
    }

    /// Whether emphasis can be shown.
    pub fn has_color(&self) -> bool {
        self.theme.is_some()
    }

    /// How many columns a text has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A block begins.
    pub fn begin(&mut self, margin: Margin, base: CharStyle) {
        self.margin = margin;
        self.base = base;
        (self.hang, self.exact, self.some, self.next.breaks) = (0, false, false, 0);
    }

    /// The default style of the block's text.
    pub fn base(&self) -> CharStyle {
        self.base
    }

    /// Sets the indentation of continued lines.
    pub fn set_hang(&mut self, columns: usize) {
        self.hang = columns.min(self.width / 2);
    }

    /// Sets whether lines break only if they are too long.
    pub fn set_exact(&mut self, exact: bool) {
        self.exact = exact;
    }

    /// Adds a glyph.
    pub fn glyph(&mut self, glyph: Glyph<'_>, style: CharStyle, out: &mut Vec<u8>) {
        match glyph {
            Glyph::Newline => self.newline(out),
            Glyph::Space => self.space(1, out),
            Glyph::Tab => {
                let at =
                    self.open.filter(|_| self.next.breaks == 0).unwrap_or(0) + self.next.spaces + self.next.word_width;
                self.space(TAB - at % TAB, out);
            }
            Glyph::Text(text, width) => self.text(text, width, style, out),
            Glyph::Odd(text, width) => self.text(text, width, CharStyle { odd: true, ..style }, out),
        }
    }

    fn space(&mut self, n: usize, out: &mut Vec<u8>) {
        self.place(out);
        self.next.spaces += n;
    }

    /// Ends a line of the input.
    pub fn newline(&mut self, out: &mut Vec<u8>) {
        self.place(out);
        self.next.spaces = 0;
        self.next.breaks += 1;
    }

    fn text(&mut self, text: &str, width: usize, style: CharStyle, out: &mut Vec<u8>) {
        let first = text.chars().next().unwrap_or(' ');
        let wide = width == 2;
        let between = self.next.last == BreakAfter::Wide || (wide && self.next.last == BreakAfter::Narrow);
        if between && !self.next.word.is_empty() && !never_first(first) {
            self.place(out);
        }
        if self.next.word_width + width > self.width.saturating_sub(self.hang) || self.exact {
            self.place(out);
        }
        if self.next.styles.last().is_none_or(|(_, last)| *last != style) {
            self.next.styles.push((self.next.word.len(), style));
        }
        self.next.word.push_str(text);
        self.next.word_width += width;
        self.next.last = match wide {
            _ if never_last(first) => BreakAfter::Opens,
            true => BreakAfter::Wide,
            false => BreakAfter::Narrow,
        };
    }

    /// Writes the word in its place.
    fn place(&mut self, out: &mut Vec<u8>) {
        self.next.last = BreakAfter::Narrow;
        if self.next.word.is_empty() {
            return;
        }
        self.start(out);
        let column = self.open.unwrap_or(0);
        let most = (self.width / 2).min(self.width.saturating_sub(self.next.word_width));
        let indent = if column == 0 { self.next.spaces.min(most) } else { self.next.spaces };
        if column > 0 && column.saturating_add(indent).saturating_add(self.next.word_width) > self.width {
            self.end_line(out);
            self.start_line(out);
            self.pad(if self.exact { 0 } else { self.hang }, self.base, out);
        } else {
            let style = self.next.styles.first().map_or(self.base, |(_, style)| *style);
            self.pad(indent, style, out);
        }
        self.next.spaces = 0;
        let word = std::mem::take(&mut self.next.word);
        let mut styles = std::mem::take(&mut self.next.styles);
        for (i, (from, style)) in styles.iter().enumerate() {
            let to = styles.get(i + 1).map_or(word.len(), |(to, _)| *to);
            self.look(*style, out);
            out.extend_from_slice(&word.as_bytes()[*from..to]);
        }
        if let Some(column) = &mut self.open {
            *column += self.next.word_width;
        }
        styles.clear();
        (self.next.styles, self.next.word, self.next.word_width) = (styles, word, 0);
        self.next.word.clear();
    }

    /// Begins the line of the next word, after the line ends before it. Several empty lines become one, except in code.
    fn start(&mut self, out: &mut Vec<u8>) {
        let blank = match (self.some, self.exact) {
            (false, _) => 0,
            (true, true) => self.next.breaks.saturating_sub(1),
            (true, false) => self.next.breaks.saturating_sub(1).min(1),
        };
        if self.next.breaks > 0 {
            self.end_line(out);
        }
        for _ in 0..blank {
            self.start_line(out);
            self.end_line(out);
        }
        self.next.breaks = 0;
        if self.open.is_none() {
            self.start_line(out);
        }
        self.some = true;
    }

    fn start_line(&mut self, out: &mut Vec<u8>) {
        self.look(CharStyle::default(), out);
        out.extend_from_slice(&self.rails);
        self.look(self.margin.style, out);
        out.extend_from_slice(self.margin.sign.as_bytes());
        self.open = Some(0);
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        let Some(column) = self.open.take() else { return };
        if self.is_shaded() && column < self.width {
            self.look(self.base, out);
            out.resize(out.len() + self.width - column, b' ');
        }
        self.rest(out);
        // An empty line must not end with the spaces of its margin.
        while !self.is_shaded() && out.last() == Some(&b' ') {
            out.pop();
        }
        out.push(b'\n');
    }

    fn is_shaded(&self) -> bool {
        self.theme.is_some() && self.base.ink == Ink::Reasoning
    }

    /// Writes spaces.
    fn pad(&mut self, columns: usize, style: CharStyle, out: &mut Vec<u8>) {
        if let Some(column) = self.open.as_mut().filter(|_| columns > 0) {
            *column += columns;
            self.look(style, out);
            out.resize(out.len() + columns, b' ');
        }
    }

    /// Draws a rule across the block.
    pub fn rule(&mut self, out: &mut Vec<u8>) {
        let style = CharStyle::of(if self.base.ink == Ink::Reasoning { Ink::Shade } else { Ink::Faint });
        self.place(out);
        for _ in 0..self.width.min(40) {
            self.text("─", 1, style, out);
        }
    }

    /// Ends a block. Its label goes to the end of the last line if there is room, or to a line of its own.
    pub fn end(&mut self, label: &str, out: &mut Vec<u8>) {
        self.place(out);
        (self.next.breaks, self.next.spaces) = (0, 0);
        let (label, label_width) = glyph::line(label, self.width, false);
        if !label.is_empty() {
            if self.open.is_some_and(|column| column + 2 + label_width > self.width) {
                self.end_line(out);
            }
            if self.open.is_none() {
                self.start_line(out);
            }
            let column = self.open.unwrap_or(0);
            self.pad(self.width.saturating_sub(column + label_width), self.base, out);
            self.look(CharStyle::of(Ink::Shade), out);
            out.extend_from_slice(label.as_bytes());
            self.open = Some(column.max(self.width));
        }
        self.end_line(out);
    }

    /// Sets the style of the following text.
    pub fn look(&mut self, style: CharStyle, out: &mut Vec<u8>) {
        let Some(theme) = self.theme.filter(|_| style != self.now) else { return };
        self.now = style;
        match style == CharStyle::default() {
            true => out.extend_from_slice(b"\x1b[0m"),
            false => style.write(theme, out),
        }
    }

    /// Resets the style of the terminal.
    pub fn rest(&mut self, out: &mut Vec<u8>) {
        self.look(CharStyle::default(), out);
    }
}

/// Whether a line must not begin with a character, in scripts without spaces.
fn never_first(c: char) -> bool {
    matches!(c, '、' | '。' | '，' | '．' | '・' | '：' | '；' | '？' | '！' | 'ー' | '～' | '々' | '〻')
        || matches!(c, '）' | '］' | '｝' | '」' | '』' | '】' | '〕' | '〉' | '》' | '〗' | '〙' | '”' | '’' | '…')
        || matches!(c, ',' | '.' | '!' | '?' | ':' | ';' | ')' | ']' | '}' | '%' | '"' | '\'')
}

/// Whether a line must not end with a character, in scripts without spaces.
fn never_last(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '（' | '［' | '｛' | '「' | '『' | '【' | '〔' | '〈' | '《' | '〖' | '〘')
}
