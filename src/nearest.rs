//! The name that was probably meant, for error messages that suggest it.

/// No name of ours is nearly as long; what is longer is compared by its beginning.
const LONGEST: usize = 100;

/// The right name that the wrong one was probably meant to be; empty if there are no names.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> &'a str {
    names.into_iter().min_by_key(|name| distance(wrong, name)).unwrap_or_default()
}

/// Levenshtein's distance, over characters, letter case ignored.
pub fn distance(a: &str, b: &str) -> usize {
    let lower = |text: &str| -> Vec<char> { text.chars().take(LONGEST).flat_map(char::to_lowercase).collect() };
    let (a, b) = (lower(a), lower(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let here = (corner + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], here);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        assert_eq!(nearest("thnik", ["think", "thought", "reason"]), "think");
        assert_eq!(nearest("Thinking", ["think", "thinking"]), "thinking");
        assert_eq!(nearest("x", []), "");
    }

    #[test]
    fn distances() {
        for (a, b, want) in [("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "SITTING", 3), ("◁x", "◁", 1)] {
            assert_eq!(distance(a, b), want, "{a} {b}");
        }
        assert_eq!(distance(&"x".repeat(1 << 20), "y"), LONGEST);
    }
}
