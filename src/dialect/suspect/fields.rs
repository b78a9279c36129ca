//! Objects as programs of many languages print them for a person to debug: `Message { reasoning_content: Some("…") }` (Rust, Swift),
//! `{ReasoningContent:…}` and `map[reasoning_content:…]` (Go), `Message(reasoningContent=…)` and `Message[thinking=…]` (Java, Kotlin),
//! `{ ReasoningContent = … }` (C#), `[reasoning_content] => …` (PHP).

use super::keys::Vocabulary;
use super::members::{Argument, word_before};
use super::named::{Quoted, Until, weight};
use super::pairs::{OPTIONAL, pair};
use super::printed::is_printed;
use super::words::{Weight, is_content, is_prose};
use crate::json::text::end_of_string;
use memchr::{memchr, memchr2_iter, memchr3, memchr3_iter, memmem};

/// A member with reasoning in a line that a program has printed, or the rest of a line.
pub(super) fn field(line: &[u8]) -> Option<Quoted> {
    let whole = || Quoted { at: 0, key: "thought".into(), end: line.len(), until: Until::Line };
    if let Some(found) = lone_argument(line).or_else(|| element_of_array(line)).or_else(|| pair(line)) {
        return Some(found);
    }
    if memchr3(b'{', b'(', b'[', line).is_some() {
        let object = ObjectOpening::first(line);
        let found = memchr2_iter(b':', b'=', line).find_map(|sign| member(line, sign, object));
        if let Some(found) = found.or_else(|| is_printed(line).then(whole)) {
            return Some(found);
        }
    }
    memchr::memchr_iter(b'<', line).find(|at| element(line, *at)).map(|at| Quoted { at, key: "type".into(), ..whole() })
}

/// Whether a line may have that: a quick check before it is known what of the line is held.
pub(super) fn may_be_field(line: &[u8]) -> bool {
    let sign = |sign: usize| {
        let named = weight(word_before(line, sign - usize::from(line[..sign].ends_with(b" ")))).is_some();
        named || line[sign] == b'=' && matches!(line.get(sign + 1), Some(b'"' | b'\''))
    };
    let begins = |at: usize| ELEMENTS.iter().any(|name| line[at + 1..].starts_with(name));
    let listed = || memchr(b']', line).is_some() && memmem::find(line, b"] => ").is_some();
    memchr2_iter(b':', b'=', line).any(sign) || memchr::memchr_iter(b'<', line).any(begins) || listed()
}

/// The most bytes of a value that are looked at.
const VALUE: usize = 4096;

/// The first bracket of a line that opens an object.
#[derive(Clone, Copy)]
struct ObjectOpening {
    at: usize,
    /// Its members have signs of equality.
    equal: bool,
}

impl ObjectOpening {
    /// The first brace, or the bracket before a member: `map[a:1]`, `Message[a=1]`, `Message(a=1)`. Behind the line if there is none.
    fn first(line: &[u8]) -> Self {
        let sign = |at: usize| {
            let rest = line[at + 1..].trim_ascii_start();
            let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            let sign = rest[name..].trim_ascii_start().first().copied();
            sign.filter(|sign| name > 0 && matches!(sign, b':' | b'='))
        };
        let opens = |at: usize| {
            let sign = sign(at);
            let opens = line[at] == b'{' || sign == Some(b'=') || line[at] == b'[' && sign.is_some();
            opens.then_some(Self { at, equal: sign == Some(b'=') })
        };
        memchr3_iter(b'{', b'[', b'(', line).find_map(opens).unwrap_or(Self { at: line.len(), equal: false })
    }
}

