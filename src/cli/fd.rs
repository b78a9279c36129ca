//! The standard streams as plain files, and how files are waited for.

use std::fs::File;
#[cfg(unix)]
use std::fs::Metadata;
use std::io::{self, ErrorKind, IsTerminal, Write};

pub enum Ready {
    Read,
    Write,
}

/// Waits until a non-blocking file is ready.
#[cfg(unix)]
pub fn wait(file: &File, ready: Ready) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let flags = match ready {
        Ready::Read => PollFlags::IN,
        Ready::Write => PollFlags::OUT,
    };
    match poll(&mut [PollFd::new(file, flags)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

#[cfg(not(unix))]
pub fn wait(_file: &File, _ready: Ready) -> io::Result<()> {
    std::thread::yield_now();
    Ok(())
}

/// The standard streams as plain files, without buffers of the standard library.
#[cfg(unix)]
pub fn standard(stream: impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
pub fn standard(stream: impl std::os::windows::io::AsHandle) -> io::Result<File> {
    Ok(File::from(stream.as_handle().try_clone_to_owned()?))
}

/// Enlarges the buffer of a pipe, which means fewer system calls: the largest single gain for a filter.
#[cfg(target_os = "linux")]
pub fn enlarge_pipe(file: &File) {
    // This fails if it is no pipe, or at the user's limit for pipes: neither matters.
    let _ = rustix::pipe::fcntl_setpipe_size(file, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
pub fn enlarge_pipe(_file: &File) {}

/// Writes all bytes, also to a file that does not block.
pub fn write_all(file: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => (),
            Err(e) if e.kind() == ErrorKind::WouldBlock => wait(file, Ready::Write)?,
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Whether stdout is a terminal, where a person reads the output.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether stdin is a terminal, where a person waits for the program.
pub fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Whether stdin is a pipe, a socket or a file, so that it may be an input that nobody named.
#[cfg(unix)]
pub fn stdin_has_input() -> bool {
    use std::os::unix::fs::FileTypeExt;
    stdin_metadata().is_ok_and(|found| {
        let kind = found.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

#[cfg(not(unix))]
pub fn stdin_has_input() -> bool {
    !stdin_is_terminal()
}

/// Whether the program was started with stdin closed. By now stdin is the null device then, open for writing as well,
/// which is hardly ever the case otherwise.
#[cfg(unix)]
pub fn stdin_is_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl};
    use std::os::unix::fs::MetadataExt;
    let stdin = io::stdin();
    let written = fcntl_getfl(&stdin).is_ok_and(|flags| flags.contains(OFlags::RDWR));
    let null = || Some((stdin_metadata().ok()?.rdev(), std::fs::metadata("/dev/null").ok()?.rdev()));
    written && null().is_some_and(|(stdin, null)| stdin == null)
}

#[cfg(not(unix))]
pub fn stdin_is_closed() -> bool {
    false
}

/// The metadata of the file behind stdin.
#[cfg(unix)]
pub fn stdin_metadata() -> io::Result<Metadata> {
    standard(io::stdin())?.metadata()
}
