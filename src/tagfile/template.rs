//! Response templates of Hugging Face: `fields`, each with its delimiters, which are kept in a model's tokenizer
//! configuration to parse its output (transformers, "Response Parsing").
//!
//! Only the delimiters of reasoning, of the answer and of tool calls matter here. How the content of a field is parsed
//! is ignored.

use super::pattern::{self, PatternSpelling};
use super::{Read, TagFileError, wrong};
use crate::inline::{MAX_LIST_TEXTS, Missing, Pairs, Row, TAGS};
use crate::nearest::meant;
use crate::printable::shown;
use serde_json::{Map, Value};
use std::borrow::Cow;

const TOP: &[&str] = &["name", "version", "defaults", "start_anchor", "start_anchor_pattern", "fields"];
const FIELD: &[&str] = &[
    "open",
    "open_pattern",
    "close",
    "close_pattern",
    "content",
    "content_args",
    "repeats",
    "join",
    "optional",
    "transform",
    "transform_each",
];
/// The fields that are reasoning.
const REASONING: &[&str] = &["thinking", "reasoning", "reasoning_content", "thought"];
/// The name of a row whose file does not name it.
const NAME: &str = "response-template";
/// The shortest delimiter that is dropped from an answer, or that begins a tool call.
const MIN_DELIMITER_BYTES: usize = 3;

/// The delimiter at one side of a field.
#[derive(Default)]
struct FieldDelimiter {
    /// Its spellings, without white space at their ends.
    texts: Vec<String>,
    /// White space that may stand before and behind it.
    before: String,
    after: String,
    /// It may be absent.
    absent: bool,
}

/// Makes the rows of a template: one for each field of reasoning.
pub(super) fn rows(template: &Map<String, Value>, name: Option<String>) -> Read<Vec<Row>> {
    known("response_template", template, TOP)?;
    if let Some(version) = template.get("version").filter(|version| version.as_f64() != Some(1.0)) {
        return wrong(format!("response_template: version: {} is not read; 1 is", shown(&version.to_string())));
    }
    let Some(Value::Object(all)) = template.get("fields") else {
        return wrong("response_template: fields: it is an object of fields");
    };
    let mut fields: Vec<(&str, &Map<String, Value>)> = Vec::new();
    for (field, value) in all {
        let place = format!("response_template: fields: {}", shown(field));
        let Value::Object(object) = value else { return wrong(format!("{place}: it is an object")) };
        known(&place, object, FIELD)?;
        fields.push((field, object));
    }
    let name = name.unwrap_or_else(|| NAME.to_string());
    let mut rows: Vec<Row> = Vec::new();
    for (field, object) in REASONING.iter().filter_map(|name| fields.iter().find(|(field, _)| field == name)) {
        let name = if rows.is_empty() { name.clone() } else { format!("{name}:{field}") };
        rows.push(row(name, template, &fields, field, object)?);
    }
    if rows.is_empty() {
        let all = REASONING.join(", ");
        return wrong(format!("response_template: fields: no field is reasoning; its names are {all}"));
    }
    Ok(rows)
}

fn known(place: &str, object: &Map<String, Value>, all: &[&str]) -> Read<()> {
    object.keys().find(|key| !all.contains(&key.as_str())).map_or(Ok(()), |key| {
        let near = meant(key, all.iter().copied());
        wrong(format!("{place}: {}: no such member{near}", shown(key)))
    })
}

