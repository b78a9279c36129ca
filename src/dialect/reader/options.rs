//! How records are read.

use crate::dialect::field::Pointer;
use crate::dialect::formats::chat::patch::Target;
use crate::dialect::{DIALECTS, Dialect};
use crate::inline::{Options, Start, Tags};
use crate::model::Wants;

/// What becomes of a record that may hold reasoning, and is in no format that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Foreign {
    /// It is refused.
    #[default]
    Refuse,
    /// It passes, and is reported.
    Pass,
    /// Nothing is looked for.
    Unwatched,
}

/// Where the first delimiter of a text decides with hindsight what stood before it (SPEC section 4, rule 7). Until then
/// nothing of the text goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hindsight {
    /// In every text.
    #[default]
    Everywhere,
    /// Not in an event stream: what is passed on cannot be called back.
    NotInStreams,
    /// Nowhere: every text goes out as it comes.
    Nowhere,
}

/// The options of a reader.
#[derive(Clone)]
pub struct ReadOptions {
    /// The dialects that are looked for.
    pub dialects: Vec<&'static Dialect>,
    /// How inline tags are read.
    pub inline: Options,
    /// Where a text is judged with hindsight.
    pub hindsight: Hindsight,
    /// What the sink needs.
    pub wants: Wants,
    /// Events of a stream that are alike are not walked again. It changes nothing but the time.
    pub templates: bool,
    /// Strings to read instead of messages.
    pub pointers: Vec<Pointer>,
    /// Members to take out, and nothing else.
    pub drops: Vec<Pointer>,
    /// What becomes of records that may hold reasoning which no dialect reads.
    pub foreign: Foreign,
    /// The dialect that records are converted to.
    pub target: Option<&'static str>,
    /// What messages are converted to. Then edits are sent, and nothing else.
    pub to: Option<Target>,
}

impl ReadOptions {
    /// How the inline tags of a text are read that comes in pieces.
    pub fn in_stream(&self, tags: &Tags) -> Options {
        let streaming = self.hindsight == Hindsight::Nowhere && self.inline.start == Start::Hindsight;
        // Before a marker has come, nothing is decided at all.
        let start = if streaming && !tags.has_marker() { Start::Streaming } else { self.inline.start };
        Options { start, ..self.inline }
    }

    /// Whether the user named what is read, in records of any shape.
    pub fn is_named(&self) -> bool {
        !self.pointers.is_empty() || !self.drops.is_empty()
    }
}

impl Default for ReadOptions {
    /// Every dialect and every message, with hindsight.
    fn default() -> Self {
        Self {
            dialects: DIALECTS.iter().collect(),
            inline: Options::default(),
            hindsight: Hindsight::default(),
            wants: Wants::default(),
            templates: true,
            pointers: Vec::new(),
            drops: Vec::new(),
            foreign: Foreign::default(),
            target: None,
            to: None,
        }
    }
}
