//! Recognises the format of a record by the members of its outermost object, before it is walked.

use super::Walked;
use crate::dialect::shape::{KeyMarks, Recognition, Shape, WITHOUT, mark, matches};
use crate::json::{Literal, Members, Scanner, Token};

/// The most members of a record that are looked at to recognise it.
pub(super) const OUTERMOST: usize = 64;

/// The members of the outermost object, or of the first object in an array.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Root {
    members: Vec<(Literal, Option<Literal>)>,
    /// The marks of their keys.
    pub marks: KeyMarks,
    /// The record is an array.
    pub array: bool,
    /// What [`Root::may_be`] has said of each row so far, and which words stand in the record.
    said: Vec<Option<Option<bool>>>,
    words: Vec<(&'static str, bool)>,
    /// The numbers of the two recognitions that fitted last: most records are recognised by one of them.
    fitted: [usize; 2],
}

impl Root {
    /// Takes what a walk has noted of the outermost object. `None` if the record is something else.
    pub fn take(&mut self, record: &[u8], walked: &mut Walked) -> Option<()> {
        let start = walked.nodes.first()?.value.start;
        if record.get(start) != Some(&b'{') {
            return None;
        }
        self.array = false;
        std::mem::swap(&mut self.members, &mut walked.outermost);
        self.mark(record);
        Some(())
    }

    /// Looks at a record; in an array, at the element with this number. `None` if that is not an object.
    pub fn look(&mut self, record: &[u8], element: usize) -> Option<()> {
        self.members.clear();
        let mut s = Scanner::new(record).ok()?;
        let mut first = s.token().ok()?;
        self.array = first == Token::ArrayStart;
        if self.array {
            first = s.token().ok()?;
            for _ in 0..element {
                s.skip(first).ok()?;
                first = s.token().ok()?;
            }
        }
        if first != Token::ObjectStart {
            return None;
        }
        let mut all = Members::within(s);
        for (key, value, _) in all.by_ref().take(OUTERMOST) {
            let word = if let Token::String(word) = value { Some(word) } else { None };
            self.members.push((key, word));
        }
        self.mark(record);
        all.end().map(drop)
    }

    /// Notes the marks of the keys. One with escapes may be any key.
    fn mark(&mut self, record: &[u8]) {
        self.said.clear();
        self.words.clear();
        let mark = |key: &Literal| if key.escaped { !0 } else { mark(key.raw(record)) };
        self.marks = self.members.iter().fold(0, |marks, (key, _)| marks | mark(key));
    }

    fn has(&self, record: &[u8], name: &str, values: &[&str]) -> bool {
        let is = |(key, value): &(Literal, Option<Literal>)| {
            // Most members have a name of another length.
            (key.escaped || key.end - key.start == name.len())
                && key.is(record, name)
                && (values.is_empty() || value.is_some_and(|word| matches(&word.decoded(record), values)))
        };
        self.members.iter().any(is)
    }

    /// Whether a record has a word that a format is recognised by, as the type of an event.
    pub fn is_typed(&self, record: &[u8], shape: &Shape) -> bool {
        let named = |name: &str| !matches!(name, "" | WITHOUT);
        let by_word = |it: &&Recognition| it.has.iter().any(|(name, values)| named(name) && !values.is_empty());
        let has = |it: &Recognition| it.has.iter().all(|(name, values)| self.has(record, name, values));
        shape.recognised_by.iter().filter(by_word).any(has)
    }

    /// Whether a record may have the keys with these marks.
    pub fn may_have_all(&self, marks: KeyMarks) -> bool {
        marks & !self.marks == 0
    }

    /// Whether a record may have a member with this key: not all members of a large one are looked at.
    pub fn may_have(&self, record: &[u8], name: &str) -> bool {
        self.members.len() == OUTERMOST || self.has(record, name, &[])
    }

    /// Whether a record, in an event of this name, may be of the format. `Some(true)`: only if the walk finds a node that
    /// only this format has.
    /// `asked`: the marks of the keys that each recognition asks for.
    pub fn may_be(
        &mut self,
        (record, event): (&[u8], &[u8]),
        (row, shape, asked): (usize, &'static Shape, &[KeyMarks]),
    ) -> Option<bool> {
        if let Some(Some(said)) = self.said.get(row) {
            return *said;
        }
        let said = self.recognised((record, event), (shape, asked));
        if self.said.len() <= row {
            self.said.resize(row + 1, None);
        }
        self.said[row] = Some(said);
        said
    }

    fn recognised(
        &mut self,
        (record, event): (&[u8], &[u8]),
        (shape, asked): (&'static Shape, &[KeyMarks]),
    ) -> Option<bool> {
        let mut words = std::mem::take(&mut self.words);
        let mut fits = |number: usize, recognised_by: &'static Recognition| {
            // Most ask for a key that the record does not have.
            self.may_have_all(asked[number])
                && recognised_by.has.iter().all(|(name, values)| match *name {
                    "" => values.iter().all(|word| stands(&mut words, record, word)),
                    WITHOUT => !values.iter().any(|word| stands(&mut words, record, word)),
                    name => self.has(record, name, values),
                })
        };
        // Of several that fit, one that is not for sure decides.
        let (all, [last, other]) = (shape.recognised_by, self.fitted);
        let known = [last, other].into_iter().find(|n| all.get(*n).is_some_and(|it| !it.sure && fits(*n, it)));
        let mut found = matches(event, shape.events).then_some(true);
        let fitted = known.or_else(|| {
            (0..all.len()).find(|number| {
                let it = &all[*number];
                let fits = fits(*number, it);
                found = if fits { Some(it.sure) } else { found };
                fits && !it.sure
            })
        });
        self.words = words;
        if let Some(number) = fitted {
            self.fitted = [number, if number == last { other } else { last }];
            return Some(false);
        }
        found
    }
}

/// Whether a word stands in a record. Several rows ask for the same ones.
fn stands(words: &mut Vec<(&'static str, bool)>, record: &[u8], word: &'static str) -> bool {
    if let Some((_, stands)) = words.iter().find(|(known, _)| *known == word) {
        return *stands;
    }
    let stands = memchr::memmem::find(record, word.as_bytes()).is_some();
    words.push((word, stands));
    stands
}
