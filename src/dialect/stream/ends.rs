//! Where responses end: at an event, at a record that is none of theirs, or with the input.

use super::*;

impl Streams<'_> {
    /// A response ends here.
    pub fn end(&mut self, id: &[u8], sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        if let Some(at) = self.responses.iter().position(|r| r.id == id) {
            self.finish_response(at, sink, notes);
        }
    }

    /// A record that is no delta went by. Of the responses, those are over that are `built` like it.
    pub fn other(&mut self, built: bool, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        self.others += 1;
        while self.others == OTHERS
            && let Some(at) = self.responses.iter().position(|r| r.built == built)
        {
            self.finish_response(at, sink, notes);
        }
    }

    /// Every response is over.
    pub fn finish(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        while !self.responses.is_empty() {
            self.finish_response(0, sink, notes);
        }
    }

    /// Every response is over that is written anew, or that an event ends.
    pub fn finish_built(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        while let Some(at) = self.responses.iter().position(|r| r.typed || r.built) {
            self.finish_response(at, sink, notes);
        }
    }

    /// Every response is over whose `finish_reason` came: a message follows that is none of its events.
    pub fn finish_stopped(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        let stopped = |r: &Response<'_>| !r.typed && r.built && r.choices.values().all(|choice| choice.stopped);
        while let Some(at) = self.responses.iter().position(stopped) {
            self.finish_response(at, sink, notes);
        }
    }

    pub(super) fn finish_response(&mut self, at: usize, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        while let Some(index) = self.responses[at].choices.keys().next().copied() {
            self.finish_choice(at, index, sink, notes);
        }
        self.last = self.responses.remove(at).id;
    }

    pub(super) fn finish_choice(&mut self, at: usize, index: u32, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        if let Some(choice) = self.responses[at].choices.remove(&index) {
            self.buffered -= choice.text.buffered;
            let lane = choice.lane;
            choice.sections.into_values().for_each(|mut field| field.finish(&mut |at| redacted(lane, at, sink)));
            finish(choice.text.reader, (lane, choice.text.aside, choice.text.turn), sink, notes);
            sink.event(&Event::MessageEnd { lane, element: None });
        }
    }
}

/// A text of a message is over; `aside`: it is commentary.
pub(super) fn finish(
    mut text_reader: TextReader<'_>,
    (lane, aside, mut turn): (Lane, bool, Role),
    sink: &mut dyn Sink,
    notes: &mut Vec<Noted>,
) {
    let mut to = |p: &Piece<'_>| match p.kind {
        Kind::Turn(role) => turn = role,
        kind => sink.event(&Event::Piece(Piece { lane, kind: restated::kind(kind.of(turn), aside), ..*p })),
    };
    text_reader.finish(notes, &mut to);
}
