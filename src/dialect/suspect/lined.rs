//! A value of JSON that was printed over several lines, each of which a log has put into a record of its own: `{"log":"{\n"}`,
//! `{"log":"  \"thought\": true\n"}`.

use super::Search;
use super::pieces::leaves_of;
use crate::dialect::line::brackets;
use crate::json::text;
use memchr::memchr2_iter;

/// The values that have begun.
#[derive(Default)]
pub(in crate::dialect) struct Lined {
    open: Vec<LinedValue>,
}

/// A value, as far as it has come.
struct LinedValue {
    /// A hash of the keys that lead to its lines.
    path: u64,
    text: Vec<u8>,
    /// How many of its brackets are open.
    depth: usize,
}

/// How many values are followed at a time, and how long each may be, in bytes.
const MAX_VALUES: usize = 8;
const MAX_VALUE_BYTES: usize = 64 * 1024;

/// What may stand between the bracket that ends the first line of a value and the end of the string that this line is in.
const LINE_ENDS: [&[u8]; 3] = [b"\"", b"\\n\"", b"\\r\\n\""];

/// Whether a record may have a string that is the first line of a value: a quick check before the exact one.
fn may_begin(record: &[u8]) -> bool {
    memchr2_iter(b'{', b'[', record).any(|at| {
        let behind = LINE_ENDS.iter().find_map(|end| record[at + 1..].strip_prefix(*end));
        // The quote ends a string, and begins no key.
        behind.is_some_and(|rest| matches!(rest.trim_ascii_start().first(), Some(b',' | b'}' | b']')))
    })
}

impl Lined {
    /// Reads the next record. Returns the first place in it that is the last line of a value with reasoning: the string's quote.
    pub fn record(&mut self, record: &[u8], search: &mut Search) -> Option<usize> {
        if self.open.is_empty() && !may_begin(record) {
            return None;
        }
        let mut leaves = Vec::new();
        leaves_of(record, 0, &mut leaves, &mut Vec::new());
        let mut found = None;
        for leaf in leaves {
            let plain = text::decoded(leaf.literal.raw(record));
            if self.line(leaf.path, &plain, search) {
                found = found.or(Some(leaf.literal.start - 1));
            }
        }
        found
    }

    /// Reads a line. Returns whether it ends a value with reasoning: only all of a value says whether it is one of a model.
    fn line(&mut self, path: u64, line: &[u8], search: &mut Search) -> bool {
        let Some(at) = self.open.iter().position(|value| value.path == path) else {
            let line = line.trim_ascii();
            if matches!(line.last(), Some(b'{' | b'[')) && self.open.len() < MAX_VALUES {
                self.open.push(LinedValue { path, text: line[line.len() - 1..].to_vec(), depth: 1 });
            }
            return false;
        };
        let value = &mut self.open[at];
        value.text.push(b'\n');
        value.text.extend_from_slice(line);
        value.depth = brackets(line, value.depth);
        if value.depth > 0 && value.text.len() < MAX_VALUE_BYTES {
            return false;
        }
        let value = self.open.swap_remove(at);
        search.record(&value.text).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::Tags;

    #[test]
    fn values_line_by_line() {
        let mut search = Search::new(&Tags::default());
        for (lines, want) in [
            (&["Got: {", " \"text\": \"Low pressure.\",", " \"thought\": true", "}", "Rain."][..], "...+."),
            (&["{", " \"text\": \"Rain.\",", " \"thought\": false", "}", "{}"], "....."),
            (&["[", " {", "  \"type\": \"thinking\",", "  \"thinking\": \"Low pressure.\"", " }", "]", "x"], ".....+."),
            (&["if a {", "  x", "\"thinking\": \"Low pressure.\"", "}"], "...."),
            (
                &[
                    "{",
                    " \"reasoning\": {",
                    "  \"description\": \"Why it is so.\",",
                    "  \"type\": \"string\"",
                    " }",
                    "}",
                ],
                "......",
            ),
        ] {
            let mut lined = Lined::default();
            let one = |line: &&str| {
                let record = format!("{{\"t\":1,\"log\":{}}}", serde_json::Value::from(format!("{line}\n")));
                if lined.record(record.as_bytes(), &mut search).is_some() { '+' } else { '.' }
            };
            assert_eq!(lines.iter().map(one).collect::<String>(), want, "{lines:?}");
        }
    }
}
