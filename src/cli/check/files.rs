//! Which files are read: named files, files of a list, and files found in folders.

use crate::cli::Status;
use crate::cli::io::{is_output, place, printable, same_file, standard, stdin_has_input, stdin_is_closed};
use crate::cli::notes::Notes;
use anyhow::{Context, Result, bail};
use clap::Args;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Which files are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Files")]
pub struct FileArgs {
    /// Read the files and folders that this file names too, one a line; - is stdin
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,

    /// Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,

    /// In folders, read the files whose names match instead of those with likely endings; !GLOB leaves out those that
    /// match; repeatable, the last one that matches counts
    #[arg(short, long, value_name = "GLOB")]
    glob: Vec<String>,

    /// Read hidden files and folders too
    #[arg(long)]
    hidden: bool,

    /// Read what .gitignore and .unthinkignore leave out, too
    #[arg(long)]
    no_ignore: bool,
}

/// Extensions of files that may hold conversations. Folders hold other files, too.
const LIKELY: [&str; 9] = ["json", "jsonl", "ndjson", "sse", "txt", "md", "log", "csv", "tsv"];

/// The files to read, each once and without a leading `./`; and whether anything is there to be read. Files of this
/// run's `own` are not found in folders.
///
/// A folder without any such file is a mistake, with which every run would pass for ever: if nothing else is read
/// either, the run fails. A list of files may be empty, as when nothing has changed.
pub fn find(args: &FileArgs, typed: &[PathBuf], own: &[&Path], notes: &Notes) -> Result<(Vec<PathBuf>, Status)> {
    let mut roots: Vec<PathBuf> = typed.to_vec();
    match &args.files_from {
        Some(list) if list.as_os_str() == "-" && typed.iter().any(|path| path.as_os_str() == "-") => {
            bail!("--files-from -: stdin cannot hold both the list and an input");
        }
        Some(list) => roots.extend(named(list, if args.null { 0 } else { b'\n' })?),
        None if roots.is_empty() && stdin_has_input() => roots.push("-".into()),
        None if roots.is_empty() => roots.push(".".into()),
        None => (),
    }
    if roots.is_empty() {
        notes.warning("nothing was checked: the list of files is empty");
    }
    let mut search = Search { args, globs: globs(&args.glob)?, own, notes, status: Status::Done, other: 0, links: 0 };
    let (mut files, mut seen, mut empty) = (Vec::new(), HashSet::new(), Vec::new());
    for root in roots {
        let mut found = if root.is_dir() { search.folder(&root) } else { vec![root.clone()] };
        if found.is_empty() {
            empty.push(format!("{}: no file to check in this folder: {}", printable(&root), search.why()));
        }
        let at = found.iter().position(|path| path.as_os_str() == "-").filter(|_| stdin_is_closed());
        if let Some(at) = at {
            found.remove(at);
            notes.error("<stdin>: standard input is closed, and nothing was read from it");
            search.status = Status::Io;
        }
        let is_new = |path: &PathBuf| seen.insert(if path.as_os_str() == "-" { path.clone() } else { place(path) });
        files.extend(found.into_iter().map(plain).filter(is_new));
    }
    if files.is_empty() && !empty.is_empty() {
        search.status = search.status.max(Status::NotUnderstood);
        empty.iter().for_each(|message| notes.error(message));
    } else {
        empty.iter().for_each(|message| notes.warning(message));
    }
    Ok((files, search.status))
}

/// The file names in a list. A `-` is a file of that name, not stdin.
fn named(list: &Path, end: u8) -> Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    let file = if list.as_os_str() == "-" { standard(std::io::stdin()) } else { File::open(list) };
    file.and_then(|mut file| file.read_to_end(&mut bytes)).with_context(|| printable(list))?;
    let names = bytes.split(|b| *b == end).filter(|name| !name.is_empty());
    names.map(|name| Ok(if name == b"-" { "./-".into() } else { path(name)? })).collect()
}

