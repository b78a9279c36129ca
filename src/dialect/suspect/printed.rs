//! Objects as programs print them into a text, with named arguments (`ThinkingBlock(signature='…', thinking='…')`) or as lines
//! of YAML, and tags whose brackets are escaped once more. Those that are entities of HTML are spoken of.

use super::coded::coded;
use super::encoded::{may_be_encoded, may_have_json, may_have_plain_json};
use super::keys::{is_flag, is_payload};
use super::members::{Argument, word_before};
use super::named::weight;
use super::words::{Weight, is_prose, is_reasoning_kind, is_text, may_name_reasoning};
use super::yaml::member;
use crate::dialect::line::{raw_end, without_colours};
use crate::json::text::{Needle, Needles, end_of_string};
use memchr::{memchr, memchr3, memmem};
use std::borrow::Cow;

/// Whether the inside of a JSON string may have values in it, as JSON or printed: a quick check before the exact ones. Where
/// nothing is `escaped`, fewer signs can be.
pub(super) fn may_hold_values(raw: &[u8], escaped: bool) -> bool {
    static SIGNS: Needles = Needles::new(&["='", "=\\\"", "\\u003", "g:\\\""]);
    static VALUE: Needle = Needle::new("='");
    static MEMBER: Needle = Needle::new(": ");
    let json = || if escaped { may_have_json(raw) } else { may_have_plain_json(raw) };
    let member = || memchr(b':', raw).is_some_and(|at| MEMBER.stands_in(&raw[at..])) && may_name_reasoning(raw);
    let printed = || {
        let signs = || match escaped {
            true => SIGNS.stand_in(raw),
            false => memchr(b'=', raw).is_some_and(|at| VALUE.stands_in(&raw[at..])),
        };
        signs() || member()
    };
    may_be_encoded(raw) || json() || printed()
}

/// Whether a text has an object with reasoning, a line with a key of reasoning and its text, or one of a stream with codes.
pub(super) fn has_printed(plain: &[u8]) -> bool {
    let text = without_fences(plain);
    has_object(&text) || text.split(|b| *b == b'\n').any(|line| is_yaml(line) || coded(line).is_some())
}

/// Whether a line is a member of YAML with a key that has no other use, and a text.
fn is_yaml(line: &[u8]) -> bool {
    member(line).is_some_and(|(key, value)| weight(key) == Some(Weight::Sure) && is_prose(value.trim_ascii(), 2))
}

/// A text without what is quoted between code fences.
fn without_fences(text: &[u8]) -> Cow<'_, [u8]> {
    let fence =
        |line: &[u8]| [&b"```"[..], b"~~~"].into_iter().find(|fence| line.trim_ascii_start().starts_with(fence));
    if memmem::find(text, b"```").is_none() && memmem::find(text, b"~~~").is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut open) = (Vec::with_capacity(text.len()), None);
    for line in text.split_inclusive(|b| *b == b'\n') {
        match (fence(line), open) {
            (Some(mark), None) => open = Some(mark),
            (mark, Some(_)) if mark == open => open = None,
            (_, None) => out.extend_from_slice(line),
            _ => (),
        }
    }
    Cow::Owned(out)
}

/// A text with its angle brackets in place of `\u003c` and `\u003e`, if it has such escapes.
pub(super) fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    memmem::find(text, b"\\u003")?;
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    for sign in memmem::find_iter(text, b"\\u003") {
        let bracket = match text.get(sign + 5) {
            Some(b'c' | b'C') => b'<',
            Some(b'e' | b'E') => b'>',
            _ => continue,
        };
        // Every further escape of the text has put one more backslash before it.
        let slashes = text[at..sign].iter().rev().take_while(|b| **b == b'\\').count();
        out.extend_from_slice(&text[at..sign - slashes]);
        out.push(bracket);
        at = sign + 6;
    }
    out.extend_from_slice(&text[at..]);
    Some(out)
}

/// Whether a line has an object that is printed with a class or a flag of reasoning.
pub(super) fn is_printed(line: &[u8]) -> bool {
    memmem::find(line, b"='").or_else(|| memmem::find(line, b"=\"")).is_some() && has_object(line)
}

/// An object whose arguments are being read.
#[derive(Default)]
struct PrintedObject {
    /// Its class, or that of one around it, names reasoning.
    thinks: bool,
    /// An argument says that it is reasoning.
    flagged: bool,
    /// Its type is one of reasoning.
    typed: bool,
    /// It has a text of some words, or an object in it has one.
    says: bool,
    says_inside: bool,
    /// It stands in a code span.
    quoted: bool,
}

impl PrintedObject {
    fn is_reasoning(&self) -> bool {
        let marked = self.says && (self.thinks || self.flagged) || (self.says || self.says_inside) && self.typed;
        marked && !self.quoted
    }
}

/// Whether a text has an object that is printed with an argument of reasoning, or with a text and a class or a flag of reasoning.
fn has_object(text: &[u8]) -> bool {
    has_marked(text, true)
}

