//! Signatures of Gemini, at its own API, at Vertex AI, and at the endpoint that is like OpenAI's.

use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{Rank, TargetCase, TargetHit, quoted};
use crate::accept::conversation::{RequestBlock, RequestItemKind};
use crate::accept::edit::TextEdit;
use crate::accept::signs::is_base64;
use crate::accept::targets::RequestShape;
use crate::accept::value::{Object, Value};
use std::collections::HashSet;

const TARGETS: &[&str] = &["gemini", "vertex-gemini"];
const TO: &str = "gemini:gemini-3-pro-preview";
/// What its documentation gives for calls that have no signature.
const DUMMY: &str = "skip_thought_signature_validator";
/// Values that stand for any signature: that one, and one that was recorded.
const DUMMIES: &[&str] = &[DUMMY, "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv"];
/// The members of a part that a call stands in, and a signature beside it, in both spellings.
const CALLS: &[&str] = &["functionCall", "function_call"];
const SIGNATURES: &[&str] = &["thoughtSignature", "thought_signature"];

/// Whether the model checks signatures; `None` if that is not known.
fn checks(case: &TargetCase<'_, '_>) -> Option<bool> {
    if case.model.has(&["image"]) {
        return Some(false);
    }
    case.model.version("gemini-").map(|version| version >= (3, 0))
}

/// The first call of each content of the model, in the turn that is going on or in earlier ones.
fn first_calls<'c, 'a>(case: &'c TargetCase<'a, '_>, now: bool) -> impl Iterator<Item = (usize, &'c RequestBlock<'a>)> {
    let turn = case.conversation.turn();
    let contents = case.answers().filter(move |(number, _)| turn.contains(number) == now);
    contents.filter_map(|(number, message)| {
        Some((number, message.blocks.iter().find(|block| block.kind == RequestItemKind::Call)?))
    })
}

fn signature<'a>(object: &Object<'a>) -> Option<Value<'a>> {
    object.first(SIGNATURES).map(|(_, sign)| sign).filter(|sign| sign.is_string() && !sign.is_blank())
}

/// The call in a part.
fn call<'a>(block: &RequestBlock<'a>) -> Option<(&'static str, Object<'a>)> {
    let (key, call) = block.object.first(CALLS)?;
    Some((key, call.object()?))
}

/// The signature in a call, where it does not belong.
fn inner<'a>(block: &RequestBlock<'a>) -> Option<Value<'a>> {
    signature(&call(block)?.1)
}

/// Sets the signature of a part, spelled as its call is.
fn sign(block: &RequestBlock<'_>, value: &str) -> TextEdit {
    if let Some((key, _)) = block.object.first(SIGNATURES) {
        return TargetCase::set_member(&block.object, key, value);
    }
    let snake = block.object.has(CALLS[1]);
    TargetCase::put_member(&block.object, SIGNATURES[usize::from(snake)], value)
}

pub const GM01: TargetRule = TargetRule {
    code: "GM01",
    name: "unsigned-call",
    targets: TARGETS,
    models: "Gemini 3, but not its image model",
    finds: "a content of the turn that is going on whose first call has no signature",
    messages: &["is missing a thought_signature in functionCall parts", "is missing a `thought_signature`"],
    evidence: "documentation, the source of gemini-cli, and several threads",
    repair: "Put in `skip_thought_signature_validator`, which its documentation gives for this.",
    not: "A dummy on later calls of the same content; the signature of another call.",
    matches: &[Example {
        to: TO,
        text: r#"{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"n","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"n","response":{}}}]}]}"#,
    }],
    clean: &[Example {
        to: "gemini:gemini-2.5-pro",
        text: r#"{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"n","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"n","response":{}}}]}]}"#,
    }],
    search: |case, hits| {
        let checks = checks(case);
        if checks == Some(false) {
            return;
        }
        let unsigned = |block: &RequestBlock<'_>| signature(&block.object).is_none() && inner(block).is_none();
        for (number, block) in first_calls(case, true).filter(|(_, block)| unsigned(block)) {
            let hit = TargetHit::refused(number, block.object.at()).certain(checks == Some(true));
            hits.push(hit.mend(Rank::Insert, vec![sign(block, &quoted(DUMMY))]));
        }
    },
    ..ROW
};

