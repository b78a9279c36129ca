//! Charts of a conversation as SVG: the visible and the reasoning tokens of each message, and the share of reasoning as
//! the conversation goes on. They are part of the page, or a file of their own.

mod numbers;

pub use numbers::{commas, counted, share};

use super::{MessageHead, PageCard, Painter, Step, Totals, markup};
use numbers::{ordinal, round_up};
use std::fmt::Write;

/// The most bars of a chart. In a longer conversation, each bar is for several messages.
const BARS: usize = 240;

const WIDTH: f64 = 720.0;
/// The width of the labels to the left of the bars.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 8.0;
/// The heights of the bars, and of the line of shares.
const BARS_HIGH: f64 = 130.0;
const SHARE_HIGH: f64 = 80.0;
/// The distance of the bars and of the line from the top of their charts.
const BARS_TOP: f64 = 26.0;
const SHARE_TOP: f64 = 212.0;
/// The height of both charts with their labels.
const HEIGHT: f64 = 316.0;

/// One bar: a message, or several.
#[derive(Clone, Copy, Debug, Default)]
struct Bar {
    /// The place of its first message on the page, and the number of that message in its conversation.
    place: u64,
    number: u64,
    messages: u64,
    visible: u64,
    tools: u64,
    reasoning: u64,
    /// How many blocks of reasoning have no text that can be read, and how many records could not be read.
    sealed: u64,
    unread: u64,
    /// The visible tokens that the model wrote.
    answers: u64,
}

impl Bar {
    fn add(&mut self, other: Self) {
        self.messages += other.messages;
        self.visible = self.visible.saturating_add(other.visible);
        self.tools = self.tools.saturating_add(other.tools);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
        self.sealed = self.sealed.saturating_add(other.sealed);
        self.unread = self.unread.saturating_add(other.unread);
        self.answers = self.answers.saturating_add(other.answers);
    }

    fn all(&self) -> u64 {
        self.visible.saturating_add(self.tools).saturating_add(self.reasoning)
    }

    /// There is more than what could be counted.
    fn is_least(&self) -> bool {
        self.sealed > 0 || self.unread > 0
    }
}

/// The token counts of the messages of an input, in bars. The number of bars is limited, whatever the input.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name of the input; empty if there is only one.
    pub name: String,
    bars: Vec<Bar>,
    /// How many messages a bar stands for.
    each: u64,
    total: Bar,
}

