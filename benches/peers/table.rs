//! The table.

use crate::measure::Usage;
use std::fmt;

/// The head of the table.
pub fn head() -> String {
    let (job, program, times) = ("job", "program", "times");
    format!("{job:<24}{program:<14}{:>10}{:>10}{:>12}{:>11}{times:>9}", "CPU s", "wall s", "MB/CPU s", "peak MiB")
}

/// Instead of a row, for a program that failed.
pub fn failed(job: &str, program: &str, failure: &str) -> String {
    format!("{job:<24}{program:<14}failed: {failure}")
}

/// One program at one job.
pub struct Row {
    /// The job.
    pub job: &'static str,
    /// The program.
    pub program: &'static str,
    /// How many bytes it read.
    pub input: u64,
    /// What it took.
    pub usage: Usage,
    /// What our program took.
    pub ours: Option<Usage>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cpu, wall) = (self.usage.cpu.as_secs_f64(), self.usage.wall.as_secs_f64());
        write!(f, "{:<24}{:<14}{cpu:>10.4}{wall:>10.4}", self.job, self.program)?;
        write!(f, "{:>12}", ratio(self.input as f64 / 1e6, cpu, 0))?;
        write!(f, "{:>11}", ratio(mib(self.usage.peak), 1.0, 1))?;
        write!(f, "{:>9}", ratio(cpu, self.ours.map_or(0.0, |ours| ours.cpu.as_secs_f64()), 2))
    }
}

/// Bytes in MiB.
pub fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A dash where a ratio has no meaning: no input, or a figure that the system did not give.
fn ratio(dividend: f64, divisor: f64, digits: usize) -> String {
    if dividend > 0.0 && divisor > 0.0 { format!("{:.digits$}", dividend / divisor) } else { "-".to_string() }
}
