//! What depends on the mode of thinking, and on how the conversation ends, at Anthropic.

use super::{Example, ROW, TargetRule};
use crate::accept::case::{Need, Rank, TargetCase, TargetHit};
use crate::accept::conversation::{RequestItemKind, RequestMessage};
use crate::accept::edit::TextEdit;
use crate::accept::model::Version;
use crate::accept::value::{Object, Value};

const TARGETS: &[&str] = &["anthropic", "vertex-claude"];

/// The mode of thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkingMode {
    Manual,
    Adaptive,
    Off,
    /// The text does not have the settings, or the model decides, which is not known.
    Unknown,
}

/// From this version on, thinking is adaptive where the request says nothing.
const ADAPTIVE: Version = (5, 0);
/// Up to this version it is known that what is refused in manual mode is refused.
const MANUAL: Version = (4, 6);
/// From this version on, the last message must not be the assistant's.
const NO_PREFILL: Version = (4, 6);

/// The mode of a request.
pub fn mode(case: &TargetCase<'_, '_>) -> ThinkingMode {
    if !case.is_request() {
        return ThinkingMode::Unknown;
    }
    match case.setting("thinking").and_then(Value::object) {
        Some(thinking) if thinking.says("type", "enabled") => ThinkingMode::Manual,
        Some(thinking) if thinking.says("type", "adaptive") => ThinkingMode::Adaptive,
        Some(_) => ThinkingMode::Off,
        None => match version(case) {
            Some(version) if version < ADAPTIVE => ThinkingMode::Off,
            Some(_) if case.target.name == "anthropic" => ThinkingMode::Adaptive,
            _ => ThinkingMode::Unknown,
        },
    }
}

/// The version of the Claude that is asked.
pub fn version(case: &TargetCase<'_, '_>) -> Option<Version> {
    case.model.claude().and_then(|(_, version)| version)
}

/// The first message of the turn that is open, if it is the assistant's.
fn first_of_turn<'c, 'a>(case: &'c TargetCase<'a, '_>) -> Option<(usize, &'c RequestMessage<'a>)> {
    let turn = case.conversation.open_turn()?;
    case.answers().find(|(number, _)| turn.contains(number))
}

/// Turns thinking off: the edits of the setting.
pub fn thinking_off(case: &TargetCase<'_, '_>) -> Vec<TextEdit> {
    const OFF: &str = r#"{"type":"disabled"}"#;
    let Some(root) = &case.conversation.root else { return Vec::new() };
    let extra = root.inner("additionalModelRequestFields").filter(|extra| extra.has("thinking"));
    vec![TargetCase::set_member(extra.as_ref().unwrap_or(root), "thinking", OFF)]
}

