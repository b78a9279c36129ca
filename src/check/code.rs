//! Code in an answer: fenced blocks and code spans (CommonMark 0.31, sections 4.5 and 6.1), and the comments in it, which
//! are prose.

use std::ops::Range;

/// The code of a text.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// Fenced blocks, from the line behind the opening fence to the closing one.
    pub fenced: Vec<Range<usize>>,
    /// The fenced blocks that hold code, not prose.
    pub code: Vec<Range<usize>>,
    /// Code spans with their backticks.
    pub spans: Vec<Range<usize>>,
    /// Prose in comments of the fenced blocks, without the marks of the comments.
    pub comments: Vec<Range<usize>>,
}

/// The languages of fences that hold prose.
const PROSE: [&str; 7] = ["text", "txt", "plain", "plaintext", "markdown", "md", "quote"];

impl Code {
    /// The code of a text.
    pub fn of(text: &str) -> Self {
        let mut code = Self::default();
        let fences = memchr::memchr2(b'`', b'~', text.as_bytes()).is_some();
        let indented = || {
            memchr::memmem::find(text.as_bytes(), b"    ").is_some() || memchr::memchr(b'\t', text.as_bytes()).is_some()
        };
        if !fences && !indented() {
            return code;
        }
        let mut fence: Option<(u8, usize, usize, String)> = None;
        let mut at = 0;
        let mut prose_from = 0;
        for line in text.split_inclusive('\n') {
            let (start, end) = (at, at + line.len());
            at = end;
            match (&fence, opening(line)) {
                (None, Some((b, n, info))) => {
                    code.spans(text, prose_from..start);
                    let word = info.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
                    fence = Some((b, n, end, word));
                }
                (Some((b, n, from, word)), Some((c, m, ""))) if *b == c && m >= *n => {
                    code.block(text, *from..start, word);
                    (fence, prose_from) = (None, end);
                }
                _ => (),
            }
        }
        code.indented(text);
        match fence {
            // A fence that is never closed goes to the end of the text (CommonMark).
            Some((.., from, word)) => code.block(text, from..text.len(), &word),
            None => code.spans(text, prose_from..text.len()),
        }
        code.spans.sort_by_key(|span| span.start);
        code
    }

    /// Whether an offset is in code.
    pub fn holds(&self, at: usize) -> bool {
        let within = |list: &[Range<usize>]| {
            let i = list.partition_point(|range| range.end <= at);
            list.get(i).is_some_and(|range| range.start <= at)
        };
        within(&self.fenced) || within(&self.spans)
    }

    /// Adds lines that are indented behind an empty one. They count as code for tags, and as prose in the search for
    /// leaks.
    fn indented(&mut self, text: &str) {
        let (mut at, mut code, mut blank) = (0, false, true);
        for line in text.split_inclusive('\n') {
            let is_blank = line.trim().is_empty();
            code = !is_blank && (line.starts_with("    ") || line.starts_with('\t')) && (code || blank);
            if code {
                self.spans.push(at..at + line.len());
            }
            blank = is_blank;
            at += line.len();
        }
    }

    /// Adds a fenced block in this language.
    fn block(&mut self, text: &str, at: Range<usize>, language: &str) {
        if !PROSE.contains(&language) && !at.is_empty() {
            self.comments(text, at.clone(), language);
            self.code.push(at.clone());
        }
        self.fenced.push(at);
    }

    /// Adds the code spans of a stretch without fences. A span ends in the paragraph where it begins.
    fn spans(&mut self, text: &str, at: Range<usize>) {
        let bytes = text.as_bytes();
        let mut open: Option<(usize, usize)> = None;
        let mut i = at.start;
        while let Some(n) = memchr::memchr2(b'`', b'\n', &bytes[i..at.end]) {
            i += n;
            if bytes[i] == b'\n' {
                let blank = bytes[i + 1..at.end].iter().take_while(|b| **b != b'\n').all(u8::is_ascii_whitespace);
                if blank {
                    open = None;
                }
                i += 1;
                continue;
            }
            let run = bytes[i..at.end].iter().take_while(|b| **b == b'`').count();
            match open {
                Some((from, len)) if len == run => {
                    self.spans.push(from..i + run);
                    open = None;
                }
                Some(_) => (),
                None => open = Some((i, run)),
            }
            i += run;
        }
    }

    /// Adds the prose in comments, of one line or between marks. Strings that document a function are comments.
    fn comments(&mut self, text: &str, at: Range<usize>, language: &str) {
        let marks = marks(language);
        let mut from = at.start;
        let mut close: Option<&str> = None;
        for line in text[at].split_inclusive('\n') {
            let (start, line) = (from, line.trim_end());
            from += text[from..].find('\n').map_or(text.len() - from, |n| n + 1);
            if let Some(end) = close {
                let len = line.find(end);
                self.comment(text, start..start + len.unwrap_or(line.len()));
                close = len.map_or(close, |_| None);
                continue;
            }
            const PAIRS: [(&str, &str); 6] =
                [("/*", "*/"), ("<!--", "-->"), ("\"\"\"", "\"\"\""), ("'''", "'''"), ("{-", "-}"), ("(*", "*)")];
            // A string documents a function if only white space comes before it.
            let opens =
                |open: &str| line.find(open).filter(|n| !open.starts_with(['"', '\'']) || line[..*n].trim().is_empty());
            let paired = PAIRS.iter().filter_map(|(open, end)| Some((opens(open)?, *open, *end))).min();
            if let Some((n, open, end)) = paired {
                let inside = n + open.len();
                let len = line[inside..].find(end);
                self.comment(text, start + inside..start + len.map_or(line.len(), |len| inside + len));
                close = if len.is_none() { Some(end) } else { None };
            } else if let Some(n) = line_comment(line, marks) {
                self.comment(text, start + n..start + line.len());
            }
        }
    }

