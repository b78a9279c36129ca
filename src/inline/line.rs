//! What stands on the line before a delimiter: quotation marks that are open, the cells of a table, the mark of a list
//! item, and how the line above ends. Deciding whether a delimiter is used or only spoken of needs all of it
//! (`super::stand`).

mod code;
mod quotes;
mod ticks;

use self::code::CodeElement;
use self::ticks::Ticks;
use super::literal::Literals;
use memchr::memrchr;

/// An open quotation mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quote {
    /// The character that closes it.
    pub close: char,
    /// It begins where data and sources have values (`"key": "…"`, `f("…")`), and not in a sentence.
    pub value: bool,
    /// Nothing but white space and other delimiters stands behind its opening mark.
    pub begins: bool,
    /// A backslash stands before its marks: it is a quotation within a string.
    pub escaped: bool,
}

/// Follows visible text, line by line. ADVICE: text of the line waits in `pending`, since most lines have no delimiter,
/// and what is only skipped costs nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct LineTracker {
    /// Text that was not looked at, of this line and the next ones.
    unseen: Vec<u8>,
    /// Text of the line that waits.
    pending: Vec<u8>,
    quotes: Vec<Quote>,
    /// A straight single quote came last, and whether it may open a quotation.
    single: Option<bool>,
    /// The last characters, the latest first.
    last: [Option<char>; 3],
    /// The last characters that are no white space.
    ink: LineInk,
    /// The last word, and the one before the last full stop.
    words: [Vec<char>; 2],
    /// The last parenthesis begins the arguments of a call in a source.
    called: bool,
    /// How many bars that part cells.
    bars: usize,
    /// The element of code that is open.
    code: CodeElement,
    /// The runs of backticks.
    ticks: Ticks,
    /// The columns of white space that the line begins with.
    indent: usize,
    /// What the line begins with.
    head: LineHead,
    above: Above,
    /// The strings of a source that go on over lines.
    literals: Literals,
}

/// The last characters that are no white space, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LineInk {
    last: [Option<char>; 2],
    /// The last ones that are no marks of emphasis.
    plain: [Option<char>; 2],
    /// The last one that is no full stop and no part of an ellipsis.
    before_stops: Option<char>,
}

impl LineInk {
    fn follow(&mut self, c: char) {
        self.last = [Some(c), self.last[0]];
        if !matches!(c, '*' | '_') {
            self.plain = [Some(c), self.plain[0]];
        }
        if !matches!(c, '.' | '…') {
            self.before_stops = Some(c);
        }
    }
}

/// What a line begins with, behind white space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LineHead {
    /// Nothing so far.
    #[default]
    Empty,
    /// The mark of a list item may be complete: digits.
    Number,
    /// The mark of a list item, which a blank must follow.
    Mark,
    /// The mark and a blank.
    Item,
    /// The text of an item, or any other text.
    Text,
}

/// The line above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Above {
    /// There is none.
    #[default]
    None,
    Blank,
    /// `element`: its last character is a bracket, too.
    Indented {
        element: bool,
    },
    /// Its last character is a bracket, as that of an element is.
    Element,
    /// A text whose last character is no end of a sentence.
    GoesOn,
    Over,
}

/// How much text in small pieces waits to be looked at.
const UNSEEN: usize = 1 << 12;

/// The most text of a line that waits.
const PENDING: usize = 1 << 16;

/// The deepest quotation.
const MAX_QUOTE_DEPTH: usize = 8;

impl LineTracker {
    /// Follows more visible text: what comes in small pieces is looked at together.
    pub fn pass(&mut self, text: &[u8]) {
        if self.unseen.len() + text.len() < UNSEEN {
            return self.unseen.extend_from_slice(text);
        }
        self.see();
        self.look_at(text);
    }

    /// Looks at what came in small pieces.
    fn see(&mut self) {
        let mut unseen = std::mem::take(&mut self.unseen);
        self.look_at(&unseen);
        unseen.clear();
        self.unseen = unseen;
    }