pub const AN07: TargetRule = TargetRule {
    code: "AN07",
    name: "thinking-while-off",
    targets: TARGETS,
    models: "up to 4.5; later ones are not known",
    finds: "thinking in the turn that is open, while thinking is off",
    messages: &["When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`"],
    evidence: "several threads, tailcallhq/forgecode#1195",
    repair: "Drop the thinking of that turn, or turn thinking on.",
    matches: &[Example {
        to: "anthropic:claude-sonnet-4-5",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"tool_use","id":"t","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"d"}]}]}"#,
    }],
    clean: &[Example {
        to: "anthropic:claude-sonnet-4-5",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let Some(turn) = case.conversation.open_turn().filter(|_| mode(case) == ThinkingMode::Off) else { return };
        let certain = version(case).is_some_and(|version| version < MANUAL);
        for (number, message) in case.answers().filter(|(number, message)| turn.contains(number) && message.thinks()) {
            let hit = TargetHit::refused(number, message.at()).certain(certain);
            hits.push(if certain { hit.mend(Rank::Block, case.cut_thinking(number)) } else { hit });
        }
    },
    ..ROW
};

pub const AN08: TargetRule = TargetRule {
    code: "AN08",
    name: "turn-without-thinking",
    targets: TARGETS,
    models: "3.7 to 4.6, in manual mode",
    finds: "a turn that is open and does not begin with thinking, in manual mode",
    messages: &[
        "Expected `thinking` or `redacted_thinking`, but found `…`",
        "Expected thinking or redacted_thinking, but found …",
    ],
    evidence: "documentation and several threads, n8n-io/n8n#22550; one saw it accepted by Sonnet 4.5, NousResearch/hermes-agent#24107",
    repair: "Put the block back that was there. If it is lost, turn thinking off, and drop the thinking of that turn.",
    options: " --settings",
    not: "Thinking that was made up.",
    matches: &[Example {
        to: "anthropic:claude-sonnet-4-5",
        text: r#"{"thinking":{"type":"enabled","budget_tokens":2048},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"d"}]}]}"#,
    }],
    clean: &[Example {
        to: "anthropic:claude-opus-4-6",
        text: r#"{"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"d"}]}]}"#,
    }],
    search: unthinking_turn,
    ..ROW
};

/// The turn that is open does not begin with thinking, in manual mode. If it has thinking further behind, that is
/// another rule.
pub fn unthinking_turn(case: &TargetCase<'_, '_>, hits: &mut Vec<TargetHit>) {
    if mode(case) != ThinkingMode::Manual {
        return;
    }
    let Some((number, message)) = first_of_turn(case).filter(|(_, message)| !message.thinks()) else { return };
    let certain = version(case).is_some_and(|version| version <= MANUAL);
    let hit = TargetHit::refused(number, message.at()).certain(certain);
    hits.push(hit.mend_if(Need::Settings, Rank::Setting, thinking_off(case)));
}

pub const AN09: TargetRule = TargetRule {
    code: "AN09",
    name: "thinking-not-first",
    targets: TARGETS,
    models: "up to 4.5, in manual mode; Opus 4.6 writes text first in adaptive mode",
    finds: "a message of the turn that is open whose thinking is not in front, in manual mode",
    messages: &["If an assistant message contains any thinking blocks, the first block must be"],
    evidence: "one thread, anthropics/claude-code#20692",
    repair: "Put the blocks back in the order in which they came. If that is lost, turn thinking off, and drop the thinking of that turn.",
    options: " --settings",
    matches: &[Example {
        to: "anthropic:claude-opus-4-5",
        text: r#"{"thinking":{"type":"enabled","budget_tokens":2048},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"c"},{"type":"redacted_thinking","data":"b"},{"type":"tool_use","id":"t","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"d"}]}]}"#,
    }],
    search: |case, hits| {
        let Some(turn) = case.conversation.open_turn().filter(|_| mode(case) == ThinkingMode::Manual) else { return };
        let certain = version(case).is_some_and(|version| version < MANUAL);
        for (number, message) in case.answers().filter(|(number, message)| turn.contains(number) && message.thinks()) {
            if message.blocks.first().is_some_and(|first| !first.thinks()) {
                let hit = TargetHit::refused(number, message.at()).certain(certain);
                hits.push(hit.mend_if(Need::Settings, Rank::Setting, thinking_off(case)));
            }
        }
    },
    ..ROW
};

pub const AN15: TargetRule = TargetRule {
    code: "AN15",
    name: "prefill",
    targets: TARGETS,
    models: "4.6 and later",
    finds: "a request whose last message is the assistant's",
    messages: &["This model does not support assistant message prefill"],
    evidence: "several threads, ericc-ch/copilot-api#261",
    repair: "Add a message of the user, `Continue.`; where the last message waits for the result of a tool, drop it.",
    matches: &[Example {
        to: "anthropic:claude-sonnet-5",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"c"}]}"#,
    }],
    clean: &[Example {
        to: "anthropic:claude-sonnet-4-5",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| {
        let last = case.messages().next_back().filter(|_| !case.conversation.goes_on());
        let Some((number, message)) = last.filter(|(_, message)| message.is_assistant()) else { return };
        if version(case).is_none_or(|version| version < NO_PREFILL) {
            return;
        }
        hits.push(no_prefill(case, number, message));
    },
    ..ROW
};

/// The last message must not be the assistant's.
pub fn no_prefill(case: &TargetCase<'_, '_>, number: usize, message: &RequestMessage<'_>) -> TargetHit {
    let hit = TargetHit::refused(number, message.at());
    if message.calls() {
        return hit.mend(Rank::Message, case.cut_message(number));
    }
    let edits = case.push_message(r#"{"role":"user","content":"Continue."}"#);
    // The user has the last word in a list; of lines, none can be added that is known to be right.
    if edits.is_empty() { hit } else { hit.mend(Rank::Insert, edits) }
}

pub const AN16: TargetRule = TargetRule {
    code: "AN16",
    name: "clear-thinking",
    targets: TARGETS,
    models: "since November 2025",
    finds: "an edit of context_management that clears thinking, while thinking is off, or behind another edit",
    messages: &["strategy requires `thinking` to be enabled or adaptive"],
    evidence: "several threads, anthropics/claude-code#11971",
    repair: "Remove the edit; where thinking is on, move it to the front.",
    options: " --settings",
    matches: &[Example {
        to: "anthropic:claude-sonnet-4-5",
        text: r#"{"messages":[{"role":"user","content":"a"}],"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}}"#,
    }],
    search: |case, hits| {
        let edits = case.setting("context_management").and_then(Value::object).and_then(|it| it.get("edits"));
        let list: Vec<Object<'_>> = edits.into_iter().flat_map(Value::list).filter_map(Value::object).collect();
        let clears =
            |edit: &Object<'_>| edit.get("type").is_some_and(|kind| kind.word().starts_with("clear_thinking_"));
        let off = mode(case) == ThinkingMode::Off;
        for (number, edit) in list.iter().enumerate().filter(|(_, edit)| clears(edit)) {
            let mut mends = vec![TextEdit::Cut(edit.at())];
            if !off && number == 0 {
                continue;
            }
            if !off {
                let text = &edit.text()[edit.at()];
                let comma = &edit.text()[list[0].at().end..list[1].at().start];
                mends.push(TextEdit::Put(list[0].at().start, [text, comma].concat()));
            }
            let hit = TargetHit::refused(0, edit.at()).of_request();
            hits.push(hit.mend_if(Need::Settings, Rank::Setting, mends));
        }
    },
    ..ROW
};

/// Whether a message is nothing but thinking.
pub fn only_thinks(message: &RequestMessage<'_>) -> bool {
    message.thinks()
        && message
            .blocks
            .iter()
            .all(|block| block.thinks() || block.kind == RequestItemKind::Other && block.object.len() == 0)
}
