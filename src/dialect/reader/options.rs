//! Options of a reader.

use crate::dialect::field::{Pointer, Used};
use crate::dialect::formats::chat::patch::Target;
use crate::dialect::{Conversion, DIALECTS, Dialect};
use crate::inline::{Options, Start, Tags};
use crate::model::Wants;

/// What happens to a record that may hold reasoning and is in no format that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Foreign {
    /// It is refused.
    #[default]
    Refuse,
    /// It goes to the output unchanged, and is reported.
    Pass,
    /// No record is searched.
    Unwatched,
}

/// Where the first delimiter of a text decides with hindsight whether the text before it is reasoning (SPEC section 4,
/// rule 7). Text that may be decided that way waits until then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hindsight {
    /// In every text.
    #[default]
    Everywhere,
    /// Everywhere but in event streams, where text that was sent cannot be taken back.
    NotInStreams,
    /// Nowhere: every text is sent as it comes.
    Nowhere,
}

/// The options of a reader.
#[derive(Clone)]
pub struct ReadOptions {
    /// The dialects that are read.
    pub dialects: Vec<&'static Dialect>,
    /// How inline tags are read.
    pub inline: Options,
    /// Where hindsight applies.
    pub hindsight: Hindsight,
    /// What the sink needs.
    pub wants: Wants,
    /// Events of a stream that are alike are not walked again. This changes only the time that it takes.
    pub templates: bool,
    /// Strings to read in place of messages.
    pub pointers: Vec<Pointer>,
    /// Members to take out, and nothing else.
    pub drops: Vec<Pointer>,
    /// What happens to records that may hold reasoning which no dialect reads.
    pub foreign: Foreign,
    /// The conversion that the output makes.
    pub to: Option<Conversion>,
}

impl ReadOptions {
    /// How the inline tags of a text in several deltas are read.
    pub fn in_stream(&self, tags: &Tags) -> Options {
        let streaming = self.hindsight == Hindsight::Nowhere && self.inline.start == Start::Hindsight;
        // With a marker among the tags, text waits for the marker even in a stream.
        let start = if streaming && !tags.has_marker() { Start::Streaming } else { self.inline.start };
        Options { start, ..self.inline }
    }

    /// The name of the dialect that records are converted to.
    pub(in crate::dialect) fn target(&self) -> Option<&'static str> {
        self.to.as_ref().map(|to| to.dialect.name)
    }

    /// The edits that convert a record in place: for a record of the target's family, they are sent instead of messages.
    pub(in crate::dialect) fn in_place(&self) -> Option<&Target> {
        self.to.as_ref()?.in_place.as_ref()
    }

    /// What to say of the pointers of the user in an input without members.
    pub fn unused_pointers(&self) -> Vec<String> {
        Used::default().unused(&self.pointers, &self.drops)
    }

    /// Whether the user named the strings to read or the members to drop.
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
            to: None,
        }
    }
}
