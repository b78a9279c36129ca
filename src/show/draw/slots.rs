//! What is drawn next, in order: messages wait for those before them.

use super::asides::Aside;
use super::chains;
use super::costs::dollars;
use super::items::RecentCalls;
use super::message::DrawMessage;
use super::play::{draw, request};
use super::{Draw, DrawRules};
use crate::frame::Framing;
use crate::json::text::utf8;
use crate::model::content::{Envelope, RecordHead};
use crate::model::{Event, Lane, Origin, Role};
use crate::show::{self, Step};
use crate::span::Span;
use crate::tokens::Apart;
use std::rc::Rc;

/// What is drawn next, in order.
pub(super) enum DrawSlot {
    /// A message that is open, in this lane.
    Open(Lane),
    /// A message that is over.
    Over(Box<DrawMessage>),
    /// Instructions and tools beside the messages of the current request.
    Request(RecordHead),
    /// A conversation begins, or goes on: its number.
    Conversation(u64, bool),
    /// Records that were not understood: the first, the last, and why.
    Unread(u64, u64, String),
    Aside(Aside),
    /// What the input has cost beside what its messages say.
    Cost(f64),
}

impl Draw {
    pub(super) fn start(&mut self, event: &Event<'_>, place: Option<(u64, u64)>) {
        let Event::MessageStart { lane, role, joined, conversation, .. } = event else { return };
        let streams = self.source.framing == Framing::Text || self.record.envelope == Some(Envelope::Stream);
        if self.record.envelope == Some(Envelope::Stream) && !joined {
            // A response begins: messages that are complete are over, even without an event that ends them.
            std::mem::take(&mut self.complete).into_iter().for_each(|lane| self.over(lane));
        }
        // The conversation of a record is one of its own already.
        if !self.conversations.inside && std::mem::take(&mut self.conversations.after_end) {
            let conversation = self.conversation();
            self.queue.slots.push_back(conversation);
        }
        let (record, number) = place.unwrap_or_default();
        let head = show::MessageHead { record, number, role: *role, ..show::MessageHead::default() };
        self.over(*lane);
        let slot = self.queue.gone + self.queue.slots.len() as u64;
        let mut open = DrawMessage::new(head, self.record.envelope, streams, slot);
        open.conversation = *conversation;
        self.open.insert(*lane, open);
        self.queue.slots.push_back(DrawSlot::Open(*lane));
        self.queue.latest = Some(*lane);
        self.sums.messages += 1;
    }

    /// The next conversation.
    pub(super) fn conversation(&mut self) -> DrawSlot {
        self.conversations.count += 1;
        DrawSlot::Conversation(self.conversations.count, false)
    }

    /// Notes where a message comes from. In a log, it may be of another session than the one before it.
    pub(super) fn origin(&mut self, lane: Lane, origin: &Origin) {
        let Some(open) = self.open.get_mut(&lane) else { return };
        let text = |text: &[u8]| utf8(text).into_owned();
        (open.head.time, open.head.session.folder) = (origin.time, text(&origin.project));
        open.head.session.branch = text(&origin.branch);
        open.head.session.title = text(&origin.title);
        open.totals.cost = dollars(&origin.cost);
        self.sums.costs.by_message |= open.totals.cost.is_some();
        open.head.asked = text(&origin.model);
        open.chain = chains::key(origin).map(|key| (key, origin.call.clone()));
        let conversation = open.conversation;
        if self.conversations.inside || origin.session.is_empty() {
            return;
        }
        let before = std::mem::replace(&mut self.conversations.session, (origin.session.clone(), conversation));
        if self.conversations.sessions.is_empty() {
            self.conversations.count = self.conversations.count.max(1);
            self.conversations.sessions.insert(before.0, self.conversations.count);
            self.conversations.sessions.insert(origin.session.clone(), self.conversations.count);
            return;
        }
        if before.0 == origin.session || before.1 == conversation {
            return;
        }
        let slot = match self.conversations.sessions.get(&origin.session) {
            Some(number) => DrawSlot::Conversation(*number, true),
            None => {
                let slot = self.conversation();
                self.conversations.sessions.insert(origin.session.clone(), self.conversations.count);
                slot
            }
        };
        // It stands before the message, which waits in the last slot.
        let Some(open) = self
            .open
            .get_mut(&lane)
            .filter(|open| open.place.slot + 1 == self.queue.gone + self.queue.slots.len() as u64)
        else {
            return;
        };
        open.place.slot += 1;
        self.queue.slots.insert(self.queue.slots.len() - 1, slot);
    }

    /// Ends the message in this lane.
    pub(super) fn over(&mut self, lane: Lane) {
        let Some(mut open) = self.open.remove(&lane) else { return };
        self.complete.remove(&lane);
        self.place(lane, &mut open);
        self.returns(&mut open);
        open.finish(&self.rules, &mut self.names);
        let is = |slot: &DrawSlot| matches!(slot, DrawSlot::Open(other) if *other == lane);
        let at = (open.place.slot - self.queue.gone) as usize;
        // A message that is refused before anything of it was drawn is none.
        open.place.drawn &= !open.refused || !open.steps.is_empty() || at == 0 && self.begun;
        if self.queue.slots.get(at).is_some_and(is) {
            self.queue.slots[at] = DrawSlot::Over(Box::new(open));
        }
        self.play();
    }

