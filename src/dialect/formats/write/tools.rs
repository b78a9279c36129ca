//! The tools of a request: the same three facts under other names in every format.

use super::{Json, elements, member};
use crate::model::Loss;

/// Where a format has the facts of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Tools {
    /// In an object `function`, beside its type.
    Nested,
    /// Beside its type.
    Flat,
    /// Without a type, the schema as `input_schema`.
    Schema,
}

/// The tools of a request in another format. One that is no function has no place.
pub(in crate::dialect) fn tools(list: &[u8], to: Tools, losses: &mut Vec<Loss>) -> Option<Vec<u8>> {
    let (mut out, mut some) = (Json::list(), false);
    for tool in elements(list) {
        let inner = member(&tool, "function").unwrap_or_else(|| tool.clone());
        let get = |name| member(&inner, name);
        let Some(name) = get("name") else {
            losses.push(Loss::Parameter);
            continue;
        };
        let schema = get("parameters").or_else(|| get("input_schema")).or_else(|| get("inputSchema"));
        if schema.is_none()
            && member(&tool, "type").is_some_and(|kind| kind != b"\"function\"" && kind != b"\"custom\"")
        {
            losses.push(Loss::Parameter);
            continue;
        }
        let (about, strict) = (get("description"), get("strict"));
        let key = if to == Tools::Schema { "input_schema" } else { "parameters" };
        let schema = schema.or_else(|| (to == Tools::Schema).then(|| b"{\"type\":\"object\"}".to_vec()));
        let facts = |json: Json| {
            let json = json.raw("name", &name).some("description", about.as_deref()).some(key, schema.as_deref());
            json.some("strict", strict.as_deref().filter(|_| to != Tools::Schema))
        };
        out = out.item(&match to {
            Tools::Nested => {
                Json::object().word("type", "function").raw("function", &facts(Json::object()).end()).end()
            }
            Tools::Flat => facts(Json::object().word("type", "function")).end(),
            Tools::Schema => facts(Json::object()).end(),
        });
        some = true;
    }
    some.then(|| out.end())
}
