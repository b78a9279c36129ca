//! The reader of JSON records. A record is recognised, walked and read completely into drafts; only what was understood is
//! then sent as events.

mod again;
mod cell;
mod content;
mod convert;
mod elements;
mod failure;
mod fields;
mod flagged;
mod framed;
mod inside;
mod last;
mod open;
mod options;
mod recogniser;
mod records;
mod refuse;
mod roles;
mod sender;
mod shaped;
mod understood;
mod watch;

pub use self::again::NextRecord;
pub(super) use self::cell::{CellRead, is_value};
pub(super) use self::fields::NAMED;
pub use self::options::{Foreign, Hindsight, ReadOptions};
pub(super) use self::refuse::doubt;
pub use self::refuse::{UNCLOSED, unclosed};
pub(super) use self::sender::{next_facts, send_cuts, send_facts};
pub(super) use self::watch::COPIED;
pub use self::watch::{NotUnderstood, Suspect};

use self::again::LastEvent;
use self::convert::Editor;
use self::last::LastRead;
use self::open::OpenMessages;
use self::options::Setup;
use self::recogniser::Recogniser;
use self::sender::{Sender, envelope};
use self::watch::Watch;
use super::field::UsedPointers;
use super::formats::chat::in_place::DeltaRewriter;
use crate::dialect::draft::{Item, Record};
use crate::dialect::formats::chat;
use crate::dialect::read::{Entry, Walked};
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Note, Tags};
use crate::json::Literal;
use crate::model::content::Envelope;
use crate::model::{Event, Facts, Sink};
use std::sync::Arc;

/// Reads the records of one input.
pub struct JsonReader {
    setup: Arc<Setup>,
    /// Which row reads a record.
    recogniser: Recogniser,
    /// What may be reasoning and is not read.
    watch: Watch,
    /// What is open between records.
    open: OpenMessages,
    sender: Sender,
    editor: Editor,
    /// The nodes of a record of the chat family.
    chat: Walked,
    /// The record that was read last. It is large, so that moving it would cost.
    record: Option<Box<Record>>,
    /// How the last record was read.
    last: LastRead,
    last_event: LastEvent,
    /// How many records the record that is read stands in.
    inside: u8,
    /// In how many strings of the input that one stands.
    strings: u8,
    /// Which pointers of the user have named something.
    used: UsedPointers,
}

impl JsonReader {
    /// A reader at the start of an input.
    pub fn new(tags: &Tags, options: ReadOptions) -> Self {
        let setup = Arc::new(Setup::new(tags, options));
        Self {
            recogniser: Recogniser::new(setup.clone()),
            watch: Watch::new(setup.clone()),
            open: OpenMessages::default(),
            sender: Sender::new(setup.clone()),
            editor: Editor { streams: setup.streams(), deltas: DeltaRewriter::default(), last: None },
            setup,
            chat: Walked::default(),
            record: None,
            last: LastRead::default(),
            last_event: LastEvent::default(),
            inside: 0,
            strings: 0,
            used: UsedPointers::default(),
        }
    }

    /// Sets whether records may be events of a stream, whose texts are pieces.
    pub fn in_pieces(mut self, pieces: bool) -> Self {
        self.watch.search.iter_mut().for_each(|search| search.pieces = pieces);
        self
    }

