//! UT222: instructions for an agent that are too long.

use crate::agents::delegation::MAX_PROMPT_UNITS;
use crate::check::{At, Handover, Hit, Rule, RuleOptions, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT222",
    name: "agent-prompt-too-long",
    finds: "a delegation whose agent is told more than 50,000 characters",
    why: "The program that reads the conversation refuses such an instruction, and with it the message.",
    fix: "Shorten what the agent is told: what it works on belongs into messages.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[],
    clean: &[
        "[{\"role\":\"USER\",\"content\":[{\"type\":\"Message\",\"text\":\"x\"}],\"instructions\":[{\"type\":\"DelegateReasoning\",\"agentPrompt\":\"Look at the map.\"}]},{\"role\":\"ASSISTANT\",\"content\":[{\"type\":\"IntermediateMessage\",\"structured\":{\"fullText\":\"x\"}}],\"instructions\":[{\"type\":\"ReturnControl\"}]}]",
    ],
    search: RuleSearch::Handover(search),
};

fn search(handover: &Handover, _: &RuleOptions, hits: &mut Vec<Hit>) {
    if let Handover::Begins { length, .. } = handover
        && *length > MAX_PROMPT_UNITS
    {
        let what = format!("an agent is told {length} characters, of {MAX_PROMPT_UNITS} that are allowed");
        hits.push(Hit { at: At::Message, what });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_allowed() {
        for (length, found) in [(0, 0), (MAX_PROMPT_UNITS, 0), (MAX_PROMPT_UNITS + 1, 1)] {
            let mut hits = Vec::new();
            let handover = Handover::Begins { depth: 1, length, blank: false };
            search(&handover, &RuleOptions::default(), &mut hits);
            assert_eq!(hits.len(), found, "{length}");
        }
    }
}
