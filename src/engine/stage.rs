//! The passes between the reader and the output: they get every event first, and the output gets their verdicts.

use crate::model::{Event, Lane, MessageFact, PieceKind, Sink};
use crate::out::Output;
use crate::policy::{Judge, MessageFate, Removal, Verdict};

/// Where a reader sends its events.
pub(super) struct Stage<O> {
    /// Decides which messages go whole, if any do.
    pub removal: Option<Box<Removal>>,
    /// Decides which reasoning stays, if any goes.
    pub judge: Option<Box<dyn Judge + Send>>,
    /// The start of a message that the judge was not given yet: the message may go.
    start: Option<Event<'static>>,
    pub output: O,
}

impl<O: Output> Sink for Stage<O> {
    fn event(&mut self, event: &Event<'_>) {
        match self.removal.is_some() {
            true => self.without(event),
            false => self.judged(event),
        }
        self.settle();
    }
}

impl<O: Output> Stage<O> {
    /// A stage without a pass.
    pub fn new(output: O) -> Self {
        Self { removal: None, judge: None, start: None, output }
    }

    fn judged(&mut self, event: &Event<'_>) {
        let Some(judge) = &mut self.judge else { return self.output.event(event) };
        match event {
            Event::Piece(piece)
                if piece.kind.is_visible()
                    || matches!(piece.kind, PieceKind::Refused | PieceKind::Seal | PieceKind::NextItem) =>
            {
                self.output.event(event);
            }
            Event::Piece(piece) => self.output.judged(event, judge.judge(piece.lane, piece.kind)),
            // List elements and numbers have the verdict of the reasoning that they belong to.
            Event::Item { lane, .. } | Event::Number { lane, reasoning: true, .. } => {
                self.output.judged(event, judge.judge(*lane, PieceKind::Void("")));
            }
            _ => {
                judge.event(event);
                self.output.event(event);
            }
        }
    }

    /// Judges an event where messages may go whole. The judge does not get the events of such messages.
    fn without(&mut self, event: &Event<'_>) {
        let Some(removal) = &mut self.removal else { return };
        let fate = |removal: &Removal, lane: &Lane| removal.fate(*lane);
        // The removal pass forgets a message when it ends, so that its fate is asked for before.
        let ends = if let Event::MessageEnd { lane, .. } = event { Some(fate(removal, lane)) } else { None };
        removal.event(event);
        match event {
            &Event::MessageStart { lane, role, joined, bare, conversation, at } => {
                self.send_start();
                self.start = Some(Event::MessageStart { lane, role, joined, bare, conversation, at });
                return self.output.event(event);
            }
            Event::Fact(lane, MessageFact::Marks { .. }) => {
                let verdict = if fate(removal, lane) == MessageFate::Emptied { Verdict::Drop } else { Verdict::Keep };
                return self.output.judged(event, verdict);
            }
            Event::MessageEnd { .. } if ends == Some(MessageFate::Goes) => {
                self.start = None;
                return self.output.judged(event, Verdict::Drop);
            }
            Event::Piece(piece) if fate(removal, &piece.lane) != MessageFate::Stays => {
                let verdict = if piece.kind.is_visible() { Verdict::Keep } else { Verdict::Drop };
                return self.output.judged(event, verdict);
            }
            Event::Item { lane, .. } | Event::Number { lane, .. } if fate(removal, lane) != MessageFate::Stays => {
                return self.output.judged(event, Verdict::Drop);
            }
            Event::Fact(lane, MessageFact::ToolCall) if fate(removal, lane) != MessageFate::Stays => {
                return self.output.event(event);
            }
            _ => (),
        }
        self.send_start();
        self.judged(event);
    }

    /// Gives the judge the start of the last message, which stays.
    fn send_start(&mut self) {
        if let (Some(start), Some(judge)) = (self.start.take(), &mut self.judge) {
            judge.event(&start);
        }
    }

    /// Gives the output the decisions that were made.
    fn settle(&mut self) {
        while let Some((ticket, goes)) = self.judge.as_mut().and_then(|judge| judge.settled()) {
            self.output.settled(ticket, goes);
        }
    }

    /// Ends the input.
    pub fn finish(&mut self) {
        if let Some(judge) = &mut self.judge {
            judge.finish();
        }
        self.settle();
        self.output.finish();
    }
}
