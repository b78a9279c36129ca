//! Sequences of reasoning in a log in which several speak: a start, thoughts, starts inside it, a conclusion or a
//! cancellation, and the answer that goes with it.
//!
//! Kept are: open sequences, those that wait for their answer (a few for each agent), and the names of a fixed number
//! of sequences that are over.

mod types;

use crate::model::{Delivery, Sent, SequenceStep};
use std::collections::{BTreeMap, HashMap, VecDeque};

pub use types::{Inconsistency, OpenSequence, PlacedMessage, SequencePart};

/// The number of a sequence, in the order in which they begin, from 1.
pub type Number = u32;

/// How many sequences may be open. Beyond that, the oldest ends.
const MAX_OPEN_SEQUENCES: usize = 1 << 16;

/// How many sequences of an agent may be closed and wait for their answer, or be answered and wait for their end.
/// Beyond that, the oldest ends.
const MAX_WAITING_SEQUENCES: usize = 16;

/// How many sequences of an agent are kept: each answer is compared with all of them. Beyond that, the oldest ends.
const MAX_SEQUENCES_OF_AGENT: usize = 256;

/// How many sequences that are over are known by name.
const MAX_PAST_SEQUENCES: usize = 1 << 14;

/// For how many recent messages it is kept what they answer, for the starts that answer them.
const MAX_RECENT_MESSAGES: usize = 1 << 10;

/// A sequence that is over.
#[derive(Clone, Copy, Debug)]
struct Past {
    number: Number,
    root: Number,
    cancelled: bool,
}

/// The sequences of a log.
#[derive(Debug, Default)]
pub struct Sequences {
    all: BTreeMap<Number, OpenSequence>,
    /// The numbers of the sequences, by name.
    names: HashMap<Vec<u8>, Number>,
    /// The sequences of each agent, in the order in which they began.
    agents: HashMap<Vec<u8>, Vec<Number>>,
    /// The sequences that wait for results, by the identifiers of the calls.
    calls: HashMap<Vec<u8>, Number>,
    past: HashMap<Vec<u8>, Past>,
    past_order: VecDeque<Vec<u8>>,
    /// Recent messages, each with the identifiers of the messages that it answers.
    recent: VecDeque<(Vec<u8>, Vec<Vec<u8>>)>,
    /// Sequences that have ended since the last call of [`Sequences::over`].
    over: Vec<(Number, OpenSequence)>,
    last: Number,
}

impl Sequences {
    /// A sequence that has not ended.
    pub fn get(&self, number: Number) -> Option<&OpenSequence> {
        self.all.get(&number)
    }

    /// Takes the sequences that have ended since the last call.
    pub fn over(&mut self) -> Vec<(Number, OpenSequence)> {
        std::mem::take(&mut self.over)
    }

    /// Ends the log, and all of its sequences.
    pub fn finish(&mut self) {
        while let Some((number, _)) = self.all.first_key_value() {
            self.end(*number);
        }
        *self = Self { over: std::mem::take(&mut self.over), last: self.last, ..Self::default() };
    }

    /// Reads a message, and returns its place. A message that does not count changes nothing.
    pub fn take(&mut self, sent: &Sent<'_>) -> PlacedMessage {
        let placed = match sent.step {
            SequenceStep::Begin => self.begin(sent),
            SequenceStep::Think | SequenceStep::End | SequenceStep::Cancel => self.step(sent),
            _ => self.other(sent),
        };
        if sent.delivery == Delivery::First {
            self.remember(sent);
        }
        placed
    }

    /// Reads a message, and returns the path of its sequence, or the context that it names if no sequence is known.
    /// Drops sequences that have ended.
    pub fn path(&mut self, sent: &Sent<'_>) -> Vec<u8> {
        let placed = self.take(sent);
        let over = self.over();
        let open = placed.sequence.and_then(|number| self.get(number));
        let just = || over.iter().find(|(number, _)| Some(*number) == placed.sequence);
        let sequence = open.or_else(|| just().map(|(_, sequence)| sequence));
        sequence.map_or(sent.context, |sequence| &sequence.path).to_vec()
    }

    /// The innermost known sequence that a message names as its context.
    fn named(&self, sent: &Sent<'_>) -> Option<Number> {
        let whole = self.names.get(sent.context);
        whole.copied().or_else(|| sent.contexts().find_map(|name| self.names.get(name).copied()))
    }

