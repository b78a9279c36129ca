//! What the fuzz targets check. Each takes any bytes and panics when a law is broken.

use std::cell::RefCell;
use std::rc::Rc;
use unthink::internals::check::{RuleOptions, RuleFinding, RULES};
use unthink::internals::dialect::{Conversion, FACT_TEXTS, Foreign, Hindsight, Pass, ReadOptions, WriteOptions, find};
use unthink::internals::engine::{Engine, EngineOptions, Problem};
use unthink::internals::error::ErrorKind;
use unthink::internals::frame::{Framer, Framing, FrameKind, FrameStep, sse};
use unthink::internals::inline::{Scanned, Options, StretchKind, TagScanner, Tags};
use unthink::internals::check::Check;
use unthink::internals::show::{Draw, DrawOptions};
use unthink::internals::convert::Emit;
use unthink::internals::split::{Events, EventsOptions, Metrics, Report, ReportOptions, Wire};
use unthink::internals::out::{Output, Sinks};
use unthink::internals::strip::{Splice, SpliceOptions};
use unthink::internals::policy::{Policy, Strip, Unit};
use unthink::internals::postproc::{PostprocOptions, Process};
use unthink::internals::show::{Page, PageOptions, Painter, Terminal, TerminalOptions, Theme, ToolDetail};

fn run<O: Output>(input: &[u8], framing: Option<Framing>, piece: usize, streaming: bool, output: O) -> (Vec<u8>, u64) {
    run_to(input, framing, piece, streaming, (None, None), output)
}

fn run_to<O: Output>(
    input: &[u8],
    framing: Option<Framing>,
    piece: usize,
    streaming: bool,
    passes: (Option<&Conversion>, Option<Strip>),
    output: O,
) -> (Vec<u8>, u64) {
    let (out, refused, _) = run_told(input, framing, piece, streaming, passes, output);
    (out, refused)
}

/// Also returns what was refused.
fn run_told<O: Output>(
    input: &[u8],
    framing: Option<Framing>,
    piece: usize,
    streaming: bool,
    (to, strip): (Option<&Conversion>, Option<Strip>),
    output: O,
) -> (Vec<u8>, u64, Vec<Problem>) {
    let tags = Tags::default();
    // As the command does where nothing is looked for.
    let foreign = if output.wants().nothing { Foreign::Unwatched } else { Foreign::default() };
    let read = ReadOptions {
        hindsight: if streaming { Hindsight::NotInStreams } else { Hindsight::Everywhere },
        foreign,
        to: to.cloned(),
        ..ReadOptions::default()
    };
    let options = EngineOptions { framing, read, max_record: 1 << 26, stop: false, pass: Pass::Once(piece) };
    let (mut engine, mut sinks) = (Engine::new(&tags, options, output), Sinks::default());
    if let Some(strip) = strip {
        engine = engine.judged_by(strip);
    }
    input.chunks(piece).for_each(|chunk| engine.push(chunk, &mut sinks));
    engine.finish(&mut sinks);
    // Records that the output refused are counted when they are told.
    let problems = engine.problems();
    (sinks.out, engine.counts().refused, problems)
}

fn stripped(input: &[u8], framing: Option<Framing>, piece: usize, policy: Policy) -> (Vec<u8>, u64) {
    let options = SpliceOptions { verbatim: policy == Policy::None, ..SpliceOptions::default() };
    let strip = (policy != Policy::None).then(|| Strip::new(policy, Unit::Message));
    run_to(input, framing, piece, true, (None, strip), Splice::new(options))
}

/// `none` is the identity, pieces do not matter, valid JSON stays valid JSON. The first byte picks framing and policy.
pub fn strip(data: &[u8]) {
    let Some((&choice, input)) = data.split_first() else { return };
    let framing =
        [None, Some(Framing::Jsonl), Some(Framing::Json), Some(Framing::Sse), Some(Framing::Text), Some(Framing::Csv)]
            [usize::from(choice) % 6];
    assert_eq!(stripped(input, framing, 4096, Policy::None).0, input);
    let policy = [Policy::All, Policy::AllButLast, Policy::BeforeLastUser, Policy::KeepToolTurns, Policy::KeepLast(2)]
        [usize::from(choice) / 6 % 5];
    let (whole, bad) = stripped(input, framing, usize::MAX, policy);
    assert_eq!(stripped(input, framing, 1, policy), (whole.clone(), bad), "pieces");
    if framing == Some(Framing::Json) && bad == 0 {
        let text = whole.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&whole);
        assert!(unthink::internals::json::scan::validate(text).is_ok(), "not JSON any more");
    }
}

