//! Skips the walk for events of a stream that are like an earlier one.

use super::{Known, Recogniser, ShapedRow};
use crate::dialect::read::{Entry, EventTemplate};
use crate::dialect::reader::understood::Authors;
use crate::dialect::reader::watch::texts::may_be_json;
use crate::dialect::reader::watch::unnamed;
use crate::dialect::shape::Does;
use crate::frame::Body;

/// Recent events that others are compared with. The oldest that was not matched of late is replaced (clock algorithm).
#[derive(Debug, Default)]
pub(super) struct TemplateCache {
    all: Vec<KeptEvent>,
    /// The event that was matched or kept last.
    last: usize,
    /// The next event that may be replaced.
    hand: usize,
}

/// A kept event.
#[derive(Debug)]
struct KeptEvent {
    row: usize,
    /// The name of its event, if that counts in its format.
    name: Option<Vec<u8>>,
    known: Known,
    alike: EventTemplate,
    /// The first bytes of every event that is like it, and how many of them are the same in all.
    head: ([u8; HEAD], usize),
    /// The two events that followed it last.
    then: [usize; 2],
    /// It was matched since `hand` passed it.
    used: bool,
}

impl KeptEvent {
    /// Whether a record may be like it, by its first bytes.
    #[inline]
    fn begins(&self, first: &[u8; HEAD]) -> bool {
        match &self.head {
            (head, HEAD) => head == first,
            (head, len) => head[..*len] == first[..*len],
        }
    }

    /// Notes that the event at `at` followed this one.
    fn came(&mut self, at: usize) {
        if self.then[0] != at {
            self.then = [at, self.then[0]];
        }
    }
}

/// How many events are kept. A stream has fewer types, but a log may hold streams of several programs, each of which
/// writes them in its own order.
const KEPT: usize = 64;

/// How many bytes are compared first. The shortest event, a ping, is little longer.
const HEAD: usize = 14;

impl Recogniser {
    /// The number of the kept event that a record is like.
    /// `streamed`: events have begun a message that is open.
    pub fn alike(&mut self, body: &Body<'_>, streamed: bool) -> Option<usize> {
        let row = self.last;
        let TemplateCache { all, last, .. } = &mut self.templates;
        let then = all.get(*last)?.then;
        let head = body.text.first_chunk::<HEAD>()?;
        let fits = |event: &mut KeptEvent| {
            event.begins(head)
                && row == Some(event.row)
                && event.name.as_ref().is_none_or(|name| name == body.event)
                && event.alike.fits(body.text)
                && (event.known == Known::Always || streamed)
        };
        let at = match then {
            [then, _] if fits(&mut all[then]) => then,
            [_, then] if fits(&mut all[then]) => then,
            _ => (0..all.len()).find(|at| fits(&mut all[*at]))?,
        };
        all[*last].came(at);
        all[at].used = true;
        *last = at;
        // Such a text is searched.
        let json = |entry: &Entry| entry.literal().is_some_and(|text| may_be_json(text.raw(body.text)));
        (!all[at].alike.walked.texts().any(json)).then_some(at)
    }

    /// The kept event at this number: its row, and the template that it fits.
    pub fn template(&mut self, at: usize) -> (ShapedRow, &mut EventTemplate) {
        let event = &mut self.templates.all[at];
        (self.rows[event.row], &mut event.alike)
    }

    /// Whether the walked record is an event of a stream, which others may be like.
    fn is_event(&self, body: &Body<'_>) -> bool {
        let log = self.last.is_some_and(|row| self.rows[row].1.log);
        self.known.is_some() && !log && EventTemplate::is_short(body.text) && is_event(self.walked.nodes[0].does)
    }

    /// Keeps a record that was walked, if it is an event that others may be like. `searched`: whatever it does not name
    /// was searched, and holds no reasoning.
    pub fn learn(&mut self, body: &Body<'_>, searched: bool) {
        if !self.is_event(body) {
            return;
        }
        let authors = Authors::new(&self.walked, body.text);
        let places = unnamed(&self.walked, &authors, body.text).filter(|_| searched);
        let searched: Vec<usize> = places.map(|place| place.at).collect();
        let (Some(row), Some(known)) = (self.last, self.known) else { return };
        let Some(alike) = EventTemplate::of(body.text, &self.walked, &searched) else { return };
        let (mut head, len) = ([0; HEAD], alike.head().len().min(HEAD));
        head[..len].copy_from_slice(&alike.head()[..len]);
        let head = (head, len);
        let TemplateCache { all, last, hand } = &mut self.templates;
        while all.len() == KEPT && std::mem::take(&mut all[*hand].used) {
            *hand = (*hand + 1) % KEPT;
        }
        let at = if all.len() < KEPT { all.len() } else { *hand };
        let name = (!self.rows[row].1.events.is_empty()).then(|| body.event.to_vec());
        let event = KeptEvent { row, name, known, alike, head, then: [at, at], used: true };
        match all.get_mut(at) {
            Some(old) => *old = event,
            None => all.push(event),
        }
        all[*last].came(at);
        (*last, *hand) = (at, (at + 1) % KEPT);
    }
}

/// Whether a record with this meaning is an event of a stream: these are frequent and short.
fn is_event(does: Does) -> bool {
    !matches!(does, Does::Rest | Does::Records | Does::Request | Does::Response | Does::Message | Does::Block(_))
        && !matches!(does, Does::Envelope | Does::Undelivered | Does::Sent(_))
}
