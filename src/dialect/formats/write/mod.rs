//! What the writers of several formats share: JSON from messages.

mod media;
mod object;
mod results;
mod sealer;
mod settings;
mod tools;

pub(in crate::dialect) use crate::json::quote::{quote, quoted};
#[cfg(feature = "cli")]
pub(in crate::dialect) use media::media_in;
pub(in crate::dialect) use media::{
    Data, Form, Media, chat_part, media_behind, media_in_results, medium, mixed_parts, result_media,
};
use object::line;
pub(in crate::dialect) use object::{Json, Made};
#[cfg(feature = "cli")]
pub(in crate::dialect) use results::shown_instructions;
pub(in crate::dialect) use results::{
    answered, call_in_text, call_name, conversation, is_free, one_text, openai_batch, part_texts, result_parts,
    result_text, result_texts, result_value, said, system_message, system_texts, text_parts, text_parts_in, texts,
    tool_message, tool_message_for, wrapped_text,
};
pub(in crate::dialect) use sealer::sealer;
pub(in crate::dialect) use settings::{
    CHAT_SETTINGS, ChoiceStyle, DEFAULT_LIMIT, EFFORTS, LayoutStyle, NO_SETTINGS, RequestSetting, RequestSettings,
    is_request, settings,
};
pub(in crate::dialect) use tools::Tools;
use tools::tools;

use crate::dialect::shape::matches;
use crate::json::scan::validate;
use crate::json::text::decoded;
use crate::json::{self, elements, members};
use crate::model::content::{Attribute, Block, BlockMessage, ContentKind, Other};
use crate::model::{Leaf, Loss, Losses, Role, Time, fnv, is_glued};
use std::borrow::Cow;

/// The arguments of a call as a JSON object, if they are one.
pub(in crate::dialect) fn arguments_value(block: &Block) -> Option<Vec<u8>> {
    if is_free(block) {
        return None;
    }
    if let Some((_, arguments)) = call_in_text(block) {
        return Some(arguments);
    }
    if let Some(value) = block.get(Attribute::Arguments).filter(|value| *value != b"null") {
        return (value.first() == Some(&b'{')).then(|| value.to_vec());
    }
    let text = block.text.decoded();
    let text = text.trim_ascii();
    match text {
        // Models write so that they give no arguments.
        [] | b"null" => Some(b"{}".to_vec()),
        [b'{', ..] if validate(text).is_ok() => Some(text.to_vec()),
        _ => None,
    }
}

/// The arguments of a call as a JSON object. Free text becomes its only member; so do arguments that are cut off or
/// damaged, under the key that Anthropic's guide to fine-grained tool streaming gives them.
pub(in crate::dialect) fn arguments_object(block: &Block, losses: &mut Losses) -> Vec<u8> {
    let Some(object) = arguments_value(block) else {
        let broken = !is_free(block) && block.text.decoded().trim_ascii_start().starts_with(b"{");
        losses.push_at(block.at, if broken { Loss::Arguments } else { Loss::Extra });
        return Json::object()
            .text(if broken { "INVALID_JSON" } else { "input" }, &arguments_text(block).decoded())
            .end();
    };
    object
}

/// The arguments of a call as a text.
pub(in crate::dialect) fn arguments_text(block: &Block) -> Leaf {
    match block.get(Attribute::Arguments) {
        Some(value) if block.text.is_empty() => {
            let mut text = Vec::with_capacity(value.len());
            line(value, &mut text);
            text.into()
        }
        _ if block.text.is_empty() && !is_free(block) => b"{}"[..].into(),
        _ => call_in_text(block).map_or_else(|| block.text.clone(), |(_, arguments)| arguments.into()),
    }
}

/// The arguments of a call as a text, where all tools are functions: free text becomes the only member of an object.
pub(in crate::dialect) fn arguments_of_function(block: &Block, losses: &mut Losses) -> Leaf {
    if is_free(block) { arguments_object(block, losses).into() } else { arguments_text(block) }
}

/// The identifier of a call, or a new one if it has none.
pub(in crate::dialect) fn call_id(block: &Block, name: Attribute, at: usize) -> Vec<u8> {
    match block.filled(name) {
        Some(id) => id.to_vec(),
        None => format!("\"call_{at}\"").into_bytes(),
    }
}

/// The same for services that take nothing but ASCII letters, digits, `_` and `-` in it: any other character becomes a `_`.
pub(in crate::dialect) fn plain_call_id(block: &Block, name: Attribute, at: usize) -> Vec<u8> {
    let id = call_id(block, name, at);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match String::from_utf8(decoded(&id[1..id.len() - 1])) {
        Ok(text) if !text.chars().all(plain) => {
            format!("\"{}\"", text.chars().map(|c| if plain(c) { c } else { '_' }).collect::<String>()).into_bytes()
        }
        _ => id,
    }
}

