//! Recordings of terminals: a program that talks with a model writes lines around its reasoning, with colours or without,
//! at the start of every turn. These lines are delimiters of phrase rows, which count at the start of a message: a turn
//! begins one.

use super::line::{blank, fence, without_colours};
use super::suspect::{Sections, Summaries, Until, is_quoted_next};
use crate::inline::Tags;
use memchr::memmem;

/// What a line of a recording is.
pub(super) enum Turn {
    Text,
    /// A turn begins with reasoning, behind so many bytes of colours.
    Reasoning(usize),
    /// The line begins reasoning of another sort, whose lines end like that.
    Section(Until),
    /// So many bytes look like reasoning, and no turn begins there.
    Undecided(usize),
    /// More bytes decide.
    Open,
}

/// Follows the turns of a text.
pub(super) struct Turns {
    /// The lines before and behind reasoning.
    rows: ProgramLines,
    /// The next line begins a turn: nothing stands before it, or only what the user typed.
    fresh: bool,
    first: bool,
    /// The turn at this offset of the input has begun.
    pub begun: Option<u64>,
    /// A turn will begin at this offset.
    pub next: Option<u64>,
    /// No line that ends reasoning stands before this offset, from the current line on.
    none: u64,
    pub sections: Sections,
}

/// How far behind its first line reasoning may end.
const REACH: usize = 64 * 1024;

/// The longest line around reasoning, in bytes.
const MAX_LINE_BYTES: usize = 256;

/// What programs write in front of what the user types.
const PROMPTS: [&[u8]; 3] = [b">>> ", b"> ", b"... "];

impl Turns {
    pub fn new(tags: &Tags) -> Self {
        Self {
            rows: program_lines(tags),
            fresh: true,
            first: true,
            begun: None,
            next: None,
            none: 0,
            sections: Sections::default(),
        }
    }

    /// Moves on behind a line of text. `fenced`: it stands in a code fence.
    pub fn pass(&mut self, line: &[u8], fenced: bool) {
        self.sections.pass(line, fenced);
        let line = &line[blank(line)..];
        if !line.trim_ascii().is_empty() {
            self.fresh = PROMPTS.iter().any(|prompt| line.starts_with(prompt));
            self.first = false;
        }
    }

    /// Whether this may be the beginning of a line before reasoning, whose rest is still to come.
    pub fn may_begin(&self, line: &[u8], fenced: bool) -> bool {
        let turn = || line.len() < MAX_LINE_BYTES && self.rows.iter().any(|(open, _)| may_be_line(line, open));
        !fenced && turn() || self.sections.may_begin(line, fenced)
    }

    /// What the first line of a text is, whose end stands at `line`.
    pub fn look(&mut self, text: &[u8], line: usize, fenced: bool, (offset, last): (u64, bool)) -> Turn {
        if let Some(until) = self.sections.begins(&text[..line], fenced) {
            return Turn::Section(until);
        }
        // The lines are short, but for colours and a sign that turns while the model thinks.
        if fenced || line > MAX_LINE_BYTES || self.begun == Some(offset) {
            return Turn::Text;
        }
        let plain = without_colours(&text[..line]);
        let bare = plain.trim_ascii();
        let Some((open, closes)) = self.rows.iter().find(|(open, _)| is_line(bare, open)) else {
            return Turn::Text;
        };
        let colours = blank(&text[..line]);
        let exact = text[colours..line].strip_prefix(&open[..]).is_some_and(|rest| matches!(rest, b"\n" | b"\r\n"));
        if self.fresh && exact {
            // The start of the text begins a message anyway.
            return if self.first && colours == 0 { Turn::Text } else { Turn::Reasoning(colours) };
        }
        let reach = &text[..text.len().min(REACH)];
        let mut at = line.max(self.none.saturating_sub(offset) as usize).min(reach.len());
        for next in reach[at..].split_inclusive(|b| *b == b'\n') {
            let whole = next.ends_with(b"\n") || last;
            at += next.len();
            let plain = without_colours(next);
            if whole && closes.iter().any(|close| is_line(&plain, close)) {
                return Turn::Undecided(at);
            }
            if whole {
                self.none = offset + at as u64;
            }
        }
        if last || text.len() >= REACH { Turn::Text } else { Turn::Open }
    }
}

/// The lines before and behind reasoning, of each program.
pub(super) type ProgramLines = Vec<(Vec<u8>, Vec<Vec<u8>>)>;

/// These lines, by the rows of tags.
pub(super) fn program_lines(tags: &Tags) -> ProgramLines {
    let line = |text: &str| text.trim_end().as_bytes().to_vec();
    let rows = tags.rows().iter().filter(|row| row.phrase && row.open.ends_with('\n') && row.open.len() > 8);
    rows.map(|row| (line(&row.open), row.close_spellings().iter().map(|close| line(close)).collect())).collect()
}

/// What programs write around the reasoning in a text that they keep: a part of the line before it, and the beginning of the one
/// behind it. It is refused, not read, since other blocks end with the same line: LibreChat, Dify before it had tags.
const MARKUP: [(&[u8], &[u8]); 2] = [(b":::thinking", b":::"), (b"<summary> Thinking... </summary>", b"</details>")];

/// What a text has that may have a line which says that a quotation with reasoning follows.
const QUOTED_SIGN: &[u8] = b"*Thinking";

/// Finds recordings in texts of other formats.
pub(super) struct Recordings {
    rows: ProgramLines,
    /// Finds the longest part in ASCII of each line before reasoning. The last one finds details of HTML.
    opens: Vec<memmem::Finder<'static>>,
}

