//! Scans a member or an element in one step: the same as its tokens one by one, in less time.

use super::{Expect, Literal, Scanner, Token};
use crate::error::Error;

impl Scanner<'_> {
    /// The next member of the open object, while nothing is open in it: its key, where its value begins, and the first
    /// token of the value. `None` at the end of the object. The same as its tokens one by one, in less time.
    ///
    /// # Errors
    /// As [`Scanner::token`].
    // A walk reads most of a record here: what it gives is too large to be handed over in memory.
    #[inline(always)]
    pub fn member(&mut self) -> Result<Option<(Literal, usize, Token)>, Error> {
        // Most programs write a comma, a blank or none, and the key.
        let key = match (self.expect, self.text.get(self.at..)) {
            (Expect::CommaOrEnd, Some([b',', b' ', b'"', ..])) => self.at + 2,
            (Expect::CommaOrEnd, Some([b',', b'"', ..])) => self.at + 1,
            _ => match self.next_key()? {
                Some(at) => at,
                None => return Ok(None),
            },
        };
        self.at = key;
        let key = self.string()?;
        self.expect = Expect::Value;
        let start = match self.text.get(self.at..) {
            Some([b':', b' ', byte, ..]) if *byte > b' ' => self.at + 2,
            Some([b':', byte, ..]) if *byte > b' ' => self.at + 1,
            _ => self.behind_colon()?,
        };
        (self.at, self.from) = (start, start);
        Ok(Some((key, start, self.inner_value(self.text[start])?)))
    }

    /// Where the next key of the open object begins, if it has one.
    fn next_key(&mut self) -> Result<Option<usize>, Error> {
        let mut byte = self.blank()?;
        match self.expect {
            Expect::CommaOrEnd if byte == b',' => {
                self.at += 1;
                byte = self.blank()?;
            }
            Expect::KeyOrEnd if byte != b'}' => (),
            _ => return self.close(byte).map(|_| None),
        }
        if byte != b'"' {
            return Err(self.wrong(self.at, "a member's name is missing"));
        }
        Ok(Some(self.at))
    }

    /// Where the value behind a key begins.
    fn behind_colon(&mut self) -> Result<usize, Error> {
        if self.blank()? != b':' {
            return Err(self.wrong(self.at, "a colon is missing"));
        }
        self.at += 1;
        self.blank()?;
        Ok(self.at)
    }

    /// The next element of the open list, while nothing is open in it: the first token of its value. `None` at the end
    /// of the list.
    ///
    /// # Errors
    /// As [`Scanner::token`].
    #[inline(always)]
    pub fn element(&mut self) -> Result<Option<Token>, Error> {
        let mut byte = self.blank()?;
        match self.expect {
            Expect::CommaOrEnd if byte == b',' => {
                self.at += 1;
                self.expect = Expect::Value;
                byte = self.blank()?;
            }
            Expect::ValueOrEnd if byte != b']' => (),
            _ => return self.close(byte).map(|_| None),
        }
        self.inner_value(byte).map(Some)
    }

    /// Moves over the rest of the value that `token` began.
    ///
    /// # Errors
    /// As [`Scanner::token`].
    #[inline]
    pub fn skip(&mut self, token: Token) -> Result<(), Error> {
        match token {
            Token::ObjectStart | Token::ArrayStart => self.skip_inside(),
            _ => Ok(()),
        }
    }

    /// Skips the rest of an open object or list. It stands apart from callers, who skip few of them.
    fn skip_inside(&mut self) -> Result<(), Error> {
        self.pass_values(|_, _, _| ())
    }

    /// Moves behind the end of the open object or list. Gives `found` the strings and the numbers in it, each with the
    /// last key before it, and whether it is a string.
    ///
    /// # Errors
    /// As [`Scanner::token`].
    #[inline(always)]
    pub fn pass_values(&mut self, mut found: impl FnMut(Literal, Literal, bool)) -> Result<(), Error> {
        let (outside, mut key) = (self.depth() - 1, Literal { start: self.at, end: self.at, escaped: false });
        while self.depth() > outside {
            let token = match self.nest.in_object() {
                true => match self.member()? {
                    Some((next, _, token)) => {
                        key = next;
                        token
                    }
                    None => continue,
                },
                false => match self.element()? {
                    Some(token) => token,
                    None => continue,
                },
            };
            match token {
                Token::String(word) => found(key, word, true),
                Token::Number => found(key, Literal { start: self.from, end: self.at, escaped: false }, false),
                _ => (),
            }
        }
        Ok(())
    }

    /// A value in an object or a list.
    #[inline(always)]
    fn inner_value(&mut self, byte: u8) -> Result<Token, Error> {
        self.from = self.at;
        match byte {
            b'"' => {
                let string = self.string()?;
                self.expect = Expect::CommaOrEnd;
                Ok(Token::String(string))
            }
            b'{' => Ok(self.open(true)),
            b'1'..=b'9' => self.count(),
            _ => self.value(byte),
        }
    }

    /// A number that does not begin with a zero or a sign: most are whole.
    #[inline]
    fn count(&mut self) -> Result<Token, Error> {
        let digits = self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if matches!(self.text.get(self.at + digits), Some(b'.' | b'e' | b'E')) {
            return self.value(self.text[self.at]);
        }
        self.at += digits;
        self.expect = Expect::CommaOrEnd;
        Ok(Token::Number)
    }
}
