//! Recognises which row reads a record, and walks the record by its shape. Events that are like an earlier one are not
//! walked again.

mod alike;
mod telling;

use super::options::Setup;
use super::understood;
use super::watch::suspect_in;
use crate::dialect::draft::Record;
use crate::dialect::read::{Node, Root, SearchedMembers, Walked, walk};
use crate::dialect::shape::{Does, KeyMarks, Recognition, Shape, numbers};
use crate::dialect::suspect::Search;
use crate::error::Error;
use crate::frame::Body;
use alike::TemplateCache;
use memchr::memmem::Finder;
use std::cell::OnceCell;
use std::sync::Arc;
use telling::{ROWS, RowBits, Telling};

/// How many elements of an array are looked at to recognise its format.
const ELEMENTS: usize = 4;

/// A row with a shape: its name, and the shape.
pub(super) type ShapedRow = (&'static str, &'static Shape);

/// How a record was recognised by the row that had read the record before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// By its own members.
    Always,
    /// Only because a stream is open.
    InStream,
}

/// Recognises records of the formats that are described by a shape.
pub(super) struct Recogniser {
    setup: Arc<Setup>,
    rows: Vec<ShapedRow>,
    /// For each of them, the marks of the keys that each recognition asks for.
    asked: Vec<Vec<KeyMarks>>,
    /// The same, each under the one of its marks that the fewest ask for, with the bit of its row: most records have the keys of
    /// few rows.
    asked_by: Vec<Vec<(KeyMarks, RowBits)>>,
    /// Their signs, each a list of words: made when they are looked for.
    signs: OnceCell<Vec<Vec<Finder<'static>>>>,
    telling: Telling,
    /// The number of the row that reads any object with records in it.
    holder: Option<usize>,
    /// The number of the row that read the last record.
    pub last: Option<usize>,
    /// How the last record was recognised. None if records that are alike may be recognised differently.
    known: Option<Known>,
    root: Root,
    pub walked: Walked,
    /// The row by which the record was walked, while the result is in `walked`.
    walked_by: Option<usize>,
    /// Members of earlier records that were searched.
    pub searched: SearchedMembers,
    /// Recent events of streams, with which the next events are compared.
    templates: TemplateCache,
}

impl Recogniser {
    /// A recogniser at the start of an input.
    pub fn new(setup: Arc<Setup>) -> Self {
        let dialects = &setup.options.dialects;
        let rows: Vec<ShapedRow> = dialects.iter().filter_map(|dialect| Some((dialect.name, dialect.shape?))).collect();
        let marks = |(_, shape): &ShapedRow| shape.recognised_by.iter().map(Recognition::marks).collect();
        let asked: Vec<Vec<KeyMarks>> = rows.iter().map(marks).collect();
        let asked_by = by_rarest_mark(&asked);
        let holder = rows.iter().position(|(_, shape)| !shape.holder.is_empty());
        let mut walked = Walked::default();
        (walked.asks_lost, walked.only) = (setup.builds(), dialects.len() == 1);
        Self {
            setup,
            rows,
            asked,
            asked_by,
            signs: OnceCell::new(),
            telling: Telling::default(),
            holder,
            last: None,
            known: None,
            root: Root::default(),
            walked,
            walked_by: None,
            searched: SearchedMembers::default(),
            templates: TemplateCache::default(),
        }
    }

    /// The row of the last record, if that was of a format with a shape.
    pub fn row(&self) -> Option<ShapedRow> {
        self.last.map(|row| self.rows[row])
    }

    /// Forgets how the last record was recognised, and that it was walked. `last`: the row that counts as the last one.
    pub fn forget(&mut self, last: Option<usize>) {
        (self.last, self.walked_by, self.known) = (last, None, None);
    }

    /// Walks a record by a shape.
    fn walk(&mut self, body: &Body<'_>, shape: &'static Shape) -> Result<(), Error> {
        self.walked.searches_all = shape.inline;
        // Other records are read where they are built anew.
        self.walked.compared = self.setup.options.templates && !(shape.log && self.setup.builds());
        let plain = self.setup.detail.plain;
        walk((body.text, body.event), shape.record, (plain, &mut self.searched), &mut self.walked)
    }

