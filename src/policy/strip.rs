//! The strip policies (behaviour.md, section 6). A policy with hindsight holds a block until a later event decides
//! about it, so that it is the same for a conversation in a record, a message in a record, and a stream.

use super::sequences::BySequence;
use super::{Judge, Narrow, Policy, Ticket, Unit, Verdict};
use crate::model::{ConversationEvent, Event, Lane, MessageFact, PieceKind, Role, Sent};
use std::collections::{BTreeMap, VecDeque};

/// The most conversations of one input that are open at a time.
const MAX_OPEN_CONVERSATIONS: usize = 4096;

/// Reasoning that is decided together: that of a message, or of a turn.
#[derive(Debug)]
struct Group {
    ticket: Ticket,
    /// It has reasoning, not only an empty place for it.
    has_text: bool,
}

/// One conversation.
#[derive(Debug, Default)]
struct StripConversation {
    group: Option<Group>,
    /// The last groups, up to the current one, which may stay.
    last: VecDeque<Ticket>,
    /// The current turn has a tool call.
    tool: bool,
}

/// The pass.
#[derive(Debug)]
pub struct Strip {
    policy: Policy,
    by_message: bool,
    /// The conversations of the stream, and that of the current record.
    stream: BTreeMap<u32, StripConversation>,
    record: Option<StripConversation>,
    /// How many records are open, in each other, that hold a request and its response.
    exchanges: usize,
    /// The number of the last message's conversation in the stream.
    current: u32,
    /// The open messages: the conversation of each, and the verdict on its reasoning.
    open: BTreeMap<Lane, (u32, Option<Verdict>)>,
    next: Ticket,
    settled: Vec<(Ticket, bool)>,
    /// The messages of a recording, which all wait for its end.
    recording: Option<Vec<Taken>>,
    /// Decides about reasoning of messages that name their sender.
    by_sequence: BySequence,
}

/// A message of a recording.
#[derive(Debug)]
struct Taken {
    role: Role,
    joined: bool,
    tool: bool,
    /// The ticket of its reasoning, and whether it has any besides an empty place.
    ticket: Option<Ticket>,
    has_text: bool,
}

impl Strip {
    /// A pass at the start of a stream.
    pub fn new(policy: Policy, unit: Unit) -> Self {
        let by_message = policy == Policy::AllButLast && unit == Unit::Message;
        let by_turn = unit == Unit::Turn;
        let policy = if policy == Policy::AllButLast { Policy::KeepLast(1) } else { policy };
        Self {
            policy,
            by_message,
            stream: BTreeMap::new(),
            record: None,
            exchanges: 0,
            current: 0,
            open: BTreeMap::new(),
            next: 0,
            settled: Vec::new(),
            recording: None,
            by_sequence: BySequence::new(policy, by_turn, Narrow::default()),
        }
    }

    /// Restricts the pass to the reasoning of some agents or contexts.
    pub fn narrowed(mut self, narrow: Narrow, unit: Unit) -> Self {
        self.by_sequence = BySequence::new(self.policy, unit == Unit::Turn, narrow);
        self
    }

    /// Whether the policy is restricted to some agents or contexts.
    fn is_narrow(&self) -> bool {
        self.policy != Policy::None && self.by_sequence.is_narrow()
    }

    /// Notes the sender of a message, and the verdict on its reasoning, unless that stands in its text.
    fn sent(&mut self, lane: Lane, sent: &Sent<'_>) {
        let verdict = self.by_sequence.take(sent, &mut self.next, &mut self.settled);
        if let Some((_, known)) = self.open.get_mut(&lane) {
            *known = verdict;
        }
    }

    /// Makes the conversation of an open message the current one.
    fn turn_to(&mut self, lane: Lane) {
        if let Some((conversation, _)) = self.open.get(&lane) {
            self.current = *conversation;
        }
    }

    /// Ends the conversations with the lowest numbers, if too many are open.
    fn forget_oldest(&mut self) {
        while self.stream.len() > MAX_OPEN_CONVERSATIONS
            && let Some((_, mut conversation)) = self.stream.pop_first()
        {
            self.end(&mut conversation);
        }
    }

