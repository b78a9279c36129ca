//! Delimiters in texts: which tokens would be read as such, how they are made harmless, and what a text is read as.

use super::ConversionTarget;
use super::edits::bytes;
use crate::dialect::formats::chat::harmless::{harmless_text, holds, places_in};
use crate::dialect::formats::chat::harmony_tokens;
use crate::dialect::inline_text::TextReader;
use crate::inline::{Options, Tags};
use crate::json::text::{Map, decoded, incomplete, utf8};
use crate::model::{Bit, Leaf, Piece, PieceKind, is_glued};
use std::borrow::Cow;
use std::sync::OnceLock;

/// How many bytes of a text are read at once.
const AT_ONCE: usize = 1 << 16;

/// Opens the reasoning of a message of Harmony.
pub(in crate::dialect::formats::chat) const OPEN: &str = "<|channel|>analysis<|message|>";

/// Ends the reasoning and opens the answer.
pub(in crate::dialect::formats::chat) const CLOSE: &str = "<|end|><|start|>assistant<|channel|>final<|message|>";

/// Ends a message; the model's next one may follow.
pub(super) const END: &str = "<|end|>";
pub(super) const AGAIN: &str = "<|start|>assistant";

/// The error for reasoning that holds a delimiter.
pub(in crate::dialect::formats::chat) const CLOSES: &str =
    "the reasoning holds a tag that would end it too early (--escape makes it harmless)";

/// The error for text that holds a token of Harmony.
pub(super) const CONTAINS_TOKENS: &str =
    "the message holds tokens of Harmony that would be read as such (--escape makes them harmless)";

/// The tokens that would be read as delimiters, in lower case.
#[derive(Clone, Debug)]
pub(super) struct DelimiterTokens {
    /// Those that reasoning must not hold.
    inside: Vec<String>,
    /// The same with those that need not be read as such, for what stands behind the reasoning.
    all: Vec<String>,
}

impl DelimiterTokens {
    /// Those of a target with these delimiters, which are escaped for a JSON string. `headed`: it has Harmony's tokens.
    pub fn new(headed: bool, open: &str, close: &str) -> Self {
        let plain = |delimiter: &str| utf8(&decoded(delimiter.as_bytes())).to_ascii_lowercase();
        let (inside, all) = match headed {
            true => (harmony_tokens(), harmony_tokens()),
            false => (vec![plain(close)], vec![plain(close), plain(open)]),
        };
        Self { inside, all }
    }
}

/// Whether a text holds a delimiter that would end it.
pub(super) fn closes(text: &[u8], target: &ConversionTarget) -> bool {
    holds(text, &target.tokens.inside)
}

/// A text with a backslash behind the first character of every delimiter.
pub(super) fn escape(plain: &[u8], target: &ConversionTarget) -> Vec<u8> {
    harmless_text(&mut Vec::new(), plain, &target.tokens.all).unwrap_or_else(|| plain.to_vec())
}

/// A text whose delimiters are escaped, to be written behind text that was written before.
pub(super) struct Harmless {
    pub text: Leaf,
    /// The last bytes written: a delimiter that begins in them may end in the next text.
    pub tail: Vec<u8>,
}

impl Harmless {
    /// The text, as it stands inside a string.
    pub fn bit(&self) -> Bit {
        let mut out = Vec::new();
        self.text.inside(&mut out);
        bytes(out)
    }
}

/// The escaped text, if a delimiter occurs in `tail` and the text together; then `tail` is not changed. None if the
/// text can stay as it is; then `tail` is updated. `open`: in what stands behind the reasoning, also one that opens it.
pub(super) fn behind(tail: &mut Vec<u8>, plain: &[u8], target: &ConversionTarget, open: bool) -> Option<Harmless> {
    let DelimiterTokens { inside, all } = &target.tokens;
    let mut last = tail.clone();
    match harmless_text(&mut last, plain, if open { all } else { inside }) {
        Some(text) => Some(Harmless { text: text.into(), tail: last }),
        None => {
            *tail = last;
            None
        }
    }
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

/// Whether the same is read as these blocks and this answer, all of them in parts.
pub(super) fn are_read_messages(blocks: &[Vec<&[u8]>], visible: &[&[u8]]) -> bool {
    if !blocks.iter().all(|block| are_utf8(block)) || !are_utf8(visible) {
        return false;
    }
    let mut texts = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        texts.extend(if i > 0 { [END, AGAIN].as_slice() } else { &[] }.iter().map(|text| text.as_bytes()));
        texts.push(OPEN.as_bytes());
        texts.extend_from_slice(block);
    }
    texts.push(CLOSE.as_bytes());
    texts.extend_from_slice(visible);
    are_read_as(&texts, blocks, visible)
}

/// Whether a text in parts is UTF-8.
pub(super) fn are_utf8(parts: &[&[u8]]) -> bool {
    // The beginning of a character whose end is in the next part.
    let mut begun = Vec::new();
    for part in parts {
        let joined = if begun.is_empty() { Cow::Borrowed(*part) } else { Cow::Owned([&begun, *part].concat()) };
        let end = joined.len() - incomplete(&joined);
        if std::str::from_utf8(&joined[..end]).is_err() {
            return false;
        }
        begun = joined[end..].to_vec();
    }
    begun.is_empty()
}

/// Where a backslash goes into a text in parts, so that no delimiter in it is read as such.
pub(super) fn places(parts: &[&[u8]], target: &ConversionTarget) -> Vec<usize> {
    places_in(parts, &target.tokens.all)
}

/// Whether a text is read as these blocks of reasoning and this answer.
pub(in crate::dialect::formats::chat) fn is_read_as<B: AsRef<[u8]>>(text: &[u8], blocks: &[B], visible: &[u8]) -> bool {
    let blocks: Vec<Vec<&[u8]>> = blocks.iter().map(|block| vec![block.as_ref()]).collect();
    are_read_as(&[text], &blocks, &[visible])
}

