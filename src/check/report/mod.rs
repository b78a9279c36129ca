//! Reports of `check`: findings, for people and for programs that show them to people.
//!
//! A format is a file here, which appends to a buffer. File names, pointers and excerpts come from the input or the
//! file system: each format escapes them so that its readers get them back, and so that they are nothing but text to a
//! person or a CI system (`guard`).

#[cfg(feature = "cli")]
mod concise;
#[cfg(feature = "cli")]
mod full;
#[cfg(feature = "cli")]
mod github;
#[cfg(feature = "cli")]
mod gitlab;
mod guard;
mod json;
#[cfg(feature = "cli")]
mod junit;
#[cfg(feature = "cli")]
mod path;
#[cfg(feature = "cli")]
mod prometheus;
#[cfg(feature = "cli")]
mod sarif;
#[cfg(feature = "cli")]
mod summary;

#[cfg(feature = "cli")]
use super::Rule;
use super::RuleFinding;
#[cfg(feature = "cli")]
use super::Severity;

/// The name of standard input.
pub const STDIN: &str = "<stdin>";

/// A finding and the file that it is in.
#[derive(Clone, Debug)]
pub struct Located {
    /// The path as the user gave it, lossily decoded; [`STDIN`] for standard input.
    pub file: String,
    /// The finding.
    pub finding: RuleFinding,
}

/// The results of a run.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug)]
pub struct RunResults<'a> {
    /// The findings, in the order of the files and of their records.
    pub findings: &'a [Located],
    /// For each rule, how many findings `--max-findings` leaves out.
    pub omitted: &'a [(&'static Rule, u64)],
    /// How many findings the baseline has already.
    pub suppressed: u64,
    /// How many files were read.
    pub files: u64,
    /// How many records there were, with those that were not understood.
    pub records: u64,
    /// How many messages of the assistant there were.
    pub messages: u64,
    /// How many records were not understood.
    pub not_read: u64,
    /// The rules in force.
    pub rules: &'a [&'static Rule],
    /// The report goes to a terminal with colours.
    pub color: bool,
}

/// The format of a report.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    /// A paragraph for each finding, for people.
    Full,
    /// A line for each finding: FILE:LINE:COLUMN: RULE: what was found.
    Concise,
    /// One JSON object with the findings and a summary.
    Json,
    /// A JSON object for each finding, one a line.
    Jsonl,
    /// SARIF 2.1.0, which code scanning reads.
    Sarif,
    /// JUnit XML, which test reports of CI servers read.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// A Code Quality report of GitLab.
    Gitlab,
    /// Totals as Prometheus metrics.
    Prometheus,
    /// Markdown for the page of a CI job.
    Summary,
}

/// Writes a report.
#[cfg(feature = "cli")]
pub fn write(format: ReportFormat, run: &RunResults<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    match format {
        ReportFormat::Full => full::write(run, &mut out),
        ReportFormat::Concise => concise::write(run, &mut out),
        ReportFormat::Json => json::write(run, &mut out),
        ReportFormat::Jsonl => json::write_lines(run.findings, &mut out),
        ReportFormat::Sarif => sarif::write(run, &mut out),
        ReportFormat::Junit => junit::write(run, &mut out),
        ReportFormat::Github => github::write(run, &mut out),
        ReportFormat::Gitlab => gitlab::write(run, &mut out),
        ReportFormat::Prometheus => prometheus::write(run, &mut out),
        ReportFormat::Summary => summary::write(run, &mut out),
    }
    out
}

/// Findings of standard input, a JSON object a line.
pub fn lines(findings: Vec<RuleFinding>) -> Vec<u8> {
    let findings: Vec<Located> = findings.into_iter().map(|finding| Located { file: STDIN.into(), finding }).collect();
    let mut out = Vec::new();
    json::write_lines(&findings, &mut out);
    out
}

#[cfg(feature = "cli")]
impl RunResults<'_> {
    /// How many findings there are, in the report or not.
    pub fn all(&self) -> u64 {
        self.findings.len() as u64 + self.left_out()
    }

    /// How many findings are not in the report.
    pub fn left_out(&self) -> u64 {
        self.omitted.iter().map(|(_, n)| n).sum()
    }

    /// How many findings there are of rules that `wanted` accepts, in the report or not.
    fn count(&self, wanted: impl Fn(&Rule) -> bool) -> u64 {
        let shown = self.findings.iter().filter(|located| wanted(located.finding.rule)).count() as u64;
        shown + self.omitted.iter().filter(|(rule, _)| wanted(rule)).map(|(_, n)| n).sum::<u64>()
    }

    /// How many findings of this severity there are.
    fn count_of(&self, severity: Severity) -> u64 {
        self.count(|rule| rule.severity == severity)
    }

    /// The rules in force, and other rules that have findings, each once.
    fn all_rules(&self) -> Vec<&'static Rule> {
        let mut rules: Vec<&'static Rule> = Vec::with_capacity(self.rules.len());
        let found = self.findings.iter().map(|located| located.finding.rule);
        for rule in self.rules.iter().copied().chain(found).chain(self.omitted.iter().map(|(rule, _)| *rule)) {
            if !rules.iter().any(|known| known.code == rule.code) {
                rules.push(rule);
            }
        }
        rules
    }

    /// The totals as a sentence, without a full stop.
    fn totals(&self) -> String {
        let counted = [(self.count_of(Severity::Error), "error"), (self.count_of(Severity::Warning), "warning")];
        let kinds: Vec<String> = counted.iter().filter(|(n, _)| *n > 0).map(|(n, name)| plural(*n, name)).collect();
        let mut out = match self.all() {
            0 => "no findings".to_string(),
            n => format!("{} ({})", plural(n, "finding"), kinds.join(", ")),
        };
        out += &format!(" in {}", plural(self.files, "file"));
        if self.left_out() > 0 {
            out += &format!("; {} of them not shown", self.left_out());
        }
        if self.suppressed > 0 {
            out += &format!("; {} more in the baseline", self.suppressed);
        }
        if self.not_read > 0 {
            out += &format!("; {} not read", plural(self.not_read, "record"));
        }
        out
    }
}

/// A text with a capital and a full stop.
#[cfg(feature = "cli")]
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase).into_iter().flatten();
    first.chain(chars).chain(['.']).collect()
}

/// A number with its noun, in the singular or the plural.
#[cfg(feature = "cli")]
fn plural(n: u64, name: &str) -> String {
    format!("{n} {name}{}", if n == 1 { "" } else { "s" })
}

/// The place of a finding in its file, besides line and column.
#[cfg(feature = "cli")]
fn place(finding: &RuleFinding) -> String {
    let mut out = format!("record {}", finding.record);
    if let Some(message) = finding.message {
        out += &format!(", message {message}");
    }
    if let Some(pointer) = finding.pointer.as_ref().filter(|pointer| !pointer.is_empty()) {
        out += &format!(", {pointer}");
    }
    out
}

#[cfg(test)]
mod tests;
