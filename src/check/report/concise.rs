//! One line a finding: `file:line:column: UT102 reasoning-passage: …`.

use super::{RunResults, guard};

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    for located in run.findings {
        let finding = &located.finding;
        let line = format!(
            "{}:{}:{}: {} {}: {}",
            located.file, finding.line, finding.column, finding.rule.code, finding.rule.name, finding.what
        );
        out.extend_from_slice(guard::line([&line]).concat().as_bytes());
        out.push(b'\n');
    }
}
