//! What every row of tags must fulfil, wherever it comes from: its delimiters can be found wherever they stand.

use super::Row;
use crate::printable::shown;
use std::fmt;

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsoundRow(pub String);

impl fmt::Display for UnsoundRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnsoundRow {}

fn wrong<T>(what: impl Into<String>) -> Result<T, UnsoundRow> {
    Err(UnsoundRow(what.into()))
}

/// The longest delimiter in bytes, with the text that goes with it: no escape is searched for further behind its first byte.
const MAX_DELIMITER_BYTES: usize = 64;
/// The most texts in a list of a row.
pub const MAX_LIST_TEXTS: usize = 16;

/// Checks what every row must fulfil, wherever it comes from.
///
/// # Errors
/// When the row could not be found wherever it stands.
pub fn sound(row: &Row) -> Result<(), UnsoundRow> {
    let extra = |texts: &[std::borrow::Cow<'_, str>]| texts.iter().map(|t| t.len()).max().unwrap_or(0);
    let [behind, before, after] = row.framing.each_ref().map(|text| text.len());
    let opens: Vec<(&str, &str)> =
        std::iter::once(("open", &*row.open)).chain(row.opens.iter().map(|o| ("opens", &**o))).collect();
    let closes: Vec<(&str, &str)> =
        std::iter::once(("close", &*row.close)).chain(row.closes.iter().map(|c| ("closes", &**c))).collect();
    if row.headers.is_none() {
        for (member, open) in &opens {
            delimiter(member, open, behind.max(extra(&row.labels)))?;
            if let Some((other, _)) = closes.iter().find(|(_, close)| close == open) {
                return wrong(format!("{member}: {} is in {other} too; a delimiter opens or closes", shown(open)));
            }
        }
        for (member, close) in &closes {
            delimiter(member, close, before + after)?;
        }
    }
    for (member, pairs) in [("wrappers", &row.wrappers), ("markers", &row.markers), ("tools", &row.tools)] {
        for text in pairs.iter().flat_map(|(a, b)| [a, b]).filter(|text| !text.is_empty()) {
            delimiter(member, text, 0)?;
        }
        if pairs.len() > MAX_LIST_TEXTS {
            return wrong(format!("{member}: at most {MAX_LIST_TEXTS}"));
        }
    }
    for (member, texts) in [("opens", &row.opens), ("closes", &row.closes), ("labels", &row.labels)] {
        if texts.len() > MAX_LIST_TEXTS {
            return wrong(format!("{member}: at most {MAX_LIST_TEXTS}"));
        }
        if member == "labels" && texts.iter().any(|text| text.is_empty()) {
            return wrong("labels: a label is not empty");
        }
    }
    if row.word { word(row) } else { exact(row) }
}

fn delimiter(member: &str, text: &str, beside: usize) -> Result<(), UnsoundRow> {
    match text {
        "" => wrong(format!("{member}: it is empty")),
        _ if text.trim().is_empty() => wrong(format!("{member}: white space alone is no delimiter")),
        // JSON strings spell these characters with an escape, which is not searched for.
        _ if text.starts_with(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\\')) => {
            wrong(format!("{member}: {}: white space, quotes and backslashes do not begin a delimiter", shown(text)))
        }
        _ if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => {
            wrong(format!("{member}: {}: control characters are in no delimiter", shown(text)))
        }
        _ if text.len() + beside > MAX_DELIMITER_BYTES => {
            wrong(format!("{member}: {}: longer than {MAX_DELIMITER_BYTES} bytes, with what goes with it", shown(text)))
        }
        _ => Ok(()),
    }
}

fn exact(row: &Row) -> Result<(), UnsoundRow> {
    if row.suffix {
        return wrong("suffix: it goes with word");
    }
    Ok(())
}

/// Checks a word tag, which is recognised by its name alone.
fn word(row: &Row) -> Result<(), UnsoundRow> {
    let (name, attribute) = row.element();
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
    let plain = attribute.is_none_or(|(key, value)| key.chars().all(part) && value.chars().all(part));
    let open = attribute.map_or(format!("<{name}>"), |(key, value)| format!("<{name} {key}=\"{value}\">"));
    if name.is_empty() || !name.chars().all(part) || !plain || row.open != open || row.close != format!("</{name}>") {
        return wrong(format!("word: {} and {} are not <NAME> and </NAME>", shown(&row.open), shown(&row.close)));
    }
    let framed = row.framing.iter().any(|text| !text.is_empty());
    let lists = [("opens", !row.opens.is_empty()), ("labels", !row.labels.is_empty())];
    let flags = [("framing", framed), ("loose", row.loose), ("phrase", row.phrase), ("strict", row.strict)];
    match lists.into_iter().chain(flags).find(|(_, is)| *is) {
        Some((member, _)) => wrong(format!("{member}: it does not go with word")),
        None => Ok(()),
    }
}
