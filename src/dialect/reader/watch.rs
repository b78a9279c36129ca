//! Records that no dialect reads, and members that no dialect names: they are refused if they may hold reasoning
//! (behaviour.md, section 2, "Exit 0 means that everything was read").

pub(super) mod copies;
mod nodes;
mod spread;
pub(super) mod texts;
mod unnamed;

use super::JsonReader;
use super::options::{Foreign, Setup};
use crate::dialect::draft::{Item, Record, Rest, Stretch};
use crate::dialect::suspect::{Announced, Lined, Pieces, Search, pointer, string_in};
use crate::error::{Error, ErrorKind};
use crate::frame::Body;
use crate::json::{Literal, text};
use crate::model::Facts;
use copies::Across;
use std::ops::Range;
use std::sync::Arc;
use texts::Seeker;

pub(super) use nodes::{Silent, UNCLEAR};
pub(super) use unnamed::{suspect_in, unnamed};

/// The message about a suspect record.
pub(super) const SUSPECT: &str = "may be reasoning, in no format that is read";

/// The message about reasoning that is read, but has a copy that is not.
const TWICE: &str = "may be reasoning that logprobs has again, among the tokens of the answer";

/// The message about reasoning that is read, but has a copy that is not.
pub(in crate::dialect) const COPIED: &str = "may be reasoning that the record has again, in a member that is not read";

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
pub enum NotUnderstood {
    /// It is not valid, or has an unclosed block.
    Wrong(Error),
    /// It may hold reasoning that is not read.
    Suspect(Suspect),
    /// It is an array whose elements are no messages of one conversation: each is a record.
    Elements,
}

impl NotUnderstood {
    /// Whether a tag of it may be a mention or a delimiter.
    pub(super) fn is_undecided(&self) -> bool {
        matches!(self, NotUnderstood::Wrong(error) if error.kind == ErrorKind::Undecided)
    }

    /// Whether all of it is read, but stands once more where nothing reads it.
    pub(super) fn is_copied(&self) -> bool {
        matches!(self, NotUnderstood::Suspect(suspect) if suspect.what == COPIED)
    }
}

impl From<Error> for NotUnderstood {
    fn from(error: Error) -> Self {
        NotUnderstood::Wrong(error)
    }
}

/// The search for reasoning in what no dialect reads.
pub(super) struct Watch {
    setup: Arc<Setup>,
    /// The search, unless the user turned it off.
    pub search: Option<Search>,
    /// Suspect records that pass.
    pub suspects: Vec<Suspect>,
    /// The texts of a stream that no dialect reads.
    pieces: Pieces,
    /// What earlier records say of later ones.
    announced: Announced,
    /// Values whose lines are records.
    lined: Lined,
    /// A record is only examined: it is read again later.
    pub examines: bool,
    silent: Silent,
    /// The reasoning of the records that stand in the one that is read.
    pub across: Across,
    /// Where the record is part of reasoning that goes over several, once that was looked for.
    spans: Option<Option<usize>>,
}

impl JsonReader {
    /// The next record is judged by itself, and not as a line of a value that an earlier one began.
    pub fn forget_lines(&mut self) {
        self.watch.lined = Lined::default();
    }
}

impl Watch {
    /// A search at the start of an input.
    pub fn new(setup: Arc<Setup>) -> Self {
        Self {
            search: (setup.options.foreign != Foreign::Unwatched).then(|| Search::new(&setup.tags)),
            setup,
            suspects: Vec::new(),
            pieces: Pieces::default(),
            announced: Announced::default(),
            lined: Lined::default(),
            examines: false,
            silent: Silent::default(),
            across: Across::default(),
            spans: None,
        }
    }

    /// The first place of reasoning in a record, read or not: its offset in the input, and its pointer.
    pub fn reasoning_in(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        let at = self.search.as_mut()?.record(body.text)?;
        Some((body.offset(at), pointer(body.text, at)))
    }

