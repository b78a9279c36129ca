//! The index of a folder of pages: a table with a line for each conversation. It needs no other file, and no script.

use super::charts::{commas, counted, share};
use super::page::{index_head, redactions};
use super::{PageCard, markup};
use std::cmp::Reverse;

/// A file that has a page.
#[derive(Clone, Debug, Default)]
pub struct IndexEntry {
    /// The name of the file.
    pub name: String,
    /// The name of its page, from the index on.
    pub page: Vec<u8>,
    /// What the page says of itself.
    pub card: PageCard,
    /// What could not be read of it; empty if all could.
    pub unread: String,
}

/// The index of a folder of pages.
#[derive(Clone, Debug, Default)]
pub struct PageIndex {
    /// Its title.
    pub title: String,
    /// The files that have a page.
    pub entries: Vec<IndexEntry>,
    /// The names of those that have none, and why.
    pub left: Vec<(String, String)>,
    /// How often each pattern was taken out of all of them.
    pub redacted: Vec<(String, u64)>,
}

impl PageIndex {
    /// The index as HTML: the newest conversation first, then those without a date by their names.
    pub fn html(mut self) -> String {
        self.entries.sort_by(|a, b| {
            let key = |entry: &IndexEntry| (entry.card.begun.is_none(), Reverse(entry.card.begun.map(|time| time.0)));
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        self.left.sort();
        let mut out = String::new();
        index_head(&mut out, &self.title);
        self.sums(&mut out);
        if !self.entries.is_empty() {
            out.push_str("<div class=\"wide\"><table role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">");
            for column in ["Conversation", "Begun", "Model", "Messages", "Tokens", "Reasoning"] {
                out.push_str(&format!("<th scope=\"col\" role=\"columnheader\">{column}</th>"));
            }
            out.push_str("</tr></thead>\n<tbody role=\"rowgroup\">\n");
            self.entries.iter().for_each(|entry| entry.line(&mut out));
            out.push_str("</tbody></table></div>\n");
        }
        if !self.left.is_empty() {
            out.push_str("<h2>Files without a page</h2>\n<ul>\n");
            for (name, why) in &self.left {
                out.push_str("<li>");
                markup::attribute(&mut out, name);
                out.push_str(": <span class=\"why\">");
                markup::attribute(&mut out, why);
                out.push_str("</span></li>\n");
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</main>\n");
        redactions(&self.redacted, &mut out);
        out.push_str("</body>\n</html>\n");
        out
    }

    fn sums(&self, out: &mut String) {
        let cards = || self.entries.iter().map(|entry| &entry.card);
        let sum = |of: fn(&PageCard) -> u64| cards().map(of).fold(0, u64::saturating_add);
        let (answers, reasoning) = (sum(|card| card.answers), sum(|card| card.reasoning));
        let least = if cards().any(|card| card.is_least) { "at least " } else { "" };
        out.push_str(&format!(
            "<p>{}, {}: about {} tokens, {least}{:.0} % of what the models wrote is reasoning.</p>\n",
            counted(self.entries.len() as u64, "conversation"),
            counted(sum(|card| card.messages), "message"),
            commas(sum(|card| card.tokens)),
            share(answers, reasoning),
        ));
    }
}

/// A cell. The roles say that it is one where the style makes a block of it, on a small screen.
const CELL: &str = "<td role=\"cell\">";

impl IndexEntry {
    fn line(&self, out: &mut String) {
        let Self { name, page, card, unread } = self;
        out.push_str("<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><a href=\"");
        address(page, out);
        out.push_str("\">");
        markup::attribute(out, if card.title.is_empty() { name } else { &card.title });
        out.push_str("</a><small>");
        markup::attribute(out, name);
        out.push_str("</small>");
        if !unread.is_empty() {
            out.push_str("<small class=\"why\">");
            markup::attribute(out, unread);
            out.push_str("</small>");
        }
        out.push_str("</th>");
        out.push_str(CELL);
        if let Some(time) = card.begun.map(|time| time.to_string()) {
            let shown = time.get(..16).unwrap_or(&time).replace('T', " ");
            out.push_str(&format!("<time datetime=\"{time}\">{shown}</time>"));
        }
        out.push_str("</td>");
        out.push_str(CELL);
        markup::attribute(out, &card.models.join(", "));
        let least = if card.is_least { "≥ " } else { "" };
        let share = match card.answers.saturating_add(card.reasoning) {
            0 if card.is_least => "unknown".to_string(),
            0 => String::new(),
            _ => format!("{least}{:.0} %", share(card.answers, card.reasoning)),
        };
        out.push_str(&format!(
            "</td>{CELL}{}</td>{CELL}{least}{}</td>{CELL}{share}</td></tr>\n",
            commas(card.messages),
            commas(card.tokens)
        ));
    }
}

/// Writes the name of a file as a relative address: what is neither a letter, a digit nor a separator is escaped.
fn address(path: &[u8], out: &mut String) {
    for byte in path {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => out.push(char::from(*byte)),
            b'\\' if cfg!(windows) => out.push('/'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Time;
    use super::*;

    fn entry(name: &str, title: &str, begun: Option<i64>) -> IndexEntry {
        let card = PageCard { title: title.into(), begun: begun.map(Time), messages: 2, ..PageCard::default() };
        IndexEntry { name: name.into(), page: format!("{name}.html").into_bytes(), card, unread: String::new() }
    }

    #[test]
    fn the_newest_comes_first() {
        let entries =
            vec![entry("z", "", None), entry("a", "", None), entry("b", "old", Some(5)), entry("c", "new", Some(9))];
        let html = PageIndex { entries, ..PageIndex::default() }.html();
        let links: Vec<&str> = html.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(links, ["c.html", "b.html", "a.html", "z.html"]);
    }

    #[test]
    fn no_name_and_no_title_is_markup_or_an_address() {
        for text in [
            "<script>alert(1)</script>",
            "\"><img src=x onerror=a>",
            "javascript:alert(1)",
            "//a.example/x",
            "\u{202e}a\u{1b}[1m",
            "a?b#c",
            "../../x",
        ] {
            let mut one = entry(text, text, Some(1));
            one.card.models = vec![text.into()];
            one.unread = text.into();
            let index = PageIndex {
                title: text.into(),
                entries: vec![one],
                left: vec![(text.into(), text.into())],
                redacted: vec![(text.into(), 1)],
            };
            let html = index.html();
            let body = html.rsplit("</style>").next().unwrap();
            assert!(!body.contains("<script") && !body.contains("<img") && !body.contains('\u{202e}'), "{text}");
            let link = body.split("<a href=\"").nth(1).unwrap().split('"').next().unwrap();
            assert!(!link.contains([':', '?', '#', '<', '%']) || link.contains('%'), "{link}");
            assert!(!link.contains([':', '?', '#', '<']), "{link}");
        }
    }
}
