//! A message of the assistant as a reader sees it: its text with the tags that no program removes for him.

use crate::model::copies::{self, CopyFate};
use crate::model::{HARMONY, MARKER, PieceKind, Source, TAGS, is_inline};
use std::ops::Range;

/// A stretch of a message as it was read.
#[derive(Clone, Debug)]
pub(crate) struct ReadStretch<'a> {
    /// Its kind.
    pub kind: PieceKind,
    /// It begins a block.
    pub fresh: bool,
    /// Its text.
    pub text: &'a str,
    /// The bytes of a delimiter, or of the one that opens a block; empty if it is implied.
    pub tag: &'a str,
}

/// A tag in the visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleTag {
    /// Its range in the visible text.
    pub at: Range<usize>,
    /// Its kind.
    pub kind: MarkKind,
}

/// The kind of a tag in the visible text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A block with both of its tags, not at the beginning of the message.
    Block,
    /// An opening tag that begins the message, without a closing one.
    Unclosed,
    /// An opening tag without a closing one.
    Open,
    /// A closing tag without an opening one.
    Close,
    /// A delimiter that belongs to no block.
    Stray,
}

/// A message, prepared for the rules.
#[derive(Debug, Default)]
pub(crate) struct VisibleMessage {
    pub text: String,
    /// For each stretch of the text: where it begins in the text, and its number in the message.
    pub stretches: Vec<(usize, usize)>,
    pub marks: Vec<VisibleTag>,
    /// Texts of reasoning, in fields and blocks at the beginning.
    pub reasoning: Vec<String>,
    /// The sources of these texts, and the first source of each item but the first.
    sources: Vec<(Source, Vec<usize>)>,
    items: Vec<usize>,
    /// How many blocks stand at the beginning, and the number of one without text.
    pub blocks: usize,
    pub empty: Option<usize>,
}

/// An open block between tags.
struct VisibleTagBlock {
    /// The numbers of its opening tag and of its stretches.
    first: usize,
    opened: bool,
    text: String,
}

