//! Blocks and messages of Anthropic's Messages API.

use super::{Example, Outcome, ROW, Row};
use crate::accept::case::{Case, Foreign, Hit, Need, Rank};
use crate::accept::conversation::{Block, Kind, Message, Origin};
use crate::accept::edit::Edit;
use crate::accept::model::Model;
use crate::accept::signs::{Sign, of_thinking};
use crate::accept::value::Value;
use std::collections::HashSet;

const TARGETS: &[&str] = &["anthropic", "vertex-claude"];
const TO: &str = "anthropic:claude-opus-4-8";

/// Blocks of thinking with their messages.
fn thoughts<'c, 'a>(case: &'c Case<'a, '_>, kind: Kind) -> impl Iterator<Item = (usize, &'c Block<'a>)> {
    case.answered().filter(move |(_, block)| block.kind == kind)
}

/// The block goes.
fn gone(number: usize, block: &Block<'_>) -> Hit {
    Hit::refused(number, block.object.at()).mend(Rank::Block, vec![Edit::Cut(block.object.at())])
}

/// A thought that is not this model's goes, or stays as a text.
fn foreign(case: &Case<'_, '_>, number: usize, block: &Block<'_>) -> Hit {
    match text(block).filter(|text| case.foreign == Some(Foreign::Text) && !text.is_blank()) {
        None => gone(number, block),
        Some(text) => {
            let said = [b"{\"type\":\"text\",\"text\":", text.raw(), b"}"].concat();
            Hit::refused(number, block.object.at()).mend(Rank::Block, vec![Edit::Replace(block.object.at(), said)])
        }
    }
}

/// The text of a block of thinking, if it is a string.
fn text<'a>(block: &Block<'a>) -> Option<Value<'a>> {
    block.object.get("thinking").filter(|text| text.is_string())
}

/// The signature of a block, if it is a string.
fn signature<'a>(block: &Block<'a>) -> Option<Value<'a>> {
    block.object.get("signature").filter(|signature| signature.is_string())
}

/// Whether the thoughts of a block are a list, as other providers have them.
fn is_other_shape(block: &Block<'_>) -> bool {
    block.object.get("thinking").is_some_and(Value::is_list)
}

/// Whether there is neither a text nor a signature: a shell of a block.
fn is_shell(block: &Block<'_>) -> bool {
    text(block).is_some_and(Value::is_blank) && signature(block).is_none_or(Value::is_blank)
}

/// Whether there is a signature that may be live, and no text for it.
fn is_hollow(block: &Block<'_>) -> bool {
    let signed = signature(block).and_then(Value::string).is_some_and(|sign| of_thinking(&sign) != Sign::Dead);
    block.kind == Kind::Thinking && text(block).is_some_and(Value::is_blank) && signed
}

pub const AN01: Row = Row {
    code: "AN01",
    name: "unsigned-thinking",
    targets: TARGETS,
    finds: "a thinking block without a signature",
    messages: &["thinking.signature: Field required"],
    evidence: "several threads, dirge-code/dirge#821",
    repair: "Drop the block.",
    not: "An empty signature: it is refused as AN02.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"b"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    clean: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"{\"type\":\"thinking\",\"thinking\":\"b\"}"}]}]}"#,
    }],
    search: |case, hits| {
        let unsigned = thoughts(case, Kind::Thinking).filter(|(_, block)| signature(block).is_none());
        let own = unsigned.filter(|(_, block)| !is_shell(block) && !is_other_shape(block));
        hits.extend(own.map(|(number, block)| foreign(case, number, block)));
    },
    ..ROW
};