    /// Whether a record has words of a request of a format with a shape, outside of its messages.
    pub fn has_signs(&self, body: &Body<'_>, record: &Record) -> bool {
        let outside = record.outside(body.text.len());
        let stands = |word: &Finder<'_>| outside.iter().any(|at| word.find(&body.text[at.clone()]).is_some());
        let words = || self.rows.iter().flat_map(|(_, shape)| shape.signs);
        let finders = |words: &&[&'static str]| words.iter().map(|word| Finder::new(*word)).collect();
        let signs = self.signs.get_or_init(|| words().map(finders).collect());
        signs.iter().any(|words| words.iter().all(stands))
    }

    /// Whether a record has a word of what an object may hold that is a row of its own.
    pub fn may_hold_records(&self, record: &[u8]) -> bool {
        self.holder.is_some_and(|row| self.rows[row].1.holder.iter().any(|word| word.stands_in(record)))
    }

    /// Walks a record by the row that reads any object with records in it, if it is one.
    pub fn holder(&mut self, body: &Body<'_>) -> Option<ShapedRow> {
        let row = self.holder?;
        self.forget(None);
        // An event of a known type is read as what it is, or not at all.
        let typed = |root: &Root, (_, shape): &ShapedRow| root.is_typed(body.text, shape);
        if self.root.look(body.text, 0).is_some() && self.rows.iter().any(|row| typed(&self.root, row)) {
            return None;
        }
        self.walk(body, self.rows[row].1).ok()?;
        let holds = |node: &Node| node.does == Does::Envelope;
        let holds = match self.walked.nodes.as_slice() {
            [list, elements @ ..] if list.does == Does::Records => elements.iter().any(holds),
            nodes => nodes.first().is_some_and(holds),
        };
        self.last = holds.then_some(row);
        self.row()
    }

    /// Recognises and walks a record. Returns whether it is of a format with a shape. `likely`: the row of the last
    /// record is tried first. `streamed`: events have begun a message that is open.
    pub fn fits(&mut self, body: &Body<'_>, (likely, streamed): (bool, bool), mut search: Option<&mut Search>) -> bool {
        let before = self.last.take();
        (self.known, self.walked_by) = (None, None);
        if self.rows.is_empty() {
            return false;
        }
        if let Some(row) = before.filter(|_| likely) {
            // An event that only this format has needs no look at its outermost members.
            let shape = self.rows[row].1;
            let walks = self.walk(body, shape).is_ok();
            let walked = &self.walked;
            let whole = walks && understood::is_own_event(walked) && understood::is_whole(walked, shape.log);
            // Inside of an open stream, an event may have members that are not known.
            let silent = walks && walked.sure && streamed && walked.nodes[0].does == Does::Nothing;
            self.walked_by = walks.then_some(row);
            if whole || silent {
                (self.last, self.known) = (before, Some(if whole { Known::Always } else { Known::InStream }));
                return true;
            }
        }
        for element in 0..ELEMENTS {
            // A walk has seen the outermost members, too.
            let seen =
                element == 0 && self.walked_by.is_some() && self.root.take(body.text, &mut self.walked).is_some();
            let looked = seen || self.root.look(body.text, element).is_some();
            if looked && self.fits_root(body, before.filter(|_| likely), search.as_deref_mut()) {
                return true;
            }
            if !self.root.array {
                return false;
            }
        }
        false
    }

    /// The same, by the outermost members in `root`. `first`: the row that is tried first.
    fn fits_root(&mut self, body: &Body<'_>, first: Option<usize>, mut search: Option<&mut Search>) -> bool {
        let may_be = self.may_be(body.event);
        let may_be = |row: &usize| *row >= ROWS || may_be >> row & 1 == 1;
        let others = (0..self.rows.len()).filter(|row| Some(*row) != first).filter(may_be);
        let order = first.into_iter().chain(others);
        let only = self.walked.only;
        let mut telling = None;
        let whole = |walked: &Walked, log| understood::is_whole(walked, log) || only && understood::has_input(walked);
        for row in order {
            let shape = self.rows[row].1;
            let Some(must_be_sure) = self.root.may_be((body.text, body.event), (row, shape, &self.asked[row])) else {
                continue;
            };
            let must_be_sure = must_be_sure && !only;
            let walked = self.walked_by.take() == Some(row);
            if !walked && must_be_sure && !self.may_be_sure(body, row, &mut telling) {
                continue;
            }
            if !walked && self.walk(body, shape).is_err() {
                continue;
            }
            self.walked_by = Some(row);
            if must_be_sure && !self.walked.sure || self.walked.nodes.is_empty() {
                continue;
            }
            if !whole(&self.walked, shape.log) {
                continue;
            }
            // If this format is recognised by its nodes only and leaves reasoning unread, another format may read the
            // record.
            let instructed = understood::is_instructed(&self.walked, body.text);
            // No other format reads these, and the elements of an array of events are looked at one by one.
            let apart = shape.inline || shape.by_id && self.walked.nodes[0].does == Does::Records;
            let search = search.as_deref_mut().filter(|_| must_be_sure && !instructed && !apart);
            if search.is_some_and(|search| suspect_in(&self.walked, body, search).is_some()) {
                continue;
            }
            self.last = Some(row);
            self.known = (first == Some(row)).then_some(Known::Always);
            return true;
        }
        false
    }

    /// Which rows may be recognised by the outermost members in `root`. In an event with a name, any may.
    fn may_be(&self, event: &[u8]) -> RowBits {
        if !event.is_empty() {
            return !0;
        }
        let has = |(asked, _): &&(KeyMarks, RowBits)| self.root.may_have_all(*asked);
        let fits = |rows, mark: usize| self.asked_by[mark].iter().filter(has).fold(rows, |rows, (_, row)| rows | row);
        // Some ask for no key.
        numbers(self.root.marks).fold(fits(0, 0), |rows, mark| fits(rows, mark + 1))
    }

    /// Whether a record with these outermost members may have a node that only this row has. `known`: which rows may, once
    /// that was looked for.
    fn may_be_sure(&mut self, body: &Body<'_>, row: usize, known: &mut Option<RowBits>) -> bool {
        if self.root.array || !body.event.is_empty() || row >= ROWS {
            return true;
        }
        let rows = known.unwrap_or_else(|| {
            let place = (body.text, body.event);
            let may_be = self.may_be(body.event);
            let asks = |row: &usize| {
                may_be >> row & 1 == 1
                    && self.root.may_be(place, (*row, self.rows[*row].1, &self.asked[*row])) == Some(true)
            };
            let rows = (0..self.rows.len().min(ROWS)).filter(asks).fold(1 << row, |rows, row| rows | 1 << row);
            self.telling.may_be_sure(&self.rows, rows, (body.text, &self.root))
        });
        *known = Some(rows);
        rows >> row & 1 == 1
    }
}

/// What the rows that have a bit ask for, under the number of the rarest of the marks of each recognition plus one: 0 without any.
fn by_rarest_mark(asked: &[Vec<KeyMarks>]) -> Vec<Vec<(KeyMarks, RowBits)>> {
    let all = || asked.iter().take(ROWS).enumerate().flat_map(|(row, asked)| asked.iter().map(move |it| (*it, row)));
    let mut counts = [0; KeyMarks::BITS as usize];
    all().flat_map(|(asked, _)| numbers(asked)).for_each(|mark| counts[mark] += 1);
    let mut by_mark = vec![Vec::new(); 1 + counts.len()];
    for (asked, row) in all() {
        let rarest = numbers(asked).min_by_key(|mark| counts[*mark]);
        by_mark[rarest.map_or(0, |mark| mark + 1)].push((asked, 1 << row));
    }
    by_mark
}
