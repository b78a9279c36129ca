//! Reasoning that DeepSeek and Kimi want back.

use super::chat::{FIELD, refused_members};
use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{Rank, TargetCase, TargetHit};
use crate::accept::conversation::RequestMessage;
use crate::accept::model::Version;
use crate::accept::value::Value;

/// Other members that may have the text which that one lacks.
const OTHER_MEMBERS: &[&str] = &["reasoning", "reasoning_text", "thinking", "thought"];

/// Whether a message lacks its reasoning: the member is not there, or null.
fn lacks(message: &RequestMessage<'_>) -> bool {
    message.get(FIELD).is_none_or(Value::is_null)
}

fn is_blank(message: &RequestMessage<'_>) -> bool {
    message.get(FIELD).is_some_and(Value::is_blank)
}

/// Puts the reasoning in: the text of another member if there is one, otherwise a filler.
fn filled(case: &TargetCase<'_, '_>, number: usize, message: &RequestMessage<'_>, least: &str) -> TargetHit {
    let known =
        OTHER_MEMBERS.iter().find_map(|key| message.get(key).filter(|text| text.is_string() && !text.is_blank()));
    let text = known.map(|text| String::from_utf8_lossy(text.raw()).into_owned());
    let text = text.unwrap_or_else(|| case.filler(number, least));
    let put = TargetCase::set_member(message.object(), FIELD, &text);
    TargetHit::refused(number, message.at()).mend(Rank::Insert, vec![put])
}

/// Whether the request turns thinking on or off; `None` if it says nothing.
fn thinking(case: &TargetCase<'_, '_>) -> Option<bool> {
    let thinking = case.setting("thinking").and_then(Value::object)?;
    thinking.get("type").map(|kind| !kind.is("disabled"))
}

/// Whether the model is DeepSeek V4: what is not named otherwise.
fn is_v4(case: &TargetCase<'_, '_>) -> bool {
    case.model.version("deepseek-v").is_none_or(|version| version >= (4, 0)) && !case.model.has(&["v3.", "-r1"])
}

/// Whether DeepSeek thinks: V4 does unless it is told not to.
fn deepseek_thinks(case: &TargetCase<'_, '_>) -> bool {
    let by_name = if is_v4(case) { !case.model.has(&["-chat"]) } else { case.model.has(&["reasoner", "think"]) };
    thinking(case).unwrap_or(by_name)
}

pub const DS01: TargetRule = TargetRule {
    code: "DS01",
    name: "reasoning-sent-back",
    targets: &["deepseek-r1-2025"],
    models: "the R1 API of 2025, which was withdrawn",
    finds: "a message with reasoning_content",
    messages: &["reasoning_content is not allowed"],
    evidence: "documentation of that time",
    repair: "Cut it.",
    matches: &[Example {
        to: "deepseek-r1-2025",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| refused_members(case, hits, &[FIELD]),
    ..ROW
};

pub const DS02: TargetRule = TargetRule {
    code: "DS02",
    name: "call-of-the-turn-without-reasoning",
    targets: &["deepseek"],
    models: "V3.2, with thinking",
    finds: "a message with calls, behind the last one of the user, without reasoning_content",
    messages: &["Missing `reasoning_content` field in the assistant message at message index"],
    evidence: "several threads, continuedev/continue#11285",
    repair: "Put in an empty text.",
    matches: &[Example {
        to: "deepseek:deepseek-v3.2",
        text: r#"{"thinking":{"type":"enabled"},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"t"}]},{"role":"tool","tool_call_id":"t","content":"c"}]}"#,
    }],
    search: |case, hits| {
        if is_v4(case) || !deepseek_thinks(case) {
            return;
        }
        let turn = case.conversation.turn();
        let all = case.answers().filter(|(number, message)| turn.contains(number) && message.calls() && lacks(message));
        hits.extend(all.map(|(number, message)| filled(case, number, message, "")));
    },
    ..ROW
};

pub const DS03: TargetRule = TargetRule {
    code: "DS03",
    name: "call-without-reasoning",
    targets: &["deepseek"],
    models: "V4, unless thinking is turned off",
    finds: "a message with calls, anywhere, without reasoning_content",
    messages: &["The `reasoning_content` in the thinking mode must be passed back"],
    evidence: "documentation and several threads, anomalyco/opencode#24722",
    repair: "Put its reasoning in. If that is lost, a text that is another one in each message does less harm than a space.",
    options: " --fill unique",
    matches: &[Example {
        to: "deepseek:deepseek-v4-pro",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"t"}],"reasoning_content":null},{"role":"tool","tool_call_id":"t","content":"c"}]}"#,
    }],
    search: |case, hits| {
        if is_v4(case) && deepseek_thinks(case) {
            let all = case.answers().filter(|(_, message)| message.calls() && lacks(message));
            hits.extend(all.map(|(number, message)| filled(case, number, message, " ")));
        }
    },
    ..ROW
};

