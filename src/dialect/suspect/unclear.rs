//! Objects of which only a rest is there.

use crate::json::{Token, members};
use memchr::memmem;

/// Whether the object whose rest begins a text may be one of reasoning: it has a text, and nothing says what it is, but
/// other objects have a role, or a type that is as good as one.
pub(in crate::dialect) fn is_unclear(text: &[u8]) -> bool {
    const TEXTS: [&str; 5] = ["text", "content", "value", "summary", "delta"];
    const KINDS: [&str; 6] = ["type", "kind", "role", "from", "author", "message"];
    // What says in other objects who speaks.
    const SPEAKERS: [&[u8]; 2] = [b"\"role\"", b"\"model_output\""];
    if SPEAKERS.iter().all(|word| memmem::find(text, word).is_none()) {
        return false;
    }
    let object = [b"{", text].concat();
    let (mut all, mut spoken) = (members(&object, 0), false);
    for (key, value, _) in all.by_ref() {
        if KINDS.iter().any(|name| key.is(&object, name)) {
            return false;
        }
        spoken |= matches!(value, Token::String(_)) && TEXTS.iter().any(|name| key.is(&object, name));
    }
    spoken && all.end().is_some()
}

#[cfg(test)]
mod tests {
    use super::is_unclear;

    #[test]
    fn rests() {
        for (rest, want) in [
            (r#""text":"Add","n":1},{"role":"model","text":"4"}]"#, true),
            (r#""text":"Add","role":"model"},{"role":"model","text":"4"}]"#, false),
            (r#""text":"Add","n":1},{"text":"4"}]"#, false),
            (r#""text":"Add"}]},{"type":"model_output","content":[]}]"#, true),
            (r#""n":1},{"role":"model","text":"4"}]"#, false),
        ] {
            assert_eq!(is_unclear(rest.as_bytes()), want, "{rest}");
        }
    }
}
