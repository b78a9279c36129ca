//! A text of Markdown as a page shows it: without the signs of emphasis and of links, its entities and escapes resolved.

use super::super::page::{MAX_MARKDOWN_BYTES, options};
use super::views::TextView;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::ops::Range;

/// Calls `each` with what is shown, and with the address of each link.
pub fn rendered(text: &str, each: &mut dyn FnMut(&TextView)) {
    if text.len() > MAX_MARKDOWN_BYTES {
        return;
    }
    let mut view = TextView::default();
    let mut last = 0;
    for (event, at) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. }) => {
                each(&beside(&dest_url, &at));
                each(&beside(&title, &at));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                view.push("\n", at.start.max(last));
                each(&beside(&language, &at));
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image) => {}
            Event::Start(_) => view.push("\n", at.start.max(last)),
            Event::End(_) => view.push("\n", at.end.saturating_sub(1).max(last)),
            Event::SoftBreak | Event::HardBreak | Event::Rule | Event::TaskListMarker(_) => view.push("\n", at.start),
            Event::Text(words)
            | Event::Code(words)
            | Event::Html(words)
            | Event::InlineHtml(words)
            | Event::InlineMath(words)
            | Event::DisplayMath(words)
            | Event::FootnoteReference(words) => {
                let source = text.get(at.clone()).unwrap_or_default();
                match source.find(&*words) {
                    Some(inside) => view.copy(&words, at.start + inside),
                    // It is not as it is written: what is found in it takes all of it.
                    None => view.push(&words, at.start),
                }
                last = last.max(at.end.saturating_sub(1));
            }
        }
    }
    each(&view.end(text.len()));
}

/// What is read from a part of the text, and shown beside it. What is found in it takes all of the part.
fn beside(read: &str, at: &Range<usize>) -> TextView {
    let mut view = TextView::default();
    view.push(read, at.start);
    view.end(at.end)
}
