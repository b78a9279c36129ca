//! Events that only say more of the open block of a streamed message: their output differs from that of the event before
//! in the text, and in the number of the event where the format counts them. What stands around these is kept.

use super::*;
use crate::model::gather::Gather;
use crate::model::{Leaf, Piece};
use crate::out::FrameStatus;

/// A byte that no JSON holds as it is: where it is written, the text goes.
const HOLE: u8 = 1;

/// Two numbers of events that differ in their first digit only.
const NUMBERS: [u64; 2] = [1_000_000_000_000_000_000, 2_000_000_000_000_000_000];

/// How many events come of a record that says more of a block, besides what it tells again: which kind it is, and the piece.
const RECORD_AND_PIECE: u32 = 2;

/// What goes between two parts of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hole {
    Text,
    Number,
}

/// The last event, if it only said more of a block.
#[derive(Default)]
pub(super) struct LastFed {
    /// Its message and block, once other events may be written as it was.
    block: Option<(Lane, usize)>,
    /// The block of which an event just said more. Only the next one shows that a run has begun.
    candidate: Option<(Lane, usize)>,
    /// What stands in front of the holes of its output, with the framing.
    parts: Vec<(Vec<u8>, Hole)>,
    /// What stands behind the last of them.
    end: Vec<u8>,
    name: &'static str,
    /// How many of the bytes are the framing, in front of the value and behind it.
    framing: (usize, usize),
    /// Where the value of the current record stands, if that was all of it so far.
    value: Option<Span>,
    /// What is written for it, if it only said more of the block. Its room is kept.
    out: Vec<u8>,
    written: bool,
}

impl LastFed {
    /// Learns from what a writer makes of more of this block. Returns whether other events can be written by it.
    fn learn(&mut self, writer: &dyn Writer, streamed: &mut Streamed, block: usize) -> bool {
        let mut probe = |number| {
            let (mut out, mut losses) = (Vec::new(), Losses::default());
            let before = std::mem::replace(&mut streamed.sequence, number);
            writer.feed(streamed, block, &Leaf::of(&[HOLE], true), &mut out, &mut losses);
            streamed.sequence = before;
            out.pop().filter(|_| out.is_empty() && losses.is_empty())
        };
        let [Some((name, one)), Some((_, other))] = NUMBERS.map(&mut probe) else { return false };
        let digits = NUMBERS[0].to_string().len();
        self.parts.clear();
        let (mut part, mut at) = (Vec::new(), 0);
        while let (Some(byte), Some(second)) = (one.get(at), other.get(at)) {
            let hole = match *byte {
                HOLE => Some((Hole::Text, 1)),
                byte if byte != *second => Some((Hole::Number, digits)),
                _ => None,
            };
            match hole {
                Some((hole, len)) => {
                    self.parts.push((std::mem::take(&mut part), hole));
                    at += len;
                }
                None => {
                    part.push(*byte);
                    at += 1;
                }
            }
        }
        (self.end, self.name) = (part, name);
        self.parts.iter().any(|(_, hole)| *hole == Hole::Text)
    }

    /// Whether the block is that of the last event.
    fn is(&self, block: (Lane, usize)) -> bool {
        self.block == Some(block)
    }

    /// Writes an event with this text and this number.
    fn write(&mut self, text: &Piece<'_>, number: u64) {
        self.written = true;
        self.out.clear();
        for (part, hole) in &self.parts {
            self.out.extend_from_slice(part);
            match hole {
                Hole::Text => text.inside(&mut self.out),
                Hole::Number => self.out.extend_from_slice(number.to_string().as_bytes()),
            }
        }
        self.out.extend_from_slice(&self.end);
    }

    /// Whether each event has a number.
    fn is_numbered(&self) -> bool {
        self.parts.iter().any(|(_, hole)| *hole == Hole::Number)
    }
}

impl Emit {
    /// Takes an event, if with those before it in its record it only says more of the block of the last one.
    #[inline]
    pub(super) fn goes_on(&mut self, event: &Event<'_>) -> bool {
        let run = &mut self.begun.last_fed;
        let Some((lane, _)) = run.block else { return false };
        match event {
            Event::Content(ContentEvent::Record { envelope: Envelope::Stream, value })
                if run.value.is_none() && !run.written =>
            {
                run.value = Some(*value);
                true
            }
            Event::Piece(piece) if piece.lane == lane && run.value.is_some() && !run.written => self.feeds(piece),
            Event::Content(ContentEvent::Set { lane: Some(of), name, value, .. })
                if *of == lane && run.value.is_some() && self.tells_again(event) =>
            {
                let open = self.begun.open.get_mut(&lane).filter(|_| name.is_usage());
                open.into_iter().for_each(|open| open.gather.message.set(*name, value));
                true
            }
            _ => false,
        }
    }

