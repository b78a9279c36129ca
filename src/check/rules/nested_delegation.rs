//! UT225: a delegation in another.

use crate::check::{At, Handover, Hit, Rule, RuleOptions, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT225",
    name: "nested-delegation",
    finds: "a delegation in more others than --max-delegation-depth allows",
    why: "Agents that delegate to agents may do so without end, and few programs show who speaks.",
    fix: "Let the first agent delegate, or raise the limit.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look closer.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    clean: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look at the map.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    search: RuleSearch::Handover(search),
};

fn search(handover: &Handover, options: &RuleOptions, hits: &mut Vec<Hit>) {
    if let Handover::Begins { depth, .. } = handover
        && *depth > options.max_delegation_depth
    {
        let what = format!("a delegation at depth {depth}, of {} that is allowed", options.max_delegation_depth);
        hits.push(Hit { at: At::Message, what });
    }
}
