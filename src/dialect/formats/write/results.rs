//! Tool results, and texts in parts: what is kept of them, and where providers expect them.

use super::media::{media_behind, says_medium};
use super::{Json, elements, member, members, quoted, short_call_id};
use crate::json::scan::validate;
use crate::json::text::decoded;
#[cfg(feature = "cli")]
use crate::model::content::HeadFact;
use crate::model::content::{Attribute, Block, BlockMessage, ContentKind, Other, RecordHead};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The result of a call, as a JSON value. A list of nothing but a part of JSON, as Bedrock has it, is that JSON.
pub(in crate::dialect) fn result_value(block: &Block) -> Option<&[u8]> {
    let value = block.get(Attribute::Result)?;
    let value = typed_value(value).unwrap_or(value);
    if value.first() != Some(&b'[') {
        return Some(value);
    }
    let mut parts = elements(value, 0).map(|(_, at)| &value[at]);
    let only = parts.next().filter(|_| parts.next().is_none());
    Some(only.and_then(json_in).unwrap_or(value))
}

/// The value in an object that says what it is, and has nothing else, as the AI SDK has it: `{"type":"text","value":…}`.
fn typed_value(value: &[u8]) -> Option<&[u8]> {
    value.starts_with(b"{").then_some(())?;
    let mut all = members(value, 0);
    let (.., kind) = all.next().filter(|(key, ..)| key.is(value, "type"))?;
    let (.., at) = all.next().filter(|(key, ..)| key.is(value, "value"))?;
    // One that says that it is an error stays whole.
    let known: [&[u8]; 3] = [b"\"text\"", b"\"json\"", b"\"content\""];
    (known.contains(&&value[kind]) && all.next().is_none()).then(|| &value[at])
}

/// The value in a part that says that it is JSON, and has nothing else.
fn json_in(part: &[u8]) -> Option<&[u8]> {
    part.starts_with(b"{").then_some(())?;
    let mut all = members(part, 0);
    let (.., at) = all.next().filter(|(key, ..)| key.is(part, "json"))?;
    all.next().is_none().then(|| &part[at])
}

/// A result as a text: its string, or the texts of its parts. Any other value is written as JSON. Also returns whether
/// a part of it is lost.
pub(in crate::dialect) fn result_text(block: &Block) -> (Leaf, Option<Loss>) {
    let Some(value) = result_value(block) else { return (Leaf::default(), None) };
    if let Some(text) = wrapped_text(value) {
        return (text, None);
    }
    match value.first() {
        Some(b'"') => (leaf(value), None),
        Some(b'n') => (Leaf::default(), None),
        Some(b'[') => {
            let (texts, lossy) = part_texts(value);
            (Leaf::joined(&texts, b"\n"), lossy)
        }
        _ => (value.into(), Some(Loss::Result)),
    }
}

/// The text in an object with nothing else: where results are objects, a text is wrapped in one.
pub(in crate::dialect) fn wrapped_text(value: &[u8]) -> Option<Leaf> {
    wrapped_as(value, "output")
}

/// The same, under this key.
fn wrapped_as(value: &[u8], name: &str) -> Option<Leaf> {
    value.starts_with(b"{").then_some(())?;
    let mut all = members(value, 0);
    let (.., at) = all.next().filter(|(key, ..)| key.is(value, name))?;
    (all.next().is_none() && value[at.start] == b'"').then(|| leaf(&value[at]))
}

/// The text of a JSON string.
fn leaf(string: &[u8]) -> Leaf {
    let inside = &string[1..string.len() - 1];
    Leaf::of(inside, inside.contains(&b'\\'))
}

/// The texts of a result that is a list of two or more texts, and of nothing else.
pub(in crate::dialect) fn result_texts(block: &Block) -> Option<Vec<Leaf>> {
    let value = result_value(block).filter(|value| value.first() == Some(&b'['))?;
    let (texts, lossy) = part_texts(value);
    (texts.len() > 1 && lossy.is_none()).then_some(texts)
}

/// A result of a call as a message of the chat family.
pub(in crate::dialect) fn tool_message(block: &Block, at: usize, losses: &mut Losses) -> Vec<u8> {
    tool_message_for(block, &short_call_id(block, Attribute::ResultOf, at), losses)
}

