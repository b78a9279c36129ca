//! The facts of nodes, for outputs that build messages anew.

use super::events::comes_later;
use super::nodes::probabilities;
use super::{JsonReader, Run, empty};
use crate::dialect::draft::{Draft, Fact, What};
use crate::dialect::formats::shared::list_in;
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Kind, Shape, Slot};
use crate::frame::Body;
use crate::json::{Scanner, Token, elements, is_empty, members, strings};
use crate::model::content::{self, Attribute};
use crate::model::{Event, Sink};
use std::borrow::Cow;
use std::ops::Range;

impl JsonReader<'_> {
    /// For outputs that build messages anew: an error event ends the open message. If no message is open, the event
    /// stays. Returns whether the event is an error.
    pub(super) fn fails(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        node: u32,
        log: Option<u32>,
        sink: &mut dyn Sink,
    ) -> bool {
        let Some(error) = run.walked.get(node, Slot::Error).filter(|_| self.builds()) else { return false };
        let number = self.conversation(body, run.walked, log);
        if self.lane_of(number).is_some() {
            self.envelope(body, content::Envelope::Stream, sink);
            let mut draft = empty(run.record);
            let fact = |what, at| Fact { after: 0, block: None, what, at };
            draft.facts.push(fact(What::Stop(content::Stop::Error), 0..0));
            // An event that is itself the error has the error's text beside its type.
            let whole = error.token != Token::ObjectStart;
            let at = if whole { run.walked.nodes[node as usize].value.clone() } else { error.value.clone() };
            draft.facts.push(fact(What::Set(Attribute::Error), at));
            self.more(body, run, number, draft, sink);
        }
        true
    }

    /// Adds the signature and the ciphertext of a block of reasoning, for outputs that build messages anew.
    pub(super) fn seals(&self, body: &Body<'_>, run: &Run<'_>, node: Option<u32>, kind: Kind, draft: &mut Draft) {
        if let Some(node) = node.filter(|_| self.builds()) {
            of_block(run.walked, node, kind, draft);
            draft.facts.retain(|fact| !comes_later(&body.text[fact.at.clone()]));
        }
    }
}

/// Adds the facts of the block that was added to a draft last.
pub(super) fn of_block(walked: &Walked, node: u32, kind: Kind, draft: &mut Draft) {
    let (after, block) = (draft.units.len(), Some(draft.facts.len() as u32));
    let start = walked.nodes[node as usize].value.start;
    if let Some(entry) = walked.get(node, Slot::Citations) {
        let what = What::Set(Attribute::Citations);
        draft.facts.push(Fact { after, block: None, what, at: entry.value.clone() });
    }
    if let Some(entry) = walked.get(node, Slot::Text).filter(|_| kind == Kind::Refusal) {
        draft.facts.push(Fact { after, block: None, what: What::Set(Attribute::Refusal), at: entry.value.clone() });
    }
    if let Some(entry) = walked.get(node, Slot::Phase).filter(|_| kind == Kind::Message) {
        draft.facts.push(Fact { after, block: None, what: What::Set(Attribute::Extra), at: entry.value.clone() });
    }
    if let Some(entry) = walked.get(node, Slot::Seal).filter(|_| !kind.is_reasoning()) {
        draft.facts.push(Fact { after, block: None, what: What::Set(Attribute::Extra), at: entry.value.clone() });
    }
    let begins = match kind {
        Kind::Text | Kind::Refusal | Kind::Commentary | Kind::Message => return lost(walked, node, draft),
        Kind::Reasoning(_) | Kind::Sealed(_) => None,
        Kind::Call => Some(content::What::Call),
        Kind::Result => Some(content::What::Result),
        Kind::Media => Some(content::What::Media),
        Kind::Hosted | Kind::Other => Some(content::What::Other),
    };
    let block = block.filter(|_| begins.is_some());
    if let Some(what) = begins {
        draft.facts.push(Fact { after, block, what: What::Block(what), at: start..start });
    }
    lost(walked, node, draft);
    let slots: &[(Slot, Attribute)] = match kind {
        Kind::Reasoning(_) | Kind::Sealed(_) => &[
            (Slot::Signature, Attribute::Signature),
            (Slot::Seal, Attribute::Signature),
            (Slot::Ciphertext, Attribute::Ciphertext),
        ],
        Kind::Call => &[
            (Slot::CallId, Attribute::CallId),
            (Slot::Name, Attribute::Name),
            (Slot::Arguments, Attribute::Arguments),
            (Slot::Input, Attribute::Arguments),
        ],
        Kind::Result => &[
            (Slot::ResultOf, Attribute::ResultOf),
            (Slot::CallId, Attribute::ResultOf),
            // Some results have the identifier of their call in place of their own.
            (Slot::Id, Attribute::ResultOf),
            (Slot::Name, Attribute::Name),
            (Slot::Result, Attribute::Result),
            (Slot::List, Attribute::Result),
            (Slot::IsError, Attribute::IsError),
        ],
        _ => &[],
    };
    if let Some(entry) = walked.get(node, Slot::Input).filter(|_| kind == Kind::Call) {
        let what = What::Set(Attribute::Free);
        draft.facts.push(Fact { after, block, what, at: entry.key.start - 1..entry.key.end + 1 });
    }
    let unnamed = kind == Kind::Call && walked.get(node, Slot::Name).is_none();
    let own = unnamed.then_some((Slot::Type, Attribute::Tool));
    for (slot, name) in own.iter().chain(slots) {
        if let Some(entry) = walked.get(node, *slot) {
            draft.facts.push(Fact { after, block, what: What::Set(*name), at: entry.value.clone() });
        }
    }
}

