//! Lines about inputs, conversations and records, between the messages.

use super::canvas::Margin;
use super::look::{CharStyle, Ink};
use super::{LastDrawn, Terminal, glyph, timeline};
use crate::show::{MessageHead, words};

/// The longest text about an unread record, in characters.
const MAX_TEXT_CHARS: usize = 400;

impl Terminal {
    /// Draws a line about an input, a conversation or a record.
    pub(super) fn remark(&mut self, sign: &str, text: &str, style: CharStyle, out: &mut Vec<u8>) {
        let (text, _) = glyph::line(text, self.options.width.saturating_sub(3), self.options.raw);
        self.line(&[(format!("{sign} {text}"), style)], out);
        self.last = LastDrawn::Line;
    }

    /// Draws what the session is called, where it gets a name or another one.
    pub(super) fn title(&mut self, head: &MessageHead, out: &mut Vec<u8>) {
        if head.session.title.trim().is_empty() || head.session.title == self.title {
            return;
        }
        self.apart(out);
        self.remark("──", head.session.title.trim(), CharStyle::strong(Ink::Plain), out);
        self.title.clone_from(&head.session.title);
    }

    /// Draws a line about records that are no messages.
    pub(super) fn aside(&mut self, (first, last): (u64, u64), count: u64, out: &mut Vec<u8>) {
        if self.last != LastDrawn::Nothing && self.last != LastDrawn::Line {
            self.gap(out);
        }
        let text = match first == last {
            true => format!("record {first} is no message"),
            false => format!("records {first} to {last} ({count}) are no messages"),
        };
        self.remark("·", &text, CharStyle::of(Ink::Faint), out);
    }

    /// Draws a line about unread records.
    pub(super) fn unread(&mut self, (first, last): (u64, u64), what: &str, out: &mut Vec<u8>) {
        if self.last != LastDrawn::Nothing && self.last != LastDrawn::Line {
            self.gap(out);
        }
        let records = match first == last {
            true => format!("record {first} is"),
            false => format!("records {first} to {last} are"),
        };
        let (text, _) = glyph::line(&format!("{records} not shown: {what}"), MAX_TEXT_CHARS, self.options.raw);
        let style = CharStyle::of(Ink::Alarm);
        self.canvas.set_rails(Vec::new(), self.options.width - 2);
        self.canvas.begin(Margin { sign: "! ", style }, style);
        let canvas = &mut self.canvas;
        self.glyphs.push(&text, |glyph| canvas.glyph(glyph, style, out));
        self.glyphs.end(|glyph| canvas.glyph(glyph, style, out));
        self.canvas.end("", out);
        self.last = LastDrawn::Line;
    }

    /// Draws what is known of the input once it is over: its lanes, and what it has cost.
    pub(super) fn over(&mut self, out: &mut Vec<u8>) {
        self.lanes(out);
        let (cost, said) = std::mem::take(&mut self.cost);
        // What a single message has cost stands below it.
        if said > 1 && cost > 0.0 {
            self.apart(out);
            self.remark("·", &format!("cost: {}", words::dollars(cost)), CharStyle::of(Ink::Faint), out);
        }
    }

    /// Draws the lanes of the input.
    fn lanes(&mut self, out: &mut Vec<u8>) {
        let mut lanes = std::mem::take(&mut self.lanes);
        self.messages = 0;
        let lines = timeline::lines(&mut lanes, self.options.width, self.options.raw);
        if lines.is_empty() {
            return;
        }
        self.rails.clear();
        self.gap(out);
        for line in lines {
            self.line(&line, out);
        }
        self.last = LastDrawn::Line;
    }

    /// Ends the rails, where another conversation begins.
    pub(super) fn apart(&mut self, out: &mut Vec<u8>) {
        self.rails.clear();
        if !matches!(self.last, LastDrawn::Nothing) {
            self.gap(out);
        }
    }
}
