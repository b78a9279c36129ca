//! Decides whether a record is of the format that it was walked by, and which of its values are used: all others are
//! searched.

use super::roles::speaker_of;
use crate::agents::delegation::{MAX_PROMPT_UNITS, is_blank, prompt_length};
use crate::dialect::formats::shared::role;
use crate::dialect::read::{Node, Walked};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::error::Error;
use crate::frame::Body;
use crate::json::Literal;
use crate::model::{Mark, Role, SequenceStep};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// Which nodes of a record are part of a message of another role than the assistant. Each node is looked at once,
/// however many of its members ask.
pub struct Authors<'w> {
    walked: &'w Walked,
    record: &'w [u8],
    /// The answers so far, by the number of the node.
    known: RefCell<Vec<Option<bool>>>,
    /// The authors of blocks that stand apart from their messages, if it was asked for them.
    apart: OnceCell<ApartAuthors<'w>>,
}

/// Who speaks in blocks that stand apart from their messages: whether it is only others than the assistant.
#[derive(Default)]
struct ApartAuthors<'w> {
    /// By the identifier of the block, and by that of the message.
    blocks: HashMap<Cow<'w, [u8]>, bool>,
    messages: HashMap<Cow<'w, [u8]>, bool>,
}

impl<'w> ApartAuthors<'w> {
    fn new(walked: &'w Walked, record: &'w [u8]) -> Self {
        let mut authors = Self::default();
        let note = |known: &mut HashMap<_, bool>, id, others| {
            known.entry(id).and_modify(|all| *all &= others).or_insert(others);
        };
        let messages =
            (0..walked.nodes.len() as u32).filter(|node| walked.nodes[*node as usize].slot == Slot::Messages);
        for message in messages {
            let others = speaker_of(walked, record, message).is_some_and(|role| role != Role::Assistant);
            for part in walked.children(message, Slot::Parts).filter_map(|part| walked.literal(part, Slot::Text)) {
                note(&mut authors.blocks, part.decoded(record), others);
            }
            if let Some(id) = walked.get(message, Slot::Id) {
                note(&mut authors.messages, id.plain(record), others);
            }
        }
        authors
    }

    /// Whether this block is of others only. One that no message names is of the message that it names.
    fn is_others(&self, walked: &Walked, record: &[u8], block: u32) -> bool {
        let of =
            |slot, known: &HashMap<Cow<'_, [u8]>, bool>| known.get(&walked.get(block, slot)?.plain(record)).copied();
        of(Slot::Id, &self.blocks).or_else(|| of(Slot::PartOf, &self.messages)).unwrap_or(false)
    }
}

impl<'w> Authors<'w> {
    pub fn new(walked: &'w Walked, record: &'w [u8]) -> Self {
        Self { walked, record, known: RefCell::default(), apart: OnceCell::new() }
    }

    /// Whether a node is part of a message of another role than the assistant.
    pub fn is_others(&self, node: u32) -> bool {
        let mut known = self.known.borrow_mut();
        known.resize(self.walked.nodes.len(), None);
        self.answer(&mut known, node)
    }

    /// Whether a node is a block that stands apart from its message, which is of another role.
    fn is_apart_from_model(&self, node: u32) -> bool {
        let (walked, record) = (self.walked, self.record);
        let apart = || self.apart.get_or_init(|| ApartAuthors::new(walked, record));
        walked.nodes[node as usize].slot == Slot::Apart && apart().is_others(walked, record, node)
    }

    /// The functions call each other as deep as nodes nest.
    fn answer(&self, known: &mut [Option<bool>], node: u32) -> bool {
        let Some(answer) = known.get(node as usize) else { return false };
        answer.unwrap_or_else(|| {
            let Node { slot, parent, .. } = self.walked.nodes[node as usize];
            // A message that stands in the one that it answers is by another author.
            let outer = slot != Slot::Messages && self.answer(known, parent);
            let others = outer || is_others_itself(self.walked, self.record, node) || self.is_apart_from_model(node);
            known[node as usize] = Some(others);
            others
        })
    }
}

fn is_others_itself(walked: &Walked, record: &[u8], node: u32) -> bool {
    let user = || walked.get(node, Slot::Type).is_some_and(|kind| role(&kind.word(record)) == Some(Role::User));
    speaker_of(walked, record, node).is_some_and(|role| role != Role::Assistant)
        || user()
        || matches!(walked.nodes[node as usize].does, Does::Block(Kind::Result))
}

