//! Finds reasoning in an answer: its first characters (UT101), or a shared passage (UT102).
//!
//! White space is folded in both texts: any run of it is one space. For passages, letter case is folded, too. Every
//! window of the reasoning has a rolling hash modulo 2⁶¹ − 1 in a table; windows of the answer with the same hash are
//! compared. So the time is linear in both texts.

use std::collections::HashMap;
use std::ops::Range;

/// How many of the reasoning's first characters must not stand in the answer.
pub const PREFIX: usize = 24;

/// The shortest passage that both must not share, in characters.
pub const PASSAGE: usize = 48;

/// Whether an answer holds the beginning or a passage of the reasoning. An answer that equals the whole last thought
/// shares no passage: some programs write their answer as a thought first.
pub fn leaks(reasoning: &str, last: &str, answer: &str) -> bool {
    prefix(reasoning, answer).is_some() || !is_last(last, answer) && !passages(reasoning, answer, PASSAGE, 1).is_empty()
}

/// Where an answer holds the first [`PREFIX`] characters of the reasoning, in bytes, with white space folded. Shorter
/// reasoning is not searched for.
pub fn prefix(reasoning: &str, answer: &str) -> Option<Range<usize>> {
    let wanted: String = spaced(reasoning.trim()).map(|(_, _, c)| c).take(PREFIX).collect();
    if wanted.chars().count() < PREFIX {
        return None;
    }
    let folded: String = spaced(answer).map(|(_, _, c)| c).collect();
    let found = memchr::memmem::find(folded.as_bytes(), wanted.as_bytes())?;
    let before = folded[..found].chars().count();
    let mut places = spaced(answer).skip(before);
    let (start, end, _) = places.next()?;
    Some(start..places.nth(PREFIX - 2).map_or(end, |(_, end, _)| end))
}

/// The characters of a text, with any run of white space as one space, and where each begins and ends.
fn spaced(text: &str) -> impl Iterator<Item = (usize, usize, char)> {
    let mut blank = false;
    text.char_indices().filter_map(move |(at, c)| {
        let again = std::mem::replace(&mut blank, c.is_whitespace()) && blank;
        (!again).then_some((at, at + c.len_utf8(), if blank { ' ' } else { c }))
    })
}

/// Whether an answer is the whole last thought.
pub fn is_last(last: &str, answer: &str) -> bool {
    let (last, answer) = (Folded::new(last), Folded::new(answer));
    !last.chars.is_empty() && last.chars == answer.chars
}

/// Where an answer repeats passages of the reasoning of at least `least` characters, in bytes of the answer: the first
/// `most` passages, each as long as it goes, without overlaps.
pub fn passages(reasoning: &str, answer: &str, least: usize, most: usize) -> Vec<Range<usize>> {
    let (reasoning, answer) = (Folded::new(reasoning), Folded::new(answer));
    let mut found = Vec::new();
    if least == 0 || reasoning.chars.len() < least || answer.chars.len() < least {
        return found;
    }
    let mut windows = HashMap::new();
    let mut hash = Hash::new(least);
    for (i, c) in reasoning.chars.iter().enumerate() {
        let gone = i.checked_sub(least).map(|before| reasoning.chars[before]);
        hash.push(*c, gone);
        if i + 1 >= least {
            windows.entry(hash.value).or_insert(i + 1 - least);
        }
    }
    let mut hash = Hash::new(least);
    let (mut from, mut i) = (0, 0);
    while i < answer.chars.len() && found.len() < most {
        let gone = i.checked_sub(least).filter(|before| *before >= from).map(|before| answer.chars[before]);
        hash.push(answer.chars[i], gone);
        i += 1;
        let Some(start) = i.checked_sub(least).filter(|start| *start >= from) else { continue };
        let Some(&there) = windows.get(&hash.value) else { continue };
        if reasoning.chars[there..there + least] != answer.chars[start..i] {
            continue;
        }
        let more = reasoning.chars[there + least..].iter().zip(&answer.chars[i..]).take_while(|(a, b)| a == b).count();
        i += more;
        found.push(answer.places[start]..answer.places[i]);
        hash = Hash::new(least);
        from = i;
    }
    found
}

/// A text with its white space and letter case folded.
struct Folded {
    chars: Vec<char>,
    /// Where each character stands in the text, and where the text ends.
    places: Vec<usize>,
}

