//! A set of rows that readers share: an engine keeps it as long as it reads, beside whoever made it.

use super::TagTable;
use crate::inline::tags::{Row, TAGS};
use std::ops::Deref;
use std::sync::Arc;

/// A set of rows, prepared for searching. A clone shares them.
#[derive(Clone)]
pub struct Tags(pub(super) Arc<TagTable>);

impl Tags {
    /// The same rows, with sections of reasoning to empty.
    pub fn redacting(self) -> Self {
        let redactions = Some(Self::new(vec![Row::redacted()]));
        Self(Arc::new(TagTable { redactions, ..Arc::unwrap_or_clone(self.0) }))
    }

    /// The delimiters of sections inside of reasoning, if these are to be emptied.
    pub fn redactions(&self) -> Option<&Self> {
        self.redactions.as_ref()
    }
}

impl Default for Tags {
    fn default() -> Self {
        Self::new(TAGS.iter().filter(|row| row.default).cloned().collect())
    }
}

impl Deref for Tags {
    type Target = TagTable;

    fn deref(&self) -> &TagTable {
        &self.0
    }
}