/// The same, for the call with this identifier.
pub(in crate::dialect) fn tool_message_for(block: &Block, id: &[u8], losses: &mut Losses) -> Vec<u8> {
    let (text, lossy) = result_text(block);
    losses.inside(block.at, |losses| {
        losses.extend(lossy);
        losses.extend((block.get(Attribute::IsError) == Some(b"true")).then_some(Loss::Extra));
    });
    let json = Json::object().word("role", "tool").raw("tool_call_id", id);
    match result_texts(block) {
        Some(texts) => json.raw("content", &text_parts(&texts)).end(),
        None => json.leaf("content", &text).end(),
    }
}

/// A message of the chat family that is not by the assistant: its texts, or `parts` if it has others than texts.
pub(in crate::dialect) fn said(message: &BlockMessage, role: &str, parts: Option<Vec<WrittenJson>>) -> WrittenJson {
    let (texts, json) = (texts(message), Json::object().word("role", role));
    match (parts, texts.len()) {
        (Some(parts), _) => json.list_of("content", |list| list.items(&parts)).written(),
        (None, 0 | 1) => json.leaf("content", &one_text(message)).written(),
        (None, _) => json.list_of("content", |list| text_parts_in(list, texts)).written(),
    }
}

/// A result as a list of text parts, if it is a list with a text.
pub(in crate::dialect) fn result_parts(block: &Block, losses: &mut Losses) -> Option<Vec<u8>> {
    let value = result_value(block).filter(|value| value.first() == Some(&b'['))?;
    let (texts, lossy) = part_texts(value);
    if texts.is_empty() {
        return None;
    }
    losses.extend(lossy);
    Some(text_parts(&texts))
}

/// A list of parts of text.
pub(in crate::dialect) fn text_parts<'t>(texts: impl IntoIterator<Item = &'t Leaf>) -> Vec<u8> {
    text_parts_in(Json::list(), texts).end()
}

/// Adds parts of text to a list.
pub(in crate::dialect) fn text_parts_in<'t>(list: Json, texts: impl IntoIterator<Item = &'t Leaf>) -> Json {
    let part = |list: Json, text| list.object_of(|json| json.word("type", "text").leaf("text", text));
    texts.into_iter().fold(list, part)
}

/// The texts of a list of parts, and what is lost if the list has other parts. One that is neither a text nor a medium is kept as
/// JSON.
pub(in crate::dialect) fn part_texts(value: &[u8]) -> (Vec<Leaf>, Option<Loss>) {
    let (mut out, mut lossy) = (Vec::new(), None);
    for (_, at) in elements(value, 0) {
        let part = &value[at];
        let text = if part.first() == Some(&b'"') { Some(part.to_vec()) } else { member(part, "text") };
        // The type may be the name of a class.
        let is_text = || member(part, "type").is_some_and(|class| decoded(&class).ends_with(b".Text\""));
        let text = text.or_else(|| member(part, "content").filter(|_| is_text()));
        // Programs that are built on Google's API keep its results.
        let inner = |part: &[u8]| member(&member(part, "functionResponse")?, "response");
        let said = |response: Vec<u8>| wrapped_text(&response).or_else(|| wrapped_as(&response, "error"));
        if let Some(text) = inner(part).and_then(said) {
            out.push(text);
            continue;
        }
        // Cohere's documents have their text, or an object, as data.
        if let Some(data) = member(part, "document").and_then(|document| member(&document, "data")) {
            out.push(if data.starts_with(b"\"") { leaf(&data) } else { data.as_slice().into() });
            continue;
        }
        match text.as_deref() {
            Some(text @ [b'"', ..]) => out.push(leaf(text)),
            _ => {
                let medium = text.is_none() && says_medium(part);
                lossy = if medium { lossy.or(Some(Loss::Media)) } else { Some(Loss::Result) };
                let message = member(part, "content").filter(|_| member(part, "role").is_some());
                match message.as_deref() {
                    Some(text @ [b'"', ..]) => out.push(leaf(text)),
                    Some(parts) => out.extend(elements(parts, 0).filter_map(|(_, at)| {
                        let text = member(&parts[at], "text")?;
                        text.starts_with(b"\"").then(|| leaf(&text))
                    })),
                    // Where a cache may begin is nothing that anybody says.
                    None if member(part, "cachePoint").is_some() => (),
                    None if says_medium(part) => (),
                    None => out.push(json_in(part).unwrap_or(part).into()),
                }
            }
        }
    }
    (out, lossy)
}

/// The instructions of a request as a message, for formats that have them so.
pub(in crate::dialect) fn system_message(head: &RecordHead) -> Option<Vec<u8>> {
    head.get(Attribute::System)?;
    let text = Leaf::joined(&system_texts(head), b"\n");
    Some(Json::object().word("role", "system").leaf("content", &text).end())
}

