//! The state machine: reads the text of one message in pieces, and sends stretches of it as soon as they are decided.
//!
//! Text is buffered only while a later byte could change its kind: behind an incomplete delimiter, behind an opening
//! tag that counts only if it is closed, behind a closing tag that may not be the last, and, with hindsight, from the
//! start to the first delimiter (behaviour.md, section 4, rule 7). The stretches do not depend on how the text is cut
//! into pieces.
//!
//! ADVICE: offsets inside this file are into `text`; `place.base` is how many bytes were sent and dropped before it.
//! Positions that outlast a call must be shifted in `compact`. A search that ends in "need more" must remember how far
//! it went (`wait`).

mod calls;
mod close;
mod delimiter;
mod fences;
mod flow;
mod implied;
mod inner;
mod messages;
mod others;
mod placeholder;
mod places;
mod stands;
mod state;
mod torn;
mod types;

use self::calls::OpenToolCall;
use self::state::{Beginnings, BlocksFound, CodePlaces, Messages, ScanPosition, VisibleText};
pub use self::types::{Beginning, Close, Delimiters, Inline, Moves, Note, Options, Scanned, Start, StretchKind};
use super::marks::{MarkHit, Tags};
use super::stand::Opens;
use super::thought::FenceMark;
use memchr::{memchr, memchr2};

#[derive(Clone, Copy, Debug)]
enum Mode {
    Visible,
    Block(OpenTagBlock),
    Call(OpenToolCall),
    /// In a message of another role.
    Other,
}

#[derive(Clone, Copy, Debug)]
struct OpenTagBlock {
    /// `None`: the opening tag is implied, and every row whose opening tag may be missing can close the block.
    row: Option<usize>,
    open: (usize, usize),
    depth: Depth,
    /// It counts only if it is closed: nothing of it is sent before that.
    tentative: bool,
    /// The last closing tag, where the block may end.
    close: Option<(usize, usize)>,
    /// The first tool marker, where the block may end.
    tool: Option<usize>,
    /// Its opening tag was sent.
    begun: bool,
    /// A delimiter was found in it.
    marked: bool,
    /// The suffix of its tag's name.
    suffix: u32,
    /// Its opening tag counts wherever it stands.
    sure: bool,
    /// How its opening tag stands, if that matters.
    opens: Option<Opens>,
    /// A closing tag that is only mentioned stands in it.
    mentions: bool,
    /// Set if its opening tag is not in the text: the offset where its last closing tag ends, which may not be the last
    /// one.
    implied: Option<u64>,
    others: OtherRows,
    /// Nothing but white space stands before it in the message.
    first: bool,
}

/// How many opening tags of a block have no closing one.
#[derive(Clone, Copy, Debug)]
struct Depth {
    all: usize,
    /// Those of them that only speak of the tag, as it seems.
    spoken: usize,
    /// The last closing tag only speaks of it, as it seems.
    closer: bool,
    /// The last closing tag stands in this fence of the reasoning.
    fence: Option<FenceMark>,
}

/// The tags of other rows in a block.
#[derive(Clone, Copy, Debug, Default)]
struct OtherRows {
    /// The rows whose opening tags stand in it, as bits.
    opened: u128,
    /// The first closing tag of another row, and whether it stands like one that is used: the block ends there if no closing
    /// tag of its own row follows.
    close: Option<((usize, usize), bool)>,
}

impl OpenTagBlock {
    fn new(row: Option<usize>, open: (usize, usize), tentative: bool) -> Self {
        Self {
            row,
            open,
            depth: Depth { all: 1, spoken: 0, closer: false, fence: None },
            tentative,
            close: None,
            tool: None,
            begun: false,
            marked: false,
            suffix: 0,
            sure: false,
            opens: None,
            mentions: false,
            implied: None,
            others: OtherRows::default(),
            first: false,
        }
    }

    /// Where the block may end.
    fn may_end(&self) -> Option<usize> {
        let other = self.others.close.filter(|(_, used)| *used).map(|(at, _)| at.0);
        self.close.map(|close| close.0).into_iter().chain(self.tool).chain(other).min()
    }
}

/// What must arrive before another search makes sense, and how far the last search went.
#[derive(Clone, Copy, Debug)]
enum Wait {
    Attributes(usize),
    Code { tick: bool, searched: usize },
}

