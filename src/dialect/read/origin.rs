//! Reads where the messages of a record come from: its model, its time, its session. A state of its own names the keys
//! ([`crate::dialect::shape::Shape::origin`]), so that the walk that finds the messages neither pays for them nor means
//! anything else by them.
//!
//! In such a state, `same` leads to members of the record, `each` to elements that have origins of their own, and `one`
//! to members that hold for the records behind this one, too.

use super::conditions::Siblings;
use crate::dialect::shape::{ANEW, Slot, State, To, bit};
use crate::frame::Body;
use crate::json::{Token, elements, members};
use crate::model::{Cost, Event, Lane, MessageFact, Origin, Sink, Time};
use std::ops::Range;

/// The most levels of objects that are looked into.
const MAX_OBJECT_DEPTH: usize = 8;

/// What the records so far have said of the origin of messages.
#[derive(Debug)]
pub(in crate::dialect) struct Origins {
    /// The state of the record.
    state: &'static State,
    /// What holds for the records behind the one that said it.
    lasting: Origin,
    /// What the record itself says.
    own: Origin,
    /// What it says that its session has cost.
    total: Vec<u8>,
    /// Its elements, in order, each with what it says.
    elements: Vec<(Range<usize>, Origin)>,
    /// The parts of an identifier so far.
    parts: Vec<Vec<u8>>,
    /// The record was read.
    is_read: bool,
    /// What the record around this one says.
    around: Origin,
}

/// What was read of a record while the records in it are read.
pub(in crate::dialect) struct OuterOrigins {
    state: &'static State,
    own: Origin,
    elements: Vec<(Range<usize>, Origin)>,
    around: Origin,
}

/// Whose origin a member says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Record,
    Element,
    Later,
}

impl Origins {
    /// At the start of an input, whose records are read in this state.
    pub fn new(state: &'static State) -> Self {
        let (lasting, own, around) = (Origin::default(), Origin::default(), Origin::default());
        Self { state, lasting, own, total: Vec::new(), elements: Vec::new(), parts: Vec::new(), is_read: false, around }
    }

    /// The next record is read in this state.
    pub fn next(&mut self, state: &'static State) {
        (self.state, self.is_read) = (state, false);
    }

    /// A record in this one is read, which stands at this place: what this one says holds for its messages, too.
    pub fn enter(&mut self, record: &[u8], at: usize) -> OuterOrigins {
        self.read(record);
        // An identifier is that of the record, which may hold several messages.
        let mut inner = Origin { id: Vec::new(), ..self.element(at) };
        inner.cost.clear();
        inner.title.clear();
        fill(&mut inner, &Origin { id: Vec::new(), ..self.own.clone() });
        fill(&mut inner, &self.around);
        let around = std::mem::replace(&mut self.around, inner);
        let (own, elements) = (std::mem::take(&mut self.own), std::mem::take(&mut self.elements));
        OuterOrigins { state: self.state, own, elements, around }
    }

    /// The record in this one was read.
    pub fn leave(&mut self, outer: OuterOrigins) {
        let OuterOrigins { state, own, elements, around } = outer;
        (self.state, self.own, self.elements, self.around) = (state, own, elements, around);
        // The records inside have told their costs themselves.
        self.own.cost.clear();
        self.is_read = true;
    }

    /// Reads what a record says beside its messages: where those behind it come from, and what was not sent with one of
    /// them of what it says to have cost.
    pub fn pass(&mut self, record: &[u8], lane: impl FnOnce() -> Option<Lane>, sink: &mut dyn Sink) {
        self.read(record);
        let own = std::mem::take(&mut self.own.cost);
        // A line that has nothing else names the session of those behind it.
        let title = std::mem::take(&mut self.own.title);
        if !title.is_empty() {
            self.lasting.title = title;
        }
        if !own.is_empty() {
            sink.event(&Event::Cost(Cost { lane: lane(), dollars: &own, total: false }));
        }
        let total = std::mem::take(&mut self.total);
        if !total.is_empty() {
            sink.event(&Event::Cost(Cost { lane: None, dollars: &total, total: true }));
        }
    }

    /// Sends the origin of a message that has begun in this lane, and stands at this place of its record.
    pub fn send(&mut self, body: &Body<'_>, (lane, at): (Lane, usize), sink: &mut dyn Sink) {
        self.read(body.text);
        sink.event(&Event::Fact(lane, MessageFact::Origin(&self.at(at))));
    }

