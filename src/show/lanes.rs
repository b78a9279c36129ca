//! Who thought while whom spoke: what the agents of an input do, one lane each, over the time or over the order of the
//! messages.
//!
//! A message fills the stretch between the one before it and its own time, since programs write a message when it is
//! over. What is kept is bounded: in a long input, the deeds of neighbouring messages are summed up.

mod grid;

pub use grid::{DrawnLane, LaneCells, Scale, Timeline};

use super::{BlockEnd, LineItem, MessageHead, Role, Totals, Track, TrackChange, TrackKind, TrackPart, words};
use std::collections::{BTreeMap, HashMap};

/// The most deeds that are kept.
const DEEDS: usize = 8192;
/// The most lanes that are told apart.
const LANES: usize = 256;
/// The most calls that wait for their results.
const MAX_WAITING_CALLS: usize = 1024;
/// The most lanes for the calls that one agent has open at a time, beside its own.
const BESIDE: usize = 4;

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    Thinks,
    Speaks,
    /// It calls a tool, and waits for the result.
    Calls,
}

/// A stretch of a scale, and how much of it is filled.
#[derive(Clone, Copy, Debug, Default)]
struct LaneStretch {
    from: f64,
    to: f64,
    fills: f64,
}

impl LaneStretch {
    fn new(from: f64, to: f64) -> Self {
        Self { from, to: to.max(from), fills: (to - from).max(0.0) }
    }

    fn join(self, other: Self) -> Self {
        let (from, to) = (self.from.min(other.from), self.to.max(other.to));
        Self { from, to, fills: self.fills + other.fills }
    }

    /// The part of it between two shares.
    fn part(self, from: f64, to: f64) -> Self {
        let wide = self.to - self.from;
        Self::new(self.from + wide * from, self.from + wide * to)
    }
}

/// A deed of a message, or those of several.
#[derive(Clone, Copy, Debug)]
struct LaneDeed {
    lane: usize,
    deed: Deed,
    /// The place of the first message on the page, and its number.
    place: u64,
    number: u64,
    order: LaneStretch,
    time: LaneStretch,
}

/// What a lane is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LaneKey {
    /// Those who ask.
    User,
    /// The model, where the input has no name for it.
    Model,
    Agent(String),
    Chain(u64),
    /// Calls beside other calls of the same lane.
    Beside(usize, usize),
    /// All for which there are no lanes left.
    Others,
}

#[derive(Debug)]
struct AgentLane {
    name: String,
    key: LaneKey,
    /// The place of its first message.
    first: u64,
    /// The time of its last message.
    clock: Option<i64>,
    /// Where the last call ended in each of its rows.
    rows: Vec<f64>,
    /// How often it thought, spoke and called.
    counts: [u64; 3],
}

/// A call without a result so far.
#[derive(Clone, Copy, Debug)]
struct Asked {
    lane: usize,
    place: u64,
    number: u64,
    order: f64,
    time: f64,
    /// When its message was over.
    over: f64,
}

/// The message that is open.
#[derive(Debug, Default)]
struct Present {
    lane: usize,
    place: u64,
    number: u64,
    role: Role,
    time: Option<i64>,
    /// When it began.
    start: i64,
    /// The task of a side chain is no deed of its agent.
    is_task: bool,
    /// A side chain ends with it.
    returns: bool,
    calls: Vec<String>,
    results: Vec<String>,
    sealed: bool,
}

/// The lanes of an input.
#[derive(Debug, Default)]
pub struct Lanes {
    lanes: Vec<AgentLane>,
    by_key: BTreeMap<LaneKey, usize>,
    done: Vec<LaneDeed>,
    asked: HashMap<String, Asked>,
    present: Option<Present>,
    /// How many messages a deed stands for at least.
    each: u64,
    messages: u64,
    /// The place of the first one.
    begin: u64,
    /// How many of them have no time.
    untimed: u64,
    /// The time of the last message outside of side chains.
    clock: Option<i64>,
    first: Option<i64>,
    last: Option<i64>,
}

