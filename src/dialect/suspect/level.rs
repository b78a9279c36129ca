//! What the search knows of an open object or array.

use super::keys::{Duty, KeyFacts, bit};
use super::words::{Weight, is_shown_label, is_switch, is_text};
use crate::json::Literal;

/// An open object or array. An array has the facts of its key, and passes what it found on to the object around it.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub array: bool,
    /// The current member or element, and where it begins.
    pub facts: KeyFacts,
    pub at: usize,
    /// It stands under a key of the vocabulary.
    pub under: Option<Weight>,
    /// It stands where a message or a piece of one does.
    pub message: bool,
    /// Where its strings begin among those of the open lists, if it is a list, and where the first one stands.
    pub strings: usize,
    pub first: usize,
    places: Places,
    /// It has a member that only events of a stream have.
    pub done: bool,
    /// A key that counts only beside another: where it stands, and the number of the pair.
    beside: Option<(usize, u8)>,
    pub besides: u8,
    pub is: Is,
}

/// The first place of each sort that may be reasoning.
#[derive(Clone, Copy, Default)]
struct Places {
    /// In any member.
    found: Option<usize>,
    argument: Option<usize>,
    arguments: Option<usize>,
    content: Option<usize>,
    /// The first member with content: counts if the object is of a reasoning type.
    payload: Option<usize>,
    flagged: Option<usize>,
    /// The first text that the author says.
    spoken: Option<usize>,
    /// The text of an attribute: counts if its name is one of reasoning.
    attribute: Option<usize>,
    /// One word under a key of the vocabulary: counts in a message.
    word: Option<usize>,
    /// A tag in a text: counts if the object turns out to be an event of a stream.
    tag: Option<usize>,
}

/// What the members of an object say about it as a call of a tool, a tool or a schema.
#[derive(Clone, Copy, Default)]
pub(super) struct ToolMarks {
    pub call: bool,
    /// Its type is that of a tool call, not of a tool: its parameters are not a schema.
    pub called: bool,
    pub named: bool,
    pub parameters: bool,
    /// Its type is one of JSON Schema.
    pub typed: bool,
    /// It has a member that only schemas have.
    pub schema: bool,
    pub maybe_schema: bool,
}

