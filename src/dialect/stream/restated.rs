//! Typed events of a stream: commentary, and events that restate text of others, of which only the new text counts.

use super::ends::finish;
use super::*;
use crate::dialect::inline_text::as_it_came;
use crate::inline::Start;
use crate::json::Literal;
use crate::model::TAGS;

/// Which parts of a message were in earlier events.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct RestatedParts {
    answer: bool,
    reasoning: bool,
}

impl RestatedParts {
    /// All of it.
    pub const ALL: RestatedParts = RestatedParts { answer: true, reasoning: true };

    /// Whether the unit is of a part that was in earlier events.
    pub fn has(self, unit: &Stretch) -> bool {
        match unit {
            Stretch::Text(_) | Stretch::Call(_) => self.answer,
            _ => self.reasoning,
        }
    }

    pub(super) fn add(&mut self, unit: &Stretch) {
        match unit {
            Stretch::Text(_) => self.answer |= is_filled(unit),
            _ => self.reasoning |= is_filled(unit),
        }
    }
}

impl Streams {
    /// The response with the latest event among those that are alike in whether typed events make them. Messages of a
    /// conversation that a shape reads have a name of their own.
    pub(super) fn latest(&self, typed: bool) -> Option<usize> {
        let alike = |r: &Response| r.typed == typed && !matches!(r.key, ResponseKey::Open(_));
        let all = (0..self.responses.len()).filter(|i| alike(&self.responses[*i]));
        all.max_by_key(|i| self.responses[*i].last_active)
    }

    /// The typed response whose last event is the oldest, if too many are open.
    pub(super) fn too_many(&self) -> Option<usize> {
        let typed = || (0..self.responses.len()).filter(|i| self.responses[*i].typed);
        typed().nth(OPEN - 1).and_then(|_| typed().min_by_key(|i| self.responses[*i].last_active))
    }

    /// The response with this key, or the latest one that no typed events make.
    pub(super) fn named_or_latest(&self, key: Option<ResponseKey<&[u8]>>) -> Option<usize> {
        match key {
            Some(key) => self.named(key),
            None => self.latest(false),
        }
    }

    /// Notes one more event of an open response, which begins nothing. Returns the response.
    pub(super) fn again(&mut self, key: Option<&ResponseKey>) -> Option<&mut Response> {
        (self.clock, self.others) = (self.clock + 1, 0);
        let at = self.named_or_latest(key.map(ResponseKey::borrowed))?;
        let response = &mut self.responses[at];
        (response.last_active, response.began) = (self.clock, self.began);
        response.events += 1;
        Some(response)
    }

    /// More of a block of reasoning came for an open response.
    pub fn thinks_on(&mut self, key: Option<&ResponseKey>) {
        self.again(key);
    }

    /// The lane of the response with this key, or of the latest one, if it has a single choice.
    pub fn only_lane(&self, key: Option<ResponseKey<&[u8]>>) -> Option<Lane> {
        let mut choices = self.responses[self.named_or_latest(key)?].choices.values();
        choices.next().filter(|_| choices.next().is_none()).map(|choice| choice.lane)
    }

    /// Whether the text of a choice of the response with this identifier is inside of a block.
    pub fn is_inside(&self, id: Option<&[u8]>, choice: u32) -> bool {
        let response = self.named_or_latest(id.map(ResponseKey::Named)).map(|at| &self.responses[at]);
        response.and_then(|response| response.choices.get(&choice)).is_some_and(|found| found.text.is_inside())
    }

    fn typed_response(&self, key: Option<ResponseKey<&[u8]>>) -> Option<usize> {
        match key {
            Some(key) => self.named(key),
            None => self.latest(true),
        }
    }

    /// Reads an event that restates a message: only its new parts. Returns the parts that were known.
    pub fn restated(
        &mut self,
        id: Option<&[u8]>,
        draft: &Draft,
        facts: &mut Facts,
        out: Outside<'_, '_>,
    ) -> RestatedParts {
        let key = id.map(ResponseKey::Named);
        let known = match self.typed_response(key) {
            Some(at) => {
                self.responses[at].choices.get(&draft.delta.index).map(|choice| choice.known).unwrap_or_default()
            }
            // The response had ended, and is restated.
            None if self.repeats(id) => return RestatedParts::ALL,
            None => RestatedParts::default(),
        };
        self.news(key, draft, known, facts, out);
        known
    }

    /// An event ends the response with this key.
    pub fn over(&mut self, key: Option<ResponseKey<&[u8]>>, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        if let Some(at) = self.typed_response(key) {
            self.finish_response(at, sink, notes);
        }
    }
}

