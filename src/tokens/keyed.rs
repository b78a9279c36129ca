//! Rows that are groups of messages: each covers the whole input, so that none is written before its end.

use super::row::{TallyMessage, TallyRow};
use super::{By, Tally};
use crate::agents::sequences::Sequences;
use crate::json::text::utf8;
use crate::model::{Lane, Sent};
use std::collections::HashMap;

/// The groups of an input.
#[derive(Debug, Default)]
pub(super) struct Keyed {
    sequences: Sequences,
    /// The numbers of the rows, counted from the first row of the input.
    rows: HashMap<Vec<String>, u64>,
    /// The senders and the contexts of the messages that are open.
    open: HashMap<Lane, (Vec<u8>, Vec<u8>)>,
}

impl Keyed {
    /// The input is over, or another one follows in it.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes the sender of a message. A message outside of any context has an empty one; an answer belongs to its
    /// sequence.
    pub fn sent(&mut self, by: &[By], lane: Lane, sent: &Sent<'_>) {
        let from = if by.contains(&By::Agent) { sent.from.to_vec() } else { Vec::new() };
        let context = if by.contains(&By::Context) { self.sequences.path(sent) } else { Vec::new() };
        if !from.is_empty() || !context.is_empty() {
            self.open.insert(lane, (from, context));
        }
    }
}

impl Tally<'_> {
    /// The row of a message that is over.
    pub(super) fn keyed_row(&mut self, lane: Lane, open: &TallyMessage) -> usize {
        let key = self.key(lane, open);
        if let Some(row) = self.keyed.rows.get(&key) {
            return (*row - self.gone) as usize;
        }
        self.keyed.rows.insert(key.clone(), self.gone + self.rows.len() as u64);
        self.rows.push_back(TallyRow { record: open.record, key, ..TallyRow::default() });
        self.rows.len() - 1
    }

    /// What a message has in common with others of its row. What is not known of it is empty.
    fn key(&mut self, lane: Lane, open: &TallyMessage) -> Vec<String> {
        let (agent, context) = self.keyed.open.remove(&lane).unwrap_or_default();
        let text = |bytes: &[u8]| utf8(bytes).into_owned();
        let file = self.options.file.as_deref().unwrap_or_default();
        let name = |by: &By| match by {
            By::Agent => text(&agent),
            By::Context => text(&context),
            By::File => file.to_string(),
            By::Folder => folder(file).to_string(),
            By::Model => text(&open.origin.model),
            By::Day => open.origin.time.map_or_else(String::new, |time| time.day((self.options.offset)(time))),
            By::Session => text(&open.origin.session),
            By::Project => text(&open.origin.project),
            By::Record | By::Message | By::Block => String::new(),
        };
        self.options.by.iter().map(name).collect()
    }
}

/// The folder of a file.
fn folder(file: &str) -> &str {
    match file.rfind(std::path::is_separator) {
        Some(0) => &file[..1],
        Some(at) => &file[..at],
        None => ".",
    }
}
