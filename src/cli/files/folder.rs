//! The search of a folder: ignore files, globs, hidden files, and names that are likely.

use super::{FileArgs, Use};
use crate::cli::failure::{Result, misuse};
use crate::cli::notes::Notes;
use crate::cli::path::{is_output, printable, same_file};
use crate::cli::{Status, whole};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Extensions of files that may hold conversations. Folders hold other files, too.
const LIKELY: [&str; 9] = ["json", "jsonl", "ndjson", "sse", "txt", "md", "log", "csv", "tsv"];

/// A search of folders.
pub struct FolderSearch<'a> {
    args: &'a FileArgs,
    globs: Override,
    by: &'a Use<'a>,
    notes: &'a Notes,
    pub status: Status,
    /// In the last folder: how many files were skipped for their names, and how many symbolic links.
    other: u64,
    links: u64,
}

impl<'a> FolderSearch<'a> {
    pub fn new(args: &'a FileArgs, by: &'a Use<'a>, notes: &'a Notes) -> Result<Self> {
        Ok(Self { args, globs: globs(&args.glob)?, by, notes, status: Status::Done, other: 0, links: 0 })
    }
}

impl FolderSearch<'_> {
    /// The files in a folder, sorted by name, so that the result does not depend on the file system. Git settings
    /// outside of the tree are ignored, so that it does not depend on the user's machine either.
    pub fn folder(&mut self, root: &Path) -> Vec<PathBuf> {
        let respect = !self.args.no_ignore;
        let mut walk = WalkBuilder::new(root);
        walk.standard_filters(false).hidden(!self.args.hidden).parents(respect).git_ignore(respect);
        walk.require_git(false).overrides(self.globs.clone());
        if respect {
            walk.add_custom_ignore_filename(".unthinkignore");
        }
        // What an earlier run wrote is no input of this one.
        let target = self.by.target.and_then(|target| target.canonicalize().ok());
        let is_target = move |entry: &DirEntry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            is_folder && target.is_some() && entry.path().canonicalize().ok() == target
        };
        // A glob by itself asks for no hidden file.
        let hidden = self.args.hidden;
        let is_hidden = move |name: &OsStr| {
            name == ".git" || whole::is_temporary(name) || (!hidden && name.as_encoded_bytes().starts_with(b"."))
        };
        walk.filter_entry(move |entry| entry.depth() == 0 || !(is_hidden(entry.file_name()) || is_target(entry)));
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
        let looked_for = self.by.any_name || self.globs.num_whitelists() > 0 || is_likely(path);
        if !is(std::fs::FileType::is_file) || !looked_for {
            self.links += u64::from(is(std::fs::FileType::is_symlink));
            self.other += u64::from(is(std::fs::FileType::is_file));
            return false;
        }
        let own = is_output(path).is_some() || self.by.own.iter().any(|own| same_file(own, path));
        if own {
            self.notes.detail(&format!("{}: a file of this run, not {}", printable(path), self.by.done));
        }
        !own
    }
}

impl FolderSearch<'_> {
    /// Why the last folder had no files to read.
    pub fn why(&self) -> String {
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

fn globs(globs: &[String]) -> Result<Override> {
    let mut builder = OverrideBuilder::new(std::env::current_dir()?);
    for glob in globs {
        // The error for a bad glob quotes it.
        builder.add(glob).map_err(|e| misuse!("--glob: {}", printable(Path::new(&e.to_string()))))?;
    }
    builder.build().map_err(|e| misuse!("{e}"))
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
}
