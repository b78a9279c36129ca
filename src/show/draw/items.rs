//! Blocks that are neither text nor reasoning: calls, results, media, and what is of an unknown kind.

use super::DrawRules;
use super::chains::Chains;
use crate::count::{Counter, Method};
use crate::inline::call;
use crate::json::text::utf8;
use crate::model::Role;
use crate::model::content::{Attribute, Block, ContentKind, Medium, Other};
use crate::show::{LineItem, MessageHead, ShownMedia};
use std::collections::{HashMap, VecDeque};

/// What is drawn for a block, if it is neither text nor reasoning.
pub(super) fn item(block: &Block, head: &MessageHead, rules: &DrawRules, names: &mut RecentCalls) -> Option<LineItem> {
    let text = |text: &[u8]| utf8(text).into_owned();
    Some(match block.kind {
        ContentKind::Text if block.text.is_blank() => return None,
        ContentKind::Text => call_in_text(text(block.text.decoded().trim_ascii())),
        ContentKind::Reasoning => return None,
        ContentKind::Other(Other::Call) => {
            let name = string(&(rules.texts.call_name)(block)).unwrap_or_default();
            let arguments = match block.get(Attribute::Arguments) {
                Some(value) => string(value).unwrap_or_else(|| text(value)),
                None => text(&block.text.decoded()),
            };
            let id = block.filled(Attribute::CallId);
            if let Some(id) = id {
                names.add(id, &name);
            }
            let id = id.and_then(string).unwrap_or_default();
            names.chains.called(&id, &arguments);
            LineItem::Call { id, name, arguments }
        }
        ContentKind::Other(Other::Result) => {
            let own = block.get(Attribute::Name).and_then(string).filter(|name| !name.is_empty());
            let of = block.filled(Attribute::ResultOf);
            let called = of.and_then(|id| names.get(id));
            let failed = block.get(Attribute::IsError).is_some_and(|value| value == b"true");
            // A text is none, and what an object means is up to its tool.
            let parts = block.get(Attribute::Result).filter(|value| value.first() == Some(&b'['));
            let media = parts.map(rules.texts.media).unwrap_or_default();
            let media: Vec<ShownMedia> = media.into_iter().map(medium).collect();
            let written = (rules.texts.result)(block);
            let result = if written.is_empty() { text(&block.text.decoded()) } else { text(&written) };
            let name = own.or(called).unwrap_or_default();
            LineItem::Result { id: of.and_then(string).unwrap_or_default(), name, text: result, failed, media }
        }
        ContentKind::Other(Other::Media) => {
            let found = block.get(Attribute::Media).map(rules.texts.media).unwrap_or_default();
            match found.into_iter().next() {
                Some(found) => LineItem::Media(medium(found)),
                None => other(block, rules),
            }
        }
        ContentKind::Other(Other::Step) => return None,
        ContentKind::Other(Other::Visible) if head.role == Role::Tool && block.get(Attribute::Media).is_none() => {
            return None;
        }
        ContentKind::Other(Other::Visible) => other(block, rules),
    })
}

/// A block of which the format says no more than that it is there. What is in it is not known, so that it has no place where
/// reasoning is hidden.
fn other(block: &Block, rules: &DrawRules) -> LineItem {
    let kind = block.get(Attribute::Tool).and_then(string).unwrap_or_default();
    if !rules.reasoning {
        return LineItem::Other { kind, value: String::new() };
    }
    // In a stream, the event that ends it has all of it.
    let whole = block.facts.iter().rfind(|(name, _)| *name == Attribute::Media);
    let value = whole.map(|(_, value)| utf8(value).into_owned()).unwrap_or_default();
    let more = block.text.decoded();
    let value = if more.is_empty() { value } else { value + "\n" + &utf8(&more) };
    LineItem::Other { kind, value }
}

/// A call that stands in a text, with its delimiters. One of Harmony says who is called in its header.
fn call_in_text(text: String) -> LineItem {
    let id = String::new();
    match call(&text) {
        Some((to, _, arguments)) if crate::inline::is_message(text.as_bytes()) && !to.is_empty() => {
            LineItem::Call { id, name: to.to_string(), arguments: arguments.to_string() }
        }
        _ => LineItem::Call { id, name: String::new(), arguments: text },
    }
}

fn medium(found: Medium) -> ShownMedia {
    let text = |bytes: Vec<u8>| utf8(&bytes).into_owned();
    let Medium { what, mime, name, base64, address } = found;
    ShownMedia { what, mime: text(mime), name: text(name), base64: text(base64), address: text(address) }
}

/// The names of recently called tools, by the identifiers of their calls.
pub(super) struct RecentCalls {
    /// Counts the tokens of messages.
    pub counter: Counter,
    /// The agents that work for another one.
    pub chains: Chains,
    names: HashMap<Vec<u8>, String>,
    order: VecDeque<Vec<u8>>,
}

/// How many calls are kept.
const CALLS: usize = 1 << 10;

impl Default for RecentCalls {
    fn default() -> Self {
        Self {
            counter: Counter::new(Method::default()),
            chains: Chains::default(),
            names: HashMap::new(),
            order: VecDeque::new(),
        }
    }
}

impl RecentCalls {
    fn add(&mut self, id: &[u8], name: &str) {
        if self.names.insert(id.to_vec(), name.to_string()).is_none() {
            self.order.push_back(id.to_vec());
        }
        if self.order.len() > CALLS {
            self.order.pop_front().into_iter().for_each(|id| drop(self.names.remove(&id)));
        }
    }

    fn get(&self, id: &[u8]) -> Option<String> {
        self.names.get(id).cloned()
    }
}

/// The decoded text of a JSON string.
pub(super) fn string(value: &[u8]) -> Option<String> {
    let inside = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    Some(utf8(&crate::json::text::decoded(inside)).into_owned())
}
