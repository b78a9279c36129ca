//! Stage 2: the neutral model, a stream of events, each with the byte ranges it came from.
//!
//! A tree is folded from events only by outputs that need a whole message ([`crate::agents`]); `order` is the grammar that every
//! event sequence obeys. Nothing here can be serialised: a model that can be written becomes one more dialect.

pub mod call_names;
pub mod content;
pub mod copies;
mod edit;
mod event;
pub mod fnv;
pub mod gather;
mod lane;
mod leaf;
mod loss;
mod mark;
pub mod number;
#[cfg(feature = "cli")]
pub mod order;
mod origin;
mod seals;
mod sent;
pub mod steps;
mod wants;
mod written;

pub use edit::{Bit, Element};
pub use event::{ContentEvent, ConversationEvent, Event, MessageFact};
pub use lane::Lane;
pub use leaf::Leaf;
pub use loss::{BlockProperty, Loss, Losses, Lost, MessagePlace};
pub use mark::{InstructionForm, Mark, Marked};
pub use origin::{Cost, Origin, Time};
pub use seals::Seals;
pub use sent::{Delivery, Sent, SequenceStep};
pub use wants::{Facts, Wants};
pub use written::{Outgoing, WrittenJson};

use crate::span::Span;
use std::borrow::Cow;

/// The author of a message.
///
/// ```
/// use unthink::{By, Role, TokensOptions, tokens};
///
/// let log = b"{\"role\":\"user\",\"content\":\"Rain?\"}\n{\"role\":\"assistant\",\"content\":\"By noon.\"}\n";
/// let done = tokens(log, &TokensOptions::default().by(By::Message))?;
/// assert_eq!((done.rows[0].role, done.rows[1].role), (Some(Role::User), Some(Role::Assistant)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The model. A message of an unknown role counts as the assistant's, so that it is searched for reasoning.
    #[default]
    Assistant,
    /// The user, who begins a new turn.
    User,
    /// Instructions.
    System,
    /// The result of a tool call.
    Tool,
}

/// Where a record has its reasoning: the field's name, `part` for a content part, `tags` for inline tags. The same
/// text from two sources of one message is one text and a copy.
pub type Source = &'static str;

/// The source of a summary: it counts only if the message, or the item of reasoning that it belongs to
/// ([`PieceKind::NextItem`]), has no other reasoning with text.
pub const SUMMARY: Source = "summary";

/// The source of reasoning between inline tags.
pub const TAGS: Source = "tags";

/// The source of reasoning in messages with headers.
pub const HARMONY: Source = "harmony";

/// The source of reasoning before a marker.
pub const MARKER: Source = "marker";

/// Whether reasoning of this source stands in the text of the answer.
pub fn is_inline(source: Source) -> bool {
    matches!(source, TAGS | HARMONY | MARKER)
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Text of the answer.
    Visible,
    /// A tag in the text of the answer that a conversion escapes, since reasoning goes between such tags in front of it.
    /// Other outputs do not get it.
    Mention,
    /// Text of the answer for the user before a tool is called.
    Commentary,
    /// A tool call that stands in the text of the answer, with its own delimiters.
    Tool,
    /// Text of the reasoning.
    Reasoning(Source),
    /// An empty reasoning field, or one that is null.
    Void(Source),
    /// The limit between two items of reasoning: sources of the one are no copies or summaries of sources of the other.
    /// Has no text and no bytes.
    NextItem,
    /// A delimiter of a block; it goes with the block.
    Delimiter,
    /// White space of the visible text that goes with the block before it.
    Gap,
    /// A delimiter without a block.
    Stray,
    /// A delimiter between parts of the answer; it goes if the policy removes reasoning there.
    Frame,
    /// A delimiter with the role of what follows: not text, but always stays.
    Structure,
    /// The role of the text from here on. Only in raw text; readers do not pass it on.
    Turn(Role),
    /// A section to empty in reasoning that stays; it has the verdict of that reasoning. Only if the output asks for
    /// it.
    Redacted,
    /// Text of a record that is refused: it is not written, whatever the verdict.
    Refused,
    /// A signature on a call or a text that goes, whatever becomes of the reasoning ([`Seals::Go`]).
    Seal,
    /// The arguments or the result of a tool call. Only if the output asks for it ([`Wants::rest`]).
    Call,
}

