//! Lines of raw text that hold another format: JSON by itself, behind a prefix or over several lines, rows of a table,
//! logs, YAML (behaviour.md, section 3). Where they may hold reasoning, they are records that are not understood. All
//! other lines are text, whatever they look like, and so is what stands in a code fence.

mod front;
mod prefix;
mod values;

use super::line::{LineSigns, closes, fence, without_colours};
use super::reader::{JsonReader, NotUnderstood, Suspect};
use super::suspect::{Keys, Pieces, Plain, Search, Until, free, indent};
use super::turns::{Turn, Turns};
use super::{Foreign, ReadOptions};
use crate::frame::Body;
use crate::inline::Tags;
use crate::model::Nobody;
use memchr::memchr;
use std::borrow::Cow;
use values::LineClass;

/// The message about a line or an object of JSON.
const LINE: &str = "a line of this text is JSON that may hold reasoning (--framing jsonl reads lines as records)";

/// The message about a value behind a prefix, and about a key of the vocabulary in other text.
const INSIDE: &str = "may be reasoning, in a text (an example belongs in a code fence)";

/// How far the input is known.
#[derive(Default)]
struct LinesRead {
    /// Values before this offset were read for them, and whether the last one was a part of a block.
    read: (u64, bool),
    /// Lines before this offset of the input stand in a value without reasoning; no value begins before the other one.
    clear: u64,
    tried: u64,
    /// No object with an argument in each line begins before this offset.
    printed: u64,
    /// A line came that is no string of JSON: the strings behind it are no pieces of a stream.
    unquoted: bool,
}

/// The line that is not over.
#[derive(Default)]
struct CurrentLine {
    /// The first bytes of the current line that were given out before the rest came.
    head: Vec<u8>,
    /// The last two bytes of what was given out of it.
    last: [u8; 2],
    /// The rest of the current line is refused.
    cut: bool,
}

/// Looks at the lines of a text.
pub struct TextLines {
    search: Search,
    keys: Keys,
    plain: Plain,
    /// The texts in the values of its lines.
    pieces: Pieces,
    /// How far the input is known.
    known: LinesRead,
    tags: Tags,
    /// How records are read, and what reads them once there is a line that may be one.
    options: ReadOptions,
    reader: Option<Box<JsonReader>>,
    /// The tests by which frames of streams are recognised.
    framed: Vec<fn(&[u8]) -> bool>,
    /// How the lines end that belong to the last refused one.
    until: Until,
    /// The code fence that is open: its character, and how many of them.
    fence: Option<(u8, usize)>,
    /// The text may begin with the rest of a value whose front was cut off.
    front: bool,
    line: CurrentLine,
    /// What was found behind the text that was given out last.
    next: Option<(usize, Suspect, Until)>,
    turns: Turns,
}

/// How many bytes of a line are kept that were given out.
const HEAD: usize = 128;

/// What comes next in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextLine {
    /// So many bytes are text.
    Clear(usize),
    /// So many bytes may hold reasoning in another format. None: they belong to the last ones.
    Refused(usize, Option<Suspect>),
    /// A turn of a recorded terminal begins with reasoning: so many bytes of colours, and then its delimiter.
    Turn(usize),
    /// More bytes decide.
    Need,
}

/// The message about reasoning as a terminal shows it, where no turn begins.
const RECORDING: &str = "may be reasoning, as a terminal shows it (an example belongs in a code fence)";

fn suspect(offset: u64, what: &'static str) -> Suspect {
    Suspect { offset, pointer: String::new(), what }
}

/// The most bytes that wait for the end of a value or of a line.
pub const MAX_WAITING_BYTES: usize = 1 << 20;

impl TextLines {
    /// A search over the lines of one text.
    pub fn new(tags: &Tags, options: &ReadOptions) -> Self {
        // What a line is does not depend on what is done with it.
        let (dialects, foreign) = (options.dialects.clone(), Foreign::Refuse);
        let (search, options) = (Search::new(tags), ReadOptions { dialects, foreign, ..ReadOptions::default() });
        let framed = options.dialects.iter().filter_map(|dialect| dialect.shape?.framed).collect();
        Self {
            search,
            keys: Keys::default(),
            plain: Plain::default(),
            pieces: Pieces::default(),
            known: LinesRead::default(),
            tags: tags.clone(),
            options,
            reader: None,
            framed,
            until: Until::Line,
            fence: None,
            front: true,
            line: CurrentLine::default(),
            next: None,
            turns: Turns::new(tags),
        }
    }

