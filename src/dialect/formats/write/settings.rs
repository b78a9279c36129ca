//! The settings of a request: the same few under different names, at different places.

use super::Json;
use crate::json::text::decoded;
use crate::model::content::{Attribute, HeadFact, RecordHead};
use crate::model::{Loss, Losses};

/// Where a format has the settings of a request: those that all formats have, some under names of their own.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct RequestSettings {
    /// The object that they stand in. Without one, they stand in the request itself.
    pub within: Option<&'static str>,
    /// The name of the token limit of the answer, if it stands among them.
    pub limit: Option<&'static str>,
    /// The name of `top_p`.
    pub top_p: &'static str,
    /// Further members of a request that the format knows. They stand in the request itself.
    pub beside: &'static [&'static str],
}

/// The settings of a request in which they stand beside its messages.
const FLAT: RequestSettings =
    RequestSettings { within: None, limit: None, top_p: "top_p", beside: &["stream", "metadata"] };

/// Writes the parameters of a request that all formats have under the same name; the others are losses.
pub(in crate::dialect) fn parameters(json: Json, head: &RecordHead, losses: &mut Losses) -> Json {
    settings(json, head, &FLAT, losses)
}

/// Writes the settings of a request where a format has them, and the members that stay beside it; the others are losses.
pub(in crate::dialect) fn settings(
    mut json: Json,
    head: &RecordHead,
    to: &RequestSettings,
    losses: &mut Losses,
) -> Json {
    let is_request = head.get(Attribute::Model).is_some();
    // The request may be large: its keys are collected once, where other members may be added.
    let (mut own, mut inner) = (None, None);
    let limit = to.limit.and_then(|name| Some((name, head.get(Attribute::Limit)?)));
    let mut set = |json: Json, name: &str, value: &[u8]| {
        if to.within.is_none() {
            return json.raw(name, value);
        }
        inner = Some(inner.take().unwrap_or_else(Json::object).raw(name, value));
        json
    };
    if let Some((name, value)) = limit {
        json = set(json, name, value);
    }
    for HeadFact { name, key, value, at } in &head.facts {
        losses.outside(*at);
        let plain = decoded(key);
        match (name, plain.as_slice()) {
            (Attribute::Parameter, b"temperature") => json = set(json, "temperature", value),
            (Attribute::Parameter, b"top_p" | b"topP" | b"p") => json = set(json, to.top_p, value),
            (Attribute::Parameter, word) => match to.beside.iter().find(|name| name.as_bytes() == word) {
                Some(name) => json = json.raw(name, value),
                None => losses.push(Loss::Parameter),
            },
            // A provider refuses unknown parameters. A file of conversations may have other members.
            (Attribute::Extra, _) if is_request => losses.push(Loss::Parameter),
            (Attribute::Extra, _) if !own.get_or_insert_with(|| json.keys()).insert(plain.clone()) => {
                losses.push(Loss::Parameter);
            }
            (Attribute::Extra, _) => json = json.raw(&String::from_utf8_lossy(key), value),
            _ => (),
        }
    }
    losses.outside(None);
    match (to.within, inner) {
        (Some(name), Some(inner)) => json.raw(name, &inner.end()),
        _ => json,
    }
}
