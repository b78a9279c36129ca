//! Two outputs in a row: what a policy leaves is converted. So a setting means the same to `strip` and to `convert`.

use super::{Engine, EngineOptions, Problem};
use crate::convert::Emit;
use crate::frame::Framing;
use crate::inline::Tags;
use crate::model::{Event, Loss, Sink, Wants};
use crate::out::{Composed, FrameStatus, MoreText, Output, Placed, Refusal, Sinks, SourceBytes};
use crate::policy::{Ticket, Verdict};
use crate::span::Span;
use crate::strip::Splice;
use std::collections::BTreeMap;

/// The error for an input without a message that could be converted behind the policy.
const NOTHING: &str = "nothing was converted: what the policy leaves is in no format that is read";

/// An output whose bytes another engine reads.
pub struct Chain {
    first: Splice,
    second: SecondEngine,
    over: bool,
    /// The second engine has ended, too.
    ended: bool,
    /// The current record of the first engine, and the first one in which it read a message.
    record: u64,
    read: Option<u64>,
    between: Sinks,
    /// The steps of both outputs as one list, if an output was asked for them.
    steps: Option<Composed>,
}

/// The second engine, which is made when the framing is known.
enum SecondEngine {
    Waits(Option<Box<(Tags, EngineOptions, Emit)>>),
    Runs(Box<Engine<Emit>>),
}

impl Chain {
    /// An output `first` whose bytes are read by an engine with these options, which writes with `second`.
    pub fn new(first: Splice, tags: &Tags, options: EngineOptions, second: Emit) -> Self {
        let second = SecondEngine::Waits(Some(Box::new((tags.clone(), options, second.hands_over_losses()))));
        let steps = first.reports_steps().then(Composed::default);
        Self {
            first: first.behind_which_another_reads(),
            second,
            over: false,
            ended: false,
            record: 0,
            read: None,
            between: Sinks::default(),
            steps,
        }
    }

    /// How often each loss occurred.
    pub fn losses(&self) -> BTreeMap<Loss, u64> {
        let mut losses = self.first.losses().clone();
        if let SecondEngine::Runs(engine) = &self.second {
            engine.output().losses().iter().for_each(|(loss, n)| *losses.entry(*loss).or_default() += n);
        }
        losses
    }

    /// Notes where the current record begins in the input.
    fn begins(&mut self, at: u64) {
        if let SecondEngine::Runs(engine) = &mut self.second
            && let Some(map) = &mut engine.source_map
        {
            map.begin(at, self.record);
        }
    }
}

impl Engine<Emit> {
    /// Reads what another output wrote. Its framing was found before: it is as strict about it as if its first bytes had told
    /// it.
    fn behind(mut self, framing: Framing) -> Self {
        self.framing = Some(framing);
        self.source_map = Some(Box::default());
        self
    }
}

impl Sink for Chain {
    fn event(&mut self, event: &Event<'_>) {
        self.first.event(event);
    }
}

impl Output for Chain {
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
            self.second = SecondEngine::Runs(Box::new(Engine::new(&tags, options, output).behind(framing)));
        }
    }

    fn record(&mut self, number: u64) {
        self.record = number;
        self.first.record(number);
    }

    fn frame(&mut self, frame: Placed) {
        self.read = self.read.or(frame.facts.dialect.map(|_| self.record));
        if !matches!(frame.fate, FrameStatus::Glue | FrameStatus::Tail) {
            self.begins(frame.span.start);
        }
        self.first.frame(frame);
    }

    fn again(&mut self, frame: Span, more: Option<MoreText<'_>>) -> bool {
        let again = self.first.again(frame, more);
        if again {
            self.begins(frame.start);
        }
        again
    }

    fn finish(&mut self) {
        self.first.finish();
        self.over = true;
    }

    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        let mut needed = self.first.drain(source, undecided, &mut self.between);
        sinks.rejects.append(&mut self.between.rejects);
        let mut together = std::mem::take(&mut sinks.steps);
        if let SecondEngine::Runs(engine) = &mut self.second {
            engine.source_map.iter_mut().for_each(|map| map.steps(&self.between.steps));
            engine.push(&self.between.out, sinks);
            if self.over && !self.first.is_behind() {
                engine.finish(sinks);
                self.ended = true;
            }
            let map = engine.source_map.as_deref();
            let place = |at| map.map_or(at, |map| map.offset(at));
            engine.stage.output.hand_over_losses(&mut self.first, place);
            self.first.report_losses(source, &mut sinks.aside);
            let next = engine.buffer.base + engine.buffer.at as u64;
            needed = needed.min(self.first.forget_passed(place(next)));
        }
        self.between.out.clear();
        match &mut self.steps {
            Some(steps) => steps.compose(&mut self.between.steps, &mut sinks.steps, &mut together),
            None => self.between.steps.clear(),
        }
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
        let map = engine.source_map.as_deref();
        let refusal = |p: Problem| {
            let record = map.and_then(|map| map.record(p.offset)).unwrap_or(p.record);
            let offset = map.map_or(p.offset, |map| map.offset(p.offset));
            Refusal { record, offset, what: p.what, skipped: p.skipped }
        };
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