pub const GM02: TargetRule = TargetRule {
    code: "GM02",
    name: "signature-inside-the-call",
    targets: TARGETS,
    models: "Gemini 3",
    finds: "a signature in a functionCall, and not beside it",
    messages: &["is missing a thought_signature in functionCall parts"],
    evidence: "one thread, Wei-Shaw/claude-relay-service#967",
    repair: "Move it out.",
    matches: &[Example {
        to: TO,
        text: r#"{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"n","args":{},"thoughtSignature":"Ev8B"}}]},{"role":"user","parts":[{"functionResponse":{"name":"n","response":{}}}]}]}"#,
    }],
    search: |case, hits| {
        let first: Vec<usize> = first_calls(case, true).map(|(_, block)| block.object.at().start).collect();
        for (number, block) in case.answered() {
            let (Some((_, call)), Some(inside)) = (call(block), inner(block)) else { continue };
            let certain = checks(case) == Some(true) && first.binary_search(&block.object.at().start).is_ok();
            let mut edits = TargetCase::cut_keys(&call, SIGNATURES);
            if signature(&block.object).is_none() {
                edits.push(sign(block, &String::from_utf8_lossy(inside.raw())));
            }
            let hit = TargetHit::refused(number, inside.at()).certain(certain && signature(&block.object).is_none());
            hits.push(hit.mend(Rank::Key, edits));
        }
    },
    ..ROW
};

pub const GM03: TargetRule = TargetRule {
    code: "GM03",
    name: "signature-not-base64",
    targets: TARGETS,
    finds: "a signature that is not base64",
    messages: &["thought_signature' (TYPE_BYTES), Base64 decoding failed"],
    evidence: "several threads, also about 2.5, google-gemini/gemini-cli#8011",
    repair: "On a call put in `skip_thought_signature_validator`, elsewhere cut it.",
    matches: &[Example {
        to: "gemini:gemini-2.5-pro",
        text: r#"{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b","thoughtSignature":"claude#Eq"}]},{"role":"user","parts":[{"text":"c"}]}]}"#,
    }],
    search: |case, hits| {
        let blocks =
            case.messages().flat_map(|(number, message)| message.blocks.iter().map(move |block| (number, block)));
        for (number, block) in blocks {
            let Some(found) = signature(&block.object).filter(|it| !it.string().is_some_and(|sign| is_base64(&sign)))
            else {
                continue;
            };
            let hit = TargetHit::refused(number, found.at());
            hits.push(match block.kind {
                RequestItemKind::Call => hit.mend(Rank::Insert, vec![sign(block, &quoted(DUMMY))]),
                _ => hit.mend(Rank::Key, TargetCase::cut_keys(&block.object, SIGNATURES)),
            });
        }
    },
    ..ROW
};

pub const GM04: TargetRule = TargetRule {
    code: "GM04",
    name: "foreign-signature",
    targets: TARGETS,
    finds: "a signature that another part has as well, and so is not that of both",
    messages: &["Corrupted thought signature", "Thought signature is not valid", "Invalid thought signature"],
    outcome: RuleOutcome::Undecided,
    evidence: "several threads, google-gemini/gemini-cli#13467",
    repair: "On calls put in `skip_thought_signature_validator`, on texts cut the signature.",
    options: " --foreign drop",
    matches: &[Example {
        to: TO,
        text: r#"{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"n","args":{}},"thoughtSignature":"Ev8B"}]},{"role":"user","parts":[{"functionResponse":{"name":"n","response":{}}}]},{"role":"model","parts":[{"functionCall":{"name":"m","args":{}},"thoughtSignature":"Ev8B"}]},{"role":"user","parts":[{"functionResponse":{"name":"m","response":{}}}]}]}"#,
    }],
    search: |case, hits| {
        let mut known = HashSet::new();
        for (number, block) in case.answered() {
            let Some(found) = signature(&block.object).filter(|sign| DUMMIES.iter().all(|dummy| !sign.is(dummy)))
            else {
                continue;
            };
            if found.string().is_some_and(|sign| is_base64(&sign) && !known.insert(sign)) {
                hits.push(TargetHit::doubted(number, found.at()));
            }
        }
    },
    ..ROW
};

