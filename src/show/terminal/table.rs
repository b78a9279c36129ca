//! Tables of Markdown: rows wait until the table is over, and are drawn in columns that fit the width. Long cells are
//! wrapped. Rows without a line of dashes below the first one are no table, and stay as they are.

use super::canvas::Canvas;
use super::glyph::Glyph;
use super::look::{CharStyle, Ink};

/// How many bytes of a table wait. The rows behind them have the columns of those before.
const MAX_TABLE_BYTES: usize = 64 << 10;
/// The least width of a column of a table, in columns of the terminal.
const MIN_COLUMN_WIDTH: usize = 3;
/// In longer cells the marks of emphasis stay.
const MAX_MARKED_BYTES: usize = 2000;
/// What stands between two columns.
const COLUMN_GAP_WIDTH: usize = 3;

/// A glyph of a row.
#[derive(Clone, Debug)]
struct RowGlyph {
    text: Box<str>,
    width: usize,
    odd: bool,
    bold: bool,
    code: bool,
}

impl RowGlyph {
    fn is(&self, text: &str) -> bool {
        !self.odd && &*self.text == text
    }

    fn is_blank(&self) -> bool {
        self.is(" ") || self.is("\t")
    }
}

type TableCell = Vec<RowGlyph>;

/// How a table is laid out.
#[derive(Clone, Debug)]
struct TableLayout {
    widths: Vec<usize>,
    /// The columns whose cells stand at the right.
    right: Vec<bool>,
}

/// The rows that wait.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<RowGlyph>>,
    bytes: usize,
    layout: Option<TableLayout>,
}

impl Table {
    /// A row begins.
    pub fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// The next glyph of the row. Returns whether the row is too long for a table.
    pub fn glyph(&mut self, glyph: Glyph<'_>) -> bool {
        let (text, width, odd) = match glyph {
            Glyph::Text(text, width) => (text, width, false),
            Glyph::Odd(text, width) => (text, width, true),
            Glyph::Space => (" ", 1, false),
            Glyph::Tab | Glyph::Newline => ("\t", 1, false),
        };
        self.bytes += text.len();
        let sign = RowGlyph { text: text.into(), width, odd, bold: false, code: false };
        self.rows.last_mut().into_iter().for_each(|row| row.push(sign.clone()));
        self.rows.last().is_some_and(|row| row.len() > MAX_TABLE_BYTES)
    }

    /// Draws the rows as they are, and the last one without its end.
    pub fn gives_up(&mut self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let last = self.rows.pop().unwrap_or_default();
        self.over(canvas, out);
        let base = canvas.base();
        canvas.set_exact(true);
        last.iter().for_each(|sign| write(sign, base, canvas, out));
    }

    /// The row is over.
    pub fn row_over(&mut self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let is_known = self.layout.is_some() || self.rows.len() != 2;
        if !is_known && self.rows.get(1).is_some_and(|row| dashes(row).is_none()) {
            self.plain(canvas, out);
        } else if self.bytes > MAX_TABLE_BYTES {
            self.draw(canvas, out);
        }
    }

    /// The table is over, if there was one.
    pub fn over(&mut self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        match self.layout.is_some() || self.rows.len() > 1 {
            true => self.draw(canvas, out),
            false => self.plain(canvas, out),
        }
        self.layout = None;
    }

    /// Draws the rows as they are.
    fn plain(&mut self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let base = canvas.base();
        for row in self.rows.drain(..) {
            canvas.set_exact(true);
            canvas.set_hang(0);
            row.iter().for_each(|sign| write(sign, base, canvas, out));
            canvas.newline(out);
        }
        self.bytes = 0;
    }

