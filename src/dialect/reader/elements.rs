//! Arrays on one line whose elements are records: of several formats, or responses, events and conversations in any
//! order.

use super::understood::is_whole_from;
use super::{JsonReader, NotUnderstood};
use crate::dialect::draft::{Item, Record};
use crate::dialect::formats::chat;
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Slot};
use crate::error::Error;
use crate::frame::Body;
use crate::json::{Token, elements};
use std::ops::Range;

/// How many elements are looked at where no element of an array is read as a part of it.
const ELEMENTS: usize = 4;

/// The error for an array of events that are read only one by one.
const EVENTS: &str = "an array of events, which are read only one by one";

/// The error for an array of records of several formats where its elements cannot be read one by one.
pub(super) const SEVERAL: &str = "an array of records of several formats";

impl JsonReader {
    /// Why a record that was walked by the keys of chat is not read as one, if it is an array of records.
    pub(super) fn refused_list(&self, body: &Body<'_>, record: &Record) -> Option<NotUnderstood> {
        if !is_array(body.text) {
            return None;
        }
        let may_part = body.comes_apart || self.inside > 0 && self.strings == 0;
        if may_part && record.is_unread() && holds_lists(body.text) {
            // A list of conversations, as LangChain has them.
            return self.recogniser.may_hold_records(body.text).then_some(NotUnderstood::Elements);
        }
        if !self.has_records(body, record) {
            return None;
        }
        if !holds_objects(body.text) {
            // What stands among the records of such a list would be lost.
            return (self.inside > 0 && body.comes_apart).then(|| Error::new(0, SEVERAL).into());
        }
        match body.comes_apart {
            true => Some(NotUnderstood::Elements),
            false if record.is_unread() => Some(Error::new(0, EVENTS).into()),
            false => (self.is_mixed(record) || record.marks.several && record.is_piece())
                .then(|| Error::new(0, SEVERAL).into()),
        }
    }

    /// Whether the elements of such an array are of several kinds, so that they are not read together.
    fn is_mixed(&self, record: &Record) -> bool {
        let any = |is: fn(&Item) -> bool| usize::from(record.items.iter().any(is));
        let choices = record.items.iter().filter(|item| matches!(item, Item::Choice(_))).count();
        let kinds = any(|item| matches!(item, Item::Choice(_)))
            + any(|item| matches!(item, Item::Delta(_) | Item::Chunk(_)))
            + any(|item| matches!(item, Item::Message(_)));
        kinds > 1 || choices > 1 && self.setup.builds()
    }

    /// Whether such an array holds records, and not messages of one conversation.
    fn has_records(&self, body: &Body<'_>, record: &Record) -> bool {
        let list = body.text.iter().position(|b| *b == b'[');
        let own = |item: &Item| match item {
            Item::Message(draft) => draft.element.as_ref().map(|(at, _)| *at) == list,
            Item::Stays((at, _)) => Some(*at) == list,
            Item::Start | Item::End => true,
            _ => false,
        };
        let conversations = record.items.iter().filter(|item| matches!(item, Item::Start)).count();
        if conversations > 1 || !record.items.iter().all(own) {
            return true;
        }
        if conversations == 1 {
            // An element that is no message, among messages.
            return record.rest.iter().any(|rest| rest.key.is_none() && !rest.message);
        }
        let (mut nodes, mut own) = (Walked::default(), Record::default());
        first_elements(body.text).any(|at| {
            chat::read(&body.text[at], self.setup.rows, self.setup.detail, &mut nodes, &mut own).is_ok()
                && !own.is_unread()
        })
    }

    /// Checks that an array of records is read by the format that it was walked by.
    ///
    /// # Errors
    /// When its elements are records of their own, or are of several formats and cannot be read one by one.
    pub(super) fn one_format(&mut self, body: &Body<'_>) -> Result<(), NotUnderstood> {
        let walked = &self.recogniser.walked;
        let (by_id, carrier) = self.recogniser.row().map_or((false, false), |(_, shape)| (shape.by_id, shape.carrier));
        let array = walked.nodes.first().is_some_and(|node| matches!(node.does, Does::Records));
        if !array || !carrier && is_conversation(walked) {
            return Ok(());
        }
        if body.comes_apart && holds_objects(body.text) {
            return Err(NotUnderstood::Elements);
        }
        if by_id || carrier {
            return Err(Error::new(0, EVENTS).into());
        }
        let unread = walked.children(0, Slot::List).find(|child| !is_whole_from(walked, *child, true));
        match unread.map(|child| walked.nodes[child as usize].value.start) {
            Some(at) => Err(Error::new(at, SEVERAL).into()),
            None => Ok(()),
        }
    }
}

/// Whether all elements of an array are messages of one conversation, or parts of them, that this format reads.
fn is_conversation(walked: &Walked) -> bool {
    let part = |child: u32| match walked.nodes[child as usize].does {
        Does::Message => is_whole_from(walked, child, true),
        Does::Block(_) | Does::Sent(_) | Does::Envelope | Does::Undelivered => true,
        Does::Nothing | Does::Answer | Does::Quotes(_) | Does::Unclear => true,
        _ => false,
    };
    walked.children(0, Slot::List).all(part)
}

/// Whether a text begins with an array.
fn is_array(text: &[u8]) -> bool {
    text.trim_ascii_start().first() == Some(&b'[')
}

/// Whether all elements of an array are objects. In others each element has its own meaning by its place.
fn holds_objects(text: &[u8]) -> bool {
    let mut all = elements(text, 0);
    all.by_ref().all(|(token, _)| token == Token::ObjectStart) && all.end().is_some()
}

/// Whether all elements of an array are lists of objects.
fn holds_lists(text: &[u8]) -> bool {
    let mut all = elements(text, 0);
    let filled = |(token, at): (Token, Range<usize>)| {
        token == Token::ArrayStart && matches!(elements(text, at.start).next(), Some((Token::ObjectStart, _)))
    };
    all.by_ref().all(filled) && all.end().is_some()
}

/// Where the first objects in an array stand.
fn first_elements(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let objects = elements(text, 0).filter(|(token, _)| *token == Token::ObjectStart);
    objects.take(ELEMENTS).map(|(_, at)| at)
}