fn row(
    name: String,
    template: &Map<String, Value>,
    fields: &[(&str, &Map<String, Value>)],
    field: &str,
    object: &Map<String, Value>,
) -> Read<Row> {
    let place = format!("response_template: fields: {field}");
    let (open, close) = (ends(&place, object, "open")?, ends(&place, object, "close")?);
    let absent = open.absent;
    let Some((first, opens)) = open.texts.split_first() else {
        return wrong(format!("{place}: it has no opener; a row of your own can say what reasoning begins with"));
    };
    let Some((last, closes)) = close.texts.split_first() else {
        return wrong(format!("{place}: it has no closer; a row of your own can say what reasoning ends with"));
    };
    // Headers are read by rules of the table, which a template cannot express.
    let headers = |r: &&Row| {
        let opens = open.texts.iter().any(|text| text.ends_with(r.open.trim()));
        r.headers.is_some() && opens && close.texts.iter().any(|text| *text == r.close)
    };
    if let Some(row) = TAGS.iter().find(headers) {
        return Ok(Row { name: Cow::Owned(name), examples: Cow::Borrowed(&[]), ..row.clone() });
    }
    let owned = |texts: &[String]| Cow::Owned(texts.iter().cloned().map(Cow::Owned).collect());
    let mut row = Row::custom(first, last);
    (row.name, row.opens, row.closes) = (Cow::Owned(name), owned(opens), owned(closes));
    row.framing = [open.after, close.before, close.after].map(Cow::Owned);
    row.word = is_element(&row);
    row.tools = tools(fields)?;
    let anchors = anchors(template)?;
    let prefilled = anchors.iter().any(|anchor| open.texts.iter().any(|text| anchor.ends_with(text.as_str())));
    let mut around = AnswerDelimiters { wrappers: Vec::new(), markers: Vec::new() };
    let mut shared = false;
    for (other, object) in fields.iter().filter(|(other, _)| !REASONING.contains(other)) {
        let place = format!("response_template: fields: {other}");
        if *other == "content" {
            around.answer(&ends(&place, object, "open")?, &ends(&place, object, "close")?);
        }
        // A pattern that cannot be read has no closing delimiter of reasoning in it either.
        let ends = ends(&place, object, "close").unwrap_or_default();
        shared |= ends.texts.iter().any(|text| close.texts.contains(text));
    }
    // If every field has an opening delimiter, text between two fields is no content.
    if fields.iter().all(|(_, object)| object.contains_key("open") || object.contains_key("open_pattern")) {
        for anchor in &anchors {
            let bare = open.texts.iter().find_map(|text| anchor.strip_suffix(text.as_str())).unwrap_or(anchor);
            around.markers.push((bare.trim().to_string(), String::new()));
        }
    }
    around.put(&mut row);
    // The prompt, which is not part of the input, may have the opening delimiter. If the closing delimiter ends other
    // fields as well, the text before it may be such a field.
    row.missing_open = if absent || prefilled || !shared { Missing::Yes } else { Missing::No };
    Ok(row)
}

/// The delimiters around the answer.
struct AnswerDelimiters {
    wrappers: Vec<(String, String)>,
    markers: Vec<(String, String)>,
}

impl AnswerDelimiters {
    /// Adds delimiters of the answer. Those like HTML tags may be mentioned in an answer, so that they count only right
    /// behind the reasoning.
    fn answer(&mut self, open: &FieldDelimiter, close: &FieldDelimiter) {
        let plain = |text: &str| text.starts_with('<') && !text.contains(['|', '｜']);
        for (i, open) in open.texts.iter().enumerate() {
            let close = close.texts.get(i).or_else(|| close.texts.first()).filter(|_| plain(open));
            match close {
                Some(close) => self.wrappers.push((open.clone(), close.clone())),
                None => self.markers.push((open.clone(), String::new())),
            }
        }
        let wrapped = |text: &String| self.wrappers.iter().any(|(_, close)| close == text);
        let loose: Vec<String> = close.texts.iter().filter(|text| !wrapped(text)).cloned().collect();
        self.markers.extend(loose.into_iter().map(|close| (String::new(), close)));
    }

    /// Puts the delimiters into a row, except those of reasoning and tool calls.
    fn put(self, row: &mut Row) {
        let taken: Vec<String> = [&row.open, &row.close]
            .into_iter()
            .chain(row.opens.iter().chain(row.closes.iter()))
            .chain(row.tools.iter().flat_map(|(open, close)| [open, close]))
            .map(|text| text.to_string())
            .collect();
        let free = |text: &str| text.chars().count() >= MIN_DELIMITER_BYTES && !taken.iter().any(|other| other == text);
        let keep = |(open, close): &(String, String)| free(if open.is_empty() { close } else { open });
        let mut markers: Vec<_> = self.markers.into_iter().filter(keep).collect();
        markers.dedup();
        row.wrappers = pairs(self.wrappers.into_iter().filter(|(open, _)| free(open)).collect());
        row.markers = pairs(markers);
    }
}

fn pairs(all: Vec<(String, String)>) -> Pairs {
    Cow::Owned(all.into_iter().map(|(a, b)| (Cow::Owned(a), Cow::Owned(b))).collect())
}

