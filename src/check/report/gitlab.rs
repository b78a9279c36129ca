//! A code quality report of GitLab: a JSON array of findings.

use super::json::lines;
use super::{Located, RunResults, STDIN, path};
use crate::check::Severity;
use crate::printable::printable;

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    lines(out, run.findings, |issue, located| {
        let finding = &located.finding;
        let rule = finding.rule;
        issue.string("description", &format!("{} {}: {}", rule.code, rule.name, printable(&finding.what)));
        issue.string("check_name", rule.name);
        issue.string("fingerprint", &fingerprint(located));
        issue.string(
            "severity",
            match rule.severity {
                Severity::Error => "critical",
                Severity::Warning => "minor",
            },
        );
        issue.object("location", |location| {
            let stdin = located.file == STDIN;
            location.string("path", &if stdin { "stdin".to_string() } else { path::place(&located.file).path });
            location.object("lines", |lines| lines.number("begin", finding.line.max(1)));
        });
    });
    out.push(b'\n');
}

/// GitLab keeps one of several findings with the same fingerprint, and ours is the same in every file with the same
/// text: so this one depends on the file, too (FNV-1a with 128 bits).
fn fingerprint(located: &Located) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let place = path::place(&located.file);
    let file = if place.inside { &place.path } else { &located.file };
    let bytes = located.finding.fingerprint.bytes().chain(file.bytes());
    let hash = bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    format!("{hash:032x}")
}
