//! The content of a chat message: what is cut from its texts and parts, and what is written in front of them.

use super::delimiters::{self, AGAIN, CLOSES, CONTAINS_TOKENS, END, OPEN, ReadContent, all_tags, escape};
use super::edits::{MemberEdits, Plan, bytes, copies, text};
use super::reading::{ContentText, Reading, TextStretch};
use super::thought::Thought;
use super::words::is_shown;
use super::written::{Written, put};
use super::{Context, ConversionTarget};
use crate::dialect::draft::Draft;
use crate::error::Error;
use crate::inline::Options;
use crate::json::quote;
use crate::json::text::{decode, decoded};
use crate::model::{Bit, Loss, PieceKind};
use crate::span::Span;

/// The error for content that would read differently.
const READS: &str = "the message holds delimiters that would be read as such";

/// The error for a tag in the answer.
const TOLD: &str = "the answer holds a tag that would be read as one behind the reasoning (--escape makes that of the target harmless)";

/// The reasoning that moves into the content, and the texts that it joins.
struct Content<'c, 'a, 'b> {
    context: &'c Context<'a, 'b>,
    reading: &'c Reading,
    moved: &'c [&'c Thought],
    target: &'c ConversionTarget,
    /// Delimiters in texts are escaped.
    escapes: bool,
}

/// What is written into the texts of a content, and that it will be read as it is meant.
///
/// # Errors
/// When a text holds a delimiter that would be read as such, and may not be escaped.
pub(super) fn written(
    context: &Context<'_, '_>,
    reading: &Reading,
    moved: &[&Thought],
    target: &ConversionTarget,
    plan: &mut Plan,
) -> Result<Written, Error> {
    let mut content = Content { context, reading, moved, target, escapes: false };
    let out = content.written();
    if !target.is_inline() || !content.is_risky(&out) {
        return Ok(out);
    }
    let at = content.start();
    let framed = target.placement.is_headed() && reading.framed;
    if !moved.is_empty() && framed {
        // Readers that take the reasoning from a field ignore headers in the content, so that these would not come back.
        return Err(Error::new(at, READS));
    }
    if content.reads_back(&out) {
        return Ok(out);
    }
    let harmony = target.placement.is_headed();
    if !target.escape {
        return Err(Error::new(at, if harmony { CONTAINS_TOKENS } else { content.error() }));
    }
    content.escapes = true;
    let out = content.written();
    if !content.reads_back(&out) {
        return Err(Error::new(at, if harmony { READS } else { content.error() }));
    }
    plan.losses.extend(std::iter::repeat_n(Loss::Escaped, if harmony { 1 } else { out.escaped }));
    Ok(out)
}

