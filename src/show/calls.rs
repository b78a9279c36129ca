//! What calls of tools and their results say: what a person wants to see of each in a line. Tools are known by the names of
//! their arguments, as their own names differ from program to program.

use super::LineItem;
use super::pretty::pretty;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The arguments of a call.
pub struct CallArguments<'a> {
    pub raw: &'a str,
    pub members: Map<String, Value>,
    /// What is in the line of the call.
    line: String,
}

/// The arguments that say most about a call, in this order.
const TELLING: [&str; 18] = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "absolute_path",
    "target_file",
    "notebook_path",
    "pattern",
    "query",
    "path",
    "filename",
    "url",
    "description",
    "prompt",
    "title",
    "name",
    "code",
    "input",
];

impl<'a> CallArguments<'a> {
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

/// The list of a plan: each step with its state.
pub fn checks(members: &Map<String, Value>) -> Option<(&'static str, &Vec<Value>)> {
    let is_step = |step: &Value| label(step).is_some() && step.get("status").is_some_and(Value::is_string);
    ["todos", "plan", "items"].into_iter().find_map(|key| {
        let list = members.get(key)?.as_array()?;
        (!list.is_empty() && list.iter().all(is_step)).then_some((key, list))
    })
}

pub fn label(step: &Value) -> Option<&str> {
    step.get("content").or_else(|| step.get("step")).or_else(|| step.get("title"))?.as_str()
}

pub fn state(step: &Value) -> &str {
    step.get("status").and_then(Value::as_str).unwrap_or_default()
}

fn done(list: &[Value]) -> usize {
    list.iter().filter(|step| matches!(state(step), "completed" | "done")).count()
}

/// The result of a call: its text, what stands beside it, the exit status and the seconds that it took, if it says so.
pub struct CallOutput<'a> {
    pub text: Cow<'a, str>,
    pub rest: String,
    pub status: Option<i64>,
    pub seconds: Option<f64>,
}

/// Reads a result. Some programs wrap the output of a command in an object.
pub fn output(text: &str) -> CallOutput<'_> {
    let original = text;
    let plain = CallOutput { text: text.into(), rest: String::new(), status: None, seconds: None };
    let is_object = text.trim_start().starts_with('{') && text.len() < 1 << 20;
    let Some(Value::Object(mut members)) = is_object.then(|| serde_json::from_str(text).ok()).flatten() else {
        return plain;
    };
    // An object of nothing is all that the tool said.
    if members.is_empty() {
        return plain;
    }
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
    CallOutput { text: text.into(), rest, status, seconds }
}

/// All of a call or of a result as text; empty for every other item, and if there is nothing.
pub fn whole(item: &LineItem) -> String {
    let text = match item {
        LineItem::Call { arguments, .. } => pretty(arguments),
        LineItem::Result { text, .. } => {
            let CallOutput { text, rest, .. } = output(text);
            if text.is_empty() || rest.is_empty() { text.into_owned() + &rest } else { format!("{text}\n{rest}") }
        }
        _ => String::new(),
    };
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::output;

    #[test]
    fn what_a_result_says() {
        for (result, text, rest) in [
            ("", "", ""),
            ("{}", "{}", ""),
            ("[]", "[]", ""),
            ("null", "null", ""),
            ("a {", "a {", ""),
            (r#"{"output":""}"#, "", ""),
            (r#"{"output":"a"}"#, "a", ""),
            (r#"{"a":1}"#, "", "{\n  \"a\": 1\n}"),
            (r#"{"output":"a","b":1}"#, "a", "{\n  \"b\": 1\n}"),
        ] {
            let found = output(result);
            assert_eq!((&*found.text, found.rest.trim_end()), (text, rest), "{result}");
        }
    }
}
