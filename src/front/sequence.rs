//! A sequence of reasoning, in a log in which several agents speak, for users of the crate.

use super::lines::text;
use serde_json::Value;

/// A sequence of reasoning: a start, thoughts, and an end. The message that it belongs to has its text as the reasoning,
/// and its answer as the visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sequence {
    /// The identifier of its start.
    pub id: String,
    /// The context of its messages: its name, or a path of names.
    pub context: String,
    /// Who reasons.
    pub agent: String,
    /// The identifiers of the messages that it answers.
    pub trigger: Vec<String>,
    /// The identifier of the sequence that it stands in.
    pub parent: Option<String>,
    /// What its start says.
    pub start: Option<String>,
    /// Its thoughts.
    pub thoughts: Vec<String>,
    /// What its end says.
    pub conclusion: Option<String>,
    /// Why it was cancelled.
    pub cancellation: Option<String>,
    /// The messages to others in its context.
    pub dialogue: Vec<Utterance>,
    /// The tools that were called in it, each with the identifier of the call, if that has one.
    pub tools: Vec<(Option<String>, String)>,
    /// The identifier of its answer, which may be empty.
    pub response: Option<String>,
    /// How it ended.
    pub status: SequenceStatus,
}

/// Words to others in the context of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Utterance {
    /// The identifier of the message, if it has one.
    pub id: Option<String>,
    /// Who spoke.
    pub from: String,
    /// The text.
    pub text: String,
}

/// How a sequence ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SequenceStatus {
    /// It has no end.
    Open,
    /// With a conclusion.
    Concluded,
    /// It was cancelled.
    Cancelled,
}

impl Sequence {
    /// From the object that the command prints, if it is one of a sequence.
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
