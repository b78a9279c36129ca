//! A whole message as events.

use super::*;
use crate::model::{Mark, Marked, TAGS};

impl Sender {
    pub fn message(
        &mut self,
        body: &Body<'_>,
        draft: &Draft,
        facts: &mut Facts,
        standing: MessagePosition,
        sink: &mut dyn Sink,
    ) {
        let wants = self.setup.options.wants;
        let joined = matches!(standing, MessagePosition::Joined | MessagePosition::Snapshot(_));
        let bare = matches!(standing, MessagePosition::Bare);
        facts.messages += u64::from(!joined);
        if wants.content && !joined {
            self.streams.finish_stopped(sink, &mut self.notes);
        }
        let repeated = if let MessagePosition::Snapshot(known) = standing { known } else { RestatedParts::ALL };
        let repeats = matches!(standing, MessagePosition::Snapshot(_));
        let lane = if repeats { Lane::Snapshot(draft.delta.index) } else { Lane::Whole(draft.delta.index) };
        let role = draft.speaker();
        let search = draft.is_model();
        // If messages begin with reasoning, the first text is reasoning up to a closing tag, and all of it without one.
        let inline = self.setup.options_of(draft);
        let mut start = inline.start;
        let seeded = start == Start::Reasoning;
        let interesting = |unit: &Stretch| match unit {
            Stretch::Text(s) => search && (wants.visible || seeded || draft.may_hold(&self.setup.tags, body.text, *s)),
            _ => true,
        };
        let silent = !draft.units.iter().any(interesting) && draft.seals.is_empty();
        if !wants.messages && !wants.visible && !wants.rest && silent {
            return items(body, draft, lane, sink);
        }
        let at = Some(body.offset(draft.object.start)).filter(|_| !draft.object.is_empty());
        sink.event(&Event::MessageStart { lane, role, joined, bare, conversation: draft.shaped.conversation, at });
        self.introduces(body, draft, lane, sink);
        // `alone` means that no text holds a tag.
        let alone = wants.rest && self.is_alone(body, draft);
        let mut cuts = std::mem::take(&mut self.cuts);
        send_cuts(body, draft, lane, &mut cuts, sink);
        let repeats = matches!(standing, MessagePosition::Snapshot(_));
        let mut facts = if repeats { &[][..] } else { draft.facts.as_slice() };
        self.retold = draft.shaped.retold;
        for (at, unit) in draft.units.iter().enumerate().filter(|(_, unit)| repeated.has(unit)) {
            send_facts(body, next_facts(&mut facts, at), lane, sink);
            match unit {
                Stretch::Text(literal) if search && (alone || draft.has.no_tags) && start != Start::Reasoning => {
                    self.searched(body, lane, *literal, alone, sink)
                }
                Stretch::Text(literal) if search => {
                    start = self.text(body, lane, *literal, Options { start, ..inline }, sink);
                    let lists = draft.probabilities_of(at).filter(|_| self.reasons);
                    lists.for_each(|list| void(lane, &[body.span(list)], sink));
                }
                Stretch::Text(literal) if wants.rest => self.plain_text(body, lane, *literal, sink),
                Stretch::Text(_) => (),
                Stretch::Call(value) if wants.calls_as_text() => self.call(body, lane, value, sink),
                Stretch::Call(_) => (),
                _ => {
                    self.reasoning(body, (lane, alone), unit, &cuts, sink);
                    cuts.clear();
                }
            }
        }
        cuts.clear();
        (self.cuts, self.retold) = (cuts, false);
        send_facts(body, facts, lane, sink);
        self.redact(body, draft, lane, sink);
        items(body, draft, lane, sink);
        if draft.has.tool {
            sink.event(&Event::Fact(lane, MessageFact::ToolCall));
        }
        if draft.has.other && wants.visible {
            sink.event(&Event::Fact(lane, MessageFact::Other));
        }
        if let (Some(tokens), true) = (draft.logged, wants.rest) {
            sink.event(&Event::Logged { lane: Some(lane), tokens });
        }
        let element = draft.element.as_ref().filter(|_| wants.visible).map(|e| element(body, e));
        sink.event(&Event::MessageEnd { lane, element });
    }