    /// Gives a message its place among sequences and delegations, which the events right after its start determine.
    pub(super) fn place(&mut self, lane: Lane, open: &mut DrawMessage) {
        if std::mem::replace(&mut open.place.placed, true) {
            return;
        }
        if let Some((key, call)) = &open.chain {
            let (text, _) = open.peek();
            // The message that has called the agent may not be over.
            for other in self.open.values() {
                other.calls().for_each(|(id, arguments)| self.names.chains.called(&id, &arguments));
            }
            let (chain, begins) = self.names.chains.of(key, call, &text);
            let is_task = begins && open.head.role == Role::User;
            return self.tracks.chain(&chain, is_task, &mut open.head);
        }
        match self.tracks.standing(lane).cloned() {
            Some(standing) => {
                open.counted.apart = Apart { delegated: standing.depth > 0, intermediate: standing.is_intermediate() };
                self.tracks.delegated(&standing, &mut open.head);
            }
            None => self.tracks.beside(&mut open.head),
        }
    }

    /// Ends the side chains whose results a message has. The next request of the user ends all.
    pub(super) fn returns(&mut self, open: &mut DrawMessage) {
        // What is open in a side chain came before.
        if open.chain.is_none() {
            let waits =
                |(lane, other): (&Lane, &DrawMessage)| (other.chain.is_some() && !other.place.placed).then_some(*lane);
            let mut waiting: Vec<Lane> = self.open.iter().filter_map(waits).collect();
            waiting.sort_by_key(|lane| self.open.get(lane).map(|open| open.place.slot));
            for lane in waiting {
                let Some(mut other) = self.open.remove(&lane) else { continue };
                self.place(lane, &mut other);
                self.open.insert(lane, other);
            }
        }
        if !self.tracks.has_chains() {
            return;
        }
        let (text, results) = open.peek();
        let ended = results.iter().filter_map(|id| self.names.chains.for_call(id));
        ended.for_each(|chain| self.tracks.end_chain(Some(chain), &mut open.head));
        if open.chain.is_none() && open.head.role == Role::User && results.is_empty() && !text.is_empty() {
            self.tracks.end_chain(None, &mut open.head);
        }
    }

    /// Changes the message in a lane.
    pub(super) fn change(&mut self, lane: Lane, work: impl FnOnce(&mut DrawMessage, &DrawRules, &mut RecentCalls)) {
        let Some(mut open) = self.open.remove(&lane) else { return };
        // What a side chain is called may be known by its first text.
        if open.chain.is_none() || open.streams {
            self.place(lane, &mut open);
        }
        work(&mut open, &self.rules, &mut self.names);
        let some = !open.steps.is_empty();
        if some && self.open.values().all(|other| open.place.slot < other.place.slot) {
            open.open_now();
        }
        self.open.insert(lane, open);
        if some && matches!(self.queue.slots.front(), Some(DrawSlot::Open(first)) if *first == lane) {
            self.play();
        }
    }

    /// Draws the slots that wait for no other message.
    pub(super) fn play(&mut self) {
        let painter = Rc::clone(&self.painter);
        let mut painter = painter.borrow_mut();
        while let Some(slot) = self.queue.slots.front() {
            // A run of records may go on, and what they say is not copied yet.
            let may_go_on = matches!(slot, DrawSlot::Unread(..) | DrawSlot::Aside(_))
                && self.queue.slots.len() == 1
                && !self.source.over;
            let waits = matches!(slot, DrawSlot::Aside(aside) if !aside.spans.is_empty());
            if may_go_on || waits || matches!(slot, DrawSlot::Request(_)) && self.record.request {
                return;
            }
            if let (Some(name), out) = (self.source.input.take(), &mut self.out) {
                painter.step(Step::Input(&name), out);
            }
            if let DrawSlot::Open(lane) = slot {
                if let Some(open) = self.open.get_mut(lane).filter(|open| !open.steps.is_empty()) {
                    self.queue.buffered -= std::mem::take(&mut open.place.buffered);
                    draw(open, &mut self.begun, &mut *painter, &mut self.out);
                }
                return;
            }
            self.queue.gone += 1;
            match self.queue.slots.pop_front() {
                Some(DrawSlot::Over(mut open)) => {
                    self.queue.buffered -= open.place.buffered;
                    if open.place.drawn {
                        draw(&mut open, &mut self.begun, &mut *painter, &mut self.out);
                        painter.step(Step::Close(&open.totals), &mut self.out);
                    }
                    self.begun = false;
                }
                Some(DrawSlot::Conversation(number, again)) => {
                    painter.step(Step::Conversation { number, again }, &mut self.out);
                }
                Some(DrawSlot::Request(head)) => request(&head, &self.rules, &mut *painter, &mut self.out),
                Some(DrawSlot::Unread(first, last, what)) => {
                    painter.step(Step::Unread { first, last, what: &what }, &mut self.out);
                }
                Some(DrawSlot::Aside(Aside { first, last, count, text, .. })) => {
                    painter.step(Step::Aside { first, last, count, text: &text }, &mut self.out);
                }
                Some(DrawSlot::Cost(dollars)) => painter.step(Step::Cost(dollars), &mut self.out),
                Some(DrawSlot::Open(_)) | None => return,
            }
        }
    }

    /// Ends the current record.
    pub(super) fn end_record(&mut self) {
        self.record.envelope = None;
        self.queue.latest = None;
        if std::mem::take(&mut self.record.request) {
            self.play();
        }
    }

    /// Adds a record that has said nothing to the run that it stands in.
    pub(super) fn aside(&mut self, span: Span) {
        let record = self.numbers.record;
        let goes_on = matches!(self.queue.slots.back(), Some(DrawSlot::Aside(aside)) if aside.last < record);
        if !goes_on {
            self.queue.slots.push_back(DrawSlot::Aside(Aside { first: record, ..Aside::default() }));
        }
        if let Some(DrawSlot::Aside(aside)) = self.queue.slots.back_mut() {
            (aside.last, aside.count) = (record, aside.count + 1);
            aside.spans.extend(self.rules.reasoning.then_some(span));
        }
    }
}
