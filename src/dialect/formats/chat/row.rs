//! The formats of the chat family. Real records mix their keys, so that all of them are read by the same states
//! ([`super::states`]).

use super::fields::{FIELDS, Field};
use super::states::reasoning_types;
use crate::dialect::formats::shared::FINISH_REASONS;
use crate::dialect::shape::{BASE, Rows, Shape};
use crate::model::content::Attribute;

/// A format of the family, as a guest in its shape: the keys of the states say which guests have them.
#[derive(Clone, Copy, Debug)]
pub struct Guest {
    /// Its bit among the rows of the family.
    pub row: Rows,
    /// Types of the content parts that its readers know, beside those of its reasoning.
    pub native: &'static [&'static str],
}

impl Guest {
    /// The keys under which messages of the format have reasoning.
    pub(in crate::dialect) fn fields(self) -> impl Iterator<Item = &'static Field> {
        FIELDS.iter().filter(move |field| field.rows & self.row != 0)
    }

    /// The types of objects that are reasoning in this format.
    pub(in crate::dialect) fn reasoning_types(self) -> impl Iterator<Item = &'static str> {
        reasoning_types(self.row)
    }
}

/// What the values in the slots of a record mean where its messages are built anew.
pub(in crate::dialect) static FACTS: Shape = Shape {
    stops: FINISH_REASONS,
    used: &[
        ("prompt_tokens", Attribute::Input),
        ("input_tokens", Attribute::Input),
        ("completion_tokens", Attribute::Output),
        ("output_tokens", Attribute::Output),
        ("cached_tokens", Attribute::Cached),
        ("reasoning_tokens", Attribute::Thought),
    ],
    billed: &[("cost", "")],
    usual: &[("service_tier", &["\"default\"", "\"auto\""])],
    inline: true,
    ..BASE
};
