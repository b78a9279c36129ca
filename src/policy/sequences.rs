//! The policies for a log in which several speak: they count sequences of reasoning, each with everything inside of it.
//!
//! | policy | removes |
//! |---|---|
//! | all-but-last, keep-last-N | the outermost sequences but the last that began, or the last N |
//! | the same, by turns | those that began before the last turns that have any |
//! | before-last-user | those that had ended when the user wrote last |
//! | keep-tool-turns | those in which no tool was called |
//!
//! A turn begins with a top-level message by a sender that has not reasoned so far. A message that was delivered to
//! nobody goes with every policy but none.

use super::{Narrow, Policy, Ticket, Verdict};
use crate::agents::sequences::{Number, PlacedMessage, SequencePart, Sequences};
use crate::model::{Delivery, Sent, SequenceStep};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet, VecDeque};

/// How many decided sequences are kept, for copies of their messages and for late messages.
const REMEMBERED: usize = 1 << 12;

/// Reasoning that is decided together.
#[derive(Clone, Copy, Debug)]
struct ReasoningGroup {
    ticket: Ticket,
    goes: Option<bool>,
}

/// The pass over such a log.
#[derive(Debug)]
pub(super) struct BySequence {
    policy: Policy,
    by_turn: bool,
    narrow: Narrow,
    sequences: Sequences,
    /// The groups, by outermost sequence.
    groups: BTreeMap<Number, ReasoningGroup>,
    /// Decided sequences, in the order of their decisions.
    decided: VecDeque<Number>,
    /// The last sequences, which may stay, and those of the current turn. With `by_turn`, one entry for each turn.
    last: VecDeque<Vec<Number>>,
    turn: Vec<Number>,
    /// The senders that have reasoned.
    agents: HashSet<Vec<u8>>,
}

impl BySequence {
    pub fn new(policy: Policy, by_turn: bool, narrow: Narrow) -> Self {
        Self {
            policy,
            by_turn,
            narrow,
            sequences: Sequences::default(),
            groups: BTreeMap::new(),
            decided: VecDeque::new(),
            last: VecDeque::new(),
            turn: Vec::new(),
            agents: HashSet::new(),
        }
    }

    /// Whether the policy is restricted to some agents or contexts.
    pub fn is_narrow(&self) -> bool {
        !self.narrow.is_all()
    }

    /// The verdict on a message's reasoning, if it is decided here. `None` for reasoning inside of the text of other
    /// messages, which is decided elsewhere.
    pub fn take(&mut self, sent: &Sent<'_>, next: &mut Ticket, settled: &mut Vec<(Ticket, bool)>) -> Option<Verdict> {
        let placed = self.sequences.take(sent);
        let known = placed.sequence.and_then(|number| self.sequences.get(number));
        let meant = self.narrow.holds(sent, known);
        let verdict = match self.policy {
            Policy::None => Verdict::Keep,
            Policy::All => Verdict::Drop,
            _ if sent.delivery == Delivery::Never => Verdict::Drop,
            _ => self.decide(sent, placed, next, settled),
        };
        self.sequences.over();
        match meant {
            true => sent.step.is_reasoning().then_some(verdict),
            false => Some(Verdict::Keep),
        }
    }

    fn decide(
        &mut self,
        sent: &Sent<'_>,
        placed: PlacedMessage,
        next: &mut Ticket,
        settled: &mut Vec<(Ticket, bool)>,
    ) -> Verdict {
        let first = sent.delivery == Delivery::First;
        if first && sent.step.is_reasoning() && sent.step != SequenceStep::Cancel {
            self.agents.insert(sent.from.to_vec());
        }
        if first && sent.step == SequenceStep::Say && placed.sequence.is_none() && !self.agents.contains(sent.from) {
            self.turn(settled);
        }
        let Some(root) = placed.root else { return Verdict::Keep };
        if first && placed.part == SequencePart::Call && self.policy == Policy::KeepToolTurns {
            self.settle(root, false, settled);
        }
        if !sent.step.is_reasoning() {
            return Verdict::Keep;
        }
        if let Entry::Vacant(entry) = self.groups.entry(root) {
            *next += 1;
            entry.insert(ReasoningGroup { ticket: *next, goes: None });
            self.began(root, settled);
        }
        let ends = matches!(placed.part, SequencePart::Conclusion | SequencePart::Cancellation)
            && placed.sequence == Some(root);
        let verdict = self.groups.get(&root).map_or(Verdict::Drop, |group| match group.goes {
            None => Verdict::Hold(group.ticket),
            Some(true) => Verdict::Drop,
            Some(false) => Verdict::Keep,
        });
        if ends && self.policy == Policy::KeepToolTurns {
            self.settle(root, true, settled);
        }
        verdict
    }

    /// Notes that an outermost sequence begins.
    fn began(&mut self, root: Number, settled: &mut Vec<(Ticket, bool)>) {
        let Policy::KeepLast(most) = self.policy else { return };
        if !self.by_turn || self.turn.is_empty() {
            self.last.push_back(Vec::new());
        }
        self.turn.push(root);
        self.last.back_mut().into_iter().for_each(|last| last.push(root));
        if self.last.len() > most as usize {
            let gone = self.last.pop_front().unwrap_or_default();
            gone.into_iter().for_each(|root| self.settle(root, true, settled));
        }
    }

    /// Notes that a turn begins.
    fn turn(&mut self, settled: &mut Vec<(Ticket, bool)>) {
        self.turn.clear();
        if self.policy != Policy::BeforeLastUser {
            return;
        }
        let is_over = |root: &Number| self.sequences.get(*root).is_none_or(|sequence| sequence.closed);
        let open = self.groups.iter().filter(|(_, group)| group.goes.is_none());
        let over: Vec<Number> = open.map(|(root, _)| *root).filter(is_over).collect();
        over.into_iter().for_each(|root| self.settle(root, true, settled));
    }

    /// Decides about a sequence, unless that has happened.
    fn settle(&mut self, root: Number, goes: bool, settled: &mut Vec<(Ticket, bool)>) {
        let Some(group) = self.groups.get_mut(&root).filter(|group| group.goes.is_none()) else { return };
        group.goes = Some(goes);
        settled.push((group.ticket, goes));
        self.decided.push_back(root);
        if self.decided.len() > REMEMBERED
            && let Some(oldest) = self.decided.pop_front()
        {
            self.groups.remove(&oldest);
        }
    }

    /// Ends the log.
    pub fn finish(&mut self, settled: &mut Vec<(Ticket, bool)>) {
        let goes = self.policy == Policy::KeepToolTurns;
        let open = self.groups.values().filter(|group| group.goes.is_none());
        settled.extend(open.map(|group| (group.ticket, goes)));
        *self = Self::new(self.policy, self.by_turn, std::mem::take(&mut self.narrow));
    }
}
