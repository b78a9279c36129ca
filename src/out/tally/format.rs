//! Rows as a table, JSON lines, one JSON value, CSV, or metrics.

use super::{By, Row, Shared, TallyOptions};
use crate::count::Method;
use crate::model::Role;
use crate::printable::printable;
use std::fmt::Write;

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TallyFormat {
    /// Columns for a person.
    #[default]
    Table,
    /// A JSON object a line.
    Jsonl,
    /// One JSON value.
    Json,
    /// Comma-separated values (RFC 4180), with a header.
    Csv,
    /// Metrics in the text format of Prometheus: totals only.
    Prometheus,
}

/// A value of a row.
enum Cell {
    Number(u64),
    Ratio(f64),
    /// A fixed name, which needs no quoting.
    Name(&'static str),
    Word(String),
    Flag(bool),
}

impl Cell {
    /// Writing into a string cannot fail.
    fn json(&self, out: &mut String) {
        let _ = match self {
            Cell::Number(n) => write!(out, "{n}"),
            Cell::Ratio(x) => write!(out, "{x}"),
            Cell::Name(name) => write!(out, "\"{name}\""),
            Cell::Word(word) => write!(out, "{}", serde_json::Value::from(word.as_str())),
            Cell::Flag(flag) => write!(out, "{flag}"),
        };
    }

    fn plain(&self) -> String {
        match self {
            Cell::Ratio(x) => format!("{x:.3}"),
            Cell::Word(word) => printable(word),
            Cell::Name(name) => (*name).to_string(),
            cell => {
                let mut out = String::new();
                cell.json(&mut out);
                out
            }
        }
    }

    fn csv(&self) -> String {
        match self {
            Cell::Word(word) if word.contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", word.replace('"', "\"\""))
            }
            Cell::Word(word) => word.clone(),
            Cell::Ratio(x) => x.to_string(),
            cell => cell.plain(),
        }
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        Role::User => "user",
        Role::System => "system",
        Role::Tool => "tool",
    }
}

/// The columns that identify a row.
fn place(row: &Row, options: &TallyOptions, total: bool) -> Vec<(&'static str, Option<Cell>)> {
    let word = |word: &str| Some(Cell::Word(word.to_string()));
    let mut out = Vec::new();
    if let Some(file) = &options.file {
        out.push(("file", word(file)));
    }
    if total {
        return out;
    }
    match options.by {
        By::Agent => out.push(("agent", row.key.as_deref().and_then(word))),
        By::Context => out.push(("context", row.key.as_deref().and_then(word))),
        _ => out.push(("record", Some(Cell::Number(row.record)))),
    }
    if matches!(options.by, By::Message | By::Block) {
        out.push(("message", row.message.map(Cell::Number)));
        out.push(("role", row.role.map(|r| Cell::Name(role(r)))));
    }
    if options.by == By::Block {
        out.push(("block", row.block.map(|(n, _)| Cell::Number(n))));
        out.push(("kind", row.block.map(|(_, kind)| Cell::Name(kind))));
    }
    out
}

/// The figures of a row. `whole`: with those of a whole conversation, such as whether compression is due.
fn figures(row: &Row, options: &TallyOptions, whole: bool) -> Vec<(&'static str, Option<Cell>)> {
    let number = |n: u64| Some(Cell::Number(n));
    let mut out = vec![
        ("reasoning_tokens", number(row.reasoning)),
        ("final_tokens", number(row.visible)),
        ("other_tokens", number(row.rest)),
        ("reasoning_ratio", Some(Cell::Ratio(row.ratio()))),
        ("raw", number(row.raw())),
        ("effective", number(row.effective())),
        ("sealed_blocks", number(row.sealed).filter(|_| row.sealed > 0)),
        ("logged_reasoning_tokens", row.logged.map(Cell::Number)),
    ];
    // Tables have the same columns for every input.
    if !matches!(options.format, TallyFormat::Table | TallyFormat::Csv) {
        for (name, n) in [("delegated_tokens", row.delegated), ("intermediate_tokens", row.intermediate)] {
            out.extend((n > 0).then(|| (name, number(n))));
        }
    }
    if let Some(limit) = options.limit {
        let share = if limit == 0 { 0.0 } else { row.effective() as f64 / limit as f64 };
        out.push(("limit", number(limit)));
        out.push(("context_used", Some(Cell::Ratio(share))));
        out.push(("compress", Some(Cell::Flag(share >= options.compress_at)).filter(|_| whole)));
    }
    out.push(("method", Some(Cell::Name(options.method.name()))));
    out
}

