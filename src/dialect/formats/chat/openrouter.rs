//! OpenRouter's chat, as it is written. It is read as what it is, messages of the chat family.
//!
//! Specified by OpenRouter's guide "Reasoning Tokens" and its API reference. Reasoning stands twice: as one text in `reasoning`,
//! and as blocks in `reasoning_details`, each with the format of its provider, its number, and its signature or ciphertext.
//! Clients send these back as they came, so that signatures survive.

pub(super) mod details;

use super::row::Guest;
use super::rows::CHAT;
use super::{Chat, ReasoningTarget};
use crate::dialect::formats::write::{CHAT_SETTINGS, RequestSetting, RequestSettings};
use crate::dialect::product::product;
use crate::dialect::{Dialect, OwnRecords, PLAIN};
use crate::frame::Framing;
use crate::model::BlockProperty;
use std::sync::Arc;

/// The settings of a request: how much the model thinks stands in an object of its own.
pub(super) const SETTINGS: RequestSettings = RequestSettings {
    names: &[
        (RequestSetting::Temperature, "temperature"),
        (RequestSetting::TopP, "top_p"),
        (RequestSetting::TopK, "top_k"),
        (RequestSetting::Seed, "seed"),
        (RequestSetting::Frequency, "frequency_penalty"),
        (RequestSetting::Presence, "presence_penalty"),
        (RequestSetting::Stop, "stop"),
        (RequestSetting::Parallel, "parallel_tool_calls"),
        (RequestSetting::Effort, "reasoning/effort"),
        (RequestSetting::Budget, "reasoning/max_tokens"),
        (RequestSetting::Verbosity, "verbosity"),
        (RequestSetting::User, "user"),
    ],
    beside: &[
        "stream",
        "stream_options",
        "metadata",
        "service_tier",
        "logprobs",
        "top_logprobs",
        "logit_bias",
        "prediction",
        "modalities",
    ],
    own: &["provider", "models", "plugins", "transforms"],
    ..CHAT_SETTINGS
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "openrouter",
    aliases: &[],
    about: "OpenRouter's chat: reasoning as a text, and as blocks with their signatures in reasoning_details",
    products: &[product("OpenRouter API")],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    family: Some(Guest { row: CHAT, native: &[] }),
    anew: Some(OwnRecords { reasoning: &["reasoning_details", "reasoning"], id: "gen-" }),
    write: Some(|_| Arc::new(Chat { dialect: "openrouter", place: ReasoningTarget::Details, fill: false })),
    properties: Some(&[
        BlockProperty::Blocks,
        BlockProperty::Signature,
        BlockProperty::Encrypted,
        BlockProperty::Empty,
    ]),
    ..PLAIN
};
