//! Reports what was done with the bytes of the input, for callers that compare it with the output: a diff, or a file
//! that is rewritten.

use super::*;

impl Splice {
    /// Reports a step. Bytes written since the step before are reported as put in.
    pub(super) fn step(&mut self, step: SpliceStep, sinks: &mut Sinks) {
        if !self.options.steps {
            return;
        }
        self.report_put(sinks);
        step.add_to(&mut sinks.steps);
        if let SpliceStep::Keep(n) = step {
            // The bytes of this step are written next.
            self.reported += n as usize;
        }
    }

    /// Reports bytes that were written and are not from the input.
    pub(super) fn report_put(&mut self, sinks: &mut Sinks) {
        if self.options.steps && sinks.out.len() > self.reported {
            SpliceStep::Put((sinks.out.len() - self.reported) as u64).add_to(&mut sinks.steps);
            self.reported = sinks.out.len();
        }
    }
}
