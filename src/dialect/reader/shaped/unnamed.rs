//! The values of a record for which its shape has no word: they are searched for reasoning.

use super::understood;
use crate::dialect::read::{Node, Walked};
use crate::dialect::shape::Does;
use crate::dialect::suspect::Search;
use crate::frame::Body;
use crate::json::Literal;

/// Where there may be reasoning in what the shape has no word for.
pub(super) fn suspect_in(walked: &Walked, body: &Body<'_>, search: &mut Search<'_>) -> Option<usize> {
    unnamed(walked, body.text).find_map(|(key, at)| search.member(body.text, key, at, true))
}

/// The values that the shape has no word for, each with its key and where it begins.
pub(super) fn unnamed<'w>(walked: &'w Walked, text: &'w [u8]) -> impl Iterator<Item = (Option<Literal>, usize)> + 'w {
    let quoted = move |node, key, at| understood::is_quoted(walked, text, (node, key, at));
    let rest = walked.rest.iter().filter(move |rest| !understood::is_others(walked, text, rest.node));
    let rest = rest.filter(move |rest| !understood::is_sent(walked, rest.node));
    let rest = rest.filter(move |rest| !quoted(rest.node, rest.key, rest.value));
    let rest = rest.map(|rest| (rest.key, rest.value));
    let nothing = |node: &&Node| node.does == Does::Nothing && node.element.is_none();
    let silent = walked.nodes.iter().filter(nothing).map(|node| (None, node.value.start));
    let unused = walked.unused(understood::uses);
    let unused = unused.filter(move |entry| !quoted(entry.node, Some(entry.key), entry.value.start));
    let unused = unused.filter(move |entry| !understood::is_sent(walked, entry.node));
    let unused = unused.map(|entry| (Some(entry.key), entry.value.start));
    let strange = (1..walked.nodes.len() as u32).filter(move |node| understood::is_strange(walked, text, *node));
    let strange = strange.map(|node| (None, walked.nodes[node as usize].value.start));
    rest.chain(silent).chain(unused).chain(strange)
}
