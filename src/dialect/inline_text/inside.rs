//! How a text begins, and how it ends so far.

use super::TextReader;
use crate::inline::{Options, Start, Tags};

impl TextReader {
    /// The reader of a text that may not come. None is needed before it comes, unless a text begins with reasoning.
    pub fn before_text(tags: &Tags, options: Options) -> Option<Box<Self>> {
        (options.start == Start::Reasoning).then(|| Box::new(Self::new(tags, options, false)))
    }

    /// Whether a block is open.
    pub fn is_inside(&self) -> bool {
        self.scanner.thinks() || self.scanner.awaits_close()
    }

    /// Its end, if that may be the beginning of a delimiter, or one of which it is not known yet how it stands.
    pub fn waiting(&self) -> &[u8] {
        self.scanner.partial_delimiter()
    }
}
