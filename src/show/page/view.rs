//! What a tool is called with, as a person wants to see it: a command as code, an edit as a diff, a written file as code,
//! a plan as a check list; all else as JSON. Tools are known by the names of their arguments, as their own names differ
//! from program to program.

use super::super::markup;
use super::diff::{Change, lines};
use super::pretty::pretty;
use crate::json::members;
use crate::json::text::utf8;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The arguments of a call.
pub struct Command<'a> {
    raw: &'a str,
    members: Map<String, Value>,
    /// What is in the line of the call.
    line: String,
}

/// The arguments that say most about a call, in this order.
const TELLING: [&str; 16] = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "filename",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
    "title",
    "name",
    "code",
    "input",
];

impl<'a> Command<'a> {
    pub fn of(raw: &'a str) -> Self {
        let members = match serde_json::from_str(raw) {
            Ok(Value::Object(members)) => members,
            _ => Map::new(),
        };
        let told = TELLING.iter().find_map(|key| said(members.get(*key)?));
        let listed = checks(&members).map(|(_, list)| format!("{} of {} done", done(list), list.len()));
        let line = told.or(listed).unwrap_or_else(|| if raw.trim() == "{}" { String::new() } else { raw.to_string() });
        Self { raw, members, line }
    }

    pub fn line(&self) -> &str {
        &self.line
    }
}

/// A text, or the words of a command. Of a shell that gets a script, the script.
fn said(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            Some(match words?.as_slice() {
                [] => return None,
                [_, flag, script] if matches!(*flag, "-c" | "-lc" | "/c" | "-Command") => (*script).to_string(),
                words => words.join(" "),
            })
        }
        _ => None,
    }
}

/// Writes the arguments.
pub fn arguments(command: &Command<'_>, out: &mut String) {
    let Command { raw, members, .. } = command;
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
    others(raw, &rest, out);
    out.push_str(&parts);
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

fn diff(old: &str, new: &str, out: &mut String) {
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

/// The list of a plan: each step with its state.
fn checks(members: &Map<String, Value>) -> Option<(&'static str, &Vec<Value>)> {
    let is_step = |step: &Value| label(step).is_some() && step.get("status").is_some_and(Value::is_string);
    ["todos", "plan", "items"].into_iter().find_map(|key| {
        let list = members.get(key)?.as_array()?;
        (!list.is_empty() && list.iter().all(is_step)).then_some((key, list))
    })
}

fn label(step: &Value) -> Option<&str> {
    step.get("content").or_else(|| step.get("step")).or_else(|| step.get("title"))?.as_str()
}

fn state(step: &Value) -> &str {
    step.get("status").and_then(Value::as_str).unwrap_or_default()
}

fn done(list: &[Value]) -> usize {
    list.iter().filter(|step| matches!(state(step), "completed" | "done")).count()
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

/// The result of a call: its text, what stands beside it, the exit status and the seconds that it took, if it says so.
pub struct Output<'a> {
    pub text: Cow<'a, str>,
    pub rest: String,
    pub status: Option<i64>,
    pub seconds: Option<f64>,
}

/// Reads a result. Some programs wrap the output of a command in an object.
pub fn output(text: &str) -> Output<'_> {
    let original = text;
    let plain = Output { text: text.into(), rest: String::new(), status: None, seconds: None };
    let is_object = text.trim_start().starts_with('{') && text.len() < 1 << 20;
    let Some(Value::Object(mut members)) = is_object.then(|| serde_json::from_str(text).ok()).flatten() else {
        return plain;
    };
    let about = members.get("metadata").and_then(Value::as_object).unwrap_or(&members);
    let status = about.get("exit_code").and_then(Value::as_i64);
    let seconds = about.get("duration_seconds").and_then(Value::as_f64);
    let text = match members.get("output") {
        Some(Value::String(text)) => {
            let text = text.clone();
            members.remove("output");
            text
        }
        _ => String::new(),
    };
    // What stands beside the output; without one, all of it.
    let rest = match (text.is_empty(), members.is_empty()) {
        (_, true) => String::new(),
        (true, _) => pretty(original),
        (false, _) => serde_json::to_string_pretty(&members).unwrap_or_default(),
    };
    Output { text: text.into(), rest, status, seconds }
}
