//! Lines that begin a place in which a text shows code or holds a document.

use super::{LineAbove, PlaceEnd};
use memchr::memmem;

/// What a line begins, and what it says of the next one.
pub(super) struct BlockLine {
    /// The place that begins behind it: what ends it, and whether it shows code for certain.
    pub place: Option<(PlaceEnd, bool)>,
    pub above: LineAbove,
    /// It is a member of YAML.
    pub member: bool,
}

impl BlockLine {
    /// A line that is text, and nothing else.
    pub const PROSE: Self = Self { place: None, above: LineAbove::Text, member: false };
}

/// Whether a line has no sign of anything but text: a quick check before the others.
pub(super) fn is_prose(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let sign = matches!(text, [] | [b'<' | b'[' | b'{' | b'\\' | b'#' | b'@' | b'.' | b'-', ..] | [.., b'(']);
    !sign && memchr::memchr3(b'<', b':', b'=', text).is_none()
}

/// What begins a place at the start of a line, and the text that ends it. Other elements for code
/// and for calls are not among them: they may be left open.
const PAIRS: [(&str, &str); 25] = [
    ("<pre", "</pre>"),
    ("<listing", "</listing>"),
    ("<xmp", "</xmp>"),
    ("<syntaxhighlight", "</syntaxhighlight>"),
    ("<nowiki", "</nowiki>"),
    ("<programlisting", "</programlisting>"),
    ("<screen", "</screen>"),
    ("[code", "[/code]"),
    ("{code", "{code}"),
    ("{noformat", "{noformat}"),
    ("\\begin{verbatim", "\\end{verbatim"),
    ("\\begin{lstlisting", "\\end{lstlisting"),
    ("\\begin{minted", "\\end{minted"),
    ("#+begin_src", "#+end_src"),
    ("#+begin_example", "#+end_example"),
    ("@example", "@end example"),
    ("@verbatim", "@end verbatim"),
    // The files that agents write.
    ("<write_to_file", "</write_to_file>"),
    ("<replace_in_file", "</replace_in_file>"),
    ("<apply_diff", "</apply_diff>"),
    ("<insert_content", "</insert_content>"),
    ("<create_file", "</create_file>"),
    ("<antArtifact", "</antArtifact>"),
    ("<boltAction", "</boltAction>"),
    ("<dyad-write", "</dyad-write>"),
];

/// The directives of reStructuredText that hold code.
const DIRECTIVES: [&[u8]; 5] = [b"code-block", b"code", b"sourcecode", b"parsed-literal", b"prompt"];

/// The most elements that a line may begin with before the one that counts.
const MAX_ELEMENTS: usize = 8;

/// The longest word that ends a here-document, in bytes.
const MAX_WORD: usize = 32;

/// The columns of white space that a line begins with.
pub(super) fn indent(line: &[u8]) -> usize {
    let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t'));
    blanks.map(|b| if *b == b'\t' { 4 } else { 1 }).sum()
}

/// What a line that is not blank begins. `yaml`: it may be one of YAML.
pub(super) fn opens(line: &[u8], above: LineAbove, yaml: bool) -> BlockLine {
    let text = line.trim_ascii();
    let (member, scalar) = member(line).map_or((false, None), |(columns, header)| (true, header.then_some(columns)));
    // Few lines have the sign with which these two begin.
    let marked = || memchr::memchr(b'<', text).is_some().then_some(text);
    let place = run(line, above)
        .or_else(|| element(text))
        .or_else(|| literal(text, indent(line)))
        .or_else(|| marked().and_then(|text| here(text).or_else(|| data(text))))
        .or_else(|| scalar.filter(|_| yaml).map(|columns| (inner(columns, false, false), false)));
    let above = match text {
        _ if place.is_some() => LineAbove::Text,
        [b'[', .., b']'] if is_listing(text) => LineAbove::Listing,
        [b'[', .., b']'] if above != LineAbove::Listing => LineAbove::Title,
        [b'.', b, ..] if b.is_ascii_alphanumeric() && above != LineAbove::Text => match above {
            LineAbove::Listing => LineAbove::Listing,
            _ => LineAbove::Title,
        },
        _ => LineAbove::Text,
    };
    BlockLine { place, above, member }
}

fn inner(columns: usize, awaits: bool, options: bool) -> PlaceEnd {
    PlaceEnd::Indent { columns, awaits, options }
}

/// Whether attributes of AsciiDoc say that a listing follows.
fn is_listing(text: &[u8]) -> bool {
    [&b"[source"[..], b"[,", b"[listing", b"[literal"].iter().any(|start| text.starts_with(start))
}

/// A line of dashes or full stops around a block of AsciiDoc. Without attributes above it may be a rule.
fn run(line: &[u8], above: LineAbove) -> Option<(PlaceEnd, bool)> {
    let first = *line.first().filter(|b| matches!(b, b'-' | b'.'))?;
    let sure = above == LineAbove::Listing;
    let fits = line.len() >= 4 && line.iter().all(|b| *b == first);
    let may = sure || line.len() == 4 && above != LineAbove::Text;
    (fits && may).then(|| (PlaceEnd::Run(line.to_vec()), sure))
}

