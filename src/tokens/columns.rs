//! The columns of a row: what it is about, and its figures.

use super::{By, TallyFormat, TallyOptions, TallyRow};
use crate::json::object::MemberWriter;
use crate::json::text::utf8;
use crate::model::{Origin, Role};
use crate::printable::printable;

/// The values of a row, each with the name of its column.
pub(super) type Cells = Vec<(&'static str, Option<ColumnValue>)>;

/// A value of a row.
#[derive(Clone, Debug)]
pub(super) enum ColumnValue {
    Number(u64),
    Ratio(f64),
    /// A fixed name.
    Name(&'static str),
    Word(String),
    Flag(bool),
}

impl ColumnValue {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        matches!(self, ColumnValue::Word(word) if word.is_empty())
    }

    /// Writes it as a member of an object.
    pub fn json(&self, name: &str, members: &mut MemberWriter<'_>) {
        match self {
            ColumnValue::Number(n) => members.number(name, *n),
            ColumnValue::Ratio(x) => members.name(name).extend_from_slice(x.to_string().as_bytes()),
            ColumnValue::Name(word) => members.string(name, word),
            ColumnValue::Word(word) => members.string(name, word),
            ColumnValue::Flag(flag) => members.flag(name, *flag),
        }
    }

    pub fn plain(&self) -> String {
        match self {
            ColumnValue::Ratio(x) => format!("{x:.3}"),
            ColumnValue::Word(word) => printable(word),
            ColumnValue::Name(name) => (*name).to_string(),
            ColumnValue::Number(n) => n.to_string(),
            ColumnValue::Flag(flag) => flag.to_string(),
        }
    }

    pub fn csv(&self) -> String {
        match self {
            ColumnValue::Word(word) if word.contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", word.replace('"', "\"\""))
            }
            ColumnValue::Word(word) => word.clone(),
            ColumnValue::Ratio(x) => x.to_string(),
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

/// The values of a row.
pub(super) fn cells(row: &TallyRow, options: &TallyOptions) -> Cells {
    let mut out = place(row, options);
    out.extend(figures(row, options, options.unit() == Some(By::Record)));
    out
}

/// The names of the columns, by which rows may be sorted, each with that in a table.
#[cfg(feature = "cli")]
pub fn columns(options: &TallyOptions) -> Vec<(&'static str, &'static str)> {
    cells(&TallyRow::default(), options).into_iter().map(|(name, _)| (name, heading(name))).collect()
}

/// Short headings for the columns of the table.
pub(super) fn heading(name: &'static str) -> &'static str {
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

/// The columns that say what a row is about.
pub(super) fn place(row: &TallyRow, options: &TallyOptions) -> Cells {
    let word = |word: &str| Some(ColumnValue::Word(word.to_string()));
    let Some(unit) = options.unit() else {
        let names = options.by.iter().zip(row.key.iter().map(String::as_str).chain(std::iter::repeat("")));
        let mut out: Cells = names.map(|(by, name)| (by.name(), word(name))).collect();
        out.push(("messages", Some(ColumnValue::Number(row.messages))));
        return out;
    };
    let mut out: Cells = options.file.iter().map(|file| ("file", word(file))).collect();
    out.push(("record", Some(ColumnValue::Number(row.record))));
    if unit != By::Record {
        out.push(("message", row.message.map(ColumnValue::Number)));
        out.push(("role", row.role.map(|r| ColumnValue::Name(role(r)))));
        let Origin { model, time, .. } = &row.origin;
        out.push(("model", word(&utf8(model)).filter(|_| !model.is_empty())));
        out.push(("time", time.map(|time| ColumnValue::Word(time.to_string()))));
    }
    if unit == By::Block {
        out.push(("block", row.block.map(|(n, _)| ColumnValue::Number(n))));
        out.push(("kind", row.block.map(|(_, kind)| ColumnValue::Name(kind.word()))));
    }
    out
}

/// The figures of a row. `whole`: with those of a whole conversation, such as whether compression is due.
pub(super) fn figures(row: &TallyRow, options: &TallyOptions, whole: bool) -> Cells {
    let number = |n: u64| Some(ColumnValue::Number(n));
    let mut out = vec![
        ("reasoning_tokens", number(row.reasoning)),
        ("final_tokens", number(row.visible)),
        ("other_tokens", number(row.rest)),
        ("reasoning_ratio", Some(ColumnValue::Ratio(row.ratio()))),
        ("raw", number(row.raw())),
        ("effective", number(row.effective())),
        ("sealed_blocks", number(row.sealed).filter(|_| row.sealed > 0)),
        ("logged_reasoning_tokens", row.logged.map(ColumnValue::Number)),
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
        out.push(("context_used", Some(ColumnValue::Ratio(share))));
        out.push(("compress", Some(ColumnValue::Flag(share >= options.compress_at)).filter(|_| whole)));
    }
    out.push(("method", Some(ColumnValue::Word(options.method.clone()))));
    out
}
