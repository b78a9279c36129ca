//! Reads events that go on with the text of the event before them: what that event did to its conversation stays done,
//! so that only the text is sent.

mod speech;
mod thought;

use self::speech::OpenSpeech;
use self::thought::OpenThought;
use super::JsonReader;
use super::sender::envelope;
use crate::dialect::draft::{Draft, Fact, FactKind, Item, MessageChange, Record, Stretch};
use crate::dialect::formats::chat;
use crate::dialect::read::Again;
use crate::dialect::shape::{Does, Rows, Slot};
use crate::dialect::stream::{ResponseKey, repeats};
use crate::frame::Body;
use crate::json::{Literal, Token, members, text};
use crate::model::content::{Attribute, Envelope};
use crate::model::{Facts, Sink};
use std::ops::Range;

/// The last event, if another may go on with its text.
#[derive(Debug, Default)]
pub(super) struct LastEvent {
    again: Again,
    /// Its record is edited, and not sent.
    edits: bool,
    /// The name of the event that the record stands in.
    event: Vec<u8>,
    facts: Facts,
    /// It is reasoning, and no output asks for the text.
    silent: bool,
    /// It is text of the answer, in which reasoning is looked for.
    spoken: bool,
    /// The identifier of the response that it belongs to, if it names its response.
    response: Option<Vec<u8>>,
    /// How many events have come since one went on with the last.
    alone: u32,
    /// It only says more of a block of reasoning that is written anew.
    thought: Option<OpenThought>,
    /// Others were read as more of that: the drafts are those of an earlier event.
    thought_on: bool,
    /// It only says more of the answer, and no output asks for the text.
    speech: Option<OpenSpeech>,
}

/// The bytes that the next record begins with, if it is framed as the last one.
pub struct NextRecord<'a> {
    /// Those, and what follows.
    pub bytes: &'a [u8],
    /// Where they stand in the input.
    pub from: u64,
    /// How many bytes of its frame stand before the record.
    pub head: usize,
    /// What stands behind the record.
    pub tail: &'a [u8],
    /// The longest record that is read.
    pub most: usize,
}

impl NextRecord<'_> {
    /// Whether the record ends here.
    fn ends(&self, len: usize) -> bool {
        len <= self.most && self.bytes[len..].starts_with(self.tail)
    }
}

/// After so many events that none went on with, only each [`EACH`] is noted: events of several blocks take turns.
const TRIES: u32 = 4;
const EACH: u32 = 16;

impl LastEvent {
    /// Forgets the event: another record follows.
    pub fn clear(&mut self) {
        self.again.clear();
        (self.thought, self.thought_on, self.speech) = (None, false, None);
    }

    /// Notes what the event did, and the response that it names.
    fn note(&mut self, body: &Body<'_>, record: &Record, (facts, silent, thinks): (&Facts, bool, bool)) {
        (self.facts, self.silent, self.spoken) = (*facts, silent, !thinks);
        (self.thought, self.thought_on, self.speech) = (None, false, None);
        self.event.clear();
        self.event.extend_from_slice(body.event);
        let id = record.id(body.text);
        if self.response.as_deref() != id.as_deref() {
            self.response = id.map(|id| id.into_owned());
        }
    }

    /// The draft of the event, and the message that it is more of, if it does nothing else but tell the number of its block.
    fn only_draft<'r>(&'r self, record: &'r Record) -> Option<(&'r Draft, Option<ResponseKey<&'r [u8]>>)> {
        let numbers = |item: &&Item| !matches!(item, Item::Open(_, MessageChange::Number { .. }));
        let mut items = record.items.iter().filter(numbers);
        match (items.next()?, items.next()) {
            (Item::Delta(draft), None) => Some((draft, self.response.as_deref().map(ResponseKey::Named))),
            (Item::More(draft, message), None) => Some((draft, Some(ResponseKey::Open(*message)))),
            _ => None,
        }
    }

    /// Whether the next event is expected to go on with the one that was just read.
    fn is_worth_it(&mut self) -> bool {
        self.alone = self.alone.wrapping_add(1);
        self.alone <= TRIES || self.alone.is_multiple_of(EACH)
    }
}

