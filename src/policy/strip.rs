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
    real: bool,
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
    real: bool,
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
            && let Some((_, mut talk)) = self.stream.pop_first()
        {
            self.end(&mut talk);
        }
    }

    /// Whether a message's further reasoning may need another decision, though it has a verdict: it is the first in its
    /// group that is no empty place, or it belongs to a recording.
    fn is_news(&self, verdict: Verdict, real: bool) -> bool {
        let talk = self.record.as_ref().or_else(|| self.stream.get(&self.current));
        let group = talk.and_then(|talk| talk.group.as_ref()).filter(|group| real && !group.real);
        self.recording.is_some() || group.is_some_and(|group| verdict == Verdict::Hold(group.ticket))
    }

    fn decide(&mut self, kind: PieceKind) -> Verdict {
        let real = matches!(kind, PieceKind::Reasoning(_));
        if let (Some(taken), None) = (&mut self.recording, &self.record)
            && let Some(message) = taken.last_mut()
        {
            let next = &mut self.next;
            let ticket = *message.ticket.get_or_insert_with(|| {
                *next += 1;
                *next
            });
            message.real |= real;
            return Verdict::Hold(ticket);
        }
        let mut verdict = Verdict::Keep;
        self.in_talk(|pass, talk| verdict = pass.hold_back(talk, real));
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
                let kind = if message.real { PieceKind::Reasoning("") } else { PieceKind::Void("") };
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

    fn in_talk(&mut self, work: impl FnOnce(&mut Self, &mut StripConversation)) {
        let inner = self.record.is_some();
        let current = self.current;
        let mut talk = if inner { self.record.take() } else { self.stream.remove(&current) }.unwrap_or_default();
        work(self, &mut talk);
        if inner {
            self.record = Some(talk);
        } else {
            self.stream.insert(current, talk);
        }
    }

    fn hold_back(&mut self, talk: &mut StripConversation, real: bool) -> Verdict {
        if self.policy == Policy::KeepToolTurns && talk.tool {
            return Verdict::Keep;
        }
        let group = talk.group.get_or_insert_with(|| {
            self.next += 1;
            Group { ticket: self.next, real: false }
        });
        if real && !group.real {
            group.real = true;
            if let Policy::KeepLast(n) = self.policy {
                talk.last.push_back(group.ticket);
                if talk.last.len() > n as usize {
                    self.settled.extend(talk.last.pop_front().map(|ticket| (ticket, true)));
                }
            }
        }
        Verdict::Hold(group.ticket)
    }

    fn tool_call(&mut self, talk: &mut StripConversation) {
        talk.tool = true;
        if self.policy == Policy::KeepToolTurns {
            self.settled.extend(talk.group.take().map(|group| (group.ticket, false)));
        }
    }

    /// Ends a turn, at a message of the user.
    fn end_turn(&mut self, talk: &mut StripConversation) {
        self.end_group(talk);
        talk.tool = false;
    }

    fn end_group(&mut self, talk: &mut StripConversation) {
        let Some(group) = talk.group.take() else {
            return;
        };
        match self.policy {
            Policy::KeepLast(_) if group.real => (),
            // The group of a turn with a tool call was settled at the call.
            _ => self.settled.push((group.ticket, true)),
        }
    }

    fn end(&mut self, talk: &mut StripConversation) {
        if self.policy == Policy::BeforeLastUser {
            self.settled.extend(talk.group.take().map(|group| (group.ticket, false)));
        }
        self.end_turn(talk);
        self.settled.extend(talk.last.drain(..).map(|ticket| (ticket, false)));
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
                    taken.push(Taken { role: *role, joined: *joined, tool: false, ticket: None, real: false });
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
            Event::Conversation(ConversationEvent::Start) => self.record = Some(StripConversation::default()),
            Event::Conversation(ConversationEvent::End) => {
                if let Some(mut talk) = self.record.take() {
                    self.end(&mut talk);
                }
            }
            Event::MessageStart { role: Role::User, .. } => self.in_talk(|pass, talk| pass.end_turn(talk)),
            Event::MessageStart { role: Role::Assistant, joined: false, .. } if self.by_message => {
                self.in_talk(|pass, talk| pass.end_group(talk));
            }
            Event::Fact(_, MessageFact::ToolCall) => self.in_talk(Self::tool_call),
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
            && !self.is_news(verdict, matches!(kind, PieceKind::Reasoning(_)))
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
        self.in_talk(|pass, talk| pass.end(talk));
        while let Some((_, mut talk)) = self.stream.pop_first() {
            self.end(&mut talk);
        }
        self.current = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::PolicyError;
    use std::collections::BTreeMap;

    /// Runs a conversation: `u` user, `a` assistant without reasoning, `r` assistant with, `v` assistant with an
    /// empty place for it, `t` tool call of the message before, `o` tool result. Gives `+` or `-` for each `r` and
    /// `v`.
    fn run(policy: &str, unit: Unit, talk: &str, record: bool) -> String {
        let mut pass = Strip::new(policy.parse().unwrap(), unit);
        let mut verdicts = Vec::new();
        if record {
            pass.event(&Event::Conversation(ConversationEvent::Start));
        }
        for c in talk.chars() {
            let role = match c {
                'u' => Role::User,
                'o' => Role::Tool,
                't' => {
                    pass.event(&Event::Fact(Lane::ONLY, MessageFact::ToolCall));
                    continue;
                }
                _ => Role::Assistant,
            };
            pass.event(&Event::MessageStart {
                lane: Lane::ONLY,
                role,
                joined: false,
                bare: true,
                conversation: 0,
                at: None,
            });
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
        for (policy, unit, talk, want) in [
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
                assert_eq!(run(policy, unit, talk, record), want, "{policy} {unit:?} {talk}");
            }
        }
    }

    /// As `run`, for a recording, in which `<` takes a message back and `!` all of them.
    fn recorded(policy: &str, unit: Unit, talk: &str) -> String {
        let mut pass = Strip::new(policy.parse().unwrap(), unit);
        let mut verdicts = Vec::new();
        pass.event(&Event::Conversation(ConversationEvent::Recording));
        for c in talk.chars() {
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
            pass.event(&Event::MessageStart {
                lane: Lane::ONLY,
                role,
                joined: false,
                bare: true,
                conversation: 0,
                at: None,
            });
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
        for (policy, unit, talk, want) in [
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
            assert_eq!(recorded(policy, unit, talk), want, "{policy} {talk}");
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
