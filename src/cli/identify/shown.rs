//! What files are, as a table or as JSON.

use super::FileRow;
use serde_json::Value;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use unthink::frame::Framing;
use unthink::identify::{Figures, Identity, InputKind, ReadingState};
use unthink::json::object::{self, MemberWriter};
use unthink::printable::printable;

/// The most commands below a table.
const COMMANDS: usize = 10;

/// The columns of a table.
const HEADINGS: [&str; 8] = ["FILE", "WHAT", "FORMAT", "READ", "MSGS", "TOKENS", "SHARE", "WHERE"];

/// The columns that are aligned on the right.
const NUMBERS: std::ops::Range<usize> = 4..7;

/// Columns that give way where a line is too long, in this order, and the least width of each: the last one of a place, the
/// first ones of a name.
const GIVE_WAY: [(usize, usize); 9] = [(7, 24), (2, 8), (0, 20), (1, 14), (7, 10), (2, 0), (0, 10), (1, 8), (7, 5)];

/// A JSON object a line.
pub fn lines(rows: &[FileRow]) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        object::object(&mut out, |members| fill(members, row));
        out.push(b'\n');
    }
    out
}

/// An array of these objects.
pub fn array(rows: &[FileRow]) -> Vec<u8> {
    let mut out = Vec::new();
    object::lines(&mut out, rows, |out, row| object::object(out, |members| fill(members, row)));
    out.push(b'\n');
    out
}

fn fill(members: &mut MemberWriter<'_>, row: &FileRow) {
    let FileRow { name, identity, command } = row;
    let figures = identity.figures;
    members.string("file", name);
    members.string("what", &what(identity));
    members.string_or_null("product", identity.product);
    members.strings("formats", identity.dialects.iter().map(|(name, _)| name));
    members.string_or_null("framing", identity.framing.map(Framing::name));
    members.string_or_null("read", identity.reading.map(ReadingState::name));
    members.number("bytes", identity.bytes);
    members.flag("whole", identity.is_whole);
    members.number("records", identity.records);
    members.number_or_null("messages", figures.map(|figures| figures.messages));
    members.number_or_null("reasoning_tokens", figures.map(|figures| figures.reasoning_tokens));
    members.number_or_null("reasoning_bytes", figures.map(|figures| figures.reasoning_bytes));
    members.number_or_null("final_tokens", figures.map(|figures| figures.final_tokens));
    let ratio = figures.map_or(Value::Null, |figures| figures.ratio().into());
    members.name("reasoning_ratio").extend_from_slice(ratio.to_string().as_bytes());
    members.string_or_null("method", figures.map(|_| "chars4"));
    let some = |n: u64| Some(n).filter(|n| *n > 0);
    for (name, number) in [
        ("sealed_blocks", figures.and_then(|figures| some(figures.sealed))),
        ("logged_reasoning_tokens", figures.and_then(|figures| figures.logged)),
        ("suspect_records", some(identity.suspect)),
        ("damaged_records", some(identity.damaged)),
    ] {
        number.into_iter().for_each(|number| members.number(name, number));
    }
    members.strings("where", &identity.places);
    members.string_or_null("command", command.as_deref());
}

/// What a file is, in words.
fn what(identity: &Identity) -> String {
    let is_text = identity.framing == Some(Framing::Text);
    match (identity.product, identity.kind) {
        (Some(product), _) => product.to_string(),
        (None, InputKind::Empty) => "empty".into(),
        (None, InputKind::Binary(name)) => name.into(),
        (None, InputKind::Transcript) => "unknown, may have reasoning".into(),
        (None, InputKind::Other) if is_text => "text".into(),
        (None, InputKind::Other) => "other data".into(),
    }
}