    fn look_at(&mut self, text: &[u8]) {
        self.literals.pass(text);
        match memrchr(b'\n', text) {
            None => self.pending.extend_from_slice(text),
            Some(end) => {
                match memrchr(b'\n', &text[..end]) {
                    // Only the line above matters, and what came before it only for whether that is part of a block.
                    Some(before) => {
                        self.line_over(&[]);
                        self.line_over(&text[before + 1..end]);
                    }
                    None => self.line_over(&text[..end]),
                }
                self.pending.extend_from_slice(&text[end + 1..]);
            }
        }
        if self.pending.len() > PENDING {
            self.follow_pending();
        }
    }

    /// Ends the line with this text.
    fn line_over(&mut self, rest: &[u8]) {
        let whole = |bytes: &[u8]| bytes.iter().rposition(|b| !b.is_ascii_whitespace());
        let known = self.ink.last[0].is_some();
        let lead = |bytes: &[u8]| {
            bytes
                .iter()
                .take_while(|b| matches!(b, b' ' | b'\t'))
                .map(|b| if *b == b'\t' { 4 } else { 1 })
                .sum::<usize>()
        };
        let indent = match (known, whole(&self.pending)) {
            (true, _) => self.indent,
            (false, None) => self.indent + lead(&self.pending) + lead(rest),
            (false, Some(_)) => self.indent + lead(&self.pending),
        };
        let last = match (whole(rest), whole(&self.pending)) {
            (Some(at), _) => last_char(&rest[..=at]),
            (None, Some(at)) => last_char(&self.pending[..=at]),
            (None, None) => self.ink.last[0],
        };
        let above = match last {
            None => Above::Blank,
            Some(c) if indent >= 4 => Above::Indented { element: c == '>' },
            Some('>') => Above::Element,
            Some(c) if ends_sentence(c) || matches!(c, ':' | '：' | '"' | '”' | '»' | '*' | ')' | '`') => {
                Above::Over
            }
            Some(_) => Above::GoesOn,
        };
        let (pending, literals) = (std::mem::take(&mut self.pending), std::mem::take(&mut self.literals));
        *self = Self { above, pending, literals, ..Self::default() };
        self.pending.clear();
    }

    /// Looks at the text that waits. A character that is cut waits on.
    pub fn catch_up(&mut self) {
        if !self.unseen.is_empty() {
            self.see();
        }
        self.follow_pending();
    }

