//! A block of reasoning in a message, and where it stands.

use crate::json::text;
use std::borrow::Cow;
use std::ops::Range;

/// A range of the record.
pub(super) type RecordRange = Range<usize>;

/// Where reasoning stands in a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReasoningPlace {
    /// It is the text of the member with this number.
    Flat(usize),
    /// It is in a list or an object, the member with this number.
    Structure(usize),
    /// It is a part of the content.
    #[default]
    Part,
    /// It is in a text of the content, between delimiters.
    Inline,
    /// It is in an object of the message that repeats reasoning.
    Contained,
}

/// A block of reasoning.
#[derive(Clone, Debug, Default)]
pub(super) struct Thought {
    pub origin: ReasoningPlace,
    /// Its text, as the insides of strings; `None` if it has no text, not even an empty one.
    pub text: Option<Vec<RecordRange>>,
    /// The name of the field that it came from, if any.
    pub source: Option<Cow<'static, str>>,
    /// The block itself names that field.
    pub named: bool,
    /// It does so before its text: the field stood before the content.
    pub first: bool,
    /// The ranges of these values.
    pub signature: Option<RecordRange>,
    pub hidden: Option<RecordRange>,
    pub encrypted: Option<RecordRange>,
    /// Members that are not known.
    pub extras: Vec<RecordRange>,
    /// It stands behind visible text or a tool call.
    pub late: bool,
    /// The range of the whole block, if it is one.
    pub block: Option<RecordRange>,
    /// Its opening tag is implied.
    pub implied: bool,
    /// It is a message with a header in the content.
    pub headed: bool,
}

impl Thought {
    /// Where it stands: its block, or its text.
    pub fn start(&self) -> Option<usize> {
        let block = self.block.as_ref().map(|at| at.start);
        block.or_else(|| Some(self.text.as_ref()?.first()?.start))
    }

    /// Its text, decoded.
    pub fn plain(&self, record: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.text.iter().flatten().for_each(|at| text::decode(&record[at.clone()], &mut out));
        out
    }

    /// Whether it stands in a text of the content.
    pub fn is_inline(&self) -> bool {
        self.origin == ReasoningPlace::Inline
    }
}