/// Whether a fact is one of the message that changes nothing when it is told again.
fn is_told_once(fact: &Fact) -> bool {
    use Attribute::{Created, Id, Member, Model};
    matches!(fact.what, FactKind::Set(Created | Id | Member | Model))
}

/// Whether a fact is a count of tokens: each event tells its own.
fn is_count(fact: &Fact) -> bool {
    matches!(fact.what, FactKind::Set(name) if name.is_usage())
}

/// The strings of a delta that are not empty, in their order, and whether they are reasoning: one text, or reasoning with
/// copies of it. None if it has anything else.
fn texts_of(draft: &Draft, record: &[u8]) -> Option<(bool, Vec<Literal>)> {
    let (mut texts, mut thinks) = (Vec::with_capacity(1), false);
    for unit in &draft.units {
        match unit {
            Stretch::Text(text) | Stretch::Field(_, text) if text.start == text.end => continue,
            Stretch::Text(text) => texts.push(*text),
            Stretch::Field(_, text) => {
                thinks = true;
                texts.push(*text);
            }
            Stretch::Deep(_, block) if repeats(&record[block.clone()]) => return None,
            Stretch::Deep(..) => {
                thinks = true;
                let (_, inner) = unit.reasoning(record)?;
                texts.extend(inner.into_iter().filter(|text| text.start < text.end));
            }
            Stretch::Void(_) => (),
            Stretch::Opaque(_) | Stretch::Call(_) => return None,
        }
    }
    let visible = draft.units.iter().any(|unit| unit.text().is_some_and(|text| text.start < text.end));
    let one = texts.len() == 1 || texts.len() > 1 && texts.len() <= COPIES && !visible;
    texts.sort_unstable_by_key(|text| text.start);
    one.then_some((thinks, texts))
}

/// Makes reasoning in a list or an object with one string a field of this string: what is around it stays the same.
fn flatten(draft: &mut Draft, record: &[u8]) {
    for unit in &mut draft.units {
        let Stretch::Deep(source, _) = *unit else { continue };
        let inner = unit.reasoning(record).map(|(_, inner)| inner).unwrap_or_default();
        let mut filled = inner.iter().filter(|text| text.start < text.end);
        if let (Some(text), None) = (filled.next(), filled.next()) {
            *unit = Stretch::Field(source, *text);
        }
    }
}

/// The texts of a record, and beside them the strings that its format ignores, in their order.
fn with_padding(record: &[u8], rows: Rows, texts: &[Literal]) -> Vec<(Literal, bool)> {
    let ignored = |(key, token, _): (Literal, Token, _)| match token {
        Token::String(string) if string.start < string.end && chat::states::ignores(&key.decoded(record), rows) => {
            Some((string, false))
        }
        _ => None,
    };
    let mut all: Vec<_> = members(record, 0).filter_map(ignored).collect();
    all.extend(texts.iter().map(|text| (*text, true)));
    all.sort_unstable_by_key(|(string, _)| string.start);
    all
}

/// How often an event may have its text.
const COPIES: usize = 4;

