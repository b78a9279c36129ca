//! Folds events into messages of blocks, and reports each step: which block begins, grows, or ends.

mod copies;
mod facts;
mod more;

use super::content::{Attribute, Block, BlockMessage, ContentKind, Other};
use super::copies::Copies;
use super::{Leaf, Loss, Losses, Piece, PieceKind, Role, Source, is_glued};
use crate::json::text;
use facts::{KeptTexts, goes_on, is_another, lost_seal, one_spelling, without_place};
use std::collections::HashSet;

/// A step of a message that is gathered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatherStep {
    /// The block with this number begins.
    Open(usize),
    /// More text comes for the block with this number.
    Feed(usize, Leaf),
    /// The block with this number ends.
    Close(usize),
}

/// How many calls with incomplete arguments may be open, besides the last one.
const OPEN_CALLS: usize = 128;

/// For how many further blocks an incomplete call stays open: its arguments are checked at each of them.
const BLOCKS_BETWEEN: u8 = 16;

/// The sources of reasoning in a stream.
#[derive(Clone, Debug, Default)]
struct StreamSources {
    /// In a stream: the source whose reasoning is reported as it comes, what the sources have in common, and the texts
    /// of the other sources.
    first: Option<Source>,
    copies: Copies,
    others: Vec<(Source, Leaf)>,
}

/// A message that is gathered.
#[derive(Clone, Debug)]
pub struct Gather {
    /// The message so far.
    pub message: BlockMessage,
    /// The open block, and whether its `Open` step was reported.
    open: Option<(usize, bool)>,
    /// Earlier calls whose arguments may go on, each with the number of other blocks that have begun since: in a
    /// stream, several calls come at the same time, and text may come between.
    calls: Vec<(usize, u8)>,
    /// The sources of reasoning in a stream.
    sources: StreamSources,
    /// The first block of the current item of reasoning.
    item: usize,
    /// The next reasoning begins a block.
    fresh: bool,
    /// The open block of reasoning began with a fresh piece, and not only since text came between two pieces.
    begun_fresh: bool,
    /// The message comes in pieces, so that reported steps cannot be changed.
    stream: bool,
    /// Whether the texts of blocks are kept.
    keeps: KeptTexts,
    /// In a stream: the blocks so far that are neither text nor reasoning.
    begun: HashSet<(Other, u32)>,
    /// Commentary and calls in text are blocks of their own, with [`COMMENTARY`] or [`TOOL_TEXT`] as their source.
    apart: bool,
    /// It has commentary that was joined with a block of text.
    commentary: bool,
    /// The last piece was the header or the end of a message in a text that has several; the last byte of visible text.
    framed: bool,
    last: Option<u8>,
    /// Where the current event stands.
    at: Option<u64>,
}

/// The source of a block of text that is commentary, where that is a block of its own ([`Gather::apart`]).
pub const COMMENTARY: Source = "text for the user";

/// The source of a block of text that is a call of a tool, with its delimiters, where that is a block of its own.
pub const TOOL_TEXT: Source = "call in text";

impl Gather {
    /// Gathers `message`. `stream`: it comes in pieces. `keeps`: the texts of its blocks are kept.
    pub fn new(message: BlockMessage, stream: bool, keeps: bool) -> Self {
        Self {
            message,
            open: None,
            calls: Vec::new(),
            sources: StreamSources::default(),
            item: 0,
            fresh: true,
            begun_fresh: false,
            stream,
            keeps: if keeps { KeptTexts::Copies } else { KeptTexts::None },
            begun: HashSet::new(),
            apart: false,
            commentary: false,
            framed: false,
            last: None,
            at: None,
        }
    }

    /// Makes blocks of their own of commentary, and of calls in text.
    #[cfg(feature = "cli")]
    pub fn apart(self) -> Self {
        Self { apart: true, ..self }
    }

    /// Shares the texts of blocks with what is written of them: a message may have thousands.
    pub fn sharing(self) -> Self {
        Self { keeps: KeptTexts::Shared, ..self }
    }