/// The same for texts in parts.
fn are_read_as(texts: &[&[u8]], blocks: &[Vec<&[u8]>], visible: &[&[u8]]) -> bool {
    let (block, visible) = (RestOfText::default(), RestOfText { parts: visible, at: 0 });
    let mut got = ComparedContent { blocks: blocks.iter(), block, begun: false, visible, last: None, differs: false };
    read(texts, all_tags(), Options::default(), &mut got);
    got.is_same()
}

/// Whether a text may hold a tag that a reader searches for.
pub(in crate::dialect::formats::chat) fn may_hold_tag(text: &[u8]) -> bool {
    all_tags().may_hold(text, false)
}

/// Every tag that a reader may search for.
pub(super) fn all_tags() -> &'static Tags {
    static ALL: OnceLock<Tags> = OnceLock::new();
    ALL.get_or_init(Tags::default)
}

/// The reasoning and the visible text that a content is read as.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ReadContent {
    pub reasoning: Vec<Vec<u8>>,
    pub visible: Vec<u8>,
}

impl ReadContent {
    /// Reads a text of the content.
    pub fn read(&mut self, tags: &Tags, inline: Options, text: &[u8]) {
        read(&[text], tags, inline, self);
    }
}

/// Takes what a content is read as.
trait ContentReceiver {
    /// Reasoning. `fresh`: it begins a block.
    fn reasoning(&mut self, fresh: bool, text: &[u8]);

    /// More of the visible text.
    fn visible(&mut self, text: &[u8]);

    /// The last byte of the visible text so far.
    fn last(&self) -> Option<u8>;
}

impl ContentReceiver for ReadContent {
    fn reasoning(&mut self, fresh: bool, text: &[u8]) {
        match self.reasoning.last_mut().filter(|_| !fresh) {
            Some(block) => block.extend_from_slice(text),
            None if fresh => self.reasoning.push(text.to_vec()),
            None => (),
        }
    }

    fn visible(&mut self, text: &[u8]) {
        self.visible.extend_from_slice(text);
    }

    fn last(&self) -> Option<u8> {
        self.visible.last().copied()
    }
}

/// What is left of a text in parts.
#[derive(Default)]
struct RestOfText<'t> {
    parts: &'t [&'t [u8]],
    /// How many bytes of the first part are taken.
    at: usize,
}

impl RestOfText<'_> {
    /// Takes these bytes. Returns whether it begins with them.
    fn take(&mut self, mut text: &[u8]) -> bool {
        while !text.is_empty() {
            let Some((first, rest)) = self.parts.split_first() else { return false };
            let n = text.len().min(first.len() - self.at);
            if first[self.at..self.at + n] != text[..n] {
                return false;
            }
            (text, self.at) = (&text[n..], self.at + n);
            if self.at == first.len() {
                (self.parts, self.at) = (rest, 0);
            }
        }
        true
    }

    fn is_over(&self) -> bool {
        self.at == 0 && self.parts.iter().all(|part| part.is_empty())
    }
}

/// Compares what a content is read as with what it should be read as, without a copy.
struct ComparedContent<'t> {
    /// The blocks that have not begun, the one that begun last, and the visible text.
    blocks: std::slice::Iter<'t, Vec<&'t [u8]>>,
    block: RestOfText<'t>,
    begun: bool,
    visible: RestOfText<'t>,
    last: Option<u8>,
    differs: bool,
}

impl ComparedContent<'_> {
    /// Whether all has come, and nothing else.
    fn is_same(&self) -> bool {
        !self.differs && self.blocks.len() == 0 && self.block.is_over() && self.visible.is_over()
    }
}

impl ContentReceiver for ComparedContent<'_> {
    fn reasoning(&mut self, fresh: bool, text: &[u8]) {
        if fresh {
            let next = self.blocks.next();
            self.differs |= next.is_none() || !self.block.is_over();
            (self.block, self.begun) = (RestOfText { parts: next.map_or(&[], Vec::as_slice), at: 0 }, true);
        }
        self.differs |= self.begun && !self.differs && !self.block.take(text);
    }

    fn visible(&mut self, text: &[u8]) {
        self.differs |= !self.differs && !self.visible.take(text);
        self.last = text.last().copied().or(self.last);
    }

    fn last(&self) -> Option<u8> {
        self.last
    }
}

/// Reads a text of a content, which comes in parts.
fn read(texts: &[&[u8]], tags: &Tags, inline: Options, content: &mut impl ContentReceiver) {
    let mut text_reader = TextReader::new(tags, inline, false);
    let mut framed = false;
    let mut to = |p: &Piece<'_>| match p.kind {
        PieceKind::Reasoning(_) => content.reasoning(p.fresh, p.text),
        PieceKind::Frame => framed = true,
        PieceKind::Structure => {
            framed = false;
            content.visible(p.text);
        }
        PieceKind::Visible | PieceKind::Mention | PieceKind::Commentary | PieceKind::Tool | PieceKind::Gap => {
            let joins = p.fresh && std::mem::take(&mut framed);
            let joins = joins && is_glued(content.last().as_slice(), p.text);
            content.visible(if joins { b"\n" } else { b"" });
            content.visible(p.text);
        }
        _ => (),
    };
    let mut at = 0;
    // A long text is read in parts: the reader may copy what it gets at once.
    for text in texts.iter().flat_map(|text| text.chunks(AT_ONCE)) {
        text_reader.feed(text, at, Map::default(), &mut Vec::new(), &mut to);
        at += text.len() as u64;
    }
    text_reader.finish(&mut Vec::new(), &mut to);
}
