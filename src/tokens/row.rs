//! Rows, what they are about, and the texts that are counted for them.

use super::options::BlockKind;
use crate::agents::fold::visible;
use crate::count::Counter;
use crate::inline::is_message;
use crate::json::text;
use crate::model::copies::{self, CopyFate};
use crate::model::{Origin, Piece, PieceKind, Role, Source, is_inline};
use crate::policy::Verdict;

/// A row.
#[derive(Clone, Debug, Default)]
pub struct TallyRow {
    /// The number of the record, from 1.
    pub record: u64,
    /// What the messages of a group have in common, in the order of [`super::TallyOptions::by`].
    pub key: Vec<String>,
    /// How many messages a group has.
    pub messages: u64,
    /// Where a message comes from.
    pub origin: Origin,
    /// The number of the message in its conversation, from 1.
    pub message: Option<u64>,
    /// The number of the block in its message, from 1, and its kind.
    pub block: Option<(u64, BlockKind)>,
    /// The role of the message.
    pub role: Option<Role>,
    /// Tokens of reasoning, of the assistant's visible text, and of everything else: text of others, tool calls and
    /// their results.
    pub reasoning: u64,
    /// See `reasoning`.
    pub visible: u64,
    /// See `reasoning`.
    pub rest: u64,
    /// Tokens of `rest` that the assistant wrote as messages in delegations.
    pub delegated: u64,
    /// Tokens of `rest` that the assistant wrote on the way to an answer.
    pub intermediate: u64,
    /// Tokens of reasoning that stay under the settings in force.
    pub stays: u64,
    /// Tokens other than reasoning that a later record took back.
    pub taken: u64,
    /// Blocks of reasoning without text that are signed or encrypted: their length is unknown.
    pub sealed: u64,
    /// How many tokens of reasoning the input itself reports.
    pub logged: Option<u64>,
    /// How many messages and verdicts of the row are still open.
    pub(super) open: u64,
    /// The record itself is read to its end.
    pub(super) over: bool,
}

impl TallyRow {
    /// All tokens.
    pub fn raw(&self) -> u64 {
        self.reasoning + self.visible + self.rest
    }

    /// The tokens that are left under the settings in force.
    pub fn effective(&self) -> u64 {
        self.stays + self.visible + self.rest - self.taken
    }

    /// The share of reasoning in what the assistant wrote; 0 if it wrote nothing.
    pub fn ratio(&self) -> f64 {
        let all = self.reasoning + self.visible;
        if all == 0 { 0.0 } else { self.reasoning as f64 / all as f64 }
    }

    /// Adds another row.
    pub fn add(&mut self, other: &TallyRow) {
        self.messages += other.messages;
        self.reasoning += other.reasoning;
        self.visible += other.visible;
        self.rest += other.rest;
        self.delegated += other.delegated;
        self.intermediate += other.intermediate;
        self.stays += other.stays;
        self.taken += other.taken;
        self.sealed += other.sealed;
        self.logged = match (self.logged, other.logged) {
            (None, b) => b,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        };
    }
}

/// A stretch of text that is counted as one text.
#[derive(Debug, Default)]
pub(crate) struct CountedText {
    pub text: Vec<u8>,
    /// The text is the inside of a JSON string with escapes.
    escaped: bool,
    pub cuts: Vec<usize>,
}

impl CountedText {
    pub fn push(&mut self, text: &[u8], escaped: bool) {
        if self.text.is_empty() {
            self.text.extend_from_slice(text);
            self.escaped = escaped;
            return;
        }
        if self.escaped {
            self.text = text::decoded(&self.text);
            self.escaped = false;
        }
        match escaped {
            true => text::decode(text, &mut self.text),
            false => self.text.extend_from_slice(text),
        }
    }

    pub fn plain(&self) -> Vec<u8> {
        if self.escaped { text::decoded(&self.text) } else { self.text.clone() }
    }

    pub fn count(&self, counter: &mut Counter, trim: bool) -> u64 {
        match (trim, self.cuts.is_empty()) {
            (false, true) => counter.literal(&self.text, self.escaped),
            (true, _) => counter.text(text::utf8(&self.plain()).trim().as_bytes()),
            (false, false) => counter.text(visible(&self.plain(), &self.cuts).as_bytes()),
        }
    }
}

