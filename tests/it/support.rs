//! What the tests share: the library run over bytes, and the files to run it on.

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::Duration;
use unthink::internals::dialect::{DIALECTS, Foreign, Hindsight, Pass, ReadOptions};
use unthink::internals::engine::{Counts, Engine, EngineOptions, Problem};
use unthink::internals::frame::Framing;
use unthink::internals::inline::{KnownBeginning, LastClose, Tags};
use unthink::internals::model::order::Order;
use unthink::internals::model::{Event, Sink, Wants};
use unthink::internals::out::{MoreText, Output, Placed, Sinks, SourceBytes, SpliceStep};
use unthink::internals::policy::{Policy, Strip, Ticket, Unit, Verdict};
use unthink::internals::show::Draw;
use unthink::internals::span::Span;
use unthink::internals::split::{Events, EventsOptions, Metrics, Report, ReportOptions};
use unthink::internals::strip::{Splice, SpliceOptions};
use unthink::{ConvertOptions, Error, Loss};

/// Every policy, for laws that apply to all of them.
pub const POLICIES: [&str; 6] = ["none", "all", "all-but-last", "before-last-user", "keep-tool-turns", "keep-last-2"];

/// How a run is set up.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    pub framing: Option<Framing>,
    pub policy: Policy,
    pub unit: Unit,
    pub drop_empty: bool,
    /// The reader reports everything, whether the output needs it or not.
    pub shortcuts_off: bool,
    pub piece: usize,
    pub finish: bool,
    pub max_record: usize,
    /// How often a raw text is read.
    pub pass: Pass,
    /// Sections of the reasoning are emptied.
    pub redact: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            framing: None,
            policy: Policy::All,
            unit: Unit::Message,
            drop_empty: false,
            shortcuts_off: false,
            piece: usize::MAX,
            finish: true,
            max_record: 1 << 28,
            pass: Pass::Once(usize::MAX),
            redact: false,
        }
    }
}

pub fn policy(name: &str) -> Setup {
    Setup { policy: name.parse().unwrap(), ..Setup::default() }
}

/// What a run gave.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub out: Vec<u8>,
    pub rejects: Vec<u8>,
    pub counts: Counts,
    pub problems: Vec<Problem>,
}

impl Ran {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

/// An output that also checks the grammar of its events, and may ask for more than it needs.
struct Watched<O> {
    inner: O,
    order: Order,
    all: bool,
}

impl<O: Sink> Sink for Watched<O> {
    fn event(&mut self, event: &Event<'_>) {
        self.order.event(event);
        self.inner.event(event);
    }
}

impl<O: Output> Output for Watched<O> {
    fn judged(&mut self, event: &Event<'_>, verdict: Verdict) {
        self.order.event(event);
        self.inner.judged(event, verdict);
    }
    fn settled(&mut self, ticket: Ticket, goes: bool) {
        self.inner.settled(ticket, goes);
    }
    fn wants(&self) -> Wants {
        if self.all {
            let nothing = self.inner.wants().nothing;
            Wants { text: true, visible: true, messages: true, nothing, ..Wants::default() }
        } else {
            self.inner.wants()
        }
    }
    fn framing(&mut self, framing: Framing) {
        self.inner.framing(framing);
    }
    fn record(&mut self, number: u64) {
        self.inner.record(number);
    }
    fn not_understood(
        &mut self,
        record: u64,
        offset: u64,
        error: (unthink::internals::error::ErrorKind, &str),
        suspect: Option<&str>,
    ) {
        self.inner.not_understood(record, offset, error, suspect);
    }
    fn frame(&mut self, frame: Placed) {
        self.inner.frame(frame);
    }
    fn again(&mut self, frame: Span, more: Option<MoreText<'_>>) -> bool {
        self.inner.again(frame, more)
    }
    fn finish(&mut self) {
        self.order.finish();
        self.inner.finish();
    }
    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        self.inner.drain(source, undecided, sinks)
    }
    fn is_behind(&self) -> bool {
        self.inner.is_behind()
    }
    fn buffered(&self) -> usize {
        self.inner.buffered()
    }
}

fn run<O: Output>(input: &[u8], setup: Setup, streaming: bool, inner: O) -> Ran {
    let tags = if setup.redact { Tags::default().redacting() } else { Tags::default() };
    let read = ReadOptions {
        hindsight: if streaming { Hindsight::NotInStreams } else { Hindsight::Everywhere },
        templates: !setup.shortcuts_off,
        foreign: if setup.policy == Policy::None && !setup.redact { Foreign::Unwatched } else { Foreign::Refuse },
        ..ReadOptions::default()
    };
    let options =
        EngineOptions { framing: setup.framing, read, max_record: setup.max_record, stop: false, pass: setup.pass };
    let output = Watched { inner, order: Order::default(), all: setup.shortcuts_off };
    let mut engine = Engine::new(&tags, options, output);
    if streaming {
        engine = engine.judged_by(Strip::new(setup.policy, setup.unit));
    }
    let mut sinks = Sinks::default();
    for chunk in input.chunks(setup.piece.min(input.len().max(1))) {
        engine.push(chunk, &mut sinks);
    }
    if setup.finish {
        engine.finish(&mut sinks);
    }
    assert_eq!(engine.output().order.broken, None, "order: the grammar of events");
    let (counts, problems) = (engine.counts(), engine.problems());
    if !sinks.steps.is_empty() {
        let read = rebuilds(input, &sinks.steps, &sinks.out);
        assert!(read == input.len() || counts.refused > 0 || !setup.finish, "steps: {read} of {} bytes", input.len());
    }
    Ran { out: sinks.out, rejects: sinks.rejects, counts, problems }
}