impl Folded {
    fn new(text: &str) -> Self {
        let trimmed = text.trim_end();
        let (mut chars, mut places) = (Vec::with_capacity(trimmed.len()), Vec::with_capacity(trimmed.len() + 1));
        for (at, c) in trimmed.char_indices() {
            let folded = chars.len();
            match c.is_whitespace() {
                true if matches!(chars.last(), None | Some(' ')) => (),
                true => chars.push(' '),
                false => chars.extend(c.to_lowercase()),
            }
            places.extend(std::iter::repeat_n(at, chars.len() - folded));
        }
        places.push(trimmed.len());
        Self { chars, places }
    }
}

/// A rolling hash of the last characters.
struct Hash {
    value: u64,
    /// The factor of the first character in a full window.
    first: u64,
}

const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x1F3A_5C79_E284_B60D % PRIME;

fn multiplied(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) % u128::from(PRIME)) as u64
}

impl Hash {
    fn new(window: usize) -> Self {
        Self { value: 0, first: (1..window).fold(1, |power, _| multiplied(power, BASE)) }
    }

    fn push(&mut self, c: char, gone: Option<char>) {
        let gone = gone.map_or(0, |c| multiplied(self.first, u64::from(c) + 1));
        let value = (self.value + PRIME - gone) % PRIME;
        self.value = (multiplied(value, BASE) + u64::from(c) + 1) % PRIME;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const THOUGHT: &str = "The user wants to know how many coins there are; I must not say that the vault is empty.";

    #[test]
    fn beginnings() {
        assert_eq!(prefix(&format!("\n {THOUGHT}"), &format!("So: {THOUGHT}")), Some(4..28));
        assert_eq!(prefix(THOUGHT, "The user wants to know ho"), Some(0..24));
        assert_eq!(prefix(THOUGHT, "The user wants to know"), None);
        assert_eq!(prefix("The user wants to know.", "The user wants to know."), None);
        assert_eq!(prefix("é".repeat(24).as_str(), "é".repeat(25).as_str()), Some(0..48));
        assert_eq!(prefix("Twenty-four characters\nlong ok", "Twenty-four characters long ok"), Some(0..24));
        assert_eq!(prefix("a \t b c d e f g h i j k l m", "\n\na b\u{a0}\r\nc d e f g h i j k l m"), Some(2..29));
        assert_eq!(prefix("a      b     c      d     e", "a      b     c      d     e"), None, "nine characters");
        assert_eq!(prefix("abcdefghijklmnopqrstuvw x", "abcdefghijklmnopqrstuvw \n"), Some(0..24));
    }

    #[test]
    fn shared() {
        let answer = format!("Well. {} Yes.", THOUGHT[30..].to_uppercase().replace(' ', "\n\n"));
        let found = passages(THOUGHT, &answer, PASSAGE, 9);
        assert_eq!(found.len(), 1);
        // The white space on either side is shared, too.
        assert_eq!(answer[found[0].clone()].trim(), THOUGHT[30..].to_uppercase().replace(' ', "\n\n").trim());
        assert!(passages(THOUGHT, &THOUGHT[..47], PASSAGE, 9).is_empty());
        assert_eq!(passages(THOUGHT, &THOUGHT[2..50], PASSAGE, 9).first(), Some(&(0..48)));
        assert!(passages(THOUGHT, THOUGHT, 0, 9).is_empty(), "nothing at all is no passage");
        assert_eq!(
            passages("as long as that", "as long as that", 15, 9).first(),
            Some(&(0..15)),
            "as long as the shortest passage"
        );
        assert!(leaks(THOUGHT, THOUGHT, &THOUGHT[10..70]));
        assert!(!leaks("x", "x", THOUGHT));
        assert!(!leaks(&format!("First things first, then others.\n{THOUGHT}"), THOUGHT, &format!(" {THOUGHT}\n")));
        assert!(leaks(THOUGHT, THOUGHT, THOUGHT), "its beginning stands there all the same");
    }

    proptest! {
        #[test]
        fn as_defined(a in "[ab ]{0,40}", b in "[ab ]{0,40}", least in 1usize..9) {
            let (x, y) = (Folded::new(&a).chars, Folded::new(&b).chars);
            let naive = y.windows(least).any(|w| x.windows(least).any(|v| v == w));
            let found = passages(&a, &b, least, usize::MAX);
            prop_assert_eq!(!found.is_empty(), naive);
            for at in found {
                let passage = Folded::new(&format!("x{}x", &b[at])).chars;
                let passage = &passage[1..passage.len() - 1];
                prop_assert!(passage.len() >= least && x.windows(passage.len()).any(|v| v == passage));
            }
        }
    }
}
