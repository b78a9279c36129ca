//! Deltas: one message per response and choice, put together from the events of a stream or from JSON lines.

mod ends;
mod interrupted;
mod key;
mod pieces;
mod printed;
mod restated;
mod spoken;

pub(super) use key::{OpenMessage, ResponseKey};
pub(super) use pieces::repeats;
use pieces::{is_filled, redacted};
pub(super) use restated::RestatedParts;

use super::inline_text::{Noted, TextReader, decode};
use super::redact::FieldSections;
use super::turns::ProgramLines;
use crate::dialect::draft::{Draft, Stretch};
use crate::dialect::formats::shared::{call_text, names_call};
use crate::dialect::read::Origins;
use crate::dialect::reader::send_cuts;
use crate::frame::Body;
use crate::inline::{Moves, Options, Tags};
use crate::json::text;
use crate::model::{Event, Facts, Lane, MessageFact, Piece, PieceKind, Role, Sink, Source, Wants};
use crate::span::Span;
use printed::PrintedLines;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The responses of a stream, which may interleave. ADVICE: a response is over at `[DONE]` and where the input ends. A
/// `finish_reason` alone does not end it: some send it with every chunk, and some send usage behind it. It is over when
/// another one begins after that. One without a `finish_reason` was cut off, or waits while a server answers others: it is
/// over when [`BETWEEN`] others have begun since its last event; one without an id, when one has.
pub(super) struct Streams {
    tags: Tags,
    options: Options,
    responses: Vec<Response>,
    /// Events so far, for the response with the latest one.
    clock: u64,
    /// Responses that have begun so far.
    began: u64,
    /// Other records since the last delta.
    others: u32,
    /// The number of the lane of the next choice.
    next_lane: u32,
    /// The response that ended last, for snapshots that repeat it.
    last: ResponseKey,
    scratch: Vec<u8>,
    cuts: Vec<Span>,
    printed: Option<Arc<ProgramLines>>,
    /// How many bytes of text are buffered, in messages that are not decided yet.
    buffered: usize,
}

struct Response {
    key: ResponseKey,
    /// Boxed, since a choice is large, and a map moves what is in it.
    choices: BTreeMap<u32, Box<StreamChoice>>,
    last_active: u64,
    /// So many responses had begun at its last event.
    began: u64,
    /// It has begun a message.
    begun: bool,
    /// It comes in typed events, one of which ends it.
    typed: bool,
    /// How many events it had, and where the next one of another response stands that may be more of it.
    events: u64,
    interrupted: Option<u64>,
}

struct StreamChoice {
    lane: Lane,
    /// The sections to empty in the reasoning of each source.
    sections: BTreeMap<Source, FieldSections>,
    text: ChoiceText,
    /// The sources whose block the next delta continues.
    open: Vec<Source>,
    /// Of sources whose deltas number their blocks: the number of the last one, as it is written.
    numbers: BTreeMap<Source, Vec<u8>>,
    /// The text so far of a block whose deltas each repeat all of it.
    cumulative: Vec<u8>,
    /// A `finish_reason` came.
    stopped: bool,
    /// A `finish_reason` came without text beside it.
    finished: bool,
    /// Then a role came: what follows is another message.
    renewed: bool,
    /// Which parts earlier events had, for events that restate them.
    known: RestatedParts,
    /// Events announce the start of its blocks.
    announced: bool,
    /// It has another place for reasoning than its text; `moves`: reasoning from there goes in front of the text.
    apart: bool,
    moves: Moves,
}

/// The text of a choice.
struct ChoiceText {
    /// None before the text begins: many messages have none, and a reader is large.
    reader: Option<Box<TextReader>>,
    /// The open text is commentary.
    aside: bool,
    /// The role of the current turn in a text with several speakers.
    turn: Role,
    /// Some of the open text has come.
    begun: bool,
    /// How many of the buffered bytes are of this text.
    buffered: usize,
    /// Token probabilities of deltas of it that are not decided: of which text, and where they stand.
    probabilities: Vec<(Span, Span)>,
    printed: PrintedLines,
}

/// After this many records in a row that are no deltas, all responses are over.
const OTHERS: u32 = 64;

/// The most responses of typed events that may be open at a time.
const OPEN: usize = 64;

/// So many responses may begin between two events of one with an id.
const BETWEEN: u64 = 64;

/// What the streams need of a reader.
pub(super) struct Outside<'a, 'b> {
    pub body: &'a Body<'b>,
    pub wants: Wants,
    pub sink: &'a mut dyn Sink,
    pub notes: &'a mut Vec<Noted>,
    /// Where messages come from, if that is asked for.
    pub origins: Option<&'a mut Origins>,
}

impl Streams {
    /// Streams of which nothing was read. `printed`: what programs write around reasoning, if that is looked for.
    pub fn new(tags: &Tags, options: Options, printed: Option<Arc<ProgramLines>>) -> Self {
        let (responses, last, scratch) = (Vec::new(), ResponseKey::default(), Vec::new());
        let cuts = Vec::new();
        Self {
            tags: tags.clone(),
            options,
            responses,
            clock: 0,
            began: 0,
            others: 0,
            next_lane: 0,
            last,
            scratch,
            cuts,
            printed,
            buffered: 0,
        }
    }

