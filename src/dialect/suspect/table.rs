//! Tables in JSON, whose columns may be reasoning by their names.

use super::named::weight;
use crate::json::text::Needles;
use crate::json::{Token, elements, members};

/// Keys of the names of columns, and of the rows beside them.
const NAMES: [&[u8]; 4] = [b"columns", b"header", b"headers", b"fields"];
const ROWS: [&[u8]; 3] = [b"data", b"rows", b"values"];

/// In how many values a table is looked for.
const MAX_TABLE_DEPTH: usize = 6;

/// Searches a table in JSON, as programs for data write one: a list of rows, the first with the names of the columns, or an object
/// with the names beside the rows, which may stand in others; the value begins at `from`. Returns where the names begin that have
/// one of reasoning.
pub(super) fn in_json(record: &[u8], from: usize) -> Option<usize> {
    let first = from + record[from..].iter().position(|b| !b.is_ascii_whitespace())?;
    // Most records have none of these names, also not with escapes in them.
    static SIGNS: Needles = Needles::new(&["columns", "header", "fields", "\\u00"]);
    let named = SIGNS.stand_in(&record[first..]);
    let outermost = if named || record[first] == b'[' { table(record, first) } else { None };
    outermost.or_else(|| if named { inside(record, first, MAX_TABLE_DEPTH) } else { None })
}

/// The same of a table in a value that begins at `at`.
fn inside(record: &[u8], at: usize, depth: usize) -> Option<usize> {
    let holds = |token: Token| matches!(token, Token::ObjectStart | Token::ArrayStart);
    let look = |(token, at): (Token, usize)| {
        let found = if token == Token::ObjectStart { table(record, at) } else { None };
        found.or_else(|| inside(record, at, depth - 1))
    };
    if depth == 0 {
        return None;
    }
    let of_object =
        || members(record, at).filter(|(_, token, _)| holds(*token)).map(|(_, token, at)| (token, at.start));
    let of_list = || elements(record, at).filter(|(token, _)| holds(*token)).map(|(token, at)| (token, at.start));
    match record[at] {
        b'{' => of_object().find_map(look),
        b'[' => of_list().find_map(look),
        _ => None,
    }
}

/// The same of the value that begins at `first`.
fn table(record: &[u8], first: usize) -> Option<usize> {
    let lists = |at: usize| elements(record, at).take(2).all(|(token, _)| token == Token::ArrayStart);
    let thinks = |at: usize| {
        let named = |token| matches!(token, Token::String(name) if weight(&name.decoded(record)).is_some());
        elements(record, at).any(|(token, _)| named(token))
    };
    if record[first] == b'[' {
        let (token, names) = elements(record, first).next()?;
        let rows = elements(record, first).nth(1).is_some() && lists(first);
        return (token == Token::ArrayStart && rows && thinks(names.start)).then_some(names.start);
    }
    if record[first] != b'{' {
        return None;
    }
    let has = |keys: &[&[u8]], is: &dyn Fn(usize) -> bool| {
        let mut all = members(record, first).filter(|(_, token, _)| *token == Token::ArrayStart);
        all.find(|(key, _, at)| keys.contains(&&*key.decoded(record)) && is(at.start))
    };
    let (_, _, names) = has(&NAMES, &thinks)?;
    has(&ROWS, &|at| lists(at) && elements(record, at).next().is_some()).map(|_| names.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        for (record, want) in [
            (r#"{"columns":["id","reasoning"],"index":[0],"data":[[0,"Add them."]]}"#, Some(11)),
            (r#"[["id","Complex_CoT"],[0,"Add them."]]"#, Some(1)),
            (r#"{"columns":["id","reasoning"],"data":[]}"#, None),
            (r#"{"columns":["id","reasoning"],"data":["Six."]}"#, None),
            (r#"[["id","answer"],[0,"Six."]]"#, None),
            (r#"[["id","reasoning"]]"#, None),
            (r#"["reasoning","Six."]"#, None),
            (r#""columns""#, None),
            ("", None),
            (r#"[{"columns":["id","reasoning"],"data":[[0,"Add them."]]}]"#, Some(12)),
            (r#"{"a":{"b":[1,{"fields":["id","reasoning"],"rows":[[0,"Add them."]]}]}}"#, Some(23)),
            (r#"{"a":{"columns":["id","answer"],"data":[[0,"Six."]]}}"#, None),
        ] {
            assert_eq!(in_json(record.as_bytes(), 0), want, "{record}");
            assert_eq!(in_json(format!("1,{record}").as_bytes(), 2), want.map(|at| at + 2), "{record}");
        }
    }
}
