//! Folds events into messages, for outputs that need whole ones.

use super::delegation::{Delegations, Standing};
use super::regroup::SequenceGroup;
use crate::json::text::utf8;
use crate::model::copies::{self, CopyFate};
use crate::model::number::Numbers;
use crate::model::{Event, Lane, MessageFact, OwnedPiece, PieceKind, Role, Sink, Source, is_glued};
use std::collections::{BTreeMap, BTreeSet};

/// The visible text of a message.
#[derive(Clone, Debug, Default)]
pub struct FoldedText {
    /// The visible text, with the white space at cuts as the message had it.
    pub visible: Vec<u8>,
    /// Where something was cut from the visible text, as offsets in it.
    pub cuts: Vec<usize>,
    /// The ranges of the visible text that are commentary.
    pub commentary: Vec<std::ops::Range<usize>>,
}

/// A whole message.
#[derive(Clone, Debug)]
pub struct FoldedMessage {
    /// The number of the record in which it began, from 1.
    pub record: u64,
    /// Its number in the conversation, from 1.
    pub number: u64,
    /// Its role.
    pub role: Role,
    /// The reasoning of each source: its blocks, in order.
    pub reasoning: Vec<(Source, Vec<Vec<u8>>)>,
    /// The indices of the first source of each item of reasoning but the first.
    pub items: Vec<usize>,
    /// Its place as a JSON Pointer, if it is one of several strings that one pointer names.
    pub field: Option<String>,
    /// Its lane.
    pub lane: Lane,
    /// Its visible text.
    pub text: FoldedText,
    /// Tool calls that stand in messages of their own in its text. They are no part of the visible text.
    pub calls: Vec<Vec<u8>>,
    /// Whether the open call in its text is one of these.
    apart: Option<bool>,
    /// Its whole answer, if the input has it beside the pieces.
    pub answer: Option<Vec<u8>>,
    /// It is refused.
    pub refused: bool,
    /// All its pieces, if they are kept.
    pub pieces: Vec<OwnedPiece>,
    /// Its place in the delegations of its conversation, if there are any.
    pub standing: Option<Box<Standing>>,
    /// The sequence of reasoning that it was made from.
    pub group: Option<Box<SequenceGroup>>,
}

impl FoldedMessage {
    /// The blocks of reasoning, each as `dress` returns it: those of the sources that count ([`copies`]).
    pub fn blocks(&self, mut dress: impl FnMut(Source, &str) -> String) -> Vec<String> {
        let fates = copies::of_message(&self.reasoning, &self.items, |blocks, text| {
            blocks.iter().for_each(|block| {
                text.block();
                text.push(block);
            });
        });
        let mut out = Vec::new();
        for ((source, blocks), _) in self.reasoning.iter().zip(fates).filter(|(_, fate)| *fate == CopyFate::Counts) {
            // Beside a block with text, a block without text does not count.
            let some = blocks.iter().any(|block| !block.is_empty());
            let filled = |block: &&Vec<u8>| !some || !block.is_empty();
            let shown = if some { blocks.len() } else { 1 };
            out.extend(blocks.iter().filter(filled).take(shown).map(|block| dress(source, &utf8(block))));
        }
        out
    }

