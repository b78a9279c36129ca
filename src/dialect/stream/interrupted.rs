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
        let inside = |choice: &StreamChoice| !choice.stopped && choice.text.reader.is_inside();
        if let (1, Some(at)) = (self.events, self.interrupted)
            && self.choices.values().any(|choice| inside(choice))
        {
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
        let begins = |text: &[u8]| {
            let blank = text.len() - text.trim_ascii_start().len();
            matches!(self.tags.stands(text, blank), Ok(Some(found)) if found.opens && found.at.start == blank)
        };
        let mut texts = draft.units.iter().filter_map(Stretch::text).map(|text| text.decoded(body.text));
        if texts.any(|text| !text.is_empty() && !begins(&text)) {
            self.responses[last].interrupted = Some(body.offset(draft.object.start));
        }
    }
}
