//! Options of a reader.

use super::watch::texts::Texts;
use crate::dialect::draft::{Detail, Draft, Stretch};
use crate::dialect::field::{Pointer, UsedPointers};
use crate::dialect::formats::chat::in_place::ConversionTarget;
use crate::dialect::shape::{Rows, Shape};
use crate::dialect::stream::Streams;
use crate::dialect::suspect::Search;
use crate::dialect::turns::program_lines;
use crate::dialect::{Columns, Conversion, DIALECTS, Dialect, OwnRecords};
use crate::inline::{Inline, Moves, Options, Start, Tags};
use crate::json::{Literal, text};
use crate::model::{Seals, Wants};
use std::sync::Arc;

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

/// Where the first delimiter of a text decides with hindsight whether the text before it is reasoning (behaviour.md,
/// section 4, rule 7). Text that may be decided that way waits until then.
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
    /// The members beside these strings that a conversion reads and writes.
    pub columns: Columns,
    /// Members to take out, and nothing else.
    pub drops: Vec<Pointer>,
    /// What happens to records that may hold reasoning which no dialect reads.
    pub foreign: Foreign,
    /// The conversion that the output makes.
    pub to: Option<Conversion>,
    /// What becomes of signatures on calls and texts.
    pub seals: Seals,
}

impl ReadOptions {
    /// How the inline tags of a text in several deltas are read.
    pub fn in_stream(&self, tags: &Tags) -> Options {
        let streaming = self.hindsight == Hindsight::Nowhere && self.inline.start == Start::Hindsight;
        // With a marker among the tags, text waits for the marker even in a stream.
        let start = if streaming && !tags.has_marker() { Start::Streaming } else { self.inline.start };
        let moves = self.in_place().map_or(Moves::NONE, |target| target.moves(tags));
        Options { start, moves, ..self.inline }
    }

    /// The name of the dialect that records are converted to.
    pub(in crate::dialect) fn target(&self) -> Option<&'static str> {
        self.to.as_ref().map(|to| to.dialect.name)
    }

    /// By what records of the chat family are known as the target's own, if all others are built anew.
    pub(in crate::dialect) fn own_records(&self) -> Option<&'static OwnRecords> {
        self.to.as_ref()?.dialect.anew.as_ref()
    }

    /// The edits that convert a record in place: for a record of the target's family, they are sent instead of messages.
    pub(in crate::dialect) fn in_place(&self) -> Option<&ConversionTarget> {
        self.to.as_ref()?.in_place.as_ref()
    }

    /// What becomes of an uncertain tag of a whole message. What is written is read again, so that none is refused before.
    pub(in crate::dialect) fn moves_whole(&self, tags: &Tags) -> Moves {
        self.in_place().map_or(Moves::NONE, |target| Moves { refuses: false, ..target.moves(tags) })
    }

    /// What to say of the pointers of the user in an input without members.
    pub fn unused_pointers(&self) -> Vec<String> {
        UsedPointers::default().unused(&self.pointers, &self.drops)
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
            columns: Columns::default(),
            drops: Vec::new(),
            foreign: Foreign::default(),
            to: None,
            seals: Seals::default(),
        }
    }
}

/// What is the same for all records of an input.
pub(super) struct Setup {
    pub tags: Tags,
    /// The rows of the chat family that are read.
    pub rows: Rows,
    pub options: ReadOptions,
    pub detail: Detail,
}

impl Setup {
    pub fn new(tags: &Tags, options: ReadOptions) -> Self {
        Self {
            tags: tags.clone(),
            rows: options.dialects.iter().filter_map(|dialect| dialect.family).fold(0, |rows, guest| rows | guest.row),
            detail: Detail {
                members: options.wants.content,
                edits: options.in_place().is_some(),
                usage: options.wants.rest,
                instructions: options.wants.instructions,
                plain: !tags.has_plain_delimiter(),
                // Messages that are built anew have no place for them in any case.
                seals: if options.wants.content || options.in_place().is_some() {
                    Seals::Reason
                } else {
                    options.seals
                },
            },
            options,
        }
    }

    /// The streams of an input of which nothing was read.
    pub fn streams(&self) -> Streams {
        let inline = self.options.in_stream(&self.tags);
        let looks = self.options.foreign == Foreign::Refuse && inline.inline == Inline::Ask;
        Streams::new(&self.tags, inline, looks.then(|| Arc::new(program_lines(&self.tags))))
    }

    /// Whether the output builds messages anew.
    pub fn builds(&self) -> bool {
        self.options.wants.content
    }

    /// Whether a record that is a message in a list sends its own element.
    pub fn shows_element(&self, shape: &Shape) -> bool {
        !shape.log && self.options.wants.visible && !self.builds()
    }

    /// How the tags of a whole message are read: a message with reasoning in a place of its own has no other in its
    /// texts for certain.
    pub fn options_of(&self, draft: &Draft) -> Options {
        let reasons = |unit: &Stretch| {
            matches!(unit, Stretch::Field(_, text) if text.start < text.end) || matches!(unit, Stretch::Deep(..))
        };
        let reasons = draft.units.iter().any(reasons);
        let moves = if reasons { self.options.moves_whole(&self.tags) } else { Moves::NONE };
        Options { apart: draft.has.place_for_reasoning || reasons, moves, ..self.options.inline }
    }

    /// What is looked for in the texts of a record.
    pub fn texts<'a>(&'a self, record: &'a [u8]) -> Texts<'a> {
        Texts { record, tags: &self.tags, inline: self.options.inline }
    }

    /// Whether the text of a call has a block of tags in front of it, so that it is read as text of the model. Text in
    /// arguments is no reasoning.
    pub fn is_tagged_call(&self, record: &[u8], text: Literal) -> bool {
        let raw = text.raw(record);
        let first = raw.iter().find(|b| !b.is_ascii_whitespace());
        !matches!(first, Some(b'{' | b'['))
            && self.tags.may_hold(raw, text.escaped)
            && Search::new(&self.tags).is_tagged(&text::decoded(raw))
    }
}
