//! The reader for tables: each cell is a text of its own, and a block of reasoning that is open when its cell ends is
//! closed there. The first row has the names of the columns. A cell that is JSON is read as records are.

use super::field::{Pointer, UsedPointers};
use super::formats::shared::{ROLE, role};
use super::inline_text::{Noted, TextReader};
use super::reader::{COPIED, CellRead, Foreign, JsonReader, NotUnderstood, ReadOptions, Suspect, doubt, is_value};
use super::suspect::{self, Pieces, Search};
use crate::error::Error;
use crate::frame::Body;
use crate::frame::csv::{Cell, cells, delimiter_of};
use crate::inline::{Note, Tags};
use crate::json::scan::validate;
use crate::json::{text::Map, text::utf8};
use crate::model::{Event, Facts, Lane, MessageFact, Piece, PieceKind, Role, Sink};
use crate::span::Span;

/// The message of a finding or refusal: a cell may hold reasoning.
const SUSPECT: &str = "may be reasoning, in a column that is not read (--drop removes it)";

/// The error for a table that is JSON.
const JSON: &str = "this begins as JSON does, and not as a table (--framing json or jsonl reads it)";

/// The error for a list in a cell.
const SEVERAL: &str = "a list of records in a cell, which are not one conversation";

/// The error for a cell with inline tags when the input is to be converted.
const UNCONVERTED: &str = "a block of reasoning in a table, which is not converted";

/// Reads the rows of one table.
pub struct CellReader {
    tags: Tags,
    options: ReadOptions,
    /// None before the first row is read, unless the framing says it.
    delimiter: Option<u8>,
    /// The names of the columns: none before the first row is read, or if the table has none.
    names: Option<Vec<String>>,
    search: Option<Search>,
    /// The texts in values that stand in cells of several rows.
    pieces: Pieces,
    suspects: Vec<Suspect>,
    notes: Vec<Noted>,
    /// Which pointers of the user have named a column.
    used: UsedPointers,
    /// The reader of records in cells, unless the table is to be converted.
    records: Option<Box<JsonReader>>,
    /// The input is JSON, which cells cut into pieces that say nothing.
    json: bool,
}

