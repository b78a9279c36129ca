//! UT223: the conversation is handed back without an open delegation.

use crate::check::{At, Handover, Hit, Rule, RuleOptions, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT223",
    name: "return-without-delegation",
    finds: "control that comes back though it was not given to another agent",
    why: "Who reads the conversation does not know which agent speaks from there on.",
    fix: "Look for the message that delegates: it was removed, or stands in another conversation.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "[{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    clean: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look at the map.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    search: RuleSearch::Handover(search),
};

fn search(handover: &Handover, _: &RuleOptions, hits: &mut Vec<Hit>) {
    if *handover == Handover::Strays {
        let what = "control comes back though it was not given to another agent".into();
        hits.push(Hit { at: At::Message, what });
    }
}