    /// Whether a line is by itself a record: a dialect reads it, or it may hold reasoning.
    pub fn is_record(&mut self, line: &[u8]) -> bool {
        if self.framed.iter().any(|is| is(line)) {
            return true;
        }
        let reader = self.reader.get_or_insert_with(|| Box::new(JsonReader::new(&self.tags, self.options.clone())));
        reader.forget_lines();
        match reader.read(&Body::new(line, b"", &[(0, 0)]), &mut Nobody) {
            Ok(facts) => !facts.foreign,
            Err(refused) => matches!(refused, NotUnderstood::Suspect(_) | NotUnderstood::Elements),
        }
    }

    /// Looks at text that stands at `offset` and begins where the last bytes ended that this function gave out. `last`:
    /// no more comes, or no more can be waited for.
    pub fn next(&mut self, text: &[u8], offset: u64, last: bool) -> NextLine {
        if let Some((len, suspect, until)) = self.next.take() {
            self.until = until;
            return NextLine::Refused(len, Some(suspect));
        }
        if self.line.cut && !text.is_empty() {
            let end = memchr(b'\n', text).map(|n| n + 1);
            self.line.cut = end.is_none();
            self.line.head.clear();
            return NextLine::Refused(end.unwrap_or(text.len()), None);
        }
        let mut at = 0;
        while at < text.len() {
            let end = match memchr(b'\n', &text[at..]) {
                Some(n) => at + n + 1,
                None if last => text.len(),
                None => {
                    at += self.begin_line(&text[at..], usize::MAX);
                    break;
                }
            };
            let line = &text[at..end];
            if self.until != Until::Line && self.line.head.is_empty() {
                // The text before it is given out first: a line is asked for once.
                if at > 0 {
                    break;
                }
                match self.goes_on(line) {
                    true => return NextLine::Refused(end, None),
                    false => self.until = Until::Line,
                }
            }
            if self.line.head.is_empty() {
                match self.turns.look(&text[at..], line.len(), self.fence.is_some(), (offset + at as u64, last)) {
                    Turn::Text => (),
                    _ if at > 0 => break,
                    Turn::Open => return NextLine::Need,
                    Turn::Reasoning(n) => return NextLine::Turn(n),
                    Turn::Section(until) => {
                        self.until = until;
                        return NextLine::Refused(line.len(), Some(suspect(offset, INSIDE)));
                    }
                    Turn::Undecided(len) => return NextLine::Refused(len, Some(suspect(offset, RECORDING))),
                }
            }
            match self.judge(&text[at..], line.len(), offset + at as u64, last) {
                LineClass::Text => (),
                LineClass::Open => {
                    at += self.begin_line(line, usize::MAX);
                    break;
                }
                LineClass::Refused(len, suspect, until) => {
                    return self.refuse((text, at), line.len(), (len, suspect, until), (offset, last));
                }
            }
            self.pass(line);
            at = end;
        }
        if at > 0 { NextLine::Clear(at) } else { NextLine::Need }
    }

    /// Gives out the start of a line, up to `most` bytes. Returns how many.
    fn begin_line(&mut self, line: &[u8], most: usize) -> usize {
        if self.until != Until::Line && self.line.head.is_empty()
            || self.front && self.line.head.is_empty() && front::may_be_rest(line)
            || self.line.head.is_empty() && self.turns.may_begin(line, self.fence.is_some())
            || self.line.head.is_empty() && self.may_be_piece(line)
        {
            return 0;
        }
        let n = match free(line, self.given()) {
            // A whole line that waits for what follows.
            n if line[..n].ends_with(b"\n") => 0,
            n => n.min(most),
        };
        let room = HEAD - self.line.head.len().min(HEAD);
        self.line.head.extend_from_slice(&line[..n.min(room)]);
        self.line.last = match line[..n] {
            [] => self.line.last,
            [last] => [self.line.last[1], last],
            [.., before, last] => [before, last],
        };
        n
    }

    /// The last two bytes that were given out of the current line, if any were.
    fn given(&self) -> Option<[u8; 2]> {
        (!self.line.head.is_empty()).then_some(self.line.last)
    }

    /// Refuses the text from the line at `at` on, whose first part is given out if it is text whatever follows.
    fn refuse(
        &mut self,
        (text, at): (&[u8], usize),
        line: usize,
        (len, suspect, until): (usize, Suspect, Until),
        (offset, last): (u64, bool),
    ) -> NextLine {
        let found = (suspect.offset - offset) as usize - at;
        let given = self.begin_line(&text[at..at + line], found);
        let rest = &text[at..];
        let end = memchr(b'\n', &rest[len - 1..]).map(|n| len + n);
        let Some(end) = end.or(last.then_some(rest.len())) else {
            return if at + given > 0 { NextLine::Clear(at + given) } else { NextLine::Need };
        };
        let whole = rest[end - 1] == b'\n';
        // The rest of a line that is too long to wait for is refused when it comes.
        self.line.cut = !whole;
        // Text keeps the end of its line.
        let kept = match self.line.head.trim_ascii().is_empty() {
            true => 0,
            false if rest[..end].ends_with(b"\r\n") => 2,
            false => usize::from(whole),
        };
        if kept == 0 {
            self.line.head.clear();
        }
        let len = end - kept - given;
        if at + given > 0 {
            self.next = Some((len, suspect, until));
            return NextLine::Clear(at + given);
        }
        self.until = until;
        NextLine::Refused(len, Some(suspect))
    }

