//! Products whose files are not read yet, by the places of their reasoning and by other signs: a message can say what a
//! file may be, and what to do with it.

mod agents;
mod chats;
mod frameworks;
mod sets;

pub(super) use agents::AGENTS;
pub(super) use chats::CHATS;
pub(super) use frameworks::FRAMEWORKS;
pub(super) use sets::SETS;

use crate::dialect::product::{Product, Sign, product};
use Sign::Members;

pub(super) const GEMINI: &[Product] = &[
    Product {
        places: &["/candidates/*/content/parts/*/text", "/candidates/*/content/parts/*/thoughtSignature"],
        ..product("Gemini API")
    },
    Product {
        places: &["/messages/*/thoughts"],
        signs: &[
            Members(&["/sessionId", "/projectHash"]),
            Members(&["/type=gemini", "/id", "/content"]),
            Members(&["/sessionId", "/messages/*/type=gemini"]),
        ],
        examples: &[
            r#"{"sessionId":"s1","projectHash":"0b7d","startTime":"2026-04-29T21:39:20Z","messages":[]}"#,
            r#"{"id":"g1","timestamp":"2026-04-29T21:39:30Z","type":"gemini","content":"By noon.","thoughts":[]}"#,
        ],
        ..product("Gemini CLI")
    },
];

pub(super) const BEDROCK: &[Product] = &[Product {
    places: &[
        "/output/message/content/*/reasoningContent",
        "/messages/*/content/*/reasoningContent",
        "/contentBlockDelta/delta/reasoningContent",
    ],
    ..product("Bedrock Converse")
}];

pub(super) const COHERE: &[Product] = &[Product {
    places: &["/delta/message/content/thinking", "/delta/message/tool_plan", "/message/tool_plan"],
    ..product("Cohere v2")
}];

pub(super) const OLLAMA: &[Product] = &[Product { places: &["/message/thinking"], ..product("Ollama") }];

/// The product that has reasoning at this place, and the pointer with which the table describes it.
pub(super) fn at(pointer: &str) -> Option<(&'static Product, String)> {
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    let products = super::UNREAD.iter().flat_map(|row| row.products);
    products.flat_map(|product| product.places.iter().map(move |place| (product, *place))).find_map(
        |(product, place)| {
            let place: Vec<&str> = place.split('/').skip(1).collect();
            let deepest = if place.len() > 2 { steps.len().checked_sub(place.len())? } else { 0 };
            let fits = |from: &usize| {
                let here = steps.get(*from..*from + place.len());
                here.is_some_and(|here| here.iter().zip(&place).all(|(step, want)| *want == "*" || step == want))
            };
            let from = (0..=deepest).find(fits)?;
            let mut all: Vec<&str> = steps.clone();
            all[from..from + place.len()].copy_from_slice(&place);
            Some((product, all.iter().map(|step| format!("/{step}")).collect()))
        },
    )
}
