//! An answer that goes on, for an output that only asks what goes: of such events only the text is read, and no piece is sent.

use super::{JsonReader, NextRecord};
use crate::dialect::draft::{Item, Record, Stretch};
use crate::dialect::stream::ResponseKey;
use crate::json::text;
use crate::model::{Facts, Lane};
use crate::span::Span;

/// The text of an answer of which events say more and more.
#[derive(Debug)]
pub(super) struct OpenSpeech {
    /// The response, if its events name it, and the choice.
    key: Option<ResponseKey>,
    choice: u32,
    /// The text of the event that goes on with it, decoded; its message, and where it stands.
    text: Vec<u8>,
    said: Option<(Lane, Span)>,
}

impl JsonReader {
    /// The text of which the event with these drafts says more, if it does nothing else.
    pub(super) fn speech(&self, record: &Record, facts: &Facts) -> Option<OpenSpeech> {
        let (event, wants) = (&self.last_event, self.setup.options.wants);
        let reads = event.spoken && !event.edits && !facts.payload && event.again.is_set();
        if !reads || !self.asks_nothing() || wants.visible || wants.content || self.sender.origins.is_some() {
            return None;
        }
        let (draft, key) = match record.items.as_slice() {
            [Item::Delta(draft)] => (draft, event.response.as_deref().map(ResponseKey::Named)),
            [Item::More(draft, message)] => (draft, Some(ResponseKey::Open(*message))),
            _ => return None,
        };
        let [Stretch::Text(_)] = draft.units.as_slice() else { return None };
        let alone = draft.facts.is_empty() && draft.seals.is_empty() && draft.cuts.is_empty();
        let plain = alone && draft.probabilities.is_empty() && !draft.has.tool && !draft.shaped.apart;
        // Without a key, the response is the latest one that no typed events make.
        let named = key.is_some() || !draft.shaped.announced;
        let goes_on = !draft.delta.restated && !draft.delta.aside && !draft.delta.finished && !draft.delta.payload;
        let key = key.map(ResponseKey::owned);
        (plain && named && goes_on).then(|| OpenSpeech { key, choice: draft.delta.index, text: Vec::new(), said: None })
    }

    /// The length of the next record, if it only says more of that text, visible, whatever follows. It is read with
    /// [`JsonReader::said_more`], which takes the text.
    #[inline]
    pub(super) fn says_more(&mut self, next: &NextRecord<'_>) -> Option<usize> {
        let event = &mut self.last_event;
        let speech = event.speech.as_mut()?;
        let (literal, len) = event.again.only_text(next.bytes).filter(|(_, len)| next.ends(*len))?;
        if self.watch.may_search(&next.bytes[..len], literal) {
            return None;
        }
        speech.text.clear();
        text::decode(literal.raw(next.bytes), &mut speech.text);
        let lane = self.sender.streams.passes(speech.key.as_ref(), speech.choice, &speech.text)?;
        speech.said = Some((lane, Span::new(next.from + literal.start as u64, next.from + literal.end as u64)));
        Some(len)
    }

    /// The text that the record said, and its message.
    pub fn said(&self) -> Option<(Lane, &[u8])> {
        let speech = self.last_event.speech.as_ref()?;
        speech.said.map(|(lane, _)| (lane, speech.text.as_slice()))
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