impl Recordings {
    pub fn new(tags: &Tags) -> Self {
        let rows = program_lines(tags);
        let part =
            |open: &[u8]| open.split(|b| !b.is_ascii()).max_by_key(|part| part.len()).unwrap_or_default().to_vec();
        let lines = rows.iter().map(|(open, _)| memmem::Finder::new(&part(open)).into_owned());
        let markup = MARKUP.iter().map(|(open, _)| memmem::Finder::new(open));
        let quoted = [memmem::Finder::new(QUOTED_SIGN)];
        let opens = lines.chain(markup).chain(quoted).chain([memmem::Finder::new(Summaries::SIGN)]).collect();
        Self { rows, opens }
    }

    /// What a text with one has in it, also as the inside of a JSON string without escapes for ASCII.
    pub fn signs(&self) -> impl Iterator<Item = &[u8]> {
        self.opens.iter().map(memmem::Finder::needle)
    }

    /// Whether a text may have one, also as the inside of a JSON string without escapes for ASCII: a quick check before
    /// the exact one.
    pub fn may_be_in(&self, raw: &[u8]) -> bool {
        self.opens.iter().any(|open| open.find(raw).is_some())
    }

    /// The same for the lines that programs write around reasoning, and not for details of HTML.
    pub fn may_be_turn(&self, raw: &[u8]) -> bool {
        self.opens[..self.opens.len() - 1].iter().any(|open| open.find(raw).is_some())
    }

    /// Whether a text has one, outside of code. `behind`: not at its start, where it is read.
    pub fn are_in(&self, plain: &[u8], behind: bool) -> bool {
        if !self.may_be_in(plain) {
            return false;
        }
        let mut lines = RecordingLines::default();
        plain.split_inclusive(|b| *b == b'\n').any(|line| lines.is_recording(&self.rows, line, behind))
    }
}

/// Follows the lines of a text, until one shows that it has a recording.
#[derive(Default)]
pub(super) struct RecordingLines {
    /// Something stands in the text.
    begun: bool,
    /// The code fence that is open: its character, and how often it stands there.
    fenced: Option<(u8, usize)>,
    /// The program whose line before reasoning was seen, and whether it counts.
    open: Option<(usize, bool)>,
    /// How the markup ends that the last line began.
    markup: Option<&'static [u8]>,
    summaries: Summaries,
    /// A quotation with reasoning is to follow.
    quoted: bool,
}

impl RecordingLines {
    /// Reads the next line. Returns whether it shows that the text has a recording. `behind`: one at its start does not count.
    pub fn is_recording(&mut self, rows: &ProgramLines, line: &[u8], behind: bool) -> bool {
        match (fence(line), self.fenced) {
            (Some((mark, len, _)), None) => self.fenced = Some((mark, len)),
            (Some((mark, len, true)), Some((begun, least))) if mark == begun && len >= least => self.fenced = None,
            _ => (),
        }
        if self.fenced.is_some() {
            return false;
        }
        if self.summaries.line(line) || self.quoted && line.trim_ascii_start().starts_with(b">") {
            return true;
        }
        self.quoted = is_quoted_next(line) || self.quoted && line.trim_ascii().is_empty();
        match self.markup.or_else(|| markup_of(line)) {
            Some(close) if !self.begun || self.markup.is_some() && line.trim_ascii_start().starts_with(close) => {
                return true;
            }
            found => self.markup = found,
        }
        let line = without_colours(line);
        let closes = |row: usize| rows[row].1.iter().any(|close| is_line(&line, close));
        match self.open {
            Some((row, counts)) if closes(row) => {
                if counts {
                    return true;
                }
                self.open = None;
            }
            Some(_) => (),
            None => {
                let row = rows.iter().position(|(open, _)| is_line(&line, open));
                self.open = row.map(|row| (row, !behind || self.begun));
            }
        }
        self.begun |= !line.trim_ascii().is_empty();
        false
    }
}

/// How the markup ends that a line begins.
fn markup_of(line: &[u8]) -> Option<&'static [u8]> {
    let line = line.trim_ascii();
    let begins = |open: &[u8]| match open[0] {
        b'<' => line.starts_with(b"<details") && memmem::find(line, open).is_some(),
        _ => line == open,
    };
    MARKUP.iter().find(|(open, _)| begins(open)).map(|(_, close)| *close)
}

/// Whether more text can make this the beginning of such a line ([`is_line`]).
fn may_be_line(line: &[u8], words: &[u8]) -> bool {
    // A sequence for the terminal that is cut off is none yet.
    let cut = memchr::memrchr(0x1B, line).filter(|escape| !line[escape + 1..].iter().any(u8::is_ascii_alphabetic));
    let line = without_colours(&line[..cut.unwrap_or(line.len())]);
    let line = line.trim_ascii_start();
    let signs = line.iter().take_while(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'`' | b'"' | b'\'')).count();
    let begins = |line: &[u8]| {
        words.starts_with(line) || line.strip_prefix(words).is_some_and(|rest| rest.trim_ascii().is_empty())
    };
    (0..=signs.min(32)).any(|at| begins(&line[at..]))
}

/// Whether a line without colours shows these words and nothing else but signs and white space.
fn is_line(line: &[u8], words: &[u8]) -> bool {
    let line = line.trim_ascii();
    // A row may have no words behind its reasoning.
    if words.is_empty() {
        return false;
    }
    let Some(before) = line.strip_suffix(words) else { return false };
    before.len() <= 32 && !before.iter().any(|b| b.is_ascii_alphanumeric() || matches!(b, b'`' | b'"' | b'\''))
}
