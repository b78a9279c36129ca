//! The delimiters of blocks in a text, wherever they stand and whatever they mean there.

use super::{MarkHit, MarkRole, MessageKind, Tags};
use std::ops::Range;

/// An opening or closing delimiter of a block in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stands {
    /// Its place.
    pub at: Range<usize>,
    /// It opens a block.
    pub opens: bool,
}

impl Tags {
    /// The next delimiter of a block from `from` on. `Err`: the text ends with what may be the beginning of one.
    pub fn stands(&self, text: &[u8], mut from: usize) -> Result<Option<Stands>, usize> {
        while let Some(at) = self.candidate(text, from, None) {
            let (opens, len) = match self.at(text, at, false) {
                MarkHit::Partial | MarkHit::Attributes => return Err(at),
                MarkHit::Yes(mark) => match mark.role {
                    MarkRole::Open | MarkRole::Header(MessageKind::Reasoning | MessageKind::Unknown) => {
                        (true, mark.len)
                    }
                    MarkRole::Close | MarkRole::Header(_) | MarkRole::End => (false, mark.len),
                    _ => {
                        from = at + mark.len.max(1);
                        continue;
                    }
                },
                MarkHit::No => {
                    from = at + 1;
                    continue;
                }
            };
            return Ok(Some(Stands { at: at..at + len.max(1), opens }));
        }
        Ok(None)
    }

    /// Whether the strings of a text in JSON may have a delimiter, or the beginning of one at their ends: a quick check.
    pub fn may_begin_in_strings(&self, text: &[u8]) -> bool {
        let mut from = 0;
        while let Some(at) = self.candidate(text, from, None) {
            let first = text[at];
            let begins = match text.get(at + 1) {
                // The bracket of a list is no end of a string.
                Some(b'"' | b'\'' | b'\\' | b'&') if first == b'[' => {
                    at > 0 && (text[at - 1].is_ascii_alphanumeric() || matches!(text[at - 1], b'"' | b'\''))
                }
                None | Some(b'"' | b'\'' | b'\\' | b'&') => true,
                Some(next) => {
                    let next = usize::from(*next);
                    let spelled = self.bytes.second[next].iter().any(|s| self.exact[usize::from(*s)].bytes[0] == first);
                    spelled || first == b'<' && (self.bytes.beside_word[next] || next == usize::from(b'|'))
                }
            };
            if begins {
                return true;
            }
            from = at + 1;
        }
        self.escape.find(text).is_some()
    }
}
