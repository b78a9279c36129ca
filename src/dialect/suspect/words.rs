//! Splits names into words, so that `reasoning_details`, `thoughtSignature` and `Complex_CoT` are recognised without a
//! list of every spelling.

use wide::u8x16;

/// Words that name reasoning, in lower case.
const STEMS: &str = "reasoning reasonings thinking thinkings think thought thoughts cot scratchpad";

/// Words that name reasoning, in scripts without spaces between words.
const UNSPACED: &[&str] = &["思考", "推理", "思维链"];

/// Words that make a name that of a setting, a count or a label: `reasoning_effort`, `thinking_tokens`, `cot_type`.
const SETTINGS: &str = "allowed api at begin budget budgets capability category class cls color colour config configuration cost \
    count counts default delimiter detected difficulty disable disabled display duration effort efforts elapsed \
    enable enabled end ended error exclude file filter finished flag format hint icon id ids include \
    instruction instructions key keys kind label labels language length level levels limit marker max metadata \
    millis millsec min mode modes model models ms name names open option options parameter parameters params \
    parser path percent pattern placeholder preset price profile prompt prompts provider rate ratio regex \
    required schema score scores sec seconds secs settings show size source start started state status style \
    support supported supports tag tags template templates time timeout timestamp token tokens tool tools \
    toggle type types url use used usage verbosity version visibility visible";

/// Values that switch or grade something, in lower case: they are no texts.
const SWITCHES: &str = "adaptive all always auto automatic basic brief concise default detailed disable disabled dynamic enable \
    enabled extended false full hidden high inherit interleaved json low max maximum medium min minimal native \
    never no none null off omitted on optional parsed raw required standard summarized summary supported text \
    true unknown unsupported visible xhigh yes";

/// The longest name, in bytes.
pub(super) const MAX_NAME_BYTES: usize = 64;

/// Whether a word is in a list of words.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|other| other == word)
}

/// The words of a name, in lower case: split at characters that are neither letter nor digit, and between a lower-case
/// and an upper-case letter. `Complex_CoT` gives `complex`, `cot`, `co` and `t`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut out = Vec::new();
    for segment in name.split(|c: char| !c.is_alphanumeric()).filter(|s| !s.is_empty()) {
        out.push(segment.to_lowercase());
        let mut starts: Vec<usize> = Vec::new();
        let mut small = false;
        for (i, c) in segment.char_indices() {
            if c.is_uppercase() && small {
                starts.push(i);
            }
            small = c.is_lowercase();
        }
        if starts.is_empty() {
            continue;
        }
        let ends = starts.iter().copied().chain([segment.len()]);
        let from = std::iter::once(0).chain(starts.iter().copied());
        out.extend(from.zip(ends).map(|(from, end)| segment[from..end].to_lowercase()));
    }
    out
}

/// Exceptions to `SETTINGS` in names of types: `reasoning-end` comes with a signature.
const OF_KINDS: &str = "at begin end ended finished start started token";

/// Whether the name of a key is an identifier or a column title that names reasoning, and not a setting, a count or a
/// label of it.
pub(in crate::dialect) fn names_reasoning(name: &str) -> bool {
    // Whose it is, as in `model_thinking`, is no setting of it.
    let own = name.strip_prefix("model_").or_else(|| name.strip_prefix("model")).filter(|rest| !rest.is_empty());
    named(own.unwrap_or(name), |word| !has(SETTINGS, word))
}

/// Whether the name of a type or a role names reasoning.
pub(super) fn is_reasoning_kind(name: &str) -> bool {
    // Most types are one word. None of these names a setting.
    if has(STEMS, name) {
        return true;
    }
    // The name of a class, with those of its packages.
    let name = if name.len() > MAX_NAME_BYTES { name.rsplit('.').next().unwrap_or(name) } else { name };
    named(name, |word| has(OF_KINDS, word) || !has(SETTINGS, word))
}

/// Whether a title says that what stands below it is reasoning: its first word does, as in `🧠 Thinking …`.
pub(in crate::dialect) fn names_thought(title: &[u8]) -> bool {
    let title = String::from_utf8_lossy(title);
    let first = title.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = first.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    has(STEMS, &word.to_lowercase()) || UNSPACED.iter().any(|stem| word.contains(stem))
}