    fn past(&self, sent: &Sent<'_>) -> Option<Past> {
        let innermost = sent.contexts().next()?;
        self.past.get(innermost).copied()
    }

    fn begin(&mut self, sent: &Sent<'_>) -> PlacedMessage {
        let own = |name: &[u8]| (!name.is_empty()).then(|| self.names.get(name).copied()).flatten();
        let again = own(sent.id).or_else(|| own(sent.name));
        let gone = || [sent.id, sent.name].into_iter().find_map(|name| self.past.get(name).copied());
        if sent.delivery != Delivery::First {
            let known = again.map(|number| (number, self.all[&number].root));
            let known = known.or_else(|| gone().map(|past| (past.number, past.root)));
            return placed(known, SequencePart::Start, None);
        }
        let parent = self.named(sent);
        let mut inconsistency = if again.is_some() || gone().is_some() { Some(Inconsistency::Duplicate) } else { None };
        if inconsistency.is_none() && !sent.context.is_empty() {
            let closed = parent.is_some_and(|parent| self.all[&parent].closed);
            inconsistency = match parent {
                None if self.past(sent).is_some() => Some(Inconsistency::Late),
                None => Some(Inconsistency::Unknown),
                Some(_) if closed => Some(Inconsistency::Late),
                Some(_) => None,
            };
        }
        let triggers: Vec<Vec<u8>> = sent.answered().map(<[u8]>::to_vec).collect();
        if inconsistency.is_none() && triggers.is_empty() && parent.is_none() {
            inconsistency = Some(Inconsistency::MissingReference);
        }
        let number = self.open(sent.id, sent.name, sent.from, parent);
        if let Some(sequence) = self.all.get_mut(&number) {
            (sequence.triggers, sequence.messages) = (triggers, 1);
        }
        self.bound();
        self.bound_own(sent.from);
        placed(self.known(number), SequencePart::Start, inconsistency)
    }

    /// Begins a sequence with these names.
    fn open(&mut self, id: &[u8], name: &[u8], agent: &[u8], parent: Option<Number>) -> Number {
        self.last += 1;
        let number = self.last;
        let id = if id.is_empty() { name } else { id };
        let above = parent.and_then(|parent| self.all.get(&parent));
        let root = above.map_or(number, |above| above.root);
        let mut path = above.map(|above| above.path.clone()).unwrap_or_default();
        path.extend_from_slice(if path.is_empty() { b"" } else { b"/" });
        path.extend_from_slice(id);
        let known = [id, name].into_iter().filter(|name| !name.is_empty());
        self.names.extend(known.map(|name| (name.to_vec(), number)));
        self.agents.entry(agent.to_vec()).or_default().push(number);
        let (id, name, agent) = (id.to_vec(), name.to_vec(), agent.to_vec());
        self.all.insert(number, OpenSequence { id, name, agent, parent, root, path, ..OpenSequence::default() });
        number
    }

    fn known(&self, number: Number) -> Option<(Number, Number)> {
        self.all.get(&number).map(|sequence| (number, sequence.root))
    }

    /// Reads a thought, a conclusion or a cancellation.
    fn step(&mut self, sent: &Sent<'_>) -> PlacedMessage {
        let part = match sent.step {
            SequenceStep::End => SequencePart::Conclusion,
            SequenceStep::Cancel => SequencePart::Cancellation,
            _ => SequencePart::Thought,
        };
        let mut number = self.named(sent);
        if let (None, Some(past)) = (number, self.past(sent)) {
            let late = part == SequencePart::Thought || part == SequencePart::Conclusion && !past.cancelled;
            let inconsistency = (late && sent.delivery == Delivery::First).then_some(Inconsistency::Late);
            return placed(Some((past.number, past.root)), part, inconsistency);
        }
        if number.is_none() && sent.context.is_empty() {
            // An end may have the identifier of its start. If not, it ends the sequence that its sender began last.
            number =
                self.names.get(sent.id).copied().filter(|_| !sent.id.is_empty()).or_else(|| self.latest(sent.from));
        }
        if sent.delivery != Delivery::First {
            return placed(number.and_then(|number| self.known(number)), part, None);
        }
        let mut inconsistency = None;
        let number = number.unwrap_or_else(|| {
            inconsistency = Some(Inconsistency::Unknown);
            let innermost = sent.contexts().next().unwrap_or(sent.id);
            let number = self.open(innermost, b"", sent.from, None);
            self.all.get_mut(&number).into_iter().for_each(|sequence| sequence.implied = true);
            self.bound();
            self.bound_own(sent.from);
            number
        });
        let known = self.known(number);
        let Some(sequence) = self.all.get_mut(&number) else { return placed(known, part, inconsistency) };
        sequence.messages += 1;
        if sequence.closed && (part == SequencePart::Thought || part == SequencePart::Conclusion && !sequence.cancelled)
        {
            inconsistency = Some(Inconsistency::Late);
        }
        if part != SequencePart::Thought {
            sequence.cancelled |= part == SequencePart::Cancellation && !sequence.closed;
            sequence.closed = true;
            self.close(number);
        }
        placed(known, part, inconsistency)
    }

