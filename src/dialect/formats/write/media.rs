//! Images, documents, sounds and films: the same facts under different names in each format. Their data are moved as they
//! came, and never decoded.

mod beginnings;
mod in_results;

pub(in crate::dialect) use in_results::{media_behind, media_in_results, result_media, says_medium};

use super::Json;
#[cfg(feature = "cli")]
use crate::json::elements;
use crate::json::text::decoded;
use crate::json::{Token, is_empty, members};
#[cfg(feature = "cli")]
use crate::model::content::Medium;
use crate::model::content::{Attribute, Block, BlockMessage, ContentKind, Other};
use crate::model::{Leaf, Loss, Losses, WrittenJson};
use beginnings::type_of;
use memchr::memmem;

/// What a medium is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Form {
    Image,
    Document,
    Sound,
    Film,
}

/// The content of a medium.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Data {
    /// Its bytes in base64.
    Base64(Leaf),
    /// Its address.
    Url(Leaf),
    /// A document that is a plain text.
    Text(Leaf),
}

/// A medium, wherever it stands.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Media {
    pub form: Form,
    /// Its type (RFC 6838), decoded; empty if it is not known.
    pub mime: Vec<u8>,
    pub data: Data,
    /// The name of its file, or its title.
    pub name: Option<Leaf>,
    /// It has members that other formats lack.
    lossy: bool,
}