    /// Text for the user before tool calls; several messages are joined with line ends. `None`: there was none.
    pub fn commentary(&self) -> Option<String> {
        let parts = self.text.commentary.iter().map(|at| utf8(&self.text.visible[at.clone()]).trim().to_string());
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    /// Replaces the answer in pieces by the whole one, if the input has it and the pieces had no tags.
    fn correct(&mut self) {
        let Some(answer) = self.answer.take().filter(|_| self.text.cuts.is_empty() && !self.refused) else { return };
        // The whole answer takes the place of the first piece that it replaces.
        let ends = self.text.commentary.iter().map(|at| at.start).chain([self.text.visible.len()]);
        let starts = [0].into_iter().chain(self.text.commentary.iter().map(|at| at.end));
        let place = starts.zip(ends).position(|(start, end)| !self.text.visible[start..end].trim_ascii().is_empty());
        let mut texts: Vec<_> =
            self.text.commentary.drain(..).map(|at| (self.text.visible[at].to_vec(), true)).collect();
        texts.insert(place.unwrap_or(texts.len()), (answer.clone(), false));
        self.text.visible.clear();
        for (text, is_commentary) in texts {
            let glued = is_glued(&self.text.visible, &text);
            self.text.visible.extend_from_slice(if glued { b"\n" } else { b"" });
            let at = self.text.visible.len();
            self.text.visible.extend_from_slice(&text);
            if is_commentary {
                self.text.commentary.push(at..self.text.visible.len());
            }
        }
        if let Some(first) = self.pieces.iter().position(|piece| piece.kind == PieceKind::Visible) {
            self.pieces[first].text = answer;
            let mut at = 0..;
            self.pieces.retain(|piece| piece.kind != PieceKind::Visible || at.next() == Some(0));
        }
    }

    /// How many bytes of text it has.
    fn size(&self) -> usize {
        let reasoning = self.reasoning.iter().flat_map(|(_, blocks)| blocks).map(Vec::len).sum::<usize>();
        self.text.visible.len() + reasoning + self.calls.iter().map(Vec::len).sum::<usize>()
    }

    /// The visible text by rule 5 of behaviour.md, section 4.
    pub fn visible(&self) -> String {
        visible(&self.text.visible, &self.text.cuts)
    }
}

/// The visible text after cuts at these offsets, by rule 5 of behaviour.md, section 4.
pub fn visible(text: &[u8], cuts: &[usize]) -> String {
    match cuts {
        [] => utf8(text).into_owned(),
        cuts => utf8(&joined(text, cuts)).trim().to_string(),
    }
}

/// The visible text after cuts, whose ends are not trimmed.
pub fn joined(text: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut from = 0;
    for cut in cuts {
        // The cut before may have removed the newlines up to this one.
        let cut = from.max(*cut);
        out.extend_from_slice(&text[from..cut]);
        from = cut + join(&mut out, &text[cut..]);
    }
    out.extend_from_slice(&text[from.min(text.len())..]);
    out
}

/// Reduces three or more newlines around a cut to two: removes those at the end of `before`, and returns how many bytes
/// to remove from `after`.
fn join(before: &mut Vec<u8>, after: &[u8]) -> usize {
    let is_break = |b: &&u8| matches!(b, b'\n' | b'\r');
    let head = before.len() - before.iter().rev().take_while(is_break).count();
    let tail = after.iter().take_while(is_break).count();
    let count = |text: &[u8]| text.iter().filter(|b| **b == b'\n').count();
    if count(&before[head..]) + count(&after[..tail]) < 3 {
        return 0;
    }
    before.truncate(head);
    before.extend_from_slice(b"\n\n");
    tail
}

/// Whether a tool call in a text, which begins like this, is a message of its own.
pub type IsMessage = fn(&[u8]) -> bool;

/// Folds events into messages. Complete messages wait in `done`.
#[derive(Debug, Default)]
pub struct Fold {
    /// Numbers the messages.
    pub numbers: Numbers,
    /// Messages keep all their pieces.
    pub keep_pieces: bool,
    /// Recognises a tool call in a text that is a message of its own, by its first part. Without this, none is.
    pub is_message: Option<IsMessage>,
    /// Complete messages, in the order in which they began.
    pub done: Vec<FoldedMessage>,
    open: BTreeMap<Lane, (u64, FoldedMessage)>,
    delegations: Delegations,
    /// The serial numbers of the open messages.
    serials: BTreeSet<u64>,
    waiting: BTreeMap<u64, FoldedMessage>,
    serial: u64,
    /// How many bytes of text the open messages have.
    buffered: usize,
}

impl Fold {
    /// How many bytes of text the open messages have.
    pub fn buffered(&self) -> usize {
        self.buffered
    }

    /// Adds a finished sequence of reasoning, as a message of the record in which it began.
    pub fn group(&mut self, group: &SequenceGroup) {
        let record = std::mem::replace(&mut self.numbers.record, group.record);
        group.events(|event| {
            if let Event::MessageEnd { lane, .. } = event {
                let open = self.open.get_mut(lane);
                open.into_iter().for_each(|(_, message)| message.group = Some(Box::new(group.clone())));
            }
            self.event(event);
        });
        self.numbers.record = record;
    }

    /// Adds a part of a call. Returns whether it is a message of its own.
    fn call(message: &mut FoldedMessage, is_message: IsMessage, text: &[u8], whole: bool) -> bool {
        let begins = message.apart.is_none();
        let apart = *message.apart.get_or_insert_with(|| is_message(text));
        if whole {
            message.apart = None;
        }
        if apart && begins {
            Self::piece(message, PieceKind::Frame, false, b"");
            message.calls.push(Vec::new());
        }
        if let (true, Some(call)) = (apart, message.calls.last_mut()) {
            call.extend_from_slice(text);
        }
        apart
    }

