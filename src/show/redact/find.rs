//! Finds what is taken out of a text, and puts marks in its place.

use super::named::NamedPattern;
use super::rendered::rendered;
use super::views::{FlatText, TextView, folded_pattern, views, word_views};
use super::{MARK, RedactPattern};
use memchr::memmem::Finder;
use std::ops::Range;

/// How often a text is read anew after something was taken out of it. What is left then goes as a whole.
const ROUNDS: usize = 3;

#[derive(Debug)]
enum Wanted {
    Text(Box<Finder<'static>>),
    Named(NamedPattern),
}

/// Takes patterns out of texts, and counts how often.
#[derive(Debug)]
pub struct Redactor {
    searches: Vec<Wanted>,
    /// How often each was found.
    counts: Vec<u64>,
}

/// A part of a text that one of the patterns matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactHit {
    pattern: usize,
    pub at: Range<usize>,
}

impl Redactor {
    /// Takes these out.
    pub fn new(patterns: &[RedactPattern]) -> Self {
        let search = |pattern: &RedactPattern| match pattern {
            RedactPattern::Text(text) => Wanted::Text(Box::new(Finder::new(&folded_pattern(text)).into_owned())),
            RedactPattern::Named(named) => Wanted::Named(*named),
        };
        Self { searches: patterns.iter().map(search).collect(), counts: vec![0; patterns.len()] }
    }

    /// How often each pattern was found. A text is not told by what it is, since it is what must not be seen.
    pub fn counts(&self) -> Vec<(String, u64)> {
        let mut texts = 0;
        let name = |search: &Wanted| match search {
            Wanted::Named(named) => named.name().to_string(),
            Wanted::Text(_) => {
                texts += 1;
                format!("text {texts}")
            }
        };
        self.searches.iter().map(name).zip(self.counts.iter().copied()).collect()
    }

    /// Whether paths are taken out.
    pub fn takes_paths(&self) -> bool {
        self.searches.iter().any(|search| matches!(search, Wanted::Named(NamedPattern::Paths)))
    }

    /// What matches in a text, however it is read.
    pub fn find(&self, text: &str) -> Vec<RedactHit> {
        let mut hits = Vec::new();
        views(text, &mut |view| self.look(view, true, &mut hits));
        word_views(text, &mut |view| self.look(view, false, &mut hits));
        merged(hits)
    }

    /// What matches in a text of Markdown, also as a page shows it.
    pub fn find_in_markdown(&self, text: &str) -> Vec<RedactHit> {
        let mut hits = self.find(text);
        rendered(text, &mut |view| self.look(view, true, &mut hits));
        merged(hits)
    }

    fn look(&self, view: &TextView, has_forms: bool, hits: &mut Vec<RedactHit>) {
        let is_text = |search: &Wanted| matches!(search, Wanted::Text(_));
        let folded = self.searches.iter().any(is_text).then(|| FlatText::of(&view.text));
        for (pattern, search) in self.searches.iter().enumerate() {
            let mut hit = |part| hits.push(RedactHit { pattern, at: view.range(part) });
            match (search, &folded) {
                (Wanted::Text(finder), Some(folded)) => {
                    let length = finder.needle().len();
                    finder.find_iter(&folded.bytes).for_each(|at| hit(folded.range(at..at + length)));
                }
                (Wanted::Named(named), _) if has_forms => named.find(&view.text, &mut hit),
                _ => (),
            }
        }
    }

    /// Counts what was found, each pattern for itself.
    pub fn count(&mut self, hits: &[RedactHit]) {
        for hit in hits {
            self.counts.get_mut(hit.pattern).into_iter().for_each(|count| *count += 1);
        }
    }

    /// The text with marks.
    pub fn text(&mut self, text: &str) -> String {
        let hits = self.find(text);
        self.count(&hits);
        marked(text, &hits)
    }

