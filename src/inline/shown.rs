//! Places where a text shows code or holds a document, other than code spans and fences: an element `<pre>` over several
//! lines, a here-document of a shell, the literal blocks of reStructuredText, AsciiDoc and their kin, a text of YAML.
//!
//! Only the lines above a tag matter, and they are looked at only where one was found: what was not looked at waits,
//! and of that only the end. What a place ends with is searched for behind the tag, in a stretch of limited length.

mod lines;

use self::lines::{BlockLine, indent, is_hunk, is_jsx, is_prose, opens};
use super::late::LateText;
use memchr::{memchr, memchr_iter};

/// How far behind a tag the end of a place is searched for, in bytes.
const MAX_AHEAD: usize = 1 << 16;

/// The most places that are open in one another.
const MAX_PLACES: usize = 4;

/// The most levels of indented lines that are followed.
const MAX_LEVELS: usize = 16;

/// How many lines a sign of code in JSX holds for.
const MAX_JSX_LINES: usize = 12;

/// A place that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ShownPlace {
    end: PlaceEnd,
    /// What stands in it is shown, for certain. Otherwise it may be a document that holds what a model wrote.
    sure: bool,
    /// Nothing stands in it so far.
    begins: bool,
}

/// What ends a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlaceEnd {
    /// This text, in any letter case, wherever it stands.
    Text(&'static str),
    /// A line that is nothing but this word, with a semicolon or a parenthesis behind it.
    Word(Vec<u8>),
    /// A line that is nothing but this run of a character.
    Run(Vec<u8>),
    /// A line that stands no deeper than this column. `awaits`: a blank line must come first; before it may only stand
    /// deeper lines, if `options` is set.
    Indent { columns: usize, awaits: bool, options: bool },
}

/// Where a tag stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    No,
    /// In a place that shows code, up to this offset.
    Code(usize),
    /// In one that may hold what a model wrote, in a diff, in code of JSX, where the tag may be an element, or at the end of a thought that is
    /// quoted: up to this offset.
    Perhaps(usize),
    /// The line that ends at this offset does not say it.
    Later(usize),
}

/// Follows visible text.
#[derive(Clone, Debug, Default)]
pub(super) struct ShownTracker {
    /// The text that was not looked at.
    late: LateText,
    /// The places that are open, the innermost last.
    places: Vec<ShownPlace>,
    /// The columns in which the line above and the shallower ones before it begin, and whether these are members of YAML.
    levels: Vec<(usize, bool)>,
    /// The line above.
    above: LineAbove,
    /// How many lines ago one was code of JSX.
    jsx: Option<usize>,
    /// The lines above are those of a diff.
    hunk: bool,
    /// A line stands outside of quotations, so that one which follows may show a part of another text.
    plain: bool,
}

/// What the line above says of a block that begins in the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LineAbove {
    /// It is blank, or there is none.
    #[default]
    Blank,
    /// Attributes of AsciiDoc, which say that a listing follows.
    Listing,
    /// A title or other attributes of a block.
    Title,
    Text,
}

impl ShownTracker {
    /// Follows more visible text.
    pub fn pass(&mut self, text: &[u8]) {
        self.late.pass(text);
    }

    /// Looks at the lines that are over.
    pub fn catch_up(&mut self) {
        let (lines, dropped) = self.late.lines();
        if dropped {
            *self = Self { late: std::mem::take(&mut self.late), plain: true, ..Self::default() };
        }
        let mut from = 0;
        for end in memchr_iter(b'\n', &lines) {
            self.line(&lines[from..end]);
            from = end + 1;
        }
    }

