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
