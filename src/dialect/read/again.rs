//! Recognises events that go on with the text of the event before them: they differ from it only in that text, or in the
//! copies of it that they have, and in values that change nothing in a message that has begun, as a count of the events.
//!
//! What reading such an event changes was changed by the one before. The laws `gears` and `values_make_no_difference` compare with
//! this turned off.

use super::alike::{EventTemplate, values};
use super::walked::FreeKind;
use crate::dialect::shape::Slot;
use crate::json::Literal;

/// What every such event has in common, and the values of the last one.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Again {
    /// The bytes around the free values. The buffers are kept, since streams may take turns.
    fixed: Vec<Vec<u8>>,
    /// The last brace, and the bytes behind it.
    behind: Vec<u8>,
    /// The free values of the last event, each with its kind; and those of the event that is compared.
    last: Vec<(Literal, FreeKind)>,
    next: Vec<Literal>,
    /// Where the last brace of both stands.
    close: (usize, usize),
    /// Which of the values are the text: one, or the copies of it.
    texts: Vec<usize>,
    set: bool,
}

impl Again {
    /// Forgets the last event.
    pub fn clear(&mut self) {
        self.set = false;
    }

    /// Whether an event was learned since the last call of [`Again::clear`].
    pub fn is_set(&self) -> bool {
        self.set
    }

    /// Learns an event that fitted this template last. `text`: its text, which must not be empty; `counted`: somebody asks for
    /// the counts of tokens. Returns whether others may go on with it.
    pub fn learn(&mut self, template: &EventTemplate, record: &[u8], text: Literal, counted: bool) -> bool {
        self.set = false;
        if text.start == text.end {
            return false;
        }
        // A value that fills a slot must be the same, but for a time, and for counts that nobody asks for. Objects with nodes
        // fill slots, too: they hold the text.
        let free = |slot| slot == Slot::Created || slot == Slot::Usage && !counted;
        let used = |at: usize| {
            let mut entries = template.walked.entries.iter().filter(|entry| !free(entry.slot));
            entries.any(|entry| entry.value.contains(&at) && !entry.value.contains(&text.start))
        };
        self.begin();
        for (bytes, spot) in template.fixed.iter().zip(&template.free_values) {
            self.add_to_part(bytes);
            let (literal, is_text) = (spot.literal, spot.literal == text);
            // An empty value could not be told from the place behind it.
            if !is_text && (used(literal.start) || literal.start == literal.end) {
                self.add_to_part(literal.raw(record));
                continue;
            }
            self.add_value(literal, spot.kind, is_text);
        }
        self.add_to_part(template.fixed.last().map_or(b"", Vec::as_slice));
        self.fixed.truncate(self.last.len() + 1);
        self.behind.clone_from(&template.behind);
        self.close.0 = template.close;
        self.set = !self.texts.is_empty();
        self.set
    }

    /// Learns an event all of which but these strings must be the same: its texts, and others that are not used. They must be
    /// in their order, and not empty. Returns whether others may go on with it.
    pub fn learn_strings(&mut self, record: &[u8], strings: &[(Literal, bool)]) -> bool {
        self.set = false;
        let Some((last, _)) = strings.last() else { return false };
        let Some([.., b'}']) = record.get(last.end..).map(<[u8]>::trim_ascii_end) else { return false };
        let close = record.trim_ascii_end().len() - 1;
        self.begin();
        let mut from = 0;
        for (string, is_text) in strings {
            if string.start < from || string.start == string.end {
                return false;
            }
            self.add_to_part(&record[from..string.start]);
            self.add_value(*string, FreeKind::Text, *is_text);
            from = string.end;
        }
        self.add_to_part(record[from..close].trim_ascii_end());
        self.fixed.truncate(strings.len() + 1);
        self.behind.clear();
        self.behind.extend_from_slice(&record[close..]);
        (self.close.0, self.set) = (close, true);
        true
    }

    /// Begins an event.
    fn begin(&mut self) {
        self.last.clear();
        self.texts.clear();
        self.begin_part();
    }

