//! Folds texts for comparison: white space, letter case, Markdown emphasis and typographic quotes make no difference.
//!
//! Both texts of a comparison are folded, so that what is dropped here is dropped on both sides: a run of white space
//! is one space; `*`, `_`, `~` and backticks go, and so do the marks of quotations, headings and list items at the
//! start of a line, white space beside Chinese and Japanese, and characters without width. Letters are
//! lower case, a letter and its accent are one character, `ß` is `ss`, quotes and dashes are those of ASCII.

use unicode_normalization::char::compose;

/// Stands for text that is not compared: no passage goes across it. Not a byte of UTF-8.
pub(super) const BARRIER: u8 = 0xFF;

/// A folded text.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// The folded text as UTF-8, with barriers.
    pub bytes: Vec<u8>,
    /// For each byte, the offset of the character in the text that it came from. Empty unless wanted.
    pub places: Vec<u32>,
}

/// What is done with a byte of ASCII.
const COPY: u8 = 0;
const UPPER: u8 = 1;
const BLANK: u8 = 2;
const MARK: u8 = 3;
const LEAD: u8 = 4;
const COPY_DIGIT: u8 = 5;

const CLASSES: [u8; 128] = {
    let mut classes = [COPY; 128];
    let mut i = 0;
    while i < 128 {
        classes[i] = match i as u8 {
            b'A'..=b'Z' => UPPER,
            b' ' | 0x09..=0x0D => BLANK,
            b'*' | b'_' | b'~' | b'`' => MARK,
            b'>' | b'#' | b'-' | b'+' => LEAD,
            b'0'..=b'9' => COPY_DIGIT,
            _ => COPY,
        };
        i += 1;
    }
    classes
};

/// Folds texts one after another into one buffer.
pub(super) struct Folder<'f> {
    to: &'f mut Folded,
    with_places: bool,
    /// Where the current text begins in the buffer.
    start: usize,
    /// The current line has only white space and marks so far.
    line_start: bool,
    /// The last character is of a script without spaces between words.
    dense: bool,
}

impl<'f> Folder<'f> {
    /// Appends to `to`. `with_places`: also notes where each byte came from.
    pub fn new(to: &'f mut Folded, with_places: bool) -> Self {
        let start = to.bytes.len();
        Self { to, with_places, start, line_start: true, dense: false }
    }

