//! UT224: a delegation without an end.

use crate::check::{At, Handover, Hit, Rule, RuleOptions, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT224",
    name: "unreturned-delegation",
    finds: "a delegation from which control never comes back",
    why: "The agent still leads the conversation, and all that follows counts as its work.",
    fix: "End the delegation, or take the instruction out.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}]}]",
    ],
    clean: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look at the map.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    search: RuleSearch::Handover(search),
};

fn search(handover: &Handover, _: &RuleOptions, hits: &mut Vec<Hit>) {
    if *handover == Handover::Left {
        hits.push(Hit { at: At::Message, what: "a delegation from which control never comes back".into() });
    }
}