impl Series {
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), bars: Vec::new(), each: 1, total: Bar::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.bars.is_empty()
    }

    /// Adds a message, which stands at `place` on the page. Instructions beside the messages are in no sum, as in the
    /// counts of all other outputs.
    pub fn push(&mut self, (place, number): (u64, u64), totals: &Totals) {
        if number == 0 {
            return;
        }
        let Totals { visible, tools, reasoning, answers, sealed, .. } = *totals;
        let bar = Bar { place, number, messages: 1, visible, tools, reasoning, sealed, answers, unread: 0 };
        self.total.add(bar);
        if let Some(last) = self.bars.last_mut().filter(|last| last.messages < self.each) {
            return last.add(bar);
        }
        if self.bars.len() == BARS {
            self.each *= 2;
            self.bars = self.bars.chunks(2).map(merged).collect();
        }
        self.bars.push(bar);
    }

    /// Adds records that could not be read. They stand behind the message at this place.
    pub fn unread(&mut self, place: u64, records: u64) {
        self.total.unread = self.total.unread.saturating_add(records);
        match self.bars.last_mut() {
            Some(last) => last.unread = last.unread.saturating_add(records),
            None => self.bars.push(Bar { place, unread: records, ..Bar::default() }),
        }
    }

    /// Adds its sums to those of a page.
    pub fn add_to(&self, mut card: PageCard) -> PageCard {
        card.messages += self.total.messages;
        card.tokens = card.tokens.saturating_add(self.total.all());
        card.answers = card.answers.saturating_add(self.total.answers);
        card.reasoning = card.reasoning.saturating_add(self.total.reasoning);
        card.is_least |= self.total.is_least();
        card
    }

    /// A sentence that sums up the charts.
    pub fn sentence(&self) -> String {
        let Bar { messages, visible, tools, reasoning, answers, sealed, unread, .. } = self.total;
        let share = share(answers, reasoning);
        let tools = if tools > 0 { format!(", {} of calls and results", commas(tools)) } else { String::new() };
        let least = if self.total.is_least() { "at least " } else { "" };
        let text = format!("{}: about {} visible tokens{tools} and ", counted(messages, "message"), commas(visible));
        let reasoned = match (reasoning, self.total.is_least()) {
            (0, true) => "reasoning of unknown size.".to_string(),
            _ => format!("{least}{} of reasoning, {least}{share:.0} % of what the model wrote.", commas(reasoning)),
        };
        let sealed = match sealed {
            0 => String::new(),
            1 => " The text of 1 block of reasoning is encrypted.".to_string(),
            more => format!(" The texts of {} blocks of reasoning are encrypted.", commas(more)),
        };
        let unread = match unread {
            0 => String::new(),
            more => format!(" {} could not be read.", counted(more, "record")),
        };
        text + &reasoned + &sealed + &unread
    }

    /// Writes both charts, without the element around them. With `links`, each bar links to its first message.
    pub fn draw(&self, out: &mut String, links: bool) {
        let step = (WIDTH - LEFT - RIGHT) / self.bars.len().max(1) as f64;
        self.tokens(out, step, links);
        self.shares(out, step);
    }

    fn tokens(&self, out: &mut String, step: f64, links: bool) {
        let most = self.bars.iter().map(Bar::all).max().unwrap_or(0);
        let top = round_up(most);
        let what = match self.each {
            1 => "Tokens per message".to_string(),
            each => format!("Tokens per {each} messages"),
        };
        label(out, "title", LEFT, 14.0, "start", &what);
        legend(out);
        grid(out, BARS_TOP, BARS_HIGH, [&commas(top), &commas(top / 2), "0"]);
        let gap = if step > 4.0 { 1.0 } else { 0.0 };
        for (i, bar) in self.bars.iter().enumerate() {
            let wide = (step - gap).min(40.0);
            let x = LEFT + step * i as f64 + (step - gap - wide) / 2.0;
            let high = |tokens: u64| BARS_HIGH * tokens as f64 / top as f64;
            let (visible, tools, reasoning) = (high(bar.visible), high(bar.tools), high(bar.reasoning));
            let base = BARS_TOP + BARS_HIGH;
            let links = links && bar.place > 0;
            if links {
                let _ = write!(out, "<a href=\"#m{}\" tabindex=\"-1\">", bar.place);
            }
            let _ = write!(out, "<g><title>{}", self.range(bar));
            let _ = write!(
                out,
                ": {} visible, {} of tools, {} reasoning",
                commas(bar.visible),
                commas(bar.tools),
                commas(bar.reasoning)
            );
            for (count, noun) in [(bar.sealed, "encrypted block"), (bar.unread, "unread record")] {
                if count > 0 {
                    let _ = write!(out, ", {}", counted(count, noun));
                }
            }
            out.push_str("</title>");
            let mut y = base;
            for (class, height) in [("v", visible), ("t", tools), ("r", reasoning)] {
                y -= height;
                let _ = write!(
                    out,
                    "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{height:.2}\"/>"
                );
            }
            if bar.is_least() {
                let height = (y - BARS_TOP).clamp(0.0, 18.0);
                let _ = write!(out, "<path class=\"hatch\" d=\"");
                let steps = (height / 3.0) as usize;
                for step in 0..steps.max(1) {
                    let _ = write!(out, "M{x:.2} {:.2} h{wide:.2} ", y - 1.5 - 3.0 * step as f64);
                }
                out.push_str("\"/>");
            }
            out.push_str("</g>");
            out.push_str(if links { "</a>\n" } else { "\n" });
        }
        self.ends(out, BARS_TOP + BARS_HIGH + 15.0);
    }

    /// Draws the line of shares: at each bar, the share of reasoning in all messages so far.
    fn shares(&self, out: &mut String, step: f64) {
        label(out, "title", LEFT, SHARE_TOP - 12.0, "start", "Share of reasoning in what the model wrote so far");
        grid(out, SHARE_TOP, SHARE_HIGH, ["100 %", "50 %", "0 %"]);
        let base = SHARE_TOP + SHARE_HIGH;
        let (mut line, mut so_far, mut left) = (String::new(), Bar::default(), LEFT);
        for (i, bar) in self.bars.iter().enumerate() {
            so_far.add(*bar);
            // The line begins with the first message of the assistant.
            if so_far.answers == 0 && so_far.reasoning == 0 {
                continue;
            }
            let y = base - SHARE_HIGH * share(so_far.answers, so_far.reasoning) / 100.0;
            let x = LEFT + step * i as f64;
            if line.is_empty() {
                left = x;
            }
            let _ = write!(line, "{}{x:.2} {y:.2} L{:.2} {y:.2}", if line.is_empty() { "M" } else { " L" }, x + step);
        }
        if !line.is_empty() {
            let _ =
                writeln!(out, "<path class=\"area\" d=\"{line} L{:.2} {base} L{left:.2} {base} Z\"/>", WIDTH - RIGHT);
            let _ = writeln!(out, "<path class=\"ratio\" d=\"{line}\"/>");
        }
        self.ends(out, base + 15.0);
    }

    /// Writes the numbers of the first and the last message.
    fn ends(&self, out: &mut String, y: f64) {
        if self.total.messages > 0 {
            label(out, "end", LEFT, y, "start", "1");
        }
        if self.total.messages > 1 {
            label(out, "end", WIDTH - RIGHT, y, "end", &commas(self.total.messages));
        }
    }

    /// The messages of the input that a bar is for, in words.
    fn range(&self, bar: &Bar) -> String {
        let first = bar.place + 1 - self.bars.first().map_or(1, |first| first.place.max(1));
        match bar.messages {
            0 => "Records".to_string(),
            // Its number is that of its head, which begins anew in each conversation.
            1 if bar.number > 0 => format!("Message {}", commas(bar.number)),
            1 => "Instructions".to_string(),
            more => format!("{} messages from the {} on", commas(more), ordinal(first)),
        }
    }
}

