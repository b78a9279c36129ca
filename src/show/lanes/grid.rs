//! The lanes as cells of a line: what an agent mostly does in each, and the message that begins there.

use super::{AgentLane, Deed, LaneDeed, LaneKey, Lanes};
use crate::show::Time;

/// The most lanes that are drawn. What the others do is summed up in one.
const DRAWN: usize = 16;
/// The share of the time of all deeds from which on a pause is shortened to that.
const PAUSE: f64 = 0.05;
/// The shortest pause that is shortened, in seconds.
const SHORT: f64 = 60.0;

/// What the line of the lanes stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From one time to another one.
    Time(Time, Time),
    /// Messages one after another.
    Order,
}

/// One cell or several that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneCells {
    pub from: usize,
    /// The first one behind them.
    pub to: usize,
    pub deed: Deed,
    /// The place and the number of the first message in them.
    pub place: u64,
    pub number: u64,
}

/// A lane of the line.
#[derive(Debug)]
pub struct DrawnLane {
    pub name: String,
    /// The place of its first message.
    pub first: u64,
    pub cells: Vec<LaneCells>,
    /// It is part of the lane before it.
    pub is_beside: bool,
    /// How often it thinks, speaks and calls.
    pub counts: [u64; 3],
}

/// All lanes.
#[derive(Debug)]
pub struct Timeline {
    pub lanes: Vec<DrawnLane>,
    pub scale: Scale,
    /// Pauses of all that are drawn shorter: the cell that each is in, and its seconds.
    pub pauses: Vec<(usize, f64)>,
}

/// One cell while it is filled.
#[derive(Clone, Copy, Debug, Default)]
struct Filling {
    fills: [f64; 3],
    begins: Option<(u64, u64)>,
}

impl Lanes {
    /// Draws the lanes in so many cells, if there are several.
    pub fn draw(&mut self, columns: usize) -> Option<Timeline> {
        self.unanswered();
        let busy: Vec<bool> =
            (0..self.lanes.len()).map(|lane| self.done.iter().any(|done| done.lane == lane)).collect();
        let acts = |(lane, busy): (&AgentLane, &bool)| *busy && lane.key != LaneKey::User;
        if self.lanes.iter().zip(&busy).filter(|lane| acts(*lane)).count() < 2 || columns == 0 {
            return None;
        }
        let timed = self.first.zip(self.last).filter(|(first, last)| first < last);
        let timed = timed.filter(|_| self.untimed.saturating_mul(10) <= self.messages);
        let axis = match timed {
            Some((first, last)) => Axis::of_times(&self.done, first as f64, last as f64),
            None => {
                Axis { points: vec![(self.begin as f64, 0.0), (self.messages as f64 + 1.0, 1.0)], pauses: Vec::new() }
            }
        };
        let mut order: Vec<usize> = (0..self.lanes.len()).filter(|lane| busy[*lane]).collect();
        order.sort_by_key(|lane| match self.lanes[*lane].key {
            LaneKey::User => (0, 0, 0),
            LaneKey::Beside(of, row) => (1, of, row),
            LaneKey::Others => (2, 0, 0),
            _ => (1, *lane, 0),
        });
        let whole = if order.len() > DRAWN { DRAWN - 1 } else { order.len() };
        let mut lanes = Vec::new();
        for (at, lane) in order.iter().take(whole).enumerate() {
            let AgentLane { name, first, key, counts, .. } = &self.lanes[*lane];
            let is_beside = at > 0 && matches!(key, LaneKey::Beside(..));
            let cells = self.cells(&[*lane], &axis, timed.is_some(), columns);
            lanes.push(DrawnLane { name: name.clone(), first: *first, cells, is_beside, counts: *counts });
        }
        if let Some(rest) = order.get(whole..).filter(|rest| !rest.is_empty()) {
            let first = rest.iter().map(|lane| self.lanes[*lane].first).min().unwrap_or(1);
            let cells = self.cells(rest, &axis, timed.is_some(), columns);
            let mut counts = [0; 3];
            for lane in rest {
                counts.iter_mut().zip(self.lanes[*lane].counts).for_each(|(sum, count)| *sum += count);
            }
            lanes.push(DrawnLane { name: format!("{} more", rest.len()), first, cells, is_beside: false, counts });
        }
        let scale = timed.map_or(Scale::Order, |(first, last)| Scale::Time(Time(first), Time(last)));
        let cell = |at: f64| ((at * columns as f64) as usize).min(columns - 1);
        let pauses = axis.pauses.iter().map(|(at, seconds)| (cell(*at), *seconds)).collect();
        Some(Timeline { lanes, scale, pauses })
    }

