//! One message of the page: who wrote it, its blocks, its estimates, and the rails of the tracks beside it.

use super::super::{
    BlockEnd, LineItem, MessageHead, Role, TextBlockKind, Time, Totals, Track, TrackChange, TrackKind, TrackPart,
};
use super::super::{markup, words};
use super::boxes::{chip, noise, other, parts};
use super::call::{Call, CallResult, alone, seconds};
use super::colors::Colors;
use super::markdown::markdown;
use super::media::media;
use super::size::{bar, count, plural, size};

/// The last column in which a rail is drawn: more would leave no room for the message.
const RAILS: usize = 12;

/// How many of the first characters of reasoning are in its line, as long as it is closed.
const PEEK: usize = 60;

/// Reasoning with fewer tokens is open: its line would be as long as its text.
const SHORT: u64 = 30;

/// The seconds between two messages from which on the page says how long it was.
const GAP: i64 = 60;

/// A block of a message.
#[derive(Debug)]
enum PageBlock {
    Html(String),
    Call(Box<Call>),
}

/// A message that is being drawn.
#[derive(Debug)]
pub struct PageMessage {
    head: MessageHead,
    /// The number of the message on the page, from 1.
    pub place: u64,
    /// Its blocks so far.
    body: Vec<PageBlock>,
    /// How many of its calls have no result so far.
    open_calls: usize,
    /// It has results that stand with their calls.
    is_joined: bool,
    /// The colours of its agent and of its tracks.
    color: Option<u8>,
    rails: Vec<u8>,
    /// The seconds since the message before it, if that says when it was written.
    gap: Option<i64>,
    /// The open block, and its text so far.
    block: Option<(TextBlockKind, String)>,
    /// What it has, for the filters of the page: texts 1, reasoning 2, tools 4.
    has: u8,
    /// How many blocks of reasoning it has.
    reasoning: u64,
    /// The first words of its visible text.
    pub words: String,
}

impl PageMessage {
    pub fn new(head: &MessageHead, place: u64, before: Option<Time>, colors: &mut Colors) -> Self {
        let rails = head.tracks.iter().map(|track| colors.of_track(track)).collect();
        let own = head.track.and_then(|number| head.tracks.iter().find(|track| track.number == number));
        let color = match own {
            // Side chains of one kind of agent are different agents.
            Some(track) if track.kind == TrackKind::Chain || head.agent.is_empty() => Some(colors.of_track(track)),
            None if head.agent.is_empty() => None,
            _ => Some(colors.of_agent(&head.agent)),
        };
        let gap = before.zip(head.time).map(|(before, time)| time.0 - before.0);
        Self {
            head: head.clone(),
            place,
            body: Vec::new(),
            open_calls: 0,
            is_joined: false,
            color,
            rails,
            gap,
            block: None,
            has: 0,
            reasoning: 0,
            words: String::new(),
        }
    }

    pub fn head(&self) -> &MessageHead {
        &self.head
    }

    /// Whether a track begins or ends with it, so that it has a card of its own.
    pub fn changes_tracks(&self) -> bool {
        self.head.tracks.iter().any(|track| track.change != TrackChange::Open)
    }

    /// Whether it waits for results of its calls.
    pub fn waits(&self) -> bool {
        self.open_calls > 0
    }

    /// Notes that it is written before all results have come: those of its calls may stand further below.
    pub fn leaves(&mut self) {
        for block in &mut self.body {
            if let PageBlock::Call(call) = block {
                call.is_early = true;
            }
        }
    }

    /// Notes that a result of it stands with its call.
    pub fn joined(&mut self) {
        self.is_joined = true;
    }

    /// Whether something leads to it already: a result that stands with its call.
    pub fn has_anchor(&self) -> bool {
        self.is_joined
    }

    /// Whether it is written with the calls that it answers, and has nothing else.
    fn is_elsewhere(&self) -> bool {
        self.is_joined && self.body.is_empty()
    }

