//! Pages of our own on stdout.

use super::Status;
use super::failure::Result;
use super::notes::{ColorArg, Notes};
use super::pump::PumpResult;
use super::targets::Targets;
use unicode_width::UnicodeWidthStr;

/// Rows as lines, in aligned columns.
pub fn columns(rows: &[impl AsRef<[String]>]) -> String {
    let mut widths = Vec::new();
    for row in rows {
        let row = row.as_ref();
        widths.resize(row.len().max(widths.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let mut out = String::new();
    for row in rows {
        let padded = |(cell, width): (&String, &usize)| cell.clone() + &" ".repeat(width - cell.width() + 2);
        let line: String = row.as_ref().iter().zip(&widths).map(padded).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Prints a page.
pub fn print(page: &[u8]) -> Status {
    let notes = Notes::plain(ColorArg::Never);
    write(page).unwrap_or_else(|e| {
        notes.error(&e.to_string());
        Status::Io
    })
}

/// Writes a page. A reader that goes away is no failure.
fn write(page: &[u8]) -> Result<Status> {
    let mut out = page.to_vec();
    match Targets::open(None, None, None).map_err(PumpResult::Write).and_then(|mut to| to.write(&mut out)) {
        Err(PumpResult::Write(e)) => Err(e),
        _ => Ok(Status::Done),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_begin_where_the_widest_cell_of_the_terminal_ends() {
        let row = |name: &str, about: &str| [name.to_string(), about.to_string()];
        let rows = [row("think", "a"), row("思考", "b"), row("思考思", "c"), row("é", "")];
        assert_eq!(columns(&rows), "think   a\n思考    b\n思考思  c\né\n");
    }
}
