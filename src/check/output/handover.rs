//! Findings about delegations. A finding about a delegation without an end waits until that end, or for the end of the
//! conversation.

use super::Check;
use super::gather::{Awaited, GatheredMessage};
use super::place::{UnplacedFinding, at_mark};
use crate::agents::delegation::{NumberedDelegation, is_blank, prompt_length};
use crate::check::rules::UNRETURNED;
use crate::check::{Handover, RuleSearch};
use crate::model::{Lane, Mark, Marked};

/// What a finding about a delegation waits for.
fn end_of(delegation: &NumberedDelegation) -> Awaited {
    Awaited::Delegation(delegation.id)
}

impl Check {
    /// Notes the handovers among the marks of a message.
    pub(super) fn marked(&mut self, lane: Lane, marks: &[Marked]) {
        let Some(standing) = self.delegations.standing(lane).cloned() else { return };
        let (mut open, mut begins) = (standing.depth, standing.begins.iter());
        let mut handovers = Vec::new();
        for Marked { mark, prompt, at } in marks {
            match mark {
                Mark::Intermediate => (),
                Mark::Returns if open == 0 => handovers.push((*at, Handover::Strays, None)),
                Mark::Returns => open -= 1,
                Mark::Delegates { .. } => {
                    open += 1;
                    let (length, blank) = (prompt_length(prompt), is_blank(prompt));
                    let begun = begins.next().map(|(delegation, _)| end_of(delegation));
                    handovers.push((*at, Handover::Begins { depth: open, length, blank }, begun));
                }
            }
        }
        standing.ends.iter().for_each(|delegation| self.handed_back(delegation, false));
        if let Some(message) = self.open.get_mut(&lane) {
            message.handovers = handovers;
        }
    }

    /// Notes the end of a delegation. `left`: the conversation ended, and control never came back.
    pub(super) fn handed_back(&mut self, delegation: &NumberedDelegation, left: bool) {
        if !self.options.uses(&UNRETURNED) {
            return;
        }
        match self.found.waiting.remove(&end_of(delegation)) {
            Some(waited) if left => {
                waited.into_iter().for_each(|(name, finding)| self.found.findings.push(name, finding))
            }
            Some(_) => (),
            None => drop(self.found.left.insert(end_of(delegation), left)),
        }
    }

    /// Applies the rules about handovers to a message that is over.
    pub(super) fn handed_over(&mut self, message: &GatheredMessage, found: &mut Vec<UnplacedFinding>) {
        let mut hits = Vec::new();
        for (at, handover, waits) in &message.handovers {
            for rule in &self.options.rules {
                let RuleSearch::Handover(search) = rule.search else { continue };
                search(handover, &self.options, &mut hits);
                found.extend(hits.drain(..).map(|hit| at_mark(rule, hit, message, *at, None)));
                if waits.is_some() {
                    search(&Handover::Left, &self.options, &mut hits);
                    found.extend(hits.drain(..).map(|hit| at_mark(rule, hit, message, *at, *waits)));
                }
            }
        }
    }
}