    /// Adds the result to the call with this identifier, if it is here and has none. Returns whether it is.
    pub fn answer(&mut self, id: &str, answer: &mut Option<CallResult>) -> bool {
        let call = self.body.iter_mut().rev().find_map(|block| match block {
            PageBlock::Call(call) if call.id == id && call.answer.is_none() => Some(call),
            _ => None,
        });
        match call {
            Some(call) if answer.is_some() => {
                call.answer = answer.take();
                self.open_calls = self.open_calls.saturating_sub(1);
                true
            }
            _ => false,
        }
    }

    fn html(&mut self, html: String) {
        self.body.push(PageBlock::Html(html));
    }

    pub fn begin(&mut self, kind: TextBlockKind) {
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
        let mut html = String::new();
        match kind {
            TextBlockKind::Reasoning => return self.reasoning(&text, end),
            TextBlockKind::Commentary => html.push_str("<p class=\"label\">Commentary</p>\n"),
            TextBlockKind::Text => {}
        }
        if let Some(name) = noise(&text).filter(|_| self.head.role == Role::User) {
            chip(name, &text, &mut html);
            self.has |= 4;
            return self.html(html);
        }
        let added = if self.head.role == Role::User { parts(&text) } else { vec![(None, text.as_str())] };
        for (name, text) in added {
            if let Some(name) = name {
                chip(name, text, &mut html);
                continue;
            }
            if self.words.is_empty() {
                self.words = markup::first_plain_words(text, 70);
            }
            if !text.trim().is_empty() {
                html.push_str("<div class=\"text\">\n");
                markdown(&mut html, text);
                html.push_str("</div>\n");
            }
        }
        if !html.is_empty() {
            self.has |= 1;
            self.html(html);
        }
    }

