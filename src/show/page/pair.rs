//! The same conversation before and after a change, side by side on one page.

use super::super::pair::{PairRow, Recorded, RecordedPart, Sides};
use super::super::{Painter, Step, markup};
use super::colors::Colors;
use super::message::PageMessage;
use super::safe::LeftOut;
use super::shell;
use super::view::diff;

/// Draws a page of two inputs. The second one has the name [`AFTER`](super::super::AFTER).
#[derive(Debug)]
pub struct PagePair {
    /// What both are called.
    names: [String; 2],
    sides: Sides,
    left_out: LeftOut,
}

impl PagePair {
    /// An empty page of inputs with these names.
    pub fn new(names: [String; 2]) -> Self {
        Self { names, sides: Sides::default(), left_out: LeftOut::default() }
    }

    fn sums(&self, html: &mut String) {
        html.push_str("<section class=\"sums\" aria-label=\"Overview\">\n<ul>\n");
        self.sides.sums().iter().for_each(|line| html.push_str(&format!("<li>{line}</li>\n")));
        html.push_str("</ul>\n");
        for (name, unread) in self.names.iter().zip(&self.sides.unread) {
            for what in unread {
                html.push_str("<p class=\"unread\">");
                markup::attribute(html, name);
                html.push_str(": ");
                markup::attribute(html, what);
                html.push_str("</p>\n");
            }
        }
        html.push_str("</section>\n<div class=\"pair names\">\n");
        for (what, name) in ["Before", "After"].iter().zip(&self.names) {
            html.push_str(&format!("<h2>{what} <small>"));
            markup::attribute(html, name);
            html.push_str("</small></h2>\n");
        }
        html.push_str("</div>\n");
    }
}

impl Painter for PagePair {
    fn step(&mut self, step: Step<'_>, _out: &mut Vec<u8>) {
        match step {
            Step::Close(totals) => self.left_out.message(totals),
            Step::Item(item) => self.left_out.item(item),
            _ => (),
        }
        self.sides.step(step);
    }

    fn redacted(&mut self, counts: &[(String, u64)], _out: &mut Vec<u8>) {
        self.left_out.counts = counts.to_vec();
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let mut html = String::new();
        let [before, after] = &self.names;
        shell::begin(&mut html, "", &format!("{before} → {after}"));
        self.sums(&mut html);
        let (mut colors, mut place) = (Colors::default(), 0);
        for row in self.sides.rows() {
            draw(&row, &mut place, &mut colors, &mut html);
        }
        html.push_str("</main>\n");
        self.left_out.write(&mut html);
        html.push_str("</body>\n</html>\n");
        out.extend_from_slice(html.as_bytes());
    }
}

fn draw(row: &PairRow<'_>, place: &mut u64, colors: &mut Colors, html: &mut String) {
    let found = row.difference();
    let is_same = row.is_pair() && found.is_none();
    let class = match (is_same, row.before.is_some(), row.after.is_some()) {
        (true, ..) => "same",
        (_, true, true) => "changed",
        (_, true, false) => "gone",
        _ => "come",
    };
    html.push_str(&format!("<div class=\"pair {class}\"><p class=\"label\">{}</p>\n", row.label()));
    let sides = if is_same { [row.before, None] } else { [row.before, row.after] };
    for (side, name) in sides.iter().zip(["before", "after"]) {
        let marks = match name {
            "before" if found.went > 0 && row.is_pair() => " went",
            "after" if found.came > 0 && row.is_pair() => " came",
            _ => "",
        };
        match side {
            Some(message) => {
                html.push_str(&format!("<div class=\"side {name}{marks}\">"));
                *place += 1;
                cell(message, *place, colors, html);
                html.push_str("</div>\n");
            }
            None if is_same => (),
            None => html.push_str("<div class=\"side empty\"></div>\n"),
        }
    }
    if let (true, Some(before), Some(after)) = (found.text, row.before, row.after) {
        html.push_str("<details class=\"step change\"><summary><span class=\"call\">What changed</span></summary>\n");
        diff(&before.visible(), &after.visible(), html);
        html.push_str("</details>\n");
    }
    html.push_str("</div>\n");
}

fn cell(of: &Recorded, place: u64, colors: &mut Colors, html: &mut String) {
    let mut message = PageMessage::new(&of.head, place, None, colors);
    for part in &of.parts {
        match part {
            RecordedPart::Text(kind, text, end) => {
                message.begin(*kind);
                message.text(text);
                message.end(*end);
            }
            RecordedPart::Item(item) => message.item(item),
        }
    }
    message.close();
    // Results stand in the messages in which they come.
    message.leaves();
    message.write(&of.totals, html);
}
