//! The list of inline tags.

use crate::front::{Blocks, InvalidOption, Unclosed};
use crate::inline::{NoChoice, Row, TAGS, row};
use std::str::FromStr;

is_its_name!(TagInfo.name);

/// A row of the tag table: inline delimiters of reasoning. It is parsed from its name, and stands for it where an option takes
/// one.
///
/// ```
/// use unthink::{InputOptions, StripOptions, TagInfo, strip};
///
/// let think: TagInfo = "think".parse()?;
/// let options = StripOptions::default().input(InputOptions::default().tags([think]));
/// assert_eq!(strip(b"<think>Low pressure.</think>Rain by noon.", &options)?.output, b"Rain by noon.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct TagInfo(&'static Row);

/// All rows of the tag table, in the order of `unthink list tags`.
///
/// ```
/// let named: Vec<_> = unthink::tags().filter(|tag| !tag.is_default()).collect();
/// assert!(!named.is_empty() && named.len() < unthink::tags().count());
/// ```
pub fn tags() -> impl Iterator<Item = TagInfo> {
    TAGS.iter().map(TagInfo)
}

impl FromStr for TagInfo {
    type Err = InvalidOption;

    fn from_str(name: &str) -> Result<Self, InvalidOption> {
        let why = || match row(name, &[]) {
            Err(NoChoice::Name(_, why)) => why,
            _ => "delimiters that are no row of the tag table".to_string(),
        };
        tags().find(|tag| tag.name() == name).ok_or_else(|| InvalidOption::new("tags", format!("{name:?}: {}", why())))
    }
}

impl TagInfo {
    /// Its name, for [`InputOptions::tags`](crate::InputOptions::tags) and
    /// [`ConvertOptions::tag`](crate::ConvertOptions::tag).
    ///
    /// ```
    /// assert!(unthink::tags().any(|tag| tag.name() == "think"));
    /// ```
    pub fn name(&self) -> &'static str {
        &self.0.name
    }

    /// What opens a block. There may be other spellings of it.
    ///
    /// ```
    /// let think: unthink::TagInfo = "think".parse()?;
    /// assert_eq!((think.open(), think.close()), ("<think>", "</think>"));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn open(&self) -> &'static str {
        &self.0.open
    }

    /// What closes a block. There may be other spellings of it.
    ///
    /// ```
    /// assert!(unthink::tags().all(|tag| tag.open() != tag.close()));
    /// ```
    pub fn close(&self) -> &'static str {
        &self.0.close
    }

    /// What an opening delimiter without a closing one means, unless an option says otherwise.
    ///
    /// ```
    /// let think: unthink::TagInfo = "think".parse()?;
    /// assert_eq!(think.unclosed(), unthink::Unclosed::Reasoning);
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn unclosed(&self) -> Unclosed {
        self.0.unclosed
    }

    /// How many blocks of a message count, unless an option says otherwise.
    ///
    /// ```
    /// let think: unthink::TagInfo = "think".parse()?;
    /// assert_eq!(think.blocks(), unthink::Blocks::All);
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn blocks(&self) -> Blocks {
        self.0.blocks
    }

    /// Whether it is in force unless others are named.
    ///
    /// ```
    /// assert!("think".parse::<unthink::TagInfo>()?.is_default());
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn is_default(&self) -> bool {
        self.0.default
    }
}