/// Adds the facts of a call that is a message by itself. The identifier stands in the message; the name of the tool and
/// its arguments stand in an object inside of the message.
pub(super) fn of_call(walked: &Walked, (node, payload, params): (u32, Option<u32>, u32), draft: &mut Draft) {
    let block = Some(draft.facts.len() as u32);
    let start = walked.nodes[node as usize].value.start;
    let name = walked.get(params, Slot::Name).or_else(|| payload.and_then(|payload| walked.get(payload, Slot::Type)));
    let arguments = walked.get(params, Slot::Arguments).map(|entry| entry.value.clone());
    let whole = walked.get(params, Slot::Name).is_none().then(|| walked.nodes[params as usize].value.clone());
    let set = |name, at| Fact { after: 0, block, what: What::Set(name), at };
    let begins = Fact { after: 0, block, what: What::Block(content::What::Call), at: start..start };
    draft.facts.push(begins);
    draft.facts.extend(walked.get(node, Slot::Id).map(|id| set(Attribute::CallId, id.value.clone())));
    draft.facts.extend(name.map(|name| set(Attribute::Name, name.value.clone())));
    draft.facts.extend(arguments.or(whole).map(|at| set(Attribute::Arguments, at)));
}

/// Adds the facts of a result that is a message by itself.
pub(super) fn of_result(walked: &Walked, record: &[u8], (node, payload): (u32, Option<u32>), draft: &mut Draft) {
    let block = Some(draft.facts.len() as u32);
    let start = walked.nodes[node as usize].value.start;
    let set = |name, at| Fact { after: 0, block, what: What::Set(name), at };
    let begins = Fact { after: 0, block, what: What::Block(content::What::Result), at: start..start };
    draft.facts.push(begins);
    // Of several identifiers, the first is that of the call.
    let call = walked.get(node, Slot::ResultOf).and_then(|call| {
        let (word, at) = match call.token {
            Token::ArrayStart => elements(record, call.value.start).next()?,
            word => (word, call.value.clone()),
        };
        matches!(word, Token::String(_)).then_some(at)
    });
    draft.facts.extend(call.map(|at| set(Attribute::ResultOf, at)));
    let result = payload.and_then(|payload| walked.get(payload, Slot::Result).or(walked.get(payload, Slot::Error)));
    draft.facts.extend(result.map(|result| set(Attribute::Result, result.value.clone())));
}

/// Adds members of a message of such a log, and of its payload, that other formats do not have. Of reasoning, texts in
/// unknown members are content, and not lost.
pub(super) fn of_sent(
    walked: &Walked,
    record: &[u8],
    (node, payload): (u32, Option<u32>),
    thinks: bool,
    draft: &mut Draft,
) {
    let own = payload.into_iter().flat_map(|payload| walked.all(payload, Slot::OwnParameter)).map(|entry| &entry.value);
    let carried = |of: u32, at: &Range<usize>| thinks && of != node && matches!(record[at.start], b'"' | b'{' | b'[');
    let nodes = std::iter::once(node).chain(payload);
    let unknown = nodes.flat_map(|of| walked.unknown_of(of).filter(move |(_, at)| !carried(of, at)));
    let mut unknown: Vec<&Range<usize>> = unknown.map(|(_, at)| at).collect();
    unknown.sort_unstable_by_key(|at| at.start);
    for at in own.chain(unknown).filter(|at| !is_empty(&record[at.start..at.end])) {
        draft.facts.push(Fact { after: 0, block: None, what: What::Set(Attribute::Extra), at: at.clone() });
    }
}

