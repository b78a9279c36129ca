//! The conversation as a single HTML page, which loads nothing and works from disk. Reasoning is collapsed if the
//! script runs, and open if it does not.
//!
//! Messages are written as they come. Parts that need all of them (charts, contents, tree) stand behind them in the
//! file, and before them on the screen. Only a few words and numbers of each message are kept.

mod ansi;
mod boxes;
mod call;
mod colors;
mod contents;
mod highlight;
mod markdown;
mod media;
mod message;
mod pair;
mod queue;
mod safe;
mod shell;
mod size;
mod summary;
mod timeline;
mod tree;
mod view;

use super::charts::{Series, inline};
use super::lanes::Lanes;
use super::{LineItem, MessageHead, PageCard, Painter, Step, Totals, markup};
use colors::Colors;
use contents::Contents;
#[cfg(test)]
pub(super) use markdown::markdown as shown;
pub(super) use markdown::{MAX_MARKDOWN_BYTES, options};
use message::PageMessage;
pub use pair::PagePair;
use queue::Queue;
use safe::LeftOut;
pub(super) use safe::redactions;
pub(super) use shell::index_head;
use summary::PageSummary;
use tree::Tree;

/// How many messages a section of the page has. A browser lays out only the sections on the screen, which saves most of
/// its time with thousands of messages.
const SECTION_MESSAGES: u64 = 50;

/// How many messages wait for the first request, which is the title of the page.
const MAX_UNTITLED_MESSAGES: u64 = 40;

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
    /// What stands behind the head, which waits for its title.
    waiting: String,
    summary: PageSummary,
    message: Option<PageMessage>,
    queue: Queue,
    colors: Colors,
    /// How many messages the page has so far.
    messages: u64,
    inputs: u64,
    conversations: u64,
    contents: Contents,
    tree: Tree,
    series: Vec<Series>,
    left_out: LeftOut,
    /// The lanes of each input.
    lanes: Vec<Lanes>,
}

impl Page {
    /// An empty page.
    pub fn new(options: PageOptions) -> Self {
        Self {
            options,
            begun: false,
            waiting: String::new(),
            summary: PageSummary::default(),
            message: None,
            queue: Queue::default(),
            colors: Colors::default(),
            messages: 0,
            inputs: 0,
            conversations: 0,
            contents: Contents::default(),
            tree: Tree::default(),
            series: Vec::new(),
            left_out: LeftOut::default(),
            lanes: Vec::new(),
        }
    }

    fn input(&mut self, name: &str, html: &mut String) {
        self.inputs += 1;
        self.series.push(Series::new(name));
        self.lanes.push(Lanes::default());
        self.heading(format!("i{}", self.inputs), name, html);
    }

    /// Writes the heading of a conversation. There are headings only if there are several conversations.
    fn conversation(&mut self, number: u64, again: bool, html: &mut String) {
        if number < 2 && !again {
            return;
        }
        self.conversations += u64::from(again);
        let (id, text) = match again {
            false => (format!("i{}c{number}", self.inputs), format!("Conversation {number}")),
            true => {
                (format!("i{}c{number}b{}", self.inputs, self.conversations), format!("Conversation {number} goes on"))
            }
        };
        self.heading(id, &text, html);
    }

    fn heading(&mut self, id: String, text: &str, html: &mut String) {
        self.queue.flush(true, html);
        html.push_str(&format!("<h2 id=\"{id}\">"));
        markup::attribute(html, text);
        html.push_str("</h2>\n");
        self.contents.heading(&id, text);
    }

    fn series(&mut self) -> Option<&mut Series> {
        if self.series.is_empty() {
            self.series.push(Series::new(""));
            self.lanes.push(Lanes::default());
        }
        self.series.last_mut()
    }

    fn open(&mut self, head: &MessageHead, html: &mut String) {
        self.close(&Totals::default(), html);
        if self.messages.is_multiple_of(SECTION_MESSAGES) {
            let stretch = match self.messages {
                0 => "<div class=\"stretch\">\n",
                _ => "</div>\n<div class=\"stretch\">\n",
            };
            self.queue.html(stretch.into(), html);
        }
        self.messages += 1;
        let before = self.summary.last();
        self.summary.head(head);
        let place = self.messages;
        self.series();
        self.lanes.last_mut().into_iter().for_each(|lanes| lanes.open(head, place));
        self.message = Some(PageMessage::new(head, self.messages, before, &mut self.colors));
    }

    fn item(&mut self, item: &LineItem) {
        self.left_out.item(item);
        let Some(message) = &mut self.message else { return };
        self.lanes.last_mut().into_iter().for_each(|lanes| lanes.item(item));
        if !self.queue.answer(message, item) {
            message.item(item);
        }
    }

    fn close(&mut self, totals: &Totals, html: &mut String) {
        let Some(mut message) = self.message.take() else { return };
        self.left_out.message(totals);
        totals.cost.into_iter().for_each(|cost| self.summary.cost(cost));
        message.close();
        let (place, number) = (message.place, message.head().number);
        self.series().into_iter().for_each(|series| series.push((place, number), totals));
        self.lanes.last_mut().into_iter().for_each(|lanes| lanes.close(totals));
        self.tree.message(self.inputs, place, message.head(), &mut self.colors);
        self.contents.message(&message);
        self.summary.words(&message);
        self.queue.push(message, *totals, html);
    }