/// Whether a text has an object that is printed with a text and a class, a type or a flag of reasoning, or, if `named`, with an
/// argument of reasoning.
fn has_marked(text: &[u8], named: bool) -> bool {
    let (mut open, mut at) = (Vec::<PrintedObject>::new(), 0);
    while let Some(n) = memchr3(b'(', b')', b'=', &text[at..]) {
        at += n + 1;
        match text[at - 1] {
            b'(' => {
                let class = word_before(text, at - 1);
                let capital = class.first().is_some_and(u8::is_ascii_uppercase);
                let thinks = capital
                    && if named { std::str::from_utf8(class).is_ok_and(is_reasoning_kind) } else { is_part(class) };
                let thinks = thinks || open.last().is_some_and(|around| around.thinks);
                let quoted =
                    text[..at - 1 - class.len()].ends_with(b"`") || open.last().is_some_and(|around| around.quoted);
                open.push(PrintedObject { thinks, quoted, ..PrintedObject::default() });
            }
            b')' => {
                let Some(object) = open.pop() else { continue };
                if object.is_reasoning() {
                    return true;
                }
                if let Some(around) = open.last_mut() {
                    around.says_inside |= object.says || object.says_inside;
                }
            }
            b'=' => {
                let (Some(object), Some(found)) = (open.last_mut(), Argument::at(text, at - 1)) else { continue };
                if let Some((_, end)) = found.quoted {
                    if named && !object.quoted && found.is_reasoning(text) {
                        return true;
                    }
                    object.typed |= is_type(&found, text);
                    let value = found.value(text);
                    object.says |= is_prose(value.as_bytes(), 2) || is_payload(found.name) && is_text(&value);
                    at = text.len().min(end + 1);
                } else {
                    let is_flag = std::str::from_utf8(found.name).is_ok_and(is_flag);
                    object.flagged |= is_flag && text[at..].starts_with(b"True");
                }
            }
            _ => (),
        }
    }
    open.iter().any(PrintedObject::is_reasoning)
}

/// Whether an argument says that its object is reasoning: `type='reasoning'`.
fn is_type(found: &Argument<'_>, text: &[u8]) -> bool {
    matches!(found.name, b"type" | b"part_kind" | b"block_type") && is_reasoning_kind(&found.value(text))
}

/// What begins with a class and a bracket that ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Printed {
    /// No object that is printed.
    Nothing,
    /// The lines that follow decide.
    Open,
    /// An object of so many bytes, up to the end of its last line, and whether it has reasoning.
    Object(usize, bool),
}

/// The object whose arguments stand in the lines behind the class and the bracket that a text begins with, as pretty printers of Python write
/// it: `Part(`, then `thought=True,`. An argument with a name of reasoning counts in its own line, so that the others stay. `last`:
/// no more of the text comes.
pub(in crate::dialect) fn over_lines(text: &[u8], last: bool) -> Printed {
    let plain = without_colours(text);
    let Some(end) = memchr(b'\n', &plain) else { return Printed::Nothing };
    let Some(class) = plain[..end].trim_ascii_end().strip_suffix(b"(") else { return Printed::Nothing };
    let below = plain[end + 1..].trim_ascii_start();
    let quote = below.first().copied().filter(|b| matches!(b, b'"' | b'\'') && is_part(class));
    match is_argument(below) {
        Some(true) => (),
        Some(false) if quote.is_some() => (),
        None if !last => return Printed::Open,
        _ => return Printed::Nothing,
    }
    // A text by itself, in the notation of Rust.
    let says = quote.is_some_and(|quote| is_prose(&below[1..end_of_string(below, 1, quote).min(below.len())], 2));
    let found = |end: usize| says || has_marked(&plain[..end], false);
    let mut from = 0;
    loop {
        let Some(end) = object_end(&plain[from..]).map(|len| from + len) else {
            return if last { Printed::Object(text.len(), found(plain.len())) } else { Printed::Open };
        };
        let line = memchr(b'\n', &plain[end..]).map(|n| end + n + 1);
        let Some(line) = line.or(last.then_some(plain.len())) else { return Printed::Open };
        // The next object begins in its last line: `), Part(`.
        match plain[end..line].trim_ascii_end().strip_suffix(b"(") {
            Some(before) => from = end + before.len(),
            None => return Printed::Object(raw_end(text, line), found(end)),
        }
    }
}

/// Whether a class is that of a part of a message which is reasoning: others are agents, tools and settings in source code.
fn is_part(class: &[u8]) -> bool {
    const ENDS: [&str; 13] = [
        "Block",
        "Part",
        "Item",
        "Content",
        "Message",
        "Chunk",
        "Delta",
        "Summary",
        "Event",
        "Text",
        "Thinking",
        "Reasoning",
        "Thought",
    ];
    std::str::from_utf8(class)
        .is_ok_and(|class| ENDS.iter().any(|end| class.ends_with(end)) && is_reasoning_kind(class))
}

/// Whether a text begins with a named argument, or with a class of another object. None if what is there of it may do so.
fn is_argument(text: &[u8]) -> Option<bool> {
    let name = text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    match &text[name..] {
        [] | [b'='] => None,
        [b'=', next, ..] => Some(name > 0 && !matches!(next, b'=' | b' ')),
        [b'(', ..] => Some(name > 0 && text[0].is_ascii_uppercase()),
        _ => Some(false),
    }
}

