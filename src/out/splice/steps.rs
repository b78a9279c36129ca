//! What was done with the bytes of the input, for those who compare it with the output: a file that is rewritten, a diff.

use super::*;

impl Splice {
    /// Tells of a step. What was written since the one before it was put in.
    pub(super) fn step(&mut self, step: Step, sinks: &mut Sinks) {
        if !self.options.steps {
            return;
        }
        self.tell_put(sinks);
        step.add_to(&mut sinks.steps);
        if let Step::Keep(n) = step {
            // They are written next.
            self.told += n as usize;
        }
    }

    /// Tells of bytes that were written and are none of the input's.
    pub(super) fn tell_put(&mut self, sinks: &mut Sinks) {
        if self.options.steps && sinks.out.len() > self.told {
            Step::Put((sinks.out.len() - self.told) as u64).add_to(&mut sinks.steps);
            self.told = sinks.out.len();
        }
    }
}
