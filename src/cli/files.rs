//! Which files are read: named files, files of a list, and files found in folders. The verbs that take files share it.

mod folder;

use super::failure::{Result, WithContext, bail};
use super::fd::{standard, stdin_has_input, stdin_is_closed};
use super::notes::Notes;
use super::path::{place, printable};
use super::{Common, Status};
use clap::Args;
use folder::FolderSearch;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The files to read, and how they are found.
#[derive(Clone, Debug, Args)]
pub struct Files {
    #[command(flatten)]
    pub walk: FileArgs,

    /// Files and folders to read; none, or -, is stdin
    #[arg(value_name = "FILE|DIR", help_heading = "Arguments")]
    pub named: Vec<PathBuf>,
}

/// Which files are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Files")]
pub struct FileArgs {
    /// Read the files and folders that this file names too
    ///
    /// One a line; - is stdin.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub files_from: Option<PathBuf>,

    /// Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them
    #[arg(short = '0', long, requires = "files_from", hide_short_help = true)]
    null: bool,

    /// Which files of folders are read; !GLOB leaves out
    ///
    /// Without it, those with likely endings are read: .json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also
    /// with .gz or .zst. Repeatable; the last one that matches counts.
    #[arg(short, long, value_name = "GLOB")]
    glob: Vec<String>,

    /// Read hidden files and folders too
    #[arg(long, hide_short_help = true)]
    hidden: bool,

    /// Read what .gitignore and .unthinkignore leave out, too
    #[arg(long, hide_short_help = true)]
    no_ignore: bool,

    /// Read the files in folders and in the folders below; this is done without the option, too
    #[arg(short, long, hide_short_help = true)]
    recursive: bool,
}

/// What a verb does with its files.
pub struct Use<'a> {
    /// In words: no file to `read`, and a file that is not `read`.
    verb: &'static str,
    done: &'static str,
    /// Each file is read once, and the current folder is read if nothing is named and stdin has no input.
    checks: bool,
    /// Files of folders are looked at whatever their names are.
    any_name: bool,
    /// Files that the run reads or writes besides its inputs. They are not found in folders.
    own: Vec<&'a Path>,
    /// The folder that the run writes to, in which no files are found.
    target: Option<&'a Path>,
}

impl<'a> Use<'a> {
    /// A verb that reads its files. `own`: the files that its options name.
    pub fn reading(common: &'a Common, walk: &'a FileArgs, own: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        let common =
            common.unread.rejects.iter().chain(&common.given.profile).chain(&common.table.tags).chain(&walk.files_from);
        let own = common.chain(own).map(PathBuf::as_path).collect();
        Self { verb: "read", done: "read", checks: false, any_name: false, own, target: None }
    }

    /// Files of a command whose output goes to this folder.
    pub fn writing_to(self, target: Option<&'a PathBuf>) -> Self {
        Self { target: target.map(PathBuf::as_path), ..self }
    }

    /// Files of `check`.
    pub fn checking(self) -> Self {
        Self { verb: "check", done: "checked", checks: true, ..self }
    }

    /// Files of `identify`, which looks into files of any name.
    pub fn identifying(self) -> Self {
        Self { verb: "identify", done: "identified", checks: true, any_name: true, ..self }
    }
}

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    pub path: PathBuf,
    /// Its name below the argument by which it is read.
    pub below: PathBuf,
    /// It was found in a folder, and nobody named it.
    pub is_found: bool,
}

/// The files that a run reads, in order.
#[derive(Debug)]
pub struct Inputs {
    pub files: Vec<InputFile>,
    /// They are several, or may be: what is written of each has its name.
    pub are_several: bool,
    /// They were found in folders or named by a list, so that the user may not know which they are.
    pub are_found: bool,
    /// Whether everything that was named is there.
    pub status: Status,
}

impl Inputs {
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().map(|file| &file.path)
    }
}

