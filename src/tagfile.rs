//! Rows of the tag table as JSON text: a user's own rows, and those made of a `response_template` of Hugging Face.
//!
//! A row that could never match, or only where nothing is searched, is an error here: later nobody would notice that
//! reasoning stays. The examples of a row are checked before it is used.

mod own;
mod pattern;
mod template;

use crate::dialect::{Foreign, Pass, ReadOptions};
use crate::engine::{Engine, EngineOptions};
use crate::frame::Framing;
use crate::inline::{Row, TAGS, Tags, UnsoundRow, sound};
use crate::out::Sinks;
use crate::printable::shown;
use crate::split::{Report, ReportOptions};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fmt;

/// The error of a tag file: a plain sentence that names the row and its member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagFileError(String);

impl fmt::Display for TagFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TagFileError {}

type Read<T> = Result<T, TagFileError>;

fn wrong<T>(what: impl Into<String>) -> Read<T> {
    Err(TagFileError(what.into()))
}

/// The rows of a file: an array of rows, an object with `tags`, one row, a `response_template`, or an object that has
/// one, such as a `tokenizer_config.json`.
///
/// # Errors
/// When the text is none of these, a row is not valid, two have the same name, or an example fails.
pub fn read(text: &str) -> Result<Vec<Row>, TagFileError> {
    let json = text.strip_prefix('\u{feff}').unwrap_or(text);
    if json.trim().is_empty() {
        return wrong("the file is empty; it holds rows of the tag table as JSON");
    }
    let value: Value = serde_json::from_str(json).map_err(|e| TagFileError(format!("not JSON: {e}")))?;
    let rows = match &value {
        Value::Array(rows) => own::rows(rows)?,
        Value::Object(object) => in_object(object)?,
        _ => return wrong("it is an array of rows of the tag table, an object with tags, or a response_template"),
    };
    if rows.is_empty() {
        return wrong("there is no row in it");
    }
    let mut names = HashSet::new();
    for (i, row) in rows.iter().enumerate() {
        if !names.insert(&row.name) {
            return wrong(format!("row {}: {}: there are two rows with that name", i + 1, shown(&row.name)));
        }
        sound(row).map_err(|UnsoundRow(e)| TagFileError(format!("row {} ({}): {e}", i + 1, shown(&row.name))))?;
    }
    proven(&rows)?;
    Ok(rows)
}

fn in_object(object: &Map<String, Value>) -> Read<Vec<Row>> {
    let has = |key: &str| object.get(key).is_some_and(|value| !value.is_null());
    let name = |object: &Map<String, Value>| object.get("name").and_then(Value::as_str).map(str::to_string);
    if has("response_template") {
        let inner: Value;
        let template = match &object["response_template"] {
            Value::String(text) => {
                let read = serde_json::from_str(text);
                inner = read.map_err(|e| TagFileError(format!("response_template: not JSON: {e}")))?;
                &inner
            }
            value => value,
        };
        let Value::Object(template) = template else { return wrong("response_template: it is an object") };
        return template::rows(template, name(template).or_else(|| name(object)));
    }
    if has("response_schema") || has("x-regex") || has("x-regex-iterator") || has("properties") {
        return wrong(
            "response_schema, the older format, is not read; a response_template is, and rows of your own are",
        );
    }
    if has("fields") || has("start_anchor") || has("start_anchor_pattern") {
        return template::rows(object, name(object));
    }
    if let Some(tags) = object.get("tags") {
        if let Some(key) = object.keys().find(|key| *key != "tags") {
            return wrong(format!("{}: no such member beside tags", shown(key)));
        }
        let Value::Array(rows) = tags else { return wrong("tags: it is an array of rows") };
        return own::rows(rows);
    }
    if has("tokenizer_class") || has("added_tokens_decoder") || has("chat_template") {
        return wrong("there is no response_template in it; rows of your own say where reasoning begins and ends");
    }
    Ok(vec![own::row(&Value::Object(object.clone()), 1)?])
}