    /// Whether a whole message with this id repeats text of deltas.
    pub fn repeats(&self, id: Option<&[u8]>) -> bool {
        let Some(id) = id.filter(|id| !id.is_empty()) else { return false };
        let is = |key: &ResponseKey| key.is(ResponseKey::Named(id));
        is(&self.last) || self.responses.iter().any(|r| is(&r.key))
    }

    /// Whether a response with this id, or without one, has come in pieces and is still open. A response with an id may
    /// get another choice when the first is over.
    pub fn goes_on(&self, id: Option<&[u8]>) -> bool {
        let id = id.unwrap_or_default();
        let is = |r: &Response| r.key.is(ResponseKey::Named(id));
        let open = |r: &Response| is(r) && (!id.is_empty() || !r.choices.values().all(|c| c.finished));
        self.responses.iter().any(open)
    }

    /// The lane of the response with this id, or of the one with the latest event.
    pub fn lane(&self, id: Option<&[u8]>) -> Option<Lane> {
        let is = |key: &ResponseKey| id.is_some_and(|id| key.is(ResponseKey::Named(id)));
        let named = self.responses.iter().find(|r| is(&r.key));
        let response = named.or_else(|| self.responses.iter().max_by_key(|r| r.last_active))?;
        response.choices.values().next().map(|choice| choice.lane)
    }

    /// The lane of the open message of a conversation.
    pub fn lane_of(&self, message: OpenMessage) -> Option<Lane> {
        let response = &self.responses[self.named(ResponseKey::Open(message))?];
        response.choices.values().next().map(|choice| choice.lane)
    }

    /// The number of the response with this key. Most events are of the response that began last.
    fn named(&self, key: ResponseKey<&[u8]>) -> Option<usize> {
        let last = self.responses.len().checked_sub(1)?;
        let is = |r: &Response| r.key.is(key);
        match key != ResponseKey::Named(b"") && is(&self.responses[last]) {
            true => Some(last),
            false => self.responses.iter().position(is),
        }
    }

    /// The response that an event with this key belongs to.
    fn response(
        &mut self,
        key: Option<ResponseKey<&[u8]>>,
        typed: bool,
        sink: &mut dyn Sink,
        notes: &mut Vec<Noted>,
    ) -> usize {
        self.clock += 1;
        self.others = 0;
        let at = match key {
            Some(key) => self.named(key),
            None => self.latest(typed),
        };
        // The first events of a response may lack the id that the others have.
        let nameless = || {
            let last = self.latest(false).filter(|_| !typed)?;
            let goes_on =
                self.responses[last].key.is_nameless() && self.responses[last].choices.values().all(|c| !c.finished);
            goes_on.then_some(last)
        };
        if let Some(at) = at.or_else(nameless) {
            let response = &mut self.responses[at];
            (response.last_active, response.began) = (self.clock, self.began);
            response.events += 1;
            if let (true, Some(key)) = (response.key.is_nameless(), key) {
                response.key = key.owned();
            }
            return at;
        }
        let idle = |r: &Response| {
            if r.typed {
                return false;
            }
            let over = r.choices.values().all(|c| c.finished) && !r.choices.is_empty();
            let between = if r.key.is_nameless() { 1 } else { BETWEEN };
            over || self.began - r.began >= between
        };
        if self.responses.iter().any(idle) {
            let gone: Vec<bool> = self.responses.iter().map(idle).collect();
            for at in (0..gone.len()).rev().filter(|at| gone[*at]) {
                self.finish_response(at, sink, notes);
            }
        }
        if let (true, Some(at)) = (typed, self.too_many()) {
            self.finish_response(at, sink, notes);
        }
        let key = key.map(ResponseKey::owned).unwrap_or_default();
        self.began += 1;
        self.responses.push(Response::new(key, typed, (self.clock, self.began)));
        self.responses.len() - 1
    }

    /// Reads a delta of one choice of the response with this key.
    pub fn delta(&mut self, key: Option<ResponseKey<&[u8]>>, draft: &Draft, facts: &mut Facts, out: Outside<'_, '_>) {
        self.interrupt(key, draft, out.body);
        self.news(key, draft, RestatedParts::default(), facts, out);
    }

