//! Follows which agent leads a conversation: messages hand it to another agent and back, and delegations nest.

use crate::model::{ConversationEvent, Event, Lane, Mark, Marked, MessageFact};
use std::collections::BTreeMap;

/// A delegation: a conversation is handed to another agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedDelegation {
    /// Its number in the input, from 1.
    pub id: u64,
    /// The number of the agent in its conversation, from 1.
    pub agent: u64,
    /// The number of the agent that hands it over; 0 is the first agent.
    pub by: u64,
    /// All messages in it are steps on the way.
    pub intermediate: bool,
    /// The record and the number of the message that hands the conversation over.
    pub place: (u64, u64),
    /// The first line of the instructions for the agent, cut short.
    pub prompt: String,
}

/// The place of a message in the delegations of its conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// How many delegations are open around it.
    pub depth: u64,
    /// The innermost delegation around it.
    pub delegation: Option<NumberedDelegation>,
    /// Messages in one of the delegations around it are all steps on the way.
    pub within: bool,
    /// The message itself is marked as a step on the way.
    pub marked: bool,
    /// The delegations that it ends.
    pub ends: Vec<NumberedDelegation>,
    /// The delegations that it begins, and the depth of each.
    pub begins: Vec<(NumberedDelegation, u64)>,
    /// How often it hands the conversation back without an open delegation.
    pub strays: u64,
    /// After the delegations that it ends, it still stands in one whose messages are all steps on the way.
    pub within_another: bool,
}

impl Standing {
    /// Whether it is a step on the way.
    pub fn is_intermediate(&self) -> bool {
        self.marked || self.within
    }
}

/// The open delegations of a conversation, and the number of its last agent.
#[derive(Debug, Default)]
struct OpenDelegations {
    open: Vec<NumberedDelegation>,
    agents: u64,
}

impl OpenDelegations {
    fn within(&self) -> bool {
        self.open.iter().any(|delegation| delegation.intermediate)
    }

    fn standing(&self) -> Standing {
        Standing {
            depth: self.open.len() as u64,
            delegation: self.open.last().cloned(),
            within: self.within(),
            ..Standing::default()
        }
    }

    /// Applies the marks of the message at `place`.
    fn mark(&mut self, standing: &mut Standing, marks: &[Marked], place: (u64, u64), serial: &mut u64) {
        // How many of the open delegations this message began.
        let mut own = 0;
        for Marked { mark, prompt, .. } in marks {
            match mark {
                Mark::Intermediate => standing.marked = true,
                Mark::Returns => match self.open.pop() {
                    Some(delegation) => {
                        own -= own.min(1);
                        standing.ends.push(delegation);
                    }
                    None => standing.strays += 1,
                },
                Mark::Delegates { intermediate } => {
                    self.agents += 1;
                    let by = self.open.last().map_or(0, |delegation| delegation.agent);
                    let (agent, intermediate, prompt) = (self.agents, *intermediate, first_line(prompt));
                    own += 1;
                    *serial += 1;
                    self.open.push(NumberedDelegation { id: *serial, agent, by, intermediate, place, prompt });
                    standing.begins.extend(self.open.last().cloned().map(|begun| (begun, self.open.len() as u64)));
                }
            }
        }
        let around = self.open.len() - own;
        standing.within_another = self.open[..around].iter().any(|delegation| delegation.intermediate);
    }
}

/// The longest instructions for an agent, in UTF-16 code units, as its program counts them.
pub const MAX_PROMPT_UNITS: u64 = 50_000;

/// The length of instructions for an agent, in UTF-16 code units.
pub fn prompt_length(prompt: &[u8]) -> u64 {
    crate::json::text::utf16_len(prompt) as u64
}

/// Whether instructions for an agent are nothing but white space, as its program defines it.
pub fn is_blank(prompt: &[u8]) -> bool {
    let blank = |c: char| c.is_whitespace() && c != '\u{85}' || ('\u{1c}'..='\u{1f}').contains(&c);
    crate::json::text::utf8(prompt).chars().all(blank)
}

/// The most characters of the instructions for an agent that are kept.
const MAX_KEPT_CHARS: usize = 80;

/// The first line that is not blank.
fn first_line(prompt: &[u8]) -> String {
    let head = &prompt[..prompt.len().min(1 << 12)];
    let text = crate::json::text::utf8(head);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(MAX_KEPT_CHARS).collect()
}

/// A message that is open.
#[derive(Debug)]
struct DelegatedMessage {
    /// The conversation of the stream that it belongs to. `None`: that of the record.
    conversation: Option<u32>,
    place: (u64, u64),
    standing: Standing,
}

/// Follows the delegations of all conversations of an input.
#[derive(Debug, Default)]
pub struct Delegations {
    /// The conversation of the record, and those of the stream that have a delegation.
    inner: Option<OpenDelegations>,
    stream: BTreeMap<u32, OpenDelegations>,
    /// The open messages, by lane.
    open: BTreeMap<Lane, DelegatedMessage>,
    /// How many delegations began.
    serial: u64,
}

