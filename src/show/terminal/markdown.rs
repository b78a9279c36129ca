//! Light Markdown, line by line: headings, list items, quotes, fenced code, tables and rules. The first characters of a
//! line decide what it is; if they are no mark, it is text. Lines of the input stay lines.

use super::canvas::Canvas;
use super::emphasis::Emphasis;
use super::glyph::Glyph;
use super::look::{CharStyle, Ink};
use super::table::Table;

/// How many characters of a line are examined for a mark.
const MAX_MARK_CHARS: usize = 120;

/// The kind of the current line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    /// Unknown: its first characters are being read.
    Unknown,
    /// Text, or a line that begins with a mark: the style of the whole line.
    Text(CharStyle),
    /// Shown unchanged.
    Exact(CharStyle),
    /// A row of a table.
    Row,
}

/// An open fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fence {
    mark: char,
    length: usize,
}

/// The meaning of the beginning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineStart {
    /// Undecided: more characters are needed.
    NotYet,
    Text,
    /// A list item: the length of its mark, by which its continued lines are indented.
    Item(usize),
    Quote,
    Heading(usize),
    Table,
    Rule,
    Opens(Fence),
    Closes,
    Code,
}

/// Reads the lines of a block.
#[derive(Debug)]
pub struct Markdown {
    line: LineKind,
    /// The beginning of the current line.
    head: String,
    fence: Option<Fence>,
    emphasis: Emphasis,
    table: Table,
}

impl Markdown {
    /// For the text of one block.
    pub fn new() -> Self {
        Self {
            line: LineKind::Unknown,
            head: String::new(),
            fence: None,
            emphasis: Emphasis::default(),
            table: Table::default(),
        }
    }

    /// The next glyph.
    pub fn glyph(&mut self, glyph: Glyph<'_>, canvas: &mut Canvas, out: &mut Vec<u8>) {
        if glyph == Glyph::Newline {
            let is_row =
                self.line == LineKind::Row || self.line == LineKind::Unknown && self.head.trim_start().starts_with('|');
            self.line_ends(canvas, out);
            if is_row {
                return;
            }
            return canvas.newline(out);
        }
        if self.line == LineKind::Unknown {
            let plain = match glyph {
                Glyph::Space => Some(' '),
                Glyph::Tab => Some('\t'),
                Glyph::Text(text, _) if text.len() == 1 => text.chars().next(),
                _ => None,
            };
            let Some(c) = plain.filter(|_| self.head.len() < MAX_MARK_CHARS) else {
                // The next glyph cannot be part of a mark: any letter stands for it.
                self.head.push('x');
                let start = self.line_start(false);
                self.head.pop();
                self.begins(if start == LineStart::NotYet { LineStart::Text } else { start }, canvas, out);
                return self.goes_on(glyph, canvas, out);
            };
            self.head.push(c);
            match self.line_start(false) {
                LineStart::NotYet => (),
                start => self.begins(start, canvas, out),
            }
            return;
        }
        self.goes_on(glyph, canvas, out);
    }

    /// Ends the text.
    pub fn end(&mut self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        self.line_ends(canvas, out);
        self.table.over(canvas, out);
        self.fence = None;
    }

    fn goes_on(&mut self, glyph: Glyph<'_>, canvas: &mut Canvas, out: &mut Vec<u8>) {
        match self.line {
            LineKind::Exact(style) => canvas.glyph(glyph, style, out),
            LineKind::Text(style) if canvas.has_color() => self.emphasis.glyph(glyph, style, canvas, out),
            LineKind::Text(style) => canvas.glyph(glyph, style, out),
            LineKind::Row => {
                if self.table.glyph(glyph) {
                    self.table.gives_up(canvas, out);
                    self.line = LineKind::Exact(canvas.base());
                }
            }
            LineKind::Unknown => (),
        }
    }

    fn line_ends(&mut self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        if self.line == LineKind::Unknown && !self.head.is_empty() {
            let start = self.line_start(true);
            self.begins(start, canvas, out);
        }
        match self.line {
            LineKind::Text(style) => self.emphasis.end(style, canvas, out),
            LineKind::Row => self.table.row_over(canvas, out),
            // An empty line ends a table.
            LineKind::Unknown => self.table.over(canvas, out),
            LineKind::Exact(_) => (),
        }
        self.line = LineKind::Unknown;
    }

