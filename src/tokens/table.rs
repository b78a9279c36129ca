//! Rows as a table for a person: names to the left, numbers to the right, and as wide as the terminal.
//!
//! A narrow terminal gets fewer columns: first the bar goes, then what others say, too. Then names are
//! shortened in the middle, down to a dozen characters; what is still too wide is left to the terminal.

use super::TallyOptions;
use super::columns::{Cells, ColumnValue, heading};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The column of the bar.
const BAR: &str = "bar";

/// The width of the bar.
const CELLS: usize = 8;

/// Columns that give way, in this order.
const GIVE_WAY: &[&str] = &[BAR, "raw", "effective", "time"];

/// The columns that are left out if no row has anything in them.
const OPTIONAL: &[&str] = &["model", "time", "sealed_blocks", "logged_reasoning_tokens", "compress"];

/// Names that are not shortened: they are short, and their middle says as much as their ends.
const WHOLE: &[&str] = &[BAR, "role", "kind", "time", "day"];

/// The shortest that a name becomes.
const MIN_NAME_CHARS: usize = 12;

/// A column.
struct Column {
    name: &'static str,
    /// It holds names, which stand to the left and may be shortened.
    is_text: bool,
    width: usize,
    cells: Vec<String>,
}

/// Writes rows, and the total behind them.
pub(super) fn table(rows: &[Cells], total: Option<Cells>, options: &TallyOptions) -> String {
    let all: Vec<&Cells> = rows.iter().chain(&total).collect();
    let mut columns = columns_of(&all, options.table.1);
    if let Some(width) = options.table.0 {
        fit(&mut columns, width);
    }
    let mut out = String::new();
    let headings: Vec<String> = columns.iter().map(|column| title(column.name).to_string()).collect();
    let lines = (0..all.len()).map(|row| columns.iter().map(|column| column.cells[row].clone()).collect());
    for line in std::iter::once(headings).filter(|_| !columns.is_empty()).chain(lines) {
        let padded: Vec<String> = columns.iter().zip(&line).map(|(column, cell)| column.padded(cell)).collect();
        out.push_str(padded.join(" ").trim_end());
        out.push('\n');
    }
    out
}

/// The columns of these rows. What was logged stands beside what was counted.
fn columns_of(rows: &[&Cells], bar: bool) -> Vec<Column> {
    let Some(first) = rows.first() else { return Vec::new() };
    let mut out: Vec<Column> = Vec::new();
    for (at, (name, _)) in first.iter().enumerate().filter(|(_, (name, _))| *name != "method") {
        let cell = |row: &&Cells| row.get(at).and_then(|(_, cell)| cell.clone()).filter(|cell| !cell.is_empty());
        let cells: Vec<Option<ColumnValue>> = rows.iter().map(cell).collect();
        if OPTIONAL.contains(name) && cells.iter().all(Option::is_none) {
            continue;
        }
        let is_text = cells.iter().flatten().all(|cell| matches!(cell, ColumnValue::Word(_) | ColumnValue::Name(_)));
        let plain =
            cells.iter().map(|cell| cell.as_ref().map_or_else(|| "-".to_string(), ColumnValue::plain)).collect();
        let column = Column::new(name, is_text && cells.iter().any(Option::is_some), plain);
        match out.iter().position(|column| column.name == "final_tokens") {
            Some(place) if *name == "logged_reasoning_tokens" => out.insert(place, column),
            _ => out.push(column),
        }
        if bar && *name == "reasoning_ratio" {
            let share = |cell: &Option<ColumnValue>| {
                if let Some(ColumnValue::Ratio(share)) = cell { drawn(*share) } else { drawn(0.0) }
            };
            out.push(Column::new(BAR, true, cells.iter().map(share).collect()));
        }
    }
    out
}

/// Makes the columns fit.
fn fit(columns: &mut Vec<Column>, width: usize) {
    let taken = |columns: &[Column]| columns.iter().map(|column| column.width + 1).sum::<usize>().saturating_sub(1);
    for name in GIVE_WAY {
        if taken(columns) > width && names_at_least(columns) > width {
            columns.retain(|column| column.name != *name);
        }
    }
    while taken(columns) > width {
        let longest = columns.iter_mut().filter(|column| column.may_shrink()).max_by_key(|column| column.width);
        let Some(longest) = longest.filter(|column| column.width > MIN_NAME_CHARS) else { return };
        // One at a time, so that the longest ones become equally long.
        longest.shorten(longest.width - 1);
    }
}

/// The width of the table if its names are as short as they become.
fn names_at_least(columns: &[Column]) -> usize {
    let width = |column: &Column| if column.may_shrink() { column.width.min(2 * MIN_NAME_CHARS) } else { column.width };
    columns.iter().map(|column| width(column) + 1).sum::<usize>().saturating_sub(1)
}

