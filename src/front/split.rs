//! `split` for users of the crate.

use super::input::{InputOptions, Summary};
use super::run::Run;
use super::sequence::Sequence;
use super::setters::setters;
use super::{Error, InvalidOption, seam};
use crate::agents::delegation::NumberedDelegation;
use crate::agents::fold::FoldedMessage;
use crate::json::text::utf8;
use crate::split::{Report, SplitTexts};
use std::fmt;
use std::io::{BufRead, Write};

/// The options of [`split`].
///
/// ```
/// use unthink::{SplitOptions, split};
///
/// let row = br#"{"id":7,"text":"<think>Rain.</think><think>Or snow?</think>Take a coat."}"#;
/// let done = split(row, &SplitOptions::default().fields(["/text"]).join(" "))?;
/// let message = &done.messages[0];
/// assert_eq!((message.field.as_deref(), message.reasoning.as_deref()), (Some("/text"), Some("Rain. Or snow?")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SplitOptions {
    /// The text between several blocks of reasoning in one message: a newline by default.
    pub join: String,
    /// White space just inside of inline tags stays in the reasoning. If false, it is trimmed.
    pub verbatim: bool,
    /// JSON Pointers (RFC 6901) to strings of each record that are texts of the model, such as `/output/text`; a `*` stands
    /// for any member or element. Each is a message. Empty: the messages of the record.
    pub fields: Vec<String>,
    /// How the input is read.
    pub input: InputOptions,
}

setters! { SplitOptions "SplitOptions::default()" {
    text join: String = r#"" / ""#,
    value verbatim: bool = "true",
    list fields: String = r#"["/output/text"]"#,
    input input: InputOptions,
} }

impl Default for SplitOptions {
    fn default() -> Self {
        Self { join: "\n".into(), verbatim: false, fields: Vec::new(), input: InputOptions::default() }
    }
}

/// What [`split`] returns.
///
/// ```
/// use unthink::{Split, SplitOptions, split};
///
/// let log = b"{\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"Rain by noon.\"}\n";
/// let done: Split = split(log, &SplitOptions::default())?;
/// assert_eq!((done.messages.len(), done.report.summary.records), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Split {
    /// The messages of the assistant, in the order in which they begin.
    pub messages: Vec<Message>,
    /// What was done.
    pub report: SplitReport,
}

/// A message of the assistant, with its reasoning separated.
///
/// ```
/// use unthink::{Message, SplitOptions, split};
///
/// let log = b"{\"role\":\"user\",\"content\":\"Will it rain?\"}\n\
///     {\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"By noon.\"}\n";
/// let message: &Message = &split(log, &SplitOptions::default())?.messages[0];
/// assert_eq!((message.record, message.message, message.visible.as_str()), (2, 2, "By noon."));
/// assert_eq!(message.reasoning_tokens, "Low pressure.".len().div_ceil(4) as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Message {
    /// The number of the record in which it begins, from 1.
    pub record: u64,
    /// Its number in its conversation, from 1. Messages of other roles are counted, too.
    pub message: u64,
    /// The JSON Pointer of the string that it is ([`SplitOptions::fields`]). `None`: it is a message of the record.
    pub field: Option<String>,
    /// The visible text.
    pub visible: String,
    /// Text for the user before tool calls: messages in Harmony's channel `commentary`.
    pub commentary: Option<String>,
    /// Tool calls that stand in Harmony messages of their own, as they are. They are no part of the visible text.
    pub calls: Vec<String>,
    /// The text of the reasoning; copies of a text count once. `None`: there is none. An empty text stands for an empty
    /// reasoning field, or for encrypted reasoning.
    pub reasoning: Option<String>,
    /// An estimate of the tokens of the reasoning: a quarter of its length in UTF-16 code units, rounded up.
    pub reasoning_tokens: u64,
    /// The `<REDACTED>` sections of the reasoning, which are left out of `reasoning`.
    pub redactions: Vec<String>,
    /// It is a step on the way to an answer: it is marked as one, or its delegation is.
    pub intermediate: bool,
    /// The delegation in which it was written.
    pub delegation: Option<Delegation>,
    /// The delegations that begin with it.
    pub delegates: Vec<Delegation>,
    /// The numbers of the agents whose delegations end with it.
    pub returns: Vec<u64>,
    /// The sequence of reasoning that it was made from, in a log in which several agents speak.
    pub sequence: Option<Box<Sequence>>,
}

