//! What programs put around a record: logs, lists, strings, tables, other languages.

use super::plant::{Kind, Record, string_end};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A name, and the record in its envelope. `None`: the envelope does not fit this kind of record.
pub(super) type Envelope = (&'static str, fn(&Record) -> Option<String>);

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// Each unit in a form of its own. Not for texts.
fn each(record: &Record, form: impl Fn(&str) -> String) -> Option<String> {
    (record.kind != Kind::Text).then(|| record.units.iter().map(|unit| form(unit)).collect())
}

/// Each unit, or the text, as a string of JSON.
fn string(record: &Record, form: impl Fn(&str) -> String) -> Option<String> {
    Some(record.units.iter().map(|unit| form(&quoted(unit))).collect())
}

/// A list of the units, if there are several, else the one.
fn whole(record: &Record) -> String {
    match record.units.as_slice() {
        [one] => one.clone(),
        many => format!("[{}]", many.join(",")),
    }
}

fn value(record: &Record, form: impl Fn(&str) -> String) -> Option<String> {
    (record.kind != Kind::Text).then(|| form(&whole(record)))
}

/// As a program that indents would have written it.
fn pretty(json: &str) -> String {
    let (bytes, mut at, mut depth, mut out) = (json.as_bytes(), 0, 0_usize, String::new());
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    while at < bytes.len() {
        let end = if bytes[at] == b'"' { string_end(bytes, at) } else { at + 1 };
        let empty = matches!(bytes.get(at + 1), Some(b'}' | b']'));
        if matches!(bytes[at], b'}' | b']') && !matches!(bytes[at - 1], b'{' | b'[') {
            depth -= 1;
            line(&mut out, depth);
        }
        out.push_str(&json[at..end]);
        match bytes[at] {
            b'{' | b'[' if !empty => {
                depth += 1;
                line(&mut out, depth);
            }
            b',' => line(&mut out, depth),
            b':' => out.push(' '),
            _ => (),
        }
        at = end;
    }
    out
}

/// As `jq -C` colours it.
fn coloured(json: &str) -> String {
    let (text, mut at, mut out) = (pretty(json), 0, String::new());
    while at < text.len() {
        let b = text.as_bytes()[at];
        if b == b'"' {
            let end = string_end(text.as_bytes(), at);
            let colour = if text[end..].starts_with(':') { "34;1" } else { "0;32" };
            let _ = write!(out, "\u{1b}[{colour}m{}\u{1b}[0m", &text[at..end]);
            at = end;
        } else {
            let next = text[at + 1..].find('"').map_or(text.len(), |n| at + 1 + n);
            let _ = write!(out, "\u{1b}[1;39m{}\u{1b}[0m", &text[at..next]);
            at = next;
        }
    }
    out
}

fn entities(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The record as it would have come over the wire.
fn wire(record: &Record) -> String {
    match record.kind {
        Kind::Sse => record.units.iter().map(|unit| format!("data: {unit}\n\n")).collect(),
        Kind::Json => record.units.iter().map(|unit| format!("{unit}\n")).collect(),
        Kind::Text => record.units[0].clone(),
    }
}

/// A line of JSON with a member that is a text.
fn member(name: &str, text: &str) -> String {
    format!("{}\n", json!({"id":7,name:text}))
}

fn notebook(record: &Record) -> Option<String> {
    let text = if record.kind == Kind::Text { record.units[0].clone() } else { pretty(&whole(record)) };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let book = json!({"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{"cell_type":"code","execution_count":1,
        "metadata":{},"source":["ask()"],"outputs":[{"output_type":"stream","name":"stdout","text":lines}]}]});
    Some(serde_json::to_string_pretty(&book).unwrap() + "\n")
}

fn har(record: &Record) -> Option<String> {
    let entry = json!({"request":{"method":"POST","url":"https://api.example.com/v1"},
        "response":{"status":200,"content":{"mimeType":"application/json","text":wire(record)}}});
    Some(format!("{}\n", json!({"log":{"version":"1.2","creator":{"name":"proxy"},"entries":[entry]}})))
}

