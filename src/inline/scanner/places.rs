//! Tags in places where a text shows code or holds a document (`crate::inline::shown`).

use super::stands::Decision;
use super::types::{Doubt, Inline};
use super::{TagScanner, Wait};
use crate::inline::marks::{MarkHit, MarkRole, Tags};
use crate::inline::shown::Shown;

impl TagScanner {
    /// How a tag is taken by the place that it stands in, if that says anything. `opens`: it is an opening one; a pair that shows code
    /// stands whole in its place. `None` if the text behind it must come first.
    pub(super) fn shown(&mut self, at: (usize, usize), row: usize, opens: bool, eof: bool) -> Option<Option<Decision>> {
        self.look_at_code(at.0);
        let (here, base) = (self.place.base + at.0 as u64, self.place.base);
        // An earlier search helps only for the same place.
        let (of, look) = self.code.shown_look;
        let from = if of == here { look.saturating_sub(base) as usize } else { at.1 };
        let Self { code, text, tags, .. } = self;
        let closes = |end: usize| is_closed(tags, &text[..end], at.1, row);
        let closes: Option<&dyn Fn(usize) -> bool> = if opens { Some(&closes) } else { None };
        let found = match here < code.shown_until {
            true => {
                code.shown.catch_up();
                Shown::Perhaps(at.1)
            }
            false => code.shown.look(text, at, (from, eof), closes),
        };
        Some(match found {
            Shown::No => None,
            Shown::Later(from) => {
                self.code.shown_look = (here, base + from as u64);
                self.wait = Some(Wait::Code { tick: false, searched: self.text.len() });
                return None;
            }
            Shown::Code(end) => {
                (self.code.known, self.code.torn) = (end, false);
                Some(Decision::Text)
            }
            Shown::Perhaps(end) => {
                self.code.shown_until = self.code.shown_until.max(base + end as u64);
                match self.options.inline {
                    Inline::Ask | Inline::Report => Some(Decision::Doubt(Doubt::Contested)),
                    Inline::Mention => Some(self.spoken()),
                    Inline::Delimiter => None,
                }
            }
        })
    }
}

/// Whether a closing tag of the row stands in the text from here on.
fn is_closed(tags: &Tags, text: &[u8], mut from: usize, row: usize) -> bool {
    while let Some(i) = tags.candidate(text, from, None) {
        if matches!(tags.at(text, i, true), MarkHit::Yes(mark) if mark.role == MarkRole::Close && mark.row == row) {
            return true;
        }
        from = i + 1;
    }
    false
}
