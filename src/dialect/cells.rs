//! The reader for tables: each cell is a text of its own, and a block of reasoning that is open when its cell ends is
//! closed there. The first row has the names of the columns.

use super::field::{Pointer, UsedPointers};
use super::inline_text::{Noted, TextReader};
use super::reader::{Foreign, NotUnderstood, ReadOptions, Suspect, doubt};
use super::suspect::{Pieces, Search};
use crate::error::Error;
use crate::frame::csv::{Cell, cells};
use crate::inline::{Note, Tags};
use crate::json::{text::Map, text::utf8};
use crate::model::{Event, Facts, Lane, MessageFact, Piece, PieceKind, Role, Sink};
use crate::span::Span;

/// The message of a finding or refusal: a cell may hold reasoning.
const SUSPECT: &str = "may be reasoning, in a column that is not read (--drop removes it)";

/// The error for a cell with inline tags when the input is to be converted.
const UNCONVERTED: &str = "a block of reasoning in a table, which is not converted";

/// Reads the rows of one table.
pub struct CellReader {
    tags: Tags,
    options: ReadOptions,
    delimiter: u8,
    /// The names of the columns: none before the first row is read, or if the table has none.
    names: Option<Vec<String>>,
    search: Option<Search>,
    /// The texts in values that stand in cells of several rows.
    pieces: Pieces,
    suspects: Vec<Suspect>,
    notes: Vec<Noted>,
    /// Which pointers of the user have named a column.
    used: UsedPointers,
}

impl CellReader {
    /// A reader for a table with this delimiter.
    pub fn new(tags: &Tags, options: ReadOptions, delimiter: u8) -> Self {
        let watched = options.foreign != Foreign::Unwatched;
        let search = watched.then(|| Search::new(tags));
        let (suspects, notes, used) = (Vec::new(), Vec::new(), UsedPointers::default());
        Self {
            tags: tags.clone(),
            options,
            delimiter,
            names: None,
            search,
            pieces: Pieces::default(),
            suspects,
            notes,
            used,
        }
    }

    /// Reads a row, which stands at `offset`.
    ///
    /// # Errors
    /// When it has a cell that may be reasoning, and suspect records do not pass.
    pub fn read(&mut self, row: &[u8], offset: u64, sink: &mut dyn Sink) -> Result<Facts, NotUnderstood> {
        let all = cells(row, self.delimiter);
        let texts: Vec<Vec<u8>> = all.iter().map(|cell| plain(row, cell)).collect();
        let head = self.names.is_none();
        self.refuse(&all, &texts, offset)?;
        for i in (0..all.len()).filter(|i| self.is_read(*i)) {
            self.must_be_certain(row, &all[i], &texts[i], offset)?;
        }
        if head {
            // A first row that may hold tags is data: the table has no column names.
            let named = !texts.iter().any(|text| self.tags.may_hold(text, false));
            let names = texts.iter().filter(|_| named).map(|text| utf8(text).into_owned());
            self.names = Some(names.collect());
        }
        if head || !self.options.is_named() {
            let named = self.options.pointers.iter().chain(&self.options.drops).enumerate();
            let used = named.filter(|(_, p)| (0..all.len()).any(|i| self.is_named(p, i))).map(|(number, _)| number);
            used.collect::<Vec<_>>().into_iter().for_each(|number| self.used.note(number));
        }
        // No dialect can be written as a table: a conversion copies the rows.
        let dialect = Some(super::text::ROW.name);
        let mut facts = Facts { foreign: self.options.to.is_some(), dialect, ..Facts::default() };
        for (i, cell) in all.iter().enumerate() {
            let (lane, named) = match self.options.pointers.iter().position(|p| self.is_named(p, i)) {
                Some(n) => (Lane::Named(n as u32), !head),
                None if self.options.is_named() => continue,
                None => (Lane::Pieces(i as u32), false),
            };
            let tagged = self.tags.may_hold(&texts[i], false);
            if tagged || named || self.options.wants.rest && !head {
                sink.event(&Event::start_of_text(lane, Role::Assistant));
                sink.event(&Event::Fact(lane, MessageFact::Field(&self.pointer(i))));
                self.text(row, cell, &texts[i], (lane, offset), sink);
                sink.event(&Event::MessageEnd { lane, element: None });
                facts.messages += 1;
            }
        }
        let dropped = self.drop(row, &all, offset, sink);
        facts.messages += u64::from(dropped && !head);
        Ok(facts)
    }

