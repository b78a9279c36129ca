//! The list of formats for users of the crate.

use super::Framing;
use crate::dialect::{DIALECTS, Dialect};

/// A format of conversations, as `unthink list dialects` lists it.
#[derive(Clone, Copy, Debug)]
pub struct DialectInfo(&'static Dialect);

/// All formats that are read, in the order of `unthink list dialects`.
///
/// ```
/// use unthink::{ConvertOptions, convert, dialects};
///
/// let written: Vec<&str> = dialects().filter(|dialect| dialect.is_written()).map(|dialect| dialect.name()).collect();
/// assert!(written.contains(&"anthropic") && written.contains(&"responses"));
///
/// let log = br#"{"role":"assistant","reasoning":"Low pressure.","content":"Rain by noon."}"#;
/// for name in written {
///     convert(log, &ConvertOptions::new(name))?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dialects() -> impl Iterator<Item = DialectInfo> {
    DIALECTS.iter().map(DialectInfo)
}

impl DialectInfo {
    /// Its name, for [`InputOptions::dialect`](crate::InputOptions::dialect) and
    /// [`ConvertOptions::to`](crate::ConvertOptions::to).
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Other names that are taken.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.0.aliases
    }

    /// A description in one line.
    pub fn about(&self) -> &'static str {
        self.0.about
    }

    /// The framings it comes in.
    pub fn framings(&self) -> &'static [Framing] {
        self.0.framings
    }

    /// The products and services that write it.
    pub fn products(&self) -> impl Iterator<Item = &'static str> {
        self.0.product_names()
    }

    /// Whether [`convert`](crate::convert()) can write it.
    pub fn is_written(&self) -> bool {
        self.0.is_written()
    }
}
