//! Reasoning between delimiters: it must not hold the closing delimiter.

use super::chat::{Origin, plain};
use super::parsed::{Block, Layout, ParsedMessage, Run, Thought};
use super::plan::{Plan, copies, text};
use super::{Context, Placement, Target, escaped, harmony};
use crate::dialect::inline_text::TextReader;
use crate::error::Error;
use crate::json::text::{self as escapes, Map, decoded, utf8};
use crate::model::{Bit, Kind, Loss, Piece};

/// The reasoning between delimiters, escaped for a string.
pub(super) fn tagged(
    context: &mut Context<'_, '_>,
    parsed: &ParsedMessage,
    moved: &[(Origin, &Thought)],
    target: &Target,
    plan: &mut Plan,
) -> Result<Vec<Bit>, Error> {
    if moved.is_empty() {
        return Ok(Vec::new());
    }
    let mut bits = vec![text(target.open.clone())];
    for (i, (_, thought)) in moved.iter().enumerate() {
        if i > 0 {
            bits.push(text("\\n"));
        }
        let ranges = thought.text.as_deref().unwrap_or_default();
        let plain = plain(context.body.text, thought);
        if !could_close(context, target, &plain) || reads_back(context, parsed, target, &plain) {
            copies(context.body, ranges, &mut bits);
            continue;
        }
        let at = ranges.first().map_or(0, |at| at.start);
        if !target.escape {
            return Err(Error::new(at, CLOSES));
        }
        let harmless = escape(&String::from_utf8_lossy(&plain), target);
        if !reads_back(context, parsed, target, harmless.as_bytes()) {
            return Err(Error::new(at, CLOSES));
        }
        plan.losses.push(Loss::Escaped);
        bits.push(text(escaped(&harmless)));
    }
    bits.push(text(target.close.clone()));
    Ok(bits)
}

/// Refuses a message whose inline blocks would get tags that stand in their text.
pub(super) fn check_retagged(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    target: &Target,
    behind: bool,
) -> Result<(), Error> {
    for block in &parsed.blocks {
        let Block::Thought(thought) = block else { continue };
        let other = target.retags(thought) || parsed.layout != Layout::Chat || behind && thought.implied;
        if thought.tagged && other && !target.escape && contains_close(context.body.text, thought, target) {
            let at = thought.text.iter().flatten().next().map_or(0, |at| at.start);
            return Err(Error::new(at, CLOSES));
        }
    }
    Ok(())
}

/// Whether a thought holds the closing delimiter.
pub(super) fn contains_close(record: &[u8], thought: &Thought, target: &Target) -> bool {
    let close = decoded(target.close.as_bytes()).to_ascii_lowercase();
    memchr::memmem::find(&plain(record, thought).to_ascii_lowercase(), &close).is_some()
}

/// The error for reasoning that holds a delimiter.
pub(super) const CLOSES: &str = "the reasoning holds a tag that would end it too early (--escape makes it harmless)";

/// Whether a text may hold a delimiter: that of the target, or any other that a reader may search for.
fn could_close(context: &Context<'_, '_>, target: &Target, plain: &[u8]) -> bool {
    context.tags.may_hold(plain, false) || memchr::memmem::find(plain, &decoded(target.close.as_bytes())).is_some()
}

/// Whether the block, written before the content, reads back as this reasoning, and the content as no reasoning.
fn reads_back(context: &mut Context<'_, '_>, parsed: &ParsedMessage, target: &Target, thought: &[u8]) -> bool {
    let (open, close) = (decoded(target.open.as_bytes()), decoded(target.close.as_bytes()));
    if memchr::memmem::find(&thought.to_ascii_lowercase(), &close.to_ascii_lowercase()).is_some() {
        return false;
    }
    let mut whole = open;
    whole.extend_from_slice(thought);
    whole.extend_from_slice(&close);
    if let Some(Block::Text { text, .. }) = parsed.blocks.first() {
        for run in text {
            match run {
                Run::At(at) => escapes::decode(&context.body.text[at.clone()], &mut whole),
                Run::LineEnd => whole.push(b'\n'),
            }
        }
    }
    let mut text_reader = TextReader::new(context.tags, context.inline, false);
    let (mut reasoning, mut notes) = (Vec::new(), Vec::new());
    let mut to = |p: &Piece<'_>| {
        if matches!(p.kind, Kind::Reasoning(_)) {
            reasoning.extend_from_slice(p.text);
        }
    };
    text_reader.feed(&whole, 0, Map::default(), &mut notes, &mut to);
    text_reader.finish(&mut notes, &mut to);
    reasoning == thought
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
    let tokens = harmony::tokens(target);
    let longest = tokens.iter().map(Vec::len).max().unwrap_or(0);
    let joined = |text: &[u8]| [tail.as_slice(), &text.to_ascii_lowercase()].concat();
    let last = |mut all: Vec<u8>| all.split_off(all.len() - longest.saturating_sub(1).min(all.len()));
    let whole = joined(plain);
    if !harmony::closes(&whole, target) {
        *tail = last(whole);
        return None;
    }
    let mut text = escape(&utf8(plain), target);
    // A delimiter that began in `tail` is written up to here: a backslash breaks it.
    if harmony::closes(&joined(text.as_bytes()), target) {
        text.insert(0, '\\');
    }
    let tail = last(joined(text.as_bytes()));
    Some(Harmless { text, tail })
}
