//! Sections of the log that Codex CLI prints for people (`codex exec`): each begins with a line that names who speaks, alone
//! (`thinking`, then `codex`) or, in older versions, behind a time (`[2025-08-10T12:00:00] thinking`). Also details of HTML
//! ([`summary`]), which begin with a line, too.

use super::named::Until;
use super::summary;
use crate::dialect::line::without_colours;
use memchr::memmem;

/// Follows the sections of a text.
#[derive(Default)]
pub(in crate::dialect) struct Sections {
    /// The program has said its name, so that a line without a time may begin a section.
    banner: bool,
    /// The section that is open began behind a time; with a mark.
    timed: bool,
    marked: bool,
    /// The line before opens details of HTML.
    details: bool,
    /// What stood since the last line of text says that a quotation with reasoning follows.
    quotes: bool,
}

/// What Claude Code prints before its thoughts, alone on a line, OpenCode writes into its exports, and LibreChat into its texts; and
/// what begins the lines of what else the first does.
const MARKS: [&str; 5] = ["✻ Thinking…", "∴ Thinking…", "✻ Thinking...", "_Thinking:_", ":::thinking"];
const BULLETS: [&str; 3] = ["●", "⏺", ">"];

/// The lines around a block that gptel writes into org-mode.
const BLOCK: [&[u8]; 2] = [b"#+begin_reasoning", b"#+end_reasoning"];

/// What Poe writes before reasoning, which it quotes.
const QUOTED: [&[u8]; 2] = [b"*Thinking...*", "*Thinking…*".as_bytes()];

/// The line that begins reasoning.
const THINKING: &[u8] = b"thinking";

/// Lines that begin other sections.
const OTHERS: [&[u8]; 7] = [b"codex", b"exec", b"user", b"tokens used", b"file update", b"apply_patch", b"plan update"];

/// How other such lines begin.
const BEGINNINGS: [&[u8]; 7] = [b"tokens used:", b"tool ", b"mcp: ", b"mcp startup:", b"exec ", b"turn ", b"ERROR: "];

/// The longest time in brackets, in bytes.
const MAX_TIME_BYTES: usize = 40;

impl Sections {
    /// Moves on behind a line of text. `fenced`: it stands in a code fence.
    pub fn pass(&mut self, line: &[u8], fenced: bool) {
        const NAME: &[u8] = b"OpenAI Codex v";
        // A quick check first: this is asked of every line.
        let Some(first) = line.trim_ascii_start().first() else { return };
        self.quotes = !fenced && (*first == b'*' && is_quoted_next(line) || *first == b'>' && self.quotes);
        self.details = *first == b'<' && !fenced && summary::opens(line) && memmem::find(line, summary::END).is_none();
        if !fenced && matches!(first, b'O' | b'[' | 0x1B) && memmem::find(line, NAME).is_some() {
            let plain = without_colours(line);
            let version = behind_time(plain.trim_ascii()).strip_prefix(NAME);
            self.banner |= version.and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit);
        }
    }

    /// How the lines end that belong to the reasoning which a line begins, if it begins any. What stands in a code fence is
    /// an example, unless the text is known to be such a log: it has the output of commands, where a fence may stay open.
    pub fn begins(&mut self, line: &[u8], fenced: bool) -> Option<Until> {
        // A quick check first: this is asked of every line.
        let first = line.trim_ascii_start().first();
        if !fenced && first == Some(&b'<') && summary::is_reasoning(line, self.details) {
            let ends = memmem::find(line, summary::END).is_some();
            return Some(if ends { Until::Line } else { Until::Text(summary::END.to_vec()) });
        }
        if !fenced && first == Some(&b'>') && self.quotes {
            return Some(Until::Line);
        }
        if line.len() > 256 || !matches!(first, Some(b't' | b'[' | b'#' | b'_' | b':' | 0x1B | 0xE2)) {
            return None;
        }
        if !fenced && line.trim_ascii() == BLOCK[0] {
            return Some(Until::Text(BLOCK[1].to_vec()));
        }
        let plain = without_colours(line);
        let text = plain.trim_ascii();
        self.marked = !fenced && MARKS.iter().any(|mark| mark.as_bytes() == text);
        if self.marked {
            return Some(Until::Section);
        }
        let title = behind_time(text);
        let timed = title.len() < text.len();
        let found = title == THINKING && (self.banner || timed && !fenced);
        if found {
            self.timed = timed;
        }
        found.then_some(Until::Section)
    }

    /// Whether this may be the beginning of such a line, whose rest is still to come.
    pub fn may_begin(&self, line: &[u8], fenced: bool) -> bool {
        let quoted = self.quotes && line.trim_ascii_start().first() == Some(&b'>');
        if !fenced && (quoted || summary::may_begin(line)) {
            return true;
        }
        if line.len() > 256 || fenced && !self.banner {
            return false;
        }
        // A sequence for the terminal that is cut off is none yet.
        let cut = memchr::memrchr(0x1B, line).filter(|escape| !line[escape + 1..].iter().any(u8::is_ascii_alphabetic));
        let plain = without_colours(&line[..cut.unwrap_or(line.len())]);
        let text = plain.trim_ascii_start();
        let whole = MARKS.map(str::as_bytes).into_iter().chain([BLOCK[0]]);
        let marked = || !fenced && whole.clone().any(|mark| mark.starts_with(text.trim_ascii_end()));
        let begins = |text: &[u8]| {
            THINKING.starts_with(text) || text.strip_prefix(THINKING).is_some_and(|rest| rest.trim_ascii().is_empty())
        };
        let inner = text.strip_prefix(b"[").unwrap_or_default();
        let time = inner.iter().take_while(|b| is_of_time(**b)).count();
        let timed = match &inner[time..] {
            [] => text.first() == Some(&b'[') && time < MAX_TIME_BYTES,
            [b']', rest @ ..] => time > 0 && begins(rest.trim_ascii_start()),
            _ => false,
        };
        text.is_empty() || timed || marked() || self.banner && begins(text)
    }

    /// Whether a line ends the section that is open.
    pub fn ends(&self, line: &[u8]) -> bool {
        let plain = without_colours(line);
        let text = plain.trim_ascii();
        if self.marked {
            return BULLETS.iter().any(|bullet| text.starts_with(bullet.as_bytes()));
        }
        if self.timed {
            return behind_time(text).len() < text.len();
        }
        let named = OTHERS.contains(&text) || BEGINNINGS.iter().any(|start| text.starts_with(start));
        text == THINKING || named
    }
}

