//! The same conversation before and after a change, in two columns beside each other.

use super::glyph::{Glyph, Glyphs};
use super::look::{CharStyle, Ink};
use super::{Terminal, TerminalOptions, glyph};
use crate::show::pair::{PairRow, Recorded, RecordedPart, Sides};
use crate::show::{MessageHead, Painter, Step};

/// The least width, in columns, at which two messages have room beside each other.
pub const BESIDE: usize = 120;

/// Between both columns.
const RULE: &str = " │ ";

/// Draws two inputs for a wide terminal. The second one has the name [`AFTER`](crate::show::AFTER).
#[derive(Debug)]
pub struct TerminalPair {
    /// What both are called.
    names: [String; 2],
    sides: Sides,
    counts: Vec<(String, u64)>,
    options: TerminalOptions,
}

impl TerminalPair {
    /// An empty drawing of inputs with these names, of at least [`BESIDE`] columns.
    pub fn new(names: [String; 2], options: TerminalOptions) -> Self {
        // A sequence of the input that is passed would go on in the other column.
        let options = TerminalOptions { width: options.width.max(BESIDE), raw: false, live: false, ..options };
        Self { names, sides: Sides::default(), counts: Vec::new(), options }
    }

    /// The width of a column.
    fn column(&self) -> usize {
        (self.options.width - RULE.chars().count()) / 2
    }

    /// The lines of a message, without the tracks around it: its partner may stand in none.
    fn lines(&self, of: Option<&Recorded>) -> Vec<String> {
        let Some(of) = of else { return Vec::new() };
        let head = MessageHead { tracks: Vec::new(), more_tracks: 0, track: None, ..of.head.clone() };
        let mut terminal = Terminal::new(TerminalOptions { width: self.column(), ..self.options });
        let mut out = Vec::new();
        terminal.step(Step::Open(&head), &mut out);
        for part in &of.parts {
            match part {
                RecordedPart::Text(kind, text, end) => {
                    terminal.step(Step::Begin(*kind), &mut out);
                    terminal.step(Step::Text(text), &mut out);
                    terminal.step(Step::End(*end), &mut out);
                }
                RecordedPart::Item(item) => terminal.step(Step::Item(item), &mut out),
            }
        }
        terminal.step(Step::Close(&of.totals), &mut out);
        String::from_utf8_lossy(&out).lines().map(str::to_string).collect()
    }

    /// Writes lines beside each other.
    fn beside(&self, [left, right]: [Vec<String>; 2], out: &mut Vec<u8>) {
        for at in 0..left.len().max(right.len()) {
            let [left, right] = [&left, &right].map(|lines| lines.get(at).map_or("", String::as_str));
            let gap = self.column().saturating_sub(width(left));
            let line = format!("{left}{}{}{right}", " ".repeat(gap), self.faint(RULE));
            out.extend_from_slice(line.trim_end().as_bytes());
            out.push(b'\n');
        }
    }

    /// A text of the drawing itself.
    fn faint(&self, text: &str) -> String {
        if !self.options.color {
            return text.to_string();
        }
        let mut out = Vec::new();
        CharStyle::of(Ink::Faint).write(self.options.theme, &mut out);
        format!("{}{text}\x1b[0m", String::from_utf8_lossy(&out))
    }

    fn remark(&self, text: &str, out: &mut Vec<u8>) {
        let (text, _) = glyph::line(text, self.options.width, false);
        out.extend_from_slice(format!("{}\n", self.faint(&text)).as_bytes());
    }

    /// Says that messages are the same on both sides.
    fn same(&self, run: &[PairRow<'_>], out: &mut Vec<u8>) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
        let place = |row: &PairRow<'_>| {
            let number = |of: Option<&Recorded>| of.map_or(0, |of| of.head.number);
            let (before, after) = (number(row.before), number(row.after));
            if before == after { before.to_string() } else { format!("{before} → {after}") }
        };
        let said = match run {
            [_] => format!("· message {} is the same", place(first)),
            _ => format!("· messages {} to {} are the same", place(first), place(last)),
        };
        self.remark(&said, out);
        out.push(b'\n');
    }

    fn rows(&self, out: &mut Vec<u8>) {
        let rows = self.sides.rows();
        let is_same = |row: &PairRow<'_>| row.is_pair() && row.difference().is_none();
        for run in rows.chunk_by(|one, next| is_same(one) && is_same(next)) {
            match run {
                [row] if !is_same(row) => {
                    self.beside([self.lines(row.before), self.lines(row.after)], out);
                    self.remark(&format!("· {}", row.label()), out);
                    out.push(b'\n');
                }
                _ => self.same(run, out),
            }
        }
    }
}

impl Painter for TerminalPair {
    fn step(&mut self, step: Step<'_>, _out: &mut Vec<u8>) {
        self.sides.step(step);
    }

    fn redacted(&mut self, counts: &[(String, u64)], _out: &mut Vec<u8>) {
        self.counts = counts.to_vec();
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.sides.sums().iter().for_each(|line| out.extend_from_slice(format!("{line}\n").as_bytes()));
        out.push(b'\n');
        let names = ["before", "after"].iter().zip(&self.names);
        let mut heads = names.map(|(what, name)| vec![glyph::line(&format!("{what}: {name}"), self.column(), false).0]);
        self.beside([heads.next().unwrap_or_default(), heads.next().unwrap_or_default()], out);
        out.push(b'\n');
        self.rows(out);
        for (name, unread) in ["before", "after"].iter().zip(&self.sides.unread) {
            unread.iter().for_each(|what| self.remark(&format!("! {name}: {what}"), out));
        }
        self.counts.iter().for_each(|(name, count)| self.remark(&format!("redacted: {name} {count}"), out));
    }
}

/// The columns that a line takes which may have colours.
fn width(line: &str) -> usize {
    let mut sum = 0;
    for (at, part) in line.split('\x1b').enumerate() {
        let text = if at == 0 { part } else { part.split_once('m').map_or("", |(_, text)| text) };
        let mut glyphs = Glyphs::new(false);
        let mut add = |glyph: Glyph<'_>| {
            sum += match glyph {
                Glyph::Text(_, width) | Glyph::Odd(_, width) => width,
                Glyph::Newline | Glyph::Space | Glyph::Tab => 1,
            };
        };
        glyphs.push(text, &mut add);
        glyphs.end(&mut add);
    }
    sum
}
