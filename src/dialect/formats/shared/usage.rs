//! Counts of reasoning tokens that a record states.

use crate::json::{Scanner, Token, text};

/// The keys under which providers and clients have the count of tokens of reasoning: OpenAI, DeepSeek and xAI;
/// Gemini; Gemini CLI; Gemini Interactions; Anthropic; LLXPRT; Anthropic's estimate while it streams.
const KEYS: &[&[u8]] = &[
    b"reasoning_tokens",
    b"thoughtsTokenCount",
    b"thoughts",
    b"total_thought_tokens",
    b"thinking_tokens",
    b"reasoningTokens",
    b"estimated_tokens",
];

/// The count in an object of usage, at any depth; the largest if there are several.
pub(in crate::dialect) fn logged(value: &[u8]) -> Option<u64> {
    let mut s = Scanner::new(value).ok()?;
    let (mut named, mut found) = (false, None);
    loop {
        match s.token() {
            Ok(Token::Key(key)) => {
                let mut plain = Vec::new();
                text::decode(key.raw(value), &mut plain);
                named = KEYS.contains(&plain.as_slice());
            }
            Ok(Token::Number) if named => {
                let digits = std::str::from_utf8(&value[s.from()..s.at()]).unwrap_or_default();
                found = found.max(digits.parse().ok());
            }
            Ok(Token::End) | Err(_) => return found,
            Ok(_) => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage() {
        for (value, want) in [
            (r#"{"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":7}}"#, Some(7)),
            (r#"{"output_tokens_details":{"thinking_tokens":3}}"#, Some(3)),
            (r#"{"thoughtsTokenCount":12,"x":99}"#, Some(12)),
            (r#"{"reasoning_tokens":"7"}"#, None),
            (r#"{"reasoning_tokens":null}"#, None),
            (r#"{"reasoning_tokens":-1}"#, None),
            (r#"{"usage":{"reasoningTokens":0}}"#, Some(0)),
            ("{}", None),
        ] {
            assert_eq!(logged(value.as_bytes()), want, "{value}");
        }
    }
}
