//! Reads values of a record that was walked before: objects, lists, and what they mean in a message.

use super::parsed::{At, Block, Call, Outcome, Thought};
use crate::dialect::draft::Entry;
use crate::dialect::formats::chat::states;
use crate::dialect::formats::shared::{Holds, deep_text, holds};
use crate::dialect::shape::Rows;
use crate::json::{self, Literal, Scanner, Token, elements, members, text};
use std::borrow::Cow;

/// The first byte of a value, which determines its type.
pub(super) fn kind(text: &[u8], at: &At) -> u8 {
    text.get(at.start).copied().unwrap_or(0)
}

/// The inside of a string value.
pub(super) fn inside(at: &At) -> At {
    at.start + 1..at.end - 1
}

/// The members of the object that begins at `at`.
pub(super) fn entries(record: &[u8], at: &At) -> Vec<Entry> {
    members(record, at.start).map(Entry::of).collect()
}

/// Whether a part or a member would be missed: a text of blanks would not.
pub(super) fn is_filled(record: &[u8], at: &At) -> bool {
    let value = &record[at.clone()];
    let blank = matches!(value, [b'"', text @ .., b'"'] if text.trim_ascii().is_empty());
    !blank && json::is_filled(value)
}

/// The text of a string, decoded; nothing for another value.
pub(super) fn string(record: &[u8], at: &At) -> Vec<u8> {
    if kind(record, at) == b'"' { text::decoded(&record[inside(at)]) } else { Vec::new() }
}

/// Marks a text part that was the only part of its list.
pub(super) const MARK: &[u8] = b"{\"part\":true}";

/// A string value as a literal.
pub(super) fn literal(record: &[u8], at: &At) -> Literal {
    let (start, end) = (at.start + 1, at.end - 1);
    Literal { start, end, escaped: memchr::memchr(b'\\', &record[start..end]).is_some() }
}

/// The tool call or tool result in a part, if it is one.
pub(super) fn call_part(record: &[u8], kind_of: &[u8], entries: &[Entry], at: &At) -> Option<Block> {
    let find = |name: &str| entries.iter().find(|e| e.is(record, name));
    match kind_of {
        b"tool_call" => {
            let (id, name, arguments) = (find("id"), find("name")?, find("parameters"));
            let used = [Some("type"), Some("id"), Some("name"), Some("parameters")];
            let arguments = arguments.map(|e| match kind(record, &e.value) {
                b'"' => Ok(literal(record, &e.value)),
                _ => Err(e.value.clone()),
            });
            let extras = extras(record, entries, &used);
            let (id, name) = (id.map(|e| e.value.clone()), name.value.clone());
            Some(Block::Call(Call { id, name, arguments, extras, block: at.clone() }))
        }
        b"tool_response" => {
            let value = |name| find(name).map(|e| e.value.clone());
            let used = [Some("type"), Some("callId"), Some("toolName"), Some("result")];
            let (id, name, result) = (value("callId"), value("toolName"), value("result"));
            let extras = extras(record, entries, &used);
            Some(Block::Outcome(Outcome { id, name, result, extras, block: at.clone() }))
        }
        b"" => {
            let (key, inner) = ["functionCall", "functionResponse"].iter().find_map(|k| Some((*k, find(k)?)))?;
            let members = self::entries(record, &inner.value);
            let value = |name: &str| members.iter().find(|e| e.is(record, name)).map(|e| e.value.clone());
            let inside = ["id", "name", if key == "functionCall" { "args" } else { "response" }];
            let mut extras = extras(record, entries, &[Some(key), Some("thoughtSignature"), Some("thought"), None]);
            let others = members.iter().filter(|e| inside.iter().all(|name| !e.is(record, name)));
            extras.extend(others.map(Entry::at));
            if key == "functionCall" {
                let (id, name, arguments) = (value("id"), value("name")?, value("args").map(Err));
                let id = id.or_else(|| Some(name.clone()));
                return Some(Block::Call(Call { id, name, arguments, extras, block: at.clone() }));
            }
            let (id, name, result) = (value("id").or_else(|| value("name")), value("name"), value("response"));
            Some(Block::Outcome(Outcome { id, name, result, extras, block: at.clone() }))
        }
        _ => None,
    }
}

/// Whether a member has one of these keys.
pub(super) fn is_one_of(record: &[u8], member: &At, names: &[&str]) -> bool {
    let mut s = Scanner::within(record, member.start);
    matches!(s.token(), Ok(Token::String(key)) if names.iter().any(|name| key.is(record, name)))
}

/// The decoded key of a member.
pub(super) fn decoded(record: &[u8], member: &At) -> Vec<u8> {
    match Scanner::within(record, member.start).token() {
        Ok(Token::String(key)) => text::decoded(key.raw(record)),
        _ => Vec::new(),
    }
}

/// Whether the key of a member has a meaning in any object.
pub(super) fn is_known(record: &[u8], member: &At, rows: Rows) -> bool {
    states::is_known(&decoded(record, member), rows)
}

fn extras(record: &[u8], entries: &[Entry], used: &[Option<&str>; 4]) -> Vec<At> {
    let known = |e: &Entry| used.iter().flatten().any(|name| e.is(record, name));
    entries.iter().filter(|e| !known(e)).map(Entry::at).collect()
}

