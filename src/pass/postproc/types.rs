//! What the postprocessing split is told, and what it tells.

use crate::model::Kind;

/// What is done to the text of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Words of reasoning before the rest of it is answer.
    pub max_tokens: u64,
    /// What stays of a repetition is at least so many words; 0 is off.
    pub n: u64,
    /// In how many words repetition is looked for; 0 is off.
    pub window: u64,
    /// Runs of the same white space become one.
    pub collapse: bool,
}

/// How a message is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostprocOptions {
    /// What is done to it.
    pub process: Option<Process>,
    /// Reasoning is looked for in the answer.
    pub leaks: bool,
    /// Commentary and tool calls are no part of the answer.
    pub apart: bool,
    /// What stands between blocks of reasoning.
    pub join: String,
}

/// Which text of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The reasoning.
    Analysis,
    /// The answer.
    Delta,
    /// What the person is told before a tool is called.
    Commentary,
}

/// What is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostprocOutput<'a> {
    /// A word, with the white space before it.
    Text(Channel, &'a str),
    /// A tool call that stood in the text, as it stood there.
    Call(&'a [u8]),
}

/// A stretch of a message.
#[derive(Clone, Copy, Debug)]
pub struct PostprocInput<'a> {
    /// What it is.
    pub kind: Kind,
    /// It begins a block, or a text of its own.
    pub fresh: bool,
    /// Its source stands in the text of the answer.
    pub inline: bool,
    /// The tool call is over.
    pub whole: bool,
    /// Its text, as UTF-8 or WTF-8, cut anywhere.
    pub text: &'a [u8],
}

/// What a message came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostprocSummary {
    /// Everything that was told of the reasoning.
    pub reasoning: String,
    /// Everything that was told of the answer.
    pub answer: String,
    /// Everything that was told of the commentary.
    pub commentary: String,
    /// Words of the reasoning.
    pub reasoning_tokens: u64,
    /// Words of the answer.
    pub final_tokens: u64,
    /// Reasoning that was not told as answer stands in the answer.
    pub leaked: bool,
}

impl PostprocSummary {
    /// The share of reasoning, 0 where there is nothing.
    pub fn ratio(&self) -> f64 {
        ratio(self.reasoning_tokens, self.final_tokens)
    }
}

/// The share of the first in both, 0 where there is nothing.
pub fn ratio(reasoning: u64, answer: u64) -> f64 {
    match reasoning + answer {
        0 => 0.0,
        all => reasoning as f64 / all as f64,
    }
}