    /// Sends where a message that has begun comes from, what it does beside what it says, and who has sent it.
    fn introduces(&mut self, body: &Body<'_>, draft: &Draft, lane: Lane, sink: &mut dyn Sink) {
        if let Some(origins) = self.origins.as_mut().filter(|_| !lane.is_snapshot()) {
            origins.send(body, (lane, draft.object.start), sink);
        }
        marks(body, draft, lane, sink);
        if let Some(sent) = &draft.shaped.sent {
            sink.event(&Event::Fact(
                lane,
                MessageFact::Sent { sent: sent.sent(), at: body.span(draft.object.clone()) },
            ));
        }
    }

    /// Whether all reasoning of a message stands in one unit outside of its texts.
    pub(super) fn is_alone(&self, body: &Body<'_>, draft: &Draft) -> bool {
        let reasons = |unit: &&Stretch| match unit {
            Stretch::Text(literal) => draft.may_hold(&self.setup.tags, body.text, *literal),
            Stretch::Field(..) | Stretch::Deep(..) | Stretch::Opaque(_) => true,
            Stretch::Void(_) | Stretch::Call(_) => false,
        };
        let several = draft.units.iter().filter(|unit| !matches!(unit, Stretch::Text(_))).filter(reasons).count();
        several == 1 && draft.units.iter().filter(reasons).count() == 1
    }

    pub(super) fn call(&mut self, body: &Body<'_>, lane: Lane, value: &Range<usize>, sink: &mut dyn Sink) {
        self.scratch.clear();
        call_text(&body.text[value.clone()], &mut self.scratch);
        let (kind, text) = (PieceKind::Call, self.scratch.as_slice());
        sink.event(&Event::Piece(Piece { lane, kind, fresh: true, text, escaped: false, whole: false, at: &[] }));
    }

    /// Sends a text that was searched for tags before and has none, if it is of interest; or `always`.
    fn searched(&mut self, body: &Body<'_>, lane: Lane, literal: Literal, always: bool, sink: &mut dyn Sink) {
        if always || self.setup.options.wants.visible {
            self.plain_text(body, lane, literal, sink);
        }
    }

    /// Sends a text that is not searched for tags.
    pub(super) fn plain_text(&mut self, body: &Body<'_>, lane: Lane, literal: Literal, sink: &mut dyn Sink) {
        let (raw, wants) = (literal.raw(body.text), self.setup.options.wants);
        self.scratch.clear();
        if wants.text && !wants.raw {
            text::decode(raw, &mut self.scratch);
        }
        self.spans.clear();
        self.spans.push(body.span(literal.start..literal.end));
        let text = if wants.raw { raw } else { &self.scratch };
        let (escaped, at) = (literal.escaped && wants.raw, self.spans.as_slice());
        sink.event(&Event::Piece(Piece {
            lane,
            kind: PieceKind::Visible,
            fresh: wants.rest,
            text,
            escaped,
            whole: true,
            at,
        }));
    }

    pub(super) fn reasoning(
        &mut self,
        body: &Body<'_>,
        (lane, whole): (Lane, bool),
        unit: &Stretch,
        at: &[Span],
        sink: &mut dyn Sink,
    ) {
        self.scratch.clear();
        let (wants, mut raw, mut starts) = (self.setup.options.wants, None, Vec::new());
        let wants_text = wants.text || wants.raw;
        let kind = match unit {
            Stretch::Field(source, literal) => {
                if wants.raw {
                    raw = Some(*literal);
                } else if wants_text {
                    text::decode(literal.raw(body.text), &mut self.scratch);
                }
                PieceKind::Reasoning(source)
            }
            Stretch::Deep(source, value) => {
                if wants_text {
                    starts = deep_blocks(&body.text[value.clone()], wants.raw, &mut self.scratch);
                }
                PieceKind::Reasoning(source)
            }
            Stretch::Opaque(source) => PieceKind::Reasoning(source),
            Stretch::Void(source) => PieceKind::Void(source),
            Stretch::Text(_) | Stretch::Call(_) => return,
        };
        let fresh = matches!(kind, PieceKind::Reasoning(_));
        let escaped = match raw {
            Some(literal) => literal.escaped,
            None => wants.raw && memchr::memchr(b'\\', &self.scratch).is_some(),
        };
        let mut text = raw.map_or(self.scratch.as_slice(), |literal| literal.raw(body.text));
        let mut at = at;
        // The first block has the cuts of all.
        for (from, to) in starts.iter().zip(starts.iter().skip(1)) {
            let text = &self.scratch[*from..*to];
            sink.event(&Event::Piece(Piece { lane, kind, fresh, text, escaped, whole, at: std::mem::take(&mut at) }));
        }
        text = starts.last().map_or(text, |last| &self.scratch[*last..]);
        sink.event(&Event::Piece(Piece { lane, kind, fresh, text, escaped, whole, at }));
        if wants.rest && text.is_empty() && unit.is_sealed(body.text) {
            sink.event(&Event::Fact(lane, MessageFact::Sealed));
        }
    }