/// Whether a line says that a quotation with reasoning follows.
pub(in crate::dialect) fn is_quoted_next(line: &[u8]) -> bool {
    QUOTED.contains(&line.trim_ascii())
}

/// What stands behind the time in brackets that a line begins with. Without one, the line.
fn behind_time(line: &[u8]) -> &[u8] {
    let Some(inner) = line.strip_prefix(b"[") else { return line };
    let end = inner.iter().take(MAX_TIME_BYTES).take_while(|b| is_of_time(**b)).count();
    let shape = b"0000-00-00T00:00";
    let like = |(b, sign): (&u8, &u8)| if *sign == b'0' { b.is_ascii_digit() } else { b == sign || *sign == b'T' };
    match inner[end..].strip_prefix(b"] ") {
        Some(rest) if end >= shape.len() && inner.iter().zip(shape).all(like) => rest.trim_ascii_start(),
        _ => line,
    }
}

/// Whether a byte stands in a time.
fn is_of_time(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.' | b'+' | b'T' | b'Z' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_a_log() {
        let mut sections = Sections::default();
        for (line, want) in [
            ("[2025-08-10T12:00:00] thinking\n", true),
            ("\u{1b}[2m[2025-08-10T12:00:00]\u{1b}[0m \u{1b}[3m\u{1b}[35mthinking\u{1b}[0m\n", true),
            ("[2025-08-10T12:00:00] thinking of it\n", false),
            ("[10] thinking\n", false),
            ("#+begin_reasoning\n", true),
            ("#+begin_src\n", false),
            ("✻ Thinking…\n", true),
            ("✻ Thinking… (12s · esc to interrupt)\n", false),
            ("thinking\n", false),
        ] {
            assert_eq!(sections.begins(line.as_bytes(), false).is_some(), want, "{line}");
            assert!(!want || (1..line.len()).all(|end| sections.may_begin(&line.as_bytes()[..end], false)), "{line}");
        }
        assert_eq!(sections.begins(b"[2025-08-10T12:00:00] thinking\n", true), None);
        assert_eq!(sections.begins(b"[2025-08-10T12:00:00] thinking\n", false), Some(Until::Section));
        assert!(!sections.ends(b"codex\n") && sections.ends(b"[2025-08-10T12:00:03] codex\n"));
        sections.pass(b"about OpenAI Codex v0.46.0\n", false);
        sections.pass(b"OpenAI Codex v0.46.0 (research preview)\n", true);
        assert!(sections.begins(b"thinking\n", false).is_none() && !sections.may_begin(b"think", false));
        sections.pass(b"OpenAI Codex v0.46.0 (research preview)\n", false);
        assert!(sections.begins(b"thinking\r\n", true).is_some() && sections.may_begin(b"think", true));
        assert!(sections.ends(b"codex\n") && sections.ends(b"tokens used\n") && !sections.ends(b"The codex\n"));
    }
}