fn named(name: &str, may_have: impl Fn(&str) -> bool) -> bool {
    let name = name.trim_start_matches('_');
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | ' ');
    if name.len() > MAX_NAME_BYTES || !name.starts_with(char::is_alphanumeric) || !name.chars().all(is_name) {
        return false;
    }
    if UNSPACED.iter().any(|stem| name.contains(stem)) {
        return true;
    }
    let words = words(name);
    words.iter().any(|word| has(STEMS, word)) && words.iter().all(|word| may_have(word))
}

/// Whether a text is content: a sentence, a text in a script without spaces, or a ciphertext. One word, a number, a
/// path, an address or a version is not.
pub(in crate::dialect) fn is_text(text: &str) -> bool {
    let blank = text.trim().is_empty();
    !blank && !is_word(text) && !text.starts_with("https://") && !text.starts_with("http://")
}

/// The longest of these values, in bytes.
pub(super) const MAX_SWITCH_BYTES: usize = 16;

/// Whether a text is a single word that switches or grades something.
pub(super) fn is_switch(text: &str) -> bool {
    text.len() <= MAX_SWITCH_BYTES && has(SWITCHES, &text.to_ascii_lowercase())
}

/// The shortest word of a base64 alphabet that counts as a ciphertext, in bytes.
const CIPHERTEXT: usize = 64;

fn is_word(text: &str) -> bool {
    let whole = text.bytes().all(|b| b.is_ascii_graphic());
    let end = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'>' | b')' | b'*' | b']' | b'}');
    let checksum = text.starts_with("sha");
    whole && (checksum || text.bytes().last().is_some_and(end) && !is_ciphertext(text))
}

/// Whether a text is a long word of a base64 alphabet.
fn is_ciphertext(text: &str) -> bool {
    let base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_' | b'=');
    text.len() >= CIPHERTEXT && text.bytes().all(base64) && text.bytes().any(|b| b.is_ascii_uppercase())
}

/// Whether the text of a key may be reasoning, and not a switch, a label or a place for one.
pub(super) fn is_content(weight: Weight, text: &str) -> bool {
    const PLACES: [&str; 6] = ["string", "str", "text", "object", "array", "list"];
    let text = text.trim();
    let letters = text.chars().any(char::is_alphanumeric);
    let place = PLACES.contains(&text) || !text.contains(' ') && text.starts_with(['<', '$', '{', '%']);
    if !letters || place || is_shown_label(text) || is_switch(text) {
        return false;
    }
    match weight {
        Weight::Sure => true,
        Weight::Likely => is_text(text),
    }
}

/// Whether a text is a word for reasoning that a program shows: `Thinking…`.
pub(super) fn is_shown_label(text: &str) -> bool {
    let word = text.trim_end_matches(['.', '…', ':', ' ']);
    !word.contains(|c: char| !c.is_ascii_alphabetic()) && may_name_reasoning(word.as_bytes())
}

/// Whether a value without quotes is a text of at least so many words, and no code.
pub(super) fn is_prose(value: &[u8], words: usize) -> bool {
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let code = text.ends_with([';', ',', '{', '(', '[', '=', '|', '&', '<', '>', ')'])
        || text.starts_with(['*', '&', '!', '@', '{', '[', '(', '<', '$', '#', '/'])
        || text.contains("::")
        || text.contains("=>")
        || text.contains(" | ");
    let plain = |word: &&str| {
        let word = word.trim_matches(['.', ',', '?', '!', ':', ';', '"', '\'', '(', ')']);
        !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-')
    };
    let unspaced = text.chars().filter(|c| *c >= '\u{2E80}').count() >= words;
    !code && (unspaced || text.split_whitespace().filter(plain).count() >= words)
}

/// How sure it is that a text under a key of the vocabulary is reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// Always: the key has no other use.
    Sure,
    /// If it is more than one word: programs use the key for settings and labels, too.
    Likely,
}

/// The beginnings of the words that name reasoning.
pub(super) const BEGINNINGS: &[&[u8]] = &[b"reasoning", b"think", b"thought", b"cot", b"scratchpad"];

/// Whether a name may have a word that names reasoning: a quick check before the exact one.
pub(super) fn may_name_reasoning(name: &[u8]) -> bool {
    let begins = |at: usize| {
        BEGINNINGS.iter().any(|word| name[at..].get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word)))
    };
    // Three letters rule out nearly all places, of which 16 are looked at at once.
    let mut at = 0;
    while let Some(chunk) = name[at..].first_chunk::<18>() {
        let mut places = beginnings(chunk);
        if places == ALL {
            return true;
        }
        while places != 0 {
            if begins(at + places.trailing_zeros() as usize) {
                return true;
            }
            places &= places - 1;
        }
        at += 16;
    }
    !name[at..].is_ascii() || (at..name.len()).any(begins)
}

