//! The table of contents of a long page: the words of the user, each with a link to its message.

use super::super::{Role, TrackPart, markup, words};
use super::message::PageMessage;

/// The least number of messages of a page with a table.
const MIN_LISTED_MESSAGES: usize = 9;

/// How many entries a group shows; the others are folded.
const GROUP: usize = 100;

#[derive(Debug)]
enum ContentsLine {
    /// An input or a conversation: its heading and the link to it.
    Heading(String, String),
    Message {
        place: u64,
        number: u64,
        role: Role,
        words: String,
    },
}

/// The lines of the table: a few words of each message.
#[derive(Debug, Default)]
pub struct Contents {
    lines: Vec<ContentsLine>,
    messages: usize,
    asked: bool,
}

impl Contents {
    pub fn heading(&mut self, id: &str, text: &str) {
        self.lines.push(ContentsLine::Heading(id.into(), text.into()));
    }

    pub fn message(&mut self, message: &PageMessage) {
        let head = message.head();
        self.messages += 1;
        // What a side chain is told, and what programs add, is no request of the user.
        let role = match head.role {
            Role::User if head.part == TrackPart::Task || message.words.is_empty() => Role::Tool,
            role => role,
        };
        self.asked |= role == Role::User;
        let words = message.words.clone();
        self.lines.push(ContentsLine::Message { place: message.place, number: head.number, role, words });
    }

    /// Writes the table, if the page is long: the user's messages, or all messages if there are none by the user.
    pub fn write(&self, out: &mut String) {
        if self.messages < MIN_LISTED_MESSAGES {
            return;
        }
        out.push_str("<section aria-labelledby=\"contents\"><h2 id=\"contents\">Contents</h2>\n");
        let (mut group, mut listed) = (Vec::new(), 0);
        let fold = self.lines.iter().filter(|line| self.lists(line)).count() > GROUP + GROUP / 2;
        for line in self.lines.iter().filter(|line| self.lists(line)) {
            group.push(line);
            listed += 1;
            if fold && group.len() == GROUP {
                write_group(&group, Some(listed - group.len() + 1), out);
                group.clear();
            }
        }
        if !group.is_empty() {
            write_group(&group, fold.then_some(listed - group.len() + 1), out);
        }
        out.push_str("</section>\n");
    }

    fn lists(&self, line: &ContentsLine) -> bool {
        !self.asked || !matches!(line, ContentsLine::Message { role, .. } if *role != Role::User)
    }
}

/// Writes lines. With `first`, the number of the first line, they are folded.
fn write_group(lines: &[&ContentsLine], first: Option<usize>, out: &mut String) {
    if let Some(first) = first {
        let open = if first == 1 { " open" } else { "" };
        out.push_str(&format!("<details{open}><summary>{first} to {}</summary>", first + lines.len() - 1));
    }
    out.push_str("<ol>\n");
    for line in lines {
        match line {
            ContentsLine::Heading(id, text) => {
                out.push_str(&format!("<li><a href=\"#{id}\"><b>"));
                markup::attribute(out, text);
                out.push_str("</b></a></li>\n");
            }
            ContentsLine::Message { place, number, role, words: label } => {
                out.push_str(&format!("<li><a href=\"#m{place}\"><span>{number}</span> "));
                if label.is_empty() {
                    out.push_str(words::role(*role));
                } else {
                    markup::attribute(out, label);
                }
                out.push_str("</a></li>\n");
            }
        }
    }
    out.push_str(if first.is_some() { "</ol></details>\n" } else { "</ol>\n" });
}