/// A table no wider than `width`, and the commands for files that are not read.
pub fn table(rows: &[FileRow], width: usize) -> String {
    let mut cells: Vec<[String; 8]> = vec![HEADINGS.map(String::from)];
    cells.extend(rows.iter().map(|row| line(&row.name, &row.identity)));
    cells.extend((rows.len() > 1).then(|| total(rows)));
    let mut widths = [0; 8];
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    for (column, least) in GIVE_WAY {
        let all: usize = widths.iter().filter(|width| **width > 0).map(|width| width + 2).sum();
        let over = all.saturating_sub(2).saturating_sub(width);
        let left = widths[column].saturating_sub(over).max(least.min(widths[column]));
        widths[column] = if least == 0 && over > 0 { 0 } else { left };
    }
    let mut out: String = cells.iter().map(|row| aligned(row, &widths)).collect();
    let commands: Vec<&String> = rows.iter().filter_map(|row| row.command.as_ref()).collect();
    if !commands.is_empty() {
        out.push_str("\nFor what is not read:\n");
        commands.iter().take(COMMANDS).for_each(|command| out += &format!("    {}\n", printable(command)));
    }
    if commands.len() > COMMANDS {
        out += &format!("    and {} more (-o jsonl has all)\n", commands.len() - COMMANDS);
    }
    out
}

fn line(name: &str, identity: &Identity) -> [String; 8] {
    let dialect = identity.dialects.first().map(|(name, _)| *name);
    let framing = identity.framing.map(Framing::name).filter(|name| Some(*name) != dialect);
    let format: Vec<&str> = dialect.into_iter().chain(framing).collect();
    let [messages, mut tokens, mut share] = figures(identity.figures);
    if identity.reading == Some(ReadingState::Partly) && identity.figures.is_some() {
        // What is not read is not counted.
        (tokens, share) = (format!("≥{tokens}"), "-".into());
    }
    let place = match identity.places.as_slice() {
        [] => "-".to_string(),
        [one] => one.clone(),
        [one, rest @ ..] => format!("{one} +{}", rest.len()),
    };
    let or = |text: String| if text.is_empty() { "-".to_string() } else { text };
    let reading = identity.reading.map_or("-", ReadingState::name);
    [name.into(), what(identity), or(format.join(" ")), reading.into(), messages, tokens, share, printable(&place)]
}

/// The messages, the tokens of reasoning, and their share.
fn figures(figures: Option<Figures>) -> [String; 3] {
    let Some(figures) = figures else { return ["-", "-", "-"].map(String::from) };
    let share = format!("{:.0}%", figures.ratio() * 100.0);
    [figures.messages.to_string(), figures.reasoning_tokens.to_string(), share]
}

/// The sums of all files.
fn total(rows: &[FileRow]) -> [String; 8] {
    let mut sum = Figures::default();
    for figures in rows.iter().filter_map(|row| row.identity.figures) {
        sum.messages += figures.messages;
        sum.reasoning_tokens += figures.reasoning_tokens;
        sum.final_tokens += figures.final_tokens;
    }
    let [messages, tokens, share] = figures(Some(sum));
    let none = String::new;
    ["total".into(), format!("{} files", rows.len()), none(), none(), messages, tokens, share, none()]
}

/// A line of the table.
fn aligned(row: &[String; 8], widths: &[usize; 8]) -> String {
    let mut out = String::new();
    for (column, (cell, width)) in row.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0) {
        // The end of a path says more than its beginning.
        let cell = if column == 0 { end(cell, *width) } else { start(cell, *width) };
        let blank = " ".repeat(width.saturating_sub(cell.width()));
        out += &if NUMBERS.contains(&column) { format!("{blank}{cell}  ") } else { format!("{cell}{blank}  ") };
    }
    out.trim_end().to_string() + "\n"
}

/// The first characters of a text, as many as fit.
fn start(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_string();
    }
    format!("{}…", fitting(text.chars(), width))
}

/// The last characters of a text, as many as fit.
fn end(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_string();
    }
    let last: String = fitting(text.chars().rev(), width).chars().rev().collect();
    format!("…{last}")
}

/// As many characters as fit beside an ellipsis.
fn fitting(characters: impl Iterator<Item = char>, width: usize) -> String {
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let rest = left.checked_sub(c.width().unwrap_or(0));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    characters.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_cut() {
        for (text, width, first, last) in [
            ("notes.jsonl", 11, "notes.jsonl", "notes.jsonl"),
            ("notes.jsonl", 6, "notes…", "…jsonl"),
            ("天気予報", 5, "天気…", "…予報"),
            ("天気予報", 4, "天…", "…報"),
        ] {
            assert_eq!((start(text, width), end(text, width)), (first.into(), last.into()), "{text} {width}");
        }
    }
}
