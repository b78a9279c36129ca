//! Markdown as harmless HTML: raw HTML is shown as text, an image becomes its description and address, and only web and
//! mail addresses become links.

use super::super::markup;
use super::highlight::highlight;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The longest text that is read as Markdown, in bytes. A longer one is shown as it stands: nobody reads it as a document, and the parser needs several times its size.
pub const MAX_MARKDOWN_BYTES: usize = 256 << 10;

/// Elements deeper than this are not made; their text is. A browser has a limit of its own, behind which it rearranges.
const MAX_ELEMENT_DEPTH: usize = 48;

/// What of Markdown is read.
pub fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Writes the text as HTML.
pub fn markdown(out: &mut String, text: &str) {
    if text.len() > MAX_MARKDOWN_BYTES {
        out.push_str("<pre>");
        markup::text(out, text);
        out.push_str("</pre>\n");
        return;
    }
    let mut writer = HtmlWriter { out, closers: Vec::new(), row: "td", plain: 0, code: None };
    let parser = Parser::new_ext(text, options());
    let mut definitions: Vec<_> = parser.reference_definitions().iter().map(|(_, link)| link.span.clone()).collect();
    definitions.sort_by_key(|span| span.start);
    for (event, span) in parser.into_offset_iter() {
        if let Event::Text(words) = &event
            && is_formula(text, span.start, words)
        {
            writer.out.push('\\');
        }
        writer.event(event);
    }
    // Markdown does not show them, but they may be all that there is.
    for definition in definitions.into_iter().filter_map(|span| text.get(span)) {
        out.push_str("<p class=\"address\">");
        markup::text(out, definition);
        out.push_str("</p>\n");
    }
}

/// Whether Markdown has taken a backslash from a bracket around a formula, as in `\(x\)`: it stays.
fn is_formula(text: &str, start: usize, words: &str) -> bool {
    words.starts_with(['(', ')', '[', ']']) && text.get(..start).is_some_and(|before| before.ends_with('\\'))
}

struct HtmlWriter<'o> {
    out: &'o mut String,
    /// What closes the elements that are open.
    closers: Vec<String>,
    /// The element of a cell in this row.
    row: &'static str,
    /// The name of the fence of the code that is open, and the code so far.
    code: Option<(String, String)>,
    /// How many images are open: their text is a description, without elements.
    plain: usize,
}

impl HtmlWriter<'_> {
    fn event(&mut self, event: Event<'_>) {
        if let (Event::Text(text), Some((_, code))) = (&event, &mut self.code) {
            return code.push_str(text);
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Code(text) => {
                self.out.push_str("<code>");
                markup::text(self.out, &text);
                self.out.push_str("</code>");
            }
            Event::SoftBreak | Event::HardBreak if self.plain > 0 => self.out.push(' '),
            Event::SoftBreak | Event::HardBreak => self.out.push_str("<br>\n"),
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::TaskListMarker(done) => self.out.push_str(if done { "☑ " } else { "☐ " }),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => markup::text(self.out, &text),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        if let Tag::Image { .. } = tag {
            self.plain += 1;
        }
        if self.closers.len() >= MAX_ELEMENT_DEPTH {
            self.closers.push(String::new());
            return;
        }
        let (opener, closer) = match tag {
            Tag::Heading { level, .. } => {
                let level = (level as usize + 3).min(6);
                (format!("<h{level}>"), format!("</h{level}>\n"))
            }
            Tag::CodeBlock(kind) => return self.code_block(&kind),
            Tag::List(Some(1)) => ("<ol>\n".into(), "</ol>\n".into()),
            Tag::List(Some(first)) => (format!("<ol start=\"{first}\">\n"), "</ol>\n".into()),
            Tag::TableHead => {
                self.row = "th";
                ("<thead><tr>".into(), "</tr></thead>\n<tbody>\n".into())
            }
            Tag::TableRow => {
                self.row = "td";
                ("<tr>".into(), "</tr>\n".into())
            }
            Tag::TableCell => (format!("<{}>", self.row), format!("</{}>", self.row)),
            Tag::Link { dest_url, .. } => link(&dest_url),
            Tag::Image { dest_url, .. } => {
                ("<span class=\"address\">[image: ".into(), format!("] {}</span>", address(&dest_url)))
            }
            other => {
                let (opener, closer) = plain(&other);
                (opener.into(), closer.into())
            }
        };
        self.out.push_str(&opener);
        self.closers.push(closer);
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        self.out.push_str("<pre>");
        if let CodeBlockKind::Fenced(language) = kind
            && !language.trim().is_empty()
        {
            self.out.push_str("<span class=\"language\">");
            markup::attribute(self.out, &markup::first_words(language, 40));
            self.out.push_str("</span>");
        }
        self.out.push_str("<code>");
        let fence = if let CodeBlockKind::Fenced(language) = kind { language.to_string() } else { String::new() };
        self.code = Some((fence, String::new()));
        self.closers.push("</code></pre>\n".into());
    }

    fn end(&mut self, tag: TagEnd) {
        if tag == TagEnd::Image {
            self.plain = self.plain.saturating_sub(1);
        }
        if tag == TagEnd::CodeBlock
            && let Some((fence, code)) = self.code.take()
        {
            highlight(self.out, &fence, &code);
        }
        if let Some(closer) = self.closers.pop() {
            self.out.push_str(&closer);
        }
    }
}

