//! Steps: how an output was made from its input. In order, the steps cover all of the input and all of the output.

use std::collections::VecDeque;

/// What was done with the next bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpliceStep {
    /// This many bytes of the input are written.
    Keep(u64),
    /// This many bytes of the input are left out.
    Cut(u64),
    /// This many bytes are written that are not from the input.
    Put(u64),
}

impl SpliceStep {
    /// How many bytes the step covers.
    fn len(self) -> u64 {
        let (SpliceStep::Keep(n) | SpliceStep::Cut(n) | SpliceStep::Put(n)) = self;
        n
    }

    /// The same step with another number of bytes.
    fn with(self, n: u64) -> Self {
        match self {
            SpliceStep::Keep(_) => SpliceStep::Keep(n),
            SpliceStep::Cut(_) => SpliceStep::Cut(n),
            SpliceStep::Put(_) => SpliceStep::Put(n),
        }
    }

    /// Appends the step to others. Two of the same kind become one.
    pub fn add_to(self, steps: &mut Vec<SpliceStep>) {
        match steps.last_mut() {
            Some(last) if std::mem::discriminant(last) == std::mem::discriminant(&self) => {
                *last = last.with(last.len() + self.len());
            }
            _ if self.len() > 0 => steps.push(self),
            _ => (),
        }
    }
}

/// Composes the steps of two outputs in a row, of which the second reads what the first wrote.
#[derive(Debug, Default)]
pub struct Composed {
    /// Steps of the first about bytes that the second has not reached.
    first: VecDeque<SpliceStep>,
}

impl Composed {
    /// Takes the next steps of both, and appends the composed ones. The second may be behind the first.
    pub fn compose(
        &mut self,
        first: &mut Vec<SpliceStep>,
        second: &mut Vec<SpliceStep>,
        together: &mut Vec<SpliceStep>,
    ) {
        self.first.extend(first.drain(..));
        for step in second.drain(..) {
            match step {
                SpliceStep::Put(_) => step.add_to(together),
                SpliceStep::Keep(n) => self.read(n, true, together),
                SpliceStep::Cut(n) => self.read(n, false, together),
            }
        }
        self.cuts(together);
    }

    /// The second keeps or cuts `n` bytes.
    fn read(&mut self, mut n: u64, keeps: bool, together: &mut Vec<SpliceStep>) {
        while n > 0 {
            self.cuts(together);
            let Some(step) = self.first.pop_front() else { return };
            let here = step.len().min(n);
            n -= here;
            if step.len() > here {
                self.first.push_front(step.with(step.len() - here));
            }
            match (step, keeps) {
                (_, true) => step.with(here).add_to(together),
                (SpliceStep::Keep(_), false) => SpliceStep::Cut(here).add_to(together),
                (_, false) => (),
            }
        }
    }

    /// Appends the cuts of the first, which the second does not get.
    fn cuts(&mut self, together: &mut Vec<SpliceStep>) {
        while let Some(SpliceStep::Cut(_)) = self.first.front() {
            self.first.pop_front().into_iter().for_each(|cut| cut.add_to(together));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SpliceStep::*;
    use super::*;

    #[test]
    fn steps_of_two_outputs_are_those_of_one() {
        for (first, second, want) in [
            (vec![Keep(5)], vec![Keep(5)], vec![Keep(5)]),
            (
                vec![Keep(2), Cut(3), Keep(4)],
                vec![Keep(3), Cut(2), Keep(1)],
                vec![Keep(2), Cut(3), Keep(1), Cut(2), Keep(1)],
            ),
            (vec![Keep(2), Put(3), Cut(1)], vec![Keep(3), Cut(2)], vec![Keep(2), Put(1), Cut(1)]),
            (vec![Cut(4)], vec![Put(1)], vec![Put(1), Cut(4)]),
            (vec![Cut(2), Keep(2)], vec![Cut(2)], vec![Cut(4)]),
        ] {
            let mut together = Vec::new();
            Composed::default().compose(&mut first.clone(), &mut second.clone(), &mut together);
            assert_eq!(together, want, "{first:?} {second:?}");
            // One by one, and the second late.
            let (mut composed, mut late) = (Composed::default(), Vec::new());
            first.iter().for_each(|step| composed.compose(&mut vec![*step], &mut Vec::new(), &mut late));
            second.iter().for_each(|step| composed.compose(&mut Vec::new(), &mut vec![*step], &mut late));
            let sum =
                |steps: &[SpliceStep]| steps.iter().filter(|s| !matches!(s, Cut(_))).map(|s| s.len()).sum::<u64>();
            assert_eq!(sum(&late), sum(&want), "{first:?} {second:?}");
        }
    }
}
