//! What all inputs of a run share: the counter, the total, the groups, and which messages were counted.

use super::columns::Cells;
use super::options::{By, TallyOptions};
use super::row::TallyRow;
use crate::count::Counter;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// What all inputs of a run share.
pub struct SharedTally {
    /// The counter, with its vocabulary.
    pub counter: Counter,
    /// The sum of all rows.
    pub total: TallyRow,
    /// Rows that were written.
    pub rows: u64,
    /// How many records were counted.
    pub records: u64,
    /// See `records`.
    pub messages: u64,
    /// Records that were not counted, since they are damaged or may hold reasoning in no format that is read.
    pub unread: u64,
    /// Messages that were not counted, since an earlier file has them.
    pub repeated: u64,
    /// The groups, in the order in which they were met, and their numbers.
    groups: Vec<TallyRow>,
    numbers: HashMap<Vec<String>, usize>,
    /// Rows that wait for the last one.
    pub(super) kept: Vec<Cells>,
    /// Rows that are over, for [`SharedTally::take_rows`].
    pub(super) over: Vec<TallyRow>,
    /// The hashes of the identifiers of messages, each with the number of the input that had it first.
    seen: HashMap<u64, u32>,
    state: RandomState,
    inputs: u32,
}

impl SharedTally {
    /// Nothing counted so far.
    pub fn new(counter: Counter) -> Self {
        Self {
            counter,
            total: TallyRow::default(),
            rows: 0,
            records: 0,
            messages: 0,
            unread: 0,
            repeated: 0,
            groups: Vec::new(),
            numbers: HashMap::new(),
            kept: Vec::new(),
            over: Vec::new(),
            seen: HashMap::new(),
            state: RandomState::new(),
            inputs: 0,
        }
    }

    /// The next input begins. Returns its number.
    pub(super) fn next_input(&mut self) -> u32 {
        self.inputs += 1;
        self.inputs
    }

    /// Whether an earlier input had the message with this identifier.
    pub(super) fn had(&mut self, id: &[u8], input: u32) -> bool {
        !id.is_empty() && *self.seen.entry(self.state.hash_one(id)).or_insert(input) != input
    }

    /// The rows that are over and were not taken yet.
    pub fn take_rows(&mut self) -> Vec<TallyRow> {
        std::mem::take(&mut self.over)
    }

    /// Adds the rows of an input to the groups.
    pub(super) fn add(&mut self, row: TallyRow) {
        match self.numbers.get(&row.key) {
            Some(number) => self.groups[*number].add(&row),
            None => {
                self.numbers.insert(row.key.clone(), self.groups.len());
                self.groups.push(row);
            }
        }
    }

    /// The groups, each column in its order.
    pub fn groups(&self, options: &TallyOptions) -> Vec<&TallyRow> {
        let mut met: Vec<HashMap<&str, usize>> = vec![HashMap::new(); options.by.len()];
        for row in &self.groups {
            for (met, name) in met.iter_mut().zip(&row.key) {
                let next = met.len();
                met.entry(name).or_insert(next);
            }
        }
        let place = |row: &TallyRow| {
            let names = options.by.iter().zip(&row.key).zip(&met);
            let place = |((by, name), met): ((&By, &String), &HashMap<&str, usize>)| match by.is_sorted() {
                true => (0, name.clone()),
                false => (met.get(name.as_str()).copied().unwrap_or_default(), String::new()),
            };
            names.map(place).collect::<Vec<_>>()
        };
        let mut groups: Vec<&TallyRow> = self.groups.iter().collect();
        groups.sort_by_cached_key(|row| place(row));
        groups
    }
}