    /// Adds a value behind the bytes that were added.
    fn add_value(&mut self, literal: Literal, kind: FreeKind, is_text: bool) {
        self.texts.extend(is_text.then_some(self.last.len()));
        self.last.push((literal, kind));
        self.begin_part();
    }

    /// Begins the bytes behind the last value.
    fn begin_part(&mut self) {
        match self.fixed.get_mut(self.last.len()) {
            Some(part) => part.clear(),
            None => self.fixed.push(Vec::new()),
        }
    }

    fn add_to_part(&mut self, bytes: &[u8]) {
        self.fixed[self.last.len()].extend_from_slice(bytes);
    }

    /// The length of the event that these bytes begin with, if it goes on with the text.
    #[inline]
    pub fn fits(&self, bytes: &[u8]) -> Option<usize> {
        if !self.set {
            return None;
        }
        let (mut at, mut empty) = (0, false);
        let kinds = self.last.iter().map(|(_, kind)| *kind);
        let (_, end) = values(&self.fixed, kinds, &self.behind, bytes, |literal, _| {
            empty |= literal.start == literal.end && self.texts.contains(&at);
            at += 1;
        })?;
        (!empty).then_some(end)
    }

    /// The text of the event that these bytes begin with, if it goes on with it in one place, and the length of the event. Nothing is
    /// noted: the next event is compared with the last one that was read.
    #[inline]
    pub fn only_text(&self, bytes: &[u8]) -> Option<(Literal, usize)> {
        let ([only], true) = (self.texts.as_slice(), self.set) else { return None };
        let (mut at, mut text) = (0, None);
        let kinds = self.last.iter().map(|(_, kind)| *kind);
        let (_, end) = values(&self.fixed, kinds, &self.behind, bytes, |literal, _| {
            text = if at == *only { Some(literal) } else { text };
            at += 1;
        })?;
        text.filter(|text| text.start < text.end).map(|text| (text, end))
    }

    /// The text of the event that was read last, if others may differ in nothing else.
    pub fn last_text(&self) -> Option<Literal> {
        let [(text, _)] = self.last.as_slice() else { return None };
        Some(*text)
    }

    /// Reads an event: returns whether it goes on with the text. [`Again::accept`] makes it the last one.
    #[inline]
    pub fn read(&mut self, record: &[u8]) -> bool {
        self.read_first(record).is_some_and(|end| end == record.len())
    }

    /// Reads the event that these bytes begin with: returns its length, if it goes on with the text.
    #[inline]
    pub fn read_first(&mut self, bytes: &[u8]) -> Option<usize> {
        if !self.set {
            return None;
        }
        let Self { fixed, last, next, behind, close, .. } = self;
        next.clear();
        let kinds = last.iter().map(|(_, kind)| *kind);
        let (last_brace, end) = values(fixed, kinds, behind, bytes, |literal, _| next.push(literal))?;
        close.1 = last_brace;
        self.texts.iter().all(|at| self.next[*at].start < self.next[*at].end).then_some(end)
    }

    /// The text of the event that was read, unless it has several that differ.
    pub fn text(&self, record: &[u8]) -> Option<Literal> {
        let (first, copies) = self.texts.split_first()?;
        let text = self.next[*first];
        copies.iter().all(|at| self.next[*at].raw(record) == text.raw(record)).then_some(text)
    }

    /// Where this string of the last event is in the event that was read.
    pub fn moved_string(&self, own: Literal) -> Literal {
        let value = self.last.iter().position(|(last, _)| *last == own);
        match value {
            Some(at) => self.next[at],
            None => Literal { start: self.moved(own.start), end: self.moved(own.end), ..own },
        }
    }

    /// Where a place in the last event is in the event that was read. It must not be inside of a free value.
    pub fn moved(&self, at: usize) -> usize {
        let (old, new) = match self.last.iter().rposition(|(last, _)| last.end <= at && last.start < at) {
            _ if at > self.close.0 => self.close,
            Some(n) => (self.last[n].0.end, self.next[n].end),
            None => (0, 0),
        };
        at - old + new
    }

