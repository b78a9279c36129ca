//! The table of targets: who takes requests, and how what they take looks.

/// How requests of a target look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestShape {
    /// `messages` of blocks with a type.
    Blocks,
    /// `messages` of Bedrock's Converse: blocks named by their only key.
    Converse,
    /// `input`: items with a type.
    Items,
    /// `messages` with members for reasoning and calls.
    Chat,
    /// `contents` of parts.
    Contents,
}

impl RequestShape {
    /// The name for messages.
    pub fn name(self) -> &'static str {
        match self {
            RequestShape::Blocks => "Anthropic Messages",
            RequestShape::Converse => "Bedrock Converse",
            RequestShape::Items => "OpenAI Responses",
            RequestShape::Chat => "Chat Completions",
            RequestShape::Contents => "Gemini generateContent",
        }
    }
}

/// A target: its row in the table.
#[derive(Debug)]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// How its requests look.
    pub shape: RequestShape,
    /// The dialect that `convert --to` writes for it, if there is one.
    pub dialect: Option<&'static str>,
    /// Whether messages of texts may have blocks of thinking among them.
    pub blocks: bool,
    /// What it wants of reasoning, in a line.
    pub wants: &'static str,
    /// What the name of a model decides; empty if nothing does.
    pub decides: &'static str,
}

