//! A message as a JSON object: the one place that writes what `split` says of it.

use super::sequence::Included;
use super::{Report, SplitTexts, calls, delegations, sequence};
use crate::agents::fold::FoldedMessage;
use crate::json::object::{self, MemberWriter};

impl Report {
    /// Writes the object.
    pub(super) fn object(&self, message: &FoldedMessage, texts: &SplitTexts, out: &mut Vec<u8>) {
        object::object(out, |object| self.members(message, texts, object));
    }

    fn members(&self, message: &FoldedMessage, texts: &SplitTexts, object: &mut MemberWriter<'_>) {
        if let Some(file) = &self.show.file {
            object.string("file", file);
        }
        if !self.whole || self.began > 1 {
            object.number("record", message.record);
            let named = message.lane.pointer().and_then(|n| self.show.fields.get(n));
            match message.field.as_ref().or(named) {
                Some(pointer) => object.string("field", pointer),
                None => object.number("message", message.number),
            }
        }
        if self.show.visible {
            object.string("visible", &texts.visible);
            if let Some(commentary) = &texts.commentary {
                object.string("commentary", commentary);
            }
            calls::member(&message.calls, object);
        }
        let shown = self.show.reasoning && !self.show.aside && !self.show.drop_reasoning;
        if let (true, Some(text)) = (shown, &texts.reasoning) {
            object.object("reasoning", |object| {
                object.string("text", text);
                object.number("tokensEst", texts.estimate());
                if !texts.redactions.is_empty() {
                    object.strings("redactions", &texts.redactions);
                }
            });
        }
        if let Some(standing) = &message.standing {
            delegations::members(standing, object);
        }
        if let Some(group) = &message.group {
            let included = Included { reasoning: shown, visible: self.show.visible };
            sequence::members(group, included, &texts.visible, object);
        }
        if texts.leaked {
            object.flag("leak_detected", true);
        }
    }
}
