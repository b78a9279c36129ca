//! The layout of the answer: text, JSON, or JSON after a schema.

use super::super::tools::{in_small_letters, is_json_schema};
use super::super::{Json, is_word, member, quoted};
use crate::json::{Scanner, Token};
use crate::model::{Loss, Losses};

/// The layout that a request wants the answer in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnswerLayout {
    Text,
    Json,
    Schema(AnswerSchema),
}

/// A schema for the answer, and what is said of it. All are JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AnswerSchema {
    schema: Vec<u8>,
    name: Option<Vec<u8>>,
    about: Option<Vec<u8>>,
    strict: Option<Vec<u8>>,
}

/// How a format spells the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum LayoutStyle {
    /// An object with a type, and the schema in an object with its name.
    Nested,
    /// An object with a type, and the schema and its name beside it.
    Flat,
    /// An object with a type, for a schema only. Its objects have no members beyond those that it lists.
    Closed,
    /// An object with a type, which is the same with and without a schema.
    Typed,
    /// A word, or the schema.
    Bare,
    /// A type of media, and the schema under a key for its kind.
    Media,
    /// A type of media, and the schema.
    MediaFormat,
}

/// The name of a schema that has none, where it needs one.
const NAME: &[u8] = b"\"response\"";

/// Whether all objects that a schema describes have no members beyond those that it lists.
fn is_closed(schema: &[u8]) -> bool {
    let Ok(mut s) = Scanner::new(schema) else { return false };
    let (mut objects, mut closed, mut last) = (0, 0, "");
    loop {
        match s.token() {
            Ok(Token::Key(key)) => {
                let words = ["type", "additionalProperties"];
                last = words.into_iter().find(|word| key.is(schema, word)).unwrap_or_default();
            }
            Ok(Token::String(word)) if last == "type" && word.raw(schema) == b"object" => objects += 1,
            Ok(Token::False) if last == "additionalProperties" => closed += 1,
            Ok(Token::End) => return objects > 0 && objects == closed,
            Err(_) => return false,
            Ok(_) => last = "",
        }
    }
}

impl AnswerSchema {
    /// Reads a schema with its name in the same object.
    fn named(object: &[u8]) -> Option<Self> {
        let schema = ["schema", "json_schema"].iter().find_map(|key| member(object, key));
        let get = |key| member(object, key).filter(|value| value != b"null");
        Some(Self {
            schema: in_small_letters(schema.filter(|schema| schema.starts_with(b"{"))?),
            name: get("name"),
            about: get("description"),
            strict: get("strict"),
        })
    }

    /// Writes it with its name.
    fn with_name(&self, json: Json) -> Json {
        let json = json.raw("name", self.name.as_deref().unwrap_or(NAME)).some("description", self.about.as_deref());
        json.raw("schema", &self.schema).some("strict", self.strict.as_deref())
    }

    /// Adds the loss of what is said of it, where only the schema is written.
    fn lose_name(&self, losses: &mut Losses) {
        let named = self.name.as_deref().is_some_and(|name| name != NAME);
        losses.extend((named || self.about.is_some() || self.strict.is_some()).then_some(Loss::Parameter));
    }
}

impl AnswerLayout {
    /// A schema alone.
    pub fn of_schema(schema: &[u8]) -> Option<Self> {
        let schema = in_small_letters(schema.to_vec());
        schema.starts_with(b"{").then(|| Self::Schema(AnswerSchema { schema, ..AnswerSchema::default() }))
    }

    /// The layout that a type of media says.
    pub fn of_media(mime: &[u8]) -> Option<Self> {
        let is = |word| is_word(Some(mime), word);
        let json = is("application/json").then_some(Self::Json);
        json.or_else(|| is("text/plain").then_some(Self::Text))
    }

    /// Reads an object with a type, a word, or a schema.
    pub fn read(value: &[u8]) -> Option<Self> {
        let kind = member(value, "type");
        let is = |word| is_word(kind.as_deref(), word);
        if is_word(Some(value), "json") {
            return Some(Self::Json);
        }
        if is("text") {
            return Some(Self::Text);
        }
        if is("json_object") {
            return Some(AnswerSchema::named(value).map_or(Self::Json, Self::Schema));
        }
        if is("json_schema") {
            let inner = member(value, "json_schema").unwrap_or_else(|| value.to_vec());
            return AnswerSchema::named(&inner).map(Self::Schema);
        }
        Self::of_schema(value)
    }

    /// Whether another member of the same request says more of it.
    pub fn grows_to(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Json, Self::Schema(_)))
    }

    /// The members that say it, where a format has a spelling for it, with their places. `place`: that of the first.
    pub fn written(
        &self,
        style: LayoutStyle,
        place: &'static str,
        losses: &mut Losses,
    ) -> Vec<(&'static str, Vec<u8>)> {
        let typed = |kind: &str| Json::object().word("type", kind);
        let one = |json: Json| vec![(place, json.end())];
        let schema = match self {
            Self::Schema(schema) => schema,
            Self::Text | Self::Json => {
                let text = *self == Self::Text;
                return match style {
                    LayoutStyle::Closed => Vec::new(),
                    LayoutStyle::Bare if text => Vec::new(),
                    LayoutStyle::Bare => vec![(place, quoted(b"json"))],
                    LayoutStyle::Media | LayoutStyle::MediaFormat => {
                        vec![(place, quoted(if text { b"text/plain" } else { b"application/json" }))]
                    }
                    _ => one(typed(if text { "text" } else { "json_object" })),
                };
            }
        };
        match style {
            LayoutStyle::Nested => one(typed("json_schema").object_in("json_schema", |json| schema.with_name(json))),
            LayoutStyle::Flat => one(schema.with_name(typed("json_schema"))),
            LayoutStyle::Closed if !is_closed(&schema.schema) => Vec::new(),
            _ => {
                schema.lose_name(losses);
                let (mime, schema) = ((place, quoted(b"application/json")), schema.schema.clone());
                match style {
                    LayoutStyle::Closed => one(typed("json_schema").raw("schema", &schema)),
                    LayoutStyle::Typed => one(typed("json_object").raw("json_schema", &schema)),
                    LayoutStyle::Media if is_json_schema(&schema) => {
                        vec![mime, ("generationConfig/responseJsonSchema", schema)]
                    }
                    LayoutStyle::Media => vec![mime, ("generationConfig/responseSchema", schema)],
                    LayoutStyle::MediaFormat => vec![mime, ("response_format", schema)],
                    _ => vec![(place, schema)],
                }
            }
        }
    }
}
