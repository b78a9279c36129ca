//! The rows with a shape, and the state between records.

use super::again::LastEvent;
use super::alike::{Known, TemplateCache};
use super::envelopes::Delivered;
use super::lines::Conversations;
use crate::dialect::Dialect;
use crate::dialect::read::{Root, SearchedMembers, Walked, walk};
use crate::dialect::shape::Shape;
use crate::error::Error;
use crate::frame::Body;

/// How many shapes of records are kept. Lines of a log have a few dozen.
const SILENT: usize = 256;

/// The rows with a shape, and the state between their records.
#[derive(Debug, Default)]
pub(in crate::dialect::reader) struct Shapes {
    pub(super) rows: Vec<(&'static Dialect, &'static Shape)>,
    /// The row that read the last record.
    pub(super) last: Option<usize>,
    /// The hashes ([`Walked::shape_hash`]) of recent records that have no values to search but those that the walk notes.
    silent: Vec<Option<u64>>,
    /// Members of earlier records that were searched.
    pub(super) searched: SearchedMembers,
    pub(super) root: Root,
    pub walked: Walked,
    /// The row by which the record was walked, while the result is in `walked`.
    pub(super) walked_by: Option<usize>,
    /// How the last record was recognised. None if records that are alike may be recognised differently.
    pub(super) known: Option<Known>,
    /// Recent events of streams, with which the next events are compared.
    pub(super) alikes: TemplateCache,
    pub(super) last_event: LastEvent,
    pub(super) conversations: Conversations,
    pub(super) delivered: Delivered,
    /// A later record may reject a message of the input: true at first, then if the format of the last record has such
    /// records.
    pub may_be_rejected_later: bool,
    /// How many records the record that is read stands in.
    pub(super) inside: u8,
}

impl Shapes {
    /// The rows of these dialects that have a shape. `builds`: messages are built anew.
    pub fn new(dialects: &[&'static Dialect], builds: bool) -> Self {
        let rows = dialects.iter().filter_map(|dialect| Some((*dialect, dialect.shape?))).collect();
        let mut shapes = Self { rows, may_be_rejected_later: true, ..Self::default() };
        (shapes.walked.asks_lost, shapes.walked.only) = (builds, dialects.len() == 1);
        shapes
    }

    /// Walks a record by a shape.
    pub(super) fn walk(&mut self, body: &Body<'_>, shape: &'static Shape, plain: bool) -> Result<(), Error> {
        (self.walked.searches_all, self.walked.log) = (shape.inline, shape.log);
        walk((body.text, body.event), shape.record, (plain, &mut self.searched), &mut self.walked)
    }

    /// Whether records like the walked one have no values to search but those that the walk notes.
    pub(super) fn is_silent(&self) -> bool {
        let hash = self.walked.shape_hash;
        self.silent.get(hash as usize % SILENT) == Some(&Some(hash))
    }

    /// Notes that of the walked record.
    pub(super) fn learn_silent(&mut self) {
        let hash = self.walked.shape_hash;
        self.silent.resize(SILENT, None);
        self.silent[hash as usize % SILENT] = Some(hash);
    }

    /// Whether the last record was of a format whose events name their responses.
    pub fn is_by_id(&self) -> bool {
        self.last.is_some_and(|row| self.rows[row].1.by_id)
    }

    /// Whether the last record was of a format without a place for reasoning.
    pub fn is_inline(&self) -> bool {
        self.last.is_some_and(|row| self.rows[row].1.inline)
    }

    /// Whether the last record was of a format with a shape.
    pub fn is_likely(&self) -> bool {
        self.last.is_some()
    }
}
