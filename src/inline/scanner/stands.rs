//! Decides delimiters by what stands around them: used, spoken of, or neither for certain (behaviour.md, section 4,
//! rules 6 and 7; `crate::inline::stand`). What is not certain is text, or refused, as the options say.

use super::placeholder::is_placeholder;
use super::types::{Beginning, Doubt, Inline, Moves, Note, Options, Scanned, Start};
use super::{Mode, Next, OpenTagBlock, TagScanner};
use crate::inline::line::LineTracker;
use crate::inline::marks::{FoundMark, MarkRole};
use crate::inline::stand::{Around, Closes, Opens, Stand};
use crate::inline::tags::Unclosed;

/// What to do with a delimiter in visible text.
pub(super) enum Decision {
    /// It counts. For an opening one: how it stands, if that matters.
    Counts(Option<Opens>),
    /// It is text.
    Text,
    /// It is text that is escaped.
    Mention,
    /// It is neither for certain.
    Doubt(Doubt),
}

/// What to do with a closing delimiter in a block.
pub(super) enum Ending {
    /// It closes the block.
    Closes,
    /// It is only mentioned in the reasoning.
    Mention,
    /// The whole pair is text: nothing stands in it.
    Empty,
    Doubt(Doubt),
}

/// How much of the reasoning before a closing delimiter is kept.
pub(super) const INNER: usize = 160;