/// What a row has of a message in a recording: the reasoning that stays for sure, and the other tokens.
#[derive(Debug)]
pub(super) struct TakenTokens {
    pub message: u64,
    pub row: u64,
    pub kept: u64,
    pub rest: u64,
}

/// The kind of a block. Blocks are listed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CountedKind {
    Reasoning,
    Visible,
    Rest,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedBlock {
    pub kind: CountedKind,
    pub tokens: u64,
    pub sealed: u64,
    /// It is a call, or the result of one.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    pub is_call: bool,
}

impl CountedBlock {
    pub fn what(self) -> BlockKind {
        match self.kind {
            CountedKind::Reasoning if self.sealed > 0 => BlockKind::Sealed,
            CountedKind::Reasoning => BlockKind::Reasoning,
            CountedKind::Visible => BlockKind::Visible,
            CountedKind::Rest => BlockKind::Other,
        }
    }
}

/// A message that is open.
#[derive(Debug)]
pub(crate) struct TallyMessage {
    pub record: u64,
    pub number: u64,
    pub role: Role,
    /// The blocks of reasoning of each source.
    pub reasoning: Vec<(Source, Vec<CountedText>)>,
    /// The indices of the first source of each item.
    pub items: Vec<usize>,
    pub visible: Vec<CountedText>,
    /// Blocks that were counted at once.
    pub done: Vec<CountedBlock>,
    pub sealed: u64,
    pub logged: Option<u64>,
    /// The open tool call.
    pub call: Option<CountedText>,
    /// Whether the open call in a text is a message of its own.
    pub own_call: Option<bool>,
    pub verdict: Option<Verdict>,
    pub apart: Apart,
    /// It is refused, or was counted in another file: it counts for nothing.
    pub refused: bool,
    pub origin: Origin,
}

/// Why the visible text of a message is no answer: it was written in a delegation, or on the way to an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Apart {
    pub delegated: bool,
    pub intermediate: bool,
}

impl Apart {
    pub fn is_some(self) -> bool {
        self.delegated || self.intermediate
    }

    /// The kind of a block in the report.
    pub fn what(self, block: CountedBlock) -> BlockKind {
        match block.kind {
            CountedKind::Visible if self.intermediate => BlockKind::Intermediate,
            CountedKind::Visible if self.delegated => BlockKind::Delegated,
            _ => block.what(),
        }
    }
}

impl TallyMessage {
    /// A message in which nothing is yet.
    pub fn new(role: Role) -> Self {
        Self {
            record: 0,
            number: 0,
            role,
            reasoning: Vec::new(),
            items: Vec::new(),
            visible: Vec::new(),
            done: Vec::new(),
            sealed: 0,
            logged: None,
            call: None,
            own_call: None,
            verdict: None,
            apart: Apart::default(),
            refused: false,
            origin: Origin::default(),
        }
    }

