//! The postprocessing split (behaviour.md, section 11.4): the text of a message becomes words of its reasoning, its
//! answer and its commentary, each sent as soon as it is settled.
//!
//! The output does not depend on how the text was cut into pieces: a word is sent, with the white space before it, when
//! it ends. Before that, service tokens are removed (`service`), runs of the same white space become one (`words`),
//! copies of the words before are removed (`ngram`), and reasoning beyond the limit becomes answer. With
//! [`PostprocOptions::process`] unset, the words stay as they are.
//!
//! Reasoning of a second source (a field beside tags, or beside another field) may be a copy: it waits until the
//! message is over, and is sent then unless it is one.

mod chars;
mod ngram;
mod service;
mod stream;
pub(crate) mod types;
mod words;

pub use types::{Channel, PostprocInput, PostprocOptions, PostprocOutput, PostprocSummary, Process};

use crate::check;
use crate::model::copies::{Copies, CopyFate};
use crate::model::{PieceKind, Source};
use stream::Stream;
use words::Word;

/// The side of the message that a text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Reasoning,
    Answer,
    Commentary,
    Call,
}

type WordSink<'a> = &'a mut dyn FnMut(PostprocOutput<'_>);

/// Processes one message.
#[derive(Debug)]
pub struct Postproc {
    options: PostprocOptions,
    reasoning: Stream,
    answer: Stream,
    commentary: Stream,
    side: Option<Side>,
    /// The token limit is reached, so that reasoning becomes answer; and the last words of the answer were such
    /// reasoning.
    forced: bool,
    overflow: bool,
    /// Something was cut from the answer's text.
    cut: bool,
    /// The open block of reasoning stands in the answer's text.
    inline: bool,
    /// The last piece was commentary.
    commenting: bool,
    call: Vec<u8>,
    reasoned: Reasoned,
}

/// The reasoning so far.
#[derive(Debug, Default)]
struct Reasoned {
    /// The source whose reasoning is sent as it comes.
    source: Option<Source>,
    /// What the sources have in common.
    copies: Copies,
    /// Its next text begins a block.
    begins: bool,
    /// Where its thoughts begin in the text that is sent.
    thoughts: Vec<usize>,
    /// The blocks of other sources.
    late: Vec<Late>,
}

/// Reasoning that waits, since it may be a copy.
#[derive(Debug)]
struct Late {
    source: Source,
    inline: bool,
    blocks: Vec<Vec<u8>>,
}

/// Stands for all sources in the answer's text, which count as one.
const INLINE: Source = "inline";

impl Postproc {
    /// A message begins.
    pub fn new(options: &PostprocOptions) -> Self {
        let process = options.process.as_ref();
        Self {
            reasoning: Stream::new(process, true),
            answer: Stream::new(process, true),
            commentary: Stream::new(process, false),
            options: options.clone(),
            side: None,
            forced: false,
            overflow: false,
            cut: false,
            inline: false,
            commenting: false,
            call: Vec::new(),
            reasoned: Reasoned::default(),
        }
    }

    /// Reads a stretch of the message. The output that it settles goes to `to`.
    pub fn feed(&mut self, input: &PostprocInput<'_>, to: WordSink<'_>) {
        let kind = input.kind;
        match kind {
            PieceKind::Redacted => (),
            PieceKind::NextItem => {
                self.send_late(to);
                self.reasoned.source = None;
            }
            PieceKind::Visible | PieceKind::Mention | PieceKind::Gap => self.visible(input, to),
            PieceKind::Commentary => self.comment(input, to),
            PieceKind::Tool => {
                self.turn(Side::Call, to);
                self.call.extend_from_slice(input.text);
                if input.whole {
                    self.call_over(to);
                }
            }
            PieceKind::Delimiter | PieceKind::Stray | PieceKind::Frame | PieceKind::Structure => self.cut(kind, to),
            PieceKind::Reasoning(source) => self.reasoning(source, input, to),
            PieceKind::Void(_) | PieceKind::Refused | PieceKind::Seal | PieceKind::Call | PieceKind::Turn(_) => (),
        }
        if !matches!(input.kind, PieceKind::Delimiter | PieceKind::Stray | PieceKind::Void(_) | PieceKind::NextItem) {
            self.commenting = input.kind == PieceKind::Commentary;
        }
    }

    /// The message is over.
    pub fn finish(mut self, to: WordSink<'_>) -> PostprocSummary {
        self.close(to);
        self.send_late(to);
        let rest = self.answer.words.lead();
        if !self.cut && !rest.is_empty() {
            self.send(vec![Word { text: rest, ..Word::default() }], to);
        }
        let (reasoning, answer) = (self.reasoning.text, self.answer.text);
        let starts = self.reasoned.thoughts;
        let ends = starts.iter().skip(1).copied().chain([reasoning.len()]);
        let thoughts = starts.iter().zip(ends).map(|(start, end)| &reasoning[*start..end]);
        let leaked = self.options.leaks && check::is_leaked(thoughts, &answer);
        PostprocSummary {
            leaked,
            reasoning_tokens: self.reasoning.tokens,
            final_tokens: self.answer.tokens,
            commentary: self.commentary.text,
            reasoning,
            answer,
        }
    }

    fn visible(&mut self, input: &PostprocInput<'_>, to: WordSink<'_>) {
        self.turn(Side::Answer, to);
        if input.fresh {
            let words = self.answer.end();
            self.answer(words, to);
            self.answer.words.line(&mut Vec::new());
        }
        let words = self.answer.feed(input.text);
        self.answer(words, to);
    }

    /// Reads a delimiter, and ends the text before it.
    fn cut(&mut self, kind: PieceKind, to: WordSink<'_>) {
        match (kind, self.side) {
            (PieceKind::Delimiter, Some(Side::Reasoning))
            | (PieceKind::Frame | PieceKind::Structure, Some(Side::Commentary)) => {
                self.close(to);
            }
            (PieceKind::Frame | PieceKind::Structure, Some(Side::Answer)) => {
                let words = self.answer.end();
                self.answer(words, to);
            }
            _ => (),
        }
        self.cut = true;
        self.answer.words.cut();
    }

    fn comment(&mut self, input: &PostprocInput<'_>, to: WordSink<'_>) {
        let apart = self.options.apart;
        match apart {
            true => self.turn(Side::Commentary, to),
            false => self.visible(input, to),
        }
        let mut quiet = |_: PostprocOutput<'_>| ();
        let to: WordSink<'_> = if apart { to } else { &mut quiet };
        if input.fresh || !self.commenting {
            let words = self.commentary.end();
            self.comments(&words, to);
            self.commentary.words.trim(&mut Vec::new());
            self.commentary.words.block("\n", true, &mut Vec::new());
        }
        let words = self.commentary.feed(input.text);
        self.comments(&words, to);
    }

    /// Turns to another side of the message, and ends the text of the side before.
    fn turn(&mut self, side: Side, to: WordSink<'_>) {
        if self.side != Some(side) {
            self.close(to);
            self.side = Some(side);
        }
    }

    fn close(&mut self, to: WordSink<'_>) {
        match self.side.take() {
            Some(Side::Answer) => self.answer_over(to),
            Some(Side::Reasoning) => self.block_over(to),
            Some(Side::Commentary) => {
                let words = self.commentary.end();
                self.comments(&words, to);
            }
            Some(Side::Call) => self.call_over(to),
            None => (),
        }
        if !self.options.apart {
            let words = self.commentary.end();
            self.comments(&words, &mut |_| ());
        }
        if std::mem::take(&mut self.overflow) {
            self.answer_over(to);
            self.answer.words.line(&mut Vec::new());
        }
    }

    /// Ends a block of reasoning, or what may be one.
    fn block_over(&mut self, to: WordSink<'_>) {
        let words = self.reasoning.end();
        self.think(words, to);
        let mut words = Vec::new();
        self.reasoning.waiting(&mut words);
        self.capped(words, to);
        if self.inline {
            return self.reasoning.words.trim(&mut Vec::new());
        }
        let text = self.reasoning.words.lead();
        if !text.is_empty() && !self.forced {
            self.capped(vec![Word { text, ..Word::default() }], to);
        }
    }

    fn call_over(&mut self, to: WordSink<'_>) {
        if self.call.is_empty() {
            return;
        }
        let call = std::mem::take(&mut self.call);
        if self.options.apart {
            to(PostprocOutput::Call(&call));
            self.cut = true;
            return self.answer.words.apart();
        }
        let mut text = self.answer.words.lead();
        let at = text.len();
        text.push_str(&String::from_utf8_lossy(&call));
        self.answer.tokens += text.split_whitespace().count() as u64;
        self.answer.words.others();
        self.send(vec![Word { text, at, ..Word::default() }], to);
    }

    fn reasoning(&mut self, source: Source, input: &PostprocInput<'_>, to: WordSink<'_>) {
        let source = if input.inline { INLINE } else { source };
        self.reasoned.copies.piece(source, input.fresh, input.text);
        if self.reasoned.source == Some(source) {
            // A block without text does not count beside one with text.
            self.reasoned.begins |= input.fresh;
            if input.text.is_empty() {
                return;
            }
            let fresh = std::mem::take(&mut self.reasoned.begins);
            return self.reason(&PostprocInput { fresh, ..*input }, to);
        }
        let at = self.reasoned.late.iter().position(|late| late.source == source).unwrap_or_else(|| {
            self.reasoned.late.push(Late { source, inline: input.inline, blocks: Vec::new() });
            self.reasoned.late.len() - 1
        });
        let blocks = &mut self.reasoned.late[at].blocks;
        match blocks.last_mut() {
            Some(block) if !input.fresh => block.extend_from_slice(input.text),
            _ => blocks.push(input.text.to_vec()),
        }
        // The first source with text is sent as it comes.
        if self.reasoned.source.is_none() && self.reasoned.copies.has_text() {
            self.reasoned.source = Some(source);
            for block in self.reasoned.late.remove(at).blocks.into_iter().filter(|block| !block.is_empty()) {
                self.reason(&PostprocInput { fresh: true, text: &block, ..*input }, to);
            }
        }
    }

    fn reason(&mut self, input: &PostprocInput<'_>, to: WordSink<'_>) {
        self.turn(Side::Reasoning, to);
        if input.fresh {
            self.block_over(to);
            self.inline = input.inline;
            self.reasoned.thoughts.push(self.reasoning.text.len());
            self.reasoning.words.block(&self.options.join, input.inline, &mut Vec::new());
        }
        let words = self.reasoning.feed(input.text);
        self.think(words, to);
    }

    /// Sends the reasoning of the other sources, as far as it counts.
    fn send_late(&mut self, to: WordSink<'_>) {
        let copies = std::mem::take(&mut self.reasoned.copies);
        for late in std::mem::take(&mut self.reasoned.late) {
            if !copies.has_text() || copies.fate(late.source, self.reasoned.source) != CopyFate::Counts {
                continue;
            }
            for text in late.blocks.iter().filter(|block| !block.is_empty()) {
                let (kind, inline) = (PieceKind::Reasoning(late.source), late.inline);
                self.reason(&PostprocInput { kind, fresh: true, inline, whole: false, text }, to);
            }
        }
        self.close(to);
    }

    /// Reads words of reasoning. The guard gets one at a time, since it must not get those behind the limit.
    fn think(&mut self, words: Vec<Word>, to: WordSink<'_>) {
        let mut decided = Vec::new();
        let mut words = words.into_iter();
        while !self.forced
            && let Some(word) = words.next()
        {
            self.reasoning.guard(word, &mut decided);
            self.capped(std::mem::take(&mut decided), to);
        }
        self.overflow(words.collect(), to);
    }

    /// Sends words of reasoning that passed the guard. At the limit, reasoning ends for good, and its guard with it:
    /// all further words become answer, where nothing is a copy of reasoning.
    fn capped(&mut self, mut words: Vec<Word>, to: WordSink<'_>) {
        let most = self.options.process.as_ref().map_or(u64::MAX, |process| process.max_tokens);
        let over = |word: &Word, count: u64| word.begins && !word.copy && count >= most;
        for at in 0..words.len() {
            let word = &words[at];
            if over(word, self.reasoning.tokens) {
                self.forced = true;
                let mut rest = words.split_off(at);
                self.reasoning.waiting(&mut rest);
                return self.overflow(rest, to);
            }
            if !word.copy {
                self.reasoning.add(word);
                to(PostprocOutput::Text(Channel::Analysis, &word.text));
            }
        }
    }

    /// Sends reasoning behind the limit as answer.
    fn overflow(&mut self, mut words: Vec<Word>, to: WordSink<'_>) {
        if let Some(first) = words.first_mut().filter(|_| !self.overflow) {
            (self.overflow, self.cut) = (true, true);
            self.answer.words.line(&mut Vec::new());
            let lead = self.answer.words.lead();
            first.text.replace_range(..first.at, &lead);
            (first.at, first.begins) = (lead.len(), true);
            self.answer.words.others();
        }
        self.answer(words, to);
    }

    /// Reads words of the answer.
    fn answer(&mut self, words: Vec<Word>, to: WordSink<'_>) {
        let mut out = Vec::with_capacity(words.len());
        for word in words {
            self.answer.guard(Word { copy: false, ..word }, &mut out);
        }
        self.send(out, to);
    }

    /// Ends a stretch of the answer.
    fn answer_over(&mut self, to: WordSink<'_>) {
        let words = self.answer.end();
        self.answer(words, to);
        let mut words = Vec::new();
        self.answer.waiting(&mut words);
        self.send(words, to);
    }

    /// Sends words that are decided.
    fn send(&mut self, words: Vec<Word>, to: WordSink<'_>) {
        for word in words.iter().filter(|word| !word.copy) {
            self.answer.add(word);
            to(PostprocOutput::Text(Channel::Delta, &word.text));
        }
    }

    fn comments(&mut self, words: &[Word], to: WordSink<'_>) {
        for word in words {
            self.commentary.add(word);
            to(PostprocOutput::Text(Channel::Commentary, &word.text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process() -> Process {
        Process { max_tokens: 6, n: 3, window: 128, collapse: true }
    }

    /// `r:` reasoning in tags, `f:` in a field, `g:` in another, `v:` visible, `n:` another visible text, `c:`
    /// commentary, `t:` a tool call, `@` a delimiter. What comes out: words of each in order, and the summary.
    fn process_parts(parts: &[&str], options: &PostprocOptions, piece: usize) -> (Vec<String>, PostprocSummary) {
        let mut out = Vec::new();
        let mut to = |output: PostprocOutput<'_>| {
            out.push(match output {
                PostprocOutput::Text(Channel::Analysis, text) => format!("r{text}"),
                PostprocOutput::Text(Channel::Delta, text) => format!("v{text}"),
                PostprocOutput::Text(Channel::Commentary, text) => format!("c{text}"),
                PostprocOutput::Call(call) => format!("t{}", String::from_utf8_lossy(call)),
            });
        };
        let mut message = Postproc::new(options);
        for part in parts {
            let (name, text) = part.split_at(part.len().min(2));
            let (kind, mut fresh) = match name {
                "r:" => (PieceKind::Reasoning("tags"), true),
                "f:" => (PieceKind::Reasoning("f"), true),
                "g:" => (PieceKind::Reasoning("g"), true),
                "v:" => (PieceKind::Visible, false),
                "n:" => (PieceKind::Visible, true),
                "c:" => (PieceKind::Commentary, false),
                "t:" => (PieceKind::Tool, false),
                _ => (PieceKind::Delimiter, false),
            };
            let inline = name == "r:";
            let chunks: Vec<&[u8]> = match text.len() {
                0 => vec![b""],
                _ => text.as_bytes().chunks(piece.min(text.len())).collect(),
            };
            for text in chunks {
                message.feed(&PostprocInput { kind, fresh, inline, whole: false, text }, &mut to);
                fresh = false;
            }
            if kind == PieceKind::Tool {
                message.feed(&PostprocInput { kind, fresh, inline, whole: true, text: b"" }, &mut to);
            }
        }
        let summary = message.finish(&mut to);
        (out, summary)
    }

    fn check(parts: &[&str], options: &PostprocOptions, want: &str) -> PostprocSummary {
        let (out, whole) = process_parts(parts, options, usize::MAX);
        assert_eq!(out.join("|"), want, "{parts:?}");
        for piece in [1, 2, 3] {
            assert_eq!(
                process_parts(parts, options, piece),
                (out.clone(), whole.clone()),
                "{parts:?} in pieces of {piece}"
            );
        }
        let of = |name: char| out.iter().filter_map(|output| output.strip_prefix(name)).collect::<String>();
        if options.apart {
            assert_eq!(whole.reasoning, of('r'), "{parts:?}");
            assert_eq!(whole.answer, of('v'), "{parts:?}");
            assert_eq!(whole.commentary, of('c'), "{parts:?}");
            assert_eq!(whole.reasoning_tokens as usize, whole.reasoning.split_whitespace().count(), "{parts:?}");
            assert_eq!(whole.final_tokens as usize, whole.answer.split_whitespace().count(), "{parts:?}");
        }
        whole
    }

    fn options(process: Option<Process>) -> PostprocOptions {
        PostprocOptions { process, leaks: true, apart: true, join: "\n".into() }
    }

    #[test]
    fn messages() {
        let plain = options(None);
        for (parts, want) in [
            (&["v:a b"][..], "va|v b"),
            (&["v: a  b \n"], "v a|v  b|v \n"),
            (&["r: x y\n", "@", "v:\n\na b\n"], "rx|r y|va|v b"),
            (&["v: a ", "r:x", "@", "v: b\n"], "v a|rx|v  b"),
            (&["v:a", "r:x", "@", "v:b"], "va|rx|vb"),
            (&["v:a", "@", "v:b c"], "vab|v c"),
            (&["r:x", "@", "r: y ", "@", "v:a"], "rx|r\ny|va"),
            (&["f: x ", "v:\na"], "r x|r |v\na"),
            (&["f:x", "g:x ", "v:a"], "rx|va"),
            (&["f:x", "g:y z", "v:a"], "rx|va|r\ny|r z"),
            (&["f: ", "g:y", "v:a"], "ry|va"),
            (&["v:a", "f:y"], "va|ry"),
            (&["@", "v:a", "@", "n:b"], "va|v\nb"),
            (&["c: so ", "@", "n:b"], "cso|vb"),
            (&["v:a", "@", "c:so", "@", "n:b"], "va|cso|v\nb"),
            (&["v:a", "t:{}", "t:[]", "v:b ", "v:c\n"], "va|t{}|t[]|v\nb|v c"),
            (&["v:a ", "t:{}", "v:b"], "va|t{}|v b"),
            (&["r:\n", "@", "v:a"], "va"),
        ] {
            check(parts, &plain, want);
        }
        let processed = options(Some(process()));
        for (parts, want) in [
            (&["v:a  b \n\n c<|end|>d|final\n"][..], "va|v b|v \n cd|v\n"),
            (&["v:go go go go go on"], "vgo|v go|v go|v on"),
            (&["r:1 2 3 4 5 6 7  8", "@", "v:\na"], "r1|r 2|r 3|r 4|r 5|r 6|v7|v 8|v\na"),
            (&["v:z", "r:1 2 3 4 5 6 7", "@", "r:8", "@"], "vz|r1|r 2|r 3|r 4|r 5|r 6|v\n7|v\n8"),
            (&["r:a b c a b c a b x", "@", "v:a"], "ra|r b|r c|r a|r b|r x|va"),
            (&["t:<|x|>  y"], "t<|x|>  y"),
        ] {
            check(parts, &processed, want);
        }
        let none = options(Some(Process { max_tokens: 0, ..process() }));
        check(&["r:1 2", "@", "v:a"], &none, "v1|v 2|v\na");
        let together = PostprocOptions { apart: false, ..options(Some(process())) };
        let whole = check(&["c:so  so", "t:{  }", "n:b"], &together, "vso|v so|v{  }|v\nb");
        assert_eq!(whole.commentary, "so so");
    }

    #[test]
    fn leaks() {
        let leaked =
            |parts: &[&str]| process_parts(parts, &options(Some(Process { max_tokens: 99, ..process() })), 7).1.leaked;
        assert!(leaked(&["r:I must not say that it is empty.", "@", "v:So I must not say that it is so."]));
        assert!(!leaked(&["r:I must not say that it is empty.", "@", "v:It is full."]));
        let forced = options(Some(Process { max_tokens: 0, ..process() }));
        assert!(!super::tests::process_parts(&["r:I must not say that it is empty.", "@"], &forced, 7).1.leaked);
    }
}