pub const DS04: TargetRule = TargetRule {
    code: "DS04",
    name: "call-with-empty-reasoning",
    targets: &["deepseek"],
    models: "V4",
    finds: "a message with calls whose reasoning_content is empty",
    messages: &["The `reasoning_content` in the thinking mode must be passed back"],
    outcome: RuleOutcome::Undecided,
    evidence: "recorded as accepted; one saw it refused by V4 Pro, NousResearch/hermes-agent#17341",
    repair: "Put in a space.",
    options: " --fill unique",
    matches: &[Example {
        to: "deepseek:deepseek-v4-pro",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"t"}],"reasoning_content":""},{"role":"tool","tool_call_id":"t","content":"c"}]}"#,
    }],
    search: |case, hits| {
        if is_v4(case) && deepseek_thinks(case) {
            let all = case.answers().filter(|(_, message)| message.calls() && is_blank(message));
            hits.extend(all.map(|(number, message)| filled(case, number, message, " ").certain(false)));
        }
    },
    ..ROW
};

/// What later versions of Kimi demand is not known.
const KNOWN_KIMI: Version = (2, 6);

/// Whether Kimi thinks; `None` if its name does not tell.
fn kimi_thinks(case: &TargetCase<'_, '_>) -> Option<bool> {
    if thinking(case) == Some(false) {
        return Some(false);
    }
    if case.model.has(&["thinking"]) {
        return Some(true);
    }
    match case.model.version("kimi-k") {
        Some(version) => Some(version >= (2, 5)),
        None if case.model.has(&["moonshot-v"]) => Some(false),
        None => None,
    }
}

pub const KM01: TargetRule = TargetRule {
    code: "KM01",
    name: "kimi-call-without-reasoning",
    targets: &["kimi"],
    models: "K2 Thinking, K2.5, K2.6, unless thinking is turned off; later ones are not known",
    finds: "a message with calls without reasoning_content",
    messages: &["reasoning_content is missing in assistant tool call message"],
    evidence: "several threads, continuedev/continue#11600",
    repair: "Put in a space.",
    options: " --fill unique",
    matches: &[Example {
        to: "kimi:kimi-k2.5",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"t"}]},{"role":"tool","tool_call_id":"t","content":"c"}]}"#,
    }],
    search: |case, hits| {
        let thinks = kimi_thinks(case);
        if thinks != Some(false) {
            let all = case.answers().filter(|(_, message)| message.calls() && lacks(message));
            let known = case.model.version("kimi-k").is_none_or(|version| version <= KNOWN_KIMI);
            let certain = thinks.is_some() && known;
            hits.extend(all.map(|(number, message)| filled(case, number, message, " ").certain(certain)));
        }
    },
    ..ROW
};

pub const KM02: TargetRule = TargetRule {
    code: "KM02",
    name: "kimi-call-with-empty-reasoning",
    targets: &["kimi"],
    models: "K2.6; later ones are not known",
    finds: "a message with calls whose reasoning_content is empty, which counts as missing",
    messages: &["reasoning_content is missing in assistant tool call message"],
    evidence: "two threads, tried out, earendil-works/pi#4179",
    repair: "Put in a space.",
    options: " --fill unique",
    not: "A point, behind some gateways.",
    matches: &[Example {
        to: "kimi:kimi-k2.6",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"t"}],"reasoning_content":""},{"role":"tool","tool_call_id":"t","content":"c"}]}"#,
    }],
    search: |case, hits| {
        let Some(version) = case.model.version("kimi-k").filter(|version| *version >= KNOWN_KIMI) else { return };
        if kimi_thinks(case) == Some(true) {
            let all = case.answers().filter(|(_, message)| message.calls() && is_blank(message));
            hits.extend(all.map(|(number, message)| filled(case, number, message, " ").certain(version == KNOWN_KIMI)));
        }
    },
    ..ROW
};

pub const KM03: TargetRule = TargetRule {
    code: "KM03",
    name: "kimi-ignores-reasoning",
    targets: &["kimi"],
    models: "K2.6",
    finds: "reasoning of earlier turns, which is ignored since thinking.keep is not all",
    outcome: RuleOutcome::Degraded,
    evidence: "documentation",
    repair: "Set thinking.keep to all, if the model is to read it.",
    matches: &[Example {
        to: "kimi:kimi-k2.6",
        text: r#"{"thinking":{"type":"enabled","keep":null},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"user","content":"d"}]}"#,
    }],
    // Whether it is to be read, a request that says nothing of it does not tell.
    clean: &[Example {
        to: "kimi:kimi-k2.6",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let keep = case.setting("thinking").and_then(Value::object).and_then(|thinking| thinking.get("keep"));
        let ignores = keep.is_some_and(|keep| !keep.is("all")) && case.model.version("kimi-k") == Some((2, 6));
        let turn = case.conversation.turn();
        let old = |(number, message): &(usize, &RequestMessage<'_>)| {
            !turn.contains(number) && !lacks(message) && !is_blank(message)
        };
        let all: Vec<_> = case.answers().filter(old).filter(|_| ignores).collect();
        let first =
            all.first().and_then(|(number, message)| Some(TargetHit::doubted(*number, message.get(FIELD)?.at())));
        hits.extend(first.map(|hit| TargetHit { places: all.len() as u64, ..hit }));
    },
    ..ROW
};
