//! Texts that are searched for passages which an answer shares with them.
//!
//! Each text has a hash for every block of half a passage's length: a shared passage holds such a block. Where an answer
//! has one, the texts around all of its places are compared. If that is more work than a few looks at each byte, since
//! the same words stand in many places, every window of the texts is put into a table instead. So the time is linear in
//! the texts and the answers, whatever they say, and the memory too: about twice the texts, unless they need the table.

use super::compare::{common, is_first};
use super::fold::{BARRIER, Folded, Folder, chars};
use super::windows::{BlockIndex, WindowTable, blocks, windows};
use std::collections::HashMap;
use std::ops::Range;

/// How many bytes may be compared for each byte of the texts and of the answers.
const LOOKS: usize = 1;

/// How many bytes may be compared besides: small searches need no table.
const SLACK: usize = 1 << 12;

/// A stretch of an answer, and where it stands in the buffer.
pub(super) type SharedStretch = (Range<usize>, usize);

/// The texts.
#[derive(Debug)]
pub(super) struct Corpus {
    /// The least length of a passage, in characters.
    least: usize,
    /// The length of a block, in bytes. A passage has at least as many bytes as characters, so that a block lies in it,
    /// wherever the blocks begin.
    block: usize,
    /// The texts, folded, with a barrier behind each.
    pub buffer: Vec<u8>,
    blocks: BlockIndex,
    /// All windows of the first bytes of the buffer, and how many bytes, once comparing costs more.
    table: Option<(WindowTable, usize)>,
    /// How many bytes of answers were searched, and how many were compared.
    searched: usize,
    compared: usize,
}

impl Corpus {
    /// No texts, to be searched for passages of at least `least` characters, and of at least `prefix` bytes that begin
    /// a text ([`Corpus::may_share`]).
    pub fn new(least: usize, prefix: usize) -> Self {
        let block = least.div_ceil(2).min(prefix);
        let (blocks, table) = (BlockIndex::default(), None);
        Self { least, block, buffer: Vec::new(), blocks, table, searched: 0, compared: 0 }
    }

    /// Adds a text. Returns its place in the buffer; empty if it is white space.
    pub fn add(&mut self, text: &str) -> Range<usize> {
        let start = self.buffer.len();
        let mut scratch = Folded { bytes: std::mem::take(&mut self.buffer), places: Vec::new() };
        let mut folder = Folder::new(&mut scratch, false);
        folder.push(text, 0);
        folder.end();
        self.buffer = scratch.bytes;
        let at = start..self.buffer.len();
        if !at.is_empty() {
            self.buffer.push(BARRIER);
            self.blocks.insert(&self.buffer, at.clone(), self.block);
        }
        at
    }

    /// Whether no passage can be found.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Whether an answer may share anything: it has a block of the texts.
    pub fn may_share(&self, own: &[u8]) -> bool {
        let mut hit = false;
        blocks(own, self.block, |at, hash| {
            hit = self.blocks.places(&self.buffer, &own[at..at + self.block], hash).next().is_some();
            !hit
        });
        hit
    }

    /// The passages of these areas of an answer that stand in the texts, each with one of its places there. Passages
    /// that touch each other are one. `counts`: whether a place in the buffer counts.
    pub fn shared(&mut self, own: &[u8], areas: &[Range<usize>], counts: &dyn Fn(usize) -> bool) -> Vec<SharedStretch> {
        self.searched += areas.iter().map(Range::len).sum::<usize>();
        let compared = if self.table.is_none() { self.compare(own, areas, counts) } else { None };
        let mut found = compared.unwrap_or_else(|| self.look_up(own, areas, counts));
        found.sort_by_key(|(at, _)| (at.start, std::cmp::Reverse(at.end)));
        found.dedup_by(|(next, _), (last, _)| {
            let touches = next.start <= last.end;
            last.end = if touches { last.end.max(next.end) } else { last.end };
            touches
        });
        found
    }

    /// Finds passages by comparing the texts around each block. `None` if that is too much work.
    fn compare(
        &mut self,
        own: &[u8],
        areas: &[Range<usize>],
        counts: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<SharedStretch>> {
        let most = LOOKS * (self.buffer.len() + self.searched) + SLACK;
        let n = self.block;
        let mut found: Vec<SharedStretch> = Vec::new();
        // For each distance between two places: how far the texts were compared.
        let mut compared: HashMap<isize, usize> = HashMap::new();
        for area in areas {
            // All windows with a block that begins here are part of a passage already.
            let mut known = 0..0;
            blocks(&own[area.clone()], n, |at, hash| {
                let at = area.start + at;
                if known.contains(&at) {
                    return true;
                }
                for there in self.blocks.places(&self.buffer, &own[at..at + n], hash) {
                    self.compared += 1;
                    let end = compared.entry(there as isize - at as isize).or_default();
                    if *end > at || !counts(there) {
                        continue;
                    }
                    let all = common(own, &self.buffer, at, there, n);
                    self.compared += all.len();
                    *end = all.end;
                    if chars(&own[all.clone()]) >= self.least {
                        known = inner(own, &all, self.least - 1);
                        found.push((all.clone(), there + all.start - at));
                    }
                    if self.compared > most {
                        return false;
                    }
                }
                self.compared <= most
            });
        }
        (self.compared <= most).then_some(found)
    }

    /// Finds the same passages by a table of all windows.
    fn look_up(&mut self, own: &[u8], areas: &[Range<usize>], counts: &dyn Fn(usize) -> bool) -> Vec<SharedStretch> {
        let (table, upto) = self.table.get_or_insert_with(|| (WindowTable::new(self.least), 0));
        table.insert(&self.buffer, *upto..self.buffer.len());
        *upto = self.buffer.len();
        let mut found: Vec<SharedStretch> = Vec::new();
        for area in areas {
            windows(&own[area.clone()], self.least, |at, hash| {
                let at = area.start + at.start..area.start + at.end;
                let Some(there) = table.get(&self.buffer, &own[at.clone()], hash).filter(|there| counts(*there)) else {
                    return;
                };
                // Windows one behind another are one passage at once, so that there are few.
                match found.last_mut() {
                    Some((last, _)) if last.start <= at.start && at.start <= last.end => last.end = at.end,
                    _ => found.push((at, there)),
                }
            });
        }
        found
    }
}

/// A range without `n` characters at each end.
fn inner(own: &[u8], at: &Range<usize>, n: usize) -> Range<usize> {
    let (mut start, mut end) = (at.start, at.end);
    for _ in 0..n {
        start = (start + 1..at.end).find(|i| is_first(own[*i])).unwrap_or(at.end);
        end = (at.start..end).rev().find(|i| is_first(own[*i])).unwrap_or(at.start);
    }
    start..end
}
