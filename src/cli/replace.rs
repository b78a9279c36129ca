//! A file that is rewritten in its place (`strip --in-place`): all of the new content is written to a temporary file
//! beside it, which then takes its name. Whatever happens before that, the file is as it was.

use super::io::{Input, printable};
use super::whole::{Access, Temporary, sync};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;
use unthink::out::Step;

/// A file that may be rewritten.
#[derive(Debug)]
pub struct Original {
    /// The name for messages.
    name: String,
    /// Its own name, behind all symbolic links.
    path: PathBuf,
    backup: Option<PathBuf>,
    /// What it was when it was opened.
    before: Metadata,
}

impl Original {
    /// Whether a file may be rewritten at all; the old one is kept with `suffix` behind its name.
    ///
    /// # Errors
    /// Without an [`io::Error`] inside where no such file is ever rewritten, with one where the system does not allow it.
    pub fn check(path: &Path, suffix: &OsStr) -> Result<Self> {
        if path.as_os_str() == "-" {
            bail!("--in-place rewrites files, and this is standard input (./- is a file of that name)");
        }
        let (name, path) = (printable(path), path.canonicalize()?);
        let before = fs::metadata(&path)?;
        if !before.is_file() {
            bail!("--in-place rewrites regular files, and this is none");
        }
        if let Some(names @ 2..) = names(&before) {
            bail!(
                "--in-place would rewrite one of {names} names of this file (hard links), and part it from the others"
            );
        }
        if Input::open(&path)?.is_packed() {
            bail!(
                "--in-place would write this compressed file decompressed \
                 (gzip -dc FILE | unthink strip | gzip > NEW, or the same with zstd)"
            );
        }
        must_be_writable(&path, &before).context("the file cannot be written")?;
        let backup = (!suffix.is_empty()).then(|| {
            let mut name = path.clone().into_os_string();
            name.push(suffix);
            PathBuf::from(name)
        });
        Ok(Self { name, path, backup, before })
    }

    /// The same for an input that was opened by that name.
    pub fn of(path: &Path, suffix: &OsStr, input: &Input) -> Result<Self> {
        let checked = Self::check(path, suffix)?;
        // Another file may have got the name in between.
        match input.metadata() {
            Some(before) => Ok(Self { before: before?, ..checked }),
            None => bail!("--in-place rewrites regular files, and this is none"),
        }
    }

    /// How many bytes it has.
    pub fn len(&self) -> u64 {
        self.before.len()
    }

    /// An old backup is not overwritten.
    pub fn must_have_no_backup(&self) -> Result<()> {
        match &self.backup {
            Some(backup) if backup.symlink_metadata().is_ok() => {
                let taken = io::Error::new(ErrorKind::AlreadyExists, "it exists, and is not overwritten");
                Err(taken).with_context(|| format!("backup {}", printable(backup)))
            }
            _ => Ok(()),
        }
    }

    /// Nobody wrote to the file, and nobody else replaced it.
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

/// A file and what takes its place, as far as that is written.
pub struct Replacement {
    pub original: Original,
    /// The first bytes of the original that stay as they are, before the first change.
    kept: u64,
    /// So many bytes of the original are dealt with.
    read: u64,
    /// There is none as long as nothing changes.
    temporary: Option<Temporary>,
}

impl Replacement {
    pub fn new(original: Original) -> Self {
        Self { original, kept: 0, read: 0, temporary: None }
    }

    /// Writes the next bytes, which were made of the original in these steps.
    pub fn write(&mut self, steps: &[Step], out: &[u8]) -> Result<()> {
        self.try_write(steps, out).with_context(|| self.original.name.clone())
    }

    fn try_write(&mut self, steps: &[Step], mut out: &[u8]) -> Result<()> {
        self.read += read_by(steps);
        if self.temporary.is_none() {
            let mut steps = steps.iter();
            if let Some(Step::Keep(n)) = steps.as_slice().first() {
                self.kept += n;
                out = &out[*n as usize..];
                steps.next();
            }
            if steps.as_slice().is_empty() {
                return Ok(());
            }
            self.original.must_have_no_backup()?;
            let folder = self.original.folder();
            let made = Temporary::new(folder, Access::Owner)
                .with_context(|| format!("a temporary file in {}", printable(folder)))?;
            let temporary = self.temporary.insert(made);
            let copied = io::copy(&mut File::open(&self.original.path)?.take(self.kept), temporary.file())?;
            if copied != self.kept {
                return Err(changed());
            }
        }
        match &mut self.temporary {
            Some(temporary) => temporary.file().write_all(out).context("write the temporary file"),
            None => Ok(()),
        }
    }

    /// Whether every byte of the original was dealt with.
    pub fn is_whole(&self) -> bool {
        self.read == self.original.len()
    }

    /// Puts the new file in the place of the old one, if they differ.
    pub fn commit(self) -> Result<()> {
        let Self { original, temporary, .. } = self;
        let Some(temporary) = temporary else { return Ok(()) };
        let new = temporary.complete(original.folder(), Some((&original.path, &original.before)))?;
        original.must_be_unchanged()?;
        let kept = match &original.backup {
            Some(backup) => {
                Some(keep(&original.path, backup).with_context(|| format!("backup {}", printable(backup)))?)
            }
            None => None,
        };
        if let Err(e) = new.persist(&original.path) {
            drop(kept);
            return Err(anyhow::Error::new(e.error).context("rename the temporary file"));
        }
        if let Some(kept) = kept {
            // It is no temporary file any more.
            let _ = kept.keep();
        }
        sync(original.folder()).context("the file was rewritten, but may be the old one again after a power cut")
    }
}

fn changed() -> anyhow::Error {
    io::Error::other("another program changed the file while it was read").into()
}

/// How many bytes of the input these steps speak of.
pub fn read_by(steps: &[Step]) -> u64 {
    steps.iter().map(|step| if let Step::Keep(n) | Step::Cut(n) = step { *n } else { 0 }).sum()
}

/// Gives a file another name, under which it stays. It goes again unless it is kept.
fn keep(path: &Path, backup: &Path) -> io::Result<TempPath> {
    match fs::hard_link(path, backup) {
        // Some file systems know one name of a file only.
        Err(e) if e.kind() != ErrorKind::AlreadyExists => {
            let mut copy = File::create_new(backup)?;
            let made = TempPath::try_from_path(backup)?;
            let mut original = File::open(path)?;
            io::copy(&mut original, &mut copy)?;
            copy.set_permissions(original.metadata()?.permissions())?;
            copy.sync_all()?;
            Ok(made)
        }
        linked => linked.and_then(|()| TempPath::try_from_path(backup)),
    }
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

/// A new file in a folder that can be written would get around the permissions of the old one.
fn must_be_writable(path: &Path, of: &Metadata) -> io::Result<()> {
    // Root may write to any file.
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
        type Change = fn(&Path);
        let changes: [(&str, Change); 3] = [
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
            replacement.write(&[Step::Keep(1), Step::Cut(2)], b"a").unwrap();
            assert!(replacement.is_whole());
            change(&path);
            let now = fs::read(&path).unwrap();
            let e = replacement.commit().unwrap_err();
            assert!(e.is::<io::Error>() && e.to_string().contains("another program"), "{what}: {e}");
            assert_eq!(fs::read(&path).unwrap(), now, "{what}");
            assert!(!folder.path().join("a.bak").exists(), "{what}");
        }
        let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(left.into_iter().all(|name| name == "a" || name == "a.old"));
    }
}