/// A delegation: the conversation is handed to another agent.
///
/// ```
/// use unthink::{Delegation, SplitOptions, split};
///
/// let log = br#"{"conversationId":"c","role":"USER","content":[{"type":"Message","text":"Look at the wall."}],"instructions":[{"type":"com.gromozeka.domain.model.Conversation.Message.Instruction.DelegateReasoning","agentPrompt":"You know harbours."}]}
/// {"conversationId":"c","role":"ASSISTANT","content":[{"type":"Message","text":"It holds."}]}
/// "#;
/// let messages = split(log, &SplitOptions::default())?.messages;
/// let inside: &Delegation = messages[0].delegation.as_ref().unwrap();
/// assert_eq!((inside.depth, inside.agent, inside.by), (1, 1, 0));
/// assert_eq!(inside.prompt, "You know harbours.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Delegation {
    /// How many delegations are open, with this one.
    pub depth: u64,
    /// The number of the agent in the conversation, from 1.
    pub agent: u64,
    /// The number of the agent that hands the conversation over; 0 is the first agent.
    pub by: u64,
    /// The first line of the instructions for the agent, at most 80 characters.
    pub prompt: String,
    /// For a message inside of a delegation: the message that began the delegation.
    pub place: Option<DelegationStart>,
}

/// Where a delegation began: the message that handed the conversation over.
///
/// ```
/// use unthink::{DelegationStart, SplitOptions, split};
///
/// let log = br#"{"conversationId":"c","role":"USER","content":[{"type":"Message","text":"Look at the wall."}],"instructions":[{"type":"com.gromozeka.domain.model.Conversation.Message.Instruction.DelegateReasoning","agentPrompt":"You know harbours."}]}
/// {"conversationId":"c","role":"ASSISTANT","content":[{"type":"Message","text":"It holds."}]}
/// "#;
/// let message = split(log, &SplitOptions::default())?.messages.remove(0);
/// let began: DelegationStart = message.delegation.unwrap().place.unwrap();
/// assert_eq!((began.record, began.message), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DelegationStart {
    /// The number of the record in which the message begins, from 1.
    pub record: u64,
    /// The number of the message in its conversation, from 1.
    pub message: u64,
}

impl Delegation {
    fn new(of: NumberedDelegation, depth: u64, place: Option<DelegationStart>) -> Self {
        Self { depth, agent: of.agent, by: of.by, prompt: of.prompt, place }
    }
}

impl Message {
    /// A message of an input of which these strings are split.
    fn new((message, texts): (FoldedMessage, SplitTexts), fields: &[String]) -> Self {
        let standing = message.standing.map(|standing| *standing).unwrap_or_default();
        Self {
            record: message.record,
            message: message.number,
            field: message.field.or_else(|| message.lane.pointer().and_then(|n| fields.get(n)).cloned()),
            reasoning_tokens: texts.estimate(),
            visible: texts.visible,
            commentary: texts.commentary,
            calls: message.calls.iter().map(|call| utf8(call).into_owned()).collect(),
            reasoning: texts.reasoning,
            redactions: texts.redactions,
            intermediate: standing.is_intermediate(),
            returns: standing.ends.iter().map(|delegation| delegation.agent).collect(),
            delegates: standing.begins.into_iter().map(|(of, depth)| Delegation::new(of, depth, None)).collect(),
            delegation: standing.delegation.map(|of| {
                let (record, message) = of.place;
                Delegation::new(of, standing.depth, Some(DelegationStart { record, message }))
            }),
            sequence: message.group.map(|group| Box::new(Sequence::from(&*group))),
        }
    }
}

/// What [`split`] did.
///
/// ```
/// use unthink::{SplitOptions, SplitReport, split};
///
/// let report: SplitReport = split(b"<think>Low pressure.</think>Rain by noon.", &SplitOptions::default())?.report;
/// assert_eq!((report.messages, report.summary.bytes), (1, 41));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SplitReport {
    /// How many messages of the assistant were returned or written.
    pub messages: u64,
    /// Counts of the input.
    pub summary: Summary,
}

/// Separates the visible text of each message of the assistant from its reasoning. The deltas of a stream are put
/// together.
///
/// ```
/// use unthink::{SplitOptions, split};
///
/// let done = split(b"<think>Low pressure from the west.</think>\n\nRain by noon.", &SplitOptions::default())?;
/// let [message] = done.messages.as_slice() else { panic!("one message") };
/// assert_eq!(message.visible, "Rain by noon.");
/// assert_eq!(message.reasoning.as_deref(), Some("Low pressure from the west."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Incomplete`] if a record could not be understood; its messages are missing. [`Error::Option`] if an option
/// has a value that it cannot have.
pub fn split(input: &[u8], options: &SplitOptions) -> Result<Split, Error<Split>> {
    let mut messages = Vec::new();
    match split_each(input, |message| messages.push(message), options) {
        Ok(report) => Ok(Split { messages, report }),
        Err(e) => Err(e.map(|report| Split { messages, report })),
    }
}