/// The output is what the steps make of the input. How many bytes of it they speak of.
pub fn rebuilds(input: &[u8], steps: &[SpliceStep], out: &[u8]) -> usize {
    let (mut read, mut rebuilt) = (0, Vec::new());
    for step in steps {
        match *step {
            SpliceStep::Keep(n) => {
                rebuilt.extend_from_slice(&input[read..read + n as usize]);
                read += n as usize;
            }
            SpliceStep::Cut(n) => read += n as usize,
            SpliceStep::Put(n) => rebuilt.extend_from_slice(&out[rebuilt.len()..rebuilt.len() + n as usize]),
        }
    }
    assert_eq!(String::from_utf8_lossy(&rebuilt), String::from_utf8_lossy(out), "steps: {steps:?}");
    read
}

/// A conversion: what was written, what was lost, and why records are missing.
#[derive(Debug, PartialEq)]
pub struct Done {
    pub out: Vec<u8>,
    pub losses: BTreeMap<Loss, u64>,
    pub refused: Vec<String>,
    pub foreign: u64,
}

impl Done {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

/// The library's `convert`, which reads pieces of that size.
pub fn convert(input: &[u8], piece: usize, options: &ConvertOptions) -> Done {
    let (mut out, reader) = (Vec::new(), BufReader::with_capacity(piece.min(input.len().max(1)), input));
    let (report, refused) = match unthink::convert_io(reader, &mut out, options) {
        Ok(report) => (report, Vec::new()),
        Err(Error::Incomplete(e)) => (e.partial, e.refused.into_iter().map(|refused| refused.reason).collect()),
        Err(e) => panic!("{}: {e}", options.to),
    };
    Done { out, losses: report.losses, refused, foreign: report.summary.foreign }
}

/// The same, to the dialect of that name.
pub fn convert_to(input: &[u8], to: &str, piece: usize) -> Done {
    convert(input, piece, &ConvertOptions::new(to))
}

/// `strip` in the library.
pub fn strip(input: &[u8], setup: Setup) -> Ran {
    let options = SpliceOptions {
        drop_empty: setup.drop_empty,
        pass_bad: false,
        verbatim: setup.policy == Policy::None && !setup.redact,
        steps: true,
        ..SpliceOptions::default()
    };
    run(input, setup, true, Splice::new(options))
}

/// `split` in the library: a JSON object a message.
pub fn split(input: &[u8], setup: Setup) -> Ran {
    let show = ReportOptions { visible: true, reasoning: true, join: "\n".into(), ..ReportOptions::default() };
    run(input, setup, false, Report::new(show))
}

/// `split -o text` in the library, with the reasoning beside it.
pub fn split_text(input: &[u8], setup: Setup, reasoning: bool) -> Ran {
    let show =
        ReportOptions { text: true, visible: !reasoning, reasoning, join: "\n".into(), ..ReportOptions::default() };
    run(input, setup, false, Report::new(show))
}

/// `show` in the library.
pub fn run_draw(input: &[u8], setup: Setup, draw: Draw) -> Ran {
    run(input, setup, false, draw)
}

/// What a first pass over a text finds.
pub fn first_pass(input: &[u8], setup: Setup) -> Option<KnownBeginning> {
    let tags = Tags::default();
    let mut last = LastClose::new(&tags);
    input.chunks(setup.piece.min(input.len().max(1))).for_each(|chunk| last.feed(chunk));
    let (no_close_from, _) = last.finish();
    let (framing, read) = (Some(Framing::Text), ReadOptions::default());
    let options = EngineOptions { framing, read, max_record: 1 << 28, stop: false, pass: Pass::First(no_close_from) };
    let mut engine = Engine::new(&tags, options, Report::new(ReportOptions::default()));
    let mut sinks = Sinks::default();
    for chunk in input.chunks(setup.piece.min(input.len().max(1))) {
        engine.push(chunk, &mut sinks);
    }
    engine.finish(&mut sinks);
    engine.beginning().map(|beginning| KnownBeginning { beginning, no_close_from })
}

/// The same, with the white space inside tags.
pub fn split_verbatim(input: &[u8]) -> Ran {
    let show =
        ReportOptions { visible: true, reasoning: true, join: "\n".into(), verbatim: true, ..ReportOptions::default() };
    run(input, Setup::default(), false, Report::new(show))
}

/// `split -o events` in the library.
pub fn events(input: &[u8], setup: Setup, options: EventsOptions) -> Ran {
    let metrics = std::sync::Mutex::new(Metrics::default());
    run(input, setup, true, Events::new(options, &metrics))
}

/// The messages that `split` finds: visible text and reasoning.
pub fn messages(input: &[u8], setup: Setup) -> Vec<(String, Option<String>)> {
    let lines = split(input, setup).text();
    let message = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let reasoning = value["reasoning"]["text"].as_str().map(str::to_string);
        (value["visible"].as_str().unwrap().to_string(), reasoning)
    };
    lines.lines().map(message).collect()
}