impl JsonReader {
    /// Notes an event whose draft is the only one of its record and was sent, if it went on with a message. All of it but
    /// its text must be the same in the next one.
    pub(super) fn learn_delta(&mut self, body: &Body<'_>, record: &mut Record, facts: &Facts) {
        let edits = self.setup.options.in_place().is_some() && !record.is_written_anew();
        let [Item::Delta(draft)] = record.items.as_mut_slice() else { return };
        let went_on = facts.stream && facts.messages == 0 && record.logged.is_none() && !record.style.enveloped;
        let told_once = edits || !self.setup.builds() || draft.facts.iter().all(is_told_once);
        // What begins the message of another choice is no more than the role that it brings.
        let begins = draft.role.is_some() && facts.payload && !draft.delta.payload;
        if !went_on || begins || draft.delta.finished || !told_once || !self.setup.options.templates {
            return;
        }
        let Some((thinks, texts)) = texts_of(draft, body.text) else { return };
        if edits && !self.editor.may_go_on(thinks) {
            return;
        }
        let last_event = &mut self.last_event;
        last_event.edits = edits;
        if !draft.probabilities.is_empty()
            || !last_event.is_worth_it()
            || !last_event.again.learn_strings(body.text, &with_padding(body.text, self.setup.rows, &texts))
        {
            return;
        }
        draft.facts.clear();
        flatten(draft, body.text);
        let silent = !facts.payload && thinks && !edits && self.asks_nothing();
        self.last_event.note(body, record, (facts, silent, thinks));
        (self.last_event.thought, self.last_event.speech) = (self.thought(record), self.speech(record));
    }

    /// Whether no output asks for the text.
    fn asks_nothing(&self) -> bool {
        let wants = self.setup.options.wants;
        let errors = wants.failures && self.last.error;
        let asks = wants.text || wants.raw || wants.rest || wants.doubts || errors;
        !asks && self.setup.tags.redactions().is_none()
    }

    /// Notes an event that fitted a template, and was sent. Its drafts are the last ones that were made.
    pub(super) fn learn_last(&mut self, body: &Body<'_>, at: usize, facts: &Facts) {
        let ((_, shape), template) = self.recogniser.template(at);
        // Counts in an event are told with each.
        let counts = shape.by_id && template.walked.get(0, Slot::Counts).is_some();
        let feeds = matches!(template.walked.nodes[0].does, Does::Feed(_) | Does::Piece) && !counts;
        let feeds = feeds && facts.stream && facts.messages == 0;
        if !feeds || self.setup.options.wants.instructions.is_some() || !self.last_event.is_worth_it() {
            return;
        }
        self.last_event.edits = false;
        // Outputs that build messages anew have the counts as facts.
        let counted = !self.setup.builds() && self.setup.options.wants.rest;
        let Some(record) = &mut self.record else { return };
        if record.logged.is_some() && counted || record.items.iter().any(|item| matches!(item, Item::Logged(..))) {
            return;
        }
        let mut drafts = record.items.iter().filter_map(more);
        let (Some(draft), None) = (drafts.next(), drafts.next()) else { return };
        let Some((thinks, texts)) = texts_of(draft, body.text) else { return };
        let [text] = texts.as_slice() else { return };
        let told =
            draft.facts.iter().all(|fact| is_told_once(fact) || is_count(fact)) && draft.probabilities.is_empty();
        let listed = draft.delta.finished || !draft.shaped.items.is_empty() || draft.element.is_some();
        // A line of a log is another kind of record to an output that builds messages anew.
        let other = self.setup.builds() && shape.log;
        if !told || listed || other || !self.last_event.again.learn(template, body.text, *text, counted) {
            return;
        }
        // What else the event did stays done.
        record.items.retain(|item| more(item).is_some() || matches!(item, Item::Open(_, MessageChange::Number { .. })));
        for item in &mut record.items {
            if let Item::Delta(draft) | Item::More(draft, _) = item {
                draft.facts.retain(is_count);
                flatten(draft, body.text);
            }
        }
        let silent = !facts.payload && thinks && self.asks_nothing();
        if let Some(record) = &self.record {
            self.last_event.note(body, record, (facts, silent, thinks));
            (self.last_event.thought, self.last_event.speech) = (self.thought(record), self.speech(record));
        }
    }

