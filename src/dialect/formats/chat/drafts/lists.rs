//! Lists of messages, of pieces, and of the choices of a response.

use super::*;
use crate::json::text::Needle;
use crate::json::{elements, member, text};

/// Keys of the lists of messages in a sample of a data set. Services use some of them for other things.
const SAMPLE: [&str; 4] = ["prompt", "completion", "chosen", "rejected"];

/// A choice of a response, while it is read.
#[derive(Default)]
pub(super) struct Choice {
    delta: Option<Box<Draft>>,
    /// Its number, if it has one.
    index: Option<u32>,
    finished: bool,
    /// What goes of the token probabilities with reasoning in a field; the lists of those that do not say which tokens
    /// are reasoning.
    cuts: Vec<Range<usize>>,
    probabilities: Vec<Range<usize>>,
    /// The members with the numbers of all tokens.
    ids: Vec<Range<usize>>,
}

impl Drafts<'_> {
    /// Reads a list whose elements are the pieces of one response. Returns whether it has any.
    pub(super) fn pieces(&mut self, entry: &Entry) -> bool {
        let (at, before, mut read) = (self.record.items.len(), self.record.rest.len(), false);
        for node in self.walked.nodes_in(entry) {
            if !self.is_object(node) {
                continue;
            }
            let rest = self.record.rest.len();
            let draft = self.message(node);
            self.record.marks.partly_unread |= draft.is_partly_unread();
            match draft.role.is_none() && !draft.has.content && draft.units.is_empty() {
                true => self.search_whole(rest, node, false),
                false => read = true,
            }
            self.record.items.push(Item::Chunk(draft));
        }
        if !read {
            // A list of something else, whose texts may be pieces of one.
            self.record.items.truncate(at);
            self.record.rest.truncate(before);
            self.rest(Some(entry.key), entry.token, entry.value.start, false);
            return false;
        }
        let some = self.record.items.len() > at;
        if some {
            self.record.items.push(Item::ChunksEnd);
        }
        some
    }

    /// Reads a bare array: its messages are one conversation, its other elements are records.
    pub(super) fn array(&mut self, nodes: impl Iterator<Item = u32>, depth: usize) {
        let mut open = false;
        for node in nodes {
            if !self.is_object(node) {
                continue;
            }
            let (at, rest) = (self.record.items.len(), self.record.rest.len());
            let id = self.record.id.take();
            let read = self.record(node, depth);
            let own = self.record.id.or(id);
            self.record.marks.several |=
                id.is_some_and(|id| own.is_some_and(|own| own.raw(self.text) != id.raw(self.text)));
            self.record.id = own;
            if read.is_none() && self.record.items.len() == at {
                self.search_whole(rest, node, false);
            }
            if let Some(mut draft) = read {
                if !open {
                    self.record.items.insert(at, Item::Start);
                    open = true;
                }
                draft.element = self.walked.place(node);
                self.record.items.push(Item::Message(draft));
            } else if open && self.record.items.len() > at {
                // A conversation between messages ends theirs.
                self.record.items.insert(at, Item::End);
                open = false;
            }
        }
        if open {
            self.record.items.push(Item::End);
        }
    }

    /// Reads a list of messages. Returns whether it is one.
    pub(super) fn list(&mut self, entry: &Entry) -> bool {
        let (at, mut empty, mut messages) = (self.record.items.len(), true, false);
        self.record.items.push(Item::Start);
        for node in self.walked.nodes_in(entry) {
            let element = self.walked.place(node);
            empty = false;
            if !self.is_object(node) {
                self.record.items.extend(element.map(Item::Stays));
                continue;
            }
            let mut draft = self.message(node);
            // A message without a role, and without a key that only messages have, is not understood.
            self.record.marks.partly_unread |=
                draft.is_partly_unread() || draft.role.is_none() && draft.has.content && !draft.has.message_key;
            draft.element = element;
            self.record.items.push(Item::Message(draft));
            messages = true;
        }
        self.record.items.push(Item::End);
        // An answer may have an empty list beside it, of what was asked.
        empty &= !SAMPLE.iter().any(|key| entry.key.is(self.text, key));
        self.record.marks.known |= empty;
        if !messages && !empty {
            // A list of texts only, as in a request for embeddings, is no conversation.
            self.record.items.truncate(at);
        }
        messages || empty
    }

    pub(super) fn choices(&mut self, entry: &Entry) -> bool {
        let (mut number, items) = (0, self.record.items.len());
        for node in self.walked.nodes_in(entry) {
            if self.is_object(node) {
                self.choice(node, number);
            }
            number += 1;
        }
        // The last event of a stream has no choice.
        self.record.marks.known |= number == 0 || self.record.items.len() > items;
        number > 0
    }

    fn choice(&mut self, node: u32, number: u32) {
        let (mut choice, mut whole, mut finishes) = (Choice::default(), None, false);
        let mut text: Option<(Literal, Literal)> = None;
        let walked = self.walked;
        for entry in walked.all_of(node) {
            match (entry.slot, entry.token) {
                (Slot::Inner, _) => {
                    whole = Some(self.object(entry));
                    self.record.marks.partly_unread |= whole.as_ref().is_some_and(|draft| draft.is_partly_unread());
                }
                (Slot::Delta | Slot::Index | Slot::Stop | Slot::Probabilities, _) => {
                    finishes |= matches!(entry.slot, Slot::Stop | Slot::Probabilities);
                    self.beside(&mut choice, entry);
                }
                (Slot::Text, Token::String(s)) => text = Some((entry.key, s)),
                (Slot::Shadow, _) => choice.ids.push(entry.key.start - 1..entry.value.end),
                _ => (),
            }
            self.unread(entry, false);
        }
        // Options of a question have a text too, but no `finish_reason`, and their record is of no such type.
        if choice.delta.is_none() && whole.is_none() && text.is_some() && (finishes || self.completes()) {
            choice.delta = text.take().map(|(_, s)| self.completion(node, s));
        }
        if let Some((key, s)) = text {
            self.rest(Some(key), Token::String(s), s.start - 1, true);
        }
        self.chosen(choice, whole, number);
    }

    /// Whether the record has the type of a completion, which may stand behind the choices.
    fn completes(&mut self) -> bool {
        static COMPLETION: Needle = Needle::new("\"text_completion\"");
        let record = self.text;
        *self.completes.get_or_insert_with(|| COMPLETION.stands_in(record))
    }

    /// The message in a value.
    fn object(&mut self, entry: &Entry) -> Box<Draft> {
        let draft = self.message(entry.first_node);
        self.record.marks.partly_unread |= draft.has.partly_unread || draft.is_hidden();
        draft
    }

    /// Reads a member of a choice.
    pub(super) fn beside(&mut self, choice: &mut Choice, entry: &Entry) {
        match entry.slot {
            Slot::Delta => choice.delta = Some(self.object(entry)),
            Slot::Index => choice.index = entry.number(self.text).and_then(|number| number.try_into().ok()),
            Slot::Stop => choice.finished |= entry.literal().is_some_and(|word| word.start < word.end),
            _ => self.probabilities(choice, entry),
        }
    }

    /// Adds a delta that stands in a record without a list of choices, if the record is no message itself. Returns
    /// whether it did: other formats use that key for objects with a type.
    pub(super) fn bare(&mut self, record: &Draft, mut choice: Choice) -> bool {
        // An event of a reasoning type is not a delta of an answer.
        if self.kind.is_some_and(|kind| self.is_reasoning(kind)) {
            return false;
        }
        let marked = |d: &Draft| d.role.is_some() || d.has.content || d.thinks() || choice.finished;
        let is = |d: &&mut Box<Draft>| !d.has.typed && marked(d) && !record.has.content && record.units.is_empty();
        let Some(delta) = choice.delta.as_mut().filter(is) else { return false };
        delta.role = delta.role.or(record.role);
        self.chosen(choice, None, 0);
        true
    }

    /// Adds the delta and the message of a choice.
    fn chosen(&mut self, choice: Choice, whole: Option<Box<Draft>>, number: u32) {
        let Choice { delta, index, finished, mut cuts, mut probabilities, mut ids } = choice;
        let answers = || whole.as_ref().is_some_and(|whole| self.are_tokens_of(whole, &probabilities));
        match probabilities.is_empty() || answers() {
            true => self.record.marks.answer_tokens |= !probabilities.is_empty(),
            false => self.record.marks.tokens = true,
        }
        with_commas(self.text, &mut ids);
        cuts.append(&mut ids);
        let mut end = |mut draft: Box<Draft>, delta: bool| {
            (draft.delta.index, draft.delta.finished) = (index.unwrap_or(number), finished);
            let thinks = draft.units.iter().any(|u| !matches!(u, Stretch::Text(_) | Stretch::Call(_)));
            if thinks {
                draft.cuts.append(&mut cuts);
            }
            // A whole message is refused instead: most of its tokens are those of the answer.
            match (delta, thinks) {
                (true, true) => draft.cuts.append(&mut probabilities),
                (true, false) => draft.probabilities.extend(probabilities.drain(..).map(|list| (None, list))),
                (false, _) => (),
            }
            draft
        };
        // Some services have an empty delta beside each message.
        let delta = delta.filter(|delta| whole.is_none() || delta.has_text());
        let items = [delta.map(|d| Item::Delta(end(d, true))), whole.map(|d| Item::Choice(end(d, false)))];
        // A message beside a delta is a snapshot of the text of the deltas: it comes after.
        self.record.marks.payload |= finished;
        self.record.items.extend(items.into_iter().flatten());
    }

    /// A draft with the text of a completion, or of a piece of it in a stream.
    fn completion(&mut self, node: u32, text: Literal) -> Box<Draft> {
        let mut draft = self.draft(node);
        (draft.delta.completion, draft.has.content) = (true, true);
        self.record.style.completions = true;
        draft.units.push(Stretch::Text(text));
        draft
    }

    /// Whether the tokens in a list of probabilities are those of the answer, so that none is of the reasoning.
    fn are_tokens_of(&self, message: &Draft, lists: &[Range<usize>]) -> bool {
        let [list] = lists else { return false };
        let (mut tokens, mut answer) = (Vec::new(), Vec::new());
        for element in elements(self.text, list.start - 1) {
            match member(self.text, element.1.start, "token") {
                Some((Token::String(token), _)) => text::decode(token.raw(self.text), &mut tokens),
                _ => return false,
            }
        }
        let texts = message.units.iter().filter_map(Stretch::text);
        texts.for_each(|said| text::decode(said.raw(self.text), &mut answer));
        tokens == answer
    }

    /// Token probabilities of the reasoning repeat its text.
    fn probabilities(&mut self, choice: &mut Choice, entry: &Entry) {
        let (mut own, mut others) = (false, Vec::new());
        let walked = self.walked;
        for member in walked.nodes_in(entry).flat_map(|node| walked.all_of(node)) {
            let value = member.value.clone();
            own |= member.slot == Slot::Thought;
            match member.token {
                Token::ArrayStart => others.push(value.start + 1..value.end - 1),
                _ => self.unread(member, false),
            }
            if member.slot == Slot::Thought && member.token != Token::Null {
                choice.cuts.push(member.key.start - 1..value.end);
            }
        }
        with_commas(self.text, &mut choice.cuts);
        if !own {
            others.retain(|list| !self.text[list.clone()].trim_ascii().is_empty());
            choice.probabilities.append(&mut others);
        }
    }
}
