//! Strings and members that the user named, in records of any format.

use super::watch::SUSPECT;
use super::watch::texts::may_be_json;
use super::{JsonReader, NotUnderstood};
use crate::dialect::field::{FieldValues, Named, find};
use crate::dialect::formats::chat::in_place::{self, Context, ConversionTarget, Plan};
use crate::dialect::formats::shared::deep_text;
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Moves, Options};
use crate::json::{is_filled, member, text};
use crate::model::{Event, Facts, Lane, MessageFact, Piece, PieceKind, Role, Sink};
use crate::span::Span;
use std::ops::Range;

/// The source of reasoning in a member that the user named.
pub const NAMED: &str = "member";

/// The message about what may be reasoning beside a string that is converted.
const BESIDE: &str = "may be reasoning, in a member that is not converted (--column NAME names the member beside the string that has its reasoning)";

/// The error for a value that is named and is not text.
const NO_STRING: &str = "--field names a value that is not a string";

impl JsonReader {
    /// Reads the strings that the user named, each as a message. All named members to take out are one more message.
    ///
    /// # Errors
    /// When the record is not JSON, or the rest of it may hold reasoning and suspect records do not pass.
    pub(super) fn fields(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, NotUnderstood> {
        let mut found = FieldValues::default();
        find(body.text, &self.setup.options.pointers, &self.setup.options.drops, &mut found)?;
        found.strings.iter().for_each(|named| self.used.note(named.number as usize));
        found.drops.iter().for_each(|number| self.used.note(self.setup.options.pointers.len() + number));
        if let Some(target) = self.setup.options.in_place().cloned() {
            // Two pointers may name one string.
            found.strings.dedup_by_key(|named| named.literal.start);
            return self.convert_strings(body, &found, &target, sink);
        }
        self.watch_rest(body, &found, &[])?;
        for named in &found.strings {
            self.sender.tagged.named(&self.setup, body, named.literal, self.setup.options.inline)?;
        }
        for Named { number, literal, path, .. } in &found.strings {
            let lane = Lane::Named(*number);
            sink.event(&Event::start_of_text(lane, Role::Assistant));
            path.iter().for_each(|pointer| sink.event(&Event::Fact(lane, MessageFact::Field(pointer))));
            self.sender.text(body, lane, *literal, self.setup.options.inline, sink);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
        let lane = Lane::Named(self.setup.options.pointers.len() as u32);
        if !found.dropped.is_empty() {
            sink.event(&Event::start_of_text(lane, Role::Assistant));
            self.dropped(body, lane, &found, sink);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
        let messages = found.strings.len() as u64 + u64::from(!found.dropped.is_empty());
        let dialect = (messages > 0).then_some(crate::dialect::text::ROW.name);
        Ok(Facts { dialect, messages, ..Facts::default() })
    }

    /// Converts the strings that the user named, and the members with their reasoning.
    fn convert_strings(
        &mut self,
        body: &Body<'_>,
        found: &FieldValues,
        target: &ConversionTarget,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        found.others.iter().for_each(|(number, _)| self.used.note(*number as usize));
        if let Some((_, at)) = found.others.first() {
            return Err(Error::new(*at, NO_STRING).into());
        }
        let columns = &self.setup.options.columns;
        let column = |named: &Named| member(body.text, named.object?, target.column(columns)?).map(|(_, value)| value);
        let beside: Vec<Option<Range<usize>>> = found.strings.iter().map(column).collect();
        self.watch_rest(body, found, &beside)?;
        let mut plan = Plan::default();
        for (named, beside) in found.strings.iter().zip(&beside) {
            // A string whose reasoning stands beside it has a place for it, as a message has.
            let apart = beside.as_ref().is_some_and(|value| is_filled(&body.text[value.clone()]));
            let moves = if apart { self.setup.options.moves_whole(&self.setup.tags) } else { Moves::NONE };
            let inline = Options { apart, moves, ..self.setup.options.inline };
            self.sender.tagged.named(&self.setup, body, named.literal, inline)?;
            let same = |other: &&Named| other.object.is_some() && other.object == named.object;
            let shared = found.strings.iter().filter(same).count() > 1;
            let (tags, rows, notes) = (&self.setup.tags, self.setup.rows, &mut self.sender.notes);
            let mut context = Context { body, tags, rows, inline, notes };
            let string = (named.literal, named.object, shared);
            in_place::string(&mut context, string, target, &self.setup.options.columns, &mut plan)?;
        }
        plan.edits.sort_by_key(|(at, _)| at.start);
        in_place::send(&plan, sink);
        let messages = found.strings.len() as u64;
        let dialect = (messages > 0).then_some(crate::dialect::text::ROW.name);
        Ok(Facts { dialect, messages, payload: true, ..Facts::default() })
    }

    /// Searches what the named values leave of a record, as a record in no format that is read. `beside`: members with
    /// the reasoning of named strings.
    fn watch_rest(
        &mut self,
        body: &Body<'_>,
        found: &FieldValues,
        beside: &[Option<Range<usize>>],
    ) -> Result<(), NotUnderstood> {
        let Some(search) = &mut self.watch.search else { return Ok(()) };
        let mut rest = body.text.to_vec();
        let strings = found.strings.iter().map(|named| named.literal.start - 1..named.literal.end + 1);
        for at in strings.chain(found.dropped.iter().chain(beside.iter().flatten()).cloned()) {
            // A value that is neither text nor reasoning takes the place of each, so that all offsets stay.
            let nothing: &[u8] = if at.len() < 4 { b"0" } else { b"null" };
            rest[at.clone()].fill(b' ');
            rest[at.start..at.start + nothing.len()].copy_from_slice(nothing);
        }
        // A named text that is JSON itself, or has reasoning between lines of a program further on, is no text with tags.
        let other = found.strings.iter().map(|named| named.literal).find(|literal| {
            let raw = literal.raw(body.text);
            let recorded = literal.escaped && search.may_be_recorded(raw, false);
            may_be_json(raw) && search.is_json_itself(&text::decoded(raw))
                || recorded && search.is_recorded(&text::decoded(raw))
        });
        match search.event(body.event, &rest).or(other.map(|literal| literal.start - 1)) {
            Some(at) if self.setup.options.to.is_some() => self.watch.suspect_at(body, at, BESIDE),
            Some(at) => self.watch.suspect_at(body, at, SUSPECT),
            None => Ok(()),
        }
    }

    /// What to say of the pointers of the user that have named nothing so far.
    pub fn unused_pointers(&self) -> Vec<String> {
        self.used.unused(&self.setup.options.pointers, &self.setup.options.drops)
    }

    /// Sends the named members to take out, as one block of reasoning.
    fn dropped(&mut self, body: &Body<'_>, lane: Lane, found: &FieldValues, sink: &mut dyn Sink) {
        let mut text = Vec::new();
        found.dropped.iter().for_each(|value| deep_text(&body.text[value.clone()], &mut text));
        let at: Vec<Span> = found.cuts.iter().map(|cut| body.span(cut.clone())).collect();
        let kind = PieceKind::Reasoning(NAMED);
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
