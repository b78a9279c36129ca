//! What a page leaves out: the switch for a view without reasoning, and the foot that says what is not in the file.

use super::super::{LineItem, Totals, markup};

/// The style of the switch and of the foot.
pub const STYLE: &str = include_str!("safe.css");
const SCRIPT: &str = include_str!("safe.js");

/// The hashes of both, for the policy of the page (a test computes them).
const STYLE_HASH: &str = "'sha256-wq2QReRZJbiYRxjV7/QIYukO80vBZpzDFD57rPFKLlg='";
const SCRIPT_HASH: &str = "'sha256-QHdQ93EOcMFNm7kKUwDKTn+QbCWxyEYl6Op0HntewGg='";

/// The switch. It needs the script, and is shown only if that runs.
pub const SWITCH: &str = "<div class=\"tools view\">\
<button type=\"button\" id=\"without\" aria-pressed=\"false\">Without reasoning</button></div>\
<p id=\"view\" class=\"note\" role=\"status\" hidden>The reasoning is hidden in this view only: the file still has it. \
<code>unthink show --no-reasoning</code> leaves it out of the file.</p>";

/// The policy of a page, which allows these elements, too.
pub fn policy(of_page: &str) -> String {
    let style = of_page.replacen("style-src ", &format!("style-src {STYLE_HASH} "), 1);
    style.replacen("script-src ", &format!("script-src {SCRIPT_HASH} "), 1)
}

/// The style and the script.
pub fn elements() -> String {
    format!("<style>{STYLE}</style>\n<script>{SCRIPT}</script>\n")
}

/// What is not in the page, though it was in the input.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// Blocks of reasoning, and their tokens.
    blocks: u64,
    tokens: u64,
    is_hidden: bool,
    /// Images, in which nothing was looked for.
    images: u64,
    /// How often each pattern was taken out.
    pub counts: Vec<(String, u64)>,
}

impl LeftOut {
    /// Notes what is hidden of a message.
    pub fn message(&mut self, totals: &Totals) {
        if totals.hidden {
            self.is_hidden = true;
            self.blocks += totals.hidden_blocks;
            self.tokens = self.tokens.saturating_add(totals.reasoning);
        }
    }

    /// Notes an image that is in the page.
    pub fn item(&mut self, item: &LineItem) {
        let media = match item {
            LineItem::Media(media) => std::slice::from_ref(media),
            LineItem::Result { media, .. } => media,
            _ => return,
        };
        self.images += media.iter().filter(|media| !media.base64.is_empty()).count() as u64;
    }

    /// Writes the foot, if there is something to say.
    pub fn write(&self, out: &mut String) {
        if !self.is_hidden && self.counts.is_empty() {
            return;
        }
        out.push_str("<footer class=\"left-out\"><h2>What was left out of this file</h2>\n<ul>\n");
        if self.is_hidden {
            let blocks = if self.blocks == 1 { "block" } else { "blocks" };
            out.push_str(&format!("<li>Reasoning: {} {blocks}, about {} tokens</li>\n", self.blocks, self.tokens));
        }
        lines(&self.counts, out);
        out.push_str("</ul>\n");
        if self.images > 0 && !self.counts.is_empty() {
            out.push_str("<p>Images were not looked into.</p>\n");
        }
        out.push_str("</footer>\n");
    }
}

fn lines(counts: &[(String, u64)], out: &mut String) {
    for (name, count) in counts {
        out.push_str("<li>Redacted, ");
        markup::attribute(out, name);
        let times = if *count == 1 { "time" } else { "times" };
        out.push_str(&format!(": {count} {times}</li>\n"));
    }
}

/// Writes the foot of an index: how often each pattern was taken out of all pages.
pub fn redactions(counts: &[(String, u64)], out: &mut String) {
    if !counts.is_empty() {
        out.push_str("<footer class=\"left-out\"><h2>What was left out of these files</h2>\n<ul>\n");
        lines(counts, out);
        out.push_str("</ul>\n</footer>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::super::shell::tests::hash;
    use super::*;

    #[test]
    fn the_policy_has_these_hashes() {
        for (text, known) in [(STYLE, STYLE_HASH), (SCRIPT, SCRIPT_HASH)] {
            assert_eq!(format!("'sha256-{}'", hash(text)), known);
            assert!(!text.contains("</"));
        }
        assert_eq!(
            policy("style-src 'a'; script-src 'b'"),
            format!("style-src {STYLE_HASH} 'a'; script-src {SCRIPT_HASH} 'b'")
        );
    }
}
