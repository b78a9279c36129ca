//! Text that is looked at only where something was found in it: until then the end of it waits.

use memchr::{memchr, memrchr};

/// The most text that is looked at, in bytes.
const MAX_LATE_BYTES: usize = 1 << 14;

/// Text that was not looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct LateText {
    text: Vec<u8>,
    /// Some of it was dropped.
    dropped: bool,
}

impl LateText {
    /// Takes more text. ADVICE: what is kept does not depend on how the text comes.
    pub fn pass(&mut self, text: &[u8]) {
        let near = &text[text.len().saturating_sub(MAX_LATE_BYTES)..];
        if near.len() < text.len() || self.text.len() + near.len() > 2 * MAX_LATE_BYTES {
            let over = self.text.len().saturating_sub(MAX_LATE_BYTES - near.len());
            self.dropped |= near.len() < text.len() || over > 0;
            self.text.drain(..over);
        }
        self.text.extend_from_slice(near);
    }

    /// The lines that are over, and whether any before them were dropped.
    pub fn lines(&mut self) -> (Vec<u8>, bool) {
        let over = self.text.len().saturating_sub(MAX_LATE_BYTES);
        self.dropped |= over > 0;
        self.text.drain(..over);
        let dropped = std::mem::take(&mut self.dropped);
        if dropped {
            let first = memchr(b'\n', &self.text).map_or(self.text.len(), |end| end + 1);
            self.text.drain(..first);
        }
        let end = memrchr(b'\n', &self.text).map_or(0, |end| end + 1);
        let rest = self.text.split_off(end);
        (std::mem::replace(&mut self.text, rest), dropped)
    }

    /// The line that is not over.
    pub fn line(&self) -> &[u8] {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_does_not_depend_on_pieces() {
        let text: Vec<u8> = (0..9000).flat_map(|n| format!("line {n}\n").into_bytes()).chain(*b"rest").collect();
        for all in [10, MAX_LATE_BYTES, MAX_LATE_BYTES + 1, text.len()] {
            let text = &text[text.len() - all..];
            let mut whole = LateText::default();
            whole.pass(text);
            let (lines, dropped) = whole.lines();
            assert_eq!((dropped, whole.line()), (all > MAX_LATE_BYTES, &b"rest"[..]));
            assert!(lines.is_empty() || lines.ends_with(b"\n"));
            for piece in [1, 100, MAX_LATE_BYTES - 1, MAX_LATE_BYTES + 1] {
                let mut pieces = LateText::default();
                text.chunks(piece).for_each(|piece| pieces.pass(piece));
                assert_eq!(pieces.lines(), (lines.clone(), dropped), "{all} in pieces of {piece}");
                assert_eq!(pieces.line(), b"rest");
            }
        }
    }
}
