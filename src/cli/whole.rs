//! Files that are there whole or not at all.

use super::io::printable;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside its place and moves it there, so that nobody ever finds half of it: not after a crash, and not
/// on a full disk. What is no regular file (a pipe, a terminal, `/dev/stdout`) is written as it is.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes).with_context(|| format!("write {}", printable(path)))
}

/// Whether there is a folder for it, and no folder in its place: what can be known before the work.
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

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays one.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let old = fs::metadata(&place).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return File::options().write(true).open(&place)?.write_all(bytes);
    }
    let beside = beside(&place);
    let mut file = File::options().write(true).create_new(true).open(&beside)?;
    // Who may not read the old file may not read the new one, at no time.
    let allowed = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
    let written = allowed.and_then(|()| file.write_all(bytes)).and_then(|()| {
        file.sync_all()?;
        fs::rename(&beside, &place)
    });
    written.inspect_err(|_| {
        // What went wrong before is what is told.
        let _ = fs::remove_file(&beside);
    })
}

/// A name in the same folder that no other process takes.
fn beside(place: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    folder(place).join(name)
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
}
