//! What is known of an object or an array while it is searched.

use super::keys::{KeyFacts, Part, Weight};
use super::words::{is_switch, is_text};

/// An object or array that is open. An array has the facts of its key, and gives its object what it found.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub array: bool,
    /// The member or element that is read, and where it begins.
    pub facts: KeyFacts,
    pub at: usize,
    /// It stands under a key of the vocabulary.
    pub under: Option<Weight>,
    /// It stands where a message or a piece of one does.
    pub message: bool,
    places: Places,
    /// The records of a stream have such a member.
    pub done: bool,
    /// A key that counts beside another: where it stands and its number; the numbers of the others that were found, as
    /// bits.
    beside: Option<(usize, u8)>,
    pub besides: u8,
    pub is: Is,
}

/// Where the first thing was found that may be reasoning.
#[derive(Clone, Copy, Default)]
struct Places {
    /// In any member; in what may be the arguments of a call; in its content.
    found: Option<usize>,
    argument: Option<usize>,
    arguments: Option<usize>,
    content: Option<usize>,
    /// The first member with content that counts if the object is of a reasoning kind, or is flagged as a thought.
    payload: Option<usize>,
    flagged: Option<usize>,
    /// One word under a key of the vocabulary.
    word: Option<usize>,
    /// A tag in a text that may be a piece.
    tag: Option<usize>,
}

/// What is known of an object from its members.
#[derive(Clone, Copy, Default)]
pub(super) struct Is {
    /// Its kind or its role is one of reasoning.
    pub reasoning: bool,
    /// A flag marks it as reasoning.
    pub thought: bool,
    /// Somebody else than the model wrote it, or a tool gave it back.
    pub others: bool,
    pub call: bool,
    /// Its type says that it is the call of a tool, not a tool: its parameters are no schema.
    pub called: bool,
    pub named: bool,
    pub parameters: bool,
    /// Its type is one of JSON Schema.
    pub typed: bool,
    /// It has a member that only schemas have; or one that schemas have too.
    pub schema: bool,
    pub maybe_schema: bool,
    /// Its channel is that of the reasoning.
    pub analysis: bool,
    /// It has content: a string that is no identifier.
    pub filled: bool,
}

/// The first of two places.
fn first(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}

impl Level {
    pub fn new(array: bool, facts: KeyFacts, under: Option<Weight>, message: bool) -> Self {
        Self {
            array,
            facts,
            at: 0,
            under,
            message,
            places: Places::default(),
            done: false,
            beside: None,
            besides: 0,
            is: Is::default(),
        }
    }

    /// What may be reasoning was found in the member that is read.
    pub fn hit(&mut self, at: usize) {
        let slot = match self.facts.part {
            _ if self.array => &mut self.places.found,
            Part::Argument => &mut self.places.argument,
            Part::Arguments => &mut self.places.arguments,
            _ if self.facts.content => &mut self.places.content,
            _ => &mut self.places.found,
        };
        *slot = first(*slot, Some(at));
    }

    /// The text that is read has a tag; `piece`: it is a piece of a text.
    pub fn tag(&mut self, piece: bool) {
        match piece {
            true => self.hit(self.at),
            false => self.places.tag = first(self.places.tag, Some(self.at)),
        }
    }

    /// Whether a text in it has a tag that counts only in a piece.
    pub fn has_tag(&self) -> bool {
        self.places.tag.is_some()
    }

    /// The member that is read has content.
    pub fn fill(&mut self) {
        let at = Some(self.at);
        self.is.filled = true;
        if self.facts.payload {
            self.places.payload = first(self.places.payload, at);
        }
        if self.facts.content {
            self.places.flagged = first(self.places.flagged, at);
        }
    }

    /// The member that is read is a string, under a key of the vocabulary or inside of a value that is.
    pub fn text(&mut self, text: &str) {
        let own = self.facts.weight.filter(|_| !self.array);
        let payload = self.facts.payload && !self.array;
        // Inside of a value white space at the ends is that of a delimiter; elsewhere it is that of a piece of text.
        let text = if own.is_some() || payload { text } else { text.trim() };
        if text.trim().is_empty() {
            return;
        }
        let at = self.at;
        match (own, self.under) {
            (Some(Weight::Sure), _) => self.hit(at),
            (_, Some(Weight::Sure)) if !is_switch(text) => self.hit(at),
            (Some(_), _) | (_, Some(_)) if is_text(text) => self.hit(at),
            (Some(_), _) if !is_switch(text) => self.places.word = first(self.places.word, Some(at)),
            (None, Some(_)) if payload && !is_switch(text) => self.hit(at),
            _ => (),
        }
        if self.facts.beside > 0 && is_text(text) {
            self.beside = self.beside.or(Some((at, self.facts.beside)));
        }
    }

    /// The first place in all of it that may be reasoning.
    pub fn end(&self) -> Option<usize> {
        let is = self.is;
        // A schema may lack a type, but then it has nothing of a message.
        let bare = !is.named && self.places.content.is_none() && self.places.payload.is_none();
        if is.schema && (is.typed || bare) || is.maybe_schema && is.typed || is.parameters && is.named && !is.called {
            return None;
        }
        let beside = self.beside.filter(|(_, key)| self.besides & bit(*key) != 0);
        [
            (true, self.places.found),
            (is.reasoning, self.places.payload),
            (is.thought, self.places.flagged),
            (self.message, self.places.word),
            (self.done, self.places.tag),
            (true, beside.map(|(at, _)| at)),
            (!is.others, self.places.content),
            (!is.call, self.places.argument),
            (!is.call && !is.named, self.places.arguments),
            (is.analysis && self.message, self.places.payload),
        ]
        .into_iter()
        .filter_map(|(counts, at)| at.filter(|_| counts))
        .min()
    }
}

/// The bit of the key with this number.
pub(super) fn bit(key: u8) -> u8 {
    1 << (key % 8)
}