/// `split` writes JSON lines, and pieces do not matter.
pub fn split(data: &[u8]) {
    let show = || ReportOptions { visible: true, reasoning: true, join: "\n".into(), ..ReportOptions::default() };
    let whole = run(data, None, usize::MAX, false, Report::new(show())).0;
    assert_eq!(run(data, None, 1, false, Report::new(show())).0, whole, "pieces");
    for line in whole.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        assert!(serde_json::from_slice::<serde_json::Value>(line).is_ok());
    }
}

/// Pieces do not matter, findings lie in the input, and nothing is left to find for the policy whose reasoning was
/// stripped. The first byte picks the framing and the policy.
pub fn check(data: &[u8]) {
    let Some((&choice, input)) = data.split_first() else { return };
    let framing = [None, Some(Framing::Jsonl), Some(Framing::Sse), Some(Framing::Text), Some(Framing::Csv)]
        [usize::from(choice) % 5];
    let policy = [Policy::All, Policy::AllButLast][usize::from(choice) / 5 % 2];
    let rules: Vec<_> = RULES.iter().collect();
    let found = |input: &[u8], piece: usize| {
        let options = RuleOptions { rules: rules.clone(), passage: 8, excerpts: true, ..RuleOptions::default() };
        let tags = Tags::default();
        let read = ReadOptions::default();
        let options_of = EngineOptions { framing, read, max_record: 1 << 26, stop: false, pass: Pass::Once(piece) };
        let engine = Engine::new(&tags, options_of, Check::new(options));
        let (mut engine, mut sinks) = (engine.judged_by(Strip::new(policy, Unit::Message)), Sinks::default());
        input.chunks(piece).for_each(|chunk| engine.push(chunk, &mut sinks));
        engine.finish(&mut sinks);
        (engine.counts().refused, engine.into_output().findings())
    };
    let (bad, whole) = found(input, usize::MAX);
    let shown = |finding: &RuleFinding| {
        let RuleFinding { rule, record, message, pointer, line, column, bytes, chars, what, fingerprint, excerpt } =
            finding;
        let place = (record, message, pointer, line, column, bytes, chars);
        format!("{} {place:?} {what} {fingerprint} {excerpt:?}", rule.code)
    };
    let pieces = found(input, 1).1;
    for (a, b) in pieces.iter().zip(&whole) {
        assert_eq!(shown(a), shown(b), "pieces");
    }
    assert_eq!(pieces.len(), whole.len(), "pieces");
    for finding in &whole {
        let at = &finding.bytes;
        assert!(at.start <= at.end && at.end <= input.len() as u64 && finding.line > 0, "{finding:?}");
    }
    let (rest, again) = stripped(input, framing, usize::MAX, policy);
    if bad == 0 && again == 0 && policy == Policy::All {
        let left = found(&rest, usize::MAX).1;
        assert!(left.iter().all(|finding| finding.rule.code != "UT105"), "{left:?}");
    }
}

/// Nothing of the input reaches a terminal but letters, a page has the markup of this program only, and pieces do not
/// matter. The first byte picks the framing and the looks.
pub fn show(data: &[u8]) {
    let Some((&choice, input)) = data.split_first() else { return };
    let framing = [None, Some(Framing::Jsonl), Some(Framing::Sse), Some(Framing::Text), Some(Framing::Csv)]
        [usize::from(choice) % 5];
    let looks = usize::from(choice) / 5;
    let drawn = |painter: Rc<RefCell<dyn Painter>>, piece: usize| {
        let options = DrawOptions { reasoning: looks % 7 > 0, texts: FACT_TEXTS, input: None };
        let mut out = run(input, framing, piece, false, Draw::new(options, Rc::clone(&painter))).0;
        painter.borrow_mut().finish(&mut out);
        String::from_utf8(out).unwrap()
    };
    let options = TerminalOptions {
        width: [20, 33, 80][looks % 3],
        theme: [Theme::Dark, Theme::Light][looks % 2],
        color: looks % 4 > 0,
        collapse: looks % 5 == 0,
        tools: [ToolDetail::Line, ToolDetail::Full, ToolDetail::None][looks / 7 % 3],
        raw: false,
        live: false,
    };
    let terminal = || Rc::new(RefCell::new(Terminal::new(options)));
    let whole = drawn(terminal(), usize::MAX);
    assert_eq!(drawn(terminal(), 1), whole, "pieces");
    let mut rest = whole.as_str();
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\n' || is_bidi(c)) {
        // What this program itself writes are colours: ESC [ numbers m.
        let colour = rest[at..].strip_prefix("\x1b[").expect("a control character");
        let end = colour.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or_default();
        assert!(options.color && colour[end..].starts_with('m'), "an escape sequence: {:?}", &colour[..end]);
        rest = &colour[end..];
    }
    let page = || Rc::new(RefCell::new(Page::new(PageOptions { title: "input".into() })));
    let whole = drawn(page(), usize::MAX);
    assert_eq!(drawn(page(), 1), whole, "pieces");
    // Images are in the page; nothing is loaded for them.
    assert_eq!(whole.matches("<img").count(), whole.matches("\" src=\"data:image/").count(), "images");
    // The page has two of its own of each.
    for (markup, times) in [("<script", 2), ("<style", 2), ("<iframe", 0), ("javascript:", 0)] {
        let found = whole.to_lowercase().matches(markup).count();
        let quoted = String::from_utf8_lossy(input).to_lowercase().matches("javascript:").count();
        assert!(found == times || markup.ends_with(':') && found <= 2 * quoted, "{markup} {found} times");
    }
}

fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The event stream is made of JSON lines, and pieces do not matter. The first byte picks framing and settings.
pub fn events(data: &[u8]) {
    let Some((&choice, input)) = data.split_first() else { return };
    let framing = [None, Some(Framing::Jsonl), Some(Framing::Sse), Some(Framing::Text), Some(Framing::Csv)]
        [usize::from(choice) % 4];
    let n = u64::from(choice) / 4 % 4;
    let process = (n > 0).then_some(Process { max_tokens: 3 * n, n, window: 8 * n, collapse: n > 1 });
    let postproc = PostprocOptions { process, leaks: true, apart: true, join: "\n".into() };
    let options =
        EventsOptions { postproc, wire: Wire::Lines, drop_reasoning: n == 1, pass_bad: false, fields: Vec::new() };
    let metrics = std::sync::Mutex::new(Metrics::default());
    let output = |piece: usize| run(input, framing, piece, true, Events::new(options.clone(), &metrics)).0;
    let whole = output(usize::MAX);
    assert_eq!(String::from_utf8_lossy(&output(1)), String::from_utf8_lossy(&whole), "pieces");
    for line in whole.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        assert!(serde_json::from_slice::<serde_json::Value>(line).is_ok());
    }
}

/// What can be converted to.
const TARGETS: [&str; 7] =
    ["reasoning-content", "reasoning", "thinking-block", "tagged", "harmony", "anthropic", "responses"];

fn converted(input: &[u8], framing: Option<Framing>, piece: usize, to: &str) -> (Vec<u8>, u64) {
    let (out, refused, _) = converted_told(input, framing, piece, to);
    (out, refused)
}

fn converted_told(
    input: &[u8],
    framing: Option<Framing>,
    piece: usize,
    to: &str,
) -> (Vec<u8>, u64, Vec<Problem>) {
    let spelling = WriteOptions { escape: true, ..WriteOptions::default() };
    let conversion = find(to).and_then(|dialect| Conversion::new(dialect, &spelling)).unwrap();
    let splice = Splice::new(SpliceOptions::default());
    let emit = Emit::new(splice, conversion.writer.clone(), conversion.edits_text(), Conversion::call_name);
    run_told(input, framing, piece, true, (Some(&conversion), None), emit)
}

