//! Tells the product of a file by its first bytes: the signs of all products (`product`), looked for in one walk.

use super::product::{Product, Sign};
use super::{DIALECTS, UNREAD};
use crate::frame::{SEPARATOR, log};
use crate::json::text::decoded;
use crate::json::{Scanner, Token};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The most values of a file that are looked at. Those of a file are alike.
const MAX_VALUES: usize = 200;

/// The name of the field that an event has its value in.
const EVENT: &[u8] = b"data:";

/// How deep arrays of arrays may stand around the values of a file.
const ARRAYS: usize = 3;

/// All products, those of formats that are read first.
pub fn products() -> impl Iterator<Item = &'static Product> {
    let read = DIALECTS.iter().flat_map(|dialect| dialect.products);
    read.chain(UNREAD.iter().flat_map(|row| row.products))
}

/// The product of a file that begins with `head`: the one whose sign says the most, and of several the one whose sign is
/// seen most often.
pub fn recognise(head: &[u8]) -> Option<&'static Product> {
    let signs = Signs::get();
    let mut seen = vec![0_usize; signs.all.len()];
    signs.values(head, &mut seen);
    let text = !matches!(head.trim_ascii_start().first(), Some(b'{' | b'['));
    for (sign, seen) in signs.all.iter().zip(&mut seen).filter(|_| text) {
        if let Find::Words(words) = &sign.find {
            *seen += usize::from(words.iter().all(|word| has_word(head, word.as_bytes())));
        }
    }
    let found = signs.all.iter().zip(seen).rev().filter(|(_, seen)| *seen > 0);
    found.max_by_key(|(sign, seen)| (sign.find.len(), *seen)).map(|(sign, _)| sign.product)
}

/// Whether a text has a word, at the start of a line if the word begins with a line end.
fn has_word(text: &[u8], word: &[u8]) -> bool {
    let begins = word.strip_prefix(b"\n").is_some_and(|word| text.starts_with(word));
    begins || memchr::memmem::find(text, word).is_some()
}

/// A sign of a product, as it is looked for.
struct Told {
    product: &'static Product,
    find: Find,
}

enum Find {
    /// The numbers of conditions that one value meets.
    Members(Vec<usize>),
    Words(&'static [&'static str]),
}

impl Find {
    fn len(&self) -> usize {
        match self {
            Find::Members(conditions) => conditions.len(),
            Find::Words(words) => words.len(),
        }
    }
}

/// The signs of all products: the places of members as a tree, so that a walk follows all of them at once.
#[derive(Default)]
struct Signs {
    all: Vec<Told>,
    nodes: Vec<SignNode>,
    conditions: usize,
}

/// A place in the tree.
#[derive(Default)]
struct SignNode {
    /// The places below, by their keys.
    keys: HashMap<&'static [u8], usize>,
    /// The place below by any key or index.
    any: Option<usize>,
    /// The conditions that a value here meets: if it is this text, or whatever it is.
    meets: Vec<(Option<&'static str>, usize)>,
}

impl Signs {
    fn get() -> &'static Self {
        static SIGNS: OnceLock<Signs> = OnceLock::new();
        SIGNS.get_or_init(|| {
            let mut signs = Signs { nodes: vec![SignNode::default()], ..Signs::default() };
            for product in products() {
                for sign in product.signs {
                    let find = match sign {
                        Sign::Words(words) => Find::Words(words),
                        Sign::Members(places) => Find::Members(places.iter().map(|place| signs.add(place)).collect()),
                    };
                    signs.all.push(Told { product, find });
                }
            }
            signs
        })
    }

    /// Adds a place to the tree. Returns the number of its condition.
    fn add(&mut self, place: &'static str) -> usize {
        let (place, value) = place.split_once('=').map_or((place, None), |(place, value)| (place, Some(value)));
        let mut at = 0;
        for step in place.split('/').skip(1) {
            let new = self.nodes.len();
            let node = &mut self.nodes[at];
            at = match step {
                "*" => *node.any.get_or_insert(new),
                key => *node.keys.entry(key.as_bytes()).or_insert(new),
            };
            if at == new {
                self.nodes.push(SignNode::default());
            }
        }
        if let Some((_, known)) = self.nodes[at].meets.iter().find(|(other, _)| *other == value) {
            return *known;
        }
        self.nodes[at].meets.push((value, self.conditions));
        self.conditions += 1;
        self.conditions - 1
    }

    /// Counts for each sign how many values of the text have it. The last value may be cut.
    fn values(&self, text: &[u8], seen: &mut [usize]) {
        let (mut at, mut left) = (0, MAX_VALUES);
        while at < text.len() && left > 0 {
            at += blanks(&text[at..]);
            let line = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n + 1);
            let inside = match text.get(at) {
                Some(b'{' | b'[') => 0,
                Some(b'd') if text[at..].starts_with(EVENT) => EVENT.len() + blanks(&text[at + EVENT.len()..line]),
                _ => log::json(&text[at..line]),
            };
            let start = at + inside;
            let is_value = matches!(text.get(start), Some(b'{' | b'['));
            let end = if is_value { self.value(&text[start..], &mut left, seen) } else { None };
            at = end.map_or(line, |end| start + end);
        }
    }

    /// Counts the signs of a value and of its elements. Returns where it ends, if it is valid.
    fn value(&self, text: &[u8], left: &mut usize, seen: &mut [usize]) -> Option<usize> {
        let mut scanner = Scanner::within(text, 0);
        let mut walk = SignWalk { signs: self, met: vec![false; self.conditions], levels: Vec::new(), arrays: 0 };
        while *left > 0 {
            let Ok(token) = scanner.token() else {
                walk.count(seen);
                return None;
            };
            if walk.token(token, text) {
                walk.count(seen);
                *left -= 1;
            }
            if scanner.depth() == 0 {
                return Some(scanner.at());
            }
        }
        None
    }
}

