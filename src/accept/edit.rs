//! Edits of a text: what is cut, replaced and put in. Everything else stays, byte for byte.

use super::value::{Object, Value};
use crate::json::with_commas;
use crate::out::SpliceStep;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// A change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextEdit {
    /// Cuts a member of an object or an element of a list, with its comma.
    Cut(Range<usize>),
    /// Cuts a line of a log. What names it as its parent gets its parent.
    CutLine(usize),
    /// Puts bytes in at this offset.
    Put(usize, Vec<u8>),
    /// Replaces a value.
    Replace(Range<usize>, Vec<u8>),
}

/// The members of a line that name another line, which hands its parent on when it is cut.
const PARENTS: &[&str] = &["parentUuid", "logicalParentUuid", "leafUuid"];

/// Makes these edits. Returns the new text, and the steps to it.
pub fn apply(text: &[u8], lines: &[Range<usize>], edits: Vec<TextEdit>) -> (Vec<u8>, Vec<SpliceStep>) {
    let (mut cuts, mut whole, mut puts) = (Vec::new(), Vec::new(), Vec::new());
    let mut gone = Vec::new();
    for edit in edits {
        match edit {
            TextEdit::Cut(at) => cuts.push(at),
            TextEdit::CutLine(line) => gone.push(line),
            TextEdit::Put(at, bytes) => puts.push((at..at, bytes)),
            TextEdit::Replace(at, bytes) => puts.push((at, bytes)),
        }
    }
    gone.sort_unstable();
    gone.dedup();
    whole.extend(gone.iter().map(|line| end_of_line(text, lines[*line].clone())));
    puts.extend(handed_on(text, lines, &gone));
    outermost(&mut cuts);
    with_commas(text, &mut cuts);
    cuts.extend(whole);
    outermost(&mut cuts);
    puts.sort_by_key(|(at, _)| (at.start, at.end));
    puts.dedup();
    // Cuts are in order, and none is in another.
    let is_inside = |at: &Range<usize>| {
        let next = cuts.partition_point(|cut| cut.end <= at.start);
        cuts.get(next).is_some_and(|cut| cut.start < at.end.max(at.start))
    };
    puts.retain(|(at, _)| !is_inside(at));
    let mut all: Vec<(Range<usize>, Vec<u8>)> = cuts.into_iter().map(|at| (at, Vec::new())).chain(puts).collect();
    all.sort_by_key(|(at, _)| (at.start, at.end));
    written(text, &all)
}

/// Leaves out what stands in another range, and what is there twice.
fn outermost(ranges: &mut Vec<Range<usize>>) {
    ranges.sort_by_key(|at| (at.start, std::cmp::Reverse(at.end)));
    ranges.dedup_by(|at, outer| at.end <= outer.end);
}

/// A line with its line end, which the last line may lack.
fn end_of_line(text: &[u8], at: Range<usize>) -> Range<usize> {
    match text.get(at.end) {
        Some(b'\n') => at.start..at.end + 1,
        _ => at,
    }
}

/// For each line that names one that goes: the value with the parent of the latter.
fn handed_on(text: &[u8], lines: &[Range<usize>], gone: &[usize]) -> Vec<(Range<usize>, Vec<u8>)> {
    let read = |line: usize| {
        let at = &lines[line];
        Object::read(text, at.start + text[at.clone()].iter().take_while(|b| b.is_ascii_whitespace()).count()..at.end)
    };
    let parent = |line: &usize| {
        let object = read(*line);
        Some((object.get("uuid")?.string()?, object.get("parentUuid")?))
    };
    let parents: HashMap<Cow<'_, [u8]>, Value<'_>> = gone.iter().filter_map(parent).collect();
    let mut puts = Vec::new();
    if parents.is_empty() {
        return puts;
    }
    let is_gone = |number: &usize| gone.binary_search(number).is_ok();
    let left = left_over(&parents);
    for line in (0..lines.len()).filter(|number| !is_gone(number)).map(read) {
        for key in PARENTS {
            let Some(named) = line.get(key) else { continue };
            let parent = named.string().and_then(|name| left.get(name.as_ref()));
            puts.extend(parent.map(|parent| (named.at(), parent.raw().to_vec())));
        }
    }
    puts
}

