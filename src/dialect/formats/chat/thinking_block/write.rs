//! Writes messages with a speaker and blocks.

use crate::dialect::formats::chat::Chat;
use crate::dialect::formats::write::*;
use crate::model::content::{Attribute, Block, Head, Kind, Message, Refused, Streamed, Values, What, Writer};
use crate::model::{Leaf, Loss, Losses, Role, is_inline};

/// The writer of conversations, messages and deltas.
pub(in crate::dialect) struct Blocks;

/// What stands before and behind the text of a ThinkingBlock. The name of the field that it came from stands before the
/// text if the field stood before the content.
pub(in crate::dialect::formats::chat) fn thinking(block: &Block) -> (String, String) {
    let inline = is_inline(block.source).then_some(&b"\"think_tags\""[..]);
    let source = block.get(Attribute::SourceField).or(inline);
    let first = block.get(Attribute::SourceFirst).is_some();
    let put = |out: &mut String, name: &str, value: Option<&[u8]>| {
        if let Some(value) = value {
            out.extend([",\"", name, "\":", &String::from_utf8_lossy(value)]);
        }
    };
    let mut before = String::from("{\"type\":\"thinking\"");
    put(&mut before, "sourceField", source.filter(|_| first));
    before.push_str(",\"thought\":\"");
    let mut behind = String::from("\"");
    put(&mut behind, "sourceField", source.filter(|_| !first));
    put(&mut behind, "signature", block.filled(Attribute::Signature));
    put(&mut behind, "isHidden", block.get(Attribute::Hidden));
    put(&mut behind, "encryptedContent", block.filled(Attribute::Ciphertext));
    behind.push('}');
    (before, behind)
}

fn block(block: &Block, at: usize, losses: &mut Losses) -> Option<Vec<u8>> {
    Some(match block.kind {
        Kind::Text => Json::object().word("type", "text").leaf("text", &block.text).end(),
        Kind::Reasoning => {
            let (before, behind) = thinking(block);
            let mut out = Vec::with_capacity(before.len() + block.text.len() + behind.len());
            out.extend_from_slice(before.as_bytes());
            block.text.inside(&mut out);
            out.extend_from_slice(behind.as_bytes());
            out
        }
        Kind::Other(What::Call) => {
            let json = Json::object().word("type", "tool_call").raw("id", &call_id(block, Attribute::CallId, at));
            let json = json.raw("name", &call_name(block));
            let value = arguments_value(block).unwrap_or_else(|| quoted(&arguments_text(block).decoded()));
            json.raw("parameters", &value).end()
        }
        Kind::Other(What::Result) => {
            let json = Json::object().word("type", "tool_response");
            let json = json.raw("callId", &call_id(block, Attribute::ResultOf, at));
            let json = json.some("toolName", block.get(Attribute::Name));
            let (text, lossy) = result_text(block);
            losses.extend((block.get(Attribute::IsError) == Some(b"true")).then_some(Loss::Extra));
            match lossy {
                true => json.raw("result", block.get(Attribute::Result).unwrap_or(b"null")).end(),
                false => json.leaf("result", &text).end(),
            }
        }
        Kind::Other(What::Media) => return medium(block, losses, media),
        Kind::Other(What::Other | What::Step) => return None,
    })
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

fn message(message: &Message, losses: &mut Losses) -> Vec<u8> {
    losses.of(message);
    lost_by_user(message, losses);
    let own = message.role == Role::Assistant;
    let blocks = message
        .blocks
        .iter()
        .enumerate()
        .filter(|(_, found)| !own || found.kind != Kind::Other(What::Media))
        .filter_map(|(at, found)| losses.inside(found.at, |losses| block(found, at, losses)));
    let blocks: Vec<Vec<u8>> = blocks.collect();
    let all = blocks.iter().fold(Json::list(), |list, block| list.item(block)).end();
    let json = match message.role {
        Role::Assistant => Json::object().word("speaker", "ai"),
        Role::User => Json::object().word("speaker", "human"),
        Role::Tool => Json::object().word("speaker", "tool").some("name", message.get(Attribute::Author)),
        Role::System => return system(message),
    };
    json.raw("blocks", &all).end()
}

/// Instructions, which have no blocks.
fn system(message: &Message) -> Vec<u8> {
    let developer = is_word(message.get(Attribute::Author), "developer");
    said(message, if developer { "developer" } else { "system" }, None)
}

/// A message as JSON, or none if nothing of it can be written.
fn written(found: &Message, losses: &mut Losses) -> Option<Vec<u8>> {
    let out = message(found, losses);
    (!found.is_foreign()).then_some(out)
}

fn chunk(stream: &Streamed, delta: &[u8], out: &mut Values) {
    Chat::chunk(stream, delta, None, out);
}

fn delta(block: &[u8]) -> Vec<u8> {
    Json::object().raw("blocks", &Json::list().item(block).end()).end()
}

impl Writer for Blocks {
    fn restates(&self) -> bool {
        // A call is a single block.
        true
    }

    fn request(&self, head: &Head, messages: &[Message], losses: &mut Losses) -> Result<Vec<u8>, Refused> {
        let mut all = Json::list();
        if let Some(system) = system_message(head) {
            all = all.item(&system);
        }
        let all = messages.iter().filter_map(|found| written(found, losses)).fold(all, |all, found| all.item(&found));
        let all = all.end();
        let json = Json::object().some("model", head.get(Attribute::Model)).raw("messages", &all);
        losses.outside(None);
        losses.extend(head.get(Attribute::Tools).map(|_| Loss::Parameter));
        let json = json.some("max_tokens", head.get(Attribute::Limit));
        Ok(parameters(json, head, losses).end())
    }

    fn response(&self, found: &Message, _serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Refused> {
        // A message has no envelope: its identifier, model, time, stop reason and token usage are lost.
        lost_facts(found, &[Attribute::Id, Attribute::Model, Attribute::Created, Attribute::Output], losses);
        losses.extend(found.stop.map(|_| Loss::Parameter));
        Ok(message(found, losses))
    }

    fn message(&self, found: &Message, losses: &mut Losses) -> Result<Vec<Vec<u8>>, Refused> {
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
            chunk(stream, &delta(&Json::object().word("type", "thinking").text("thought", b"\n").end()), out);
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let piece = match stream.message.blocks[block].kind {
            Kind::Text => Json::object().word("type", "text").leaf("text", text),
            Kind::Reasoning => Json::object().word("type", "thinking").leaf("thought", text),
            Kind::Other(_) => return,
        };
        chunk(stream, &delta(&piece.end()), out);
    }

    fn close(&self, stream: &mut Streamed, at: usize, out: &mut Values, losses: &mut Losses) {
        let found = stream.message.blocks[at].clone();
        match found.kind {
            Kind::Text => (),
            Kind::Reasoning => {
                let sealed = Block { text: Leaf::default(), ..found };
                if !sealed.facts.is_empty() || !sealed.fed {
                    chunk(stream, &delta(&block(&sealed, at, losses).unwrap_or_default()), out);
                }
            }
            Kind::Other(_) => match block(&found, at, losses) {
                Some(whole) => chunk(stream, &delta(&whole), out),
                None => losses.push(Loss::Part),
            },
        }
    }

    fn failure(&self, message: &Message) -> Option<(&'static str, Vec<u8>)> {
        Some(("", Chat::error(message)))
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        Chat::over(stream, out);
    }
}
