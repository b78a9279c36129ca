//! Strings and members that the user named, in records of any format.

use super::JsonReader;
use crate::dialect::field::{Found, find};
use crate::dialect::formats::shared::deep_text;
use crate::error::Error;
use crate::frame::Body;
use crate::model::{Event, Facts, Kind, Lane, Piece, Role, Sink};
use crate::span::Span;

/// The source of reasoning in a member that the user named.
pub const NAMED: &str = "member";

impl JsonReader<'_> {
    /// Reads the strings that the user named, each as a message. All named members to take out are one more message.
    pub(super) fn fields(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, Error> {
        let mut found = Found::default();
        find(body.text, &self.options.pointers, &self.options.drops, &mut found)?;
        for (lane, literal, path) in &found.strings {
            let lane = *lane;
            sink.event(&Event::MessageStart {
                lane,
                role: Role::Assistant,
                joined: false,
                bare: false,
                conversation: 0,
            });
            path.iter().for_each(|pointer| sink.event(&Event::Field { lane, pointer }));
            self.text(body, lane, *literal, self.options.inline.start, sink);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
        let lane = self.options.pointers.len() as u32;
        if !found.dropped.is_empty() {
            sink.event(&Event::MessageStart {
                lane,
                role: Role::Assistant,
                joined: false,
                bare: false,
                conversation: 0,
            });
            self.dropped(body, lane, &found, sink);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
        let messages = found.strings.len() as u64 + u64::from(!found.dropped.is_empty());
        let dialect = (messages > 0).then_some(crate::dialect::text::ROW.name);
        Ok(Facts { dialect, messages, ..Facts::default() })
    }

    /// Sends the named members to take out, as one block of reasoning.
    fn dropped(&mut self, body: &Body<'_>, lane: Lane, found: &Found, sink: &mut dyn Sink) {
        let mut text = Vec::new();
        found.dropped.iter().for_each(|value| deep_text(&body.text[value.clone()], &mut text));
        let at: Vec<Span> = found.cuts.iter().map(|cut| body.span(cut.clone())).collect();
        let kind = Kind::Reasoning(NAMED);
        sink.event(&Event::Piece(Piece {
            lane,
            kind,
            fresh: true,
            text: &text,
            escaped: false,
            whole: false,
            at: &at,
        }));
    }
}
