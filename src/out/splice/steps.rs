//! What was done with the bytes of the input, for those who compare it with the output: a file that is rewritten, a diff.

use super::*;

impl Splice {
    /// Reports a step. What was written since the one before it was put in.
    pub(super) fn step(&mut self, step: Step, sinks: &mut Sinks) {
        if !self.options.steps {
            return;
        }
        self.report_put(sinks);
        step.add_to(&mut sinks.steps);
        if let Step::Keep(n) = step {
            // They are written next.
            self.reported += n as usize;
        }
    }

    /// Reports bytes that were written and are none of the input's.
    pub(super) fn report_put(&mut self, sinks: &mut Sinks) {
        if self.options.steps && sinks.out.len() > self.reported {
            Step::Put((sinks.out.len() - self.reported) as u64).add_to(&mut sinks.steps);
            self.reported = sinks.out.len();
        }
    }
}
