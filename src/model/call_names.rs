//! Which result answers which call, where the input does not say so: writers of other formats need an identifier for both.

use super::content::{Attribute, Block, Kind, Message, What};
use crate::json::text::decoded;
use std::collections::{HashSet, VecDeque};

/// Gives calls without an identifier one that no other has, and results that name no call the identifiers of the calls
/// before them, in order: old formats have a single call in a message, and know it by its place.
#[derive(Debug, Default)]
pub struct CallNames {
    /// So many identifiers were made.
    made: u64,
    /// The calls of the last message with calls that have no result.
    waiting: VecDeque<Vec<u8>>,
}

impl CallNames {
    /// The next messages of a conversation.
    pub fn complete(&mut self, messages: &mut [Message]) {
        let (call, result) = (Kind::Other(What::Call), Kind::Other(What::Result));
        let blocks = messages.iter().flat_map(|message| &message.blocks);
        let taken: HashSet<Vec<u8>> =
            blocks.filter_map(|block| block.filled(Attribute::CallId)).map(<[u8]>::to_vec).collect();
        for message in messages {
            if message.calls() {
                self.waiting.clear();
            }
            for block in &mut message.blocks {
                if block.kind == call {
                    if block.filled(Attribute::CallId).is_none() {
                        block.facts.insert(0, (Attribute::CallId, self.make(&taken)));
                    }
                    self.waiting.extend(block.filled(Attribute::CallId).map(<[u8]>::to_vec));
                } else if block.kind == result {
                    match block.filled(Attribute::ResultOf) {
                        Some(id) => self.waiting.retain(|call| call != id),
                        None => match self.waiting.pop_front() {
                            Some(id) => block.facts.insert(0, (Attribute::ResultOf, id)),
                            None => become_text(block),
                        },
                    }
                }
            }
        }
    }

    fn make(&mut self, taken: &HashSet<Vec<u8>>) -> Vec<u8> {
        loop {
            self.made += 1;
            let id = format!("\"call_{}\"", self.made).into_bytes();
            if !taken.contains(&id) {
                return id;
            }
        }
    }
}

/// A result among texts, of a call that is not in the conversation, or is a part of a text: providers refuse it as a
/// result.
fn become_text(block: &mut Block) {
    let result = block.get(Attribute::Result).filter(|_| block.get(Attribute::CallText).is_some());
    if let Some([b'"', text @ .., b'"']) = result {
        let text = decoded(text);
        *block = Block { text, fed: true, ..Block::new(Kind::Text, "", block.number) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Role;

    /// A call or a result, with its identifier.
    fn block(text: &str) -> Block {
        let (kind, id) = text.split_at(1);
        let (what, name) = match kind {
            "c" => (What::Call, Attribute::CallId),
            _ => (What::Result, Attribute::ResultOf),
        };
        let mut block = Block::new(Kind::Other(what), "", 0);
        if !id.is_empty() {
            block.facts.push((name, format!("\"{id}\"").into_bytes()));
        }
        block
    }

    fn names(messages: &[Message]) -> String {
        let name = |block: &Block| {
            let id = block.get(Attribute::CallId).or(block.get(Attribute::ResultOf)).unwrap_or_default();
            String::from_utf8_lossy(id).trim_matches('"').to_string()
        };
        let line = |message: &Message| message.blocks.iter().map(name).collect::<Vec<_>>().join(" ");
        messages.iter().map(line).collect::<Vec<_>>().join(" | ")
    }

    fn messages(text: &str) -> Vec<Message> {
        let message = |text: &str| Message {
            blocks: text.split_whitespace().map(block).collect(),
            ..Message::new(Role::Assistant)
        };
        text.split('|').map(message).collect()
    }

    #[test]
    fn results_answer_the_calls_before_them() {
        for (given, completed) in [
            ("ca | ra", "a | a"),
            // Neither has an identifier, as with `function_call`: one call at a time.
            ("c | r | c | r", "call_1 | call_1 | call_2 | call_2"),
            // Only the call has one.
            ("ca | r", "a | a"),
            // Several calls are answered in their order.
            ("c c | r | r", "call_1 call_2 | call_1 | call_2"),
            // A result that names its call leaves the others to those that name none.
            ("ca cb | ra | r", "a b | a | b"),
            // What was not answered before the next calls is not answered by a result without a name.
            ("ca | cb | r", "a | b | b"),
            // One result too many.
            ("ca | ra | r", "a | a | "),
            // No identifier is given twice.
            ("c | r | ccall_1 | rcall_1", "call_2 | call_2 | call_1 | call_1"),
        ] {
            let mut all = messages(given);
            CallNames::default().complete(&mut all);
            assert_eq!(names(&all), completed, "{given}");
        }
        // Message by message.
        let (mut all, mut calls) = (messages("c | r | c c | r | r"), CallNames::default());
        all.chunks_mut(1).for_each(|one| calls.complete(one));
        assert_eq!(names(&all), "call_1 | call_1 | call_2 call_3 | call_2 | call_3");
    }
}
