//! The list of formats.

use crate::dialect::{self, DIALECTS, Dialect};
use crate::front::{Framing, InvalidOption};
use std::str::FromStr;

is_its_name!(DialectInfo.name);

/// A format of conversations. It is parsed from its name or one of its aliases, and stands for its name where an option takes
/// one.
///
/// ```
/// use unthink::{ConvertOptions, DialectInfo, convert};
///
/// let bedrock: DialectInfo = "converse".parse()?;
/// assert!(bedrock.name() == "bedrock" && bedrock.is_written());
/// let log = br#"{"role":"assistant","reasoning":"Low pressure.","content":"Rain by noon."}"#;
/// assert!(convert(log, &ConvertOptions::new(bedrock)).is_ok());
/// assert!("bedrok".parse::<DialectInfo>().unwrap_err().to_string().contains("did you mean bedrock?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct DialectInfo(&'static Dialect);

/// All formats that are read, in the order of `unthink list dialects`.
///
/// ```
/// use unthink::{ConvertOptions, convert, dialects};
///
/// let log = br#"{"role":"assistant","reasoning":"Low pressure.","content":"Rain by noon."}"#;
/// for dialect in dialects().filter(|dialect| dialect.is_written()) {
///     convert(log, &ConvertOptions::new(dialect))?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dialects() -> impl Iterator<Item = DialectInfo> {
    DIALECTS.iter().map(DialectInfo)
}

impl FromStr for DialectInfo {
    type Err = InvalidOption;

    fn from_str(name: &str) -> Result<Self, InvalidOption> {
        let wrong = || InvalidOption::new("dialect", format!("{name:?}: {}", dialect::advice(name, false)));
        dialect::find(name).map(Self).ok_or_else(wrong)
    }
}

impl DialectInfo {
    pub(super) fn of(dialect: &'static Dialect) -> Self {
        Self(dialect)
    }

    /// Its name, for [`InputOptions::dialect`](crate::InputOptions::dialect) and
    /// [`ConvertOptions::to`](crate::ConvertOptions::to).
    ///
    /// ```
    /// assert!(unthink::dialects().any(|dialect| dialect.name() == "anthropic"));
    /// ```
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Other names that are taken.
    ///
    /// ```
    /// for dialect in unthink::dialects() {
    ///     assert!(dialect.aliases().iter().all(|alias| alias.parse() == Ok(dialect)));
    /// }
    /// ```
    pub fn aliases(&self) -> &'static [&'static str] {
        self.0.aliases
    }

    /// A description in one line.
    ///
    /// ```
    /// assert!(unthink::dialects().all(|dialect| !dialect.about().is_empty()));
    /// ```
    pub fn about(&self) -> &'static str {
        self.0.about
    }

    /// The framings it comes in.
    ///
    /// ```
    /// use unthink::{Framing, dialects};
    ///
    /// let streams = dialects().filter(|dialect| dialect.framings().contains(&Framing::Sse));
    /// assert!(streams.count() > 3);
    /// ```
    pub fn framings(&self) -> &'static [Framing] {
        self.0.framings
    }

    /// The products and services that write it.
    ///
    /// ```
    /// let read = |product: &str| unthink::dialects().any(|dialect| dialect.products().any(|name| name == product));
    /// assert!(read("Claude Code"));
    /// ```
    pub fn products(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.0.product_names()
    }

    /// Whether [`convert`](crate::convert()) can write it.
    ///
    /// ```
    /// let only_read: Vec<_> = unthink::dialects().filter(|dialect| !dialect.is_written()).collect();
    /// assert!(only_read.iter().any(|dialect| dialect.name() == "sharegpt"));
    /// ```
    pub fn is_written(&self) -> bool {
        self.0.is_written()
    }
}