/// Every target, by the shape of its requests.
pub static TARGETS: &[Target] = &[
    Target {
        name: "anthropic",
        aliases: &["claude"],
        shape: RequestShape::Blocks,
        dialect: Some("anthropic"),
        blocks: true,
        wants: "signed thinking blocks, whole and in their order",
        decides: "the mode where the request names none; whether the last message may be of the assistant; which blocks another model made",
    },
    Target {
        name: "vertex-claude",
        aliases: &["vertex-anthropic"],
        shape: RequestShape::Blocks,
        dialect: Some("anthropic"),
        blocks: true,
        wants: "signed thinking blocks, whole and in their order",
        decides: "whether the last message may be of the assistant; which blocks another model made",
    },
    Target {
        name: "deepseek-anthropic",
        aliases: &[],
        shape: RequestShape::Blocks,
        dialect: Some("anthropic"),
        blocks: true,
        wants: "a thinking block in each message with a call; signatures are not checked",
        decides: "",
    },
    Target {
        name: "bedrock",
        aliases: &["bedrock-converse"],
        shape: RequestShape::Converse,
        dialect: Some("bedrock"),
        blocks: false,
        wants: "of Claude signed reasoningContent, of other models none",
        decides: "the family: whether reasoning is taken at all",
    },
    Target {
        name: "openai-responses",
        aliases: &["openai"],
        shape: RequestShape::Items,
        dialect: Some("responses"),
        blocks: false,
        wants: "reasoning items with their followers, or encrypted and without any id",
        decides: "",
    },
    Target {
        name: "azure",
        aliases: &["azure-openai"],
        shape: RequestShape::Items,
        dialect: Some("responses"),
        blocks: false,
        wants: "reasoning items with their followers, or encrypted and without any id",
        decides: "",
    },
    Target {
        name: "github-copilot",
        aliases: &["copilot"],
        shape: RequestShape::Items,
        dialect: Some("responses"),
        blocks: false,
        wants: "items without ids",
        decides: "",
    },
    Target {
        name: "xai",
        aliases: &["grok"],
        shape: RequestShape::Items,
        dialect: Some("responses"),
        blocks: false,
        wants: "encrypted items with a summary",
        decides: "",
    },
    Target {
        name: "deepseek-responses",
        aliases: &[],
        shape: RequestShape::Items,
        dialect: Some("responses"),
        blocks: false,
        wants: "reasoning items with their text",
        decides: "",
    },
    Target {
        name: "openai-chat",
        aliases: &["chat"],
        shape: RequestShape::Chat,
        dialect: Some("tagged"),
        blocks: false,
        wants: "messages without reasoning",
        decides: "",
    },
    Target {
        name: "openrouter",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("reasoning"),
        blocks: false,
        wants: "reasoning_details, each entry whole",
        decides: "whether entries are signed",
    },
    Target {
        name: "deepseek",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("reasoning-content"),
        blocks: false,
        wants: "reasoning_content in each message with calls",
        decides: "V3.2: only behind the last user message; V4: anywhere",
    },
    Target {
        name: "deepseek-r1-2025",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("tagged"),
        blocks: false,
        wants: "messages without reasoning (withdrawn)",
        decides: "",
    },
    Target {
        name: "kimi",
        aliases: &["moonshot"],
        shape: RequestShape::Chat,
        dialect: Some("reasoning-content"),
        blocks: false,
        wants: "reasoning_content in each message with calls",
        decides: "K2.6: an empty one counts as missing",
    },
    Target {
        name: "qwen",
        aliases: &["dashscope"],
        shape: RequestShape::Chat,
        dialect: Some("reasoning-content"),
        blocks: false,
        wants: "reasoning_content, and preserve_thinking",
        decides: "3.6 and later: reasoning is ignored unless preserve_thinking is true",
    },
    Target {
        name: "minimax",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("tagged"),
        blocks: false,
        wants: "thoughts between tags in content",
        decides: "",
    },
    Target {
        name: "mistral",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: None,
        blocks: true,
        wants: "chunks of type thinking in content, no other member",
        decides: "",
    },
    Target {
        name: "groq",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("reasoning"),
        blocks: false,
        wants: "reasoning, or none",
        decides: "whether reasoning is taken at all",
    },
    Target {
        name: "cerebras",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("reasoning"),
        blocks: false,
        wants: "reasoning, or none",
        decides: "",
    },
    Target {
        name: "fireworks",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("reasoning-content"),
        blocks: false,
        wants: "reasoning_content",
        decides: "",
    },
    Target {
        name: "together",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("reasoning"),
        blocks: false,
        wants: "reasoning or reasoning_content",
        decides: "",
    },
    Target {
        name: "zai-glm",
        aliases: &["zai", "glm", "zhipu"],
        shape: RequestShape::Chat,
        dialect: Some("reasoning-content"),
        blocks: false,
        wants: "reasoning_content",
        decides: "",
    },
    Target {
        name: "vllm",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("reasoning"),
        blocks: false,
        wants: "reasoning",
        decides: "",
    },
    Target {
        name: "ollama",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: Some("ollama"),
        blocks: false,
        wants: "thinking, or reasoning at its OpenAI endpoint",
        decides: "",
    },
    Target {
        name: "cohere",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: None,
        blocks: true,
        wants: "chunks of type thinking in content",
        decides: "",
    },
    Target {
        name: "llama.cpp",
        aliases: &["llama-cpp", "llamacpp"],
        shape: RequestShape::Chat,
        dialect: Some("reasoning-content"),
        blocks: false,
        wants: "reasoning_content, and a last message that is not of the assistant",
        decides: "whether its template thinks",
    },
    Target {
        name: "gemini-openai",
        aliases: &[],
        shape: RequestShape::Chat,
        dialect: None,
        blocks: false,
        wants: "the signature of the first call of each message of the turn",
        decides: "Gemini 3: signatures are checked",
    },
    Target {
        name: "gemini",
        aliases: &["google"],
        shape: RequestShape::Contents,
        dialect: Some("gemini"),
        blocks: false,
        wants: "the signature of the first call of each content of the turn",
        decides: "Gemini 3: signatures are checked",
    },
    Target {
        name: "vertex-gemini",
        aliases: &["vertex"],
        shape: RequestShape::Contents,
        dialect: Some("gemini"),
        blocks: false,
        wants: "the signature of the first call of each content of the turn",
        decides: "Gemini 3: signatures are checked",
    },
];

/// The target with this name.
pub fn find(name: &str) -> Option<&'static Target> {
    let is_it = |known: &&str| known.eq_ignore_ascii_case(name);
    TARGETS.iter().find(|target| is_it(&target.name) || target.aliases.iter().any(&is_it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique() {
        let names: Vec<&str> = TARGETS.iter().flat_map(|t| t.aliases.iter().chain([&t.name])).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(names.iter().all(|name| *name == name.to_ascii_lowercase() && !name.contains(':')));
        assert_eq!(find("Claude").map(|t| t.name), Some("anthropic"));
        assert!(find("nobody").is_none());
    }

    /// What a target takes can be written, and the targets of a dialect take the same.
    #[test]
    fn dialects_are_written() {
        for target in TARGETS {
            let Some(name) = target.dialect else { continue };
            assert!(crate::dialect::find(name).is_some_and(|dialect| dialect.write.is_some()), "{name}");
            let same =
                TARGETS.iter().filter(|other| other.dialect == Some(name)).all(|other| other.shape == target.shape);
            assert!(same, "{name}");
        }
    }
}