/// The member whose sign stands at an offset, if it has reasoning. `object`: the first bracket of the line.
fn member(line: &[u8], sign: usize, object: ObjectOpening) -> Option<Quoted> {
    let spaced = line[sign] == b'=' && line[..sign].ends_with(b" ");
    let name = word_before(line, sign - usize::from(spaced));
    let at = sign - usize::from(spaced) - name.len();
    // A word of a sentence may stand behind a bracket, too.
    let compound = name.iter().skip(1).any(|b| *b == b'_' || b.is_ascii_uppercase());
    let before = *line[..at].iter().rev().take(VALUE).find(|b| **b != b' ')?;
    let value = &line[sign + 1..line.len().min(sign + 1 + VALUE)];
    let value = value.strip_prefix(b" ").unwrap_or(value);
    let optional = OPTIONAL.iter().any(|some| value.starts_with(some));
    let inside = match before {
        b'{' => true,
        b'[' => object.at < at,
        b'(' => compound || optional || object.equal && object.at < at,
        b',' => compound || optional || object.at < at,
        _ => compound && line[sign] == b':' && object.at < at && line[at - 1] == b' ',
    };
    let weight = weight(name).filter(|_| inside)?;
    let value = OPTIONAL.iter().find_map(|some| value.strip_prefix(*some)).unwrap_or(value);
    let counts = match value.first()? {
        quote @ (b'"' | b'\'') => {
            let text = &value[1..end_of_string(value, 1, *quote).min(value.len())];
            is_content(weight, &String::from_utf8_lossy(text))
        }
        // Where a text has no quotes, its end is a guess.
        _ => {
            let end = value.iter().position(|b| matches!(b, b',' | b')' | b'}' | b']')).unwrap_or(value.len());
            let printed = compound || object.equal && line[sign] == b'=';
            printed && is_prose(value[..end].trim_ascii(), if weight == Weight::Sure { 3 } else { 4 })
        }
    };
    let key = String::from_utf8_lossy(name).into_owned();
    counts.then_some(Quoted { at, key, end: line.len(), until: Until::Line })
}

/// An argument on a line of its own, as pretty printers put it.
fn lone_argument(line: &[u8]) -> Option<Quoted> {
    let sign = memchr(b'=', line)?;
    let name = word_before(line, sign);
    let at = sign - name.len();
    if name.is_empty() || !line[..at].trim_ascii().is_empty() {
        return None;
    }
    let quote = line.get(sign + 1).copied().filter(|b| matches!(b, b'"' | b'\''))?;
    let end = end_of_string(line, sign + 2, quote);
    let behind = line.get(end + 1..)?.trim_ascii();
    let argument = Argument { at, name, from: sign + 2, quoted: Some((quote, end)) };
    let counts = matches!(behind, b"," | b")" | b"),") && argument.is_reasoning(line);
    let key = String::from_utf8_lossy(name).into_owned();
    counts.then_some(Quoted { at, key, end: line.len(), until: Until::Line })
}

/// An element of an array on a line of its own, as `print_r` of PHP puts it.
fn element_of_array(line: &[u8]) -> Option<Quoted> {
    let start = line.trim_ascii_start();
    let inner = start.strip_prefix(b"[")?;
    let name = &inner[..memchr(b']', inner)?];
    let value = inner[name.len()..].strip_prefix(b"] => ")?;
    let least = if weight(name)? == Weight::Sure { 2 } else { 4 };
    let key = String::from_utf8_lossy(name).into_owned();
    let at = line.len() - start.len();
    is_prose(value.trim_ascii(), least).then_some(Quoted { at, key, end: line.len(), until: Until::Line })
}

/// The elements whose attributes say what their text is.
pub(super) const ELEMENTS: [&[u8]; 10] =
    [b"part", b"details", b"block", b"content", b"message", b"item", b"section", b"turn", b"text", b"step"];