    fn reasoning(&mut self, text: &str, end: BlockEnd) {
        let mut html = String::new();
        self.has |= 2;
        if text.trim().is_empty() {
            let what = if end.sealed { "Reasoning that is encrypted" } else { "Reasoning without text" };
            return self.html(format!("<p class=\"note\">{what}</p>\n"));
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
        let (closed, hidden) = if tokens < SHORT { (false, "") } else { (true, " hidden=\"until-found\"") };
        let open = !closed;
        let mut peek = String::new();
        markup::text(&mut peek, &markup::first_plain_words(text, PEEK));
        html.push_str(&format!(
            "<div class=\"reasoning\" data-ai-reasoning data-collapsed=\"{closed}\" data-token-est=\"{tokens}\" data-msg-id=\"{name}\">\n\
             <h4><button type=\"button\" data-ai-reasoning-toggle aria-expanded=\"{open}\" aria-controls=\"{id}\">Reasoning \
             <span>about {}{signed}</span> <i aria-hidden=\"true\">{peek}</i></button></h4>\n\
             <div class=\"text\" id=\"{id}\"{hidden}>\n",
            count(tokens),
        ));
        markdown(&mut html, text);
        html.push_str("</div>\n</div>\n");
        self.html(html);
    }

    pub fn item(&mut self, item: &LineItem) {
        self.end(BlockEnd::default());
        self.has |= 4;
        let mut html = String::new();
        match item {
            LineItem::Call { id, name, arguments } => {
                self.open_calls += usize::from(!id.is_empty());
                let (id, name, arguments) = (id.clone(), name.clone(), arguments.clone());
                let call = Call { id, name, arguments, time: self.head.time, answer: None, is_early: false };
                return self.body.push(PageBlock::Call(Box::new(call)));
            }
            LineItem::Result { name, text, failed, media, .. } => alone(name, text, *failed, media, &mut html),
            LineItem::Media(found) => media(found, &mut html),
            LineItem::Tools(count) => {
                let tools = plural(*count, "tool that the model may call", "tools that the model may call");
                html.push_str(&format!("<p class=\"note\">{count} {tools}</p>\n"));
            }
            LineItem::Other { kind, value } => other(kind, value, &mut html),
        }
        self.html(html);
    }

    /// Ends its blocks.
    pub fn close(&mut self) {
        self.end(BlockEnd::default());
    }

    /// Writes the whole message.
    pub fn write(&self, totals: &Totals, out: &mut String) {
        if self.is_elsewhere() {
            return;
        }
        if let Some(gap) = self.gap.filter(|gap| *gap >= GAP) {
            out.push_str(&format!("<p class=\"gap\">{} later</p>\n", seconds(gap as f64)));
        }
        let (place, head) = (self.place, &self.head);
        let role = words::role(head.role);
        let dialogue = if head.part == TrackPart::Dialogue { " dialogue" } else { "" };
        let rejected = if head.rejected { " rejected" } else { "" };
        let sub = if head.track.is_some() || head.part == TrackPart::Dialogue { " sub" } else { "" };
        let has = self.has;
        let id = if self.is_joined { format!("m{place}a") } else { format!("m{place}") };
        out.push_str(&format!(
            "<article class=\"m {role} c{has}{dialogue}{rejected}{sub}\" id=\"{id}\" aria-labelledby=\"h{place}\">\n"
        ));
        self.draw_rails(out);
        out.push_str(&format!("<div class=\"in\"><header><h3 id=\"h{place}\">"));
        if head.number > 0 {
            out.push_str(&format!("<a href=\"#{id}\">{}</a> ", head.number));
        }
        let chain = head.track.and_then(|number| head.tracks.iter().find(|track| track.number == number));
        let in_chain = chain.is_some_and(|track| track.kind == TrackKind::Chain);
        // A side chain has no user: what it is told comes from the agent that it works for.
        if !in_chain || head.role != Role::User {
            out.push_str(role);
        }
        if !head.agent.is_empty() && head.agent != role {
            let color = self.color.map(|color| format!(" k{color}")).unwrap_or_default();
            out.push_str(&format!(" <span class=\"agent{color}\">"));
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
        if self.body.is_empty() && !totals.hidden {
            out.push_str("<p class=\"note\">It has no text, no call and no result.</p>\n");
        }
        for block in &self.body {
            match block {
                PageBlock::Html(html) => out.push_str(html),
                PageBlock::Call(call) => call.write(out),
            }
        }
        out.push_str("</div></article>\n");
    }

    /// Draws a rail for each open track, in its column.
    fn draw_rails(&self, out: &mut String) {
        let head = &self.head;
        let last = head.tracks.iter().map(|track| track.column.saturating_add(1)).max().unwrap_or(0).min(RAILS);
        if last == 0 {
            return;
        }
        out.push_str("<div class=\"rails\" aria-hidden=\"true\">");
        for column in 0..last {
            match head.tracks.iter().zip(&self.rails).find(|(track, _)| track.column == column) {
                None => out.push_str("<i></i>"),
                Some((track, color)) => {
                    let own = if head.track == Some(track.number) { " own" } else { "" };
                    out.push_str(&format!("<i class=\"k{color}{}{own}\"></i>", change(track)));
                }
            }
        }
        out.push_str("</div>");
    }
}

/// Writes details of a message besides its author.
fn details(head: &MessageHead, totals: &Totals, out: &mut String) {
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
    for (class, text) in [("model", &head.model), ("place", &head.place)] {
        if text.is_empty() {
            continue;
        }
        out.push_str(&format!("<span class=\"{class}\">"));
        markup::attribute(out, text);
        out.push_str("</span>");
    }
    if let Some(stop) = totals.stop {
        out.push_str("<span>");
        markup::attribute(out, stop);
        out.push_str("</span>");
    }
    if let Some(time) = head.time {
        let text = time.to_string();
        out.push_str(&format!("<time datetime=\"{text}\">{}</time>", text.get(11..19).unwrap_or(&text)));
    }
    let Some(size) = size(totals) else { return };
    out.push_str(&format!("<span class=\"size\" title=\"Tokens, estimated\">{size}</span>"));
}

fn change(track: &Track) -> &'static str {
    match track.change {
        TrackChange::Begins => " begins",
        TrackChange::Open => "",
        TrackChange::Ends => " ends",
        TrackChange::Whole => " whole",
    }
}
