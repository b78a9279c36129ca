//! The conversation for a terminal: messages below each other, reasoning on a shaded background, tools in one line
//! each, tracks as rails on the left. Only printable characters of the input reach the terminal.
//!
//! The first two columns of a line, behind the rails, belong to the drawing: they are blank beside text, and have a
//! sign beside everything else, so that no text of the input can imitate a part of the drawing.

mod canvas;
mod emphasis;
mod glyph;
mod head;
mod look;
mod markdown;
mod pair;
mod rails;
mod records;
mod table;
mod timeline;

pub use look::Theme;
pub use pair::{BESIDE, TerminalPair};

use super::lanes::Lanes;
use super::{BlockEnd, LineItem, MessageHead, Painter, Step, TextBlockKind, Totals, TrackPart, calls};
use canvas::{Canvas, Margin};
use glyph::{Glyph, Glyphs};
use look::{CharStyle, Ink};
use markdown::Markdown;
use rails::Rails;

/// The least width of a drawing, in columns.
const MIN_TEXT_WIDTH: usize = 20;
/// The least number of columns for a text that becomes one line beside its label.
const MIN_LABELLED_WIDTH: usize = 12;
/// Roughly the most bytes that one column takes.
const MAX_COLUMN_BYTES: usize = 40;

/// How much of calls of tools, and of their results, is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ToolDetail {
    /// One line of each.
    #[default]
    Line,
    /// All of each.
    Full,
    /// Nothing.
    None,
}

/// How a conversation is drawn for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalOptions {
    /// The width of the drawing in columns; at least 20.
    pub width: usize,
    /// The background of the terminal.
    pub theme: Theme,
    /// The terminal has colours. Without colours, emphasis stays as it is written.
    pub color: bool,
    /// A block of reasoning is drawn as one line.
    pub collapse: bool,
    /// How much of calls and their results is drawn.
    pub tools: ToolDetail,
    /// Control characters and escape sequences of the input are written unchanged.
    pub raw: bool,
    /// It is written to a terminal as it is made: whenever it waits for more input, the colours are reset. So it has
    /// more escape sequences, and their places depend on how the input arrives.
    pub live: bool,
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self {
            width: 80,
            theme: Theme::Dark,
            color: false,
            collapse: false,
            tools: ToolDetail::Line,
            raw: false,
            live: false,
        }
    }
}

/// The last thing that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastDrawn {
    Nothing,
    /// A line about inputs or records.
    Line,
    Head,
    Text,
    Item,
    /// The end of a message.
    Message,
}

/// Draws for a terminal.
#[derive(Debug)]
pub struct Terminal {
    options: TerminalOptions,
    canvas: Canvas,
    glyphs: Glyphs,
    markdown: Markdown,
    rails: Rails,
    /// The lanes of the input, and how many messages it has so far.
    lanes: Lanes,
    messages: u64,
    /// What it has cost so far, in US dollars, and how often that was said.
    cost: (f64, u64),
    /// What the session is called by now.
    title: String,
    /// The head of the open message.
    head: MessageHead,
    /// The kind of the open block.
    block: Option<TextBlockKind>,
    /// Text of the block has come.
    some: bool,
    /// How many labels with estimates the message has so far.
    labels: usize,
    /// The text so far of a block that becomes one line.
    kept: String,
    last: LastDrawn,
}

impl Terminal {
    /// A drawing that has nothing in it.
    pub fn new(options: TerminalOptions) -> Self {
        let width = options.width.max(MIN_TEXT_WIDTH);
        let options = TerminalOptions { width, ..options };
        let theme = options.color.then_some(options.theme);
        Self {
            canvas: Canvas::new(theme, width - 2),
            glyphs: Glyphs::new(options.raw),
            markdown: Markdown::new(),
            rails: Rails::new((width / 8).min(12), options.raw),
            lanes: Lanes::default(),
            messages: 0,
            cost: (0.0, 0),
            title: String::new(),
            head: MessageHead::default(),
            block: None,
            some: false,
            labels: 0,
            kept: String::new(),
            last: LastDrawn::Nothing,
            options,
        }
    }

