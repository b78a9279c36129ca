//! The reasoning of a message whose text is written as it comes.

use super::chars::{incomplete, lead, solid};
use super::text::{TextOptions, put};
use crate::json::text::utf8;
use crate::model::{SUMMARY, Source, is_inline};

/// How many bytes of a text are kept to recognise copies, besides its length.
const LONGEST: usize = 1 << 20;

/// The reasoning of a message: that of the first source with text is written as it comes, that of other sources at the
/// end, unless it is a copy.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    sources: Vec<Thought>,
    /// The first source that has text.
    first: Option<usize>,
    ready: Vec<u8>,
    /// An earlier item with reasoning has ended.
    settled: bool,
    /// Reasoning of an earlier item has text, so that more is separated from it.
    shown: bool,
}

#[derive(Debug)]
struct Thought {
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
    /// The length of its text.
    len: usize,
    /// The part of its text that copies are compared with. Empty for a raw text, whose reasoning has only one source.
    text: Vec<u8>,
}

impl Thoughts {
    pub fn text(&mut self, source: Source, fresh: bool, text: &[u8], options: &TextOptions) {
        let i = self.sources.iter().position(|thought| thought.source == source);
        let begins = i.is_none();
        let i = i.unwrap_or_else(|| {
            let (ready, pending, text) = (Vec::new(), Vec::new(), Vec::new());
            let (blank, begun, filled) = (0, false, false);
            self.sources.push(Thought { source, ready, pending, blank, begun, joins: false, filled, len: 0, text });
            self.sources.len() - 1
        });
        let thought = &mut self.sources[i];
        if fresh && !begins {
            thought.end(options);
            thought.joins = thought.len > 0;
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
        let texts: Vec<String> = self.sources.iter().map(|thought| utf8(&thought.text).trim().to_string()).collect();
        for i in (0..texts.len()).filter(|i| *i != first) {
            let same = |j: usize| {
                let (a, b) = (&self.sources[i], &self.sources[j]);
                texts[i] == texts[j] && (a.len == b.len || a.len.max(b.len) <= LONGEST)
            };
            let copy = !options.raw && (same(first) || (0..i).any(same));
            // A summary is left out beside another source, which came first with text.
            let summary = self.sources[i].source == SUMMARY;
            if !copy && !summary && self.sources[i].filled {
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

impl Thought {
    fn trims(&self, options: &TextOptions) -> bool {
        is_inline(self.source) && !options.verbatim
    }

    fn more(&mut self, text: &[u8], options: &TextOptions) {
        self.len += text.len();
        if !options.raw && self.len <= LONGEST {
            self.text.extend_from_slice(text);
        }
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
            put(&self.pending[..end], options, &mut self.ready);
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
        put(&self.pending, options, &mut self.ready);
        self.pending.clear();
        (self.blank, self.begun) = (0, false);
    }
}
