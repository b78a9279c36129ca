//! Writes messages of texts and media as items.

use crate::dialect::formats::write::*;
use crate::model::content::{Block, BlockMessage, ContentKind};
use crate::model::{Leaf, Losses, WrittenJson};

/// A message of texts and media, if it has media that are written, or several texts.
pub(super) fn mixed_item(message: &BlockMessage, losses: &mut Losses) -> Option<WrittenJson> {
    let texts = || message.blocks.iter().filter(|block| block.kind == ContentKind::Text && !block.text.is_empty());
    let of_text = |block: &Block| Json::object().word("type", "input_text").leaf("text", &block.text).written();
    let several = || texts().nth(1).map(|_| texts().map(of_text).collect());
    let parts = mixed_parts(message, "input_text", media, losses).or_else(several)?;
    let role = if is_system(message) { "developer" } else { "user" };
    let json = Json::object().word("type", "message").word("role", role);
    Some(json.list_of("content", |list| list.items(&parts)).written())
}

/// The result of a call as parts of texts and media, if it has media that are written. `text`: a part of text.
pub(super) fn mixed_result(
    block: &Block,
    losses: &mut Losses,
    text: impl Fn(&Leaf) -> Vec<u8>,
) -> Option<Vec<Vec<u8>>> {
    result_media(block, losses, text, media)
}

/// An image, a document or a sound.
fn media(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    let json = Json::object();
    match (media.form, &media.data) {
        (Form::Image, _) => {
            Some(json.word("type", "input_image").leaf("image_url", &media.data_url()?).word("detail", "auto").end())
        }
        (Form::Document, Data::Url(url)) => {
            let json = json.word("type", "input_file").leaf("file_url", url);
            Some(match &media.name {
                Some(name) => json.leaf("filename", name).end(),
                None => json.end(),
            })
        }
        (Form::Document, _) => {
            let json = json.word("type", "input_file").leaf("filename", &media.file_name());
            Some(json.leaf("file_data", &media.data_url()?).end())
        }
        // The same part as in the older API.
        (Form::Sound, _) => chat_part(media, losses),
        (Form::Film, _) => None,
    }
}
