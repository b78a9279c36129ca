//! Reasoning as programs print it, in a text that comes in pieces: no tag parts it from the answer.

use super::*;
use crate::dialect::turns::{ProgramLines, RecordingLines};
use crate::inline::Note;

/// The longest line that is looked at, in bytes.
const MAX_LINE_BYTES: usize = 512;

/// Follows the lines of the visible text of a choice.
#[derive(Default)]
pub(super) struct PrintedLines {
    /// What programs write around reasoning; none if that is not looked for, or was found.
    rows: Option<Arc<ProgramLines>>,
    line: Vec<u8>,
    /// Where the line begins in the input.
    at: u64,
    lines: RecordingLines,
}

impl ChoiceText {
    /// A text of which nothing was read.
    pub fn new(reader: Option<Box<TextReader>>, printed: PrintedLines) -> Self {
        let probabilities = Vec::new();
        Self { reader, aside: false, turn: Role::Assistant, begun: false, buffered: 0, probabilities, printed }
    }

    /// Whether what comes next is inside of a block.
    pub fn is_inside(&self) -> bool {
        self.reader.as_ref().is_some_and(|reader| reader.is_inside())
    }
}

impl PrintedLines {
    /// Looks for these lines.
    pub fn new(rows: Option<Arc<ProgramLines>>) -> Self {
        Self { rows, ..Self::default() }
    }

    /// Reads more text, and notes if it shows that the text has reasoning: once.
    pub fn pass(&mut self, piece: &Piece<'_>, found: &mut Option<Noted>) {
        if self.rows.is_none() {
            return;
        }
        let mut text = piece.text;
        while let Some(end) = memchr::memchr(b'\n', text) {
            self.add(piece, &text[..=end]);
            self.ends_line(found);
            text = &text[end + 1..];
        }
        self.add(piece, text);
    }

    fn add(&mut self, piece: &Piece<'_>, text: &[u8]) {
        if self.line.is_empty() {
            self.at = piece.at.first().map_or(self.at, |at| at.start);
        }
        let room = MAX_LINE_BYTES.saturating_sub(self.line.len());
        self.line.extend_from_slice(&text[..text.len().min(room)]);
    }

    /// The line is over, or the text with it.
    pub fn ends_line(&mut self, found: &mut Option<Noted>) {
        let Some(rows) = &self.rows else { return };
        if self.lines.is_recording(rows, &self.line, true) {
            (*found, self.rows) = (Some((self.at, Note::printed(self.at))), None);
        }
        self.line.clear();
    }
}