/// Adds the facts of a message itself.
pub(super) fn of_message(shape: &Shape, walked: &Walked, record: &[u8], node: u32, draft: &mut Draft) {
    let mut facts = Vec::new();
    for (slot, name) in [(Slot::Id, Attribute::Id), (Slot::Model, Attribute::Model)] {
        if let Some(entry) = walked.get(node, slot).filter(|entry| entry.literal().is_some()) {
            facts.push(Fact { after: 0, block: None, what: What::Set(name), at: entry.value.clone() });
        }
    }
    if let Some(entry) = walked.get(node, Slot::Created).filter(|entry| &record[entry.value.clone()] != b"0") {
        facts.push(Fact { after: 0, block: None, what: What::Set(Attribute::Created), at: entry.value.clone() });
    }
    of_end(shape, walked, record, node, &mut facts);
    if walked.nodes[node as usize].does == Does::Response {
        of_response(shape, walked, record, node, &mut facts);
    }
    draft.facts.splice(0..0, facts);
    lost(walked, node, draft);
}

/// Adds members of a response beside its message that other formats do not have.
fn of_response(shape: &Shape, walked: &Walked, record: &[u8], node: u32, out: &mut Vec<Fact>) {
    use Slot::{ForeignParameter, Limit, OwnParameter, Parameter, System, Template, Tools};
    let slots = [OwnParameter, Parameter, Limit, System, Tools, Template, ForeignParameter].into_iter();
    let named = slots.flat_map(|slot| walked.all(node, slot)).map(|entry| (entry.key, &entry.value));
    for (key, at) in named.chain(walked.unknown_of(node)) {
        let value: Vec<u8> = record[at.clone()].iter().filter(|b| !b.is_ascii_whitespace()).copied().collect();
        let is_usual = |(name, values): &(&str, &[&str])| {
            let says_nothing = values.is_empty() || values.iter().any(|usual| usual.as_bytes() == value);
            name.as_bytes() == key.raw(record) && says_nothing
        };
        out.extend((!is_empty(&value) && !shape.usual.iter().any(is_usual)).then(|| Fact::member(key)));
    }
}

/// Adds members of the token usage that other formats do not have.
fn billed(shape: &Shape, record: &[u8], at: Range<usize>, out: &mut Vec<Fact>) {
    if shape.billed.is_empty() {
        return;
    }
    for (key, _, at) in members(record, at.start) {
        let known = shape.billed.iter().find(|(name, _)| name.as_bytes() == key.raw(record));
        let value = &record[at];
        let counts = |(_, word): &&(&str, &str)| match value.first() {
            Some(b'"') => &value[1..value.len() - 1] != word.as_bytes(),
            _ => has_number(value),
        };
        out.extend(known.filter(counts).map(|_| Fact::member(key)));
    }
}

/// Whether a value has a number that is not zero.
fn has_number(value: &[u8]) -> bool {
    let Ok(mut s) = Scanner::new(value) else { return false };
    loop {
        match s.token() {
            Ok(Token::Number) if value[s.from()..s.at()].iter().any(|b| matches!(b, b'1'..=b'9')) => return true,
            Ok(Token::End) | Err(_) => return false,
            Ok(_) => (),
        }
    }
}

/// Notes that a node has members that other formats do not have.
pub(super) fn lost(walked: &Walked, node: u32, draft: &mut Draft) {
    let instructed = walked.children(node, Slot::Marks).next().is_some() || probabilities(walked, node).is_some();
    let node = &walked.nodes[node as usize];
    if node.lost || instructed {
        let (after, at) = (draft.units.len(), node.value.clone());
        draft.facts.push(Fact { after, block: None, what: What::Set(Attribute::Extra), at });
    }
}

/// Adds the stop reason of a message and its token usage.
pub(super) fn of_end(shape: &Shape, walked: &Walked, record: &[u8], node: u32, out: &mut Vec<Fact>) {
    if let Some(entry) = walked.get(node, Slot::Stop) {
        let word = entry.word(record);
        let stop = shape.stops.iter().find(|(name, _)| name.as_bytes() == &*word);
        let details = walked.get(node, Slot::StopDetails).map_or(&b""[..], |entry| &record[entry.value.clone()]);
        let filters = shape.stops.iter().filter(|(_, stop)| *stop == content::Stop::Filter);
        let filtered = filters.into_iter().any(|(word, _)| has_word(details, word));
        let named = stop.is_some() || shape.states.iter().any(|state| state.as_bytes() == &*word);
        // In lines of a log, an unknown stop reason is no loss: they have no place for one.
        let unknown = !named && !word.is_empty() && !shape.log;
        let stop = stop.map(|(_, stop)| if filtered { content::Stop::Filter } else { *stop });
        out.extend(stop.map(|stop| Fact { after: 0, block: None, what: What::Stop(stop), at: 0..0 }));
        let fact = |at: &Range<usize>| {
            let what = What::Set(Attribute::StopDetail);
            Fact { after: 0, block: None, what, at: at.clone() }
        };
        out.extend(Some(entry).filter(|_| unknown).map(|entry| fact(&entry.value)));
        let text = walked.get(node, Slot::StopText).filter(|entry| !comes_later(&record[entry.value.clone()]));
        out.extend(text.map(|entry| fact(&entry.value)));
    }
    if let Some(error) = walked.get(node, Slot::Error).filter(|error| error.token == Token::ObjectStart) {
        out.push(Fact { after: 0, block: None, what: What::Set(Attribute::Error), at: error.value.clone() });
    }
    for usage in walked.all(node, Slot::Usage).filter(|entry| entry.token == Token::Number) {
        let name = shape.used.iter().find(|(known, _)| usage.key.is(record, known)).map(|(_, name)| *name);
        let fact = |name| Fact { after: 0, block: None, what: What::Set(name), at: usage.value.clone() };
        out.extend(name.map(fact));
    }
    if let Some(usage) = walked.get(node, Slot::Usage).filter(|entry| entry.token != Token::Number) {
        used(shape, record, usage.value.clone(), out);
        billed(shape, record, usage.value.clone(), out);
    }
}