/// Scans the text of one message. See the module's documentation.
pub struct TagScanner {
    tags: Tags,
    options: Options,
    text: Vec<u8>,
    place: ScanPosition,
    mode: Mode,
    wait: Option<Wait>,
    notes: Vec<Note>,
    start: Beginnings,
    code: CodePlaces,
    visible: VisibleText,
    blocks: BlocksFound,
    messages: Messages,
}

/// How many sent bytes are kept, to find a delimiter that a cut would put together: more than any exact delimiter has.
const MAX_RECENT_BYTES: usize = 64;

/// What to do after a delimiter.
enum Next {
    Go,
    Wait,
}

impl TagScanner {
    /// A scanner at the start of a message.
    pub fn new(tags: &Tags, options: Options) -> Self {
        let mode = match options.start {
            Start::Reasoning => Mode::Block(OpenTagBlock::new(None, (0, 0), false)),
            _ => Mode::Visible,
        };
        let mut blocks = BlocksFound::default();
        blocks.fences.begin(0);
        Self {
            tags: tags.clone(),
            options,
            text: Vec::new(),
            place: ScanPosition::default(),
            mode,
            wait: None,
            notes: Vec::new(),
            start: Beginnings { open: options.start == Start::Hindsight, ..Beginnings::default() },
            code: CodePlaces::default(),
            visible: VisibleText::default(),
            blocks,
            messages: Messages::default(),
        }
    }

    /// A scanner at the start of a message whose beginning is known.
    pub fn knowing(tags: &Tags, options: Options, beginning: Beginning, no_close_from: Option<u64>) -> Self {
        let mut scanner = Self::new(tags, options).no_close_behind(no_close_from);
        scanner.start.open = false;
        match beginning {
            Beginning::Visible => (),
            Beginning::Reasoning { .. } => scanner.start.implied = Some(beginning),
            Beginning::Undecided { at, doubt } => scanner.refuse_all(at, doubt),
        }
        scanner
    }

    /// Sets the offset from which on nothing can close a block, if that is known.
    pub(super) fn no_close_behind(mut self, no_close_from: Option<u64>) -> Self {
        self.blocks.closers.no_close_from = no_close_from;
        self
    }

    /// The same scanner for a first pass, if it has sent nothing: without text that only later stretches need.
    pub(super) fn ahead(mut self) -> Self {
        self.start.looks_ahead = true;
        self.release(&mut |_| ());
        self.compact();
        self
    }

    /// From here on, the message is known to have another place for reasoning; `moves`: what becomes of uncertain
    /// delimiters, if reasoning from there goes in front of the text.
    pub fn set_apart(&mut self, moves: Moves) {
        (self.options.apart, self.options.moves) = (true, moves);
    }

    /// What the text begins with, once that is known.
    pub fn beginning(&self) -> Option<Beginning> {
        let visible = (!self.start.open).then_some(Beginning::Visible);
        self.start.implied.or(visible)
    }

    /// How many bytes of the text are buffered.
    pub fn buffered(&self) -> usize {
        self.text.len()
    }

    /// Reads more text. Every stretch that it decides goes to `sink`, in order.
    pub fn feed(&mut self, text: &[u8], sink: &mut dyn FnMut(Scanned<'_>)) {
        self.text.extend_from_slice(text);
        self.run(false, sink);
    }

    /// Ends the message: the rest is decided.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Scanned<'_>)) {
        self.wait = None;
        loop {
            self.run(true, sink);
            if !self.end(sink) {
                break;
            }
        }
        self.visible(self.text.len(), sink);
        self.start.open = false;
    }