    /// Reads one record. Events are sent only if all of it was understood.
    ///
    /// # Errors
    /// When it is not JSON, holds a block that should have been closed, or may hold reasoning that no dialect reads.
    pub fn read(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, NotUnderstood> {
        if let Some(origins) = &mut self.sender.origins {
            origins.next(&chat::states::ORIGIN);
        }
        let read = self.read_record(body, sink);
        // What is like an earlier event says nothing else than texts.
        if let (Some(origins), Ok(facts), false) = (&mut self.sender.origins, &read, self.last.alike) {
            let (record, streams) = (self.record.as_deref(), &self.sender.streams);
            let delta = facts.stream || facts.dialect.is_none();
            let lane = || streams.lane(record?.id(body.text).as_deref()).filter(|_| delta);
            origins.pass(body.text, lane, sink);
        }
        read
    }

    fn read_record(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, NotUnderstood> {
        if self.setup.options.is_named() {
            return self.fields(body, sink);
        }
        (self.sender.tagged.literal, self.last.by_chat) = (None, false);
        if let Some(read) = self.goes_on_with(body, sink) {
            self.last.alike = true;
            return Ok(read);
        }
        self.last.alike = false;
        if self.recogniser.last.is_some() {
            if self.inside == 0
                && let Some(at) = self.alike(body)
            {
                return self.shaped_alike(body, at, sink);
            }
            if let Some(row) = self.row(body, true) {
                return self.shaped(body, row, sink);
            }
        }
        let mut record = self.record.take().unwrap_or_default();
        let read = self.read_by_chat(body, &mut record, sink);
        self.record = Some(record);
        read
    }

    /// The number of the kept record that a record is like, if nothing of it must be searched.
    fn alike(&mut self, body: &Body<'_>) -> Option<usize> {
        let at = self.recogniser.alike(body, self.open.any_streamed())?;
        let mut texts = self.recogniser.event(at).into_iter().flat_map(Walked::texts).filter_map(Entry::literal);
        (!texts.any(|text| self.watch.may_search(body.text, text))).then_some(at)
    }

    /// Recognises and walks a record. Returns its row, if it is of a format with a shape. `likely`: the row of the last
    /// record is tried first.
    fn row(&mut self, body: &Body<'_>, likely: bool) -> Option<recogniser::ShapedRow> {
        self.last_event.clear();
        let streamed = self.open.any_streamed();
        let fits = self.recogniser.fits(body, (likely, streamed), self.watch.search.as_mut());
        self.recogniser.row().filter(|_| fits)
    }

    /// Reads a record by the keys of the chat family, unless it is of another format.
    fn read_by_chat(
        &mut self,
        body: &Body<'_>,
        record: &mut Box<Record>,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        if let Err(wrong) = chat::read(body.text, self.setup.rows, self.setup.detail, &mut self.chat, record) {
            return self.watch.no_json(body, wrong);
        }
        let may_be_shaped =
            may_be_shaped(body, record) || self.setup.builds() && self.recogniser.has_signs(body, record);
        if may_be_shaped && let Some(row) = self.row(body, false) {
            return self.shaped_after_all(body, row, record, sink);
        }
        if let Some(refused) = self.refused_list(body, record) {
            return Err(refused);
        }
        self.watch.next();
        if let Some(read) = self.held(body, record, true, sink) {
            return read;
        }
        let known = self.watch.suspects.len();
        let read = self.check(body, record);
        if let Some(read) = self.held_after_all(body, record, (&read, known), sink) {
            return read;
        }
        // A tag that is undecided in chat is text in a format with a place for reasoning, if the record has its words.
        let undecided = matches!(&read, Err(refused) if refused.is_undecided());
        if undecided
            && self.recogniser.has_signs(body, record)
            && let Some(row) = self.row(body, false)
        {
            return self.shaped_after_all(body, row, record, sink);
        }
        self.last.by_chat = true;
        read?;
        if self.chat_error(body, record, sink) {
            return Ok(Facts { dialect: Some(record.dialect()), ..Facts::default() });
        }
        if self.setup.options.to.is_some() && self.is_wrapped() {
            if let Some(row) = self.row(body, false) {
                return self.shaped_after_all(body, row, record, sink);
            }
            if self.may_stand_beside(body)
                && let Some(read) = self.held(body, record, false, sink)
            {
                return read;
            }
        }
        let foreign = record.is_unread();
        let edits = self.setup.options.in_place().is_some() && !record.is_written_anew();
        if self.setup.options.to.is_some() && !edits && is_exchange(record) {
            // The log of a proxy may say of itself where its records are.
            if let Some(row) = self.row(body, false) {
                return self.shaped_after_all(body, row, record, sink);
            }
            if let Some(read) = self.held(body, record, false, sink) {
                return read;
            }
            return Err(Error::new(0, EXCHANGE).into());
        }
        self.items_over(body, record, sink);
        if let Some(facts) = self.stays(body, record, edits || foreign) {
            return Ok(facts);
        }
        let facts = match edits {
            true => self.convert(body, record, sink)?,
            false => {
                let inside = self.setup.builds() && !foreign && self.chat_facts(body, record, sink);
                let facts = self.sender.send(body, record, sink);
                if inside {
                    sink.event(&Event::RecordOver);
                }
                facts
            }
        };
        self.learn_delta(body, record, &facts);
        self.learn_end(&facts, self.setup.builds() && !edits);
        Ok(Facts { foreign, ..facts })
    }

    /// Reads a record of a format with a shape that was walked by the keys of chat first.
    fn shaped_after_all(
        &mut self,
        body: &Body<'_>,
        row: recogniser::ShapedRow,
        record: &mut Box<Record>,
        sink: &mut dyn Sink,
    ) -> Result<Facts, NotUnderstood> {
        self.record = Some(std::mem::take(record));
        let read = self.shaped(body, row, sink);
        *record = self.record.take().unwrap_or_default();
        read
    }

    /// Whether all of a record that was walked by the keys of chat is understood.
    fn check(&mut self, body: &Body<'_>, record: &mut Record) -> Result<(), NotUnderstood> {
        if let Some(at) = self.thought_without_tags(body, record) {
            self.watch.suspect_at(body, at, watch::SUSPECT)?;
        }
        self.sender.tagged.record(&self.setup, body, record)?;
        self.watch.record(body, record)?;
        self.watch.spread(body, record)
    }

    /// Whether [`JsonReader::read`] would take a record. No event is sent.
    ///
    /// # Errors
    /// As `read`.
    pub fn examine(&mut self, body: &Body<'_>) -> Result<(), NotUnderstood> {
        if self.row(body, self.inside > 0).is_some() {
            return self.understand_nodes(body);
        }
        let mut record = self.record.take().unwrap_or_default();
        let outer = std::mem::replace(&mut self.watch.examines, true);
        let walked = chat::read(body.text, self.setup.rows, self.setup.detail, &mut self.chat, &mut record);
        let examined = walked.map_err(NotUnderstood::from).and_then(|()| self.examine_by_chat(body, &mut record));
        self.watch.examines = outer;
        self.record = Some(record);
        self.watch.suspects.clear();
        examined
    }

    /// The first place of reasoning in a record, read or not: its offset in the input, and its pointer.
    pub fn reasoning_in(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        self.watch.reasoning_in(body)
    }

    /// Handles a frame that is not JSON: text of an event.
    ///
    /// # Errors
    /// When it holds reasoning, is a piece of it or has the name of it, and suspect records do not pass.
    pub fn search_text(&mut self, body: &Body<'_>) -> Result<(), Suspect> {
        self.watch.search_text(body)
    }

    /// The suspect records that passed since the last call.
    pub fn suspects(&mut self) -> Vec<Suspect> {
        std::mem::take(&mut self.watch.suspects)
    }

    /// Reads a frame that is not JSON, but no error either: `[DONE]` ends a response.
    pub fn plain(&mut self, body: &Body<'_>, sink: &mut dyn Sink) {
        if body.text.trim_ascii() != b"[DONE]" {
            return;
        }
        if self.last.rebuilt {
            // A stream that is written anew gets an end in its new format, if it has none yet.
            envelope(body, Envelope::Stream, sink);
        } else if let Some(target) = self.setup.options.in_place() {
            self.editor.deltas.over(body, target, sink);
        }
        self.finish(sink);
    }

    /// Notes after each record whether its messages are written anew (`rebuilt`), so that a `[DONE]` behind them does
    /// not stay. A response that is no stream has no such end, unless the chat family is edited in place.
    fn learn_end(&mut self, facts: &Facts, rebuilt: bool) {
        if facts.dialect.is_some() {
            self.last.rebuilt = rebuilt && (facts.stream || self.setup.options.in_place().is_none());
        }
    }

    /// Whether reasoning was written between delimiters of which the last one has not been written.
    pub fn leaves_open(&self) -> bool {
        self.editor.deltas.leaves_open()
    }

    /// Ends the input: all responses are over.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        self.last_event.clear();
        self.sender.streams.finish(sink, &mut self.sender.notes);
        let Editor { streams, deltas, .. } = &mut self.editor;
        streams.finish(&mut deltas.delta_sink(sink), &mut self.sender.notes);
    }

    /// Ends a top-level array. A conversion writes the array's messages in it.
    pub fn end_array(&mut self, sink: &mut dyn Sink) {
        if self.setup.options.to.is_some() {
            self.end_list(sink);
        }
    }

    /// How many bytes of text are buffered, in messages that are not decided yet.
    pub fn buffered(&self) -> usize {
        self.sender.streams.buffered() + self.editor.streams.buffered()
    }

    /// The first byte of the input that is not decided yet.
    pub fn undecided(&self) -> Option<u64> {
        self.sender.streams.undecided().into_iter().chain(self.editor.streams.undecided()).min()
    }

    /// Whether there are notes since the last call of [`JsonReader::notes`].
    #[inline]
    pub fn has_notes(&self) -> bool {
        !self.sender.notes.is_empty()
    }

    /// The notes since the last call, each with its offset in the input.
    pub fn notes(&mut self) -> Vec<(u64, Note)> {
        std::mem::take(&mut self.sender.notes)
    }
}

/// The error for a record with a request and its answer, where records are built anew.
const EXCHANGE: &str = "a request and its answer in one record, which cannot be converted together";

/// Whether a record has a request, and an answer beside it: the log of a proxy.
fn is_exchange(record: &Record) -> bool {
    let any = |is: fn(&Item) -> bool| record.items.iter().any(is);
    any(|item| matches!(item, Item::Message(_))) && any(|item| matches!(item, Item::Choice(_) | Item::Delta(_)))
}

/// Whether a record that was walked by the keys of chat may be in a format that has a shape.
fn may_be_shaped(body: &Body<'_>, record: &Record) -> bool {
    let drafts = |item: &Item| match item {
        Item::Message(draft) | Item::Choice(draft) => draft.has.parts || draft.has.typed || draft.has.elsewhere,
        _ => false,
    };
    // An answer in a log may be a record itself.
    let is_json = |answer: Literal| matches!(answer.raw(body.text).trim_ascii_start().first(), Some(b'{' | b'['));
    record.answer.is_some_and(is_json)
        || record.marks.partly_unread
        || !record.rest.is_empty()
        || record.is_unread()
        || record.items.iter().any(drafts)
}
