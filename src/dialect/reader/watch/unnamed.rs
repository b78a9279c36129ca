//! The values of a record that its shape does not name: they are searched for reasoning.

use crate::dialect::read::{Entry, Node, UnnamedMember, Walked};
use crate::dialect::reader::understood::{self, Authors};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::dialect::suspect::{self, Search};
use crate::frame::Body;
use crate::json::{Literal, Token};
use crate::model::SequenceStep;

/// A value that the shape does not name.
#[derive(Clone, Copy)]
pub(in crate::dialect::reader) struct Unnamed<'w> {
    pub key: Option<Literal>,
    /// Where the value begins.
    pub at: usize,
    /// What the walk has noted of it, if it has.
    pub rest: Option<&'w UnnamedMember>,
}

impl Unnamed<'_> {
    fn new((key, at): (Option<Literal>, usize)) -> Self {
        Self { key, at, rest: None }
    }
}

/// The first place in a record's unnamed values that may be reasoning.
pub(in crate::dialect::reader) fn suspect_in(walked: &Walked, body: &Body<'_>, search: &mut Search) -> Option<usize> {
    let authors = Authors::new(walked, body.text);
    first_in(unnamed(walked, &authors, body.text), body.text, search, |_| ())
}

/// The first place in some of these values that may be reasoning. Gives `clean` those that the walk has noted, and that
/// hold none.
pub(super) fn first_in<'w>(
    mut places: impl Iterator<Item = Unnamed<'w>>,
    text: &[u8],
    search: &mut Search,
    mut clean: impl FnMut(&UnnamedMember),
) -> Option<usize> {
    places.find_map(|place| {
        if place.rest.is_some_and(|rest| rest.searched) {
            return None;
        }
        let found = search.member(text, place.key, place.at, true);
        if let (None, Some(rest)) = (found, place.rest) {
            clean(rest);
        }
        found
    })
}

/// The values that the shape does not name.
pub(in crate::dialect::reader) fn unnamed<'w>(
    walked: &'w Walked,
    authors: &'w Authors<'w>,
    text: &'w [u8],
) -> impl Iterator<Item = Unnamed<'w>> + 'w {
    let rest = walked.rest.iter().filter(move |rest| walked.searches_all || !authors.is_others(rest.node));
    let rest = rest.filter(move |rest| !understood::is_sent(walked, rest.node));
    let rest = rest.filter(move |rest| !understood::is_quoted(walked, text, (rest.node, rest.key, rest.value)));
    let rest = rest.map(|rest| Unnamed { key: rest.key, at: rest.value, rest: Some(rest) });
    let odd = odd(walked).filter(move |entry| !understood::is_sent(walked, entry.node));
    let odd = odd.map(|entry| (Some(entry.key), entry.value.start));
    let strange = (1..walked.nodes.len() as u32).filter(move |node| understood::is_strange(walked, authors, *node));
    let strange = strange.filter(move |node| !understood::is_sent(walked, *node));
    let strange = strange.map(|node| (None, walked.nodes[node as usize].value.start));
    let misplaced = misplaced(walked, text).filter(move |entry| !authors.is_others(entry.node));
    let misplaced = misplaced.map(|entry| (Some(entry.key), entry.value.start));
    let others = unused(walked, text).chain(odd).chain(strange).chain(unread_texts(walked)).chain(misplaced);
    rest.chain(others.map(Unnamed::new))
}

/// Whether a record has no such values but those that the walk notes, whoever the authors are. Only its shape decides.
pub(super) fn is_silent(walked: &Walked, text: &[u8]) -> bool {
    unused(walked, text).next().is_none()
        && !(1..walked.nodes.len() as u32).any(|node| understood::may_be_strange(walked, node))
        && unread_texts(walked).next().is_none()
        && misplaced(walked, text).next().is_none()
}

/// Nodes that are recognised and not used, and values that their nodes do not use.
fn unused<'w>(walked: &'w Walked, text: &'w [u8]) -> impl Iterator<Item = (Option<Literal>, usize)> + 'w {
    let quoted = move |node, key, at| understood::is_quoted(walked, text, (node, key, at));
    let nothing = |node: &&Node| matches!(node.does, Does::Nothing) && node.element.is_none();
    let silent = walked.nodes.iter().filter(nothing).map(|node| (None, node.value.start));
    let unused = walked.unused();
    let unused = unused.filter(move |entry| !quoted(entry.node, Some(entry.key), entry.value.start));
    let unused = unused.filter(move |entry| !understood::is_sent(walked, entry.node));
    silent.chain(unused.map(|entry| (Some(entry.key), entry.value.start)))
}

/// Values that are in a slot for names, numbers and switches, and look like something else.
pub(super) fn odd(walked: &Walked) -> impl Iterator<Item = &Entry> {
    walked.read(|entry| entry.odd)
}

/// Texts under a key that names reasoning in nodes that are not reasoning: their kind of node has no use for the key.
fn misplaced<'w>(walked: &'w Walked, text: &'w [u8]) -> impl Iterator<Item = &'w Entry> + 'w {
    let thinks = |does: Does| match does {
        // Whether these are reasoning is decided elsewhere.
        Does::Sent(_) | Does::Rest | Does::Nothing => true,
        does => does.kind().is_some_and(Kind::is_reasoning),
    };
    let texts = walked.texts().filter(|entry| suspect::may_name_reasoning(entry.key, text));
    texts.filter(move |entry| !thinks(walked.nodes[entry.node as usize].does))
}

/// Unread texts in messages of a log in which several speak: all texts, if this kind of message should have none.
fn unread_texts(walked: &Walked) -> impl Iterator<Item = (Option<Literal>, usize)> + '_ {
    let sent = (0..walked.nodes.len() as u32).filter_map(|node| match walked.nodes[node as usize].does {
        Does::Sent(step) if !step.is_reasoning() => Some((node, step)),
        _ => None,
    });
    sent.flat_map(|(node, step)| {
        let other = step == SequenceStep::Other;
        let unread = move |token: Token| other || step == SequenceStep::Say && token == Token::ArrayStart;
        let texts = walked.all(node, Slot::Text).filter(move |entry| unread(entry.token));
        // A list of identifiers may hold objects.
        let lists = walked.all(node, Slot::ResultOf).filter(|entry| entry.token == Token::ArrayStart);
        let objects = walked.children(node, Slot::Inner).filter(move |_| other);
        let objects = objects.map(|child| walked.nodes[child as usize].value.start);
        texts.chain(lists).map(|entry| entry.value.start).chain(objects).map(|at| (None, at))
    })
}