/// Every place, where one of the bytes is not ASCII.
const ALL: u32 = 0xFFFF;

/// At which of the first 16 places a word may begin that names reasoning.
fn beginnings(chunk: &[u8; 18]) -> u32 {
    let small = |from: usize| {
        let mut part = [0; 16];
        part.copy_from_slice(&chunk[from..from + 16]);
        u8x16::new(part) | u8x16::splat(0x20)
    };
    let (first, second, third) = (small(0), small(1), small(2));
    let begins = |[a, b, c]: [u8; 3]| {
        first.simd_eq(u8x16::splat(a)) & second.simd_eq(u8x16::splat(b)) & third.simd_eq(u8x16::splat(c))
    };
    let places = STARTS.iter().fold(u8x16::splat(0), |all, start| all | begins(*start));
    if first.to_bitmask() != 0 { ALL } else { places.to_bitmask() }
}

/// The first letters of these words.
const STARTS: [[u8; 3]; 5] = [*b"rea", *b"thi", *b"tho", *b"cot", *b"scr"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_look_misses_no_stem() {
        for stem in STEMS.split_ascii_whitespace() {
            let begins = |start: &&[u8]| stem.as_bytes().starts_with(start);
            assert!(super::BEGINNINGS.iter().any(begins), "{stem}");
        }
        assert!(super::BEGINNINGS.iter().zip(super::STARTS).all(|(word, start)| word.starts_with(&start)));
        for (word, before, behind) in super::BEGINNINGS.iter().flat_map(|word| (0..35).map(move |n| (word, n, 35 - n)))
        {
            let text = [&vec![b'-'; before][..], word, &vec![b'.'; behind]].concat();
            assert!(may_name_reasoning(&text) && may_name_reasoning(&text.to_ascii_uppercase()));
            assert!(!may_name_reasoning(&text[..before + word.len() - 1]));
            let accent = [&text[..before], "é".as_bytes(), &text[before + word.len()..]].concat();
            assert!(may_name_reasoning(&accent) && !may_name_reasoning(&text[before + word.len()..]));
        }
    }

    #[test]
    fn taken_apart() {
        for (name, want) in [
            ("reasoning_details", "reasoning details"),
            ("thoughtSignature", "thoughtsignature thought signature"),
            ("Complex_CoT", "complex cot co t"),
            ("REASONING_MESSAGE_CONTENT", "reasoning message content"),
            ("response.reasoning_text.delta", "response reasoning text delta"),
            ("isThought", "isthought is thought"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), want, "{name}");
        }
    }

    #[test]
    fn names() {
        for name in [
            "reasoning",
            "reasoning_content",
            "thinking",
            "thoughtSignature",
            "chain_of_thought",
            "cot",
            "Complex_CoT",
            "deepseek_thinking_trajectory",
            "agent_thought_chunk",
            "Chain of Thought",
            "longcat_think",
            "思考过程",
            "THINK",
            "assistant.reasoning",
            "reasoning/thought",
            "scratchpad",
            "inner_thoughts",
            "reasoning-delta",
            "_thinking",
        ] {
            assert!(names_reasoning(name), "{name}");
        }
        for name in [
            "reason",
            "finish_reason",
            "reasoning_effort",
            "reasoning_tokens",
            "thinkingBudget",
            "thoughtsTokenCount",
            "cot_type",
            "thinking_start_token",
            "scot",
            "unthink",
            "rethinking",
            "./thinking",
            "node_modules/think@1",
            "@scope/thinking",
            "includeThoughts_enabled",
            "reasoning_prompt",
            "thinkingMetadata",
            "seasoning",
            "",
        ] {
            assert!(!names_reasoning(name), "{name}");
        }
    }

    #[test]
    fn texts() {
        let ciphertext = "Eq+AB/cd".repeat(8);
        for text in ["Add them.", "two words", "首先", "Hm.", "What?", " so", &ciphertext] {
            assert!(is_text(text), "{text}");
        }
        let sum = format!("sha512-{}==", "Aa0+".repeat(20));
        for text in [
            "",
            " ",
            "on",
            "high",
            "1024",
            "./dist/index.js",
            "^1.0.0",
            "https://example.com/a b",
            &sum,
            "a/b/c",
            "x.y",
        ] {
            assert!(!is_text(text), "{text}");
        }
        assert!(is_switch("High") && is_switch("auto") && !is_switch("Two"));
    }
}
