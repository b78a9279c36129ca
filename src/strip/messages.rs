//! Messages that go whole, messages of which only their instructions stay, and what separates the texts of two messages of
//! one answer.

use super::{Act, CutWhen, Splice};
use crate::model::{Element, Lane, Piece, PieceKind};
use crate::policy::Verdict;
use crate::span::Span;
use std::collections::BTreeMap;

/// A message that is open.
#[derive(Debug, Default)]
pub(super) struct SpliceMessage {
    pub assistant: bool,
    /// It is a record of its own.
    pub bare: bool,
    pub visible: bool,
    /// The verdict on its reasoning, if it has any.
    pub verdict: Option<Verdict>,
}

/// The messages that are open.
#[derive(Debug, Default)]
pub(super) struct SpliceMessages {
    pub open: BTreeMap<Lane, SpliceMessage>,
    pub joints: BTreeMap<Lane, Joint>,
    /// For streamed messages: the numbers of the blocks of reasoning, with the verdicts on them.
    pub numbers: BTreeMap<Lane, Vec<(u64, Verdict)>>,
    /// Whether the message in the current frame goes whole.
    pub emptied: CutWhen,
    /// Their record stands in so many strings.
    pub strings: u8,
}

/// The end of a message's visible text so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joint {
    /// It has text, and does not end in white space.
    pub word: bool,
    /// Whether a header behind it goes.
    pub frame: CutWhen,
}

impl Splice {
    /// Notes the marks of a message. `verdict`: that on its content.
    pub(super) fn marks(&mut self, lane: Lane, content: Span, verdict: Verdict) {
        if let Some(open) = self.messages.open.get_mut(&lane) {
            // What the message does is needed even if its content goes.
            open.visible = true;
        }
        if verdict == Verdict::Drop && !content.is_empty() {
            self.stats.messages.1 += 1;
            self.edit(content, Act::Emptied);
        }
    }

    /// Ends a message. `verdict`: that on the whole message.
    pub(super) fn message_end(&mut self, lane: Lane, element: Option<Element>, verdict: Verdict) {
        self.messages.joints.remove(&lane);
        self.messages.numbers.remove(&lane);
        let Some(open) = self.messages.open.remove(&lane) else {
            return;
        };
        let emptied = self.options.drop_empty && open.assistant && !open.visible;
        self.stats.messages.0 += u64::from(verdict == Verdict::Drop);
        let goes = match open.verdict {
            _ if verdict == Verdict::Drop => CutWhen::Always,
            Some(verdict) if emptied => verdict.into(),
            _ => CutWhen::Never,
        };
        match (element, goes) {
            (Some(element), CutWhen::Never) => self.edit(element.span, Act::Stays(element)),
            (Some(element), goes) => self.edit(element.span, Act::Element(element, goes)),
            (None, goes) if open.bare => self.messages.emptied = goes,
            (None, _) => (),
        }
    }

    /// Notes the header or the end of a message, and its verdict.
    pub(super) fn headed(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        if piece.kind == PieceKind::Frame {
            self.messages.joints.entry(piece.lane).or_default().frame = verdict.into();
        }
    }

    /// Puts a line end before visible text behind a header that goes, if nothing else separates it from the text
    /// before.
    pub(super) fn joint(&mut self, piece: &Piece<'_>) {
        let (Some(first), Some(at)) = (piece.text.first(), piece.at.first()) else { return };
        let (frame, word) = self.join(piece.lane, piece.text);
        if frame != CutWhen::Never && piece.fresh && word && !first.is_ascii_whitespace() {
            self.edit(Span::new(at.start, at.start), Act::Line(frame, self.messages.strings));
        }
    }

    /// Notes that visible text comes next. Returns what becomes of a header right before it, and whether the text before that ends
    /// with a word.
    pub(super) fn join(&mut self, lane: Lane, text: &[u8]) -> (CutWhen, bool) {
        let joint = self.messages.joints.entry(lane).or_default();
        let word = text.last().is_some_and(|b| !b.is_ascii_whitespace());
        (std::mem::take(&mut joint.frame), std::mem::replace(&mut joint.word, word))
    }
}
