//! Instructions and descriptions of tools that stand beside the messages of a record.

use super::Sender;
use crate::dialect::draft::{Record, Rest};
use crate::dialect::formats::chat::INSTRUCTIONS;
use crate::frame::Body;
use crate::json::Scanner;
use crate::model::{Event, Sink};

impl Sender {
    /// Sends the instructions and tool descriptions that stand beside the messages of a record.
    pub(super) fn instructions(&self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) {
        if !self.setup.options.wants.rest {
            return;
        }
        let text = body.text;
        for at in record.instructions.iter().cloned() {
            sink.event(&Event::Instructions(&text[at]));
        }
        let is_one =
            |rest: &&Rest| !rest.message && rest.key.is_some_and(|key| INSTRUCTIONS.contains(&&*key.decoded(text)));
        for rest in record.rest.iter().filter(is_one) {
            let mut s = Scanner::within(text, rest.value);
            // The record was scanned to its end, so that this cannot fail.
            if s.token().and_then(|token| s.skip(token)).is_ok() {
                sink.event(&Event::Instructions(&text[rest.value..s.at()]));
            }
        }
    }
}
