//! Metrics in the text format of Prometheus (version 0.0.4). A rule without findings has a zero, since a metric must
//! always be present to be monitored.

use super::RunResults;
use std::fmt::Write;

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    let mut page = String::new();
    head(&mut page, "unthink_findings_total", "Findings by rule, without those in the baseline.");
    for rule in run.all_rules() {
        let count = run.count(|other| other.code == rule.code);
        let labels = [("rule", rule.code), ("name", rule.name), ("severity", rule.severity.name())];
        let labels = labels.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).join(",");
        // Writing into a string cannot fail.
        let _ = writeln!(page, "unthink_findings_total{{{labels}}} {count}");
    }
    let others = [
        ("unthink_omitted_findings_total", "Findings that other reports leave out (--max-findings).", run.left_out()),
        ("unthink_suppressed_findings_total", "Findings that the baseline has.", run.suppressed),
        ("unthink_files_total", "Files that were read.", run.files),
        ("unthink_records_total", "Records, with those that were not read.", run.records),
        ("unthink_unread_records_total", "Records that were not read, and are not checked.", run.not_read),
        ("unthink_messages_total", "Messages of the assistant.", run.messages),
    ];
    for (name, help, value) in others {
        head(&mut page, name, help);
        let _ = writeln!(page, "{name} {value}");
    }
    out.extend_from_slice(page.as_bytes());
}

fn head(page: &mut String, name: &str, help: &str) {
    let _ = writeln!(page, "# HELP {name} {help}\n# TYPE {name} counter");
}

/// Escapes the value of a label.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
