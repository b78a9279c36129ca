//! The tools of a request: the same three facts under different names in each format.

use super::{Json, elements, is_word, member};
use crate::json::{Literal, Scanner, Token, is_filled, members};
use crate::model::{Loss, Losses};
use std::ops::Range;

/// Where a format has the facts of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Tools {
    /// In an object `function`, beside its type.
    Nested,
    /// The same. There are no tools that take free text.
    Function,
    /// Beside its type.
    Flat,
    /// The same. There are no tools that take free text, and no strict ones.
    Typed,
    /// Without a type, the schema as `input_schema`.
    Schema,
    /// Without a type.
    Declared,
    /// In an object `toolSpec`, the schema in an object of its own.
    Specified,
}

/// The schema for a tool that takes free text, if the format requires one: the text is its only argument.
const FREE: &[u8] = br#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// A tool that takes free text, in another format. One format has the grammar of the text in an object, the other not.
fn free(tool: &[u8], to: Tools, losses: &mut Losses) -> Option<Vec<u8>> {
    let inner = member(tool, "custom").unwrap_or_else(|| tool.to_vec());
    let (name, about, form) = (member(&inner, "name")?, member(&inner, "description"), member(&inner, "format"));
    let facts = |json: Json| json.raw("name", &name).some("description", about.as_deref());
    let flat = form.as_deref().map(|form| match member(form, "grammar") {
        Some(grammar) => {
            let (syntax, rules) = (member(&grammar, "syntax"), member(&grammar, "definition"));
            let json = Json::object().word("type", "grammar").some("syntax", syntax.as_deref());
            json.some("definition", rules.as_deref()).end()
        }
        None => form.to_vec(),
    });
    Some(match to {
        Tools::Flat => facts(Json::object().word("type", "custom")).some("format", flat.as_deref()).end(),
        Tools::Nested => {
            let nested = flat.map(|form| match (member(&form, "syntax"), member(&form, "definition")) {
                (None, None) => form,
                (syntax, rules) => {
                    let json = Json::object().some("syntax", syntax.as_deref());
                    let grammar = json.some("definition", rules.as_deref()).end();
                    Json::object().word("type", "grammar").raw("grammar", &grammar).end()
                }
            });
            let inner = facts(Json::object()).some("format", nested.as_deref()).end();
            Json::object().word("type", "custom").raw("custom", &inner).end()
        }
        Tools::Schema | Tools::Function | Tools::Typed | Tools::Declared | Tools::Specified => {
            losses.extend(form.map(|_| Loss::Parameter));
            match to {
                Tools::Typed => facts(Json::object().word("type", "function")).raw("parameters", FREE).end(),
                Tools::Function => function(facts(Json::object()).raw("parameters", FREE)),
                Tools::Schema => facts(Json::object()).raw("input_schema", FREE).end(),
                Tools::Declared => facts(Json::object()).raw("parameters", FREE).end(),
                _ => specified(facts(Json::object()), FREE),
            }
        }
    })
}

/// A tool in an object beside its type.
fn function(json: Json) -> Vec<u8> {
    Json::object().word("type", "function").raw("function", &json.end()).end()
}

/// A tool with its schema in an object of its own.
fn specified(json: Json, schema: &[u8]) -> Vec<u8> {
    let inner = json.object_in("inputSchema", |json| json.raw("json", schema)).end();
    Json::object().raw("toolSpec", &inner).end()
}

/// A schema with the types of JSON Schema. Those of Gemini's API have capital letters (`OBJECT`).
pub(super) fn in_small_letters(mut schema: Vec<u8>) -> Vec<u8> {
    let mut types = Vec::new();
    if let Ok(mut s) = Scanner::new(&schema) {
        let mut names_type = false;
        loop {
            match s.token() {
                Ok(Token::Key(key)) => names_type = key.is(&schema, "type"),
                Ok(Token::String(word)) if names_type && TYPES.contains(&word.raw(&schema)) => {
                    types.push(word.start..word.end);
                }
                Ok(Token::End) | Err(_) => break,
                Ok(_) => names_type = false,
            }
        }
    }
    types.into_iter().for_each(|word| schema[word].make_ascii_lowercase());
    schema
}

/// Whether a schema has what Gemini's own schemas, a part of OpenAPI's, have no word for. The API refuses a request with one,
/// and takes JSON Schema under a key of its own.
pub(super) fn is_json_schema(schema: &[u8]) -> bool {
    let Ok(mut s) = Scanner::new(schema) else { return false };
    let mut names_type = false;
    loop {
        match s.token() {
            Ok(Token::Key(key)) => {
                names_type = key.is(schema, "type");
                if BEYOND.iter().any(|word| key.is(schema, word)) {
                    return true;
                }
            }
            Ok(Token::ArrayStart) if names_type => return true,
            Ok(Token::End) | Err(_) => return false,
            Ok(_) => names_type = false,
        }
    }
}

/// Words of JSON Schema that Gemini's own schemas do not have.
const BEYOND: [&str; 14] = [
    "$schema",
    "$id",
    "$ref",
    "$defs",
    "definitions",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "const",
    "oneOf",
    "allOf",
    "not",
    "exclusiveMinimum",
    "exclusiveMaximum",
];

/// The types of Gemini's schemas.
const TYPES: [&[u8]; 7] = [b"STRING", b"NUMBER", b"INTEGER", b"BOOLEAN", b"ARRAY", b"OBJECT", b"NULL"];

