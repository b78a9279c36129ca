//! A painter in front of another one: it takes patterns out of every step. The texts of a message wait until the message
//! is over, so that what is found does not depend on the pieces in which they arrive.

use super::super::{BlockEnd, LineItem, MessageHead, PageCard, Painter, ShownMedia, Step, TextBlockKind};
use super::MARK;
use super::find::{RedactHit, Redactor};
use std::collections::HashMap;

/// What waits of a message.
#[derive(Debug)]
enum HeldPart {
    Text { kind: TextBlockKind, text: String, end: BlockEnd },
    Item(LineItem),
}

/// Takes patterns out of the steps for a painter.
pub struct Redacted {
    inner: Box<dyn Painter>,
    redactor: Redactor,
    held: Vec<HeldPart>,
    /// The block that is open.
    block: Option<(TextBlockKind, String)>,
    /// What short texts of heads become: they come again and again.
    known: HashMap<String, String>,
}

/// How many texts of heads are kept.
const KNOWN: usize = 1 << 12;

impl Redacted {
    /// Takes what `redactor` finds out of what `inner` draws.
    pub fn new(inner: Box<dyn Painter>, redactor: Redactor) -> Self {
        Self { inner, redactor, held: Vec::new(), block: None, known: HashMap::new() }
    }

    /// A short text that may come again, and counts once.
    fn short(&mut self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let redacted = self.redactor.text(text);
        if self.known.len() < KNOWN {
            self.known.insert(text.to_string(), redacted.clone());
        }
        redacted
    }

    fn head(&mut self, head: &MessageHead) -> MessageHead {
        let mut head = head.clone();
        for text in
            [&mut head.agent, &mut head.id, &mut head.model, &mut head.asked, &mut head.place, &mut head.session.title]
        {
            *text = self.short(text);
        }
        head.session.folder = match self.redactor.takes_paths() && head.session.folder.contains(['/', '\\']) {
            true => MARK.to_string(),
            false => self.short(&head.session.folder),
        };
        for track in &mut head.tracks {
            track.agent = self.short(&track.agent);
            track.label = self.short(&track.label);
        }
        head.time = head.time.filter(|time| {
            let time = time.to_string();
            self.redactor.find(&time).is_empty() && self.redactor.find(&time.replace(['T', 'Z'], " ")).is_empty()
        });
        head
    }

    fn media(&mut self, media: ShownMedia) -> ShownMedia {
        let ShownMedia { what, mime, name, base64, address } = media;
        ShownMedia { what, mime: self.short(&mime), name: self.short(&name), base64, address: self.short(&address) }
    }

    fn item(&mut self, item: LineItem) -> LineItem {
        match item {
            LineItem::Call { id, name, arguments } => {
                LineItem::Call { id, name: self.short(&name), arguments: self.redactor.json(&arguments) }
            }
            LineItem::Result { id, name, text, failed, media } => LineItem::Result {
                id,
                name: self.short(&name),
                text: self.redactor.json(&text),
                failed,
                media: media.into_iter().map(|media| self.media(media)).collect(),
            },
            LineItem::Media(media) => LineItem::Media(self.media(media)),
            LineItem::Other { kind, value } => {
                LineItem::Other { kind: self.short(&kind), value: self.redactor.json(&value) }
            }
            LineItem::Tools(count) => LineItem::Tools(count),
        }
    }

    fn end_block(&mut self, end: BlockEnd) {
        if let Some((kind, text)) = self.block.take() {
            self.held.push(HeldPart::Text { kind, text, end });
        }
    }

    /// Draws what waits.
    fn release(&mut self, out: &mut Vec<u8>) {
        self.end_block(BlockEnd::default());
        let held = std::mem::take(&mut self.held);
        let mut found = self.in_texts(&held);
        for (at, held) in held.into_iter().enumerate() {
            match held {
                HeldPart::Text { kind, text, end } => {
                    let hits = std::mem::take(&mut found[at]);
                    let text = self.redactor.markdown(&text, &hits);
                    self.inner.step(Step::Begin(kind), out);
                    if !text.is_empty() {
                        self.inner.step(Step::Text(&text), out);
                    }
                    self.inner.step(Step::End(end), out);
                }
                HeldPart::Item(item) => {
                    let item = self.item(item);
                    self.inner.step(Step::Item(&item), out);
                }
            }
        }
    }

    /// What is found in each text: in the text itself, and where several of a message are one text in pieces.
    fn in_texts(&mut self, held: &[HeldPart]) -> Vec<Vec<RedactHit>> {
        let mut found: Vec<Vec<RedactHit>> = held.iter().map(|_| Vec::new()).collect();
        for reasoning in [false, true] {
            let (mut all, mut starts) = (String::new(), Vec::new());
            for (at, held) in held.iter().enumerate() {
                let HeldPart::Text { kind, text, .. } = held else { continue };
                if (*kind == TextBlockKind::Reasoning) == reasoning {
                    starts.push((at, all.len()..all.len() + text.len()));
                    all.push_str(text);
                    found[at] = self.redactor.find_in_markdown(text);
                }
            }
            let mut counted: Vec<RedactHit> = starts.iter().flat_map(|(at, _)| found[*at].clone()).collect();
            if starts.len() > 1 {
                for hit in self.redactor.find(&all) {
                    let inside: Vec<_> =
                        starts.iter().filter_map(|(at, range)| hit.within(range).map(|hit| (*at, hit))).collect();
                    // What lies in one text was found there.
                    if inside.len() > 1 {
                        counted.push(hit);
                        inside.into_iter().for_each(|(at, hit)| found[at].push(hit));
                    }
                }
            }
            self.redactor.count(&counted);
        }
        found
    }
}

impl Painter for Redacted {
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        match step {
            Step::Begin(kind) => {
                self.end_block(BlockEnd::default());
                self.block = Some((kind, String::new()));
            }
            Step::Text(text) | Step::Heading(text) => self.block.iter_mut().for_each(|(_, block)| block.push_str(text)),
            Step::End(end) => self.end_block(end),
            Step::Item(item) => {
                self.end_block(BlockEnd::default());
                self.held.push(HeldPart::Item(item.clone()));
            }
            Step::Open(head) => {
                self.release(out);
                let head = self.head(head);
                self.inner.step(Step::Open(&head), out);
            }
            Step::Close(totals) => {
                self.release(out);
                self.inner.step(Step::Close(totals), out);
            }
            Step::Input(name) => {
                let name = self.short(name);
                self.inner.step(Step::Input(&name), out);
            }
            Step::Unread { first, last, what } => {
                let what = self.short(what);
                self.inner.step(Step::Unread { first, last, what: &what }, out);
            }
            Step::Aside { first, last, count, text } => {
                let text = self.redactor.text(text);
                self.inner.step(Step::Aside { first, last, count, text: &text }, out);
            }
            Step::Conversation { .. } | Step::Cost(_) => self.inner.step(step, out),
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        self.inner.flush(out);
    }

    fn card(&self) -> PageCard {
        self.inner.card()
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.release(out);
        self.inner.redacted(&self.redactor.counts(), out);
        self.inner.finish(out);
    }
}
