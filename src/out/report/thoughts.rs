//! The reasoning of a message whose text is written as it comes.

use super::chars::{incomplete, lead, solid};
use super::text::{TextOptions, put};
use crate::json::text::utf8;
use crate::model::{SUMMARY, Source, is_inline};

/// Copies are known by so many bytes and their length.
const LONGEST: usize = 1 << 20;

/// The reasoning of a message: that of the source that has text first, as it comes, and that of the others if they are
/// no copies of another.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    sources: Vec<Thought>,
    /// The source that has text first.
    first: Option<usize>,
    ready: Vec<u8>,
    /// There were items before these sources.
    settled: bool,
    /// Reasoning of one of them is shown.
    shown: bool,
}

#[derive(Debug)]
struct Thought {
    source: Source,
    /// Its blocks as they are shown, as far as they are.
    ready: Vec<u8>,
    /// The end of the last block, which goes if the block ends there; so much of it is white space.
    pending: Vec<u8>,
    blank: usize,
    /// Something other than white space was in the block.
    begun: bool,
    /// What comes next is parted from the block before it.
    joins: bool,
    /// The same of all blocks.
    filled: bool,
    /// How long its text is.
    len: usize,
    /// The text, as much of it as is compared for knowing a copy. A raw text has one place for its reasoning, so that
    /// nothing is one.
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

    /// What can be written.
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

    /// The item is over whose sources these are.
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
            // The first source has text, and is another one than this.
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

    /// The block is over.
    fn end(&mut self, options: &TextOptions) {
        if self.trims(options) {
            self.pending.drain(..self.blank.min(self.pending.len()));
        }
        put(&self.pending, options, &mut self.ready);
        self.pending.clear();
        (self.blank, self.begun) = (0, false);
    }
}
