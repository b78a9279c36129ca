//! The only file that knows all the stages: bytes come in as they arrive, decided bytes go out.
//!
//! It owns the bytes that are held, and numbers records. It does no I/O: whoever drives it fills [`Engine::space`],
//! says how much came, and writes what is in the [`Sinks`].

use crate::dialect::{JsonReader, RawReader, ReadOptions};
use crate::error::Error;
use crate::frame::{Body, Frame, Framer, Framing, Kind, Step, sniff};
use crate::inline::{Note, Tags};
use crate::model::{Facts, Sink};
use crate::out::{Fate, Output, Placed, Sinks, Source};
use crate::span::Span;
use std::ops::Range;

/// How input is read.
pub struct EngineOptions {
    /// The framing, or `None` to let the first bytes decide.
    pub framing: Option<Framing>,
    /// How records are read.
    pub read: ReadOptions,
    /// The longest record, and the longest stretch of undecided input, that is held in memory, in bytes.
    pub max_record: usize,
    /// The input ends at the first record that is not understood.
    pub stop: bool,
}

/// A record that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its number, from 1.
    pub record: u64,
    /// Offset of the first wrong byte in the input, from 0.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
    /// Its bytes were passed over. Otherwise they are out already, or nothing was wrong with them.
    pub skipped: bool,
}

/// What was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records, good and bad.
    pub records: u64,
    /// Records that were not understood.
    pub bad: u64,
    /// Records that hold a conversation, a response or a message.
    pub known: u64,
    /// Messages.
    pub messages: u64,
    /// Delimiters without a block.
    pub strays: u64,
    /// Blocks that were never closed.
    pub unclosed: u64,
    /// Bytes of input.
    pub bytes: u64,
}

enum Reader<'t> {
    Json(Box<JsonReader<'t>>),
    Raw(Box<RawReader<'t>>),
}

/// One input on its way through.
pub struct Engine<'t, O> {
    tags: &'t Tags,
    options: Option<ReadOptions>,
    framing: Option<Framing>,
    /// The user said what the framing is.
    strict: bool,
    max_record: usize,
    stop: bool,
    buf: Vec<u8>,
    /// Input offset of the first byte of `buf`.
    base: u64,
    /// The next frame begins here in `buf`; bytes have come up to `filled`.
    at: usize,
    filled: usize,
    framer: Framer,
    reader: Option<Reader<'t>>,
    /// The output.
    pub output: O,
    /// The frame that is read is bad and longer than `max_record`.
    discarding: bool,
    /// Nothing more is read.
    over: bool,
    /// Events or elements were found.
    payloads: u64,
    counts: Counts,
    problems: Vec<Problem>,
    joined: Vec<u8>,
    lines: Vec<(usize, u64)>,
}

/// How much is read at once.
const CHUNK: usize = 256 * 1024;

