//! The output of `tokens`: how many tokens of a conversation are reasoning, how many are the answer, and how many are
//! left of all under the settings in force.

mod columns;
mod format;
mod keyed;
mod messages;
mod options;
mod recording;
mod row;
mod shared;
mod sort;
#[cfg(feature = "cli")]
mod table;
mod waiting;

#[cfg(feature = "cli")]
pub use columns::columns;
pub use format::{TallyFormat, page};
pub use options::{BlockKind, By, Parts, Sort, TallyOptions};
#[cfg(feature = "cli")]
pub(crate) use row::Apart;
pub use row::TallyRow;
pub(crate) use row::{CountedKind, TallyMessage};
pub use shared::SharedTally;

use crate::agents::delegation::Delegations;
use crate::frame::Framing;
use crate::model::number::Numbers;
use crate::model::{ConversationEvent, Event, Lane, MessageFact, Piece, Role, Sink, Wants};
use crate::out::{FrameStatus, Output, Placed, Sinks, SourceBytes};
use crate::policy::{Ticket, Verdict};
use keyed::Keyed;
use row::{CountedBlock, TakenTokens};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use waiting::{Records, Waiting};

/// How many messages were counted.
#[derive(Default)]
struct CountedMessages {
    /// Messages of this input that are counted, and those that were counted in an earlier one.
    messages: u64,
    repeated: u64,
}

/// The output of `tokens`.
pub struct Tally<'s> {
    options: TallyOptions,
    shared: &'s RefCell<SharedTally>,
    /// The number of this input.
    input: u32,
    /// How many messages were counted.
    counted: CountedMessages,
    rows: VecDeque<TallyRow>,
    open: BTreeMap<Lane, TallyMessage>,
    /// Blocks of earlier messages, empty, kept for their memory.
    spare: Vec<CountedBlock>,
    waiting: Waiting,
    /// How many rows were written and removed.
    gone: u64,
    /// The messages of the current recording.
    recording: Option<Vec<TakenTokens>>,
    numbers: Numbers,
    delegations: Delegations,
    /// The input is over.
    over: bool,
    records: Records,
    keyed: Keyed,
}

impl<'s> Tally<'s> {
    /// An output for one input.
    pub fn new(options: TallyOptions, shared: &'s RefCell<SharedTally>) -> Self {
        let input = shared.borrow_mut().next_input();
        Self {
            options,
            shared,
            input,
            counted: CountedMessages::default(),
            rows: VecDeque::new(),
            open: BTreeMap::new(),
            spare: Vec::new(),
            waiting: Waiting::default(),
            gone: 0,
            recording: None,
            numbers: Numbers::default(),
            delegations: Delegations::default(),
            over: false,
            records: Records::default(),
            keyed: Keyed::default(),
        }
    }

    fn may_rewind(&self) -> bool {
        self.recording.is_some() && !self.over
    }

    /// How many messages were counted, in this input or in an earlier one.
    #[cfg(feature = "cli")]
    pub fn messages(&self) -> u64 {
        self.counted.messages + self.counted.repeated
    }

    fn start(&mut self, lane: Lane, role: Role, bare: bool, (record, number): (u64, u64)) {
        let open = TallyMessage { record, number, done: std::mem::take(&mut self.spare), ..TallyMessage::new(role) };
        self.open.insert(lane, open);
        self.stands(lane);
        self.counted.messages += 1;
        self.records.bare |= self.numbers.array && bare;
        self.shared.borrow_mut().messages += 1;
        if self.options.unit() == Some(By::Record) {
            let at = self.row_of(record);
            self.rows[at].open += 1;
        }
    }

    /// The index of a record's row.
    fn row_of(&mut self, record: u64) -> usize {
        match self.rows.iter().rposition(|row| row.record <= record) {
            Some(at) if self.rows[at].record == record => at,
            before => {
                self.shared.borrow_mut().records += 1;
                let at = before.map_or(0, |at| at + 1);
                let over = record < self.numbers.record && !self.records.bare;
                self.rows.insert(at, TallyRow { record, over, ..TallyRow::default() });
                at
            }
        }
    }

