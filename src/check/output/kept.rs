//! The findings of an input: as many as are asked for, and how many more there are. An input can have a finding in every
//! few bytes, each of which takes hundreds.

use crate::check::{Fingerprints, Rule, RuleFinding, count};

/// Findings, each with the hash that its fingerprint is made of.
#[derive(Default)]
pub(super) struct Kept {
    findings: Vec<(u128, RuleFinding)>,
    /// How many findings are wanted: the first of the input.
    pub most: Option<usize>,
    /// How many more there are of each rule.
    omitted: Vec<(&'static Rule, u64)>,
}

impl Kept {
    /// Adds a finding.
    pub fn push(&mut self, name: u128, finding: RuleFinding) {
        self.findings.push((name, finding));
        if self.most.is_some_and(|most| self.findings.len() > most.saturating_mul(2).saturating_add(1024)) {
            self.sort();
        }
    }

    /// Sorts the findings by place, and drops those beyond the limit. Later findings can only push more of them out.
    fn sort(&mut self) {
        self.findings.sort_by_key(|(_, finding)| (finding.bytes.start, finding.rule.code));
        let kept = self.most.map_or(self.findings.len(), |most| most.min(self.findings.len()));
        for (_, finding) in self.findings.drain(kept..) {
            count(&mut self.omitted, finding.rule, 1);
        }
    }

    /// Takes all findings, in the order of the input, which distinguishes findings with the same text.
    pub fn take(&mut self) -> Vec<RuleFinding> {
        self.sort();
        let mut fingerprints = Fingerprints::default();
        let named =
            |(name, finding): (u128, RuleFinding)| RuleFinding { fingerprint: fingerprints.next(name), ..finding };
        std::mem::take(&mut self.findings).into_iter().map(named).collect()
    }

    /// How many findings of each rule were dropped.
    #[cfg(feature = "cli")]
    pub fn omitted(&self) -> &[(&'static Rule, u64)] {
        &self.omitted
    }
}
