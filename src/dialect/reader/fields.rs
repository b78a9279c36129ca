//! Strings that the user named, in records of any shape.

use super::JsonReader;
use crate::error::Error;
use crate::frame::Body;
use crate::model::{Event, Facts, Role, Sink};

impl JsonReader<'_> {
    /// The strings that the user named: each is a message.
    pub(super) fn fields(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, Error> {
        let mut found = Vec::new();
        crate::dialect::field::find(body.text, &self.options.pointers, &mut found)?;
        for (lane, literal) in &found {
            sink.event(&Event::MessageStart { lane: *lane, role: Role::Assistant, joined: false, bare: false });
            self.text(body, *lane, *literal, self.options.inline.start, sink);
            sink.event(&Event::MessageEnd { lane: *lane, element: None });
        }
        let dialect = (!found.is_empty()).then_some(crate::dialect::text::ROW.name);
        Ok(Facts { dialect, messages: found.len() as u64, ..Facts::default() })
    }
}
