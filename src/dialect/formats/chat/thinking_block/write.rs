//! Writes messages with a speaker and blocks.

use crate::dialect::formats::chat::Chat;
use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson, is_inline};
use std::ops::Range;

/// The writer of conversations, messages and deltas.
pub(in crate::dialect) struct ThinkingBlockWriter;

/// What stands before and behind the text of a ThinkingBlock.
pub(in crate::dialect::formats::chat) fn thinking(block: &Block) -> (String, String) {
    let object = thought(Json::object(), block, &Leaf::default()).end();
    let mut before = String::from_utf8_lossy(&object).into_owned();
    // No string holds a quotation mark that is not escaped.
    let text = before.find(EMPTY).map_or(before.len(), |at| at + EMPTY.len() - 1);
    let behind = before.split_off(text);
    (before, behind)
}

const EMPTY: &str = "\"thought\":\"\"";

/// Adds the members of a ThinkingBlock with this text. The name of the field that it came from stands before the text if
/// the field stood before the content.
fn thought(json: Json, block: &Block, text: &Leaf) -> Json {
    let inline = is_inline(block.source).then_some(&b"\"think_tags\""[..]);
    let source = block.get(Attribute::SourceField).or(inline);
    let first = block.get(Attribute::SourceFirst).is_some();
    let json = json.word("type", "thinking").some("sourceField", source.filter(|_| first)).leaf("thought", text);
    json.some("sourceField", source.filter(|_| !first))
        .some("signature", block.filled(Attribute::Signature))
        .some("isHidden", block.get(Attribute::Hidden))
        .some("encryptedContent", block.filled(Attribute::Ciphertext))
}

/// Adds a block to a list, if there is a place for it.
fn add(list: Json, block: &Block, at: usize, losses: &mut Losses) -> Json {
    match block.kind {
        ContentKind::Text => list.object_of(|json| json.word("type", "text").leaf("text", &block.text)),
        ContentKind::Reasoning => list.object_of(|json| thought(json, block, &block.text)),
        ContentKind::Other(Other::Call) => list.object_of(|json| {
            let json = json.word("type", "tool_call").raw("id", &call_id(block, Attribute::CallId, at));
            let json = json.raw("name", &call_name(block));
            let value = arguments_value(block).unwrap_or_else(|| quoted(&arguments_text(block).decoded()));
            json.raw("parameters", &value)
        }),
        ContentKind::Other(Other::Result) => list.object_of(|json| {
            let json = json.word("type", "tool_response");
            let json = json.raw("callId", &call_id(block, Attribute::ResultOf, at));
            let json = json.some("toolName", block.get(Attribute::Name));
            let (text, lossy) = result_text(block);
            losses.extend((block.get(Attribute::IsError) == Some(b"true")).then_some(Loss::Extra));
            match lossy {
                Some(_) => json.raw("result", result_value(block).unwrap_or(b"null")),
                None => json.leaf("result", &text),
            }
        }),
        ContentKind::Other(Other::Media) => match medium(block, losses, media) {
            Some(found) => list.item(&found),
            None => list,
        },
        ContentKind::Other(Other::Visible | Other::Step) => list,
    }
}

/// An image, a document or a sound.
fn media(media: &Media, _losses: &mut Losses) -> Option<Vec<u8>> {
    let (data, encoding) = match &media.data {
        Data::Base64(data) if !media.mime.is_empty() => (data, "base64"),
        Data::Url(url) => (url, "url"),
        _ => return None,
    };
    let json = Json::object().word("type", "media").text("mimeType", media.mime_or_any()).leaf("data", data);
    let json = json.word("encoding", encoding);
    Some(match &media.name {
        Some(name) => json.leaf("filename", name).end(),
        None => json.end(),
    })
}

fn message(message: &BlockMessage, losses: &mut Losses) -> WrittenJson {
    losses.of(message);
    lost_by_user(message, losses);
    let own = message.role == Role::Assistant;
    let object = || Json::object_for(message.blocks.iter().map(|block| block.text.unshared() + ROOM).sum());
    let json = match message.role {
        Role::Assistant => object().word("speaker", "ai"),
        Role::User => object().word("speaker", "human"),
        Role::Tool => object().word("speaker", "tool").some("name", message.get(Attribute::Author)),
        Role::System => {
            losses.push_each(others(message, Other::Media).map(|block| block.at), Loss::Media);
            return system(message);
        }
    };
    let written = |(_, found): &(usize, &Block)| !own || found.kind != ContentKind::Other(Other::Media);
    let blocks = message.blocks.iter().enumerate().filter(written);
    let add = |list, (at, found): (usize, &Block)| losses.inside(found.at, |losses| add(list, found, at, losses));
    json.list_of("blocks", |list| blocks.fold(list, add)).written()
}