impl Column {
    fn new(name: &'static str, is_text: bool, cells: Vec<String>) -> Self {
        let width = cells.iter().map(|cell| cell.width()).max().unwrap_or(0).max(title(name).width());
        Self { name, is_text, width, cells }
    }

    fn may_shrink(&self) -> bool {
        self.is_text && !WHOLE.contains(&self.name)
    }

    fn shorten(&mut self, width: usize) {
        self.width = width;
        self.cells.iter_mut().for_each(|cell| *cell = shortened(cell, width));
    }

    fn padded(&self, cell: &str) -> String {
        let blank = " ".repeat(self.width.saturating_sub(cell.width()));
        if self.is_text { format!("{cell}{blank}") } else { format!("{blank}{cell}") }
    }
}

fn title(name: &'static str) -> &'static str {
    if name == BAR { "" } else { heading(name) }
}

/// A share as a bar, in eighths of a character.
fn drawn(share: f64) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (share.clamp(0.0, 1.0) * (CELLS * 8) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.extend((!eighths.is_multiple_of(8)).then_some(EIGHTHS[eighths % 8]));
    bar
}

/// A name that is no wider than `width`, with an ellipsis in its middle. Its end says more than its beginning.
fn shortened(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_string();
    }
    let (front, back) = ((width - 1) / 3, width - 1 - (width - 1) / 3);
    let mut taken = 0;
    let fits = |limit: usize, taken: &mut usize, c: char| {
        *taken += c.width().unwrap_or(0);
        *taken <= limit
    };
    let mut out: String = name.chars().take_while(|c| fits(front, &mut taken, *c)).collect();
    taken = 0;
    let end: Vec<char> = name.chars().rev().take_while(|c| fits(back, &mut taken, *c)).collect();
    out.push('…');
    out.extend(end.iter().rev());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_in_the_middle() {
        for (name, width, want) in [
            ("short", 12, "short"),
            ("projects/weather/session-0001.jsonl", 12, "pro…01.jsonl"),
            ("天気予報/セッション記録.jsonl", 13, "天気…録.jsonl"),
            ("e\u{301}e\u{301}e\u{301}e\u{301}", 4, "e\u{301}e\u{301}e\u{301}e\u{301}"),
        ] {
            let found = shortened(name, width);
            assert_eq!(found, want);
            assert!(found.width() <= width, "{found}");
        }
    }

    #[test]
    fn bars() {
        for (share, want) in [(0.0, ""), (0.5, "████"), (1.0, "████████"), (0.1, "▊"), (f64::NAN, "")]
        {
            assert_eq!(drawn(share), want, "{share}");
        }
    }

    fn row(file: &str, reasoning: u64) -> Cells {
        vec![
            ("file", Some(ColumnValue::Word(file.into()))),
            ("reasoning_tokens", Some(ColumnValue::Number(reasoning))),
            ("final_tokens", Some(ColumnValue::Number(10))),
            ("reasoning_ratio", Some(ColumnValue::Ratio(0.5))),
            ("raw", Some(ColumnValue::Number(120))),
            ("effective", Some(ColumnValue::Number(10))),
            ("sealed_blocks", None),
            ("logged_reasoning_tokens", (reasoning > 9).then_some(ColumnValue::Number(12))),
            ("method", Some(ColumnValue::Name("chars4"))),
        ]
    }

    #[test]
    fn tables_are_as_wide_as_the_terminal() {
        let rows = [row("logs/weather/monday.jsonl", 110), row("天気.jsonl", 5), row("", 0)];
        for (width, want) in [
            (
                None,
                "file                      reasoning logged final ratio      raw effective\n\
                 logs/weather/monday.jsonl       110     12    10 0.500 ████ 120        10\n\
                 天気.jsonl                        5      -    10 0.500 ████ 120        10\n\
                 -                                 0      -    10 0.500 ████ 120        10\n",
            ),
            (
                Some(63),
                "file                     reasoning logged final ratio effective\n\
                 logs/we…her/monday.jsonl       110     12    10 0.500        10\n\
                 天気.jsonl                       5      -    10 0.500        10\n\
                 -                                0      -    10 0.500        10\n",
            ),
            (
                Some(10),
                "file         reasoning logged final ratio\n\
                 log…ay.jsonl       110     12    10 0.500\n\
                 天気.jsonl           5      -    10 0.500\n\
                 -                    0      -    10 0.500\n",
            ),
        ] {
            let options = TallyOptions { table: (width, true), ..TallyOptions::lines("chars4", Vec::new()) };
            assert_eq!(table(&rows, None, &options), want, "{width:?}");
        }
        assert_eq!(table(&[], None, &TallyOptions::lines("chars4", Vec::new())), "");
    }
}
