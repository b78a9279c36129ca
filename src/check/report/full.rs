//! Several lines a finding, for people, and a summary sentence.

use super::{Located, RunResults, guard, place, sentence};
use crate::check::{Excerpt, Severity};
use unicode_width::UnicodeWidthStr;

/// The style of a part of a line on a terminal (SGR).
#[derive(Clone, Copy)]
enum Sgr {
    Error,
    Warning,
    Strong,
    Frame,
}

/// Appends parts of lines to a report.
struct LineParts<'a> {
    out: &'a mut Vec<u8>,
    color: bool,
}

pub fn write(run: &RunResults<'_>, out: &mut Vec<u8>) {
    let mut page = LineParts { out, color: run.color };
    for located in run.findings {
        page.finding(located);
    }
    page.plain(&sentence(&run.totals()));
    page.plain("\n");
}

impl LineParts<'_> {
    fn plain(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn styled(&mut self, look: Sgr, text: &str) {
        if !self.color {
            return self.plain(text);
        }
        let code = match look {
            Sgr::Error => "1;31",
            Sgr::Warning => "1;33",
            Sgr::Strong => "1",
            Sgr::Frame => "1;34",
        };
        // Each part resets the terminal, so that no style stays if the rest is not written.
        self.plain(&format!("\u{1b}[{code}m{text}\u{1b}[0m"));
    }

    fn finding(&mut self, located: &Located) {
        let finding = &located.finding;
        let rule = finding.rule;
        let look = if rule.severity == Severity::Error { Sgr::Error } else { Sgr::Warning };
        let [kind, what] = guard::line([
            &format!("{}[{}]", rule.severity.name(), rule.code),
            &format!(" {}: {}", rule.name, finding.what),
        ]);
        self.styled(look, &kind);
        self.styled(Sgr::Strong, &what);

        let place = format!("{}:{}:{} ({})", located.file, finding.line, finding.column, place(finding));
        let [arrow, place] = guard::line([" -->", &format!(" {place}")]);
        self.plain("\n");
        self.styled(Sgr::Frame, &arrow);
        self.plain(&place);
        self.plain("\n");

        match &finding.excerpt {
            Some(excerpt) => self.excerpt(excerpt, look),
            None if finding.chars.is_some() => {
                self.styled(Sgr::Frame, "  |");
                self.plain(" the text is hidden, and --excerpt shows it\n");
            }
            None => {}
        }
        self.plain(&format!("  fix: {}\n\n", rule.fix));
    }

    /// Writes the line of visible text, and carets under the finding.
    fn excerpt(&mut self, excerpt: &Excerpt, look: Sgr) {
        let more = if excerpt.cut { "…" } else { "" };
        let [bar, before, text, after] =
            guard::line(["  | ", &excerpt.before, &excerpt.text, &format!("{more}{}", excerpt.after)]);
        self.styled(Sgr::Frame, bar.trim_end());
        self.plain(&format!(" {before}{text}{after}\n"));
        self.styled(Sgr::Frame, "  |");
        self.plain(&" ".repeat(1 + before.width()));
        self.styled(look, &"^".repeat(text.width().max(1)));
        self.plain("\n");
    }
}
