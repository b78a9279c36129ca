//! A sequence of reasoning, in a log in which several agents speak, for users of the crate.

use crate::agents::regroup::{Dialogue, SequenceGroup};
use crate::agents::sequences::SequencePart;
use crate::json::text::utf8;

/// A sequence of reasoning: a start, thoughts, and an end. Its message has the text of the sequence as the reasoning,
/// and its answer as the visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sequence {
    /// The identifier of the start.
    pub id: String,
    /// The context of the messages: the name of the sequence, or a path of names.
    pub context: String,
    /// The agent that reasons.
    pub agent: String,
    /// The identifiers of the messages that it answers.
    pub trigger: Vec<String>,
    /// The identifier of the sequence around it.
    pub parent: Option<String>,
    /// The text of the start.
    pub start: Option<String>,
    /// The texts of the thoughts.
    pub thoughts: Vec<String>,
    /// The text of the end.
    pub conclusion: Option<String>,
    /// The reason for a cancellation.
    pub cancellation: Option<String>,
    /// The messages to others in its context.
    pub dialogue: Vec<Utterance>,
    /// The tools that were called in it: the identifier of the call, if it has one, and the name of the tool.
    pub tools: Vec<(Option<String>, String)>,
    /// The identifier of its answer, which may be empty.
    pub response: Option<String>,
    /// How it ended.
    pub status: SequenceStatus,
}

/// A message to others in the context of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Utterance {
    /// The identifier of the message, if it has one.
    pub id: Option<String>,
    /// The sender.
    pub from: String,
    /// The text.
    pub text: String,
}

/// How a sequence ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum SequenceStatus {
    /// It has no end.
    Open,
    /// It ended with a conclusion.
    Concluded,
    /// It was cancelled.
    Cancelled,
}

impl From<&SequenceGroup> for Sequence {
    fn from(group: &SequenceGroup) -> Self {
        let text = |bytes: &[u8]| utf8(bytes).into_owned();
        let named = |bytes: &[u8]| (!bytes.is_empty()).then(|| text(bytes));
        let one = |part| group.texts_of(part).next().map(|bytes| text(&bytes));
        let own = &group.sequence;
        let utterance =
            |sent: &Dialogue| Utterance { id: named(&sent.id), from: text(&sent.from), text: text(&sent.text) };
        Self {
            id: text(&own.id),
            context: text(group.context()),
            agent: text(&own.agent),
            trigger: own.triggers.iter().map(|id| text(id)).collect(),
            parent: group.parent.as_deref().map(text),
            start: group.start().map(|bytes| text(&bytes)),
            thoughts: group.texts_of(SequencePart::Thought).map(|bytes| text(&bytes)).collect(),
            conclusion: one(SequencePart::Conclusion),
            cancellation: one(SequencePart::Cancellation),
            dialogue: group.dialogue.iter().map(utterance).collect(),
            tools: group.tools.iter().map(|(id, name)| (named(id), text(name))).collect(),
            response: group.response.as_deref().map(text),
            status: match (own.closed, own.cancelled) {
                (false, _) => SequenceStatus::Open,
                (true, false) => SequenceStatus::Concluded,
                (true, true) => SequenceStatus::Cancelled,
            },
        }
    }
}
