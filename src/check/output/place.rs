//! The places of findings: bytes, lines and columns of the file, JSON Pointers, and the text around them.

use super::{Awaited, CheckedFrame, FrameStatus, GatheredMessage, SourceBytes, UnreadRecord};
use crate::agents::sequences::Number;
use crate::check::{At, Excerpt, Hit, Rule, RuleFinding, VisibleMessage, fingerprint_name};
use crate::json::lint;
use crate::json::text::Map;
use crate::span::Span;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// How many characters of a line are shown before and behind a finding.
const CONTEXT_CHARS: usize = 40;

/// How many characters of a finding are shown.
const MAX_SHOWN_CHARS: usize = 200;

/// A finding before it has its line and pointer.
pub(super) struct UnplacedFinding {
    pub finding: RuleFinding,
    /// The hash that its fingerprint is made of.
    pub name: u128,
    /// What it waits for.
    pub waits: Option<Awaited>,
    /// Its column, if the input is a raw text.
    column: Option<u64>,
    /// The byte that its JSON Pointer points at.
    pub at: u64,
    /// The number of the message's element in a top-level array.
    element: Option<u64>,
}

/// A hit. With a sequence, it counts only if that sequence has no end.
pub(super) struct Noticed {
    pub rule: &'static Rule,
    pub hit: Hit,
    pub at: Span,
    pub record: u64,
    pub message: u64,
    /// The text that its fingerprint is made of.
    pub text: String,
    pub sequence: Option<Number>,
}

/// Places in a message with findings. What all of them need is computed once.
pub(super) struct FindingPlaces<'a> {
    message: &'a GatheredMessage,
    shown: &'a VisibleMessage,
    source: SourceBytes<'a>,
    raw: bool,
    excerpts: bool,
    /// How many characters stand before each [`FindingPlaces::STEP_BYTES`] bytes of the text.
    counts: Vec<u64>,
    spans: HashMap<usize, Vec<(usize, Span, Option<Map>)>>,
    /// How many characters of its line stand before the text, if the input is a raw text.
    column: Option<u64>,
    /// The last place whose column was asked for, and where its line begins, if that is in the text.
    line: (usize, Option<usize>),
}

impl<'a> FindingPlaces<'a> {
    const STEP_BYTES: usize = 4096;
    /// How many stretches are kept.
    const MAX_MAPPED_STRETCHES: usize = 1024;

    pub fn new(
        message: &'a GatheredMessage,
        shown: &'a VisibleMessage,
        source: SourceBytes<'a>,
        raw: bool,
        excerpts: bool,
    ) -> Self {
        let is_first = |b: &&u8| **b & 0xC0 != 0x80;
        let mut counts = vec![0];
        for chunk in shown.text.as_bytes().chunks(Self::STEP_BYTES) {
            counts.push(counts[counts.len() - 1] + chunk.iter().filter(is_first).count() as u64);
        }
        Self { message, shown, source, raw, excerpts, counts, spans: HashMap::new(), column: None, line: (0, None) }
    }

    /// How many characters stand before a byte of the text.
    fn chars(&self, at: usize) -> u64 {
        let step = at / Self::STEP_BYTES;
        let rest = &self.shown.text.as_bytes()[step * Self::STEP_BYTES..at];
        self.counts[step] + chars_in(rest)
    }