impl CellReader {
    /// A reader for a table with this delimiter, or with the one that its first row has.
    pub fn new(tags: &Tags, options: ReadOptions, delimiter: Option<u8>) -> Self {
        let watched = options.foreign != Foreign::Unwatched;
        let search = watched.then(|| Search::new(tags));
        let (suspects, notes, used) = (Vec::new(), Vec::new(), UsedPointers::default());
        // The pointers of the user name columns.
        let inner = ReadOptions { pointers: Vec::new(), drops: Vec::new(), ..options.clone() };
        let records = options.to.is_none().then(|| Box::new(JsonReader::new(tags, inner)));
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
            records,
            json: false,
        }
    }

    /// Reads a row, which stands at `offset`.
    ///
    /// # Errors
    /// When it has a cell that may be reasoning, and suspect records do not pass.
    pub fn read(&mut self, row: &[u8], offset: u64, sink: &mut dyn Sink) -> Result<Facts, NotUnderstood> {
        let delimiter = *self.delimiter.get_or_insert_with(|| delimiter_of(row));
        let all = cells(row, delimiter);
        let texts: Vec<Vec<u8>> = all.iter().map(|cell| plain(row, cell)).collect();
        let head = self.names.is_none();
        self.json |= head && self.search.is_some() && all.first().is_some_and(|cell| is_part_of_json(row, cell));
        if self.json {
            return Err(Error::new(offset as usize, JSON).into());
        }
        let records: Vec<usize> = (0..all.len()).filter(|i| !head && self.may_be_record(*i, &texts[*i])).collect();
        let lines: Vec<_> = records.iter().map(|i| lines(row, &all[*i], offset)).collect();
        let of_records = records.iter().zip(&lines).map(|(i, lines)| Body::new(&texts[*i], b"", lines));
        let mut bodies: Vec<Option<Body<'_>>> = vec![None; all.len()];
        records.iter().zip(of_records).for_each(|(i, body)| bodies[*i] = Some(body));
        self.examine(&all, &mut bodies, &texts, offset)?;
        self.refuse(&all, &texts, &bodies, offset)?;
        let others = !head && self.is_by_others(&texts);
        for i in (0..all.len()).filter(|i| !others && bodies[*i].is_none() && self.is_read(*i)) {
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
            if let Some(body) = &bodies[i] {
                facts.messages += self.record(i, body, sink)?;
                continue;
            }
            let tagged = !others && self.tags.may_hold(&texts[i], false);
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

    /// Whether a row says that its texts are by somebody else than the model, where the user names no columns.
    fn is_by_others(&self, texts: &[Vec<u8>]) -> bool {
        let names = self.names.iter().flatten();
        let at = names.enumerate().find(|(_, name)| name.eq_ignore_ascii_case(ROLE)).map(|(at, _)| at);
        let by = at.and_then(|at| role(texts.get(at)?.trim_ascii()));
        !self.options.is_named() && by.is_some_and(|by| by != Role::Assistant)
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
    fn refuse(
        &mut self,
        all: &[Cell],
        texts: &[Vec<u8>],
        bodies: &[Option<Body<'_>>],
        offset: u64,
    ) -> Result<(), NotUnderstood> {
        if let (Some(_), Some(i)) = (&self.options.to, texts.iter().position(|text| self.tags.may_hold(text, false))) {
            return Err(Error::new(offset as usize + all[i].at.start, UNCONVERTED).into());
        }
        let dropped = |i: usize| self.options.drops.iter().any(|pointer| self.is_named(pointer, i));
        let own: Vec<(usize, bool)> = (0..all.len())
            .filter(|i| bodies[*i].is_none() && !dropped(*i))
            .map(|i| (i, self.names_column(i)))
            .collect();
        // If the user has named columns, no tags are read in the others.
        let named = self.options.is_named();
        let Some(search) = &mut self.search else { return Ok(()) };
        let names = self.names.as_deref().unwrap_or_default();
        let name = |i: usize| names.get(i).map_or("", String::as_str);
        let suspect = own.into_iter().find(|(i, own)| {
            let text = &texts[*i];
            if *own {
                // A text that the user names is no text with tags if it is JSON.
                let begins = matches!(text.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'));
                return begins && search.is_json_itself(text);
            }
            let part = (text.contains(&b'{')) && self.pieces.inside(&self.tags, text);
            search.is_cell(name(*i), &utf8(text))
                || part
                || search.is_json(text)
                || named && search.is_tagged(text)
                || search.is_recorded(text)
        });
        let Some((i, _)) = suspect else { return Ok(()) };
        self.suspect(i, offset + all[i].at.start as u64, SUSPECT)
    }

    /// Refuses the row for what may be reasoning in the column `i`, or notes it if suspect records pass.
    fn suspect(&mut self, i: usize, offset: u64, what: &'static str) -> Result<(), NotUnderstood> {
        let suspect = Suspect { offset, pointer: self.pointer(i), what };
        match self.options.foreign {
            Foreign::Refuse => return Err(NotUnderstood::Suspect(suspect)),
            Foreign::Pass | Foreign::Unwatched => self.suspects.push(suspect),
        }
        Ok(())
    }

    /// Whether the cell of the column `i` may be a record, which is read as one.
    fn may_be_record(&self, i: usize, text: &[u8]) -> bool {
        let name = self.names.as_deref().unwrap_or_default().get(i).map_or("", String::as_str);
        let named = self.options.pointers.iter().any(|pointer| self.is_named(pointer, i));
        let thinks = || !named && suspect::names_reasoning(name.as_bytes());
        self.records.is_some() && self.is_read(i) && is_value(text) && !thinks()
    }

    /// Examines the cells that may be records. Only those that are read are left then. No event is sent.
    ///
    /// # Errors
    /// When one of them is not understood, or its reasoning stands in another cell again.
    fn examine(
        &mut self,
        all: &[Cell],
        bodies: &mut [Option<Body<'_>>],
        texts: &[Vec<u8>],
        offset: u64,
    ) -> Result<(), NotUnderstood> {
        let (records, others): (Vec<usize>, Vec<usize>) = (0..bodies.len()).partition(|i| bodies[*i].is_some());
        let cells: Vec<Body<'_>> = bodies.iter().flatten().copied().collect();
        let Some(reader) = self.records.as_mut().filter(|_| !records.is_empty()) else { return Ok(()) };
        let plain: Vec<&[u8]> = others.iter().map(|i| texts[*i].as_slice()).collect();
        let (read, copy) = reader.examine_cells(&cells, &plain).map_err(|(i, refused)| match refused {
            NotUnderstood::Wrong(error) => {
                let offset = cells[i].offset(error.offset.min(cells[i].text.len())) as usize;
                Error { offset, ..error }.into()
            }
            NotUnderstood::Suspect(suspect) => {
                NotUnderstood::Suspect(Suspect { pointer: self.pointer(records[i]), ..suspect })
            }
            NotUnderstood::Elements => Error::new(cells[i].offset(0) as usize, SEVERAL).into(),
        })?;
        for (i, read) in records.iter().zip(read) {
            // What is no part of a block is a text of the stream all the same.
            let part = read == CellRead::Piece && self.pieces.inside(&self.tags, &texts[*i]);
            if part || read == CellRead::No || read == CellRead::Piece && self.pieces.wait() {
                bodies[*i] = None;
            }
        }
        match copy.map(|i| others[i]) {
            Some(i) => self.suspect(i, offset + all[i].at.start as u64, COPIED),
            None => Ok(()),
        }
    }

    /// Reads the record in the column `i`. Returns how many messages it has.
    fn record(&mut self, i: usize, body: &Body<'_>, sink: &mut dyn Sink) -> Result<u64, NotUnderstood> {
        let Some(reader) = &mut self.records else { return Ok(0) };
        let facts = reader.cell(body, sink)?;
        let (notes, suspects) = (reader.notes(), reader.suspects());
        self.notes.extend(notes);
        let pointer = self.pointer(i);
        self.suspects.extend(suspects.into_iter().map(|found| Suspect { pointer: pointer.clone(), ..found }));
        Ok(facts.messages)
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

/// Whether a cell is the beginning of an object or a list of JSON that goes on behind it.
fn is_part_of_json(row: &[u8], cell: &Cell) -> bool {
    let text = row[cell.text.clone()].trim_ascii();
    let begins = match text {
        [b'{'] | [b'['] => true,
        [b'{' | b'[', inner @ ..] => matches!(inner.trim_ascii_start().first(), Some(b'"' | b'{' | b'[')),
        _ => false,
    };
    begins && !cell.quoted && validate(text).is_err()
}

/// Where the parts of a cell's text stand in the input: behind each quote that is written twice, one begins.
fn lines(row: &[u8], cell: &Cell, offset: u64) -> Vec<(usize, u64)> {
    let start = offset + cell.text.start as u64;
    let map = escapes(row, cell);
    let parts = map.points().iter().map(|(text, raw)| (*text, start + *raw as u64));
    std::iter::once((0, start)).chain(parts).collect()
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
