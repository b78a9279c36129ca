//! The output of `check`: its results are findings ([`Check::findings`]). The only bytes it writes are rejected
//! records.

mod gather;
mod handover;
mod kept;
mod look;
mod place;
mod sequences;
mod state;

use crate::agents::delegation::Delegations;
use crate::check::{ExaminedConversations, Rule, RuleFinding, RuleOptions, RuleSearch};
use crate::error::ErrorKind;
use crate::frame::Framing;
use crate::json::{self, text::utf8};
use crate::model::number::Numbers;
use crate::model::{ConversationEvent, Event, Lane, MessageFact, Sink, Wants};
use crate::out::{FrameStatus, Output, Placed, Sinks, SourceBytes};
use crate::policy::{Ticket, Verdict};
use crate::span::Span;
use gather::GatheredMessage;
use look::ExaminedMessage;
use place::{InputLines, UnplacedFinding};
use sequences::SequenceRules;
use state::{CheckedInput, EndedMessages, FoundSoFar, ListPlace};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// How many findings get their places at once: more take much memory, fewer much time.
const MAX_PLACED_AT_ONCE: usize = 1 << 16;

/// The output of `check`.
pub struct Check {
    options: RuleOptions,
    conversations: ExaminedConversations,
    watch: SequenceRules,
    numbers: Numbers,
    delegations: Delegations,
    /// Where the next message stands in its list or stream.
    list: ListPlace,
    open: BTreeMap<Lane, GatheredMessage>,
    /// Messages that are over.
    ended: EndedMessages,
    frames: CheckedFrames,
    lines: InputLines,
    unread: Vec<UnreadRecord>,
    /// Where tags stand of which it is not certain whether they are used: a finding was made of each.
    doubts: HashSet<u64>,
    /// Findings, and what decides about them.
    found: FoundSoFar,
    /// What the input is.
    input: CheckedInput,
    /// How many messages of the assistant were examined.
    messages: u64,
}

/// The frames of the input.
#[derive(Default)]
struct CheckedFrames {
    /// The frames that are still needed, with the numbers of their records.
    list: VecDeque<CheckedFrame>,
    /// How many of them were searched as records.
    searched: usize,
    end: u64,
}

#[derive(Clone, Copy)]
struct CheckedFrame {
    span: Span,
    record: u64,
    fate: FrameStatus,
}

/// A record that was not understood.
struct UnreadRecord {
    record: u64,
    offset: u64,
    kind: ErrorKind,
    what: String,
    suspect: Option<String>,
}

impl Check {
    /// An output for one input.
    pub fn new(options: RuleOptions) -> Self {
        Self {
            conversations: ExaminedConversations::new(&options),
            watch: SequenceRules::new(&options),
            options,
            numbers: Numbers::default(),
            delegations: Delegations::default(),
            found: FoundSoFar::default(),
            list: ListPlace::default(),
            open: BTreeMap::new(),
            ended: EndedMessages::default(),
            frames: CheckedFrames::default(),
            lines: InputLines::default(),
            unread: Vec::new(),
            doubts: HashSet::new(),
            input: CheckedInput::default(),
            messages: 0,
        }
    }

    /// Sets how many findings are wanted, the first of the input; the others are only counted.
    #[cfg(feature = "cli")]
    pub fn at_most(mut self, findings: usize) -> Self {
        self.found.findings.most = Some(findings);
        self
    }

    /// The findings, in the order of the input. Empty before the input is over: the policy may decide late, and the
    /// order distinguishes findings with the same text.
    pub fn findings(&mut self) -> Vec<RuleFinding> {
        if !self.input.over {
            return Vec::new();
        }
        self.settle_sequences();
        self.found.findings.take()
    }