/// The JSON texts of an output.
fn texts(output: &[u8], framing: Option<Framing>) -> Vec<Vec<u8>> {
    match framing {
        Some(Framing::Jsonl) => output.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect(),
        Some(Framing::Json) => vec![output.to_vec()],
        Some(Framing::Sse) => {
            let (mut framer, mut client) = (Framer::new(Framing::Sse, true), sse::Client::default());
            let (mut from, mut out) = (0, Vec::new());
            while let FrameStep::Frame(frame) = framer.step(&output[from..], true) {
                out.extend(client.block(&output[from..from + frame.len]));
                from += frame.len;
            }
            // Data lines that were captured without the blank lines between them are no text together.
            let whole = |data: String| match unthink::internals::json::scan::validate(data.as_bytes()) {
                Ok(()) => vec![data.into_bytes()],
                Err(_) if data.contains('\n') => Vec::new(),
                Err(_) => vec![data.into_bytes()],
            };
            out.into_iter().flat_map(|event| whole(event.data)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an object in a text has a key twice.
fn twice(text: &[u8]) -> bool {
    use unthink::internals::json::{Scanner, Token, text::decoded};
    let Ok(mut s) = Scanner::new(text) else { return false };
    let mut open: Vec<Vec<Vec<u8>>> = Vec::new();
    while let Ok(token) = s.token() {
        match token {
            Token::ObjectStart => open.push(Vec::new()),
            Token::ObjectEnd => drop(open.pop()),
            Token::Key(key) => {
                let (key, Some(keys)) = (decoded(key.raw(text)), open.last_mut()) else { return false };
                if keys.contains(&key) {
                    return true;
                }
                keys.push(key);
            }
            Token::End => break,
            _ => (),
        }
    }
    false
}

/// Pieces do not matter, what comes out is JSON, and what is converted stays as it is. The first byte picks framing
/// and dialect.
pub fn convert(data: &[u8]) {
    let Some((&choice, input)) = data.split_first() else { return };
    let input = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
    let framing =
        [None, Some(Framing::Jsonl), Some(Framing::Json), Some(Framing::Sse), Some(Framing::Text), Some(Framing::Csv)]
            [usize::from(choice) % 6];
    let to = TARGETS[usize::from(choice) / 6 % 7];
    let (whole, bad) = converted(input, framing, usize::MAX, to);
    for piece in [1, 7] {
        assert_eq!(shown(converted(input, framing, piece, to)), shown((whole.clone(), bad)), "pieces of {piece}");
    }
    // A document that is not understood to its end is no document any more.
    let framed = framing.filter(|framing| bad == 0 || *framing != Framing::Json);
    for text in texts(&whole, framed) {
        let text = text.trim_ascii();
        // Separators may stand before a value (RFC 7464), or alone.
        let separator = |b: &u8| *b == 0x1e || b.is_ascii_whitespace();
        let text = &text[text.iter().take_while(|b| separator(b)).count()..];
        // What is no JSON among the events of a stream is not looked at.
        let sse = framing == Some(Framing::Sse) && (!text.starts_with(b"{") || text == b"[DONE]" || text.len() < 3);
        // What ends a stream passes wherever it stands, and so does a second byte order mark.
        let plain = text.is_empty() || sse || text == b"[DONE]" || text == b"\xEF\xBB\xBF";
        assert!(plain || is_json(text), "not JSON: {}", String::from_utf8_lossy(text));
    }
    if framing != Some(Framing::Text) && !texts(input, framing).iter().any(|text| twice(text)) {
        for text in texts(&whole, framed).iter().filter(|text| twice(text)) {
            panic!("a key twice: {}", String::from_utf8_lossy(text));
        }
    }
    // What becomes a message is no text any more; tags of a text are rewritten only if that is asked for.
    // Tags are not looked for in the blocks of a stream, nor in content that stands beside blocks.
    let has = |word: &[u8]| input.windows(word.len()).any(|w| w == word);
    // The events of a message become deltas as they are; their tags move only where the dialect is named.
    let typed = has(b"<") && (has(b"request_id") || has(b"\"delta\"") || has(b"final_text") || has(b"\"commentary\""));
    let tagged_blocks = typed || has(b"<") && (has(b"\"blocks\"") || has(b"\"parts\""));
    // What is written for one document may be several, or none.
    let document = framing != Some(Framing::Json) || unthink::internals::json::scan::validate(whole.trim_ascii()).is_ok();
    if bad == 0 && document && framing.is_some_and(|framing| framing != Framing::Text) && !tagged_blocks {
        // An event of its own that closes a block at the end may come too late for a response without an id.
        let (again, refused, problems) = converted_told(&whole, framing, usize::MAX, to);
        // Reasoning of Responses has items of its own, so that a text may speak of tags. Where it could have stood in the
        // text, that is not certain any more.
        let spoken = has(b"<") && (has(b"\"input\"") || has(b"\"item\"") || has(b"\"output\""));
        let uncertain = spoken && refused > 0 && problems.iter().all(|problem| problem.kind == ErrorKind::Undecided);
        if (framing != Some(Framing::Sse) || refused == 0) && !uncertain {
            assert_eq!(shown((again, refused)), shown((whole, 0)), "{to} again");
        }
    }
}

/// Whether a line is JSON, or several values one behind the other.
fn is_json(line: &[u8]) -> bool {
    let mut from = 0;
    let ends = unthink::internals::frame::value_ends(line);
    let whole = |end: &usize| unthink::internals::json::scan::validate(&line[std::mem::replace(&mut from, *end)..*end]).is_ok();
    unthink::internals::json::scan::validate(line).is_ok() || !ends.is_empty() && ends.iter().all(whole)
}

fn shown((bytes, bad): (Vec<u8>, u64)) -> (String, u64) {
    (String::from_utf8_lossy(&bytes).into_owned(), bad)
}

/// The scanner accepts what another strict parser accepts, but for nesting without limit.
pub fn json_scan(data: &[u8]) {
    let ours = unthink::internals::json::scan::validate(data).is_ok();
    let text = std::str::from_utf8(data);
    let theirs = text.is_ok_and(|text| serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok());
    assert!(ours || !theirs, "refused what is JSON");
    let deep = data.iter().filter(|b| matches!(b, b'[' | b'{')).count() > 100;
    assert!(theirs || !ours || deep, "accepted what is not JSON");
}

/// Frames cover the input, and pieces do not change the events.
pub fn sse_events(data: &[u8]) {
    let events = |piece: usize| {
        let (mut framer, mut client) = (Framer::new(Framing::Sse, true), sse::Client::default());
        let (mut from, mut to, mut out) = (0, 0, Vec::new());
        loop {
            match framer.step(&data[from..to], to == data.len()) {
                FrameStep::End => break,
                FrameStep::Need => to = data.len().min(to.saturating_add(piece)),
                FrameStep::Frame(frame) => {
                    if matches!(frame.kind, FrameKind::Record | FrameKind::Lines | FrameKind::Glue) {
                        out.extend(client.block(&data[from..from + frame.len]));
                    }
                    from += frame.len;
                    to = to.max(from);
                }
            }
        }
        assert_eq!(from, data.len(), "every byte is in a frame");
        out
    };
    assert_eq!(events(usize::MAX), events(1));
}

/// Every byte of a text comes out once, in order, and pieces do not change what it is.
pub fn inline(data: &[u8]) {
    let tags = Tags::default();
    let parts = |piece: usize| {
        let mut scanner = TagScanner::new(&tags, Options::default());
        let mut out: Vec<(StretchKind, Vec<u8>)> = Vec::new();
        let mut sink = |f: Scanned<'_>| match out.last_mut() {
            Some((part, text)) if *part == f.part => text.extend_from_slice(f.text),
            _ => out.push((f.part, f.text.to_vec())),
        };
        data.chunks(piece).for_each(|chunk| scanner.feed(chunk, &mut sink));
        scanner.finish(&mut sink);
        assert_eq!(out.iter().flat_map(|(_, text)| text.clone()).collect::<Vec<_>>(), data);
        out
    };
    assert_eq!(parts(usize::MAX), parts(1));
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::panic::catch_unwind;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{available_parallelism, scope};

    fn seeds(folder: &Path, out: &mut Vec<(String, Vec<u8>)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => seeds(&path, out),
                false => out.push((path.display().to_string(), std::fs::read(path).unwrap())),
            }
        }
    }

    /// Every target over every file of the test data; a file that breaks one is named, and the others are tried too.
    #[test]
    fn targets_hold_over_the_test_data() {
        type Target = fn(&[u8]);
        let chosen: [(&str, Target, Vec<u8>); 5] = [
            ("strip", super::strip, (0..25).collect()),
            ("convert", super::convert, (0..42).collect()),
            ("events", super::events, (0..16).collect()),
            ("show", super::show, vec![0, 5, 11, 17, 23, 61, 106]),
            ("check", super::check, (0..10).collect()),
        ];
        let others: [(&str, Target); 4] = [
            ("split", super::split),
            ("json_scan", super::json_scan),
            ("sse_events", super::sse_events),
            ("inline", super::inline),
        ];
        let mut inputs = vec![("nothing".into(), Vec::new()), ("a tag".into(), b"<8<\x12\0".to_vec())];
        seeds(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata"), &mut inputs);
        let hold = |(name, input): &(String, Vec<u8>)| {
            let mut broken = Vec::new();
            for (target, run, choices) in &chosen {
                for choice in choices {
                    if catch_unwind(|| run(&[&[*choice], input.as_slice()].concat())).is_err() {
                        broken.push(format!("{target} {choice} {name}"));
                    }
                }
            }
            for (target, run) in others {
                if catch_unwind(|| run(input)).is_err() {
                    broken.push(format!("{target} {name}"));
                }
            }
            broken
        };
        // Each thread takes the next input, since these differ in size.
        let next = AtomicUsize::new(0);
        let take = || {
            let inputs = std::iter::from_fn(|| inputs.get(next.fetch_add(1, Ordering::Relaxed)));
            inputs.flat_map(hold).collect::<Vec<_>>()
        };
        let threads = available_parallelism().map_or(1, NonZero::get);
        let broken: Vec<String> = scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }
}