    /// Writes a line about records that are no messages.
    fn records(&mut self, (first, last): (u64, u64), says: &str, more: &str, html: &mut String) {
        let mut line = String::new();
        let records = if first == last { format!("Record {first}") } else { format!("Records {first} to {last}") };
        if more.is_empty() {
            line.push_str(&format!("<p class=\"unread\">{records} {says}"));
        } else {
            line.push_str(&format!("<details class=\"step aside\"><summary>{records} {says}</summary><pre>"));
            markup::text(&mut line, more);
        }
        line.push_str(if more.is_empty() { "</p>\n" } else { "</pre></details>\n" });
        self.queue.html(line, html);
    }

    fn unread(&mut self, (first, last): (u64, u64), what: &str, html: &mut String) {
        let mut says = String::from(if first == last { "is not shown: " } else { "are not shown: " });
        markup::attribute(&mut says, what);
        let messages = self.messages;
        self.series().into_iter().for_each(|series| series.unread(messages, last - first + 1));
        self.records((first, last), &says, "", html);
    }

    fn overview(&mut self, html: &mut String) {
        html.push_str("<section id=\"overview\" slot=\"overview\" aria-label=\"Overview\">\n");
        self.summary.write(html);
        for (series, lanes) in self.series.iter().zip(&mut self.lanes).filter(|(series, _)| !series.is_empty()) {
            if !series.name.is_empty() {
                html.push_str("<h2>");
                markup::attribute(html, &series.name);
                html.push_str("</h2>\n");
            }
            html.push_str(&format!("<p>{}</p>\n", series.sentence()));
            timeline::timeline(lanes, html);
            html.push_str("<details class=\"charts\"><summary>Charts</summary><figure>");
            inline(series, html);
            html.push_str("</figure></details>\n");
        }
        html.push_str("</section>\n");
    }

    /// Writes the head of the page once its title is known, and what stands behind it.
    fn begin(&mut self, all: bool, html: String, out: &mut Vec<u8>) {
        if self.begun {
            return out.extend_from_slice(html.as_bytes());
        }
        self.waiting.push_str(&html);
        if self.summary.title.is_empty() && !all && self.messages < MAX_UNTITLED_MESSAGES && self.inputs == 0 {
            return;
        }
        self.begun = true;
        let mut head = String::new();
        let title = if self.inputs == 0 { self.summary.title.as_str() } else { "" };
        shell::begin(&mut head, title, &self.options.title);
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(std::mem::take(&mut self.waiting).as_bytes());
    }
}

impl Painter for Page {
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        let mut html = String::new();
        match (step, &mut self.message) {
            (Step::Begin(kind), Some(message)) => message.begin(kind),
            (Step::Text(text) | Step::Heading(text), Some(message)) => message.text(text),
            (Step::End(end), Some(message)) => {
                self.lanes.last_mut().into_iter().for_each(|lanes| lanes.end(end));
                message.end(end);
            }
            (Step::Begin(_) | Step::Heading(_) | Step::Text(_) | Step::End(_), None) => {}
            (Step::Item(item), _) => self.item(item),
            (Step::Close(totals), _) => self.close(totals, &mut html),
            (Step::Cost(dollars), _) => self.summary.cost(dollars),
            (Step::Open(head), _) => self.open(head, &mut html),
            (Step::Input(name), _) => self.input(name, &mut html),
            (Step::Conversation { number, again }, _) => self.conversation(number, again, &mut html),
            (Step::Unread { first, last, what }, _) => self.unread((first, last), what, &mut html),
            (Step::Aside { first, last, count, text }, _) => {
                let says = if count == 1 { "is no message".into() } else { format!("({count}) are no messages") };
                self.records((first, last), &says, text, &mut html);
            }
        }
        self.begin(false, html, out);
    }

    fn redacted(&mut self, counts: &[(String, u64)], _out: &mut Vec<u8>) {
        self.left_out.counts = counts.to_vec();
    }

    fn card(&self) -> PageCard {
        PageCard { redacted: self.left_out.counts.clone(), ..self.summary.card(self.series.iter()) }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let mut html = String::new();
        self.close(&Totals::default(), &mut html);
        self.queue.end(&mut html);
        if self.messages == 0 {
            html.push_str("<p class=\"note\">There are no messages in it.</p>\n");
        }
        html.push_str(if self.messages == 0 { "</main>\n" } else { "</div>\n</main>\n" });
        self.overview(&mut html);
        let mut nav = String::new();
        self.contents.write(&mut nav);
        self.tree.write(&mut nav);
        if !nav.is_empty() {
            html.push_str(&format!("<nav slot=\"contents\" aria-label=\"Contents\"><div>\n{nav}</div></nav>\n"));
        }
        self.left_out.write(&mut html);
        html.push_str("</body>\n</html>\n");
        self.begin(true, html, out);
    }
}