/// Whether a value holds this word as a string.
fn has_word(value: &[u8], word: &str) -> bool {
    strings(value, 0).any(|found| found.is(value, word))
}

/// Adds the token counts of an object, at any depth.
fn used(shape: &Shape, record: &[u8], at: Range<usize>, out: &mut Vec<Fact>) {
    let mut s = Scanner::within(record, at.start);
    let mut name = None;
    loop {
        match s.token() {
            Ok(Token::Key(key)) => {
                name = shape.used.iter().find(|(known, _)| key.is(record, known)).map(|(_, name)| *name);
            }
            Ok(Token::Number) => {
                if let Some(name) = name.take() {
                    out.push(Fact { after: 0, block: None, what: What::Set(name), at: s.from()..s.at() });
                }
            }
            Ok(Token::End) | Err(_) => return,
            Ok(_) => (),
        }
    }
}

/// Sends the key of the batch line that a node stands in.
pub(super) fn of_batch(walked: &Walked, record: &[u8], mut node: u32, sink: &mut dyn Sink) {
    let own = node;
    while let Some(found) = walked.nodes.get(node as usize) {
        if let Some(entry) = walked.get(node, Slot::Id).filter(|_| node != own) {
            let (name, value) = (Attribute::BatchId, &record[entry.value.clone()]);
            sink.event(&Event::Set { lane: None, block: None, name, key: b"", value });
        }
        if let Some(entry) = walked.get(node, Slot::Batch).filter(|entry| entry.literal().is_some()) {
            let (name, value) = (Attribute::Batch, &record[entry.value.clone()]);
            return sink.event(&Event::Set { lane: None, block: None, name, key: b"", value });
        }
        node = found.parent;
    }
}

/// Sends the facts of a request beside its messages.
pub(super) fn of_request(shape: &Shape, walked: &Walked, record: &[u8], node: u32, sink: &mut dyn Sink) {
    // What a dataset has beside its messages stays as it is.
    let system = if shape.inline { Attribute::Extra } else { Attribute::System };
    let slots = [
        (Slot::Model, Attribute::Model),
        (Slot::System, system),
        (Slot::Tools, Attribute::Tools),
        (Slot::Limit, Attribute::Limit),
        (Slot::Parameter, Attribute::Parameter),
        (Slot::OwnParameter, Attribute::Parameter),
        (Slot::ForeignParameter, Attribute::Extra),
        (Slot::Template, Attribute::Extra),
        (Slot::Id, Attribute::Extra),
    ];
    let named = slots.iter().flat_map(|(slot, name)| walked.all(node, *slot).map(move |entry| (*name, entry)));
    let named = named.map(|(name, entry)| {
        let value = Cow::Borrowed(&record[entry.value.clone()]);
        let (name, value) = match (entry.slot, entry.literal().map(|text| list_in(&text.decoded(record)))) {
            (Slot::Tools, Some(Some(list))) => (name, Cow::Owned(list)),
            (Slot::Tools, Some(None)) => (Attribute::Extra, value),
            _ => (name, value),
        };
        (name, entry.key, value)
    });
    // Members around a request, such as those of a batch line, are written anew around it.
    let unknown = walked.unknown_of(node);
    let unknown = unknown.map(|(key, at)| (Attribute::Extra, key, Cow::Borrowed(&record[at.clone()])));
    let mut all: Vec<_> = named.chain(unknown).collect();
    if shape.inline {
        all.sort_by_key(|(_, key, _)| key.start);
    }
    for (name, key, value) in &all {
        sink.event(&Event::Set { lane: None, block: None, name: *name, key: key.raw(record), value });
    }
}