    /// Draws the rows in columns.
    fn draw(&mut self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let is_first = self.layout.is_none();
        let right = match is_first.then(|| self.rows.get(1).and_then(|row| dashes(row))).flatten() {
            Some(right) => right,
            None => self.layout.as_ref().map(|layout| layout.right.clone()).unwrap_or_default(),
        };
        let rows = self.rows.iter().enumerate().filter(|(at, _)| !is_first || *at != 1);
        let rows: Vec<Vec<TableCell>> = rows.map(|(_, row)| cells(row, canvas.has_color())).collect();
        let layout = match &self.layout {
            Some(layout) => Some(layout.clone()),
            None => widths(&rows, canvas.width()).map(|widths| TableLayout { widths, right }),
        };
        let Some(layout) = layout else { return self.plain(canvas, out) };
        (self.rows, self.bytes) = (Vec::new(), 0);
        canvas.set_exact(true);
        canvas.set_hang(0);
        let base = canvas.base();
        for (at, row) in rows.iter().enumerate() {
            let is_head = is_first && at == 0;
            let style = CharStyle { bold: base.bold || is_head, ..base };
            layout.row(row, style, canvas, out);
            if is_head {
                layout.rule(canvas, out);
            }
        }
        self.layout = Some(layout);
    }
}

impl TableLayout {
    fn row(&self, row: &[TableCell], style: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let empty = TableCell::new();
        let cells: Vec<Vec<&[RowGlyph]>> =
            self.widths.iter().enumerate().map(|(at, width)| wrapped(row.get(at).unwrap_or(&empty), *width)).collect();
        let lines = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for line in 0..lines {
            for (at, width) in self.widths.iter().enumerate() {
                let text = cells[at].get(line).copied().unwrap_or_default();
                let free = width.saturating_sub(text.iter().map(|sign| sign.width).sum());
                let right = self.right.get(at) == Some(&true);
                spaces(if right { free } else { 0 }, style, canvas, out);
                for sign in text {
                    write(sign, style, canvas, out);
                }
                if at + 1 < self.widths.len() {
                    spaces(if right { 1 } else { free + 1 }, style, canvas, out);
                    canvas.glyph(Glyph::Text("│", 1), faint(canvas), out);
                    spaces(1, style, canvas, out);
                }
            }
            canvas.newline(out);
        }
    }

    fn rule(&self, canvas: &mut Canvas, out: &mut Vec<u8>) {
        let style = faint(canvas);
        for (at, width) in self.widths.iter().enumerate() {
            let last = at + 1 == self.widths.len();
            let dashes = width + usize::from(at > 0) + usize::from(!last);
            (0..dashes).for_each(|_| canvas.glyph(Glyph::Text("─", 1), style, out));
            if !last {
                canvas.glyph(Glyph::Text("┼", 1), style, out);
            }
        }
        canvas.newline(out);
    }
}

fn faint(canvas: &Canvas) -> CharStyle {
    CharStyle::of(match canvas.base().ink {
        Ink::Reasoning => Ink::Shade,
        _ if canvas.has_color() => Ink::Faint,
        ink => ink,
    })
}

fn spaces(count: usize, style: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
    (0..count).for_each(|_| canvas.glyph(Glyph::Space, style, out));
}

fn write(sign: &RowGlyph, style: CharStyle, canvas: &mut Canvas, out: &mut Vec<u8>) {
    let style = CharStyle { bold: style.bold || sign.bold, code: style.code || sign.code, ..style };
    let glyph = match &*sign.text {
        " " if !sign.odd => Glyph::Space,
        "\t" if !sign.odd => Glyph::Tab,
        text if sign.odd => Glyph::Odd(text, sign.width),
        text => Glyph::Text(text, sign.width),
    };
    canvas.glyph(glyph, style, out);
}

/// Which columns stand at the right, if a row has nothing but dashes.
fn dashes(row: &[RowGlyph]) -> Option<Vec<bool>> {
    let text: String = row.iter().map(|sign| &*sign.text).collect();
    let text = text.trim().trim_matches('|');
    let columns = text.split('|').map(|cell| {
        let cell = cell.trim();
        let inside = cell.trim_start_matches(':').trim_end_matches(':');
        let is_dashes = !inside.is_empty() && inside.bytes().all(|b| b == b'-');
        is_dashes.then(|| cell.ends_with(':') && !cell.starts_with(':'))
    });
    columns.collect()
}

