//! Whether all of a record that was walked by a shape is understood.

use super::Shapes;
use super::understood::{self, Authors};
use super::unnamed::{first_in, is_silent, odd, unnamed};
use crate::dialect::draft::Record;
use crate::dialect::read::Rest;
use crate::dialect::reader::texts::{Seeker, Texts};
use crate::dialect::reader::{JsonReader, Refused};
use crate::dialect::shape::Shape;
use crate::frame::Body;
use std::ops::Range;

/// The message about a suspect record.
const SUSPECT: &str = "may be reasoning, in no format that is read";

/// The message about reasoning that is read, but has a copy that is not.
pub(in crate::dialect::reader) const COPIED: &str =
    "may be reasoning that the record has again, in a member that is not read";

/// The message about a record with a type that may be one of reasoning, but is unknown.
pub(super) const UNCLEAR: &str = "may be reasoning, of a kind that is not known";

impl JsonReader<'_> {
    /// Whether a record has words of a request of a format with a shape, outside of its messages.
    pub(in crate::dialect::reader) fn has_signs(&self, body: &Body<'_>, record: &Record) -> bool {
        let outside = record.outside(body.text.len());
        let holds =
            |at: &Range<usize>, word: &str| memchr::memmem::find(&body.text[at.clone()], word.as_bytes()).is_some();
        let stands = |word: &&str| outside.iter().any(|at| holds(at, word));
        let signs = self.shapes.rows.iter().flat_map(|(_, shape)| shape.signs);
        signs.into_iter().any(|words| words.iter().all(stands))
    }

    /// Checks that all of a walked record is understood, and returns its row.
    pub(in crate::dialect::reader) fn understand_shaped(
        &mut self,
        body: &Body<'_>,
    ) -> Result<(&'static str, &'static Shape), Refused> {
        let (row, shape) = self.shapes.rows[self.shapes.last.unwrap_or_default()];
        let Some(search) = &mut self.watch.search else { return Ok((row.name, shape)) };
        if let Some(at) = understood::unclear(&self.shapes.walked) {
            return self.suspect_at(body, at, UNCLEAR).map(|()| (row.name, shape));
        }
        let mut silent = self.shapes.is_silent();
        if !silent && is_silent(&self.shapes.walked, body.text) {
            self.shapes.learn_silent();
            silent = true;
        }
        let Shapes { walked, searched, .. } = &mut self.shapes;
        let authors = Authors::new(walked, body.text);
        let texts = Texts { record: body.text, tags: self.tags, inline: self.options.inline };
        let pieces = Some(&mut self.watch.pieces).filter(|_| !self.watch.examines);
        let in_text = texts.in_nodes(walked, &authors, &mut Seeker { search: &mut *search, pieces });
        let nothing = silent && odd(walked).next().is_none();
        let found = match nothing && walked.rest.iter().all(|rest| rest.searched) {
            true => in_text,
            false => {
                let clean = |rest: &Rest| searched.add_clean(body.text, rest);
                first_in(unnamed(walked, &authors, body.text), body.text, search, clean).or(in_text)
            }
        };
        let converts = self.options.to.is_some();
        let copied = match found.is_some() || converts || walked.rest.is_empty() && nothing {
            true => None,
            false => {
                let unread = unnamed(walked, &authors, body.text).map(|place| place.at);
                texts.copied_from_nodes(walked, &authors, unread)
            }
        };
        match (found, copied) {
            (Some(at), _) => self.suspect_at(body, at, SUSPECT)?,
            (None, Some(at)) => self.suspect_at(body, at, COPIED)?,
            (None, None) => (),
        }
        Ok((row.name, shape))
    }
}