    /// Draws a line of several parts.
    fn line(&mut self, parts: &[(String, CharStyle)], out: &mut Vec<u8>) {
        for (text, style) in parts {
            self.canvas.look(*style, out);
            out.extend_from_slice(text.as_bytes());
        }
        while out.last() == Some(&b' ') {
            out.pop();
        }
        self.canvas.rest(out);
        out.push(b'\n');
    }

    /// Draws an empty line between parts of the drawing.
    fn gap(&mut self, out: &mut Vec<u8>) {
        let rails = self.rails.line(None);
        self.line(&rails, out);
    }

    fn open(&mut self, head: &MessageHead, out: &mut Vec<u8>) {
        self.messages += 1;
        self.lanes.open(head, self.messages);
        self.title(head, out);
        self.rails.before(head);
        if self.last != LastDrawn::Nothing {
            self.gap(out);
        }
        for line in self.rails.begin(head, self.options.width) {
            self.line(&line, out);
        }
        let own = self.rails.own(head);
        let mut line = self.rails.line(own);
        if self.rails.more() > 0 {
            let dot = if head.track.is_some() && own.is_none() { "● " } else { "" };
            line.push((format!("+{} {dot}", self.rails.more()), CharStyle::of(Ink::Faint)));
        }
        head::head(head, own, self.options, &mut line);
        self.line(&line, out);
        self.head.clone_from(head);
        self.labels = 0;
        self.set_rails(out);
        self.last = LastDrawn::Head;
    }

    /// Sets the rails before the following lines of the message.
    fn set_rails(&mut self, out: &mut Vec<u8>) {
        let mut front = Vec::new();
        for (text, style) in self.rails.line(None) {
            self.canvas.look(style, &mut front);
            front.extend_from_slice(text.as_bytes());
        }
        self.canvas.rest(&mut front);
        self.canvas.rest(out);
        let width = self.options.width.saturating_sub(self.rails.width() + 2);
        self.canvas.set_rails(front, width);
    }

    fn begin(&mut self, kind: TextBlockKind, out: &mut Vec<u8>) {
        if matches!(self.last, LastDrawn::Text | LastDrawn::Item) {
            self.gap(out);
        }
        let (sign, style, base) = match kind {
            TextBlockKind::Reasoning if self.options.color => ("┊ ", Ink::Shade, Ink::Reasoning),
            TextBlockKind::Reasoning => ("┊ ", Ink::Plain, Ink::Plain),
            _ if self.head.part == TrackPart::Dialogue => ("» ", Ink::Dialogue, Ink::Dialogue),
            _ => ("  ", Ink::Plain, Ink::Plain),
        };
        self.canvas.begin(Margin { sign, style: CharStyle::of(style) }, CharStyle::of(base));
        self.block = Some(kind);
        self.kept.clear();
        self.some = false;
    }

    fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        let collapses = self.block == Some(TextBlockKind::Reasoning) && self.options.collapse;
        let (canvas, markdown, kept) = (&mut self.canvas, &mut self.markdown, &mut self.kept);
        self.some |= !text.trim_ascii().is_empty();
        if collapses {
            let text = if kept.is_empty() { text.trim_start() } else { text };
            // All text that can fit, even if every character has marks.
            let most = MAX_COLUMN_BYTES * self.options.width;
            for c in text.chars() {
                if kept.len() >= most {
                    break;
                }
                kept.push(c);
            }
        } else {
            self.glyphs.push(text, |glyph| markdown.glyph(glyph, canvas, out));
        }
    }

    fn end(&mut self, end: BlockEnd, out: &mut Vec<u8>) {
        let Some(kind) = self.block.take() else { return };
        self.lanes.end(end);
        let mut label = match kind {
            TextBlockKind::Reasoning => {
                self.labels += 1;
                head::label(end, self.some)
            }
            _ => String::new(),
        };
        if kind == TextBlockKind::Reasoning && self.options.collapse {
            let width = self.canvas.width();
            // If there is no room for both text and label, the text is drawn.
            if width < label.chars().count() + MIN_LABELLED_WIDTH {
                label.clear();
            }
            let taken = if label.is_empty() { 0 } else { label.chars().count() + 2 };
            let room = width.saturating_sub(taken);
            let (text, _) = glyph::line(&self.kept, room, self.options.raw);
            let base = self.canvas.base();
            self.canvas.set_exact(true);
            let canvas = &mut self.canvas;
            let mut glyphs = Glyphs::new(true);
            let mut sink = |glyph: Glyph<'_>| canvas.glyph(glyph, base, out);
            glyphs.push(&text, &mut sink);
            glyphs.end(&mut sink);
        } else {
            let (canvas, markdown) = (&mut self.canvas, &mut self.markdown);
            self.glyphs.end(|glyph| markdown.glyph(glyph, canvas, out));
            self.markdown.end(&mut self.canvas, out);
        }
        self.canvas.end(&label, out);
        if self.some || kind == TextBlockKind::Reasoning {
            self.last = LastDrawn::Text;
        }
    }

    fn item(&mut self, item: &LineItem, out: &mut Vec<u8>) {
        self.lanes.item(item);
        let is_tool = matches!(item, LineItem::Call { .. } | LineItem::Result { .. });
        if is_tool && self.options.tools == ToolDetail::None {
            return;
        }
        if self.last == LastDrawn::Text {
            self.gap(out);
        }
        let mut line = self.rails.line(None);
        let rails = line.len();
        let whole = if self.options.tools == ToolDetail::Full { calls::whole(item) } else { String::new() };
        head::item(item, self.canvas.width(), self.options.raw, &mut line);
        // What stands in full below is not in the line.
        line.truncate(if whole.is_empty() { line.len() } else { rails + 1 });
        self.line(&line, out);
        if !whole.is_empty() {
            let style = CharStyle::of(Ink::Plain);
            self.canvas.begin(Margin { sign: "  ", style }, style);
            let canvas = &mut self.canvas;
            self.glyphs.push(&whole, |glyph| canvas.glyph(glyph, style, out));
            self.glyphs.end(|glyph| canvas.glyph(glyph, style, out));
            self.canvas.end("", out);
        }
        self.last = LastDrawn::Item;
    }

    fn close(&mut self, totals: &Totals, out: &mut Vec<u8>) {
        self.lanes.close(totals);
        totals.cost.into_iter().for_each(|cost| self.cost = (self.cost.0 + cost, self.cost.1 + 1));
        // A thought of a sequence has its estimate behind its text already.
        let labelled = self.head.part != TrackPart::None && self.labels == 1 && totals.visible == 0;
        let totals = if labelled { Totals { reasoning: 0, ..*totals } } else { *totals };
        let mut line = self.rails.line(None);
        if head::foot(&totals, self.canvas.width(), &mut line) {
            self.line(&line, out);
        }
        let head = std::mem::take(&mut self.head);
        for line in self.rails.end(&head) {
            self.line(&line, out);
        }
        self.last = LastDrawn::Message;
    }
}

impl Painter for Terminal {
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        match step {
            Step::Input(name) => {
                self.over(out);
                self.apart(out);
                self.remark("━━", name, CharStyle::strong(Ink::Plain), out);
            }
            Step::Conversation { number, again } => {
                if number > 1 || again {
                    self.apart(out);
                    let again = if again { " goes on" } else { "" };
                    self.remark("══", &format!("conversation {number}{again}"), CharStyle::of(Ink::Faint), out);
                }
                self.rails.clear();
            }
            Step::Open(head) => self.open(head, out),
            Step::Begin(kind) => self.begin(kind, out),
            Step::Text(text) | Step::Heading(text) => self.text(text, out),
            Step::End(end) => self.end(end, out),
            Step::Item(item) => self.item(item, out),
            Step::Close(totals) => self.close(totals, out),
            // No message says it, so that it is in the sum.
            Step::Cost(dollars) => self.cost = (self.cost.0 + dollars, self.cost.1 + 2),
            Step::Unread { first, last, what } => self.unread((first, last), what, out),
            Step::Aside { first, last, count, .. } => self.aside((first, last), count, out),
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        if self.options.live {
            self.canvas.rest(out);
        }
    }

    fn redacted(&mut self, counts: &[(String, u64)], out: &mut Vec<u8>) {
        let said: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        self.apart(out);
        self.remark("·", &format!("redacted: {}", said.join(", ")), CharStyle::of(Ink::Faint), out);
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.over(out);
        self.canvas.rest(out);
    }
}

#[cfg(test)]
mod tests;