/// How many characters of an identifier of a call OpenAI's services take, and Bedrock.
const MAX_ID_CHARS: usize = 64;

/// The same for services that take short ones only: of a longer one the end becomes a hash of all of it, so that it is the same
/// wherever it stands.
pub(in crate::dialect) fn short_call_id(block: &Block, name: Attribute, at: usize) -> Vec<u8> {
    shortened(call_id(block, name, at))
}

/// The same for services that take neither long ones nor other characters.
pub(in crate::dialect) fn short_plain_call_id(block: &Block, name: Attribute, at: usize) -> Vec<u8> {
    shortened(plain_call_id(block, name, at))
}

fn shortened(id: Vec<u8>) -> Vec<u8> {
    if id.len() <= MAX_ID_CHARS + 2 {
        return id;
    }
    let text = decoded(&id[1..id.len() - 1]);
    let chars = String::from_utf8_lossy(&text);
    if chars.chars().count() <= MAX_ID_CHARS {
        return id;
    }
    let hash = text.iter().fold(fnv::BASIS, |hash, b| fnv::with(hash, *b));
    let begin: String = chars.chars().take(MAX_ID_CHARS - 17).collect();
    quoted(format!("{begin}_{hash:016x}").as_bytes())
}

/// The value of a member of an object.
pub(in crate::dialect) fn member(object: &[u8], name: &str) -> Option<Vec<u8>> {
    json::member(object, 0, name).map(|(_, at)| object[at].to_vec())
}

/// Whether a value is a string of this word, however it is escaped.
pub(in crate::dialect) fn is_word(value: Option<&[u8]>, word: &str) -> bool {
    matches!(value, Some([b'"', text @ .., b'"']) if decoded(text) == word.as_bytes())
}

/// What says that Google has made a signature: the format in an object of OpenRouter's details.
pub(in crate::dialect) const GOOGLE: &[&str] = &["google*"];

/// The signature or the ciphertext of a block, if these words say who has made it. One of another provider is refused as
/// corrupted.
pub(in crate::dialect) fn seal_of<'b>(block: &'b Block, own: &[&str]) -> Option<&'b [u8]> {
    let by = block.filled(Attribute::SealedBy)?;
    let own = matches(&decoded(&by[1..by.len() - 1]), own);
    block.filled(Attribute::Signature).or_else(|| block.filled(Attribute::Ciphertext)).filter(|_| own)
}

/// Adds the losses of a block of reasoning whose format has no place for a signature or a ciphertext.
pub(in crate::dialect) fn seals(block: &Block, signature: bool, ciphertext: bool, losses: &mut Losses) {
    losses.inside(block.seal_at.or(block.at), |losses| {
        losses.extend((!signature && block.filled(Attribute::Signature).is_some()).then_some(Loss::Signature));
        losses.extend((!ciphertext && block.filled(Attribute::Ciphertext).is_some()).then_some(Loss::Encrypted));
    });
}

/// Whether a streamed block has a signature or a ciphertext, and no text.
pub(in crate::dialect) fn is_sealed_only(block: &Block) -> bool {
    !block.fed && block.is_sealed()
}

/// Whether a streamed block is reasoning with a text.
pub(in crate::dialect) fn has_text(block: &Block) -> bool {
    block.kind == ContentKind::Reasoning && block.fed
}

/// What a message says, where its format has one text for it: texts before and behind a call become one.
pub(in crate::dialect) fn joined_text(message: &BlockMessage, losses: &mut Losses) -> Leaf {
    let (mut whole, mut called) = (Leaf::default(), false);
    for block in &message.blocks {
        called |= block.kind == ContentKind::Other(Other::Call);
        if block.kind != ContentKind::Text || block.text.is_empty() {
            continue;
        }
        if std::mem::take(&mut called) && !whole.is_empty() {
            losses.push_at(block.at, Loss::Order);
            if is_glued(&whole.decoded(), &block.text.decoded()) {
                whole.push(b"\n", false);
            }
        }
        whole.append(&block.text);
    }
    whole
}

/// The blocks of a message that are of one kind.
pub(in crate::dialect) fn others(message: &BlockMessage, what: Other) -> impl Iterator<Item = &Block> {
    message.blocks.iter().filter(move |block| block.kind == ContentKind::Other(what))
}

/// Adds the losses of the order of calls and the reasoning behind them, where calls stand apart.
pub(in crate::dialect) fn lost_order(message: &BlockMessage, losses: &mut Losses) {
    let is_call = |block: &&Block| block.kind == ContentKind::Other(Other::Call);
    let behind = message.blocks.iter().skip_while(|block| !is_call(block));
    let late = behind.filter(|block| block.kind == ContentKind::Reasoning && !block.text.is_empty());
    losses.push_each(late.map(|block| block.at), Loss::Order);
}

