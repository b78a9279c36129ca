//! Rows as a table, JSON lines, one JSON value, CSV, or metrics.

use super::columns::{self, Cells, ColumnValue, figures, place};
use super::{By, Parts, SharedTally, TallyOptions, TallyRow, sort};
use crate::json::object::{MemberWriter, object};
use std::fmt::Write;

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub enum TallyFormat {
    /// Columns.
    #[default]
    Table,
    /// A JSON object a line.
    Jsonl,
    /// One JSON value.
    Json,
    /// Comma-separated values with a header.
    ///
    /// As RFC 4180 says.
    Csv,
    /// Totals as Prometheus metrics.
    Prometheus,
}

/// Writes the values of a row as members. One that is missing has none.
fn fill(members: &mut MemberWriter<'_>, cells: &[(&'static str, Option<ColumnValue>)]) {
    cells
        .iter()
        .filter_map(|(name, cell)| Some((name, cell.as_ref()?)))
        .for_each(|(name, cell)| cell.json(name, members));
}

/// Writes a row; before the first one, the header.
pub(super) fn row(cells: &Cells, options: &TallyOptions, first: bool, out: &mut Vec<u8>) {
    match options.format {
        TallyFormat::Jsonl => {
            object(out, |members| fill(members, cells));
            out.push(b'\n');
        }
        TallyFormat::Json => {
            if first {
                begin_rows(&options.method, out);
            } else {
                out.extend_from_slice(b",\n");
            }
            object(out, |members| fill(members, cells));
        }
        TallyFormat::Csv => {
            if first {
                out.extend(csv_header(cells).into_bytes());
            }
            out.extend(csv(cells).into_bytes());
        }
        TallyFormat::Table | TallyFormat::Prometheus => (),
    }
}

/// Begins the object of all rows: they follow, and [`tail`] ends it.
fn begin_rows(method: &str, out: &mut Vec<u8>) {
    let mut begun = Vec::new();
    let mut members = MemberWriter::behind(&mut begun);
    members.string("method", method);
    members.name("rows").extend_from_slice(b"[\n");
    out.push(b'{');
    out.extend(begun);
}

fn csv_header(cells: &Cells) -> String {
    let names: Vec<&str> = cells.iter().map(|(name, _)| *name).collect();
    names.join(",") + "\n"
}

fn csv(cells: &Cells) -> String {
    let line: Vec<String> =
        cells.iter().map(|(_, cell)| cell.as_ref().map(ColumnValue::csv).unwrap_or_default()).collect();
    line.join(",") + "\n"
}

/// Writes the rows that have waited, and what follows all rows: closing brackets, and the total if it is asked for.
pub fn page(shared: &mut SharedTally, options: &TallyOptions) -> String {
    let mut kept = std::mem::take(&mut shared.kept);
    kept.extend(shared.groups(options).into_iter().map(|row| columns::cells(row, options)));
    if let Some(by) = &options.sort {
        sort::sort(&mut kept, by);
    }
    #[cfg(feature = "cli")]
    if options.format == TallyFormat::Table {
        let total = (options.parts != Parts::Rows).then(|| total_row(shared, options));
        return super::table::table(&kept, total, options);
    }
    let mut out = Vec::new();
    for cells in &kept {
        row(cells, options, shared.rows == 0, &mut out);
        shared.rows += 1;
    }
    tail(shared, options, &mut out);
    // Names and texts are UTF-8.
    String::from_utf8(out).unwrap_or_default()
}

/// The figures of the total.
fn sum(shared: &SharedTally, options: &TallyOptions) -> Cells {
    let none = TallyOptions { file: None, ..options.clone() };
    let mut figures = figures(&shared.total, &none, true);
    // An input that was not read has no figures.
    let silent = shared.messages == 0 && shared.unread > 0;
    figures.iter_mut().filter(|(name, _)| silent && *name != "method").for_each(|(_, cell)| *cell = None);
    figures
}

/// The total as members of an object.
fn total(shared: &SharedTally, options: &TallyOptions) -> Cells {
    let number = |n| Some(ColumnValue::Number(n));
    let mut cells = vec![("total", Some(ColumnValue::Flag(true))), ("messages", number(shared.messages))];
    if options.unit() == Some(By::Record) {
        cells.insert(1, ("records", number(shared.records)));
    }
    cells.push(("unread", number(shared.unread).filter(|_| shared.unread > 0)));
    cells.push(("repeated", number(shared.repeated).filter(|_| shared.repeated > 0)));
    cells.extend(sum(shared, options));
    cells
}

