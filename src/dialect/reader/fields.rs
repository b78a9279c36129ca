//! Strings and members that the user named, in records of any format.

use super::watch::SUSPECT;
use super::{JsonReader, Refused};
use crate::dialect::field::{Found, find};
use crate::dialect::formats::shared::deep_text;
use crate::frame::Body;
use crate::model::{Event, Facts, Kind, Lane, Piece, Role, Sink};
use crate::span::Span;

/// The source of reasoning in a member that the user named.
pub const NAMED: &str = "member";

impl JsonReader<'_> {
    /// Reads the strings that the user named, each as a message. All named members to take out are one more message.
    ///
    /// # Errors
    /// When the record is not JSON, or the rest of it may hold reasoning and suspect records do not pass.
    pub(super) fn fields(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, Refused> {
        let mut found = Found::default();
        find(body.text, &self.setup.options.pointers, &self.setup.options.drops, &mut found)?;
        found.strings.iter().for_each(|(number, ..)| self.used.note(*number as usize));
        found.drops.iter().for_each(|number| self.used.note(self.setup.options.pointers.len() + number));
        self.watch_rest(body, &found)?;
        for (lane, literal, path) in &found.strings {
            let lane = *lane;
            sink.event(&Event::MessageStart {
                lane,
                role: Role::Assistant,
                joined: false,
                bare: false,
                conversation: 0,
                at: None,
            });
            path.iter().for_each(|pointer| sink.event(&Event::Field { lane, pointer }));
            self.sender.text(body, lane, *literal, self.setup.options.inline, sink);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
        let lane = self.setup.options.pointers.len() as u32;
        if !found.dropped.is_empty() {
            sink.event(&Event::MessageStart {
                lane,
                role: Role::Assistant,
                joined: false,
                bare: false,
                conversation: 0,
                at: None,
            });
            self.dropped(body, lane, &found, sink);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
        let messages = found.strings.len() as u64 + u64::from(!found.dropped.is_empty());
        let dialect = (messages > 0).then_some(crate::dialect::text::ROW.name);
        Ok(Facts { dialect, messages, ..Facts::default() })
    }

    /// Searches what the named values leave of a record, as a record in no format that is read.
    fn watch_rest(&mut self, body: &Body<'_>, found: &Found) -> Result<(), Refused> {
        let Some(search) = &mut self.watch.search else { return Ok(()) };
        let mut rest = body.text.to_vec();
        let strings = found.strings.iter().map(|(_, literal, _)| literal.start - 1..literal.end + 1);
        for at in strings.chain(found.dropped.iter().cloned()) {
            // A value that is neither text nor reasoning takes the place of each, so that all offsets stay.
            let nothing: &[u8] = if at.len() < 4 { b"0" } else { b"null" };
            rest[at.clone()].fill(b' ');
            rest[at.start..at.start + nothing.len()].copy_from_slice(nothing);
        }
        match search.event(body.event, &rest) {
            Some(at) => self.watch.suspect_at(body, at, SUSPECT),
            None => Ok(()),
        }
    }

    /// What to say of the pointers of the user that have named nothing so far.
    pub fn unused_pointers(&self) -> Vec<String> {
        self.used.unused(&self.setup.options.pointers, &self.setup.options.drops)
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