/// Whether a row may be read as an HTML element, in any letter case and with attributes.
fn is_element(row: &Row) -> bool {
    let name = row.open.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
    let bare = row.opens.is_empty() && row.closes.is_empty() && row.framing.iter().all(|text| text.is_empty());
    let word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    bare && word && row.close == format!("</{name}>")
}

/// The delimiters of tool calls, as far as they are text.
fn tools(fields: &[(&str, &Map<String, Value>)]) -> Read<Pairs> {
    let mut out: Vec<(String, String)> = Vec::new();
    for (field, object) in fields.iter().filter(|(field, _)| field.starts_with("tool_call")) {
        let place = format!("response_template: fields: {field}");
        let (opens, closes) = (if_any(&place, object, "open")?, if_any(&place, object, "close")?);
        let long = |text: &String| text.chars().count() >= MIN_DELIMITER_BYTES;
        let begin = |s: &PatternSpelling| s.runs.first().filter(|text| !s.head && long(text)).cloned();
        let finish = |s: &PatternSpelling| s.runs.last().filter(|text| !s.tail && long(text)).cloned();
        let mut ends: Vec<Option<String>> = closes.iter().map(finish).collect();
        ends.dedup();
        let end = if let [Some(end)] = ends.as_slice() { end.clone() } else { String::new() };
        for open in opens.iter().filter_map(begin) {
            if out.iter().all(|(other, _)| *other != open) && out.len() < MAX_LIST_TEXTS {
                out.push((open, end.clone()));
            }
        }
    }
    Ok(pairs(out))
}

/// The texts behind which the assistant's message begins, as far as they are text.
fn anchors(template: &Map<String, Value>) -> Read<Vec<String>> {
    let all = if_any("response_template", template, "start_anchor")?;
    Ok(all.iter().filter_map(PatternSpelling::whole).filter(|text| !text.is_empty()).map(str::to_string).collect())
}

/// The delimiter at one side of a field, which must be text.
fn ends(place: &str, object: &Map<String, Value>, key: &str) -> Read<FieldDelimiter> {
    let mut out = FieldDelimiter::default();
    for spelling in spellings(place, object, key)? {
        let Some(text) = spelling.whole() else { return not_understood(place, object, key) };
        if text.is_empty() {
            out.absent |= !spelling.end;
        } else if !out.texts.iter().any(|other| other == text) {
            out.texts.push(text.to_string());
        }
        for (longest, space) in [(&mut out.before, &spelling.before), (&mut out.after, &spelling.after)] {
            if space.len() > longest.len() && !text.is_empty() {
                longest.clone_from(space);
            }
        }
    }
    Ok(out)
}

fn not_understood<T>(place: &str, object: &Map<String, Value>, key: &str) -> Read<T> {
    let pattern = object.get(&format!("{key}_pattern")).and_then(Value::as_str).unwrap_or_default();
    let understood = pattern::UNDERSTOOD;
    wrong(format!("{place}: {key}_pattern: {} is not understood; understood are {understood}", shown(pattern)))
}

/// The spellings under `key`, or under `key_pattern` as a regular expression.
fn spellings(place: &str, object: &Map<String, Value>, key: &str) -> Read<Vec<PatternSpelling>> {
    let under = format!("{key}_pattern");
    match (object.get(key), object.get(&under)) {
        (None, None) => Ok(Vec::new()),
        (Some(_), Some(_)) => wrong(format!("{place}: {key} and {under}: it is one of them")),
        (None, Some(Value::String(text))) => pattern::read(text).map_or_else(|| not_understood(place, object, key), Ok),
        (None, Some(_)) => wrong(format!("{place}: {under}: it is a string")),
        (Some(Value::String(text)), None) => Ok(vec![literal(text)]),
        (Some(Value::Array(all)), None) => {
            let text = |value: &Value| match value {
                Value::String(text) => Ok(literal(text)),
                _ => Err(TagFileError(format!("{place}: {key}: it is a string, or an array of strings"))),
            };
            all.iter().map(text).collect()
        }
        (Some(_), None) => wrong(format!("{place}: {key}: it is a string, or an array of strings")),
    }
}