    /// Whether an event only tells again what is known of a message, or counts its tokens: neither is written before its end.
    #[inline]
    pub(super) fn tells_again(&self, event: &Event<'_>) -> bool {
        let Event::Content(ContentEvent::Set { lane: Some(lane), name, value, .. }) = event else { return false };
        let known = || self.begun.open.get(lane).and_then(|open| open.gather.message.get(*name));
        match name {
            Attribute::Created => known().is_some(),
            Attribute::Id | Attribute::Model => known() == Some(*value),
            name => name.is_usage(),
        }
    }

    /// Writes a piece as that of the last event was, if it only says more of the same block.
    fn feeds(&mut self, piece: &Piece<'_>) -> bool {
        let run = &mut self.begun.last_fed;
        let open = self.begun.open.get_mut(&piece.lane).filter(|open| open.answer.is_none());
        let Some(EmitMessage { gather, streamed: Some(streamed), .. }) = open.map(|open| &mut **open) else {
            return false;
        };
        let fed = run.block.filter(|(_, at)| gather.says_more(piece, *at));
        if fed.is_none() {
            return false;
        }
        gather.at(piece.at.first().map(|span| span.start));
        run.write(piece, streamed.sequence);
        streamed.sequence += u64::from(run.is_numbered());
        true
    }

    /// Another event has come: what was taken of its record goes the way of all records, and what follows is another run.
    pub(super) fn ends_run(&mut self) {
        let run = &mut self.begun.last_fed;
        run.block = None;
        if let Some(value) = run.value.take() {
            self.record.value = Some((Envelope::Stream, value));
        }
        if std::mem::take(&mut run.written) {
            let (before, behind) = run.framing;
            self.values.push((run.name, run.out[before..run.out.len() - behind].to_vec()));
            self.record.message = true;
        }
    }

    /// Places a frame whose record only said more of the block. Returns whether it was one.
    pub(super) fn put_more(&mut self, mut placed: Placed) -> bool {
        let Some(value) = self.begun.last_fed.value else { return false };
        if placed.fate != FrameStatus::Record || !self.begun.last_fed.written {
            let block = self.begun.last_fed.block;
            self.ends_run();
            // A record in which all text waits changes nothing.
            self.begun.last_fed.block = block.filter(|_| placed.fate == FrameStatus::Record);
            return false;
        }
        let run = &mut self.begun.last_fed;
        (run.value, run.written) = (None, false);
        (self.record.message, self.record.over) = (true, true);
        placed.facts.stream = false;
        let events = self.around.framing == Framing::Sse;
        if !events || !self.splice.puts_more(placed.span, &run.out) {
            let written = run.out.clone();
            self.edit(if events { placed.span } else { value }, written);
            self.splice.frame(placed);
        }
        true
    }

    /// The block of which the record of this frame says more, with the name of the event that is written for it, if that
    /// is all it did.
    pub(super) fn fed(&self, placed: &Placed) -> Option<((Lane, usize), &'static str)> {
        let lines = matches!(self.around.framing, Framing::Sse | Framing::Jsonl);
        let event = lines && placed.fate == FrameStatus::Record;
        match (self.record.events, self.values.as_slice()) {
            (RECORD_AND_PIECE, [(name, _)]) if event => Some((self.record.fed?, *name)),
            _ => None,
        }
    }

    /// Notes what a record did that is in its place now, if others may do the same. `fed`: the block of which it said more.
    pub(super) fn learn_fed(&mut self, fed: (Lane, usize), name: &'static str) {
        if self.begun.last_fed.candidate.replace(fed) != Some(fed) {
            return;
        }
        let Some(open) = self.begun.open.get_mut(&fed.0) else { return };
        let block = open.gather.message.blocks.get(fed.1);
        let as_it_is = block.is_some_and(|block| self.writer.feeds_as_it_is(block));
        let EmitMessage { gather: Gather { message, .. }, streamed: Some(streamed), .. } = &mut **open else { return };
        if !as_it_is || self.begun.last_fed.is(fed) {
            return;
        }
        let mut run = std::mem::take(&mut self.begun.last_fed);
        std::mem::swap(&mut streamed.message, message);
        let learned = run.learn(self.writer.as_ref(), streamed, fed.1) && run.name == name;
        std::mem::swap(&mut streamed.message, message);
        if learned {
            let mut before = Vec::new();
            let behind = self.begin_value(0, name, true, &mut before);
            run.framing = (before.len(), behind.len());
            if let Some((first, _)) = run.parts.first_mut() {
                before.append(first);
                *first = before;
            }
            run.end.extend_from_slice(behind);
            run.block = Some(fed);
        }
        self.begun.last_fed = run;
    }
}
