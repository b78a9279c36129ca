//! Details of HTML whose summary says that they are reasoning, as programs write it into Markdown:
//! `<details><summary>Thinking…</summary>`. Details that have a type of reasoning are tags, which the text is read for.

use super::words::has;
use memchr::memmem;

/// How such details end.
pub(in crate::dialect) const END: &[u8] = b"</details>";

/// Words of a title that says nothing else than that reasoning follows.
const TITLES: &str = "thinking thought thoughts reasoning process chain of trace steps details show view hide click to expand the my \
    model s ai internal for about a an few less than moment moments minute minutes min m second seconds sec ms";

/// Of these, the words for reasoning.
const STEMS: &str = "thinking thought thoughts reasoning";

/// Whether a line begins details, which say nothing of their type.
pub(super) fn opens(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some(end) = line.strip_prefix(b"<details").and_then(|rest| memchr::memchr(b'>', rest)) else { return false };
    memmem::find(&line[..b"<details".len() + end], b" type=").is_none()
}

/// Whether a line has the summary of details that are reasoning: at its start, behind a line that opens them (`opened`), or in it.
pub(super) fn is_reasoning(line: &[u8], opened: bool) -> bool {
    let line = line.trim_ascii();
    let rest = match line.strip_prefix(b"<summary>") {
        Some(rest) if opened => rest,
        None if opens(line) => match memmem::find(line, b"<summary>") {
            Some(at) => &line[at + b"<summary>".len()..],
            None => return false,
        },
        _ => return false,
    };
    let end = memmem::find(rest, b"</summary>");
    end.is_some_and(|end| is_title(&String::from_utf8_lossy(&rest[..end])))
}

/// Whether a title says that reasoning follows, and nothing else: `💭 Thought for 5 seconds`, `Chain of Thought (click to expand)`.
fn is_title(title: &str) -> bool {
    // Elements for bold and italic text.
    let plain: String = title.split('<').map(|part| part.rsplit('>').next().unwrap_or_default()).collect();
    let lower = plain.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    let number = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b's' | b'm'));
    let all = words.clone().all(|word| has(TITLES, word) || number(word));
    all && words.any(|word| has(STEMS, word))
}

/// Finds such details in the lines of a whole text.
#[derive(Default)]
pub(in crate::dialect) struct Summaries {
    opened: bool,
    /// The summary of details that are not closed was seen.
    found: bool,
}

impl Summaries {
    /// What a text has that may have such details.
    pub const SIGN: &[u8] = b"<summary>";

    /// Reads the next line that is not code. Returns whether it ends such details.
    pub fn line(&mut self, line: &[u8]) -> bool {
        self.found |= is_reasoning(line, self.opened);
        if !line.trim_ascii().is_empty() {
            self.opened = opens(line);
        }
        self.found && memmem::find(line, END).is_some()
    }
}

/// Whether this may be the beginning of a line with such a summary, whose rest is still to come.
pub(super) fn may_begin(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let begins = |tag: &[u8]| line.starts_with(tag) || tag.starts_with(line);
    !line.is_empty() && (begins(b"<details") || begins(b"<summary>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        for (line, opened, want) in [
            ("<details><summary>Thinking…</summary>Low pressure.</details>", false, true),
            ("<details open>\t<summary><b>💭 Thought for 5 seconds</b></summary>\n", false, true),
            ("<summary>Chain of Thought (click to expand)</summary>\n", true, true),
            ("<summary>Model's reasoning</summary>\n", true, true),
            ("<summary>Thinking</summary>\n", false, false),
            ("<summary>Thinking about rain</summary>\n", true, false),
            ("<summary>Details of the model</summary>\n", true, false),
            ("<details type=\"reasoning\"><summary>Thinking</summary>\n", false, false),
            ("<details><summary>More</summary>\n", false, false),
        ] {
            assert_eq!(is_reasoning(line.as_bytes(), opened), want, "{line}");
            assert!(!want || (1..line.len()).all(|end| may_begin(&line.as_bytes()[..end])), "{line}");
        }
        assert!(
            opens(b"<details>\n") && opens(b"<details open>") && !opens(b"<details type=\"reasoning\" done=\"true\">")
        );
        let mut summaries = Summaries::default();
        let ends = ["<details>\n", "<summary>Thinking</summary>\n", "\n", "Low pressure.\n", "</details>\n"]
            .map(|line| summaries.line(line.as_bytes()));
        assert_eq!(ends, [false, false, false, false, true]);
        assert!(!may_begin(b"<summa of") && !may_begin(b"<p>"));
    }
}