    /// Reads a message that is not reasoning.
    fn other(&mut self, sent: &Sent<'_>) -> PlacedMessage {
        let part = match sent.step {
            SequenceStep::Say => SequencePart::Dialogue,
            SequenceStep::Call => SequencePart::Call,
            _ => SequencePart::Other,
        };
        if !sent.context.is_empty() {
            let past = self.past(sent).map(|past| (past.number, past.root));
            let number = self.named(sent);
            if sent.step == SequenceStep::Call {
                self.called(sent, number);
            }
            return placed(number.and_then(|number| self.known(number)).or(past), part, None);
        }
        match sent.step {
            SequenceStep::Say if sent.delivery == Delivery::First => self.answer(sent),
            // Agents call tools without naming a context.
            SequenceStep::Call => {
                let number = match sent.answers {
                    [] => self.latest(sent.from).filter(|number| !self.all[number].closed),
                    _ => self.answering(sent, |_| true),
                };
                self.called(sent, number);
                placed(number.and_then(|number| self.known(number)), part, None)
            }
            _ => {
                let number = sent.answered().find_map(|id| self.calls.get(id).copied());
                placed(number.and_then(|number| self.known(number)), SequencePart::Other, None)
            }
        }
    }

    /// Notes a call, whose result will refer to it by its identifier.
    fn called(&mut self, sent: &Sent<'_>, number: Option<Number>) {
        let sequence = number.and_then(|number| self.all.get_mut(&number));
        if let (Some(sequence), Some(number), false) = (sequence, number, sent.id.is_empty()) {
            sequence.calls.push(sent.id.to_vec());
            self.calls.insert(sent.id.to_vec(), number);
        }
    }

    /// The sequence that an agent began last: an open one, or else one that waits.
    fn latest(&self, agent: &[u8]) -> Option<Number> {
        let own = self.agents.get(agent)?;
        own.iter().rev().find(|number| !self.all[number].closed).or(own.last()).copied()
    }

    /// The sequence of the sender that these identifiers belong to.
    fn answering(&self, sent: &Sent<'_>, fits: impl Fn(&OpenSequence) -> bool) -> Option<Number> {
        let own = self.agents.get(sent.from)?;
        let is = |sequence: &OpenSequence| {
            sent.answered().any(|id| {
                id == sequence.id || id == sequence.name || sequence.triggers.iter().any(|trigger| trigger == id)
            })
        };
        let chained = |sequence: &OpenSequence| {
            let known = self.recent.iter().filter(|(id, _)| sequence.triggers.contains(id));
            known.flat_map(|(_, answers)| answers).any(|other| sent.answered().any(|id| id == other.as_slice()))
        };
        let candidates = || own.iter().filter(|number| fits(&self.all[number]));
        let direct = candidates().find(|number| is(&self.all[number]));
        direct.or_else(|| candidates().find(|number| chained(&self.all[number]))).copied()
    }

    /// Reads a top-level message: the answer of a sequence of the sender, or of none.
    fn answer(&mut self, sent: &Sent<'_>) -> PlacedMessage {
        let waits = |sequence: &OpenSequence| sequence.parent.is_none() && !sequence.answered;
        let mut inconsistency = None;
        let own = self.agents.get(sent.from).map(Vec::as_slice).unwrap_or_default();
        let find = |fits: fn(&OpenSequence) -> bool| {
            own.iter().rev().find(|number| waits(&self.all[number]) && fits(&self.all[number])).copied()
        };
        let number = match sent.answers {
            [] => {
                inconsistency = Some(Inconsistency::MissingReference);
                find(|sequence| sequence.triggers.is_empty()).or_else(|| find(|sequence| sequence.closed))
            }
            // A sequence that does not name what it answers may answer this.
            _ => {
                self.answering(sent, waits).or_else(|| find(|sequence| sequence.closed && sequence.triggers.is_empty()))
            }
        };
        let known = number.and_then(|number| self.known(number));
        if let Some(number) = number {
            self.all.get_mut(&number).into_iter().for_each(|sequence| sequence.answered = true);
            self.close(number);
        }
        match known {
            Some(_) => placed(known, SequencePart::Answer, inconsistency),
            None => placed(None, SequencePart::Other, None),
        }
    }

