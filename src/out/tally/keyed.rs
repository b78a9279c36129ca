//! Rows about agents or contexts: each covers the whole input, so that none is written before its end.

use super::row::Row;
use super::{By, Tally};
use crate::model::sequences::Sequences;
use crate::model::{Lane, Sent};
use std::collections::HashMap;

/// The rows by agent or context.
#[derive(Debug, Default)]
pub(super) struct Keyed {
    sequences: Sequences,
    /// The numbers of the rows, counted from the first row of the input.
    rows: HashMap<Vec<u8>, u64>,
    /// The messages that are open.
    open: HashMap<Lane, Vec<u8>>,
}

impl Keyed {
    /// The input is over, or another one follows in it.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes the sender of a message. A message outside of any context has an empty key; an answer belongs to its
    /// sequence.
    pub fn sent(&mut self, by: By, lane: Lane, sent: &Sent<'_>) {
        if by == By::Agent {
            self.open.insert(lane, sent.from.to_vec());
            return;
        }
        if by == By::Context {
            let path = self.sequences.path(sent);
            self.open.insert(lane, path);
        }
    }
}

impl Tally<'_> {
    /// The row of a message that is over.
    pub(super) fn keyed_row(&mut self, lane: Lane, record: u64) -> usize {
        let key = self.keyed.open.remove(&lane).unwrap_or_default();
        if let Some(row) = self.keyed.rows.get(&key) {
            return (*row - self.gone) as usize;
        }
        let name = String::from_utf8_lossy(&key).into_owned();
        self.keyed.rows.insert(key, self.gone + self.rows.len() as u64);
        self.rows.push_back(Row { record, key: Some(name), ..Row::default() });
        self.rows.len() - 1
    }
}
