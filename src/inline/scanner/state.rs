//! What the scanner remembers of a message, by what it is about.

use super::types::Part;
use crate::inline::ahead::Beginning;
use crate::inline::code::{Code, Misses};

/// How far the text of the message has been read. Offsets but `base` are into the text that is buffered.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Offset in the message of the text that is buffered.
    pub base: u64,
    /// Everything before has gone out.
    pub out: usize,
    /// Everything before has been searched for delimiters.
    pub scan: usize,
}

/// What the message begins with.
#[derive(Debug, Default)]
pub(super) struct Beginnings {
    /// No delimiter has decided it yet.
    pub open: bool,
    /// Stray delimiters and tool calls that go out when it is decided.
    pub strays: Vec<(usize, usize, Part)>,
    /// The beginning of the message has been examined. A cut there makes a new beginning.
    pub examined: bool,
    /// It is looked for, and nothing else.
    pub looks_ahead: bool,
    /// Reasoning that this closer ends.
    pub implied: Option<Beginning>,
}

/// Where the visible text is code.
#[derive(Debug, Default)]
pub(super) struct CodePlaces {
    pub tracker: Code,
    pub misses: Misses,
    /// `tracker` has followed the visible text up to here.
    pub tracked: usize,
    /// Up to here text is known to be code.
    pub known: usize,
    /// Where the last look for its end stopped, and where that code begins.
    pub look: usize,
    pub look_of: usize,
}

/// The visible text, and the tool calls in it.
#[derive(Debug, Default)]
pub(super) struct VisibleText {
    /// Something other than white space has gone out.
    pub sent_text: bool,
    /// The text before here is white space, unless `has_text` is set.
    pub blank_to: usize,
    pub has_text: bool,
    /// The last bytes that went out.
    pub recent: Vec<u8>,
    /// The beginning of a delimiter that stands before a cut at the place of the search.
    pub join: Vec<u8>,
    /// It is commentary.
    pub commentary: bool,
    /// Tools whose calls are not closed any more.
    pub open_tools: Vec<(usize, u8)>,
    /// A call was cut off by the end of the message.
    pub cut_call: bool,
}

/// The blocks of the message, and the wrappers of its answer.
#[derive(Debug, Default)]
pub(super) struct BlocksFound {
    /// A block was taken; a block of a strict row was.
    pub took: bool,
    pub took_strict: bool,
    /// Rows of which no closer comes any more, as bits.
    pub no_close: u64,
    /// The same, up to the end of a message that is one of several in the text.
    pub no_close_here: u64,
    /// Nothing that could close a block begins at this offset of the message or behind it, if that is known.
    pub no_close_from: Option<u64>,
    /// Where the block that began last begins in the message.
    pub opened: u64,
    /// What stood behind the name of the tag that was found last.
    pub suffix: u32,
    /// Openers that are text, since blocks before them were enough: their closers are text too.
    pub ignored_openers: Vec<usize>,
    /// A block of this row has just ended and only white space followed: its wrapper may open.
    pub wrapper_of: Option<usize>,
    /// The wrappers that are open: row and number.
    pub wrapped: Vec<(usize, u8)>,
    /// A block was not closed, and the user wants an error for that.
    pub refused: bool,
}

/// The headers, markers and phrases that part a text into messages.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// A header of a message was found.
    pub found_header: bool,
    /// There was a message of another role.
    pub transcript: bool,
    /// A message of another role ended, and only white space followed.
    pub ended: bool,
    /// Where the next `<|start|>` stands, looked up once.
    pub next_start: usize,
    /// The message begins like Harmony without its tokens.
    pub bare: bool,
    /// The end of its visible text, in which the next such token may begin.
    pub tail: Vec<u8>,
    /// The phrase row of which a delimiter was found.
    pub prose: Option<usize>,
    /// The marker form, and the message has no marker: it is like any other.
    pub no_marker: bool,
    /// The marker of the marker form, on a line with other text.
    pub marker: Option<(usize, usize, usize)>,
}
