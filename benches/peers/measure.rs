//! Runs processes and measures them.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What a process took.
#[derive(Clone, Copy)]
pub struct Usage {
    /// In user and system mode.
    pub cpu: Duration,
    /// From its start until its output was read and it was gone.
    pub wall: Duration,
    /// The most memory it had resident, in bytes.
    pub peak: u64,
}

/// Runs a command several times, one after another; times are those of one process.
pub fn measure(command: impl Fn() -> Command, input: &Path, processes: usize) -> Result<Usage> {
    let mut total = Usage { cpu: Duration::ZERO, wall: Duration::ZERO, peak: 0 };
    for _ in 0..processes {
        let usage = process(command(), input)?;
        total.cpu += usage.cpu;
        total.wall += usage.wall;
        total.peak = total.peak.max(usage.peak);
    }
    let processes = u32::try_from(processes)?;
    Ok(Usage { cpu: total.cpu / processes, wall: total.wall / processes, peak: total.peak })
}

/// From a file, to a pipe that is drained. Messages go to a file, so that nobody waits for them to be read.
fn process(mut command: Command, input: &Path) -> Result<Usage> {
    let mut messages = tempfile::tempfile().context("a temporary file")?;
    command.stdin(File::open(input)?).stdout(Stdio::piped()).stderr(messages.try_clone()?);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut output = child.stdout.take().context("the program's output")?;
    let mut buffer = vec![0; 1 << 18];
    while output.read(&mut buffer)? > 0 {}
    let used = child.wait4()?;
    let wall = start.elapsed();
    if !used.status.success() {
        let mut stderr = Vec::new();
        messages.rewind()?;
        messages.take(400).read_to_end(&mut stderr)?;
        let stderr = String::from_utf8_lossy(&stderr);
        bail!("{}: {}", used.status, stderr.lines().next().unwrap_or("(it did not say why)"));
    }
    Ok(Usage { cpu: used.rusage.utime + used.rusage.stime, wall, peak: used.rusage.maxrss })
}

/// The median of each figure by itself.
pub fn median(usages: &[Usage]) -> Usage {
    Usage {
        cpu: middle(usages.iter().map(|usage| usage.cpu)),
        wall: middle(usages.iter().map(|usage| usage.wall)),
        peak: middle(usages.iter().map(|usage| usage.peak)),
    }
}

/// Of an even number, the upper one of the two in the middle.
fn middle<T: Ord + Copy + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The most memory that this process had resident, where the system says so. Linux counts it for a child too, since the
/// child begins as this process.
pub fn own_peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?;
    Some(kibibytes.trim().parse::<u64>().ok()? * 1024)
}