    /// How many findings of each rule there are beyond those that are wanted.
    #[cfg(feature = "cli")]
    pub fn omitted(&self) -> &[(&'static Rule, u64)] {
        self.found.findings.omitted()
    }

    /// Whether a conversation had more reasoning than is remembered, so that leaks of it may not have been found.
    pub fn forgot(&self) -> bool {
        self.conversations.forgot()
    }

    /// How many messages of the assistant were examined.
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// Applies the rules about records as they are written.
    fn records(&mut self, source: SourceBytes<'_>, found: &mut Vec<UnplacedFinding>) {
        let rules: Vec<&'static Rule> =
            self.options.rules.iter().copied().filter(|rule| matches!(rule.search, RuleSearch::Record(_))).collect();
        let new = std::mem::replace(&mut self.frames.searched, self.frames.list.len());
        if rules.is_empty() || self.input.raw || self.input.table {
            return;
        }
        for i in new..self.frames.list.len() {
            let frame = self.frames.list[i];
            if !matches!(frame.fate, FrameStatus::Record | FrameStatus::Element(_)) || frame.span.start < source.base {
                continue;
            }
            let bytes = source.get(frame.span);
            for rule in &rules {
                let RuleSearch::Record(search) = rule.search else { continue };
                let mut hits = Vec::new();
                search(bytes, &mut hits);
                for hit in hits {
                    found.extend(place::in_record(rule, hit, &frame, bytes));
                    self.report_if_many(found, source);
                }
            }
        }
    }

    fn report_if_many(&mut self, found: &mut Vec<UnplacedFinding>, source: SourceBytes<'_>) {
        if found.len() >= MAX_PLACED_AT_ONCE {
            self.report(std::mem::take(found), source);
        }
    }

    /// Makes findings of what the rules found: lines, columns and pointers are computed in one walk over each frame.
    fn report(&mut self, mut found: Vec<UnplacedFinding>, source: SourceBytes<'_>) {
        found.sort_by_key(|found| found.at);
        place::pointers(&mut found, &self.frames.list, source);
        found.sort_by_key(|found| found.finding.bytes.start);
        self.lines.place(&mut found, source);
        for UnplacedFinding { finding, name, ticket, .. } in found {
            match ticket {
                Some(ticket) if self.found.left.contains_key(&ticket) => {
                    let left = self.found.left.remove(&ticket) == Some(true);
                    if left {
                        self.found.findings.push(name, finding);
                    }
                }
                Some(ticket) => self.found.waiting.entry(ticket).or_default().push((name, finding)),
                None => self.found.findings.push(name, finding),
            }
        }
    }

    /// The offset before which no frame is needed any more.
    fn needed(&self) -> u64 {
        self.open.values().filter_map(|message| message.first).min().unwrap_or(self.frames.end)
    }

    /// Where the frame begins that holds a byte.
    fn frame_of(&self, at: u64) -> u64 {
        let i = self.frames.list.partition_point(|frame| frame.span.end <= at);
        self.frames.list.get(i).map_or(at, |frame| frame.span.start.min(at))
    }
}

impl Sink for Check {
    fn event(&mut self, event: &Event<'_>) {
        self.judged(event, Verdict::Keep);
    }
}

impl Output for Check {
    fn judged(&mut self, event: &Event<'_>, verdict: Verdict) {
        let snapshot = matches!(event, Event::MessageStart { lane, .. } if lane.is_snapshot());
        let place = if snapshot { None } else { self.numbers.event(event) };
        let left = self.delegations.event(event, place);
        left.iter().for_each(|delegation| self.handed_back(delegation, true));
        match event {
            Event::Conversation(ConversationEvent::Start) => {
                // The messages before were not examined yet: that happens when the first message of this list is.
                (self.list.inside, self.list.first) = (true, true);
            }
            Event::Conversation(ConversationEvent::End) => self.list.inside = false,
            Event::Conversation(ConversationEvent::StreamOver) => {
                self.list.after_stream = true;
                self.end_sequences();
            }
            Event::Instructions(value) => strings(value, &mut self.list.instructions),
            Event::Fact(lane, MessageFact::Sent { sent, at }) => {
                let mut message = self.open.remove(lane);
                self.sent(message.as_mut(), sent, *at);
                self.open.extend(message.map(|message| (*lane, message)));
            }
            Event::MessageStart { lane, role, joined, conversation, bare, .. } => {
                let (record, number) = place.unwrap_or((self.numbers.record, 0));
                let conversation = if self.list.inside { None } else { Some(*conversation) };
                let (joined, is_snapshot) = (*joined, lane.is_snapshot());
                let mut message = GatheredMessage::default();
                (message.record, message.number, message.role) = (record, number, *role);
                (message.joined, message.copy.is_snapshot, message.conversation) = (joined, is_snapshot, conversation);
                message.element = (self.numbers.array && *bare).then(|| self.numbers.record.saturating_sub(record));
                message.start.is_first = std::mem::take(&mut self.list.first);
                message.start.after_stream = std::mem::take(&mut self.list.after_stream);
                message.start.instructions = std::mem::take(&mut self.list.instructions);
                self.open.insert(*lane, message);
            }
            Event::Fact(lane, MessageFact::Marks { marks, .. }) => self.marked(*lane, marks),
            Event::Piece(piece) => {
                if let Some(message) = self.open.get_mut(&piece.lane) {
                    message.piece(piece, verdict);
                }
            }
            Event::Fact(lane, MessageFact::Field(pointer)) => {
                if let Some(message) = self.open.get_mut(lane) {
                    message.column = Some((*pointer).to_string());
                }
            }
            Event::Item { lane, element } => {
                if let Some(message) = self.open.get_mut(lane) {
                    message.remove(element.span, verdict);
                }
            }
            Event::MessageEnd { lane, .. } => {
                if let Some(message) = self.open.remove(lane) {
                    self.end(message);
                }
            }
            _ => (),
        }
    }

