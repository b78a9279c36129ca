//! JUnit XML: a suite a file, a case a finding. An error fails its case; a warning skips it, since it does not fail the
//! run either. Files without findings are not listed: if there are no findings at all, there is one case, which passes.

use super::{Located, RunResults, guard, place, plural};
use crate::check::Severity;
use crate::printable::is_hidden;
use std::collections::HashMap;
use std::fmt::Write;

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    let suites = suites(run);
    // Records that were not read are one error of the run, besides the findings.
    let unread = usize::from(run.not_read > 0);
    let clean = usize::from(run.findings.is_empty() && run.not_read == 0);
    let tests = run.findings.len() + unread + clean;
    let shown = |severity| run.findings.iter().filter(|located| located.finding.rule.severity == severity).count();
    let failures = shown(Severity::Error);
    let skipped = shown(Severity::Warning);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing into a string cannot fail.
    let _ = writeln!(
        xml,
        "<testsuites name=\"unthink check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{unread}\" skipped=\"{skipped}\">"
    );
    for (file, findings) in &suites {
        suite(file, findings, &mut xml);
    }
    if unread + clean > 0 {
        let _ = writeln!(
            xml,
            "  <testsuite name=\"unthink check\" tests=\"1\" failures=\"0\" errors=\"{unread}\" skipped=\"0\">"
        );
        if clean > 0 {
            let _ = writeln!(xml, "    <testcase classname=\"unthink check\" name=\"{}\"/>", escaped(&run.totals()));
        } else {
            let message = format!("{} not read", plural(run.not_read, "record"));
            let _ = writeln!(
                xml,
                "    <testcase classname=\"unthink check\" name=\"every record is read\">\n      <error message=\"{message}\"/>\n    </testcase>"
            );
        }
        xml += "  </testsuite>\n";
    }
    xml += "</testsuites>\n";
    out.extend_from_slice(xml.as_bytes());
}

/// The findings of each file, in the order of the first of each.
fn suites<'a>(run: &RunResults<'a>) -> Vec<(&'a str, Vec<&'a Located>)> {
    let mut suites: Vec<(&str, Vec<&Located>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for located in run.findings {
        let at = *known.entry(&located.file).or_insert(suites.len());
        match suites.get_mut(at) {
            Some((_, findings)) => findings.push(located),
            None => suites.push((&located.file, vec![located])),
        }
    }
    suites
}

fn suite(file: &str, findings: &[&Located], xml: &mut String) {
    let file = escaped(file);
    let errors = findings.iter().filter(|located| located.finding.rule.severity == Severity::Error).count();
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{file}\" tests=\"{}\" failures=\"{errors}\" errors=\"0\" skipped=\"{}\">",
        findings.len(),
        findings.len() - errors
    );
    for located in findings {
        let finding = &located.finding;
        let rule = finding.rule;
        // The name distinguishes the cases of a suite, and stays the same when lines move.
        let start: String = finding.fingerprint.chars().take(8).collect();
        let name = escaped(&format!("{} {} {start}", rule.code, rule.name));
        let what = escaped(&finding.what);
        let _ = writeln!(xml, "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\">");
        let place = escaped(&format!("line {}, column {}, {}", finding.line, finding.column, place(finding)));
        let fix = escaped(rule.fix);
        let mut body = format!("{place}\nfix: {fix}");
        if let Some(excerpt) = &finding.excerpt {
            let more = if excerpt.cut { "…" } else { "" };
            body = format!("{body}\n{}", escaped(&format!("{}{more}", excerpt.text)));
        }
        let _ = match rule.severity {
            Severity::Error => {
                writeln!(xml, "      <failure type=\"{}\" message=\"{what}\">{body}</failure>", rule.code)
            }
            // `skipped` has no room for a text.
            Severity::Warning => writeln!(xml, "      <skipped message=\"{what} ({place})\"/>"),
        };
        xml.push_str("    </testcase>\n");
    }
    xml.push_str("  </testsuite>\n");
}

/// Escapes text for an attribute or an element. Characters that XML forbids and hidden characters are shown by their
/// numbers; line ends, tabs, and text that a CI system would obey become references.
fn escaped(text: &str) -> String {
    let mut obeyed = guard::obeyed(text).into_iter().peekable();
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let reference = obeyed.next_if_eq(&at).is_some() || matches!(c, '\t' | '\n' | '\r');
        match c {
            _ if reference => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&apos;",
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}
