//! Writes files that exist whole or not at all: reports, baselines, output, and files that `strip --in-place` rewrites. The
//! content is written to a temporary file in the same folder, which then takes the name.

use super::failure::{Result, WithContext};
use super::interrupt::{self, Watched};
use super::packing::{Packer, Packing};
use super::path::printable;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempPath};

/// Writes a file beside its place and moves it there, so that nobody ever finds half of it: not after a crash, and not
/// on a full disk. A pipe, a terminal or `/dev/stdout` is written directly.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes).with_context(|| format!("write {}", printable(path)))
}

/// Checks that the folder of a file exists, and that no folder has its name: what can be known before the work.
pub fn may_write(path: &Path) -> Result<()> {
    let known = match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(()),
        Err(_) => fs::metadata(folder(path)).and_then(|found| match found.is_dir() {
            true => Ok(()),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }),
    };
    known.with_context(|| format!("write {}", printable(path)))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut new = NewFile::new(path, Packing::Not)?;
    new.write_all(bytes)?;
    new.commit()
}

/// A file that is written bit by bit. Until it is committed, nobody finds it.
pub struct NewFile {
    /// Where it will be. A symbolic link stays a link.
    place: PathBuf,
    /// The file that it replaces.
    old: Option<Metadata>,
    /// The folder of the temporary file.
    folder: PathBuf,
    /// A pipe, a terminal or `/dev/stdout` is written directly.
    temporary: Option<Temporary>,
    packer: Packer,
}

impl NewFile {
    pub fn new(path: &Path, packing: Packing) -> Result<Self> {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let beside = folder(&place).to_path_buf();
        Self::made(place, beside, packing)
    }

    /// A file in `tree`, or in a folder below that need not exist yet. It has no permission that `like` lacks.
    pub fn below(tree: &Path, path: &Path, packing: Packing, like: &Metadata) -> Result<Self> {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let mut new = Self::made(place, tree.to_path_buf(), packing)?;
        #[cfg(unix)]
        if let (Some(temporary), None) = (&mut new.temporary, &new.old) {
            use std::os::unix::fs::PermissionsExt;
            let file = temporary.file();
            let mode = file.metadata()?.permissions().mode() & (like.permissions().mode() | 0o200) & 0o777;
            file.set_permissions(fs::Permissions::from_mode(mode))?;
        }
        let _ = like;
        Ok(new)
    }

    fn made(place: PathBuf, folder: PathBuf, packing: Packing) -> Result<Self> {
        let old = fs::metadata(&place).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let packer = Packer::new(File::options().write(true).open(&place)?, packing)?;
            return Ok(Self { place, old, folder, temporary: None, packer });
        }
        let mut temporary = Temporary::new(&folder, if old.is_some() { Access::Owner } else { Access::Usual })?;
        let packer = Packer::new(temporary.file().try_clone()?, packing)?;
        Ok(Self { place, old, folder, temporary: Some(temporary), packer })
    }

    /// Gives the file its name.
    pub fn commit(self) -> Result<()> {
        let Self { place, old, folder: beside, temporary, packer } = self;
        packer.finish()?;
        let Some(mut temporary) = temporary else { return Ok(()) };
        temporary.complete(old.as_ref().map(|old| (place.as_path(), old)))?;
        let folder = folder(&place);
        fs::create_dir_all(folder)?;
        let _hold = interrupt::hold();
        if old.is_some() || !temporary.is_put(&place).context("name the file")? {
            temporary.named(&beside)?.persist(&place).map_err(|e| e.error)?;
        }
        sync(folder).context("the file was written, but may be missing after a power cut")
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.packer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.packer.flush()
    }
}

/// Who may read a new file at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only its owner: the file replaces another one, which may be secret.
    Owner,
    /// Anyone who may read new files of this user (umask).
    Usual,
}

/// A file that nobody finds before it is complete.
pub enum Temporary {
    /// It has no name, so that nothing is left of it, however this program ends.
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// It is removed when this value is dropped, and by an interrupt.
    Named { file: tempfile::NamedTempFile, _watched: Watched },
}

