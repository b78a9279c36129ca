//! Delimiters between marks of emphasis, in a sentence.

use super::{AfterSpace, Around, Right};

impl Around<'_> {
    /// Whether the same marks of emphasis stand on both sides, behind a word of a sentence that goes on behind them: `the tag
    /// **<a>** opens it`. `None` if the text behind it must come first.
    pub(super) fn is_emphasised(&self) -> Option<bool> {
        let mark = |c: &char| matches!(c, '*' | '_');
        let marks = match self.line.last() {
            [Some(a), Some(b), before] if mark(&a) && a == b => (a, 2, before),
            [Some(a), before, _] if mark(&a) => (a, 1, before),
            _ => return Some(false),
        };
        let (mark, run, before) = marks;
        if !before.is_some_and(char::is_whitespace) || !self.line.is_in_sentence() {
            return Some(false);
        }
        let ahead = self.ahead();
        let behind = ahead.iter().take(run + 1).take_while(|b| char::from(**b) == mark).count();
        if behind == ahead.len() && !self.eof {
            return None;
        }
        if behind != run {
            return Some(false);
        }
        Some(matches!(self.right_of(behind)?, Right::Blank(AfterSpace::Other) | Right::Punctuation))
    }
}