    /// A turn will begin at this offset, once all text before it was read.
    pub fn turn_at(&mut self, offset: u64) {
        self.turns.next = Some(offset);
    }

    /// Whether [`TextLines::turn_at`] was called for this offset.
    pub fn turns_at(&self, offset: u64) -> bool {
        self.turns.next == Some(offset)
    }

    /// The turn that begins at this offset has begun.
    pub fn begin_turn(&mut self, offset: u64) {
        self.turns.begun = Some(offset);
    }

    /// The bytes that were refused last stand in reasoning: they are text.
    pub fn stand_in_reasoning(&mut self) {
        self.until = Until::Line;
    }

    /// Whether a line belongs to the value that was refused.
    fn goes_on(&mut self, line: &[u8]) -> bool {
        match &self.until {
            Until::Line => false,
            Until::Rest => true,
            Until::Section => !self.turns.sections.ends(line),
            Until::Indent(columns) => line.trim_ascii().is_empty() || indent(line) > *columns,
            Until::Text(text) => {
                if memchr::memmem::find(&without_colours(line), text).is_some() {
                    self.until = Until::Line;
                }
                true
            }
        }
    }

    /// Moves on behind a line of text.
    fn pass(&mut self, line: &[u8]) {
        let head = std::mem::take(&mut self.line.head);
        let line = match head.is_empty() {
            true => Cow::Borrowed(line),
            false => Cow::Owned([&head[..], line].concat()),
        };
        self.pass_string(&line);
        self.keys.pass(&line);
        self.turns.pass(&line, self.fence.is_some());
        self.front = self.front && front::may_be_cut(&line);
        let Some((mark, len, bare)) = fence(&line) else { return };
        match self.fence {
            None => self.fence = Some((mark, len)),
            Some((open, least)) if open == mark && len >= least && bare => self.fence = None,
            Some(_) => (),
        }
    }

    /// What the first line of a text is, whose end stands at `line`.
    fn judge(&mut self, text: &[u8], line: usize, offset: u64, last: bool) -> LineClass {
        let first = &text[..line];
        if self.known.clear > offset {
            return LineClass::Text;
        }
        let signs = LineSigns::of(first);
        let without = || self.keys.after_kind() || Keys::may_be_without_signs(first);
        let piece = || self.line.head.is_empty() && self.may_be_piece(first);
        if signs.none() && !self.front && !without() && !piece() {
            return LineClass::Text;
        }
        let braces = signs.has(LineSigns::BRACKET);
        let mut judged = match self.front && self.line.head.is_empty() {
            true => self.rest(text, line, offset, last),
            false => LineClass::Text,
        };
        if matches!(judged, LineClass::Text) {
            judged = self.string(first, signs, offset);
        }
        if matches!(judged, LineClass::Text) && signs.has(LineSigns::COLOUR) {
            judged = self.coloured(first, offset);
        }
        if braces && self.known.clear <= offset {
            judged = match judged {
                LineClass::Text if self.line.head.is_empty() => self.object(text, offset, last),
                judged => judged,
            };
            judged = match judged {
                LineClass::Text if self.known.clear <= offset => self.behind(first, offset),
                judged => judged,
            };
        }
        let judged = match judged {
            LineClass::Text
                if self.known.clear <= offset && (self.keys.after_kind() || Keys::may_match(first, signs)) =>
            {
                self.key(text, line, offset, last)
            }
            judged => judged,
        };
        let judged = match judged {
            LineClass::Text if braces && self.known.clear <= offset => match self.in_other_quotes(first, offset) {
                LineClass::Text => self.over_lines(text, line, offset, last),
                judged => judged,
            },
            judged => judged,
        };
        let judged = match judged {
            LineClass::Text if signs.has(LineSigns::CALL) && self.known.clear <= offset => {
                self.printed(text, line, offset, last)
            }
            judged => judged,
        };
        match (self.fence, judged) {
            (Some(fence), LineClass::Refused(..) | LineClass::Open) => match closes(&text[line..], fence, last) {
                Some(len) => {
                    self.known.clear = offset + (line + len) as u64;
                    LineClass::Text
                }
                None if !last => LineClass::Open,
                None => self.without_fence(text, line, offset),
            },
            (_, judged) => judged,
        }
    }

    /// A line in a fence that is never closed is no example.
    fn without_fence(&mut self, text: &[u8], line: usize, offset: u64) -> LineClass {
        self.fence = None;
        self.judge(text, line, offset, true)
    }
}
