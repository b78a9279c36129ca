//! Where a dialect of the family puts reasoning. Only this file tells the places apart; the others ask what is true of
//! one.

use super::delimiters;
use super::thought::Thought;

/// Where a dialect puts reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Placement(PlacementKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlacementKind {
    /// In a field of this name.
    Field(&'static str),
    /// In the content, between delimiters.
    Tagged,
    /// In the content, as messages of their own before that of the answer.
    Harmony,
    /// In blocks.
    Blocks,
}

impl Placement {
    /// That of dialects with blocks.
    pub const BLOCKS: Self = Self(PlacementKind::Blocks);

    /// That of the dialect with this name. `field`: its field, if it has one.
    pub fn of(dialect: &str, field: Option<&'static str>) -> Self {
        Self(match (dialect, field) {
            ("thinking-block", _) => PlacementKind::Blocks,
            ("harmony", _) => PlacementKind::Harmony,
            (_, Some(key)) => PlacementKind::Field(key),
            (_, None) => PlacementKind::Tagged,
        })
    }

    /// The field, if it is one.
    pub fn field(self) -> Option<&'static str> {
        match self.0 {
            PlacementKind::Field(key) => Some(key),
            PlacementKind::Tagged | PlacementKind::Harmony | PlacementKind::Blocks => None,
        }
    }

    /// The delimiters in the content, if the user names no others.
    pub fn delimiters(self) -> (&'static str, &'static str) {
        match self.0 {
            PlacementKind::Harmony => (delimiters::OPEN, delimiters::CLOSE),
            PlacementKind::Field(_) | PlacementKind::Tagged | PlacementKind::Blocks => ("<think>", "</think>"),
        }
    }

    /// The member that tells whose a message is, for one that had none: a message known only by its `reasoning_content`
    /// needs it, so that the target recognises it.
    pub fn role(self) -> Option<&'static str> {
        match self.0 {
            PlacementKind::Field("reasoning_content") => None,
            PlacementKind::Blocks => Some("\"speaker\":\"ai\","),
            PlacementKind::Field(_) | PlacementKind::Tagged | PlacementKind::Harmony => Some("\"role\":\"assistant\","),
        }
    }

    /// Whether reasoning that is in the content already stays there.
    pub fn keeps(self, thought: &Thought) -> bool {
        match self.0 {
            PlacementKind::Tagged => thought.is_inline(),
            PlacementKind::Harmony => thought.headed,
            PlacementKind::Field(_) | PlacementKind::Blocks => false,
        }
    }

    /// Whether it is blocks.
    pub fn is_blocks(self) -> bool {
        self.0 == PlacementKind::Blocks
    }

    /// Whether it is the content, between delimiters.
    pub fn is_tagged(self) -> bool {
        self.0 == PlacementKind::Tagged
    }

    /// Whether it is the content, under headers.
    pub fn is_headed(self) -> bool {
        self.0 == PlacementKind::Harmony
    }

    /// Whether it is the content.
    pub fn is_inline(self) -> bool {
        self.is_tagged() || self.is_headed()
    }
}