    /// A finding in the message.
    pub fn found(&mut self, rule: &'static Rule, hit: Hit) -> UnplacedFinding {
        let (message, shown) = (self.message, self.shown);
        let (mut chars, mut excerpt, mut awaited, mut column, mut pointed) = (None, None, None, None, 0);
        let first = message.first.unwrap_or(0);
        let name = |text: &str| fingerprint_name(rule, text);
        let (bytes, name) = match hit.at {
            At::Text(at) => {
                chars = Some(self.chars(at.start)..self.chars(at.end));
                excerpt = self.excerpts.then(|| around(&shown.text, &at));
                column = self.raw.then(|| self.column(at.start));
                let last = shown.text[..at.end].char_indices().next_back().map_or(0, |(last, _)| last);
                (self.place(at.start, at.start)..self.place(last, at.end), name(&shown.text[at]))
            }
            At::Reasoning => {
                let span = message.removed.map_or(Span::new(first, first), |removed| {
                    awaited = removed.ticket.map(Awaited::Removal);
                    removed.place()
                });
                let span = span.start..span.end;
                pointed = span.end.max(first + 1) - 1;
                (span, name(&shown.reasoning.concat()))
            }
            At::Empty => {
                let span = shown.empty.and_then(|i| message.opener_of(i));
                (span.map_or(first..first, |span| span.start..span.end), name(&shown.text))
            }
            At::Message => (first..first, name(&shown.text)),
        };
        let at = pointed.max(bytes.start);
        let finding = RuleFinding {
            rule,
            record: message.record,
            message: Some(message.number).filter(|n| *n > 0),
            pointer: message.column.clone(),
            line: 0,
            column: 0,
            bytes,
            chars,
            what: hit.what,
            fingerprint: String::new(),
            excerpt,
        };
        UnplacedFinding { finding, name, waits: awaited, column, at, element: message.element }
    }

    /// Where a byte of the visible text stands in the input. `of` is a byte of the stretch that it belongs to: the end
    /// of a character belongs to its stretch, though the next stretch may begin far away.
    fn place(&mut self, of: usize, at: usize) -> u64 {
        let i = self.shown.stretches.partition_point(|(start, _)| *start <= of).saturating_sub(1);
        let Some((start, stretch)) = self.shown.stretches.get(i) else { return 0 };
        let (message, source) = (self.message, self.source);
        if self.spans.len() > Self::MAX_MAPPED_STRETCHES {
            // Findings of a rule come in the order of the text, so that earlier stretches are hardly needed again.
            self.spans.clear();
        }
        let spans = self.spans.entry(*stretch).or_insert_with(|| message.spans(*stretch, source));
        let (of, at) = (of.saturating_sub(*start), at.saturating_sub(*start));
        let i = spans.partition_point(|(from, ..)| *from <= of).saturating_sub(1);
        let Some((from, span, map)) = spans.get(i) else { return 0 };
        let within = at - from.min(&at);
        let raw = map.as_ref().map_or(within, |map| map.raw(within));
        span.start + (raw as u64).min(span.len())
    }

    /// The column of a byte of a raw text.
    fn column(&mut self, at: usize) -> u64 {
        // A long line is searched once, however many findings it has.
        let (last, begins) = if self.line.0 <= at { self.line } else { (0, None) };
        let line = memchr::memrchr(b'\n', &self.shown.text.as_bytes()[last..at]).map(|n| last + n + 1).or(begins);
        self.line = (at, line);
        let before = match (line, self.shown.stretches.first()) {
            (None, Some((_, stretch))) => *self.column.get_or_insert_with(|| self.message.column(*stretch)),
            _ => 0,
        };
        before + self.chars(at) - self.chars(line.unwrap_or(0)) + 1
    }
}

/// An excerpt: the text of a finding in its line.
fn around(text: &str, at: &Range<usize>) -> Excerpt {
    let before: Vec<char> = text[..at.start].chars().rev().take_while(|c| *c != '\n').take(CONTEXT_CHARS).collect();
    let mut shown = text[at.clone()].chars();
    let excerpt = shown.by_ref().take(MAX_SHOWN_CHARS).collect();
    Excerpt {
        before: before.into_iter().rev().collect(),
        text: excerpt,
        cut: shown.next().is_some(),
        after: text[at.end..].chars().take_while(|c| *c != '\n').take(CONTEXT_CHARS).collect(),
    }
}

/// A finding at a place outside of the texts of messages.
fn finding(rule: &'static Rule, (record, message): (u64, u64), bytes: Range<u64>, what: String) -> RuleFinding {
    RuleFinding {
        rule,
        record,
        message: Some(message).filter(|n| *n > 0),
        pointer: None,
        line: 0,
        column: 0,
        bytes,
        chars: None,
        what,
        fingerprint: String::new(),
        excerpt: None,
    }
}

