//! Every record in every envelope: with status 0 no reasoning is left and no answer is missing, however the input comes.
//!
//! The records are our own test data, and the recordings of others, if they are there, with a marker in each passage of
//! their reasoning and in each answer. By default a part of the cells runs; `UNTHINK_MATRIX=all` runs all of them, and
//! `UNTHINK_MATRIX=N` every Nth.

mod plant;
mod wrap;

use plant::{Record, records};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::BufReader;
use unthink::{Error, SplitOptions, StripOptions};
use wrap::{ENVELOPES, Envelope, OTHERS};

/// Recordings that are longer come only with all cells.
const LONG: usize = 24_000;

/// What broke, by the kind of failure, the envelope and the dialect: how often, and the shortest input that shows it.
type Broken = BTreeMap<(&'static str, &'static str, String), (usize, String, String)>;

fn stride() -> usize {
    match std::env::var("UNTHINK_MATRIX").as_deref() {
        Ok("all") => 1,
        Ok(n) => n.parse().unwrap(),
        Err(_) => 8,
    }
}

/// The output, if everything was understood.
fn strip(input: &[u8]) -> Option<String> {
    match unthink::strip(input, &StripOptions::default()) {
        Ok(done) => Some(String::from_utf8_lossy(&done.output).into_owned()),
        Err(Error::Incomplete(_)) => None,
        Err(e) => panic!("{e}"),
    }
}

fn strip_in_pieces(input: &[u8], piece: usize) -> Option<String> {
    let mut out = Vec::new();
    let reader = BufReader::with_capacity(piece, input);
    let done = unthink::strip_io(reader, &mut out, &StripOptions::default());
    done.ok().map(|_| String::from_utf8_lossy(&out).into_owned())
}

/// The visible text of all messages, if everything was understood, and whether there are any.
fn split(input: &[u8]) -> Option<(String, bool)> {
    match unthink::split(input, &SplitOptions::default()) {
        Ok(done) => {
            let some = !done.messages.is_empty();
            Some((done.messages.into_iter().map(|m| m.visible + "\n").collect(), some))
        }
        Err(_) => None,
    }
}

/// How often the visible text of a record has the marker of its answers, when it is read as it is.
fn shown(record: &Record) -> usize {
    let (_, wire) = ENVELOPES[1];
    let input = wire(record).unwrap();
    split(input.as_bytes()).map_or(0, |(visible, _)| visible.matches(record.answer).count())
}

/// The first thing that does not hold of a cell.
fn fails(record: &Record, input: &str, shown: usize, pieces: bool) -> Option<&'static str> {
    let count = |text: &str, marker: &str| text.matches(marker).count();
    let stripped = strip(input.as_bytes());
    if let Some(out) = &stripped {
        if count(out, record.reasoning) > 0 {
            return Some("strip leaks");
        }
        if count(out, record.answer) != count(input, record.answer) {
            return Some("strip loses");
        }
    }
    if pieces && strip_in_pieces(input.as_bytes(), 7) != stripped {
        return Some("pieces differ");
    }
    let (visible, some) = split(input.as_bytes())?;
    if count(&visible, record.reasoning) > 0 {
        return Some("split leaks");
    }
    // What no dialect reads is no answer of any message.
    let whole = count(input, record.answer) >= record.count(record.answer);
    let read = some || count(input, record.reasoning) > 0;
    (whole && read && count(&visible, record.answer) < shown).then_some("split loses")
}

fn excerpt(input: &str, marker: &str) -> String {
    let at = input.find(marker).unwrap_or(0);
    let before = input[..at].char_indices().rev().nth(200).map_or(0, |(at, _)| at);
    input[before..].chars().take(420).collect()
}

fn report(broken: &Broken, cells: usize) -> String {
    let mut said = String::new();
    let mut sums: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for ((kind, envelope, dialect), (n, name, example)) in broken {
        *sums.entry((kind, envelope)).or_default() += n;
        let _ = writeln!(said, "{kind}, {envelope}, {dialect}: {n}, as {name}\n    {example:?}");
    }
    let total: usize = sums.values().sum();
    let _ = writeln!(said, "\n{total} of {cells} cells:");
    for ((kind, envelope), n) in sums {
        let _ = writeln!(said, "{kind}, {envelope}: {n}");
    }
    said
}

#[test]
fn no_envelope_leaks_or_loses() {
    let stride = stride();
    let envelopes: Vec<Envelope> = ENVELOPES.into_iter().chain(OTHERS).collect();
    let (mut broken, mut cells) = (Broken::new(), 0);
    for (n, record) in records().iter().filter(|r| stride == 1 || r.len() < LONG).enumerate() {
        let shown = shown(record);
        // Every envelope gets its share of the records.
        for (m, (envelope, wrap)) in envelopes.iter().enumerate().filter(|(m, _)| (n + m) % stride == 0) {
            let Some(input) = wrap(record) else { continue };
            cells += 1;
            let pieces = stride == 1 && input.len() < LONG || m % 7 == n % 7;
            let Some(kind) = fails(record, &input, shown, pieces) else { continue };
            let marker = if kind.ends_with("loses") { record.answer } else { record.reasoning };
            let entry = broken.entry((kind, envelope, record.dialect.clone())).or_default();
            entry.0 += 1;
            if entry.1.is_empty() || excerpt(&input, marker).len() < entry.2.len() {
                (entry.1, entry.2) = (record.name.clone(), excerpt(&input, marker));
            }
        }
    }
    assert!(cells > 200, "only {cells} cells");
    assert!(broken.is_empty(), "{}", report(&broken, cells));
}