    /// Whether a message's further reasoning may need another decision, though it has a verdict: it is the first in its
    /// group that is no empty place, or it belongs to a recording.
    fn needs_new_decision(&self, verdict: Verdict, has_text: bool) -> bool {
        let conversation = self.record.as_ref().or_else(|| self.stream.get(&self.current));
        let group = conversation
            .and_then(|conversation| conversation.group.as_ref())
            .filter(|group| has_text && !group.has_text);
        self.recording.is_some() || group.is_some_and(|group| verdict == Verdict::Hold(group.ticket))
    }

    fn decide(&mut self, kind: PieceKind) -> Verdict {
        let has_text = matches!(kind, PieceKind::Reasoning(_));
        if let (Some(taken), None) = (&mut self.recording, &self.record)
            && let Some(message) = taken.last_mut()
        {
            let next = &mut self.next;
            let ticket = *message.ticket.get_or_insert_with(|| {
                *next += 1;
                *next
            });
            message.has_text |= has_text;
            return Verdict::Hold(ticket);
        }
        let mut verdict = Verdict::Keep;
        self.with_conversation(|pass, conversation| verdict = pass.hold_back(conversation, has_text));
        verdict
    }

    /// Judges the messages that are left of a recording as if only these had come.
    fn replay(&mut self, taken: &[Taken]) {
        let policy = if self.by_message { Policy::AllButLast } else { self.policy };
        let mut pass = Strip::new(policy, if self.by_message { Unit::Message } else { Unit::Turn });
        let (mut verdicts, mut decided) = (Vec::new(), std::collections::BTreeMap::new());
        for message in taken {
            let (role, joined) = (message.role, message.joined);
            pass.event(&Event::MessageStart { lane: Lane::ONLY, role, joined, bare: true, conversation: 0, at: None });
            if let Some(ticket) = message.ticket {
                let kind = if message.has_text { PieceKind::Reasoning("") } else { PieceKind::Void("") };
                verdicts.push((ticket, pass.judge(Lane::ONLY, kind)));
            }
            if message.tool {
                pass.event(&Event::Fact(Lane::ONLY, MessageFact::ToolCall));
            }
        }
        pass.finish();
        decided.extend(std::iter::from_fn(|| pass.settled()));
        for (ticket, verdict) in verdicts {
            let goes = match verdict {
                Verdict::Keep => false,
                Verdict::Drop => true,
                Verdict::Hold(inner) => decided.get(&inner).copied().unwrap_or(true),
            };
            self.settled.push((ticket, goes));
        }
    }

    fn with_conversation(&mut self, work: impl FnOnce(&mut Self, &mut StripConversation)) {
        let inner = self.record.is_some();
        let current = self.current;
        let mut conversation =
            if inner { self.record.take() } else { self.stream.remove(&current) }.unwrap_or_default();
        work(self, &mut conversation);
        if inner {
            self.record = Some(conversation);
        } else {
            self.stream.insert(current, conversation);
        }
    }

    fn hold_back(&mut self, conversation: &mut StripConversation, has_text: bool) -> Verdict {
        if self.policy == Policy::KeepToolTurns && conversation.tool {
            return Verdict::Keep;
        }
        let group = conversation.group.get_or_insert_with(|| {
            self.next += 1;
            Group { ticket: self.next, has_text: false }
        });
        if has_text && !group.has_text {
            group.has_text = true;
            if let Policy::KeepLast(n) = self.policy {
                conversation.last.push_back(group.ticket);
                if conversation.last.len() > n as usize {
                    self.settled.extend(conversation.last.pop_front().map(|ticket| (ticket, true)));
                }
            }
        }
        Verdict::Hold(group.ticket)
    }

    fn tool_call(&mut self, conversation: &mut StripConversation) {
        conversation.tool = true;
        if self.policy == Policy::KeepToolTurns {
            self.settled.extend(conversation.group.take().map(|group| (group.ticket, false)));
        }
    }

