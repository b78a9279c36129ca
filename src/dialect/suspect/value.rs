//! Where the value of a quoted key begins and ends in a text that is no JSON.

use memchr::memchr;

/// The length of the type that a string begins with as `var_dump` of PHP prints it: `string(12) "…"`. None if it may be one, and its
/// end has not come.
pub(super) fn typed(value: &[u8]) -> Option<usize> {
    const TYPE: &[u8] = b"string(";
    let Some(count) = value.strip_prefix(TYPE) else {
        return (value.is_empty() || !TYPE.starts_with(value)).then_some(0);
    };
    let digits = count.iter().take_while(|b| b.is_ascii_digit()).count();
    match &count[digits..] {
        [] | b")" => None,
        [b')', b' ', ..] => Some(TYPE.len() + digits + 2),
        _ => Some(0),
    }
}

/// Where a value ends that is in as many brackets as `depth` at its start: behind the bracket that closes it.
pub(super) fn bracket_end(text: &[u8], mut depth: usize, quote: u8) -> Option<usize> {
    let mut string = false;
    for (i, b) in text.iter().enumerate() {
        match b {
            b if *b == quote => string = !string,
            b'\n' => string = false,
            b'{' | b'[' if !string => depth += 1,
            b'}' | b']' if !string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => (),
        }
    }
    None
}

pub(super) fn end_of_line(text: &[u8], from: usize) -> usize {
    memchr(b'\n', &text[from..]).map_or(text.len(), |n| from + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_with_a_type() {
        for (value, want) in [
            ("string(12) \"Low", Some(11)),
            ("string(12)", None),
            ("string(1", None),
            ("str", None),
            ("string", None),
            ("string(n) x", Some(0)),
            ("strings", Some(0)),
            ("\"Low\"", Some(0)),
            ("", Some(0)),
        ] {
            assert_eq!(typed(value.as_bytes()), want, "{value}");
        }
    }
}