    /// Sets where the next event stands in the input.
    pub fn at(&mut self, at: Option<u64>) {
        self.at = at;
    }

    /// Adds a piece.
    pub fn piece(&mut self, piece: &Piece<'_>, steps: &mut Vec<GatherStep>, losses: &mut Losses) {
        // The text of a result is in its facts already.
        let result = |block: &Block| block.kind == ContentKind::Other(Other::Result);
        if self.message.role == Role::Tool && self.message.blocks.iter().any(result) && piece.kind.is_visible() {
            return;
        }
        match piece.kind {
            PieceKind::Visible | PieceKind::Mention | PieceKind::Commentary | PieceKind::Tool
                if !piece.text.is_empty() =>
            {
                // Messages in one text stay in one block.
                let framed = std::mem::take(&mut self.framed) && piece.fresh;
                let source = match piece.kind {
                    PieceKind::Commentary if self.apart => COMMENTARY,
                    PieceKind::Tool if self.apart => TOOL_TEXT,
                    _ => "",
                };
                let is = |block: &Block| block.kind == ContentKind::Text && block.source == source;
                let other = self.open.is_none_or(|(at, _)| !is(&self.message.blocks[at]));
                if piece.kind == PieceKind::Commentary && source.is_empty() && !self.commentary {
                    self.commentary = true;
                    losses.push(Loss::Channel);
                }
                if other || piece.fresh && !framed && !self.stream {
                    self.next(Block::new(ContentKind::Text, source, 0), steps);
                } else if framed && is_glued(self.last.as_slice(), &piece.decoded()) {
                    self.text((b"\n", false), steps);
                }
                self.last = last(piece);
                if piece.kind == PieceKind::Mention {
                    losses.push(Loss::Escaped);
                    return self.text((&piece.escaped_tag(), false), steps);
                }
                self.text((piece.text, piece.escaped), steps);
            }
            PieceKind::Frame => self.framed = true,
            PieceKind::Reasoning(source) => self.reasoning(source, piece, steps),
            PieceKind::NextItem => self.end_item(steps, losses),
            _ => (),
        }
    }

    fn reasoning(&mut self, source: Source, piece: &Piece<'_>, steps: &mut Vec<GatherStep>) {
        if self.stream {
            self.sources.copies.piece(source, piece.fresh, &piece.decoded());
        }
        if self.stream && self.sources.first.is_some_and(|first| first != source) {
            // The text of a second source usually is a copy, which is known at the end.
            match self.sources.others.iter_mut().find(|(other, _)| *other == source) {
                Some((_, text)) => text.push(piece.text, piece.escaped),
                None => self.sources.others.push((source, piece.own_text())),
            }
            return;
        }
        self.fresh |= piece.fresh;
        let other = self.open.is_none_or(|(at, _)| {
            self.message.blocks[at].kind != ContentKind::Reasoning || self.message.blocks[at].source != source
        });
        if other || std::mem::take(&mut self.fresh) {
            (self.fresh, self.begun_fresh) = (false, piece.fresh);
            self.next(Block::new(ContentKind::Reasoning, source, 0), steps);
        }
        if !piece.text.is_empty() {
            self.sources.first = self.sources.first.or(Some(source));
            self.text((piece.text, piece.escaped), steps);
        }
    }

    /// Begins a block that is neither text nor reasoning, unless the one with this number has begun.
    pub fn block(&mut self, what: Other, number: u32, steps: &mut Vec<GatherStep>) {
        if self.stream && !self.begun.insert((what, number)) {
            return;
        }
        self.next(Block::new(ContentKind::Other(what), "", number), steps);
    }

    /// Ends the call with this number.
    pub fn block_over(&mut self, number: u32, steps: &mut Vec<GatherStep>) {
        let blocks = &self.message.blocks;
        let is = |at: usize| matches!(blocks[at].kind, ContentKind::Other(Other::Call)) && blocks[at].number == number;
        if self.open.is_some_and(|(at, _)| is(at)) {
            return self.close(steps);
        }
        if let Some(at) = self.calls.iter().position(|(at, _)| is(*at)) {
            steps.push(GatherStep::Close(self.calls.remove(at).0));
        }
    }

