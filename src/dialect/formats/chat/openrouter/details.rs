//! Writes reasoning as a text, and as a list of its blocks.

use crate::dialect::formats::anthropic::once_encoded;
use crate::dialect::formats::chat::Chat;
use crate::dialect::formats::write::*;
use crate::json::text::decoded;
use crate::model::content::{Attribute, Block, ContentKind, Streamed, Values};
use crate::model::{Leaf, SUMMARY};

/// What the format of a block is called whose provider is not known.
const UNKNOWN: &str = "unknown";

/// The format of a sealed block: the word of its provider, which clients must send back with it.
fn format(block: &Block) -> String {
    let word = |value: &[u8]| String::from_utf8_lossy(&decoded(&value[1..value.len() - 1])).into_owned();
    let own = block.filled(Attribute::SealedBy).map(word).filter(|word| word.contains("-v"));
    let named = || match sealer(block).as_deref()? {
        "anthropic" | "bedrock" => Some("anthropic-claude-v1"),
        "openai" | "azure" => Some("openai-responses-v1"),
        "google" | "vertex" => Some("google-gemini-v1"),
        "xai" => Some("xai-responses-v1"),
        _ => None,
    };
    own.unwrap_or_else(|| named().filter(|_| block.is_sealed()).unwrap_or(UNKNOWN).to_string())
}

/// The words for a text: its type, and the key that it stands under. A summary is told from the reasoning itself.
fn words(block: &Block) -> (&'static str, &'static str) {
    match block.source == SUMMARY && block.filled(Attribute::Signature).is_none() {
        true => ("reasoning.summary", "summary"),
        false => ("reasoning.text", "text"),
    }
}

/// The last members of an object of the list.
fn numbered(json: Json, block: &Block, number: usize) -> Json {
    json.some("id", block.filled(Attribute::BlockId)).word("format", &format(block)).number("index", number)
}

/// Adds the ciphertext of a block. It has the number of its text, if it has one.
fn encrypted(list: Json, block: &Block, number: usize) -> Json {
    let Some(data) = block.filled(Attribute::Ciphertext) else { return list };
    // As in the provider's own API.
    let data = if format(block).starts_with("anthropic") { once_encoded(data) } else { data.into() };
    list.object_of(|json| numbered(json.word("type", "reasoning.encrypted").raw("data", &data), block, number))
}

/// Adds the objects that a block becomes.
fn detail(list: Json, block: &Block, number: usize) -> Json {
    let (kind, key) = words(block);
    let signature = block.filled(Attribute::Signature);
    let list = match block.text.is_empty() && signature.is_none() && block.is_sealed() {
        true => list,
        false => list.object_of(|json| {
            let json = json.word("type", kind).leaf(key, &block.text).some("signature", signature);
            numbered(json, block, number)
        }),
    };
    encrypted(list, block, number)
}

/// Writes the reasoning of a message behind its content.
pub(in crate::dialect::formats::chat) fn answer(json: Json, thoughts: &[&Block], calls: &[&Block]) -> Json {
    let signed = |list: Json| {
        let calls = calls.iter().enumerate().filter(|(_, call)| call.filled(Attribute::CallSignature).is_some());
        let numbered = calls.zip(thoughts.len()..);
        numbered.fold(list, |list, ((place, call), number)| signature(list, call, place, number))
    };
    if thoughts.is_empty() {
        let list = signed(Json::list());
        return if list.is_empty() { json } else { json.raw("reasoning_details", &list.end()) };
    }
    let json = match thoughts.iter().all(|block| is_sealed_only(block)) {
        true => json.raw("reasoning", b"null"),
        false => {
            // In a stream, where readers join all pieces, a line end would become a part of a block, which may be signed.
            let filled = thoughts.iter().map(|block| &block.text).filter(|text| !text.is_empty());
            json.leaf("reasoning", &Leaf::joined(filled, b"\n"))
        }
    };
    let fill = |list: Json| thoughts.iter().enumerate().fold(list, |list, (at, block)| detail(list, block, at));
    json.list_of("reasoning_details", |list| signed(fill(list)))
}

/// Adds what Google has signed a call with: OpenRouter has it among the reasoning, under the identifier of the call. `place`: that of
/// the call among its kind.
fn signature(list: Json, call: &Block, place: usize, number: usize) -> Json {
    let Some(data) = call.filled(Attribute::CallSignature) else { return list };
    list.object_of(|json| {
        let json = json.word("type", "reasoning.encrypted").raw("data", data);
        let json = json.raw("id", &short_call_id(call, Attribute::CallId, place));
        json.word("format", "google-gemini-v1").number("index", number)
    })
}

/// Begins a streamed call: what it is signed with comes before it.
pub(in crate::dialect::formats::chat) fn open_call(stream: &Streamed, block: usize, out: &mut Values) {
    let (found, place) = (&stream.message.blocks[block], number(stream, block));
    let reasons = stream.message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning).count();
    let list = signature(Json::list(), found, place, reasons + place);
    if !list.is_empty() {
        Chat::chunk(stream, &Json::object().raw("reasoning_details", &list.end()).end(), None, out);
    }
}

/// The number of a streamed block among those of reasoning, which it got when it began.
fn number(stream: &Streamed, block: usize) -> usize {
    stream.placed(block).unwrap_or_default()
}

/// Begins a streamed block.
pub(in crate::dialect::formats::chat) fn open(stream: &mut Streamed, block: usize, out: &mut Values) {
    stream.place_in_kind(block);
    let found = &stream.message.blocks[block];
    let empty = !found.fed && !found.is_sealed();
    if empty {
        let delta = feed(stream, block, &Leaf::default());
        Chat::chunk(stream, &delta.end(), None, out);
    }
}

/// A delta with more of the text of a block.
pub(in crate::dialect::formats::chat) fn feed(stream: &Streamed, block: usize, text: &Leaf) -> Json {
    let (kind, key) = words(&stream.message.blocks[block]);
    let number = number(stream, block);
    let fill = |list: Json| list.object_of(|json| json.word("type", kind).leaf(key, text).number("index", number));
    Json::object().leaf("reasoning", text).list_of("reasoning_details", fill)
}

/// Ends a streamed block: its signature or ciphertext comes by itself, or what else its text did not have yet.
pub(in crate::dialect::formats::chat) fn close(stream: &Streamed, block: usize, out: &mut Values) {
    let (found, number) = (&stream.message.blocks[block], number(stream, block));
    let signed = |list: Json| match found.filled(Attribute::Signature) {
        Some(signature) => list
            .object_of(|json| numbered(json.word("type", "reasoning.text").raw("signature", signature), found, number)),
        None => list,
    };
    let mut list = encrypted(signed(Json::list()), found, number);
    if list.is_empty() && [Attribute::BlockId, Attribute::SealedBy].iter().any(|name| found.filled(*name).is_some()) {
        let (kind, key) = words(found);
        list = list.object_of(|json| numbered(json.word("type", kind).text(key, b""), found, number));
    }
    if !list.is_empty() {
        Chat::chunk(stream, &Json::object().raw("reasoning_details", &list.end()).end(), None, out);
    }
}
