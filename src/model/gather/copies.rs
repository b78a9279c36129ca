//! Removes reasoning that repeats other reasoning of the same item.

use super::{Gather, Step, lost_seal};
use crate::model::content::{Attribute, Block, Kind};
use crate::model::{Loss, SUMMARY, Source};

impl Gather {
    /// In a stream: makes a block of the text of each further source, unless it is a copy.
    pub(super) fn other_sources(&mut self, steps: &mut Vec<Step>, losses: &mut Vec<Loss>) {
        let first = plain(&std::mem::take(&mut self.first_text));
        for (source, text) in std::mem::take(&mut self.others) {
            let summary = match self.apart {
                // A reader is shown the steps so far, and reasoning beside its summary.
                true => source == SUMMARY && !first.is_empty(),
                false => [Some(source), self.first].contains(&Some(SUMMARY)),
            };
            let copy = plain(&text);
            let is_part = |first: &[u8]| !self.apart && memchr::memmem::find(first, &copy).is_some();
            if summary || copy.is_empty() || first == copy || is_part(&first) {
                losses.push(Loss::Copy);
                continue;
            }
            losses.push(Loss::Order);
            self.next(Block::new(Kind::Reasoning, source, 0), steps);
            self.text(&text, steps);
            self.close(steps);
        }
    }

    /// Removes reasoning that repeats another source of the item, and a summary beside the text that it sums up. Of
    /// equal texts, the first that is signed or encrypted stays.
    pub(super) fn without_copies(&mut self, losses: &mut Vec<Loss>) {
        let mut reasoning = self.message.blocks[self.item..].iter().filter(|block| block.kind == Kind::Reasoning);
        let first = reasoning.next().map(|block| block.source);
        if reasoning.all(|block| Some(block.source) == first) {
            return;
        }
        let mut sources: Vec<(Source, Vec<u8>, bool)> = Vec::new();
        for block in self.message.blocks[self.item..].iter().filter(|block| block.kind == Kind::Reasoning) {
            let (text, seal) = (plain(&block.text), block.is_sealed());
            match sources.iter_mut().find(|(source, ..)| *source == block.source) {
                Some((_, whole, sealed)) => {
                    whole.extend(text);
                    *sealed |= seal;
                }
                None => sources.push((block.source, text, seal)),
            }
        }
        let goes = |at: usize| {
            let (source, text, sealed) = &sources[at];
            let covers = |(other, (_, whole, seal)): (usize, &(Source, Vec<u8>, bool))| match whole.len() == text.len()
            {
                true => !text.is_empty() && (!seal, other) < (!sealed, at) && whole == text,
                false if self.apart => text.is_empty() && !whole.is_empty(),
                false => memchr::memmem::find(whole, text).is_some(),
            };
            let raw = |(other, text, _): &(Source, Vec<u8>, bool)| *other != SUMMARY && !text.is_empty();
            let others = sources.iter().enumerate().filter(|(other, _)| *other != at);
            others.clone().any(covers) || *source == SUMMARY && sources.iter().any(raw)
        };
        let gone: Vec<Source> = (0..sources.len()).filter(|at| goes(*at)).map(|at| sources[at].0).collect();
        losses.extend(gone.iter().map(|_| Loss::Copy));
        let copies = self.message.blocks[self.item..].iter().filter(|block| gone.contains(&block.source));
        for name in [Attribute::Signature, Attribute::Ciphertext] {
            // The copy may have the only signature.
            let sealed = copies.clone().any(|block| block.filled(name).is_some());
            losses.extend(lost_seal(name).filter(|_| sealed));
        }
        let mut at = 0..;
        self.message.blocks.retain(|block| {
            let earlier = at.next() < Some(self.item);
            earlier || block.kind != Kind::Reasoning || !gone.contains(&block.source)
        });
    }
}

/// A text without white space, since the blocks of two sources may be separated differently.
fn plain(text: &[u8]) -> Vec<u8> {
    text.iter().filter(|b| !b.is_ascii_whitespace()).copied().collect()
}
