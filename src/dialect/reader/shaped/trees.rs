//! Messages that stand under their identifiers in any order, each with that of the message before it: a tree, of which a
//! program shows one branch.

use super::copies::id;
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::Slot;
use std::borrow::Cow;
use std::collections::HashMap;

/// The messages in the lists of a request, each before those that stand in it, and whether they stand in another one.
pub(super) fn nested(walked: &Walked, request: u32) -> Vec<(u32, bool)> {
    let (mut all, mut open) = (Vec::new(), Vec::new());
    for child in walked.children(request, Slot::Messages) {
        open.push((child, false));
        while let Some((node, inner)) = open.pop() {
            all.push((node, inner));
            if !walked.fills(node, Slot::Messages) {
                continue;
            }
            let from = open.len();
            open.extend(walked.children(node, Slot::Messages).map(|child| (child, true)));
            open[from..].reverse();
        }
    }
    all
}

/// The messages of a request in the order in which they were said: each behind the one before it, and what is shown behind
/// other branches. None if they say nothing of that.
pub(super) fn in_order(walked: &Walked, record: &[u8], request: u32) -> Option<Vec<u32>> {
    // A list has its order.
    walked.children(request, Slot::Messages).next().filter(|first| walked.place(*first).is_none())?;
    let before = |node: u32| walked.get(node, Slot::Before);
    // Those that begin a branch have none before them.
    walked.children(request, Slot::Messages).find(|node| before(*node).is_some())?;
    let all: Vec<u32> = walked.children(request, Slot::Messages).collect();
    // The key of a message in a map is its identifier.
    let keys: HashMap<usize, &Entry> =
        walked.all(request, Slot::Messages).map(|entry| (entry.value.start, entry)).collect();
    let name = |node: u32| {
        let key = keys.get(&walked.nodes[node as usize].value.start).map(|entry| entry.key.decoded(record));
        key.or_else(|| id(walked, record, node))
    };
    let ids: HashMap<Cow<'_, [u8]>, usize> =
        all.iter().enumerate().filter_map(|(at, node)| Some((name(*node)?, at))).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    let (mut above, mut open) = (vec![None; all.len()], Vec::new());
    for (at, node) in all.iter().enumerate() {
        above[at] = before(*node).and_then(|entry| ids.get(&entry.plain(record))).copied().filter(|other| *other != at);
        match above[at] {
            Some(other) => below[other].push(at),
            None => open.push(at),
        }
    }
    let mut shown = vec![false; all.len()];
    let mut last = walked.get(request, Slot::Latest).and_then(|entry| ids.get(&entry.plain(record))).copied();
    while let Some(at) = last.filter(|at| !std::mem::replace(&mut shown[*at], true)) {
        last = above[at];
    }
    // What is open is visited from its end on, so that what is shown must begin it.
    let (mut order, mut visited) = (Vec::with_capacity(all.len()), vec![false; all.len()]);
    let next = |mut list: Vec<usize>| {
        list.reverse();
        list.sort_by_key(|at| !shown[*at]);
        list
    };
    open = next(open);
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut visited[at], true) {
            order.push(all[at]);
            open.append(&mut next(std::mem::take(&mut below[at])));
        }
    }
    // Those that are before themselves.
    order.extend((0..all.len()).filter(|at| !visited[*at]).map(|at| all[at]));
    Some(order)
}