    /// Follows a line.
    fn line(&mut self, line: &[u8]) {
        let prose = is_prose(line);
        self.hunk =
            !prose && is_hunk(line) || self.hunk && matches!(line, [] | [b'+' | b'-' | b' ' | b'\\' | b'\r', ..]);
        let line = line.trim_ascii_end();
        if line.is_empty() {
            self.places.retain_mut(ShownPlace::blank);
            self.above = LineAbove::Blank;
            return;
        }
        if let Some(n) = self.places.iter_mut().position(|place| place.end.ends(line)) {
            let own = matches!(self.places[n].end, PlaceEnd::Indent { .. });
            self.places.truncate(n);
            if !own {
                self.above = LineAbove::Text;
                return;
            }
        }
        self.places.iter_mut().for_each(|place| place.begins = false);
        self.plain |= !line.trim_ascii_start().starts_with(b">");
        self.jsx =
            if !prose && is_jsx(line) { Some(0) } else { self.jsx.map(|n| n + 1).filter(|n| *n < MAX_JSX_LINES) };
        let column = indent(line);
        self.levels.retain(|(other, _)| *other < column);
        let parent = self.levels.last().is_none_or(|(_, member)| *member);
        let found = if prose { BlockLine::PROSE } else { opens(line, self.above, parent || column < 4) };
        if let Some((end, sure)) = found.place {
            // Another one of its kind says that the one before was never closed.
            match self.places.iter().position(|place| place.end == end) {
                Some(n) => self.places[n].sure = false,
                None if self.places.len() < MAX_PLACES => self.places.push(ShownPlace { end, sure, begins: true }),
                None => (),
            }
        }
        self.above = found.above;
        if self.levels.len() < MAX_LEVELS {
            self.levels.push((column, found.member));
        }
    }

    /// Where a tag stands, behind what has passed, at `at` in this text. `from`: how far an earlier search went. `closes`:
    /// whether a closing tag of it stands before an offset; none for a closing tag.
    pub fn look(
        &mut self,
        text: &[u8],
        at: (usize, usize),
        (from, eof): (usize, bool),
        closes: Option<&dyn Fn(usize) -> bool>,
    ) -> Shown {
        self.catch_up();
        let mut from = from.max(at.1);
        let line = self.late.line();
        for n in (0..self.places.len()).rev() {
            let place = &mut self.places[n];
            if place.end.ended_within(line) {
                continue;
            }
            let near = &text[..text.len().min(at.1 + MAX_AHEAD)];
            let whole = eof || near.len() == at.1 + MAX_AHEAD;
            let end = match place.end.search(near, (at.1, from), whole) {
                Ok(end) => end,
                Err(from) => return Shown::Later(from),
            };
            if let Some(end) = end.filter(|end| !place.is_rule(&text[at.1..*end])) {
                place.sure &= place.end.is_plain(&text[end..])
                    && !place.end.begins_again(&text[at.1..end])
                    && closes.is_some_and(|closes| closes(end));
                return if place.sure { Shown::Code(end) } else { Shown::Perhaps(end) };
            }
            // Nothing ends it.
            self.places.remove(n);
            from = at.1;
        }
        if self.hunk && matches!(line, [b'+' | b'-' | b' ', rest @ ..] if rest.trim_ascii().is_empty()) {
            return Shown::Perhaps(at.1);
        }
        // What stands in quotation marks is spoken of.
        let last = std::str::from_utf8(line.trim_ascii_end()).ok().and_then(|line| line.chars().last());
        let named = last.is_some_and(|last| "\"'`(“„«‘‹「『".contains(last));
        if closes.is_none() && self.plain && !named && line.trim_ascii_start().starts_with(b">") {
            return Shown::Perhaps(at.1);
        }
        if self.in_jsx(&text[at.0..at.1]) { Shown::Perhaps(at.1) } else { Shown::No }
    }

    /// Whether the tag is an element in code of JSX.
    fn in_jsx(&self, tag: &[u8]) -> bool {
        let name = tag.strip_prefix(b"</").or(tag.strip_prefix(b"<")).unwrap_or_default();
        let component = matches!(name, [a, b, ..] if a.is_ascii_uppercase() && b.is_ascii_lowercase());
        let line = self.late.line();
        let margin = !line.is_empty() && line.iter().all(u8::is_ascii_whitespace);
        component && margin && self.jsx.is_some()
    }
}

