//! Whether all of a record that was walked by a shape is understood.

use super::copies::Across;
use super::spread;
use super::texts::Seeker;
use super::unnamed::{first_in, is_silent, odd, unnamed};
use super::{COPIED, NotUnderstood, SUSPECT, Watch};
use crate::dialect::read::{SearchedMembers, UnnamedMember, Walked};
use crate::dialect::reader::understood::{self, Authors};
use crate::dialect::suspect::{self, CopySearch};
use crate::frame::Body;

/// The message about a record with a type that may be one of reasoning, but is unknown.
pub(in crate::dialect::reader) const UNCLEAR: &str = "may be reasoning, of a kind that is not known";

/// How many shapes of records are kept. Lines of a log have a few dozen.
const KEPT: usize = 256;

/// The hashes ([`Walked::shape_hash`]) of recent records that have no values to search but those that the walk notes.
#[derive(Debug, Default)]
pub(in crate::dialect::reader) struct Silent(Vec<Option<u64>>);

impl Silent {
    fn has(&self, hash: u64) -> bool {
        self.0.get(hash as usize % KEPT) == Some(&Some(hash))
    }

    fn add(&mut self, hash: u64) {
        self.0.resize(KEPT, None);
        self.0[hash as usize % KEPT] = Some(hash);
    }
}

impl Watch {
    /// Searches what was not read of a record that was walked by a shape. Adds members without reasoning to `searched`.
    ///
    /// # Errors
    /// When there may be reasoning in it, and suspect records do not pass.
    pub fn nodes(
        &mut self,
        body: &Body<'_>,
        walked: &Walked,
        searched: &mut SearchedMembers,
    ) -> Result<(), NotUnderstood> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if let Some(at) = understood::unclear(walked) {
            return self.suspect_at(body, at, UNCLEAR);
        }
        let mut silent = self.silent.has(walked.shape_hash);
        if !silent && is_silent(walked, body.text) {
            self.silent.add(walked.shape_hash);
            silent = true;
        }
        let authors = Authors::new(walked, body.text);
        let texts = self.setup.texts(body.text);
        let mut pieces = Some(&mut self.pieces).filter(|_| !self.examines);
        let seeker = &mut Seeker { search: &mut *search, pieces: pieces.as_deref_mut() };
        let in_text = texts.in_nodes(walked, &authors, seeker);
        let nothing = silent && odd(walked).next().is_none();
        let found = match nothing && walked.rest.iter().all(|rest| rest.searched) {
            true => in_text,
            false => {
                let clean = |rest: &UnnamedMember| searched.add_clean(body.text, rest);
                let found = first_in(unnamed(walked, &authors, body.text), body.text, search, clean);
                let in_lists = || {
                    let pieces = pieces.as_deref_mut().filter(|_| found.is_none())?;
                    unnamed(walked, &authors, body.text).find_map(|place| {
                        let key = place.key?.decoded(body.text);
                        let known = place.rest.is_some_and(|rest| rest.searched);
                        let may = !known && spread::are_pieces(body.text, place.at) && suspect::may_be_pieces(&key);
                        may.then(|| pieces.member(&self.setup.tags, (body.text, place.at), &key)).flatten()
                    })
                };
                found.or(in_text).or_else(in_lists)
            }
        };
        let converts = self.setup.options.to.is_some();
        let unread = || unnamed(walked, &authors, body.text).map(|place| place.at);
        let copied = match &mut self.across {
            _ if found.is_some() || converts => None,
            Across::Compares(copies) => texts.first_of(copies, unread()),
            across => {
                if let Across::Gathers(copies) = across {
                    texts.add_nodes(walked, &authors, copies);
                }
                let noted = walked.rest.iter().map(|rest| rest.end - rest.value).max().unwrap_or(0);
                let longest = if nothing { noted } else { body.text.len() };
                texts.copied_from_nodes(walked, &authors, (longest, unread()))
            }
        };
        match (found, copied) {
            (Some(at), _) => self.suspect_at(body, at, SUSPECT),
            (None, Some(at)) => self.suspect_at(body, at, COPIED),
            (None, None) => Ok(()),
        }
    }

    /// The reasoning of a record that holds records, outside of these.
    pub fn reasoning_of(&self, body: &Body<'_>, walked: &Walked) -> CopySearch {
        let mut copies = CopySearch::default();
        if self.search.is_some() && self.setup.options.to.is_none() {
            self.setup.texts(body.text).add_nodes(walked, &Authors::new(walked, body.text), &mut copies);
        }
        copies
    }

    /// Looks around the records in a record for their reasoning, in what is not read of it.
    ///
    /// # Errors
    /// When it stands there, and suspect records do not pass.
    pub fn around(&mut self, body: &Body<'_>, walked: &Walked) -> Result<(), NotUnderstood> {
        let Across::Compares(copies) = &self.across else { return Ok(()) };
        let authors = Authors::new(walked, body.text);
        let unread = unnamed(walked, &authors, body.text).map(|place| place.at);
        let found = self.setup.texts(body.text).first_of(copies, unread);
        found.map_or(Ok(()), |at| self.suspect_at(body, at, COPIED))
    }
}