fn span(record: &Record) -> Option<String> {
    let attributes: Vec<Value> = ["gen_ai.completion", "output.value"]
        .iter()
        .map(|key| json!({"key":key,"value":{"stringValue":whole_text(record)}}))
        .collect();
    Some(format!("{}\n", json!({"traceId":"4bf9","spanId":"00f0","name":"chat m","attributes":attributes})))
}

fn whole_text(record: &Record) -> String {
    if record.kind == Kind::Text { record.units[0].clone() } else { whole(record) }
}

/// Not for deltas: what opened the reasoning may be cut off, and nobody can know it then.
fn cut_front(record: &Record) -> Option<String> {
    if record.kind == Kind::Sse || record.units.iter().any(|unit| unit.contains("delta\"")) {
        return None;
    }
    let text = pretty(&value(record, str::to_string)?);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    (lines.len() > 5).then(|| lines[lines.len() / 3..].concat() + "\n")
}

pub(super) const ENVELOPES: [Envelope; 47] = [
    ("lines", |r| each(r, |u| format!("{u}\n"))),
    ("as it came over the wire", |r| Some(wire(r))),
    ("pretty", |r| each(r, |u| pretty(u) + "\n")),
    ("array", |r| (r.kind != Kind::Text).then(|| format!("[{}]\n", r.units.join(",\n")))),
    ("request and response", |r| {
        each(r, |u| format!("{{\"request\":{{\"model\":\"m\"}},\"response\":{u},\"ms\":31}}\n"))
    }),
    ("data", |r| each(r, |u| format!("{{\"data\":{u}}}\n"))),
    ("result, pretty", |r| value(r, |v| pretty(&format!("{{\"id\":7,\"result\":{v}}}")) + "\n")),
    ("two levels down", |r| each(r, |u| format!("{{\"ts\":1,\"event\":{{\"kind\":\"llm\",\"payload\":{u}}}}}\n"))),
    ("string body", |r| string(r, |s| format!("{{\"status\":200,\"body\":{s}}}\n"))),
    ("string log", |r| {
        string(r, |s| format!("{{\"log\":{s},\"stream\":\"stdout\",\"time\":\"2026-03-01T08:00:00Z\"}}\n"))
    }),
    ("string content", |r| string(r, |s| format!("{{\"role\":\"assistant\",\"content\":{s}}}\n"))),
    ("string message", |r| string(r, |s| format!("{{\"level\":\"info\",\"message\":{s}}}\n"))),
    ("string behind INFO", |r| {
        each(r, |u| format!("{}\n", json!({"level":"info","message":format!("INFO response: {u}")})))
    }),
    ("journal", |r| each(r, |u| format!("{}\n", json!({"_PID":"41","MESSAGE":format!("answer {u}"),"PRIORITY":"6"})))),
    ("string of a string", |r| string(r, |s| format!("{{\"id\":7,\"log\":{}}}\n", quoted(&quoted(s))))),
    ("doubly encoded", |r| string(r, |s| format!("{{\"id\":7,\"payload\":{}}}\n", quoted(s)))),
    ("whole body in a string", |r| Some(member("body", &wire(r)))),
    ("log line", |r| each(r, |u| format!("2026-03-01T08:00:00Z INFO client: {u}\n"))),
    ("docker compose", |r| each(r, |u| format!("web_1  | {u}\n"))),
    ("kubernetes", |r| each(r, |u| format!("2026-03-01T08:00:00.000000000Z stdout F {u}\n"))),
    ("grep", |r| each(r, |u| format!("logs/a.jsonl:12:{u}\n"))),
    ("behind a line of text", |r| value(r, |v| format!("Here is the response:\n{v}\n"))),
    ("pretty, behind a line of text", |r| value(r, |v| format!("Here is the response:\n\n{}\n", pretty(v)))),
    ("pretty, its front cut off", cut_front),
    ("events", |r| each(r, |u| format!("data: {u}\n\n"))),
    ("named events", |r| each(r, |u| format!("event: message\nid: 4\ndata: {u}\n\n"))),
    ("events behind a line of text", |r| {
        each(r, |u| format!("data: {u}\n\n")).map(|s| format!("connected to host\n{s}"))
    }),
    ("record separators", |r| each(r, |u| format!("\u{1e}{u}\n"))),
    ("CSV", |r| {
        let cell = |u: &String| format!("7,\"{}\",2026-03-01\n", u.replace('"', "\"\""));
        Some(format!("id,record,day\n{}", r.units.iter().map(cell).collect::<String>()))
    }),
    ("CSV without header", |r| each(r, |u| format!("7,\"{}\",2026-03-01\n", u.replace('"', "\"\"")))),
    ("TSV", |r| each(r, |u| format!("7\t{u}\t2026-03-01\n")).map(|s| format!("id\trecord\tday\n{s}"))),
    ("TSV without header", |r| each(r, |u| format!("7\t{u}\t2026-03-01\n"))),
    ("logfmt", |r| string(r, |s| format!("level=info ts=2026-03-01T08:00:00Z response={s}\n"))),
    ("YAML string", |r| each(r, |u| format!("- id: 7\n  record: '{}'\n", u.replace('\'', "''")))),
    ("YAML flow", |r| value(r, |v| format!("id: 7\nrecord: {v}\n"))),
    ("YAML block", |r| value(r, |v| format!("id: 7\nrecord: |\n  {}\n", pretty(v).replace('\n', "\n  ")))),
    ("SQL", |r| each(r, |u| format!("INSERT INTO log (id, body) VALUES (7, '{}');\n", u.replace('\'', "''")))),
    ("XML", |r| each(r, |u| format!("<record id=\"7\">{}</record>\n", entities(u)))),
    ("HTTP", |r| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Sun, 01 Mar 2026 08:00:00 GMT\r\n\r\n";
        (r.kind != Kind::Text).then(|| format!("{head}{}", wire(r)))
    }),
    ("curl -v", |r| {
        let head =
            "> POST /v1 HTTP/1.1\n> Host: api.example.com\n>\n< HTTP/1.1 200 OK\n< Content-Type: application/json\n<\n";
        (r.kind != Kind::Text).then(|| format!("{head}{}", wire(r)))
    }),
    ("jq -C", |r| each(r, |u| coloured(u) + "\n")),
    ("string of parts", |r| {
        let parts = if r.kind == Kind::Text { return None } else { format!("[{}]", r.units.join(",")) };
        Some(format!("{}\n", json!({"id":7,"session":"s","role":"assistant","parts":parts})))
    }),
    ("ShareGPT value", |r| {
        let turns = json!([{"from":"human","value":"Hi"},{"from":"gpt","value":whole_text(r)}]);
        Some(format!("{}\n", json!({"conversations":turns})))
    }),
    ("notebook", notebook),
    ("batch", |r| {
        each(r, |u| {
            format!(
                "{{\"id\":\"b1\",\"custom_id\":\"q1\",\"response\":{{\"status_code\":200,\"body\":{u}}},\"error\":null}}\n"
            )
        })
    }),
    ("HAR", har),
    ("span", span),
];