    /// Ends a sequence that was closed or answered, if nothing more can belong to it.
    fn close(&mut self, number: Number) {
        let Some(sequence) = self.all.get(&number) else { return };
        if sequence.closed && (sequence.answered || sequence.parent.is_some()) {
            return self.end(number);
        }
        let own = self.agents.get(&sequence.agent).map(Vec::as_slice).unwrap_or_default();
        let mut waiting = own.iter().filter(|number| self.all[number].closed || self.all[number].answered);
        if let (Some(oldest), true) = (waiting.clone().next().copied(), waiting.nth(MAX_WAITING_SEQUENCES).is_some()) {
            self.end(oldest);
        }
    }

    fn bound(&mut self) {
        if self.all.len() > MAX_OPEN_SEQUENCES
            && let Some((oldest, _)) = self.all.first_key_value()
        {
            self.end(*oldest);
        }
    }

    /// Ends the oldest sequences of an agent, if it has too many.
    fn bound_own(&mut self, agent: &[u8]) {
        if let Some([oldest, rest @ ..]) = self.agents.get(agent).map(Vec::as_slice)
            && rest.len() >= MAX_SEQUENCES_OF_AGENT
        {
            self.end(*oldest);
        }
    }

    /// Ends a sequence.
    fn end(&mut self, number: Number) {
        let Some(sequence) = self.all.remove(&number) else { return };
        for name in [&sequence.id, &sequence.name] {
            if self.names.get(name) == Some(&number) {
                self.names.remove(name);
                let past = Past { number, root: sequence.root, cancelled: sequence.cancelled };
                if self.past.insert(name.clone(), past).is_none() {
                    self.past_order.push_back(name.clone());
                }
            }
        }
        for call in &sequence.calls {
            self.calls.remove(call);
        }
        while self.past_order.len() > MAX_PAST_SEQUENCES
            && let Some(oldest) = self.past_order.pop_front()
        {
            self.past.remove(&oldest);
        }
        if let Some(own) = self.agents.get_mut(&sequence.agent) {
            own.retain(|other| *other != number);
            if own.is_empty() {
                self.agents.remove(&sequence.agent);
            }
        }
        self.over.push((number, sequence));
    }

    fn remember(&mut self, sent: &Sent<'_>) {
        if sent.step != SequenceStep::Say || sent.id.is_empty() || sent.answers.is_empty() {
            return;
        }
        self.recent.push_back((sent.id.to_vec(), sent.answered().map(<[u8]>::to_vec).collect()));
        if self.recent.len() > MAX_RECENT_MESSAGES {
            self.recent.pop_front();
        }
    }
}

