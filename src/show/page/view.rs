//! What a tool is called with, as a person wants to see it: a command as code, an edit as a diff, a written file as code,
//! a plan as a check list; all else as JSON.

use super::super::calls::{CallArguments, checks, label, state};
use super::super::diff::{Change, lines};
use super::super::markup;
use super::super::pretty::pretty;
use crate::json::members;
use crate::json::text::utf8;
use serde_json::{Map, Value};

/// Writes the arguments.
pub fn arguments(command: &CallArguments<'_>, out: &mut String) {
    let CallArguments { raw, members, .. } = command;
    if members.is_empty() {
        if !raw.trim().is_empty() && raw.trim() != "{}" {
            text_or_patch(raw, out);
        }
        return;
    }
    let mut rest = members.clone();
    let mut text = |key: &str| match rest.get(key) {
        Some(Value::String(text)) => {
            let text = text.clone();
            rest.remove(key);
            Some(text)
        }
        _ => None,
    };
    let mut parts = String::new();
    // A command is a text, or a list of its words.
    for key in ["command", "cmd"] {
        words(members.get(key)).into_iter().for_each(|words| code(&words, " cmd", &mut parts));
    }
    for key in ["command", "cmd", "code", "script"] {
        text(key).into_iter().for_each(|text| code(&text, " cmd", &mut parts));
    }
    for (old, new) in [("old_string", "new_string"), ("old_str", "new_str"), ("oldText", "newText")] {
        if members.get(old).is_some_and(Value::is_string) && members.get(new).is_some_and(Value::is_string) {
            diff(&text(old).unwrap_or_default(), &text(new).unwrap_or_default(), &mut parts);
        }
    }
    for key in ["patch", "diff", "input"] {
        text(key).into_iter().for_each(|text| text_or_patch(&text, &mut parts));
    }
    for key in ["content", "file_text", "contents", "prompt", "new_source"] {
        text(key).into_iter().for_each(|text| code(&text, "", &mut parts));
    }
    if let Some(Value::Array(edits)) = rest.get("edits")
        && edits.iter().all(|edit| edit.as_object().is_some_and(|edit| edit.len() == 2 && pair(edit).is_some()))
    {
        for (old, new) in edits.iter().filter_map(|edit| pair(edit.as_object()?)) {
            diff(old, new, &mut parts);
        }
        rest.remove("edits");
    }
    if let Some((key, list)) = checks(members) {
        check_list(list, &mut parts);
        rest.remove(key);
    }
    for key in ["command", "cmd"] {
        if words(members.get(key)).is_some() {
            rest.remove(key);
        }
    }
    others(raw, &rest, out);
    out.push_str(&parts);
}

/// The words of a list, with a space between them.
fn words(value: Option<&Value>) -> Option<String> {
    let words: Option<Vec<&str>> = value?.as_array()?.iter().map(Value::as_str).collect();
    words.filter(|words| !words.is_empty()).map(|words| words.join(" "))
}

/// Both texts of an edit.
fn pair(edit: &Map<String, Value>) -> Option<(&str, &str)> {
    Some((edit.get("old_string")?.as_str()?, edit.get("new_string")?.as_str()?))
}

/// Writes the members that have no view of their own, in the order of the input.
fn others(raw: &str, rest: &Map<String, Value>, out: &mut String) {
    if rest.is_empty() {
        return;
    }
    let raw = raw.as_bytes();
    let start = raw.len() - raw.trim_ascii_start().len();
    out.push_str("<dl>");
    for (key, _, at) in members(raw, start) {
        let key = utf8(&key.decoded(raw)).into_owned();
        let Some(value) = rest.get(&key) else { continue };
        out.push_str("<div><dt>");
        markup::attribute(out, &key);
        out.push_str("</dt><dd>");
        match value {
            Value::String(text) => markup::text(out, text),
            _ => markup::text(out, &pretty(&utf8(&raw[at]))),
        }
        out.push_str("</dd></div>");
    }
    out.push_str("</dl>\n");
}

fn code(text: &str, class: &str, out: &mut String) {
    out.push_str(&format!("<pre class=\"code{class}\">"));
    markup::text(out, text);
    out.push_str("</pre>\n");
}

/// Writes a text. The lines of a patch are coloured.
fn text_or_patch(text: &str, out: &mut String) {
    let is_patch = text.contains("*** Begin Patch") || text.starts_with("--- ") || text.starts_with("diff --git ");
    if !is_patch {
        return code(text, "", out);
    }
    out.push_str("<pre class=\"diff\">");
    for line in text.split_inclusive('\n') {
        let class = match line.as_bytes().first() {
            Some(b'+') if !line.starts_with("+++ ") => "ins",
            Some(b'-') if !line.starts_with("--- ") => "del",
            _ => "",
        };
        element(class, line, out);
    }
    out.push_str("</pre>\n");
}

fn element(class: &str, line: &str, out: &mut String) {
    if class.is_empty() {
        return markup::text(out, line);
    }
    out.push_str(&format!("<{class}>"));
    markup::text(out, line.trim_end_matches('\n'));
    out.push_str(&format!("</{class}>"));
    out.push_str(if line.ends_with('\n') { "\n" } else { "" });
}

/// Writes the lines that go and come.
pub fn diff(old: &str, new: &str, out: &mut String) {
    out.push_str("<pre class=\"diff\">");
    for (change, line) in lines(old, new) {
        let (sign, class) = match change {
            Change::Stays => (' ', ""),
            Change::Goes => ('-', "del"),
            Change::Comes => ('+', "ins"),
        };
        element(class, &format!("{sign}{line}\n"), out);
    }
    out.push_str("</pre>\n");
}

fn check_list(list: &[Value], out: &mut String) {
    out.push_str("<ul class=\"checks\">\n");
    for step in list {
        let (sign, class) = match state(step) {
            "completed" | "done" => ("☑", "done"),
            "in_progress" | "active" => ("◐", "now"),
            _ => ("☐", "open"),
        };
        out.push_str(&format!("<li class=\"{class}\"><span title=\""));
        markup::attribute(out, state(step));
        out.push_str(&format!("\">{sign}</span> "));
        markup::text(out, label(step).unwrap_or_default());
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n");
}