    fn follow_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let valid = match std::str::from_utf8(&pending) {
            Ok(text) => text,
            Err(e) => std::str::from_utf8(&pending[..e.valid_up_to()]).unwrap_or_default(),
        };
        valid.chars().for_each(|c| self.follow(c));
        let rest = &pending[valid.len()..];
        // Bytes that are no characters are text of some kind.
        match rest.len() {
            0..4 => self.pending = rest.to_vec(),
            _ => {
                String::from_utf8_lossy(rest).chars().for_each(|c| self.follow(c));
            }
        }
    }

    fn follow(&mut self, c: char) {
        if self.single.is_some() {
            self.single_quote(c);
        }
        self.code.follow(c);
        self.ticks.follow(c);
        if c.is_whitespace() {
            if self.head == LineHead::Empty {
                self.indent += if c == '\t' { 4 } else { 1 };
            }
            self.head = if matches!(self.head, LineHead::Mark) { LineHead::Item } else { self.head };
            self.head = if matches!(self.head, LineHead::Number) { LineHead::Text } else { self.head };
        } else {
            self.begin(c);
            self.quote(c);
            if c == '(' {
                self.called = self.is_called();
            }
            self.bars += usize::from(c == '|' && self.last[0].is_none_or(char::is_whitespace));
            match c {
                '.' => self.words[1] = std::mem::take(&mut self.words[0]),
                c if c.is_alphanumeric() && self.words[0].len() < 8 => self.words[0].push(c),
                c if c.is_alphanumeric() => (),
                _ => self.words[0].clear(),
            }
            self.ink.follow(c);
            if let Some(quote) = self.quotes.last_mut()
                && c.is_alphanumeric()
            {
                quote.begins = false;
            }
        }
        if c.is_whitespace() {
            self.words[0].clear();
        }
        self.last = [Some(c), self.last[0], self.last[1]];
    }

    fn begin(&mut self, c: char) {
        self.head = match (self.head, c) {
            (LineHead::Empty, '-' | '*' | '+' | '•' | '·' | '–') => LineHead::Mark,
            (LineHead::Empty | LineHead::Number, c) if c.is_ascii_digit() => LineHead::Number,
            (LineHead::Number, '.' | ')') => LineHead::Mark,
            _ => LineHead::Text,
        };
    }

    /// The quotations that are open before a delimiter, the innermost last.
    pub fn quotes(&mut self, delimiter: char) -> &[Quote] {
        self.catch_up();
        if self.single.is_some() {
            self.single_quote(delimiter);
        }
        &self.quotes
    }

    /// The last characters before the delimiter, the latest first.
    pub fn last(&self) -> [Option<char>; 3] {
        self.last
    }

    /// Whether the last ink on the line ends a sentence, and is no abbreviation.
    pub fn sentence_over(&self) -> bool {
        let [Some(last), before] = self.ink.last else { return false };
        let closes = matches!(last, '"' | '\'' | '”' | '’' | '»' | '“' | ')' | ']' | '*' | '_' | '」' | '』' | '）');
        let stop = if closes { before } else { Some(last) };
        stop.is_some_and(ends_sentence) && !(last == '.' && self.is_abbreviated())
    }

    fn is_abbreviated(&self) -> bool {
        let word: String = self.words[1].iter().flat_map(|c| c.to_lowercase()).collect();
        self.words[1].len() == 1 && self.words[1][0].is_alphabetic() || ABBREVIATIONS.contains(&word.as_str())
    }

    /// Whether the line is a row of a table so far: a bar begins it, or parts cells.
    pub fn bars(&self) -> usize {
        self.bars
    }

    /// How many backticks close the code span that is open.
    pub fn ticks(&self) -> Option<usize> {
        self.ticks.open()
    }

    /// The tag that ends the element of code that is open.
    pub fn code_end(&self) -> Option<&'static str> {
        self.code.end()
    }

    /// Whether an element of code has begun right here.
    pub fn begins_code(&self) -> bool {
        self.last[0] == Some('>') && self.code.is_empty()
    }

    /// Whether the line ends with an ellipsis that stands for what a token begins: `<a>...`.
    pub fn leaves_out(&self) -> bool {
        let stops = matches!(self.last, [Some('.'), Some('.'), Some('.')] | [Some('…'), ..]);
        stops && self.ink.before_stops == Some('>')
    }

    /// Whether the line is only the mark of a list item so far.
    pub fn is_item(&self) -> bool {
        self.head == LineHead::Item
    }

    /// Whether the line is in an indented block.
    pub fn is_indented(&self) -> bool {
        self.indent >= 4 && matches!(self.above, Above::Blank | Above::Indented { .. })
    }

    /// Whether the line is in a string of a source that began on a line above.
    pub fn is_in_literal(&self) -> bool {
        self.literals.is_open()
    }

    /// Whether the line above is text that goes on here.
    pub fn goes_on(&self) -> bool {
        self.above == Above::GoesOn
    }

    /// Whether an element may stand right before the delimiter, on its line or the one above.
    pub fn is_behind_markup(&self) -> bool {
        let above = matches!(self.above, Above::Element | Above::Indented { element: true });
        self.ink.last[0].map_or(above, |last| last == '>')
    }

    /// Whether the line says who speaks, or when, and nothing else: it ends with a colon, a bracket or a token of a turn.
    pub fn is_label(&self) -> bool {
        let token = |before| matches!(before, Some('|' | '｜'));
        matches!(self.ink.plain, [Some(':' | '：' | ']'), _])
            || self.ink.plain[0] == Some('>') && token(self.ink.plain[1])
    }

    /// Whether the last ink on the line, but for marks of emphasis, is that of a sentence that goes on.
    pub fn is_in_sentence(&self) -> bool {
        self.ink.plain[0].is_some_and(|c| c.is_alphanumeric() || c == ',')
    }

    /// Whether something stands on the line before the delimiter.
    pub fn has_ink(&self) -> bool {
        self.ink.last[0].is_some()
    }
}