    /// The text with marks, if it may be JSON: it stays JSON as far as possible.
    pub fn json(&mut self, text: &str) -> String {
        let hits = self.find(text);
        self.count(&hits);
        if hits.is_empty() || crate::json::scan::validate(text.as_bytes()).is_err() {
            return marked(text, &hits);
        }
        let mut out = String::new();
        let (mut from, mut strings) = (0, Strings::default());
        for part in parts(&hits) {
            // A number is a word without quotes: the mark needs them.
            let is_inside = strings.is_inside(text, part.start);
            let word = if is_inside { None } else { word_around(text, &part) };
            let (part, quote) = word.map_or((part, ""), |word| (word, "\""));
            let start = part.start.max(from);
            out.push_str(text.get(from..start).unwrap_or_default());
            out.push_str(&[quote, MARK, quote].concat());
            from = part.end.max(start);
        }
        out.push_str(text.get(from..).unwrap_or_default());
        out
    }

    /// The text of Markdown with marks, in which these parts were found already.
    pub fn markdown(&self, text: &str, hits: &[RedactHit]) -> String {
        let mut text = marked(text, hits);
        for _ in 0..ROUNDS {
            let hits = self.find_in_markdown(&text);
            if hits.is_empty() {
                return text;
            }
            text = marked(&text, &hits);
        }
        MARK.to_string()
    }
}

/// Hits in order. Those of one pattern that overlap are one.
fn merged(mut hits: Vec<RedactHit>) -> Vec<RedactHit> {
    hits.retain(|hit| !hit.at.is_empty());
    hits.sort_by_key(|hit| (hit.pattern, hit.at.start, hit.at.end));
    hits.dedup_by(|next, last| {
        let overlaps = next.pattern == last.pattern && next.at.start < last.at.end;
        if overlaps {
            last.at.end = last.at.end.max(next.at.end);
        }
        overlaps
    });
    hits
}

/// The parts of a text that are covered by hits of any pattern, in order.
fn parts(hits: &[RedactHit]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = hits.iter().map(|hit| hit.at.clone()).collect();
    parts.sort_by_key(|part| (part.start, part.end));
    parts.dedup_by(|next, last| {
        let overlaps = next.start < last.end;
        if overlaps {
            last.end = last.end.max(next.end);
        }
        overlaps
    });
    parts
}

/// The text with a mark for each part that was found.
pub fn marked(text: &str, hits: &[RedactHit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for part in parts(hits) {
        out.push_str(text.get(from..part.start).unwrap_or_default());
        out.push_str(MARK);
        from = part.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// Where strings are in a JSON text that is read from its start on.
#[derive(Default)]
struct Strings {
    read: usize,
    inside: bool,
    escaped: bool,
}

impl Strings {
    /// Whether this place, behind those before, is in a string.
    fn is_inside(&mut self, text: &str, at: usize) -> bool {
        for byte in text.as_bytes().get(self.read..at).unwrap_or_default() {
            (self.inside, self.escaped) = match byte {
                b'"' if !self.escaped => (!self.inside, false),
                b'\\' => (self.inside, self.inside && !self.escaped),
                _ => (self.inside, false),
            };
        }
        self.read = self.read.max(at);
        self.inside
    }
}

/// The word around a part that stands in no string: a number, or what is written like one.
fn word_around(text: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    let bytes = text.as_bytes();
    if !bytes.get(part.clone())?.iter().all(is_word) {
        return None;
    }
    let before = bytes[..part.start].iter().rev().take_while(|byte| is_word(byte)).count();
    let behind = bytes[part.end..].iter().take_while(|byte| is_word(byte)).count();
    Some(part.start - before..part.end + behind)
}

impl RedactHit {
    /// The part of it that lies in this range, as a hit of what stands there.
    pub fn within(&self, range: &Range<usize>) -> Option<RedactHit> {
        let (start, end) = (self.at.start.max(range.start), self.at.end.min(range.end));
        (start < end).then(|| RedactHit { pattern: self.pattern, at: start - range.start..end - range.start })
    }
}