    /// Ends a turn, at a message of the user.
    fn end_turn(&mut self, conversation: &mut StripConversation) {
        self.end_group(conversation);
        conversation.tool = false;
    }

    fn end_group(&mut self, conversation: &mut StripConversation) {
        let Some(group) = conversation.group.take() else {
            return;
        };
        match self.policy {
            Policy::KeepLast(_) if group.has_text => (),
            // The group of a turn with a tool call was settled at the call.
            _ => self.settled.push((group.ticket, true)),
        }
    }

    /// Ends the conversation of the current record, if one has begun.
    fn end_record(&mut self) {
        if let Some(mut conversation) = self.record.take() {
            self.end(&mut conversation);
        }
    }

    fn end(&mut self, conversation: &mut StripConversation) {
        if self.policy == Policy::BeforeLastUser {
            self.settled.extend(conversation.group.take().map(|group| (group.ticket, false)));
        }
        self.end_turn(conversation);
        self.settled.extend(conversation.last.drain(..).map(|ticket| (ticket, false)));
    }
}

impl Judge for Strip {
    fn wants_messages(&self) -> bool {
        !matches!(self.policy, Policy::None | Policy::All) || self.is_narrow()
    }

    fn event(&mut self, event: &Event<'_>) {
        if !self.wants_messages() {
            return;
        }
        match event {
            Event::MessageStart { lane, conversation, .. } => {
                self.current = *conversation;
                // A restricted policy does not mean messages without a sender.
                let verdict = self.is_narrow().then_some(Verdict::Keep);
                self.open.insert(*lane, (*conversation, verdict));
                self.forget_oldest();
            }
            Event::Fact(lane, MessageFact::ToolCall) => self.turn_to(*lane),
            Event::Fact(lane, MessageFact::Sent { sent, .. }) => self.sent(*lane, sent),
            Event::MessageEnd { lane, .. } => drop(self.open.remove(lane)),
            _ => (),
        }
        if let (Some(taken), None) = (&mut self.recording, &self.record) {
            match event {
                Event::MessageStart { role, joined, .. } => {
                    taken.push(Taken { role: *role, joined: *joined, tool: false, ticket: None, has_text: false });
                    return;
                }
                Event::Fact(_, MessageFact::ToolCall) => {
                    taken.iter_mut().next_back().into_iter().for_each(|message| message.tool = true);
                    return;
                }
                _ => (),
            }
        }
        match event {
            Event::Conversation(ConversationEvent::Recording) if self.recording.is_none() => {
                self.recording = Some(Vec::new());
            }
            Event::Conversation(ConversationEvent::Rewind(n)) => {
                // A message that was taken back is no part of the conversation: its reasoning goes.
                let taken = self.recording.iter_mut().flat_map(|taken| {
                    let stay = taken.len().saturating_sub(usize::try_from(*n).unwrap_or(usize::MAX));
                    taken.drain(stay..)
                });
                self.settled.extend(taken.filter_map(|message| Some((message.ticket?, true))));
            }
            Event::Conversation(ConversationEvent::StreamOver) => self.finish(),
            Event::Conversation(ConversationEvent::Start) => {
                self.end_record();
                self.record = Some(StripConversation::default());
            }
            // The response follows.
            Event::Conversation(ConversationEvent::End) if self.exchanges > 0 => (),
            Event::Conversation(ConversationEvent::End) => self.end_record(),
            Event::Conversation(ConversationEvent::Exchange(begins)) => {
                self.exchanges += 1;
                if *begins {
                    self.record.get_or_insert_default();
                }
            }
            Event::Conversation(ConversationEvent::ExchangeOver) => {
                self.exchanges = self.exchanges.saturating_sub(1);
                self.end_record();
            }
            Event::MessageStart { role: Role::User, .. } => {
                self.with_conversation(|pass, conversation| pass.end_turn(conversation))
            }
            Event::MessageStart { role: Role::Assistant, joined: false, .. } if self.by_message => {
                self.with_conversation(|pass, conversation| pass.end_group(conversation));
            }
            Event::Fact(_, MessageFact::ToolCall) => self.with_conversation(Self::tool_call),
            _ => (),
        }
    }

