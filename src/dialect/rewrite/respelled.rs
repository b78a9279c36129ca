//! Deltas whose text gets other delimiters: edits inside of the text, piece by piece.

use super::closer::behind;
use super::harmony::AGAIN;
use super::live::Heard;
use super::plan::text;
use super::{Form, Target, escaped};
use crate::model::{Bit, Kind, Loss, Piece, Source};
use crate::model::{HARMONY, is_inline};
use crate::span::Span;

type Edits = Vec<(Span, Vec<Bit>)>;

/// What a piece becomes.
pub(super) fn respell(heard: &mut Heard, piece: &Piece<'_>, target: &Target, losses: &mut Vec<Loss>) -> Edits {
    let mut edits = Vec::new();
    if let (Some(delimiter), Some(at)) = (&heard.pending, piece.at.first()) {
        edits.push((Span::new(at.start, at.start), vec![text(delimiter.clone())]));
        heard.pending = None;
    }
    match piece.kind {
        Kind::Reasoning(source) if !is_inline(source) => heard.headed |= target.form == Form::Harmony,
        Kind::Reasoning(source) if piece.fresh => {
            heard.block = is_foreign(source, target);
            if heard.block {
                heard.tail.clear();
                heard.headed |= target.form == Form::Harmony;
                losses.extend((heard.visible && target.form == Form::Harmony).then_some(Loss::Order));
                let later = target.form == Form::Harmony && (heard.visible || heard.reasoning);
                let open = if later { format!("{AGAIN}{}", target.open) } else { target.open.clone() };
                put(piece, open, heard, &mut edits);
            }
        }
        Kind::Reasoning(_) if heard.block => harmless(heard, piece, target, losses, &mut edits),
        Kind::Delimiter if std::mem::take(&mut heard.block) => {
            heard.tail.clear();
            put(piece, target.close.clone(), heard, &mut edits);
        }
        Kind::Frame if target.form == Form::Tagged => edits.extend(piece.at.iter().map(|at| (*at, Vec::new()))),
        kind if kind.is_visible() && heard.headed => harmless(heard, piece, target, losses, &mut edits),
        Kind::Visible | Kind::Commentary if target.form == Form::Tagged => {
            if let Some(at) = piece.at.first().filter(|_| heard.joins(piece)) {
                edits.push((Span::new(at.start, at.start), vec![text("\\n")]));
            }
        }
        _ => (),
    }
    edits
}

/// Whether reasoning of that kind gets other delimiters.
pub(super) fn is_foreign(source: Source, target: &Target) -> bool {
    match target.form {
        Form::Harmony => source != HARMONY,
        _ => source == HARMONY || target.respell,
    }
}

/// A delimiter for another. One that is only implied stands in front of what comes next.
fn put(piece: &Piece<'_>, delimiter: String, heard: &mut Heard, edits: &mut Edits) {
    match piece.at {
        [] => heard.pending = Some(delimiter),
        [first, rest @ ..] => {
            edits.push((*first, vec![text(delimiter)]));
            edits.extend(rest.iter().map(|at| (*at, Vec::new())));
        }
    }
}

/// A delimiter in a text must not be read as one: it cannot be refused any more.
fn harmless(heard: &mut Heard, piece: &Piece<'_>, target: &Target, losses: &mut Vec<Loss>, edits: &mut Edits) {
    let Some(harmless) = behind(&mut heard.tail, piece.text, target) else { return };
    losses.push(Loss::Closer);
    heard.tail = harmless.tail;
    if let [first, rest @ ..] = piece.at {
        edits.push((*first, vec![text(escaped(&harmless.text))]));
        edits.extend(rest.iter().map(|at| (*at, Vec::new())));
    }
}

impl Heard {
    /// Whether a line end stands in front of a piece: it is a message of its own.
    pub(super) fn joins(&self, piece: &Piece<'_>) -> bool {
        piece.fresh
            && self.frame
            && self.visible
            && !self.line
            && piece.kind.is_visible()
            && !piece.text.first().is_some_and(u8::is_ascii_whitespace)
    }

    /// Remembers a piece. Whether it goes on to a line of its own.
    pub(super) fn hear(&mut self, piece: &Piece<'_>) -> bool {
        let joins = self.joins(piece);
        self.reasoning |= matches!(piece.kind, Kind::Reasoning(_));
        match piece.kind {
            Kind::Frame => self.frame = true,
            kind if kind.is_visible() || kind == Kind::Gap => {
                self.frame &= !piece.fresh;
                self.frame &= kind != Kind::Structure;
                if !piece.text.is_empty() {
                    (self.visible, self.line) = (true, piece.text.last().is_some_and(u8::is_ascii_whitespace));
                }
            }
            _ => (),
        }
        joins
    }
}