/// The model and the messages of a request whose instructions are its first message. `written`: a message, as one or
/// several of the format.
pub(in crate::dialect) fn conversation(
    (head, all): (&RecordHead, &[BlockMessage]),
    losses: &mut Losses,
    written: impl Fn(&BlockMessage, &mut Losses) -> Vec<WrittenJson>,
) -> Json {
    let mut out: Vec<WrittenJson> = system_message(head).map(WrittenJson::from).into_iter().collect();
    let all = media_behind(answered(all), Role::User, losses);
    all.iter().for_each(|message| out.append(&mut written(message, losses)));
    let json = Json::object();
    json.some("model", head.get(Attribute::Model)).list_of("messages", |list| list.items(&out))
}

/// The instructions beside the messages of a request, one text for each part.
pub(in crate::dialect) fn system_texts(head: &RecordHead) -> Vec<Leaf> {
    match head.get(Attribute::System) {
        Some(value @ [b'"', ..]) => vec![leaf(value)],
        Some(value @ [b'[', ..]) => part_texts(value).0,
        Some(value @ [b'{', ..]) => object_texts(value),
        Some(b"null") | None => Vec::new(),
        Some(value) => vec![value.into()],
    }
}

/// The same for a drawing: without any, those that datasets and logs have under a key of their own, which writers leave where
/// it is.
#[cfg(feature = "cli")]
pub(in crate::dialect) fn shown_instructions(head: &RecordHead) -> Vec<Leaf> {
    const KEYS: [&[u8]; 3] = [b"system", b"system_prompt", b"systemPrompt"];
    let texts = system_texts(head);
    if !texts.is_empty() {
        return texts;
    }
    let is_one = |fact: &&HeadFact| KEYS.contains(&&*fact.key) && fact.value.len() > 2 && fact.value[0] == b'"';
    head.facts.iter().filter(is_one).map(|fact| leaf(&fact.value)).collect()
}

/// The texts of instructions in an object: its text, those of its parts, or all of it as JSON.
fn object_texts(value: &[u8]) -> Vec<Leaf> {
    let inner = ["text", "content", "parts"].iter().find_map(|key| member(value, key));
    match inner.as_deref() {
        Some(text @ [b'"', ..]) => vec![leaf(text)],
        Some(list @ [b'[', ..]) if !part_texts(list).0.is_empty() => part_texts(list).0,
        // A part alone, in place of a list of them.
        Some(part @ [b'{', ..]) if member(part, "text").is_some() => object_texts(part),
        None if members(value, 0).next().is_none() => Vec::new(),
        _ => vec![value.into()],
    }
}

/// The texts of a message.
pub(in crate::dialect) fn texts(message: &BlockMessage) -> Vec<&Leaf> {
    let blocks = message.blocks.iter().filter(|block| block.kind == ContentKind::Text && !block.text.is_empty());
    blocks.map(|block| &block.text).collect()
}

/// The texts of a message as one. The model continues its text in the next block; texts of other roles are separate.
pub(in crate::dialect) fn one_text(message: &BlockMessage) -> Leaf {
    let between: &[u8] = if message.role == Role::Assistant { b"" } else { b"\n" };
    Leaf::joined(texts(message), between)
}

fn is_result(block: &Block) -> bool {
    block.kind == ContentKind::Other(Other::Result)
}

