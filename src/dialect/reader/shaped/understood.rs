//! Decides whether a record is of the format that it was walked by, and which of its values are used: all others are
//! searched.

use super::nodes::role_of;
use crate::dialect::formats::shared::role;
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Kind, Slot};
use crate::error::Error;
use crate::frame::Body;
use crate::json::Literal;
use crate::model::delegation::{LONGEST_PROMPT, is_blank, prompt_length};
use crate::model::{Mark, Role, Step};

/// Whether a node is part of a message of another role than the assistant.
pub(super) fn is_others(walked: &Walked, record: &[u8], mut node: u32) -> bool {
    while let Some(found) = walked.nodes.get(node as usize) {
        let user = || walked.get(node, Slot::Type).is_some_and(|kind| role(&kind.word(record)) == Some(Role::User));
        if role_of(walked, record, node).is_some_and(|role| role != Role::Assistant) || user() {
            return true;
        }
        if found.does == Does::Block(Kind::Result) {
            return true;
        }
        node = found.parent;
    }
    false
}

/// Whether a member of a node is text of another author. Under an attachment, the whole value counts.
pub(super) fn is_quoted(walked: &Walked, record: &[u8], (node, key, value): (u32, Option<Literal>, usize)) -> bool {
    let Some((node, key)) = walked.nodes.get(node as usize).zip(key) else { return false };
    let Does::Quotes(keys) = node.does else { return false };
    let whole = node.slot == Slot::Media || record[value] == b'"';
    whole && keys.iter().any(|name| key.is(record, name))
}

/// Whether a node belongs to a message of reasoning, or to the arguments or the result of a tool call.
pub(super) fn is_sent(walked: &Walked, mut node: u32) -> bool {
    let mut inside = false;
    while let Some(found) = walked.nodes.get(node as usize) {
        if let Does::Sent(step) = found.does {
            return step.is_reasoning() || inside && matches!(step, Step::Call | Step::Result);
        }
        (node, inside) = (found.parent, true);
    }
    false
}

/// Where an unknown type stands that may be one of reasoning.
pub(super) fn unclear(walked: &Walked) -> Option<usize> {
    let is = |node: &u32| walked.nodes[*node as usize].does == Does::Unclear;
    let node = (0..walked.nodes.len() as u32).find(is)?;
    walked.get(node, Slot::Type).map(|entry| entry.key.start - 1)
}

/// Whether a node stands where its parent does not use it.
pub(super) fn is_strange(walked: &Walked, record: &[u8], node: u32) -> bool {
    let found = &walked.nodes[node as usize];
    let outer = walked.nodes.get(found.parent as usize).map_or(Does::Rest, |outer| outer.does);
    match found.slot {
        Slot::Inner => !is_used(outer, found.does),
        // Instructions are not part of the conversation.
        Slot::System => !is_others(walked, record, node),
        _ => false,
    }
}

/// Whether a record's instructions may hold text of the model, so that its format is certain.
pub(super) fn is_instructed(walked: &Walked, record: &[u8]) -> bool {
    let mut nodes = (0..walked.nodes.len() as u32).filter(|node| walked.nodes[*node as usize].slot == Slot::System);
    nodes.any(|node| is_strange(walked, record, node))
}

/// Checks that the program of this format would take the instructions for an agent: not empty, and not too long.
pub(super) fn may_be_written(walked: &Walked, body: &Body<'_>) -> Result<(), Error> {
    for node in 0..walked.nodes.len() as u32 {
        let Does::Mark(Mark::Delegates { .. }) = walked.nodes[node as usize].does else { continue };
        let prompt = walked.get(node, Slot::System).map(|entry| entry.word(body.text).into_owned()).unwrap_or_default();
        let offset = walked.nodes[node as usize].value.start;
        if is_blank(&prompt) {
            return Err(Error::new(offset, "a delegation whose agent is told nothing"));
        }
        if prompt_length(&prompt) > LONGEST_PROMPT {
            return Err(Error::new(offset, "a delegation whose agent is told more than 50,000 characters"));
        }
    }
    Ok(())
}

/// Whether a record is a request whose input is a text.
pub(super) fn has_input(walked: &Walked) -> bool {
    walked.nodes.first().is_some_and(|node| node.does == Does::Request) && walked.literal(0, Slot::Input).is_some()
}

/// Whether a record is an event of a type that only its format has.
pub(super) fn is_own_event(walked: &Walked) -> bool {
    let event = matches!(
        walked.nodes.first().map(|node| node.does),
        Some(Does::Begin | Does::Open | Does::Feed(_) | Does::Repeat(_) | Does::Close | Does::CloseWith)
    );
    event && walked.sure
}