impl Content<'_, '_, '_> {
    fn record(&self) -> &[u8] {
        self.context.body.text
    }

    /// What is wrong where the reasoning goes between tags.
    fn error(&self) -> &'static str {
        let closes = |thought: &Thought| delimiters::closes(&thought.plain(self.record()), self.target);
        if self.reading.thoughts.iter().any(closes) { CLOSES } else { TOLD }
    }

    /// A stretch of the answer, with what is escaped in it. Of tags, only those that would be read as such.
    fn told(&self, stretch: &TextStretch) -> (Vec<u8>, bool) {
        let plain = decoded(&self.record()[stretch.at.clone()]);
        let told = !self.moved.is_empty() && stretch.kind == PieceKind::Mention;
        let harmless = match self.escapes && (self.target.placement.is_headed() || told) {
            true => escape(&plain, self.target),
            false => return (plain, false),
        };
        let escaped = harmless != plain;
        (harmless, escaped)
    }

    /// Where it begins, for errors.
    fn start(&self) -> usize {
        let moved = self.moved.iter().filter_map(|thought| thought.text.as_ref()?.first());
        let texts = self.reading.texts.iter().map(|words| &words.literal.start);
        moved.map(|at| at.start).chain(texts.copied()).next().unwrap_or(0)
    }

    fn written(&self) -> Written {
        let mut out = Written::default();
        out.prefix = self.prefix(&mut out.escaped);
        let behind = !out.prefix.is_empty();
        for words in &self.reading.texts {
            self.text(words, behind, &mut out);
        }
        out
    }

    /// A text of reasoning, escaped where it may be.
    fn inside(&self, thought: &Thought, bits: &mut Vec<Bit>, count: &mut usize) {
        if self.escapes {
            let plain = thought.plain(self.record());
            let harmless = escape(&plain, self.target);
            if harmless != plain {
                *count += 1;
                return bits.push(inside(&harmless));
            }
        }
        copies(self.context.body, thought.text.as_deref().unwrap_or_default(), bits);
    }

    fn prefix(&self, count: &mut usize) -> Vec<Bit> {
        let mut bits = Vec::new();
        if self.moved.is_empty() || !self.target.is_inline() {
            return bits;
        }
        let harmony = self.target.placement.is_headed();
        for (i, thought) in self.moved.iter().enumerate() {
            bits.push(match (i, harmony) {
                (0, _) => text(self.target.open.clone()),
                (_, true) => text([END, AGAIN, OPEN].concat()),
                (_, false) => text("\\n"),
            });
            self.inside(thought, &mut bits, count);
        }
        bits.push(text(self.target.close.clone()));
        bits
    }

    /// Adds the edits of one text. `behind`: something is written in front of it.
    fn text(&self, words: &ContentText, behind: bool, out: &mut Written) {
        let (target, harmony) = (self.target, self.target.placement.is_headed());
        let (mut pending, mut open) = (None, false);
        let close = || vec![text(target.close.clone())];
        for stretch in &words.stretches {
            let TextStretch { kind, at, thought, .. } = stretch;
            let thought = thought.map(|at| &self.reading.thoughts[at]);
            if let Some(delimiter) = pending.take_if(|_| !at.is_empty()) {
                out.edits.push((at.start..at.start, vec![text(delimiter)]));
            }
            let mut put = |bits: Vec<Bit>| out.edits.extend((!at.is_empty()).then(|| (at.clone(), bits)));
            match (kind, thought) {
                (PieceKind::Reasoning(_) | PieceKind::Delimiter, Some(thought)) if !target.keeps(thought) => {
                    put(Vec::new())
                }
                (PieceKind::Reasoning(_), Some(thought)) if stretch.begins => {
                    open = target.retags(thought);
                    // What opens a block by standing at the start does not do so behind a prefix.
                    match at.is_empty() && (open || behind && thought.implied) {
                        true => pending = Some(target.open.clone()),
                        false if open => put(vec![text(target.open.clone())]),
                        false => (),
                    }
                }
                (PieceKind::Reasoning(_), Some(thought)) if self.escapes => {
                    let first = thought.text.as_ref().and_then(|all| all.first()) == Some(at);
                    let mut bits = Vec::new();
                    let before = out.escaped;
                    self.inside(thought, &mut bits, &mut out.escaped);
                    if out.escaped > before {
                        out.escaped = if first { out.escaped } else { before };
                        out.edits.push((at.clone(), if first { bits } else { Vec::new() }));
                    }
                }
                (PieceKind::Delimiter, _) if std::mem::take(&mut open) => match at.is_empty() {
                    true => out.edits.push((at.clone(), close())),
                    false => put(close()),
                },
                (PieceKind::Frame, _) if !harmony => put(Vec::new()),
                (PieceKind::Stray, _) if target.is_inline() && !self.changes(words) => (),
                (PieceKind::Stray, _) => put(Vec::new()),
                _ if is_shown(stretch) => {
                    if stretch.joins && !harmony {
                        out.edits.push((at.start..at.start, vec![text("\\n")]));
                    }
                    if let (true, (harmless, true)) = (self.escapes, self.told(stretch)) {
                        out.escaped += 1;
                        out.edits.push((at.clone(), vec![inside(&harmless)]));
                    }
                }
                _ => (),
            }
        }
        let end = words.literal.end..words.literal.end;
        out.edits.extend(pending.map(|delimiter| (end.clone(), vec![text(delimiter)])));
        if open {
            out.edits.push((end, close()));
        }
    }

    /// Whether a block of a text goes or gets other delimiters.
    fn changes(&self, words: &ContentText) -> bool {
        let blocks = words.stretches.iter().filter(|stretch| stretch.begins).filter_map(|stretch| stretch.thought);
        let mut blocks = blocks.map(|at| &self.reading.thoughts[at]);
        blocks.any(|thought| !self.target.keeps(thought) || self.target.retags(thought))
    }

    /// Whether what is written might be read in another way than it is meant.
    fn is_risky(&self, out: &Written) -> bool {
        if out.is_empty() {
            return false;
        }
        if self.target.placement.is_headed() || self.reading.framed {
            return true;
        }
        let close = decoded(self.target.close.as_bytes()).to_ascii_lowercase();
        let may_close = |plain: &[u8]| {
            self.context.tags.may_hold(plain, false)
                || memchr::memmem::find(&plain.to_ascii_lowercase(), &close).is_some()
        };
        let told = |words: &ContentText| {
            let text = words.literal;
            self.context.tags.may_hold(text.raw(self.record()), text.escaped)
        };
        if !out.prefix.is_empty() && self.reading.texts.iter().any(told) {
            return true;
        }
        let retagged = self.reading.thoughts.iter().filter(|thought| self.target.retags(thought));
        self.moved.iter().copied().chain(retagged).any(|thought| may_close(&thought.plain(self.record())))
    }

    /// Whether what is written will be read as this reasoning and this answer.
    fn reads_back(&self, out: &Written) -> bool {
        let (tags, inline) = match self.target.placement.is_headed() {
            true => (all_tags(), Options::default()),
            // The message has no other place for reasoning then.
            false => (self.context.tags, Options { apart: false, ..self.context.inline }),
        };
        let harmless = |plain: Vec<u8>| match self.escapes {
            true => escape(&plain, self.target),
            false => plain,
        };
        let mut want = ReadContent::default();
        let moved = self.moved.iter().map(|thought| harmless(thought.plain(self.record())));
        match self.target.placement.is_headed() {
            true => want.reasoning.extend(moved),
            false if self.moved.is_empty() => (),
            false => want.reasoning.push(moved.collect::<Vec<_>>().join(&b'\n')),
        }
        for words in &self.reading.texts {
            for stretch in &words.stretches {
                let thought = stretch.thought.map(|at| &self.reading.thoughts[at]);
                match thought {
                    Some(thought) if stretch.begins && self.target.keeps(thought) => {
                        want.reasoning.push(harmless(thought.plain(self.record())));
                    }
                    None if is_shown(stretch) => {
                        want.visible.extend_from_slice(if stretch.joins { b"\n" } else { b"" });
                        want.visible.extend(self.told(stretch).0);
                    }
                    _ => (),
                }
            }
        }
        let mut got = ReadContent::default();
        let mut prefix = Vec::new();
        out.prefix.iter().for_each(|bit| self.decode(bit, &mut prefix));
        if self.reading.texts.is_empty() {
            got.read(tags, inline, &prefix);
        }
        for words in &self.reading.texts {
            let mut whole = std::mem::take(&mut prefix);
            out.bits_of(self.context.body, words.literal).iter().for_each(|bit| self.decode(bit, &mut whole));
            got.read(tags, inline, &whole);
        }
        got == want
    }

    fn decode(&self, bit: &Bit, out: &mut Vec<u8>) {
        let copied = |span: Span| {
            let start = self.context.body.at(span.start);
            &self.record()[start..start + span.len() as usize]
        };
        decode(bit.bytes(copied), out);
    }
}

/// A text, as it stands inside a string.
pub(super) fn inside(plain: &[u8]) -> Bit {
    let mut out = Vec::new();
    quote::inside(plain, &mut out);
    bytes(out)
}

/// Writes the content of a message without the reasoning that moves, and with what goes in front.
pub(super) fn content(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    moved: &[&Thought],
    target: &ConversionTarget,
    members: &mut MemberEdits<'_>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let out = written(context, reading, moved, target, plan)?;
    if target.is_inline() && !out.edits.is_empty() {
        plan.losses.extend(reading.lost(target.placement.is_headed()));
    }
    put(context, draft, reading, out, members, plan);
    Ok(())
}
