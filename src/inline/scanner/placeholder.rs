//! Texts between tags that only stand for reasoning: words in a text that speaks of tags, the expressions of templates and
//! patterns.

use super::TagScanner;
use crate::inline::marks::{MarkHit, MarkRole};
use crate::inline::stand::Opens;

/// How far behind an opening tag the closing one is looked for, in bytes.
const MAX_TEMPLATE_BYTES: usize = 256;

/// The most white space between an opening tag and what stands for reasoning.
const BLANKS: usize = 8;

/// Words that stand for reasoning in a text that speaks of tags.
const PLACEHOLDERS: [&str; 23] = [
    "reasoning",
    "thinking",
    "thought",
    "thoughts",
    "think",
    "analysis",
    "reason",
    "content",
    "text",
    "here",
    "your",
    "the",
    "my",
    "its",
    "internal",
    "chain",
    "of",
    "process",
    "goes",
    "monologue",
    "steps",
    "some",
    "and",
];

/// Words that join two tags in a sentence.
const JOINING: [&str; 21] = [
    "and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "i", "en", "of", "и", "или", "和", "或", "与",
    "と", "や",
];

/// More bytes than any of them has.
const MAX_JOINING: usize = 12;

/// Whether a text only stands for reasoning: `your reasoning here`.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    text.len() <= 48 && words.all(|word| PLACEHOLDERS.iter().any(|known| known.eq_ignore_ascii_case(word)))
}

impl TagScanner {
    /// Whether the closing delimiter of the row follows, with nothing but an ellipsis and its kind between them; then it
    /// is text, too.
    pub(super) fn is_empty_pair(&mut self, end: usize, row: usize, eof: bool) -> Option<bool> {
        let closer = self.closer_of_empty_pair(end, row, eof)?;
        if let Some((start, _)) = closer {
            self.blocks.text_closer = Some(self.place.base + start as u64);
        }
        Some(closer.is_some())
    }

    /// Whether an empty pair follows that a template or a sentence goes on behind: `(eg. <think></think>)`.
    pub(super) fn is_empty_pair_in_source(&mut self, end: usize, row: usize, eof: bool) -> Option<bool> {
        let Some((start, end)) = self.closer_of_empty_pair(end, row, eof)? else { return Some(false) };
        if end == self.text.len() && !eof {
            return None;
        }
        let goes_on = self.text.get(end).is_some_and(|b| b"){}]%$,;:.".contains(b));
        if goes_on {
            self.blocks.text_closer = Some(self.place.base + start as u64);
        }
        Some(goes_on)
    }

    /// Where the closing delimiter of the row stands, if nothing but an ellipsis and its kind comes before it.
    fn closer_of_empty_pair(&self, end: usize, row: usize, eof: bool) -> Option<Option<(usize, usize)>> {
        let rest = &self.text[end..];
        let nothing =
            |b: &&u8| matches!(b, b' ' | b'\t') || b".*?()[]{}-_,/|&+".contains(b) || "…".as_bytes().contains(b);
        let mut blanks = rest.iter().take(8).take_while(nothing).count();
        // What joins two tags that are spoken of is no reasoning.
        if blanks > 0 && rest[blanks - 1] == b' ' {
            blanks += joining_word(&rest[blanks..], eof)?;
        }
        let i = end + blanks;
        if i == self.text.len() {
            return eof.then_some(None);
        }
        match self.tags.at(&self.text, i, eof) {
            MarkHit::Partial | MarkHit::Attributes => None,
            MarkHit::Yes(mark) if mark.role == MarkRole::Close && mark.row == row => Some(Some((i, i + mark.len))),
            _ => Some(None),
        }
    }

    /// Whether an opening tag that stands so encloses a template ([`TagScanner::encloses_template`]); notes that it waits for one.
    pub(super) fn awaits_template(
        &mut self,
        opens: Opens,
        end: usize,
        row: usize,
        place: (bool, bool),
    ) -> Option<bool> {
        let stands = self.encloses_template(end, row, place);
        self.visible.awaits_template = stands.is_none() && opens == Opens::Tight;
        stands
    }