/// The lines of a stream of events, each a string of its own.
fn event_lines(record: &Record) -> Option<String> {
    let lines: Vec<String> = record.units.iter().map(|unit| format!("data: {unit}")).collect();
    (record.kind == Kind::Sse).then(|| format!("{}\n", json!({"url":"/v1","chunks":lines})))
}

/// As Python prints a value.
fn python(json: &str) -> String {
    let (bytes, mut at, mut out) = (json.as_bytes(), 0, String::new());
    while at < bytes.len() {
        if bytes[at] == b'"' {
            let end = string_end(bytes, at);
            let text: String = serde_json::from_str(&json[at..end]).unwrap_or_default();
            let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
            let _ = write!(out, "'{text}'");
            at = end;
            continue;
        }
        let rest = &json[at..];
        let word = [("true", "True"), ("false", "False"), ("null", "None")].into_iter().find(|w| rest.starts_with(w.0));
        match (word, bytes[at]) {
            (Some((from, to)), _) => {
                out.push_str(to);
                at += from.len();
                continue;
            }
            (None, b @ (b',' | b':')) => {
                out.push(b as char);
                out.push(' ');
            }
            (None, b) => out.push(b as char),
        }
        at += 1;
    }
    out
}

fn members(record: &Record, form: impl Fn(usize, &str) -> String) -> Option<String> {
    let members = record.units.iter().enumerate().map(|(n, unit)| form(n, unit));
    (record.kind != Kind::Text).then(|| members.collect::<Vec<_>>().join(","))
}

