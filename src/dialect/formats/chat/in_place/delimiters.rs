//! Delimiters in texts: which tokens would be read as such, how they are made harmless, and what a text is read as.

use super::edits::bytes;
use super::{ConversionTarget, Placement};
use crate::dialect::formats::chat::harmless::{harmless_piece, holds};
use crate::dialect::formats::chat::harmony_tokens;
use crate::dialect::inline_text::TextReader;
use crate::inline::{Options, Tags};
use crate::json::text::{Map, decoded, utf8};
use crate::model::{Bit, Leaf, Losses, Piece, PieceKind, is_glued};
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

/// The tokens that reasoning must not hold, in lower case; with `open` also those that need not be read as such.
fn tokens(target: &ConversionTarget, open: bool) -> Vec<String> {
    if target.placement == Placement::Harmony {
        return harmony_tokens();
    }
    let plain = |delimiter: &str| utf8(&decoded(delimiter.as_bytes())).to_ascii_lowercase();
    std::iter::once(plain(&target.close)).chain(open.then(|| plain(&target.open))).collect()
}

/// Whether a text holds a delimiter that would end it.
pub(super) fn closes(text: &[u8], target: &ConversionTarget) -> bool {
    holds(text, &tokens(target, false))
}

/// A text with a backslash behind the first character of every delimiter.
pub(super) fn escape(plain: &[u8], target: &ConversionTarget) -> Vec<u8> {
    harmless_piece(&mut Vec::new(), &plain.into(), &tokens(target, true), &mut Losses::default()).take()
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
    let (mut last, mut losses) = (tail.clone(), Losses::default());
    let text = harmless_piece(&mut last, &plain.into(), &tokens(target, open), &mut losses);
    if losses.is_empty() {
        *tail = last;
        return None;
    }
    Some(Harmless { text, tail: last })
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

/// Whether the same is read as these blocks and this answer.
pub(super) fn are_read_messages(blocks: &[&[u8]], visible: &[u8]) -> bool {
    if !blocks.iter().all(|block| std::str::from_utf8(block).is_ok()) || std::str::from_utf8(visible).is_err() {
        return false;
    }
    let mut texts = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        let end = if i > 0 { [END, AGAIN] } else { [""; 2] };
        texts.extend([end[0].as_bytes(), end[1].as_bytes(), OPEN.as_bytes(), *block]);
    }
    texts.extend([CLOSE.as_bytes(), visible]);
    are_read_as(&texts, blocks, visible)
}

/// Whether a text is read as these blocks of reasoning and this answer.
pub(in crate::dialect::formats::chat) fn is_read_as<B: AsRef<[u8]>>(text: &[u8], blocks: &[B], visible: &[u8]) -> bool {
    are_read_as(&[text], blocks, visible)
}

/// The same for a text in parts.
fn are_read_as<B: AsRef<[u8]>>(texts: &[&[u8]], blocks: &[B], visible: &[u8]) -> bool {
    let mut got = ComparedContent { blocks, visible, begun: 0, of_block: 0, of_visible: 0, differs: false };
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

    /// The visible text so far.
    fn said(&self) -> &[u8];
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

    fn said(&self) -> &[u8] {
        &self.visible
    }
}

/// Compares what a content is read as with what it should be read as, without a copy.
struct ComparedContent<'t, B> {
    blocks: &'t [B],
    visible: &'t [u8],
    /// How many blocks have begun, and how many bytes of the last one and of the visible text have come.
    begun: usize,
    of_block: usize,
    of_visible: usize,
    differs: bool,
}

impl<B: AsRef<[u8]>> ComparedContent<'_, B> {
    /// The last block that has begun.
    fn block(&self) -> &[u8] {
        self.begun.checked_sub(1).and_then(|last| self.blocks.get(last)).map_or(b"", AsRef::as_ref)
    }

    /// Whether all has come, and nothing else.
    fn is_same(&self) -> bool {
        let whole = self.begun == self.blocks.len() && self.of_block == self.block().len();
        !self.differs && whole && self.of_visible == self.visible.len()
    }
}

impl<B: AsRef<[u8]>> ContentReceiver for ComparedContent<'_, B> {
    fn reasoning(&mut self, fresh: bool, text: &[u8]) {
        if fresh {
            self.differs |= self.of_block != self.block().len() || self.begun == self.blocks.len();
            (self.begun, self.of_block) = (self.begun + 1, 0);
        }
        if self.differs || self.begun == 0 {
            return;
        }
        self.differs = !self.block()[self.of_block..].starts_with(text);
        self.of_block += text.len();
    }

    fn visible(&mut self, text: &[u8]) {
        self.differs = self.differs || !self.visible[self.of_visible..].starts_with(text);
        self.of_visible += if self.differs { 0 } else { text.len() };
    }

    fn said(&self) -> &[u8] {
        &self.visible[..self.of_visible]
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
            let joins = joins && is_glued(content.said(), p.text);
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
