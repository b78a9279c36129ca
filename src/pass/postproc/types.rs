//! Input, options, output and summary of the postprocessing split.

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

/// How messages are processed.
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
    /// Text for the person before a tool is called.
    Commentary,
}

/// An output: what no later input changes.
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

/// The summary of a message that is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostprocSummary {
    /// All words of the reasoning.
    pub reasoning: String,
    /// All words of the answer.
    pub answer: String,
    /// All words of the commentary.
    pub commentary: String,
    /// How many words of reasoning.
    pub reasoning_tokens: u64,
    /// How many words of answer.
    pub final_tokens: u64,
    /// Reasoning leaked into the answer.
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