impl VisibleMessage {
    /// Prepares a message of these stretches.
    pub fn of(stretches: &[ReadStretch<'_>]) -> Self {
        let mut shown = Self::default();
        let mut block: Option<VisibleTagBlock> = None;
        let mut fields: Vec<(&str, usize)> = Vec::new();
        let mut headed = false;
        for (i, stretch) in stretches.iter().enumerate() {
            match stretch.kind {
                PieceKind::Reasoning(source) if !is_inline(source) => {
                    shown.field(source, stretch, &mut fields);
                }
                PieceKind::Reasoning(HARMONY | MARKER) => {
                    headed = true;
                    shown.field("", stretch, &mut fields);
                }
                PieceKind::Reasoning(_) if stretch.fresh => {
                    shown.close(stretches, block.take(), i);
                    block = Some(VisibleTagBlock { first: i, opened: !stretch.tag.is_empty(), text: String::new() });
                }
                PieceKind::Reasoning(_) => {
                    if let Some(block) = &mut block {
                        block.text.push_str(stretch.text);
                    }
                }
                PieceKind::Delimiter if block.is_some() => shown.close(stretches, block.take(), i),
                // Headers are part of the format if the message begins with one. So are tokens that frame the answer
                // behind a block.
                PieceKind::Frame | PieceKind::Delimiter | PieceKind::Structure | PieceKind::Stray
                    if headed || shown.text.trim().is_empty() && shown.frames_answer(stretch) =>
                {
                    headed = true
                }
                PieceKind::NextItem => shown.items.push(shown.sources.len()),
                PieceKind::Void(_) | PieceKind::Redacted | PieceKind::Seal => (),
                PieceKind::Turn(_) | PieceKind::Refused | PieceKind::Call | PieceKind::Tool => (),
                PieceKind::Stray | PieceKind::Frame | PieceKind::Delimiter | PieceKind::Structure => {
                    shown.close(stretches, block.take(), i);
                    shown.mark(MarkKind::Stray, i..i + 1, stretches);
                }
                PieceKind::Visible | PieceKind::Mention | PieceKind::Commentary | PieceKind::Gap => {
                    shown.close(stretches, block.take(), i);
                    // Two texts of one message begin separate lines.
                    if stretch.fresh && crate::model::is_glued(shown.text.as_bytes(), stretch.text.as_bytes()) {
                        shown.text.push('\n');
                    }
                    shown.push(i, stretch.text);
                }
            }
        }
        shown.close(stretches, block.take(), stretches.len());
        shown
    }

    fn push(&mut self, i: usize, text: &str) {
        if !text.is_empty() {
            self.stretches.push((self.text.len(), i));
            self.text.push_str(text);
        }
    }

    /// Adds reasoning that is not part of the text.
    fn field<'a>(&mut self, source: &'a str, stretch: &ReadStretch<'_>, fields: &mut Vec<(&'a str, usize)>) {
        let known = fields.iter_mut().find(|(known, _)| *known == source);
        match known {
            Some((_, at)) if !stretch.fresh => self.reasoning[*at].push_str(stretch.text),
            known => {
                let at = self.reasoning.len();
                if let PieceKind::Reasoning(source) = stretch.kind {
                    self.note(source);
                }
                self.reasoning.push(stretch.text.to_string());
                match known {
                    Some((_, last)) => *last = at,
                    None => fields.push((source, at)),
                }
            }
        }
    }

    /// Notes the source of the next text of reasoning.
    fn note(&mut self, source: Source) {
        let (first, at) = (self.items.last().copied().unwrap_or(0), self.reasoning.len());
        match self.sources[first..].iter_mut().find(|(known, _)| *known == source) {
            Some((_, texts)) => texts.push(at),
            None => self.sources.push((source, vec![at])),
        }
    }

    /// The texts of reasoning that count, without copies.
    pub fn counted(&self) -> Vec<&str> {
        let fates = copies::of_message(&self.sources, &self.items, |texts, to| {
            texts.iter().for_each(|at| {
                to.block();
                to.push(self.reasoning[*at].as_bytes());
            });
        });
        let counting = self.sources.iter().zip(fates).filter(|(_, fate)| *fate == CopyFate::Counts);
        let mut out = Vec::new();
        for ((source, texts), _) in counting {
            let texts = texts.iter().map(|at| self.reasoning[*at].as_str());
            out.extend(texts.map(|text| if is_inline(source) { text.trim() } else { text }));
        }
        out
    }

    /// Adds a tag, or a block with its tags, to the visible text.
    fn mark(&mut self, kind: MarkKind, all: Range<usize>, stretches: &[ReadStretch<'_>]) {
        let start = self.text.len();
        self.visible(all, stretches);
        if start < self.text.len() {
            self.marks.push(VisibleTag { at: start..self.text.len(), kind });
        }
    }

    fn visible(&mut self, all: Range<usize>, stretches: &[ReadStretch<'_>]) {
        for i in all {
            self.push(i, stretches[i].tag);
            self.push(i, stretches[i].text);
        }
    }

    /// Ends a block before the stretch `end`, which may be its closing tag.
    fn close(&mut self, stretches: &[ReadStretch<'_>], block: Option<VisibleTagBlock>, end: usize) {
        let Some(VisibleTagBlock { first, opened, text }) = block else { return };
        let leads = self.text.trim().is_empty();
        // A block that is never closed ends without a tag.
        let closed = stretches.get(end).is_some_and(|next| next.kind == PieceKind::Delimiter && !next.tag.is_empty());
        match (opened, closed) {
            (true, true) if leads => {
                // The white space before the block goes with it.
                self.text.clear();
                self.stretches.clear();
                self.blocks += 1;
                if text.trim().is_empty() {
                    self.empty = self.empty.or(Some(first));
                }
                self.note(TAGS);
                self.reasoning.push(text);
            }
            (true, true) => self.mark(MarkKind::Block, first..end + 1, stretches),
            (true, false) => {
                self.mark(if leads { MarkKind::Unclosed } else { MarkKind::Open }, first..first + 1, stretches);
                self.visible(first + 1..end, stretches);
            }
            (false, true) => {
                self.visible(first..end, stretches);
                self.mark(MarkKind::Close, end..end + 1, stretches);
            }
            (false, false) => self.visible(first..end, stretches),
        }
    }

    /// Whether a delimiter before the text is part of the format.
    fn frames_answer(&self, stretch: &ReadStretch<'_>) -> bool {
        // The colours in front of a block are what a terminal shows of it.
        let colours = stretch.tag.starts_with('\u{1b}');
        stretch.kind != PieceKind::Stray && !colours || self.blocks > 0 && stretch.tag.starts_with("<|")
    }

    /// The last thought of the message.
    pub fn last(&self) -> Option<&str> {
        self.reasoning.iter().rev().map(String::as_str).find(|text| !text.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message of these stretches: `<` opens a block, `>` closes one, `!` is a stray tag, `:` goes on with the
    /// reasoning, `=` is a field, `.` opens one without a tag, anything else is visible.
    fn shown(text: &str) -> (String, Vec<(MarkKind, String)>, Vec<String>) {
        let stretches: Vec<ReadStretch<'_>> = text
            .split(' ')
            .map(|word| {
                let (kind, fresh, tag, text) = match word.as_bytes()[0] {
                    b'<' => (PieceKind::Reasoning(TAGS), true, word, ""),
                    b'.' => (PieceKind::Reasoning(TAGS), true, "", ""),
                    b':' => (PieceKind::Reasoning(TAGS), false, "", &word[1..]),
                    b'>' => (PieceKind::Delimiter, false, word, ""),
                    b'!' => (PieceKind::Stray, false, word, ""),
                    b'=' => (PieceKind::Reasoning("reasoning"), true, "", &word[1..]),
                    _ => (PieceKind::Visible, false, "", word),
                };
                ReadStretch { kind, fresh, text, tag }
            })
            .collect();
        let shown = VisibleMessage::of(&stretches);
        let marks = shown.marks.iter().map(|mark| (mark.kind, shown.text[mark.at.clone()].to_string())).collect();
        (shown.text, marks, shown.reasoning)
    }

    #[test]
    fn what_a_reader_sees() {
        use MarkKind::*;
        let all = |text: &str, marks: &[(MarkKind, &str)], reasoning: &[&str]| {
            let marks: Vec<_> = marks.iter().map(|(kind, text)| (*kind, text.to_string())).collect();
            let reasoning: Vec<_> = reasoning.iter().map(|text| text.to_string()).collect();
            (text.to_string(), marks, reasoning)
        };
        assert_eq!(shown("=r a"), all("a", &[], &["r"]));
        assert_eq!(shown("< :r > a"), all("a", &[], &["r"]));
        assert_eq!(shown("< :r > < :s > a"), all("a", &[], &["r", "s"]));
        assert_eq!(shown("a < :r > b"), all("a<r>b", &[(Block, "<r>")], &[]));
        assert_eq!(shown(". :r > b"), all("r>b", &[(Close, ">")], &[]));
        assert_eq!(shown("< :r :s"), all("<rs", &[(Unclosed, "<")], &[]));
        assert_eq!(shown("a < :r"), all("a<r", &[(Open, "<")], &[]));
        assert_eq!(shown("a ! b"), all("a!b", &[(Stray, "!")], &[]));
        assert_eq!(shown("< :r > a < :s > < :t"), all("a<s><t", &[(Block, "<s>"), (Open, "<")], &["r"]));
    }
}
