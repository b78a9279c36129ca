//! Reads regular expressions that only spell delimiters: literal text, alternatives, optional parts, white space.
//! No expression is ever run. It is expanded to its spellings; a part that is not literal text is a hole in a spelling.
//! If a delimiter must be fully known, a hole is an error; of a tool call only the beginning matters.
//!
//! `regex-syntax` was tried as the reader. The expressions are Python's: it refuses `\Z`, look-ahead, look-behind and a brace
//! that is text, which are holes or text here (4 of 34 examples of the test below), and takes `a**` and `(?i)a` (2 of 13),
//! which have no spelling of their own. It makes one class of alternatives of single characters, so that they are no longer
//! alternatives. What expands an expression to its spellings would stay, and the crate would be one more for the library.

/// What expressions may have, for messages.
pub(super) const UNDERSTOOD: &str = "literal text, \\s and \\n at the ends, alternatives such as (?:a|b), parts that may \
     be absent such as (?:a)?, ^, $ and \\Z";

/// The most spellings of an expression.
const MAX_SPELLINGS: usize = 64;
/// The most levels of groups in an expression.
const MAX_GROUP_DEPTH: usize = 16;

/// One way in which an expression can match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PatternSpelling {
    /// Its text between holes and white space, without white space at either end.
    pub runs: Vec<String>,
    /// It begins with a hole; it ends with one.
    pub head: bool,
    pub tail: bool,
    /// There is a hole somewhere.
    pub hole: bool,
    /// White space before and behind its text, as far as it is known.
    pub before: String,
    pub after: String,
    /// It stands at the start of the text only.
    pub start: bool,
    pub end: bool,
}

