//! UT221: instructions for an agent that are empty.

use crate::check::{At, Handover, Hit, Rule, RuleOptions, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT221",
    name: "blank-agent-prompt",
    finds: "a delegation whose agent is told nothing",
    why: "The program that reads the conversation refuses such an instruction, and with it the message.",
    fix: "Say what the agent is to do, or do not delegate.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\" \\n\\t\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"a.b.DelegateReasoning\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    clean: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look at the map.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    search: RuleSearch::Handover(search),
};

fn search(handover: &Handover, _: &RuleOptions, hits: &mut Vec<Hit>) {
    if let Handover::Begins { blank: true, .. } = handover {
        hits.push(Hit { at: At::Message, what: "a delegation whose agent is told nothing".into() });
    }
}
