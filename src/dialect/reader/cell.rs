//! Records that stand in the cells of a table, as exports of data bases have them: each is recognised anew, as in an object
//! that holds records.

use super::framed::framing;
use super::inside::{EVENT, outermost};
use super::watch::copies::Across;
use super::{JsonReader, NotUnderstood};
use crate::dialect::shape::{Does, Slot};
use crate::dialect::suspect::CopySearch;
use crate::frame::Body;
use crate::json::scan::validate;
use crate::model::{Event, Facts, Sink};

/// What becomes of the value in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellRead {
    /// It is searched as a text.
    No,
    Yes,
    /// It is a piece of a stream, and nothing in it may be a part of a delimiter: it is read if no block is open.
    Piece,
}

impl JsonReader {
    /// Whether the values in these cells are read, so that [`JsonReader::cell`] can read each; and the first of `texts`, the other
    /// cells of the row, in which their reasoning stands once more. No event is sent.
    ///
    /// # Errors
    /// When one of them holds reasoning that is not read, or reasoning of one stands in another of them again; with its number.
    pub fn examine_cells(
        &mut self,
        cells: &[Body<'_>],
        texts: &[&[u8]],
    ) -> Result<(Vec<CellRead>, Option<usize>), (usize, NotUnderstood)> {
        self.watch.across = Across::Gathers(CopySearch::default());
        let examined = self.examine_each(cells);
        let across = std::mem::take(&mut self.watch.across);
        let read = examined?;
        let Across::Gathers(copies) = across else { return Ok((read, None)) };
        if copies.is_empty() {
            return Ok((read, None));
        }
        let copy = texts.iter().position(|text| copies.are_in(text));
        self.watch.across = Across::Compares(copies);
        let compared = self.examine_each(cells);
        self.watch.across = Across::Nothing;
        compared.map(|read| (read, copy))
    }

    fn examine_each(&mut self, cells: &[Body<'_>]) -> Result<Vec<CellRead>, (usize, NotUnderstood)> {
        let examined = cells.iter().enumerate().map(|(i, cell)| {
            self.last.inner_read = false;
            let framing = framing(cell.text);
            let examined = self.in_cell(|reader| match framing {
                Some(framing) => reader.examine_framed(cell, framing),
                None => reader.examine_inside(cell, false),
            });
            match examined {
                Ok(()) if !std::mem::take(&mut self.last.inner_read) => Ok(CellRead::No),
                Ok(()) if framing.is_some() || !self.is_piece() => Ok(CellRead::Yes),
                Ok(()) if self.setup.tags.may_begin_in_strings(cell.text) => Ok(CellRead::No),
                Ok(()) => Ok(CellRead::Piece),
                // Its others stand in other rows, as those of a piece do.
                Err(NotUnderstood::Wrong(error)) if error.what == EVENT => Ok(CellRead::No),
                Err(refused) => Err((i, refused)),
            }
        });
        examined.collect()
    }

    /// Whether the record that was examined is a piece of a stream. Its others stand in other rows, and are not read with it.
    /// What says that it is reasoning by itself is read by itself.
    fn is_piece(&self) -> bool {
        let walked = &self.recogniser.walked;
        let says = |node: u32| {
            let text = walked.literal(node, Slot::Text).is_some_and(|text| text.start < text.end);
            let last = [Slot::Stop, Slot::Over].iter().any(|slot| walked.get(node, *slot).is_some());
            walked.nodes[node as usize].does == Does::Piece && text && !last
        };
        match self.recogniser.row() {
            Some(_) => outermost(walked).any(says),
            None => self.record.as_ref().is_some_and(|record| record.is_piece()),
        }
    }

    /// Reads the value in a cell, and sends its messages.
    ///
    /// # Errors
    /// When it is not understood, which [`JsonReader::examine_cells`] says before.
    pub fn cell(&mut self, cell: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, NotUnderstood> {
        let read = self.in_cell(|reader| match framing(cell.text) {
            Some(framing) => reader.framed(cell, framing, sink),
            None => reader.read(cell, sink).inspect(|_| {
                reader.note_failure(cell);
                sink.event(&Event::RecordOver);
            }),
        });
        self.last.inner_row = self.recogniser.last.or(self.last.inner_row);
        self.finish(sink);
        read
    }

    fn in_cell<T>(&mut self, does: impl FnOnce(&mut Self) -> T) -> T {
        self.recogniser.forget(self.last.inner_row);
        self.last_event.clear();
        self.inside += 1;
        let done = does(self);
        self.inside -= 1;
        done
    }
}

/// Whether a text is an object or a list of JSON, or several that are framed.
pub(in crate::dialect) fn is_value(text: &[u8]) -> bool {
    let begins = matches!(text.trim_ascii_start().first(), Some(b'{' | b'['));
    begins && validate(text).is_ok() || framing(text).is_some()
}
