//! Which result answers which call, where the input does not say so: writers of other formats need an identifier for both.

use super::content::{Attribute, Block, BlockMessage, ContentKind, Other};
use crate::json::text::decoded;
use std::collections::{HashSet, VecDeque};

/// Gives calls without an identifier one that no other has, and results without an identifier those of the calls before
/// them, in order: of the calls of the tool that the result names, or of all: old formats have a single call in a
/// message, and know it by its place.
#[derive(Debug)]
pub struct CallNames {
    /// The name of the tool that a call names, as a JSON string.
    name: fn(&Block) -> Vec<u8>,
    /// So many identifiers were made.
    made: u64,
    /// The calls without a result so far.
    waiting: VecDeque<OpenCall>,
    /// The messages with calls so far.
    round: u64,
}

/// A call without a result.
#[derive(Debug)]
struct OpenCall {
    id: Vec<u8>,
    /// The name of its tool, as a JSON string; empty if it has none.
    name: Vec<u8>,
    /// The number of its message among those with calls.
    round: u64,
    /// Its identifier was made.
    made: bool,
    /// Its tool takes free text.
    free: bool,
}

/// How many calls wait for a result at most.
const MAX_WAITING_CALLS: usize = 1024;

impl CallNames {
    /// The calls of a conversation that begins. `name`: the name of the tool that a call names, as a JSON string.
    pub fn new(name: fn(&Block) -> Vec<u8>) -> Self {
        Self { name, made: 0, waiting: VecDeque::new(), round: 0 }
    }

    /// Those of another conversation.
    pub fn anew(&self) -> Self {
        Self::new(self.name)
    }

    /// The next messages of a conversation.
    pub fn complete(&mut self, messages: &mut [BlockMessage]) {
        let (call, result) = (ContentKind::Other(Other::Call), ContentKind::Other(Other::Result));
        let blocks = messages.iter().flat_map(|message| &message.blocks);
        let taken: HashSet<Vec<u8>> =
            blocks.filter_map(|block| block.filled(Attribute::CallId)).map(<[u8]>::to_vec).collect();
        for message in messages {
            self.round += u64::from(message.calls());
            for block in &mut message.blocks {
                if block.kind == call {
                    let made = block.filled(Attribute::CallId).is_none();
                    if made {
                        block.facts.insert(0, (Attribute::CallId, self.make(&taken)));
                    }
                    self.wait(block, made);
                } else if block.kind == result {
                    self.answer(block, &taken);
                }
            }
        }
    }

    /// Gives a result what it lacks of the call that it answers. `taken`: the identifiers of calls in these messages.
    fn answer(&mut self, block: &mut Block, taken: &HashSet<Vec<u8>>) {
        let call = match block.filled(Attribute::ResultOf).map(<[u8]>::to_vec) {
            Some(id) if !taken.contains(&id) && self.is_unknown(&id) => {
                // The input has identifiers on the side of the results only.
                let at = self.waiting.iter().position(|call| call.made);
                let call = at.and_then(|at| self.waiting.remove(at));
                let answers = block.facts.iter_mut().find(|(name, _)| *name == Attribute::ResultOf);
                if let (Some((_, id)), Some(call)) = (answers, &call) {
                    id.clone_from(&call.id);
                }
                call
            }
            Some(id) => {
                let at = self.waiting.iter().position(|call| call.id == id);
                let call = at.and_then(|at| self.waiting.remove(at));
                // Programs that copy what was said before copy the identifiers of calls, too.
                self.waiting.retain(|call| call.id != id);
                call
            }
            None => {
                let call = self.answered(block.filled(Attribute::Name));
                match &call {
                    Some(call) => block.facts.insert(0, (Attribute::ResultOf, call.id.clone())),
                    None => become_text(block),
                }
                call
            }
        };
        if call.as_ref().is_some_and(|call| call.free) {
            block.facts.push((Attribute::Free, b"true".to_vec()));
        }
        // Some formats know a result by the name of its tool, too.
        let name = call.map(|call| call.name).filter(|name| !name.is_empty() && block.get(Attribute::Name).is_none());
        block.facts.extend(name.map(|name| (Attribute::Name, name)));
    }

    /// Whether no open call has this identifier, but one has none of its own.
    fn is_unknown(&self, id: &[u8]) -> bool {
        self.waiting.iter().any(|call| call.made) && !self.waiting.iter().any(|call| call.id == id)
    }

