//! Interrupts leave no temporary file, and no file that is half renamed: SIGINT, SIGTERM and SIGHUP end the program as
//! they would without this, after temporary files were removed, and between two files rather than while one gets its name.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// Temporary files that have a name.
static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Files get their names, one in each thread that has a reader of it; an interrupt is its writer.
static COMMIT: RwLock<()> = RwLock::new(());

/// A temporary file that an interrupt removes, while this value lives.
pub struct Watched(PathBuf);

impl Watched {
    pub fn new(path: &Path) -> Self {
        lock(&NAMES).push(path.to_path_buf());
        Self(path.to_path_buf())
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        lock(&NAMES).retain(|path| *path != self.0);
    }
}

/// Until the value is dropped, an interrupt waits. A thread has no more than one at a time: an interrupt between two would
/// wait for the first, and the second for the interrupt.
pub fn hold() -> RwLockReadGuard<'static, ()> {
    watch();
    COMMIT.read().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove_all() {
    lock(&NAMES).iter().for_each(|path| drop(std::fs::remove_file(path)));
}

/// Begins to watch for interrupts, if that has not begun.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    static BEGUN: std::sync::Once = std::sync::Once::new();
    BEGUN.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").ok();
        let taken = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| match ignored(status.as_deref()) {
            // What this program was started to ignore (nohup), it goes on ignoring.
            Some(ignored) => ignored >> (signal - 1) & 1 == 0,
            None => *signal != SIGHUP,
        });
        // Without it, an interrupt ends the program at once.
        let Ok(mut signals) = signal_hook::iterator::Signals::new(taken) else { return };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let _commit = COMMIT.write().unwrap_or_else(PoisonError::into_inner);
                remove_all();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    });
}

/// The signals that are ignored, a bit each, by what Linux says of the process.
#[cfg(unix)]
fn ignored(status: Option<&str>) -> Option<u64> {
    let line = status?.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

#[cfg(not(unix))]
pub fn watch() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_removed_while_they_are_watched() {
        let folder = tempfile::tempdir().unwrap();
        let (kept, gone) = (folder.path().join("kept"), folder.path().join("gone"));
        [&kept, &gone].iter().for_each(|path| std::fs::write(path, "1").unwrap());
        drop(Watched::new(&kept));
        let _watched = Watched::new(&gone);
        remove_all();
        assert!(kept.exists() && !gone.exists());
    }

    #[test]
    #[cfg(unix)]
    fn signals_that_are_ignored() {
        assert_eq!(ignored(Some("Name:\tunthink\nSigIgn:\t0000000000001001\n")), Some(0x1001));
        assert_eq!(ignored(Some("Name:\tunthink\n")), None);
        assert_eq!(ignored(None), None);
    }
}