/// Words for the types of media, where a format has a word of its own.
const WORDS: &[(&str, &str)] = &[
    ("png", "image/png"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("pdf", "application/pdf"),
    ("txt", "text/plain"),
    ("md", "text/markdown"),
    ("html", "text/html"),
    ("csv", "text/csv"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("wav", "audio/wav"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("mov", "video/quicktime"),
    ("mkv", "video/x-matroska"),
];

/// What is found of a medium so far.
#[derive(Default)]
struct MediaFacts {
    form: Option<Form>,
    mime: Vec<u8>,
    data: Option<Leaf>,
    url: Option<Leaf>,
    text: Option<Leaf>,
    name: Option<Leaf>,
    /// The data are a plain text, or an address.
    is_text: bool,
    is_url: bool,
    lossy: bool,
    /// It is kept by its provider, or of a kind that is not known.
    elsewhere: bool,
}

impl MediaFacts {
    /// The members of the object at `at`; `depth`: how many objects are around it.
    fn object(&mut self, value: &[u8], at: usize, depth: usize) {
        for (key, token, at) in members(value, at) {
            let key = key.decoded(value);
            match token {
                Token::ObjectStart if depth < 3 => match form_of(&key) {
                    Some(form) => {
                        self.form = self.form.or(form);
                        self.object(value, at.start, depth + 1);
                    }
                    None => self.unknown(&key, &value[at]),
                },
                Token::String(text) => {
                    let leaf = Leaf::of(text.raw(value), text.escaped);
                    self.text(&key, leaf, depth);
                }
                _ => self.unknown(&key, &value[at]),
            }
        }
    }

    fn unknown(&mut self, key: &[u8], value: &[u8]) {
        self.elsewhere |= key == b"s3Location" || key == b"content";
        self.lossy |= !is_empty(value);
    }

    fn text(&mut self, key: &[u8], leaf: Leaf, depth: usize) {
        let word = if leaf.len() < 200 { leaf.decoded().into_owned() } else { Vec::new() };
        match key {
            b"type" if depth == 0 => match form_of(&word) {
                Some(form) => self.form = form,
                None => self.elsewhere |= word != b"media",
            },
            b"type" => {
                self.is_text = word == b"text";
                self.elsewhere |= word == b"file" || word == b"content";
            }
            b"media_type" | b"mediaType" | b"mimeType" | b"mime_type" | b"mime" => self.mime = word,
            b"format" => {
                let known = WORDS.iter().find(|(name, _)| name.as_bytes() == word);
                self.mime = known.map_or(word, |(_, mime)| mime.as_bytes().to_vec());
            }
            b"encoding" => self.is_url = word == b"url",
            b"image" if word.starts_with(b"http") => self.url = Some(leaf),
            b"data" | b"bytes" | b"file_data" | b"image" => self.data = Some(leaf),
            b"url" | b"image_url" | b"file_url" | b"uri" | b"fileUri" | b"file_uri" | b"document_url" => {
                self.url = Some(leaf);
            }
            b"input_audio" => (self.form, self.data) = (Some(Form::Sound), Some(leaf)),
            b"text" => self.text = Some(leaf),
            b"filename" | b"name" | b"title" | b"document_name" | b"displayName" | b"display_name" => {
                self.name = Some(leaf).filter(|name| !name.is_empty());
            }
            b"file_id" => self.elsewhere = true,
            // How closely the model looks at it, which is up to the model.
            b"detail" if word == b"auto" => (),
            _ => self.lossy |= !leaf.is_empty(),
        }
    }

    fn media(self) -> Option<Media> {
        let Self { form, mut mime, data, url, text, name, is_text, is_url, lossy, elsewhere } = self;
        if elsewhere {
            return None;
        }
        let (data, url) = if is_url { (None, data) } else { (data, url) };
        let data = match (data, url, text) {
            (Some(data), ..) if is_text => Data::Text(data),
            (Some(data), ..) => inline(&data, &mut mime).unwrap_or(Data::Base64(data)),
            (None, Some(url), _) => match url.decoded().starts_with(b"data:") {
                true => inline(&url, &mut mime)?,
                // Other addresses are of a provider's own storage.
                false if !url.decoded().starts_with(b"http") => return None,
                false => Data::Url(url),
            },
            (None, None, text) => Data::Text(text?),
        };
        if mime.ends_with(b"/*") {
            mime.clear();
        }
        if mime == b"image/jpg" {
            // A common name that is not registered, and that APIs refuse.
            mime = b"image/jpeg".to_vec();
        }
        if let (true, Data::Url(url)) = (mime.is_empty(), &data) {
            mime = mime_of(&url.decoded()).map(|mime| mime.as_bytes().to_vec()).unwrap_or_default();
        }
        if let (true, Data::Base64(data)) = (mime.is_empty(), &data) {
            mime = type_of(&data.whole()).as_bytes().to_vec();
        }
        let form = form.unwrap_or_else(|| match mime.split(|b| *b == b'/').next() {
            Some(b"image") => Form::Image,
            Some(b"audio") => Form::Sound,
            Some(b"video") => Form::Film,
            _ => Form::Document,
        });
        Some(Media { form, mime, data, name, lossy })
    }
}

/// What a word or a key says of the form of a medium; `Some(None)`: it holds one, and does not say which.
fn form_of(word: &[u8]) -> Option<Option<Form>> {
    Some(match word {
        b"image" | b"input_image" | b"image_url" => Some(Form::Image),
        b"document" | b"input_file" | b"document_url" => Some(Form::Document),
        b"audio" | b"input_audio" => Some(Form::Sound),
        b"video" => Some(Form::Film),
        b"file" | b"source" | b"inlineData" | b"inline_data" | b"fileData" | b"file_data" => None,
        _ => return None,
    })
}

/// The type that the end of an address says.
fn mime_of(url: &[u8]) -> Option<&'static str> {
    let path = url.split(|b| matches!(b, b'?' | b'#')).next()?;
    let dot = path.iter().rposition(|b| *b == b'.')?;
    let end: &[u8] = if &path[dot..] == b".jpg" { b"jpeg" } else { &path[dot + 1..] };
    WORDS.iter().find(|(word, _)| word.as_bytes() == end).map(|(_, mime)| *mime)
}

/// The data in a data URL (RFC 2397), and their type.
fn inline(url: &Leaf, mime: &mut Vec<u8>) -> Option<Data> {
    let (raw, escaped) = (url.whole(), url.is_escaped());
    let comma = memmem::find(&raw[..raw.len().min(200)], b";base64,").filter(|_| raw.starts_with(b"data:"))?;
    let own = raw[b"data:".len()..comma].split(|b| *b == b';').next().unwrap_or_default();
    *mime = if escaped { decoded(own) } else { own.to_vec() };
    Some(Data::Base64(Leaf::of(&raw[comma + b";base64,".len()..], escaped)))
}

/// The medium that a block is, if another format may have a place for it: not if only its provider has it.
fn media(block: &Block) -> Option<Media> {
    of_value(block.get(Attribute::Media)?)
}

fn of_value(value: &[u8]) -> Option<Media> {
    let mut found = MediaFacts::default();
    match value {
        // The data, or an address, alone.
        [b'"', text @ .., b'"'] => {
            let leaf = Leaf::of(text, text.contains(&b'\\'));
            let is_url = text.starts_with(b"data:") || text.starts_with(b"http");
            *(if is_url { &mut found.url } else { &mut found.data }) = Some(leaf);
            found.form = Some(Form::Image);
        }
        _ => found.object(value, 0, 0),
    }
    found.media()
}

/// The media in a value: a part that is one, its data, or a list of parts.
#[cfg(feature = "cli")]
pub(in crate::dialect) fn media_in(value: &[u8]) -> Vec<Medium> {
    let one = |value: &[u8]| {
        let Media { form, mime, data, name, .. } = of_value(value)?;
        let what = match form {
            Form::Image => "image",
            Form::Document => "document",
            Form::Sound => "sound",
            Form::Film => "film",
        };
        let text = |leaf: &Leaf| leaf.decoded().into_owned();
        let name = name.as_ref().map(text).unwrap_or_default();
        let (base64, address) = match &data {
            Data::Base64(data) => (text(data), Vec::new()),
            Data::Url(address) => (Vec::new(), text(address)),
            Data::Text(_) => (Vec::new(), Vec::new()),
        };
        Some(Medium { what, mime, name, base64, address })
    };
    match value.first() {
        Some(b'[') => elements(value, 0).filter_map(|(_, at)| one(&value[at])).collect(),
        _ => one(value).into_iter().collect(),
    }
}

/// A block that is a medium as `write` has it; a loss if there is no place for it.
pub(in crate::dialect) fn medium(
    block: &Block,
    losses: &mut Losses,
    write: impl FnOnce(&Media, &mut Losses) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let found = media(block);
    let written = found.as_ref().and_then(|found| write(found, losses));
    match (&written, found) {
        (Some(_), Some(found)) => losses.extend(found.lossy.then_some(Loss::Extra)),
        _ => losses.push(Loss::Media),
    }
    written
}

impl Media {
    /// Its bytes in base64.
    pub fn base64(&self) -> Option<&Leaf> {
        if let Data::Base64(data) = &self.data { Some(data) } else { None }
    }

    /// Its type, for formats that demand one: a general one if it is not known.
    pub fn mime_or_any(&self) -> &[u8] {
        match (self.mime.as_slice(), self.form) {
            (b"", Form::Image) => b"image/*",
            (b"", _) => b"application/octet-stream",
            (mime, _) => mime,
        }
    }

    /// Its address, which may have its data.
    pub fn data_url(&self) -> Option<Leaf> {
        match &self.data {
            Data::Base64(data) if !self.mime.is_empty() => {
                let mut url = Leaf::of(b"data:", false);
                url.push(&self.mime, false);
                url.push(b";base64,", false);
                url.append(data);
                Some(url)
            }
            Data::Url(url) => Some(url.clone()),
            _ => None,
        }
    }

    /// The word for its type, where formats have one of their own.
    pub fn word(&self) -> Option<&'static str> {
        let mime: &[u8] = match &*self.mime {
            b"audio/mp3" => b"audio/mpeg",
            b"audio/x-wav" => b"audio/wav",
            mime => mime,
        };
        WORDS.iter().find(|(_, name)| name.as_bytes() == mime).map(|(word, _)| *word)
    }

    /// Its name has no place.
    pub fn lose_name(&self, losses: &mut Losses) {
        losses.extend(self.name.as_ref().map(|_| Loss::Extra));
    }

    /// The name of its file. APIs that take the data of files demand one.
    pub fn file_name(&self) -> Leaf {
        self.name.clone().unwrap_or_else(|| match self.word() {
            Some(word) => format!("document.{word}").into_bytes().into(),
            None => b"document"[..].into(),
        })
    }
}

/// A part of a message as OpenAI's chat API has it, and those who took it over. The API has no documents by address.
pub(in crate::dialect) fn chat_part(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    let json = Json::object();
    if media.form != Form::Document {
        media.lose_name(losses);
    }
    match media.form {
        Form::Image => {
            let url = media.data_url()?;
            Some(json.word("type", "image_url").object_in("image_url", |json| json.leaf("url", &url)).end())
        }
        Form::Sound => {
            let (data, word) = (media.base64()?, media.word()?);
            let inner = |json: Json| json.leaf("data", data).word("format", word);
            Some(json.word("type", "input_audio").object_in("input_audio", inner).end())
        }
        Form::Document => {
            let data = media.base64().and_then(|_| media.data_url())?;
            let inner = |json: Json| json.leaf("filename", &media.file_name()).leaf("file_data", &data);
            Some(json.word("type", "file").object_in("file", inner).end())
        }
        Form::Film => None,
    }
}

/// The texts and media of a message, if it has media that are written; `write`: how. `text`: the
/// type of a text.
pub(in crate::dialect) fn mixed_parts(
    message: &BlockMessage,
    text: &str,
    write: fn(&Media, &mut Losses) -> Option<Vec<u8>>,
    losses: &mut Losses,
) -> Option<Vec<WrittenJson>> {
    let (mut parts, mut some) = (Vec::new(), false);
    for block in &message.blocks {
        parts.extend(match block.kind {
            ContentKind::Text if block.text.is_empty() => None,
            ContentKind::Text => Some(Json::object().word("type", text).leaf("text", &block.text).written()),
            ContentKind::Other(Other::Media) => {
                let part = losses.inside(block.at, |losses| medium(block, losses, write));
                some |= part.is_some();
                part.map(WrittenJson::from)
            }
            _ => None,
        });
    }
    some.then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<Media> {
        let mut block = Block::new(ContentKind::Other(Other::Media), "", 0);
        block.facts.push((Attribute::Media, value.into()));
        media(&block)
    }

    #[test]
    fn each_format_says_the_same() {
        for value in [
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}"#,
            r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO","detail":"auto"}}"#,
            r#"{"type":"image_url","image_url":"data:image\/png;base64,iVBO"}"#,
            r#"{"type":"input_image","image_url":"data:image/png;charset=x;base64,iVBO"}"#,
            r#"{"inlineData":{"mimeType":"image/png","data":"iVBO"}}"#,
            r#"{"image":{"format":"png","source":{"bytes":"iVBO"}}}"#,
            r#"{"type":"media","mimeType":"image/png","data":"iVBO","encoding":"base64"}"#,
            r#"{"type":"image","mime_type":"image/png","data":"iVBO"}"#,
        ] {
            let found = read(value).expect(value);
            assert_eq!((found.form, &*found.mime), (Form::Image, &b"image/png"[..]), "{value}");
            assert_eq!((found.data, found.lossy), (Data::Base64(b"iVBO"[..].into()), false), "{value}");
        }
        for value in [
            r#"{"type":"document","source":{"type":"url","url":"https://a/b.pdf"},"title":"b"}"#,
            r#"{"type":"input_file","file_url":"https://a/b.pdf","filename":"b"}"#,
            r#"{"type":"document_url","document_url":"https:\/\/a\/b.pdf","document_name":"b"}"#,
            r#"{"fileData":{"fileUri":"https://a/b.pdf","displayName":"b"}}"#,
        ] {
            let found = read(value).expect(value);
            let name = found.name.as_ref().map(|name| name.decoded().to_vec());
            assert_eq!((found.form, name.as_deref()), (Form::Document, Some(&b"b"[..])), "{value}");
            assert_eq!(found.data, Data::Url(b"https://a/b.pdf"[..].into()), "{value}");
        }
        let sound = read(r#"{"type":"input_audio","input_audio":{"data":"UklG","format":"mp3"}}"#).unwrap();
        assert_eq!((sound.form, &*sound.mime, sound.word()), (Form::Sound, &b"audio/mpeg"[..], Some("mp3")));
        let text =
            read(r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}"#).unwrap();
        assert_eq!(text.data, Data::Text(b"a"[..].into()));
        let bare = read(r#""iVBORw0KGgoAAA""#).unwrap();
        assert_eq!((bare.form, &*bare.mime), (Form::Image, &b"image/png"[..]));
    }

    #[test]
    fn what_only_its_provider_has_is_none() {
        for value in [
            r#"{"type":"image","source":{"type":"file","file_id":"f"}}"#,
            r#"{"type":"input_image","file_id":"f"}"#,
            r#"{"type":"container_upload","file_id":"f"}"#,
            r#"{"type":"search_result","source":"https://a","title":"t","content":[]}"#,
            r#"{"type":"document","source":{"type":"content","content":[]}}"#,
            r#"{"image":{"format":"png","source":{"s3Location":{"uri":"s3://a"}}}}"#,
            r#"{"fileData":{"fileUri":"gs://a/b.png"}}"#,
            r#"{"type":"image"}"#,
        ] {
            assert!(read(value).is_none(), "{value}");
        }
        assert!(read(r#"{"type":"image_url","image_url":{"url":"https://a","detail":"high"}}"#).unwrap().lossy);
        assert!(
            read(r#"{"type":"image","source":{"url":"https://u"},"cache_control":{"type":"ephemeral"}}"#)
                .unwrap()
                .lossy
        );
    }
}
