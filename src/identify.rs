//! What an input is: the product that wrote it, its format and framing, whether it is read, how much reasoning it has and
//! where, and what to do if it is not read.
//!
//! The first bytes tell the product (`dialect::recognise`) and whether more of the input is of interest: most files of a
//! folder are not read further. The figures are those of `tokens`.

mod inventory;

use crate::count::{Counter, Method};
use crate::dialect::{DIALECTS, Product, find, recognise, remedy};
use crate::engine::{Engine, EngineOptions, Problem};
use crate::frame::{Framing, binary};
use crate::inline::Tags;
use crate::out::Sinks;
use crate::tokens::SharedTally;
use inventory::{Inventory, path};
use std::cell::RefCell;

/// How many bytes of an input tell what it is.
pub const HEAD: usize = 64 * 1024;

/// How many bytes are read at once.
const CHUNK: usize = 256 * 1024;

/// The most places that are listed of an input that is not read.
const PLACES: usize = 8;

/// How much of an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The first bytes ([`HEAD`]): what it is, and no figures of a longer input.
    Head,
    /// All of it if the first bytes have a conversation, reasoning, or signs of a product. If its first record is longer, that
    /// is read, too.
    Known,
    /// All of it.
    Whole,
}

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// It has no bytes.
    Empty,
    /// No text: the name of what it is.
    Binary(&'static str),
    /// Conversations, or another file of a known product.
    Transcript,
    /// Another text.
    Other,
}

/// Whether the reasoning of an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingState {
    /// All records are read, or have no reasoning.
    Yes,
    /// Some are not read, and may hold reasoning.
    Partly,
    /// None is read.
    No,
}

impl ReadingState {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            ReadingState::Yes => "yes",
            ReadingState::Partly => "partly",
            ReadingState::No => "no",
        }
    }
}

/// How much an input has, of all that was read of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Messages.
    pub messages: u64,
    /// Tokens of reasoning, and of the assistant's visible text.
    pub reasoning_tokens: u64,
    /// See `reasoning_tokens`.
    pub final_tokens: u64,
    /// Bytes of reasoning, with all its copies.
    pub reasoning_bytes: u64,
    /// Blocks of reasoning without text that are signed or encrypted.
    pub sealed: u64,
    /// How many tokens of reasoning the input itself states.
    pub logged: Option<u64>,
}

impl Figures {
    /// The share of reasoning in what the assistant wrote; 0 if it wrote nothing.
    pub fn ratio(&self) -> f64 {
        let all = self.reasoning_tokens + self.final_tokens;
        if all == 0 { 0.0 } else { self.reasoning_tokens as f64 / all as f64 }
    }
}