/// What the members of an object say about it.
#[derive(Clone, Copy, Default)]
pub(super) struct Is {
    /// Its kind or its role is one of reasoning.
    pub reasoning: bool,
    /// A flag marks it as reasoning.
    pub thought: bool,
    /// It is by another author than the model, or is a result of a tool.
    pub others: bool,
    /// Whether it is a call, a tool or a schema.
    pub tool: ToolMarks,
    /// Its channel is that of reasoning.
    pub analysis: bool,
    /// Its type is the word of that channel: other objects have it too, so that only a text beside it counts.
    pub analyses: bool,
    /// It has a title.
    pub entitled: bool,
    /// A title in it, or in what it says about itself, names reasoning.
    pub titled: bool,
    /// It is an attribute whose name is a key that has no other use.
    pub attributed: bool,
    /// It is an attribute that names the type of something else, and its value is a type of reasoning.
    pub of_kind: bool,
    pub kind: bool,
    /// It is an attribute whose name may be that of reasoning, and of a setting: a value of several words counts.
    pub of_words: bool,
    pub words: bool,
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
            strings: 0,
            first: 0,
            places: Places::default(),
            done: false,
            beside: None,
            besides: 0,
            is: Is::default(),
        }
    }

    /// A member begins, with this key.
    pub fn key(&mut self, facts: KeyFacts, key: Literal) {
        (self.facts, self.at) = (facts, key.start - 1);
        self.besides |= facts.besides;
        let is = &mut self.is;
        match facts.part {
            Duty::Call => is.tool.call = true,
            Duty::Name => is.tool.named = true,
            Duty::Schema => is.tool.schema = true,
            Duty::MaybeSchema => is.tool.maybe_schema = true,
            Duty::Done => (self.message, self.done) = (true, true),
            _ => (),
        }
    }

    /// Notes a place in the current member that may be reasoning.
    pub fn hit(&mut self, at: usize) {
        let slot = match self.facts.part {
            _ if self.array => &mut self.places.found,
            Duty::Argument => &mut self.places.argument,
            Duty::Arguments | Duty::Parameters => &mut self.places.arguments,
            _ if self.facts.content => &mut self.places.content,
            _ => &mut self.places.found,
        };
        *slot = first(*slot, Some(at));
    }

    /// Notes a tag in the current text. `piece`: the text is a piece, so that the tag counts by itself.
    pub fn tag(&mut self, piece: bool) {
        match piece {
            true => self.hit(self.at),
            false => self.places.tag = first(self.places.tag, Some(self.at)),
        }
    }

    /// Whether a text in it has a tag that counts only in an event of a stream.
    pub fn has_tag(&self) -> bool {
        self.places.tag.is_some()
    }

    /// Notes that the current member has content.
    pub fn fill(&mut self) {
        let at = Some(self.at);
        self.is.filled = true;
        if self.facts.payload {
            self.places.payload = first(self.places.payload, at);
        }
        if self.facts.content || self.facts.payload {
            self.places.flagged = first(self.places.flagged, at);
        }
    }

    /// Notes that the current member is what the author says.
    pub fn say(&mut self) {
        self.places.spoken = first(self.places.spoken, Some(self.at));
    }

    /// Notes that the current member is the text of an attribute.
    pub fn attribute(&mut self) {
        self.places.attribute = first(self.places.attribute, Some(self.at));
    }

    /// Notes a string under a key of the vocabulary, or inside of a value under one.
    pub fn text(&mut self, text: &str) {
        let own = self.facts.weight.filter(|_| !self.array);
        let payload = self.facts.payload && !self.array;
        // White space around a string inside of such a value parts it from others; elsewhere it may be part of a text.
        let text = if own.is_some() || payload { text } else { text.trim() };
        if text.trim().is_empty() {
            return;
        }
        let at = self.at;
        match (own, self.under) {
            (Some(Weight::Sure), _) => self.hit(at),
            (_, Some(Weight::Sure)) if !is_switch(text) => self.hit(at),
            (Some(_), _) | (_, Some(_)) if is_text(text) && !is_shown_label(text) => self.hit(at),
            (Some(_), _) if !is_switch(text) => self.places.word = first(self.places.word, Some(at)),
            (None, Some(_)) if payload && !is_switch(text) => self.hit(at),
            _ => (),
        }
        if self.facts.beside > 0 && is_text(text) {
            self.beside = self.beside.or(Some((at, self.facts.beside)));
        }
    }

    /// The first place in it that may be reasoning, once all of its members are known.
    pub fn end(&self) -> Option<usize> {
        let is = self.is;
        // A schema may lack a type, but then it has no member of a message.
        let bare = !is.tool.named && self.places.content.is_none() && self.places.payload.is_none();
        if is.tool.schema && (is.tool.typed || bare)
            || is.tool.maybe_schema && is.tool.typed
            || is.tool.parameters && is.tool.named && !is.tool.called
        {
            return None;
        }
        let beside = self.beside.filter(|(_, key)| self.besides & bit(*key) != 0);
        [
            (true, self.places.found),
            (is.reasoning, self.places.payload),
            (is.thought, self.places.flagged),
            (self.message, self.places.word),
            (self.done, self.places.tag),
            (!is.others, beside.map(|(at, _)| at)),
            (!is.others, self.places.content),
            (!is.tool.call, self.places.argument),
            (!is.tool.call && !is.tool.named, self.places.arguments),
            (is.analysis && self.message, self.places.payload),
            (is.analysis && !is.others, self.places.spoken),
            (is.titled && self.message, self.places.payload),
            // A document of such a type has a title.
            (is.analyses && !is.entitled && !is.others, self.places.spoken),
            (is.of_kind && is.kind, self.places.payload),
            (is.of_words && is.words, self.places.payload),
            (is.attributed, self.places.attribute),
        ]
        .into_iter()
        .filter_map(|(counts, at)| at.filter(|_| counts))
        .min()
    }
}
