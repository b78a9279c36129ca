//! What was asked for: arguments and environment.

use anyhow::{Context, Result, bail};

/// For those who typed something else.
pub const USAGE: &str = "usage: cargo bench -- [--test] [PART OF A JOB'S NAME]...
environment: UNTHINK_BENCH_MIB=32 (size of a corpus), UNTHINK_BENCH_RUNS=5 (runs that count)";

/// What was asked for.
pub struct Settings {
    /// Only see whether it works.
    pub test: bool,
    /// Runs that count.
    pub runs: usize,
    /// Runs before them that do not.
    pub warm_ups: usize,
    /// The least size of a corpus.
    pub corpus_bytes: u64,
    filters: Vec<String>,
}

impl Settings {
    /// Reads the arguments and the environment. Cargo passes `--bench` from `cargo bench` and nothing from
    /// `cargo test --benches`, which is a test too.
    pub fn from_environment() -> Result<Settings> {
        let (mut bench, mut test, mut filters) = (false, false, Vec::new());
        for argument in std::env::args().skip(1) {
            match argument.as_str() {
                "--bench" => bench = true,
                "--test" => test = true,
                _ if argument.starts_with('-') => bail!("no such option: {argument}"),
                _ => filters.push(argument),
            }
        }
        let test = test || !bench;
        let (mib, runs) = (positive("UNTHINK_BENCH_MIB", 32)?, positive("UNTHINK_BENCH_RUNS", 5)?);
        let (mib, runs, warm_ups) = if test { (1, 1, 0) } else { (mib, runs, 1) };
        Ok(Settings { test, runs, warm_ups, corpus_bytes: mib as u64 * (1 << 20), filters })
    }

    /// Whether a job is wanted.
    pub fn selects(&self, job: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| job.contains(filter.as_str()))
    }
}

fn positive(name: &str, default: usize) -> Result<usize> {
    let Some(value) = std::env::var_os(name) else { return Ok(default) };
    let number = value.to_str().and_then(|value| value.parse().ok()).filter(|number| *number > 0);
    number.with_context(|| format!("{name} is a whole number from 1"))
}