    /// Whether nothing but an expression of a template or a pattern stands between an opening tag that ends at `end` and its
    /// closing one, or an ellipsis, unless it is `first` in the message: a model may write one. Then the closing tag is text,
    /// too. `None` if the text behind it must come first.
    fn encloses_template(&mut self, end: usize, row: usize, (first, eof): (bool, bool)) -> Option<bool> {
        let near = &self.text[end..self.text.len().min(end + MAX_TEMPLATE_BYTES)];
        let whole = eof || near.len() == MAX_TEMPLATE_BYTES;
        let blanks = near.iter().take(BLANKS).take_while(|b| b.is_ascii_whitespace()).count();
        match near.get(blanks) {
            None if blanks < BLANKS => return whole.then_some(false),
            Some(b'{' | b'$' | b'%' | b'(' | b'[' | b'.' | b'\\' | 0xE2) => (),
            _ => return Some(false),
        }
        let (mut from, until) = (end + blanks, end + near.len());
        while let Some(i) = self.tags.candidate(&self.text[..until], from, None) {
            match self.tags.at(&self.text, i, eof) {
                MarkHit::Partial | MarkHit::Attributes => return None,
                MarkHit::Yes(mark) if mark.role == MarkRole::Close && mark.row == row => {
                    let inner = self.text[end..i].trim_ascii();
                    let stands = is_template(inner) || !first && matches!(inner, b"..." | b"\xE2\x80\xA6");
                    if stands {
                        self.blocks.text_closer = Some(self.place.base + i as u64);
                    }
                    return Some(stands);
                }
                _ => from = i + 1,
            }
        }
        whole.then_some(false)
    }
}

/// The length of a word that joins two tags at the beginning of a text, with the blank behind it: 0 if there is none. `None` if more
/// text must come first.
fn joining_word(text: &[u8], eof: bool) -> Option<usize> {
    let letters = text.iter().take(MAX_JOINING).take_while(|b| b.is_ascii_alphabetic() || **b >= 0x80).count();
    let near = &text[..text.len().min(letters + 1)];
    if near.len() == letters && letters < MAX_JOINING {
        return eof.then_some(0);
    }
    let joins = near.ends_with(b" ") && JOINING.iter().any(|word| word.as_bytes() == &text[..letters]);
    Some(if joins { letters + 1 } else { 0 })
}

/// Whether a text is an expression of a template, or a pattern: `{{ message.thoughts }}`, `%s`, `(.*?)`.
fn is_template(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let name = |text: &str| {
        let text = text.trim();
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(part)
    };
    let within = |open: &str, close: &str| text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
    let expression = |(open, close): (&str, &str)| within(open, close).is_some_and(|inner| !inner.contains('\n'));
    let pattern = |c: char| ".*+?()[]{}|\\^$<>/-_,sSwWdDnN".contains(c);
    [("{{", "}}"), ("{%", "%}")].into_iter().any(expression)
        || [("{", "}"), ("${", "}"), ("$", ""), ("%(", ")s")].iter().any(|(a, z)| within(a, z).is_some_and(name))
        || text == "%s"
        || text.contains(['*', '+']) && text.contains(['.', '[', '\\']) && text.chars().all(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        for (text, want) in [
            ("{{ message.thoughts }}", true),
            ("{% generation %}", true),
            ("{reasoning}", true),
            ("${thoughts}", true),
            ("$1", false),
            ("%s", true),
            ("%(thought)s", true),
            ("(.*?)", true),
            (r"[\s\S]*?", true),
            (r"(?:\n|.)+", false),
            ("{\"a\": 1}", false),
            ("{a b}", false),
            ("(so)", false),
            ("...", false),
            ("", false),
        ] {
            assert_eq!(is_template(text.as_bytes()), want, "{text}");
        }
    }
}