    /// Folds more of the text, which stands at `offset` in it.
    pub fn push(&mut self, text: &str, offset: usize) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&b) = bytes.get(at) {
            if !b.is_ascii() {
                // `at` is always at the start of a character.
                let Some(c) = text[at..].chars().next() else { break };
                self.wide(c, offset + at);
                at += c.len_utf8();
                continue;
            }
            if !self.line_start {
                let run = plain(&bytes[at..]);
                if run > 0 {
                    self.run(&bytes[at..at + run], offset + at);
                    at += run;
                    continue;
                }
            }
            match CLASSES[b as usize] {
                COPY => self.byte(b, offset + at),
                UPPER => self.byte(b | 0x20, offset + at),
                BLANK => self.blank(b == b'\n', offset + at),
                MARK => (),
                COPY_DIGIT if self.line_start && number(&bytes[at..]) > 0 => at += number(&bytes[at..]) - 1,
                COPY_DIGIT => self.byte(b, offset + at),
                _ if self.line_start && is_lead(b, bytes.get(at + 1)) => (),
                _ => self.byte(b, offset + at),
            }
            at += 1;
        }
    }

    /// Appends a barrier for text that is not compared.
    pub fn barrier(&mut self, offset: usize) {
        if self.to.bytes.len() > self.start && self.to.bytes.last() != Some(&BARRIER) {
            self.put(BARRIER, offset);
        }
        self.line_start = true;
    }

    /// Ends the text.
    pub fn end(self) {
        while self.to.bytes.len() > self.start && matches!(self.to.bytes.last(), Some(&(b' ' | BARRIER))) {
            self.to.bytes.pop();
            self.to.places.pop();
        }
    }

    /// Appends bytes that all stay.
    fn run(&mut self, bytes: &[u8], place: usize) {
        self.dense = false;
        self.to.bytes.extend(bytes.iter().map(u8::to_ascii_lowercase));
        if self.with_places {
            self.to.places.extend((place..place + bytes.len()).map(|at| at as u32));
        }
    }

    fn put(&mut self, b: u8, place: usize) {
        self.to.bytes.push(b);
        if self.with_places {
            self.to.places.push(place as u32);
        }
    }

    fn byte(&mut self, b: u8, place: usize) {
        (self.line_start, self.dense) = (false, false);
        self.put(b, place);
    }

    fn blank(&mut self, line_end: bool, place: usize) {
        self.line_start |= line_end;
        if !self.dense && self.to.bytes.len() > self.start && !matches!(self.to.bytes.last(), Some(&(b' ' | BARRIER))) {
            self.put(b' ', place);
        }
    }

    /// Composes a mark with the last character, which is removed from the buffer. Returns the composed character and
    /// its place; or the mark, if there is no such character.
    fn composed(&mut self, mark: char, place: usize) -> (char, usize) {
        let written = &self.to.bytes[self.start..];
        let len = written.iter().rev().take(4).position(|b| b & 0xC0 != 0x80).map_or(0, |n| n + 1);
        let last = std::str::from_utf8(&written[written.len() - len..]).ok().and_then(|last| last.chars().next());
        let Some(composed) = last.and_then(|last| compose(last, mark)) else { return (mark, place) };
        self.to.bytes.truncate(self.to.bytes.len() - len);
        if !self.with_places {
            return (composed, 0);
        }
        let from = self.to.places.len() - len;
        let place = self.to.places[from] as usize;
        self.to.places.truncate(from);
        (composed, place)
    }

    /// Folds a character beyond ASCII.
    fn wide(&mut self, c: char, place: usize) {
        match c {
            '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{202A}'..='\u{202E}' => return,
            '‘' | '’' | '‚' | '‛' | '′' | '‹' | '›' | 'ʼ' | '´' | '＇' => {
                return self.byte(b'\'', place);
            }
            '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '「' | '」' | '『' | '』' | '＂' => {
                return self.byte(b'"', place);
            }
            '•' | '–' if self.line_start => return,
            '‐'..='―' | '−' => return self.byte(b'-', place),
            'ß' | 'ẞ' => {
                self.byte(b's', place);
                return self.byte(b's', place);
            }
            c if c.is_whitespace() => return self.blank(matches!(c, '\u{2028}' | '\u{2029}' | '\u{85}'), place),
            _ => (),
        }
        let (c, place) = if is_mark(c) { self.composed(c, place) } else { (c, place) };
        self.line_start = false;
        self.dense = is_dense(c);
        if self.dense && self.to.bytes.len() > self.start && self.to.bytes.last() == Some(&b' ') {
            self.to.bytes.pop();
            self.to.places.pop();
        }
        let mut buffer = [0; 4];
        let lower = c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c });
        for c in lower {
            c.encode_utf8(&mut buffer).bytes().for_each(|b| self.put(b, place));
        }
    }
}

/// Whether a character may be one with the character before it: accents, the second half of a Hangul syllable, the voicing
/// marks of kana (UAX #15).
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{653}'..='\u{655}' | '\u{1161}'..='\u{11C2}' | '\u{3099}' | '\u{309A}')
}

/// Whether a mark at the start of a line is one of Markdown: white space, or another such mark, follows.
fn is_lead(b: u8, next: Option<&u8>) -> bool {
    next.is_none_or(|next| next.is_ascii_whitespace() || b == b'>' || b == b'#' && *next == b'#')
}

/// How many bytes are examined at once: the compiler vectorizes a loop of this length.
const CHUNK: usize = 32;

/// How many bytes in the middle of a line are words with single spaces between them, all of which stay.
fn plain(bytes: &[u8]) -> usize {
    let is_word = |b: u8| b.is_ascii() && !matches!(CLASSES[b as usize], BLANK | MARK);
    if !bytes.first().is_some_and(|b| is_word(*b)) {
        return 0;
    }
    let mut end = 1;
    while let Some((before, chunk)) = bytes[end - 1..].first_chunk().zip(bytes[end..].first_chunk()) {
        let len = plain_start(before, chunk);
        end += len;
        if len < CHUNK {
            return end;
        }
    }
    while let Some(&b) = bytes.get(end) {
        if !is_word(b) && (b != b' ' || bytes[end - 1] == b' ') {
            break;
        }
        end += 1;
    }
    end
}

