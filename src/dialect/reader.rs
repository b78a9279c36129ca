//! The reader of JSON records: walks a record, then sends its content as events.

mod content;
mod convert;
mod copies;
mod elements;
mod failure;
mod fields;
mod instructions;
mod message;
mod options;
mod redact;
mod refuse;
mod shaped;
mod suspect;
mod texts;

pub(super) use self::content::{next_facts, send_facts};
pub(super) use self::fields::NAMED;
use self::shaped::Shapes;
pub use self::shaped::{AHEAD_BYTES, AHEAD_RECORDS};
pub use self::suspect::{Refused, Suspect};
pub use self::{options::Foreign, options::Hindsight, options::ReadOptions, refuse::UNCLOSED, refuse::unclosed};
use super::field::Used;
use super::formats::chat::patch::DeltaRewriter;
use super::inline_text::{Noted, TextReader, decode};
use super::shape::Rows;
use super::stream::{Known, Outside, Streams};
use super::suspect::{Pieces, Search};
use crate::dialect::draft::{Detail, Draft, Item, Record, Unit};
use crate::dialect::formats::chat;
use crate::dialect::formats::shared::{call_text, deep_blocks};
use crate::dialect::read::Walked;
use crate::frame::Body;
use crate::inline::{Note, Options, Start, Tags};
use crate::json::text::Map;
use crate::json::{Literal, text};
use crate::model::content::Envelope;
use crate::model::{Element, Event, Facts, Kind, Lane, Piece, Role, SNAPSHOT, Sink};
use crate::span::Span;
use std::ops::Range;

/// Reads the records of one input.
pub struct JsonReader<'t> {
    tags: &'t Tags,
    /// The rows of the chat family that are read.
    rows: Rows,
    options: ReadOptions,
    streams: Streams<'t>,
    /// The streams whose deltas are edited in place. Their events are for `deltas`, not for the output.
    edited: Streams<'t>,
    notes: Vec<Noted>,
    room: Buffers,
    detail: Detail,
    deltas: DeltaRewriter,
    watch: SuspectSearch<'t>,
    /// Reads the formats that are described by a shape.
    shapes: Shapes,
    /// Which pointers of the user have named something.
    used: Used,
    /// The last record's messages are written anew with the end of their stream: a `[DONE]` behind them gets no event.
    rebuilt: bool,
}

/// Memory that is used again for each record.
#[derive(Default)]
struct Buffers {
    scratch: Vec<u8>,
    /// The nodes of a record of the chat family.
    chat: Walked,
    /// The last text that was decoded to see whether its tags are certain: it is read next.
    tagged: Tagged,
    spans: Vec<Span>,
    cuts: Vec<Span>,
    /// There was reasoning in the last text.
    reasons: bool,
    /// The last record differs from an earlier one in texts only.
    alike: bool,
    /// A record was an error.
    error: bool,
    /// It is large, so that moving it would cost.
    record: Option<Box<Record>>,
    /// It is the record that was read last.
    walked: bool,
}

/// A decoded text.
#[derive(Default)]
struct Tagged {
    /// Where it stands in the record; `None` if it is of another record.
    literal: Option<Literal>,
    /// The text, and its offset in the input.
    text: Vec<u8>,
    input: u64,
    map: Map,
}

/// The search for reasoning in what no dialect reads.
struct SuspectSearch<'t> {
    /// The search, unless the user turned it off.
    search: Option<Search<'t>>,
    /// Suspect records that pass.
    suspects: Vec<Suspect>,
    /// The texts of a stream that no dialect reads.
    pieces: Pieces,
    /// A record is only examined: it is read again later.
    examines: bool,
}

impl<'t> JsonReader<'t> {
    /// A reader at the start of an input.
    pub fn new(tags: &'t Tags, options: ReadOptions) -> Self {
        Self {
            tags,
            rows: options.dialects.iter().filter_map(|dialect| dialect.family).fold(0, |rows, guest| rows | guest.row),
            streams: Streams::new(tags, options.in_stream(tags)),
            edited: Streams::new(tags, options.in_stream(tags)),
            detail: Detail {
                members: options.wants.content,
                edits: options.in_place().is_some(),
                usage: options.wants.rest,
                instructions: options.wants.instructions,
                plain: !tags.has_plain_delimiter(),
            },
            watch: SuspectSearch {
                search: (options.foreign != Foreign::Unwatched).then(|| Search::new(tags)),
                suspects: Vec::new(),
                pieces: Pieces::default(),
                examines: false,
            },
            shapes: Shapes::new(&options.dialects, options.wants.content),
            options,
            notes: Vec::new(),
            room: Buffers::default(),
            deltas: DeltaRewriter::default(),
            used: Used::default(),
            rebuilt: false,
        }
    }

