//! The settings of a request: the same few under different names, at different places.

use super::Json;
use crate::json::members;
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
    /// Further members of a request that the format knows. They stand in the request itself. One with a path is an object that has
    /// this member and no other.
    pub beside: &'static [&'static str],
}

/// The settings of a request in which they stand beside its messages.
const FLAT: RequestSettings =
    RequestSettings { within: None, limit: None, top_p: "top_p", beside: &["stream", "metadata"] };

/// Writes the parameters of a request that all formats have under the same name; the others are losses.
pub(in crate::dialect) fn parameters(json: Json, head: &RecordHead, losses: &mut Losses) -> Json {
    settings(json, head, &FLAT, losses)
}

/// Whether the settings say that a request is sent to a provider: conversations in a file have a model at most. Where the model stands
/// in the address, the others say it.
pub(in crate::dialect) fn is_request(head: &RecordHead) -> bool {
    let samples = |fact: &HeadFact| {
        fact.name == Attribute::Parameter && matches!(&*decoded(&fact.key), b"temperature" | b"top_p" | b"topP" | b"p")
    };
    head.get(Attribute::Model).or(head.get(Attribute::Limit)).is_some() || head.facts.iter().any(samples)
}

/// The name of the member that stays beside the settings, if it is this one.
fn beside(name: &'static str, key: &[u8], value: &[u8]) -> Option<&'static str> {
    let (name, only) = name.split_once('/').map_or((name, None), |(name, only)| (name, Some(only)));
    let fits = |only: &str| value.starts_with(b"{") && members(value, 0).all(|(key, ..)| key.is(value, only));
    (name.as_bytes() == key && only.is_none_or(fits)).then_some(name)
}

/// Writes the settings of a request where a format has them, and the members that stay beside it; the others are losses.
pub(in crate::dialect) fn settings(
    mut json: Json,
    head: &RecordHead,
    to: &RequestSettings,
    losses: &mut Losses,
) -> Json {
    let is_request = is_request(head);
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
            (Attribute::Parameter, word) => match to.beside.iter().find_map(|name| beside(name, word, value)) {
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