    /// The cells of these lanes.
    fn cells(&self, lanes: &[usize], axis: &Axis, timed: bool, columns: usize) -> Vec<LaneCells> {
        let mut filling = vec![Filling::default(); columns];
        let wide = columns as f64;
        for done in self.done.iter().filter(|done| lanes.contains(&done.lane)) {
            let stretch = if timed { done.time } else { done.order };
            let (from, to) = (axis.at(stretch.from) * wide, axis.at(stretch.to) * wide);
            let first = (from as usize).min(columns - 1);
            let last = (to.ceil() as usize).clamp(first + 1, columns);
            let share = if stretch.to > stretch.from { stretch.fills / (stretch.to - stretch.from) } else { 1.0 };
            for (at, cell) in filling.iter_mut().enumerate().take(last).skip(first) {
                let covered = (to.min(at as f64 + 1.0) - from.max(at as f64)).max(0.0);
                // What takes no time is there, too.
                cell.fills[done.deed as usize] += (covered * share).max(0.05);
            }
            let begins = &mut filling[first].begins;
            if begins.is_none_or(|(place, _)| done.place < place) {
                *begins = Some((done.place, done.number));
            }
        }
        let mut cells: Vec<LaneCells> = Vec::new();
        let (mut place, mut number) = (0, 0);
        for (at, cell) in filling.iter().enumerate() {
            (place, number) = cell.begins.unwrap_or((place, number));
            let most = [Deed::Thinks, Deed::Speaks, Deed::Calls]
                .into_iter()
                .max_by(|a, b| cell.fills[*a as usize].total_cmp(&cell.fills[*b as usize]));
            let Some(deed) = most.filter(|deed| cell.fills[*deed as usize] > 0.0) else { continue };
            match cells.last_mut() {
                Some(last) if last.to == at && last.deed == deed && cell.begins.is_none() => last.to = at + 1,
                _ => cells.push(LaneCells { from: at, to: at + 1, deed, place, number }),
            }
        }
        cells
    }
}

/// Where the points of a scale stand on the line, from 0 to 1.
struct Axis {
    points: Vec<(f64, f64)>,
    /// Where pauses are drawn shorter, and their seconds.
    pauses: Vec<(f64, f64)>,
}

impl Axis {
    /// Time, with long pauses shortened.
    fn of_times(done: &[LaneDeed], first: f64, last: f64) -> Self {
        let mut stretches: Vec<(f64, f64)> = done.iter().map(|done| (done.time.from, done.time.to)).collect();
        stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Stretches of time in which anything is done.
        let mut busy: Vec<(f64, f64)> = vec![(first, first)];
        for (from, to) in stretches {
            match busy.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => busy.push((from, to)),
            }
        }
        let all: f64 = busy.iter().map(|(from, to)| to - from).sum();
        let short = (all * PAUSE).max(SHORT);
        let (mut points, mut pauses) = (vec![(first, 0.0)], Vec::new());
        let (mut at, mut before) = (0.0, first);
        for (from, to) in busy.into_iter().chain([(last, last)]) {
            let pause = from - before;
            if pause > short {
                pauses.push((at + short / 2.0, pause));
            }
            at += pause.clamp(0.0, short);
            points.push((from.max(before), at));
            at += (to - from.max(before)).max(0.0);
            points.push((to.max(before), at));
            before = to.max(before);
        }
        let whole = if at > 0.0 { at } else { 1.0 };
        points.iter_mut().for_each(|point| point.1 /= whole);
        pauses.iter_mut().for_each(|pause| pause.0 /= whole);
        Self { points, pauses }
    }

    fn at(&self, value: f64) -> f64 {
        let behind = self.points.partition_point(|(from, _)| *from <= value);
        let (Some(low), high) = (self.points.get(behind.saturating_sub(1)), self.points.get(behind)) else {
            return 0.0;
        };
        match high {
            Some(high) if high.0 > low.0 && value > low.0 => {
                low.1 + (high.1 - low.1) * (value - low.0) / (high.0 - low.0)
            }
            _ => low.1,
        }
        .clamp(0.0, 1.0)
    }
}