/// What is known of an input.
#[derive(Clone, Debug)]
pub struct Identity {
    /// What it is.
    pub kind: InputKind,
    /// The product that wrote it.
    pub product: Option<&'static str>,
    /// The dialects of its records, each with how many records it reads, the most frequent first.
    pub dialects: Vec<(&'static str, u64)>,
    /// How its records are framed, if it has any.
    pub framing: Option<Framing>,
    /// Whether it is read, if there is something to read.
    pub reading: Option<ReadingState>,
    /// How many bytes were read, and whether these are all.
    pub bytes: u64,
    /// See `bytes`.
    pub is_whole: bool,
    /// Records that are complete, those that may hold reasoning and are not read, and those that are damaged.
    pub records: u64,
    /// See `records`.
    pub suspect: u64,
    /// See `records`.
    pub damaged: u64,
    /// How much it has, if all of it was read, and messages in it.
    pub figures: Option<Figures>,
    /// Where its reasoning stands, or what may be reasoning and is not read.
    pub places: Vec<String>,
    /// What takes out what may be reasoning in what is not read.
    pub remedy: Remedy,
}

/// What takes out what may be reasoning in records that are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Nothing has to be taken out, or nothing is known.
    None,
    /// Options of `strip`, as words for a shell. True: other records are read, and stripped before.
    Strip(Vec<String>, bool),
    /// A command for a shell, with FILE in place of the name.
    Command(&'static str),
    /// `check` says where it stands.
    Check,
}

/// Says what an input is. `read` fills a buffer with the next bytes, and returns how many there were: 0 at the end.
///
/// # Errors
/// The error of `read`.
pub fn identify<E>(
    tags: &Tags,
    options: EngineOptions,
    extent: Extent,
    mut read: impl FnMut(&mut [u8]) -> Result<usize, E>,
) -> Result<Identity, E> {
    let mut head = vec![0; HEAD];
    let mut len = 0;
    let mut is_whole = false;
    while len < HEAD && !is_whole {
        let n = read(&mut head[len..])?;
        (len, is_whole) = (len + n, n == 0);
    }
    head.truncate(len);
    let product = recognise(&head);
    let named = options.framing.is_some();
    if head.is_empty() {
        return Ok(without_records(InputKind::Empty, product, len, is_whole));
    }
    if let Some((name, command)) = binary::kind(&head).filter(|_| !named) {
        let command = product.map(|product| product.remedy).filter(|remedy| !remedy.is_empty()).unwrap_or(command);
        let identity = without_records(InputKind::Binary(name), product, len, is_whole);
        let remedy = if command.is_empty() { Remedy::None } else { Remedy::Command(command) };
        return Ok(Identity { remedy, ..identity });
    }
    let shared = RefCell::new(SharedTally::new(Counter::new(Method::Chars4)));
    let mut look = InputLook {
        engine: Engine::new(tags, options, Inventory::new(Method::Chars4, &shared)),
        shared: &shared,
        sinks: Sinks::default(),
        problems: Vec::new(),
        product,
    };
    look.push(&head);
    while !is_whole && look.goes_on(extent) {
        let space = look.engine.space();
        let most = space.len().min(CHUNK);
        let n = read(&mut space[..most])?;
        is_whole = n == 0;
        look.engine.advance(n, &mut look.sinks);
        look.rest();
    }
    match is_whole {
        true => look.engine.finish(&mut look.sinks),
        false => look.engine.cut(&mut look.sinks),
    }
    look.rest();
    Ok(look.identity(is_whole))
}

/// An input of which no record is looked at.
fn without_records(kind: InputKind, product: Option<&'static Product>, len: usize, is_whole: bool) -> Identity {
    let is_known = product.is_some();
    Identity {
        kind,
        product: product.map(|product| product.name),
        dialects: Vec::new(),
        framing: None,
        reading: is_known.then_some(ReadingState::No),
        bytes: len as u64,
        is_whole,
        records: 0,
        suspect: 0,
        damaged: 0,
        figures: None,
        places: Vec::new(),
        remedy: Remedy::None,
    }
}

/// A look at an input, as far as it has come.
struct InputLook<'s> {
    engine: Engine<Inventory<'s>>,
    shared: &'s RefCell<SharedTally>,
    sinks: Sinks,
    /// Records that are not read, up to a few.
    problems: Vec<Problem>,
    product: Option<&'static Product>,
}

