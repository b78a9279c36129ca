//! Rewrites a file in its place (`strip --in-place`): the new content is written to a temporary file beside it, which
//! then takes its name. Until then the file is unchanged, whatever happens.

use super::failure::{CommandError, FailureKind, Result, WithContext};
use super::input::Input;
use super::interrupt;
use super::packing::{Packer, Packing};
use super::path::printable;
use super::whole::{Access, Temporary, names_of_ours, sync};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;
use unthink::out::SpliceStep;

/// A file that may be rewritten.
#[derive(Debug)]
pub struct Original {
    /// The name for messages.
    name: String,
    /// Its canonical path, behind all symbolic links.
    path: PathBuf,
    backup: Option<PathBuf>,
    /// Its metadata from when it was opened.
    before: Metadata,
    packing: Packing,
}

impl Original {
    /// Checks whether a file may be rewritten. `suffix`: behind the name of its backup.
    ///
    /// # Errors
    /// Of the kind `Input` if such a file is never rewritten, and `Io` if the system does not allow it.
    pub fn check(path: &Path, suffix: &OsStr) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Err(not_rewritten(
                "--in-place rewrites files, and this is standard input (./- is a file of that name)",
            ));
        }
        let (name, path) = (printable(path), path.canonicalize()?);
        let before = fs::metadata(&path)?;
        if !before.is_file() {
            return Err(not_rewritten("--in-place rewrites regular files, and this is none"));
        }
        let backup = (!suffix.is_empty()).then(|| {
            let mut name = path.clone().into_os_string();
            name.push(suffix);
            PathBuf::from(name)
        });
        // A run that was killed may have left the name of the backup, and no more.
        let own = 1 + u64::from(backup.as_ref().is_some_and(|backup| is_name_of(backup, &before)));
        if let Some(names) = names(&before).filter(|names| *names > own) {
            return Err(not_rewritten(format!(
                "--in-place would rewrite one of {names} names of this file (hard links), and part it from the others"
            )));
        }
        must_be_writable(&path, &before).context("the file cannot be written")?;
        Ok(Self { name, path, backup, before, packing: Packing::Not })
    }

    /// Checks the same for an input that was opened by that name.
    pub fn of(path: &Path, suffix: &OsStr, input: &Input) -> Result<Self> {
        let checked = Self::check(path, suffix)?;
        // The name may belong to another file by now.
        Ok(Self { before: input.metadata.clone(), packing: input.packing, ..checked })
    }

    /// Whether so many bytes are all of its content. `whole`: an engine read it to the end. What is compressed does not
    /// say how many bytes it has.
    pub fn is_whole(&self, read: u64, whole: bool) -> bool {
        if self.packing == Packing::Not { read == self.before.len() } else { whole }
    }

    /// Checks that there is no old backup, which is never overwritten.
    pub fn must_have_no_backup(&self) -> Result<()> {
        match &self.backup {
            Some(backup) if backup.symlink_metadata().is_ok() && !is_name_of(backup, &self.before) => {
                let taken = io::Error::new(ErrorKind::AlreadyExists, "it exists, and is not overwritten");
                Err(taken).with_context(|| format!("backup {}", printable(backup)))
            }
            _ => Ok(()),
        }
    }

    /// Checks that nobody has changed or replaced the file.
    fn must_be_unchanged(&self) -> Result<()> {
        let now = fs::symlink_metadata(&self.path)?;
        let modified = |of: &Metadata| of.modified().ok();
        let same = now.len() == self.before.len() && modified(&now) == modified(&self.before);
        if same && is_same(&now, &self.before) { Ok(()) } else { Err(changed()) }
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }
}

/// A file, and its new content as far as that is written.
pub struct Replacement {
    pub original: Original,
    /// How many bytes are unchanged before the first change.
    kept: u64,
    /// How many bytes of the original are done.
    read: u64,
    /// The temporary file, and what writes it. There is none before the first change.
    temporary: Option<(Temporary, Packer)>,
}

impl Replacement {
    pub fn new(original: Original) -> Self {
        Self { original, kept: 0, read: 0, temporary: None }
    }

    /// Writes the next bytes of the new content, which these steps made from the original.
    pub fn write(&mut self, steps: &[SpliceStep], out: &[u8]) -> Result<()> {
        self.try_write(steps, out).with_context(|| self.original.name.clone())
    }

    fn try_write(&mut self, steps: &[SpliceStep], mut out: &[u8]) -> Result<()> {
        self.read += read_by(steps);
        if self.temporary.is_none() {
            let mut steps = steps.iter();
            if let Some(SpliceStep::Keep(n)) = steps.as_slice().first() {
                self.kept += n;
                out = &out[*n as usize..];
                steps.next();
            }
            if steps.as_slice().is_empty() {
                return Ok(());
            }
            self.original.must_have_no_backup()?;
            let folder = self.original.folder();
            let mut made = Temporary::new(folder, Access::Owner)
                .with_context(|| format!("a temporary file in {}", printable(folder)))?;
            let packer = Packer::new(made.file().try_clone()?, self.original.packing)?;
            let (made, packer) = self.temporary.insert((made, packer));
            let copied = match self.original.packing {
                // The system copies it.
                Packing::Not => io::copy(&mut File::open(&self.original.path)?.take(self.kept), made.file()),
                _ => io::copy(&mut Input::open(&self.original.path)?.into_reader().take(self.kept), packer),
            }?;
            if copied != self.kept {
                return Err(changed());
            }
        }
        match &mut self.temporary {
            Some((_, packer)) => packer.write_all(out).context("write the temporary file"),
            None => Ok(()),
        }
    }