    fn judge(&mut self, lane: Lane, kind: PieceKind) -> Verdict {
        match self.policy {
            Policy::None => return Verdict::Keep,
            Policy::All if !self.is_narrow() => return Verdict::Drop,
            _ => (),
        }
        if self.policy == Policy::All {
            return match self.open.get(&lane) {
                Some((_, verdict)) => verdict.unwrap_or(Verdict::Drop),
                None => Verdict::Keep,
            };
        }
        self.turn_to(lane);
        if let Some((_, Some(verdict))) = self.open.get(&lane).copied()
            && !self.needs_new_decision(verdict, matches!(kind, PieceKind::Reasoning(_)))
        {
            return verdict;
        }
        let verdict = self.decide(kind);
        if let Some((_, decided)) = self.open.get_mut(&lane) {
            *decided = Some(verdict);
        }
        verdict
    }

    fn settled(&mut self) -> Option<(Ticket, bool)> {
        let (ticket, goes) = self.settled.pop()?;
        let waits = |(_, verdict): &&mut (u32, Option<Verdict>)| *verdict == Some(Verdict::Hold(ticket));
        for (_, verdict) in self.open.values_mut().filter(waits) {
            *verdict = Some(if goes { Verdict::Drop } else { Verdict::Keep });
        }
        Some((ticket, goes))
    }

    fn finish(&mut self) {
        if let Some(taken) = self.recording.take() {
            self.replay(&taken);
        }
        self.by_sequence.finish(&mut self.settled);
        self.with_conversation(|pass, conversation| pass.end(conversation));
        while let Some((_, mut conversation)) = self.stream.pop_first() {
            self.end(&mut conversation);
        }
        self.current = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::PolicyError;
    use std::collections::BTreeMap;

    /// A message begins that is a record.
    fn record_by(role: Role) -> Event<'static> {
        let (lane, joined, bare, conversation, at) = (Lane::ONLY, false, true, 0, None);
        Event::MessageStart { lane, role, joined, bare, conversation, at }
    }

    /// Runs a conversation: `u` user, `a` assistant without reasoning, `r` assistant with, `v` assistant with an
    /// empty place for it, `t` tool call of the message before, `o` tool result. Gives `+` or `-` for each `r` and
    /// `v`.
    fn run(policy: &str, unit: Unit, conversation: &str, record: bool) -> String {
        let mut pass = Strip::new(policy.parse().unwrap(), unit);
        let mut verdicts = Vec::new();
        if record {
            pass.event(&Event::Conversation(ConversationEvent::Start));
        }
        for c in conversation.chars() {
            let role = match c {
                'u' => Role::User,
                'o' => Role::Tool,
                't' => {
                    pass.event(&Event::Fact(Lane::ONLY, MessageFact::ToolCall));
                    continue;
                }
                _ => Role::Assistant,
            };
            pass.event(&record_by(role));
            match c {
                'r' => verdicts.push(pass.judge(Lane::ONLY, PieceKind::Reasoning("x"))),
                'v' => verdicts.push(pass.judge(Lane::ONLY, PieceKind::Void("x"))),
                _ => (),
            }
            pass.event(&Event::MessageEnd { lane: Lane::ONLY, element: None });
        }
        if record {
            pass.event(&Event::Conversation(ConversationEvent::End));
        } else {
            pass.finish();
        }
        let settled: BTreeMap<_, _> = std::iter::from_fn(|| pass.settled()).collect();
        let sign = |v: &Verdict| match v {
            Verdict::Keep => '+',
            Verdict::Drop => '-',
            Verdict::Hold(t) => {
                if settled[t] {
                    '-'
                } else {
                    '+'
                }
            }
        };
        verdicts.iter().map(sign).collect()
    }

