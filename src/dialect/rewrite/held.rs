//! The text of a delta waits until it is decided what each byte of it is, then it is written.

use super::Form;
use super::plan::text;
use crate::model::{Bit, Event, Kind, Loss, Sink};
use crate::span::Span;

/// The text of a delta, on its way through the tags.
#[derive(Debug)]
pub(super) struct Slot {
    /// The inside of the string.
    pub at: Span,
    pub filled: u64,
    pub pieces: Vec<(Kind, bool, Span)>,
    /// Edits inside of it.
    pub inner: Vec<(Span, Vec<Bit>)>,
    pub losses: Vec<Loss>,
    /// The edits if it is all visible, or reasoning stays in the text.
    pub plain: Vec<(Span, Vec<Bit>)>,
    /// The edits otherwise, but for the member that the text stands in.
    pub mixed: Vec<(Span, Vec<Bit>)>,
    /// That member, and what comes in front of its value, and of the reasoning.
    pub member: Span,
    pub name: Bit,
    pub before: Vec<Bit>,
    pub form: Form,
}

impl Slot {
    /// Says the edits: every byte of the text is known.
    pub fn say(mut self, sink: &mut dyn Sink) {
        self.losses.iter().for_each(|loss| sink.event(&Event::Loss(*loss)));
        if matches!(self.form, Form::Tagged | Form::Harmony) {
            self.plain.append(&mut self.inner);
            self.plain.sort_by_key(|(at, _)| at.start);
        }
        let of_block = |kind: &Kind| matches!(kind, Kind::Reasoning(_) | Kind::Delimiter | Kind::Stray);
        let reasoning = self.pieces.iter().any(|(kind, joins, _)| of_block(kind) || *joins);
        if !reasoning || matches!(self.form, Form::Tagged | Form::Harmony) {
            return self.plain.iter().for_each(|(at, with)| sink.event(&Event::Edit { at: *at, with }));
        }
        let mut bits = vec![self.name.clone()];
        match self.form {
            Form::Blocks => self.blocks(sink, &mut bits),
            Form::Field(key) => self.field(key, sink, &mut bits),
            Form::Tagged | Form::Harmony => (),
        }
        for (at, with) in &self.mixed {
            sink.event(&Event::Edit { at: *at, with });
        }
        sink.event(&Event::Edit { at: self.member, with: &bits });
    }

    fn field(&self, key: &str, sink: &mut dyn Sink, bits: &mut Vec<Bit>) {
        let (mut reasoning, mut spoken) = (self.before.clone(), false);
        bits.push(text("\""));
        for (kind, again, span) in &self.pieces {
            match kind {
                Kind::Reasoning(_) => {
                    if *again {
                        reasoning.push(text("\\n"));
                        sink.event(&Event::Loss(Loss::Blocks));
                    }
                    // Events keep their order, but not what stands in one of them.
                    if std::mem::take(&mut spoken) {
                        sink.event(&Event::Loss(Loss::Order));
                    }
                    reasoning.push(Bit::Copy(*span));
                }
                Kind::Delimiter => (),
                Kind::Stray => sink.event(&Event::Loss(Loss::Stray)),
                _ => {
                    spoken |= !span.is_empty();
                    bits.extend(again.then(|| text("\\n")));
                    bits.push(Bit::Copy(*span));
                }
            }
        }
        bits.push(text("\""));
        if !reasoning.is_empty() {
            bits.push(text(format!(",\"{key}\":\"")));
            bits.extend(reasoning);
            bits.push(text("\""));
        }
    }

    fn blocks(&self, sink: &mut dyn Sink, bits: &mut Vec<Bit>) {
        let mut list: Vec<(bool, Vec<Bit>)> = Vec::new();
        if !self.before.is_empty() {
            list.push((true, self.before.clone()));
        }
        for (kind, again, span) in &self.pieces {
            let thought = match kind {
                Kind::Delimiter => continue,
                Kind::Stray => {
                    sink.event(&Event::Loss(Loss::Stray));
                    continue;
                }
                kind => matches!(kind, Kind::Reasoning(_)),
            };
            let line = (!thought && *again).then(|| text("\\n"));
            let inside = line.into_iter().chain([Bit::Copy(*span)]);
            match list.last_mut() {
                Some((last, bits)) if *last == thought => bits.extend(inside),
                _ => list.push((thought, inside.collect())),
            }
        }
        if list.is_empty() {
            *bits = vec![text("\"content\":\"\"")];
            return;
        }
        bits.push(text("["));
        for (i, (thought, inside)) in list.into_iter().enumerate() {
            bits.push(text(if i > 0 { "," } else { "" }));
            bits.push(text(if thought {
                "{\"type\":\"thinking\",\"thought\":\""
            } else {
                "{\"type\":\"text\",\"text\":\""
            }));
            bits.extend(inside);
            bits.push(text(if thought { "\",\"sourceField\":\"think_tags\"}" } else { "\"}" }));
        }
        bits.push(text("]"));
    }
}
