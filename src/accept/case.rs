//! What a rule sees, and what it says.

use super::conversation::{RequestBlock, RequestConversation, RequestMessage, RequestOrigin, RequestPart};
use super::edit::TextEdit;
use super::model::Model;
use super::targets::Target;
use super::value::{Object, Value};
use crate::json::quote;
use std::ops::Range;

/// A conversation that is sent to a target.
pub struct TargetCase<'a, 'c> {
    pub target: &'static Target,
    pub model: &'c Model,
    /// The user named the model; otherwise it is the one that the text has.
    pub is_named: bool,
    pub conversation: &'c RequestConversation<'a>,
    /// What is put in where a text is demanded.
    pub fill: &'c Fill,
    /// What becomes of thoughts that the target does not take as such; by default they go.
    pub foreign: Option<ForeignThoughts>,
}

/// What is put in where a provider demands a text that is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// The least that is taken: nothing, or a space.
    #[default]
    Least,
    /// A text that names the tool and the number of the message, and so is another one each time.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    Unique,
    /// This text.
    Text(String),
}

/// What becomes of thoughts that a target does not take as thoughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignThoughts {
    /// They go.
    Drop,
    /// They stay as a text of the answer.
    Text,
}

/// Something that a rule found.
#[derive(Clone, Debug)]
pub struct TargetHit {
    /// The provider refuses it; otherwise the text cannot tell, or it is taken and does harm.
    pub is_certain: bool,
    /// The value that it is about.
    pub at: Range<usize>,
    /// The index of the message.
    pub message: Option<usize>,
    /// How many places there are, if they are told as one.
    pub places: u64,
    /// What mends it.
    pub mend: Option<Mend>,
}

/// What mends a finding.
#[derive(Clone, Debug)]
pub struct Mend {
    pub rank: Rank,
    /// What must be asked for.
    pub need: Option<Need>,
    pub edits: Vec<TextEdit>,
}

/// The order of repairs: the first that any finding has is made, and then all rules are asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A member that is too much.
    Key,
    /// A block, or an item.
    Block,
    /// A message that is empty.
    Message,
    /// Identifiers.
    Id,
    /// A member or a block that is missing.
    Insert,
    /// Settings of the request.
    Setting,
}

/// A repair that has to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// `--hollow`: signed blocks without a text go.
    Hollow,
    /// `--settings`: settings of the request change.
    Settings,
    /// `--drop encrypted`: all that only one account can read goes.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    Encrypted,
}

impl Need {
    /// The option that asks for it.
    #[cfg(feature = "cli")]
    pub fn option(self) -> &'static str {
        match self {
            Need::Hollow => "--hollow",
            Need::Settings => "--settings",
            Need::Encrypted => "--drop encrypted",
        }
    }
}

impl TargetHit {
    /// The provider refuses this value.
    pub fn refused(message: usize, at: Range<usize>) -> Self {
        Self { is_certain: true, at, message: Some(message), places: 1, mend: None }
    }

    /// It may do so, or take it and do harm.
    pub fn doubted(message: usize, at: Range<usize>) -> Self {
        Self { is_certain: false, ..Self::refused(message, at) }
    }

    /// It is about the request as a whole.
    pub fn of_request(self) -> Self {
        Self { message: None, ..self }
    }

    /// Whether the provider refuses it for certain.
    pub fn certain(self, is_certain: bool) -> Self {
        Self { is_certain, ..self }
    }

    /// Sets what mends it.
    pub fn mend(self, rank: Rank, edits: Vec<TextEdit>) -> Self {
        Self { mend: Some(Mend { rank, need: None, edits }), ..self }
    }

    /// Sets what mends it, if that is asked for.
    pub fn mend_if(self, need: Need, rank: Rank, edits: Vec<TextEdit>) -> Self {
        Self { mend: Some(Mend { rank, need: Some(need), edits }), ..self }
    }
}

