//! Images, sounds and documents: parts of a chat message, and LLXPRT's blocks of the type `media`. Their data is moved,
//! and never decoded.

use super::parse::{entries, inside, kind, string};
use super::parsed::At;
use super::plan::{copy, text};
use crate::dialect::draft::Entry;
use crate::frame::Body;
use crate::model::Bit;
use memchr::memmem;

/// The type of an image whose address does not say it.
const ANY_IMAGE: &str = "image/*";

/// A medium, wherever it stands.
struct Media {
    /// Its type: a range of the record, or a word.
    mime: Result<At, String>,
    /// The inside of its data, or of its address.
    data: At,
    /// The data is an address.
    url: bool,
    filename: Option<At>,
    /// Members that have no place in the other form.
    lossy: bool,
}

/// A part of a chat message as a block, and whether something of it is lost. `None` if it is no medium.
pub(super) fn block(body: &Body<'_>, part: &At) -> Option<(Vec<Bit>, bool)> {
    let media = of_part(body.text, part)?;
    let mut bits = vec![text("{\"type\":\"media\",\"mimeType\":\"")];
    bits.push(match &media.mime {
        Ok(at) => copy(body, at),
        Err(word) => text(word.clone()),
    });
    bits.extend([text("\",\"data\":\""), copy(body, &media.data)]);
    bits.push(text(if media.url { "\",\"encoding\":\"url\"" } else { "\",\"encoding\":\"base64\"" }));
    if let Some(name) = &media.filename {
        bits.extend([text(",\"filename\":"), copy(body, name)]);
    }
    bits.push(text("}"));
    Some((bits, media.lossy))
}

/// A block as a part of a chat message. `None` if it is no medium, or one that has no such part.
pub(super) fn part(body: &Body<'_>, block: &At) -> Option<Vec<Bit>> {
    let record = body.text;
    let all = entries(record, block);
    let find = |name: &str| all.iter().find(|e| e.is(record, name) && kind(record, &e.value) == b'"');
    let word = |name: &str| find(name).map(|e| string(record, &e.value)).unwrap_or_default();
    let known = ["type", "mimeType", "data", "encoding", "filename"];
    if word("type") != b"media" || all.iter().any(|e| known.iter().all(|name| !e.is(record, name))) {
        return None;
    }
    let (mime, data, filename) = (find("mimeType")?, inside(&find("data")?.value), find("filename"));
    let (url, mime_at) = (word("encoding") == b"url", inside(&mime.value));
    let kind_of = string(record, &mime.value);
    let whole = url || record[data.clone()].starts_with(b"data:");
    let address = || match whole {
        true => vec![copy(body, &data)],
        false => vec![text("data:"), copy(body, &mime_at), text(";base64,"), copy(body, &data)],
    };
    let sound = [(&b"audio/wav"[..], "wav"), (b"audio/mp3", "mp3"), (b"audio/mpeg", "mp3")];
    let sound = sound.iter().find(|(name, _)| *name == kind_of).map(|(_, format)| *format);
    match (filename, sound) {
        (None, _) if kind_of.starts_with(b"image/") => {
            let mut bits = vec![text("{\"type\":\"image_url\",\"image_url\":{\"url\":\"")];
            bits.extend(address());
            bits.push(text("\"}}"));
            Some(bits)
        }
        (None, Some(format)) if !whole => Some(vec![
            text("{\"type\":\"input_audio\",\"input_audio\":{\"data\":\""),
            copy(body, &data),
            text(format!("\",\"format\":\"{format}\"}}}}")),
        ]),
        (Some(name), _) if !url && !kind_of.starts_with(b"image/") => {
            let mut bits = vec![text("{\"type\":\"file\",\"file\":{\"filename\":"), copy(body, &name.value)];
            bits.push(text(",\"file_data\":\""));
            bits.extend(address());
            bits.push(text("\"}}"));
            Some(bits)
        }
        _ => None,
    }
}

/// The medium in a part of a chat message: an image by its address or with its data, a sound, a file with its data.
fn of_part(record: &[u8], part: &At) -> Option<Media> {
    let all = entries(record, part);
    let find = |list: &[Entry], name: &str| list.iter().find(|e| e.is(record, name)).map(|e| e.value.clone());
    let named = string(record, &find(&all, "type")?);
    let name = ["image_url", "input_audio", "file"].into_iter().find(|name| name.as_bytes() == named)?;
    let value = find(&all, name)?;
    let inner = entries(record, &value);
    let text = |key: &str| find(&inner, key).filter(|at| kind(record, at) == b'"');
    let others = |known: &[&str]| all.len() > 2 || inner.iter().any(|e| known.iter().all(|k| !e.is(record, k)));
    match name {
        "image_url" => {
            let address = if kind(record, &value) == b'"' { inside(&value) } else { inside(&text("url")?) };
            let lossy = others(&["url"]);
            let (mime, data) = match of_data(record, &address) {
                Some((mime, data)) => (Ok(mime), data),
                None => (Err(ANY_IMAGE.to_string()), address.clone()),
            };
            Some(Media { url: mime.is_err(), mime, data, filename: None, lossy })
        }
        "input_audio" => {
            let (data, format) = (inside(&text("data")?), string(record, &text("format")?));
            let mime = match format.as_slice() {
                b"wav" => "audio/wav",
                b"mp3" => "audio/mpeg",
                _ => return None,
            };
            let lossy = others(&["data", "format"]);
            Some(Media { mime: Err(mime.to_string()), data, url: false, filename: None, lossy })
        }
        _ => {
            let (mime, data) = of_data(record, &inside(&text("file_data")?))?;
            let lossy = others(&["file_data", "filename"]);
            Some(Media { mime: Ok(mime), data, url: false, filename: text("filename"), lossy })
        }
    }
}

/// The type and the data in a data URL.
fn of_data(record: &[u8], url: &At) -> Option<(At, At)> {
    let raw = &record[url.clone()];
    let comma = memmem::find(raw, b";base64,").filter(|_| raw.starts_with(b"data:"))?;
    let start = url.start + "data:".len();
    Some((start..url.start + comma, url.start + comma + ";base64,".len()..url.end))
}