    /// Sends a whole text of the assistant. Returns how the next text of the message begins.
    pub fn text(
        &mut self,
        body: &Body<'_>,
        lane: Lane,
        literal: Literal,
        inline: Options,
        sink: &mut dyn Sink,
    ) -> Start {
        let start = inline.start;
        let raw = literal.raw(body.text);
        self.reasons = false;
        if !self.setup.tags.may_hold(raw, literal.escaped) && start != Start::Reasoning {
            if self.setup.options.wants.visible {
                self.plain_text(body, lane, literal, sink);
            }
            return start;
        }
        let noted = self.notes.len();
        let mut tagged = std::mem::take(&mut self.tagged);
        if tagged.literal.take() != Some(literal) || tagged.input != body.offset(literal.start) {
            (tagged.input, tagged.map) = decode(body, literal, &mut tagged.text);
        }
        let mut text_reader = TextReader::new(&self.setup.tags, inline, false);
        let (mut first, mut turn) = (self.setup.options.wants.rest, Role::Assistant);
        let wants = self.setup.options.wants;
        let (reasons, raw, retold) = (&mut self.reasons, wants.texts_as_they_came(), self.retold);
        let mut to = |p: &Piece<'_>| {
            match p.kind {
                PieceKind::Reasoning(_) => *reasons = true,
                PieceKind::Turn(role) => return turn = role,
                PieceKind::Tool => sink.event(&Event::Fact(lane, MessageFact::ToolCall)),
                _ => (),
            }
            let kind = p.kind.of(turn);
            if retold && matches!(kind, PieceKind::Reasoning(_) | PieceKind::Delimiter | PieceKind::Gap) {
                return void(lane, p.at, sink);
            }
            let fresh = p.fresh || kind.is_visible() && std::mem::take(&mut first);
            let (text, escaped) = as_it_came(body, p, raw);
            sink.event(&Event::Piece(Piece { lane, kind, fresh, text, escaped, ..*p }));
        };
        let map = std::mem::take(&mut tagged.map);
        text_reader.feed(&tagged.text, tagged.input, map, &mut self.notes, &mut to);
        text_reader.finish(&mut self.notes, &mut to);
        self.tagged = tagged;
        let open = self.notes[noted..].iter().any(|(_, note)| matches!(note, Note::Unclosed(_)));
        if start == Start::Reasoning && !open && literal.start < literal.end { Start::Hindsight } else { start }
    }
}

/// Bytes that go with the reasoning of a message, and have none of their own.
fn void(lane: Lane, at: &[Span], sink: &mut dyn Sink) {
    let kind = PieceKind::Void(TAGS);
    sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text: b"", escaped: false, whole: false, at }));
}

/// What a message does beside what it says.
fn marks(body: &Body<'_>, draft: &Draft, lane: Lane, sink: &mut dyn Sink) {
    for line in &draft.shaped.lines {
        sink.event(&Event::Fact(lane, MessageFact::Instruction(line.as_deref())));
    }
    if draft.shaped.marks.is_empty() {
        return;
    }
    let prompt = |literal: &Option<Literal>| literal.map_or_else(Vec::new, |text| text::decoded(text.raw(body.text)));
    let marked = |(mark, at, literal): &(Mark, Range<usize>, Option<Literal>)| Marked {
        mark: *mark,
        prompt: prompt(literal),
        at: body.span(at.clone()),
    };
    let marks: Vec<Marked> = draft.shaped.marks.iter().map(marked).collect();
    sink.event(&Event::Fact(
        lane,
        MessageFact::Marks { marks: &marks, content: body.span(draft.shaped.content.clone()) },
    ));
}

/// Sends the list elements that are blocks of a message.
fn items(body: &Body<'_>, draft: &Draft, lane: Lane, sink: &mut dyn Sink) {
    for (reasoning, at) in &draft.shaped.items {
        let element = element(body, at);
        sink.event(&match reasoning {
            true => Event::Item { lane, element },
            false => Event::Stays(element),
        });
    }
}