    /// Adds a fact to the block with this number, or to the last one.
    pub fn fact(
        &mut self,
        number: Option<u32>,
        (name, value): (Attribute, &[u8]),
        steps: &mut Vec<GatherStep>,
        losses: &mut Losses,
    ) {
        if let Some((kind, loss)) = without_place(name) {
            return self.lose_once(kind, (name, value), loss, losses);
        }
        let value = match name {
            Attribute::CallId | Attribute::ResultOf => &*one_spelling(value),
            _ => value,
        };
        let seal = matches!(name, Attribute::Signature | Attribute::Ciphertext);
        let of_reasoning = seal || matches!(name, Attribute::SealedBy | Attribute::BlockId | Attribute::Heading);
        let is = |block: &Block| match (of_reasoning, number) {
            (true, _) => block.kind == ContentKind::Reasoning,
            (false, Some(number)) => matches!(block.kind, ContentKind::Other(_)) && block.number == number,
            (false, None) => true,
        };
        let Some(mut at) = self.message.blocks.iter().rposition(is) else {
            losses.extend(lost_seal(name).filter(|_| seal));
            return;
        };
        if seal && self.stream && self.message.blocks[at].get(name).is_some_and(|known| !goes_on(known, value)) {
            // Of several blocks that come as one, the last seal stays. Blocks without a text can be told apart.
            match self.message.blocks[at].fed {
                true => losses.extend(lost_seal(name)),
                false => {
                    self.next(Block::new(ContentKind::Reasoning, self.message.blocks[at].source, 0), steps);
                    at = self.message.blocks.len() - 1;
                }
            }
        }
        if seal {
            self.message.blocks[at].seal_at = self.at;
        }
        let block = &mut self.message.blocks[at];
        block.at = block.at.or(self.at);
        let known = self.message.blocks[at].get(name);
        if matches!(name, Attribute::Free | Attribute::SealedBy | Attribute::BlockId) && known.is_some() {
            return;
        }
        if self.stream && is_another(&self.message.blocks[at], name, value) {
            // Another call has the same number.
            let mut block = Block::new(self.message.blocks[at].kind, "", self.message.blocks[at].number);
            block.facts.push((name, value.to_vec()));
            return self.next(block, steps);
        }
        if seal && self.stream && self.open.is_none_or(|(open, _)| open != at) {
            losses.extend(lost_seal(name));
            return;
        }
        if name != Attribute::Arguments || value.first() != Some(&b'"') {
            let facts = &mut self.message.blocks[at].facts;
            // An event that repeats a block has the whole value; the event that began the block may have had a part.
            if seal && !self.stream && facts.iter().any(|(other, known)| *other == name && known != value) {
                // The signature of another block that is joined with this one.
                losses.extend(lost_seal(name));
            }
            if seal || name == Attribute::Arguments {
                facts.retain(|(other, _)| *other != name);
            }
            facts.push((name, value.to_vec()));
            return;
        }
        let text = &value[1..value.len() - 1];
        let escaped = text.contains(&b'\\');
        if self.open.is_none_or(|(open, _)| open != at) {
            self.message.blocks[at].text.push(text, escaped);
            self.message.blocks[at].fed |= !text.is_empty();
            steps.push(GatherStep::Feed(at, Leaf::of(text, escaped)));
            return;
        }
        self.text((text, escaped), steps);
    }

    /// Adds a fact that no other format has a place for to the last block of this kind: one loss for each block.
    fn lose_once(&mut self, kind: ContentKind, (name, value): (Attribute, &[u8]), loss: Loss, losses: &mut Losses) {
        if value.strip_prefix(b"[").is_some_and(|list| list.trim_ascii_start().first() == Some(&b']')) {
            return;
        }
        if let Some(block) = self.message.blocks.iter_mut().rfind(|block| block.kind == kind) {
            if block.get(name).is_some() {
                return;
            }
            block.facts.push((name, value.to_vec()));
        }
        losses.push(loss);
    }

