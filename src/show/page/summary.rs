//! The head of the page: what the conversation is about, when and with which model it took place, and how large it is.

use super::super::charts::Series;
use super::super::{MessageHead, PageCard, Role, Time, markup, words};
use super::call::seconds;
use super::message::PageMessage;

/// How many characters of a request are a title.
const TITLE: usize = 80;

/// What is known of the conversation so far.
#[derive(Debug, Default)]
pub struct PageSummary {
    /// What the program calls the session, or else the first words of the first request.
    pub title: String,
    /// What the program calls it by now.
    named: String,
    models: Vec<String>,
    folders: Vec<String>,
    branches: Vec<String>,
    /// What messages and sessions have cost that say so, in US dollars.
    cost: f64,
    first: Option<Time>,
    last: Option<Time>,
}

impl PageSummary {
    /// Notes what the head of a message says.
    pub fn head(&mut self, head: &MessageHead) {
        let named = markup::first_words(&head.session.title, TITLE);
        if !named.is_empty() {
            if self.title.is_empty() {
                self.title.clone_from(&named);
            }
            self.named = named;
        }
        if let Some(time) = head.time {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
        let model = if head.model.is_empty() { &head.asked } else { &head.model };
        if head.role == Role::Assistant {
            keep(&mut self.models, model);
        }
        keep(&mut self.folders, &head.session.folder);
        keep(&mut self.branches, &head.session.branch);
    }

    /// Notes that something has cost so many US dollars.
    pub fn cost(&mut self, dollars: f64) {
        self.cost += if dollars.is_finite() { dollars.max(0.0) } else { 0.0 };
    }

    /// Notes the words of a message.
    pub fn words(&mut self, message: &PageMessage) {
        if self.title.is_empty() && message.head().role == Role::User && message.head().track.is_none() {
            self.title = markup::first_words(&message.words, TITLE);
        }
    }

    /// The time of the latest message.
    pub fn last(&self) -> Option<Time> {
        self.last
    }

    /// What a list of pages says of this one.
    pub fn card<'s>(&self, series: impl Iterator<Item = &'s Series>) -> PageCard {
        let card = PageCard {
            title: if self.named.is_empty() { self.title.clone() } else { self.named.clone() },
            begun: self.first,
            models: self.models.clone(),
            ..PageCard::default()
        };
        series.fold(card, |card, series| series.add_to(card))
    }

    /// Writes the facts that are known.
    pub fn write(&self, out: &mut String) {
        let mut facts: Vec<(&str, String)> = Vec::new();
        // The head of the page was written before the session had it.
        if !self.named.is_empty() && self.named != self.title {
            facts.push(("Title", self.named.clone()));
        }
        if !self.models.is_empty() {
            facts.push((if self.models.len() > 1 { "Models" } else { "Model" }, self.models.join(", ")));
        }
        if let Some((first, last)) = self.first.zip(self.last) {
            facts.push(("Begun", first.to_string().replace('T', " ").replace('Z', " UTC")));
            if last > first {
                facts.push(("Duration", seconds((last.0 - first.0) as f64)));
            }
        }
        if !self.folders.is_empty() {
            facts.push(("Folder", self.folders.join(", ")));
        }
        if !self.branches.is_empty() {
            facts.push((if self.branches.len() > 1 { "Branches" } else { "Branch" }, self.branches.join(", ")));
        }
        if self.cost > 0.0 {
            facts.push(("Cost", words::dollars(self.cost)));
        }
        if facts.is_empty() {
            return;
        }
        out.push_str("<dl class=\"facts\">");
        for (name, value) in facts {
            out.push_str(&format!("<div><dt>{name}</dt><dd>"));
            markup::attribute(out, &value);
            out.push_str("</dd></div>");
        }
        out.push_str("</dl>\n");
    }
}

/// How many models and folders are listed.
const LISTED: usize = 5;

fn keep(list: &mut Vec<String>, value: &str) {
    if !value.is_empty() && list.len() < LISTED && !list.iter().any(|known| known == value) {
        list.push(value.to_string());
    }
}