fn object(cells: &[(&'static str, Option<Cell>)]) -> String {
    let mut out = String::with_capacity(256);
    for (name, cell) in cells.iter().filter_map(|(name, cell)| Some((name, cell.as_ref()?))) {
        out.push_str(if out.is_empty() { "{\"" } else { ",\"" });
        out.push_str(name);
        out.push_str("\":");
        cell.json(&mut out);
    }
    out.push('}');
    out
}

fn cells(row: &Row, options: &TallyOptions) -> Vec<(&'static str, Option<Cell>)> {
    let mut out = place(row, options, false);
    out.extend(figures(row, options, options.by == By::Record));
    out
}

/// Writes a row; before the first one, the header.
pub(super) fn row(row: &Row, options: &TallyOptions, first: bool, out: &mut Vec<u8>) {
    let cells = cells(row, options);
    let text = match options.format {
        TallyFormat::Table => {
            let header = if first { table_header(&cells) } else { String::new() };
            header + &table(&cells)
        }
        TallyFormat::Jsonl => object(&cells) + "\n",
        TallyFormat::Json => {
            format!("{}{}", if first { json_head(options.method) } else { ",\n".into() }, object(&cells))
        }
        TallyFormat::Csv => {
            let header = if first { names(&cells).join(",") + "\n" } else { String::new() };
            let line: Vec<String> =
                cells.iter().map(|(_, cell)| cell.as_ref().map(Cell::csv).unwrap_or_default()).collect();
            header + &line.join(",") + "\n"
        }
        TallyFormat::Prometheus => String::new(),
    };
    out.extend_from_slice(text.as_bytes());
}

fn names(cells: &[(&'static str, Option<Cell>)]) -> Vec<&'static str> {
    cells.iter().map(|(name, _)| *name).collect()
}

fn json_head(method: Method) -> String {
    format!("{{\"method\":\"{method}\",\"rows\":[\n")
}

/// Short headings for the columns of the table.
fn heading(name: &str) -> &str {
    match name {
        "reasoning_tokens" => "reasoning",
        "final_tokens" => "final",
        "other_tokens" => "other",
        "reasoning_ratio" => "ratio",
        "sealed_blocks" => "sealed",
        "logged_reasoning_tokens" => "logged",
        "context_used" => "used",
        name => name,
    }
}

fn table_header(cells: &[(&'static str, Option<Cell>)]) -> String {
    let line: Vec<String> = names(cells).into_iter().map(|name| format!("{:>9}", heading(name))).collect();
    line.join(" ").trim_end().to_string() + "\n"
}

fn table(cells: &[(&'static str, Option<Cell>)]) -> String {
    let plain = |cell: &Option<Cell>| cell.as_ref().map_or_else(|| "-".to_string(), Cell::plain);
    let line: Vec<String> = cells.iter().map(|(_, cell)| format!("{:>9}", plain(cell))).collect();
    line.join(" ").trim_end().to_string() + "\n"
}

/// Writes what follows all rows: closing brackets, and the total if it is asked for.
pub fn page(shared: &Shared, options: &TallyOptions, total: bool) -> String {
    let none = TallyOptions { file: None, ..options.clone() };
    let sum = || {
        let mut figures = figures(&shared.total, &none, true);
        // An input that was not read has no figures.
        let silent = shared.messages == 0 && shared.unread > 0;
        figures.iter_mut().filter(|(name, _)| silent && *name != "method").for_each(|(_, cell)| *cell = None);
        figures
    };
    let counts = || {
        let number = |n| Some(Cell::Number(n));
        let mut out = vec![("total", Some(Cell::Flag(true))), ("messages", number(shared.messages))];
        if options.by == By::Record {
            out.insert(1, ("records", number(shared.records)));
        }
        out.push(("unread", number(shared.unread).filter(|_| shared.unread > 0)));
        out
    };
    let whole = || object(&counts().into_iter().chain(sum()).collect::<Vec<_>>());
    match options.format {
        TallyFormat::Prometheus => prometheus(&sum(), shared.unread, options),
        TallyFormat::Json => {
            let head = if shared.rows == 0 { json_head(options.method) } else { "\n".into() };
            let total = if total { format!(",\"total\":{}", whole()) } else { String::new() };
            format!("{head}]{total}}}\n")
        }
        _ if !total => String::new(),
        TallyFormat::Jsonl => whole() + "\n",
        TallyFormat::Csv | TallyFormat::Table => {
            // The columns are those of the rows. Figures that a total lacks are left empty.
            let row = place(&Row::default(), options, false);
            let blank = |(i, (name, _)): (usize, (&'static str, Option<Cell>))| {
                (name, if i == 0 { Some(Cell::Word("total".into())) } else { None })
            };
            let mut cells: Vec<_> = row.into_iter().enumerate().map(blank).collect();
            cells.extend(sum());
            let header = shared.rows == 0;
            match options.format {
                TallyFormat::Table => (if header { table_header(&cells) } else { String::new() }) + &table(&cells),
                _ => {
                    let head = if header { names(&cells).join(",") + "\n" } else { String::new() };
                    let line: Vec<String> =
                        cells.iter().map(|(_, cell)| cell.as_ref().map(Cell::csv).unwrap_or_default()).collect();
                    head + &line.join(",") + "\n"
                }
            }
        }
    }
}

/// Metrics (the text exposition format of Prometheus, version 0.0.4).
fn prometheus(sum: &[(&'static str, Option<Cell>)], unread: u64, options: &TallyOptions) -> String {
    let mut out = String::new();
    let unread = ("unread_records", Some(Cell::Number(unread)));
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
            Some(Cell::Number(n)) => n.to_string(),
            Some(Cell::Ratio(x)) => x.to_string(),
            // A metric must always be present, or it cannot be monitored.
            None if name == "sealed_blocks" && !silent => "0".to_string(),
            _ => continue,
        };
        let method = options.method;
        // Writing into a string cannot fail.
        let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name}{{method=\"{method}\"}} {value}\n");
    }
    out
}
