//! The pass between a reader and an output: it sees every event first, and the output gets its verdicts.

use crate::model::{Event, Kind, Sink};
use crate::out::Output;
use crate::pass::Judge;

/// Where a reader sends its events.
pub(super) struct Stage<O> {
    /// The pass, if there is one.
    pub judge: Option<Box<dyn Judge>>,
    pub output: O,
}

impl<O: Output> Sink for Stage<O> {
    fn event(&mut self, event: &Event<'_>) {
        let Some(judge) = &mut self.judge else { return self.output.event(event) };
        match event {
            Event::Piece(piece) if piece.kind.is_visible() || matches!(piece.kind, Kind::Redacted | Kind::Refused) => {
                self.output.event(event);
            }
            Event::Piece(piece) => self.output.judged(event, judge.judge(piece.lane, piece.kind)),
            // A place for reasoning has the verdict of the reasoning that stands in it.
            Event::Item { lane, .. } | Event::Number { lane, reasoning: true, .. } => {
                self.output.judged(event, judge.judge(*lane, Kind::Void("")));
            }
            _ => {
                judge.event(event);
                self.output.event(event);
            }
        }
        self.settle();
    }
}

impl<O: Output> Stage<O> {
    /// The output gets the decisions that were made.
    fn settle(&mut self) {
        while let Some((ticket, goes)) = self.judge.as_mut().and_then(|judge| judge.settled()) {
            self.output.settled(ticket, goes);
        }
    }

    /// The input is over.
    pub fn finish(&mut self) {
        if let Some(judge) = &mut self.judge {
            judge.finish();
        }
        self.settle();
        self.output.finish();
    }
}