impl ShownPlace {
    /// A blank line stands in the place. Returns false if that says that it is none: a rule that parts texts.
    fn blank(&mut self) -> bool {
        let rule = matches!(&self.end, PlaceEnd::Run(_)) && !self.sure && std::mem::take(&mut self.begins);
        self.end.blank();
        !rule
    }

    /// Whether the line that ends the place is a rule that parts texts: a blank line stands before it.
    fn is_rule(&self, rest: &[u8]) -> bool {
        let above = rest.rsplit(|b| *b == b'\n').nth(1).is_some_and(|line| line.trim_ascii().is_empty());
        matches!(self.end, PlaceEnd::Run(_)) && !self.sure && above
    }
}

impl PlaceEnd {
    /// A blank line stands in the place.
    fn blank(&mut self) {
        if let PlaceEnd::Indent { awaits, .. } = self {
            *awaits = false;
        }
    }

    /// Whether a line that is not blank ends the place.
    fn ends(&self, line: &[u8]) -> bool {
        match self {
            PlaceEnd::Text(end) => position(line, end).is_some(),
            PlaceEnd::Word(word) => {
                let rest = line.trim_ascii().strip_prefix(word.as_slice());
                rest.is_some_and(|rest| rest.iter().all(|b| matches!(b, b';' | b')' | b',')))
            }
            PlaceEnd::Run(run) => line.trim_ascii_end() == run.as_slice(),
            PlaceEnd::Indent { columns, awaits, options } => indent(line) <= *columns || *awaits && !*options,
        }
    }

    /// Whether the place has ended before a tag behind this beginning of a line.
    fn ended_within(&self, line: &[u8]) -> bool {
        match self {
            PlaceEnd::Text(end) => position(line, end).is_some(),
            PlaceEnd::Word(_) | PlaceEnd::Run(_) => false,
            PlaceEnd::Indent { awaits, .. } => *awaits || self.ends(line),
        }
    }

    /// Where the place ends behind `from`, where a line begins or the rest of that of a tag, which ends at `tag`. An error says from
    /// where the search must go on.
    fn search(&self, text: &[u8], (tag, mut from): (usize, usize), whole: bool) -> Result<Option<usize>, usize> {
        loop {
            let end = memchr(b'\n', &text[from..]).map(|n| from + n);
            if end.is_none() && !whole {
                return Err(from);
            }
            let line = &text[from..end.unwrap_or(text.len())];
            let found = match self {
                PlaceEnd::Text(end) => position(line, end),
                _ if from == tag || line.trim_ascii().is_empty() || !self.ends(line) => None,
                PlaceEnd::Indent { .. } => Some(0),
                PlaceEnd::Word(_) | PlaceEnd::Run(_) => Some(line.len()),
            };
            if let Some(n) = found {
                return Ok(Some(from + n));
            }
            match end {
                Some(end) => from = end + 1,
                None => return Ok(matches!(self, PlaceEnd::Indent { .. }).then_some(text.len())),
            }
        }
    }

    /// Whether the text that ends the place, in this one, is not part of a sentence: nothing or another element stands behind it.
    fn is_plain(&self, text: &[u8]) -> bool {
        let PlaceEnd::Text(end) = self else { return true };
        let line = &text[..memchr(b'\n', text).unwrap_or(text.len())];
        matches!(line.get(end.len()..).unwrap_or_default().trim_ascii_start(), [] | [b'<' | b'*' | b'}', ..])
    }

    /// Whether another place of this kind seems to begin in these lines, of which the first has begun: this one may have been left
    /// open.
    fn begins_again(&self, lines: &[u8]) -> bool {
        let closed = matches!(self, PlaceEnd::Text(_) | PlaceEnd::Word(_));
        let begins = |line| opens(line, LineAbove::Text, false).place.is_some_and(|(end, _)| end == *self);
        closed && lines.split(|b| *b == b'\n').skip(1).any(begins)
    }
}

/// Where a text stands in a line, in any letter case.
fn position(line: &[u8], text: &str) -> Option<usize> {
    line.windows(text.len()).position(|part| part.eq_ignore_ascii_case(text.as_bytes()))
}
