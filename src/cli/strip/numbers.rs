//! What `--stats` says of a file.

use crate::cli::notes::{Notes, kinds, read};
use crate::cli::states::{FileReport, FileState};
use clap::ValueEnum;
use serde_json::json;
use unthink::strip::Stats;

/// `--stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatsArg {
    /// Sentences
    Text,
    /// A JSON object for each file, and one with the sums
    Json,
}

/// The numbers of one file. A file that stays as it is loses nothing.
pub fn report(told: &FileReport<'_>, s: Stats, bytes: u64, form: StatsArg, notes: &Notes) {
    let counts = told.counts;
    let stays = matches!(told.state, FileState::Left(_)) && told.removed == (0, 0);
    let (removed, bytes, dropped) = if stays { (0, 0, 0) } else { (s.removed, bytes, s.dropped) };
    if form == StatsArg::Json {
        let (state, why) = told.state.name();
        let why = why.map(|why| format!(",\"why\":{}", json!(why))).unwrap_or_default();
        notes.line(&format!(
            "{{\"file\":{},\"state\":\"{state}\"{why},\"blocks\":{},\"blocks_removed\":{removed},\"bytes\":{},\
             \"bytes_removed\":{bytes},\"messages\":{},\"dropped\":{dropped},\"records\":{},\"read\":{},\"foreign\":{},\
             \"suspect\":{},\"damaged\":{},\"refused\":{}}}",
            json!(told.name),
            s.removed + s.kept,
            counts.bytes,
            counts.messages,
            counts.records,
            read(counts),
            counts.foreign,
            counts.suspect,
            counts.damaged(),
            counts.declined,
        ));
        return;
    }
    notes.report(&format!(
        "{}: {}; {} of {} blocks removed, {} bytes of {}; {} messages in {} records ({}); {} events or messages removed whole",
        told.name,
        told.state.words(),
        removed,
        s.removed + s.kept,
        bytes,
        counts.bytes,
        counts.messages,
        counts.records,
        kinds(counts),
        dropped
    ));
}
