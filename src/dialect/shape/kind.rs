//! The kinds of blocks.

use crate::model::Source;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text for the reader.
    Text,
    /// Text in which the model refuses to answer.
    Refusal,
    /// Text for the reader that is no part of the answer.
    Commentary,
    /// A message of a provider that lists its blocks beside its messages.
    Message,
    /// Reasoning. The source distinguishes several texts of the same reasoning.
    Reasoning(Source),
    /// Reasoning without text: a ciphertext.
    Sealed(Source),
    /// A tool is called.
    Call,
    /// The result of such a call.
    Result,
    /// A call of a tool that the provider runs.
    Hosted,
    /// An image, a document, a sound.
    Media,
    /// Visible content of another kind.
    Other,
}

impl Kind {
    /// Whether a block of this kind is reasoning.
    pub fn is_reasoning(self) -> bool {
        matches!(self, Kind::Reasoning(_) | Kind::Sealed(_))
    }
}