    fn piece(message: &mut FoldedMessage, kind: PieceKind, fresh: bool, text: &[u8]) {
        match kind {
            PieceKind::Visible | PieceKind::Mention | PieceKind::Commentary | PieceKind::Tool | PieceKind::Gap => {
                // Two messages of one answer begin separate lines.
                let joins = fresh && is_glued(&message.text.visible, text);
                message.text.visible.extend_from_slice(if joins { b"\n" } else { b"" });
                let at = message.text.visible.len();
                message.text.visible.extend_from_slice(text);
                let end = message.text.visible.len();
                match message.text.commentary.last_mut() {
                    Some(last) if kind == PieceKind::Commentary && !fresh && last.end == at => last.end = end,
                    _ if kind == PieceKind::Commentary => message.text.commentary.push(at..end),
                    _ => (),
                }
            }
            PieceKind::Delimiter | PieceKind::Stray | PieceKind::Frame | PieceKind::Structure => {
                let at = message.text.visible.len();
                if message.text.cuts.last() != Some(&at) {
                    message.text.cuts.push(at);
                }
            }
            PieceKind::Void(_) | PieceKind::Call | PieceKind::Turn(_) | PieceKind::Redacted | PieceKind::Seal => (),
            PieceKind::NextItem => message.items.push(message.reasoning.len()),
            PieceKind::Refused => message.refused = true,
            PieceKind::Reasoning(source) => {
                let first = message.items.last().copied().unwrap_or(0);
                let i = (first..message.reasoning.len()).find(|i| message.reasoning[*i].0 == source);
                let i = i.unwrap_or_else(|| {
                    message.reasoning.push((source, Vec::new()));
                    message.reasoning.len() - 1
                });
                let blocks = &mut message.reasoning[i].1;
                match blocks.last_mut() {
                    Some(block) if !fresh => block.extend_from_slice(text),
                    _ => blocks.push(text.to_vec()),
                }
            }
        }
    }

    /// The place in delegations of the message that ends with this event, if there are any.
    fn standing(&self, event: &Event<'_>) -> Option<Standing> {
        let Event::MessageEnd { lane, .. } = event else { return None };
        self.delegations.standing(*lane).filter(|standing| **standing != Standing::default()).cloned()
    }

    /// Moves complete messages to `done`, in the order in which they began.
    fn release(&mut self) {
        let first_open = self.serials.first().copied().unwrap_or(u64::MAX);
        while let Some(entry) = self.waiting.first_entry() {
            if *entry.key() > first_open {
                break;
            }
            self.done.push(entry.remove());
        }
    }
}

impl Sink for Fold {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::MessageStart { lane, .. } if lane.is_snapshot()) {
            return;
        }
        let place = self.numbers.event(event);
        if let (Event::MessageEnd { lane, .. }, Some(standing)) = (event, self.standing(event))
            && let Some((_, message)) = self.open.get_mut(lane)
        {
            message.standing = Some(Box::new(standing));
        }
        self.delegations.event(event, place);
        match event {
            Event::MessageStart { lane, role, .. } => {
                let (record, number) = place.unwrap_or_default();
                let message = FoldedMessage {
                    record,
                    number,
                    role: *role,
                    lane: *lane,
                    field: None,
                    reasoning: Vec::new(),
                    items: Vec::new(),
                    text: FoldedText::default(),
                    calls: Vec::new(),
                    apart: None,
                    answer: None,
                    refused: false,
                    pieces: Vec::new(),
                    standing: None,
                    group: None,
                };
                self.serial += 1;
                self.serials.insert(self.serial);
                if let Some((serial, _)) = self.open.insert(*lane, (self.serial, message)) {
                    self.serials.remove(&serial);
                }
            }
            Event::Piece(piece) => {
                if let Some((_, message)) = self.open.get_mut(&piece.lane) {
                    self.buffered += piece.text.len();
                    if self.keep_pieces {
                        let (kind, fresh, whole, text) = (piece.kind, piece.fresh, piece.whole, piece.text.to_vec());
                        message.pieces.push(OwnedPiece { kind, fresh, whole, text });
                    }
                    let is_call = self.is_message.filter(|_| piece.kind == PieceKind::Tool);
                    if !is_call.is_some_and(|is| Self::call(message, is, piece.text, piece.whole)) {
                        Self::piece(message, piece.kind, piece.fresh, piece.text);
                    }
                }
            }
            Event::Fact(lane, MessageFact::Field(pointer)) => {
                if let Some((_, message)) = self.open.get_mut(lane) {
                    message.field = Some((*pointer).to_string());
                }
            }
            Event::Fact(lane, MessageFact::Answer(text)) => {
                if let Some((_, message)) = self.open.get_mut(lane) {
                    message.answer = Some(text.to_vec());
                }
            }
            Event::MessageEnd { lane, .. } => {
                if let Some((serial, mut message)) = self.open.remove(lane) {
                    self.serials.remove(&serial);
                    self.buffered = if self.open.is_empty() { 0 } else { self.buffered.saturating_sub(message.size()) };
                    message.correct();
                    self.waiting.insert(serial, message);
                    self.release();
                }
            }
            _ => (),
        }
    }
}
