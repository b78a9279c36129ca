//! Makes text of the input or the file system safe to show: characters that could control a terminal, or are invisible,
//! are shown by their numbers.

/// Whether a character is shown only by its number: controls, characters that turn the direction of text, invisible
/// ones, and tags and variation selectors, which can hide a message of any length.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}')
        || matches!(c, '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text with such characters as `\u{…}`. Applied again, nothing changes.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// A value of the user, cut short, with control characters and line ends made visible.
pub fn shown(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut out: String = text
        .chars()
        .take(MAX_CHARS)
        .flat_map(|c| match c {
            '"' | '\'' | '\\' => c.to_string().chars().collect::<Vec<_>>(),
            _ => c.escape_debug().collect(),
        })
        .collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        out.push('…');
    }
    if out.is_empty() { "\"\"".into() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_seen() {
        let cases = [
            ("runs/größe 天気.jsonl", "runs/größe 天気.jsonl"),
            ("a\nb\t\u{1b}[31m\u{7f}", "a\\u{a}b\\u{9}\\u{1b}[31m\\u{7f}"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("\u{202e}xslj.a \u{2066}", "\\u{202e}xslj.a \\u{2066}"),
            ("in\u{200b}vis\u{feff}ible\u{ad}", "in\\u{200b}vis\\u{feff}ible\\u{ad}"),
            ("\u{e0041}\u{e0142}\u{fe01}", "\\u{e0041}\\u{e0142}\\u{fe01}"),
        ];
        for (text, shown) in cases {
            assert_eq!(printable(text), shown);
            assert_eq!(printable(shown), shown);
        }
    }
}