impl StreamChoice {
    /// Ends the open text; the next one is read with these options.
    pub(super) fn end_text(&mut self, tags: &Tags, options: Options, out: &mut Outside<'_, '_>) {
        if self.text.begun {
            self.close_text(self.text.aside, out);
            self.text.reader = TextReader::before_text(tags, options);
            self.text.begun = false;
        }
    }

    /// Ends the text that was read so far: of the answer, or of the commentary (`aside`).
    fn close_text(&mut self, aside: bool, out: &mut Outside<'_, '_>) {
        let reader = self.text.reader.take();
        finish(reader, (self.lane, aside, self.text.turn), &mut self.text.printed, out.sink, out.notes);
    }

    /// Reads more text, of the answer or, with `aside`, of the commentary. Each run of either is a text by itself: a
    /// change ends the open one, and the new one is read with these options.
    pub(super) fn text(
        &mut self,
        (literal, aside): (Literal, bool),
        (tags, options): (&Tags, Options),
        scratch: &mut Vec<u8>,
        out: &mut Outside<'_, '_>,
    ) {
        if literal.start == literal.end {
            return;
        }
        self.text.begun = true;
        let before = std::mem::replace(&mut self.text.aside, aside);
        if before != aside {
            self.close_text(before, out);
            let options = restated::options(options, aside);
            self.text.reader = Some(Box::new(TextReader::new(tags, options, false).again()));
        } else if self.text.reader.is_none() {
            self.text.reader = Some(Box::new(TextReader::new(tags, options, false)));
        }
        if aside {
            self.open.clear();
        }
        let (input, map) = decode(out.body, literal, scratch);
        self.read(out, |reader, notes, to| reader.feed(scratch, input, map, notes, to));
    }

    /// Sends the pieces that the reader of the text makes.
    pub(super) fn read(
        &mut self,
        out: &mut Outside<'_, '_>,
        work: impl FnOnce(&mut TextReader, &mut Vec<Noted>, &mut dyn FnMut(&Piece<'_>)),
    ) {
        let (lane, aside, announced) = (self.lane, self.text.aside, self.announced);
        let (body, raw) = (out.body, out.wants.texts_as_they_came());
        let (open, turn, sink) = (&mut self.open, &mut self.text.turn, &mut *out.sink);
        let (probabilities, printed) = (&mut self.text.probabilities, &mut self.text.printed);
        let mut found = None;
        let mut to = |p: &Piece<'_>| {
            match p.kind {
                PieceKind::Turn(role) => return *turn = role,
                PieceKind::Tool => sink.event(&Event::Fact(lane, MessageFact::ToolCall)),
                _ => (),
            }
            let of = p.kind.of(*turn);
            // If events announce the start of blocks, text between two pieces of a block does not end it.
            if of.is_visible() && !p.text.is_empty() && !announced {
                open.clear();
            }
            if of == PieceKind::Visible && !aside {
                printed.pass(p, &mut found);
            }
            let (text, escaped) = as_it_came(body, p, raw);
            sink.event(&Event::Piece(Piece { lane, kind: kind(of, aside), text, escaped, ..*p }));
            if matches!(p.kind, PieceKind::Reasoning(_) | PieceKind::Delimiter) && !probabilities.is_empty() {
                tokens_go(probabilities, p.at, lane, sink);
            }
        };
        let Some(reader) = &mut self.text.reader else { return };
        work(reader, out.notes, &mut to);
        out.notes.extend(found);
        if !self.text.probabilities.is_empty() {
            let undecided = reader.undecided();
            self.text.probabilities.retain(|(text, _)| undecided.is_some_and(|from| text.end > from));
        }
    }
}

/// The kind of a piece, given whether its text is commentary.
pub(super) fn kind(kind: PieceKind, aside: bool) -> PieceKind {
    match kind {
        PieceKind::Visible if aside => PieceKind::Commentary,
        kind => kind,
    }
}

/// The options for commentary: a message that begins with reasoning does not begin in its commentary.
pub(super) fn options(options: Options, aside: bool) -> Options {
    match options.start {
        Start::Reasoning if aside => Options { start: Start::Hindsight, ..options },
        _ => options,
    }
}

/// The probabilities of the tokens of a text with reasoning at these bytes go with it.
fn tokens_go(of: &mut Vec<(Span, Span)>, at: &[Span], lane: Lane, sink: &mut dyn Sink) {
    let goes = |text: Span| at.iter().any(|at| at.start < text.end && text.start < at.end);
    for (_, list) in of.extract_if(.., |(text, _)| goes(*text)) {
        let (kind, at) = (PieceKind::Void(TAGS), &[list][..]);
        sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text: b"", escaped: false, whole: false, at }));
    }
}