/// Whether a walk confirms the format that the outermost members suggest: it recognised nodes, and an event without
/// content has only members that the format names. `log`: lines may have others.
pub(super) fn is_whole(walked: &Walked, log: bool) -> bool {
    is_whole_from(walked, 0, log)
}

fn is_whole_from(walked: &Walked, node: u32, log: bool) -> bool {
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
        Does::Nothing => log || !unnamed && walked.children(node, Slot::Error).all(known),
        Does::End | Does::Close => !unnamed,
        Does::Message if log => walked.children(node, Slot::Inner).all(known),
        Does::Envelope | Does::Undelivered => {
            walked.children(node, Slot::Inner).all(|child| is_whole_from(walked, child, false))
        }
        Does::Records => walked.children(node, Slot::List).any(|child| is_whole_from(walked, child, log)),
        Does::Message | Does::Response if guest(node) => false,
        Does::Request if walked.children(node, Slot::Summary).chain(walked.children(node, Slot::List)).any(guest) => {
            false
        }
        Does::Request | Does::Response | Does::Message => {
            let lists = walked.get(node, Slot::List).or_else(|| walked.get(node, Slot::Summary)).is_some();
            let parts = |child: u32| does(child) != Does::Message || is_whole_from(walked, child, false);
            let messages = walked.children(node, Slot::Summary).any(parts)
                || walked.children(node, Slot::Summary).next().is_none();
            let shown =
                [Slot::Text, Slot::OwnParameter, Slot::Template].iter().any(|slot| walked.get(node, *slot).is_some());
            (lists || !unnamed || shown) && some(Slot::List) && messages
        }
        _ => true,
    }
}

/// Whether a node uses an object inside of it.
pub(super) fn is_used(outer: Does, inner: Does) -> bool {
    let thinks = matches!(inner, Does::Block(kind) if kind.is_reasoning());
    match outer {
        Does::Feed(Some(kind)) | Does::Repeat(Some(kind)) if thinks && !kind.is_reasoning() => false,
        Does::Open | Does::Feed(_) | Does::Repeat(_) | Does::CloseWith => {
            matches!(inner, Does::Block(_) | Does::Nothing | Does::Rest)
        }
        Does::Begin | Does::EndWith | Does::Message => matches!(inner, Does::Message | Does::Response | Does::Rest),
        Does::Amend => matches!(inner, Does::Nothing | Does::Rest),
        _ => true,
    }
}

/// Whether a node with this meaning uses the value in a slot. Values that are not used are searched.
pub(super) fn uses(does: Does, slot: Slot) -> bool {
    match slot {
        Slot::Inner => matches!(
            does,
            Does::Begin
                | Does::Open
                | Does::Feed(_)
                | Does::Repeat(_)
                | Does::CloseWith
                | Does::EndWith
                | Does::Amend
                | Does::Envelope
                | Does::Undelivered
                | Does::Sent(_)
                | Does::Block(Kind::Other)
                | Does::Message
        ),
        Slot::List | Slot::Summary => {
            matches!(does, Does::Request | Does::Response | Does::Message | Does::Records | Does::Block(_))
        }
        Slot::Text => match does {
            Does::Block(kind) => !matches!(kind, Kind::Call | Kind::Result | Kind::Hosted | Kind::Media),
            _ => matches!(does, Does::Feed(_) | Does::Repeat(_) | Does::Message | Does::Response | Does::Sent(_)),
        },
        // Only reasoning has signatures and ciphertexts that go with it.
        Slot::Signature | Slot::Ciphertext => match does {
            Does::Block(kind) | Does::Feed(Some(kind)) | Does::Repeat(Some(kind)) => kind.is_reasoning(),
            _ => matches!(does, Does::Feed(None) | Does::Sent(_)),
        },
        // A node of a tool has a schema in this slot, which is not searched either.
        Slot::Arguments => matches!(
            does,
            Does::Feed(_) | Does::Repeat(_) | Does::Block(_) | Does::Nothing | Does::Quotes(_) | Does::Answer
        ),
        Slot::Result => matches!(does, Does::Block(_) | Does::Feed(Some(Kind::Hosted)) | Does::Answer),
        Slot::Input => matches!(does, Does::Block(_) | Does::Request),
        Slot::Template => matches!(does, Does::Request | Does::Response),
        // Of an error, only its message and code are used. Parameters are settings. Members of other formats are not
        // read.
        Slot::Error | Slot::OwnParameter | Slot::ForeignParameter | Slot::ForeignMember => false,
        _ => true,
    }
}
