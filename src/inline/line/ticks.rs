//! The code span that is open on a line: it ends with as many backticks as it began with.

/// Follows the backticks of a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ticks {
    /// How many opened the span.
    open: Option<usize>,
    /// How many stand at the end of the line so far.
    run: usize,
}

impl Ticks {
    /// Follows a character of the line.
    pub fn follow(&mut self, c: char) {
        if c == '`' {
            self.run += 1;
            return;
        }
        self.open = self.open();
        self.run = 0;
    }

    /// How many backticks close the span that is open.
    pub fn open(&self) -> Option<usize> {
        match (self.run, self.open) {
            (0, open) => open,
            (run, None) => Some(run),
            (run, Some(open)) => Some(open).filter(|open| *open != run),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans() {
        for (text, want) in [
            ("", None),
            ("a `b", Some(1)),
            ("a `", Some(1)),
            ("a `b`", None),
            ("a ``b` c", Some(2)),
            ("a `b` c `d", Some(1)),
        ] {
            let mut ticks = Ticks::default();
            text.chars().for_each(|c| ticks.follow(c));
            assert_eq!(ticks.open(), want, "{text:?}");
        }
    }
}