    /// Reads a delta, without the parts in `known`, which it repeats.
    fn news(
        &mut self,
        key: Option<ResponseKey<&[u8]>>,
        draft: &Draft,
        known: RestatedParts,
        facts: &mut Facts,
        mut out: Outside<'_, '_>,
    ) {
        let index = draft.delta.index;
        let filled = draft.units.iter().any(is_filled) || !draft.seals.is_empty();
        let has_facts = out.wants.content && !draft.facts.is_empty();
        let typed = draft.delta.restated || draft.shaped.announced;
        let at = self.response(key, typed, out.sink, out.notes);
        let mut new = true;
        if let Some(choice) = self.responses[at].choices.get_mut(&index) {
            choice.renewed |= choice.finished && draft.role.is_some();
            new = choice.renewed && filled;
            if new {
                self.finish_choice(at, index, out.sink, out.notes);
                self.responses[at].begun = false;
            }
        }
        if new {
            self.texts_before(at, &mut out);
        }
        let response = &mut self.responses[at];
        facts.payload |= draft.delta.payload || (new && draft.role.is_some() && !draft.shaped.announced);
        if new {
            if draft.role.is_none() && !draft.has.tool && !filled && !has_facts {
                return pieces::void(draft, out);
            }
            let joined = std::mem::replace(&mut response.begun, true);
            facts.messages += u64::from(!joined);
            let (lane, role) = (Lane::Pieces(self.next_lane), draft.role.unwrap_or(Role::Assistant));
            out.sink.event(&Event::MessageStart {
                lane,
                role,
                joined,
                bare: false,
                conversation: draft.shaped.conversation,
                at: Some(out.body.offset(draft.object.start)),
            });
            if let Some(origins) = &mut out.origins {
                origins.send(out.body, (lane, draft.object.start), out.sink);
            }
            if draft.delta.restated {
                out.sink.event(&Event::Fact(lane, MessageFact::AnswerFollows));
            }
            let reader = TextReader::before_text(&self.tags, self.options);
            let choice = Box::new(StreamChoice {
                lane,
                sections: BTreeMap::new(),
                text: ChoiceText::new(reader, PrintedLines::new(self.printed.clone())),
                open: Vec::new(),
                numbers: BTreeMap::new(),
                cumulative: Vec::new(),
                stopped: false,
                finished: false,
                renewed: false,
                known: RestatedParts::default(),
                announced: draft.shaped.announced,
                apart: false,
                moves: Moves::NONE,
            });
            response.choices.insert(index, choice);
            self.next_lane = self.next_lane.wrapping_add(1);
        }
        let Some(choice) = response.choices.get_mut(&index) else { return };
        let room = (&mut self.scratch, &mut self.cuts, &mut self.buffered);
        choice.feed((&self.tags, self.options), (draft, known), room, &mut out);
        choice.stopped |= draft.delta.finished;
        choice.finished |= draft.delta.finished && (!filled || draft.delta.completion);
    }

    /// The next reasoning (if `reasoning`) and the next text of an open message begin blocks of their own.
    pub fn next_block(&mut self, message: OpenMessage, reasoning: bool, out: &mut Outside<'_, '_>) {
        let options = self.options;
        let Some(response) = self.named(ResponseKey::Open(message)).map(|at| &mut self.responses[at]) else { return };
        for choice in response.choices.values_mut() {
            if reasoning {
                choice.open.clear();
            }
            choice.end_text(&self.tags, options, out);
            choice.count_buffered(&mut self.buffered);
        }
    }

    /// How many bytes of text are buffered.
    pub fn buffered(&self) -> usize {
        self.buffered
    }

    /// The first byte of the input that is not decided yet.
    pub fn undecided(&self) -> Option<u64> {
        let choices = self.responses.iter().flat_map(|r| r.choices.values());
        let sections = |c: &StreamChoice| c.sections.values().filter_map(FieldSections::undecided).min();
        choices
            .filter_map(|c| c.text.reader.iter().filter_map(|reader| reader.undecided()).chain(sections(c)).min())
            .min()
    }
}

impl StreamChoice {
    /// Reads the next delta of this choice.
    fn feed(
        &mut self,
        (tags, options): (&Tags, Options),
        (draft, known): (&Draft, RestatedParts),
        (scratch, cuts, buffered): (&mut Vec<u8>, &mut Vec<Span>, &mut usize),
        out: &mut Outside<'_, '_>,
    ) {
        cuts.clear();
        send_cuts(out.body, draft, self.lane, cuts, out.sink);
        self.units(tags, options, (draft, known), (scratch, cuts), out);
        self.count_buffered(buffered);
    }

    /// Updates the counts of buffered bytes: of this choice, and `all` of all choices.
    fn count_buffered(&mut self, all: &mut usize) {
        let now = self.text.reader.as_ref().map_or(0, |reader| reader.buffered());
        *all = *all + now - self.text.buffered;
        self.text.buffered = now;
    }

    /// Finds the sections of reasoning that are to be emptied. Not a part of what each event runs: a field is large.
    #[inline(never)]
    fn redact(&mut self, unit: &Stretch, tags: &Tags, scratch: &mut Vec<u8>, out: &mut Outside<'_, '_>) {
        let Some((source, literals)) = unit.reasoning(out.body.text) else { return };
        let field = self.sections.entry(source).or_insert_with(|| FieldSections::new(tags));
        for literal in literals {
            field.feed(out.body, literal, scratch, &mut |at| redacted(self.lane, at, out.sink));
        }
    }
}
