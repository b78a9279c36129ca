//! Workflow commands of GitHub Actions: an annotation a finding, and a line with the totals that is no command.

use super::{Located, RunResults, STDIN, guard, place};
use crate::printable::is_hidden;

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    for located in run.findings {
        out.extend_from_slice(command(located).as_bytes());
        out.push(b'\n');
    }
    let [totals] = guard::line([&format!("unthink check: {}.", run.totals())]);
    out.extend_from_slice(totals.as_bytes());
    out.push(b'\n');
}

fn command(located: &Located) -> String {
    let finding = &located.finding;
    let rule = finding.rule;
    let mut out = format!("::{} ", rule.severity.name());
    if located.file != STDIN {
        out += &format!("file={},line={},col={},", property(&located.file), finding.line, finding.column);
    }
    out += &format!("title={}::", property(&format!("{} {}", rule.code, rule.name)));
    let place = if located.file == STDIN {
        format!("standard input, line {}, {}", finding.line, place(finding))
    } else {
        place(finding)
    };
    out + &escaped(&format!("{} ({place})", finding.what), &[])
}

fn property(text: &str) -> String {
    escaped(text, &[':', ','])
}

/// Applies the escapes of the runner: for a per cent sign, for line ends, and in properties for separators. The runner
/// knows no others, so that hidden characters are shown by their numbers: a file with such a name has an annotation
/// without a link.
fn escaped(text: &str, more: &[char]) -> String {
    let mut obeyed = guard::obeyed(text).into_iter().peekable();
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let obeyed = obeyed.next_if_eq(&at).is_some();
        if matches!(c, '%' | '\r' | '\n') || more.contains(&c) {
            out += &format!("%{:02X}", u32::from(c));
        } else if obeyed || is_hidden(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}