pub const AN02: Row = Row {
    code: "AN02",
    name: "dead-signature",
    targets: TARGETS,
    finds: "a signature that is none: empty, a word, or not base64",
    messages: &["Invalid `signature` in `thinking` block", "Invalid signature in thinking block"],
    evidence: "staff and several threads, anthropics/anthropic-sdk-python#1598",
    repair: "Drop the block.",
    not: "Encoding it again, or trimming it.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"b","signature":"placeholder"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        for (number, block) in thoughts(case, Kind::Thinking).filter(|(_, block)| !is_shell(block)) {
            let Some(sign) = signature(block).and_then(Value::string) else { continue };
            match of_thinking(&sign) {
                Sign::Live => (),
                // The beginning of one, as documentation shows it: it may have been longer.
                Sign::Short => hits.push(Hit::doubted(number, block.object.at())),
                Sign::Dead => hits.push(foreign(case, number, block)),
            }
        }
    },
    ..ROW
};

pub const AN03: Row = Row {
    code: "AN03",
    name: "thinking-without-text",
    targets: TARGETS,
    finds: "a thinking block without the member `thinking`",
    messages: &["thinking.thinking: Field required"],
    evidence: "one thread, blueberrycongee/wuu#69",
    repair: "Drop the block. An empty text is right only if the block arrived with one.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","signature":"EqoBCkgIARABGAIiQL2wR5u5c7o9c1r7fB6h1kCq3m8n2v4y6t8r0e2w4q6s8d0f"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let without = thoughts(case, Kind::Thinking).filter(|(_, block)| text(block).is_none());
        let own = without.filter(|(_, block)| !is_other_shape(block));
        hits.extend(own.map(|(number, block)| gone(number, block)));
    },
    ..ROW
};

pub const AN04: Row = Row {
    code: "AN04",
    name: "empty-thinking",
    targets: TARGETS,
    finds: "a thinking block without a text and without a signature",
    messages: &["each thinking block must contain thinking"],
    evidence: "two threads, eclipse-theia/theia#17905, anthropics/claude-code#68768",
    repair: "Drop the block.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":""},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let shells = thoughts(case, Kind::Thinking).filter(|(_, block)| is_shell(block));
        hits.extend(shells.map(|(number, block)| gone(number, block)));
    },
    ..ROW
};

pub const AN05: Row = Row {
    code: "AN05",
    name: "hollow-thinking",
    targets: TARGETS,
    models: "4.7 and later leave the text out by default; for all, it may have been removed on disk",
    finds: "a thinking block with a signature and an empty text, as it arrives or as damage leaves it",
    messages: &[
        "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified",
        "thinking or redacted_thinking blocks in the latest assistant message cannot be modified",
    ],
    outcome: Outcome::Undecided,
    evidence: "recorded as accepted; several threads saw it refused, anthropics/claude-code#63147",
    repair: "Drop all such blocks, if the provider refuses the file.",
    options: " --hollow",
    not: "Dropping some of them; redacted_thinking with the signature as its data.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"EqoBCkgIARABGAIiQL2wR5u5c7o9c1r7fB6h1kCq3m8n2v4y6t8r0e2w4q6s8d0f"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let hollow: Vec<_> = case.answered().filter(|(_, block)| is_hollow(block)).collect();
        let Some((number, first)) = hollow.first() else { return };
        let cuts = hollow.iter().map(|(_, block)| Edit::Cut(block.object.at())).collect();
        let hit = Hit::doubted(*number, first.object.at()).mend_if(Need::Hollow, Rank::Block, cuts);
        hits.push(Hit { places: hollow.len() as u64, ..hit });
    },
    ..ROW
};

pub const AN06: Row = Row {
    code: "AN06",
    name: "thinking-at-the-end",
    targets: TARGETS,
    finds: "a message of the assistant whose last block is thinking",
    messages: &[
        "final block in an assistant message cannot be `thinking`",
        "final block in an assistant message cannot be thinking",
    ],
    evidence: "several threads, tailcallhq/forgecode#2107, NousResearch/hermes-agent#16921",
    repair: "Drop the block, and the message if nothing else is in it.",
    not: "An empty text behind it (AN13).",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        for (number, message) in case.answers() {
            let Some(last) = message.blocks.last().filter(|block| block.thinks()) else { continue };
            // Whether messages of the assistant in a row are joined before this is looked for, is not known.
            let joined = case.conversation.messages.get(number + 1).is_some_and(Message::is_assistant);
            let edits = match message.blocks.len() {
                1 => case.cut_message(number),
                _ => vec![Edit::Cut(last.object.at())],
            };
            let hit = Hit::refused(number, last.object.at()).certain(!joined);
            hits.push(if joined { hit } else { hit.mend(Rank::Block, edits) });
        }
    },
    ..ROW
};