/// What begins and ends an element that has no attributes.
fn plain(tag: &Tag<'_>) -> (&'static str, &'static str) {
    match tag {
        Tag::Paragraph => ("<p>", "</p>\n"),
        Tag::HtmlBlock => ("<p class=\"plain\">", "</p>\n"),
        Tag::BlockQuote(_) => ("<blockquote>\n", "</blockquote>\n"),
        Tag::List(_) => ("<ul>\n", "</ul>\n"),
        Tag::Item => ("<li>", "</li>\n"),
        Tag::Table(_) => ("<div class=\"wide\"><table>\n", "</tbody></table></div>\n"),
        Tag::Emphasis => ("<em>", "</em>"),
        Tag::Strong => ("<strong>", "</strong>"),
        Tag::Strikethrough => ("<del>", "</del>"),
        _ => ("", ""),
    }
}

/// A link, if following it can do nothing but open a page or write a letter. The text of another one is followed by
/// its address, as text.
fn link(to: &str) -> (String, String) {
    let known = ["http://", "https://", "mailto:"];
    let begins = |start: &str| to.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let safe = to.chars().all(|c| c.is_ascii_graphic() || c.is_alphanumeric()) && !to.contains('\\');
    if !(safe && known.iter().any(|start| begins(start))) {
        return ("<span class=\"address\">".into(), format!(" {}</span>", address(to)));
    }
    let mut opener = String::from("<a href=\"");
    markup::attribute(&mut opener, to);
    opener.push_str("\" rel=\"noreferrer noopener\">");
    (opener, "</a>".into())
}