/// Words that a full stop abbreviates, beside single letters.
const ABBREVIATIONS: [&str; 24] = [
    "eg", "ie", "etc", "vs", "cf", "bzw", "usw", "ca", "nr", "no", "ex", "ej", "np", "bspw", "vgl", "fig", "approx",
    "incl", "resp", "esp", "см", "напр", "др", "tj",
];

/// Whether a character ends a sentence.
pub(super) fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '؟' | '۔' | '।' | '॥' | '‼' | '⁇' | '．' | '｡')
}

fn last_char(bytes: &[u8]) -> Option<char> {
    let from = bytes.len().saturating_sub(4);
    let start = (from..bytes.len()).find(|i| bytes[*i] & 0xC0 != 0x80)?;
    String::from_utf8_lossy(&bytes[start..]).chars().next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> LineTracker {
        let mut whole = LineTracker::default();
        whole.pass(text.as_bytes());
        let mut bytewise = LineTracker::default();
        text.bytes().for_each(|b| bytewise.pass(&[b]));
        whole.catch_up();
        bytewise.catch_up();
        assert_eq!(
            format!("{:?}", (&whole.quotes, &whole.last, &whole.ink, whole.head, whole.above, whole.indent)),
            format!(
                "{:?}",
                (&bytewise.quotes, &bytewise.last, &bytewise.ink, bytewise.head, bytewise.above, bytewise.indent)
            ),
            "{text:?}"
        );
        whole
    }

    #[test]
    fn quotations() {
        for (text, want) in [
            ("a \"b", 1),
            ("a \"b\" c", 0),
            ("don't", 0),
            ("say 'a", 1),
            ("say 'a' b", 0),
            ("b'", 1),
            ("It's 'so", 1),
            ("„Der Tag ", 1),
            ("„Der Tag“ ", 0),
            ("„Znacznik” ", 0),
            ("\"a \\\"b\\\" c", 1),
            ("\"a \\\"b", 2),
            ("« a ", 1),
            ("「a", 1),
            ("\"a\nb", 0),
        ] {
            assert_eq!(line(text).quotes('<').len(), want, "{text:?}");
        }
        assert!(line("x = \"").quotes('<')[0].value);
        assert!(line("Message('").quotes('<')[0].value && line("VALUES ('").quotes('<')[0].value);
        assert!(!line("f('").quotes('<')[0].value && !line("assert_eq!(\"").quotes('<')[0].value);
        let escaped = line("{\\\"text\\\": \\\"").quotes('<')[0];
        assert!(escaped.value && escaped.escaped);
        assert!(!line("\"He wrote \\\"").quotes('<')[1].value);
        assert!(!line("the word \"").quotes('<')[0].value);
    }

    #[test]
    fn sentences_and_lines() {
        for (text, want) in [
            ("Done. ", true),
            ("e.g. ", false),
            ("z.B. ", false),
            ("Done.\" ", true),
            ("etc. ", false),
            ("so ", false),
            ("好。", true),
        ] {
            assert_eq!(line(text).sentence_over(), want, "{text:?}");
        }
        assert!(line("a\n\n    ").is_indented());
        assert!(!line("a\n    ").is_indented());
        assert!(line("- ").is_item() && line("1. ").is_item() && !line("-").is_item() && !line("- a").is_item());
        assert!(line("so\n").goes_on() && !line("so.\n").goes_on() && !line("so\n\n").goes_on());
    }
}