fn merged(bars: &[Bar]) -> Bar {
    let mut one = Bar { place: bars.first().map_or(0, |bar| bar.place), ..Bar::default() };
    bars.iter().for_each(|bar| one.add(*bar));
    one
}

fn label(out: &mut String, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>");
}

fn legend(out: &mut String) {
    for (class, x, text) in
        [("v", WIDTH - 275.0, "visible"), ("t", WIDTH - 190.0, "tools"), ("r", WIDTH - 115.0, "reasoning")]
    {
        let _ = writeln!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"5\" width=\"10\" height=\"10\"/>");
        label(out, "key", x + 14.0, 14.0, "start", text);
    }
}

fn grid(out: &mut String, top: f64, high: f64, labels: [&str; 3]) {
    for (i, text) in labels.into_iter().enumerate() {
        let y = top + high * i as f64 / 2.0;
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y} H{}\"/>", WIDTH - RIGHT);
        label(out, "scale", LEFT - 6.0, y + 4.0, "end", text);
    }
}

/// Writes the charts as an element of the page, which says in words what they show.
pub fn inline(series: &Series, out: &mut String) {
    let _ = writeln!(out, "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" aria-hidden=\"true\">");
    series.draw(out, true);
    out.push_str("</svg>\n");
}

const STYLE: &str = "\
.page{fill:#fff}.title,.name{fill:#1c2128}.v{fill:#1f6feb}.t{fill:#9aa5b1}.r{fill:#8a4fd3}.hatch{stroke:#8a4fd3}.grid{stroke:#d5dae0}
.ratio{fill:none;stroke:#8a4fd3;stroke-width:2}.area{fill:#8a4fd3;opacity:.15}
text{font:11px system-ui,sans-serif;fill:#57606a}.title{font-size:12px}.name{font-size:14px;font-weight:600}
@media (prefers-color-scheme:dark){.page{fill:#14181d}.title,.name{fill:#e2e7ed}.v{fill:#6aa5ff}.t{fill:#57606a}.r{fill:#bd95f5}.hatch{stroke:#bd95f5}
.grid{stroke:#343b44}.ratio{stroke:#bd95f5}.area{fill:#bd95f5}text{fill:#9aa5b1}}";

/// Draws the charts by themselves, as an SVG file. It has numbers and the names of the inputs, and no text of the
/// messages.
#[derive(Debug)]
pub struct Charts {
    title: String,
    series: Vec<Series>,
    /// The number of the message that is open.
    number: u64,
    /// How many messages this input has so far.
    place: u64,
}

impl Charts {
    /// Charts with this title.
    pub fn new(title: &str) -> Self {
        Self { title: title.into(), series: vec![Series::new("")], number: 0, place: 0 }
    }

    fn close(&mut self, totals: &Totals) {
        self.place += 1;
        if let Some(series) = self.series.last_mut() {
            series.push((self.place, self.number), totals);
        }
    }
}

impl Painter for Charts {
    fn step(&mut self, step: Step<'_>, _out: &mut Vec<u8>) {
        match step {
            Step::Input(name) => {
                self.series.retain(|series| !series.is_empty() || !series.name.is_empty());
                self.series.push(Series::new(name));
                self.place = 0;
            }
            Step::Open(MessageHead { number, .. }) => self.number = *number,
            Step::Unread { first, last, .. } => {
                let place = self.place;
                self.series.last_mut().into_iter().for_each(|series| series.unread(place, last - first + 1));
            }
            Step::Close(totals) => self.close(totals),
            _ => {}
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let mut svg = String::new();
        let one = HEIGHT + 44.0;
        let height = one * self.series.len() as f64;
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">"
        );
        svg.push_str("<title>");
        markup::attribute(&mut svg, &self.title);
        svg.push_str("</title>\n<desc>");
        for (i, series) in self.series.iter().enumerate() {
            if i > 0 {
                svg.push('\n');
            }
            if !series.name.is_empty() {
                markup::attribute(&mut svg, &series.name);
                svg.push_str(": ");
            }
            svg.push_str(&series.sentence());
        }
        let _ = writeln!(svg, "</desc>\n<style>{STYLE}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>");
        for (i, series) in self.series.iter().enumerate() {
            let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", one * i as f64 + 36.0);
            let mut name = String::new();
            markup::attribute(&mut name, if series.name.is_empty() { &self.title } else { &series.name });
            label(&mut svg, "name", LEFT, -14.0, "start", &name);
            series.draw(&mut svg, false);
            svg.push_str("</g>\n");
        }
        svg.push_str("</svg>\n");
        out.extend_from_slice(svg.as_bytes());
        self.series.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_merged_and_nothing_is_lost() {
        for count in [0, 1, 239, 240, 241, 481, 10_000] {
            let mut series = Series::new("");
            for place in 1..=count {
                series.push((place, place), &Totals { visible: 3, reasoning: place, ..Totals::default() });
            }
            assert!(series.bars.len() <= BARS, "{count}");
            assert_eq!(series.bars.iter().map(|bar| bar.messages).sum::<u64>(), count);
            assert_eq!(series.bars.iter().map(|bar| bar.reasoning).sum::<u64>(), count * (count + 1) / 2);
            let mut next = 1;
            for bar in &series.bars {
                assert_eq!(bar.place, next, "{count}");
                next += bar.messages;
            }
        }
    }

    #[test]
    fn scales_end_at_round_numbers() {
        let cases = [(0, 2), (2, 2), (3, 4), (5, 6), (7, 10), (11, 20), (431, 600), (999, 1000), (u64::MAX, u64::MAX)];
        for (most, top) in cases {
            assert_eq!(round_up(most), top);
        }
    }

    #[test]
    fn numbers_for_people() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(commas(number), text);
        }
        assert_eq!((share(0, 0), share(1, 3), share(u64::MAX, u64::MAX).round()), (0.0, 75.0, 100.0));
    }
}