/// Where the bracket closes that a text begins with.
fn object_end(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while at < text.len() {
        match text[at] {
            quote @ (b'"' | b'\'') => at = end_of_string(text, at + 1, quote),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => (),
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::suspect::Search;
    use crate::inline::Tags;

    #[test]
    fn objects_as_programs_print_them() {
        for (text, want) in [
            (
                "Message(content=[ThinkingBlock(signature='EqQB', thinking='Low pressure.'), TextBlock(text='Rain.')])",
                true,
            ),
            ("ChatCompletionMessage(content='By noon.', reasoning_content='It\\'s low pressure.')", true),
            ("Choice(message=Message(reasoning=\"Low pressure from the west\", content='By noon.'))", true),
            ("ResponseReasoningItem(id='rs', summary=[Summary(text='Low pressure from the west')])", true),
            ("Item(id='rs', summary=[Summary(text='Low pressure from the west')], type='reasoning')", true),
            ("Item(id='rs', summary=[Summary(text='Low pressure from the west')], type='message')", false),
            (
                "Block(data='EqABcd+/EqABcd+/EqABcd+/EqABcd+/EqABcd+/EqABcd+/EqABcd+/EqABcd+/', type='redacted_thinking')",
                true,
            ),
            ("Part(text='Low pressure from the west', thought=True)", true),
            ("Part(thought=True, text='Low pressure from the west", true),
            ("Part(text='Rain by noon, I say', thought=None)", false),
            ("Response(reasoning=Reasoning(effort='high', summary='auto'), text='Rain by noon, I say')", false),
            ("create(model='m', thinking='enabled', prompt='Will it rain today?')", false),
            ("Print `Block(thinking='Low pressure from the west')`.", false),
            ("the plan (reasoning is off) = 'no more of it'", false),
            ("f(a='1')) and more ((((", false),
            ("f(thinking=True, s='of the west') and )", false),
        ] {
            assert_eq!(has_object(text.as_bytes()), want, "{text}");
        }
        let fenced = b"As in\n```python\nBlock(thinking='Low pressure.')\n```\nand ";
        assert!(!has_object(&without_fences(fenced)));
        assert!(has_object(&without_fences(&[fenced, &b"Block(thinking='Low pressure.')"[..]].concat())));
        assert!(!has_object("((((((((x=".repeat(10_000).as_bytes()));
        // However many brackets are open.
        let deep = "(".repeat(100) + "ThinkingBlock(text='Low pressure from the west')";
        assert!(has_object(deep.as_bytes()));
    }

    #[test]
    fn arguments_on_lines_of_their_own() {
        for (text, want) in [
            ("(\n  thought=True,\n  text='Low pressure from the west'\n)\nBye", Printed::Object(56, true)),
            ("(\n  thought=None,\n  text='Low pressure from the west'\n)\nBye", Printed::Object(56, false)),
            ("(\r\n    Part(thought=True, text='Low pressure (from) the west')),\n", Printed::Object(65, true)),
            ("(\u{1b}[0m\n  thought=True,\n  text='Low pressure from'\n\u{1b}[1m)\n", Printed::Object(55, true)),
            ("Part(\n  text=\"\"\"Low (it is\n so) it is\"\"\", thought=True\n)\n", Printed::Object(57, true)),
            ("ThinkingPart(\n  content='Low pressure from'\n)\n", Printed::Object(46, true)),
            (
                "Part(\n  text='By noon it is'\n), Part(\n  text='Low it is', thought=True\n)]\n",
                Printed::Object(74, true),
            ),
            ("ThinkingTool(\n  content='Low pressure from'\n)\n", Printed::Object(46, false)),
            ("Reasoning(\n    \"Low pressure from\",\n)\n", Printed::Object(38, true)),
            ("(\n  thought=True", Printed::Open),
            ("(\n  tho", Printed::Open),
            ("(\n", Printed::Open),
            ("(\n  if x == 1)\n", Printed::Nothing),
            ("(\n  x, y)\n", Printed::Nothing),
            ("(a\n", Printed::Nothing),
            ("print(\n    \"Low pressure from\",\n)\n", Printed::Nothing),
        ] {
            assert_eq!(over_lines(text.as_bytes(), false), want, "{text}");
        }
        assert_eq!(
            over_lines(b"(\n  text='Low pressure from the west', thought=True", true),
            Printed::Object(51, true)
        );
    }

    #[test]
    fn brackets_that_are_escaped() {
        let search = Search::new(&Tags::default());
        for (text, want) in [
            ("\\u003cthink\\u003eLow pressure.\\u003c/think\\u003eBy noon.", true),
            ("\\\\u003Cthink\\\\u003ELow pressure.\\\\u003C/think\\\\u003EBy noon.", true),
            ("so &lt;think&gt; then &lt;/think&gt; rain", false),
            ("\\u0031 of \\u003c and \\u003", false),
        ] {
            let tagged = unescaped(text.as_bytes()).is_some_and(|text| search.is_tagged(&text));
            assert_eq!(tagged, want, "{text}");
        }
    }
}
