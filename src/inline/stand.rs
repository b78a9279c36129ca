//! Whether a delimiter is used, only spoken of, or neither for certain (behaviour.md, section 4, rule 6), by what
//! stands around it. A pair is one or the other: how its closing delimiter stands decides together with how its opening
//! one does.

mod element;
mod emphasis;
mod list;
mod within;

use super::around::{bar, closing, has_word, is_punctuation, is_wide};
use super::headers::next_boundary;
use super::line::{LineTracker, Quote, ends_sentence};
use memchr::memchr;

/// How a delimiter stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stand {
    /// It is only spoken of: in quotation marks, escaped, in a cell of a table, explained by an item of a list.
    Mention,
    /// A pattern begins with it, and its closing delimiter is spelled as patterns do.
    Pattern,
    /// It stands in the middle of a sentence.
    Undecided,
    /// Something says that it is used, and something that it is not.
    Contested,
    /// As a delimiter that is used.
    Opens(Opens),
    Closes(Closes),
}

/// How an opening delimiter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    /// Where a block begins, with its text right behind it.
    Tight,
    /// Where a block begins, and its text goes on like a sentence: the closing delimiter decides.
    Loose,
    /// Behind a label, with nothing behind it on its line: it must be closed where only a block ends.
    Labelled,
    /// Within a sentence, joined to the text on both sides: the closing delimiter decides.
    Hugs,
    /// Within a sentence, joined to the text behind it only: the closing delimiter decides.
    HugsApart,
}

/// How a closing delimiter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closes {
    /// Where only a block ends.
    Strong,
    /// At the end of a line, behind white space.
    Weak,
    /// Joined to a bracket before it, or to a word of a script without spaces between words, and not to what follows. It
    /// ends a block whose opening delimiter stands the other way round.
    Hugs,
    /// Between two blanks, before the beginning of a sentence or another tag.
    Apart,
}

impl Stand {
    /// Whether a closing delimiter stands like one that is used, whatever its opening one is like.
    pub fn is_closing(self) -> bool {
        matches!(self, Stand::Closes(closes) if closes != Closes::Apart)
    }
}

/// What stands right before a delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Start,
    Sentence {
        apart: bool,
    },
    Word,
    /// A letter of a script that has no spaces between words.
    Wide,
    Blank,
    /// A quotation mark: an opening one, whatever the marks before it say.
    Quote,
    Other,
}

/// What stands right behind a delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    End,
    Word,
    Wide,
    /// White space, then this.
    Blank(AfterSpace),
    /// The punctuation of a sentence.
    Punctuation,
    /// A line end in the notation of a source.
    Escape,
}

/// What follows white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterSpace {
    Capital,
    Other,
}

/// A place in a text.
pub(super) struct Around<'a> {
    /// The line up to the delimiter.
    pub line: &'a mut LineTracker,
    pub text: &'a [u8],
    /// The range of the delimiter.
    pub at: (usize, usize),
    /// Only white space stands between the delimiter and the start of the message or the line, or the end of a block.
    pub margin: bool,
    /// No text follows.
    pub eof: bool,
    /// The text has messages with headers: none reaches into the next one.
    pub messages: bool,
}

/// How far behind a delimiter a quotation mark, a cell or the end of a line is looked for, in bytes.
const AHEAD: usize = 1024;

/// The most white space that is looked through.
const BLANKS: usize = 64;

