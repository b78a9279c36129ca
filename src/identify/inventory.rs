//! The output of `identify`: how much reasoning an input has, and where. It writes nothing.

mod places;

use crate::count::Method;
use crate::frame::Framing;
use crate::model::{Event, MessageFact, PieceKind, Sink, Wants};
use crate::out::{Output, Placed, Sinks, SourceBytes};
use crate::policy::{Ticket, Verdict};
use crate::tokens::{By, SharedTally, Tally, TallyOptions};
use places::ReasoningPlaces;
use std::cell::RefCell;

/// The output of `identify`. The counts of tokens are those of [`Tally`], and stand in what it shares.
pub struct Inventory<'s> {
    tally: Tally<'s>,
    /// What the tally writes, which nobody needs.
    written: Sinks,
    bytes: u64,
    places: ReasoningPlaces,
}

impl<'s> Inventory<'s> {
    /// An output for one input.
    pub fn new(method: Method, shared: &'s RefCell<SharedTally>) -> Self {
        let options = TallyOptions::lines(method.name(), vec![By::Record]);
        Self {
            tally: Tally::new(options, shared),
            written: Sinks::default(),
            bytes: 0,
            places: ReasoningPlaces::default(),
        }
    }

    /// How many bytes of text the reasoning has, with all its copies.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where the reasoning stands: paths of members (`choices[].delta.reasoning`), and tags (`content <think>`), in the order
    /// in which they are first seen.
    pub fn places(&self) -> &[String] {
        self.places.found()
    }
}

/// A JSON Pointer as a path of members, in which all indices of an array are one place: `message.content[].thinking`.
pub fn path(pointer: &str) -> String {
    places::path(pointer)
}

impl Sink for Inventory<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.judged(event, Verdict::Keep);
    }
}

impl Output for Inventory<'_> {
    fn judged(&mut self, event: &Event<'_>, verdict: Verdict) {
        match event {
            Event::Piece(piece) => {
                if let PieceKind::Reasoning(_) = piece.kind {
                    self.bytes += if !piece.lane.is_snapshot() { piece.text.len() as u64 } else { 0 };
                }
                self.places.reasoning(piece);
            }
            Event::Item { element, .. } => self.places.item(element.span),
            Event::Fact(_, MessageFact::Sealed) => self.places.sealed(),
            Event::Fact(_, MessageFact::Field(pointer)) => self.places.field(pointer),
            _ => (),
        }
        self.tally.judged(event, verdict);
    }

    fn settled(&mut self, ticket: Ticket, goes: bool) {
        self.tally.settled(ticket, goes);
    }

    fn wants(&self) -> Wants {
        // The places are found by the decoded text.
        Wants { raw: false, ..self.tally.wants() }
    }

    fn framing(&mut self, framing: Framing) {
        self.places.framing(framing);
        self.tally.framing(framing);
    }

    fn record(&mut self, number: u64) {
        self.tally.record(number);
    }

    fn frame(&mut self, placed: Placed) {
        self.places.frame(placed);
        self.tally.frame(placed);
    }

    fn finish(&mut self) {
        self.tally.finish();
    }

    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, _: &mut Sinks) -> u64 {
        self.places.resolve(source);
        let needed = self.tally.drain(source, undecided, &mut self.written);
        self.written.out.clear();
        self.written.rejects.clear();
        needed
    }
}
