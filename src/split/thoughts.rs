//! The reasoning of a message whose text is written as it comes.

use super::chars::{lead, solid};
use super::options::TextOptions;
use crate::json::text::incomplete;
use crate::model::copies::{Copies, CopyFate};
use crate::model::{Source, is_inline};

/// The reasoning of a message: that of the first source with text is written as it comes, that of other sources at the
/// end, unless it is a copy.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    sources: Vec<ReportedThought>,
    /// What they have in common. Empty for a raw text, whose reasoning has only one source.
    copies: Copies,
    /// The first source that has text.
    first: Option<usize>,
    ready: Vec<u8>,
    /// An earlier item with reasoning has ended.
    settled: bool,
    /// Reasoning of an earlier item has text, so that more is separated from it.
    shown: bool,
}

#[derive(Debug)]
struct ReportedThought {
    source: Source,
    /// The part of its blocks that can be written.
    ready: Vec<u8>,
    /// The end of the last block, which is dropped if it is white space before the closing tag.
    pending: Vec<u8>,
    blank: usize,
    /// The block has text other than white space.
    begun: bool,
    /// The next text is separated from the block before it.
    joins: bool,
    /// Any of its blocks has text other than white space.
    filled: bool,
    /// It has text.
    has_text: bool,
}

impl Thoughts {
    pub fn text(&mut self, source: Source, fresh: bool, text: &[u8], options: &TextOptions) {
        let i = self.sources.iter().position(|thought| thought.source == source);
        let begins = i.is_none();
        let i = i.unwrap_or_else(|| {
            self.sources.push(ReportedThought::new(source));
            self.sources.len() - 1
        });
        if !options.raw {
            self.copies.piece(source, fresh, text);
        }
        let thought = &mut self.sources[i];
        if fresh && !begins {
            thought.end(options);
            thought.joins = thought.has_text;
        }
        if !text.is_empty() && std::mem::take(&mut thought.joins) {
            thought.ready.extend_from_slice(options.join.as_bytes());
        }
        thought.more(text, options);
        thought.filled |= lead(text, 0) < text.len();
        if self.first.is_none() && thought.filled {
            self.first = Some(i);
            if self.shown {
                thought.ready.splice(0..0, options.join.bytes());
            }
        }
    }

    /// The bytes that can be written.
    pub fn ready(&mut self) -> &mut Vec<u8> {
        match self.first.filter(|_| self.ready.is_empty()) {
            Some(first) => &mut self.sources[first].ready,
            None => &mut self.ready,
        }
    }

    pub fn finish(&mut self, options: &TextOptions) {
        self.settle(options);
        if self.settled {
            self.ready.push(b'\n');
        }
    }

    /// Ends the item that these sources belong to.
    pub fn settle(&mut self, options: &TextOptions) {
        if self.sources.is_empty() {
            return;
        }
        self.settled = true;
        self.sources.iter_mut().for_each(|thought| thought.end(options));
        let first = self.first.unwrap_or(0);
        self.ready.append(&mut self.sources[first].ready);
        let fates = std::mem::take(&mut self.copies).fates(Some(self.sources[first].source));
        for i in (0..self.sources.len()).filter(|i| *i != first) {
            let counts = fates.get(i).is_none_or(|fate| *fate == CopyFate::Counts);
            if counts && self.sources[i].filled {
                self.ready.extend_from_slice(options.join.as_bytes());
                self.ready.append(&mut self.sources[i].ready);
            }
        }
        self.shown |= self.first.take().is_some();
        self.sources.clear();
    }

    pub fn buffered(&self) -> usize {
        self.sources.iter().map(|thought| thought.ready.len() + thought.pending.len()).sum()
    }
}

impl ReportedThought {
    fn new(source: Source) -> Self {
        let (ready, pending, blank) = (Vec::new(), Vec::new(), 0);
        Self { source, ready, pending, blank, begun: false, joins: false, filled: false, has_text: false }
    }

    fn trims(&self, options: &TextOptions) -> bool {
        is_inline(self.source) && !options.verbatim
    }

    fn more(&mut self, text: &[u8], options: &TextOptions) {
        self.has_text |= !text.is_empty();
        self.pending.extend_from_slice(text);
        let trims = self.trims(options);
        if trims && !self.begun {
            let start = lead(&self.pending, 0);
            self.pending.drain(..start);
            self.begun = incomplete(&self.pending) < self.pending.len();
        }
        let end = match trims {
            true if !self.begun => return,
            true => solid(&self.pending, self.blank),
            false => self.pending.len() - incomplete(&self.pending),
        };
        if end > self.blank {
            options.put(&self.pending[..end], &mut self.ready);
            self.pending.drain(..end);
            self.blank = 0;
        }
        self.blank = if trims { self.pending.len() - incomplete(&self.pending[self.blank..]) } else { 0 };
    }

    /// Ends the block.
    fn end(&mut self, options: &TextOptions) {
        if self.trims(options) {
            self.pending.drain(..self.blank.min(self.pending.len()));
        }
        options.put(&self.pending, &mut self.ready);
        self.pending.clear();
        (self.blank, self.begun) = (0, false);
    }
}
