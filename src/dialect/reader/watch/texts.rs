//! Reasoning in the texts of messages that are read, but not as what it is: a text that is JSON with reasoning in it,
//! and a block of inline tags that goes over several texts of one message.

use crate::dialect::draft::{Draft, Item, Record, Stretch};
use crate::dialect::read::Walked;
use crate::dialect::reader::understood::{Authors, is_spoken};
use crate::dialect::shape::{Does, Slot};
use crate::dialect::suspect::{Pieces, Search, behind_blanks, may_have_json};
use crate::inline::{Options, Scanned, Start, StretchKind, TagScanner, Tags};
use crate::json::Literal;
use crate::json::text::{self, Needle};

/// What searches texts: `pieces`, unless the record is read again later.
pub(in crate::dialect::reader) struct Seeker<'a> {
    pub search: &'a mut Search,
    pub pieces: Option<&'a mut Pieces>,
}

/// What is looked for in texts, and how.
#[derive(Clone, Copy)]
pub(in crate::dialect::reader) struct Texts<'a> {
    pub record: &'a [u8],
    pub tags: &'a Tags,
    pub inline: Options,
}

impl Texts<'_> {
    /// The first text of the model in the drafts of a record that may be reasoning.
    pub fn in_drafts(self, found: &Record, seek: &mut Seeker<'_>) -> Option<usize> {
        let mut drafts = found.items.iter().filter_map(|item| match item {
            Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) => Some(draft),
            _ => None,
        });
        drafts.find_map(|draft| self.in_draft(draft, seek))
    }

    fn in_draft(self, draft: &Draft, seek: &mut Seeker<'_>) -> Option<usize> {
        let mut texts = draft.units.iter().filter_map(Stretch::text);
        let first = texts.next().filter(|_| draft.is_model())?;
        let json = |text: &Literal| self.is_json(*text, draft.has.no_tags, seek);
        if let Some(text) = std::iter::once(first).chain(texts.clone()).find(json) {
            return Some(text.start - 1);
        }
        self.over_several(first, &texts.collect::<Vec<_>>())
    }

    /// The same in the nodes of a record that was walked by a shape.
    pub fn in_nodes(self, walked: &Walked, authors: &Authors<'_>, seek: &mut Seeker<'_>) -> Option<usize> {
        let spoken = walked.texts().filter(|entry| is_spoken(walked, entry.node));
        let texts = spoken.filter_map(|entry| Some((entry.node, entry.literal()?)));
        // The texts of one message, so far: most have one.
        let (mut message, mut first, mut more) = (u32::MAX, None, Vec::new());
        let joined = |first: Option<Literal>, more: &mut Vec<Literal>, message| {
            let at = self.over_several(first?, more).filter(|_| !authors.is_others(message));
            more.clear();
            at
        };
        for (node, text) in texts {
            let found = &walked.nodes[node as usize];
            // Copies, and blocks that stand apart from their messages, are looked at one by one.
            let alone = matches!(found.slot, Slot::Again | Slot::Apart);
            // Pieces of a stream are read as one text.
            let whole = alone || matches!(found.does, Does::Message | Does::Response | Does::Piece | Does::Feed(_));
            let parent = if whole { node } else { walked.nodes[node as usize].parent };
            if may_be_more(self.record, text, seek.search)
                && !authors.is_others(node)
                && self.is_json(text, false, seek)
            {
                return Some(text.start - 1);
            }
            if parent == message && first.is_some() {
                more.push(text);
                continue;
            }
            if let Some(at) = joined(first.replace(text), &mut more, message) {
                return Some(at);
            }
            message = parent;
        }
        joined(first, &mut more, message)
    }

    /// Whether a text is JSON that may hold reasoning, by itself or with what came before, or the recording of a terminal.
    /// `tagless`: it is known to hold no tag.
    fn is_json(self, literal: Literal, tagless: bool, seek: &mut Seeker<'_>) -> bool {
        let raw = literal.raw(self.record);
        if !may_be_json(raw) {
            if !literal.escaped || !seek.search.may_be_shown(raw) {
                return false;
            }
            let recorded = seek.search.may_be_recorded(raw, tagless);
            let (escaped, plain) = (has_escaped_brackets(raw), || text::decoded(raw));
            return recorded && seek.search.is_recorded(&plain()) || escaped && seek.search.is_escaped(&plain());
        }
        let plain = text::decoded(raw);
        let part = seek.pieces.as_mut().is_some_and(|pieces| pieces.inside(self.tags, &plain));
        part || seek.search.is_json_itself(&plain)
    }

    /// Where the first of several texts begins, if together they have other reasoning between tags than each by itself: a block
    /// goes over several, or a tag. It is the same if each block begins its text and would only be glued to the one before.
    fn over_several(self, first: Literal, others: &[Literal]) -> Option<usize> {
        if others.is_empty() {
            return None;
        }
        let mut joined = Vec::new();
        std::iter::once(&first).chain(others).for_each(|text| text::decode(text.raw(self.record), &mut joined));
        if !self.tags.may_hold(&joined, false) {
            return None;
        }
        let of = |text: &Literal| text::decoded(text.raw(self.record));
        // Only the first text of a message is said to begin with reasoning.
        let more = match self.inline.start {
            Start::Reasoning => Self { inline: Options { start: Start::Hindsight, ..self.inline }, ..self },
            _ => self,
        };
        let (mut begin, mut quotes) = (true, false);
        let mut of_one = |reader: Self, text: &Literal| {
            let plain = of(text);
            let letters = reader.reasoning(&plain);
            begin &= letters == 0 || self.begins_block(&plain) && !quotes;
            // The text before may have opened a quotation or code.
            quotes = QUOTES.iter().any(|quote| plain.trim_ascii_end().ends_with(quote));
            letters
        };
        let apart = of_one(self, &first) + others.iter().map(|text| of_one(more, text)).sum::<usize>();
        let on_lines = || {
            let texts: Vec<_> = std::iter::once(&first).chain(others).map(of).collect();
            self.reasoning(&texts.join(&b"\n"[..]))
        };
        let same = self.reasoning(&joined) == apart || begin && on_lines() == apart;
        (!same).then_some(first.start - 1)
    }

    /// Whether a text begins with an opening tag.
    fn begins_block(self, plain: &[u8]) -> bool {
        let text = plain.trim_ascii_start();
        self.tags.stands(text, 0).is_ok_and(|tag| tag.is_some_and(|tag| tag.opens && tag.at.start == 0))
    }

    /// How many letters a text has between tags.
    fn reasoning(self, plain: &[u8]) -> usize {
        let (mut scanner, mut letters) = (TagScanner::new(self.tags, self.inline), 0);
        let mut sink = |found: Scanned<'_>| {
            if found.part == StretchKind::Reasoning {
                letters += found.text.iter().filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii()).count();
            }
        };
        scanner.feed(plain, &mut sink);
        scanner.finish(&mut sink);
        letters
    }
}

