//! Input, options, output and summary of the postprocessing split.

use crate::model::PieceKind;

/// How the text of messages is processed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// How many words of reasoning count as such: the rest is answer.
    pub max_tokens: u64,
    /// The least number of words that stay of a repetition; 0 is off.
    pub n: u64,
    /// Within how many words repetition is searched for; 0 is off.
    pub window: u64,
    /// Runs of the same white space become one.
    pub collapse: bool,
}

/// How messages are processed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostprocOptions {
    /// How the text is processed, if it is.
    pub process: Option<Process>,
    /// The answer is searched for reasoning.
    pub leaks: bool,
    /// Commentary and tool calls do not count as answer.
    pub apart: bool,
    /// The text between blocks of reasoning.
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

/// A piece of output, which no later input changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostprocOutput<'a> {
    /// A word, with the white space before it.
    Text(Channel, &'a str),
    /// A tool call in the text, as it stood there.
    Call(&'a [u8]),
}

/// A stretch of a message.
#[derive(Clone, Copy, Debug)]
pub struct PostprocInput<'a> {
    /// Its kind.
    pub kind: PieceKind,
    /// It begins a block, or a text of its own.
    pub fresh: bool,
    /// It is reasoning whose source stands in the answer's text.
    pub inline: bool,
    /// It ends a tool call.
    pub whole: bool,
    /// Its text, as UTF-8 or WTF-8, cut anywhere.
    pub text: &'a [u8],
}

/// The summary of a whole message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostprocSummary {
    /// All words of the reasoning.
    pub reasoning: String,
    /// All words of the answer.
    pub answer: String,
    /// All words of the commentary.
    pub commentary: String,
    /// How many words the reasoning has.
    pub reasoning_tokens: u64,
    /// How many words the answer has.
    pub final_tokens: u64,
    /// Reasoning leaked into the answer.
    pub leaked: bool,
}

impl PostprocSummary {
    /// The share of reasoning among both; 0 if there is nothing.
    #[cfg(feature = "cli")]
    pub fn ratio(&self) -> f64 {
        ratio(self.reasoning_tokens, self.final_tokens)
    }
}

/// The share of the first among both; 0 if there is nothing.
#[cfg(feature = "cli")]
pub fn ratio(reasoning: u64, answer: u64) -> f64 {
    match reasoning + answer {
        0 => 0.0,
        all => reasoning as f64 / all as f64,
    }
}
