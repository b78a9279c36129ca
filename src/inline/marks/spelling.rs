//! A fixed spelling of a delimiter, and how it is compared with a text.

use super::{FoundMark, MarkRole, Row, SPACES};
use std::ops::RangeInclusive;

#[derive(Clone)]
pub(super) struct Spelling {
    pub row: usize,
    pub role: MarkRole,
    pub bytes: Vec<u8>,
    /// Spaces may stand beside its tokens.
    loose: bool,
    /// It ends in a word, which no lower-case letter may continue.
    apart: bool,
}

/// The result of comparing a spelling with a text.
pub(super) enum Fit {
    No,
    Partial,
    /// It matches this many bytes of the text.
    Whole(usize),
}

impl Spelling {
    pub fn new(rows: &[Row], row: usize, role: MarkRole, text: &str) -> Self {
        let apart =
            rows[row].labels.iter().any(|label| label.ends_with(char::is_alphabetic) && text.ends_with(&**label));
        Self {
            row,
            role,
            bytes: text.as_bytes().to_vec(),
            loose: rows[row].loose,
            apart: apart && role == MarkRole::Open,
        }
    }

    /// Whether a text that holds it must be scanned: it opens or closes a block, or must go in any case.
    pub fn is_block(&self) -> bool {
        matches!(self.role, MarkRole::Open | MarkRole::Close | MarkRole::Marker(_))
    }

    pub fn fit(&self, rest: &[u8], eof: bool) -> Fit {
        let mut at = 0;
        if !self.loose {
            // Most differ early.
            if let (Some(own), Some(other)) = (self.bytes.get(2), rest.get(2))
                && own != other
            {
                return Fit::No;
            }
            let same = self.bytes.len().min(rest.len());
            match self.bytes[..same] == rest[..same] {
                false => return Fit::No,
                true if same < self.bytes.len() => return if eof { Fit::No } else { Fit::Partial },
                true => at = same,
            }
        }
        for (i, b) in self.bytes.iter().enumerate().filter(|_| self.loose) {
            let token_edge = *b == b'<' || i > 0 && self.bytes[i - 1] == b'>';
            if self.loose && i > 0 && token_edge {
                at += rest[at..].iter().take(SPACES).take_while(|b| **b == b' ').count();
            }
            match rest.get(at) {
                None if eof => return Fit::No,
                None => return Fit::Partial,
                Some(c) if c != b => return Fit::No,
                Some(_) => at += 1,
            }
        }
        match rest.get(at) {
            None if self.apart && !eof => Fit::Partial,
            Some(c) if self.apart && c.is_ascii_lowercase() => Fit::No,
            _ => Fit::Whole(at),
        }
    }

    pub fn mark(&self, len: usize) -> FoundMark {
        FoundMark { row: self.row, role: self.role, len, suffix: 0 }
    }
}

/// For each byte, the indices of the spellings of which this is one of the bytes that are told.
pub(super) fn by_byte(all: &[Spelling], bytes: impl Fn(&Spelling) -> Option<RangeInclusive<u8>>) -> Vec<Vec<u16>> {
    let mut table = vec![Vec::new(); 256];
    for (i, spelling) in all.iter().enumerate() {
        bytes(spelling).into_iter().flatten().for_each(|b| table[usize::from(b)].push(i as u16));
    }
    table
}