impl Around<'_> {
    /// How an opening delimiter stands; `None` if the text behind it must come first.
    pub fn opens(mut self) -> Option<Stand> {
        if let Some(stand) = self.enclosed()? {
            return Some(stand);
        }
        let (left, right) = (self.left(), self.right()?);
        let explains = self.line.is_item() && self.explains(right)?;
        let listed = right == Right::End && self.line.is_item();
        let list = listed && self.goes_on_in_list()?;
        let element = || self.line.is_behind_markup() && self.is_common();
        Some(match (left, right) {
            _ if explains || list || self.is_argument(left) => Stand::Mention,
            _ if self.is_pattern()? => Stand::Pattern,
            _ if listed => Stand::Opens(Opens::Loose),
            _ if element() || self.is_component() => Stand::Contested,
            (Left::Start, Right::End | Right::Word | Right::Wide | Right::Escape) => Stand::Opens(Opens::Tight),
            (Left::Start, _) => Stand::Opens(Opens::Loose),
            (_, Right::Escape) => Stand::Contested,
            (Left::Sentence { .. }, Right::End | Right::Word) => Stand::Opens(Opens::Tight),
            (Left::Sentence { .. }, _) => Stand::Opens(Opens::Loose),
            (Left::Word, Right::Word) => Stand::Opens(Opens::Tight),
            (Left::Quote, Right::Word | Right::Wide) => Stand::Contested,
            (Left::Blank, Right::Word | Right::Wide) => Stand::Opens(Opens::HugsApart),
            (_, Right::Word | Right::Wide) | (Left::Word, _) => Stand::Opens(Opens::Hugs),
            (Left::Wide, Right::End) => Stand::Opens(Opens::Hugs),
            (_, Right::End) if !self.line.has_ink() => Stand::Opens(Opens::Tight),
            (Left::Blank | Left::Other, Right::End) if self.line.is_label() => Stand::Opens(Opens::Labelled),
            _ => Stand::Undecided,
        })
    }

    /// How a closing delimiter stands; `None` if the text behind it must come first.
    pub fn closes(mut self) -> Option<Stand> {
        if let Some(stand) = self.enclosed()? {
            return Some(stand);
        }
        let (left, right) = (self.left_of_closing(), self.right()?);
        let listed = right == Right::End && self.line.is_item();
        let explains = self.line.is_item() && self.explains(right)?;
        Some(match closing_stand(left, right, self.line.goes_on()) {
            _ if explains || listed => Stand::Mention,
            // Without an opening delimiter nothing says that it ends something.
            Stand::Closes(Closes::Hugs | Closes::Apart) => Stand::Undecided,
            stand => stand,
        })
    }

    /// How a closing delimiter stands in reasoning. It is only mentioned there if quotation marks, ticks or tags of code stand
    /// on both of its sides. `None` if the text behind it must come first.
    pub fn ends(mut self) -> Option<Stand> {
        if self.is_alone_in_quotes()? {
            return Some(Stand::Mention);
        }
        if self.parts_quotations()? {
            return Some(Stand::Closes(Closes::Strong));
        }
        let (left, right) = (self.left_of_closing(), self.right()?);
        Some(closing_stand(left, right, self.line.goes_on()))
    }

    /// Whether quotation marks, ticks or tags of code stand around it, and around nothing else. `None` if the text behind it must
    /// come first.
    pub fn is_alone_in_quotes(&mut self) -> Option<bool> {
        self.line.catch_up();
        Some(self.is_between_quotes()? || self.is_all_of_code()?)
    }

    /// Whether a token that frames an answer stands alone; one in a sentence is text.
    pub fn frames(mut self) -> Option<bool> {
        if self.enclosed()?.is_some() {
            return Some(false);
        }
        let (left, right) = (self.left(), self.right()?);
        let within = matches!(left, Left::Blank | Left::Other) && matches!(right, Right::Blank(_) | Right::Punctuation);
        // It begins a sentence that speaks of it.
        let begins = left == Left::Sentence { apart: true } && right == Right::Blank(AfterSpace::Other);
        Some(!within && !begins && !self.line.leaves_out())
    }

    /// The stretch behind the delimiter that is looked at.
    fn ahead(&self) -> &[u8] {
        let rest = &self.text[self.at.1..];
        &rest[..rest.len().min(AHEAD)]
    }

    /// The rest of the line in this message, and whether it is whole.
    fn rest_of_line(&self) -> (&[u8], bool) {
        let ahead = self.ahead();
        let (line, whole) = match memchr(b'\n', ahead) {
            Some(end) => (&ahead[..end], true),
            None => (ahead, self.eof || ahead.len() == AHEAD),
        };
        match self.messages.then(|| next_boundary(line)).flatten() {
            Some(end) => (&line[..end], true),
            None => (line, whole),
        }
    }

    /// How a delimiter stands that is escaped, in a quotation, or in a cell.
    fn enclosed(&mut self) -> Option<Option<Stand>> {
        let first = self.text[self.at.0..].first().map_or('<', |b| *b as char);
        let quote = self.line.quotes(first).last().copied();
        let [last, before, _] = self.line.last();
        if last == Some('\\') && before != Some('\\') {
            return Some(Some(Stand::Mention));
        }
        if self.is_between_quotes()? || self.is_in_code()? || self.is_emphasised()? {
            return Some(Some(Stand::Mention));
        }
        let (rest, whole) = self.rest_of_line();
        if let Some(quote) = quote {
            match closing(rest, quote, whole) {
                Some(end) => return Some(Some(self.quoted(quote, end))),
                None if !whole => return None,
                None => (),
            }
        }
        let bars = self.line.bars();
        if bars > 0 {
            let behind = bar(rest, whole);
            if bars == 1 && behind.is_none() && !whole {
                return None;
            }
            if bars > 1 || behind.is_some() {
                if behind.is_none() && !whole {
                    return None;
                }
                let cell = &rest[..behind.unwrap_or(rest.len())];
                let joined = has_word(cell, 1) || matches!(last, Some(c) if c.is_alphanumeric());
                return Some(Some(if joined { Stand::Contested } else { Stand::Mention }));
            }
        }
        Some(None)
    }

    /// How a delimiter in a quotation stands that ends `end` bytes behind it.
    fn quoted(&self, quote: Quote, end: usize) -> Stand {
        // A value of data, as in a part of a JSON document, may be all that a model wrote.
        let inner = &self.ahead()[..end];
        let last = self.line.last()[0];
        let joined = matches!(last, Some(c) if c.is_alphanumeric() && !self.is_escape()) || has_word(inner, 1);
        // So is a value in which it stands at the start of a line.
        let lined = !quote.begins && self.is_escape();
        let begins = (quote.begins || lined) && has_word(inner, 2);
        match quote.value && (joined || begins) {
            true => Stand::Contested,
            false => Stand::Mention,
        }
    }

    /// Whether the delimiter stands behind `\n` in the notation of a source.
    fn is_escape(&self) -> bool {
        matches!(self.line.last(), [Some('n' | 't' | 'r'), Some('\\'), _])
    }

    fn left(&self) -> Left {
        if self.margin || self.line.is_item() {
            return Left::Start;
        }
        let Some(last) = self.line.last()[0] else { return Left::Start };
        match last {
            c if c.is_whitespace() && self.line.sentence_over() => Left::Sentence { apart: true },
            c if c.is_whitespace() => Left::Blank,
            _ if self.is_escape() => Left::Blank,
            c if ends_sentence(c) || self.line.sentence_over() => Left::Sentence { apart: false },
            c if is_wide(c) => Left::Wide,
            c if c.is_alphanumeric() => Left::Word,
            '"' | '\'' => Left::Quote,
            _ => Left::Other,
        }
    }

    /// What stands before a closing delimiter: marks of emphasis that end there belong to the text before them.
    fn left_of_closing(&self) -> Left {
        let mark = |c: Option<char>| matches!(c, Some('*' | '_'));
        let text = match self.line.last() {
            [last, before, text] if mark(last) && mark(before) => text,
            [last, text, _] if mark(last) => text,
            _ => None,
        };
        match text {
            _ if self.margin => self.left(),
            Some(c) if ends_sentence(c) => Left::Sentence { apart: false },
            Some(c) if is_wide(c) => Left::Wide,
            Some(c) if c.is_alphanumeric() => Left::Word,
            _ => self.left(),
        }
    }

    fn right(&self) -> Option<Right> {
        self.right_of(0)
    }

    /// What stands behind so many bytes behind the delimiter.
    fn right_of(&self, skip: usize) -> Option<Right> {
        let ahead = self.ahead().get(skip..).unwrap_or_default();
        let blanks = ahead.iter().take(BLANKS).take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
        let rest = &ahead[blanks..];
        let Some(first) = rest.first() else { return self.eof.then_some(Right::End) };
        if *first == b'\n' {
            return Some(Right::End);
        }
        let c = self.char_at(rest)?;
        if blanks > 0 || c.is_whitespace() {
            let next = if c.is_lowercase() || is_punctuation(c) { AfterSpace::Other } else { AfterSpace::Capital };
            return Some(Right::Blank(next));
        }
        let behind = &rest[c.len_utf8().min(rest.len())..];
        let then = if behind.is_empty() && !self.eof { None } else { Some(self.char_at(behind).unwrap_or(' ')) };
        Some(match c {
            '\\' if matches!(then?, 'n' | 'r' | 't') => Right::Escape,
            '-' | '\'' | '’' | '.' | '*' | '_' => match then? {
                then if then.is_alphanumeric() && c != '*' && c != '_' => Right::Punctuation,
                _ if matches!(c, '-' | '\'' | '’') => Right::Word,
                _ if c == '.' => Right::Punctuation,
                _ if self.line.last()[0] == Some(c) => Right::Punctuation,
                _ => Right::Word,
            },
            c if is_punctuation(c) => Right::Punctuation,
            c if is_wide(c) => Right::Wide,
            _ => Right::Word,
        })
    }

    /// The first character; a space if it is cut off by the end.
    fn char_at(&self, rest: &[u8]) -> Option<char> {
        let near = &rest[..rest.len().min(4)];
        let valid = match std::str::from_utf8(near) {
            Ok(text) => text,
            Err(e) if e.valid_up_to() == 0 && e.error_len().is_none() && !self.eof && rest.len() < 4 => return None,
            Err(e) => std::str::from_utf8(&near[..e.valid_up_to()]).unwrap_or_default(),
        };
        Some(valid.chars().next().unwrap_or(if near.is_empty() { ' ' } else { '\u{FFFD}' }))
    }
}