/// Checks every example: with the rows of the file and the table that are in force by default; or, for another row,
/// with that row alone.
fn proven(rows: &[Row]) -> Read<()> {
    let table = TAGS.iter().filter(|row| row.default && rows.iter().all(|other| other.name != row.name));
    let mine = || rows.iter().filter(|row| row.default);
    let all = Tags::new(mine().chain(table).take(Tags::MAX_ROWS).cloned().collect());
    let last = mine().take(Tags::MAX_ROWS).last().map(|row| &row.name);
    let mut together = last.is_some();
    for row in rows {
        let alone;
        let tags = if row.default && together {
            together = last != Some(&row.name);
            &all
        } else {
            alone = Tags::new(vec![row.clone()]);
            &alone
        };
        for (i, (text, want)) in row.examples.iter().enumerate() {
            let got = visible(tags, text);
            if got != *want {
                let [text, got, want] = [text, &*got, want].map(quoted);
                let row = shown(&row.name);
                return wrong(format!("row {row}: example {}: of {text} {got} is visible, not {want}", i + 1));
            }
        }
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    let text = shown(text);
    if text == "\"\"" { text } else { format!("\"{text}\"") }
}

/// The visible text of a text, as `split` returns it.
fn visible(tags: &Tags, text: &str) -> String {
    // An example proves a row of tags: other formats are not looked for in it.
    let read = ReadOptions { foreign: Foreign::Unwatched, ..ReadOptions::default() };
    let options = EngineOptions {
        framing: Some(Framing::Text),
        read,
        max_record: usize::MAX,
        stop: false,
        pass: Pass::default(),
    };
    let show = ReportOptions { text: true, visible: true, join: "\n".into(), ..ReportOptions::default() };
    let mut engine = Engine::new(tags, options, Report::new(show));
    let mut sinks = Sinks::default();
    engine.push(text.as_bytes(), &mut sinks);
    engine.finish(&mut sinks);
    let mut out = String::from_utf8_lossy(&sinks.out).into_owned();
    // After a cut, the ends are trimmed, and the line end of the input is added again.
    if out != text && text.ends_with('\n') {
        out.truncate(out.strip_suffix('\n').unwrap_or(&out).len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::{Blocks, MAX_LIST_TEXTS, Missing, Unclosed};

    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn a_row_and_its_members() {
        let text = r#"{"open":"[a]","close":"[/a]","opens":["[A]"],"closes":["[/A]"],"labels":["x"],"framing":["\n","","\n\n"],
            "loose":true,"phrase":true,"missing_open":"alone","unclosed":"error","blocks":"one","wrappers":[["(",")"],"["],
            "markers":["<e>",["<s>",""]],"tools":["<t>",["<u>","</u>"]],"default":false}"#;
        let rows = read(text).unwrap();
        let [row] = rows.as_slice() else { panic!("{rows:?}") };
        assert_eq!((&*row.name, &*row.open, &*row.close), ("[a],[/a]", "[a]", "[/a]"));
        assert_eq!(
            (&row.opens[..], &row.closes[..], &row.labels[..]),
            (&["[A]".into()][..], &["[/A]".into()][..], &["x".into()][..])
        );
        assert_eq!(row.framing, ["\n", "", "\n\n"]);
        assert!(row.loose && row.phrase && !row.word && !row.suffix && !row.strict && !row.default);
        assert_eq!((row.missing_open, row.unclosed, row.blocks), (Missing::Alone, Unclosed::Error, Blocks::One));
        assert_eq!(row.wrappers[..], [("(".into(), ")".into()), ("[".into(), "".into())]);
        assert_eq!(row.markers[..], [("".into(), "<e>".into()), ("<s>".into(), "".into())]);
        assert_eq!(row.tools[..], [("<t>".into(), "".into()), ("<u>".into(), "</u>".into())]);
        let plain = read(r#"[{"open":"a b","close":"c","framing":{"before_close":"\n"}}]"#).unwrap();
        let want = Row { framing: ["".into(), "\n".into(), "".into()], ..Row::custom("a b", "c") };
        assert_eq!(plain, [want]);
        assert_eq!(read("\u{feff}{\"tags\":[{\"open\":\"a\",\"close\":\"b\"}]}").unwrap(), [Row::custom("a", "b")]);
    }

    /// The members of a row that is else right.
    fn with(member: &str) -> String {
        refused(&format!("[{{\"open\":\"[a]\",\"close\":\"[/a]\",{member}}}]"))
    }

    #[test]
    fn files_that_are_refused() {
        for (text, want) in [
            ("", "the file is empty"),
            (" \n", "the file is empty"),
            ("<think>", "not JSON: expected value at line 1 column 1"),
            ("3", "an array of rows of the tag table, an object with tags, or a response_template"),
            ("[]", "there is no row in it"),
            ("{\"tags\":[]}", "there is no row in it"),
            ("{\"tags\":{}}", "tags: it is an array of rows"),
            ("{\"tags\":[],\"tagz\":1}", "tagz: no such member beside tags"),
            ("[1]", "row 1: a row is an object"),
            ("{}", "row 1: open: it is missing"),
            ("[{\"open\":\"a\",\"close\":\"b\"},{\"open\":\"c\"}]", "row 2 (c): close: it is missing"),
            ("{\"open\":\"\",\"close\":\"b\"}", "open: it is empty"),
            ("{\"open\":\" \",\"close\":\"b\"}", "open: white space alone is no delimiter"),
            ("{\"open\":\"a\",\"close\":\"\"}", "close: it is empty"),
            ("{\"open\":\"a\",\"close\":\"a\"}", "open: a is in close too; a delimiter opens or closes"),
            ("{\"open\":1,\"close\":\"a\"}", "row 1: open: it is a string, not a number"),
            (
                "[{\"open\":\"a\",\"close\":\"b\"},{\"open\":\"a\",\"close\":\"b\"}]",
                "row 2: a,b: there are two rows with that name",
            ),
            ("{\"opne\":\"a\",\"close\":\"b\"}", "row 1: opne: no such member; did you mean open?"),
            ("{\"tokenizer_class\":\"x\"}", "there is no response_template in it"),
            ("{\"response_schema\":{}}", "response_schema, the older format, is not read"),
            (
                "{\"x-regex\":\"a\",\"type\":\"object\",\"properties\":{}}",
                "response_schema, the older format, is not read",
            ),
        ] {
            let got = refused(text);
            assert!(got.contains(want) && !got.contains('\n'), "{text}: {got}");
        }
    }

    #[test]
    fn members_that_are_refused() {
        let many = format!("\"opens\":[{}\"x\"]", "\"x\",".repeat(MAX_LIST_TEXTS));
        let long = format!("\"opens\":[\"{}\"]", "x".repeat(65));
        for (member, want) in [
            ("\"name\":\"\"", "row 1 (\"\"): name: it is empty"),
            ("\"name\":\"n\",\"word\":1", "row 1 (n): word: it is true or false, not a number"),
            ("\"word\":true", "row 1 ([a],[/a]): word: [a] and [/a] are not <NAME> and </NAME>"),
            ("\"suffix\":true", "suffix: it goes with word"),
            ("\"opens\":\"x\"", "opens: it is an array of strings, not a string"),
            ("\"opens\":[1]", "opens: it is a string, not a number"),
            ("\"opens\":[\"[/a]\"]", "opens: [/a] is in close too"),
            ("\"closes\":[\"\\n\"]", "closes: white space alone is no delimiter"),
            ("\"labels\":[\"\"]", "labels: a label is not empty"),
            ("\"opens\":[\" b\"]", "opens:  b: white space, quotes and backslashes do not begin a delimiter"),
            ("\"tools\":[\"\\\"b\"]", "tools: \"b: white space, quotes and backslashes do not begin a delimiter"),
            ("\"opens\":[\"b\\u001b\"]", "opens: b\\u{1b}: control characters are in no delimiter"),
            (&many, "opens: at most 16"),
            (&long, "longer than 64 bytes, with what goes with it"),
            (
                "\"framing\":[\"\\n\"]",
                "framing: it is an array of three strings: after_open, before_close, after_close",
            ),
            ("\"framing\":{\"after\":\"\\n\"}", "framing: after: no such member; did you mean after_open?"),
            ("\"framing\":{\"after_open\":1}", "framing: after_open: it is a string, not a number"),
            ("\"missing_open\":\"yes\"", "missing_open: yes is not allowed; allowed is true, false, \"alone\""),
            ("\"missing_open\":1", "missing_open: it is true, false or \"alone\", not a number"),
            ("\"unclosed\":\"visibel\"", "allowed is visible, reasoning, error; did you mean visible?"),
            ("\"blocks\":\"two\"", "blocks: two is not allowed; allowed is one, all"),
            ("\"wrappers\":[[\"\",\"x\"]]", "wrappers: a pair has an opener"),
            ("\"wrappers\":{}", "wrappers: it is an array of pairs, not an object"),
            ("\"markers\":[[\"\",\"\"]]", "markers: a pair is not empty on both sides"),
            ("\"markers\":[1]", "markers: pair 1: it is an array of two strings, not a number"),
            ("\"tools\":[[\"a\",\"b\"],[\"a\"]]", "tools: pair 2: it is an array of two strings"),
            ("\"tools\":[[\"\",\"b\"]]", "tools: a pair has an opener"),
            ("\"examples\":[\"a\"]", "examples: pair 1: it is an array of two strings, not a string"),
            ("\"headers\":true", "headers: what the header of a message may say is known for rows of the table only"),
            ("\"headers\":0", "headers: it is true or false, not a number"),
            (
                "\"examples\":[[\"x\",\"x\"],[\"[a]r[/a]b\",\"r\"]]",
                "example 2: of \"[a]r[/a]b\" \"b\" is visible, not \"r\"",
            ),
            (
                "\"examples\":[[\"[a]r[/a]\",\"r\"]]",
                "row [a],[/a]: example 1: of \"[a]r[/a]\" \"\" is visible, not \"r\"",
            ),
            ("\"\\u001b\":1", "\\u{1b}: no such member"),
        ] {
            let got = with(member);
            assert!(got.contains(want) && !got.contains('\n') && !got.contains('\u{1b}'), "{member}: {got}");
        }
        for member in [
            "opens\":[\"<b>\"]",
            "labels\":[\"x\"]",
            "framing\":[\"\\n\",\"\",\"\"]",
            "loose\":true",
            "phrase\":true",
            "strict\":true",
        ] {
            let got = refused(&format!("{{\"open\":\"<a>\",\"close\":\"</a>\",\"word\":true,\"{member}}}"));
            assert!(got.contains("it does not go with word"), "{member}: {got}");
        }
    }

    #[test]
    fn examples_are_read_as_split_reads() {
        for (member, text, want) in [
            ("", "a\\n\\n[a]r[/a]\\n\\nb\\n", "a\\n\\nb"),
            ("", "no delimiter\\n", "no delimiter\\n"),
            ("\"unclosed\":\"visible\",", "[a]r", "[a]r"),
            ("", "[a]r[/a]b `<think>`", "b `<think>`"),
            ("", "[a]r[/a]b<think>s</think>c", "bc"),
            ("\"default\":false,", "[a]r[/a]b<think>s</think>c", "b<think>s</think>c"),
            ("\"missing_open\":true,", "r[/a]b", "b"),
        ] {
            let row = format!("{{\"open\":\"[a]\",\"close\":\"[/a]\",{member}\"examples\":[[\"{text}\",\"{want}\"]]}}");
            assert!(read(&row).is_ok(), "{row}: {:?}", read(&row));
        }
    }
}
