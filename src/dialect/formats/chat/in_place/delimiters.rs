//! Delimiters in texts: which tokens would be read as such, how they are made harmless, and what a text is read as.

use super::{Placement, Target, escaped};
use crate::dialect::inline_text::TextReader;
use crate::inline::{Options, Tags};
use crate::json::text::{Map, decoded, utf8};
use crate::model::{Kind, Piece, is_glued};
use std::sync::OnceLock;

/// Opens the reasoning of a message of Harmony.
pub(super) const OPEN: &str = "<|channel|>analysis<|message|>";

/// Ends the reasoning and opens the answer.
pub(super) const CLOSE: &str = "<|end|><|start|>assistant<|channel|>final<|message|>";

/// Ends a message; the model's next one may follow.
pub(super) const END: &str = "<|end|>";
pub(super) const AGAIN: &str = "<|start|>assistant";

/// Tokens that would be read as a part of a header, or as the end of a message.
const TOKENS: [&[u8]; 9] = [
    b"<|start|>",
    b"<|end|>",
    b"<|message|>",
    b"<|channel|>",
    b"<|constrain|>",
    b"<|return|>",
    b"<|call|>",
    b"<|eom|>",
    b"<|eot|>",
];

/// The error for reasoning that holds a delimiter.
pub(super) const CLOSES: &str = "the reasoning holds a tag that would end it too early (--escape makes it harmless)";

/// The error for text that holds a token of Harmony.
pub(super) const CONTAINS_TOKENS: &str =
    "the message holds tokens of Harmony that would be read as such (--escape makes them harmless)";

/// The tokens that a text must not hold.
fn tokens(target: &Target) -> Vec<Vec<u8>> {
    match target.placement {
        Placement::Harmony => TOKENS.map(<[u8]>::to_vec).to_vec(),
        _ => vec![decoded(target.close.as_bytes())],
    }
}

/// Whether a text holds one of them.
pub(super) fn closes(text: &[u8], target: &Target) -> bool {
    let text = text.to_ascii_lowercase();
    tokens(target).iter().any(|token| memchr::memmem::find(&text, &token.to_ascii_lowercase()).is_some())
}

/// Puts a backslash behind the first character of every delimiter.
pub(super) fn escape(plain: &str, target: &Target) -> String {
    if target.placement == Placement::Harmony {
        return plain.replace("<|", "<\\|");
    }
    let mut out = plain.to_string();
    for delimiter in [&target.close, &target.open] {
        let delimiter = decoded(delimiter.as_bytes());
        let delimiter = String::from_utf8_lossy(&delimiter).into_owned();
        let first = delimiter.chars().next().map_or(0, char::len_utf8);
        let harmless = format!("{}\\{}", &delimiter[..first], &delimiter[first..]);
        let lower = delimiter.to_ascii_lowercase();
        let (mut next, mut from) = (String::with_capacity(out.len()), 0);
        let folded = out.to_ascii_lowercase();
        while let Some(at) = folded[from..].find(&lower) {
            next.push_str(&out[from..from + at]);
            next.push_str(&harmless);
            from += at + delimiter.len();
        }
        next.push_str(&out[from..]);
        out = next;
    }
    out
}

/// A text with escaped delimiters, as it stands inside a string.
pub(super) fn escaped_text(plain: &[u8], target: &Target) -> String {
    escaped(&escape(&String::from_utf8_lossy(plain), target))
}

/// A text whose delimiters are escaped, to be written behind text that was written before.
pub(super) struct Harmless {
    pub text: String,
    /// The last bytes written: a delimiter that begins in them may end in the next text.
    pub tail: Vec<u8>,
}

/// The escaped text, if a delimiter occurs in `tail` and the text together; then `tail` is not changed. None if the
/// text can stay as it is; then `tail` is updated.
pub(super) fn behind(tail: &mut Vec<u8>, plain: &[u8], target: &Target) -> Option<Harmless> {
    let longest = tokens(target).iter().map(Vec::len).max().unwrap_or(0);
    let joined = |text: &[u8]| [tail.as_slice(), &text.to_ascii_lowercase()].concat();
    let last = |mut all: Vec<u8>| all.split_off(all.len() - longest.saturating_sub(1).min(all.len()));
    let whole = joined(plain);
    if !closes(&whole, target) {
        *tail = last(whole);
        return None;
    }
    let mut text = escape(&utf8(plain), target);
    // A delimiter that began in `tail` is written up to here: a backslash breaks it.
    if closes(&joined(text.as_bytes()), target) {
        text.insert(0, '\\');
    }
    let tail = last(joined(text.as_bytes()));
    Some(Harmless { text, tail })
}

/// An answer and the reasoning before it, as messages of Harmony in one text.
pub(super) fn as_messages(blocks: &[&[u8]], visible: &[u8]) -> String {
    let mut out = String::new();
    for (i, block) in blocks.iter().enumerate() {
        out.push_str(&if i > 0 { [END, AGAIN].concat() } else { String::new() });
        out.push_str(OPEN);
        out.push_str(&utf8(block));
    }
    out.push_str(CLOSE);
    out + &utf8(visible)
}

/// The same, if it reads back as these blocks and this answer.
pub(super) fn as_read_messages(blocks: &[&[u8]], visible: &[u8]) -> Option<String> {
    let out = as_messages(blocks, visible);
    is_read_as(out.as_bytes(), blocks, visible).then_some(out)
}

/// Whether a text is read as these blocks of reasoning and this answer.
pub(in crate::dialect::formats::chat) fn is_read_as<B: AsRef<[u8]>>(text: &[u8], blocks: &[B], visible: &[u8]) -> bool {
    let mut got = Read::default();
    got.read(all_tags(), Options::default(), text);
    got.visible == visible && got.reasoning.iter().map(Vec::as_slice).eq(blocks.iter().map(AsRef::as_ref))
}

/// Every tag that a reader may search for.
pub(super) fn all_tags() -> &'static Tags {
    static ALL: OnceLock<Tags> = OnceLock::new();
    ALL.get_or_init(Tags::default)
}

/// The reasoning and the visible text that a content is read as.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Read {
    pub reasoning: Vec<Vec<u8>>,
    pub visible: Vec<u8>,
}

impl Read {
    /// Reads a text of the content.
    pub fn read(&mut self, tags: &Tags, inline: Options, text: &[u8]) {
        let mut text_reader = TextReader::new(tags, inline, false);
        let mut framed = false;
        let mut to = |p: &Piece<'_>| match p.kind {
            Kind::Reasoning(_) if p.fresh => self.reasoning.push(p.text.to_vec()),
            Kind::Reasoning(_) => self.reasoning.iter_mut().next_back().into_iter().for_each(|b| b.extend(p.text)),
            Kind::Frame => framed = true,
            Kind::Structure => {
                framed = false;
                self.visible.extend_from_slice(p.text);
            }
            Kind::Visible | Kind::Commentary | Kind::Tool | Kind::Gap => {
                let joins = p.fresh && std::mem::take(&mut framed);
                let joins = joins && is_glued(&self.visible, p.text);
                self.visible.extend_from_slice(if joins { b"\n" } else { b"" });
                self.visible.extend_from_slice(p.text);
            }
            _ => (),
        };
        text_reader.feed(text, 0, Map::default(), &mut Vec::new(), &mut to);
        text_reader.finish(&mut Vec::new(), &mut to);
    }
}