    /// Adds a piece of its text.
    pub fn piece(&mut self, piece: &Piece<'_>, verdict: Verdict, counter: &mut Counter) {
        let apart = piece.kind == PieceKind::Tool && self.is_call(piece, counter);
        if apart {
            self.cut();
        }
        if piece.kind == PieceKind::Call || apart {
            if piece.fresh {
                self.end_call(counter);
            }
            let stretch = self.call.get_or_insert_default();
            return stretch.push(piece.text, piece.escaped);
        }
        if piece.whole && matches!(piece.kind, PieceKind::Visible | PieceKind::Reasoning(_)) {
            let kind = match piece.kind {
                PieceKind::Reasoning(_) => {
                    self.verdict = Some(verdict);
                    CountedKind::Reasoning
                }
                PieceKind::Visible if self.role == Role::Assistant => CountedKind::Visible,
                _ => CountedKind::Rest,
            };
            let tokens = counter.literal(piece.text, piece.escaped);
            if kind == CountedKind::Reasoning || !piece.text.is_empty() {
                self.done.push(CountedBlock { kind, tokens, sealed: 0, is_call: false });
            }
            return;
        }
        match piece.kind {
            PieceKind::Visible | PieceKind::Mention | PieceKind::Commentary | PieceKind::Tool | PieceKind::Gap => {
                if piece.fresh || self.visible.is_empty() {
                    self.visible.push(CountedText::default());
                }
                if let Some(stretch) = self.visible.last_mut() {
                    stretch.push(piece.text, piece.escaped);
                }
            }
            PieceKind::Delimiter | PieceKind::Stray | PieceKind::Frame | PieceKind::Structure => self.cut(),
            PieceKind::Refused => self.refused = true,
            PieceKind::Void(_) | PieceKind::Call | PieceKind::Turn(_) | PieceKind::Redacted | PieceKind::Seal => (),
            PieceKind::NextItem => self.items.push(self.reasoning.len()),
            PieceKind::Reasoning(field) => {
                if piece.fresh {
                    self.verdict = Some(verdict);
                }
                let first = self.items.last().copied().unwrap_or(0);
                let known = (first..self.reasoning.len()).find(|at| self.reasoning[*at].0 == field);
                let at = known.unwrap_or_else(|| {
                    self.reasoning.push((field, Vec::new()));
                    self.reasoning.len() - 1
                });
                let blocks = &mut self.reasoning[at].1;
                if piece.fresh || blocks.is_empty() {
                    blocks.push(CountedText::default());
                }
                if let Some(block) = blocks.last_mut() {
                    block.push(piece.text, piece.escaped);
                }
            }
        }
    }

    /// Ends the tool call.
    pub fn end_call(&mut self, counter: &mut Counter) {
        if let Some(call) = self.call.take().filter(|call| !call.text.is_empty()) {
            self.done.push(CountedBlock {
                kind: CountedKind::Rest,
                tokens: call.count(counter, false),
                sealed: 0,
                is_call: true,
            });
        }
    }

    /// Notes that something is cut here from the visible text.
    pub fn cut(&mut self) {
        if self.visible.is_empty() {
            self.visible.push(CountedText::default());
        }
        if let Some(stretch) = self.visible.last_mut() {
            let at = stretch.text.len();
            stretch.cuts.push(at);
        }
    }

    /// Whether this part of a call in a text belongs to one that is a message of its own, and no part of the answer.
    pub fn is_call(&mut self, piece: &Piece<'_>, counter: &mut Counter) -> bool {
        let begins = self.own_call.is_none();
        let is_own = *self.own_call.get_or_insert_with(|| is_message(piece.text));
        if is_own && (begins || piece.whole) {
            self.end_call(counter);
        }
        if piece.whole {
            self.own_call = None;
        }
        is_own
    }

    /// Counts the blocks of a message: of its reasoning, those of the sources that count.
    pub fn blocks(&mut self, counter: &mut Counter) -> Vec<CountedBlock> {
        self.end_call(counter);
        let mut out = std::mem::take(&mut self.done);
        let fates = copies::of_message(&self.reasoning, &self.items, |blocks, text| {
            blocks.iter().for_each(|block| {
                text.block();
                text.push(&block.plain());
            });
        });
        let mut sealed = self.sealed;
        for block in out.iter_mut().filter(|block| block.kind == CountedKind::Reasoning && block.tokens == 0) {
            block.sealed = u64::from(sealed > 0);
            sealed -= block.sealed;
        }
        for ((field, blocks), _) in self.reasoning.iter().zip(fates).filter(|(_, fate)| *fate == CopyFate::Counts) {
            for block in blocks {
                let seal = u64::from(block.text.is_empty() && sealed > 0);
                sealed -= seal;
                let tokens = block.count(counter, is_inline(field));
                out.push(CountedBlock { kind: CountedKind::Reasoning, tokens, sealed: seal, is_call: false });
            }
        }
        let part = if self.role == Role::Assistant { CountedKind::Visible } else { CountedKind::Rest };
        for stretch in self.visible.iter().filter(|stretch| !stretch.text.is_empty()) {
            out.push(CountedBlock { kind: part, tokens: stretch.count(counter, false), sealed: 0, is_call: false });
        }
        // Whatever their order in the input, reasoning is listed first.
        out.sort_by_key(|block| block.kind);
        out
    }
}
