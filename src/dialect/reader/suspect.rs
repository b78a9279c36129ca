//! Records that no dialect reads, and members that no dialect names: they are refused if they may hold reasoning (SPEC
//! section 2, "Exit 0 means that everything was read").

use super::shaped::COPIED;
use super::texts::{Seeker, Texts};
use super::{Foreign, JsonReader};
use crate::dialect::draft::{Item, Record, Unit};
use crate::dialect::formats::chat;
use crate::dialect::suspect::{Search, pointer};
use crate::error::Error;
use crate::frame::Body;
use crate::json::text;
use crate::model::Facts;

/// The message about a suspect record.
pub(super) const SUSPECT: &str = "may be reasoning, in no format that is read";

/// The message about reasoning that is read, but has a copy that is not.
const TWICE: &str = "may be reasoning that logprobs has again, among the tokens of the answer";

/// The message about a frame of a stream.
const FRAME: &str = "may be reasoning: a frame of a stream, which is not read";

/// The message about an answer that is read, but cannot be converted.
const UNCONVERTED: &str = "may be reasoning, in no format that is converted";

/// A record that may hold reasoning, and is in no format that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The offset in the input of the part that may be reasoning.
    pub offset: u64,
    /// Its place in the record, as a JSON Pointer. Empty if it is the whole record.
    pub pointer: String,
    /// The message.
    pub what: &'static str,
}

/// Why a record is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not valid, or has an unclosed block.
    Wrong(Error),
    /// It may hold reasoning that is not read.
    Suspect(Suspect),
    /// It is an array whose elements are no messages of one conversation: each is a record.
    Elements,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Wrong(error)
    }
}