/// How a closing delimiter stands between these. `goes_on`: the line above is text that goes on here.
fn closing_stand(left: Left, right: Right, goes_on: bool) -> Stand {
    match (left, right) {
        (Left::Start, Right::End | Right::Word | Right::Wide | Right::Escape) => Stand::Closes(Closes::Strong),
        (Left::Start, Right::Blank(AfterSpace::Capital)) if !goes_on => Stand::Closes(Closes::Strong),
        (Left::Start, Right::Blank(_)) => Stand::Closes(Closes::Weak),
        (Left::Start, Right::Punctuation) => Stand::Contested,
        (Left::Sentence { .. }, Right::End | Right::Word | Right::Wide | Right::Escape) => {
            Stand::Closes(Closes::Strong)
        }
        (Left::Sentence { .. }, Right::Blank(AfterSpace::Capital)) => Stand::Closes(Closes::Strong),
        (Left::Sentence { apart: false }, Right::Blank(_)) => Stand::Closes(Closes::Strong),
        (Left::Sentence { .. }, _) => Stand::Closes(Closes::Weak),
        (Left::Word, Right::End | Right::Word | Right::Escape | Right::Blank(_)) => Stand::Closes(Closes::Strong),
        (Left::Word, _) => Stand::Contested,
        (Left::Wide, Right::End) => Stand::Closes(Closes::Strong),
        (Left::Wide, Right::Word | Right::Escape | Right::Wide) => Stand::Contested,
        (Left::Wide | Left::Other, Right::Blank(_)) => Stand::Closes(Closes::Hugs),
        (Left::Blank, Right::End) => Stand::Closes(Closes::Weak),
        (Left::Blank, Right::Blank(AfterSpace::Capital)) => Stand::Closes(Closes::Apart),
        (Left::Blank, Right::Word | Right::Escape) => Stand::Closes(Closes::Strong),
        (Left::Other | Left::Quote, Right::End) => Stand::Closes(Closes::Weak),
        (Left::Other | Left::Quote, Right::Word | Right::Escape) => Stand::Closes(Closes::Strong),
        (Left::Other | Left::Quote, Right::Wide) => Stand::Contested,
        (Left::Wide | Left::Blank | Left::Other | Left::Quote, _) => Stand::Undecided,
    }
}