impl<'a> TargetCase<'a, '_> {
    /// The messages with their numbers.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = (usize, &RequestMessage<'a>)> {
        self.conversation.messages.iter().enumerate()
    }

    /// The messages of the assistant.
    pub fn answers(&self) -> impl DoubleEndedIterator<Item = (usize, &RequestMessage<'a>)> {
        self.messages().filter(|(_, message)| message.is_assistant())
    }

    /// The assistant's blocks of thinking, with the numbers of their messages.
    pub fn thinking(&self) -> impl Iterator<Item = (usize, &RequestBlock<'a>)> {
        self.conversation.thinking()
    }

    /// All blocks of the assistant, with the numbers of their messages.
    pub fn answered(&self) -> impl Iterator<Item = (usize, &RequestBlock<'a>)> {
        self.answers().flat_map(|(number, message)| message.blocks.iter().map(move |block| (number, block)))
    }

    /// A setting of the request, also of those that pass through to a template or another service.
    pub fn setting(&self, key: &str) -> Option<Value<'a>> {
        let root = self.conversation.root.as_ref()?;
        let through = ["extra_body", "chat_template_kwargs", "additionalModelRequestFields"];
        root.get(key).or_else(|| through.iter().find_map(|outer| root.inner(outer)?.get(key)))
    }

    /// Cuts these members.
    pub fn cut_keys(object: &Object<'_>, keys: &[&str]) -> Vec<TextEdit> {
        keys.iter().flat_map(|key| object.named(key)).map(TextEdit::Cut).collect()
    }

    /// Cuts a message: from its list, or with its lines.
    pub fn cut_message(&self, number: usize) -> Vec<TextEdit> {
        let Some(message) = self.conversation.messages.get(number) else { return Vec::new() };
        let cut = |part: &RequestPart<'_>| part.line.map_or_else(|| TextEdit::Cut(part.object.at()), TextEdit::CutLine);
        message.parts.iter().map(cut).collect()
    }

    /// Cuts the blocks of a message that are thinking.
    pub fn cut_thinking(&self, number: usize) -> Vec<TextEdit> {
        let Some(message) = self.conversation.messages.get(number) else { return Vec::new() };
        message.blocks.iter().filter(|block| block.thinks()).map(|block| TextEdit::Cut(block.object.at())).collect()
    }

    /// Puts a member into an object, behind the others and written as they are.
    pub fn put_member(object: &Object<'_>, key: &str, value: &str) -> TextEdit {
        let member = [b"\"", key.as_bytes(), b"\"", object.colon(), value.as_bytes()].concat();
        match object.last_end() {
            Some(end) => TextEdit::Put(end, [object.comma(), &member].concat()),
            None => TextEdit::Put(object.at().start + 1, member),
        }
    }

    /// Sets a member of an object: its value is replaced, or it is put in.
    pub fn set_member(object: &Object<'_>, key: &str, value: &str) -> TextEdit {
        match object.get(key) {
            Some(old) => TextEdit::Replace(old.at(), value.as_bytes().to_vec()),
            None => Self::put_member(object, key, value),
        }
    }

    /// Puts an element behind the others of a list.
    pub fn push(list: Value<'_>, text: &[u8], element: &str) -> Vec<TextEdit> {
        let all: Vec<Value<'_>> = list.list().collect();
        let Some(last) = all.last() else {
            return vec![TextEdit::Put(list.at().start + 1, element.as_bytes().to_vec())];
        };
        vec![TextEdit::Put(last.at().end, [comma(text, &all), element.as_bytes()].concat())]
    }

    /// Puts an element in front of the others of a list that has some.
    pub fn push_front(list: Value<'_>, text: &[u8], element: &str) -> Vec<TextEdit> {
        let all: Vec<Value<'_>> = list.list().collect();
        let put = |first: &Value<'_>| TextEdit::Put(first.at().start, [element.as_bytes(), comma(text, &all)].concat());
        all.first().map(put).into_iter().collect()
    }

    /// Puts a message behind the last one; a log of lines gets none.
    pub fn push_message(&self, message: &str) -> Vec<TextEdit> {
        let Some(list) = self.conversation.list else { return Vec::new() };
        let text = self.conversation.messages.first().map(|message| message.object().text());
        text.map_or_else(Vec::new, |text| Self::push(list, text, message))
    }

    /// What is put in for a text that is lost: a JSON string. `least` is the least that is taken.
    pub fn filler(&self, number: usize, least: &str) -> String {
        match self.fill {
            Fill::Least => quoted(least),
            Fill::Text(text) => quoted(text),
            Fill::Unique => {
                let tool = self.conversation.messages.get(number).and_then(RequestMessage::tool);
                quoted(&format!("(reasoning not kept: {} {})", tool.as_deref().unwrap_or("call"), number + 1))
            }
        }
    }

    /// Whether the conversation is a request, whose settings are all that there are.
    pub fn is_request(&self) -> bool {
        self.conversation.origin == RequestOrigin::Request
    }
}

/// What stands between two elements of a list: the comma and the white space around it.
fn comma<'t>(text: &'t [u8], all: &[Value<'_>]) -> &'t [u8] {
    match all {
        [first, second, ..] => &text[first.at().end..second.at().start],
        _ => b",",
    }
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    String::from_utf8_lossy(&quote::quoted(text.as_bytes())).into_owned()
}