    fn piece(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        if let Some(open) = self.open.get_mut(&piece.lane) {
            open.piece(piece, verdict, &mut self.shared.borrow_mut().counter);
        }
    }

    fn end(&mut self, lane: Lane) {
        let Some(mut open) = self.open.remove(&lane) else { return };
        if open.refused {
            return self.leave_out(&open);
        }
        let mut blocks = open.blocks(&mut self.shared.borrow_mut().counter);
        match self.options.unit() {
            Some(By::Message) => {
                let row = self.row_of_message(&open);
                self.rows.push_back(row);
                self.fill(self.rows.len() - 1, &open, &blocks);
            }
            Some(By::Block) => self.block_rows(open, &blocks),
            Some(_) => {
                let at = self.row_of(open.record);
                self.rows[at].open -= 1;
                self.fill(at, &open, &blocks);
            }
            None => {
                let at = self.keyed_row(lane, &open);
                self.rows[at].messages += 1;
                self.fill(at, &open, &blocks);
            }
        }
        blocks.clear();
        self.spare = blocks;
        if self.open.is_empty() {
            self.waiting.decided.clear();
        }
    }

    fn fill(&mut self, at: usize, open: &TallyMessage, blocks: &[CountedBlock]) {
        let row = &mut self.rows[at];
        let (mut reasoning, before) = (0, row.visible + row.rest);
        for block in blocks {
            match block.kind {
                CountedKind::Reasoning => reasoning += block.tokens,
                CountedKind::Visible if open.apart.is_some() => {
                    row.rest += block.tokens;
                    row.delegated += if open.apart.delegated { block.tokens } else { 0 };
                    row.intermediate += if open.apart.intermediate { block.tokens } else { 0 };
                }
                CountedKind::Visible => row.visible += block.tokens,
                CountedKind::Rest => row.rest += block.tokens,
            }
        }
        row.reasoning += reasoning;
        row.sealed += open.sealed;
        if let Some(n) = open.logged {
            row.logged = Some(row.logged.unwrap_or(0).saturating_add(n));
        }
        if let Some(recording) = &mut self.recording {
            let kept = if open.verdict == Some(Verdict::Keep) { reasoning } else { 0 };
            let (message, rest) = (open.number, row.visible + row.rest - before);
            recording.push(TakenTokens { message, row: self.gone + at as u64, kept, rest });
        }
        match open.verdict {
            Some(Verdict::Keep) => row.stays += reasoning,
            Some(Verdict::Hold(ticket)) if self.waiting.decided.contains_key(&ticket) => {
                row.stays += if self.waiting.decided[&ticket] { 0 } else { reasoning };
            }
            Some(Verdict::Hold(ticket)) if reasoning > 0 => {
                row.open += 1;
                self.waiting.rows.entry(ticket).or_default().push((self.gone + at as u64, reasoning));
            }
            _ => (),
        }
    }
}

impl Sink for Tally<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.judged(event, Verdict::Keep);
    }
}

