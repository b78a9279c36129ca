//! Tracks: the sequences of reasoning and the delegations that are open while a message is drawn, each in a column.

use super::chains::SideChain;
use crate::agents::delegation::{Delegations, NumberedDelegation, Standing};
use crate::agents::sequences::{self, Number, Sequences};
use crate::json::text::utf8;
use crate::model::{ConversationEvent, Delivery, Event, Lane, Sent};
use crate::show::{MessageHead, Track, TrackChange, TrackKind, TrackPart};
use std::collections::{BTreeMap, BTreeSet};

/// How many columns are drawn beside a message. Of further tracks only those are drawn that the message touches.
const COLUMNS: usize = 32;

/// The sequence or delegation of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TrackKey {
    Sequence(Number),
    Delegation(u64),
    Chain(u64),
}

/// Follows the tracks of an input.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    sequences: Sequences,
    delegations: Delegations,
    /// The open tracks.
    open: BTreeMap<TrackKey, Track>,
    columns: BTreeMap<usize, TrackKey>,
    /// Free columns to the left of the last one that is taken.
    free: BTreeSet<usize>,
    /// Tracks that begin or end at the current message.
    touched: Vec<TrackKey>,
    own: Option<TrackKey>,
    /// How many tracks began so far.
    began: u64,
    /// The numbers of ended tracks, by sequence: their answers come later.
    ended: BTreeMap<Number, u64>,
}

/// How many ended sequences are kept.
const ENDED: usize = 1 << 12;

impl Tracks {
    /// Reads an event. `place`: the record and the number of a message that begins.
    pub fn event(&mut self, event: &Event<'_>, place: Option<(u64, u64)>) {
        for left in self.delegations.event(event, place) {
            self.close(TrackKey::Delegation(left.id));
        }
        if matches!(event, Event::Conversation(ConversationEvent::StreamOver)) {
            self.sequences.finish();
            self.forget();
        }
    }

    /// Ends the tracks of sequences that are over without a conclusion.
    fn forget(&mut self) {
        for (number, _) in self.sequences.over() {
            self.close(TrackKey::Sequence(number));
        }
    }

    /// How the open message in this lane stands in delegations, if it does.
    pub fn standing(&self, lane: Lane) -> Option<&Standing> {
        self.delegations.standing(lane).filter(|standing| **standing != Standing::default())
    }

    /// Reads the sender of a message. Returns whether the message is drawn: a copy is not.
    pub fn sent(&mut self, sent: &Sent<'_>, head: &mut MessageHead) -> bool {
        head.agent = utf8(sent.from).into_owned();
        if head.id.is_empty() {
            head.id = utf8(sent.id).into_owned();
        }
        head.rejected = sent.delivery == Delivery::Never;
        let placed = self.sequences.take(sent);
        head.part = match placed.part {
            sequences::SequencePart::Start => TrackPart::Start,
            sequences::SequencePart::Thought => TrackPart::Thought,
            sequences::SequencePart::Conclusion => TrackPart::Conclusion,
            sequences::SequencePart::Cancellation => TrackPart::Cancellation,
            sequences::SequencePart::Dialogue => TrackPart::Dialogue,
            sequences::SequencePart::Call => TrackPart::Call,
            sequences::SequencePart::Answer => TrackPart::Answer,
            sequences::SequencePart::Other => TrackPart::None,
        };
        let counts = sent.delivery == Delivery::First;
        let number = placed.sequence;
        let is_open = number.is_some_and(|number| self.open.contains_key(&TrackKey::Sequence(number)));
        if let (Some(number), true, false) = (number, counts && sent.step.is_reasoning(), is_open)
            && !self.ended.contains_key(&number)
        {
            self.open_sequence(number);
        }
        head.track = number.and_then(|number| match self.open.get(&TrackKey::Sequence(number)) {
            Some(track) => Some(track.number),
            None => self.ended.get(&number).copied(),
        });
        let ends = counts && matches!(head.part, TrackPart::Conclusion | TrackPart::Cancellation);
        self.own = number.map(TrackKey::Sequence);
        if let (Some(key), true) = (self.own, ends) {
            self.ends(key);
        }
        self.beside(head);
        if let (Some(number), true) = (number, ends) {
            self.close(TrackKey::Sequence(number));
        }
        self.forget();
        sent.delivery != Delivery::Again
    }

    fn open_sequence(&mut self, number: Number) {
        let Some(sequence) = self.sequences.get(number) else { return };
        let parent = sequence.parent.map(TrackKey::Sequence);
        let label = if sequence.name.is_empty() { &sequence.id } else { &sequence.name };
        let (agent, label) = (utf8(&sequence.agent).into_owned(), utf8(label).into_owned());
        self.begin(TrackKey::Sequence(number), parent, agent, label);
    }

    /// Begins a track in the first free column to the right of its parent's.
    fn begin(&mut self, key: TrackKey, parent: Option<TrackKey>, agent: String, label: String) {
        let parent = parent.and_then(|parent| self.open.get(&parent));
        let first = parent.map_or(0, |parent| parent.column + 1);
        let parent = parent.map(|parent| parent.number);
        let end = self.columns.last_key_value().map_or(0, |(column, _)| column + 1);
        let column = self.free.range(first..).next().copied().unwrap_or(end.max(first));
        self.free.remove(&column);
        self.free.extend(end..column);
        self.began += 1;
        let kind = match key {
            TrackKey::Sequence(_) => TrackKind::Sequence,
            TrackKey::Delegation(_) => TrackKind::Delegation,
            TrackKey::Chain(_) => TrackKind::Chain,
        };
        let number = self.began;
        self.columns.insert(column, key);
        self.touched.push(key);
        self.open.insert(key, Track { column, number, parent, agent, label, kind, change: TrackChange::Begins });
    }