    /// Searches what was not read of a record. A record that was understood only in part is emptied, and searched
    /// whole.
    ///
    /// # Errors
    /// When there may be reasoning in it, and suspect records do not pass.
    pub fn record(&mut self, body: &Body<'_>, record: &mut Record) -> Result<(), NotUnderstood> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let text = body.text;
        let answer = record.answer.filter(|answer| search.is_json(&text::decoded(answer.raw(text))));
        let twice = is_repeated(text, record, search);
        let partly_unread = record.marks.partly_unread || answer.is_some() || is_ciphertext(text, record) || twice;
        let foreign = partly_unread || record.is_unread();
        // An answer by itself may be a piece of one, whose tags stand in other records.
        let pieces = match (foreign || record.answer.is_some()) && !self.examines {
            true => self.over_records(text),
            false => None,
        };
        let texts = self.setup.texts(body.text);
        let Some(search) = &mut self.search else { return Ok(()) };
        let found = match foreign {
            true => search.event(body.event, text).or(pieces),
            false => {
                let piece_of_answer = pieces;
                let models = match record.rest.iter().any(|rest| rest.message) {
                    true => models(record),
                    false => Vec::new(),
                };
                let mut member = |rest: &Rest| match rest.message && is_in(&models, rest.value) {
                    true => search.of_message(text, rest.key, rest.value),
                    false => search.member(text, rest.key, rest.value, rest.message),
                };
                let found = record.rest.iter().map(&mut member).find(Option::is_some);
                let mut pieces = Some(&mut self.pieces).filter(|_| !self.examines);
                // What is unread of the content of a piece may be a piece, too.
                let piece = record.items.iter().any(|item| matches!(item, Item::Delta(_) | Item::Chunk(_)));
                let in_rest = pieces.as_mut().and_then(|pieces| {
                    let lists = record.rest.iter().filter(|rest| text[rest.value] == b'[' || piece && rest.content);
                    let key = |rest: &Rest| rest.key.map_or(&b""[..], |key| key.raw(text));
                    let member = |rest: &Rest| pieces.member(&self.setup.tags, (text, rest.value), key(rest));
                    lists.filter_map(member).next()
                });
                found
                    .flatten()
                    .or(in_rest)
                    .or(piece_of_answer)
                    .or_else(|| texts.in_drafts(record, &mut Seeker { search, pieces }))
            }
        };
        let copied = match found.is_some() || self.setup.options.to.is_some() {
            true => None,
            false => self.across.copied(texts, record, foreign),
        };
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

    /// Forgets what is known of the last record.
    pub fn next(&mut self) {
        self.spans = None;
    }

    /// Whether a record is part of reasoning that goes over several records: of a block of inline tags, or of what an
    /// earlier record has announced.
    pub fn spans(&mut self, body: &Body<'_>) -> bool {
        self.search.is_some() && !self.examines && self.over_records(body.text).is_some()
    }

    /// The first place of a record that is part of reasoning which goes over several records.
    fn over_records(&mut self, text: &[u8]) -> Option<usize> {
        let Self { spans, pieces, announced, lined, search, setup, .. } = self;
        *spans.get_or_insert_with(|| {
            let (piece, announced) = (pieces.record(&setup.tags, text), announced.record(text));
            let line = search.as_mut().and_then(|search| lined.record(text, search));
            piece.or(announced).or(line)
        })
    }

    /// Whether a text of a message is looked at more closely: it may be JSON, or the recording of a terminal.
    pub fn may_search(&self, record: &[u8], text: Literal) -> bool {
        self.search.as_ref().is_some_and(|search| texts::may_be_more(record, text, search))
    }

    /// Refuses the record for what may be reasoning at `at`, or notes it if suspect records pass.
    ///
    /// # Errors
    /// When they do not.
    pub fn suspect_at(&mut self, body: &Body<'_>, at: usize, what: &'static str) -> Result<(), NotUnderstood> {
        let suspect = Suspect { offset: body.offset(at), pointer: pointer(body.text, at), what };
        match self.setup.options.foreign {
            Foreign::Refuse => Err(NotUnderstood::Suspect(suspect)),
            Foreign::Pass | Foreign::Unwatched => {
                self.suspects.push(suspect);
                Ok(())
            }
        }
    }

    /// Handles a record that is not JSON: if it is a frame of a stream, it may hold reasoning.
    ///
    /// # Errors
    /// The error `wrong`; or the suspect, if it is such a frame and suspect records do not pass.
    pub fn no_json(&mut self, body: &Body<'_>, wrong: Error) -> Result<Facts, NotUnderstood> {
        let framed =
            self.setup.options.dialects.iter().filter_map(|dialect| dialect.shape?.framed).any(|is| is(body.text));
        match framed && self.search.is_some() {
            true => self.suspect_at(body, 0, FRAME).map(|()| Facts { foreign: true, ..Facts::default() }),
            false => Err(wrong.into()),
        }
    }

    /// Handles a frame that is not JSON: text of an event.
    ///
    /// # Errors
    /// When it holds reasoning, is a piece of it or has the name of it, and suspect records do not pass.
    pub fn search_text(&mut self, body: &Body<'_>) -> Result<(), Suspect> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let string = string_in(body.text);
        let part = self.pieces.text(&self.setup.tags, string.as_deref().unwrap_or(body.text));
        let named = search.is_event(body.event) && body.text.iter().any(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
        let string = string.is_some_and(|plain| search.is_tagged(&plain));
        if !part && !named && !string && !search.is_tagged(body.text) && !search.is_json(body.text) {
            return Ok(());
        }
        let suspect = Suspect { offset: body.offset(0), pointer: String::new(), what: SUSPECT };
        if self.setup.options.foreign == Foreign::Refuse {
            return Err(suspect);
        }
        self.suspects.push(suspect);
        Ok(())
    }
}

/// Where the messages by the model stand, in their order: none stands in another.
fn models(record: &Record) -> Vec<Range<usize>> {
    let model = |item: &Item| match item {
        Item::Message(draft) | Item::Choice(draft) => draft.is_model().then(|| draft.object.clone()),
        _ => None,
    };
    let mut models: Vec<_> = record.items.iter().filter_map(model).collect();
    models.sort_unstable_by_key(|object| object.start);
    models
}

/// Whether an offset is in one of these objects.
fn is_in(objects: &[Range<usize>], at: usize) -> bool {
    let before = objects.partition_point(|object| object.start <= at);
    objects[..before].last().is_some_and(|object| object.end > at)
}

/// Whether token probabilities repeat a choice with reasoning: they do not mark which tokens are reasoning.
fn is_repeated(record: &[u8], found: &Record, search: &Search) -> bool {
    let tagged = |unit: &Stretch| matches!(unit, Stretch::Text(s) if search.is_tagged(&text::decoded(s.raw(record))));
    let thinks = |item: &Item| match item {
        // Tokens that are those of the text are those of its blocks, too.
        Item::Choice(draft) => found.marks.tokens && draft.thinks() || draft.units.iter().any(tagged),
        _ => false,
    };
    (found.marks.tokens || found.marks.answer_tokens) && found.items.iter().any(thinks)
}

/// Whether a text of the assistant begins with a tag whose attribute says that its block is a ciphertext.
fn is_ciphertext(record: &[u8], found: &Record) -> bool {
    let redacted = |unit: &Stretch| match unit {
        Stretch::Text(literal) => {
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