impl Tally<'_> {
    fn take(&mut self, event: &Event<'_>, verdict: Verdict) {
        if matches!(event, Event::MessageStart { lane, .. } if lane.is_snapshot()) {
            return;
        }
        let place = self.numbers.event(event);
        self.delegations.event(event, place);
        match event {
            Event::MessageStart { lane, role, bare, .. } => {
                self.start(*lane, *role, *bare, place.unwrap_or_default());
            }
            Event::Fact(lane, MessageFact::Marks { .. }) => self.stands(*lane),
            Event::Fact(lane, MessageFact::Sent { sent, .. }) => self.keyed.sent(&self.options.by, *lane, sent),
            Event::Fact(lane, MessageFact::Origin(origin)) => self.comes_from(*lane, origin),
            Event::Piece(piece) => self.piece(piece, verdict),
            Event::MessageEnd { lane, .. } => self.end(*lane),
            Event::Fact(lane, MessageFact::Sealed) => {
                if let Some(open) = self.open.get_mut(lane) {
                    open.sealed += 1;
                }
            }
            Event::Logged { lane, tokens } => match lane.and_then(|lane| self.open.get_mut(&lane)) {
                Some(open) => open.logged = open.logged.max(Some(*tokens)),
                _ if self.options.unit() == Some(By::Record) => {
                    let at = self.row_of(self.numbers.record);
                    self.rows[at].logged = Some(*tokens);
                }
                _ => {
                    if let Some(row) = self.rows.back_mut().filter(|row| row.record == self.numbers.record) {
                        row.logged = Some(*tokens);
                    }
                }
            },
            Event::Conversation(ConversationEvent::Recording) if self.recording.is_none() => {
                self.recording = Some(Vec::new())
            }
            Event::Conversation(ConversationEvent::Rewind(n)) => self.rewind(*n),
            Event::Conversation(ConversationEvent::StreamOver) => {
                self.keyed.clear();
                self.records.bare = false;
                self.rows.iter_mut().for_each(|row| row.over = true);
            }
            _ => (),
        }
    }
}

impl Output for Tally<'_> {
    fn judged(&mut self, event: &Event<'_>, verdict: Verdict) {
        self.take(event, verdict);
    }

    fn settled(&mut self, ticket: Ticket, goes: bool) {
        if self.open.values().any(|open| open.verdict == Some(Verdict::Hold(ticket))) {
            self.waiting.decided.insert(ticket, goes);
        }
        for (row, tokens) in self.waiting.rows.remove(&ticket).unwrap_or_default() {
            let row = &mut self.rows[(row - self.gone) as usize];
            row.open -= 1;
            row.stays += if goes { 0 } else { tokens };
        }
    }

    fn wants(&self) -> Wants {
        let origin = self.options.asks_origin();
        Wants { text: true, visible: true, messages: true, raw: true, rest: true, origin, ..Wants::default() }
    }

    fn framing(&mut self, framing: Framing) {
        self.numbers.array = framing == Framing::Json;
    }

    fn record(&mut self, number: u64) {
        self.numbers.record = number;
    }

    fn frame(&mut self, placed: Placed) {
        self.records.end = placed.span.end;
        if matches!(placed.fate, FrameStatus::Bad | FrameStatus::BadElement) {
            self.records.bad.push(placed.span);
        }
        // Rows that are over stand before those that are open, so that only the last few are searched.
        let together = self.numbers.together().filter(|_| self.records.bare);
        let news = self.rows.iter_mut().rev().take_while(|row| !row.over && row.key.is_empty());
        news.for_each(|row| row.over = Some(row.record) != together);
    }

    fn finish(&mut self) {
        self.over = true;
        self.rows.iter_mut().for_each(|row| row.over = true);
    }

    fn drain(&mut self, source: SourceBytes<'_>, _undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        for span in self.records.bad.drain(..) {
            sinks.rejects.extend_from_slice(source.get(span));
        }
        // A recording may take back any of its rows.
        while !self.may_rewind() && self.rows.front().is_some_and(|row| row.over && row.open == 0) {
            let Some(row) = self.rows.pop_front() else { break };
            self.gone += 1;
            let mut shared = self.shared.borrow_mut();
            shared.total.add(&row);
            match self.options.parts {
                Parts::Total => (),
                _ if self.options.is_grouped() => shared.add(row),
                _ if self.options.keeps => shared.over.push(row),
                _ if self.options.waits() => shared.kept.push(columns::cells(&row, &self.options)),
                _ => {
                    format::row(&columns::cells(&row, &self.options), &self.options, shared.rows == 0, &mut sinks.out);
                    shared.rows += 1;
                }
            }
        }
        self.records.end
    }
}