impl JsonReader<'_> {
    /// Walks a record, and checks whether all of it is understood.
    pub(super) fn understand(&mut self, body: &Body<'_>, record: &mut Record) -> Result<(), Refused> {
        chat::read(body.text, self.rows, self.detail, &mut self.room.chat, record)?;
        self.check(body, record)
    }

    /// Whether all of a record that was walked is understood.
    pub(super) fn check(&mut self, body: &Body<'_>, record: &mut Record) -> Result<(), Refused> {
        self.refuse(body, record)?;
        self.watch(body, record)
    }

    /// Whether [`JsonReader::read`] would take a record. No event is sent.
    ///
    /// # Errors
    /// As `read`.
    pub fn examine(&mut self, body: &Body<'_>) -> Result<(), Refused> {
        if self.fits(body, false) {
            return self.understand_shaped(body).map(|_| ());
        }
        let mut record = self.room.record.take().unwrap_or_default();
        self.watch.examines = true;
        let examined = self.understand(body, &mut record);
        self.watch.examines = false;
        self.room.record = Some(record);
        self.watch.suspects.clear();
        examined
    }

    /// The first place of reasoning in a record, read or not: its offset in the input, and its pointer.
    pub fn reasoning_in(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        let at = self.watch.search.as_mut()?.record(body.text)?;
        Some((body.offset(at), pointer(body.text, at)))
    }

    /// Sets whether records may be events of a stream, whose texts are pieces.
    pub fn in_pieces(mut self, pieces: bool) -> Self {
        self.watch.search.iter_mut().for_each(|search| search.pieces = pieces);
        self
    }

    /// Searches what was not read of a record. A record that was understood only in part is emptied, and searched
    /// whole.
    ///
    /// # Errors
    /// When there may be reasoning in it, and suspect records do not pass.
    fn watch(&mut self, body: &Body<'_>, record: &mut Record) -> Result<(), Refused> {
        let texts = Texts { record: body.text, tags: self.tags, inline: self.options.inline };
        let Some(search) = &mut self.watch.search else { return Ok(()) };
        let text = body.text;
        let answer = record.answer.filter(|answer| search.is_json(&text::decoded(answer.raw(text))));
        let twice = is_repeated(text, record, search);
        let partly_unread = record.marks.partly_unread || answer.is_some() || is_ciphertext(text, record) || twice;
        let foreign = partly_unread || record.is_unread();
        let pieces = match foreign && !self.watch.examines {
            true => self.watch.pieces.record(self.tags, text),
            false => None,
        };
        let found = match foreign {
            true => search.event(body.event, text).or(pieces),
            false => {
                let rest = record.rest.iter();
                let found =
                    rest.map(|rest| search.member(text, rest.key, rest.value, rest.message)).find(Option::is_some);
                let mut pieces = Some(&mut self.watch.pieces).filter(|_| !self.watch.examines);
                let in_rest = pieces.as_mut().and_then(|pieces| {
                    let lists = record.rest.iter().map(|rest| rest.value).filter(|at| text[*at] == b'[');
                    lists.collect::<Vec<_>>().into_iter().find_map(|at| pieces.member(self.tags, text, at))
                });
                found.flatten().or(in_rest).or_else(|| texts.in_drafts(record, &mut Seeker { search, pieces }))
            }
        };
        let copied = if found.is_some() || foreign || self.options.to.is_some() { None } else { texts.copied(record) };
        if partly_unread {
            record.clear();
        }
        if let Some(at) = copied {
            return self.suspect_at(body, at, COPIED);
        }
        let Some(at) = found else { return Ok(()) };
        let what = match (record.marks.unwritten, twice) {
            (true, _) => UNCONVERTED,
            (false, true) => TWICE,
            (false, false) => SUSPECT,
        };
        self.suspect_at(body, at, what)
    }

    /// Refuses the record for what may be reasoning at `at`, or notes it if suspect records pass.
    ///
    /// # Errors
    /// When they do not.
    pub(super) fn suspect_at(&mut self, body: &Body<'_>, at: usize, what: &'static str) -> Result<(), Refused> {
        let suspect = Suspect { offset: body.offset(at), pointer: pointer(body.text, at), what };
        match self.options.foreign {
            Foreign::Refuse => Err(Refused::Suspect(suspect)),
            Foreign::Pass | Foreign::Unwatched => {
                self.watch.suspects.push(suspect);
                Ok(())
            }
        }
    }

    /// Handles a record that is not JSON: if it is a frame of a stream, it may hold reasoning.
    ///
    /// # Errors
    /// The error `wrong`; or the suspect, if it is such a frame and suspect records do not pass.
    pub(super) fn no_json(&mut self, body: &Body<'_>, wrong: Error) -> Result<Facts, Refused> {
        let framed = self.options.dialects.iter().filter_map(|dialect| dialect.shape?.framed).any(|is| is(body.text));
        match framed && self.watch.search.is_some() {
            true => self.suspect_at(body, 0, FRAME).map(|()| Facts { foreign: true, ..Facts::default() }),
            false => Err(wrong.into()),
        }
    }

    /// Handles a frame that is not JSON: text of an event.
    ///
    /// # Errors
    /// When it holds reasoning, is a piece of it or has the name of it, and suspect records do not pass.
    pub fn search_text(&mut self, body: &Body<'_>) -> Result<(), Suspect> {
        let Some(search) = &mut self.watch.search else { return Ok(()) };
        let part = self.watch.pieces.text(self.tags, body.text);
        let named = search.is_event(body.event) && body.text.iter().any(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
        if !part && !named && !search.is_tagged(body.text) && !search.is_json(body.text) {
            return Ok(());
        }
        let suspect = Suspect { offset: body.offset(0), pointer: String::new(), what: SUSPECT };
        if self.options.foreign == Foreign::Refuse {
            return Err(suspect);
        }
        self.watch.suspects.push(suspect);
        Ok(())
    }

    /// The suspect records that passed since the last call.
    pub fn suspects(&mut self) -> Vec<Suspect> {
        std::mem::take(&mut self.watch.suspects)
    }
}

/// Whether token probabilities repeat a choice with reasoning: they do not mark which tokens are reasoning.
fn is_repeated(record: &[u8], found: &Record, search: &Search<'_>) -> bool {
    let tagged = |unit: &Unit| matches!(unit, Unit::Text(s) if search.is_tagged(&text::decoded(s.raw(record))));
    let thinks = |item: &Item| match item {
        Item::Choice(draft) => draft.thinks() || draft.units.iter().any(tagged),
        _ => false,
    };
    found.marks.tokens && found.items.iter().any(thinks)
}

/// Whether a text of the assistant begins with a tag whose attribute says that its block is a ciphertext.
fn is_ciphertext(record: &[u8], found: &Record) -> bool {
    let redacted = |unit: &Unit| match unit {
        Unit::Text(literal) => {
            let tag = literal.raw(record).trim_ascii_start().strip_prefix(b"<think ");
            let tag = tag.map(|tag| &tag[..memchr::memchr(b'>', tag).unwrap_or(tag.len())]);
            tag.is_some_and(|tag| memchr::memmem::find(tag, b"redacted=").is_some())
        }
        _ => false,
    };
    let mut drafts = found.items.iter().filter_map(|item| match item {
        Item::Message(draft) | Item::Choice(draft) => Some(draft),
        _ => None,
    });
    drafts.any(|draft| draft.is_model() && draft.units.iter().any(redacted))
}