impl TagScanner {
    /// Applies the header of a message or an opening tag in visible text, if it is used.
    pub(super) fn may_begin(
        &mut self,
        at: (usize, usize),
        mark: FoundMark,
        eof: bool,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> Next {
        let decision = match mark.role {
            MarkRole::Header(kind) => self.decide_header(at, kind, eof),
            _ => self.decide_opener(at, mark.row, eof),
        };
        match (decision, mark.role) {
            (None, _) => return Next::Wait,
            (Some(Decision::Text), _) => self.place.scan = at.1,
            (Some(Decision::Mention), _) => self.mention(at, sink),
            (Some(Decision::Doubt(doubt)), _) => self.doubt(at, doubt, sink),
            (Some(Decision::Counts(_)), MarkRole::Header(kind)) => self.header(at, mark.row, kind, sink),
            (Some(Decision::Counts(opens)), _) => {
                self.blocks.suffix = mark.suffix;
                self.opening_delimiter(at, mark.row, false, opens, sink);
            }
        }
        Next::Go
    }

    /// How an opening delimiter in visible text is taken; `None` if the text behind it must come first.
    pub(super) fn decide_opener(&mut self, at: (usize, usize), row: usize, eof: bool) -> Option<Decision> {
        if self.is_known_text(at.0) {
            return Some(Decision::Text);
        }
        if let Some(decision) = self.shown(at, row, true, eof)? {
            return Some(decision);
        }
        let stand = self.around(at, eof, |around| around.opens())?;
        let ask = self.options.inline == Inline::Ask;
        let first = self.is_blank_before(at.0) || self.follows_block(at.0);
        Some(match stand {
            Stand::Mention => self.spoken(),
            Stand::Undecided | Stand::Opens(Opens::Hugs | Opens::HugsApart)
                if self.is_empty_pair(at.1, row, eof)? =>
            {
                self.spoken()
            }
            Stand::Opens(_) if !first && self.is_empty_pair_in_source(at.1, row, eof)? => self.spoken(),
            Stand::Undecided => match self.options.inline {
                Inline::Delimiter => Decision::Counts(Some(Opens::Tight)),
                Inline::Ask | Inline::Report => self.in_sentence(Some(row)),
                Inline::Mention => self.spoken(),
            },
            Stand::Contested => match self.options.inline {
                Inline::Delimiter => Decision::Counts(Some(Opens::Tight)),
                Inline::Ask | Inline::Report => Decision::Doubt(Doubt::Contested),
                Inline::Mention => self.spoken(),
            },
            // In a dialect with its own place for reasoning, a tag behind other words is text.
            Stand::Opens(Opens::Labelled) if self.options.apart && self.options.inline != Inline::Delimiter => {
                self.in_sentence(Some(row))
            }
            Stand::Opens(opens) if self.awaits_template(opens, at.1, row, (first, eof))? => self.spoken(),
            // A text that speaks of tags may show them, too.
            Stand::Opens(_) if ask && self.blocks.spoken && !first => Decision::Doubt(Doubt::Contested),
            Stand::Opens(opens) => Decision::Counts(Some(opens)),
            Stand::Closes(_) => Decision::Counts(None),
            Stand::Pattern => Decision::Text,
        })
    }

    /// Whether a token ends a message, in a text without headers, and is not in a quotation or a string of a source.
    pub(super) fn is_end(&mut self, at: (usize, usize), eof: bool) -> Option<bool> {
        if !self.ends_here(at.1, eof)? {
            return Some(false);
        }
        let stand = self.around(at, eof, |around| around.closes())?;
        Some(!matches!(stand, Stand::Mention | Stand::Contested))
    }

    /// How a closing delimiter in visible text is taken; `None` if the text behind it must come first.
    pub(super) fn decide_closer(&mut self, at: (usize, usize), row: usize, eof: bool) -> Option<Decision> {
        if self.is_known_text(at.0) {
            return Some(Decision::Text);
        }
        if let Some(decision) = self.shown(at, row, false, eof)? {
            return Some(decision);
        }
        let stand = self.around(at, eof, |around| around.closes())?;
        let doubt = |doubt: Doubt, inline: Inline| match inline {
            Inline::Delimiter => Decision::Counts(None),
            Inline::Ask | Inline::Report => Decision::Doubt(doubt),
            Inline::Mention => Decision::Text,
        };
        let inline = self.options.inline;
        let decided = !matches!(self.options.start, Start::Hindsight | Start::Streaming);
        Some(match stand {
            Stand::Mention => self.spoken(),
            _ if decided => Decision::Counts(None),
            Stand::Undecided if inline != Inline::Delimiter && self.options.apart => match inline {
                Inline::Mention => self.spoken(),
                _ => self.in_sentence(Some(row)),
            },
            Stand::Undecided => doubt(Doubt::Sentence, inline),
            Stand::Contested | Stand::Closes(Closes::Weak) => doubt(Doubt::Contested, inline),
            _ if self.blocks.spoken => doubt(Doubt::Contested, inline),
            // What was sent cannot be taken back: that is an error of its own.
            _ if self.options.start == Start::Streaming && !self.options.apart => Decision::Counts(None),
            _ if (self.options.apart || self.options.keeps_start) && !self.blocks.took => {
                Decision::Doubt(Doubt::LoneCloser)
            }
            _ => Decision::Counts(None),
        })
    }

    /// Whether a token that frames the answer stands alone.
    pub(super) fn frames(&mut self, at: (usize, usize), eof: bool) -> Option<bool> {
        self.place_of(at, eof).frames()
    }

    pub(super) fn around(
        &mut self,
        at: (usize, usize),
        eof: bool,
        stands: fn(Around<'_>) -> Option<Stand>,
    ) -> Option<Stand> {
        let margin = self.at_boundary(at.0);
        self.code.line.catch_up();
        if !margin && self.code.line.is_indented() || margin && self.is_in_indented_block(at.0) {
            return Some(Stand::Mention);
        }
        if self.code.line.is_in_literal() && !self.is_blank_before(at.0) {
            return Some(Stand::Contested);
        }
        stands(self.place_of(at, eof))
    }

    /// A delimiter in visible text.
    fn place_of(&mut self, at: (usize, usize), eof: bool) -> Around<'_> {
        let (margin, messages) = (self.at_boundary(at.0), self.has_messages());
        let Self { code, text, .. } = self;
        Around { line: &mut code.line, text, at, margin, eof, messages }
    }

    /// Whether the line is in an indented block, and no block of reasoning ended on it.
    fn is_in_indented_block(&self, i: usize) -> bool {
        self.code.line.is_indented() && !self.is_blank_before(i) && !self.follows_block(i)
    }

    /// Whether only white space stands between a block and here.
    fn follows_block(&self, i: usize) -> bool {
        self.code.tracker.follows_block() && self.text[self.code.tracked.min(i)..i].iter().all(u8::is_ascii_whitespace)
    }

    /// How a delimiter in the middle of a sentence is taken, which may be a mention: it is one if the message has another
    /// place for reasoning, unless its text is to be read without that place.
    pub(super) fn in_sentence(&mut self, row: Option<usize>) -> Decision {
        let Options { apart, moves, .. } = self.options;
        match moves {
            _ if !apart => Decision::Doubt(Doubt::Sentence),
            Moves { escapes: own @ Some(_), .. } if own == row => {
                self.blocks.spoken = true;
                Decision::Mention
            }
            Moves { refuses: true, .. } => Decision::Doubt(Doubt::Behind),
            _ => self.spoken(),
        }
    }

    /// Notes that the text speaks of tags.
    pub(super) fn spoken(&mut self) -> Decision {
        self.blocks.spoken = true;
        Decision::Text
    }

    /// Whether the delimiter was found to be text together with its opening one.
    fn is_known_text(&mut self, i: usize) -> bool {
        let at = self.place.base + i as u64;
        self.blocks.text_closer.take_if(|closer| *closer <= at) == Some(at)
    }

    /// How a closing delimiter stands in the block; `None` if the text behind it must come first.
    pub(super) fn stand_in_block(&self, block: &OpenTagBlock, at: (usize, usize), eof: bool) -> Option<Stand> {
        let mut line = self.inner_line(block, at.0);
        let (margin, messages) = (self.inner_margin(block, at.0), self.has_messages());
        Around { line: &mut line, text: &self.text, at, margin, eof, messages }.ends()
    }

    /// How a closing delimiter ends the block; `None` if the text behind it must come first.
    pub(super) fn ending(&mut self, block: &OpenTagBlock, at: (usize, usize), eof: bool) -> Option<Ending> {
        let stand = self.stand_in_block(block, at, eof)?;
        if stand == Stand::Mention {
            return Some(Ending::Mention);
        }
        let Some(opens) = block.opens.filter(|_| block.row.is_some()) else { return Some(Ending::Closes) };
        let closes = stand.is_closing();
        let ending = match (opens, stand) {
            (_, _) if self.options.inline == Inline::Delimiter => Ending::Closes,
            // A model that puts white space inside of its tags.
            (Opens::Tight | Opens::Loose, Stand::Closes(Closes::Apart))
                if block.first && !self.holds_place(block, at.0) =>
            {
                Ending::Closes
            }
            (Opens::Tight, Stand::Undecided | Stand::Closes(Closes::Apart)) => Ending::Doubt(Doubt::Contested),
            (Opens::Tight, _) => Ending::Closes,
            (Opens::Loose, _) if closes => Ending::Closes,
            (Opens::Hugs | Opens::HugsApart, _) if !has_letters(&self.text[block.open.1..at.0]) => Ending::Empty,
            (Opens::Hugs | Opens::HugsApart, _) if is_placeholder(&self.text[block.open.1..at.0]) => {
                Ending::Doubt(Doubt::Contested)
            }
            (Opens::Labelled | Opens::Hugs | Opens::HugsApart, Stand::Closes(Closes::Strong)) => Ending::Closes,
            (Opens::HugsApart, Stand::Closes(Closes::Hugs)) => Ending::Closes,
            _ => Ending::Doubt(Doubt::Contested),
        };
        Some(match ending {
            Ending::Doubt(_) if self.options.inline == Inline::Mention => Ending::Empty,
            ending => ending,
        })
    }

    /// Whether the text of a block up to here only holds the place of reasoning.
    fn holds_place(&self, block: &OpenTagBlock, i: usize) -> bool {
        let (whole, tail) = self.inner_tail(block, i);
        whole && is_placeholder(&tail)
    }

    /// The end of the reasoning before a closing delimiter, as a line.
    pub(super) fn inner_line(&self, block: &OpenTagBlock, i: usize) -> LineTracker {
        let mut line = LineTracker::default();
        let (whole, tail) = self.inner_tail(block, i);
        if !whole {
            line.pass(b"x");
        }
        line.pass(&tail);
        line
    }

    /// The end of the reasoning before a closing delimiter, and whether that is all of it.
    fn inner_tail(&self, block: &OpenTagBlock, i: usize) -> (bool, Vec<u8>) {
        let from = self.place.out.min(i).max(if block.begun { 0 } else { block.open.1.min(i) });
        let mut tail = if block.begun { self.blocks.inner.clone() } else { Vec::new() };
        let new = &self.text[from..i];
        tail.extend_from_slice(&new[new.len().saturating_sub(INNER)..]);
        let cut = tail.len().saturating_sub(INNER);
        let whole = cut == 0 && tail.len() < INNER;
        let start = (cut..tail.len()).find(|i| tail[*i] & 0xC0 != 0x80).unwrap_or(tail.len());
        (whole, tail.split_off(start))
    }

    pub(super) fn inner_margin(&self, block: &OpenTagBlock, i: usize) -> bool {
        let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\r');
        let from = self.place.out.min(i).max(if block.begun { 0 } else { block.open.1.min(i) });
        let before = if block.begun { self.blocks.inner.as_slice() } else { &[] };
        let mut back = self.text[from..i].iter().rev().chain(before.iter().rev()).take(INNER);
        match back.find(|b| !blank(b)) {
            None => before.len() + i - from < INNER,
            Some(b) => *b == b'\n',
        }
    }

    /// Applies a delimiter that is neither used nor mentioned for certain. In a text that was decided in pieces it
    /// stays as text; otherwise the text from its sentence on is refused.
    pub(super) fn doubt(&mut self, at: (usize, usize), doubt: Doubt, sink: &mut dyn FnMut(Scanned<'_>)) {
        let passed = self.options.start == Start::Streaming || self.options.inline == Inline::Report;
        self.mode = Mode::Visible;
        self.place.scan = at.1;
        self.blocks.spoken = true;
        let offset = self.place.base + at.0 as u64;
        if passed {
            let known = self.options.inline == Inline::Report && doubt == Doubt::LoneCloser;
            self.notes.extend((!known).then_some(Note::Undecided { at: offset, doubt, passed }));
            return;
        }
        if self.start.looks_ahead && self.start.open && self.start.implied.is_none() {
            self.start.implied = Some(Beginning::Undecided { at: offset, doubt });
        }
        if !self.start.open {
            self.visible(at.0, sink);
        }
        self.refuse_all(offset, doubt);
    }

    /// Refuses all text that was not sent.
    pub(super) fn refuse_all(&mut self, at: u64, doubt: Doubt) {
        // What was sent keeps its notes.
        if std::mem::take(&mut self.start.open) {
            self.start.strays.clear();
            self.notes.clear();
        }
        self.blocks.refused = true;
        self.blocks.doubted = true;
        self.notes.push(Note::Undecided { at, doubt, passed: false });
        self.place.scan = self.text.len();
    }

    /// Whether the block, which was begun in a stream, ends at a closing delimiter that is in doubt. That is an error.
    pub(super) fn closes_in_doubt(&mut self, block: &OpenTagBlock, at: (usize, usize), doubt: Doubt) -> bool {
        if !block.begun {
            return false;
        }
        let at = self.place.base + at.0 as u64;
        self.notes.push(Note::Undecided { at, doubt, passed: true });
        true
    }

    /// Whether an opening delimiter in doubt that is never closed is refused.
    pub(super) fn asks(&self, unclosed: Unclosed) -> bool {
        self.options.inline == Inline::Ask && unclosed == Unclosed::Reasoning
    }

    /// Makes the opening delimiter of a block text, and its closing one.
    pub(super) fn is_text(&mut self, block: &OpenTagBlock, closer: Option<usize>) {
        self.mode = Mode::Visible;
        self.blocks.spoken = true;
        self.blocks.text_closer = closer.map(|i| self.place.base + i as u64);
        self.place.scan = block.open.1;
    }
}

fn has_letters(text: &[u8]) -> bool {
    text.iter().any(|b| b.is_ascii_alphanumeric() || *b >= 0x80) && text != "…".as_bytes()
}
