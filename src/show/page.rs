//! The conversation as a single HTML page, which loads nothing and works from disk. Reasoning is collapsed if the
//! script runs, and open if it does not.
//!
//! Messages are written as they come. Parts that need all of them (charts, contents, tree) stand behind them in the
//! file, and before them on the screen. Only a few words and numbers of each message are kept.

mod contents;
mod markdown;
mod message;
mod shell;
mod tree;

use super::charts::{Series, inline};
use super::{Painter, Step, Totals, markup};
use contents::Contents;
use message::Message;
use tree::Tree;

/// How many messages a section of the page has. A browser lays out only the sections on the screen, which saves most of
/// its time with thousands of messages.
const STRETCH: u64 = 50;

/// How a page is drawn.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// The title, such as the name of the input.
    pub title: String,
}

/// Draws a page.
#[derive(Debug)]
pub struct Page {
    options: PageOptions,
    /// The head of the page has been written.
    begun: bool,
    message: Option<Message>,
    /// How many messages the page has so far.
    messages: u64,
    inputs: u64,
    conversations: u64,
    contents: Contents,
    tree: Tree,
    series: Vec<Series>,
}

impl Page {
    /// An empty page.
    pub fn new(options: PageOptions) -> Self {
        Self {
            options,
            begun: false,
            message: None,
            messages: 0,
            inputs: 0,
            conversations: 0,
            contents: Contents::default(),
            tree: Tree::default(),
            series: Vec::new(),
        }
    }

    fn input(&mut self, name: &str, html: &mut String) {
        self.inputs += 1;
        self.conversations = 0;
        self.series.push(Series::new(name));
        self.heading(format!("i{}", self.inputs), name, html);
    }

    /// Writes the heading of a conversation. There are headings only if there are several conversations.
    fn conversation(&mut self, html: &mut String) {
        self.conversations += 1;
        if self.conversations > 1 {
            let id = format!("i{}c{}", self.inputs, self.conversations);
            self.heading(id, &format!("Conversation {}", self.conversations), html);
        }
    }

    fn heading(&mut self, id: String, text: &str, html: &mut String) {
        html.push_str(&format!("<h2 id=\"{id}\">"));
        markup::attribute(html, text);
        html.push_str("</h2>\n");
        self.contents.heading(&id, text);
    }

    fn close(&mut self, totals: &Totals, html: &mut String) {
        let Some(message) = self.message.take() else { return };
        if self.series.is_empty() {
            self.series.push(Series::new(""));
        }
        if let Some(series) = self.series.last_mut() {
            series.push(message.place, message.head().role, totals);
        }
        self.tree.message(self.inputs, message.place, message.head());
        self.contents.message(&message);
        message.close(totals, html);
    }

    fn overview(&self, html: &mut String) {
        html.push_str("<section id=\"overview\" aria-label=\"Overview\">\n");
        for series in self.series.iter().filter(|series| !series.is_empty()) {
            if !series.name.is_empty() {
                html.push_str("<h2>");
                markup::attribute(html, &series.name);
                html.push_str("</h2>\n");
            }
            html.push_str(&format!("<p>{}</p>\n<figure>", series.sentence()));
            inline(series, html);
            html.push_str("</figure>\n");
        }
        html.push_str("</section>\n");
    }

    fn begin(&mut self, html: &mut String) {
        if !self.begun {
            self.begun = true;
            shell::begin(html, &self.options.title);
        }
    }
}

impl Painter for Page {
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        let mut html = String::new();
        self.begin(&mut html);
        match (step, &mut self.message) {
            (Step::Begin(kind), Some(message)) => message.begin(kind),
            (Step::Text(text), Some(message)) => message.text(text),
            (Step::End(end), Some(message)) => message.end(end),
            (Step::Item(item), Some(message)) => message.item(item),
            (Step::Begin(_) | Step::Text(_) | Step::End(_) | Step::Item(_), None) => {}
            (Step::Close(totals), _) => self.close(totals, &mut html),
            (Step::Open(head), _) => {
                self.close(&Totals::default(), &mut html);
                if self.messages.is_multiple_of(STRETCH) {
                    html.push_str(if self.messages == 0 {
                        "<div class=\"stretch\">\n"
                    } else {
                        "</div>\n<div class=\"stretch\">\n"
                    });
                }
                self.messages += 1;
                self.message = Some(Message::new(head, self.messages));
            }
            (Step::Input(name), _) => self.input(name, &mut html),
            (Step::Conversation, _) => self.conversation(&mut html),
            (Step::Unread { record, what }, _) => {
                html.push_str(&format!("<p class=\"unread\">Record {record} is not shown: "));
                markup::attribute(&mut html, what);
                html.push_str("</p>\n");
            }
        }
        out.extend_from_slice(html.as_bytes());
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let mut html = String::new();
        self.begin(&mut html);
        self.close(&Totals::default(), &mut html);
        if self.messages == 0 {
            html.push_str("<p class=\"note\">There are no messages in it.</p>\n");
        }
        html.push_str(if self.messages == 0 { "</main>\n" } else { "</div>\n</main>\n" });
        self.overview(&mut html);
        let mut nav = String::new();
        self.contents.write(&mut nav);
        self.tree.write(&mut nav);
        if !nav.is_empty() {
            html.push_str(&format!("<nav aria-label=\"Contents\"><div>\n{nav}</div></nav>\n"));
        }
        html.push_str("</body>\n</html>\n");
        out.extend_from_slice(html.as_bytes());
    }
}
