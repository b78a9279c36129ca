//! Reasoning in messages of Harmony: what goes before the answer, and whether the content then reads back as intended.
//! The reasoning or the answer may hold a token of Harmony, or a tag.

use super::chat::Origin;
use super::closing::{CLOSES, escape};
use super::parsed::{Block, ParsedMessage, Run, Thought};
use super::plan::{Plan, copies, text};
use super::segments::{Segment, segments};
use super::{Context, Placement, Target, escaped};
use crate::dialect::inline_text::TextReader;
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Options, Tags};
use crate::json::text::{Map, decode, utf8};
use crate::model::{Bit, Kind, Loss, Piece, is_glued};
use std::sync::OnceLock;

/// Opens the reasoning of a message.
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

/// The error for text that holds such a token.
const CONTAINS_TOKENS: &str =
    "the message holds tokens of Harmony that would be read as such (--escape makes them harmless)";
const READS: &str = "the message holds delimiters that would be read as such";

/// What goes before the content.
#[derive(Debug, Default)]
pub(super) struct Prefix {
    pub bits: Vec<Bit>,
    /// The content's delimiters must be escaped.
    pub harmless: bool,
}

impl Prefix {
    /// A prefix of these bits, for content that stays as it is.
    pub fn of(bits: Vec<Bit>) -> Self {
        Self { bits, harmless: false }
    }
}

/// The tokens that a text must not hold.
pub(super) fn tokens(target: &Target) -> Vec<Vec<u8>> {
    match target.placement {
        Placement::Harmony => TOKENS.map(<[u8]>::to_vec).to_vec(),
        _ => vec![crate::json::text::decoded(target.close.as_bytes())],
    }
}

/// Whether a text holds one of them.
pub(super) fn closes(text: &[u8], target: &Target) -> bool {
    let text = text.to_ascii_lowercase();
    tokens(target).iter().any(|token| memchr::memmem::find(&text, &token.to_ascii_lowercase()).is_some())
}

/// The messages before the content, escaped for a string, and whether the content's delimiters must be escaped.
pub(super) fn prefix(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    moved: &[(Origin, &Thought)],
    target: &Target,
    plan: &mut Plan,
) -> Result<Prefix, Error> {
    if moved.is_empty() {
        return Ok(Prefix::default());
    }
    let at = moved.iter().flat_map(|(_, t)| t.text.iter().flatten()).next().map_or(0, |at| at.start);
    // Readers that take the reasoning from a field ignore headers in the content, so that these would not come back.
    if parsed.is_framed() {
        return Err(Error::new(at, READS));
    }
    let whole = || Prefix::of(messages(moved, |_, ranges, bits| copies(context.body, ranges, bits)));
    if is_read(context, parsed, moved, whole(), target) {
        return Ok(whole());
    }
    if !target.escape {
        return Err(Error::new(at, CONTAINS_TOKENS));
    }
    let harmless = || {
        let bits = messages(moved, |thought, _, bits| {
            let plain = super::chat::plain(context.body.text, thought);
            bits.push(text(escaped(&escape(&String::from_utf8_lossy(&plain), target))));
        });
        Prefix { bits, harmless: true }
    };
    if !is_read(context, parsed, moved, harmless(), target) {
        return Err(Error::new(at, READS));
    }
    plan.losses.push(Loss::Escaped);
    Ok(harmless())
}

/// Writes each thought as a message of its own.
fn messages(
    moved: &[(Origin, &Thought)],
    mut write: impl FnMut(&Thought, &[super::parsed::At], &mut Vec<Bit>),
) -> Vec<Bit> {
    let mut bits = Vec::new();
    for (i, (_, thought)) in moved.iter().enumerate() {
        bits.push(text(if i > 0 { [END, AGAIN, OPEN].concat() } else { OPEN.to_string() }));
        write(thought, thought.text.as_deref().unwrap_or_default(), &mut bits);
    }
    bits.push(text(CLOSE));
    bits
}

