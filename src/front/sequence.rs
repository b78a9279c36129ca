//! A sequence of reasoning, in a log in which several agents speak, for users of the crate.

use super::lines::text;
use serde_json::Value;

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

impl Sequence {
    /// A sequence from the object that the command prints, if that is one of a sequence.
    pub(super) fn from_line(line: &Value) -> Option<Self> {
        let list = |name: &str| line.get(name).and_then(Value::as_array).into_iter().flatten();
        let texts = |name: &str| list(name).filter_map(Value::as_str).map(str::to_string).collect();
        let utterance = |value: &Value| {
            Some(Utterance { id: text(value, "id"), from: text(value, "from")?, text: text(value, "text")? })
        };
        let status = match text(line, "status")?.as_str() {
            "concluded" => SequenceStatus::Concluded,
            "cancelled" => SequenceStatus::Cancelled,
            _ => SequenceStatus::Open,
        };
        Some(Self {
            id: text(line, "id")?,
            context: text(line, "context")?,
            agent: text(line, "agent")?,
            trigger: texts("trigger"),
            parent: text(line, "parent"),
            start: text(line, "start"),
            thoughts: texts("thoughts"),
            conclusion: text(line, "conclusion"),
            cancellation: text(line, "cancellation"),
            dialogue: list("dialogue").filter_map(utterance).collect(),
            tools: list("tools").filter_map(|tool| Some((text(tool, "id"), text(tool, "name")?))).collect(),
            response: text(line, "response"),
            status,
        })
    }
}