/// Whether a text in this node is one for the reader: no reasoning, and no part of a call.
pub fn is_spoken(walked: &Walked, node: u32) -> bool {
    let does = walked.nodes[node as usize].does;
    if let Some(kind) = does.kind() {
        return matches!(kind, Kind::Text | Kind::Refusal | Kind::Commentary | Kind::Message | Kind::Other);
    }
    match does {
        Does::Message | Does::Response | Does::Piece | Does::Feed(None) | Does::EndWith => true,
        Does::Sent(step) => !step.is_reasoning() && !matches!(step, SequenceStep::Call | SequenceStep::Result),
        _ => false,
    }
}

/// Whether a node is reasoning.
pub fn is_thought(walked: &Walked, node: u32) -> bool {
    match walked.nodes[node as usize].does {
        Does::Sent(step) => step.is_reasoning(),
        does => does.kind().is_some_and(Kind::is_reasoning),
    }
}

/// Whether a member of a node is text of another author. Under an attachment, the whole value counts.
pub fn is_quoted(walked: &Walked, record: &[u8], (node, key, value): (u32, Option<Literal>, usize)) -> bool {
    let Some((node, key)) = walked.nodes.get(node as usize).zip(key) else { return false };
    let Does::Quotes(keys) = node.does else { return false };
    let whole = node.slot == Slot::Attachment || record[value] == b'"';
    whole && keys.iter().any(|name| key.is(record, name))
}

/// Whether a node belongs to a message of reasoning, or to the arguments or the result of a tool call.
pub fn is_sent(walked: &Walked, mut node: u32) -> bool {
    let mut inside = false;
    while let Some(found) = walked.nodes.get(node as usize) {
        if let Does::Sent(step) = found.does {
            return step.is_reasoning() || inside && matches!(step, SequenceStep::Call | SequenceStep::Result);
        }
        (node, inside) = (found.parent, true);
    }
    false
}

/// Where an unknown type stands that may be one of reasoning, or messages that are not walked.
pub fn unclear(walked: &Walked) -> Option<usize> {
    if walked.too_deep.is_some() {
        return walked.too_deep;
    }
    let is = |node: &u32| matches!(walked.nodes[*node as usize].does, Does::Unclear);
    let node = (0..walked.nodes.len() as u32).find(is)?;
    let start = walked.nodes[node as usize].value.start;
    Some(walked.get(node, Slot::Type).map_or(start, |entry| entry.key.start - 1))
}

/// Whether a node stands where its parent does not use it, whoever the author is.
pub fn may_be_strange(walked: &Walked, node: u32) -> bool {
    let found = &walked.nodes[node as usize];
    let outer = walked.nodes.get(found.parent as usize).map_or(Does::Rest, |outer| outer.does);
    match found.slot {
        Slot::Inner => !is_used(outer, found.does),
        Slot::System => true,
        slot => !outer.takes(slot, found.does),
    }
}

/// Whether a node stands where its parent does not use it.
pub fn is_strange(walked: &Walked, authors: &Authors<'_>, node: u32) -> bool {
    // Instructions are not part of the conversation.
    may_be_strange(walked, node) && (walked.nodes[node as usize].slot == Slot::Inner || !authors.is_others(node))
}

/// Whether a record's instructions may hold text of the model, so that its format is certain.
pub fn is_instructed(walked: &Walked, record: &[u8]) -> bool {
    let mut nodes = (0..walked.nodes.len() as u32).filter(|node| walked.nodes[*node as usize].slot == Slot::System);
    let authors = Authors::new(walked, record);
    nodes.any(|node| is_strange(walked, &authors, node))
}

/// Checks that the program of this format would take the instructions for an agent: not empty, and not too long.
pub fn may_be_written(walked: &Walked, body: &Body<'_>) -> Result<(), Error> {
    for node in 0..walked.nodes.len() as u32 {
        let Does::Mark(Mark::Delegates { .. }) = walked.nodes[node as usize].does else { continue };
        let prompt = walked.get(node, Slot::System).map(|entry| entry.word(body.text).into_owned()).unwrap_or_default();
        let offset = walked.nodes[node as usize].value.start;
        if is_blank(&prompt) {
            return Err(Error::new(offset, "a delegation whose agent is told nothing"));
        }
        if prompt_length(&prompt) > MAX_PROMPT_UNITS {
            return Err(Error::new(offset, "a delegation whose agent is told more than 50,000 characters"));
        }
    }
    Ok(())
}

