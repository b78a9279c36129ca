//! Every text, call and result that is drawn stands in the page: texts in their order, and each as often as it was drawn.

use crate::support::{Setup, corpus, run_draw};
use std::cell::RefCell;
use std::rc::Rc;
use unthink::internals::dialect::FACT_TEXTS;
use unthink::internals::show::{Draw, DrawOptions, LineItem, Page, PageOptions, Painter, Step};

/// Draws a page, and keeps what it is made of.
struct Kept {
    page: Page,
    texts: Vec<String>,
    items: Vec<String>,
}

impl Painter for Kept {
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        match step {
            Step::Begin(_) => self.texts.push(String::new()),
            Step::Text(text) | Step::Heading(text) => self.texts.last_mut().unwrap().push_str(text),
            Step::Item(
                LineItem::Call { arguments: text, .. }
                | LineItem::Result { text, .. }
                | LineItem::Other { value: text, .. },
            ) => {
                self.items.push(text.clone());
            }
            _ => (),
        }
        self.page.step(step, out);
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.page.finish(out);
    }
}

/// The letters of a text: what Markdown, JSON and escapes of a terminal leave of it.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

/// The letters of the messages of a page, without the lines of what is closed, which have the first words once more.
fn messages(page: &str) -> String {
    let main = page.split("<main").nth(1).unwrap().split("</main>").next().unwrap();
    let (mut text, mut inside) = (String::new(), 0);
    for tag in main.split('<') {
        let (tag, words) = tag.split_once('>').unwrap_or(("", ""));
        let name = tag.split(' ').next().unwrap();
        let is = |name: &str| matches!(name, "summary" | "button" | "header" | "h2");
        inside += usize::from(is(name));
        inside -= usize::from(is(name.trim_start_matches('/')) && name.starts_with('/'));
        if inside == 0 {
            text.push_str(words);
        }
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#96;", "`"), ("&amp;", "&")];
    letters(&entities.iter().fold(text, |text, (from, to)| text.replace(from, to)))
}

/// The strings in a JSON value, or the text itself.
fn strings(text: &str) -> Vec<String> {
    fn all(value: &serde_json::Value, out: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => out.push(text.clone()),
            serde_json::Value::Array(list) => list.iter().for_each(|value| all(value, out)),
            serde_json::Value::Object(members) => members.values().for_each(|value| all(value, out)),
            _ => (),
        }
    }
    let mut out = Vec::new();
    match serde_json::from_str(text) {
        Ok(value) => all(&value, &mut out),
        Err(_) => out.push(text.to_string()),
    }
    out
}

#[test]
fn all_that_is_drawn_stands_in_the_page() {
    let (mut texts, mut items) = (0, 0);
    for (name, input) in corpus().into_iter().filter(|(_, input)| input.len() < 64 << 10) {
        let page = Page::new(PageOptions { title: "input".into() });
        let kept = Rc::new(RefCell::new(Kept { page, texts: Vec::new(), items: Vec::new() }));
        let options = DrawOptions { reasoning: true, texts: FACT_TEXTS, input: None };
        let mut out = run_draw(&input, Setup::default(), Draw::new(options, Rc::clone(&kept) as _)).out;
        kept.borrow_mut().finish(&mut out);
        let page = messages(&String::from_utf8(out).unwrap());
        let kept = kept.borrow();
        let mut from = 0;
        for text in kept.texts.iter().map(|text| letters(text)).filter(|text| !text.is_empty()) {
            let at = page[from..].find(&text);
            assert!(at.is_some(), "{name}: {text:?} is not in {:?}", &page[from..]);
            from += at.unwrap() + text.len();
            texts += 1;
        }
        let mut all: Vec<String> = kept.texts.iter().map(|text| letters(text)).collect();
        for item in &kept.items {
            for text in strings(item).iter().map(|text| letters(text)) {
                assert!(page.contains(&text), "{name}: {text:?} is not in {page:?}");
                items += 1;
                all.push(text);
            }
        }
        let all = all.join(" ");
        for text in kept.texts.iter().map(|text| letters(text)).filter(|text| text.len() > 40) {
            assert!(page.matches(&text).count() <= all.matches(&text).count(), "{name}: {text:?} is there twice");
        }
    }
    assert!(texts > 500 && items > 100, "{texts} {items}");
}
