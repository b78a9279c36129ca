//! Fences in reasoning: a tag in one is only spoken of, if the fence is closed before the reasoning ends.

use super::late::LateText;
use memchr::{memchr, memchr2, memrchr};

/// How far behind a tag the end of its fence is searched for, in bytes.
const MAX_FENCE_BYTES: usize = 1 << 16;

/// Follows the fences of a block.
#[derive(Debug, Default)]
pub(super) struct ThoughtFences {
    /// What was followed, as an offset in the message.
    tracked: u64,
    late: LateText,
    /// The fence that is open.
    open: Option<FenceMark>,
    /// It is known whether one is open.
    known: bool,
    /// The tag for whose fence the end was searched last, and how far, as offsets in the message.
    look: (u64, u64),
    /// The last answer, and up to where it holds in the same fence.
    found: (u64, bool),
}

/// What opened a fence: its character, and how often it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FenceMark {
    mark: u8,
    len: usize,
}

/// A line of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FenceLine {
    mark: u8,
    len: usize,
    /// Something stands behind its run.
    named: bool,
}

impl FenceLine {
    fn of(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let mark = *line.first().filter(|b| matches!(b, b'`' | b'~'))?;
        let len = line.iter().take_while(|b| **b == mark).count();
        let span = mark == b'`' && line[len..].contains(&b'`');
        (len >= 3 && !span).then_some(Self { mark, len, named: len < line.len() })
    }

    fn fence(self) -> FenceMark {
        FenceMark { mark: self.mark, len: self.len }
    }
}

impl ThoughtFences {
    /// Begins a block whose text begins at this offset.
    pub fn begin(&mut self, at: u64) {
        *self = Self { tracked: at, known: true, ..Self::default() };
    }

    /// Follows the text of the block, which begins at this offset.
    pub fn pass(&mut self, text: &[u8], at: u64) {
        let seen = self.tracked.saturating_sub(at).min(text.len() as u64) as usize;
        self.late.pass(&text[seen..]);
        self.tracked = self.tracked.max(at + text.len() as u64);
    }

    /// Follows the lines that are over.
    fn catch_up(&mut self) {
        let (lines, dropped) = self.late.lines();
        if dropped {
            (self.open, self.known) = (None, false);
        }
        // Only lines that begin with such a run count.
        let mut from = 0;
        while let Some(mark) = memchr2(b'`', b'~', &lines[from..]).map(|n| from + n) {
            let start = memrchr(b'\n', &lines[from..mark]).map_or(from, |n| from + n + 1);
            let end = memchr(b'\n', &lines[mark..]).map_or(lines.len(), |n| mark + n);
            if lines[start..mark].trim_ascii().is_empty() {
                self.line(&lines[start..end]);
            }
            from = lines.len().min(end + 1);
        }
    }

    fn line(&mut self, line: &[u8]) {
        let Some(line) = FenceLine::of(line) else { return };
        match self.open {
            // A fence in a fence: either the outer one was never closed, or the inner one is text.
            Some(fence) if fence.is_met(line) && line.named => self.known = false,
            Some(fence) if fence.is_met(line) => (self.open, self.known) = (None, true),
            Some(_) => (),
            None if self.known || line.named => (self.open, self.known) = (Some(line.fence()), true),
            None => (),
        }
    }

    /// The fence that is open, if that is known.
    pub fn open(&self) -> Option<FenceMark> {
        self.open.filter(|_| self.known)
    }

    /// Whether a tag that ends at `at` in this text stands in a fence that is closed behind it, where the text before it has passed.
    /// `here`: the offset of the text in the message. `None` if the text behind it must come first.
    pub fn enclose(&mut self, text: &[u8], at: usize, here: u64, eof: bool) -> Option<bool> {
        self.catch_up();
        let Some(fence) = self.open() else { return Some(false) };
        // A tag right behind the run that closes the fence stands behind it.
        if FenceLine::of(self.late.line()).is_some_and(|line| fence.is_met(line) && !line.named) {
            return Some(false);
        }
        let tag = here + at as u64;
        if tag <= self.found.0 {
            return Some(self.found.1);
        }
        let mut from = if self.look.0 == tag { self.look.1.saturating_sub(here) as usize } else { at };
        let near = &text[..text.len().min(at + MAX_FENCE_BYTES)];
        let whole = eof || near.len() == at + MAX_FENCE_BYTES;
        loop {
            let end = memchr(b'\n', &near[from..]).map(|n| from + n);
            if end.is_none() && !whole {
                self.look = (tag, here + from as u64);
                return None;
            }
            let line = FenceLine::of(&near[from..end.unwrap_or(near.len())]);
            let met = line.filter(|line| from > at && fence.is_met(*line));
            match (met, end) {
                (None, Some(end)) => from = end + 1,
                (met, _) => {
                    // One that opens says that this one was never closed.
                    let closed = met.is_some_and(|line| !line.named);
                    let until = if met.is_some() { from } else { near.len() };
                    self.found = (here + until as u64, closed);
                    return Some(closed);
                }
            }
        }
    }
}

impl FenceMark {
    /// Whether a line would end the fence, if nothing stood behind its run.
    fn is_met(self, line: FenceLine) -> bool {
        line.mark == self.mark && line.len >= self.len
    }

    /// Whether the fence is closed in a text that begins in it, and no other one is open at its end.
    pub fn is_closed_in(self, text: &[u8]) -> bool {
        let mut fences = ThoughtFences { open: Some(self), known: true, ..ThoughtFences::default() };
        text.split(|b| *b == b'\n').skip(1).for_each(|line| fences.line(line));
        fences.open.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the `@` in the text is in a fence.
    fn enclosed(text: &str, piece: usize) -> bool {
        let at = text.find('@').unwrap();
        let mut fences = ThoughtFences::default();
        fences.begin(0);
        let mut from = 0;
        text.as_bytes()[..at].chunks(piece).for_each(|piece| {
            fences.pass(piece, from);
            from += piece.len() as u64;
        });
        for end in at + 1..=text.len() {
            match fences.enclose(&text.as_bytes()[..end], at + 1, 0, end == text.len()) {
                Some(found) => return found,
                None => assert!(end < text.len(), "{text:?}"),
            }
        }
        false
    }

    #[test]
    fn fences() {
        let long = format!("```\n{}\n```\n```py\n@\n```\n", "x\n".repeat(1 << 14));
        let unknown = format!("{}\n```\n@\n```\n", "x\n".repeat(1 << 14));
        for (text, want) in [
            ("@", false),
            ("```\n@", false),
            ("```\n@\n```", true),
            ("```\n@\n```\n", true),
            ("  ```py\n@ x\n  ```\n", true),
            ("```\n@\n```py\n", false),
            ("````\n```\n@\n```\n````\n", true),
            ("```\n@\n~~~\n", false),
            ("~~~\n```\n@\n~~~\n", true),
            ("```\nx\n```\n@\n```\ny\n```\n", false),
            ("```\nx\n```@\n```\ny\n```\n", false),
            ("``` x ``` @\n```\n", false),
            ("```\n```py\n@\n```\n", false),
            (&long, true),
            (&unknown, false),
        ] {
            for piece in [1, 7, 4096, usize::MAX] {
                assert_eq!(enclosed(text, piece), want, "{:?} in pieces of {piece}", &text[..text.len().min(40)]);
            }
        }
        let fence = FenceMark { mark: b'`', len: 3 };
        assert!(fence.is_closed_in(b"\n```\n") && !fence.is_closed_in(b"\n```\n```\n") && !fence.is_closed_in(b""));
    }
}
