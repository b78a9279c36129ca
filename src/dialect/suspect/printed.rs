//! Objects as programs print them into a text, with named arguments (`ThinkingBlock(signature='…', thinking='…')`) or as lines
//! of YAML, and tags whose brackets are escaped once more. Those that are entities of HTML are spoken of.

use super::coded::coded;
use super::keys::is_flag;
use super::members::{Argument, member, word_before};
use super::named::weight;
use super::words::{Weight, is_prose, is_reasoning_kind, may_name_reasoning};
use crate::json::text::Needle;
use memchr::{memchr3, memmem};
use std::borrow::Cow;

/// Whether the inside of a JSON string may have any of that: a quick check before the exact one.
pub(super) fn may_be_printed(raw: &[u8]) -> bool {
    static SIGNS: [Needle; 4] = [Needle::new("='"), Needle::new("=\\\""), Needle::new("\\u003"), Needle::new("g:\\\"")];
    static MEMBER: Needle = Needle::new(": ");
    SIGNS.iter().any(|sign| sign.stands_in(raw)) || MEMBER.stands_in(raw) && may_name_reasoning(raw)
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
struct PrintedObject {
    /// Its class, or that of one around it, names reasoning.
    thinks: bool,
    /// An argument says that it is reasoning.
    flagged: bool,
    /// It has a text of some words.
    says: bool,
    /// It stands in a code span.
    quoted: bool,
}

impl PrintedObject {
    fn is_reasoning(&self) -> bool {
        self.says && (self.thinks || self.flagged) && !self.quoted
    }
}

/// Whether a text has an object that is printed with an argument of reasoning, or with a text and a class or a flag of reasoning.
fn has_object(text: &[u8]) -> bool {
    let (mut open, mut at) = (Vec::<PrintedObject>::new(), 0);
    while let Some(n) = memchr3(b'(', b')', b'=', &text[at..]) {
        at += n + 1;
        match text[at - 1] {
            b'(' => {
                let class = word_before(text, at - 1);
                let named = class.first().is_some_and(u8::is_ascii_uppercase);
                let thinks = named && std::str::from_utf8(class).is_ok_and(is_reasoning_kind);
                let thinks = thinks || open.last().is_some_and(|around| around.thinks);
                let quoted =
                    text[..at - 1 - class.len()].ends_with(b"`") || open.last().is_some_and(|around| around.quoted);
                open.push(PrintedObject { thinks, flagged: false, says: false, quoted });
            }
            b')' if open.pop().is_some_and(|object| object.is_reasoning()) => return true,
            b'=' => {
                let (Some(object), Some(found)) = (open.last_mut(), Argument::at(text, at - 1)) else { continue };
                if let Some((_, end)) = found.quoted {
                    if !object.quoted && found.is_reasoning(text) {
                        return true;
                    }
                    object.says |= is_prose(found.value(text).as_bytes(), 2);
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
