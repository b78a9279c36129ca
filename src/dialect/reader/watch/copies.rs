//! Text that goes from a record as reasoning, and stands once more in a member of it that is not read.

use super::texts::Texts;
use crate::dialect::draft::{Draft, Item, Record, Stretch};
use crate::dialect::formats::shared::deep_literals;
use crate::dialect::read::{Entry, Walked};
use crate::dialect::reader::understood::{Authors, is_spoken, is_thought};
use crate::dialect::shape::Slot;
use crate::dialect::suspect::CopySearch;
use crate::inline::{Scanned, StretchKind, TagScanner};
use crate::json::{Literal, text};
use std::ops::Range;

/// What is known of the reasoning in a record that holds records, while these are examined.
#[derive(Default)]
pub(in crate::dialect::reader) enum Across {
    /// It holds none.
    #[default]
    Nothing,
    /// They are read for the first time, and their reasoning is noted.
    Gathers(CopySearch),
    /// All reasoning is known: it is looked for in what none of them reads.
    Compares(CopySearch),
}

impl Across {
    /// Where reasoning of a record, or of one that stands beside it in another one, stands in what is not read of it.
    /// `foreign`: nothing of it is read.
    pub fn copied(&mut self, texts: Texts<'_>, record: &Record, foreign: bool) -> Option<usize> {
        match self {
            Across::Gathers(copies) if !foreign => texts.add_drafts(record, copies),
            Across::Compares(copies) if foreign => return texts.first_of(copies, std::iter::once(0)),
            Across::Compares(copies) => {
                let unread = record.rest.iter().map(|rest| rest.value);
                return texts.first_of(copies, unread).or_else(|| texts.copied(record));
            }
            _ => (),
        }
        if foreign { None } else { texts.copied(record) }
    }
}

impl Texts<'_> {
    /// Where reasoning of the drafts of a record stands in its unread members.
    pub fn copied(self, found: &Record) -> Option<usize> {
        if found.rest.is_empty() {
            return None;
        }
        let mut copies = CopySearch::default();
        self.add_drafts(found, &mut copies);
        self.first_of(&copies, found.rest.iter().map(|rest| rest.value))
    }

    /// Adds the reasoning of the drafts of a record.
    pub fn add_drafts(self, found: &Record, copies: &mut CopySearch) {
        for item in &found.items {
            if let Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) | Item::Chunk(draft) = item {
                self.add_draft(draft, copies);
            }
        }
    }

    /// The same for a record that was walked by a shape. `longest`: no unread value is longer, in bytes.
    pub fn copied_from_nodes(
        self,
        walked: &Walked,
        authors: &Authors<'_>,
        (longest, unread): (usize, impl Iterator<Item = usize>),
    ) -> Option<usize> {
        let mut copies = CopySearch::within(longest)?;
        let gone = self.add_nodes(walked, authors, &mut copies);
        // What goes with its node is no copy.
        let stays =
            |at: &usize| gone[..gone.partition_point(|value| value.start <= *at)].last().is_none_or(|v| v.end <= *at);
        self.first_of(&copies, unread.filter(stays))
    }

    /// Adds the reasoning of a record that was walked by a shape. Returns where its nodes stand.
    pub fn add_nodes(self, walked: &Walked, authors: &Authors<'_>, copies: &mut CopySearch) -> Vec<Range<usize>> {
        let (mut end, mut gone) = (0, Vec::new());
        for node in (0..walked.nodes.len() as u32).filter(|node| is_thought(walked, *node)) {
            let value = walked.nodes[node as usize].value.clone();
            if value.start >= end {
                self.add_value(value.clone(), copies);
                end = value.end;
                gone.push(value);
            }
        }
        let by_model = |entry: &&Entry| is_spoken(walked, entry.node) && !authors.is_others(entry.node);
        for text in walked.texts().filter(by_model).filter_map(Entry::literal) {
            self.add_tagged(text, copies);
        }
        for entry in walked.read(|entry| entry.slot == Slot::Thought) {
            self.add_value(entry.value.clone(), copies);
        }
        gone
    }

    /// Where one of these texts stands in values.
    pub fn first_of(self, copies: &CopySearch, mut unread: impl Iterator<Item = usize>) -> Option<usize> {
        if copies.is_empty() {
            return None;
        }
        unread.find_map(|at| copies.first_in(self.record, at))
    }

    fn add_draft(self, draft: &Draft, copies: &mut CopySearch) {
        for unit in &draft.units {
            match unit {
                Stretch::Field(_, literal) => copies.add_raw(literal.raw(self.record)),
                Stretch::Deep(_, value) => self.add_value(value.clone(), copies),
                Stretch::Text(literal) if draft.is_model() => self.add_tagged(*literal, copies),
                _ => (),
            }
        }
    }

    /// Adds the texts in a value that is reasoning.
    fn add_value(self, value: Range<usize>, copies: &mut CopySearch) {
        let value = &self.record[value];
        deep_literals(value).iter().for_each(|literal| copies.add_raw(literal.raw(value)));
    }

    /// Adds what stands between tags in a text.
    fn add_tagged(self, literal: Literal, copies: &mut CopySearch) {
        let raw = literal.raw(self.record);
        if !self.tags.may_hold(raw, literal.escaped) {
            return;
        }
        let mut block = Vec::new();
        let mut scanner = TagScanner::new(self.tags, self.inline);
        let mut sink = |found: Scanned<'_>| match found.part {
            StretchKind::Reasoning => block.extend_from_slice(found.text),
            StretchKind::Close => copies.add(&std::mem::take(&mut block)),
            _ => (),
        };
        scanner.feed(&text::decoded(raw), &mut sink);
        scanner.finish(&mut sink);
        copies.add(&block);
    }
}
