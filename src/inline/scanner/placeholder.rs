//! Words between tags that only stand for reasoning, in a text that speaks of tags.

/// Words that stand for reasoning in a text that speaks of tags.
const PLACEHOLDERS: [&str; 23] = [
    "reasoning",
    "thinking",
    "thought",
    "thoughts",
    "think",
    "analysis",
    "reason",
    "content",
    "text",
    "here",
    "your",
    "the",
    "my",
    "its",
    "internal",
    "chain",
    "of",
    "process",
    "goes",
    "monologue",
    "steps",
    "some",
    "and",
];

/// Whether a text only stands for reasoning: `your reasoning here`.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    text.len() <= 48 && words.all(|word| PLACEHOLDERS.iter().any(|known| known.eq_ignore_ascii_case(word)))
}
