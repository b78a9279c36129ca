//! Removes reasoning that repeats other reasoning of the same item.

use super::facts::lost_seal;
use super::{Gather, GatherStep};
use crate::model::content::{Attribute, Block, ContentKind};
use crate::model::copies::{Copies, CopyFate};
use crate::model::{Loss, Losses, SUMMARY, Source};

impl Gather {
    /// In a stream: makes a block of the text of each further source that counts.
    pub(super) fn other_sources(&mut self, steps: &mut Vec<GatherStep>, losses: &mut Losses) {
        let copies = std::mem::take(&mut self.sources.copies);
        for (source, text) in std::mem::take(&mut self.sources.others) {
            // A reader is shown the steps so far, and reasoning beside its summary; a target gets one of them.
            let summed_up = !self.apart && self.sources.first == Some(SUMMARY);
            if summed_up || copies.fate(source, self.sources.first) != CopyFate::Counts {
                losses.push(Loss::Copy);
                continue;
            }
            losses.push(Loss::Order);
            self.next(Block::new(ContentKind::Reasoning, source, 0), steps);
            self.text((&text.whole(), text.is_escaped()), steps);
            self.close(steps);
        }
    }

    /// Removes reasoning of sources that do not count. Of equal texts, the first that is signed or encrypted stays, or
    /// else the first of those with the most blocks.
    pub(super) fn without_copies(&mut self, losses: &mut Losses) {
        let mut reasoning =
            self.message.blocks[self.item..].iter().filter(|block| block.kind == ContentKind::Reasoning);
        let first = reasoning.next().map(|block| block.source);
        if reasoning.all(|block| Some(block.source) == first) {
            return;
        }
        let (mut copies, mut sources) = (Copies::default(), Vec::<(Source, (bool, usize))>::new());
        for block in self.message.blocks[self.item..].iter().filter(|block| block.kind == ContentKind::Reasoning) {
            copies.piece(block.source, true, &block.text.decoded());
            match sources.iter_mut().find(|(source, _)| *source == block.source) {
                Some((_, (sealed, blocks))) => (*sealed, *blocks) = (*sealed || block.is_sealed(), *blocks + 1),
                None => sources.push((block.source, (block.is_sealed(), 1))),
            }
        }
        let (fates, some) = (copies.fates(None), copies.has_text());
        let text = |at: usize| match fates[at] {
            CopyFate::Copy(of) => of,
            _ => at,
        };
        let goes = |at: usize| match fates[at] {
            CopyFate::Summary => true,
            CopyFate::Empty => some,
            _ => {
                let same = (0..sources.len()).filter(|other| text(*other) == text(at));
                let sealed = same.clone().find(|other| sources[*other].1.0);
                // The last of several that are equal is the first here.
                sealed.or_else(|| same.rev().max_by_key(|other| sources[*other].1.1)) != Some(at)
            }
        };
        let gone: Vec<Source> = (0..sources.len()).filter(|at| goes(*at)).map(|at| sources[at].0).collect();
        losses.extend(gone.iter().map(|_| Loss::Copy));
        let removed = self.message.blocks[self.item..].iter().filter(|block| gone.contains(&block.source));
        for name in [Attribute::Signature, Attribute::Ciphertext] {
            // The copy may have the only signature.
            let sealed = removed.clone().any(|block| block.filled(name).is_some());
            losses.extend(lost_seal(name).filter(|_| sealed));
        }
        let mut at = 0..;
        self.message.blocks.retain(|block| {
            let earlier = at.next() < Some(self.item);
            earlier || block.kind != ContentKind::Reasoning || !gone.contains(&block.source)
        });
    }
}
