//! One message of the page: who wrote it, its blocks, its estimates, and the rails of the tracks beside it.

use super::super::{BlockEnd, BlockKind, Head, Item, Part, Totals, Track, TrackChange};
use super::super::{markup, words};
use super::markdown::markdown;

/// The last column in which a rail is drawn: more would leave no room for the message.
const RAILS: usize = 12;

/// How many of the first characters of reasoning are in its line, as long as it is closed.
const PEEK: usize = 60;

/// How many characters of a tool's arguments or result are in its line.
const LINE: usize = 90;

/// A message that is being drawn.
#[derive(Debug)]
pub struct Message {
    head: Head,
    /// The number of the message on the page, from 1.
    pub place: u64,
    /// The HTML of its blocks so far.
    body: String,
    /// The open block, and its text so far.
    block: Option<(BlockKind, String)>,
    /// How many blocks of reasoning it has.
    reasoning: u64,
    /// The first words of its visible text.
    pub words: String,
}

impl Message {
    pub fn new(head: &Head, place: u64) -> Self {
        Self { head: head.clone(), place, body: String::new(), block: None, reasoning: 0, words: String::new() }
    }

    pub fn head(&self) -> &Head {
        &self.head
    }

    pub fn begin(&mut self, kind: BlockKind) {
        self.end(BlockEnd::default());
        self.block = Some((kind, String::new()));
    }

    pub fn text(&mut self, text: &str) {
        if let Some((_, block)) = &mut self.block {
            block.push_str(text);
        }
    }

    /// Ends the open block, if there is one.
    pub fn end(&mut self, end: BlockEnd) {
        let Some((kind, text)) = self.block.take() else { return };
        match kind {
            BlockKind::Reasoning => return self.reasoning(&text, end),
            BlockKind::Commentary => self.body.push_str("<p class=\"label\">Commentary</p>\n"),
            BlockKind::Text => {}
        }
        if self.words.is_empty() {
            self.words = markup::first_words(&text, 70);
        }
        if !text.trim().is_empty() {
            self.body.push_str("<div class=\"text\">\n");
            markdown(&mut self.body, &text);
            self.body.push_str("</div>\n");
        }
    }

    fn reasoning(&mut self, text: &str, end: BlockEnd) {
        if text.trim().is_empty() {
            let what = if end.sealed { "Reasoning that is encrypted" } else { "Reasoning without text" };
            self.body.push_str(&format!("<p class=\"note\">{what}</p>\n"));
            return;
        }
        self.reasoning += 1;
        let id = format!("m{}r{}", self.place, self.reasoning);
        let tokens = end.tokens;
        let mut name = String::new();
        if self.head.id.is_empty() {
            name = format!("m{}", self.place);
        } else {
            markup::attribute(&mut name, &self.head.id);
        }
        let signed = if end.sealed { ", signed" } else { "" };
        let mut peek = String::new();
        markup::text(&mut peek, &markup::first_words(text, PEEK));
        self.body.push_str(&format!(
            "<div class=\"reasoning\" data-ai-reasoning data-collapsed=\"true\" data-token-est=\"{tokens}\" data-msg-id=\"{name}\">\n\
             <h4><button type=\"button\" data-ai-reasoning-toggle aria-expanded=\"false\" aria-controls=\"{id}\">Reasoning \
             <span>about {}{signed}</span> <i aria-hidden=\"true\">{peek}</i></button></h4>\n\
             <div class=\"text\" id=\"{id}\" hidden=\"until-found\">\n",
            count(tokens),
        ));
        markdown(&mut self.body, text);
        self.body.push_str("</div>\n</div>\n");
    }

    pub fn item(&mut self, item: &Item) {
        self.end(BlockEnd::default());
        match item {
            Item::Call { name, arguments } => self.tool("Call", name, arguments, ""),
            Item::Result { name, text, failed: true } => self.tool("Failed", name, text, " failed"),
            Item::Result { name, text, .. } => self.tool("Result", name, text, ""),
            Item::Media => self.body.push_str("<p class=\"note\">An image, a document or a sound</p>\n"),
            Item::Tools(count) => {
                let tools = plural(*count, "tool that the model may call", "tools that the model may call");
                self.body.push_str(&format!("<p class=\"note\">{count} {tools}</p>\n"));
            }
            Item::Other => self.body.push_str("<p class=\"note\">A block of a kind that is not known</p>\n"),
        }
    }

    /// Writes a tool in one line. A text that does not fit is unfolded by a click.
    fn tool(&mut self, what: &str, name: &str, text: &str, class: &str) {
        let line = markup::first_words(text, LINE);
        let fits = line == text.trim();
        let body = &mut self.body;
        body.push_str(if fits { "<div class=\"line\"><p>" } else { "<details class=\"line\"><summary>" });
        body.push_str(&format!("<span class=\"kind{class}\">{what}</span> "));
        if !name.is_empty() {
            body.push_str(if fits { "<b>" } else { "<b class=\"name\">" });
            markup::attribute(body, name);
            body.push_str("</b> ");
        }
        body.push_str("<code>");
        markup::text(body, &line);
        body.push_str("</code>");
        if fits {
            body.push_str("</p></div>\n");
        } else {
            body.push_str("</summary><pre>");
            markup::text(body, text);
            body.push_str("</pre></details>\n");
        }
    }