/// The names of the reports of `check`, by its help.
pub fn report_formats() -> Vec<String> {
    let help = assert_cmd::Command::cargo_bin("unthink").unwrap().args(["check", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let values = help.split("--output <FORMAT>").nth(1).unwrap().lines().skip_while(|line| !line.contains("- "));
    let names = values.map_while(|line| line.trim().strip_prefix("- ")?.split(':').next().map(str::to_string));
    let names: Vec<String> = names.collect();
    assert!(names.len() >= 10, "{names:?}");
    names
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of our own with content in a dialect, by dialect.
pub fn testdata() -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for dialect in DIALECTS {
        let folder = root().join("testdata").join(dialect.name);
        let files = files_in(&folder);
        assert!(!files.is_empty(), "{} has no test data", dialect.name);
        all.extend(files.into_iter().map(|f| (dialect.name.to_string(), f)));
    }
    all
}

/// The file in a folder of `testdata` that says how its format is recognised: see `recognition.rs`.
pub const RECOGNITION: &str = "recognition.txt";

/// The files in a folder that are data.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => {
            entries.map(|e| e.unwrap().path()).filter(|p| p.is_file() && !p.ends_with(RECOGNITION)).collect()
        }
        Err(e) => panic!("{}: {e}", folder.display()),
    };
    files.sort();
    files
}

/// The data of others that lies beside the checkout, or `None` with a line that says so. `.ci/run` requires it.
pub fn shared() -> Option<PathBuf> {
    let path = root().join("../shared");
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var_os("UNTHINK_REQUIRE_SHARED").is_none(), "{} is not there", path.display());
    eprintln!("skipped: {} is not there", path.display());
    None
}

/// Whether several speak in an input, so that a sequence of reasoning is an object of its own (`mew.rs` has its laws).
pub fn several_speak(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input).replace(' ', "");
    text.contains("\"kind\":\"reasoning")
}

/// Our own test data, and the samples.
pub fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = testdata().into_iter().map(|(_, path)| path).collect();
    if let Some(shared) = shared() {
        files.extend(files_in(&shared.join("samples")).into_iter().filter(|p| !p.ends_with("INDEX.json")));
    }
    files
        .into_iter()
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(p).unwrap()))
        .collect()
}

/// Our own test data.
pub fn own() -> Vec<(String, Vec<u8>)> {
    testdata().into_iter().map(|(_, p)| (p.display().to_string(), std::fs::read(p).unwrap())).collect()
}

/// Feeds parts one at a time, and gives what came out before the next one was fed. What a
/// conversion writes is always worth waiting for.
pub fn feed_parts(args: &[&str], parts: &[impl AsRef<str>]) -> Vec<String> {
    let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut buf = [0; 65536];
        while let Ok(n @ 1..) = stdout.read(&mut buf) {
            sender.send(String::from_utf8_lossy(&buf[..n]).into_owned()).unwrap();
        }
    });
    let convert = args.first() == Some(&"convert");
    let mut out = Vec::new();
    for part in parts {
        let part = part.as_ref();
        stdin.write_all(part.as_bytes()).unwrap();
        stdin.flush().unwrap();
        // Nothing may come; what comes, comes at once, but the machine may be busy.
        let public = part.to_ascii_uppercase().contains("PUBL1C");
        let wait = Duration::from_millis(if public || convert { 10_000 } else { 150 });
        out.push(receiver.recv_timeout(wait).unwrap_or_default());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    out
}

/// The law that `work` takes time in proportion to its input, of which `input` makes a small one of `n` units and larger
/// ones. What is quadratic takes a hundred times as long for ten times the input, what is linear about ten times: the
/// limit lies far from both. It is the processor time of this thread, and the best of several tries at several sizes: a
/// machine that is busy for a moment, or a cache that holds the small input and not the large one, must not fail the
/// law. What is not linear fails at every size.
pub fn is_linear(name: &str, n: usize, input: &dyn Fn(usize) -> Vec<u8>, work: &dyn Fn(&[u8])) {
    let time = |input: &[u8]| {
        let start = thread_time();
        work(input);
        thread_time() - start
    };
    let best = |input: &[u8]| (0..2).map(|_| time(input)).min().unwrap();
    let ok = [1, 3, 8].into_iter().any(|scale| {
        let (small, large) = (input(scale * n), input(10 * scale * n));
        (0..3).any(|_| best(&large) < best(&small).max(Duration::from_millis(1)) * 30)
    });
    assert!(ok, "{name}: ten times the input takes more than thirty times the time");
}

fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
