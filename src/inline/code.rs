//! Code spans and fenced blocks of visible text (CommonMark 0.31, sections 4.5 and 6.1), as far as a filter can tell
//! them without seeing the whole: a span ends on the line it began on, and a fence that is never closed is none.

use std::collections::BTreeMap;

/// Follows visible text. ADVICE: it gets only text that stays, and none that is cut.
#[derive(Clone, Debug)]
pub(super) struct CodeTracker {
    /// Inside a fence: its character and length.
    fence: Option<(u8, usize)>,
    /// The end of the open fence was searched for, and there is none.
    void: bool,
    /// The lengths of the runs of backticks on this line, from the first that is not closed: it opens a span, unless no
    /// run of the same length follows.
    runs: Vec<usize>,
    /// The run of fence characters at the end of the text so far.
    run: (u8, usize),
    /// The line so far is white space and one run of a fence character.
    opening: Option<(u8, usize)>,
    /// Only white space since the line or the message began.
    margin: bool,
    /// Only white space since a block ended.
    after_block: bool,
    /// The indentation of the line, in columns.
    indent: usize,
}

/// Failed searches for the end of code, so that none is repeated, however many openings of code there are.
#[derive(Debug, Default)]
pub(super) struct Misses {
    /// For each length of a run of backticks: no such run stands between these offsets.
    spans: BTreeMap<usize, (usize, usize)>,
    /// Fences by character and length, each with the offset from which on none closes it.
    fences: Vec<(u8, usize, usize)>,
}

impl Misses {
    /// Shifts offsets after the first `n` bytes of the text were dropped.
    pub fn shift(&mut self, n: usize) {
        for (from, until) in self.spans.values_mut() {
            (*from, *until) = (from.saturating_sub(n), until.saturating_sub(n));
        }
        self.spans.retain(|_, (_, until)| *until > 0);
        self.fences.iter_mut().for_each(|(.., from)| *from = from.saturating_sub(n));
    }

    fn span(&self, n: usize, at: usize) -> bool {
        self.spans.get(&n).is_some_and(|(from, until)| (*from..*until).contains(&at))
    }

    fn fence(&self, b: u8, n: usize, at: usize) -> bool {
        self.fences.iter().any(|(c, m, from)| b == *c && n >= *m && at >= *from)
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
            indent: 0,
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
                    (self.margin, self.after_block, self.indent) = (false, false, 4);
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
        if self.margin {
            self.indent += if b == b'\t' { 4 } else { 1 };
        }
    }

    fn tick(&mut self, b: u8) {
        if self.run.1 > 0 && self.run.0 != b {
            self.run_end();
        }
        if self.run.1 == 0 && self.margin && self.indent < 4 {
            self.opening = Some((b, 0));
        } else if self.run.1 == 0 && self.fence.is_some() {
            self.opening = None;
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
        match (self.fence, self.opening) {
            (Some((b, n)), Some((c, m))) if b == c && m >= n => self.fence = None,
            // Backticks that were closed on their own line are a code span, not a fence.
            (None, Some((b'`', n @ 3..))) if self.runs.first() == Some(&n) => self.open_fence(b'`', n),
            (None, Some((b'~', n @ 3..))) => self.open_fence(b'~', n),
            _ => (),
        }
        self.runs.clear();
        (self.opening, self.margin, self.indent) = (None, true, 0);
    }

    fn open_fence(&mut self, b: u8, n: usize) {
        self.fence = Some((b, n));
        self.void = false;
    }

    /// Whether `at`, where [`CodeTracker::pass`] stopped, is inside of code. `from`: where an earlier search stopped.
    pub fn inside(&mut self, text: &[u8], at: usize, from: usize, eof: bool, misses: &mut Misses) -> Inside {
        // Only this answer takes the last run as complete: a delimiter that is cut may stand in its middle.
        let mut here = self.clone();
        here.run_end();
        let from = from.max(at);
        if let Some((b, n)) = here.fence {
            if self.void || misses.fence(b, n, from) {
                return Inside::No;
            }
            let found = self.fence_ends(text, b, n, from, eof);
            if self.void {
                misses.fences.push((b, n, from));
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

    /// Searches for the line that closes the fence.
    fn fence_ends(&mut self, text: &[u8], b: u8, n: usize, mut from: usize, eof: bool) -> Inside {
        // The search goes on at the start of a line, but for the first, which is the line of the opening fence.
        while let Some(k) = memchr::memchr(b'\n', &text[from..]) {
            let line = from + k + 1;
            let rest = &text[line..];
            let end = memchr::memchr(b'\n', rest);
            if end.is_none() && !eof {
                return Inside::Later { from: line - 1, tick: false };
            }
            let content = &rest[..end.unwrap_or(rest.len())];
            if closes(content, b, n) {
                return Inside::Yes(line + content.len());
            }
            from = line;
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

/// Whether a line closes a fence of `n` times `b`.
fn closes(line: &[u8], b: u8, n: usize) -> bool {
    let indent = line.iter().take_while(|c| **c == b' ').count();
    let run = line[indent..].iter().take_while(|c| **c == b).count();
    indent < 4 && run >= n && line[indent + run..].iter().all(u8::is_ascii_whitespace)
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
        ] {
            assert_eq!(inside(text), want, "{text:?}");
        }
    }
}