impl Delegations {
    /// Follows an event. `place`: the record and the number of a message that begins. Returns the delegations that are
    /// still open when their conversation ends.
    pub fn event(&mut self, event: &Event<'_>, place: Option<(u64, u64)>) -> Vec<NumberedDelegation> {
        match event {
            Event::MessageStart { lane, .. } if lane.is_snapshot() => (),
            Event::Conversation(ConversationEvent::Start) => {
                let before = self.inner.replace(OpenDelegations::default());
                return left(before);
            }
            Event::Conversation(ConversationEvent::End) => return left(self.inner.take()),
            Event::Conversation(ConversationEvent::StreamOver) => return self.finish(),
            Event::MessageStart { lane, conversation, .. } => {
                let conversation = if self.inner.is_some() { None } else { Some(*conversation) };
                let standing = self.delegations_of(conversation).map(|known| known.standing()).unwrap_or_default();
                self.open.insert(*lane, DelegatedMessage { conversation, place: place.unwrap_or_default(), standing });
            }
            Event::Fact(lane, MessageFact::Marks { marks, .. }) => {
                let Some(mut open) = self.open.remove(lane) else { return Vec::new() };
                let conversation = open.conversation;
                if let Some(conversation) = conversation {
                    self.stream.entry(conversation).or_default();
                }
                let mut serial = self.serial;
                if let Some(known) = self.delegations_of(conversation) {
                    known.mark(&mut open.standing, marks, open.place, &mut serial);
                }
                self.serial = serial;
                self.open.insert(*lane, open);
            }
            Event::MessageEnd { lane, .. } => drop(self.open.remove(lane)),
            _ => (),
        }
        Vec::new()
    }

    fn delegations_of(&mut self, conversation: Option<u32>) -> Option<&mut OpenDelegations> {
        match conversation {
            None => self.inner.as_mut(),
            Some(number) => self.stream.get_mut(&number),
        }
    }

    /// The place of an open message.
    pub fn standing(&self, lane: Lane) -> Option<&Standing> {
        self.open.get(&lane).map(|open| &open.standing)
    }

    /// Ends the input. Returns the delegations that are still open.
    pub fn finish(&mut self) -> Vec<NumberedDelegation> {
        let mut all = left(self.inner.take());
        all.extend(std::mem::take(&mut self.stream).into_values().flat_map(|known| left(Some(known))));
        all
    }
}

fn left(known: Option<OpenDelegations>) -> Vec<NumberedDelegation> {
    known.into_iter().flat_map(|known| known.open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Role;
    use crate::span::Span;

    /// How the messages of a conversation stand: `D` hands over and `d` too, but what is written there is no step; `R`
    /// hands back, `I` is a step, `.` nothing. Depth, `*` if it is a step, begins, ends, strays.
    fn run(messages: &str) -> (String, usize) {
        let mut all = Delegations::default();
        let mut shown = Vec::new();
        for message in messages.split(' ') {
            let (role, joined, bare, conversation) = (Role::Assistant, false, true, 0);
            all.event(&Event::MessageStart { lane: Lane::ONLY, role, joined, bare, conversation, at: None }, None);
            let mark = |c| match c {
                'D' => Some(Mark::Delegates { intermediate: true }),
                'd' => Some(Mark::Delegates { intermediate: false }),
                'R' => Some(Mark::Returns),
                'I' => Some(Mark::Intermediate),
                _ => None,
            };
            let at = Span::new(0, 0);
            let marks = message.chars().filter_map(mark).map(|mark| Marked { mark, prompt: Vec::new(), at });
            let marks: Vec<Marked> = marks.collect();
            if !marks.is_empty() {
                all.event(&Event::Fact(Lane::ONLY, MessageFact::Marks { marks: &marks, content: at }), None);
            }
            let standing = all.standing(Lane::ONLY).unwrap();
            let step = if standing.is_intermediate() { "*" } else { "" };
            let (begins, ends, strays) = (standing.begins.len(), standing.ends.len(), standing.strays);
            shown.push(format!(
                "{}{step}{}",
                standing.depth,
                ["", "b", "e", "s"][begins + 2 * ends + 3 * strays as usize]
            ));
            all.event(&Event::MessageEnd { lane: Lane::ONLY, element: None }, None);
        }
        (shown.join(" "), all.finish().len())
    }

    #[test]
    fn delegations_nest() {
        for (messages, want, left) in [
            (". I .", "0 0* 0", 0),
            ("D . R .", "0b 1* 1*e 0", 0),
            ("d . R .", "0b 1 1e 0", 0),
            ("D D . R . R .", "0b 1*b 2* 2*e 1* 1*e 0", 0),
            ("D d . R R .", "0b 1*b 2* 2*e 1*e 0", 0),
            ("d D . R . R", "0b 1b 2* 2*e 1 1e", 0),
            ("R . D .", "0s 0 0b 1*", 1),
            ("D D .", "0b 1*b 2*", 2),
        ] {
            assert_eq!(run(messages), (want.to_string(), left), "{messages}");
        }
    }

    #[test]
    fn what_an_agent_is_told_first() {
        for (prompt, want) in [("", ""), ("\n  a b \nc", "a b"), ("x", "x")] {
            assert_eq!(first_line(prompt.as_bytes()), want);
        }
        assert_eq!(first_line("é".repeat(500).as_bytes()).chars().count(), MAX_KEPT_CHARS);
    }
}
