//! Code spans and fenced blocks of visible text (CommonMark 0.31, sections 4.5 and 6.1), as far as a filter can tell
//! them without seeing the whole: a span ends on the line it began on, and a fence that is never closed is none.

use std::collections::BTreeMap;

/// Follows visible text. ADVICE: it gets only text that stays, and none that is cut.
#[derive(Clone, Debug)]
pub(super) struct CodeTracker {
    /// Inside of a fence.
    fence: Option<CodeFence>,
    /// The end of the open fence was searched for, and there is none.
    void: bool,
    /// The lengths of the runs of backticks on this line, from the first that is not closed: it opens a span, unless no
    /// run of the same length follows.
    runs: Vec<usize>,
    /// The run of fence characters at the end of the text so far.
    run: (u8, usize),
    /// The line so far is one run of a fence character, behind white space, marks of quotations and of list items.
    opening: Option<(u8, usize)>,
    /// Only white space since the line or the message began.
    margin: bool,
    /// Only white space since a block ended.
    after_block: bool,
    /// What the line begins with.
    head: FenceIndent,
}

/// What opened a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CodeFence {
    /// Its character, and how often it stands there.
    mark: u8,
    len: usize,
    /// The marks of quotations before it, which all of its lines have.
    quotes: usize,
    /// The columns of the list item that it stands in.
    item: usize,
}

/// The marks of quotations and list items that a line begins with.
#[derive(Clone, Copy, Debug, Default)]
struct FenceIndent {
    state: MarginState,
    quotes: usize,
    /// The columns of the list item, and those of white space behind it.
    item: usize,
    indent: usize,
    /// The columns since the last mark of a quotation.
    column: usize,
}

impl CodeFence {
    /// Whether a line closes the fence. `None`: it is no part of its quotation.
    fn ends_at(self, mut line: &[u8]) -> Option<bool> {
        for _ in 0..self.quotes {
            line = line.trim_ascii_start().strip_prefix(b">")?;
        }
        let indent = line.iter().take_while(|c| **c == b' ').count();
        let run = line[indent..].iter().take_while(|c| **c == self.mark).count();
        let closes = indent < self.item + 4 && run >= self.len;
        Some(closes && line[indent + run..].iter().all(u8::is_ascii_whitespace))
    }

    /// Whether a line would open a fence with the name of a language, if this one were none.
    fn is_opened_in(self, line: &[u8]) -> bool {
        let line = line.trim_ascii_start();
        let run = line.iter().take_while(|c| **c == self.mark).count();
        run >= self.len && line.get(run).is_some_and(u8::is_ascii_alphanumeric) && !line[run..].contains(&b'`')
    }
}

/// What a line has so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MarginState {
    /// White space, behind whole marks.
    #[default]
    Blank,
    /// Digits that may number a list item.
    Number,
    /// The mark of a list item, which a blank must follow.
    Mark,
    Text,
}

impl FenceIndent {
    fn blank(&mut self, columns: usize) {
        self.column += columns;
        match self.state {
            MarginState::Blank => self.indent += columns,
            MarginState::Mark => (self.state, self.item, self.indent) = (MarginState::Blank, self.column, 0),
            MarginState::Number | MarginState::Text => self.state = MarginState::Text,
        }
    }

    /// Follows a byte that is no white space. In a fence, only the marks of its quotations are no text.
    fn ink(&mut self, b: u8, fence: Option<CodeFence>) {
        self.column += 1;
        let quotes = fence.map_or(usize::MAX, |fence| fence.quotes);
        self.state = match (self.state, b) {
            (MarginState::Blank, b'>') if self.quotes < quotes => {
                *self = Self { quotes: self.quotes + 1, ..Self::default() };
                MarginState::Blank
            }
            (MarginState::Blank, b'-' | b'*' | b'+') if fence.is_none() => MarginState::Mark,
            (MarginState::Blank | MarginState::Number, b'0'..=b'9') if fence.is_none() => MarginState::Number,
            (MarginState::Number, b'.' | b')') => MarginState::Mark,
            _ => MarginState::Text,
        };
    }
}

