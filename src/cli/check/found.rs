//! The results of a run so far, file by file: a limited number of findings, and counts of everything else.

use super::baseline::{self, Baseline, BaselineEntry, BaselineFolder, BaselinePlace};
use super::ignores::Ignores;
use crate::cli::notes::Notes;
use crate::cli::path::printable;
use crate::cli::{Status, whole};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use unthink::check::report::{Located, RunResults};
use unthink::check::{Rule, RuleFinding, Severity, count};
use unthink::engine::{Counts, Problem};

/// The results of a run so far.
pub struct CheckResults {
    /// The names of the files to read, for messages and reports.
    names: Vec<String>,
    paths: HashMap<String, PathBuf>,
    /// The name of the current file, and how a baseline identifies it.
    file: String,
    place: BaselinePlace,
    /// The least severity of a finding that makes the status 1.
    least: Severity,
    most: usize,
    known: Baseline,
    /// All findings so far, if a baseline is to be written.
    all: Option<(BaselineFolder, BTreeSet<BaselineEntry>)>,
    findings: Vec<Located>,
    /// Rules whose findings the user does not want.
    ignored: Vec<&'static Rule>,
    /// Findings that the user ignores one by one.
    ignores: Ignores,
    /// Records of the current file that were not understood, and whose findings are known: their numbers and the offsets.
    accepted: HashSet<(u64, u64)>,
    sums: Sums,
}

#[derive(Default)]
struct Sums {
    failing: u64,
    omitted: Vec<(&'static Rule, u64)>,
    suppressed: u64,
    files: u64,
    bytes: u64,
    records: u64,
    messages: u64,
    not_read: u64,
    /// Records that were not read, and whose findings are known or ignored.
    accepted: u64,
}

impl CheckResults {
    /// No results yet. Findings beyond `most` will only be counted.
    pub fn new(files: &[PathBuf], least: Severity, most: usize) -> Self {
        let names: Vec<String> = files.iter().map(|path| shown(path)).collect();
        Self {
            paths: names.iter().cloned().zip(files.iter().cloned()).collect(),
            file: String::new(),
            place: BaselinePlace::Name(String::new()),
            names,
            least,
            most,
            known: Baseline::default(),
            all: None,
            findings: Vec::new(),
            ignored: Vec::new(),
            ignores: Ignores::default(),
            accepted: HashSet::new(),
            sums: Sums::default(),
        }
    }

    /// Sets the known findings, which are left out.
    pub fn leave_out(&mut self, known: Baseline) {
        self.known = known;
    }

    /// Sets the rules whose findings the user does not want.
    pub fn ignore(&mut self, rules: Vec<&'static Rule>) {
        self.ignored = rules;
    }

    /// Sets the findings that are ignored one by one.
    pub fn ignore_some(&mut self, ignores: Ignores) {
        self.ignores = ignores;
    }

    pub fn ignores_some(&self) -> bool {
        !self.ignores.is_empty()
    }

    pub fn ignores(&self) -> &Ignores {
        &self.ignores
    }

    /// Whether the user accepts that a record was not understood: its finding is known or ignored.
    pub fn accept(&mut self, problem: &Problem) -> bool {
        let Problem { record, offset, kind, .. } = problem;
        let is_about = |rule: &&&'static Rule| rule.search.of_errors().contains(kind);
        let accepted = self.accepted.contains(&(*record, *offset)) || self.ignored.iter().any(|rule| is_about(&rule));
        self.sums.accepted += u64::from(accepted && !problem.again);
        accepted
    }

    /// Keeps all findings for this baseline.
    pub fn keep_all(&mut self, baseline: &Path) {
        self.all = Some((BaselineFolder::of(baseline), BTreeSet::new()));
    }

    /// Begins a file. It has no name if it is the only one.
    pub fn begin(&mut self, file: Option<String>) {
        self.accepted.clear();
        self.file =
            file.map_or_else(|| self.names.first().cloned().unwrap_or_default(), |file| shown(Path::new(&file)));
        self.place = self
            .paths
            .get(&self.file)
            .map_or_else(|| BaselinePlace::Name(self.file.clone()), |path| BaselinePlace::of(path));
    }

    /// Adds findings of the current file.
    pub fn add(&mut self, findings: Vec<RuleFinding>) {
        for finding in findings {
            let unread = (!finding.rule.search.of_errors().is_empty()).then_some((finding.record, finding.bytes.start));
            if self.ignores.has(&finding.fingerprint) {
                self.accepted.extend(unread);
            } else if let Some((folder, all)) = &mut self.all {
                self.accepted.extend(unread);
                all.insert((folder.name(&self.place), finding.rule.code, finding.fingerprint.clone()));
            } else if self.known.knows(&self.place, &finding.fingerprint) {
                self.accepted.extend(unread);
                self.sums.suppressed += 1;
            } else {
                self.sums.failing += u64::from(finding.rule.severity >= self.least);
                if self.findings.len() < self.most {
                    self.findings.push(Located { file: self.file.clone(), finding });
                } else {
                    count(&mut self.sums.omitted, finding.rule, 1);
                }
            }
        }
    }

    /// Ends the current file.
    pub fn end(&mut self, counts: Counts, omitted: &[(&'static Rule, u64)]) {
        let sums = &mut self.sums;
        for (rule, n) in omitted {
            count(&mut sums.omitted, rule, *n);
            sums.failing += if rule.severity >= self.least { *n } else { 0 };
        }
        sums.files += 1;
        sums.bytes += counts.bytes;
        sums.records += counts.records;
        sums.messages += counts.messages;
        sums.not_read += counts.suspect + counts.bad - counts.refused;
    }

    /// How many findings there are so far.
    pub fn number(&self) -> u64 {
        self.findings.len() as u64 + self.sums.omitted.iter().map(|(_, n)| n).sum::<u64>()
    }

    /// Writes the baseline. Its findings are known from then on.
    pub fn write_all(&mut self, path: &Path, notes: &Notes) -> Status {
        let entries = self.all.take().map(|(_, entries)| entries).unwrap_or_default();
        self.sums.suppressed += entries.len() as u64;
        match whole::write(path, baseline::text(&entries).as_bytes()) {
            Ok(()) => {
                let findings = if entries.len() == 1 { "finding" } else { "findings" };
                notes.note(&format!("{}: {} {findings} written", printable(path), entries.len()));
                Status::Done
            }
            Err(e) => {
                notes.error(&e.to_string());
                Status::Io
            }
        }
    }

    /// Whether no file that was read had a byte.
    pub fn is_empty_input(&self) -> bool {
        self.sums.bytes == 0
    }

    /// Whether a finding makes the status 1.
    pub fn fails(&self) -> bool {
        self.sums.failing > 0
    }

    /// All results, for reports.
    pub fn run<'a>(&'a self, rules: &'a [&'static Rule], color: bool) -> RunResults<'a> {
        let Sums { suppressed, files, records, messages, not_read, accepted, .. } = self.sums;
        let not_read = not_read.saturating_sub(accepted);
        let omitted = &self.sums.omitted;
        RunResults { findings: &self.findings, omitted, suppressed, files, records, messages, not_read, rules, color }
    }
}

/// The name of a file in a report.
fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".into() } else { path.to_string_lossy().into_owned() }
}
