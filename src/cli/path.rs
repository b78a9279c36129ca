//! Names of files, and which of them are one file.

use super::fd::standard;
#[cfg(unix)]
use super::fd::stdin_metadata;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

/// A name with control characters and line ends made visible.
pub fn printable(path: &Path) -> String {
    unthink::printable::printable(&path.to_string_lossy())
}

/// The canonical path of a file that exists, or will exist.
pub fn place(path: &Path) -> PathBuf {
    let folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(folder).unwrap_or_else(|| path.to_path_buf())
}

/// Whether two names are the same file; `-` is the file behind stdin.
pub fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (metadata(a), metadata(b)) {
        use std::os::unix::fs::MetadataExt;
        return a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(unix)]
fn metadata(path: &Path) -> io::Result<Metadata> {
    if path.as_os_str() == "-" { stdin_metadata() } else { std::fs::metadata(path) }
}

/// Whether an input file is also the file behind stdout; then, whether it is empty by now.
pub fn is_output(path: &Path) -> Option<bool> {
    let out = standard(io::stdout()).and_then(|out| out.metadata()).ok().filter(Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let input = metadata(path).ok()?;
        ((input.dev(), input.ino()) == (out.dev(), out.ino())).then_some(input.len() == 0)
    }
    #[cfg(not(unix))]
    {
        let _ = (path, out);
        None
    }
}
