//! Messages of Anthropic's Messages API as a whole: empty ones, and what other dialects leave in them.

use super::anthropic::{TARGETS, TO, gone, is_other_shape};
use super::{Example, ROW, TargetRule};
use crate::accept::case::{Rank, TargetCase, TargetHit};
use crate::accept::conversation::{RequestBlock, RequestItemKind, RequestMessage, RequestPart};
use crate::accept::edit::TextEdit;
use crate::accept::value::Value;

pub const AN13: TargetRule = TargetRule {
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
            let white: Vec<&RequestBlock<'_>> = message.blocks.iter().filter(|block| block.is_white()).collect();
            let says_nothing = !white.is_empty() && white.len() == message.blocks.len() && message.is_prompt();
            for block in white {
                let is_blank = block.object.get("text").is_some_and(Value::is_blank);
                hits.push(gone(number, block).certain(is_blank || says_nothing));
            }
            let text = message.text().filter(|text| text.is_white() && !text.is_blank());
            if let Some(text) = text.filter(|_| message.is_prompt()) {
                hits.push(TargetHit::refused(number, text.at()).mend(Rank::Block, case.cut_message(number)));
            }
        }
    },
    ..ROW
};

pub const AN14: TargetRule = TargetRule {
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
            let needed = number == 0 && case.conversation.messages.get(1).is_none_or(RequestMessage::is_assistant);
            let content = message.parts[0].content().filter(|_| needed);
            let edits = content.map_or_else(|| case.cut_message(number), |content| vec![empty(content)]);
            hits.push(TargetHit::refused(number, message.at()).mend(Rank::Message, edits));
        }
    },
    ..ROW
};

/// Says that a content is empty.
fn empty(content: Value<'_>) -> TextEdit {
    let said = if content.is_list() { r#"[{"type":"text","text":"(empty)"}]"# } else { r#""(empty)""# };
    TextEdit::Replace(content.at(), said.as_bytes().to_vec())
}

pub const AN19: TargetRule = TargetRule {
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
            let may_have = |part: &&RequestPart<'_>| MEMBERS.iter().any(|key| part.object.may_have(key));
            for part in message.parts.iter().filter(may_have) {
                let members =
                    part.object.members().filter(|(key, ..)| MEMBERS.iter().any(|m| key.as_ref() == m.as_bytes()));
                hits.extend(members.map(|(_, at, value)| {
                    TargetHit::refused(number, value.at()).mend(Rank::Key, vec![TextEdit::Cut(at)])
                }));
            }
        }
        let other = |block: &RequestBlock<'_>| BLOCKS.iter().any(|kind| block.object.says("type", kind));
        let is_foreign = |block: &RequestBlock<'_>| match block.kind {
            RequestItemKind::Thinking => is_other_shape(block),
            kind => kind == RequestItemKind::Other && other(block),
        };
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

pub const DS05: TargetRule = TargetRule {
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
        for (number, message) in
            case.answers().filter(|(_, message)| message.holds(RequestItemKind::Call) && !message.thinks())
        {
            let fill = case.filler(number, " ");
            let block = format!(r#"{{"type":"thinking","thinking":{fill},"signature":""}}"#);
            let list = message.parts[0].content();
            let put = list.map_or_else(Vec::new, |list| TargetCase::push_front(list, message.object().text(), &block));
            hits.push(TargetHit::refused(number, message.at()).mend(Rank::Insert, put));
        }
    },
    ..ROW
};