    /// Reads one record. Events are sent only if all of it was understood.
    ///
    /// # Errors
    /// When it is not JSON, holds a block that should have been closed, or may hold reasoning that no dialect reads.
    pub fn read(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, Refused> {
        if self.options.is_named() {
            return self.fields(body, sink);
        }
        (self.room.tagged.literal, self.room.walked) = (None, false);
        if let Some(read) = self.goes_on_with(body, sink) {
            self.room.alike = true;
            return read;
        }
        let mut record = self.room.record.take().unwrap_or_default();
        if self.shapes.is_likely() {
            let alike = self.shapes.alike(body);
            self.room.alike = alike.is_some();
            if alike.is_some() || self.fits(body, true) {
                self.room.record = Some(record);
                return match alike {
                    Some(at) => self.shaped_alike(body, at, sink),
                    None => self.shaped(body, sink),
                };
            }
        }
        self.room.alike = false;
        if let Err(wrong) = chat::read(body.text, self.rows, self.detail, &mut self.room.chat, &mut record) {
            self.room.record = Some(record);
            return self.no_json(body, wrong);
        }
        let may_be_shaped = may_be_shaped(&record) || self.builds() && self.has_signs(body, &record);
        if may_be_shaped && self.fits(body, false) {
            self.room.record = Some(record);
            return self.shaped(body, sink);
        }
        if let Some(refused) = self.refused_list(body, &record) {
            self.room.record = Some(record);
            return Err(refused);
        }
        let read = self.check(body, &mut record);
        if read.is_ok() && self.chat_error(body, &record, sink) {
            let dialect = Some(record.dialect());
            (self.room.record, self.room.walked) = (Some(record), true);
            return Ok(Facts { dialect, ..Facts::default() });
        }
        let foreign = record.is_unread();
        let edits = self.options.in_place().is_some() && !record.is_written_anew();
        let facts = read.and_then(|()| match edits {
            true => Ok(self.convert(body, &record, sink)?),
            false => {
                if self.builds() {
                    self.chat_facts(body, &mut record, sink);
                }
                Ok(self.send(body, &record, sink))
            }
        });
        if let Ok(facts) = &facts {
            self.learn_delta(body, &record, facts);
        }
        (self.room.record, self.room.walked) = (Some(record), true);
        if let Ok(facts) = &facts {
            self.shapes.may_be_rejected_later &= facts.dialect.is_none();
            self.learn_end(facts, self.builds() && !edits);
        }
        facts.map(|facts| Facts { foreign, ..facts })
    }

    /// Sends the content of a record as events.
    fn send(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) -> Facts {
        let mut facts = Facts { payload: record.marks.payload, ..Facts::default() };
        let mut first_choice = true;
        if record.style.enveloped && self.options.wants.messages {
            sink.event(&Event::Recording);
            record.rewind.iter().for_each(|n| sink.event(&Event::Rewind(*n)));
        }
        if !matches!(record.items.first(), Some(Item::Start)) {
            self.instructions(body, record, sink);
        }
        for item in &record.items {
            facts.dialect = facts.dialect.or_else(|| Some(record.dialect()));
            let id = record.id(body.text);
            let id = id.as_deref();
            if let Item::Delta(draft) = item
                && draft.delta.completion
                && draft.delta.finished
                && !facts.stream
                && !self.streams.goes_on(id)
            {
                let joined = !std::mem::replace(&mut first_choice, false);
                let standing = if joined { MessagePosition::Joined } else { MessagePosition::Listed };
                self.message(body, draft, &mut facts, standing, sink);
                continue;
            }
            if let Item::Delta(draft) | Item::Chunk(draft) = item {
                let chunk = matches!(item, Item::Chunk(_));
                facts.stream |= !chunk;
                let out = Outside { body, wants: self.options.wants, sink, notes: &mut self.notes };
                self.streams.delta(if chunk { Some(CHUNKS) } else { id }, draft, &mut facts, out);
                continue;
            }
            if let (Item::Choice(draft), true) = (item, facts.stream || self.streams.repeats(id)) {
                self.message(body, draft, &mut facts, MessagePosition::Snapshot(Known::ALL), sink);
                continue;
            }
            match item {
                Item::ChunksEnd => self.streams.end(CHUNKS, sink, &mut self.notes),
                Item::Start if self.options.wants.messages => {
                    sink.event(&Event::ConversationStart);
                    if std::ptr::eq(item, &record.items[0]) {
                        self.instructions(body, record, sink);
                    }
                }
                Item::End if self.options.wants.messages => sink.event(&Event::ConversationEnd),
                Item::Stays(at) if self.options.wants.visible => sink.event(&Event::Stays(element(body, at))),
                Item::Kept(at) => sink.event(&Event::Stays(element(body, at))),
                Item::Message(draft) => self.message(
                    body,
                    draft,
                    &mut facts,
                    if draft.element.is_none() { MessagePosition::Bare } else { MessagePosition::Listed },
                    sink,
                ),
                Item::Choice(draft) => {
                    let joined = !std::mem::replace(&mut first_choice, false);
                    let standing = if joined { MessagePosition::Joined } else { MessagePosition::Listed };
                    self.message(body, draft, &mut facts, standing, sink);
                }
                _ => (),
            }
        }
        if let (Some(tokens), true) = (record.logged, self.options.wants.rest) {
            let delta = facts.stream || facts.dialect.is_none();
            let lane = delta.then(|| self.streams.lane(record.id(body.text).as_deref())).flatten();
            sink.event(&Event::Logged { lane, tokens });
        }
        if facts.dialect.is_some() && !facts.stream {
            self.streams.other(sink, &mut self.notes);
        }
        facts
    }

    /// Reads a frame that is not JSON, but no error either: `[DONE]` ends a response.
    pub fn plain(&mut self, body: &Body<'_>, sink: &mut dyn Sink) {
        if body.text.trim_ascii() != b"[DONE]" {
            return;
        }
        if self.rebuilt {
            // A stream that is written anew gets an end in its new format, if it has none yet.
            self.envelope(body, Envelope::Stream, sink);
        } else if let Some(target) = self.options.in_place() {
            self.deltas.over(body, target, sink);
        }
        self.finish(sink);
    }

    /// Notes after each record whether its messages are written anew (`rebuilt`), so that a `[DONE]` behind them does
    /// not stay. A response that is no stream has no such end, unless the chat family is edited in place.
    fn learn_end(&mut self, facts: &Facts, rebuilt: bool) {
        if facts.dialect.is_some() {
            self.rebuilt = rebuilt && (facts.stream || self.options.in_place().is_none());
        }
    }

    /// Ends the input: all responses are over.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        self.shapes.forget_last();
        self.streams.finish(sink, &mut self.notes);
        self.edited.finish(&mut self.deltas.delta_sink(sink), &mut self.notes);
    }

