//! Marks of a message: what it does besides its text.

use crate::span::Span;

/// What a message does besides its text, in conversations that several agents lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It hands the conversation to another agent. `intermediate`: all messages of that agent are steps on the way.
    Delegates {
        /// All messages of that agent are steps on the way.
        intermediate: bool,
    },
    /// It hands the conversation back.
    Returns,
    /// It is a step on the way to the answer.
    Intermediate,
}

/// The written form of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionForm {
    /// As a line of a prompt.
    Xml,
    /// In the short form of the program that made them.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    Short,
}

/// A mark of a message, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The mark.
    pub mark: Mark,
    /// The instructions for the agent that gets the conversation, decoded, as WTF-8.
    pub prompt: Vec<u8>,
    /// The bytes of the mark in the input.
    pub at: Span,
}
