//! The losses of a conversion.

use super::*;

impl Splice {
    /// How often each loss occurred.
    pub fn losses(&self) -> &BTreeMap<Loss, u64> {
        &self.losses.counts
    }

    pub(super) fn lose(&mut self, loss: Loss) {
        *self.losses.counts.entry(loss).or_default() += 1;
        if self.options.each_loss {
            self.losses.by_record.push((self.losses.record, loss));
        }
    }

    /// Writes the losses, one line for each kind and record.
    pub(super) fn write_losses(&mut self, out: &mut Vec<u8>) {
        let mut counts: BTreeMap<(u64, Loss), u64> = BTreeMap::new();
        self.losses.by_record.drain(..).for_each(|loss| *counts.entry(loss).or_default() += 1);
        for ((record, loss), n) in counts {
            let (name, ..) = loss.words();
            out.extend_from_slice(format!("{{\"record\":{record},\"loss\":\"{name}\",\"count\":{n}}}\n").as_bytes());
        }
    }
}