/// Failed searches for the end of code, so that none is repeated, however many openings of code there are.
#[derive(Debug, Default)]
pub(super) struct Misses {
    /// For each length of a run of backticks: no such run stands between these offsets.
    spans: BTreeMap<usize, (usize, usize)>,
    /// Fences, each with the offset from which on none closes it.
    fences: Vec<(CodeFence, usize)>,
}

impl Misses {
    /// Shifts offsets after the first `n` bytes of the text were dropped.
    pub fn shift(&mut self, n: usize) {
        for (from, until) in self.spans.values_mut() {
            (*from, *until) = (from.saturating_sub(n), until.saturating_sub(n));
        }
        self.spans.retain(|_, (_, until)| *until > 0);
        self.fences.iter_mut().for_each(|(_, from)| *from = from.saturating_sub(n));
    }

    fn span(&self, n: usize, at: usize) -> bool {
        self.spans.get(&n).is_some_and(|(from, until)| (*from..*until).contains(&at))
    }

    fn fence(&self, fence: CodeFence, at: usize) -> bool {
        let as_hard = |missed: &CodeFence| fence.len >= missed.len && CodeFence { len: missed.len, ..fence } == *missed;
        self.fences.iter().any(|(missed, from)| as_hard(missed) && at >= *from)
    }
}

/// Whether a place is inside code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    No,
    /// It is, up to this offset.
    Yes(usize),
    /// Text from this offset on decides, once a line end has come, or (if `tick`) a backtick.
    Later {
        from: usize,
        tick: bool,
    },
}

impl Default for CodeTracker {
    fn default() -> Self {
        Self {
            fence: None,
            void: false,
            runs: Vec::new(),
            run: (0, 0),
            opening: None,
            margin: true,
            after_block: false,
            head: FenceIndent::default(),
        }
    }
}

impl CodeTracker {
    /// Whether only white space stands between here and the start of the line, the message or the end of a block.
    pub fn margin(&self) -> bool {
        self.margin || self.after_block
    }

    /// Whether a block ended here, and only white space followed.
    pub fn follows_block(&self) -> bool {
        self.after_block
    }

    /// Notes that a block ended here.
    pub fn after_block(&mut self) {
        self.after_block = true;
    }