/// The files to read, and whether anything is there to be read.
///
/// A file that is found in a folder is read once, even if it is named, too, and so is every file by `check`. A folder
/// without any file to read is a mistake, with which every run would pass for ever: if nothing else is read either, the
/// run fails. A list of files may be empty, as when nothing has changed.
pub fn find(args: &FileArgs, typed: &[PathBuf], by: &Use<'_>, notes: &Notes) -> Result<Inputs> {
    let mut roots: Vec<(PathBuf, bool)> = typed.iter().map(|path| (path.clone(), false)).collect();
    match &args.files_from {
        Some(list) if list.as_os_str() == "-" && typed.iter().any(|path| path.as_os_str() == "-") => {
            bail!("--files-from -: stdin cannot hold both the list and an input");
        }
        Some(list) => {
            roots.extend(named(list, if args.null { 0 } else { b'\n' })?.into_iter().map(|path| (path, true)))
        }
        None if !roots.is_empty() => (),
        None if !by.checks || stdin_has_input() => roots.push(("-".into(), false)),
        None => roots.push((".".into(), false)),
    }
    if roots.is_empty() {
        notes.warning(&format!("nothing was {}: the list of files is empty", by.done));
    }
    let mut search = FolderSearch::new(args, by, notes)?;
    let mut seen = Seen { checks: by.checks, places: HashMap::new() };
    let (mut files, mut empty, mut are_found) = (Vec::new(), Vec::new(), false);
    for (root, is_listed) in roots {
        if root.is_dir() {
            are_found = true;
            let found = search.folder(&root);
            if found.is_empty() {
                empty.push(format!("{}: no file to {} in this folder: {}", printable(&root), by.verb, search.why()));
            }
            let found = found.into_iter().map(|path| InputFile {
                below: below(&path, &root, is_listed),
                path: plain(path),
                is_found: true,
            });
            files.extend(found.filter(|file| seen.is_new(file)));
            continue;
        }
        if by.checks && root.as_os_str() == "-" && stdin_is_closed() {
            notes.error("<stdin>: standard input is closed, and nothing was read from it");
            search.status = Status::Io;
            continue;
        }
        let below = below(&root, root.parent().unwrap_or(Path::new("")), is_listed);
        let file = InputFile { below, path: if by.checks { plain(root) } else { root }, is_found: false };
        files.extend(seen.is_new(&file).then_some(file));
    }
    if files.is_empty() && !empty.is_empty() {
        search.status = search.status.max(Status::NotUnderstood);
        empty.iter().for_each(|message| notes.error(message));
    } else {
        empty.iter().for_each(|message| notes.warning(message));
    }
    let are_found = are_found || args.files_from.is_some();
    Ok(Inputs { are_several: files.len() > 1 || are_found, files, are_found, status: search.status })
}

/// The places of the files so far, and whether each was found in a folder.
struct Seen {
    checks: bool,
    places: HashMap<PathBuf, bool>,
}

impl Seen {
    fn is_new(&mut self, file: &InputFile) -> bool {
        let path = &file.path;
        let place = if path.as_os_str() == "-" { path.clone() } else { place(path) };
        let before = self.places.insert(place, file.is_found);
        before.is_none_or(|was_found| !was_found && !file.is_found && !self.checks)
    }
}

/// The name of a file below the argument `root`. Files of a list are named from the current folder, as the list does,
/// unless they stand outside of it.
fn below(path: &Path, root: &Path, is_listed: bool) -> PathBuf {
    let path = path.strip_prefix(".").unwrap_or(path);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    match path.strip_prefix(root.strip_prefix(".").unwrap_or(root)) {
        _ if is_listed && is_inside => path.to_path_buf(),
        Ok(rest) => rest.to_path_buf(),
        Err(_) => path.file_name().map(PathBuf::from).unwrap_or_default(),
    }
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
    Ok(std::str::from_utf8(name).map_err(|e| super::failure::misuse!("--files-from: a name is not UTF-8: {e}"))?.into())
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
    fn names_below_the_argument() {
        for (path, root, is_listed, want) in [
            ("logs/sub/a.json", "logs", false, "sub/a.json"),
            ("./logs/sub/a.json", "./logs", false, "sub/a.json"),
            ("./sub/a.json", ".", false, "sub/a.json"),
            ("sub/a.json", "sub", true, "sub/a.json"),
            ("../sub/a.json", "../sub", true, "a.json"),
            ("/logs/a.json", "/logs", true, "a.json"),
            ("./-", ".", false, "-"),
        ] {
            assert_eq!(below(Path::new(path), Path::new(root), is_listed), Path::new(want), "{path}");
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
