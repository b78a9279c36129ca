//! What `--stats` says of a file.

use crate::cli::notes::{Notes, kinds, read};
use crate::cli::states::{FileReport, FileState};
use clap::ValueEnum;
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
        notes.line(|members| {
            members.string("file", told.name);
            members.string("state", state);
            why.into_iter().for_each(|why| members.string("why", why));
            members.number("blocks", s.removed + s.kept);
            members.number("blocks_removed", removed);
            members.number("bytes", counts.bytes);
            members.number("bytes_removed", bytes);
            members.number("messages", counts.messages);
            members.number("dropped", dropped);
            members.number("records", counts.records);
            members.number("read", read(counts));
            members.number("foreign", counts.foreign);
            members.number("suspect", counts.suspect);
            members.number("damaged", counts.damaged());
            members.number("refused", counts.declined);
        });
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
