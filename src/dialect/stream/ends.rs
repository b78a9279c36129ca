//! Where responses end: at an event, after records that are not theirs, or with the input.

use super::*;

impl Streams {
    /// Streams of a text of their own, whose lanes are free.
    pub fn apart(&self) -> Self {
        Self { next_lane: self.next_lane, ..Self::new(&self.tags, self.options, self.printed.clone()) }
    }

    /// Goes on behind streams of a text of their own, with lanes that they do not have.
    pub fn behind(&mut self, inner: &Self) {
        self.next_lane = inner.next_lane;
    }

    /// Ends the response that is a list of deltas in one record.
    pub fn end_chunks(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        if let Some(at) = self.named(ResponseKey::Chunks) {
            self.finish_response(at, sink, notes);
        }
    }

    /// Notes a record that is no delta. After [`OTHERS`] of them in a row, all responses end.
    pub fn other(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        self.others += 1;
        if self.others == OTHERS {
            self.finish(sink, notes);
        }
    }

    /// Ends every response.
    pub fn finish(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        while !self.responses.is_empty() {
            self.finish_response(0, sink, notes);
        }
    }

    /// Ends every response whose choices all had a `finish_reason`: a whole message follows that is not part of
    /// it.
    pub fn finish_stopped(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        let stopped = |r: &Response| !r.typed && r.choices.values().all(|choice| choice.stopped);
        while let Some(at) = self.responses.iter().position(stopped) {
            self.finish_response(at, sink, notes);
        }
    }

    pub(super) fn finish_response(&mut self, at: usize, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        self.responses[at].note_interruption(notes);
        while let Some(index) = self.responses[at].choices.keys().next().copied() {
            self.finish_choice(at, index, sink, notes);
        }
        self.last = self.responses.remove(at).key;
    }

    pub(super) fn finish_choice(&mut self, at: usize, index: u32, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        if let Some(choice) = self.responses[at].choices.remove(&index) {
            self.buffered -= choice.text.buffered;
            let lane = choice.lane;
            choice.sections.into_values().for_each(|mut field| field.finish(&mut |at| redacted(lane, at, sink)));
            let ChoiceText { reader, aside, turn, mut printed, .. } = choice.text;
            finish(reader, (lane, aside, turn), &mut printed, sink, notes);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
    }
}

/// Ends a text of a message, if it has begun. `aside`: it is commentary.
pub(super) fn finish(
    text_reader: Option<Box<TextReader>>,
    (lane, aside, mut turn): (Lane, bool, Role),
    printed: &mut PrintedLines,
    sink: &mut dyn Sink,
    notes: &mut Vec<Noted>,
) {
    let Some(mut text_reader) = text_reader else { return };
    let mut found = None;
    let mut to = |p: &Piece<'_>| match p.kind {
        PieceKind::Turn(role) => turn = role,
        kind => {
            let of = kind.of(turn);
            if of == PieceKind::Visible && !aside {
                printed.pass(p, &mut found);
            }
            sink.event(&Event::Piece(Piece { lane, kind: restated::kind(of, aside), ..*p }));
        }
    };
    text_reader.finish(notes, &mut to);
    printed.ends_line(&mut found);
    notes.extend(found);
}