    /// Whether every byte of the original is done. `whole`: an engine read it to the end.
    pub fn is_whole(&self, whole: bool) -> bool {
        self.original.is_whole(self.read, whole)
    }

    /// Replaces the old file by the new one, if they differ.
    pub fn commit(self) -> Result<()> {
        let Self { original, temporary, .. } = self;
        let Some((mut temporary, packer)) = temporary else { return Ok(()) };
        packer.finish().context("write the temporary file")?;
        temporary.complete(Some((&original.path, &original.before)))?;
        let _hold = interrupt::hold();
        let new = temporary.named(original.folder())?;
        original.must_be_unchanged()?;
        let kept = match &original.backup {
            Some(backup) => Some(keep(&original, backup).with_context(|| format!("backup {}", printable(backup)))?),
            None => None,
        };
        if let Err(e) = new.persist(&original.path) {
            drop(kept);
            return Err(CommandError::from(e.error).context("rename the temporary file"));
        }
        if let Some(kept) = kept {
            // From here on it is no temporary file.
            let _ = kept.keep();
        }
        sync(original.folder()).context("the file was rewritten, but may be the old one again after a power cut")
    }
}

/// A file that is never rewritten.
fn not_rewritten(why: impl Into<String>) -> CommandError {
    CommandError::new(FailureKind::Input, why)
}

fn changed() -> CommandError {
    io::Error::other("another program changed the file while it was read").into()
}

/// How many bytes of the input these steps cover.
pub fn read_by(steps: &[SpliceStep]) -> u64 {
    steps.iter().map(|step| if let SpliceStep::Keep(n) | SpliceStep::Cut(n) = step { *n } else { 0 }).sum()
}

/// Gives a file a second name, which is removed again unless it is kept.
fn keep(original: &Original, backup: &Path) -> io::Result<TempPath> {
    match fs::hard_link(&original.path, backup) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists && is_name_of(backup, &original.before) => (),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => return Err(e),
        // Some file systems allow only one name for a file.
        Err(_) => {
            let mut copy = names_of_ours(Access::Owner).tempfile_in(original.folder())?;
            let mut old = File::open(&original.path)?;
            io::copy(&mut old, copy.as_file_mut())?;
            copy.as_file().set_permissions(old.metadata()?.permissions())?;
            copy.as_file().sync_all()?;
            copy.persist_noclobber(backup).map_err(|e| e.error)?;
        }
        Ok(()) => (),
    }
    TempPath::try_from_path(backup)
}

/// Whether a path is a name of this file.
fn is_name_of(path: &Path, file: &Metadata) -> bool {
    cfg!(unix) && path.symlink_metadata().is_ok_and(|found| is_same(&found, file))
}

#[cfg(unix)]
fn names(of: &Metadata) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    Some(of.nlink())
}

#[cfg(not(unix))]
fn names(_of: &Metadata) -> Option<u64> {
    None
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    a.is_file() == b.is_file()
}

/// Checks that the old file is writable: a new file in a writable folder would get around its permissions.
fn must_be_writable(path: &Path, of: &Metadata) -> io::Result<()> {
    // Root may write any file.
    if of.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    #[cfg(unix)]
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK)?;
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        type ChangesFile = fn(&Path);
        let changes: [(&str, ChangesFile); 3] = [
            ("longer", |path| fs::write(path, "abcd").unwrap()),
            ("of another time", |path| {
                let file = File::options().write(true).open(path).unwrap();
                file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            }),
            ("another", |path| {
                let modified = fs::metadata(path).unwrap().modified().unwrap();
                fs::rename(path, path.with_extension("old")).unwrap();
                fs::write(path, "abc").unwrap();
                File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
            }),
        ];
        for (what, change) in changes {
            fs::write(&path, "abc").unwrap();
            let original = Original::of(&path, OsStr::new(".bak"), &Input::open(&path).unwrap()).unwrap();
            let mut replacement = Replacement::new(original);
            replacement.write(&[SpliceStep::Keep(1), SpliceStep::Cut(2)], b"a").unwrap();
            assert!(replacement.is_whole(true));
            change(&path);
            let now = fs::read(&path).unwrap();
            let e = replacement.commit().unwrap_err();
            assert!(e.status() == crate::cli::Status::Io && e.to_string().contains("another program"), "{what}: {e}");
            assert_eq!(fs::read(&path).unwrap(), now, "{what}");
            assert!(!folder.path().join("a.bak").exists(), "{what}");
        }
        let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(left.into_iter().all(|name| name == "a" || name == "a.old"));
    }
}
