//! Signatures of reasoning on what is none.

/// What becomes of the signatures of reasoning that stand on calls and texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seals {
    /// They are a part of the reasoning of their message, and have its verdict.
    #[default]
    Reason,
    /// They stay, as a part of what they stand on.
    Stay,
    /// They go, whatever becomes of the reasoning.
    Go,
}
