//! Delimiters in texts: which tokens would be read as such, how they are made harmless, and what a text is read as.

use super::edits::bytes;
use super::{ConversionTarget, Placement};
use crate::dialect::formats::chat::harmless::harmless_piece;
use crate::dialect::formats::chat::harmony_tokens;
use crate::dialect::inline_text::TextReader;
use crate::inline::{Options, Tags};
use crate::json::text::{Map, decoded, utf8};
use crate::model::{Bit, Leaf, Losses, Piece, PieceKind, is_glued};
use std::sync::OnceLock;

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
    behind(&mut Vec::new(), text, target, false).is_some()
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

/// The same, if it reads back as these blocks and this answer.
pub(super) fn as_read_messages(blocks: &[&[u8]], visible: &[u8]) -> Option<String> {
    let out = as_messages(blocks, visible);
    is_read_as(out.as_bytes(), blocks, visible).then_some(out)
}

/// Whether a text is read as these blocks of reasoning and this answer.
pub(in crate::dialect::formats::chat) fn is_read_as<B: AsRef<[u8]>>(text: &[u8], blocks: &[B], visible: &[u8]) -> bool {
    let mut got = ReadContent::default();
    got.read(all_tags(), Options::default(), text);
    got.visible == visible && got.reasoning.iter().map(Vec::as_slice).eq(blocks.iter().map(AsRef::as_ref))
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
        let mut text_reader = TextReader::new(tags, inline, false);
        let mut framed = false;
        let mut to = |p: &Piece<'_>| match p.kind {
            PieceKind::Reasoning(_) if p.fresh => self.reasoning.push(p.text.to_vec()),
            PieceKind::Reasoning(_) => self.reasoning.iter_mut().next_back().into_iter().for_each(|b| b.extend(p.text)),
            PieceKind::Frame => framed = true,
            PieceKind::Structure => {
                framed = false;
                self.visible.extend_from_slice(p.text);
            }
            PieceKind::Visible | PieceKind::Mention | PieceKind::Commentary | PieceKind::Tool | PieceKind::Gap => {
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
