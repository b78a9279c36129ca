//! Skips the walk for records that are like an earlier one: events of a stream, and lines of a log.

use super::{Known, Recogniser, ShapedRow};
use crate::dialect::read::{EventTemplate, FreeKind, FreeValue, Walked, closes, value};
use crate::dialect::reader::understood::Authors;
use crate::dialect::reader::watch::unnamed;
use crate::dialect::shape::Does;
use crate::frame::Body;

/// How many records are kept, before all are forgotten. A stream has fewer types of events, and a log fewer types of lines; but
/// a log may hold streams of several programs, and the lines of each tool have members of their own.
const MAX_KEPT: usize = 128;

/// Earlier records that others are compared with: a tree of what they begin with, so that the time for a comparison does not
/// depend on their number.
#[derive(Debug, Default)]
pub(super) struct TemplateCache {
    all: Vec<KeptRecord>,
    /// The places in them behind a value, each with the ways to go on there, the last taken first. The first one is the
    /// beginning.
    places: Vec<Vec<Branch>>,
    /// The values of the record that is compared.
    values: Vec<FreeValue>,
    /// What is known of records with the same shape, by their hash.
    worth: Vec<ShapeWorth>,
}

/// A kept record.
#[derive(Debug)]
struct KeptRecord {
    row: usize,
    /// The name of its event, if that counts in its format.
    name: Option<Vec<u8>>,
    known: Known,
    /// It is a line of a log.
    log: bool,
    alike: EventTemplate,
}

/// One way to go on: bytes that are the same in several records, and what stands behind them.
#[derive(Debug)]
struct Branch {
    fixed: Vec<u8>,
    to: BranchTarget,
}

#[derive(Debug)]
enum BranchTarget {
    /// A value, and the place behind it.
    Value(FreeKind, usize),
    /// The end of the record with this number.
    End(usize),
}

/// How often records of a shape were kept, and how often others were like them.
#[derive(Clone, Copy, Debug, Default)]
struct ShapeWorth {
    hash: u64,
    kept: u32,
    met: u32,
}

/// Of how many shapes that is known.
const MAX_SHAPES: usize = 256;

/// How many records of one shape are kept that no other one is like. What differs in them is not their shape.
const MAX_IN_VAIN: u32 = 4;

/// What a record must have in common with a kept one but its bytes.
struct Like<'a> {
    all: &'a [KeptRecord],
    body: &'a Body<'a>,
    row: usize,
    streamed: bool,
}

impl Like<'_> {
    /// The record that is like this one behind a place, and where the last brace stands. The functions call each other as often
    /// as values differ.
    fn find(
        &self,
        places: &mut [Vec<Branch>],
        (place, at): (usize, usize),
        found: &mut Vec<FreeValue>,
    ) -> Option<(usize, usize)> {
        let text = self.body.text;
        for number in 0..places.get(place)?.len() {
            let Branch { fixed, to } = &places[place][number];
            let like = match *to {
                BranchTarget::Value(kind, behind) => value(text, at, fixed, kind).and_then(|literal| {
                    found.push(FreeValue { literal, kind });
                    let like = self.find(places, (behind, literal.end), found);
                    if like.is_none() {
                        found.pop();
                    }
                    like
                }),
                BranchTarget::End(kept) => {
                    let close = closes(text, at, (fixed, &self.all[kept].alike.behind));
                    close.filter(|_| self.fits(&self.all[kept])).map(|close| (kept, close))
                }
            };
            if like.is_some() {
                places[place][..=number].rotate_right(1);
                return like;
            }
        }
        None
    }

    fn fits(&self, kept: &KeptRecord) -> bool {
        kept.row == self.row
            && kept.name.as_ref().is_none_or(|name| name == self.body.event)
            && (kept.known == Known::Always || self.streamed)
    }
}

impl TemplateCache {
    /// The number of the kept record that is like this one.
    fn find(&mut self, body: &Body<'_>, (row, streamed): (usize, bool)) -> Option<usize> {
        let Self { all, places, values, .. } = self;
        values.clear();
        let (kept, close) = Like { all, body, row, streamed }.find(places, (0, 0), values)?;
        all[kept].alike.refit(values, close);
        Some(kept)
    }

    /// What is known of the records of a shape.
    fn worth(&mut self, hash: u64) -> &mut ShapeWorth {
        self.worth.resize(MAX_SHAPES, ShapeWorth::default());
        let worth = &mut self.worth[hash as usize % MAX_SHAPES];
        if worth.hash != hash {
            *worth = ShapeWorth { hash, ..ShapeWorth::default() };
        }
        worth
    }