pub const AN10: Row = Row {
    code: "AN10",
    name: "repeated-thinking",
    targets: TARGETS,
    finds: "a thinking block whose signature or data another one has",
    messages: &[
        "must match the parameters during the original request",
        "blocks in the latest assistant message cannot be modified",
    ],
    evidence: "several threads, openclaw/openclaw#103587",
    repair: "Drop the copy.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"redacted_thinking","data":"b"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    clean: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"redacted_thinking","data":"e"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: repeated,
    ..ROW
};

/// Blocks that are signed as one before them.
pub fn repeated(case: &Case<'_, '_>, hits: &mut Vec<Hit>) {
    let mut known = HashSet::new();
    for (number, block) in case.answered() {
        let sign = sealed(block).filter(|sign| !sign.is_empty());
        if let Some(sign) = sign.filter(|_| block.thinks())
            && !known.insert(sign)
        {
            hits.push(gone(number, block));
        }
    }
}

/// What identifies a block: its signature or its data, wherever the dialect has it.
fn sealed(block: &Block<'_>) -> Option<Vec<u8>> {
    let inner = block.object.inner("reasoningContent");
    let inner = inner.as_ref();
    let text = inner.and_then(|inner| inner.inner("reasoningText"));
    let object = text.as_ref().or(inner).unwrap_or(&block.object);
    let (_, sign) = object.first(&["signature", "data", "redactedContent"])?;
    sign.string().map(std::borrow::Cow::into_owned)
}

pub const AN11: Row = Row {
    code: "AN11",
    name: "redacted-without-data",
    targets: TARGETS,
    finds: "a redacted_thinking block without data, or with the signature of a thinking block as its data",
    messages: &["redacted_thinking.data: Field required", "Invalid `data` in `redacted_thinking` block"],
    evidence: "several threads, microsoft/vscode#320196, anthropics/claude-code#56708",
    repair: "Drop the block.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":""},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let signs: HashSet<_> =
            thoughts(case, Kind::Thinking).filter_map(|(_, block)| signature(block)?.string()).collect();
        for (number, block) in thoughts(case, Kind::Redacted) {
            let data = block.object.get("data").and_then(Value::string);
            if data.is_none_or(|data| data.is_empty() || signs.contains(&data)) {
                hits.push(gone(number, block));
            }
        }
    },
    ..ROW
};

pub const AN12: Row = Row {
    code: "AN12",
    name: "extra-member-of-thinking",
    targets: TARGETS,
    finds: "a member of a thinking block that its type does not have",
    messages: &["thinking.cache_control: Extra inputs are not permitted", "thinking.…: Extra inputs are not permitted"],
    evidence: "one thread and the source of clients, Wei-Shaw/sub2api#225, NousResearch/hermes-agent#26959",
    repair: "Cut that member only: it is not signed.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b","index":0},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        for (number, block) in case.answered() {
            let own: &[&str] = match block.kind {
                Kind::Thinking if !is_other_shape(block) => &["type", "thinking", "signature"],
                Kind::Redacted if block.object.has("data") => &["type", "data"],
                _ => continue,
            };
            let extra = block.object.members().filter(|(key, ..)| own.iter().all(|own| key.as_ref() != own.as_bytes()));
            hits.extend(
                extra.map(|(_, at, value)| Hit::refused(number, value.at()).mend(Rank::Key, vec![Edit::Cut(at)])),
            );
        }
    },
    ..ROW
};