    /// Reads an event that goes on with the text of the last one. Any other record takes the place of that one.
    pub(super) fn goes_on_with(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Option<Facts> {
        let read = self.go_on_with(body, sink);
        if read.is_none() {
            self.last_event.clear();
        }
        read
    }

    #[inline]
    fn go_on_with(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Option<Facts> {
        let LastEvent { again, event, thought_on, .. } = &mut self.last_event;
        if *thought_on || !again.read(body.text) || *event != body.event {
            return None;
        }
        let text = again.text(body.text);
        if self.last_event.spoken && text.is_none_or(|text| self.watch.may_search(body.text, text)) {
            return None;
        }
        if self.last_event.edits && !text.is_some_and(|text| self.edits_go_on(body, text)) {
            return None;
        }
        let again = &mut self.last_event.again;
        let mut record = self.record.take()?;
        let moved = |at: &mut Range<usize>| *at = again.moved(at.start)..again.moved(at.end);
        for item in &mut record.items {
            match item {
                Item::Delta(draft) | Item::More(draft, _) => {
                    for unit in &mut draft.units {
                        match unit {
                            Stretch::Text(own) | Stretch::Field(_, own) => *own = again.moved_string(*own),
                            Stretch::Deep(_, at) | Stretch::Call(at) => moved(at),
                            Stretch::Opaque(_) | Stretch::Void(_) => (),
                        }
                    }
                    let facts = draft.facts.iter_mut().map(|fact| &mut fact.at);
                    draft.cuts.iter_mut().chain(&mut draft.seals).chain(facts).for_each(moved);
                    moved(&mut draft.object);
                }
                Item::Open(_, MessageChange::Number { at, .. }) => moved(at),
                _ => (),
            }
        }
        self.last_event.alone = 0;
        let LastEvent { again, facts, response, edits, .. } = &mut self.last_event;
        let mut found = Facts { payload: false, ..*facts };
        if *edits {
            if let [Item::Delta(draft)] = record.items.as_slice() {
                let place = (body, response.as_deref());
                self.editor.again(place, draft, |at| again.moved(at), &mut self.sender, &mut found, sink);
            }
            again.accept();
            found.payload |= facts.payload;
            self.record = Some(record);
            return Some(found);
        }
        again.accept();
        if self.setup.builds() {
            envelope(body, Envelope::Stream, sink);
        }
        for item in &record.items {
            self.sender.item(body, (item, response.as_deref()), &mut false, &mut found, sink);
        }
        found.payload |= facts.payload;
        self.record = Some(record);
        Some(found)
    }

    /// Whether an event with this text can be edited as the last one was.
    fn edits_go_on(&mut self, body: &Body<'_>, literal: Literal) -> bool {
        let (Some(target), Some(record)) = (self.setup.options.in_place(), &self.record) else { return false };
        let [Item::Delta(draft)] = record.items.as_slice() else { return false };
        let again = &self.last_event.again;
        let object = again.moved(draft.object.start)..again.moved(draft.object.end);
        if !target.is_inline() || self.editor.may_go_on(false) {
            return body.is_one_line();
        }
        let plain = text::decoded(literal.raw(body.text));
        body.is_one_line() && self.editor.deltas.goes_on(body, (object, &plain), target)
    }

    /// Whether the last record was reasoning, or text of an answer, that the next one may go on with, while no output asks for
    /// its text.
    pub fn may_go_on(&self) -> bool {
        (self.last_event.silent || self.last_event.speech.is_some()) && self.last_event.again.is_set()
    }

    /// The length of the next record, if it goes on with that. No piece of it need be sent then: it goes or stays as the last record
    /// does. Reasoning changes nothing; more of an answer is read with [`JsonReader::said_more`].
    #[inline]
    pub fn goes_on(&mut self, next: &NextRecord<'_>) -> Option<usize> {
        let len = match self.last_event.silent {
            true => self.last_event.again.fits(next.bytes).filter(|len| next.ends(*len))?,
            false => self.says_more(next)?,
        };
        self.last_event.alone = 0;
        Some(len)
    }
}

/// The draft of an item that is more of a message.
fn more(item: &Item) -> Option<&Draft> {
    match item {
        Item::Delta(draft) | Item::More(draft, _) => Some(draft),
        _ => None,
    }
}