/// The messages with each tool result right behind its call, where some providers require it.
pub(in crate::dialect) fn answered(messages: &[BlockMessage]) -> Cow<'_, [BlockMessage]> {
    let answers = |message: &BlockMessage| message.blocks.iter().any(is_result);
    // The last call with each identifier, and the last message so far that has no result.
    let (mut calls, mut other): (HashMap<&[u8], usize>, usize) = (HashMap::new(), 0);
    let mut late: BTreeMap<usize, Vec<Block>> = BTreeMap::new();
    let mut stay: Vec<Cow<'_, BlockMessage>> = Vec::with_capacity(messages.len());
    for (at, message) in messages.iter().enumerate() {
        let call_of =
            |block: &Block| calls.get(block.filled(Attribute::ResultOf)?).filter(|call| **call < other).copied();
        let goes = |block: &&Block| is_result(block) && call_of(block).is_some();
        for block in message.blocks.iter().filter(goes) {
            late.entry(call_of(block).unwrap_or(at)).or_default().push(block.clone());
        }
        let stays = match message.blocks.iter().any(|block| goes(&block)) {
            true => {
                let blocks = message.blocks.iter().filter(|block| !goes(block)).cloned().collect();
                Cow::Owned(BlockMessage { blocks, ..message.clone() })
            }
            false => Cow::Borrowed(message),
        };
        if !answers(&stays) && (!stays.blocks.is_empty() || message.blocks.is_empty()) {
            other = at;
        }
        for block in &message.blocks {
            if let (ContentKind::Other(Other::Call), Some(id)) = (block.kind, block.filled(Attribute::CallId)) {
                calls.insert(id, at);
            }
        }
        stay.push(stays);
    }
    if late.is_empty() {
        return Cow::Borrowed(messages);
    }
    let (mut out, mut waiting) = (Vec::with_capacity(messages.len()), Vec::new());
    for (at, message) in stay.iter().enumerate() {
        if !message.blocks.is_empty() || messages[at].blocks.is_empty() {
            out.push(message.clone().into_owned());
        }
        waiting.extend(late.remove(&at).unwrap_or_default());
        // Behind the results that stand there already.
        if stay.get(at + 1).is_none_or(|next| !answers(next)) {
            let result = |block| BlockMessage { blocks: vec![block], ..BlockMessage::new(Role::Tool) };
            out.extend(waiting.drain(..).map(result));
        }
    }
    Cow::Owned(out)
}

/// The name and the arguments of a call whose text has both. The arguments may be a string of JSON.
pub(in crate::dialect) fn call_in_text(block: &Block) -> Option<(Vec<u8>, Vec<u8>)> {
    block.get(Attribute::CallText)?;
    let text = block.text.decoded();
    let text = text.trim_ascii();
    validate(text).ok()?;
    let name = member(text, "name").filter(|name| name.len() > 2 && name[0] == b'"')?;
    let arguments = match member(text, "arguments")? {
        value if value.first() == Some(&b'"') => decoded(&value[1..value.len() - 1]),
        value => value,
    };
    (arguments.first() == Some(&b'{') && validate(&arguments).is_ok()).then_some((name, arguments))
}

/// The name of the tool that is called, as a JSON value. One of the provider's own is named by the type of the call.
pub(in crate::dialect) fn call_name(block: &Block) -> Vec<u8> {
    match (block.get(Attribute::Name), block.get(Attribute::Tool)) {
        _ if block.get(Attribute::CallText).is_some() => {
            call_in_text(block).map_or_else(|| b"\"\"".to_vec(), |(name, _)| name)
        }
        (Some(name), _) => name.to_vec(),
        (None, Some([b'"', word @ .., b'"'])) => {
            let word = decoded(word);
            quoted(word.strip_suffix(b"_call").or_else(|| word.strip_prefix(b"tool-")).unwrap_or(&word))
        }
        _ => b"\"\"".to_vec(),
    }
}

/// Whether a tool is called with free text in place of JSON.
pub(in crate::dialect) fn is_free(block: &Block) -> bool {
    block.get(Attribute::Free).is_some()
}

/// A request or a response as a line of a batch, in the form of OpenAI.
pub(in crate::dialect) fn openai_batch(key: &[u8], value: &[u8], request: bool, url: &str) -> Vec<u8> {
    let json = Json::object().raw("custom_id", key);
    if request {
        return json.word("method", "POST").word("url", url).raw("body", value).end();
    }
    let response = Json::object().raw("status_code", b"200").raw("body", value).end();
    json.raw("response", &response).raw("error", b"null").end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content::HeadFact;

    #[test]
    fn instructions_are_never_dropped() {
        for (value, want) in [
            ("\"a\"", vec!["a"]),
            ("[{\"type\":\"text\",\"text\":\"a\"},\"b\"]", vec!["a", "b"]),
            ("{\"type\":\"text\",\"text\":\"a\"}", vec!["a"]),
            ("{\"parts\":[{\"text\":\"a\"},{\"text\":\"b\"}]}", vec!["a", "b"]),
            ("{\"parts\":{\"text\":\"a\"}}", vec!["a"]),
            ("{\"rules\":[1]}", vec!["{\"rules\":[1]}"]),
            ("{ }", vec![]),
            ("null", vec![]),
        ] {
            let head = RecordHead {
                facts: vec![HeadFact { name: Attribute::System, key: Vec::new(), value: value.into(), at: None }],
            };
            let texts: Vec<String> =
                system_texts(&head).iter().map(|t| String::from_utf8(t.decoded().to_vec()).unwrap()).collect();
            assert_eq!(texts, want, "{value}");
        }
    }
}
