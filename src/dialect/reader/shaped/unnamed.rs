//! The values of a record that its shape does not name: they are searched for reasoning.

use super::understood::{self, Authors};
use crate::dialect::read::{Entry, Node, Walked};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::dialect::suspect::{self, Search};
use crate::frame::Body;
use crate::json::{Literal, Token};
use crate::model::Step;

/// The first place in a record's unnamed values that may be reasoning.
pub(super) fn suspect_in(walked: &Walked, body: &Body<'_>, search: &mut Search<'_>) -> Option<usize> {
    let authors = Authors::new(walked, body.text);
    let odd: Vec<_> = odd(walked, body.text).collect();
    unnamed(walked, &authors, body.text, &odd).find_map(|(key, at)| search.member(body.text, key, at, true))
}

/// The values that the shape does not name, each with its key and where it begins. `odd`: those of [`odd`], which are
/// found by a look at all values.
pub(super) fn unnamed<'w>(
    walked: &'w Walked,
    authors: &'w Authors<'w>,
    text: &'w [u8],
    odd: &'w [&'w Entry],
) -> impl Iterator<Item = (Option<Literal>, usize)> + 'w {
    let quoted = move |node, key, at| understood::is_quoted(walked, text, (node, key, at));
    let rest = walked.rest.iter().filter(move |rest| walked.searches_all || !authors.is_others(rest.node));
    let rest = rest.filter(move |rest| !understood::is_sent(walked, rest.node));
    let rest = rest.filter(move |rest| !quoted(rest.node, rest.key, rest.value));
    let rest = rest.map(|rest| (rest.key, rest.value));
    let nothing = |node: &&Node| node.does == Does::Nothing && node.element.is_none();
    let silent = walked.nodes.iter().filter(nothing).map(|node| (None, node.value.start));
    let unused = walked.unused();
    let unused = unused.filter(move |entry| !quoted(entry.node, Some(entry.key), entry.value.start));
    let unused = unused.filter(move |entry| !understood::is_sent(walked, entry.node));
    let unused = unused.map(|entry| (Some(entry.key), entry.value.start));
    let strange = (1..walked.nodes.len() as u32).filter(move |node| understood::is_strange(walked, authors, *node));
    let strange = strange.map(|node| (None, walked.nodes[node as usize].value.start));
    let odd = odd.iter().filter(move |entry| !understood::is_sent(walked, entry.node));
    let odd = odd.map(|entry| (Some(entry.key), entry.value.start));
    rest.chain(silent)
        .chain(unused)
        .chain(odd)
        .chain(strange)
        .chain(unread_texts(walked))
        .chain(misplaced(walked, authors, text))
}

/// Values that are in a slot for names, numbers and switches, and look like something else.
pub(super) fn odd<'w>(walked: &'w Walked, text: &'w [u8]) -> impl Iterator<Item = &'w Entry> + 'w {
    walked.read().filter(|entry| understood::is_odd(text, entry))
}

/// Texts under a key that names reasoning in nodes that are not reasoning: their kind of node has no use for the key.
fn misplaced<'w>(
    walked: &'w Walked,
    authors: &'w Authors<'w>,
    text: &'w [u8],
) -> impl Iterator<Item = (Option<Literal>, usize)> + 'w {
    let thinks = |does: Does| match does {
        // Whether these are reasoning is decided elsewhere.
        Does::Sent(_) | Does::Rest | Does::Nothing => true,
        does => does.kind().is_some_and(Kind::is_reasoning),
    };
    let texts = walked.texts().filter(|entry| suspect::may_name_reasoning(entry.key, text));
    let named = texts.filter(move |entry| !thinks(walked.nodes[entry.node as usize].does));
    let named = named.filter(move |entry| !authors.is_others(entry.node));
    named.map(|entry| (Some(entry.key), entry.value.start))
}

/// Unread texts in messages of a log in which several speak: all texts, if this kind of message should have none.
fn unread_texts(walked: &Walked) -> impl Iterator<Item = (Option<Literal>, usize)> + '_ {
    let sent = (0..walked.nodes.len() as u32).filter_map(|node| match walked.nodes[node as usize].does {
        Does::Sent(step) if !step.is_reasoning() => Some((node, step)),
        _ => None,
    });
    sent.flat_map(|(node, step)| {
        let other = step == Step::Other;
        let unread = move |token: Token| other || step == Step::Say && token == Token::ArrayStart;
        let texts = walked.all(node, Slot::Text).filter(move |entry| unread(entry.token));
        // A list of identifiers may hold objects.
        let lists = walked.all(node, Slot::ResultOf).filter(|entry| entry.token == Token::ArrayStart);
        let objects = walked.children(node, Slot::Inner).filter(move |_| other);
        let objects = objects.map(|child| walked.nodes[child as usize].value.start);
        texts.chain(lists).map(|entry| entry.value.start).chain(objects).map(|at| (None, at))
    })
}