/// Where the list of blocks stands in a written message: it is its last member, found without a scan of its texts. No string
/// before it holds a quotation mark that is not escaped. Little stands before it, so that a searcher would cost more than it
/// spares.
pub(in crate::dialect::formats::chat) fn blocks_of(written: &[u8]) -> Option<Range<usize>> {
    const KEY: &[u8] = b"\"blocks\":";
    let at = written.windows(KEY.len()).position(|here| here == KEY)?;
    Some(at + KEY.len()..written.len() - 1)
}

/// How many bytes most blocks have beside their texts.
const ROOM: usize = 96;

/// Instructions, which have no blocks.
fn system(message: &BlockMessage) -> WrittenJson {
    let developer = is_word(message.get(Attribute::Author), "developer");
    said(message, if developer { "developer" } else { "system" }, None)
}

/// A message as JSON, or none if nothing of it can be written.
fn written(found: &BlockMessage, losses: &mut Losses) -> Option<WrittenJson> {
    let out = message(found, losses);
    (!found.is_foreign()).then_some(out)
}

fn chunk(stream: &Streamed, delta: &[u8], out: &mut Values) {
    Chat::chunk(stream, delta, None, out);
}

/// A delta with the blocks that are added to its list.
fn delta(fill: impl FnOnce(Json) -> Json) -> Vec<u8> {
    Json::object().list_of("blocks", fill).end()
}

/// The settings that a log of conversations may have.
const SETTINGS: RequestSettings = RequestSettings { tools: None, choice: None, layout: None, ..CHAT_SETTINGS };

impl Writer for ThinkingBlockWriter {
    fn restates(&self) -> bool {
        // A call is a single block.
        true
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let mut all = Json::list();
        if let Some(system) = system_message(head) {
            all = all.item(&system);
        }
        let messages: Vec<WrittenJson> = messages.iter().filter_map(|found| written(found, losses)).collect();
        let all = all.items(&messages).end();
        let json = Json::object().some("model", head.get(Attribute::Model)).raw("messages", &all);
        losses.outside(None);
        losses.extend(head.get(Attribute::Tools).map(|_| Loss::Parameter));
        let json = json.some("max_tokens", head.get(Attribute::Limit));
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, found: &BlockMessage, _serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        // A message has no envelope: its identifier, model, time, stop reason and token usage are lost.
        lost_facts(found, &[Attribute::Id, Attribute::Model, Attribute::Created, Attribute::Output], losses);
        losses.extend(found.stop.map(|_| Loss::Parameter));
        Ok(message(found, losses).into_bytes())
    }

    fn message(&self, found: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        Ok(written(found, losses).into_iter().collect())
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        let delta = Json::object().word("speaker", "ai").raw("blocks", b"[]").end();
        chunk(stream, &delta, out);
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        // Readers join all pieces of reasoning, whatever stands between them.
        let blocks = &stream.message.blocks;
        if has_text(&blocks[block]) && blocks[..block].iter().any(has_text) {
            losses.push(Loss::Blocks);
            let line = |json: Json| json.word("type", "thinking").text("thought", b"\n");
            chunk(stream, &delta(|list| list.object_of(line)), out);
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let (kind, name) = match stream.message.blocks[block].kind {
            ContentKind::Text => ("text", "text"),
            ContentKind::Reasoning => ("thinking", "thought"),
            ContentKind::Other(_) => return,
        };
        let piece = |json: Json| json.word("type", kind).leaf(name, text);
        chunk(stream, &delta(|list| list.object_of(piece)), out);
    }

    fn close(&self, stream: &mut Streamed, at: usize, out: &mut Values, losses: &mut Losses) {
        let found = stream.message.blocks[at].clone();
        match found.kind {
            ContentKind::Text => (),
            ContentKind::Reasoning => {
                let sealed = Block { text: Leaf::default(), ..found };
                if !sealed.facts.is_empty() || !sealed.fed {
                    chunk(stream, &delta(|list| add(list, &sealed, at, losses)), out);
                }
            }
            ContentKind::Other(_) => {
                let list = add(Json::list(), &found, at, losses);
                match list.is_empty() {
                    false => chunk(stream, &Json::object().raw("blocks", &list.end()).end(), out),
                    true => losses.push(Loss::Part),
                }
            }
        }
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(("", Chat::error(message)))
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        Chat::over(stream, out);
    }
}