pub const AN13: Row = Row {
    code: "AN13",
    name: "empty-text",
    targets: TARGETS,
    finds: "an empty text block, or a message of the user that is only white space",
    messages: &["text content blocks must be non-empty", "text content blocks must contain non-whitespace text"],
    evidence: "several threads, anthropics/claude-code#41992; white space beside other blocks: models write it, two threads saw it refused",
    repair: "Drop the block.",
    not: "One space.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}]}"#,
    }],
    search: |case, hits| {
        for (number, message) in case.messages() {
            let speaks = message.blocks.iter().any(|block| !block.is_white());
            let of_user = message.is_prompt();
            for block in message.blocks.iter().filter(|block| block.is_white()) {
                let is_blank = block.object.get("text").is_some_and(Value::is_blank);
                let certain = is_blank || of_user && !speaks;
                hits.push(gone(number, block).certain(certain));
            }
            let white = |text: &Value<'_>| text.string().is_some_and(|text| text.trim_ascii().is_empty());
            if let Some(text) = message.text().filter(|text| of_user && !text.is_blank() && white(text)) {
                hits.push(Hit::refused(number, text.at()).mend(Rank::Block, case.cut_message(number)));
            }
        }
    },
    ..ROW
};

pub const AN14: Row = Row {
    code: "AN14",
    name: "empty-message",
    targets: TARGETS,
    finds: "a message without content",
    messages: &["all messages must have non-empty content", "messages must have non-empty content"],
    evidence: "one thread, konveyor/kai#645",
    repair: "Drop the message: messages of one role in a row are joined. Where that would leave none, its text is `(empty)`.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let last = case.conversation.messages.len().saturating_sub(1);
        let is_last = |number: usize| number == last && !case.conversation.goes_on();
        for (number, message) in case.messages().filter(|(_, message)| message.is_empty()) {
            if message.is_assistant() && is_last(number) {
                continue;
            }
            // The first message must be of the user.
            let needed = number == 0 && case.conversation.messages.get(1).is_none_or(Message::is_assistant);
            let content = message.parts[0].content.filter(|_| needed);
            let edits = content.map_or_else(|| case.cut_message(number), |content| vec![empty(content)]);
            hits.push(Hit::refused(number, message.at()).mend(Rank::Message, edits));
        }
    },
    ..ROW
};

