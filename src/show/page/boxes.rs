//! Closed boxes for what is neither text nor reasoning nor a call: texts that programs add in the name of the user, and
//! blocks of a kind that is not known.

use super::super::markup;
use super::super::pretty::pretty;

/// The name of the element that a text of a user is, if it is nothing but elements: programs write such texts, not
/// people.
pub fn noise(text: &str) -> Option<&str> {
    let text = text.trim();
    let name = text.strip_prefix('<')?.split('>').next()?;
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (is_name && name.contains(['-', '_']) && text.ends_with('>') && text.contains("</")).then_some(name)
}

/// Elements that programs add to the words of a person.
const ADDED: [&str; 3] = ["system-reminder", "command-", "local-command-"];

/// The parts of a text of a user: what a person wrote, and the elements with their names that a program has added.
pub fn parts(text: &str) -> Vec<(Option<&str>, &str)> {
    let mut parts = Vec::new();
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest.get(from..).and_then(|rest| rest.find('<')).map(|at| from + at) {
        let begins = rest[..at].trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| c == '\n');
        let name = rest[at + 1..].split('>').next().unwrap_or_default();
        let is_name = name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        let close = format!("</{name}>");
        let is_added = begins && is_name && ADDED.iter().any(|known| name.starts_with(known));
        let end = is_added.then(|| rest[at..].find(&close)).flatten().map(|end| at + end + close.len());
        let Some(end) = end else {
            from = at + 1;
            continue;
        };
        parts.push((None, &rest[..at]));
        parts.push((Some(name), &rest[at..end]));
        (rest, from) = (&rest[end..], 0);
    }
    parts.push((None, rest));
    parts.retain(|(_, part)| !part.trim().is_empty());
    parts
}

/// Writes a text that a program has added, in a line.
pub fn chip(name: &str, text: &str, out: &mut String) {
    out.push_str("<details class=\"step chip\"><summary><span class=\"call\">");
    markup::attribute(out, name);
    out.push_str("</span> <code>");
    let inside = text.trim().trim_start_matches('<').trim_start_matches(name).trim_start_matches('>');
    let inside = inside.split("</").next().unwrap_or_default();
    markup::text(out, &markup::first_words(inside, 90));
    out.push_str("</code></summary><pre>");
    markup::text(out, text);
    out.push_str("</pre></details>\n");
}

/// Writes a block of a kind that is not known, with all that is in it.
pub fn other(kind: &str, value: &str, out: &mut String) {
    let kind = if kind.is_empty() { "A block of a kind that is not known" } else { kind };
    if value.is_empty() {
        out.push_str("<p class=\"note\">");
        markup::attribute(out, kind);
        return out.push_str("</p>\n");
    }
    out.push_str("<details class=\"step\"><summary><span class=\"call\">");
    markup::attribute(out, kind);
    out.push_str("</span> <code>");
    markup::text(out, &markup::first_words(value, 90));
    out.push_str("</code></summary><pre>");
    markup::text(out, &pretty(value));
    out.push_str("</pre></details>\n");
}
