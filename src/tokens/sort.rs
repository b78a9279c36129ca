//! Sorts rows by a column: numbers from the largest one, names by their letters, and what is missing last.

use super::Sort;
use super::columns::{Cells, ColumnValue, heading};
use std::cmp::Ordering;

/// Sorts rows. Those that are equal keep their order.
pub(super) fn sort(rows: &mut [Cells], by: &Sort) {
    let is = |name: &'static str| name == by.column || heading(name) == by.column;
    let cell = |row: &Cells| row.iter().find(|(name, _)| is(name)).and_then(|(_, cell)| cell.clone());
    rows.sort_by_cached_key(|row| SortKey { cell: cell(row).filter(|cell| !cell.is_empty()), reverse: by.reverse });
}

/// A value, with the order in which it stands.
struct SortKey {
    cell: Option<ColumnValue>,
    reverse: bool,
}

impl Ord for SortKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let (Some(one), Some(two)) = (&self.cell, &other.cell) else {
            return self.cell.is_none().cmp(&other.cell.is_none());
        };
        let order = match (one, two) {
            (ColumnValue::Number(a), ColumnValue::Number(b)) => b.cmp(a),
            (ColumnValue::Ratio(a), ColumnValue::Ratio(b)) => b.total_cmp(a),
            (ColumnValue::Flag(a), ColumnValue::Flag(b)) => b.cmp(a),
            _ => one.csv().cmp(&two.csv()),
        };
        if self.reverse { order.reverse() } else { order }
    }
}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SortKey {}