impl InputLook<'_> {
    fn push(&mut self, bytes: &[u8]) {
        self.engine.push(bytes, &mut self.sinks);
        self.rest();
    }

    /// Takes what the engine has found since the last call.
    fn rest(&mut self) {
        while self.engine.more(&mut self.sinks) {}
        self.sinks = Sinks::default();
        let new = self.engine.problems();
        let known = |problem: &Problem, all: &[Problem]| all.iter().any(|other| other.suspect == problem.suspect);
        for problem in new {
            if self.problems.len() < 8 * PLACES && !known(&problem, &self.problems) {
                self.problems.push(problem);
            }
        }
    }

    /// Whether more of the input is read.
    fn goes_on(&self, extent: Extent) -> bool {
        match extent {
            Extent::Head => false,
            Extent::Whole => !self.engine.is_over(),
            Extent::Known => {
                let counts = self.engine.counts();
                let is_undecided = self.engine.framing() != Some(Framing::Text) && counts.records == 0;
                !self.engine.is_over() && (is_undecided || self.is_transcript())
            }
        }
    }

    /// Whether it has a conversation, reasoning, or signs of a product.
    fn is_transcript(&self) -> bool {
        let counts = self.engine.counts();
        let is_text = self.engine.framing() == Some(Framing::Text);
        let has_records = !is_text && counts.known.0.iter().any(|n| *n > 0);
        let has_reasoning = counts.suspect > 0 || self.engine.output().bytes() > 0 || counts.tags.unclosed > 0;
        self.product.is_some() || has_records || has_reasoning
    }

    fn reading(&self) -> ReadingState {
        let counts = self.engine.counts();
        let is_text = self.engine.framing() == Some(Framing::Text);
        let is_read = counts.known.0.iter().any(|n| *n > 0) && (!is_text || self.engine.output().bytes() > 0);
        match (counts.refused, is_read) {
            (0, true) => ReadingState::Yes,
            (0, false) if is_text => ReadingState::Yes,
            (_, false) => ReadingState::No,
            (_, true) => ReadingState::Partly,
        }
    }

    /// What takes out what is not read.
    fn remedy(&self) -> Remedy {
        let counts = self.engine.counts();
        let own = self.product.map(|product| product.remedy).filter(|remedy| !remedy.is_empty());
        match (self.engine.remedies(), own) {
            _ if counts.refused == 0 => Remedy::None,
            (options @ [_, ..], _) => Remedy::Strip(options.to_vec(), counts.known.0.iter().any(|n| *n > 0)),
            (_, Some(command)) => Remedy::Command(command),
            _ => Remedy::Check,
        }
    }

    fn identity(self, is_whole: bool) -> Identity {
        let counts = self.engine.counts();
        let is_transcript = self.is_transcript();
        let mut dialects: Vec<(&str, u64)> =
            DIALECTS.iter().map(|dialect| dialect.name).zip(counts.known.0).filter(|(_, n)| *n > 0).collect();
        dialects.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let places = match self.engine.output().places() {
            [] => unread_places(&self.problems),
            places => places.to_vec(),
        };
        // One value in one line is JSON and a line of JSON.
        let framing = match self.engine.framing() {
            Some(Framing::Jsonl) if is_whole && counts.records == 1 => Some(Framing::Json),
            framing => framing,
        };
        let shared = self.shared.borrow();
        let figures = Figures {
            messages: shared.messages,
            reasoning_tokens: shared.total.reasoning,
            final_tokens: shared.total.visible,
            reasoning_bytes: self.engine.output().bytes(),
            sealed: shared.total.sealed,
            logged: shared.total.logged,
        };
        Identity {
            kind: if is_transcript { InputKind::Transcript } else { InputKind::Other },
            product: self
                .product
                .map(|product| product.name)
                .or_else(|| product_of(&dialects, &self.problems))
                .filter(|_| is_transcript),
            framing,
            reading: is_transcript.then(|| self.reading()),
            bytes: counts.bytes,
            is_whole,
            records: counts.records,
            suspect: counts.suspect,
            damaged: counts.refused - counts.refused_suspect,
            figures: (is_transcript && is_whole && shared.messages > 0).then_some(figures),
            places,
            remedy: if is_transcript { self.remedy() } else { Remedy::None },
            dialects,
        }
    }
}

/// The product by what was read, or by the places of what was not.
fn product_of(dialects: &[(&'static str, u64)], problems: &[Problem]) -> Option<&'static str> {
    let dialects = || dialects.iter().filter_map(|(name, _)| find(name));
    // Messages of the chat family stand in files of other formats, too.
    let main = dialects().find(|dialect| dialect.shape.is_some()).or_else(|| dialects().next());
    let by_place = || {
        let mut pointers = problems.iter().filter_map(|problem| problem.suspect.as_deref());
        pointers.find_map(remedy::product_at)
    };
    main.and_then(|dialect| dialect.products.first()).map(|product| product.name).or_else(by_place)
}

/// The places of what may be reasoning and is not read.
fn unread_places(problems: &[Problem]) -> Vec<String> {
    let mut places = Vec::new();
    let pointers = problems.iter().filter_map(|problem| problem.suspect.as_deref());
    for place in pointers.map(|pointer| path(&remedy::place(pointer))) {
        if !place.is_empty() && !places.contains(&place) && places.len() < PLACES {
            places.push(place);
        }
    }
    places
}
