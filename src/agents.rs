//! A log in which several agents speak, for all commands: sequences of reasoning, who has the word, and messages folded
//! from their pieces.

pub mod delegation;
pub mod fold;
pub mod regroup;
pub mod sequences;