    /// What to say of the pointers of the user that have named no column.
    pub fn unused_pointers(&self) -> Vec<String> {
        self.used.unused(&self.options.pointers, &self.options.drops)
    }

    /// The suspect records that passed since the last call.
    pub fn suspects(&mut self) -> Vec<Suspect> {
        std::mem::take(&mut self.suspects)
    }

    /// The notes since the last call, each with its offset in the input.
    pub fn notes(&mut self) -> Vec<(u64, Note)> {
        std::mem::take(&mut self.notes)
    }

    /// Searches a row for reasoning outside of blocks of inline tags, which are read. A table with such blocks is not
    /// converted.
    fn refuse(&mut self, all: &[Cell], texts: &[Vec<u8>], offset: u64) -> Result<(), NotUnderstood> {
        if let (Some(_), Some(i)) = (&self.options.to, texts.iter().position(|text| self.tags.may_hold(text, false))) {
            return Err(Error::new(offset as usize + all[i].at.start, UNCONVERTED).into());
        }
        let own: Vec<usize> = (0..all.len()).filter(|i| !self.names_column(*i)).collect();
        // If the user has named columns, no tags are read in the others.
        let named = self.options.is_named();
        let Some(search) = &mut self.search else { return Ok(()) };
        let names = self.names.as_deref().unwrap_or_default();
        let name = |i: usize| names.get(i).map_or("", String::as_str);
        let suspect = own.into_iter().find(|i| {
            let text = &texts[*i];
            let part = (text.contains(&b'{')) && self.pieces.inside(&self.tags, text);
            search.is_cell(name(*i), &utf8(text))
                || part
                || search.is_json(text)
                || named && search.is_tagged(text)
                || search.is_recorded(text)
        });
        let Some(i) = suspect else { return Ok(()) };
        let (offset, pointer) = (offset + all[i].at.start as u64, self.pointer(i));
        let suspect = Suspect { offset, pointer, what: SUSPECT };
        match self.options.foreign {
            Foreign::Refuse => return Err(NotUnderstood::Suspect(suspect)),
            Foreign::Pass | Foreign::Unwatched => self.suspects.push(suspect),
        }
        Ok(())
    }

    /// Whether the tags of the column `i` are read.
    fn is_read(&self, i: usize) -> bool {
        !self.options.is_named() || self.options.pointers.iter().any(|pointer| self.is_named(pointer, i))
    }

    /// Refuses a row with an unclosed block where that is an error, or with a tag of which it is not certain whether it is
    /// used, before any of its events is sent.
    fn must_be_certain(&self, row: &[u8], cell: &Cell, text: &[u8], offset: u64) -> Result<(), Error> {
        if !self.tags.may_hold(text, false) {
            return Ok(());
        }
        let Some(error) = doubt(&self.tags, self.options.inline, text) else { return Ok(()) };
        let at = offset as usize + cell.text.start + escapes(row, cell).raw(error.offset);
        Err(Error::of(error.kind, at, error.what))
    }