/// Whether an element of XML begins at an offset that has a text, and an attribute that says that it is reasoning:
/// `<part type="reasoning">`.
fn element(line: &[u8], at: usize) -> bool {
    const ATTRIBUTES: [&[u8]; 4] = [b" type=", b" class=", b" kind=", b" role="];
    let inside = &line[at + 1..line.len().min(at + 1 + VALUE)];
    let Some(end) = memchr(b'>', inside) else { return false };
    let (tag, inner) = (&inside[..end], &inside[end + 1..]);
    let name = tag.split(|b| *b == b' ').next().unwrap_or_default();
    // This one is a tag, which the text is read for.
    let is_tag = |attribute: &[u8]| name == b"details" && attribute == b" type=";
    let is_kind = |attribute: &&[u8]| {
        let found = memmem::find(tag, attribute).map(|from| &tag[from + attribute.len()..]);
        let value = found.and_then(|value| value.split(|b| b == value.first().unwrap_or(&0)).nth(1));
        value.is_some_and(|value| Vocabulary::get().is_kind(value))
    };
    // In a code span it is spoken of.
    let spoken = inner.starts_with(b"`") || line[..at].ends_with(b"`");
    if spoken
        || !ELEMENTS.contains(&name)
        || !ATTRIBUTES.iter().any(|attribute| is_kind(attribute) && !is_tag(attribute))
    {
        return false;
    }
    // What stands between the elements in it.
    let inner = String::from_utf8_lossy(inner);
    let text = inner.split('<').map(|part| part.rsplit('>').next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    is_prose(text.trim().as_bytes(), 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_many_languages() {
        for (line, want) in [
            ("INFO Message { role: \"assistant\", reasoning_content: Some(\"Low pressure.\") }", true),
            ("INFO Thinking { thinking: \"Low pressure from the west.\", signature: \"x\" }", true),
            ("INFO Message(reasoningContent: Optional(\"Low pressure.\"), content: \"By noon.\")", true),
            ("INFO {Role:assistant Content:By noon. ReasoningContent:Low pressure from the west}", true),
            ("INFO ChatMessage(role=assistant, reasoningContent=Low pressure from the west, content=By noon.)", true),
            ("INFO Message { Role = assistant, ReasoningContent = Low pressure from the west, Content = x }", true),
            ("INFO Content(parts=[Part(text='Low pressure from the west', thought=True)])", true),
            ("INFO Response(parts=[ThinkingPart(content='Low pressure from the west')])", true),
            ("INFO Message[content=By noon., thinking=Low pressure from the west]", true),
            ("INFO Message(role=assistant, reasoning=Low pressure from the west, content=By noon.)", true),
            ("INFO Message { Role = assistant, Reasoning = Low pressure from the west }", true),
            ("INFO map[content:By noon. reasoning_content:Low pressure from the west role:assistant]", true),
            ("INFO {content=By noon., reasoning=Low pressure from the west}", true),
            ("INFO AiMessage { text = \"By noon.\", thinking = \"Low pressure.\", attributes = {} }", true),
            ("INFO Message(content: \"By noon.\", reasoning: Optional(\"Low pressure.\"))", true),
            ("    [reasoning_content] => Low pressure", true),
            ("    [reasoning] => high", false),
            ("if [ $thinking = \"the west\" ]; then [thinking=1]", false),
            ("INFO Message { reasoning_content: None, content: \"By noon.\" }", false),
            ("INFO Options { reasoning_effort: \"high\", thinking: \"enabled\" }", false),
            ("He sat there (it was late), thinking: \"I should go home before it rains.\"", false),
            ("It is slow (reasoning: it goes over all of them).", false),
            ("fn f(reasoning_content: Option<String>) -> Result<(), Error> {", false),
            ("let message = Message { reasoning_content: None };", false),
            ("{ReasoningContent:}", false),
        ] {
            assert_eq!(field(line.as_bytes()).is_some(), want, "{line}");
        }
    }

    #[test]
    fn arguments_on_lines_of_their_own() {
        for (line, want) in [
            ("    reasoning='Low pressure from the west.',\n", true),
            ("  thinking=\"Low pressure from the west\")", true),
            ("    reasoning='high',", false),
            ("reasoning='Low pressure from the west.'", false),
            ("a reasoning='Low pressure from the west.',", false),
        ] {
            assert_eq!(lone_argument(line.as_bytes()).is_some(), want, "{line}");
        }
    }
}
