//! Events that only say more of the answer, of which an output needs no piece.

use super::*;

impl Streams {
    /// The lane of a choice whose message this text only goes on with, visible, whatever follows.
    pub fn passes(&self, key: Option<&ResponseKey>, index: u32, text: &[u8]) -> Option<Lane> {
        let at = self.named_or_latest(key.map(ResponseKey::borrowed))?;
        let choice = self.responses[at].choices.get(&index)?;
        let ChoiceText { reader: Some(reader), aside: false, turn: Role::Assistant, begun: true, .. } = &choice.text
        else {
            return None;
        };
        let goes_on = !choice.finished && !choice.renewed && choice.text.probabilities.is_empty();
        (goes_on && reader.passes(text)).then_some(choice.lane)
    }

    /// Reads such a text, which stands here.
    pub fn pass(&mut self, key: Option<&ResponseKey>, index: u32, (text, at): (&[u8], Span), notes: &mut Vec<Noted>) {
        let Some(choice) = self.again(key).and_then(|response| response.choices.get_mut(&index)) else { return };
        choice.text.reader.iter_mut().for_each(|reader| reader.pass(text));
        let (lane, kind, mut found) = (choice.lane, PieceKind::Visible, None);
        let piece = Piece { lane, kind, fresh: false, text, escaped: false, whole: false, at: &[at] };
        choice.text.printed.pass(&piece, &mut found);
        notes.extend(found);
    }
}