    /// Begins a line of this kind, and writes its beginning.
    fn begins(&mut self, start: LineStart, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let head = std::mem::take(&mut self.head);
        match start {
            LineStart::Table => self.table.row(),
            _ => self.table.over(canvas, out),
        }
        let base = canvas.base();
        let faint = CharStyle::of(if base.ink == Ink::Reasoning { Ink::Shade } else { Ink::Faint });
        let code = CharStyle { code: true, ..base };
        let indent = head.len() - head.trim_start_matches([' ', '\t']).len();
        canvas.set_exact(matches!(start, LineStart::Opens(_) | LineStart::Closes | LineStart::Code));
        canvas.set_hang(match start {
            LineStart::Item(mark) => indent + mark,
            LineStart::Quote => indent + 2,
            _ => indent,
        });
        let (line, mark) = match start {
            LineStart::Heading(level) => (LineKind::Text(CharStyle { bold: true, ..base }), level),
            LineStart::Item(mark) => (LineKind::Text(base), mark),
            LineStart::Quote => (LineKind::Text(base), 1),
            LineStart::Table => (LineKind::Row, 0),
            LineStart::Code => (LineKind::Exact(code), 0),
            LineStart::Opens(_) | LineStart::Closes => (LineKind::Exact(faint), 0),
            LineStart::Rule if canvas.has_color() => {
                canvas.rule(out);
                self.line = LineKind::Text(base);
                return;
            }
            LineStart::Rule | LineStart::Text | LineStart::NotYet => (LineKind::Text(base), 0),
        };
        self.line = line;
        match start {
            LineStart::Opens(fence) => self.fence = Some(fence),
            LineStart::Closes => self.fence = None,
            _ => (),
        }
        let bullet =
            matches!(start, LineStart::Item(_)) && canvas.has_color() && head[indent..].starts_with(['-', '*', '+']);
        for (i, c) in head.char_indices() {
            let text = if bullet && i == indent { "•" } else { &head[i..i + 1] };
            let glyph = match c {
                ' ' => Glyph::Space,
                '\t' => Glyph::Tab,
                _ => Glyph::Text(text, 1),
            };
            if i >= indent && i < indent + mark {
                canvas.glyph(glyph, faint, out);
            } else {
                self.goes_on(glyph, canvas, out);
            }
        }
    }

    /// The meaning of the beginning of the line. `whole`: the line has no more characters.
    fn line_start(&self, whole: bool) -> LineStart {
        let rest = self.head.trim_start_matches([' ', '\t']);
        let Some(first) = rest.chars().next() else { return if whole { LineStart::Text } else { LineStart::NotYet } };
        let length = rest.len() - rest.trim_start_matches(first).len();
        let behind = &rest[length..];
        let open = if whole { None } else { Some(LineStart::NotYet) };
        if let Some(fence) = self.fence {
            return match first == fence.mark && behind.trim().is_empty() {
                true if whole && length >= fence.length => LineStart::Closes,
                true if !whole => LineStart::NotYet,
                _ => LineStart::Code,
            };
        }
        match first {
            '`' | '~' if length >= 3 && !(first == '`' && behind.contains('`')) => {
                open.unwrap_or(LineStart::Opens(Fence { mark: first, length }))
            }
            '`' | '~' if length < 3 && behind.is_empty() => open.unwrap_or(LineStart::Text),
            '|' => LineStart::Table,
            '>' => LineStart::Quote,
            '#' if length <= 6 && behind.starts_with(' ') => LineStart::Heading(length),
            '#' if length <= 6 && behind.is_empty() => open.unwrap_or(LineStart::Text),
            '-' | '*' | '+' if length == 1 && behind.starts_with(' ') => item(1, behind, whole),
            '-' | '*' | '_' if length >= 3 && whole && behind.trim().is_empty() => LineStart::Rule,
            '-' | '*' | '+' | '_' if behind.is_empty() => open.unwrap_or(LineStart::Text),
            '-' | '*' | '_' if length >= 3 && behind.trim().is_empty() => LineStart::NotYet,
            '0'..='9' => number(rest, whole),
            _ => LineStart::Text,
        }
    }
}

/// Reads the number of an item: digits, a period or a bracket, a space.
fn number(rest: &str, whole: bool) -> LineStart {
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = rest.len() - behind.len();
    match behind {
        _ if digits > 9 => LineStart::Text,
        "" | "." | ")" if !whole => LineStart::NotYet,
        _ if behind.starts_with(". ") || behind.starts_with(") ") => item(digits + 1, &behind[1..], whole),
        _ => LineStart::Text,
    }
}

/// A list item whose mark has `sign` characters: its text begins behind the spaces, unless these are many.
fn item(sign: usize, behind: &str, whole: bool) -> LineStart {
    let spaces = behind.len() - behind.trim_start_matches(' ').len();
    match spaces {
        5.. => LineStart::Item(sign + 1),
        _ if spaces == behind.len() && !whole => LineStart::NotYet,
        _ => LineStart::Item(sign + spaces),
    }
}