/// Refuses a message whose content would read differently with other delimiters.
pub(super) fn check_retagged(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    target: &Target,
) -> Result<Prefix, Error> {
    let read = |harmless| is_read(context, parsed, &[], Prefix { bits: Vec::new(), harmless }, target);
    match parsed.blocks.iter().find_map(start) {
        Some(at) if !(read(false) || target.escape && read(true)) => Err(Error::new(at, CLOSES)),
        _ => Ok(Prefix { bits: Vec::new(), harmless: !read(false) }),
    }
}

fn start(block: &Block) -> Option<usize> {
    match block {
        Block::Thought(thought) => thought.text.iter().flatten().next().map(|at| at.start),
        Block::Text { text, .. } => text.iter().find_map(Run::start),
        _ => None,
    }
}

/// An answer and the reasoning before it, as one text.
pub(super) fn written(blocks: &[&[u8]], visible: &[u8]) -> String {
    let mut out = String::new();
    for (i, block) in blocks.iter().enumerate() {
        out.push_str(if i > 0 { "<|end|><|start|>assistant" } else { "" });
        out.push_str(OPEN);
        out.push_str(&utf8(block));
    }
    out.push_str(CLOSE);
    out + &utf8(visible)
}

/// The same, if it reads back as these blocks and this answer.
pub(super) fn read(blocks: &[&[u8]], visible: &[u8]) -> Option<String> {
    let out = written(blocks, visible);
    let mut got = Parsed::default();
    got.read(all_tags(), Options::default(), out.as_bytes());
    (got.reasoning == blocks && got.visible == visible).then_some(out)
}

/// Every tag that a reader may search for.
fn all_tags() -> &'static Tags {
    static ALL: OnceLock<Tags> = OnceLock::new();
    ALL.get_or_init(Tags::default)
}

/// Whether the content with `prefix` before it reads back as intended.
fn is_read(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    moved: &[(Origin, &Thought)],
    prefix: Prefix,
    target: &Target,
) -> bool {
    let (tags, inline) = match target.placement {
        Placement::Harmony => (all_tags(), Options::default()),
        _ => (context.tags, context.inline),
    };
    let record = context.body.text;
    let plain = |thought: &Thought| super::chat::plain(record, thought);
    let mut want = Parsed::default();
    want.reasoning.extend(moved.iter().map(|(_, thought)| plain(thought)));
    for block in &parsed.blocks {
        match block {
            Block::Thought(thought) if target.keeps(thought) => want.reasoning.push(plain(thought)),
            Block::Text { text, .. } => text.iter().for_each(|run| match run {
                Run::At(at) => decode(&record[at.clone()], &mut want.visible),
                Run::LineEnd => want.visible.push(b'\n'),
            }),
            _ => (),
        }
    }
    if prefix.harmless {
        let harmless = |text: &[u8]| escape(&String::from_utf8_lossy(text), target).into_bytes();
        want.reasoning.iter_mut().for_each(|text| *text = harmless(text));
        want.visible = harmless(&want.visible);
    }
    let mut got = Parsed::default();
    for segment in segments(context, parsed, prefix, target) {
        if let Segment::Text { inside, .. } = segment {
            got.read(tags, inline, &decoded(context.body, &inside));
        }
    }
    got == want
}

/// The reasoning and the visible text of a content.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parsed {
    reasoning: Vec<Vec<u8>>,
    visible: Vec<u8>,
}

impl Parsed {
    fn read(&mut self, tags: &Tags, inline: Options, text: &[u8]) {
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

/// The text that bits inside of a string will be read as.
fn decoded(body: &Body<'_>, bits: &[Bit]) -> Vec<u8> {
    let mut out = Vec::new();
    for bit in bits {
        match bit {
            Bit::Text(inside) => decode(inside, &mut out),
            Bit::Copy(span) => {
                let start = body.at(span.start);
                decode(&body.text[start..start + span.len() as usize], &mut out);
            }
        }
    }
    out
}