/// The cells of a row, without the blanks around them. With `color`, emphasis is a style.
fn cells(row: &[RowGlyph], color: bool) -> Vec<TableCell> {
    let mut cells = vec![TableCell::new()];
    let mut escaped = false;
    for sign in row {
        if sign.is("|") && !escaped {
            cells.push(TableCell::new());
            continue;
        }
        if let Some(cell) = cells.last_mut() {
            if sign.is("|") {
                cell.pop();
            }
            cell.push(if sign.is("\t") { RowGlyph { text: " ".into(), ..sign.clone() } } else { sign.clone() });
        }
        escaped = sign.is("\\") && !escaped;
    }
    for cell in &mut cells {
        let blank = cell.iter().rev().take_while(|sign| sign.is_blank()).count();
        cell.truncate(cell.len() - blank);
        let blank = cell.iter().take_while(|sign| sign.is_blank()).count();
        cell.drain(..blank);
    }
    if cells.first().is_some_and(Vec::is_empty) {
        cells.remove(0);
    }
    if cells.len() > 1 && cells.last().is_some_and(Vec::is_empty) {
        cells.pop();
    }
    if color {
        cells.iter_mut().for_each(emphasis);
    }
    cells
}

/// Code and strong emphasis of a cell, if the marks are in pairs.
fn emphasis(cell: &mut TableCell) {
    // Nobody reads the emphasis of a cell that is longer than a page.
    if cell.len() > MAX_MARKED_BYTES {
        return;
    }
    for mark in ["`", "*"] {
        let length = if mark == "*" { 2 } else { 1 };
        let is = |cell: &TableCell, at: usize| {
            cell.get(at..at + length).is_some_and(|run| run.iter().all(|sign| sign.is(mark) && !sign.code))
        };
        let mut at = 0;
        while at < cell.len() {
            let end = is(cell, at).then(|| (at + length + 1..cell.len()).find(|end| is(cell, *end))).flatten();
            let Some(end) = end else {
                at += 1;
                continue;
            };
            for sign in &mut cell[at + length..end] {
                (sign.code, sign.bold) = (sign.code || length == 1, sign.bold || length == 2);
            }
            cell.drain(end..end + length);
            cell.drain(at..at + length);
            at = end - length;
        }
    }
}

/// The widths of the columns in a line of this width; none if it has no room for them.
fn widths(rows: &[Vec<TableCell>], width: usize) -> Option<Vec<usize>> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let room = width.checked_sub(COLUMN_GAP_WIDTH * columns.saturating_sub(1))?;
    if columns == 0 || room < columns * MIN_COLUMN_WIDTH {
        return None;
    }
    let natural = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| size(cell)).max().unwrap_or(0);
    let natural: Vec<usize> = (0..columns).map(|at| natural(at).max(MIN_COLUMN_WIDTH)).collect();
    // Lines begin with at most so many blanks.
    let first = width / 2 - 1;
    let with = |most: usize| -> Vec<usize> {
        let cut =
            |(at, wide): (usize, &usize)| (*wide).min(most).min(if at == 0 && columns > 1 { first } else { *wide });
        natural.iter().enumerate().map(cut).collect()
    };
    let most = (MIN_COLUMN_WIDTH..=room).rev().find(|most| with(*most).iter().sum::<usize>() <= room)?;
    let mut widths = with(most);
    let mut left = room - widths.iter().sum::<usize>();
    for (at, wide) in widths.iter_mut().enumerate() {
        if left > 0 && *wide < natural[at] && (at > 0 || columns == 1) {
            (*wide, left) = (*wide + 1, left - 1);
        }
    }
    Some(widths)
}

fn size(cell: &[RowGlyph]) -> usize {
    cell.iter().map(|sign| sign.width).sum()
}

/// The lines of a cell in a column of this width.
fn wrapped(cell: &[RowGlyph], width: usize) -> Vec<&[RowGlyph]> {
    let mut lines = Vec::new();
    let mut rest = cell;
    while !rest.is_empty() {
        let mut taken = 0;
        let fits = rest.iter().take_while(|sign| {
            taken += sign.width;
            taken <= width
        });
        // A glyph that is wider than the column stands alone.
        let mut end = fits.count().max(1);
        if end < rest.len() && !rest[end].is_blank() {
            end = rest[..end].iter().rposition(RowGlyph::is_blank).filter(|at| *at > 0).unwrap_or(end);
        }
        let (line, behind) = rest.split_at(end);
        let blank = line.iter().rev().take_while(|sign| sign.is_blank()).count();
        lines.push(&line[..line.len() - blank]);
        let blank = behind.iter().take_while(|sign| sign.is_blank()).count();
        rest = &behind[blank..];
    }
    lines
}
