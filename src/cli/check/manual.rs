//! Makes the manual page about the rules from their table.

use super::explain::{facts, shown};
use crate::check::{RULES, Rule};

/// `unthink-rules(7)`.
pub fn page() -> String {
    let mut page = format!(".TH unthink-rules 7 \"\" \"unthink {}\"\n", env!("CARGO_PKG_VERSION"));
    page += ".SH NAME\nunthink\\-rules \\- what \\fBunthink check\\fR looks for\n.SH DESCRIPTION\n";
    page += &text(
        "Each rule has a code, which never changes, and a name. Both are taken by --select and --ignore, and so is the \
         beginning of a code: UT1 is about answers that hold reasoning, UT2 about blocks and sequences that are malformed, \
         UT3 about damaged files, UT4 about budgets. A finding of a rule that is an error makes the status 1; a warning \
         does with --fail-on warning. `unthink check --explain CODE` prints what stands here of one rule.",
    );
    page += ".SH RULES\n";
    RULES.iter().for_each(|rule| page += &about(rule));
    page + ".SH \"SEE ALSO\"\n\\fBunthink\\fR(1)\n"
}

fn about(rule: &Rule) -> String {
    let mut page = format!(".SS \"{} {} ({})\"\n", rule.code, escaped(rule.name), rule.severity.name());
    for paragraph in [&format!("Finds {}.", rule.finds), rule.why, rule.fix, &facts(rule)] {
        page += ".PP\n";
        page += &text(paragraph);
    }
    for (title, examples) in [("Found:", rule.matches), ("Not found:", rule.clean)] {
        if !examples.is_empty() {
            page += &format!(".PP\n{title}\n.RS 4\n.nf\n");
            examples.iter().flat_map(|example| shown(example)).for_each(|line| page += &text(&line));
            page += ".fi\n.RE\n";
        }
    }
    page
}

/// A line of text without requests to the formatter.
pub fn text(line: &str) -> String {
    let line = escaped(line);
    let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
    format!("{guard}{line}\n")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_request() {
        assert_eq!(text(".SH a"), "\\&.SH a\n");
        assert_eq!(text("a\\n --b"), "a\\en \\-\\-b\n");
    }
}