fn address(to: &str) -> String {
    let mut text = String::from("(");
    markup::attribute(&mut text, to);
    text.push(')');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(from: &str) -> String {
        let mut out = String::new();
        markdown(&mut out, from);
        out.trim_end().replace("<br>\n", "<br>").replace('\n', " ")
    }

    #[test]
    fn text_is_drawn() {
        let cases = [
            ("Rain *by* **noon**.", "<p>Rain <em>by</em> <strong>noon</strong>.</p>"),
            ("one\ntwo", "<p>one<br>two</p>"),
            ("# Sunday", "<h4>Sunday</h4>"),
            ("###### Sunday", "<h6>Sunday</h6>"),
            ("- wind\n- rain", "<ul> <li>wind</li> <li>rain</li> </ul>"),
            ("3. wind", "<ol start=\"3\"> <li>wind</li> </ol>"),
            ("- [x] umbrella", "<ul> <li>☑ umbrella</li> </ul>"),
            ("`a < b`", "<p><code>a &lt; b</code></p>"),
            (
                "```rust\nlet a = b\"<\";\n```",
                "<pre><span class=\"language\">rust</span><code><span class=\"hk\">let</span> a = b<span class=\"hs\">&quot;&lt;&quot;</span>; </code></pre>",
            ),
            ("> wind", "<blockquote> <p>wind</p> </blockquote>"),
            ("~~dry~~", "<p><del>dry</del></p>"),
            (
                "|day|rain|\n|-|-|\n|Sunday|yes|",
                "<div class=\"wide\"><table> <thead><tr><th>day</th><th>rain</th></tr></thead> <tbody> <tr><td>Sunday</td><td>yes</td></tr> </tbody></table></div>",
            ),
            ("---", "<hr>"),
            ("\\(x_1\\) and \\[y\\], \\*", "<p>\\(x_1\\) and \\[y\\], *</p>"),
            ("\\\\(x) `\\(`", "<p>\\(x) <code>\\(</code></p>"),
            ("[map]: /m.png \"Rain\"", "<p class=\"address\">[map]: /m.png &quot;Rain&quot;</p>"),
            (
                "See [1].\n\n[1]: https://a.example",
                "<p>See <a href=\"https://a.example\" rel=\"noreferrer noopener\">1</a>.</p> <p class=\"address\">[1]: https://a.example</p>",
            ),
        ];
        for (from, to) in cases {
            assert_eq!(html(from), to);
        }
    }

    #[test]
    fn nothing_acts() {
        let cases = [
            ("<script>alert(1)</script>", "<p class=\"plain\">&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
            ("a <img src=x onerror=alert(1)>", "<p>a &lt;img src=x onerror=alert(1)&gt;</p>"),
            ("a &lt;b&gt;", "<p>a &lt;b&gt;</p>"),
            ("<!-- a\n-->", "<p class=\"plain\">&lt;!-- a --&gt;</p>"),
            ("[x](javascript:alert(1))", "<p><span class=\"address\">x (javascript:alert(1))</span></p>"),
            ("[x](JavaScript&colon;alert)", "<p><span class=\"address\">x (JavaScript:alert)</span></p>"),
            ("[x](data:text/html,a)", "<p><span class=\"address\">x (data:text/html,a)</span></p>"),
            ("[x](//weather.example)", "<p><span class=\"address\">x (//weather.example)</span></p>"),
            ("[x](#m1)", "<p><span class=\"address\">x (#m1)</span></p>"),
            ("[x](<https://a b>)", "<p><span class=\"address\">x (https://a b)</span></p>"),
            ("[x](https:\\\\a)", "<p><span class=\"address\">x (https:\\a)</span></p>"),
            (
                "[x](https://a.example/?q=\"'<>)",
                "<p><a href=\"https://a.example/?q=&quot;&#39;&lt;&gt;\" rel=\"noreferrer noopener\">x</a></p>",
            ),
            (
                "<HTTPS://a.example>",
                "<p><a href=\"HTTPS://a.example\" rel=\"noreferrer noopener\">HTTPS://a.example</a></p>",
            ),
            ("[x](mailto:a@b.example)", "<p><a href=\"mailto:a@b.example\" rel=\"noreferrer noopener\">x</a></p>"),
            (
                "![a map](https://a.example/m.png)",
                "<p><span class=\"address\">[image: a map] (https://a.example/m.png)</span></p>",
            ),
            (
                "[x](https://a.example/\u{202e})",
                "<p><span class=\"address\">x (https://a.example/\\u{202e})</span></p>",
            ),
            (
                "```\"><script>\na\n```",
                "<pre><span class=\"language\">&quot;&gt;&lt;script&gt;</span><code>a </code></pre>",
            ),
        ];
        for (from, to) in cases {
            assert_eq!(html(from), to);
        }
    }

    #[test]
    fn deep_and_long_texts() {
        let deep = html(&"> ".repeat(5000));
        assert_eq!(deep.matches("<blockquote>").count(), MAX_ELEMENT_DEPTH);
        assert_eq!(deep.matches("</blockquote>").count(), MAX_ELEMENT_DEPTH);
        let long = "rain ".repeat(MAX_MARKDOWN_BYTES / 5 + 1);
        assert_eq!(html(&long), format!("<pre>{long}</pre>"));
    }
}
