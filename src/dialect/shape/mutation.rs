//! Mutations of the rows, for tests: a key, a case or a use can be taken away, and what a run needed of them is noted.

use super::{Case, Key, Meaning, Slot, State};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// A part of the rows, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowPart(usize, usize);

impl RowPart {
    /// A key, which states may share.
    pub fn key(key: &'static Key) -> Self {
        Self(address(key), 0)
    }

    /// A case, known by its state and its number there: equal cases of two states may have one address.
    pub fn case(state: &'static State, case: &'static Case) -> Self {
        let number = state.cases.iter().position(|own| std::ptr::eq(own, case)).expect("it is a case of the state");
        Self(address(state), number + 1)
    }

    /// A use of a slot.
    pub fn of(meaning: Meaning, slot: Slot) -> Self {
        Self(0, (meaning as usize) << 8 | slot as usize | 1 << 16)
    }
}

fn address<T>(of: &'static T) -> usize {
    std::ptr::from_ref(of) as usize
}

thread_local! {
    static AWAY: Cell<RowPart> = const { Cell::new(RowPart(0, 0)) };
    static NEEDED: RefCell<HashSet<RowPart>> = RefCell::default();
}

/// The part of a row that is asked for is there, unless it was taken away. Notes that it is needed.
pub fn stands(part: RowPart) -> bool {
    NEEDED.with_borrow_mut(|needed| needed.insert(part));
    AWAY.get() != part
}

/// Runs `run` without a part of a row. Returns also which parts it needed.
pub fn without<T>(part: RowPart, run: impl FnOnce() -> T) -> (T, HashSet<RowPart>) {
    NEEDED.with_borrow_mut(HashSet::clear);
    AWAY.set(part);
    let out = run();
    AWAY.set(RowPart::default());
    (out, NEEDED.take())
}