/// A finding without a message. `name`: the text that its fingerprint is made of.
fn found(finding: RuleFinding, name: &str) -> UnplacedFinding {
    let (name, at) = (fingerprint_name(finding.rule, name), finding.bytes.start);
    UnplacedFinding { finding, name, waits: None, column: None, at, element: None }
}

/// A finding about a record as it is written.
pub(super) fn in_record(rule: &'static Rule, hit: Hit, frame: &CheckedFrame, bytes: &[u8]) -> Option<UnplacedFinding> {
    let At::Text(at) = hit.at else { return None };
    let place = frame.span.start + at.start as u64..frame.span.start + at.end as u64;
    let finding = finding(rule, (frame.record, 0), place, hit.what);
    Some(found(finding, &String::from_utf8_lossy(&bytes[at])))
}

/// A finding about a mark of a message.
pub(super) fn at_mark(
    rule: &'static Rule,
    hit: Hit,
    message: &GatheredMessage,
    at: Span,
    waits: Option<Awaited>,
) -> UnplacedFinding {
    let finding = finding(rule, (message.record, message.number), at.start..at.end, hit.what);
    let name = finding.what.clone();
    UnplacedFinding { waits, element: message.element, ..found(finding, &name) }
}

/// A finding about a message of a log in which several speak.
pub(super) fn in_log(noticed: Noticed, waits: Option<Awaited>) -> UnplacedFinding {
    let Noticed { rule, hit, at, record, message, text, .. } = noticed;
    let finding = finding(rule, (record, message), at.start..at.end, hit.what);
    UnplacedFinding { waits, ..found(finding, &text) }
}

/// A finding about a record that was not understood.
pub(super) fn unread(rule: &'static Rule, unread: &UnreadRecord) -> UnplacedFinding {
    let UnreadRecord { record, offset, what, suspect, .. } = unread;
    let finding = finding(rule, (*record, 0), *offset..*offset, what.clone());
    let finding = RuleFinding { pointer: suspect.clone(), ..finding };
    found(finding, suspect.as_ref().unwrap_or(what))
}

/// Gives findings their pointers, in one walk over each frame. They must be sorted by `at`.
pub(super) fn pointers(found: &mut [UnplacedFinding], frames: &VecDeque<CheckedFrame>, source: SourceBytes<'_>) {
    let mut from = 0;
    while let Some(first) = found.get(from) {
        let i = frames.partition_point(|frame| frame.span.end <= first.at);
        let is_in = |frame: &&CheckedFrame| frame.span.start <= first.at && frame.span.start >= source.base;
        let Some(frame) = frames.get(i).filter(is_in) else {
            from += 1;
            continue;
        };
        let count = found[from..].iter().take_while(|found| found.at < frame.span.end).count();
        let inside = &mut found[from..from + count];
        from += count;
        if !matches!(frame.fate, FrameStatus::Record | FrameStatus::Element(_)) {
            continue;
        }
        let offsets: Vec<usize> = inside.iter().map(|found| (found.at - frame.span.start) as usize).collect();
        for (found, pointer) in inside.iter_mut().zip(lint::pointers(source.get(frame.span), &offsets)) {
            // Messages that are elements of a top-level array are one record together.
            let pointer = found.element.map_or(pointer.clone(), |n| format!("/{n}{pointer}"));
            found.finding.pointer.get_or_insert(pointer);
        }
    }
}

/// How many characters a text has. In a text that is not UTF-8, a byte that cannot begin a character is none.
fn chars_in(text: &[u8]) -> u64 {
    text.iter().filter(|b| **b & 0xC0 != 0x80).count() as u64
}

/// The lines of the input.
#[derive(Debug, Default)]
pub(super) struct InputLines {
    /// Offsets of line ends that are still needed.
    ends: VecDeque<u64>,
    /// How many lines end before these, and where the line after them begins.
    before: u64,
    start: u64,
    /// Lines are counted up to this offset.
    counted: u64,
    /// Where the bytes begin that are still there, and how many characters of its line stand before it.
    kept: (u64, u64),
    /// Offsets whose columns will be asked for when their bytes are gone, and the columns.
    asked: Vec<u64>,
    known: HashMap<u64, u64>,
    /// The last one of them: where its line begins, and how many characters of the line stand before it.
    answered: Option<(u64, u64, u64)>,
}