    /// Whether another record of a shape is worth to be kept.
    fn is_worth_it(&mut self, hash: u64) -> bool {
        let worth = self.worth(hash);
        worth.kept <= worth.met.saturating_add(MAX_IN_VAIN)
    }

    fn keep(&mut self, record: KeptRecord) {
        self.worth(record.alike.walked.shape_hash).kept += 1;
        if self.all.len() == MAX_KEPT {
            self.all.clear();
            self.places.clear();
        }
        if self.places.is_empty() {
            self.places.push(Vec::new());
        }
        let (mut place, number) = (0, self.all.len());
        let EventTemplate { fixed, free_values, .. } = &record.alike;
        for (bytes, free) in fixed.iter().zip(free_values) {
            let known = self.places[place].iter().find_map(|way| match way.to {
                BranchTarget::Value(kind, behind) if kind == free.kind && way.fixed == *bytes => Some(behind),
                _ => None,
            });
            place = known.unwrap_or_else(|| {
                let behind = self.places.len();
                self.places.push(Vec::new());
                self.places[place].push(Branch { fixed: bytes.clone(), to: BranchTarget::Value(free.kind, behind) });
                behind
            });
        }
        let last = fixed.last().cloned().unwrap_or_default();
        self.places[place].insert(0, Branch { fixed: last, to: BranchTarget::End(number) });
        self.all.push(record);
    }
}

impl Recogniser {
    /// The number of the kept record that a record is like.
    /// `streamed`: events have begun a message that is open.
    pub fn alike(&mut self, body: &Body<'_>, streamed: bool) -> Option<usize> {
        let at = self.templates.find(body, (self.last?, streamed))?;
        let hash = self.templates.all[at].alike.walked.shape_hash;
        let worth = self.templates.worth(hash);
        worth.met = worth.met.saturating_add(1);
        Some(at)
    }

    /// What a walk would find in the record that the kept one at this number fits, if it is an event: no text of it was
    /// searched.
    pub fn event(&self, at: usize) -> Option<&Walked> {
        let record = &self.templates.all[at];
        (!record.log).then_some(&record.alike.walked)
    }

    /// The kept record at this number: its row, and the template that it fits.
    pub fn template(&mut self, at: usize) -> (ShapedRow, &mut EventTemplate) {
        let record = &mut self.templates.all[at];
        (self.rows[record.row], &mut record.alike)
    }

    /// Puts the template of a kept line in the place of the walked record, or takes it back. None if it is no line of a log.
    pub fn swap_line(&mut self, at: usize) -> Option<ShapedRow> {
        let record = &mut self.templates.all[at];
        if !record.log {
            return None;
        }
        self.walked_by = None;
        std::mem::swap(&mut record.alike.walked, &mut self.walked);
        Some(self.rows[record.row])
    }

    /// Keeps a record that was walked, if it is an event that others may be like, or a line of a log. `searched`: whatever it
    /// does not name was searched, and holds no reasoning.
    pub fn learn(&mut self, body: &Body<'_>, searched: bool) {
        let (Some(row), Some(known)) = (self.last, self.known) else { return };
        let does = self.walked.nodes[0].does;
        let log = self.rows[row].1.log;
        let alike = self.walked.compared && EventTemplate::is_short(body.text, log);
        let kind = if log { is_line(does) } else { is_event(does) };
        if !alike || !kind || !self.templates.is_worth_it(self.walked.shape_hash) {
            return;
        }
        let authors = Authors::new(&self.walked, body.text);
        let places = unnamed(&self.walked, &authors, body.text).filter(|_| searched);
        let searched: Vec<usize> = places.map(|place| place.at).collect();
        let Some(alike) = EventTemplate::of(body.text, &self.walked, &searched, log) else { return };
        let name = (!self.rows[row].1.events.is_empty()).then(|| body.event.to_vec());
        self.templates.keep(KeptRecord { row, name, known, log, alike });
    }
}

/// Whether a record with this meaning is an event of a stream: these are frequent and short.
fn is_event(does: Does) -> bool {
    !matches!(does, Does::Rest | Does::Records | Does::Request | Does::Response | Does::Message | Does::Block(_))
        && !matches!(does, Does::Envelope | Does::Undelivered | Does::Sent(_))
}

/// Whether a line of a log with this meaning may be like others.
fn is_line(does: Does) -> bool {
    matches!(does, Does::Message | Does::Quotes(_))
}
