//! The quotation marks that are open on a line.

use super::{LineTracker, MAX_QUOTE_DEPTH, Quote};

impl LineTracker {
    /// Whether a parenthesis that comes now stands right behind the name of a function. Those of types and of SQL hold
    /// data.
    pub(super) fn is_called(&self) -> bool {
        let name = match self.last[0] {
            Some('!') => self.last[1],
            last => last,
        };
        let first = self.words[0].first().is_none_or(|c| c.is_lowercase());
        name.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && first
            && self.words[0] != ['v', 'a', 'l', 'u', 'e', 's']
    }

    /// Whether a backslash stands before the next character, and is not escaped itself.
    fn is_escaped(&self) -> bool {
        self.last[0] == Some('\\') && (self.last[1] != Some('\\') || self.last[2] == Some('\\'))
    }

    pub(super) fn quote(&mut self, c: char) {
        let escaped = c == '"' && self.is_escaped();
        let closes = |quote: &Quote| match quote.close {
            '\'' => false,
            // „ is closed by “ in some languages and by ” in others.
            '“' => matches!(c, '“' | '”'),
            close => close == c && quote.escaped == escaped,
        };
        if let Some(at) = self.quotes.iter().rposition(closes) {
            self.quotes.truncate(at);
            return;
        }
        let close = match c {
            // Inches, or seconds.
            '"' if self.last[0].is_some_and(|c| c.is_ascii_digit()) => return,
            '"' => '"',
            '“' => '”',
            '„' | '‟' => '“',
            '«' => '»',
            '»' => '«',
            '‹' => '›',
            '›' => '‹',
            '‘' => '’',
            '‚' => '‘',
            '「' => '」',
            '『' => '』',
            '《' => '》',
            '〈' => '〉',
            '〝' => '〞',
            '＂' => '＂',
            '”' => '”',
            '\'' => {
                let word = self.last[0].is_some_and(char::is_alphanumeric) && !self.is_prefix();
                self.single = Some(!word);
                return;
            }
            _ => return,
        };
        self.open(close, c == '"', escaped);
    }

    fn open(&mut self, close: char, straight: bool, escaped: bool) {
        let before = match (self.is_prefix(), self.last[1], self.last[0]) {
            _ if escaped => self.before_escape(),
            (true, Some(c), _) => Some(c),
            (true, None, _) => None,
            (false, _, Some(c)) if !c.is_whitespace() => Some(c),
            (false, ..) => self.ink.last[0],
        };
        let value = straight
            && before.is_none_or(|c| match c {
                '(' => !self.called,
                c => matches!(c, ':' | '=' | '[' | ',' | '{' | '+' | '\\' | '|' | '>'),
            });
        if self.quotes.len() < MAX_QUOTE_DEPTH {
            self.quotes.push(Quote { close, value, begins: true, escaped });
        }
    }

    /// The last character before the backslashes that the line ends with, and before white space.
    fn before_escape(&self) -> Option<char> {
        let known = [self.last[1], self.last[2], self.ink.last[1]];
        known.into_iter().flatten().find(|c| !c.is_whitespace() && *c != '\\')
    }

    /// Whether the last character is the prefix of a string in a source (`b"…"`).
    fn is_prefix(&self) -> bool {
        let alone = self.last[1].is_none_or(|c| !c.is_alphanumeric());
        alone && self.last[0].is_some_and(|c| matches!(c, 'b' | 'B' | 'f' | 'F' | 'r' | 'R' | 'u' | 'U'))
    }

    /// Decides a straight single quote by the character behind it: it may be an apostrophe.
    pub(super) fn single_quote(&mut self, next: char) {
        let Some(may_open) = self.single.take() else { return };
        let open = self.quotes.iter().rposition(|quote| quote.close == '\'');
        match open {
            Some(at) if !next.is_alphanumeric() => self.quotes.truncate(at),
            Some(_) => (),
            None if may_open && !next.is_whitespace() => {
                let last = self.last;
                // What stands before the quote decides what it is.
                self.last = [last[1], last[2], None];
                let ink = self.ink.last;
                self.ink.last = [ink[1], None];
                self.open('\'', true, false);
                (self.last, self.ink.last) = (last, ink);
            }
            None => (),
        }
    }
}