/// Says that a content is empty.
fn empty(content: Value<'_>) -> Edit {
    let said = if content.is_list() { r#"[{"type":"text","text":"(empty)"}]"# } else { r#""(empty)""# };
    Edit::Replace(content.at(), said.as_bytes().to_vec())
}

pub const AN17: Row = Row {
    code: "AN17",
    name: "thinking-of-another-model",
    targets: TARGETS,
    models: "between Opus, Sonnet and Fable; Fable 5.1 reads blocks of older models, or drops them",
    finds: "a thinking block that another model made",
    messages: &["Invalid `signature` in `thinking` block"],
    evidence: "staff and several threads, vybestack/llxprt-code#2335, openclaw/openclaw#136782",
    repair: "Drop the blocks of that model.",
    options: " --foreign drop",
    not: "redacted_thinking with the same signature.",
    matches: &[Example {
        to: TO,
        text: r#"{"type":"assistant","message":{"id":"m","model":"claude-sonnet-4-5","role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"text","text":"c"}]}}"#,
    }],
    search: |case, hits| {
        if case.conversation.origin != Origin::ClaudeCode || case.model.name().is_none() {
            return;
        }
        let reads = case.model.claude().is_some_and(|(line, version)| line == "fable" && version >= Some((5, 1)));
        for (number, message) in case.answers() {
            for part in &message.parts {
                let made_by = part.object.get("model").map(Value::word).filter(|name| !name.starts_with('<'));
                let other = made_by.is_some_and(|name| !case.model.is_same(&Model::new(Some(&name))));
                let inside = |block: &&Block<'_>| part.object.at().contains(&block.object.at().start);
                for block in message.blocks.iter().filter(|block| other && block.thinks()).filter(inside) {
                    let certain = case.is_named && !reads;
                    let hit = if certain || case.foreign.is_some() {
                        foreign(case, number, block)
                    } else {
                        Hit::doubted(number, block.object.at())
                    };
                    hits.push(hit.certain(certain));
                }
            }
        }
    },
    ..ROW
};

pub const AN18: Row = Row {
    code: "AN18",
    name: "bound-thinking",
    targets: TARGETS,
    models: "Fable 5.1 and later",
    finds: "a thinking block before which anything was changed",
    messages: &["The block is bound to a different conversation"],
    outcome: Outcome::Undecided,
    evidence: "documentation and several threads, pydantic/pydantic-ai#7984, NousResearch/hermes-agent#106426",
    repair: "Drop all thinking, or none: `unthink strip --policy all`. Or set thinking.block_binding.prefix_mismatch_behavior to drop_block, with the beta thinking-binding-controls-2026-08-01.",
    not: "Dropping blocks from the middle.",
    unseen: "whether something before a block was changed, only its provider knows",
    ..ROW
};

pub const AN19: Row = Row {
    code: "AN19",
    name: "reasoning-of-another-dialect",
    targets: TARGETS,
    finds: "a member of a message or a block that has reasoning as other providers do",
    messages: &["messages.…: Extra inputs are not permitted"],
    evidence: "inferred from the schema",
    repair: "Cut it, or convert it.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"c","reasoning_content":"b"},{"role":"user","content":"d"}]}"#,
    }],
    clean: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{"reasoning_content":"x","thinking":true}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"d"}]}]}"#,
    }],
    search: |case, hits| {
        for (number, message) in case.messages() {
            for part in &message.parts {
                let members =
                    part.object.members().filter(|(key, ..)| MEMBERS.iter().any(|m| key.as_ref() == m.as_bytes()));
                hits.extend(
                    members.map(|(_, at, value)| Hit::refused(number, value.at()).mend(Rank::Key, vec![Edit::Cut(at)])),
                );
            }
        }
        let other = |block: &&Block<'_>| BLOCKS.iter().any(|kind| block.object.says("type", kind));
        let is_foreign = |block: &Block<'_>| block.kind == Kind::Thinking && is_other_shape(block) || other(&block);
        let foreign = case.answered().filter(|(_, block)| is_foreign(block));
        hits.extend(foreign.map(|(number, block)| gone(number, block)));
    },
    ..ROW
};

/// Members of messages for reasoning, in the dialects of other providers.
pub const MEMBERS: &[&str] = &[
    "reasoning_content",
    "reasoning",
    "reasoning_details",
    "reasoning_text",
    "thinking",
    "thinking_blocks",
    "thought",
];

/// Types of blocks for reasoning, in the dialects of other providers and of frameworks.
const BLOCKS: &[&str] = &["reasoning", "reasoning_content", "think", "thought"];

pub const DS05: Row = Row {
    code: "DS05",
    name: "call-without-thinking",
    targets: &["deepseek-anthropic"],
    models: "V4, with thinking",
    finds: "a message with a call and without a thinking block",
    messages: &["The `content[].thinking` in the thinking mode must be passed back"],
    evidence: "several threads, leookun/cursor-byok#276",
    repair: "Put in a block whose text is one space, and whose signature is empty: signatures are not checked.",
    matches: &[Example {
        to: "deepseek-anthropic:deepseek-v4-pro",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"d"}]}]}"#,
    }],
    search: |case, hits| {
        if case.setting("thinking").and_then(Value::object).is_some_and(|thinking| thinking.says("type", "disabled")) {
            return;
        }
        for (number, message) in case.answers().filter(|(_, message)| message.holds(Kind::Call) && !message.thinks()) {
            let fill = case.filler(number, " ");
            let block = format!(r#"{{"type":"thinking","thinking":{fill},"signature":""}}"#);
            let list: Vec<Value<'_>> = message.parts[0].content.into_iter().flat_map(Value::list).collect();
            let comma = match list.as_slice() {
                [first, second, ..] => &message.object().text()[first.at().end..second.at().start],
                _ => b",",
            };
            let put = list.first().map(|first| Edit::Put(first.at().start, [block.as_bytes(), comma].concat()));
            hits.push(Hit::refused(number, message.at()).mend(Rank::Insert, put.into_iter().collect()));
        }
    },
    ..ROW
};