    fn next(&mut self, block: Block, steps: &mut Vec<GatherStep>) {
        // Calls end in the order in which they began: some formats write each when it ends.
        if block.kind != ContentKind::Other(Other::Call) {
            for (at, blocks) in std::mem::take(&mut self.calls) {
                match blocks < BLOCKS_BETWEEN && self.is_partial(at) {
                    true => self.calls.push((at, blocks + 1)),
                    false => steps.push(GatherStep::Close(at)),
                }
            }
        }
        match self.open {
            Some((at, opened)) if self.stream && self.is_partial(at) => {
                steps.extend((!opened).then_some(GatherStep::Open(at)));
                self.calls.push((at, 0));
            }
            _ => self.close(steps),
        }
        if self.calls.len() > OPEN_CALLS {
            steps.push(GatherStep::Close(self.calls.remove(0).0));
        }
        self.message.blocks.push(Block { at: block.at.or(self.at), ..block });
        self.open = Some((self.message.blocks.len() - 1, false));
    }

    fn text(&mut self, (text, escaped): (&[u8], bool), steps: &mut Vec<GatherStep>) {
        let Some((at, reported)) = &mut self.open else { return };
        if !std::mem::replace(reported, true) {
            steps.push(GatherStep::Open(*at));
        }
        if self.stream {
            steps.push(GatherStep::Feed(*at, Leaf::of(text, escaped)));
        }
        self.message.blocks[*at].fed |= !text.is_empty();
        let block = &mut self.message.blocks[*at];
        if self.keeps != KeptTexts::None || matches!(block.kind, ContentKind::Other(_)) || block.source == TOOL_TEXT {
            block.text.push(text, escaped);
        }
    }

    /// Whether a block is a call with incomplete arguments.
    fn is_partial(&self, at: usize) -> bool {
        let block = &self.message.blocks[at];
        let whole =
            block.get(Attribute::Arguments).is_some() || crate::json::scan::validate(&block.text.decoded()).is_ok();
        block.kind == ContentKind::Other(Other::Call) && !whole
    }

    fn close_calls(&mut self, steps: &mut Vec<GatherStep>) {
        steps.extend(self.calls.drain(..).map(|(at, _)| GatherStep::Close(at)));
    }

    /// Ends the open block.
    fn close(&mut self, steps: &mut Vec<GatherStep>) {
        let Some((at, reported)) = self.open.take() else { return };
        let block = &mut self.message.blocks[at];
        if self.keeps == KeptTexts::Shared {
            block.text.share();
        }
        let empty = block.text.is_empty() && block.facts.is_empty() && !reported;
        if self.stream && empty && block.kind == ContentKind::Reasoning && (self.apart || !self.begun_fresh) {
            return;
        }
        if !reported {
            steps.push(GatherStep::Open(at));
        }
        steps.push(GatherStep::Close(at));
    }

    /// Ends the message.
    pub fn finish(&mut self, steps: &mut Vec<GatherStep>, losses: &mut Losses) {
        self.close_calls(steps);
        self.close(steps);
        self.end_item(steps, losses);
    }

    /// Ends an item of reasoning: its sources may be copies of each other.
    fn end_item(&mut self, steps: &mut Vec<GatherStep>, losses: &mut Losses) {
        match self.stream {
            true => self.other_sources(steps, losses),
            false => {
                self.close(steps);
                self.without_copies(losses);
            }
        }
        self.sources.first = None;
        self.item = self.message.blocks.len();
    }
}

/// The last byte of the text of a piece. One with escapes is decoded only if it ends in one, and from where none is open.
fn last(piece: &Piece<'_>) -> Option<u8> {
    let end = &piece.text[piece.text.len().saturating_sub(r"\u000a".len())..];
    if !piece.escaped || !end.contains(&b'\\') {
        return end.last().copied();
    }
    const PAIR: usize = r"\ud83d\ude00".len();
    let plain = piece.text.windows(PAIR).rposition(|here| !here.contains(&b'\\')).map_or(0, |at| at + PAIR);
    text::decoded(&piece.text[plain..]).last().copied()
}
