//! Products whose files are not read yet, by the places of their reasoning: a message can say what a file may be.

/// A product, and where its files have reasoning.
#[derive(Debug)]
pub struct Product {
    /// Its name.
    pub name: &'static str,
    /// JSON Pointers from the record, with a step `*` for every index or identifier. One with three or more steps may also
    /// stand deeper, as in a list of conversations; behind it, more steps may follow.
    pub places: &'static [&'static str],
}

const fn product(name: &'static str, places: &'static [&'static str]) -> Product {
    Product { name, places }
}

pub(super) const GEMINI: &[Product] = &[
    product("Gemini", &["/candidates/*/content/parts/*/text", "/candidates/*/content/parts/*/thoughtSignature"]),
    product("Google AI Studio", &["/chunkedPrompt/chunks/*/text"]),
    product("Gemini CLI", &["/messages/*/thoughts"]),
];

pub(super) const BEDROCK: &[Product] = &[product(
    "Bedrock Converse",
    &[
        "/output/message/content/*/reasoningContent",
        "/messages/*/content/*/reasoningContent",
        "/contentBlockDelta/delta/reasoningContent",
    ],
)];

pub(super) const COHERE: &[Product] =
    &[product("Cohere v2", &["/delta/message/content/thinking", "/delta/message/tool_plan", "/message/tool_plan"])];

pub(super) const OLLAMA: &[Product] = &[product("Ollama", &["/message/thinking"])];

pub(super) const AGENTS: &[Product] = &[
    product("Codex", &["/payload/replacement_history/*/encrypted_content", "/payload/summary"]),
    product("Kimi CLI", &["/event/part/think"]),
    product("Copilot CLI", &["/data/reasoningOpaque", "/data/encryptedContent", "/data/reasoningText"]),
    product("Zed", &["/messages/*/Agent/content/*/Thinking"]),
    product("Qwen Code", &["/message/parts/*/text"]),
    product("Continue", &["/history/*/message/content"]),
];

pub(super) const FRAMEWORKS: &[Product] = &[
    product("the Agent Client Protocol", &["/params/update/content"]),
    product("LangChain", &["/kwargs/content", "/kwargs/additional_kwargs"]),
    product("OpenInference", &["/attributes/llm.output_messages/*/message.contents"]),
];

pub(super) const CHATS: &[Product] = &[
    product("ChatGPT", &["/mapping/*/message/content/thoughts"]),
    product("DeepSeek", &["/mapping/*/message/fragments/*/content", "/chat_messages/*/fragments/*/content"]),
    product("Claude.ai", &["/chat_messages/*/content/*/thinking"]),
    product("Chatbox", &["/messages/*/contentParts/*/text"]),
    product("Cherry Studio", &["/indexedDB/message_blocks/*/content"]),
    product("LibreChat", &["/messages/*/content/*/think"]),
    product("LM Studio", &["/messages/*/versions/*/steps/*/content"]),
    product("LobeChat", &["/messages/*/reasoning/content"]),
    product("Open WebUI", &["/chat/history/messages/*/content"]),
    product("SillyTavern", &["/extra/reasoning"]),
];

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