    /// Decides that the text so far is visible, unless a delimiter has decided: content follows that is not part of
    /// this text. If a closing tag comes first from now on, that is an error. White space that may stand before a delimiter is text.
    pub fn begins_visible(&mut self, sink: &mut dyn FnMut(Scanned<'_>)) {
        if self.tags.has_marker() {
            return;
        }
        match self.mode {
            Mode::Visible => (),
            Mode::Call(call) if self.start.open => self.visible(call.from, sink),
            Mode::Block(_) | Mode::Other | Mode::Call(_) => return,
        }
        if self.start.open {
            self.start.open = false;
            self.options.start = Start::Streaming;
        }
        let waits = matches!(self.mode, Mode::Visible) && self.visible.join.is_empty();
        if waits && self.text[self.place.scan..].trim_ascii().is_empty() {
            self.place.scan = self.text.len();
            // At the start, too, where a closing tag would take it.
            self.visible(self.place.scan, sink);
        }
        self.release(sink);
        self.compact();
    }

    /// The offset up to which everything was sent.
    pub fn decided(&self) -> u64 {
        self.place.base + self.place.out as u64
    }

    /// Whether the next text is in a block of reasoning, whatever follows, also if nobody has read ahead. It is no expression of
    /// a template.
    pub fn thinks(&self) -> bool {
        let block = matches!(self.mode, Mode::Block(block) if !block.tentative && block.may_end().is_none());
        let begins = matches!(self.mode, Mode::Visible) && self.visible.awaits_template;
        (block || begins) && self.wait.is_none() && !self.blocks.closers.foreseen
    }

    /// The notes since the last call.
    pub fn notes(&mut self) -> Vec<Note> {
        // The text before the first delimiter may turn out to be reasoning, in which a stray closing tag is nothing to
        // note.
        if self.start.open { Vec::new() } else { std::mem::take(&mut self.notes) }
    }

    fn run(&mut self, eof: bool, sink: &mut dyn FnMut(Scanned<'_>)) {
        if self.blocks.doubted {
            self.place.scan = self.text.len();
            self.release(sink);
            return self.compact();
        }
        if self.waits(eof) || !self.start.looks_ahead && !self.known_reasoning(eof, sink) {
            return;
        }
        if !self.visible.join.is_empty() && !self.joined(eof, sink) {
            return;
        }
        loop {
            if !self.start.examined && !self.begin(eof, sink) {
                break;
            }
            if let Mode::Call(call) = self.mode
                && let Some(close) = call.close
            {
                if self.span(call, close, eof, sink) {
                    continue;
                }
                break;
            }
            let Some(i) = self.tags.candidate(&self.text, self.place.scan, self.messages.prose) else {
                self.place.scan = self.text.len();
                break;
            };
            self.place.scan = i;
            match self.hit(i, eof) {
                MarkHit::No => self.place.scan = i + 1,
                MarkHit::Partial => break,
                MarkHit::Attributes => {
                    self.wait = Some(Wait::Attributes(self.text.len()));
                    break;
                }
                MarkHit::Yes(mark) => {
                    if let Next::Wait = self.mark(i, mark, eof, sink) {
                        break;
                    }
                    if self.blocks.doubted || !self.visible.join.is_empty() && !self.joined(eof, sink) {
                        break;
                    }
                }
            }
        }
        self.release(sink);
        self.compact();
    }

    /// The delimiter at `i`.
    fn hit(&self, i: usize, eof: bool) -> MarkHit {
        let prose = self.messages.prose.map_or(MarkHit::No, |row| self.tags.at_prose(&self.text, i, eof, row));
        if prose == MarkHit::No { self.tags.at(&self.text, i, eof) } else { prose }
    }

    /// Whether the bytes that a search waits for have not arrived.
    fn waits(&mut self, eof: bool) -> bool {
        let (from, found) = match self.wait {
            None => return false,
            Some(Wait::Attributes(from)) => (from, memchr2(b'<', b'>', &self.text[from..])),
            Some(Wait::Code { tick: true, searched }) => (searched, memchr2(b'`', b'\n', &self.text[searched..])),
            Some(Wait::Code { tick: false, searched }) => (searched, memchr(b'\n', &self.text[searched..])),
        };
        if found.is_some() || eof {
            self.wait = None;
            return false;
        }
        let all = self.text.len().max(from);
        match &mut self.wait {
            Some(Wait::Attributes(from)) => *from = all,
            Some(Wait::Code { searched, .. }) => *searched = all,
            None => (),
        }
        true
    }
}

fn bit(row: usize) -> u128 {
    1 << (row % Tags::MAX_ROWS)
}

fn remember(recent: &mut Vec<u8>, text: &[u8]) {
    let tail = &text[text.len().saturating_sub(MAX_RECENT_BYTES)..];
    let keep = MAX_RECENT_BYTES - tail.len();
    let from = recent.len().saturating_sub(keep);
    recent.drain(..from);
    recent.extend_from_slice(tail);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::tags::{Blocks, Unclosed};
    use crate::model::Role as Speaker;

    type Parts = Vec<(StretchKind, Vec<u8>, u64)>;

    /// Adds a stretch; runs of one part are put together.
    fn add(found: &mut Parts, f: &Scanned<'_>) {
        match found.last_mut() {
            Some((part, text, _))
                if *part == f.part
                    && !matches!(
                        part,
                        StretchKind::Open(_)
                            | StretchKind::Close
                            | StretchKind::Stray
                            | StretchKind::Header
                            | StretchKind::Structure
                            | StretchKind::Turn(_)
                    ) =>
            {
                text.extend_from_slice(f.text);
            }
            _ => found.push((f.part, f.text.to_vec(), f.at)),
        }
    }

    fn parts(text: &str, options: Options, piece: usize) -> String {
        let tags = Tags::default();
        let mut scanner = TagScanner::new(&tags, options);
        let mut found = Parts::new();
        let mut sink = |f: Scanned<'_>| add(&mut found, &f);
        for chunk in text.as_bytes().chunks(piece) {
            scanner.feed(chunk, &mut sink);
        }
        scanner.finish(&mut sink);
        assert_eq!(scanner.decided(), text.len() as u64);
        let whole: Vec<u8> = found.iter().flat_map(|(_, text, _)| text.clone()).collect();
        assert_eq!(whole, text.as_bytes(), "every byte comes out once");
        shown(&found)
    }

    /// `v` visible, `[` open, `r` reasoning, `]` close, `!` stray.
    fn shown(found: &Parts) -> String {
        let name = |part: &StretchKind| match part {
            StretchKind::Visible => "v",
            StretchKind::Mention => "m",
            StretchKind::Open(_) => "[",
            StretchKind::Reasoning => "r",
            StretchKind::Close => "]",
            StretchKind::Stray => "!",
            StretchKind::Refused => "x",
            StretchKind::Commentary => "c",
            StretchKind::Tool => "t",
            StretchKind::Header => "|",
            StretchKind::Structure => "#",
            StretchKind::Turn(Speaker::Assistant) => "A:",
            StretchKind::Turn(Speaker::User) => "U:",
            StretchKind::Turn(Speaker::System) => "S:",
            StretchKind::Turn(Speaker::Tool) => "T:",
        };
        let show = |(part, text, _): &(StretchKind, Vec<u8>, u64)| match part {
            StretchKind::Visible
            | StretchKind::Mention
            | StretchKind::Reasoning
            | StretchKind::Refused
            | StretchKind::Commentary
            | StretchKind::Tool => {
                format!("{}({})", name(part), String::from_utf8_lossy(text))
            }
            _ => name(part).to_string(),
        };
        found.iter().map(show).collect()
    }

    fn check(text: &str, options: Options, want: &str) {
        for piece in [usize::MAX, 1, 2, 3, 7] {
            assert_eq!(parts(text, options, piece), want, "{text:?} in pieces of {piece}");
        }
    }

    #[test]
    fn blocks() {
        for (text, want) in [
            ("", ""),
            ("a", "v(a)"),
            ("<think>r</think>a", "[r(r)]v(a)"),
            ("<think></think>a", "[]v(a)"),
            ("p <think>r</think> q", "v(p )[r(r)]v( q)"),
            ("<think>r</think>a<think>s</think>b", "[r(r)]v(a)[r(s)]v(b)"),
            ("<think>r<think>s</think>t</think>a", "[r(r<think>s</think>t)]v(a)"),
            ("<think><think>r</think>a", "[r(<think>r)]v(a)"),
            ("<think>r</think>a</think>b", "[r(r)]v(a)!v(b)"),
            ("<think>r", "[r(r)]"),
            ("<think>r</thi", "[r(r</thi)]"),
            ("a</thi", "v(a</thi)"),
            ("r</think>a", "[r(r)]v(a)"),
            ("</think>a", "[]v(a)"),
            ("r</think>a</think>b", "[r(r)]v(a)!v(b)"),
            ("a</thinking>b", "v(a)!v(b)"),
            ("x</thinking>r</think>a", "[r(x</thinking>r)]v(a)"),
            ("Use <think> so.", "x(Use <think> so.)"),
            ("Use `<think>` so.", "v(Use `<think>` so.)"),
            ("a\n<think>r", "v(a\n)[r(r)]"),
            ("`<think>`r</think>a", "[r(`<think>`r)]v(a)"),
            ("`</think>` a", "v(`</think>` a)"),
            ("```\n<think>\n```\na", "v(```\n<think>\n```\na)"),
            ("```\n<think>r", "x(```\n<think>r)"),
            ("\n    a <think>r", "v(\n    a <think>r)"),
            ("a\n    <think>r", "v(a\n    )[r(r)]"),
            ("<think>r<tool_call>{}", "[r(r)]v(<tool_call>{})"),
            ("<think>r<tool_call>{}</think>a", "[r(r<tool_call>{})]v(a)"),
            ("<think>r<reasoning>s</think>a</reasoning>b", "[r(r<reasoning>s)]v(a)!v(b)"),
            ("<REASONING>r", "v(<REASONING>r)"),
            ("a</REASONING>", "v(a</REASONING>)"),
            ("a <REASONING>r</REASONING> b", "v(a )[r(r)]v( b)"),
            ("<REASONING>r<REASONING>s</REASONING>a", "[r(r<REASONING>s)]v(a)"),
            ("x <think> y <reasoning>r</reasoning> z", "x(x <think> y <reasoning>r</reasoning> z)"),
            ("x \"<think>\" y", "v(x \"<think>\" y)"),
            ("<think>r</think>\n<answer>a</answer>b", "[r(r)]v(\n)!v(a)!v(b)"),
            ("<th</thinking>ink>x", "v(<th)!!v(x)"),
            ("<th<think>r</think>ink>x", "v(<th)[r(r)]!v(x)"),
            ("<think>r</think> <think>s", "[r(r)]v( )[r(s)]"),
            ("<<think>r</think>", "v(<)[r(r)]"),
            (
                "Use <tool_call>. <think>r</think> <tool_call>{}</tool_call>",
                "v(Use <tool_call>. )[r(r)]v( )t(<tool_call>{}</tool_call>)",
            ),
            (
                "<tool_call>{\"<tool_call> <think>\"}</tool_call>a",
                "t(<tool_call>{\"<tool_call> <think>\"}</tool_call>)v(a)",
            ),
            ("<tool_call>{\n<tool_call>{}</tool_call>a", "v(<tool_call>{\n)t(<tool_call>{}</tool_call>)v(a)"),
            (
                "<|channel|>final<|message|>a\n<think>\nr<|return|><|start|>user<|message|>q</think><|end|>",
                "|v(a\n)[r(\nr)]|U:#v(q</think>)#",
            ),
            ("<tool_call>◁/think▷a", "v(<tool_call>◁/think▷a)"),
            ("<tool_call></thinking><tool_call>", "v(<tool_call>)!v(<tool_call>)"),
            ("<tool_call>{\"<channel|><tool_call>[/THINK]", "[r(<tool_call>{\")]v(<tool_call>[/THINK])"),
            ("r◁/think▷a", "[r(r)]v(a)"),
            ("r</details>a", "v(r</details>a)"),
            (
                "<details type=\"reasoning\">\n<summary>s</summary>\nr<details>t</details></details>a</details>",
                "[r(r<details>t</details>)]v(a</details>)",
            ),
            ("a <details open>b</details>", "v(a <details open>b</details>)"),
            ("Thinking...\nr\n...done thinking.\n\na", "[r(r)]v(a)"),
            ("a\nThinking...\nr\n...done thinking.", "v(a\nThinking...\nr\n...done thinking.)"),
        ] {
            check(text, Options::default(), want);
        }
    }

    #[test]
    fn code_that_is_no_fence() {
        let kept = |text: &str| (text.to_string(), format!("v({text})"));
        let refused = |text: &str| (text.to_string(), format!("x({text})"));
        let other = |text: &str, want: &str| (text.to_string(), want.to_string());
        for (text, want) in [
            kept("a\n<pre>\n<think>\nr\n</think>\nb\n</pre>\nc"),
            kept("a\n<div><PRE class=\"x\">\n<think>r</think>\n</code></pre>\nc"),
            kept("cat <<'EOF'\n<think>\nr\n</think>\nEOF\nc"),
            kept("$x = <<<XML\n<think>\nr\n</think>\nXML;\nc"),
            kept("a::\n\n  b\n\n  <think>\n  r\n  </think>\n\nc"),
            kept(".. code-block:: xml\n   :linenos:\n\n   <think>r</think>\nc"),
            kept("[source,xml]\n.T\n----\n<think>\nr\n</think>\n----\nc"),
            kept("#+BEGIN_SRC xml\n<think>\nr\n</think>\n#+END_SRC\n"),
            refused("a\n\n----\n<think>\nr\n</think>\n----\nc"),
            refused("<a><![CDATA[\n<think>\nr\n</think>\n]]></a>"),
            refused("a:\n  b: |\n    <think>\n    r\n    </think>\n"),
            refused("b: >-\n    c\n\n    <think>\n    r\n    </think>\n"),
            refused("r\n<pre>\n</think>\na\n</pre>\n"),
            refused("a\n<pre>\n<think>\nr </pre>\n</think>\nb\n"),
            refused("a\n<pre>\n<think>\nr\n</think>\nb\n<pre>\nc\n</pre>\n"),
            refused("a\n<pre>\n<think>\nr\n</think>\nb </pre> c\n"),
            refused("return (\n  <Thinking>\n    a\n  </Thinking>\n);"),
            refused("@@ -1 +1,2 @@\n a\n-<think>r</think>b\n"),
            refused("a\n> r … </think>\n> b\n"),
            other("> r … </think>\n> b\n", "[r(> r … )]v(\n> b\n)"),
            other("<pre>\n<think>r</think>a", "v(<pre>\n)[r(r)]v(a)"),
            other("a\n<pre>x</pre>\n<think>r</think>b</pre>", "v(a\n<pre>x</pre>\n)[r(r)]v(b</pre>)"),
            other("cat <<EOF\n<think>r</think>a\nEOF x", "v(cat <<EOF\n)[r(r)]v(a\nEOF x)"),
            other("a::\n<think>r</think>b", "v(a::\n)[r(r)]v(b)"),
            other(".. note::\n\n   <think>r</think>b", "v(.. note::\n\n   )[r(r)]v(b)"),
            other("a\n\n----\n\n<think>r</think>b\n\n----\n", "v(a\n\n----\n\n)[r(r)]v(b\n\n----\n)"),
            other("b: |\n  c\n<think>r</think>d", "v(b: |\n  c\n)[r(r)]v(d)"),
            other("A\n----\n<think>r</think>b\n----\n", "v(A\n----\n)[r(r)]v(b\n----\n)"),
        ] {
            check(&text, Options::default(), &want);
        }
    }

    #[test]
    fn fences_in_reasoning() {
        for (text, want) in [
            ("<think>\n```\nx\n</think>\n```\ns\n</think>a", "[r(\n```\nx\n</think>\n```\ns\n)]v(a)"),
            ("<think>\n````\n```\n</think>\n````\ns</think>a", "[r(\n````\n```\n</think>\n````\ns)]v(a)"),
            ("<think>\n~~~\n</think>\n~~~\ns</think>a", "[r(\n~~~\n</think>\n~~~\ns)]v(a)"),
            ("<think>\n```\n<think>\n```\ns</think>a `</think>`", "[r(\n```\n<think>\n```\ns)]v(a `</think>`)"),
            ("<think>\n```\n</thought>\nx\n```\ns</think>a", "[r(\n```\n</thought>\nx\n```\ns)]v(a)"),
            // The fence was never closed.
            ("<think>\n```\n</think>a", "[r(\n```\n)]v(a)"),
            ("<think>\n```\n</think>\na\n```py\nb\n```\n", "[r(\n```\n)]v(\na\n```py\nb\n```\n)"),
            ("<think>\n```\n</think>a\n```\nb\n```\n", "[r(\n```\n)]v(a\n```\nb\n```\n)"),
            ("<think>\n```\n</think>a\n```\nb\n```\n<think>r</think>c", "[r(\n```\n)]v(a\n```\nb\n```\n)[r(r)]v(c)"),
        ] {
            check(text, Options::default(), want);
        }
        let tags = Tags::default();
        for (text, want) in [("<think>\n```\n</think>a\n```\ns", 1), ("<think>\n```\n</think>a\n```\ns</think>", 0)] {
            let mut scanner = TagScanner::new(&tags, Options::default());
            scanner.feed(text.as_bytes(), &mut |_| ());
            scanner.finish(&mut |_| ());
            let doubts = scanner.notes().iter().filter(|note| matches!(note, Note::Undecided { .. })).count();
            assert_eq!(doubts, want, "{text}");
        }
    }

    #[test]
    fn tags_in_sentences() {
        for (text, want) in [
            ("Both <think> and </think> are.", "v(Both <think> and </think> are.)"),
            ("Pairs (<think>, </think>) of.", "v(Pairs (<think>, </think>) of.)"),
            ("Zwischen <think> und </think> ist.", "v(Zwischen <think> und </think> ist.)"),
            ("so <think> andy </think> is", "x(so <think> andy </think> is)"),
            ("The **<think>** tag.", "v(The **<think>** tag.)"),
            ("It is *<think>* and __</think>__ there.", "v(It is *<think>* and __</think>__ there.)"),
            ("So **<think>**\nr\n**</think>**", "x(So **<think>**\nr\n**</think>**)"),
            ("So. **<think>** r **</think>** A", "x(So. **<think>** r **</think>** A)"),
            ("The **<think>** tag.\n<think>\nr\n</think>a", "x(The **<think>** tag.\n<think>\nr\n</think>a)"),
        ] {
            check(text, Options::default(), want);
        }
    }

    #[test]
    fn phrases() {
        for (text, want) in [
            ("Thinking...\r\nr\r\n...done thinking.\r\n\r\na", "[r(r)]v(a)"),
            ("Thinking... a", "v(Thinking... a)"),
            ("Reasoning:\nThinking...\nr\n...done thinking.\na", "v(Reasoning:\nThinking...\nr\n...done thinking.\na)"),
            ("**Reasoning:** Here is my thought process: r Here is my response: a", "v(**Reasoning:** )[r( r )]v( a)"),
            ("Answer: Here is my thought process: a", "v(Answer: Here is my thought process: a)"),
            ("Answer: a", "v(Answer: a)"),
        ] {
            check(text, Options::default(), want);
        }
    }

    #[test]
    fn options() {
        let streaming = Options { start: Start::Streaming, ..Options::default() };
        let reasoning = Options { start: Start::Reasoning, ..Options::default() };
        let first = Options { close: Close::First, ..Options::default() };
        let last = Options { close: Close::Last, ..Options::default() };
        let visible = Options { unclosed: Some(Unclosed::Visible), ..Options::default() };
        let error = Options { unclosed: Some(Unclosed::Error), ..Options::default() };
        let seeded = Options { start: Start::Reasoning, ..error };
        let kept = Options { unclosed: Some(Unclosed::Reasoning), ..Options::default() };
        let all = Options { blocks: Some(Blocks::All), ..Options::default() };
        for (options, text, want) in [
            (streaming, "r</think>a", "v(r)!v(a)"),
            (streaming, "<think>r</think>a", "[r(r)]v(a)"),
            (streaming, "\n</think>a</think>b", "[r(\n)]v(a)!v(b)"),
            (streaming, &format!("{}</think>a", " ".repeat(65)), &format!("v({})[]v(a)", " ".repeat(65))),
            (streaming, "x <|end|> y <|end|>\n", "v(x <|end|> y )#v(\n)"),
            (reasoning, "r</think>a", "[r(r)]v(a)"),
            (reasoning, " <think>r</think>a", "v( )[r(r)]v(a)"),
            (reasoning, "r", "[r(r)]"),
            (reasoning, "r <think> s</think>t</think>a", "[r(r <think> s</think>t)]v(a)"),
            (first, "<think>r<think>s</think>t</think>a", "[r(r<think>s)]v(t)!v(a)"),
            (last, "<think>r</think>s</think>a", "[r(r</think>s)]v(a)"),
            (last, "r</think>a", "[r(r)]v(a)"),
            (last, "r</think>s</think>a", "[r(r</think>s)]v(a)"),
            (last, "r</think>s<think>t</think>a", "[r(r</think>s<think>t)]v(a)"),
            (last, "x</thought>r</think>s</thought>a", "[r(x</thought>r)]v(s)!v(a)"),
            (
                last,
                "r `</think>` s\n```\n</think>\n```\nt</think>a<think>b",
                "[r(r `</think>` s\n```\n</think>\n```\nt)]v(a)[r(b)]",
            ),
            (last, "r<think>s</think>t</think>a", "v(r)[r(s</think>t)]v(a)"),
            (last, "a", "v(a)"),
            (visible, "<think>a", "v(<think>a)"),
            (kept, "a<REASONING>r", "v(a)[r(r)]"),
            (error, "a\n<think>r", "v(a\n)x(<think>r)"),
            (seeded, "r", "x(r)"),
            (seeded, "<think>r", "x(<think>r)"),
            (seeded, " <think>r</think>a", "v( )[r(r)]v(a)"),
            (reasoning, " to=self<|message|>r<|eom|> to=user<|message|>a<|eot|>", "[][r(r)]|v(a)|"),
            (all, "<REASONING>r</REASONING>a<REASONING>s</REASONING>b", "[r(r)]v(a)[r(s)]v(b)"),
        ] {
            check(text, options, want);
        }
    }

    #[test]
    fn what_follows_decides_that_a_text_begins_visible() {
        for (before, now, behind, rest) in [
            ("", "", "a", "v(a)"),
            ("x", "v(x)", "y", "v(y)"),
            ("x", "v(x)", "r</think>b", "v(r)!v(b)"),
            ("x", "v(x)", "<think>r</think>b", "[r(r)]v(b)"),
            (" ", "v( )", "</think>b", "[]v(b)"),
            ("a <thi", "v(a )", "nk>r</think>b", "[r(r)]v(b)"),
            ("x</thinking>y", "v(x)!v(y)", "</think>z", "!v(z)"),
            ("a<tool_call>{", "v(a)", "}</tool_call>b", "t(<tool_call>{}</tool_call>)v(b)"),
            ("<think>r", "[r(r)", "s</think>b", "r(s)]v(b)"),
            ("r</think>x", "[r(r)]v(x)", "b</think>c", "v(b)!v(c)"),
        ] {
            let tags = Tags::default();
            let mut scanner = TagScanner::new(&tags, Options::default());
            let mut found = Parts::new();
            scanner.feed(before.as_bytes(), &mut |f| add(&mut found, &f));
            scanner.begins_visible(&mut |f| add(&mut found, &f));
            assert_eq!(shown(&found), now, "{before:?}");
            found.clear();
            scanner.feed(behind.as_bytes(), &mut |f| add(&mut found, &f));
            scanner.finish(&mut |f| add(&mut found, &f));
            assert_eq!(shown(&found), rest, "{behind:?} behind {before:?}");
        }
    }

    #[test]
    fn notes_say_what_was_removed() {
        let tags = Tags::default();
        let notes = |text: &str, options: Options| {
            let mut scanner = TagScanner::new(&tags, options);
            scanner.feed(text.as_bytes(), &mut |_| ());
            scanner.finish(&mut |_| ());
            scanner.notes()
        };
        let streaming = Options { start: Start::Streaming, ..Options::default() };
        let error = Options { unclosed: Some(Unclosed::Error), ..Options::default() };
        assert_eq!(notes("r</think>a", streaming), [Note::LateClose(1)]);
        assert_eq!(notes("a</thinking>b", Options::default()), [Note::Stray(11)]);
        assert_eq!(notes("<think>r", Options::default()), [Note::Unclosed(8)]);
        assert_eq!(notes("a\n<think>r", Options::default()), [Note::Unclosed(8)]);
        assert_eq!(notes("r</think>a", Options::default()), [Note::Unopened(9)]);
        assert_eq!(notes("<think>r", error), [Note::UnclosedError(0)]);
        let (at, doubt, passed) = (2, crate::inline::scanner::types::Doubt::Sentence, false);
        assert_eq!(notes("a <think> b", error), [Note::Undecided { at, doubt, passed }]);
        assert_eq!(notes("<think>r</think>a", error), []);
    }

    #[test]
    fn every_row_proves_itself() {
        for row in crate::inline::TAGS {
            assert!(!row.examples.is_empty(), "{} has no examples", row.name);
            for (text, want) in row.examples.iter() {
                // A row that is not in force by itself is tested alone.
                let tags = if row.default { Tags::default() } else { Tags::new(vec![row.clone()]) };
                let (mut visible, mut cut) = (Vec::new(), false);
                let mut scanner = TagScanner::new(&tags, Options::default());
                let mut sink = |f: Scanned<'_>| match f.part {
                    StretchKind::Visible | StretchKind::Commentary | StretchKind::Tool => {
                        visible.extend_from_slice(f.text)
                    }
                    _ => cut = true,
                };
                text.as_bytes().chunks(1).for_each(|c| scanner.feed(c, &mut sink));
                scanner.finish(&mut sink);
                let visible = String::from_utf8(visible).unwrap();
                let visible = if cut { visible.trim() } else { &visible };
                assert_eq!(visible, *want, "row {}: {text}", row.name);
            }
        }
    }
}
