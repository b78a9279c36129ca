//! Where output goes instead of stdout: to one file (`--output-file`), or to a folder, a file for each input
//! (`--output-dir`), or each input is rewritten.

use super::Common;
use super::destination::OutputMode;
use super::files::{InputFile, Inputs};
use super::io::{Input, place, printable, stdout_is_terminal};
use super::packing::Packing;
use super::states::name_of;
use super::whole::NewFile;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
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

/// Makes the folder for output, and checks that no two inputs would become the same file, and that none is replaced.
///
/// # Errors
/// With an [`std::io::Error`] inside if the folder cannot be made; otherwise it is wrong usage.
pub fn prepare(folder: &Path, inputs: &Inputs) -> Result<()> {
    let read: HashSet<PathBuf> = inputs.paths().map(|path| place(path)).collect();
    let mut written: HashMap<PathBuf, &Path> = HashMap::new();
    for InputFile { path, below, .. } in &inputs.files {
        if path.as_os_str() == "-" {
            bail!("--output-dir: standard input has no name for a file (-O FILE writes one)");
        }
        let target = folder.join(below);
        let place = place(&target);
        if read.contains(&place) {
            bail!("{}: the file is read, and would be overwritten", printable(&target));
        }
        if let Some(other) = written.insert(place, path) {
            let (a, b) = (name_of(other), name_of(path));
            bail!("--output-dir: {a} and {b} would both be written to {}", printable(&target));
        }
    }
    fs::create_dir_all(folder).with_context(|| printable(folder))
}

/// A new file in the folder for output.
pub struct CreatedFile {
    file: NewFile,
    name: String,
    /// What was read and is not written yet, as long as both are the same.
    ahead: VecDeque<u8>,
    differs: bool,
}

impl CreatedFile {
    /// What is made of this input.
    pub fn new(folder: &Path, of: &InputFile, input: &Input) -> Result<Self> {
        let target = folder.join(&of.below);
        let name = printable(&target);
        let file = NewFile::below(folder, &target, input.packing, &input.metadata).with_context(|| name.clone())?;
        Ok(Self { file, name, ahead: VecDeque::new(), differs: false })
    }

    /// A page that is made of this input. It is not compressed, and no link leads it out of the folder.
    pub fn page(folder: &Path, of: &InputFile, input: &Input) -> Result<Self> {
        let target = folder.join(&of.below);
        let name = printable(&target);
        let tree = folder.canonicalize().with_context(|| printable(folder))?;
        let place = target.ancestors().find_map(|path| path.canonicalize().ok());
        if !place.is_some_and(|place| place.starts_with(&tree)) {
            let outside = std::io::Error::other("a link leads out of the folder for pages");
            return Err(outside).with_context(|| name);
        }
        let file = NewFile::below(folder, &target, Packing::Not, &input.metadata).with_context(|| name.clone())?;
        Ok(Self { file, name, ahead: VecDeque::new(), differs: true })
    }

    /// Notes bytes of the input.
    pub fn read(&mut self, bytes: &[u8]) {
        if !self.differs {
            self.ahead.extend(bytes);
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.differs = self.differs || !begins_with(&self.ahead, bytes);
        match self.differs {
            true => self.ahead = VecDeque::new(),
            false => drop(self.ahead.drain(..bytes.len())),
        }
        self.file.write_all(bytes).with_context(|| format!("write {}", self.name))
    }

    /// Gives the file its name. Returns whether it differs from the input.
    pub fn commit(self) -> Result<bool> {
        let differs = self.differs || !self.ahead.is_empty();
        self.file.commit().with_context(|| format!("write {}", self.name))?;
        Ok(differs)
    }
}

fn begins_with(queue: &VecDeque<u8>, bytes: &[u8]) -> bool {
    let (a, b) = queue.as_slices();
    let cut = a.len().min(bytes.len());
    a[..cut] == bytes[..cut] && b.starts_with(&bytes[cut..])
}

/// A new file for the output of all inputs. What its name ends in says whether it is compressed.
pub fn one_file(path: &Path) -> Result<NewFile> {
    NewFile::new(path, Packing::named(path)).with_context(|| format!("write {}", printable(path)))
}