    /// Writes the whole message.
    pub fn close(mut self, totals: &Totals, out: &mut String) {
        self.end(BlockEnd::default());
        let (place, head) = (self.place, &self.head);
        let role = words::role(head.role);
        let dialogue = if head.part == Part::Dialogue { " dialogue" } else { "" };
        let rejected = if head.rejected { " rejected" } else { "" };
        out.push_str(&format!(
            "<article class=\"m {role}{dialogue}{rejected}\" id=\"m{place}\" aria-labelledby=\"h{place}\">\n"
        ));
        rails(head, out);
        out.push_str(&format!("<div class=\"in\"><header><h3 id=\"h{place}\">"));
        if head.number > 0 {
            out.push_str(&format!("<a href=\"#m{place}\">{}</a> ", head.number));
        }
        out.push_str(role);
        if !head.agent.is_empty() && head.agent != role {
            out.push_str(&format!(" <span class=\"agent{}\">", color(head)));
            markup::attribute(out, &head.agent);
            out.push_str("</span>");
        }
        out.push_str("</h3>");
        details(head, totals, out);
        out.push_str("</header>\n");
        bar(totals, out);
        if totals.hidden {
            out.push_str("<p class=\"note\">The reasoning is hidden.</p>\n");
        }
        out.push_str(&self.body);
        out.push_str("</div></article>\n");
    }
}

/// Writes details of a message besides its author.
fn details(head: &Head, totals: &Totals, out: &mut String) {
    if let Some(part) = words::part(head.part) {
        out.push_str(&format!("<span class=\"badge\">{part}</span>"));
    }
    if head.rejected {
        out.push_str("<span class=\"badge\">rejected</span>");
    }
    let beyond = head.tracks.iter().filter(|track| track.column >= RAILS).count();
    let more = head.more_tracks.saturating_add(beyond);
    if more > 0 {
        let tracks = plural(more as u64, "sequence or delegation", "sequences and delegations");
        out.push_str(&format!("<span>{more} more {tracks} open</span>"));
    }
    for text in [&head.model, &head.place].into_iter().filter(|text| !text.is_empty()) {
        out.push_str("<span>");
        markup::attribute(out, text);
        out.push_str("</span>");
    }
    if let Some(stop) = totals.stop {
        out.push_str("<span>");
        markup::attribute(out, stop);
        out.push_str("</span>");
    }
    let (visible, reasoning) = (totals.visible, totals.reasoning);
    let logged = totals.logged.map(|count| format!(" ({count} in the log)")).unwrap_or_default();
    let size = match (visible, reasoning) {
        (0, 0) if logged.is_empty() => return,
        (_, 0) if logged.is_empty() => count(visible),
        (0, _) => format!("{reasoning} reasoning{logged}"),
        _ => format!("{visible} visible, {reasoning} reasoning{logged}"),
    };
    out.push_str(&format!("<span class=\"size\" title=\"Tokens, estimated\">{size}</span>"));
}

/// Draws the share of reasoning as a bar.
fn bar(totals: &Totals, out: &mut String) {
    if totals.reasoning == 0 {
        return;
    }
    let share = super::super::charts::share(totals.visible, totals.reasoning);
    out.push_str(&format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{share:.0} % reasoning\">\
         <rect class=\"v\" width=\"100\" height=\"4\"/><rect class=\"r\" width=\"{share:.1}\" height=\"4\"/></svg>\n"
    ));
}

/// Draws a rail for each open track, in its column.
fn rails(head: &Head, out: &mut String) {
    let last = head.tracks.iter().map(|track| track.column.saturating_add(1)).max().unwrap_or(0).min(RAILS);
    if last == 0 {
        return;
    }
    out.push_str("<div class=\"rails\" aria-hidden=\"true\">");
    for column in 0..last {
        match head.tracks.iter().find(|track| track.column == column) {
            None => out.push_str("<i></i>"),
            Some(track) => {
                let own = if head.track == Some(track.number) { " own" } else { "" };
                out.push_str(&format!("<i class=\"k{}{}{own}\"></i>", track.number % 8, change(track)));
            }
        }
    }
    out.push_str("</div>");
}

fn change(track: &Track) -> &'static str {
    match track.change {
        TrackChange::Begins => " begins",
        TrackChange::Open => "",
        TrackChange::Ends => " ends",
        TrackChange::Whole => " whole",
    }
}

/// The colour of the message's track.
fn color(head: &Head) -> String {
    head.track.map(|number| format!(" k{}", number % 8)).unwrap_or_default()
}

/// The noun for a count, in the singular or the plural.
fn plural(count: u64, one: &'static str, more: &'static str) -> &'static str {
    if count == 1 { one } else { more }
}

fn count(tokens: u64) -> String {
    format!("{tokens} token{}", if tokens == 1 { "" } else { "s" })
}
