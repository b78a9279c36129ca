//! Servers that give each chunk of one response an identifier of its own: a block begins in what looks like one response, and
//! goes on in others.

use super::*;
use crate::inline::Note;

impl Response {
    /// A response that begins with this event: the number of the event, and of the response.
    pub(super) fn new(key: ResponseKey, typed: bool, (last_active, began): (u64, u64)) -> Self {
        let choices = BTreeMap::new();
        Self { key, choices, last_active, began, begun: false, typed, events: 1, interrupted: None }
    }

    /// A response of one event ends inside of a block, or of a delimiter, and text came right behind it in another one: that may
    /// have been more of it.
    pub(super) fn note_interruption(&self, notes: &mut Vec<Noted>) {
        if let (1, Some(at)) = (self.events, self.interrupted) {
            notes.push((at, Note::interrupted(at)));
        }
    }
}

impl Streams {
    /// Notes that another response begins right behind the last one, with a text that begins no block.
    pub(super) fn interrupt(&mut self, key: Option<ResponseKey<&[u8]>>, draft: &Draft, body: &Body<'_>) {
        let Some(ResponseKey::Named(id)) = key else { return };
        let typed = draft.delta.restated || draft.shaped.announced;
        if id.is_empty() || typed || self.others > 0 || self.named(ResponseKey::Named(id)).is_some() {
            return;
        }
        let Some(last) = self.latest(false).filter(|last| self.responses[*last].events == 1) else { return };
        let mut open = self.responses[last].choices.values().filter(|choice| !choice.stopped);
        let mut texts = draft.units.iter().filter_map(Stretch::text).map(|text| text.decoded(body.text));
        let (Some(choice), Some(text)) = (open.next(), texts.find(|text| !text.is_empty())) else { return };
        // An opening tag begins in the first bytes of a text, or may do so when more of it has come.
        let opens = |text: &[u8], until: usize| match self.tags.stands(text, 0) {
            Ok(found) => found.is_some_and(|found| found.opens && found.at.start < until),
            Err(partial) => partial < until,
        };
        let waits = choice.text.reader.as_ref().map_or(&b""[..], |reader| reader.waiting());
        let split = || !waits.is_empty() && opens(&[waits, &text].concat(), waits.len());
        if !opens(text.trim_ascii_start(), 1) && (choice.text.is_inside() || split()) {
            self.responses[last].interrupted = Some(body.offset(draft.object.start));
        }
    }
}