    /// Marks a track as ending with the current message.
    fn ends(&mut self, key: TrackKey) {
        let Some(track) = self.open.get_mut(&key) else { return };
        track.change = if track.change == TrackChange::Begins { TrackChange::Whole } else { TrackChange::Ends };
        self.touched.push(key);
    }

    fn close(&mut self, key: TrackKey) {
        let Some(track) = self.open.remove(&key) else { return };
        self.columns.remove(&track.column);
        let end = self.columns.last_key_value().map_or(0, |(column, _)| column + 1);
        self.free.insert(track.column);
        self.free.split_off(&end);
        if let TrackKey::Sequence(number) = key {
            self.ended.insert(number, track.number);
            if self.ended.len() > ENDED {
                self.ended.pop_first();
            }
        }
    }

    /// Sets the tracks of a message in a conversation with delegations.
    pub fn delegated(&mut self, standing: &Standing, head: &mut MessageHead) {
        let begins = || standing.begins.iter().map(|(delegation, _)| delegation);
        head.part = match (standing.begins.is_empty(), standing.ends.is_empty(), standing.is_intermediate()) {
            (false, ..) => TrackPart::Delegates,
            (true, false, _) => TrackPart::Returns,
            (true, true, true) => TrackPart::Intermediate,
            (true, true, false) => head.part,
        };
        let own = standing.delegation.as_ref().map(|delegation| TrackKey::Delegation(delegation.id));
        head.track = own.and_then(|own| self.open.get(&own)).map(|track| track.number);
        begins().for_each(|delegation| self.begin_delegation(delegation, own));
        standing.ends.iter().for_each(|ended| self.ends(TrackKey::Delegation(ended.id)));
        self.own = own;
        self.beside(head);
        standing.ends.iter().for_each(|ended| self.close(TrackKey::Delegation(ended.id)));
    }

    fn begin_delegation(&mut self, delegation: &NumberedDelegation, around: Option<TrackKey>) {
        // If a message begins several, each stands in the one before it.
        let last = self.open.keys().rev().find(|key| matches!(key, TrackKey::Delegation(_))).copied();
        let newest = last.filter(|last| self.open.get(last).is_some_and(|track| track.change == TrackChange::Begins));
        let agent = format!("agent {}", delegation.agent);
        self.begin(TrackKey::Delegation(delegation.id), newest.or(around), agent, delegation.prompt.clone());
    }

    /// Sets the tracks of a message in a side chain. `is_task`: it is what the agent works on.
    pub fn chain(&mut self, chain: &SideChain, is_task: bool, head: &mut MessageHead) {
        let key = TrackKey::Chain(chain.number);
        if !self.open.contains_key(&key) {
            self.begin(key, None, chain.agent.clone(), chain.label.clone());
        }
        head.agent.clone_from(&chain.agent);
        head.part = if is_task { TrackPart::Task } else { head.part };
        head.track = self.open.get(&key).map(|track| track.number);
        self.own = Some(key);
        self.beside(head);
    }

    /// Whether a side chain is open.
    pub fn has_chains(&self) -> bool {
        matches!(self.open.last_key_value(), Some((TrackKey::Chain(_), _)))
    }

    /// Ends a side chain, or all of them, at a message whose tracks are set.
    pub fn end_chain(&mut self, chain: Option<u64>, head: &mut MessageHead) {
        let is = |key: &&TrackKey| matches!(key, TrackKey::Chain(number) if chain.is_none_or(|chain| chain == *number));
        let ended: Vec<TrackKey> = self.open.keys().filter(is).copied().collect();
        for key in ended {
            let Some(track) = self.open.get_mut(&key) else { continue };
            let begins = track.change == TrackChange::Begins;
            track.change = if begins { TrackChange::Whole } else { TrackChange::Ends };
            match head.tracks.iter_mut().find(|other| other.number == track.number) {
                Some(drawn) => drawn.change = track.change,
                None => {
                    head.tracks.push(track.clone());
                    head.more_tracks = head.more_tracks.saturating_sub(1);
                }
            }
            self.close(key);
        }
    }

    /// Sets the tracks that are open at this message.
    pub fn beside(&mut self, head: &mut MessageHead) {
        let shown = self.columns.iter().take_while(|(column, _)| **column < COLUMNS);
        head.tracks = shown.filter_map(|(_, key)| self.open.get(key)).cloned().collect();
        let touched = std::mem::take(&mut self.touched);
        let own = self.own.take();
        let beyond: BTreeSet<&TrackKey> = touched.iter().chain(&own).collect();
        let beyond = beyond.into_iter().filter_map(|key| self.open.get(key));
        head.tracks.extend(beyond.filter(|track| track.column >= COLUMNS).cloned());
        head.more_tracks = self.open.len() - head.tracks.len();
        for key in touched {
            self.open.get_mut(&key).into_iter().for_each(|track| track.change = TrackChange::Open);
        }
    }
}