fn placed(known: Option<(Number, Number)>, part: SequencePart, inconsistency: Option<Inconsistency>) -> PlacedMessage {
    let (sequence, root) = known.unzip();
    PlacedMessage { sequence, root, part, inconsistency }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs messages of the form `STEP FROM ID CONTEXT ANSWERS`, `-` for nothing: for each the part and the sequence.
    fn run(log: &[&str]) -> (Vec<String>, Sequences) {
        let mut all = Sequences::default();
        let say = |line: &&str| {
            let mut words = line.split(' ').map(|word| if word == "-" { "" } else { word });
            let mut next = || words.next().unwrap_or_default();
            let step = match next() {
                "b" => SequenceStep::Begin,
                "t" => SequenceStep::Think,
                "e" => SequenceStep::End,
                "x" => SequenceStep::Cancel,
                "s" => SequenceStep::Say,
                "c" => SequenceStep::Call,
                _ => SequenceStep::Other,
            };
            let (from, id, context) = (next(), next(), next());
            let answers: String = next().split(',').filter(|id| !id.is_empty()).map(|id| format!("{id}\0")).collect();
            let sent = Sent {
                step,
                id: id.as_bytes(),
                name: b"",
                from: from.as_bytes(),
                context: context.as_bytes(),
                answers: answers.as_bytes(),
                tool: b"",
                named: false,
                delivery: Delivery::First,
            };
            let PlacedMessage { sequence, part, inconsistency, .. } = all.take(&sent);
            let inconsistency = inconsistency.map(|inconsistency| format!(" {inconsistency:?}")).unwrap_or_default();
            format!("{part:?} {}{inconsistency}", sequence.unwrap_or(0))
        };
        let placed = log.iter().map(say).collect();
        (placed, all)
    }

    /// What is remembered for good does not grow with the log.
    #[test]
    fn what_is_over_is_forgotten() {
        let lines: Vec<String> = (0..40_000)
            .flat_map(|n| [format!("b a s{n} - q{n}"), format!("e a - s{n}"), format!("s a r{n} - q{n}")])
            .collect();
        let (placed, all) = run(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(placed.chunks(3).all(|three| three[2].starts_with("Answer")));
        assert!(all.all.is_empty() && all.names.is_empty() && all.agents.is_empty());
        assert!(all.past.len() <= MAX_PAST_SEQUENCES && all.recent.len() <= MAX_RECENT_MESSAGES);
    }

    /// Nor does it with sequences that nobody ends, of however many agents.
    #[test]
    fn what_never_ends_is_forgotten() {
        let lines: Vec<String> = (0..MAX_OPEN_SEQUENCES + 100).map(|n| format!("b a{n} s{n} - -")).collect();
        let (_, all) = run(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(all.all.len(), MAX_OPEN_SEQUENCES);
        assert!(all.agents.len() <= MAX_OPEN_SEQUENCES && all.names.len() <= 2 * MAX_OPEN_SEQUENCES);
    }

    #[test]
    fn where_messages_belong() {
        let cases: &[(&[&str], &[&str])] = &[
            (
                &["s u 1", "b a 2 - 1", "t a - 2", "c a 3 2", "e a - 2", "s a 4 - 1"],
                &["Other 0", "Start 1", "Thought 1", "Call 1", "Conclusion 1", "Answer 1"],
            ),
            // Side by side, and one inside another.
            (
                &["b a 1 - q", "b b 2 - q", "b a 3 1", "t a - 1/3", "t b - 2", "e a - 1/3", "t a - 1", "s b 9 - q"],
                &["Start 1", "Start 2", "Start 3", "Thought 3", "Thought 2", "Conclusion 3", "Thought 1", "Answer 2"],
            ),
            // The answer first, without a word of what it answers, and a tool without a context.
            (
                &["b a 1", "c a 2", "s a 3", "e a - 1", "s a 4"],
                &["Start 1 MissingReference", "Call 1", "Answer 1 MissingReference", "Conclusion 1", "Other 0"],
            ),
            (
                &["b a 1 - q", "x u - 1", "e a - 1", "t a - 1"],
                &["Start 1", "Cancellation 1", "Conclusion 1", "Thought 1 Late"],
            ),
            // The end of one that is over, too late, unless it was cancelled.
            (
                &["b a 1 - q", "e a - 1", "s a 2 - q", "e a - 1", "x a - 1"],
                &["Start 1", "Conclusion 1", "Answer 1", "Conclusion 1 Late", "Cancellation 1"],
            ),
            (
                &["b a 1 - q", "x a - 1", "s a 2 - q", "e a - 1"],
                &["Start 1", "Cancellation 1", "Answer 1", "Conclusion 1"],
            ),
            (&["t a - 7", "e a - 7", "t a - 7"], &["Thought 1 Unknown", "Conclusion 1", "Thought 1 Late"]),
            (&["b a 1 - q", "b a 1 - q"], &["Start 1", "Start 2 Duplicate"]),
            // What the trigger of a sequence answers is what its answer may answer.
            (
                &["s b 1", "s a 2 - 1", "b a 3 - 2", "e a - 3", "s a 4 - 1"],
                &["Other 0", "Other 0", "Start 1", "Conclusion 1", "Answer 1"],
            ),
            (
                &["b a 1 - q", "s b 2 1", "s b 3 - q", "e a", "e a 1"],
                &["Start 1", "Dialogue 1", "Other 0", "Conclusion 1", "Conclusion 1 Late"],
            ),
        ];
        for (log, want) in cases {
            assert_eq!(run(log).0, *want, "{log:?}");
        }
    }
}
