//! Mutations of the rows, for tests: a key, a case or a use can be taken away, and what a run needed of them is noted.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

thread_local! {
    static AWAY: Cell<usize> = const { Cell::new(0) };
    static NEEDED: RefCell<HashSet<usize>> = RefCell::default();
}

/// The part of a row that is asked for is there, unless it was taken away. Notes that it is needed.
pub fn stands(part: usize) -> bool {
    NEEDED.with_borrow_mut(|needed| needed.insert(part));
    AWAY.get() != part
}

/// Runs `run` without a part of a row; 0 takes nothing away. Returns also which parts it needed.
pub fn without<T>(part: usize, run: impl FnOnce() -> T) -> (T, HashSet<usize>) {
    NEEDED.with_borrow_mut(HashSet::clear);
    AWAY.set(part);
    let out = run();
    AWAY.set(0);
    (out, NEEDED.take())
}