    /// Follows more visible text.
    pub fn pass(&mut self, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            let b = text[at];
            match b {
                b'\n' => self.line_end(),
                b'`' | b'~' => self.tick(b),
                b' ' | b'\t' | b'\r' => self.blank(b),
                _ => {
                    self.run_end();
                    (self.margin, self.after_block) = (false, false);
                    if self.head.state != MarginState::Text {
                        self.ink(b);
                    }
                    if self.head.state != MarginState::Text {
                        at += 1;
                        continue;
                    }
                    if self.fence.is_some() {
                        self.opening = None;
                    }
                    // Only a backtick, a tilde or a line end can change the state now.
                    let skip = memchr::memchr3(b'\n', b'`', b'~', &text[at..]);
                    at = skip.map_or(text.len(), |n| at + n);
                    continue;
                }
            }
            at += 1;
        }
    }

    fn blank(&mut self, b: u8) {
        self.run_end();
        self.head.blank(if b == b'\t' { 4 } else { 1 });
    }

    /// Follows a byte at the beginning of a line. A fence in a quotation ends with it.
    fn ink(&mut self, b: u8) {
        self.head.ink(b, self.fence);
        if self.head.state == MarginState::Text {
            self.leave_quotation();
        }
    }

    fn leave_quotation(&mut self) {
        self.fence.take_if(|fence| fence.quotes > self.head.quotes);
    }

    fn tick(&mut self, b: u8) {
        if self.run.1 > 0 && self.run.0 != b {
            self.run_end();
        }
        if self.run.1 == 0 {
            let begins = self.head.state == MarginState::Blank;
            self.ink(b);
            let item = self.fence.map_or(0, |fence| fence.item);
            match begins && self.head.indent < item + 4 {
                true => self.opening = Some((b, 0)),
                false if self.fence.is_some() => self.opening = None,
                false => (),
            }
        }
        self.run = (b, self.run.1 + 1);
        (self.margin, self.after_block) = (false, false);
    }

    /// Ends the current run of backticks or tildes.
    fn run_end(&mut self) {
        let (b, n) = std::mem::take(&mut self.run);
        if n == 0 {
            return;
        }
        if let Some((_, len @ 0)) = &mut self.opening {
            *len = n;
        }
        if self.fence.is_none() && b == b'`' {
            self.open_or_close(n);
        }
    }

    fn open_or_close(&mut self, n: usize) {
        if self.runs.first() == Some(&n) {
            self.runs.clear();
        } else {
            self.runs.push(n);
        }
    }

    /// The first run opens no span: checks the runs behind it.
    fn first_is_text(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        runs.into_iter().skip(1).for_each(|n| self.open_or_close(n));
    }

    fn line_end(&mut self) {
        self.run_end();
        self.leave_quotation();
        match (self.fence, self.opening) {
            (Some(fence), Some((c, m))) if fence.mark == c && m >= fence.len => self.fence = None,
            // Backticks that were closed on their own line are a code span, not a fence.
            (None, Some((b'`', n @ 3..))) if self.runs.first() == Some(&n) => self.open_fence(b'`', n),
            (None, Some((b'~', n @ 3..))) => self.open_fence(b'~', n),
            _ => (),
        }
        self.runs.clear();
        (self.opening, self.margin, self.head) = (None, true, FenceIndent::default());
    }

    fn open_fence(&mut self, mark: u8, len: usize) {
        self.fence = Some(CodeFence { mark, len, quotes: self.head.quotes, item: self.head.item });
        self.void = false;
    }

    /// Whether `at`, where [`CodeTracker::pass`] stopped, is inside of code. `from`: where an earlier search stopped.
    pub fn inside(&mut self, text: &[u8], at: usize, from: usize, eof: bool, misses: &mut Misses) -> Inside {
        // Only this answer takes the last run as complete: a delimiter that is cut may stand in its middle.
        let mut here = self.clone();
        here.run_end();
        here.leave_quotation();
        let from = from.max(at);
        if let Some(fence) = here.fence {
            if self.void || misses.fence(fence, from) {
                return Inside::No;
            }
            let found = self.fence_ends(text, fence, from, eof);
            // The quotation of the next one may be another one.
            if self.void && fence.quotes == 0 {
                misses.fences.push((fence, from));
            }
            return found;
        }
        let mut from = from;
        while let Some(n) = here.runs.first() {
            if !misses.span(*n, from) {
                let (found, reached) = span_ends(text, *n, from, eof);
                if found != Inside::No {
                    return found;
                }
                misses.spans.insert(*n, (from, reached));
            }
            here.first_is_text();
            from = at;
            // A run that may open a fence at the end of the line is kept.
            let fence = matches!((self.opening, self.runs.first()), (Some((b'`', n @ 3..)), Some(m)) if n == *m);
            if self.run.1 == 0 && !fence {
                self.runs.clone_from(&here.runs);
            }
        }
        Inside::No
    }

    /// Whether a fence of backticks is open that nothing closes, once that was searched for: it may be code that is cut off.
    pub fn is_cut_off(&self) -> bool {
        self.fence.is_some_and(|fence| fence.mark == b'`' && fence.quotes == 0)
    }

    /// Whether another fence seems to open in the one that is open, in these lines, of which the first has begun: the open one may
    /// be the end of another fence.
    pub fn is_torn(&self, lines: &[u8]) -> bool {
        let Some(fence) = self.fence else { return false };
        lines.split(|b| *b == b'\n').skip(1).any(|line| fence.is_opened_in(line))
    }

    /// Searches for the line that closes the fence.
    fn fence_ends(&mut self, text: &[u8], fence: CodeFence, mut from: usize, eof: bool) -> Inside {
        // The search goes on at the start of a line, but for the first, which is the line of the opening fence.
        while let Some(k) = memchr::memchr(b'\n', &text[from..]) {
            let line = from + k + 1;
            let rest = &text[line..];
            let end = memchr::memchr(b'\n', rest);
            if end.is_none() && !eof {
                return Inside::Later { from: line - 1, tick: false };
            }
            let content = &rest[..end.unwrap_or(rest.len())];
            match fence.ends_at(content) {
                Some(true) => return Inside::Yes(line + content.len()),
                Some(false) => from = line,
                None => {
                    self.void = true;
                    return Inside::No;
                }
            }
        }
        if eof {
            self.void = true;
            return Inside::No;
        }
        Inside::Later { from: text.len(), tick: false }
    }
}