/// How many of these bytes stay before the first that may not. `before` begins one byte earlier, which shows which
/// spaces follow another.
fn plain_start(before: &[u8; CHUNK], chunk: &[u8; CHUNK]) -> usize {
    let mut special = [0u8; CHUNK];
    for ((special, last), b) in special.iter_mut().zip(before).zip(chunk) {
        let outside = u8::from(*b < b' ') | u8::from(*b > 0x7F) | u8::from((*b == b' ') & (*last == b' '));
        let mark = u8::from(*b == b'*') | u8::from(*b == b'_') | u8::from(*b == b'~') | u8::from(*b == b'`');
        *special = outside | mark;
    }
    for (i, eight) in special.chunks_exact(8).enumerate() {
        let bits = u64::from_le_bytes([eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7]]);
        if bits != 0 {
            return 8 * i + bits.trailing_zeros() as usize / 8;
        }
    }
    CHUNK
}

/// The length of the number of a list item that a line begins with; 0 if there is none.
fn number(line: &[u8]) -> usize {
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    let ends =
        matches!(line.get(digits), Some(b'.' | b')')) && line.get(digits + 1).is_some_and(u8::is_ascii_whitespace);
    if digits <= 3 && ends { digits + 1 } else { 0 }
}

/// Whether a character is of a script without spaces between words, where white space has no meaning: Chinese,
/// Japanese, their punctuation.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// A text, folded.
pub(super) fn folded(text: &str) -> Vec<u8> {
    let mut folded = Folded::default();
    let mut folder = Folder::new(&mut folded, false);
    folder.push(text, 0);
    folder.end();
    folded.bytes
}

/// How many characters a folded text has, without barriers.
pub(super) fn chars(folded: &[u8]) -> usize {
    folded.iter().filter(|b| **b < 0x80 || (0xC0..BARRIER).contains(*b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_makes_no_difference() {
        for (a, b) in [
            ("Some  words\n\there", "some words here"),
            ("**Some** _words_ ~~here~~", "SOME WORDS HERE"),
            ("“Some” ‘words’ „here“ « x »", "\"some\" 'words' \"here\" \" x \""),
            ("> some words\n> here", "some words here"),
            ("- some\n* words\n+ here\n• x", "some\nwords\nhere\nx"),
            ("## Some words\n\nhere", "some words here"),
            ("1. some\n2) words\n– here", "some words here"),
            ("但是销售要求\n我们 口头上", "但是销售要求我们口头上"),
            ("「some」 ‹words›", "\"some\" 'words'"),
            ("STRASSE", "straße"),
            ("ΟΔΟΣ", "οδος"),
            ("so\u{200B}me wo\u{AD}rds", "some words"),
            ("some\u{a0}words — here", "some words - here"),
            ("  some words\n", "some words"),
            ("`some` words", "some words"),
            ("Lu\u{308}cke e\u{302}\u{301}", "Lücke ế"),
            ("\u{1112}\u{1161}\u{11AB} か\u{3099}", "한 が"),
            ("", " \n"),
        ] {
            let shown = |text| String::from_utf8(folded(text)).unwrap();
            assert_eq!(shown(a), shown(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn what_makes_one() {
        for (a, b) in [("a-b", "ab"), ("a > b", "a b"), ("x+y", "xy"), ("#1", "1"), ("-5", "5"), ("a b", "ab")] {
            assert_ne!(folded(a), folded(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn characters() {
        assert_eq!(chars(&folded("äöü ß 😀 **x**")), "äöü ss 😀 x".chars().count());
        assert_eq!(chars(&[b'a', BARRIER, b'b']), 2);
    }

    proptest! {
        #[test]
        fn places_lead_back(text in "[a-zA-Zäß “*_>\n-]{0,40}") {
            let mut all = Folded::default();
            let mut folder = Folder::new(&mut all, true);
            folder.push(&text, 0);
            folder.end();
            prop_assert_eq!(all.bytes.len(), all.places.len());
            prop_assert!(all.places.is_sorted());
            prop_assert!(all.places.iter().all(|at| text.is_char_boundary(*at as usize)));
            // What is folded twice does not change, but for marks that come to stand at the start.
            let once = folded(&text);
            prop_assert!(folded(std::str::from_utf8(&once).unwrap()).len() <= once.len());
        }
    }
}