/// The tools in an element of a list: some formats have lists of functions there.
fn declared(tool: &[u8]) -> Vec<Vec<u8>> {
    let list = ["functionDeclarations", "function_declarations"].iter().find_map(|key| member(tool, key));
    match list {
        Some(list) => elements(&list, 0).map(|(_, at)| list[at].to_vec()).collect(),
        None => vec![tool.to_vec()],
    }
}

/// Whether a type of a tool ends with the date of a version (`web_search_20250305`), as those of Anthropic's own do.
fn is_dated(kind: Option<&[u8]>) -> bool {
    let word = kind.and_then(|kind| kind.strip_suffix(b"\""));
    let date = word.and_then(|word| word.rsplit(|b| *b == b'_').next());
    date.is_some_and(|date| date.len() == 8 && date.starts_with(b"20") && date.iter().all(u8::is_ascii_digit))
}

/// The members of a tool that say something to each format.
const MEMBERS: [&str; 10] = [
    "type",
    "function",
    "toolSpec",
    "name",
    "description",
    "strict",
    "parameters",
    "parametersJsonSchema",
    "input_schema",
    "inputSchema",
];

/// Adds the losses of other members of a tool.
fn lost_members(tool: &[u8], inner: &[u8], losses: &mut Losses) {
    let own = if inner == tool { &[][..] } else { inner };
    for object in [tool, own] {
        let lost = |(key, _, value): &(Literal, Token, Range<usize>)| {
            is_filled(&object[value.clone()]) && !MEMBERS.iter().any(|name| key.is(object, name))
        };
        losses.extend(members(object, 0).filter(lost).map(|_| Loss::Parameter));
    }
}

/// The tools of a request in another format. A tool that is no function is a loss.
pub(in crate::dialect) fn tools(list: &[u8], to: Tools, losses: &mut Losses) -> Option<Vec<u8>> {
    let (mut out, mut some) = (Json::list(), false);
    for tool in elements(list, 0).flat_map(|(_, at)| declared(&list[at])) {
        let kind = member(&tool, "type");
        let own_schema = ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"]
            .iter()
            .any(|key| member(&tool, key).is_some());
        if is_word(kind.as_deref(), "custom") && !own_schema {
            match free(&tool, to, losses) {
                Some(tool) => (out, some) = (out.item(&tool), true),
                None => losses.push(Loss::Parameter),
            }
            continue;
        }
        if to == Tools::Schema && !own_schema && is_dated(kind.as_deref()) {
            (out, some) = (out.item(&tool), true);
            continue;
        }
        let inner = member(&tool, "function").or_else(|| member(&tool, "toolSpec")).unwrap_or_else(|| tool.clone());
        let get = |name| member(&inner, name);
        let Some(name) = get("name") else {
            losses.push(Loss::Parameter);
            continue;
        };
        let own = get("inputSchema").map(|schema| member(&schema, "json").unwrap_or(schema));
        let schema = get("parameters").or_else(|| get("parametersJsonSchema")).or_else(|| get("input_schema")).or(own);
        if schema.is_none() && kind.is_some() && !is_word(kind.as_deref(), "function") {
            losses.push(Loss::Parameter);
            continue;
        }
        lost_members(&tool, &inner, losses);
        let (about, strict) = (get("description"), get("strict"));
        let key = match to {
            Tools::Schema => "input_schema",
            Tools::Declared if schema.as_deref().is_some_and(is_json_schema) => "parametersJsonSchema",
            _ => "parameters",
        };
        let demands = matches!(to, Tools::Schema | Tools::Specified | Tools::Function);
        // A schema that says nothing is none to the formats that demand one with a type.
        let typed = demands || to == Tools::Declared;
        let schema = schema.filter(|schema| !typed || is_filled(schema));
        let schema = schema.or_else(|| demands.then(|| b"{\"type\":\"object\"}".to_vec()));
        let schema = schema.map(|schema| if to == Tools::Declared { schema } else { in_small_letters(schema) });
        // Flat tools are strict by default, as far as that is possible; the others are not.
        let lax = to == Tools::Flat && (inner != tool || kind.is_none() || get("input_schema").is_some());
        let strict = strict.or_else(|| lax.then(|| b"false".to_vec()));
        let named = |json: Json| json.raw("name", &name).some("description", about.as_deref());
        let takes_strict = match to {
            Tools::Schema => strict.as_deref() == Some(b"true"),
            Tools::Nested | Tools::Flat => true,
            Tools::Function | Tools::Typed | Tools::Declared | Tools::Specified => false,
        };
        losses.extend((!takes_strict && strict.as_deref() == Some(b"true")).then_some(Loss::Parameter));
        let strict = strict.filter(|_| takes_strict);
        let facts = |json: Json| named(json).some(key, schema.as_deref()).some("strict", strict.as_deref());
        out = out.item(&match to {
            Tools::Nested | Tools::Function => function(facts(Json::object())),
            Tools::Flat | Tools::Typed => facts(Json::object().word("type", "function")).end(),
            Tools::Schema | Tools::Declared => facts(Json::object()).end(),
            Tools::Specified => specified(named(Json::object()), schema.as_deref().unwrap_or_default()),
        });
        some = true;
    }
    some.then(|| out.end())
}
