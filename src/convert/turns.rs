//! Orders the messages of a stream that are open at the same time, for a format whose events do not identify their
//! message: they are written one after another, in the order in which they began.

use crate::model::content::Values;
use std::collections::VecDeque;

/// The messages that are open, or wait for one that began before them. The first is written as it comes.
#[derive(Default)]
pub(super) struct OpenTurns {
    queue: VecDeque<TurnMessage>,
    buffered: usize,
}

struct TurnMessage {
    /// The number of the message.
    serial: u64,
    /// Values that wait.
    values: Values,
    over: bool,
    /// How many of the values are counted in [`OpenTurns::buffered`].
    counted: usize,
}

impl OpenTurns {
    /// Begins a message.
    pub fn begin(&mut self, serial: u64) {
        self.queue.push_back(TurnMessage { serial, values: Vec::new(), over: false, counted: 0 });
    }

    /// Where the values of a message go: `now`, unless it waits.
    pub fn out<'v>(&'v mut self, serial: u64, now: &'v mut Values) -> &'v mut Values {
        match self.queue.iter_mut().skip(1).find(|turn| turn.serial == serial) {
            Some(turn) => &mut turn.values,
            None => now,
        }
    }

    /// How many bytes wait.
    pub fn buffered(&self) -> usize {
        self.buffered
    }

    /// Counts the values of a message that were added since the last call.
    pub fn count(&mut self, serial: u64) {
        if let Some(turn) = self.queue.iter_mut().skip(1).find(|turn| turn.serial == serial) {
            self.buffered += turn.values[turn.counted..].iter().map(|(_, value)| value.len()).sum::<usize>();
            turn.counted = turn.values.len();
        }
    }

    /// Ends a message: values that waited for it go to `now`.
    pub fn end(&mut self, serial: u64, now: &mut Values) {
        self.queue.iter_mut().filter(|turn| turn.serial == serial).for_each(|turn| turn.over = true);
        while self.queue.front().is_some_and(|turn| turn.over) {
            self.queue.pop_front();
            if let Some(next) = self.queue.front_mut() {
                self.buffered -= next.values[..next.counted].iter().map(|(_, value)| value.len()).sum::<usize>();
                next.counted = 0;
                now.append(&mut next.values);
            }
        }
    }
}
