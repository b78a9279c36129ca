//! Cuts text into the pieces inside of which byte pairs are merged: the regular expressions of tiktoken, written by
//! hand, in time linear in the text.
//!
//! ```text
//! o200k   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!       | [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!       | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//! cl100k  '(?i:[sdmt]|ll|ve|re) | [^\r\n\p{L}\p{N}]?+\p{L}++
//!       | \p{N}{1,3}+ | ?[^\s\p{L}\p{N}]++[\r\n]*+ | \s++$ | \s*[\r\n] | \s+(?!\S) | \s
//! ```

use super::class::{Classes, LETTER, LOWER, MARK, NEWLINE, NUMBER, PLAIN, SPACE, UPPER, is_other};

/// The expression of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    O200k,
    Cl100k,
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
const HEAD: u8 = UPPER | PLAIN | MARK;
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
const TAIL: u8 = LOWER | PLAIN | MARK;

/// Where the piece at `at` ends. There must be text at `at`; the end lies behind it.
#[inline(always)]
pub(super) fn end(pattern: Pattern, classes: &Classes, text: &str, at: usize) -> usize {
    let (class, len) = classes.at(text, at);
    let word = match pattern {
        Pattern::O200k => cased(classes, text, at, class, len).map(|end| end + contraction(text, end)),
        Pattern::Cl100k => match contraction(text, at) {
            0 => uncased(classes, text, at, class, len),
            n => Some(at + n),
        },
    };
    if let Some(end) = word {
        return end;
    }
    if class & NUMBER != 0 {
        return number(classes, text, at + len);
    }
    // A space belongs to the piece behind it.
    let start = at + usize::from(text.as_bytes()[at] == b' ');
    if is_other(classes.at(text, start).0) {
        return other(pattern, classes, text, start);
    }
    space(pattern, classes, text, at)
}

/// The length of a contraction at `at`, or 0. Case is ignored, so that `s` includes U+017F.
#[inline(always)]
fn contraction(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at..) {
        Some([b'\'', rest @ ..]) => match rest {
            [b's' | b't' | b'm' | b'd' | b'S' | b'T' | b'M' | b'D', ..] => 2,
            [b'r' | b'v' | b'R' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] => 3,
            [0xC5, 0xBF, ..] => 3,
            _ => 0,
        },
        _ => 0,
    }
}

/// `[^\r\n\p{L}\p{N}]`.
fn may_lead(class: u8) -> bool {
    class & (LETTER | NUMBER | NEWLINE) == 0
}

/// Where the word of `cl100k` at `at` ends.
#[inline(always)]
fn uncased(classes: &Classes, text: &str, at: usize, class: u8, len: usize) -> Option<usize> {
    let start = at + if may_lead(class) { len } else { 0 };
    let end = classes.run(text, start, LETTER);
    (end > start).then_some(end)
}

/// Where the word of `o200k` at `at` ends, without its contraction: by either alternative, with or without a lead, in
/// the order in which the expression tries them.
#[inline(always)]
fn cased(classes: &Classes, text: &str, at: usize, class: u8, len: usize) -> Option<usize> {
    // Only a mark can be a lead as well as part of a word.
    let with = may_lead(class).then(|| WordEnds::at(classes, text, at + len));
    let without = (class & (HEAD | TAIL) != 0).then(|| WordEnds::at(classes, text, at));
    let first = |case: &Option<WordEnds>| case.as_ref().and_then(|c| c.lower);
    let second = |case: &Option<WordEnds>| case.as_ref().and_then(|c| c.upper);
    first(&with).or(first(&without)).or(second(&with)).or(second(&without))
}

/// Where a word ends by each of the two alternatives.
struct WordEnds {
    /// `HEAD*TAIL+`.
    lower: Option<usize>,
    /// `HEAD+TAIL*`, if the other does not match.
    upper: Option<usize>,
}

impl WordEnds {
    #[inline(always)]
    fn at(classes: &Classes, text: &str, start: usize) -> Self {
        // The end of the last character of the head that also fits the tail.
        let (mut at, mut both) = (start, None);
        loop {
            let (class, len) = classes.at(text, at);
            if class & HEAD == 0 {
                if class & LOWER != 0 {
                    both = Some(classes.run(text, at + len, TAIL));
                }
                return Self { lower: both, upper: (at > start).then_some(at) };
            }
            at += len;
            if class & TAIL != 0 {
                both = Some(at);
            }
        }
    }
}

/// The end of a number: up to two more digits.
fn number(classes: &Classes, text: &str, mut at: usize) -> usize {
    for _ in 0..2 {
        match classes.at(text, at) {
            (class, len) if class & NUMBER != 0 => at += len,
            _ => break,
        }
    }
    at
}

/// The end of punctuation, with the line ends behind it.
fn other(pattern: Pattern, classes: &Classes, text: &str, mut at: usize) -> usize {
    loop {
        match classes.at(text, at) {
            (class, len) if is_other(class) => at += len,
            _ => break,
        }
    }
    let more = |b: &&u8| matches!(b, b'\r' | b'\n') || (pattern == Pattern::O200k && **b == b'/');
    at + text.as_bytes()[at..].iter().take_while(more).count()
}

/// The end of white space that leads no word.
fn space(pattern: Pattern, classes: &Classes, text: &str, at: usize) -> usize {
    let end = classes.run(text, at, SPACE);
    let last = end == text.len();
    if last && pattern == Pattern::Cl100k {
        return end;
    }
    let run = &text[at..end];
    if let Some(n) = memchr::memrchr2(b'\r', b'\n', run.as_bytes()) {
        return at + n + 1;
    }
    match run.char_indices().next_back() {
        // The last blank belongs to the word behind it.
        Some((n, _)) if n > 0 && !last => at + n,
        _ => end,
    }
}