impl Temporary {
    /// An empty file in a folder.
    pub fn new(folder: &Path, access: Access) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{Mode, OFlags};
            let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
            // It gets its name through /proc. Not every file system has such files.
            let mode = match access {
                Access::Owner => Mode::RUSR | Mode::WUSR,
                Access::Usual => Mode::from_raw_mode(0o666),
            };
            let made = rustix::fs::open(folder, flags, mode);
            if let (Ok(file), true) = (made, Path::new("/proc/self/fd").exists()) {
                return Ok(Temporary::Nameless(file.into()));
            }
        }
        Self::with_name(folder, access)
    }

    fn with_name(folder: &Path, access: Access) -> io::Result<Self> {
        // An interrupt waits until the file is watched.
        let _hold = interrupt::hold();
        let file = names_of_ours(access).tempfile_in(folder)?;
        let _watched = Watched::new(file.path());
        Ok(Temporary::Named { file, _watched })
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Nameless(file) => file,
            Temporary::Named { file, .. } => file.as_file_mut(),
        }
    }

    /// Completes the file. `old`: the file that it replaces, whose owner, permissions and attributes it gets.
    pub fn complete(&mut self, old: Option<(&Path, &Metadata)>) -> Result<()> {
        if let Some((path, before)) = old {
            keep_attributes(path, before, self.file()).context("its permissions cannot be given to the new file")?;
        }
        self.file().sync_all().context("write the temporary file")
    }

    /// Gives the file a name that no other file has, if that can be done without another name before: then nothing but the
    /// file is ever found. Returns whether it was done.
    fn is_put(&mut self, place: &Path) -> io::Result<bool> {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Nameless(file) => match link(file, place) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                linked => linked.map(|()| true),
            },
            Temporary::Named { .. } => {
                let _ = place;
                Ok(false)
            }
        }
    }

    /// The name by which the file can be renamed, which it may get only now.
    pub fn named(self, folder: &Path) -> Result<TempPath> {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Nameless(file) => {
                let named = names_of_ours(Access::Owner).make_in(folder, |path| link(&file, path));
                Ok(named.context("name the temporary file")?.into_temp_path())
            }
            Temporary::Named { file, .. } => {
                let _ = folder;
                Ok(file.into_temp_path())
            }
        }
    }
}

/// Gives a file without a name a name.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, &nameless, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Whether this is the name of a temporary file. One may be left of a run that was killed (SIGKILL) or lost its power,
/// and is no file of the user.
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes())
}

const PREFIX: &str = ".unthink-";
const SUFFIX: &str = ".tmp";

/// Names for temporary files.
pub fn names_of_ours(access: Access) -> Builder<'static, 'static> {
    let mut names = Builder::new();
    names.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    if access == Access::Usual {
        use std::os::unix::fs::PermissionsExt;
        names.permissions(fs::Permissions::from_mode(0o666));
    }
    let _ = access;
    names
}

/// Copies owner, extended attributes (with access lists) and permissions, in an order in which none undoes another.
fn keep_attributes(path: &Path, before: &Metadata, new: &File) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let is = new.metadata()?;
        let owned = is.uid() == before.uid() || fchown(new, Some(before.uid()), None).is_ok();
        let grouped = is.gid() == before.gid() || fchown(new, None, Some(before.gid())).is_ok();
        #[cfg(target_os = "linux")]
        copy_attributes(&File::open(path)?, new)?;
        // Another owner or group must not get permissions meant for the old one.
        let lost = if owned { 0 } else { 0o4000 } | if grouped { 0 } else { 0o2070 };
        new.set_permissions(fs::Permissions::from_mode(before.mode() & 0o7777 & !lost))?;
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        new.set_permissions(before.permissions())?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn copy_attributes(from: &File, to: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;
    // The kernel allows no longer list of names, and no longer value.
    let (mut names, mut value) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let listed = match flistxattr(from, &mut names) {
        Ok(listed) => listed,
        Err(Errno::NOTSUP) => return Ok(()),
        Err(e) => return Err(e.into()),
    };
    for name in names[..listed].split(|b| *b == 0).filter(|name| !name.is_empty()) {
        let n = fgetxattr(from, name, &mut value)?;
        let set = fsetxattr(to, name, &value[..n], XattrFlags::empty());
        // The system sets its own attributes.
        if !name.starts_with(b"security.") && !name.starts_with(b"trusted.") {
            set?;
        }
    }
    Ok(())
}

/// Writes the new name of a file to the disk, where that can be done: not every file system knows how, and a folder may
/// be one in which this user may not look.
#[cfg(unix)]
pub fn sync(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.or_else(|e| if matches!(e.kind(), InvalidInput | PermissionDenied | Unsupported) { Ok(()) } else { Err(e) })
}

#[cfg(not(unix))]
pub fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("a");
        write(&path, b"1").unwrap();
        write(&path, b"22").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"22");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(write(&dir.path().join("none/a"), b"1").is_err());
        assert!(may_write(&dir.path().join("none/a")).is_err() && may_write(dir.path()).is_err());
        assert!(may_write(&path).is_ok() && may_write(&dir.path().join("b")).is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn a_link_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::TempDir::new().unwrap();
        let (path, link) = (dir.path().join("a"), dir.path().join("l"));
        fs::write(&path, "1").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, b"2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        write(Path::new("/dev/null"), b"3").unwrap();
    }

    #[test]
    fn a_file_with_a_name_does_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut named = Temporary::with_name(folder.path(), Access::Owner).unwrap();
        named.file().write_all(b"new").unwrap();
        let path = folder.path().join("a");
        named.named(folder.path()).unwrap().persist(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(Temporary::with_name(folder.path(), Access::Owner).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_new_file_can_be_read_like_any_other() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::TempDir::new().unwrap();
        let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
        fs::write(dir.path().join("usual"), "1").unwrap();
        write(&dir.path().join("ours"), b"1").unwrap();
        let named = Temporary::with_name(dir.path(), Access::Usual).unwrap();
        let mut named = named;
        named.complete(None).unwrap();
        named.named(dir.path()).unwrap().persist(dir.path().join("named")).unwrap();
        assert_eq!((mode("ours"), mode("named")), (mode("usual"), mode("usual")));
    }
}