    /// Reads a record, unless it was read before.
    fn read(&mut self, record: &[u8]) {
        if std::mem::replace(&mut self.is_read, true) {
            return;
        }
        let state = self.state;
        self.own = Origin::default();
        self.total.clear();
        self.elements.clear();
        let start = record.len() - record.trim_ascii_start().len();
        match record.get(start) {
            Some(b'[') => self.list(record, start, state, MAX_OBJECT_DEPTH),
            _ => self.object(record, start, state, (Whose::Record, MAX_OBJECT_DEPTH)),
        }
    }

    /// The origin of the message in the record that stands at this place.
    fn at(&mut self, at: usize) -> Origin {
        let mut origin = self.element(at);
        fill(&mut origin, &self.own);
        fill(&mut origin, &self.around);
        if origin.cost.is_empty() {
            // Of the messages of a record the first one has its cost.
            origin.cost = std::mem::take(&mut self.own.cost);
        }
        fill(&mut origin, &self.lasting);
        let lasting = std::mem::take(&mut self.lasting.title);
        let own = std::mem::take(&mut self.own.title);
        let titles = [std::mem::take(&mut origin.title), own, lasting];
        origin.title = titles.into_iter().find(|title| !title.is_empty()).unwrap_or_default();
        origin
    }

    /// What the element at this place says.
    fn element(&self, at: usize) -> Origin {
        let before = self.elements.partition_point(|(range, _)| range.start <= at);
        let element = before.checked_sub(1).map(|n| &self.elements[n]).filter(|(range, _)| at < range.end);
        element.map(|(_, origin)| origin.clone()).unwrap_or_default()
    }

    fn list(&mut self, record: &[u8], at: usize, state: &'static State, depth: usize) {
        for (token, value) in elements(record, at) {
            if token == Token::ObjectStart {
                self.elements.push((value.clone(), Origin::default()));
                self.object(record, value.start, state, (Whose::Element, depth));
            }
        }
    }

    /// Reads the members of an object, and those of the objects in it that belong to the same origin.
    fn object(&mut self, record: &[u8], at: usize, state: &'static State, (whose, depth): (Whose, usize)) {
        let own = self.parts.len();
        self.members(record, at, state, (whose, depth));
        // One part of an identifier is not enough: some are numbers.
        let parts: Vec<Vec<u8>> = self.parts.drain(own..).collect();
        if parts.len() > 1 {
            self.origin(whose).id = parts.join(&0);
        }
    }

    fn members(&mut self, record: &[u8], at: usize, state: &'static State, (whose, depth): (Whose, usize)) {
        if depth == 0 {
            return;
        }
        let mut siblings = Siblings::new(record, at);
        for (key, token, value) in members(record, at) {
            let name = key.decoded(record);
            let Some(found) = state.find(&name, bit(token), !ANEW, |beside| siblings.has(beside)) else { continue };
            match found.to {
                To::Is(slot) => self.set(slot, token, &record[value], whose, record),
                To::Same(inner) => self.members(record, value.start, inner, (whose, depth - 1)),
                To::One(_, inner) => self.members(record, value.start, inner, (Whose::Later, depth - 1)),
                To::Each(_, inner) if whose == Whose::Record => self.list(record, value.start, inner, depth - 1),
                _ => (),
            }
        }
    }

    fn set(&mut self, slot: Slot, token: Token, value: &[u8], whose: Whose, record: &[u8]) {
        let word = || match token {
            Token::String(word) => word.decoded(record).into_owned(),
            _ => value.to_vec(),
        };
        if slot == Slot::IdPart {
            return self.parts.push(word());
        }
        if slot == Slot::TotalCost {
            return keep(&mut self.total, whose, word);
        }
        let origin = self.origin(whose);
        match slot {
            Slot::Created if origin.time.is_none() || whose == Whose::Later => origin.time = Time::parse(value),
            Slot::Model => keep(&mut origin.model, whose, word),
            Slot::Conversation => keep(&mut origin.session, whose, word),
            Slot::Project => keep(&mut origin.project, whose, word),
            Slot::Branch => keep(&mut origin.branch, whose, word),
            Slot::Title => keep(&mut origin.title, whose, word),
            Slot::Cost => keep(&mut origin.cost, whose, word),
            Slot::Id => keep(&mut origin.id, whose, word),
            Slot::ResultOf => keep(&mut origin.call, whose, word),
            // An identifier says more than a flag.
            Slot::SideChain if matches!(token, Token::String(_)) => origin.chain = word(),
            Slot::SideChain => keep(&mut origin.chain, whose, word),
            _ => (),
        }
    }

    fn origin(&mut self, whose: Whose) -> &mut Origin {
        match (whose, self.elements.last_mut()) {
            (Whose::Element, Some((_, origin))) => origin,
            (Whose::Later, _) => &mut self.lasting,
            _ => &mut self.own,
        }
    }
}

