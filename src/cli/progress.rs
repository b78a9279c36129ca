//! How long a run takes: the time in its sums, and when its progress is shown.

use std::time::{Duration, Instant};

/// Says when progress is shown: after a second, and then ten times a second.
pub struct Clock {
    began: Instant,
    shown: Instant,
    wait: Duration,
}

impl Clock {
    pub fn new() -> Self {
        let now = Instant::now();
        Self { began: now, shown: now, wait: Duration::from_secs(1) }
    }

    /// Whether progress is shown now.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.shown.elapsed() >= self.wait;
        if is_due {
            (self.shown, self.wait) = (Instant::now(), Duration::from_millis(100));
        }
        is_due
    }

    /// The seconds since it began.
    pub fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// The time since it began, in words.
    pub fn words(&self) -> String {
        words(self.began.elapsed())
    }
}

fn words(time: Duration) -> String {
    match time.as_secs() {
        0 => "less than 1 s".into(),
        1..10 => format!("{:.1} s", time.as_secs_f64()),
        seconds @ 10..120 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_words() {
        for (milliseconds, want) in
            [(0, "less than 1 s"), (999, "less than 1 s"), (1250, "1.2 s"), (75_900, "75 s"), (130_000, "2 min 10 s")]
        {
            assert_eq!(words(Duration::from_millis(milliseconds)), want);
        }
    }
}