/// Separates visible text from reasoning, from a reader: calls `each` for each message of the assistant, as soon as it is
/// over. Messages come in the order in which they begin.
///
/// ```
/// use unthink::{SplitOptions, split_each};
///
/// let log: &[u8] = b"{\"role\":\"user\",\"content\":\"Will it rain?\"}\n\
///     {\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"By noon.\"}\n";
/// let mut longest = 0;
/// split_each(log, |message| longest = longest.max(message.reasoning_tokens), &SplitOptions::default())?;
/// assert_eq!(longest, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`split`]; and [`Error::Read`] if the reader fails.
pub fn split_each(
    mut reader: impl BufRead,
    mut each: impl FnMut(Message),
    options: &SplitOptions,
) -> Result<SplitReport, Error<SplitReport>> {
    let ran = seam::splitting(options, true)?.read_each(&mut reader, |report, _| {
        report.take_messages().into_iter().map(|found| Message::new(found, &options.fields)).for_each(&mut each);
        Ok(())
    })?;
    seam::split(ran)
}

/// Separates visible text from reasoning, from a reader to a writer: one JSON object a line for each message of the
/// assistant, as the command `unthink split` prints them.
///
/// ```
/// use unthink::{SplitOptions, split_io};
///
/// let log: &[u8] = b"{\"role\":\"user\",\"content\":\"Will it rain?\"}\n\
///     {\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"By noon.\"}\n";
/// let mut lines = Vec::new();
/// let report = split_io(log, &mut lines, &SplitOptions::default())?;
/// assert_eq!(
///     String::from_utf8(lines)?,
///     "{\"record\":2,\"message\":2,\"visible\":\"By noon.\",\"reasoning\":{\"text\":\"Low pressure.\",\"tokensEst\":4}}\n"
/// );
/// assert_eq!(report.messages, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`split`]; and [`Error::Read`] or [`Error::Write`] if the reader or the writer fails.
pub fn split_io(
    mut reader: impl BufRead,
    mut writer: impl Write,
    options: &SplitOptions,
) -> Result<SplitReport, Error<SplitReport>> {
    seam::split(seam::splitting(options, false)?.read(&mut reader, &mut writer)?)
}

/// [`split`] for an input that comes piece by piece. It does no input or output of its own and needs no thread.
///
/// ```
/// use unthink::{SplitOptions, Splitter};
///
/// let mut splitter = Splitter::new(&SplitOptions::default())?;
/// assert!(splitter.push(b"{\"role\":\"assistant\",\"reasoning\":\"Low pres").is_empty());
/// let messages = splitter.push(b"sure.\",\"content\":\"Rain by noon.\"}\n{\"role\":\"user\",");
/// assert_eq!(messages[0].reasoning.as_deref(), Some("Low pressure."));
/// let done = splitter.cut()?;
/// assert_eq!((done.messages.len(), done.report.messages), (0, 1));
///
/// // Of an input that has come whole, the end is an end.
/// let mut splitter = Splitter::new(&SplitOptions::default())?;
/// assert!(splitter.push(b"<think>Low pressure.</think>Rain by noon.").is_empty());
/// assert_eq!(splitter.finish()?.messages[0].visible, "Rain by noon.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Splitter {
    run: Run<Report>,
    fields: Vec<String>,
}

impl Splitter {
    /// A splitter at the start of an input.
    ///
    /// # Errors
    /// If an option has a value that it cannot have.
    pub fn new(options: &SplitOptions) -> Result<Self, InvalidOption> {
        Ok(Self { run: seam::splitting(options, true)?, fields: options.fields.clone() })
    }

    /// Takes the next bytes of the input. Returns the messages of the assistant that are over now.
    pub fn push(&mut self, input: &[u8]) -> Vec<Message> {
        self.run.push(input);
        let over = self.run.output().take_messages();
        over.into_iter().map(|found| Message::new(found, &self.fields)).collect()
    }

    /// Ends the input. Returns the rest of the messages, and what was done.
    ///
    /// # Errors
    /// As [`split`].
    pub fn finish(self) -> Result<Split, Error<Split>> {
        self.end(true)
    }

    /// Ends an input whose rest is missing, as after a lost connection: a record that has not come whole is left out
    /// without an error.
    ///
    /// # Errors
    /// As [`split`], for the records that have come whole.
    pub fn cut(self) -> Result<Split, Error<Split>> {
        self.end(false)
    }

    fn end(self, whole: bool) -> Result<Split, Error<Split>> {
        let (_, mut ran) = self.run.end(whole);
        let rest = ran.output.take_messages();
        let messages = rest.into_iter().map(|found| Message::new(found, &self.fields)).collect();
        match seam::split(ran) {
            Ok(report) => Ok(Split { messages, report }),
            Err(e) => Err(e.map(|report| Split { messages, report })),
        }
    }
}

impl fmt::Debug for Splitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is held of the input may be reasoning.
        f.debug_struct("Splitter").finish_non_exhaustive()
    }
}