/// An element or a command for code, which does not end on its line.
fn element(mut text: &[u8]) -> Option<(PlaceEnd, bool)> {
    if !matches!(text.first()?, b'<' | b'[' | b'{' | b'\\' | b'#' | b'@') {
        return None;
    }
    for _ in 0..MAX_ELEMENTS {
        let begins = |(start, _): &&(&str, &str)| {
            let name = text.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes()));
            name && text.get(start.len()).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'-')
        };
        if let Some((start, end)) = PAIRS.iter().find(begins) {
            let rest = &text[start.len()..];
            let whole = text[0] != b'<' || rest.contains(&b'>');
            return (whole && super::position(rest, end).is_none()).then_some((PlaceEnd::Text(end), true));
        }
        let end = text.strip_prefix(b"<").and_then(|rest| memchr::memchr(b'>', rest))?;
        text = text[end + 2..].trim_ascii_start();
    }
    None
}

/// A line of reStructuredText behind which a block is shown as it is.
fn literal(text: &[u8], columns: usize) -> Option<(PlaceEnd, bool)> {
    if let Some(rest) = text.strip_prefix(b".. ") {
        let name = &rest[..memmem::find(rest, b"::")?];
        return DIRECTIVES.contains(&name).then(|| (inner(columns, true, true), true));
    }
    text.ends_with(b"::").then(|| (inner(columns, true, false), true))
}

/// The beginning of a here-document: `cat <<EOF`.
fn here(text: &[u8]) -> Option<(PlaceEnd, bool)> {
    let mut from = 0;
    while let Some(n) = memmem::find(&text[from..], b"<<") {
        from += n + 2;
        let rest = &text[from..];
        let rest = rest.strip_prefix(b"<").unwrap_or(rest);
        let rest = rest.strip_prefix(b"-").or(rest.strip_prefix(b"~")).unwrap_or(rest).trim_ascii_start();
        let quote = rest.first().filter(|b| matches!(b, b'\'' | b'"')).copied();
        let rest = &rest[usize::from(quote.is_some())..];
        let len = rest.iter().take(MAX_WORD).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let word = &rest[..len];
        let named = word.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
        let fits = match quote {
            Some(quote) => rest.get(len) == Some(&quote),
            None => !word.iter().any(u8::is_ascii_lowercase),
        };
        if len > 1 && named && fits {
            return Some((PlaceEnd::Word(word.to_vec()), true));
        }
    }
    None
}

/// The beginning of data of XML, which may be what a model wrote.
fn data(text: &[u8]) -> Option<(PlaceEnd, bool)> {
    let at = memmem::rfind(text, b"<![CDATA[")?;
    memmem::find(&text[at..], b"]]>").is_none().then_some((PlaceEnd::Text("]]>"), false))
}

/// The column of the key of a line of YAML, and whether its text stands in the lines below. An element of a list may be one without a
/// key.
fn member(line: &[u8]) -> Option<(usize, bool)> {
    let mut columns = indent(line);
    let mut text = line.trim_ascii();
    let mut listed = false;
    while let Some(rest) = text.strip_prefix(b"- ") {
        if is_header(rest) && rest.first() == Some(&b'|') {
            return Some((columns, true));
        }
        columns += text.len() - rest.trim_ascii_start().len();
        (text, listed) = (rest.trim_ascii_start(), true);
    }
    let sign = memchr::memchr(b':', text);
    let Some(sign) = sign else { return listed.then_some((columns, false)) };
    let (key, value) = (&text[..sign], &text[sign + 1..]);
    let word = |b: &u8| b.is_ascii_alphanumeric() || b"_-.\"'/".contains(b) || *b >= 0x80;
    let header = is_header(value);
    let camel = header || key.first().is_some_and(|b| !b.is_ascii_uppercase());
    let parted = value.is_empty() || value[0].is_ascii_whitespace();
    (!key.is_empty() && camel && parted && key.iter().all(word)).then_some((columns, header))
}

/// Whether a value of YAML says that its text stands in the lines below.
fn is_header(value: &[u8]) -> bool {
    let value = value.split(|b| *b == b'#').next().unwrap_or_default().trim_ascii();
    matches!(value, [b'|' | b'>', rest @ ..] if rest.len() < 3 && rest.iter().all(|b| b"+-0123456789".contains(b)))
}

/// Whether a line is one of JSX, or elements of it follow.
pub(super) fn is_jsx(line: &[u8]) -> bool {
    let assigns = memchr::memchr(b'=', line).is_some();
    if !assigns && !line.ends_with(b"(") {
        return false;
    }
    let has = |part: &[u8]| memmem::find(line, part).is_some();
    let call = || has(b"return") || has(b"=>") || has(b"&&") || has(b"?") || has(b"= (");
    line.ends_with(b"(") && call() || assigns && (has(b"={") || has(b"className="))
}

/// Whether a line begins a part of a diff: `@@ -1,2 +1,5 @@`.
pub(super) fn is_hunk(line: &[u8]) -> bool {
    line.starts_with(b"@@ -") && memmem::find(&line[4..], b" @@").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_says_nothing() {
        let lines = [
            "Rain by noon.",
            "  and wind",
            "* a",
            "1. a",
            "> a",
            "| a | b |",
            "key: |",
            "- a",
            "a::",
            "cat <<EOF",
            "a = (",
            "return (",
            "x={1}",
            "@@ -1 +1 @@",
            "----",
            "....",
            ".Title",
            "[source]",
            "#+begin_src",
            "<pre>",
            "a && (",
            "é",
        ];
        let mut prose = 0;
        for line in lines.map(str::as_bytes).into_iter().filter(|line| is_prose(line)) {
            prose += 1;
            for above in [LineAbove::Blank, LineAbove::Listing, LineAbove::Title, LineAbove::Text] {
                let found = opens(line, above, true);
                assert!(found.place.is_none() && found.above == LineAbove::Text && !found.member);
            }
            assert!(!is_jsx(line) && !is_hunk(line));
        }
        assert_eq!(prose, 7);
    }
}