/// How many bytes stand before a value.
fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_whitespace() || matches!(**b, b',' | SEPARATOR)).count()
}

/// A walk over a value.
struct SignWalk<'s> {
    signs: &'s Signs,
    /// The conditions that the current value meets.
    met: Vec<bool>,
    /// The open containers of the current value.
    levels: Vec<SignLevel>,
    /// How many arrays stand around it.
    arrays: usize,
}

/// An open container: the places in the tree at which it stands, and those of its current member.
#[derive(Default)]
struct SignLevel {
    nodes: Vec<usize>,
    member: Vec<usize>,
}

impl SignWalk<'_> {
    /// Follows a token. Returns whether a value is over.
    fn token(&mut self, token: Token, text: &[u8]) -> bool {
        match token {
            Token::Key(key) => {
                if let Some(level) = self.levels.last_mut() {
                    level.member.clear();
                    let key = key.decoded(text);
                    for node in level.nodes.iter().map(|node| &self.signs.nodes[*node]) {
                        level.member.extend(node.keys.get(key.as_ref()).copied().into_iter().chain(node.any));
                    }
                    self.meet(None);
                }
                return false;
            }
            Token::ArrayStart if self.levels.is_empty() && self.arrays < ARRAYS => self.arrays += 1,
            Token::ObjectStart | Token::ArrayStart => self.open(token == Token::ArrayStart),
            Token::ArrayEnd if self.levels.is_empty() => self.arrays -= 1,
            Token::ObjectEnd | Token::ArrayEnd => {
                self.levels.pop();
                return self.levels.is_empty();
            }
            Token::String(literal) if self.levels.last().is_some_and(|level| !level.member.is_empty()) => {
                self.meet(Some(&decoded(literal.raw(text))));
            }
            _ => (),
        }
        false
    }

    /// A container of the current value begins.
    fn open(&mut self, is_array: bool) {
        let nodes = match self.levels.last() {
            None => vec![0],
            Some(level) => level.member.clone(),
        };
        let member = match is_array {
            true => nodes.iter().filter_map(|node| self.signs.nodes[*node].any).collect(),
            false => Vec::new(),
        };
        self.levels.push(SignLevel { nodes, member });
        if is_array {
            self.meet(None);
        }
    }

    /// Notes the conditions that the current member meets: by its place, or by its text.
    fn meet(&mut self, text: Option<&[u8]>) {
        let Some(level) = self.levels.last() else { return };
        let met = level.member.iter().flat_map(|node| &self.signs.nodes[*node].meets);
        for (value, condition) in met {
            self.met[*condition] |= match (value, text) {
                (None, None) => true,
                (Some(value), Some(text)) => match value.strip_suffix('*') {
                    Some(start) => text.starts_with(start.as_bytes()),
                    None => text == value.as_bytes(),
                },
                _ => false,
            };
        }
    }

    /// Counts the signs that the value has, and forgets it.
    fn count(&mut self, seen: &mut [usize]) {
        for (sign, seen) in self.signs.all.iter().zip(seen) {
            if let Find::Members(conditions) = &sign.find {
                *seen += usize::from(conditions.iter().all(|condition| self.met[*condition]));
            }
        }
        self.met.fill(false);
        self.levels.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_proves_itself() {
        for product in products() {
            assert_eq!(product.signs.is_empty(), product.examples.is_empty(), "{}", product.name);
            for example in product.examples {
                let found = recognise(example.as_bytes()).map(|product| product.name);
                assert_eq!(found, Some(product.name), "{example}");
            }
        }
    }

    #[test]
    fn values_stand_anywhere() {
        let chat = r#"{"chat_messages":[{"sender":"human"}]}"#;
        for text in [
            format!("[{chat},{chat}]"),
            format!("\n [ [ {chat} ] ]"),
            format!("data: {chat}\n\n"),
            format!("event: x\ndata:{chat}\n\n"),
            format!("2026-01-01 10:00:00 INFO {chat}\n"),
            format!("{{\"a\":tru}}\n{chat}\n"),
            format!("{{\"a\":1}} {chat}"),
            format!("\u{1e}{chat}\n"),
            // Cut off.
            chat[..chat.len() - 6].to_string(),
            format!("[{chat},{}", &chat[..9]),
        ] {
            assert_eq!(recognise(text.as_bytes()).map(|product| product.name), Some("Claude.ai"), "{text}");
        }
        for text in [
            "",
            "{}",
            "[]",
            "[[[[[]]]]]",
            "]}",
            r#"{"a":{"chat_messages":[{"sender":"human"}]}}"#,
            r#"{"chat_messages":[],"b":{"account":1}}"#,
            r#"{"text":"{\"chat_messages\":[{\"sender\":\"human\"}]}"}"#,
            "The file has chat_messages and a sender.",
        ] {
            assert_eq!(recognise(text.as_bytes()).map(|product| product.name), None, "{text}");
        }
    }

    #[test]
    fn the_sign_that_says_the_most_counts() {
        let question = r#"{"question":"2+2?","answer":"4"}"#;
        let rows = format!("{question}\n{question}\n");
        let trajectories = r#"{"question":"2+2?","answer":"4","thinking_trajectories":["x"],"instruction":"a","output":"b","chosen":"","rejected":"","prompt":""}"#;
        assert_eq!(recognise(rows.as_bytes()).map(|product| product.name), Some("question and answer data set"));
        assert_eq!(recognise(trajectories.as_bytes()).map(|product| product.name), Some("preference data set"));
    }
}