impl PieceKind {
    /// Whether it is visible text, or a delimiter that stays with it.
    pub fn is_visible(self) -> bool {
        use PieceKind::{Commentary, Mention, Structure, Tool, Visible};
        matches!(self, Visible | Mention | Commentary | Tool | Structure)
    }

    /// The kind under the current role of a text with several: text of other roles is no part of the message.
    pub fn of(self, speaker: Role) -> PieceKind {
        match self {
            Self::Visible | Self::Commentary | Self::Gap if speaker != Role::Assistant => Self::Structure,
            kind => kind,
        }
    }
}

/// A stretch of a message.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The lane of its message.
    pub lane: Lane,
    /// Its kind.
    pub kind: PieceKind,
    /// It begins a block. If false, it continues the last block of its lane and source. Visible text is fresh if it
    /// begins a text of its own, if the output asks for all text, and behind a [`PieceKind::Frame`] or [`PieceKind::Structure`].
    pub fresh: bool,
    /// Its text, decoded, as WTF-8. Empty if the output does not ask for text ([`Wants`]).
    pub text: &'a [u8],
    /// The text is not decoded: it is the inside of a JSON string with escapes. Only if the output asks for that.
    pub escaped: bool,
    /// It is all of its block, and no other source of its message can repeat it. Of a tool call in text: it ends the
    /// call, and has no text. Of a [`PieceKind::Redacted`]: it is all reasoning of its message, which is signed or encrypted
    /// and has a section to empty.
    pub whole: bool,
    /// The bytes to cut when its block goes, with commas; for visible text, the bytes where it stands. The first piece
    /// has the cuts of all fields and parts of a message, since these go or stay together.
    pub at: &'a [Span],
}

/// A piece that is kept: its text, without its place.
#[derive(Clone, Debug)]
pub struct OwnedPiece {
    /// What it is.
    pub kind: PieceKind,
    /// As [`Piece::fresh`].
    pub fresh: bool,
    /// As [`Piece::whole`].
    pub whole: bool,
    /// Its text.
    pub text: Vec<u8>,
}

impl Piece<'_> {
    /// Its text, decoded.
    pub fn decoded(&self) -> Cow<'_, [u8]> {
        if self.escaped { Cow::Owned(crate::json::text::decoded(self.text)) } else { Cow::Borrowed(self.text) }
    }

    /// Its text with a backslash behind the first character, so that it is no tag.
    pub fn escaped_tag(&self) -> Vec<u8> {
        let mut text = self.decoded().into_owned();
        let first = (1..text.len()).find(|at| text[*at] & 0xC0 != 0x80).unwrap_or(text.len());
        text.insert(first, b'\\');
        text
    }

    /// Writes its text as the inside of a JSON string.
    pub fn inside(&self, out: &mut Vec<u8>) {
        leaf::inside(self.text, self.escaped, out);
    }

    /// Its text, as it came.
    pub fn own_text(&self) -> Leaf {
        Leaf::of(self.text, self.escaped)
    }
}

/// Whether two messages of one answer need a line end between them, so that their words do not run together: `before`
/// is the text so far, `text` begins the next.
pub fn is_glued(before: &[u8], text: &[u8]) -> bool {
    let blank = |b: Option<&u8>| b.is_none_or(u8::is_ascii_whitespace);
    !blank(before.last()) && !blank(text.first())
}

/// Takes in events.
pub trait Sink {
    /// The next event.
    fn event(&mut self, event: &Event<'_>);
}

/// Nobody is interested in what a record has.
pub struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event<'_>) {}
}
