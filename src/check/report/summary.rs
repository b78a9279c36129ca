//! Markdown for the page of a CI job: how many findings each rule has, and where the first ones are.

use super::{RunResults, guard, sentence};
use std::fmt::Write;

/// How many findings are listed.
const LISTED: usize = 20;

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    // Writing into a string cannot fail.
    let mut page = String::from("## unthink check\n\n");
    let _ = writeln!(page, "{}", sentence(&run.totals()));
    if !run.findings.is_empty() {
        page += "\n| rule | findings | what it finds |\n|---|---:|---|\n";
    }
    for rule in run.all_rules() {
        let count = run.count(|other| other.code == rule.code);
        if count > 0 {
            let (name, finds) = (escaped(rule.name), escaped(rule.finds));
            let _ = writeln!(page, "| {} {name} | {count} | {finds} |", rule.code);
        }
    }
    if !run.findings.is_empty() {
        page += "\n| where | rule | what was found |\n|---|---|---|\n";
    }
    for located in run.findings.iter().take(LISTED) {
        let finding = &located.finding;
        let place = escaped(&format!("{}:{}", located.file, finding.line));
        let what = escaped(&finding.what);
        let _ = writeln!(page, "| <code>{place}</code> | {} | {what} |", finding.rule.code);
    }
    let more = run.all().saturating_sub(LISTED.min(run.findings.len()) as u64);
    if more > 0 {
        let _ = writeln!(page, "\n{more} more are not listed here.");
    }
    out.extend_from_slice(page.as_bytes());
}

/// Escapes text, so that it is neither Markdown nor HTML: possible markup becomes character references, and hidden
/// characters are shown by their numbers.
fn escaped(text: &str) -> String {
    let [text] = guard::line([text]);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // `www.` would begin a link.
        let dot = c == '.' && !out.ends_with(['w', 'W']);
        if c.is_alphanumeric() || !c.is_ascii() || dot || matches!(c, ' ' | '/' | '-' | ',') {
            out.push(c);
        } else {
            let _ = write!(out, "&#{};", u32::from(c));
        }
    }
    out
}