/// Adds the losses of images and unknown parts.
pub(in crate::dialect) fn lost_parts(message: &BlockMessage, losses: &mut Losses) {
    losses.push_each(others(message, Other::Media).map(|block| block.at), Loss::Media);
    lost_others(message, losses);
}

/// Adds the losses of unknown parts, and of images by the assistant: no request may have them.
pub(in crate::dialect) fn lost_by_user(message: &BlockMessage, losses: &mut Losses) {
    match message.role == Role::Assistant {
        true => lost_parts(message, losses),
        false => lost_others(message, losses),
    }
}

/// A message as a request may have it: a text of nothing but white space is refused by services, as one without characters is.
pub(in crate::dialect) fn without_blanks<'m>(message: &'m BlockMessage, losses: &mut Losses) -> Cow<'m, BlockMessage> {
    let blank = |block: &Block| block.kind == ContentKind::Text && !block.text.is_empty() && block.text.is_blank();
    if !message.blocks.iter().any(blank) {
        return Cow::Borrowed(message);
    }
    losses.push_each(message.blocks.iter().filter(|block| blank(block)).map(|block| block.at), Loss::Empty);
    let mut message = message.clone();
    message.blocks.retain(|block| !blank(block));
    Cow::Owned(message)
}

/// Adds the losses of unknown parts.
pub(in crate::dialect) fn lost_others(message: &BlockMessage, losses: &mut Losses) {
    losses.push_each(others(message, Other::Visible).map(|block| block.at), Loss::Part);
}

/// Adds the losses of facts of a message that the format has no place for.
pub(in crate::dialect) fn lost_facts(message: &BlockMessage, names: &[Attribute], losses: &mut Losses) {
    losses.extend(names.iter().filter(|name| message.get(**name).is_some()).map(|_| Loss::Parameter));
}

/// The error text of a message that failed.
pub(in crate::dialect) fn error_text(message: &BlockMessage) -> Vec<u8> {
    let named = |error: &[u8]| member(error, "message").or_else(|| member(error, "errorText"));
    // Some providers have it as a text, and not as an object.
    let text = |error: &[u8]| if error.starts_with(b"\"") { Some(error.to_vec()) } else { named(error) };
    let error = message.get(Attribute::Error).and_then(text);
    match error.as_deref() {
        Some([b'"', text @ .., b'"']) => decoded(text),
        _ => b"the response failed".to_vec(),
    }
}

/// Token counts: of the request, of the answer, of its reasoning.
pub(in crate::dialect) type Used = (Vec<u8>, Vec<u8>, Option<Vec<u8>>);

/// The token counts of a message, as JSON numbers.
pub(in crate::dialect) fn used(message: &BlockMessage) -> Option<Used> {
    let get = |name| message.get(name).map(<[u8]>::to_vec);
    let (input, output) = (get(Attribute::Input), get(Attribute::Output));
    if input.is_none() && output.is_none() {
        return None;
    }
    let zero = || b"0".to_vec();
    // Anthropic counts cached tokens separately; elsewhere they are included in those of the request.
    let apart = [Attribute::CacheRead, Attribute::CacheWrite].map(|name| get(name).unwrap_or_else(zero));
    let input = input
        .map(|input| if apart.iter().all(|n| n == b"0") { input } else { sum(&sum(&input, &apart[0]), &apart[1]) });
    let (output, beside) = (output.unwrap_or_else(zero), get(Attribute::ThoughtApart));
    let output = beside.as_ref().map_or_else(|| output.clone(), |beside| sum(&output, beside));
    Some((input.unwrap_or_else(zero), output, get(Attribute::Thought).or(beside)))
}

/// How many tokens of the request were read from a cache.
pub(in crate::dialect) fn cached(message: &BlockMessage) -> Vec<u8> {
    message.get(Attribute::CacheRead).or_else(|| message.get(Attribute::Cached)).unwrap_or(b"0").to_vec()
}

fn number(digits: &[u8]) -> u64 {
    std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The sum of two token counts.
pub(in crate::dialect) fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    number(a).saturating_add(number(b)).to_string().into_bytes()
}

/// The difference of two token counts, at least zero.
pub(in crate::dialect) fn less(a: &[u8], b: &[u8]) -> Vec<u8> {
    number(a).saturating_sub(number(b)).to_string().into_bytes()
}

/// The time of a message in seconds since 1970, as a JSON number; 0 if it is not known.
pub(in crate::dialect) fn created(message: &BlockMessage) -> Cow<'_, [u8]> {
    match message.get(Attribute::Created) {
        Some(text @ [b'"', ..]) => Time::parse(text).map_or(0, |time| time.0).to_string().into_bytes().into(),
        Some(number) => number.into(),
        None => b"0".into(),
    }
}

/// Whether a message has the system role, in which instructions are given.
pub(in crate::dialect) fn is_system(message: &BlockMessage) -> bool {
    message.role == Role::System
}