impl<'t, O: Output> Engine<'t, O> {
    /// An engine at the start of an input.
    pub fn new(tags: &'t Tags, mut options: EngineOptions, output: O) -> Self {
        options.read.wants = output.wants();
        Self {
            tags,
            framing: options.framing,
            strict: options.framing.is_some(),
            max_record: options.max_record,
            stop: options.stop,
            options: Some(options.read),
            buf: Vec::new(),
            base: 0,
            at: 0,
            filled: 0,
            framer: Framer::new(Framing::Text, false),
            reader: None,
            output,
            discarding: false,
            over: false,
            payloads: 0,
            counts: Counts::default(),
            problems: Vec::new(),
            joined: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Room for the next bytes of input; say how many came with [`Engine::advance`].
    pub fn space(&mut self) -> &mut [u8] {
        if self.buf.len() - self.filled < CHUNK {
            let len = (self.filled + CHUNK).max(self.buf.len() + self.filled / 2).next_multiple_of(CHUNK);
            self.buf.resize(len, 0);
        }
        &mut self.buf[self.filled..]
    }

    /// `n` bytes came into [`Engine::space`]; everything that they decide goes to `sinks`.
    pub fn advance(&mut self, n: usize, sinks: &mut Sinks) {
        self.filled += n;
        self.counts.bytes += n as u64;
        self.work(false, sinks);
    }

    /// Takes in bytes from a slice.
    pub fn push(&mut self, mut bytes: &[u8], sinks: &mut Sinks) {
        while !bytes.is_empty() {
            let space = self.space();
            let n = bytes.len().min(space.len());
            space[..n].copy_from_slice(&bytes[..n]);
            self.advance(n, sinks);
            bytes = &bytes[n..];
        }
    }

    /// The input is over; the rest goes to `sinks`.
    pub fn finish(&mut self, sinks: &mut Sinks) {
        self.work(true, sinks);
        match &mut self.reader {
            Some(Reader::Json(reader)) => reader.finish(&mut self.output),
            Some(Reader::Raw(reader)) => reader.finish(&mut self.output),
            None => (),
        }
        self.notes();
        if self.framing == Some(Framing::Sse) && self.payloads == 0 && self.framer.is_strange() {
            self.problem(0, "no event: this is not an event stream", false);
        }
        self.output.finish();
        self.drain(sinks);
    }

    /// The input cannot be read further, for a reason of its own: what is not complete is not understood.
    pub fn abort(&mut self, what: &str, sinks: &mut Sinks) {
        self.problem(self.base + self.filled as u64, what, true);
        self.over = true;
        self.finish(sinks);
    }

    /// The rest of the input cannot be had, for no fault of its own: what is not complete is given up in silence.
    pub fn cut(&mut self, sinks: &mut Sinks) {
        self.over = true;
        self.drain(sinks);
    }

    /// The framing, once it is known.
    pub fn framing(&self) -> Option<Framing> {
        self.framing
    }

    /// What was seen so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The records that were not understood since the last call.
    pub fn problems(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.problems)
    }

    /// Nothing more will be read: the rest of the input need not be offered.
    pub fn is_over(&self) -> bool {
        self.over
    }

    fn work(&mut self, eof: bool, sinks: &mut Sinks) {
        if self.over {
            self.at = self.filled;
        }
        if self.reader.is_none() && !self.over && !self.begin(eof) {
            return;
        }
        while !self.over {
            match self.framer.step(&self.buf[self.at..self.filled], eof) {
                Step::Need => {
                    self.too_long();
                    break;
                }
                Step::End => break,
                Step::Frame(frame) => self.frame(frame, eof),
            }
        }
        self.notes();
        self.drain(sinks);
    }

    /// Decides the framing. Whether enough has come.
    fn begin(&mut self, eof: bool) -> bool {
        const BOM: &[u8] = b"\xEF\xBB\xBF";
        let head = &self.buf[..self.filled];
        if !eof && head.len() < 4 && (BOM.starts_with(head) || head.iter().any(|b| matches!(b, 0 | 0xFE | 0xFF))) {
            return false;
        }
        let bom = if head.starts_with(BOM) { BOM.len() } else { 0 };
        let wide = if self.framing == Some(Framing::Text) { None } else { wide(head) };
        let framing = match (self.framing, wide) {
            (Some(framing), _) => framing,
            (None, Some(_)) => Framing::Jsonl,
            (None, None) => match sniff(&head[bom..], eof) {
                None => return false,
                Some(framing) => framing,
            },
        };
        let Some(mut options) = self.options.take() else {
            return false;
        };
        options.live &= framing == Framing::Sse;
        self.framing = Some(framing);
        self.output.framing(framing);
        self.framer = Framer::new(framing, self.strict);
        self.reader = Some(match framing {
            Framing::Text => Reader::Raw(Box::new(RawReader::new(self.tags, options.inline))),
            _ => Reader::Json(Box::new(JsonReader::new(self.tags, options))),
        });
        if bom > 0 {
            self.place(0..bom, Fate::Glue, Facts::default());
        }
        if let Some(encoding) = wide {
            self.framer = Framer::broken();
            self.counts.records += 1;
            self.problem(
                0,
                format!("the input is {encoding}, not UTF-8 (iconv -f {encoding} -t UTF-8 makes it so)"),
                true,
            );
        }
        true
    }

    /// The frame at the start is not complete and too long to hold.
    fn too_long(&mut self) {
        let held = self.filled - self.at;
        if held <= self.max_record {
            return;
        }
        if !self.discarding {
            self.discarding = true;
            self.counts.records += 1;
            self.output.record(self.counts.records);
            self.problem(self.base + self.at as u64, "a record longer than --max-record", true);
        }
        self.framer.forget(held);
        self.place(self.at..self.filled, Fate::Bad, Facts::default());
    }

    fn frame(&mut self, frame: Frame, eof: bool) {
        let at = self.at..self.at + frame.len;
        let body = self.at + frame.body.start..self.at + frame.body.end;
        if std::mem::take(&mut self.discarding) && frame.kind != Kind::Tail {
            return self.place(at, Fate::Bad, Facts::default());
        }
        match frame.kind {
            Kind::Glue => self.place(at, Fate::Glue, Facts::default()),
            Kind::Tail => self.place(at, Fate::Tail, Facts::default()),
            Kind::Waste => self.place(at, Fate::Bad, Facts::default()),
            Kind::Text => self.text(at),
            Kind::Bad(error) => {
                self.counts.records += 1;
                self.output.record(self.counts.records);
                self.problem(self.base + (at.start + error.offset) as u64, error.what, true);
                self.place(at, Fate::Bad, Facts::default());
            }
            kind => {
                let element = match kind {
                    Kind::Element { comma } => Some(comma.map(|c| self.base + (self.at + c) as u64)),
                    _ => None,
                };
                if body.len() > self.max_record {
                    self.counts.records += 1;
                    self.problem(self.base + body.start as u64, "a record longer than --max-record", true);
                    return self.place(at, Fate::Bad, Facts::default());
                }
                self.record(at, body, element, kind == Kind::Unfinished && eof);
            }
        }
    }

    /// A piece of raw text.
    fn text(&mut self, at: Range<usize>) {
        let Some(Reader::Raw(reader)) = &mut self.reader else {
            return;
        };
        if self.counts.records == 0 {
            self.counts.records = 1;
            self.output.record(1);
        }
        let facts = reader.read(&self.buf[at.clone()], self.base + at.start as u64, &mut self.output);
        self.count(&facts);
        self.place(at, Fate::Text, facts);
    }

    /// A record: reads it and says what became of it.
    fn record(&mut self, at: Range<usize>, body: Range<usize>, element: Option<Option<u64>>, unfinished: bool) {
        self.payloads += 1;
        self.counts.records += 1;
        self.output.record(self.counts.records);
        match self.read(at.start, body, unfinished) {
            Ok(facts) => {
                self.count(&facts);
                self.place(at, element.map_or(Fate::Record, Fate::Element), facts);
            }
            Err((offset, what)) => {
                self.problem(offset, what, true);
                let bad = if element.is_some() { Fate::BadElement } else { Fate::Bad };
                self.place(at, bad, Facts::default());
            }
        }
    }

    fn read(&mut self, from: usize, body: Range<usize>, unfinished: bool) -> Result<Facts, (u64, String)> {
        let Some(Reader::Json(reader)) = &mut self.reader else {
            return Ok(Facts::default());
        };
        let mut ranges = self.framer.lines();
        let whole = [body.start - from..body.end - from];
        if ranges.len() < 2 {
            ranges = &whole;
        }
        self.lines.clear();
        self.joined.clear();
        for (i, range) in ranges.iter().enumerate() {
            if ranges.len() > 1 {
                self.joined.extend_from_slice(if i > 0 { b"\n" } else { b"" });
            }
            self.lines.push((self.joined.len(), self.base + (from + range.start) as u64));
            if ranges.len() > 1 {
                self.joined.extend_from_slice(&self.buf[from + range.start..from + range.end]);
            }
        }
        let text = if ranges.len() > 1 { &self.joined } else { &self.buf[body] };
        let body = Body::new(text, &self.lines);
        let wrong = |e: Error| (body.offset(e.offset), e.what.into_owned());
        let cut = |e: (u64, String)| {
            if unfinished { (e.0, "an incomplete event at the end of the input".into()) } else { e }
        };
        if self.framing == Some(Framing::Sse) && !matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
            || is_done(text)
        {
            if unfinished && !is_done(text) {
                return Err(cut((body.offset(0), String::new())));
            }
            reader.plain(text, &mut self.output);
            return Ok(Facts::default());
        }
        match reader.read(&body, &mut self.output) {
            Ok(facts) => Ok(facts),
            Err(e) if ranges.len() > 1 => {
                lines(reader, &body, ranges.len(), &self.lines, &mut self.output).ok_or_else(|| cut(wrong(e)))
            }
            Err(e) => Err(cut(wrong(e))),
        }
    }

    fn count(&mut self, facts: &Facts) {
        self.counts.known += u64::from(facts.known);
        self.counts.messages += facts.messages;
    }

    fn place(&mut self, at: Range<usize>, fate: Fate, facts: Facts) {
        let span = Span::new(self.base + at.start as u64, self.base + at.end as u64);
        self.at = at.end;
        self.output.frame(Placed { span, fate, facts });
    }

    fn problem(&mut self, offset: u64, what: impl Into<String>, skipped: bool) {
        self.counts.bad += 1;
        self.problems.push(Problem { record: self.counts.records.max(1), offset, what: what.into(), skipped });
        self.over |= self.stop;
    }

    /// What the readers noticed.
    fn notes(&mut self) {
        let notes = match &mut self.reader {
            Some(Reader::Json(reader)) => reader.notes(),
            Some(Reader::Raw(reader)) => reader.notes(),
            None => return,
        };
        for (offset, note) in notes {
            match note {
                Note::Stray => self.counts.strays += 1,
                Note::Unclosed => self.counts.unclosed += 1,
                Note::LateCloser(_) => {
                    self.counts.strays += 1;
                    let what = "a closer without an opener, when the text before it was already passed on as visible \
                                (--start reasoning says that the message begins with reasoning)";
                    self.problem(offset, what, false);
                }
                Note::UnclosedError(_) => self.problem(offset, "a block of reasoning that is never closed", true),
            }
        }
    }

    fn drain(&mut self, sinks: &mut Sinks) {
        let undecided = match &self.reader {
            Some(Reader::Json(reader)) => reader.undecided(),
            Some(Reader::Raw(reader)) => reader.undecided(),
            None => None,
        };
        let source = Source { bytes: &self.buf[..self.at], base: self.base };
        let needed = self.output.drain(source, undecided, sinks).min(self.base + self.at as u64);
        self.forget((needed - self.base) as usize);
        if self.at > self.max_record && !self.over {
            let what =
                "more than --max-record bytes would have to be held until they are decided; the rest was not read";
            self.problem(self.base, what, true);
            self.over = true;
        }
    }

    /// Moves what is still needed to the front, when that is little.
    fn forget(&mut self, n: usize) {
        if n == 0 || n < self.filled / 2 {
            return;
        }
        self.buf.copy_within(n..self.filled, 0);
        self.base += n as u64;
        self.at -= n;
        self.filled -= n;
        if self.buf.len() > 4 * CHUNK && self.filled < self.buf.len() / 8 {
            self.buf.truncate(CHUNK.max(self.filled));
            self.buf.shrink_to_fit();
        }
    }
}

/// Data lines that were captured without the blank lines between them: each is a record.
fn lines<S: Sink>(
    reader: &mut JsonReader<'_>,
    body: &Body<'_>,
    count: usize,
    starts: &[(usize, u64)],
    sink: &mut S,
) -> Option<Facts> {
    let line = |i: usize| {
        let end = starts.get(i + 1).map_or(body.text.len(), |next| next.0 - 1);
        &body.text[starts[i].0..end]
    };
    let whole = |text: &[u8]| is_done(text) || crate::json::scan::validate(text).is_ok();
    if !(0..count).all(|i| whole(line(i))) {
        return None;
    }
    let mut all = Facts::default();
    for i in 0..count {
        if is_done(line(i)) {
            reader.plain(line(i), sink);
            all.payload = true;
            continue;
        }
        let start = [(0, starts[i].1)];
        let facts = reader.read(&Body::new(line(i), &start), sink).ok()?;
        all.known |= facts.known;
        all.stream |= facts.stream;
        all.payload |= facts.payload || !facts.stream;
        all.messages += facts.messages;
    }
    Some(all)
}

fn is_done(text: &[u8]) -> bool {
    text.trim_ascii() == b"[DONE]"
}

/// The encoding of an input that is not made of bytes of text.
fn wide(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xFF, 0xFE, 0, 0, ..] | [b'{' | b'[', 0, 0, 0, ..] => Some("UTF-32LE"),
        [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, b'{' | b'[', ..] => Some("UTF-32BE"),
        [0xFF, 0xFE, ..] | [b'{' | b'[' | b'"', 0, ..] => Some("UTF-16LE"),
        [0xFE, 0xFF, ..] | [0, b'{' | b'[' | b'"', ..] => Some("UTF-16BE"),
        _ => None,
    }
}