impl InputLines {
    /// Counts lines up to `end`.
    pub fn count(&mut self, source: SourceBytes<'_>, end: u64) {
        let from = self.counted.max(source.base);
        if from < end {
            let bytes = &source.bytes[(from - source.base) as usize..(end - source.base) as usize];
            self.ends.extend(memchr::memchr_iter(b'\n', bytes).map(|n| from + n as u64));
            self.counted = end;
        }
    }

    /// Drops lines before `needed`, and notes that the bytes before `bytes` are dropped.
    pub fn forget(&mut self, needed: u64, bytes: u64, source: SourceBytes<'_>) {
        while let Some(end) = self.ends.front().copied().filter(|end| *end < needed) {
            self.ends.pop_front();
            (self.before, self.start) = (self.before + 1, end + 1);
        }
        let (from, chars) = self.kept;
        if from < bytes && from >= source.base {
            let gone = source.get(Span::new(from, bytes));
            let line = memchr::memrchr(b'\n', gone).map(|n| n + 1);
            let before = if line.is_some() { 0 } else { chars };
            self.kept = (bytes, before + chars_in(&gone[line.unwrap_or(0)..]));
        }
    }

    /// Notes that a later finding begins at this offset.
    pub fn ask(&mut self, at: u64) {
        self.asked.push(at);
    }

    /// Counts the columns of the offsets that were asked for, while their bytes are there.
    pub fn answer(&mut self, source: SourceBytes<'_>) {
        let mut asked = std::mem::take(&mut self.asked);
        asked.sort_unstable();
        for at in asked {
            let i = self.ends.partition_point(|end| *end < at);
            let (_, start) = self.line_at(i);
            // The characters of a long line are counted once, however many findings it has.
            let (from, before) = match self.answered {
                Some((line, counted, chars)) if line == start && counted <= at => (counted, chars),
                _ if start <= self.kept.0 && self.kept.0 <= at => self.kept,
                _ => (start, 0),
            };
            if source.base <= from && at <= source.base + source.bytes.len() as u64 {
                let chars = before + chars_in(source.get(Span::new(from, at)));
                self.known.insert(at, chars + 1);
                self.answered = Some((start, at, chars));
            }
        }
    }

    /// The number of the line behind this many of the line ends that are still needed, from 1, and where it begins.
    fn line_at(&self, i: usize) -> (u64, u64) {
        (self.before + i as u64 + 1, i.checked_sub(1).map_or(self.start, |i| self.ends[i] + 1))
    }

    /// Gives findings their lines and columns. They must be sorted by place.
    pub fn place(&self, found: &mut [UnplacedFinding], source: SourceBytes<'_>) {
        let mut last: Option<(u64, u64, u64)> = None;
        for UnplacedFinding { finding, column, .. } in found {
            let at = finding.bytes.start;
            let i = self.ends.partition_point(|end| *end < at);
            let (line, start) = self.line_at(i);
            finding.line = line;
            if let Some(column) = column.or_else(|| self.known.get(&at).copied()) {
                finding.column = column;
                continue;
            }
            // The characters of a long line are counted once, however many findings it has.
            let (from, before) = match last {
                Some((line, counted, column)) if line == start && counted <= at => (counted, column),
                _ if start <= self.kept.0 && self.kept.0 <= at => self.kept,
                _ => (start, 0),
            };
            let there = from.max(source.base).min(at);
            let bytes = source
                .bytes
                .get((there.saturating_sub(source.base)) as usize..(at.saturating_sub(source.base)) as usize);
            let chars = bytes.map_or(at - there, chars_in);
            let column = before + there.saturating_sub(from) + chars;
            last = Some((start, at, column));
            finding.column = column + 1;
        }
    }
}
