//! Takes what must not be shared out of a drawing: texts that the user names, and patterns with a name. It works on the
//! steps of the drawing, so that no painter ever has what was taken out.
//!
//! A text is found as a reader would find it: in either case, with any white space, across emphasis, escapes and the
//! pieces in which it arrived ([`views`]). What matches is replaced by a mark that says nothing of its length.

mod find;
mod named;
mod painter;
mod rendered;
mod views;

pub use find::Redactor;
pub use named::NamedPattern;
pub use painter::Redacted;

/// What stands for what was taken out.
pub const MARK: &str = "‹redacted›";

/// What is taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedactPattern {
    /// This text.
    Text(String),
    /// What has the form of this.
    Named(NamedPattern),
}

/// What begins a pattern that is a text, whatever the text is.
const TEXT: &str = "text:";

impl RedactPattern {
    /// Reads a pattern: one of the names, or else a text. `None`: there is nothing to be found in it.
    pub fn read(pattern: &str) -> Option<Self> {
        if let Some(named) = NamedPattern::ALL.into_iter().find(|named| named.name() == pattern) {
            return Some(Self::Named(named));
        }
        let text = pattern.strip_prefix(TEXT).unwrap_or(pattern);
        (!views::folded_pattern(text).is_empty()).then(|| Self::Text(text.to_string()))
    }
}

#[cfg(test)]
mod tests;
