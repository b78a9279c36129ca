//! The totals of all messages, as metrics in the text format of Prometheus (version 0.0.4).

use crate::postproc::PostprocSummary;
use crate::postproc::types::ratio;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Sums over all messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    reasoning: u64,
    answer: u64,
    /// How many messages have reasoning in their answer, by the source of the reasoning.
    leaks: BTreeMap<&'static str, u64>,
}

impl Metrics {
    /// Adds a message. `modes`: the sources of its reasoning.
    pub(super) fn add(&mut self, summary: &PostprocSummary, modes: &[&'static str]) {
        self.reasoning += summary.reasoning_tokens;
        self.answer += summary.final_tokens;
        for (i, mode) in modes.iter().enumerate() {
            *self.leaks.entry(mode).or_default() += u64::from(summary.leaked && i == 0);
        }
    }
}

/// The metrics as text. Tokens are words between white space.
pub fn page(metrics: &Metrics) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let mut gauge = |name: &str, help: &str, value: String| {
        let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name}{{method=\"words\"}} {value}\n");
    };
    gauge("reasoning_tokens", "Tokens of reasoning.", metrics.reasoning.to_string());
    gauge("final_tokens", "Tokens of visible assistant text.", metrics.answer.to_string());
    let share = ratio(metrics.reasoning, metrics.answer);
    gauge("reasoning_ratio", "Share of reasoning in what the assistant wrote.", share.to_string());
    let name = "reasoning_leak_total";
    let help = "Messages whose reasoning stands in their answer, by where the reasoning came from.";
    let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} counter\n");
    for (mode, n) in &metrics.leaks {
        let _ = writeln!(out, "{name}{{mode=\"{mode}\"}} {n}");
    }
    out
}