/// All signatures go: a dummy takes their place on calls.
pub fn all_foreign(case: &TargetCase<'_, '_>) -> Vec<TargetHit> {
    let mut hits = Vec::new();
    let blocks = case.messages().flat_map(|(number, message)| message.blocks.iter().map(move |block| (number, block)));
    for (number, block) in blocks.filter(|_| case.target.shape == RequestShape::Contents) {
        let Some(found) = signature(&block.object).filter(|sign| !sign.is(DUMMY)) else { continue };
        let hit = TargetHit::doubted(number, found.at());
        hits.push(match block.kind {
            RequestItemKind::Call => hit.mend(Rank::Insert, vec![sign(block, &quoted(DUMMY))]),
            _ => hit.mend(Rank::Key, TargetCase::cut_keys(&block.object, SIGNATURES)),
        });
    }
    hits
}

pub const GM05: TargetRule = TargetRule {
    code: "GM05",
    name: "unsigned-earlier-call",
    targets: TARGETS,
    models: "Gemini 3",
    finds: "a call of an earlier turn without a signature: it is taken, and answers may be worse",
    outcome: RuleOutcome::Degraded,
    evidence: "documentation",
    repair: "Nothing: earlier turns are not checked.",
    matches: &[Example {
        to: TO,
        text: r#"{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"n","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"n","response":{}}}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"c"}]}]}"#,
    }],
    search: |case, hits| {
        if checks(case) == Some(true) {
            let unsigned = |block: &RequestBlock<'_>| signature(&block.object).is_none() && inner(block).is_none();
            let all: Vec<_> = first_calls(case, false).filter(|(_, block)| unsigned(block)).collect();
            let first = all.first().map(|(number, block)| TargetHit::doubted(*number, block.object.at()));
            hits.extend(first.map(|hit| TargetHit { places: all.len() as u64, ..hit }));
        }
    },
    ..ROW
};

pub const GC01: TargetRule = TargetRule {
    code: "GC01",
    name: "unsigned-tool-call",
    targets: &["gemini-openai"],
    models: "Gemini 3, but not its image model",
    finds: "a message of the turn that is going on whose first call has no signature in extra_content",
    messages: &["is missing a thought_signature in functionCall parts"],
    evidence: "several threads",
    repair: "Put in `skip_thought_signature_validator`.",
    matches: &[Example {
        to: "gemini-openai:gemini-3-pro-preview",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let checks = checks(case);
        let turn = case.conversation.turn();
        if checks == Some(false) {
            return;
        }
        for (number, message) in case.answers().filter(|(number, _)| turn.contains(number)) {
            let Some(call) = message.get("tool_calls").and_then(|calls| calls.list().next()).and_then(Value::object)
            else {
                continue;
            };
            let extra = call.inner("extra_content");
            let google = extra.as_ref().and_then(|extra| extra.inner("google"));
            if google.as_ref().is_some_and(|google| signature(google).is_some()) {
                continue;
            }
            let dummy = quoted(DUMMY);
            let put = match (&google, &extra) {
                (Some(google), _) => TargetCase::set_member(google, SIGNATURES[1], &dummy),
                (None, Some(extra)) => {
                    TargetCase::set_member(extra, "google", &format!("{{\"thought_signature\":{dummy}}}"))
                }
                (None, None) => TargetCase::set_member(
                    &call,
                    "extra_content",
                    &format!("{{\"google\":{{\"thought_signature\":{dummy}}}}}"),
                ),
            };
            hits.push(
                TargetHit::refused(number, call.at()).certain(checks == Some(true)).mend(Rank::Insert, vec![put]),
            );
        }
    },
    ..ROW
};