/// The spellings of a key. For a pattern that cannot be read there are none, and no error.
fn if_any(place: &str, object: &Map<String, Value>, key: &str) -> Read<Vec<PatternSpelling>> {
    let pattern = object.get(&format!("{key}_pattern")).and_then(Value::as_str);
    if pattern.is_some_and(|pattern| pattern::read(pattern).is_none()) {
        return Ok(Vec::new());
    }
    spellings(place, object, key)
}

/// The spelling of a literal text; `eos` is the end of the text.
fn literal(text: &str) -> PatternSpelling {
    let trimmed = text.trim();
    let (before, after) = text.split_once(trimmed).unwrap_or_default();
    let end = text == "eos";
    let runs = if end || trimmed.is_empty() { Vec::new() } else { vec![trimmed.to_string()] };
    PatternSpelling { runs, before: before.into(), after: after.into(), end, ..PatternSpelling::default() }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// What a template with these fields comes to: its delimiters, then what else is special, as a line.
    fn line(fields: &str) -> String {
        let text = format!("{{\"start_anchor\":\"<|bot|>\",\"fields\":{{{fields}}}}}");
        let rows = match read(&text) {
            Err(e) => return e.to_string(),
            Ok(rows) => rows,
        };
        let join = |all: &[Cow<'_, str>]| all.iter().map(|t| format!("|{t}")).collect::<String>();
        let pairs = |name: &str, all: &Pairs| {
            let all: Vec<_> = all.iter().map(|(a, b)| format!("{a}…{b}")).collect();
            if all.is_empty() { String::new() } else { format!(" {name} {}", all.join(" ")) }
        };
        let row = |r: &Row| {
            let mut out = format!("{}{} {}{}", r.open, join(&r.opens), r.close, join(&r.closes));
            out += if r.word { " word" } else { "" };
            out += if r.missing_open == Missing::No { " opened" } else { "" };
            out += if r.headers.is_some() { " headers" } else { "" };
            if r.framing.iter().any(|f| !f.is_empty()) {
                out += &format!(" {:?}", r.framing);
            }
            out + &pairs("in", &r.wrappers) + &pairs("drop", &r.markers) + &pairs("tools", &r.tools)
        };
        rows.iter().map(row).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn templates_as_rows() {
        const THINK: &str = r#""thinking":{"open":"<think>","close":"</think>"}"#;
        for (fields, want) in [
            (THINK, "<think> </think> word drop <|bot|>…"),
            (r#""reasoning":{"open":["[a]","[b]"],"close":["[/a]","[/b]"]},"content":{}"#, "[a]|[b] [/a]|[/b]"),
            (
                r#""thought":{"open":"<think>\n","close":"\n</think>\n\n"},"content":{}"#,
                r#"<think> </think> ["\n", "\n", "\n\n"]"#,
            ),
            (
                r#""thinking":{"open_pattern":"<think>\\s*","close_pattern":"\\s*</think>|$"},"content":{}"#,
                "<think> </think> word",
            ),
            (
                r#""thinking":{"open_pattern":"<\\|t\\|>\\n?","close_pattern":"(?:<\\|/t\\|>|\\Z)"},"content":{}"#,
                r#"<|t|> <|/t|> ["\n", "", ""]"#,
            ),
            (&format!(r#"{THINK},"content":{{"close":"eos"}}"#), "<think> </think> word"),
            (&format!(r#"{THINK},"content":{{"close":["<|e|>","</s>"]}}"#), "<think> </think> word drop …<|e|> …</s>"),
            (
                &format!(r#"{THINK},"content":{{"open":"<answer>\n","close":"\n</answer>"}}"#),
                "<think> </think> word in <answer>…</answer> drop <|bot|>…",
            ),
            (&format!(r#"{THINK},"content":{{"close":"</think>"}}"#), "<think> </think> word opened"),
            (
                &format!(r#"{THINK},"content":{{}},"tool_calls":{{"open":"<f>","close":"</f>"}}"#),
                "<think> </think> word tools <f>…</f>",
            ),
            (
                &format!(
                    r#"{THINK},"content":{{}},"tool_calls":{{"open_pattern":"(?:<f>\\s*)?<g n=\"(?P<n>\\w+)\">","close_pattern":"\\s*</g>\\s*</f>"}}"#
                ),
                "<think> </think> word tools <f>…</f> <g n=\"…</f>",
            ),
            (
                &format!(r#"{THINK},"content":{{}},"tool_calls":{{"open_pattern":"(?i)<f>","close":"</f>"}}"#),
                "<think> </think> word",
            ),
            (
                &format!(
                    r#"{THINK},"content":{{}},"tool_calls":{{"open_pattern":"\\w+ <f>","close_pattern":"(?=x)"}}"#
                ),
                "<think> </think> word",
            ),
            (
                r#""thinking":{"open":"<|channel|>analysis<|message|>","close":"<|end|>"},"content":{"open_pattern":".*"}"#,
                "<|channel|>analysis<|message|> <|end|> opened headers",
            ),
            (
                r#""thinking":{"open":"[a]","close":"[/a]"},"reasoning":{"open":"[b]","close":"[/b]"},"content":{}"#,
                "[a] [/a]; [b] [/b]",
            ),
        ] {
            assert_eq!(line(fields), want, "{fields}");
        }
    }

    #[test]
    fn templates_that_are_refused() {
        for (fields, want) in [
            ("", "fields: no field is reasoning; its names are thinking, reasoning, "),
            (r#""content":{}"#, "fields: no field is reasoning"),
            (r#""thinking":1"#, "response_template: fields: thinking: it is an object"),
            (r#""thinking":{"opn":"a","close":"b"}"#, "fields: thinking: opn: no such member; did you mean open?"),
            (r#""thinking":{"close":"</think>"}"#, "fields: thinking: it has no opener"),
            (r#""thinking":{"open":"<think>"}"#, "fields: thinking: it has no closer"),
            (r#""thinking":{"open":"<think>","close":"eos"}"#, "fields: thinking: it has no closer"),
            (r#""thinking":{"open":"a","open_pattern":"b","close":"c"}"#, "open and open_pattern: it is one of them"),
            (r#""thinking":{"open":1,"close":"c"}"#, "thinking: open: it is a string, or an array of strings"),
            (r#""thinking":{"open":[1],"close":"c"}"#, "thinking: open: it is a string, or an array of strings"),
            (r#""thinking":{"open_pattern":["a"],"close":"c"}"#, "thinking: open_pattern: it is a string"),
            (
                r#""thinking":{"open_pattern":"<t\\w+>","close":"c"}"#,
                "thinking: open_pattern: <t\\w+> is not understood; understood are literal text",
            ),
            (r#""thinking":{"open":"a","close_pattern":"(?i)b"}"#, "thinking: close_pattern: (?i)b is not understood"),
            (
                r#""thinking":{"open":"a","close":"b"},"content":{"close_pattern":"[x]"}"#,
                "content: close_pattern: [x] is not understood",
            ),
            (r#""thinking":{"open":"a","close":"a"}"#, "row 1 (response-template): open: a is in close too"),
        ] {
            let got = line(fields);
            assert!(got.contains(want), "{fields}: {got}");
        }
        for (text, want) in [
            (r#"{"response_template":"{"}"#, "response_template: not JSON: "),
            (r#"{"response_template":[]}"#, "response_template: it is an object"),
            (r#"{"fields":[]}"#, "response_template: fields: it is an object of fields"),
            (r#"{"version":2,"fields":{}}"#, "response_template: version: 2 is not read; 1 is"),
            (r#"{"fields":{},"feilds":{}}"#, "response_template: feilds: no such member; did you mean fields?"),
            (r#"{"start_anchor":1,"fields":{"thinking":{"open":"a","close":"b"}}}"#, "start_anchor: it is a string"),
        ] {
            let got = read(text).unwrap_err().to_string();
            assert!(got.contains(want), "{text}: {got}");
        }
    }

    #[test]
    fn where_a_template_stands_and_what_it_is_called() {
        let inner = r#"{"fields":{"thinking":{"open":"[a]","close":"[/a]"}}}"#;
        let string = serde_json::to_string(inner).unwrap();
        for (text, name) in [
            (inner.to_string(), NAME),
            (format!("{{\"response_template\":{inner}}}"), NAME),
            (format!("{{\"response_template\":{string},\"eos_token\":\"x\"}}"), NAME),
            (format!("{{\"response_template\":{inner},\"name\":\"n\",\"response_schema\":{{}}}}"), "n"),
            (inner.replacen('{', "{\"name\":\"m\",", 1), "m"),
        ] {
            let rows = read(&text).unwrap();
            assert_eq!((&*rows[0].name, &*rows[0].open), (name, "[a]"), "{text}");
        }
    }
}
