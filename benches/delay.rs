//! How long an event of a live stream stays in the program: `cargo bench --bench delay` feeds events one at a time, as a
//! provider sends them, and prints the time from the last byte of each going in to its text coming out, beside `cat`.
//!
//! ```text
//! cargo bench --bench delay                   every job
//! cargo bench --bench delay -- text           the jobs with `text` in their names
//! ```
//!
//! The delay of `cat` is what the two pipes and the scheduler take. An event is fed when the last one has come out and the
//! programs had time to go to sleep, since a program that is still running answers sooner than one that a provider keeps
//! waiting. Whether the system lets a program wake up beside the one that feeds it or on another processor counts for more
//! than what the program does, so that several processes of each take turns. The table has the median and the slowest of
//! all events, in microseconds.

#[path = "peers/settings.rs"]
#[allow(dead_code, reason = "the corpora are of no use here")]
mod settings;

use anyhow::{Context, Result, bail};
use settings::Settings;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What a program is fed.
#[derive(Clone, Copy)]
enum Feed {
    /// Server-sent events with the deltas of a response.
    Events,
    /// The same as JSON lines.
    Lines,
    /// Words.
    Words,
}

/// A program at work.
struct Job {
    name: &'static str,
    feed: Feed,
    args: &'static [&'static str],
}

const JOBS: [Job; 7] = [
    Job { name: "strip sse", feed: Feed::Events, args: &["strip", "--policy", "all"] },
    Job { name: "split text sse", feed: Feed::Events, args: &["split", "-o", "text"] },
    Job { name: "split events sse", feed: Feed::Events, args: &["split", "-o", "events"] },
    Job { name: "convert sse", feed: Feed::Events, args: &["convert", "--to", "reasoning"] },
    Job { name: "split text lines", feed: Feed::Lines, args: &["split", "-o", "text", "--live"] },
    Job { name: "strip raw", feed: Feed::Words, args: &["strip", "--live"] },
    Job { name: "split text raw", feed: Feed::Words, args: &["split", "-o", "text", "--live"] },
];

impl Feed {
    /// The part with that number: a word, which is known to be over.
    fn part(self, n: usize) -> String {
        let word = format!("word{n} ");
        let delta = format!(r#"{{"id":"a","choices":[{{"index":0,"delta":{{"content":"{word}"}}}}]}}"#);
        match self {
            Feed::Events => format!("data: {delta}\n\n"),
            Feed::Lines => format!("{delta}\n"),
            Feed::Words => word,
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("delay: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let settings = Settings::from_environment()?;
    let (rounds, events) = if settings.test { (1, 3) } else { (15, 20) };
    println!("{:<20} {:<8} {:>12} {:>12} {:>8}", "job", "program", "median us", "slowest us", "times");
    for job in JOBS.iter().filter(|job| settings.selects(job.name)) {
        let (mut cat, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            measure(&mut Command::new("cat"), job.feed, events, &mut cat).context("cat")?;
            let mut command = Command::new(env!("CARGO_BIN_EXE_unthink"));
            measure(command.args(job.args), job.feed, events, &mut ours).with_context(|| job.name)?;
        }
        cat.sort_unstable();
        ours.sort_unstable();
        for (program, delays) in [("cat", &cat), ("unthink", &ours)] {
            let (median, slowest) = (median(delays), delays.last().copied().unwrap_or_default());
            let times = median.as_secs_f64() / self::median(&cat).as_secs_f64();
            let micros = |time: Duration| time.as_secs_f64() * 1e6;
            println!("{:<20} {program:<8} {:>12.1} {:>12.1} {times:>8.2}", job.name, micros(median), micros(slowest));
        }
    }
    Ok(())
}

fn median(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// The delays of so many parts.
fn measure(command: &mut Command, feed: Feed, events: usize, delays: &mut Vec<Duration>) -> Result<()> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().context("a pipe")?;
    let mut stdout = child.stdout.take().context("a pipe")?;
    let (over, is_over) = channel();
    let watch = std::thread::spawn(move || end_in_time(child, &is_over));
    let mut buf = vec![0; 1 << 16];
    // The first ones are for starting up.
    for n in 0..events + 3 {
        std::thread::sleep(Duration::from_millis(5));
        let part = feed.part(n);
        let start = Instant::now();
        stdin.write_all(part.as_bytes())?;
        let word = format!("word{n}");
        let mut came = Vec::new();
        while !came.windows(word.len()).any(|text| text == word.as_bytes()) {
            match stdout.read(&mut buf)? {
                0 => bail!("{word} did not come out"),
                n => came.extend_from_slice(&buf[..n]),
            }
        }
        if n >= 3 {
            delays.push(start.elapsed());
        }
    }
    drop(stdin);
    stdout.read_to_end(&mut Vec::new())?;
    drop(over);
    watch.join().ok().context("the program was waited for")??;
    Ok(())
}

/// How long a program has for all of its parts, which take less than a second. One that holds a part back waits for the next, which
/// is not sent before that came out.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Waits for a program until the other end of `is_over` is dropped, and ends it if that takes too long.
fn end_in_time(mut child: Child, is_over: &Receiver<()>) -> std::io::Result<()> {
    if is_over.recv_timeout(MAX_TIME) == Err(RecvTimeoutError::Timeout) {
        child.kill()?;
    }
    child.wait().map(drop)
}