    #[test]
    fn policies() {
        use Unit::{Message, Turn};
        for (policy, unit, conversation, want) in [
            ("none", Message, "urur", "++"),
            ("all", Message, "urur", "--"),
            ("all-but-last", Message, "ururur", "--+"),
            ("allButLast", Message, "ururua", "-+"),
            ("all-but-last", Message, "urrtor", "--+"),
            ("all-but-last", Turn, "urrtor", "+++"),
            ("all-but-last", Turn, "ururrua", "-++"),
            ("all-but-last", Message, "urvuv", "+--"),
            ("all-but-last", Message, "v", "-"),
            ("before-last-user", Message, "urur", "-+"),
            ("before-last-user", Message, "ururu", "--"),
            ("before-last-user", Message, "rrurt", "--+"),
            ("keep-tool-turns", Message, "ururtorur", "-++-"),
            ("keep-tool-turns", Message, "urturu", "+-"),
            ("keep-last-1", Message, "urrurr", "--++"),
            ("keep-last-2", Message, "ururuaur", "-++"),
            ("keep-last-9", Message, "urur", "++"),
        ] {
            for record in [true, false] {
                assert_eq!(run(policy, unit, conversation, record), want, "{policy} {unit:?} {conversation}");
            }
        }
    }

    /// As `run`, for a recording, in which `<` takes a message back and `!` all of them.
    fn recorded(policy: &str, unit: Unit, conversation: &str) -> String {
        let mut pass = Strip::new(policy.parse().unwrap(), unit);
        let mut verdicts = Vec::new();
        pass.event(&Event::Conversation(ConversationEvent::Recording));
        for c in conversation.chars() {
            let role = match c {
                'u' => Role::User,
                '<' => {
                    pass.event(&Event::Conversation(ConversationEvent::Rewind(1)));
                    continue;
                }
                '!' => {
                    pass.event(&Event::Conversation(ConversationEvent::Rewind(u64::MAX)));
                    continue;
                }
                't' => {
                    pass.event(&Event::Fact(Lane::ONLY, MessageFact::ToolCall));
                    continue;
                }
                _ => Role::Assistant,
            };
            pass.event(&record_by(role));
            if c == 'r' {
                verdicts.push(pass.judge(Lane::ONLY, PieceKind::Reasoning("x")));
            }
        }
        pass.finish();
        let settled: BTreeMap<_, _> = std::iter::from_fn(|| pass.settled()).collect();
        let sign = |v: &Verdict| match v {
            Verdict::Keep => '+',
            Verdict::Hold(t) if !settled[t] => '+',
            _ => '-',
        };
        verdicts.iter().map(sign).collect()
    }

    #[test]
    fn recordings() {
        use Unit::{Message, Turn};
        for (policy, unit, conversation, want) in [
            ("all-but-last", Message, "ururur", "--+"),
            ("all-but-last", Message, "urur<", "+-"),
            ("all-but-last", Message, "ur<r<r", "--+"),
            ("all-but-last", Message, "urur!r", "--+"),
            ("all-but-last", Message, "urur!a", "--"),
            ("all-but-last", Turn, "urru<", "++"),
            ("all-but-last", Message, "r<<<<<r", "-+"),
            ("before-last-user", Message, "uru<", "+"),
            ("before-last-user", Message, "uru", "-"),
            ("keep-tool-turns", Message, "urturu", "+-"),
            ("keep-tool-turns", Message, "urtur<", "+-"),
            ("keep-last-2", Message, "ururur<", "++-"),
            ("all", Message, "ur<", "-"),
            ("none", Message, "ur<", "+"),
        ] {
            assert_eq!(recorded(policy, unit, conversation), want, "{policy} {conversation}");
        }
    }

    #[test]
    fn names() {
        for bad in ["", "keep-last-0", "keep-last-", "keep-last-+1", "keep-last-x", "ALL"] {
            assert_eq!(bad.parse::<Policy>(), Err(PolicyError), "{bad}");
        }
        assert_eq!("keep-last-3".parse(), Ok(Policy::KeepLast(3)));
        for (name, _) in Policy::NAMES {
            let name = name.replace('N', "7");
            assert_eq!(name.parse::<Policy>().map(|p| p.to_string()), Ok(name));
        }
    }
}
