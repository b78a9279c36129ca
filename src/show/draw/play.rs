//! Draws slots: what is over, in order.

use super::DrawRules;
use super::message::{DrawMessage, Drawn};
use crate::count::estimate;
use crate::json::text::utf8;
use crate::model::Role;
use crate::model::content::{Attribute, RecordHead};
use crate::show::{self, BlockEnd, LineItem, Painter, Step, TextBlockKind, Totals};
use serde_json::value::RawValue;

/// Draws the steps that a message has so far.
pub(super) fn draw(open: &mut DrawMessage, begun: &mut bool, painter: &mut dyn Painter, out: &mut Vec<u8>) {
    if !std::mem::replace(begun, true) && !matches!(open.steps.first(), Some(Drawn::Open(_))) {
        painter.step(Step::Open(&open.head), out);
    }
    for step in open.steps.drain(..) {
        match &step {
            Drawn::Open(head) => painter.step(Step::Open(head), out),
            Drawn::Begin(kind) => painter.step(Step::Begin(*kind), out),
            Drawn::Heading(text) => painter.step(Step::Heading(text), out),
            Drawn::Text(text) => painter.step(Step::Text(text), out),
            Drawn::End(end) => painter.step(Step::End(*end), out),
            Drawn::Item(item) => painter.step(Step::Item(item), out),
        }
    }
}

/// Draws what stands beside the messages of a request: the instructions, and how many tools there are.
pub(super) fn request(head: &RecordHead, rules: &DrawRules, painter: &mut dyn Painter, out: &mut Vec<u8>) {
    let texts = (rules.texts.system)(head);
    let tools = head.get(Attribute::Tools).and_then(|value| serde_json::from_slice::<Vec<&RawValue>>(value).ok());
    let tools = tools.map_or(0, |tools| tools.len() as u64);
    if texts.is_empty() && tools == 0 {
        return;
    }
    painter.step(Step::Open(&show::MessageHead { role: Role::System, ..show::MessageHead::default() }), out);
    let mut totals = Totals::default();
    for text in &texts {
        let text = utf8(text);
        let tokens = estimate(text.trim());
        totals.visible += tokens;
        painter.step(Step::Begin(TextBlockKind::Text), out);
        painter.step(Step::Text(&text), out);
        painter.step(Step::End(BlockEnd { tokens, sealed: false }), out);
    }
    if tools > 0 {
        painter.step(Step::Item(&LineItem::Tools(tools)), out);
    }
    painter.step(Step::Close(&totals), out);
}