#[cfg(unix)]
fn path(name: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> Result<PathBuf> {
    let name = name.strip_suffix(b"\r").unwrap_or(name);
    Ok(std::str::from_utf8(name).context("--files-from: a name is not UTF-8")?.into())
}

fn globs(globs: &[String]) -> Result<Override> {
    let mut builder = OverrideBuilder::new(std::env::current_dir()?);
    for glob in globs {
        // The error for a bad glob quotes it.
        builder.add(glob).map_err(|e| anyhow::anyhow!("--glob: {}", printable(Path::new(&e.to_string()))))?;
    }
    Ok(builder.build()?)
}

/// A search of folders.
struct Search<'a> {
    args: &'a FileArgs,
    globs: Override,
    own: &'a [&'a Path],
    notes: &'a Notes,
    status: Status,
    /// In the last folder: how many files were skipped for their names, and how many symbolic links.
    other: u64,
    links: u64,
}

impl Search<'_> {
    /// The files in a folder, sorted by name, so that the result does not depend on the file system. Git settings
    /// outside of the tree are ignored, so that it does not depend on the user's machine either.
    fn folder(&mut self, root: &Path) -> Vec<PathBuf> {
        let respect = !self.args.no_ignore;
        let mut walk = WalkBuilder::new(root);
        walk.standard_filters(false).hidden(!self.args.hidden).parents(respect).git_ignore(respect);
        walk.require_git(false).overrides(self.globs.clone());
        if respect {
            walk.add_custom_ignore_filename(".unthinkignore");
        }
        walk.filter_entry(|entry| entry.file_name() != ".git" || entry.depth() == 0);
        let mut files = Vec::new();
        (self.other, self.links) = (0, 0);
        for entry in walk.build() {
            match entry {
                Ok(entry) => files.extend(self.wanted(&entry).then(|| entry.into_path())),
                Err(e) => {
                    self.notes.error(&printable(Path::new(&e.to_string())));
                    self.status = Status::Io;
                }
            }
        }
        files.sort();
        files
    }

    fn wanted(&mut self, entry: &DirEntry) -> bool {
        if let Some(e) = entry.error() {
            self.notes.warning(&printable(Path::new(&e.to_string())));
        }
        let path = entry.path();
        let is = |what: fn(&std::fs::FileType) -> bool| entry.file_type().is_some_and(|kind| what(&kind));
        let looked_for = self.globs.num_whitelists() > 0 || is_likely(path);
        if !is(std::fs::FileType::is_file) || !looked_for {
            self.links += u64::from(is(std::fs::FileType::is_symlink));
            self.other += u64::from(is(std::fs::FileType::is_file));
            return false;
        }
        let own = is_output(path).is_some() || self.own.iter().any(|own| same_file(own, path));
        if own {
            self.notes.detail(&format!("{}: a file of this run, not checked", printable(path)));
        }
        !own
    }
}

impl Search<'_> {
    /// Why the last folder had no files to read.
    fn why(&self) -> String {
        let some = |n: u64, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let other = some(
            self.other,
            "file has a name that is not looked for (--glob says which are)",
            "files have names that are not looked for (--glob says which are)",
        );
        let links =
            some(self.links, "symbolic link is not followed (name it)", "symbolic links are not followed (name them)");
        let seen: Vec<String> = other.into_iter().chain(links).collect();
        match (seen.is_empty(), self.args.glob.is_empty()) {
            (false, _) => seen.join(", "),
            (true, false) => "nothing in it is left by --glob, .gitignore and .unthinkignore".into(),
            (true, true) => {
                "it is empty, or all in it is hidden (--hidden) or named by .gitignore or .unthinkignore (--no-ignore)"
                    .into()
            }
        }
    }
}

/// Whether a file has an extension of files with conversations, compressed or not.
fn is_likely(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let name = name.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.rsplit_once('.').is_some_and(|(_, ending)| LIKELY.contains(&ending))
}

/// A name without a leading `./`, unless it would mean stdin then.
pub fn plain(path: PathBuf) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(rest) if !rest.as_os_str().is_empty() && rest.as_os_str() != "-" => rest.to_path_buf(),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_names() {
        for (name, likely) in [
            ("a.json", true),
            ("a/b.JSONL", true),
            ("a.log.gz", true),
            ("a.txt.zst", true),
            ("a.rs", false),
            ("a.gz", false),
            ("json", false),
            ("a.json.bak", false),
        ] {
            assert_eq!(is_likely(Path::new(name)), likely, "{name}");
        }
    }

    #[test]
    fn plain_names() {
        for (name, want) in [("./a", "a"), ("./-", "./-"), ("-", "-"), ("a/./b", "a/./b"), ("../a", "../a"), (".", ".")]
        {
            assert_eq!(plain(name.into()), Path::new(want), "{name}");
        }
    }
}