/// What opens a quotation, or code.
const QUOTES: [&[u8]; 6] = [b"`", b"\"", b"'", "“".as_bytes(), "‘".as_bytes(), "«".as_bytes()];

/// Whether a text of a record may be JSON, or the recording of a terminal: a quick check.
pub(super) fn may_be_more(record: &[u8], literal: Literal, search: &Search) -> bool {
    let raw = literal.raw(record);
    may_be_json(raw) || literal.escaped && search.may_be_shown(raw)
}

/// Whether the inside of a JSON string has brackets that were escaped once more: a quick check.
fn has_escaped_brackets(raw: &[u8]) -> bool {
    static BRACKETS: Needle = Needle::new("\\\\u003");
    BRACKETS.stands_in(raw)
}

/// Whether the inside of a JSON string may be JSON: it begins with a brace, a bracket or a quote.
pub(in crate::dialect::reader) fn may_be_json(raw: &[u8]) -> bool {
    let mut rest = raw;
    loop {
        rest = match rest {
            [b' ', more @ ..] | [b'\\', b'n' | b't' | b'r', more @ ..] => more,
            [b'{' | b'[', ..] => return true,
            // A string that is JSON, too.
            [b'\\', b'"', more @ ..] => return may_have_json(more),
            [b'\\', b'u', ..] | [0x80..=0xFF, ..] => break,
            _ => return false,
        };
    }
    let start = text::decoded(&rest[..rest.len().min(START)]);
    match behind_blanks(&start).first() {
        None => rest.len() > START,
        // Colours may stand in front of it.
        Some(b'{' | b'[' | b'"' | 0x1B) => true,
        Some(_) => false,
    }
}

/// How many bytes of a text are decoded to see what it begins with.
const START: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_begins_with() {
        let long = "\\n".repeat(40) + "{";
        for (raw, want) in [
            ("", false),
            ("a {", false),
            (r"\n\na", false),
            (r"\u4f60\u597d {", false),
            ("你好 {", false),
            (r#"\"a\" he said"#, false),
            (r#"\"[{\\\"a\\\":1}]\""#, true),
            ("{", true),
            (r"\r\n \t[", true),
            (r"\u007b", true),
            (r"\u005b", true),
            (r"\ufeff{", true),
            ("\u{feff}{", true),
            (r"\u00a0\n[", true),
            ("\u{2003} {", true),
            (r"\u001b[32m{", true),
            (&long, true),
        ] {
            assert_eq!(may_be_json(raw.as_bytes()), want, "{raw}");
        }
    }
}