    /// Makes the event that was read the last one.
    pub fn accept(&mut self) {
        self.last.iter_mut().zip(&self.next).for_each(|(last, next)| last.0 = *next);
        self.close.0 = self.close.1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DIALECTS;
    use crate::dialect::read::{SearchedMembers, Walked, walk};

    #[test]
    fn events() {
        let anthropic = |index: &str, kind: &str, text: &str| {
            format!(
                r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","thinking":"{text}"}}}}"#
            )
        };
        let responses = |item: &str, index: &str, text: &str, number: &str, rest: &str| {
            format!(
                r#"{{"type":"response.reasoning_text.delta","item_id":"{item}","output_index":{index},"delta":"{text}","sequence_number":{number}{rest}}}"#
            )
        };
        let first = anthropic("1", "thinking_delta", "a");
        let second = responses("i", "1", "a", "3", "");
        let third = responses("i", "1", "a", "3", r#","obfuscation":"a1""#);
        for (name, first, other, want) in [
            ("anthropic", &first, anthropic("1", "thinking_delta", "bc \\n"), true),
            ("anthropic", &first, anthropic("1", "thinking_delta", "é") + " ", false),
            ("anthropic", &first, anthropic("1", "thinking_delta", ""), false),
            ("anthropic", &first, anthropic("1", "thinking_delta", "a\\x"), false),
            ("anthropic", &first, anthropic("1", "thinking_delta", "a\" "), false),
            ("anthropic", &first, anthropic("2", "thinking_delta", "a"), false),
            ("anthropic", &first, anthropic("1", "text_delta", "a"), false),
            ("responses", &second, responses("i", "1", "bc", "41", ""), true),
            ("responses", &second, responses("i", "1", "bc", "04", ""), false),
            ("responses", &second, responses("i", "2", "bc", "4", ""), false),
            ("responses", &second, responses("j", "1", "bc", "4", ""), true),
            ("responses", &second, responses("i", "1", "bc", "4", r#","x":1"#), false),
            ("responses", &third, responses("i", "1", "bc", "4", r#","obfuscation":"""#), true),
        ] {
            let state = DIALECTS.iter().find(|row| row.name == name).unwrap().shape.unwrap().record;
            let mut walked = Walked { compared: true, ..Walked::default() };
            walk((first.as_bytes(), b""), state, (true, &mut SearchedMembers::default()), &mut walked).unwrap();
            let searched: Vec<usize> = walked.rest.iter().map(|rest| rest.value).collect();
            let template = EventTemplate::of(first.as_bytes(), &walked, &searched, false).unwrap();
            let mut again = Again::default();
            let text = template.walked.texts().next().unwrap().literal().unwrap();
            assert!(again.learn(&template, first.as_bytes(), text, true));
            let whole = |text: &str| again.fits(text.as_bytes()).is_some_and(|end| end == text.len());
            assert!(whole(first), "{first}");
            assert_eq!(whole(&other), want, "{other} after {first}");
            let only = again.only_text(other.as_bytes()).filter(|(_, end)| *end == other.len());
            assert_eq!(only.is_some(), want, "{other} after {first}");
            let followed = format!("{other}\n\ndata: ");
            assert_eq!(
                again.fits(followed.as_bytes()).is_some_and(|end| end == other.len()),
                want,
                "{followed} after {first}"
            );
            let read = again.read(other.as_bytes());
            assert_eq!(read, want, "{other} after {first}");
            if read {
                let mut walked = Walked { compared: true, ..Walked::default() };
                walk((other.as_bytes(), b""), state, (true, &mut SearchedMembers::default()), &mut walked).unwrap();
                let places = |walked: &Walked| {
                    let nodes = walked.nodes.iter().flat_map(|node| [node.value.start, node.value.end]);
                    let entries = walked.entries.iter().flat_map(|entry| [entry.key.start, entry.value.end]);
                    nodes.chain(entries).collect::<Vec<_>>()
                };
                let moved: Vec<usize> = places(&template.walked).into_iter().map(|at| again.moved(at)).collect();
                assert_eq!(moved, places(&walked), "{other} after {first}");
                assert_eq!(again.text(other.as_bytes()), walked.texts().next().unwrap().literal());
                again.accept();
                assert!(again.read(first.as_bytes()));
            }
            again.clear();
            assert!(again.fits(first.as_bytes()).is_none());
        }
    }
}
