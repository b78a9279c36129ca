//! Findings about messages of a log in which several speak: each message has a place in a sequence of reasoning.

use super::place::{self, Noticed, UnplacedFinding};
use super::{Check, GatheredMessage};
use crate::agents::sequences::{Number, OpenSequence, PlacedMessage, SequencePart, Sequences};
use crate::check::{Hit, Rule, RuleOptions, RuleSearch, SEQUENCE, SequenceCase};
use crate::model::{Delivery, Sent, SequenceStep};
use crate::policy::Ticket;
use crate::span::Span;
use std::collections::{HashMap, HashSet};

type SequenceChecks = Vec<(&'static Rule, fn(&SequenceCase<'_>, &mut Vec<Hit>))>;

/// The sequences of a log, and what the rules found about them.
pub(super) struct SequenceRules {
    rules: SequenceChecks,
    sequences: Sequences,
    /// Sequences that are over without an end.
    unclosed: HashSet<Number>,
    found: Vec<Noticed>,
    /// The last outermost sequence of each agent that is over: later messages of the agent may repeat it.
    last: HashMap<Vec<u8>, Number>,
}

impl SequenceRules {
    pub fn new(options: &RuleOptions) -> Self {
        let search = |rule: &&'static Rule| match rule.search {
            RuleSearch::Sequence(search) => Some((*rule, search)),
            _ => None,
        };
        let rules = options.rules.iter().filter_map(search).collect();
        Self {
            rules,
            sequences: Sequences::default(),
            unclosed: HashSet::new(),
            found: Vec::new(),
            last: HashMap::new(),
        }
    }

    /// Whether a sequence has ended.
    fn has_ended(&self, number: Number) -> bool {
        let known = self.sequences.get(number).map(|sequence| sequence.closed);
        known.unwrap_or(!self.unclosed.contains(&number))
    }
}

/// The ticket for the end of a sequence. The tickets of passes are lower.
fn ticket(number: Number) -> Ticket {
    Ticket::MAX - Ticket::from(number)
}

impl Check {
    /// Notes the sender of a message, and applies the rules.
    pub(super) fn sent(&mut self, mut message: Option<&mut GatheredMessage>, sent: &Sent<'_>, at: Span) {
        if let Some(message) = &mut message {
            message.copy.is_undelivered = sent.delivery == Delivery::Never;
        }
        let PlacedMessage { sequence, root, part, inconsistency } = self.watch.sequences.take(sent);
        let messages = sequence.and_then(|number| self.watch.sequences.get(number)).map_or(0, |known| known.messages);
        if let Some(message) = &mut message {
            let known = root.or_else(|| self.watch.last.get(sent.from).copied());
            message.conversation = Some(SEQUENCE | known.unwrap_or(0));
            message.copy.is_answer = part == SequencePart::Answer;
        }
        if sent.delivery == Delivery::First {
            let (record, message) = message.as_ref().map_or((0, 0), |message| (message.record, message.number));
            let mut case = SequenceCase {
                step: sent.step,
                inconsistency,
                agent: sent.from,
                messages: if sent.step.is_reasoning() { messages } else { 0 },
                is_unclosed: false,
                options: &self.options,
            };
            let mut search = |case: &SequenceCase<'_>, number| {
                for (rule, search) in &self.watch.rules {
                    let mut hits = Vec::new();
                    search(case, &mut hits);
                    let text = || String::from_utf8_lossy(&[sent.from, sent.context, sent.id].join(&b' ')).into_owned();
                    self.watch.found.extend(hits.into_iter().map(|hit| Noticed {
                        rule,
                        hit,
                        at,
                        record,
                        message,
                        text: text(),
                        sequence: number,
                    }));
                }
            };
            search(&case, None);
            if part == SequencePart::Start && sent.step == SequenceStep::Begin {
                (case.is_unclosed, case.inconsistency) = (true, None);
                search(&case, sequence);
            }
        }
        let ends = self.forget_sequences();
        message.into_iter().for_each(|message| message.ends = ends.clone());
    }

    /// After a message was examined: ends the conversations that it ends.
    pub(super) fn leave(&mut self, message: &GatheredMessage) {
        if message.conversation == Some(SEQUENCE) {
            self.conversations.remember(&message.visible());
            self.conversations.end(SEQUENCE);
        }
        message.ends.iter().for_each(|conversation| self.conversations.end(*conversation));
    }

    /// The log is over, or another one follows in the same input.
    pub(super) fn end_sequences(&mut self) {
        self.watch.sequences.finish();
        self.forget_sequences();
    }

    /// Drops sequences that are over. Returns the conversations that are no longer needed.
    fn forget_sequences(&mut self) -> Vec<u32> {
        let mut ends = Vec::new();
        for (number, OpenSequence { closed, implied, agent, root, .. }) in self.watch.sequences.over() {
            if root == number {
                ends.extend(self.watch.last.insert(agent, number).map(|before| SEQUENCE | before));
            }
            match closed || implied {
                true => drop(self.found.waiting.remove(&ticket(number))),
                false => drop(self.watch.unclosed.insert(number)),
            }
        }
        ends
    }

    /// Makes findings of the hits.
    pub(super) fn noticed(&mut self, found: &mut Vec<UnplacedFinding>) {
        for noticed in std::mem::take(&mut self.watch.found) {
            match noticed.sequence {
                None => found.push(place::in_log(noticed, None)),
                Some(number) if self.watch.has_ended(number) => (),
                Some(number) => found.push(place::in_log(noticed, Some(ticket(number)))),
            }
        }
    }

    /// The input is over: findings about sequences that have no end now count.
    pub(super) fn settle_sequences(&mut self) {
        self.end_sequences();
        for number in std::mem::take(&mut self.watch.unclosed) {
            let waited = self.found.waiting.remove(&ticket(number)).unwrap_or_default();
            waited.into_iter().for_each(|(name, finding)| self.found.findings.push(name, finding));
        }
    }
}