    fn comment(&mut self, text: &str, at: Range<usize>) {
        let inside = &text[at.clone()];
        let lead = inside.len() - inside.trim_start_matches(|c: char| c.is_whitespace() || "/*#-!;%".contains(c)).len();
        let (start, end) = (at.start + lead, at.start + inside.trim_end().len());
        if start < end {
            self.comments.push(start..end);
        }
    }
}

/// The fence that a line opens or closes: its character, their number, and the text behind them.
fn opening(line: &str) -> Option<(u8, usize, &str)> {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    // In a list, a fence may be indented more.
    let b = *rest.as_bytes().first().filter(|b| matches!(b, b'`' | b'~') && indent < 12)?;
    let n = rest.bytes().take_while(|c| *c == b).count();
    let info = rest[n..].trim();
    (n >= 3 && !(b == b'`' && info.contains('`'))).then_some((b, n, info))
}

/// The marks of one-line comments in a language; if none is named, the most common ones.
fn marks(language: &str) -> &'static [&'static str] {
    match language {
        "sql" | "mysql" | "postgresql" | "plsql" | "lua" | "haskell" | "hs" | "ada" | "elm" | "vhdl" => &["--"],
        "lisp" | "clojure" | "clj" | "scheme" | "elisp" | "asm" | "ini" => &[";"],
        "tex" | "latex" | "matlab" | "erlang" | "prolog" => &["%"],
        "diff" | "patch" | "json" | "html" | "xml" | "css" | "csv" | "console" | "output" => &[],
        "c" | "cpp" | "c++" | "h" | "cs" | "csharp" | "java" | "kotlin" | "swift" | "go" | "rust" | "rs" | "js"
        | "javascript" | "jsx" | "ts" | "typescript" | "tsx" | "scala" | "dart" | "zig" | "scss" => &["//"],
        "py" | "python" | "sh" | "bash" | "zsh" | "shell" | "ruby" | "rb" | "perl" | "r" | "yaml" | "yml" | "toml"
        | "make" | "makefile" | "dockerfile" | "docker" | "elixir" | "julia" | "nix" | "powershell" => &["#"],
        _ => &["//", "#"],
    }
}

/// Where the prose of a comment of one line begins.
fn line_comment(line: &str, marks: &[&str]) -> Option<usize> {
    let found = marks.iter().filter_map(|mark| {
        let at = line.match_indices(mark).map(|(at, _)| at).find(|at| {
            let before = &line[..*at];
            let opens = before.trim().is_empty() || before.ends_with([' ', '\t']);
            let behind = line[*at..].trim_start_matches(['/', '#', '-', ';', '%', '!']);
            opens && behind.starts_with(char::is_whitespace)
        })?;
        Some(at + mark.len())
    });
    found.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Vec<&str>, Vec<&str>, Vec<&str>) {
        let code = Code::of(text);
        let take = |list: &[Range<usize>]| list.iter().map(|at| &text[at.clone()]).collect();
        (take(&code.code), take(&code.spans), take(&code.comments))
    }

    #[test]
    fn code_and_comments() {
        let rust = "Here:\n```rust\n// Adds two\n// numbers.\nfn f() {} /* x */ // y\n```\nand `a` ``b`c`` done";
        assert_eq!(
            parts(rust),
            (
                vec!["// Adds two\n// numbers.\nfn f() {} /* x */ // y\n"],
                vec!["`a`", "``b`c``"],
                vec!["Adds two", "numbers.", "x"]
            )
        );
        let python = "~~~py\ndef f():\n    \"\"\"Says so.\n\n    And more.\"\"\"\n    return 1  # one\n~~~";
        assert_eq!(parts(python).2, ["Says so.", "And more.", "one"]);
        for text in [
            "```bash\ndocker run --rm x\n```",
            "```css\n#main .x {}\n```",
            "```c\n#define X 1\n```",
            "```rust\n#[derive(Debug)]\n```",
            "```ruby\nputs \"(#{x})\"\n```",
            "```python\nq = \"\"\"SELECT\n1\"\"\"\n```",
            "```diff\n--- a/src/main\n```",
            "```c\nwhile (i --> 0)\n```",
        ] {
            assert_eq!(parts(text).2, Vec::<&str>::new(), "{text}");
        }
        assert_eq!(parts("```text\nprose\n```").0, Vec::<&str>::new());
        assert_eq!(parts("```\nnever closed").0, ["never closed"]);
        assert_eq!(parts("  ```\n  a\n  ```\n").0, ["  a\n"]);
        assert_eq!(parts("a ` b\n\nc ` d").1, Vec::<&str>::new());
        assert_eq!(parts("a `b\nc` d").1, ["`b\nc`"]);
        assert_eq!(parts("A ``b``:\n\n    c\n\nand `d`").1, ["``b``", "    c\n", "`d`"]);
        assert_eq!(parts("```sh\necho a#b\ncurl http://x\n```").2, Vec::<&str>::new());
        assert_eq!(parts("```sql\nSELECT 1 -- why\n```").2, ["why"]);
        assert_eq!(parts("```html\n<!-- a\nb -->\n<p>\n```").2, ["a", "b"]);
        assert!(Code::of("x `y` z").holds(3) && !Code::of("x `y` z").holds(6));
    }
}