impl Lanes {
    /// A message begins, which stands at this place among those of the input.
    pub fn open(&mut self, head: &MessageHead, place: u64) {
        self.present = None;
        if head.number == 0 || head.role == Role::System && head.agent.is_empty() {
            return;
        }
        let own = head.track.and_then(|number| head.tracks.iter().find(|track| track.number == number));
        let lane = self.lane(head, own, place);
        let time = head.time.map(|time| time.0);
        if self.begin == 0 {
            self.begin = place;
        }
        self.messages = self.messages.max(place);
        self.untimed += u64::from(time.is_none());
        if let Some(time) = time {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
        // A delegation goes on with the conversation; all other tracks run beside it.
        let is_beside = own.is_some_and(|track| track.kind != TrackKind::Delegation);
        let before = if is_beside { self.lanes[lane].clock } else { self.clock };
        let Some(now) = time.or(self.clock) else {
            self.present = Some(Present { lane, place, number: head.number, role: head.role, ..Present::default() });
            return self.about(head, own);
        };
        self.lanes[lane].clock = Some(now);
        if !is_beside {
            self.clock = Some(now);
        }
        let start = before.unwrap_or(now).min(now);
        let time = Some(now);
        self.present =
            Some(Present { lane, place, number: head.number, role: head.role, time, start, ..Present::default() });
        self.about(head, own);
    }

    /// Notes what the tracks say about the open message.
    fn about(&mut self, head: &MessageHead, own: Option<&Track>) {
        let Some(present) = &mut self.present else { return };
        let in_chain = own.is_some_and(|track| track.kind == TrackKind::Chain);
        present.is_task = head.part == TrackPart::Task || in_chain && head.role == Role::User;
        let ends = |track: &Track| matches!(track.change, TrackChange::Ends | TrackChange::Whole);
        present.returns = head.tracks.iter().any(|track| track.kind == TrackKind::Chain && ends(track));
    }

    /// The lane of a message.
    fn lane(&mut self, head: &MessageHead, own: Option<&Track>, place: u64) -> usize {
        let agent = match own {
            Some(track) if head.agent.is_empty() => track.agent.as_str(),
            _ => head.agent.as_str(),
        };
        let (key, name) = match own {
            Some(Track { kind: TrackKind::Chain, number, label, .. }) => {
                let label = if label.is_empty() { String::new() } else { format!(": {label}") };
                (LaneKey::Chain(*number), format!("{agent}{label}"))
            }
            _ if !agent.is_empty() && agent != words::role(head.role) => {
                (LaneKey::Agent(agent.to_string()), agent.to_string())
            }
            Some(track) => {
                let name = format!("{} {}", words::track(track.kind), track.number);
                (LaneKey::Agent(name.clone()), name)
            }
            None if head.role == Role::User => (LaneKey::User, words::role(Role::User).to_string()),
            None => (LaneKey::Model, words::role(Role::Assistant).to_string()),
        };
        self.lane_of(key, name, place)
    }

    fn lane_of(&mut self, key: LaneKey, name: String, place: u64) -> usize {
        if let Some(lane) = self.by_key.get(&key) {
            return *lane;
        }
        let (key, name) = match self.lanes.len() {
            0..LANES => (key, name),
            _ => (LaneKey::Others, "others".to_string()),
        };
        if let Some(lane) = self.by_key.get(&key) {
            return *lane;
        }
        let lane = self.lanes.len();
        self.by_key.insert(key.clone(), lane);
        self.lanes.push(AgentLane { name, key, first: place, clock: None, rows: Vec::new(), counts: [0; 3] });
        lane
    }

    /// A block of text or reasoning is over.
    pub fn end(&mut self, end: BlockEnd) {
        self.present.iter_mut().for_each(|present| present.sealed |= end.sealed);
    }

    /// A call or a result in the open message.
    pub fn item(&mut self, item: &LineItem) {
        let Some(present) = &mut self.present else { return };
        match item {
            LineItem::Call { id, .. } => present.calls.push(id.clone()),
            LineItem::Result { id, .. } => present.results.push(id.clone()),
            _ => {}
        }
    }

    /// The open message is over.
    pub fn close(&mut self, totals: &Totals) {
        let Some(present) = self.present.take() else { return };
        let place = present.place as f64;
        let now = present.time.unwrap_or_default() as f64;
        let end = (place + 1.0, now);
        self.answers(&present, totals, end);
        if present.is_task {
            return;
        }
        let thought = match totals.reasoning {
            0 if totals.sealed > 0 || present.sealed => totals.visible.max(1),
            reasoning => reasoning,
        };
        let called = if present.calls.is_empty() { 0 } else { totals.tools.max(1) };
        let spoken = totals.visible;
        let all = thought.saturating_add(spoken).saturating_add(called);
        if all == 0 {
            return;
        }
        let whole = all as f64;
        // Nobody knows how long a user has written.
        let start = if present.role == Role::User { now } else { present.start as f64 };
        let (order, time) = (LaneStretch::new(place, place + 1.0), LaneStretch::new(start, now));
        let mut from = 0.0;
        for (deed, tokens) in [(Deed::Thinks, thought), (Deed::Speaks, spoken)] {
            if tokens == 0 {
                continue;
            }
            let to = from + tokens as f64 / whole;
            let Present { lane, place, number, .. } = present;
            self.push(LaneDeed { lane, deed, place, number, order: order.part(from, to), time: time.part(from, to) });
            from = to;
        }
        let Present { lane, place, number, .. } = present;
        let (order, time) = (order.part(from, 1.0).from, time.part(from, 1.0).from);
        for id in present.calls {
            let asked = Asked { lane, place, number, order, time, over: now };
            if id.is_empty() || present.results.contains(&id) {
                self.called(asked, end, false);
            } else {
                self.asked.insert(id, asked);
            }
        }
        if self.asked.len() > MAX_WAITING_CALLS {
            self.unanswered();
        }
    }

    /// The results in a message end their calls.
    fn answers(&mut self, present: &Present, totals: &Totals, end: (f64, f64)) {
        for id in &present.results {
            if let Some(asked) = self.asked.remove(id) {
                self.called(asked, end, present.returns);
            } else if totals.tools > 0 && present.calls.is_empty() {
                // Its call is not known.
                let Present { lane, place, number, .. } = *present;
                let asked = Asked { lane, place, number, order: place as f64, time: present.start as f64, over: end.1 };
                self.called(asked, end, false);
            }
        }
    }

    /// A call is over. `hands`: a side chain has worked for it, which has a lane.
    fn called(&mut self, asked: Asked, (place, now): (f64, f64), hands: bool) {
        let Asked { lane, number, order, time, .. } = asked;
        let mut row = 0;
        if !hands && let Some(own) = self.lanes.get_mut(lane) {
            // Two calls are parallel if one begins before the result of the other.
            row = own.rows.iter().position(|end| *end <= order).unwrap_or(own.rows.len()).min(BESIDE);
            match own.rows.get_mut(row) {
                Some(end) => *end = place,
                None => own.rows.push(place),
            }
        }
        let lane = match row {
            0 => lane,
            row => {
                let number = if row > 1 { format!(" {row}") } else { String::new() };
                let name = format!("parallel calls{number}");
                self.lane_of(LaneKey::Beside(lane, row), name, asked.place)
            }
        };
        let (order, time) = (LaneStretch::new(order, place), LaneStretch::new(time, now.max(time)));
        self.push(LaneDeed { lane, deed: Deed::Calls, place: asked.place, number, order, time });
    }

    /// Ends the calls that have no results.
    fn unanswered(&mut self) {
        let mut asked: Vec<Asked> = std::mem::take(&mut self.asked).into_values().collect();
        asked.sort_by_key(|asked| asked.place);
        for asked in asked {
            self.called(asked, (asked.place as f64 + 1.0, asked.over), false);
        }
    }

    fn push(&mut self, done: LaneDeed) {
        if let Some(lane) = self.lanes.get_mut(done.lane) {
            lane.counts[done.deed as usize] += 1;
        }
        self.done.push(done);
        if self.done.len() < DEEDS {
            return;
        }
        while self.done.len() > DEEDS / 2 {
            self.each = (self.each * 2).max(2);
            let each = self.each;
            self.done.sort_by_key(|done| (done.lane, done.place / each, done.deed, done.place));
            self.done.dedup_by(|next, kept| {
                let same = (next.lane, next.deed, next.place / each) == (kept.lane, kept.deed, kept.place / each);
                if same {
                    (kept.order, kept.time) = (kept.order.join(next.order), kept.time.join(next.time));
                }
                same
            });
            if each > self.messages.max(1) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