/// More programs, and more ways to write a log.
pub(super) const OTHERS: [Envelope; 28] = [
    ("numbered lines", |r| {
        let line = |(n, unit): (usize, &String)| format!("{n:>6}\t{unit}\n");
        (r.kind != Kind::Text).then(|| r.units.iter().enumerate().map(line).collect())
    }),
    ("session of a shell", |r| value(r, |v| format!("$ curl -s https://api.example.com/v1 -d @q.json\n{v}\n$ exit\n"))),
    ("events without a blank", |r| each(r, |u| format!("data:{u}\n\n"))),
    ("a comment before events", |r| each(r, |u| format!("data: {u}\n\n")).map(|s| format!(": connected\n\n{s}"))),
    ("lines of events in a list", event_lines),
    ("event in a string", |r| each(r, |u| format!("{}\n", json!({"n":1,"chunk":format!("data: {u}\n\n")})))),
    ("by identifier", |r| members(r, |n, u| format!("\"r{n}\":{u}")).map(|s| format!("{{{s}}}\n"))),
    ("list of pairs", |r| members(r, |n, u| format!("[\"r{n}\",{u}]")).map(|s| format!("[{s}]\n"))),
    ("list of strings", |r| members(r, |_, u| quoted(u)).map(|s| format!("[{s}]\n"))),
    ("search hit", |r| each(r, |u| format!("{{\"_index\":\"llm\",\"_id\":\"1\",\"_score\":1.0,\"_source\":{u}}}\n"))),
    ("bulk", |r| each(r, |u| format!("{{\"index\":{{\"_index\":\"llm\"}}}}\n{u}\n"))),
    ("document", |r| each(r, |u| format!("{{\"_id\":{{\"$oid\":\"65f0c0de65f0c0de65f0c0de\"}},\"doc\":{u}}}\n"))),
    ("syslog", |r| each(r, |u| format!("<14>Mar  1 08:00:00 host app[41]: {u}\n"))),
    ("fluentd", |r| each(r, |u| format!("2026-03-01T08:00:00+00:00\tapp.llm\t{u}\n"))),
    ("CI log", |r| each(r, |u| format!("2026-03-01T08:00:00.0000000Z {u}\n"))),
    ("key and value", |r| each(r, |u| format!("k1\t{u}\n"))),
    ("cassette", |r| {
        let body = |unit: &String| {
            format!(
                "- response:\n    body:\n      string: '{}'\n    status:\n      code: 200\n",
                unit.replace('\'', "''")
            )
        };
        let all: String = r.units.iter().map(body).collect();
        (r.kind != Kind::Text).then(|| format!("interactions:\n{all}version: 1\n"))
    }),
    ("YAML in quotes", |r| string(r, |s| format!("- id: 7\n  record: {s}\n"))),
    ("TOML", |r| each(r, |u| format!("[[log]]\nid = 7\nrecord = '''{u}'''\n"))),
    ("INI", |r| each(r, |u| format!("[7]\nresponse={u}\n"))),
    ("diff", |r| each(r, |u| format!("+{u}\n")).map(|s| format!("--- a/log\n+++ b/log\n@@ -1,0 +1,9 @@\n{s}"))),
    ("repr of Python", |r| each(r, |u| format!("{}\n", python(u)))),
    ("repr behind a name", |r| each(r, |u| format!("response = {}\n", python(u)))),
    ("behind a comment", |r| value(r, |v| format!("// what came back\n{v}\n"))),
    ("followed by words", |r| each(r, |u| format!("{u} took 3 s\n"))),
    ("page", |r| value(r, |v| format!("<html><body><pre>{}</pre></body></html>\n", entities(&pretty(v))))),
    ("text part", |r| each(r, |u| format!("{}\n", json!({"role":"assistant","content":[{"type":"text","text":u}]})))),
    ("observation", observation),
];

/// What came in, and what came out.
fn observation(record: &Record) -> Option<String> {
    value(record, |v| {
        format!(
            "{{\"id\":7,\"type\":\"GENERATION\",\"input\":[{{\"role\":\"user\",\"content\":\"Hi\"}}],\"output\":{v}}}\n"
        )
    })
}
