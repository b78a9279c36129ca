//! Draws tracks beside the messages: a column for each open sequence of reasoning and delegation, with a line where it
//! begins and where it ends, and a dot at its messages.

use super::glyph;
use super::look::{CharStyle, Ink};
use crate::show::{MessageHead, Track, TrackChange, words};

/// A part of a line, and its style.
pub type StyledPart = (String, CharStyle);

/// A rail that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rail {
    number: u64,
    column: usize,
}

/// The rails of a drawing.
#[derive(Debug, Default)]
pub struct Rails {
    /// The open rails that are drawn, by column.
    open: Vec<Rail>,
    /// How many open tracks are not drawn.
    more: usize,
    /// The most columns of rails.
    most: usize,
    raw: bool,
}

impl Rails {
    /// With at most `most` rails.
    pub fn new(most: usize, raw: bool) -> Self {
        Self { most, raw, ..Self::default() }
    }

    /// Clears all rails, at the start of a conversation.
    pub fn clear(&mut self) {
        (self.open, self.more) = (Vec::new(), 0);
    }

    /// How many columns the rails take in front of a line.
    pub fn width(&self) -> usize {
        self.open.last().map_or(0, |rail| 2 * (rail.column + 1))
    }

    /// The rails before a line between two messages: those that were open before this message.
    pub fn before(&mut self, head: &MessageHead) {
        self.set(head, |change| matches!(change, TrackChange::Open | TrackChange::Ends));
    }

    fn set(&mut self, head: &MessageHead, some: impl Fn(TrackChange) -> bool) {
        self.more = head.more_tracks;
        self.open.clear();
        for track in head.tracks.iter().filter(|track| some(track.change)) {
            if track.column < self.most {
                self.open.push(Rail { number: track.number, column: track.column });
            } else {
                self.more += 1;
            }
        }
        self.open.sort_by_key(|rail| rail.column);
        self.open.dedup_by_key(|rail| rail.column);
    }

    /// A line of this width for each track that begins with this message.
    pub fn begin(&mut self, head: &MessageHead, width: usize) -> Vec<Vec<StyledPart>> {
        let mut lines = Vec::new();
        for track in head.tracks.iter().filter(|t| matches!(t.change, TrackChange::Begins | TrackChange::Whole)) {
            let mut line = self.turn(track, '╮', '╭');
            let used = self.width().max(if track.column < self.most { 2 * (track.column + 1) } else { 0 });
            let (text, _) = glyph::line(&title(track), width.saturating_sub(used), self.raw);
            line.push((text, CharStyle::of(ink(track.column))));
            lines.push(line);
            if track.column < self.most {
                self.open.retain(|rail| rail.column != track.column);
                let at = self.open.partition_point(|rail| rail.column < track.column);
                self.open.insert(at, Rail { number: track.number, column: track.column });
            } else {
                self.more += 1;
            }
        }
        lines
    }

    /// A line for each drawn track that ends with this message.
    pub fn end(&mut self, head: &MessageHead) -> Vec<Vec<StyledPart>> {
        let mut lines = Vec::new();
        let ending = head.tracks.iter().filter(|t| matches!(t.change, TrackChange::Ends | TrackChange::Whole));
        // Tracks that began last come first: a track ends before its parent.
        let mut ending: Vec<&Track> = ending.collect();
        ending.sort_unstable_by_key(|track| std::cmp::Reverse(track.number));
        for track in ending {
            if track.column < self.most {
                self.open.retain(|rail| rail.number != track.number);
                lines.push(self.turn(track, '╯', '╰'));
            }
        }
        self.set(head, |change| matches!(change, TrackChange::Open | TrackChange::Begins));
        lines
    }

    /// The line where a track leaves its parent or returns to it. `right` and `left`: its end, by the side of the
    /// parent.
    fn turn(&self, track: &Track, right: char, left: char) -> Vec<StyledPart> {
        if track.column >= self.most {
            return self.line(None);
        }
        let parent = track.parent.and_then(|number| self.open.iter().find(|rail| rail.number == number));
        let from = parent.map_or(track.column, |rail| rail.column);
        let (low, high) = (from.min(track.column), from.max(track.column));
        let last = self.open.last().map_or(0, |rail| rail.column).max(high);
        let own = CharStyle::of(ink(track.column));
        let mut parts = Vec::new();
        for column in 0..=last {
            let open = self.open.iter().any(|rail| rail.column == column);
            let (sign, style) = match column {
                _ if column == track.column => (if from < column { right } else { left }, own),
                _ if column == from => (if from < track.column { '├' } else { '┤' }, CharStyle::of(ink(from))),
                _ if column > low && column < high => (if open { '┼' } else { '─' }, own),
                _ => (if open { '│' } else { ' ' }, CharStyle::of(ink(column))),
            };
            parts.push((sign.to_string(), style));
            let gap = if column >= low && column < high { "─" } else { " " };
            parts.push((gap.to_string(), own));
        }
        parts
    }

    /// The rails before a line of a message, with a dot in the column `own` of its track.
    pub fn line(&self, own: Option<usize>) -> Vec<StyledPart> {
        let mut parts: Vec<StyledPart> = Vec::new();
        let mut at = 0;
        for rail in &self.open {
            if rail.column > at {
                parts.push((" ".repeat(2 * (rail.column - at)), CharStyle::default()));
            }
            let sign = if own == Some(rail.column) { "● " } else { "│ " };
            parts.push((sign.to_string(), CharStyle::of(ink(rail.column))));
            at = rail.column + 1;
        }
        parts
    }

    /// The column of the track that a message belongs to, if that is drawn.
    pub fn own(&self, head: &MessageHead) -> Option<usize> {
        let number = head.track?;
        self.open.iter().find(|rail| rail.number == number).map(|rail| rail.column)
    }

    /// How many open tracks are not drawn.
    pub fn more(&self) -> usize {
        self.more
    }
}

/// The colour of a column.
pub fn ink(column: usize) -> Ink {
    Ink::Rail(u8::try_from(column % 6).unwrap_or(0))
}

fn title(track: &Track) -> String {
    let what = words::track(track.kind);
    let agent = if track.agent.is_empty() { String::new() } else { format!("{} · ", track.agent) };
    let label = if track.label.is_empty() { String::new() } else { format!(": {}", track.label) };
    format!("{agent}{what} {}{label}", track.number)
}