/// A block of reasoning in an object, by the keys of any provider.
pub(super) fn thought(record: &[u8], entries: &[Entry], at: At, default: Option<&str>) -> Thought {
    let mut out =
        Thought { block: Some(at), source: default.map(|name| Cow::Owned(name.to_string())), ..Thought::default() };
    for entry in entries {
        let value = || Some(entry.value.clone()).filter(|v| kind(record, v) != b'n');
        let key = entry.key.decoded(record);
        match holds(&key) {
            _ if *key == *b"type" => (),
            Some(Holds::SourceField) => {
                out.first |= out.text.is_none();
                out.named = true;
                let named = value().filter(|v| kind(record, v) == b'"').map(|v| literal(record, &v).decoded(record));
                out.source = named.map(|name| Cow::Owned(String::from_utf8_lossy(&name).into_owned()));
            }
            Some(Holds::Signature) if out.signature.is_none() => out.signature = value(),
            Some(Holds::Hidden) if out.hidden.is_none() => out.hidden = Some(entry.value.clone()),
            Some(Holds::Ciphertext) if out.encrypted.is_none() => out.encrypted = value(),
            Some(Holds::Text) if out.text.is_none() && matches!(kind(record, &entry.value), b'"' | b'[') => {
                if *key == *b"thinking" && out.source.is_none() {
                    out.source = Some("thinking".into());
                }
                let found = strings(record, &entry.value);
                // Elements of a list that are not its texts have no place in other formats.
                let (mut all, mut ours) = (Vec::new(), Vec::new());
                if kind(record, &entry.value) == b'[' {
                    deep_text(&record[entry.value.clone()], &mut all);
                    found.iter().for_each(|at| text::decode(&record[at.clone()], &mut ours));
                }
                out.extras.extend((all != ours).then(|| entry.at()));
                out.text = Some(found);
            }
            _ if *key == *b"thought" && kind(record, &entry.value) == b't' => (),
            _ => out.extras.push(entry.at()),
        }
    }
    out
}

/// The insides of the strings in a value: the value itself, or the texts of a list.
fn strings(record: &[u8], at: &At) -> Vec<At> {
    if kind(record, at) == b'"' {
        return vec![inside(at)];
    }
    let text = |part: At| match kind(record, &part) {
        b'"' => Some(inside(&part)),
        b'{' => {
            let text = |e: &Entry| e.is(record, "text") && kind(record, &e.value) == b'"';
            entries(record, &part).into_iter().find(text).map(|e| inside(&e.value))
        }
        _ => None,
    };
    elements(record, at.start).map(|(_, at)| at).filter_map(text).collect()
}

/// The blocks in a field: a list of blocks, or a single one.
pub(super) fn structure(record: &[u8], at: &At, field: &str) -> Vec<Thought> {
    let one = |at: At| {
        let entries = entries(record, &at);
        let text = matches!(kind(record, &at), b'"' | b'[').then(|| strings(record, &at));
        let mut thought = thought(record, &entries, at, None);
        thought.text = thought.text.or(text);
        thought.source = Some(Cow::Owned(field.to_string()));
        thought
    };
    match kind(record, at) {
        b'[' => elements(record, at.start).map(|(_, at)| at).map(one).collect(),
        _ => vec![one(at.clone())],
    }
}

/// Tool calls of a chat message; none if one of them cannot be written as a block.
pub(super) fn calls(record: &[u8], at: &At) -> Vec<Call> {
    let find = |list: &[Entry], name: &str| list.iter().find(|e| e.is(record, name)).map(|e| e.value.clone());
    if kind(record, at) == b'{' {
        let entries = entries(record, at);
        let arguments = find(&entries, "arguments").filter(|v| kind(record, v) == b'"');
        let parts = find(&entries, "name").zip(arguments).filter(|_| entries.len() == 2);
        let call = |(name, arguments): (At, At)| Call {
            id: None,
            name,
            arguments: Some(Ok(literal(record, &arguments))),
            extras: Vec::new(),
            block: at.clone(),
        };
        return parts.map(call).into_iter().collect();
    }
    let call = |at: At| {
        let outer = entries(record, &at);
        let function = find(&outer, "function").filter(|v| kind(record, v) == b'{')?;
        let inner = entries(record, &function);
        let arguments = find(&inner, "arguments")?;
        let arguments = match kind(record, &arguments) {
            b'"' => Ok(literal(record, &arguments)),
            // Ollama has the arguments as an object, and calls without a type.
            b'{' => Err(arguments),
            _ => return None,
        };
        let clash = |e: &Entry| e.is(record, "name") || e.is(record, "parameters");
        let plain = inner.len() == 2 && !outer.iter().any(clash);
        let typed = find(&outer, "type").is_none_or(|v| string(record, &v) == b"function");
        let call = Call {
            id: find(&outer, "id"),
            name: find(&inner, "name")?,
            arguments: Some(arguments),
            extras: extras(record, &outer, &[Some("id"), Some("type"), Some("function"), None]),
            block: at,
        };
        (plain && typed).then_some(call)
    };
    let all: Option<Vec<Call>> = elements(record, at.start).map(|(_, at)| at).map(call).collect();
    all.unwrap_or_default()
}
