//! Which rule a message of a provider is about.

use super::rules::{TargetRule, rows};
use std::ops::Range;

/// A rule that a message may be about.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The rule.
    pub row: &'static TargetRule,
    /// How many characters of the message are in it: the more, the surer.
    pub length: usize,
}

/// How far apart the parts of a message may be between which anything may stand.
const GAP: usize = 200;

/// The rules that a message is about, the surest first. The message may stand in an error body or a line of a log.
pub fn explain(message: &str) -> Vec<Explained> {
    let text = plain(message);
    let mut found: Vec<(Range<usize>, Explained)> = Vec::new();
    for row in rows() {
        let matches =
            row.messages.iter().filter_map(|pattern| Some((within(&text, &plain(pattern))?, plain(pattern).len())));
        if let Some((at, length)) = matches.max_by_key(|(_, length)| *length) {
            found.push((at, Explained { row, length }));
        }
    }
    // Of rules with the same message, the one that more targets have.
    found.sort_by_key(|(_, it)| std::cmp::Reverse((it.length, it.row.targets.len())));
    // What is said of another part of the message is said of it less surely.
    let first = found.first().map(|(at, _)| at.clone()).unwrap_or_default();
    found.into_iter().filter(|(at, _)| at.start < first.end && first.start < at.end).map(|(_, it)| it).collect()
}

/// A text without quotes and escapes, in lower case, with single spaces: providers, gateways and logs write the same
/// message with several kinds of them.
fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| !matches!(c, '`' | '\'' | '"' | '\\' | '\u{2018}' | '\u{2019}'));
    let kept: String = kept.flat_map(char::to_lowercase).collect();
    let edge = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts: Vec<String> = kept.split('…').map(edge).collect();
    parts.join("…")
}

/// Where a text has a pattern.
fn within(text: &str, pattern: &str) -> Option<Range<usize>> {
    let mut parts = pattern.split('…').filter(|part| !part.is_empty());
    let first = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    text.match_indices(first).find_map(|(start, _)| {
        let mut end = start + first.len();
        for part in &rest {
            let at = text[end..].find(part.trim()).filter(|at| *at <= GAP)?;
            end += at + part.trim().len();
        }
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_messages_are_about() {
        let codes = |text: &str| explain(text).iter().map(|it| it.row.code).collect::<Vec<_>>();
        for (text, want) in [
            ("messages.3.content.0.thinking.signature: Field required", vec!["AN01"]),
            (
                "{\"message\":\"messages.1.content.0: Invalid `signature` in `thinking` block\"}",
                vec!["AN02", "AN17", "OP01"],
            ),
            ("all is well", vec![]),
        ] {
            let found = codes(text);
            assert_eq!(found.first(), want.first(), "{text}: {found:?}");
            assert!(want.iter().all(|code| found.contains(code)), "{text}: {found:?}");
        }
        let escaped = "{\\\"message\\\":\\\"Item 'rs_0a1' of type 'reasoning' was provided without its required following item.\\\"}";
        assert_eq!(codes(escaped), ["OR01"]);
    }

    #[test]
    fn each_message_is_explained_by_its_rule() {
        for row in rows() {
            for message in row.messages {
                let text = format!("400 error: {} (request 1)", message.replace('…', " x "));
                let found = explain(&text);
                assert!(found.iter().any(|it| it.row.code == row.code), "{}: {message}", row.code);
            }
        }
    }
}