/// The total as a row: the columns are those of the rows, and those that a total lacks are left empty.
fn total_row(shared: &SharedTally, options: &TallyOptions) -> Cells {
    let blank = |(i, (name, _)): (usize, (&'static str, _))| match name {
        "messages" => (name, Some(ColumnValue::Number(shared.messages))),
        _ if i == 0 => (name, Some(ColumnValue::Word("total".into()))),
        _ => (name, None),
    };
    let mut cells: Cells = place(&TallyRow::default(), options).into_iter().enumerate().map(blank).collect();
    cells.extend(sum(shared, options));
    cells
}

/// Writes what follows all rows.
fn tail(shared: &SharedTally, options: &TallyOptions, out: &mut Vec<u8>) {
    let is_total = options.parts != Parts::Rows;
    let fill_total = |members: &mut MemberWriter<'_>| fill(members, &total(shared, options));
    match options.format {
        TallyFormat::Prometheus => {
            out.extend(prometheus(&sum(shared, options), shared.unread, options).into_bytes());
        }
        TallyFormat::Json if options.parts == Parts::Total => {
            object(out, |members| {
                members.string("method", &options.method);
                members.object("total", fill_total);
            });
            out.push(b'\n');
        }
        TallyFormat::Json => {
            if shared.rows == 0 {
                begin_rows(&options.method, out);
            } else {
                out.push(b'\n');
            }
            out.push(b']');
            if is_total {
                MemberWriter::behind(out).object("total", fill_total);
            }
            out.extend_from_slice(b"}\n");
        }
        TallyFormat::Jsonl if is_total => {
            object(out, fill_total);
            out.push(b'\n');
        }
        TallyFormat::Csv if is_total => {
            let cells = total_row(shared, options);
            if shared.rows == 0 {
                out.extend(csv_header(&cells).into_bytes());
            }
            out.extend(csv(&cells).into_bytes());
        }
        _ => (),
    }
}

/// Metrics (the text exposition format of Prometheus, version 0.0.4).
fn prometheus(sum: &[(&'static str, Option<ColumnValue>)], unread: u64, options: &TallyOptions) -> String {
    let mut out = String::new();
    let unread = ("unread_records", Some(ColumnValue::Number(unread)));
    let silent = sum.iter().all(|(name, cell)| *name == "method" || cell.is_none());
    for (name, cell) in sum.iter().chain([&unread]) {
        let (name, help) = match *name {
            "reasoning_tokens" => ("reasoning_tokens", "Tokens of reasoning."),
            "final_tokens" => ("final_tokens", "Tokens of visible assistant text."),
            "other_tokens" => ("other_tokens", "Tokens of everything else."),
            "reasoning_ratio" => ("reasoning_ratio", "Share of reasoning in what the assistant wrote."),
            "raw" => ("raw_tokens", "Tokens of everything."),
            "effective" => ("effective_tokens", "Tokens that are left under the settings in force."),
            "sealed_blocks" => ("sealed_blocks", "Blocks of reasoning without text that are signed or encrypted."),
            "logged_reasoning_tokens" => ("logged_reasoning_tokens", "Tokens of reasoning that the input says it had."),
            "delegated_tokens" => ("delegated_tokens", "Tokens of text of the assistant in delegations."),
            "intermediate_tokens" => {
                ("intermediate_tokens", "Tokens of text of the assistant on the way to an answer.")
            }
            "unread_records" => ("unread_records", "Records that were not read, and are not counted."),
            "context_used" => ("context_used_ratio", "Share of the context that is used."),
            _ => continue,
        };
        let value = match cell {
            Some(ColumnValue::Number(n)) => n.to_string(),
            Some(ColumnValue::Ratio(x)) => x.to_string(),
            // A metric must always be present, or it cannot be monitored.
            None if name == "sealed_blocks" && !silent => "0".to_string(),
            _ => continue,
        };
        let method = &options.method;
        // Writing into a string cannot fail.
        let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name}{{method=\"{method}\"}} {value}\n");
    }
    out
}