/// Searches the line at `from` for a run of `n` backticks. Also returns how far it searched.
fn span_ends(text: &[u8], n: usize, mut from: usize, eof: bool) -> (Inside, usize) {
    while let Some(k) = memchr::memchr2(b'`', b'\n', &text[from..]) {
        let start = from + k;
        if text[start] == b'\n' {
            return (Inside::No, start);
        }
        let run = text[start..].iter().take_while(|b| **b == b'`').count();
        if start + run == text.len() && !eof {
            return (Inside::Later { from: start, tick: true }, start);
        }
        // If a delimiter right behind a run is cut, the run may become longer: it closes nothing.
        if run == n && !matches!(text.get(start + run), Some(b'<' | b'[' | 0xE2)) {
            return (Inside::Yes(start), start);
        }
        from = start + run;
    }
    (if eof { Inside::No } else { Inside::Later { from: text.len(), tick: true } }, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the `@` in the text is inside code.
    fn inside(text: &str) -> bool {
        let at = text.find('@').unwrap();
        let text = text.as_bytes();
        let mut whole = CodeTracker::default();
        whole.pass(&text[..at]);
        let mut bytewise = CodeTracker::default();
        text[..at].iter().for_each(|b| bytewise.pass(&[*b]));
        let mut misses = Misses::default();
        let verdict = matches!(whole.inside(text, at, 0, true, &mut misses), Inside::Yes(_));
        assert_eq!(verdict, matches!(bytewise.inside(text, at, 0, true, &mut Misses::default()), Inside::Yes(_)));
        verdict
    }

    #[test]
    fn spans_and_fences() {
        for (text, want) in [
            ("@", false),
            ("`@`", true),
            ("`a` @ `b`", false),
            ("``a ` @``", true),
            ("`@", false),
            ("`\n@`", false),
            ("```\n@\n```", true),
            ("```\n@\n", false),
            ("```rust\n@\n```\n", true),
            ("```\na\n```\n@\n```", false),
            ("~~~\n@\n~~~", true),
            ("~~~\n@\n```", false),
            ("````\n```\n@\n````", true),
            ("    ```\n@\n    ```", false),
            ("  ```\n@\n  ```", true),
            ("```a```\n@\n```", false),
            ("```\n@\n``` x\n", false),
            ("``` @\nx\n```", false),
            ("> ```\n> @\n> ```", true),
            (">```\n>@\n>```\n", true),
            ("> > ```\n> > @\n> > ```", true),
            ("> > ```\n> @\n> > ```", false),
            ("> ```\n> @\n```", false),
            ("> ```\n> @\n> a", false),
            ("> ```\n> a\nb\n> @\n> ```", false),
            ("> ```\n> a\n\n> @\n> ```", false),
            ("> ```\n> a\n```\n@\n```", true),
            ("- ```\n  @\n  ```", true),
            ("10. ```\n    @\n    ```", true),
            ("> 1. ~~~\n>    @\n>    ~~~", true),
            ("1.```\n@\n```", false),
            ("-```\n@\n```", false),
            ("```\n> ```\n@\n```", true),
            ("```\n- ```\n@\n```", true),
        ] {
            assert_eq!(inside(text), want, "{text:?}");
        }
    }
}
