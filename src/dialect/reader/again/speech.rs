//! An answer that goes on, for an output that only asks what goes: of such events only the text is read, and no piece is sent.

use super::{EACH, JsonReader, NextRecord, TRIES};
use crate::dialect::draft::{Record, Stretch};
use crate::dialect::stream::ResponseKey;
use crate::json::text;
use crate::model::Lane;
use crate::out::MoreText;
use crate::span::Span;

/// The text of an answer of which events say more and more.
#[derive(Debug)]
pub(super) struct OpenSpeech {
    /// The response, if its events name it, and the choice.
    key: Option<ResponseKey>,
    choice: u32,
    /// Where the text of the last event stands in its frame, if others differ in nothing else.
    last: Option<Span>,
    /// The text of the event that goes on with it, decoded; its message, and where it stands.
    text: Vec<u8>,
    said: Option<(Lane, Span)>,
    /// How many texts in a row were not visible whatever follows, as those before the first delimiter where it decides on them.
    misses: u32,
}

impl JsonReader {
    /// The text of which the event with these drafts says more, if it does nothing else.
    pub(super) fn speech(&self, record: &Record) -> Option<OpenSpeech> {
        let (event, wants) = (&self.last_event, self.setup.options.wants);
        let reads = event.spoken && !event.edits && event.again.is_set();
        if !reads || !self.asks_nothing() || wants.visible || wants.content || self.sender.origins.is_some() {
            return None;
        }
        // The output moves the numbers of blocks, and what goes of the event beside its text.
        let (draft, key) = event.only_draft(record)?;
        let empty = |unit: &Stretch| match unit {
            Stretch::Text(text) | Stretch::Field(_, text) => text.start == text.end,
            unit => matches!(unit, Stretch::Void(_)),
        };
        let mut filled = draft.units.iter().filter(|unit| !empty(unit));
        let (Some(Stretch::Text(_)), None) = (filled.next(), filled.next()) else { return None };
        let plain = draft.seals.is_empty() && draft.probabilities.is_empty() && !draft.has.tool && !draft.shaped.apart;
        // Without a key, the response is the latest one that no typed events make.
        let named = key.is_some() || !draft.shaped.announced;
        let goes_on = !draft.delta.restated && !draft.delta.aside && !draft.delta.finished;
        let key = key.map(ResponseKey::owned);
        let (choice, last, text, said, misses) = (draft.delta.index, None, Vec::new(), None, 0);
        (plain && named && goes_on).then_some(OpenSpeech { key, choice, last, text, said, misses })
    }

    /// The length of the next record, if it only says more of that text, visible, whatever follows. It is read with
    /// [`JsonReader::said_more`], which takes the text.
    #[inline]
    pub(super) fn says_more(&mut self, next: &NextRecord<'_>) -> Option<usize> {
        let event = &mut self.last_event;
        let speech = event.speech.as_mut()?;
        speech.misses = speech.misses.wrapping_add(1);
        if speech.misses > TRIES && !speech.misses.is_multiple_of(EACH) {
            return None;
        }
        let (literal, len) = event.again.only_text(next.bytes).filter(|(_, len)| next.ends(*len))?;
        if self.watch.may_search(&next.bytes[..len], literal) {
            return None;
        }
        let place = |at: usize| (next.head + at) as u64;
        speech.last = event.again.last_text().map(|text| Span::new(place(text.start), place(text.end)));
        speech.text.clear();
        text::decode(literal.raw(next.bytes), &mut speech.text);
        let lane = self.sender.streams.passes(speech.key.as_ref(), speech.choice, &speech.text)?;
        speech.misses = 0;
        speech.said = Some((lane, Span::new(next.from + literal.start as u64, next.from + literal.end as u64)));
        Some(len)
    }

    /// What the record said.
    pub fn said(&self) -> Option<MoreText<'_>> {
        let speech = self.last_event.speech.as_ref()?;
        speech.said.map(|(lane, at)| MoreText { lane, text: &speech.text, at, last: speech.last })
    }

    /// Reads the text that the record said.
    pub fn said_more(&mut self) {
        let Some(speech) = &mut self.last_event.speech else { return };
        if let Some((_, at)) = speech.said.take() {
            let (key, streams) = (speech.key.as_ref(), &mut self.sender.streams);
            streams.pass(key, speech.choice, (&speech.text, at), &mut self.sender.notes);
        }
    }
}