    /// Sends the text of a cell as pieces of the message in `lane`.
    fn text(&mut self, row: &[u8], cell: &Cell, text: &[u8], (lane, offset): (Lane, u64), sink: &mut dyn Sink) {
        let map = escapes(row, cell);
        let mut first = self.options.wants.rest;
        let mut to = |piece: &Piece<'_>| {
            if piece.kind == PieceKind::Tool {
                sink.event(&Event::Fact(lane, MessageFact::ToolCall));
            }
            let kind = piece.kind.of(Role::Assistant);
            let fresh = piece.fresh || kind.is_visible() && std::mem::take(&mut first);
            sink.event(&Event::Piece(Piece { lane, kind, fresh, ..*piece }));
        };
        let mut text_reader = TextReader::new(&self.tags, self.options.inline, false);
        text_reader.feed(text, offset + cell.text.start as u64, map, &mut self.notes, &mut to);
        text_reader.finish(&mut self.notes, &mut to);
    }

    /// Cuts the cells of the columns that `--drop` names, as one block of reasoning. Returns whether there are any.
    fn drop(&self, row: &[u8], all: &[Cell], offset: u64, sink: &mut dyn Sink) -> bool {
        let goes = |i: usize| self.options.drops.iter().any(|p| self.is_named(p, i));
        if !(0..all.len()).any(goes) {
            return false;
        }
        let text: Vec<u8> = (0..all.len()).filter(|i| goes(*i)).flat_map(|i| plain(row, &all[i])).collect();
        let span = |from: usize, to: usize| Span::new(offset + from as u64, offset + to as u64);
        // A cell goes with the delimiter before it, or with that behind it while no cell before it stays.
        let first = (0..all.len()).find(|i| !goes(*i)).unwrap_or(all.len());
        let front = (first > 0).then(|| {
            let end = all.get(first).map_or(all[first - 1].at.end, |stays| stays.at.start);
            span(all[0].at.start, end)
        });
        let others = (first..all.len()).filter(|i| goes(*i)).map(|i| span(all[i - 1].at.end, all[i].at.end));
        let at: Vec<Span> = front.into_iter().chain(others).collect();
        let (lane, kind) =
            (Lane::Named(self.options.pointers.len() as u32), PieceKind::Reasoning(super::reader::NAMED));
        sink.event(&Event::start_of_text(lane, Role::Assistant));
        let (text, at) = (text.as_slice(), at.as_slice());
        sink.event(&Event::Piece(Piece { lane, kind, fresh: true, text, escaped: false, whole: false, at }));
        sink.event(&Event::MessageEnd { lane, element: None });
        true
    }

    /// Whether a pointer names the column `i`: by its name, or by its number, counted from 0.
    fn is_named(&self, pointer: &Pointer, i: usize) -> bool {
        let name = self.names.as_ref().and_then(|names| names.get(i));
        name.is_some_and(|name| pointer.is_step(name)) || pointer.is_step(&i.to_string())
    }

    /// Whether any pointer of the user names the column `i`.
    fn names_column(&self, i: usize) -> bool {
        self.options.pointers.iter().chain(&self.options.drops).any(|pointer| self.is_named(pointer, i))
    }

    /// The JSON Pointer of a column.
    fn pointer(&self, i: usize) -> String {
        let name = self.names.as_ref().and_then(|names| names.get(i)).filter(|name| !name.is_empty());
        let step = name.map_or_else(|| i.to_string(), |name| name.replace('~', "~0").replace('/', "~1"));
        format!("/{step}")
    }
}

/// Where the quotes of a cell stand that are written twice.
fn escapes(row: &[u8], cell: &Cell) -> Map {
    let mut map = Map::default();
    if cell.quoted {
        quotes(&row[cell.text.clone()], &mut Vec::new(), &mut map);
    }
    map
}

/// The decoded text of a cell.
fn plain(row: &[u8], cell: &Cell) -> Vec<u8> {
    let raw = &row[cell.text.clone()];
    let mut out = Vec::with_capacity(raw.len());
    match cell.quoted {
        true => quotes(raw, &mut out, &mut Map::default()),
        false => out.extend_from_slice(raw),
    }
    out
}

/// Decodes the text of a quoted cell, in which two quotes stand for one.
fn quotes(raw: &[u8], out: &mut Vec<u8>, map: &mut Map) {
    let mut at = 0;
    while let Some(n) = memchr::memchr(b'"', &raw[at..]) {
        out.extend_from_slice(&raw[at..=at + n]);
        at = raw.len().min(at + n + 2);
        map.push(out.len(), at);
    }
    out.extend_from_slice(&raw[at..]);
}