impl PatternSpelling {
    /// The whole delimiter. `None` if it has a hole; empty if it matches only a position.
    pub fn whole(&self) -> Option<&str> {
        match self.runs.as_slice() {
            _ if self.hole => None,
            [] => Some(""),
            [one] => Some(one),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatternToken {
    Char(char),
    /// Any white space.
    Space,
    Hole,
    Start,
    End,
}

/// The tokens of one spelling.
type PatternTokens = Vec<PatternToken>;

struct PatternReader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

/// Every spelling of an expression, in order. `None` if it is not an expression, or has too many spellings.
pub(super) fn read(pattern: &str) -> Option<Vec<PatternSpelling>> {
    let mut reader = PatternReader { rest: pattern.chars().peekable() };
    let all = reader.alternatives(0)?;
    if reader.rest.next().is_some() {
        return None;
    }
    let mut out: Vec<PatternSpelling> = Vec::new();
    for spelling in all.iter().map(|tokens| spelling(tokens)) {
        if !out.contains(&spelling) {
            out.push(spelling);
        }
    }
    Some(out)
}

impl PatternReader<'_> {
    /// `a|b`.
    fn alternatives(&mut self, depth: usize) -> Option<Vec<PatternTokens>> {
        let mut all = self.sequence(depth)?;
        while self.rest.next_if_eq(&'|').is_some() {
            all.extend(self.sequence(depth)?);
            if all.len() > MAX_SPELLINGS {
                return None;
            }
        }
        Some(all)
    }

    fn sequence(&mut self, depth: usize) -> Option<Vec<PatternTokens>> {
        let mut all = vec![PatternTokens::new()];
        while self.rest.peek().is_some_and(|c| !matches!(c, '|' | ')')) {
            let item = self.item(depth)?;
            if let [one] = item.as_slice() {
                all.iter_mut().for_each(|tokens| tokens.extend(one));
                continue;
            }
            if all.len() * item.len() > MAX_SPELLINGS {
                return None;
            }
            let join =
                |tokens: &PatternTokens| item.iter().map(|more| [tokens.as_slice(), more].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(join).collect();
        }
        Some(all)
    }

    /// Reads an item with its quantifier.
    fn item(&mut self, depth: usize) -> Option<Vec<PatternTokens>> {
        let mut all = match self.rest.next()? {
            '(' => self.group(depth)?,
            '[' => {
                self.class()?;
                vec![vec![PatternToken::Hole]]
            }
            '\\' => vec![vec![self.escaped()?]],
            '.' => vec![vec![PatternToken::Hole]],
            '^' => vec![vec![PatternToken::Start]],
            '$' => vec![vec![PatternToken::End]],
            '?' | '*' | '+' | ')' => return None,
            '{' if self.rest.peek().is_some_and(char::is_ascii_digit) => return None,
            c => vec![vec![PatternToken::Char(c)]],
        };
        let space = all
            .iter()
            .flatten()
            .all(|t| matches!(t, PatternToken::Space) || matches!(t, PatternToken::Char(c) if c.is_whitespace()));
        let often = match self.rest.peek().copied() {
            Some('?') => {
                // A greedy quantifier: the spelling with the item comes first.
                all.push(PatternTokens::new());
                false
            }
            Some('*' | '+') => true,
            Some('{') if self.rest.clone().nth(1).is_some_and(|c| c.is_ascii_digit() || c == ',') => true,
            _ => return Some(all),
        };
        if self.rest.next()? == '{' {
            while self.rest.next()? != '}' {}
        }
        // Lazy or possessive: the spellings are the same.
        let _ = self.rest.next_if(|c| matches!(c, '?' | '+'));
        if often {
            all = vec![vec![if space { PatternToken::Space } else { PatternToken::Hole }]];
        }
        Some(all)
    }

    /// Reads a group, behind its `(`.
    fn group(&mut self, depth: usize) -> Option<Vec<PatternTokens>> {
        if depth == MAX_GROUP_DEPTH {
            return None;
        }
        let mut looks = false;
        if self.rest.next_if_eq(&'?').is_some() {
            match (self.rest.next()?, self.rest.peek().copied()) {
                (':', _) => (),
                ('=' | '!', _) => looks = true,
                ('<', Some('=' | '!')) => {
                    looks = true;
                    self.rest.next();
                }
                ('P', Some('<')) => while self.rest.next()? != '>' {},
                ('<', Some(c)) if c.is_alphabetic() || c == '_' => while self.rest.next()? != '>' {},
                _ => return None,
            }
        }
        let all = self.alternatives(depth + 1)?;
        self.rest.next_if_eq(&')')?;
        Some(if looks { vec![vec![PatternToken::Hole]] } else { all })
    }

    /// Reads a character class, behind its `[`.
    fn class(&mut self) -> Option<()> {
        let _ = self.rest.next_if_eq(&'^');
        let mut first = true;
        loop {
            match self.rest.next()? {
                ']' if !first => return Some(()),
                '\\' => {
                    self.rest.next()?;
                }
                _ => (),
            }
            first = false;
        }
    }

    /// Reads an escape, behind its backslash.
    fn escaped(&mut self) -> Option<PatternToken> {
        Some(match self.rest.next()? {
            'n' => PatternToken::Char('\n'),
            'r' => PatternToken::Char('\r'),
            't' => PatternToken::Char('\t'),
            's' => PatternToken::Space,
            'Z' | 'z' => PatternToken::End,
            'A' => PatternToken::Start,
            c if c.is_alphanumeric() => PatternToken::Hole,
            c => PatternToken::Char(c),
        })
    }
}

fn spelling(tokens: &[PatternToken]) -> PatternSpelling {
    let mut out = PatternSpelling::default();
    let mut rest = tokens;
    while let [PatternToken::Start, tail @ ..] = rest {
        (out.start, rest) = (true, tail);
    }
    while let [head @ .., PatternToken::End] = rest {
        (out.end, rest) = (true, head);
    }
    let blank =
        |t: &PatternToken| matches!(t, PatternToken::Space) || matches!(t, PatternToken::Char(c) if c.is_whitespace());
    let known = |all: &[PatternToken]| -> String {
        let chars: Option<String> =
            all.iter().map(|t| if let PatternToken::Char(c) = t { Some(*c) } else { None }).collect();
        chars.unwrap_or_default()
    };
    let from = rest.iter().take_while(|t| blank(t)).count();
    out.before = known(&rest[..from]);
    rest = &rest[from..];
    let to = rest.len() - rest.iter().rev().take_while(|t| blank(t)).count();
    out.after = known(&rest[to..]);
    rest = &rest[..to];
    // Behind white space, the end of the text adds nothing.
    if rest.is_empty() && tokens.contains(&PatternToken::End) {
        out.end = true;
    }
    let hole = |t: &PatternToken| !matches!(t, PatternToken::Char(_));
    out.head = rest.first().is_some_and(hole);
    out.tail = rest.last().is_some_and(hole);
    out.hole = rest.iter().any(hole);
    let run = |run: &[PatternToken]| known(run).trim().to_string();
    out.runs = rest.split(hole).filter(|r| !r.is_empty()).map(run).filter(|r| !r.is_empty()).collect();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spellings as a line: `^` and `$` for places, `…` for holes, white space that is known in brackets.
    fn line(pattern: &str) -> String {
        let Some(all) = read(pattern) else { return "?".into() };
        let show = |s: &PatternSpelling| {
            let mark = |on: bool, text: &str| if on { text.to_string() } else { String::new() };
            let space = |text: &str| mark(!text.is_empty(), &format!("{text:?}"));
            [
                mark(s.start, "^"),
                space(&s.before),
                mark(s.head, "…"),
                s.runs.join("…"),
                mark(s.tail && !s.runs.is_empty(), "…"),
                space(&s.after),
                mark(s.end, "$"),
            ]
            .concat()
        };
        all.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn patterns_as_spellings() {
        for (pattern, want) in [
            ("<think>", "<think>"),
            (r"<\|end\|>", "<|end|>"),
            (r"\[THINK\]", "[THINK]"),
            (r"<think>\s*", "<think>"),
            (r"<think>\n", "<think>\"\\n\""),
            (r"<think>\n?", "<think>\"\\n\" <think>"),
            (r"\n*</think>\n\n", "</think>\"\\n\\n\""),
            (r"\s+</think>\s*?", "</think>"),
            (r"(?:^|<think>\s*)", "^ <think>"),
            (r"(?:<think>)?", "<think> "),
            (r"^(?:<think>\s*)?", "^<think> ^"),
            (r"</think>|$", "</think> $"),
            (r"(?:<\|END_THINKING\|>|$)", "<|END_THINKING|> $"),
            (r"<\|im_end\|>|<\|endoftext\|>|\Z", "<|im_end|> <|endoftext|> $"),
            (r"(<a>|<b>)c", "<a>c <b>c"),
            (r"(?P<open><a>)", "<a>"),
            (r"(?<open><a>)", "<a>"),
            (r"<tool_call>\s*<function=(?P<name>\w+)>", "<tool_call>…<function=…>"),
            (r"<\|tool_call>call:(?P<name>\w+)", "<|tool_call>call:…"),
            (
                r#"(?:\n\n)?(?:<a>\s*)?<b n="(?P<n>[^"\]]+)">\s*"#,
                "\"\\n\\n\"<a>…<b n=\"…\"> \"\\n\\n\"<b n=\"…\"> <a>…<b n=\"…\"> <b n=\"…\">",
            ),
            (r"\s*</f>\s*</t>", "</f>…</t>"),
            (r"a.*?b", "a…b"),
            (r"a(?=b|c)", "a…"),
            (r"(?<!\\)a(?!b)", "…a…"),
            (r"[abc]x", "…x"),
            (r"[^\]]x", "…x"),
            (r"[]]x", "…x"),
            (r"a{2,3}", "…"),
            (r"a{b}", "a{b}"),
            (r"\d+", "…"),
            ("思考", "思考"),
            ("", ""),
            ("|", ""),
            ("a||b", "a  b"),
        ] {
            assert_eq!(line(pattern), want, "{pattern}");
        }
    }

    #[test]
    fn what_is_no_pattern_of_ours() {
        for pattern in ["(", ")", "a)", "(a", "[a", "\\", "*a", "+", "a**", "(?i)a", "(?P=n)", "a{2", "{1}"] {
            assert_eq!(line(pattern), "?", "{pattern}");
        }
    }

    #[test]
    fn no_pattern_is_too_much() {
        assert_eq!(read(&"a?".repeat(1 << 16)), None);
        assert_eq!(read(&"(".repeat(1 << 16)), None);
        assert_eq!(read(&"a|".repeat(1 << 16)), None);
        assert_eq!(read(&format!("{}a{}", "(".repeat(15), ")".repeat(15))).map(|all| all.len()), Some(1));
        let long = "x".repeat(1 << 20);
        assert_eq!(read(&long).unwrap()[0].whole(), Some(long.as_str()));
    }
}
