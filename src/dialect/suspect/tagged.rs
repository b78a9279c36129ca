//! Blocks of inline tags in texts, and in lists whose strings are one text in pieces.

use super::encoded::may_have_json;
use super::level::Level;
use super::pieces::has_text;
use super::printed::unescaped;
use super::search::{Search, is_others};
use crate::dialect::turns::Recordings;
use crate::inline::{Inline, Note, Options, Scanned, StretchKind, TagScanner};
use crate::json::{Literal, text};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// How escapes begin that stand for a character of ASCII which is seen. A bracket that was escaped once more has one in it.
const ESCAPES: [&[u8]; 6] = [br"\u002", br"\u003", br"\u004", br"\u005", br"\u006", br"\u007"];

/// Finds what a string has that is looked at more closely.
///
/// # Panics
/// Never: the words are few and short.
fn shown(recordings: &Recordings) -> AhoCorasick {
    let words = recordings.signs().chain(ESCAPES);
    // Leftmost, since a search in words of several bytes at once knows no other kind.
    let finder = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(words);
    finder.unwrap_or_else(|error| unreachable!("few short words: {error}"))
}

impl Search {
    /// Whether a text holds a block of inline tags with something in it.
    pub fn is_tagged(&self, plain: &[u8]) -> bool {
        self.has_block(plain, |text| text.iter().any(|b| b.is_ascii_alphanumeric() || !b.is_ascii()))
            || self.recordings.are_in(plain, false)
    }

    /// Whether a text in quotes begins with such a block. `quote`: the one around it, where escapes are those of JSON behind
    /// the double one.
    pub fn is_tagged_in_quotes(&self, text: &[u8], quote: u8) -> bool {
        if !self.tags.may_hold(text, true) {
            return false;
        }
        let decoded = if quote == b'"' { text::decoded(text) } else { text.to_vec() };
        self.opens(&decoded) && self.is_tagged(&decoded)
    }

    /// Whether a text begins with an opener.
    pub fn opens(&self, text: &[u8]) -> bool {
        let text = text.trim_ascii_start();
        self.tags.stands(text, 0).is_ok_and(|tag| tag.is_some_and(|tag| tag.opens && tag.at.start == 0))
    }

    /// Whether a text holds such a block, and its brackets were escaped once more.
    pub fn is_escaped(&self, plain: &[u8]) -> bool {
        unescaped(plain).is_some_and(|plain| self.is_tagged(&plain))
    }

    /// Whether a text of a message goes on with what a terminal shows of reasoning: at its start, it is read.
    pub fn is_recorded(&self, plain: &[u8]) -> bool {
        self.recordings.are_in(plain, true)
    }

    /// A quick check of the inside of a string before [`Self::is_recorded`]. `tagless`: `Tags::may_hold` is known to
    /// say no, so that no character of ASCII is escaped.
    pub fn may_be_recorded(&self, raw: &[u8], tagless: bool) -> bool {
        self.recordings.may_be_in(raw) || !tagless && text::escapes_ascii(raw)
    }

    /// Whether the inside of a string with escapes may be a recording, or have brackets that were escaped once more: a quick
    /// check of all that in one pass.
    pub fn may_be_shown(&self, raw: &[u8]) -> bool {
        self.shown.get_or_init(|| shown(&self.recordings)).is_match(raw)
    }

    /// Whether a line may have a text in quotes that is a recording: a quick check before [`Self::is_tagged`].
    pub fn may_be_turn(&self, line: &[u8]) -> bool {
        self.recordings.may_be_turn(line) || text::escapes_ascii(line)
    }

    /// Whether the inside of a string may be tagged, or a recording: a quick check before the exact one.
    pub fn may_be_tagged(&self, raw: &[u8], escaped: bool) -> bool {
        self.tags.may_hold(raw, escaped) || escaped && self.recordings.may_be_in(raw)
    }

    /// Whether the strings of a list are such a text in pieces. A list of tags is none.
    fn is_tagged_in_pieces(&self, joined: &[u8]) -> bool {
        self.has_block(joined, has_text) || self.recordings.are_in(joined, false)
    }

    fn has_block(&self, plain: &[u8], counts: impl Fn(&[u8]) -> bool) -> bool {
        if !self.tags.may_hold(plain, false) {
            return false;
        }
        match self.blocks_in(plain, &counts, (Options::default(), 0)) {
            (false, Some(mention)) => {
                // What may be a mention does not hide a block behind it.
                let options = Options { inline: Inline::Mention, ..Options::default() };
                self.blocks_in(plain, &counts, (options, mention)).0
            }
            (found, _) => found,
        }
    }

    /// Whether a text has a block that begins behind this place, and where the first tag ends that may be a mention.
    fn blocks_in(
        &self,
        plain: &[u8],
        counts: &impl Fn(&[u8]) -> bool,
        (options, from): (Options, usize),
    ) -> (bool, Option<usize>) {
        let (mut scanner, mut found, mut mention, mut at) = (TagScanner::new(&self.tags, options), false, None, 0);
        let first = |text: &[u8]| self.tags.stands(text, 0).ok().flatten().map_or(0, |tag| tag.at.end);
        // Where it is not certain whether a tag is used, it counts if it closes later, or ends its line.
        let doubtful = |text: &[u8]| {
            let first = first(text);
            let closes = self.tags.stands(text, first).is_ok_and(|tag| tag.is_some_and(|tag| !tag.opens));
            closes
                || text[first..].trim_ascii_start().len() < text.len() - first && text[first..].first() == Some(&b'\n')
        };
        let mut sink = |stretch: Scanned<'_>| {
            if stretch.part == StretchKind::Refused {
                mention = mention.or(Some(at + first(stretch.text)));
            }
            found |= match stretch.part {
                StretchKind::Reasoning => (from == 0 || at > from) && counts(stretch.text),
                StretchKind::Refused => counts(stretch.text) && doubtful(stretch.text),
                _ => false,
            };
            at += stretch.text.len();
        };
        scanner.feed(plain, &mut sink);
        scanner.finish(&mut sink);
        (found || scanner.notes().iter().any(Note::is_of_lost_tokens), mention)
    }

    /// Whether a text has an opening or closing tag of a block that goes on elsewhere.
    pub fn has_tag(&self, plain: &[u8]) -> bool {
        if !self.tags.may_hold(plain, false) {
            return false;
        }
        let (mut scanner, mut found) = (TagScanner::new(&self.tags, Options::default()), false);
        let mut sink = |stretch: Scanned<'_>| {
            found |= matches!(stretch.part, StretchKind::Open(_) | StretchKind::Stray);
        };
        scanner.feed(plain, &mut sink);
        scanner.finish(&mut sink);
        found
    }

    /// Ends a list. Returns whether its strings are one text in pieces that holds reasoning.
    pub(super) fn end_list(&mut self, list: &Level, depth: usize) -> bool {
        if !list.array || self.joined.len() == list.strings {
            return false;
        }
        let joined = self.joined.split_off(list.strings);
        self.is_tagged_in_pieces(&joined) || may_have_json(&joined) && self.has_json(&joined, depth + 1, true)
    }

    /// Adds a string to those of its list, if it is in one, and they may be text of the model.
    pub(super) fn join(&mut self, level: &mut Level, literal: Literal, raw: &[u8]) {
        if !level.array || self.levels.len() < 2 || is_others(level.facts.part) {
            return;
        }
        if self.joined.len() == level.strings {
            level.first = level.at;
        }
        match literal.escaped {
            true => text::decode(raw, &mut self.joined),
            false => self.joined.extend_from_slice(raw),
        }
    }
}
