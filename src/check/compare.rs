//! Compares folded texts: what two of them share, and where it stands in the unfolded text.

use super::PREFIX;
use super::code::Code;
use super::fold::{BARRIER, Folded, Folder, folded, is_mark};
use std::ops::Range;

/// The stretch of `a` around a block at `at` that equals the text of `b` around `there`, in whole characters.
pub(super) fn common(a: &[u8], b: &[u8], at: usize, there: usize, n: usize) -> Range<usize> {
    let same = |(a, b): &(&u8, &u8)| a == b && **a != BARRIER;
    let before = a[..at].iter().rev().zip(b[..there].iter().rev()).take_while(same).count();
    let behind = a[at + n..].iter().zip(&b[there + n..]).take_while(same).count();
    let (mut start, mut end) = (at - before, at + n + behind);
    while start < end && !is_first(a[start]) {
        start += 1;
    }
    while end < a.len() && end > start && !is_first(a[end]) && a[end] != BARRIER {
        end -= 1;
    }
    start..end
}

/// Whether a thought or its last paragraph equals an answer, except for a few words of the same sentence before it
/// ("So", "The answer:").
pub(super) fn is_answer(thought: Option<&str>, answer: &str) -> bool {
    let Some(thought) = thought else { return false };
    let answer = folded(answer);
    let last = folded(thought.trim_end().rsplit("\n\n").next().unwrap_or_default());
    // Most thoughts end in other words, and need not be folded.
    if !answer.ends_with(&last) && !last.ends_with(&answer) {
        return false;
    }
    let leads = |before: &[u8]| {
        let ends_word = before.last().is_none_or(|b| b.is_ascii() && !b.is_ascii_alphanumeric());
        let text = String::from_utf8_lossy(before);
        ends_word && before.len() < PREFIX && !text.trim_end().ends_with(['.', '!', '?', '…', '؟', '。', '！', '？'])
    };
    folded(thought) == answer || last.strip_suffix(answer.as_slice()).is_some_and(leads)
}

/// Whether an answer is all of the reasoning of its message, word for word, and has at least so many characters. Copies of
/// one thought are the same text.
pub(super) fn is_reasoning(thoughts: &[impl AsRef<str>], answer: &str, least: usize) -> bool {
    if answer.len() < least || thoughts.is_empty() {
        return false;
    }
    let answer = folded(answer);
    let long = answer.iter().filter(|b| is_first(**b)).count() >= least;
    let mut texts = thoughts.iter().map(AsRef::as_ref);
    let joined = || thoughts.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("\n");
    long && (folded(&joined()) == answer || texts.all(|text| folded(text) == answer))
}

pub(super) fn is_first(b: u8) -> bool {
    b < 0x80 || (0xC0..BARRIER).contains(&b)
}

/// Folds an answer without its code.
pub(super) fn answer(text: &str, code: &Code, with_places: bool, to: &mut Folded) {
    let mut folder = Folder::new(to, with_places);
    let mut at = 0;
    let mut comments = code.comments.iter().peekable();
    for fenced in &code.code {
        folder.push(&text[at..fenced.start], at);
        folder.barrier(fenced.start);
        while let Some(comment) = comments.next_if(|comment| comment.start < fenced.end) {
            folder.push(&text[comment.clone()], comment.start);
            // The next comment may continue the sentence.
            folder.push("\n", comment.end.min(text.len() - 1));
        }
        folder.barrier(fenced.end.min(text.len() - 1));
        at = fenced.end;
    }
    folder.push(&text[at..], at);
    folder.end();
}

/// A range without white space at its ends, and without the end of the sentence before it.
pub(super) fn trimmed(bytes: &[u8], at: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (at.start, at.end);
    let ends = [".", ",", ";", ":", "!", "?", ")", " ", "。", "、", "，", "；", "：", "！", "？", "）", "؟", "،"];
    while let Some(mark) = ends.iter().find(|mark| bytes[start..end].starts_with(mark.as_bytes())) {
        start += mark.len();
    }
    while start < end && bytes[end - 1] == b' ' {
        end -= 1;
    }
    start..end
}

/// The range of the unfolded text for a range of the folded one.
pub(super) fn places(text: &str, folded: &Folded, at: &Range<usize>) -> Range<usize> {
    let place = |i: usize| folded.places.get(i).map_or(text.len(), |place| *place as usize);
    let last = place(at.end.max(1) - 1);
    let mut rest = text[last..].chars();
    let first = rest.next().map_or(0, char::len_utf8);
    let marks: usize = rest.take_while(|c| is_mark(*c)).map(char::len_utf8).sum();
    let end = last + first + marks;
    place(at.start)..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_answer_itself() {
        let answer = "By noon there will be rain.";
        for (thought, is_one) in [
            ("By noon there will be rain.", true),
            ("by noon there  will be **rain**.", true),
            ("What do they want?\n\nBy noon there will be rain.", true),
            ("What do they want?\n\nSo by noon there will be rain.", true),
            ("Answer: \"By noon there will be rain.", true),
            ("Well. By noon there will be rain.", false),
            ("What do they want? By noon there will be rain.", false),
            ("They want to know it exactly: by noon there will be rain.", false),
            ("By noon there will be rain. Not more.", false),
            ("Nearby noon there will be rain.", false),
        ] {
            assert_eq!(is_answer(Some(thought), answer), is_one, "{thought}");
        }
    }
}
