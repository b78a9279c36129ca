//! Where output goes instead of stdout: to one file (`--output-file`), or to a folder, a file for each input
//! (`--output-dir`), or each input is rewritten.

use super::Common;
use super::destination::OutputMode;
use super::fd::stdout_is_terminal;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// `--output-file`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output files")]
pub struct OutputFile {
    /// Write to this file instead of stdout
    ///
    /// The file is there whole or not at all, and compressed if its name ends in .gz or .zst.
    #[arg(short = 'O', long, value_name = "FILE")]
    output_file: Option<PathBuf>,
}

impl OutputFile {
    /// The file, unless it is stdout.
    pub fn path(&self) -> Option<&Path> {
        self.output_file.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// The option as files of this run.
    pub fn own(&self) -> &Option<PathBuf> {
        &self.output_file
    }
}

/// `--output-file` and `--output-dir`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output files")]
pub struct OutputArgs {
    #[command(flatten)]
    pub one: OutputFile,

    /// Write a file for each input to this folder
    ///
    /// It has the name of the input. A file of a folder that was named keeps its path below that folder, and a file of --files-from its path in the
    /// list. Files that are compressed (gzip, Zstandard) are written compressed. A file of which a record cannot be
    /// understood is not written, unless --on-error pass keeps the record; one that is already there is replaced, as a
    /// whole, and no input is. Nothing goes to stdout.
    #[arg(long, value_name = "DIR", conflicts_with = "output_file")]
    pub output_dir: Option<PathBuf>,
}

impl OutputArgs {
    /// Where the output of each input goes.
    pub fn mode(&self) -> OutputMode {
        self.output_dir.clone().map_or(OutputMode::Standard, OutputMode::Folder)
    }
}

/// `--in-place`, `--dry-run` and `--diff`.
#[derive(Clone, Debug, Args)]
pub struct RewriteArgs {
    /// Rewrite each FILE; with SUFFIX (-i.bak), keep the old one
    ///
    /// What is left of each FILE is written to FILE itself, and nothing to stdout. The old one is kept as FILESUFFIX. The
    /// new content is written to a temporary file in the same directory, which takes the place of FILE when all of
    /// it is on the disk, with the owner, the permissions and the attributes that FILE has: a crash leaves FILE as it
    /// was. A symbolic link stays one, and the file behind it is rewritten. FILE is not touched if nothing in it
    /// changes; if a record of it cannot be understood, unless --on-error pass keeps the record; if it is read-only; if
    /// another program writes to it meanwhile; if there is an old backup of that name; if it has several names (hard links); or if it is no regular file. The others
    /// are rewritten all the same. A compressed file (gzip, Zstandard) is written compressed again. Each FILE is named on
    /// stderr as changed, clean or left, why it was left, and the sums behind them.
    #[arg(
        short,
        long,
        value_name = "SUFFIX",
        num_args(0..=1),
        require_equals(true),
        default_missing_value = "",
        value_hint = clap::ValueHint::Other,
        conflicts_with_all = ["output_dir", "output_file"]
    )]
    in_place: Option<OsString>,

    /// Only say what would be removed from each FILE
    ///
    /// A line for each FILE: how many blocks and how many bytes would be removed, its name, and what would become of it
    /// (changed, clean, or left: why), with tabs between them; with the exit status and the messages of a real run, also
    /// one with --in-place.
    #[arg(long, conflicts_with = "output_dir")]
    dry_run: bool,

    /// Write what would change as a unified diff
    ///
    /// For `patch -p0` or `git apply -p0`. It shows the reasoning that would be removed. A record that cannot be understood is not changed by the diff. What became of each FILE is said on stderr. Changes that are next to each other and together
    /// larger than --max-record are written without the lines around them, for which `git apply` needs --unidiff-zero.
    #[arg(long, conflicts_with_all = ["in_place", "dry_run", "output_dir"])]
    diff: bool,
}

impl RewriteArgs {
    /// Where the output of each input goes.
    pub fn mode(&self, common: &Common, output: &OutputArgs) -> OutputMode {
        match (&self.in_place, self.dry_run, self.diff) {
            (suffix, true, _) => OutputMode::DryRun(suffix.clone()),
            (Some(suffix), ..) => OutputMode::InPlace(suffix.clone()),
            (None, _, true) => OutputMode::Diff(
                common.max_record,
                common.messages.color.is_on(stdout_is_terminal() && output.one.path().is_none()),
            ),
            (None, ..) => output.mode(),
        }
    }
}
