//! The state of the scanner for one message, by topic.

use super::types::{Beginning, StretchKind};
use crate::inline::code::{CodeTracker, Misses};
use crate::inline::line::LineTracker;
use crate::inline::shown::ShownTracker;
use crate::inline::thought::ThoughtFences;

/// How far the text was scanned and sent. Offsets, except `base`, are into the buffered text.
#[derive(Debug, Default)]
pub(super) struct ScanPosition {
    /// The offset of the buffered text in the message.
    pub base: u64,
    /// Everything before was sent.
    pub out: usize,
    /// Everything before was scanned for delimiters.
    pub scan: usize,
}

/// How the message begins.
#[derive(Debug, Default)]
pub(super) struct Beginnings {
    /// It is undecided: no delimiter has come.
    pub open: bool,
    /// Stray delimiters and tool calls to send once it is decided.
    pub strays: Vec<(usize, usize, StretchKind)>,
    /// The beginning of the message was examined. After a cut there, it is examined again.
    pub examined: bool,
    /// This is a first pass, which only decides how the message begins.
    pub looks_ahead: bool,
    /// It begins with reasoning that ends at this closing tag.
    pub implied: Option<Beginning>,
}

/// What the visible text is like where it ends: whether it is code, and what its last line holds.
#[derive(Debug, Default)]
pub(super) struct CodePlaces {
    pub tracker: CodeTracker,
    /// The line that the visible text ends with.
    pub line: LineTracker,
    pub misses: Misses,
    /// Other places that show code.
    pub shown: ShownTracker,
    /// The tag for which the end of one was searched for last, and how far, as offsets in the message.
    pub shown_look: (u64, u64),
    /// What stands before this offset in the message may be shown, and may be what a model wrote.
    pub shown_until: u64,
    /// `tracker` has followed the visible text up to this offset.
    pub tracked: usize,
    /// Text is known to be code up to this offset.
    pub known: usize,
    /// That code may begin with the end of another fence; or no code is known, and the text may be code that is cut off.
    pub torn: bool,
    /// Where the last search for the end of code stopped, and where that code begins.
    pub look: usize,
    pub look_of: usize,
}

/// The visible text, and the tool calls in it.
#[derive(Debug, Default)]
pub(super) struct VisibleText {
    /// Something other than white space was sent.
    pub sent_text: bool,
    /// Text before this offset is white space, unless `has_text` is set.
    pub blank_to: usize,
    pub has_text: bool,
    /// The last bytes that were sent.
    pub recent: Vec<u8>,
    /// The beginning of a delimiter right before a cut at `scan`.
    pub join: Vec<u8>,
    /// The text is commentary.
    pub commentary: bool,
    /// Tool pairs without a closing delimiter in the rest of the text.
    pub open_tools: Vec<(usize, u8)>,
    /// A call was cut off by the end of the message.
    pub cut_call: bool,
    /// An opening tag waits for text that may be an expression of a template. No value of JSON is one.
    pub awaits_template: bool,
}

/// What is known of closing tags that do not come.
#[derive(Debug, Default)]
pub(super) struct MissingClosers {
    /// Rows without a closing tag in the rest of the text, as bits.
    pub no_close: u128,
    /// Rows without a closing tag in the rest of the current message, as bits, if the text has several.
    pub no_close_here: u128,
    /// Nothing from this offset of the message on can close a block, if that is known.
    pub no_close_from: Option<u64>,
    /// An opening delimiter was found to be text only because of that. Who does not know it waits.
    pub foreseen: bool,
    /// The rows whose opening tags began a block, and those of which a block has ended, as bits.
    pub openers: u128,
    pub ended: u128,
}

/// The blocks of the message, and the wrappers of its answer.
#[derive(Debug, Default)]
pub(super) struct BlocksFound {
    /// The message had a block; one of a strict row.
    pub took: bool,
    pub took_strict: bool,
    /// What is known of closing tags that do not come, and of those that came.
    pub closers: MissingClosers,
    /// The offset of the last block in the message.
    pub opened: u64,
    /// The suffix in the name of the last tag.
    pub suffix: u32,
    /// Rows of opening tags that are text, since enough blocks came before: their closing tags are text, too.
    pub ignored_openers: Vec<usize>,
    /// A block of this row has just ended, and only white space followed: its wrapper may open.
    pub wrapper_of: Option<usize>,
    /// The wrappers that are open: row and number.
    pub wrapped: Vec<(usize, u8)>,
    /// A block was not closed, and that is an error.
    pub refused: bool,
    /// A delimiter was neither used nor mentioned for certain: nothing behind it is read.
    pub doubted: bool,
    /// The visible text speaks of tags.
    pub spoken: bool,
    /// The offset of a closing delimiter that is text, since its opening one is.
    pub text_closer: Option<u64>,
    /// What leaves in doubt where the last block ends.
    pub last: LastBlock,
    /// The last bytes of the open block that were sent.
    pub inner: Vec<u8>,
    /// The fences in the open block.
    pub fences: ThoughtFences,
}

/// What leaves in doubt where a block ends, as a second closing tag may be the true one; and what stands above it.
#[derive(Debug, Default)]
pub(super) struct LastBlock {
    /// Only white space stood in it, behind an opening tag.
    pub blank: bool,
    /// An opening tag in it was taken for one that is spoken of: it stood in quotation marks, or a closing one at the
    /// start of a line.
    pub spoke_inside: bool,
    /// How many bytes of visible text were sent behind it, and whether a token of a template in them has begun a turn of the
    /// assistant.
    pub sent: usize,
    pub turned: bool,
    /// Its closing tag stands behind other text on its line, or in code.
    pub closed_within: bool,
    /// The line above it.
    pub below: Option<u64>,
}

/// The headers, markers and phrases that divide a text into messages.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// A header of a message was found.
    pub found_header: bool,
    /// A message of another role was found.
    pub transcript: bool,
    /// A message of another role ended, and only white space followed.
    pub ended: bool,
    /// The message may begin with a token of a template: in other texts, such tokens are spoken of.
    pub templated: bool,
    /// It begins with such a token, and not with a tag of reasoning.
    pub in_template: bool,
    /// Where the last turn of the assistant begins in text that was not kept, in a first pass; and the end of that text, with all
    /// delimiters in it.
    pub turn: u64,
    pub passed: Vec<u8>,
    /// Where the next `<|start|>` stands, searched for once.
    pub next_start: usize,
    /// The message begins like Harmony without its tokens.
    pub bare: bool,
    /// The end of the visible text, where the next such word may begin.
    pub tail: Vec<u8>,
    /// The phrase row whose delimiter was found.
    pub prose: Option<usize>,
    /// There is a row of the marker form, but this message has no marker: it is read like any other.
    pub no_marker: bool,
    /// The first marker of the marker form that stands on a line with other text.
    pub marker: Option<(usize, usize, usize)>,
}