    /// Ends a top-level array. A conversion writes the array's messages in it.
    pub fn end_array(&mut self, sink: &mut dyn Sink) {
        if self.options.to.is_some() {
            self.end_list(sink);
        }
    }

    /// How many bytes of text are buffered, in messages that are not decided yet.
    pub fn buffered(&self) -> usize {
        self.streams.buffered() + self.edited.buffered()
    }

    /// The first byte of the input that is not decided yet.
    pub fn undecided(&self) -> Option<u64> {
        self.streams.undecided().into_iter().chain(self.edited.undecided()).min()
    }

    /// Whether there are notes since the last call of [`JsonReader::notes`].
    #[inline]
    pub fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// The notes since the last call, each with its offset in the input.
    pub fn notes(&mut self) -> Vec<(u64, Note)> {
        std::mem::take(&mut self.notes)
    }
}

/// The position of a message in its record.
#[derive(Clone, Copy, Debug)]
enum MessagePosition {
    /// The message is the record.
    Bare,
    /// In a list, or the first choice of a response.
    Listed,
    /// Another choice of the same response.
    Joined,
    /// It restates a message: these parts of it were in deltas before.
    Snapshot(Known),
}

/// The id of a response whose deltas are a list in one record. No id in a record equals it.
const CHUNKS: &[u8] = b"\0";

/// Lanes of whole messages begin here, those of deltas at 0.
const WHOLE: Lane = 1 << 30;

/// Whether a record that was walked by the keys of chat may be in a format that has a shape.
fn may_be_shaped(record: &Record) -> bool {
    let drafts = |item: &Item| match item {
        Item::Message(draft) | Item::Choice(draft) => draft.has.parts || draft.has.typed || draft.has.elsewhere,
        _ => false,
    };
    record.marks.partly_unread || !record.rest.is_empty() || record.is_unread() || record.items.iter().any(drafts)
}

fn element(body: &Body<'_>, (list, at): &(usize, Range<usize>)) -> Element {
    let comma = body.text[at.clone()].iter().position(|b| !b.is_ascii_whitespace());
    let comma = comma.map(|n| at.start + n).filter(|n| body.text[*n] == b',');
    Element { list: body.offset(*list), span: body.span(at.clone()), comma: comma.map(|n| body.offset(n)) }
}