/// Whether a record is a request whose input is a text.
pub fn has_input(walked: &Walked) -> bool {
    walked.nodes.first().is_some_and(|node| node.does == Does::Request) && walked.literal(0, Slot::Input).is_some()
}

/// Whether a record is an event of a type that only its format has.
pub fn is_own_event(walked: &Walked) -> bool {
    let event = matches!(
        walked.nodes.first().map(|node| node.does),
        Some(
            Does::Begin
                | Does::Open
                | Does::OpenAs(_)
                | Does::Feed(_)
                | Does::Repeat(_)
                | Does::Grow(_)
                | Does::Close
                | Does::CloseAs(_)
                | Does::CloseWith
        )
    );
    event && walked.sure
}

/// Whether a walk confirms the format that the outermost members suggest: it recognised nodes, and an event without
/// content has only members that the format names. `log`: lines may have others.
pub fn is_whole(walked: &Walked, log: bool) -> bool {
    is_whole_from(walked, 0, log)
}

pub fn is_whole_from(walked: &Walked, node: u32, log: bool) -> bool {
    let does = |child: u32| walked.nodes[child as usize].does;
    let known = |child: u32| does(child) != Does::Rest;
    let some = |slot| {
        let mut all = walked.children(node, slot).peekable();
        all.peek().is_none() || all.any(known)
    };
    let unnamed = node == 0 && walked.has_unknown();
    let guest = |node: u32| walked.get(node, Slot::ForeignMember).is_some();
    match does(node) {
        Does::Rest => false,
        Does::Unread => node > 0,
        Does::Nothing => log || !unnamed && walked.children(node, Slot::Error).all(known),
        // An event that names its response is certain, as is one that says why it ended.
        Does::End | Does::Close => {
            !unnamed || [Slot::Id, Slot::Stop].iter().any(|slot| walked.get(node, *slot).is_some())
        }
        Does::Message if log => walked.children(node, Slot::Inner).all(known),
        Does::Envelope | Does::Undelivered => {
            walked.children(node, Slot::Inner).all(|child| is_whole_from(walked, child, false))
        }
        Does::Records => walked.children(node, Slot::List).any(|child| is_whole_from(walked, child, log)),
        Does::Message | Does::Response if guest(node) => false,
        Does::Request
            if walked.children(node, Slot::Messages).any(guest) || walked.children(node, Slot::List).any(guest) =>
        {
            false
        }
        Does::Request | Does::Response | Does::Message => {
            // Of a list that is flattened there are only the elements.
            let list = |slot| walked.get(node, slot).is_some() || walked.children(node, slot).next().is_some();
            let lists = [Slot::List, Slot::Messages, Slot::Sessions, Slot::Again].into_iter().any(list);
            let parts = |child: u32| does(child) != Does::Message || is_whole_from(walked, child, false);
            let messages = walked.children(node, Slot::Messages).any(parts)
                || walked.children(node, Slot::Messages).next().is_none();
            let shown =
                [Slot::Text, Slot::OwnParameter, Slot::Template].iter().any(|slot| walked.get(node, *slot).is_some());
            (lists || !unnamed || shown) && some(Slot::List) && messages && !holds_no_object(walked, node)
        }
        _ => true,
    }
}

/// Whether the messages of a request are none of this format: its list has elements, but no object.
fn holds_no_object(walked: &Walked, node: u32) -> bool {
    let no_object =
        |child: u32| walked.nodes[child as usize].does == Does::Rest && walked.all_of(child).next().is_none();
    let mut all = walked.children(node, Slot::Messages).peekable();
    all.peek().is_some() && all.all(no_object)
}

/// Whether a node uses an object inside of it.
pub fn is_used(outer: Does, inner: Does) -> bool {
    let thinks = matches!(inner, Does::Block(kind) if kind.is_reasoning());
    match outer {
        Does::Feed(Some(kind)) | Does::Repeat(Some(kind)) | Does::Grow(Some(kind))
            if thinks && !kind.is_reasoning() =>
        {
            false
        }
        Does::Open | Does::Feed(_) | Does::Repeat(_) | Does::Grow(_) | Does::CloseWith => {
            matches!(inner, Does::Block(_) | Does::Nothing | Does::Rest)
        }
        Does::Begin | Does::EndWith | Does::Message => matches!(inner, Does::Message | Does::Response | Does::Rest),
        Does::Amend => matches!(inner, Does::Nothing | Does::Rest),
        _ => true,
    }
}
