//! Who speaks in a message, and whether a piece of one is the last.

use crate::dialect::formats::shared::role;
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Slot};
use crate::model::Role;

/// The role of a message, if it has one.
pub(in crate::dialect::reader) fn role_of(walked: &Walked, record: &[u8], node: u32) -> Option<Role> {
    // If there are several, the one counts whose text is searched.
    let mut roles = walked.all(node, Slot::Role).map(|entry| {
        let word = entry.word(record);
        role(&word).or_else(|| role(&word.to_ascii_lowercase())).unwrap_or(Role::Assistant)
    });
    if walked.get(node, Slot::ByUser).is_some() {
        return Some(Role::User);
    }
    let Some(first) = roles.next() else {
        // The items of a request are by several, and so are the messages of a list.
        let does = |node: u32| walked.nodes[node as usize].does;
        let is_one = !matches!(does(node), Does::Request | Does::Records);
        let is_part = |block: u32| !matches!(does(block), Does::Message | Does::Turn(_));
        let asks = |block: u32| is_part(block) && walked.get(block, Slot::ByUser).is_some();
        return walked.children(node, Slot::List).any(|block| is_one && asks(block)).then_some(Role::User);
    };
    Some(if roles.any(|role| role == Role::Assistant) { Role::Assistant } else { first })
}

/// Whether a piece of a response is its last.
pub(in crate::dialect::reader) fn is_last(walked: &Walked, piece: u32) -> bool {
    [Slot::Stop, Slot::Over].iter().any(|slot| walked.get(piece, *slot).is_some())
}

/// The role; of a message without a role whose type says that the user or the program speaks, that.
pub(in crate::dialect::reader) fn speaker_of(walked: &Walked, record: &[u8], node: u32) -> Option<Role> {
    let kind = || walked.get(node, Slot::Type).filter(|_| matches!(walked.nodes[node as usize].does, Does::Message));
    let named = || role(&kind()?.word(record)).filter(|role| matches!(role, Role::User | Role::System));
    role_of(walked, record, node).or_else(named)
}