/// Of each line that goes, the nearest parent that does not go: several in a row may go.
fn left_over<'p, 'a>(parents: &'p HashMap<Cow<'a, [u8]>, Value<'a>>) -> HashMap<&'p [u8], Value<'a>> {
    let mut left: HashMap<&[u8], Value<'_>> = HashMap::new();
    for (name, parent) in parents {
        let (mut way, mut name, mut parent) = (Vec::new(), name, *parent);
        // The way is no longer than all of them, although lines may name each other in a circle.
        while way.len() < parents.len() {
            way.push(name.as_ref());
            if let Some(known) = left.get(name.as_ref()) {
                parent = *known;
                break;
            }
            let Some((next, its)) = parent.string().and_then(|next| parents.get_key_value(&next)) else { break };
            (name, parent) = (next, *its);
        }
        left.extend(way.into_iter().map(|name| (name, parent)));
    }
    left
}

/// The text with these ranges replaced, and the steps to it.
fn written(text: &[u8], edits: &[(Range<usize>, Vec<u8>)]) -> (Vec<u8>, Vec<SpliceStep>) {
    let (mut out, mut steps, mut at) = (Vec::with_capacity(text.len()), Vec::new(), 0);
    for (range, bytes) in edits {
        let start = range.start.max(at);
        out.extend_from_slice(&text[at..start]);
        SpliceStep::Keep((start - at) as u64).add_to(&mut steps);
        let end = range.end.max(start);
        SpliceStep::Cut((end - start) as u64).add_to(&mut steps);
        out.extend_from_slice(bytes);
        SpliceStep::Put(bytes.len() as u64).add_to(&mut steps);
        at = end;
    }
    out.extend_from_slice(&text[at..]);
    SpliceStep::Keep((text.len() - at) as u64).add_to(&mut steps);
    (out, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accept::read::RequestInput;

    fn edited(text: &str, edits: Vec<TextEdit>) -> String {
        let lines = RequestInput::read(text.as_bytes()).lines;
        String::from_utf8(apply(text.as_bytes(), &lines, edits).0).unwrap()
    }

    #[test]
    fn cuts_puts_and_replacements() {
        let text = r#"{"a":[1, 2, 3],"b":"x"}"#;
        for (edits, want) in [
            (vec![TextEdit::Cut(6..7)], r#"{"a":[2, 3],"b":"x"}"#),
            (vec![TextEdit::Cut(9..10), TextEdit::Cut(12..13)], r#"{"a":[1],"b":"x"}"#),
            (vec![TextEdit::Cut(6..7), TextEdit::Cut(1..14), TextEdit::Put(10, vec![b'4'])], r#"{"b":"x"}"#),
            (
                vec![TextEdit::Replace(19..22, b"null".to_vec()), TextEdit::Put(13, b", 4".to_vec())],
                r#"{"a":[1, 2, 3, 4],"b":null}"#,
            ),
            (vec![TextEdit::Put(13, b", 4".to_vec()), TextEdit::Cut(12..13)], r#"{"a":[1, 2, 4],"b":"x"}"#),
        ] {
            assert_eq!(edited(text, edits), want);
        }
    }

    #[test]
    fn a_line_hands_its_parent_on() {
        let line = |uuid: &str, parent: &str| {
            format!(
                r#"{{"parentUuid":{parent},"uuid":"{uuid}","type":"user","message":{{"role":"user","content":"x"}}}}"#
            )
        };
        let all = [line("a", "null"), line("b", "\"a\""), line("c", "\"b\""), line("d", "\"c\"")].join("\n") + "\n";
        let want = [line("a", "null"), line("d", "\"a\"")].join("\n") + "\n";
        assert_eq!(edited(&all, vec![TextEdit::CutLine(2), TextEdit::CutLine(1)]), want);
        let first = [line("b", "null"), line("c", "\"b\""), line("d", "\"c\"")].join("\n") + "\n";
        assert_eq!(edited(&all, vec![TextEdit::CutLine(0)]), first);
    }
}