    /// Notes a call.
    fn wait(&mut self, block: &Block, made: bool) {
        let Some(id) = block.filled(Attribute::CallId).map(<[u8]>::to_vec) else { return };
        let name = Some((self.name)(block)).filter(|name| name.len() > 2).unwrap_or_default();
        let free = block.get(Attribute::Free).is_some();
        self.waiting.push_back(OpenCall { id, name, round: self.round, made, free });
        if self.waiting.len() > MAX_WAITING_CALLS {
            self.waiting.pop_front();
        }
    }

    /// The call that a result without an identifier answers: the first open one of the tool that the result names. If
    /// it names none, or one whose calls have none, the first open call of the last message with calls.
    fn answered(&mut self, name: Option<&[u8]>) -> Option<OpenCall> {
        let named = name.and_then(|name| self.waiting.iter().position(|call| call.name == name));
        let round = self.round;
        let plain = |call: &OpenCall| call.round == round && (name.is_none() || call.name.is_empty());
        let at = named.or_else(|| self.waiting.iter().position(plain))?;
        self.waiting.remove(at)
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
        *block = Block { text: text.into(), fed: true, ..Block::new(ContentKind::Text, "", block.number) };
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
            "c" => (Other::Call, Attribute::CallId),
            _ => (Other::Result, Attribute::ResultOf),
        };
        let mut block = Block::new(ContentKind::Other(what), "", 0);
        if !id.is_empty() {
            block.facts.push((name, format!("\"{id}\"").into_bytes()));
        }
        block
    }

    fn names(messages: &[BlockMessage]) -> String {
        let name = |block: &Block| {
            let id = block.get(Attribute::CallId).or(block.get(Attribute::ResultOf)).unwrap_or_default();
            String::from_utf8_lossy(id).trim_matches('"').to_string()
        };
        let line = |message: &BlockMessage| message.blocks.iter().map(name).collect::<Vec<_>>().join(" ");
        messages.iter().map(line).collect::<Vec<_>>().join(" | ")
    }

    fn messages(text: &str) -> Vec<BlockMessage> {
        let message = |text: &str| BlockMessage {
            blocks: text.split_whitespace().map(block).collect(),
            ..BlockMessage::new(Role::Assistant)
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
            // Only the result has one.
            ("c | rx | ca | ra", "call_1 | call_1 | a | a"),
            ("c c | rx | ry", "call_1 call_2 | call_1 | call_2"),
            // Several calls are answered in their order.
            ("c c | r | r", "call_1 call_2 | call_1 | call_2"),
            // A result that names its call leaves the others to those that name none.
            ("ca cb | ra | r", "a b | a | b"),
            // What was not answered before the next calls is not answered by a result without a name.
            ("ca | cb | r", "a | b | b"),
            // One result too many.
            ("ca | ra | r", "a | a | "),
            // A result answers all calls with its identifier.
            ("ca ca cb | ra | r", "a a b | a | b"),
            // No identifier is given twice.
            ("c | r | ccall_1 | rcall_1", "call_2 | call_2 | call_1 | call_1"),
        ] {
            let mut all = messages(given);
            CallNames::new(|call| call.filled(Attribute::Name).unwrap_or_default().to_vec()).complete(&mut all);
            assert_eq!(names(&all), completed, "{given}");
        }
        // A result that names its tool only answers the first open call of that tool, also one of an earlier message.
        let name = |block: &mut Block, name: &str| block.facts.push((Attribute::Name, format!("\"{name}\"").into()));
        let mut all = messages("ca cb cc | cd | r r r r");
        for (at, tool) in ["x", "y", "x"].into_iter().enumerate() {
            name(&mut all[0].blocks[at], tool);
        }
        name(&mut all[1].blocks[0], "z");
        for (at, tool) in ["y", "x", "z", "w"].into_iter().enumerate() {
            name(&mut all[2].blocks[at], tool);
        }
        CallNames::new(|call| call.filled(Attribute::Name).unwrap_or_default().to_vec()).complete(&mut all);
        assert_eq!(names(&all), "a b c | d | b a d ");
        // Message by message.
        let (mut all, mut calls) = (
            messages("c | r | c c | r | r"),
            CallNames::new(|call| call.filled(Attribute::Name).unwrap_or_default().to_vec()),
        );
        all.chunks_mut(1).for_each(|one| calls.complete(one));
        assert_eq!(names(&all), "call_1 | call_1 | call_2 call_3 | call_2 | call_3");
    }
}
