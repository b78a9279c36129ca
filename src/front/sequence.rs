//! A sequence of reasoning, in a log in which several agents speak, for users of the crate.

use crate::agents::regroup::{Dialogue, SequenceGroup};
use crate::agents::sequences::SequencePart;
use crate::json::text::utf8;

/// A sequence of reasoning: a start, thoughts, and an end. Its message has the text of the sequence as the reasoning,
/// and its answer as the visible text.
///
/// ```
/// use unthink::{Sequence, SequenceStatus, SplitOptions, split};
///
/// let log = br#"{"protocol":"mew/v0.4","id":"s","from":"scout","kind":"reasoning/start","payload":{"message":"How far?"}}
/// {"protocol":"mew/v0.4","id":"t","from":"scout","kind":"reasoning/thought","context":"s","payload":{"message":"Two hours on foot."}}
/// {"protocol":"mew/v0.4","id":"c","from":"scout","kind":"reasoning/conclusion","context":"s","payload":{"message":"We walk."}}
/// "#;
/// let done = split(log, &SplitOptions::default())?;
/// let sequence: &Sequence = done.messages[0].sequence.as_deref().unwrap();
/// assert_eq!((sequence.agent.as_str(), sequence.status), ("scout", SequenceStatus::Concluded));
/// assert_eq!(sequence.thoughts, ["Two hours on foot."]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The tools that were called in it.
    pub tools: Vec<CalledTool>,
    /// The identifier of its answer, which may be empty.
    pub response: Option<String>,
    /// How it ended.
    pub status: SequenceStatus,
}

/// A tool that was called in a sequence.
///
/// ```
/// use unthink::{CalledTool, SplitOptions, split};
///
/// let log = br#"{"protocol":"mew/v0.4","id":"s","from":"scout","kind":"reasoning/start","payload":{"message":"How far?"}}
/// {"protocol":"mew/v0.4","id":"t","from":"scout","to":["maps"],"kind":"mcp/request","context":"s","payload":{"method":"tools/call","params":{"name":"route","arguments":{}}}}
/// "#;
/// let done = split(log, &SplitOptions::default())?;
/// let tool: &CalledTool = &done.messages[0].sequence.as_ref().unwrap().tools[0];
/// assert_eq!((tool.id.as_deref(), tool.name.as_str()), (Some("t"), "route"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CalledTool {
    /// The identifier of the call, if it has one.
    pub id: Option<String>,
    /// The name of the tool.
    pub name: String,
}

/// A message to others in the context of a sequence.
///
/// ```
/// use unthink::{SplitOptions, Utterance, split};
///
/// let log = br#"{"protocol":"mew/v0.4","id":"s","from":"scout","kind":"reasoning/start","payload":{"message":"How far?"}}
/// {"protocol":"mew/v0.4","id":"q","from":"scout","to":["maps"],"kind":"chat","context":"s","payload":{"text":"Which way?"}}
/// "#;
/// let done = split(log, &SplitOptions::default())?;
/// let said: &Utterance = &done.messages[0].sequence.as_ref().unwrap().dialogue[0];
/// assert_eq!((said.from.as_str(), said.text.as_str()), ("scout", "Which way?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// use unthink::{SequenceStatus, SplitOptions, split};
///
/// let log = br#"{"protocol":"mew/v0.4","id":"s","from":"scout","kind":"reasoning/start","payload":{"message":"How far?"}}
/// {"protocol":"mew/v0.4","id":"c","from":"scout","kind":"reasoning/cancel","context":"s","payload":{"reason":"Nobody asks."}}
/// "#;
/// let done = split(log, &SplitOptions::default())?;
/// assert_eq!(done.messages[0].sequence.as_ref().unwrap().status, SequenceStatus::Cancelled);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
            tools: group.tools.iter().map(|(id, name)| CalledTool { id: named(id), name: text(name) }).collect(),
            response: group.response.as_deref().map(text),
            status: match (own.closed, own.cancelled) {
                (false, _) => SequenceStatus::Open,
                (true, false) => SequenceStatus::Concluded,
                (true, true) => SequenceStatus::Cancelled,
            },
        }
    }
}
