//! Two outputs in a row: what a policy leaves is converted. So a setting means the same to `strip` and to `convert`.

use super::{Engine, EngineOptions, Problem};
use crate::frame::Framing;
use crate::inline::Tags;
use crate::model::{Event, Sink, Wants};
use crate::out::{Composed, Output, Placed, Refusal, Sinks, SourceBytes};
use crate::policy::{Ticket, Verdict};
use crate::span::Span;
use crate::strip::Splice;

/// The error for an input without a message that could be converted behind the policy.
const NOTHING: &str = "nothing was converted: what the policy leaves is in no format that is read";

/// An output whose bytes another engine reads.
pub struct Chain<O> {
    first: Splice,
    second: SecondEngine<O>,
    over: bool,
    /// The second engine has ended, too.
    ended: bool,
    /// The current record of the first engine, and the first one in which it read a message.
    record: u64,
    read: Option<u64>,
    between: Sinks,
    /// The steps of both outputs as one list.
    steps: Composed,
}

/// The second engine, which is made when the framing is known.
enum SecondEngine<O> {
    Waits(Option<Box<(Tags, EngineOptions, O)>>),
    Runs(Box<Engine<O>>),
}

impl<O: Output> Chain<O> {
    /// An output `first` whose bytes are read by an engine with these options, which writes with `second`.
    pub fn new(first: Splice, tags: &Tags, options: EngineOptions, second: O) -> Self {
        let second = SecondEngine::Waits(Some(Box::new((tags.clone(), options, second))));
        Self {
            first,
            second,
            over: false,
            ended: false,
            record: 0,
            read: None,
            between: Sinks::default(),
            steps: Composed::default(),
        }
    }

    /// The output of the second engine, once it runs.
    pub fn second(&self) -> Option<&O> {
        match &self.second {
            SecondEngine::Runs(engine) => Some(engine.output()),
            SecondEngine::Waits(_) => None,
        }
    }
}

impl<O: Output> Sink for Chain<O> {
    fn event(&mut self, event: &Event<'_>) {
        // The second output counts and reports all losses, also those of the first reader.
        match (&mut self.second, event) {
            (SecondEngine::Runs(engine), Event::Loss(_)) => {
                engine.stage.output.record(self.record);
                engine.stage.output.event(event);
            }
            _ => self.first.event(event),
        }
    }
}

impl<O: Output> Output for Chain<O> {
    fn judged(&mut self, event: &Event<'_>, verdict: Verdict) {
        self.first.judged(event, verdict);
    }

    fn settled(&mut self, ticket: Ticket, goes: bool) {
        self.first.settled(ticket, goes);
    }

    fn wants(&self) -> Wants {
        self.first.wants()
    }

    fn framing(&mut self, framing: Framing) {
        self.first.framing(framing);
        if let SecondEngine::Waits(waits) = &mut self.second
            && let Some(parts) = waits.take()
        {
            let (tags, options, output) = *parts;
            self.second = SecondEngine::Runs(Box::new(Engine::new(&tags, options, output).with_framing(framing)));
        }
    }

    fn record(&mut self, number: u64) {
        self.record = number;
        self.first.record(number);
    }

    fn frame(&mut self, frame: Placed) {
        self.read = self.read.or(frame.facts.dialect.map(|_| self.record));
        self.first.frame(frame);
    }

    fn again(&mut self, frame: Span) -> bool {
        self.first.again(frame)
    }

    fn finish(&mut self) {
        self.first.finish();
        self.over = true;
    }

    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        let needed = self.first.drain(source, undecided, &mut self.between);
        sinks.rejects.append(&mut self.between.rejects);
        let mut together = std::mem::take(&mut sinks.steps);
        if let SecondEngine::Runs(engine) = &mut self.second {
            engine.push(&self.between.out, sinks);
            if self.over && !self.first.is_behind() {
                engine.finish(sinks);
                self.ended = true;
            }
        }
        self.between.out.clear();
        self.steps.compose(&mut self.between.steps, &mut sinks.steps, &mut together);
        sinks.steps = together;
        needed
    }

    fn is_behind(&self) -> bool {
        self.first.is_behind()
    }

    fn removed(&self) -> (u64, u64) {
        self.first.removed()
    }

    fn refused(&mut self) -> Vec<Refusal> {
        let SecondEngine::Runs(engine) = &mut self.second else {
            return Vec::new();
        };
        // A suspect record that passed is not refused.
        let refused = engine.problems().into_iter().filter(|p| p.skipped || p.suspect.is_none());
        let refusal = |p: Problem| Refusal { record: p.record, offset: p.offset, what: p.what, skipped: p.skipped };
        let mut refused: Vec<Refusal> = refused.map(refusal).collect();
        let counts = engine.counts();
        let nothing =
            self.ended && counts.foreign > 0 && counts.foreign + counts.suspect + counts.refused == counts.records;
        // Its records were messages before, so that no one else says so.
        if let Some(record) = self.read.take_if(|_| nothing) {
            refused.push(Refusal { record, offset: 0, what: NOTHING.into(), skipped: false });
        }
        refused
    }
}