    fn settled(&mut self, ticket: Ticket, goes: bool) {
        let decided = if goes { Verdict::Drop } else { Verdict::Keep };
        let done = self.ended.done.iter_mut().map(|done| &mut done.message);
        self.open.values_mut().chain(done).for_each(|message| message.settle(ticket, decided));
        let waited = self.found.waiting.remove(&ticket).unwrap_or_default();
        if goes {
            waited.into_iter().for_each(|(name, finding)| self.found.findings.push(name, finding));
        }
    }

    fn not_understood(&mut self, record: u64, offset: u64, (kind, what): (ErrorKind, &str), suspect: Option<&str>) {
        let (what, suspect) = (what.to_string(), suspect.map(str::to_string));
        self.unread.push(UnreadRecord { record, offset, kind, what, suspect });
    }

    fn doubted(&mut self, offset: u64) {
        self.lines.ask(offset);
    }

    fn misplaced(&mut self, record: u64, offset: u64, what: &str, pointer: &str) {
        self.not_understood(record, offset, (ErrorKind::Suspect, what), Some(pointer));
    }

    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, rest: true, doubts: true, ..Wants::default() }
    }

    fn framing(&mut self, framing: Framing) {
        self.numbers.array = framing == Framing::Json;
        self.input.raw = framing == Framing::Text;
        self.input.table = matches!(framing, Framing::Csv | Framing::Tsv);
    }

    fn record(&mut self, number: u64) {
        self.numbers.record = number;
    }

    fn frame(&mut self, Placed { span, fate, .. }: Placed) {
        self.frames.end = span.end;
        self.frames.list.push_back(CheckedFrame { span, record: self.numbers.record, fate });
    }

    fn finish(&mut self) {
        self.delegations.finish().iter().for_each(|delegation| self.handed_back(delegation, true));
        self.input.over = true;
    }

    fn takes_part(&self) -> bool {
        true
    }

    fn buffered(&self) -> usize {
        self.open.values().map(GatheredMessage::buffered).sum()
    }

    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        let (raw, mut found) = (self.input.raw, Vec::new());
        self.lines.count(source, self.frames.end);
        self.lines.answer(source);
        let mut done = std::mem::take(&mut self.ended.done);
        self.ended.has_unexamined = false;
        let messages = done.iter_mut().map(|done| &mut done.message);
        self.open.values_mut().chain(messages).for_each(|message| message.resolve(source, raw));
        for ExaminedMessage { message, hits } in done {
            let hits = hits.unwrap_or_else(|| self.examine(&message));
            self.place(&message, hits, source, &mut found);
            self.handed_over(&message, &mut found);
        }
        for frame in self.frames.list.range(self.frames.searched..) {
            if matches!(frame.fate, FrameStatus::Bad | FrameStatus::BadElement) {
                sinks.rejects.extend_from_slice(source.get(frame.span));
            }
        }
        self.noticed(&mut found);
        self.records(source, &mut found);
        self.unread(&mut found);
        if !found.is_empty() {
            self.report(found, source);
        }
        if self.open.is_empty() {
            self.doubts.clear();
        }
        // Bytes of delimiters that are not decided yet are read later.
        let undecided = undecided.unwrap_or(u64::MAX);
        let needed = self.frame_of(self.needed().min(undecided));
        while self.frames.list.front().is_some_and(|frame| frame.span.end <= needed) {
            self.frames.list.pop_front();
            self.frames.searched -= 1;
        }
        // The text of a raw message is its bytes, of which the message has a copy.
        let bytes = if raw { self.frames.end.min(undecided) } else { needed }.max(source.base);
        self.lines.forget(needed.min(self.frames.end), bytes.min(self.frames.end), source);
        bytes
    }
}

/// The strings in a JSON value.
fn strings(value: &[u8], to: &mut Vec<String>) {
    to.extend(json::strings(value, 0).map(|word| utf8(&word.decoded(value)).into_owned()));
}