/// Of several members of a record the first counts, and of several records the last.
fn keep(to: &mut Vec<u8>, whose: Whose, word: impl FnOnce() -> Vec<u8>) {
    if to.is_empty() || whose == Whose::Later {
        *to = word();
    }
}

/// Fills what an origin lacks from what holds around it.
fn fill(origin: &mut Origin, around: &Origin) {
    // What a message has cost is its own, and the first one has the title.
    let Origin { model, time, session, project, branch, title: _, cost: _, id, chain, call } = origin;
    let Origin { model: m, session: s, project: p, branch: b, id: i, chain: c, call: l, .. } = around;
    for (own, outer) in [model, session, project, branch, id, chain, call].into_iter().zip([m, s, p, b, i, c, l]) {
        if own.is_empty() {
            own.extend_from_slice(outer);
        }
    }
    *time = time.or(around.time);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::shape::{NUMBER, STRING, each, is, one, same, state};

    static RECORD: State = state(
        "origin",
        &[
            is("ts", STRING | NUMBER, Slot::Created),
            is("model", STRING, Slot::Model),
            is("line", STRING, Slot::Id),
            is("id", STRING, Slot::IdPart),
            is("request", STRING, Slot::IdPart),
            same("response", &RECORD),
            each("turns", Slot::Messages, &RECORD),
            one("session", Slot::Inner, &SESSION),
        ],
        &[],
    );
    static SESSION: State =
        state("origin", &[is("id", STRING, Slot::Conversation), is("model", STRING, Slot::Model)], &[]);

    /// Model, time, session and identifier of the message that stands where the record has an `@`.
    fn origin(origins: &mut Origins, record: &str) -> String {
        origins.next(&RECORD);
        origins.read(record.as_bytes());
        let Origin { model, time, session, id, .. } = origins.at(record.find('@').unwrap_or(0));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace('\0', "+");
        format!("{}|{}|{}|{}", text(model), time.map_or(0, |time| time.0), text(session), text(id))
    }

    #[test]
    fn the_nearest_counts() {
        for (record, want) in [
            ("{}", "|0||"),
            (r#"{"model":"m","ts":"1970-01-01T00:00:09Z"}"#, "m|9||"),
            (r#" {"response":{"model":"m"},"model":"n"}"#, "m|0||"),
            (r#"{"turns":[{"model":"a"},{"text":"@"}],"model":"m","ts":7}"#, "m|7||"),
            (r#"{"model":"m","turns":[{"model":"a","ts":5},{"model":"b","text":"@"},{"model":"c"}]}"#, "b|0||"),
            (r#"{"model":"m","turns":[{"model":"a"}],"text":"@"}"#, "m|0||"),
            (r#"[{"model":"a"},{"model":"b","text":"@"}]"#, "b|0||"),
            (r#"{"line":"l","id":"i"}"#, "|0||l"),
            (r#"{"line":"l","id":"i","response":{"request":"r"}}"#, "|0||i+r"),
            (r#"{"model":{"name":"m"},"ts":"soon"}"#, "|0||"),
        ] {
            assert_eq!(origin(&mut Origins::new(&RECORD), record), want, "{record}");
        }
    }

    #[test]
    fn what_stands_around_counts() {
        let mut origins = Origins::new(&RECORD);
        let outer = br#"{"model":"m","ts":7,"line":"l","turns":[{"model":"a"},{"model":"b","in":"@"}]}"#;
        let at = outer.iter().position(|b| *b == b'@').unwrap();
        origins.next(&RECORD);
        let saved = origins.enter(outer, at);
        assert_eq!(origin(&mut origins, "{}"), "b|7||");
        let inner = origins.enter(b"{}", 0);
        assert_eq!(origin(&mut origins, r#"{"model":"c","line":"k"}"#), "c|7||k");
        origins.leave(inner);
        origins.leave(saved);
        assert_eq!(origins.at(0).model, b"m");
        assert_eq!(origin(&mut origins, "{}"), "|0||");
    }

    #[test]
    fn a_session_lasts() {
        let mut origins = Origins::new(&RECORD);
        for (record, want) in [
            ("{}", "|0||"),
            (r#"{"session":{"id":"s","model":"m"},"ts":3}"#, "m|3|s|"),
            ("{}", "m|0|s|"),
            (r#"{"model":"n","turns":[{"text":"@"}]}"#, "n|0|s|"),
            (r#"{"session":{"model":"o"}}"#, "o|0|s|"),
            ("{}", "o|0|s|"),
        ] {
            assert_eq!(origin(&mut origins, record), want, "{record}");
        }
    }
}
