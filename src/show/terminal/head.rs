//! Lines of a message besides its text: the head, the foot with the share of reasoning, and blocks in a single line.

use super::TerminalOptions;
use super::glyph;
use super::look::{CharStyle, Ink};
use super::rails::{self, StyledPart};
use crate::show::calls::{CallArguments, CallOutput, output};
use crate::show::words;
use crate::show::{BlockEnd, LineItem, MessageHead, Role, Totals};

/// The most columns of a name.
const NAME: usize = 40;
/// The width of the bar in columns.
const BAR: u64 = 10;

/// The head of a message: its author, its part, and details. It fills the line.
pub fn head(head: &MessageHead, own: Option<usize>, options: TerminalOptions, line: &mut Vec<StyledPart>) {
    let role = words::role(head.role);
    let ink = match head.role {
        Role::Assistant => Ink::Assistant,
        Role::User => Ink::User,
        Role::System => Ink::System,
        Role::Tool => Ink::Tool,
    };
    let ink = own.map_or(ink, rails::ink);
    let used: usize = line.iter().map(|(text, _)| text.chars().count()).sum();
    let room = options.width.saturating_sub(used);
    let name = if head.agent.is_empty() { role } else { &head.agent };
    let (name, width) = glyph::line(name, NAME.min(room), options.raw);
    line.push((name, CharStyle::strong(ink)));

    let mut details = Vec::new();
    if !head.agent.is_empty() && head.role != Role::Assistant && head.agent != role {
        details.push(role.to_string());
    }
    details.extend(words::part(head.part).map(str::to_string));
    if head.number > 0 {
        details.push(head.number.to_string());
    }
    details.extend([&head.model, &head.place].into_iter().filter(|text| !text.is_empty()).cloned());
    if head.rejected {
        details.push("rejected: nobody received it".into());
    }
    let details: String = details.iter().map(|detail| format!(" · {detail}")).collect();
    let (details, more) = glyph::line(&details, room.saturating_sub(width + 1), options.raw);
    let (details, more) = if details.is_empty() { (details, 0) } else { (format!(" {details}"), more + 1) };
    let rest = room.saturating_sub(width + more + 1);
    line.push((format!("{details} {}", "─".repeat(rest)), CharStyle::of(Ink::Faint)));
}

/// A count of tokens as text.
fn count(tokens: u64) -> String {
    format!("{tokens} token{}", if tokens == 1 { "" } else { "s" })
}

/// The label at the end of a block of reasoning.
pub fn label(end: BlockEnd, some: bool) -> String {
    match (some, end.sealed) {
        (true, false) => format!("reasoning · ≈{}", count(end.tokens)),
        (true, true) => format!("reasoning, sealed · ≈{}", count(end.tokens)),
        (false, true) => "reasoning, sealed: its text is not in the input".to_string(),
        (false, false) => "reasoning, empty".to_string(),
    }
}

/// The foot of a message: estimates, and a bar for the share of reasoning. Returns whether it has any.
pub fn foot(totals: &Totals, width: usize, line: &mut Vec<StyledPart>) -> bool {
    let all = totals.visible.saturating_add(totals.tools).saturating_add(totals.reasoning);
    let least = if totals.sealed > 0 { "at least " } else { "" };
    let mut parts = Vec::new();
    if totals.reasoning > 0 {
        let share = (totals.reasoning.saturating_mul(100) + all / 2) / all;
        let full = (totals.reasoning.saturating_mul(BAR) + all / 2) / all;
        let bar: String = (0..BAR).map(|i| if i < full { '█' } else { '░' }).collect();
        parts.push(format!("{} {bar} {least}{share} % reasoning", count(all)));
    } else if all > 0 && totals.sealed > 0 {
        parts.push(format!("{} and reasoning of unknown size", count(all)));
    } else if all > 0 {
        parts.push(count(all));
    }
    if totals.hidden && totals.reasoning > 0 {
        parts.push("hidden".into());
    }
    if let Some(logged) = totals.logged {
        parts.push(format!("input says {logged}"));
    }
    parts.extend(totals.cost.map(words::dollars));
    if let Some(stop) = totals.stop {
        parts.push(stop.into());
    }
    if parts.is_empty() {
        return false;
    }
    let (text, _) = glyph::line(&parts.join(" · "), width, false);
    line.push((format!("≈ {text}"), CharStyle::of(Ink::Faint)));
    true
}

/// A block in a single line of this width.
pub fn item(item: &LineItem, width: usize, raw: bool, line: &mut Vec<StyledPart>) {
    let said = match item {
        LineItem::Call { arguments, .. } => CallArguments::of(arguments).line().to_string(),
        LineItem::Result { text, .. } => {
            let CallOutput { text, rest, .. } = output(text);
            if text.trim().is_empty() { rest } else { text.into_owned() }
        }
        // Line ends of JSON that is indented say nothing.
        LineItem::Other { value, .. } => value.split_whitespace().collect::<Vec<_>>().join(" "),
        _ => String::new(),
    };
    let (sign, name, rest, ink) = match item {
        LineItem::Call { name, .. } => ("→ ", or(name, "a tool"), said.as_str(), Ink::Tool),
        LineItem::Result { name, failed: false, .. } => ("← ", or(name, "result"), said.as_str(), Ink::Tool),
        LineItem::Result { name, failed: true, .. } => ("✗ ", or(name, "result"), said.as_str(), Ink::Alarm),
        LineItem::Media(media) => ("▣ ", media.what, or(&media.name, &media.mime), Ink::Faint),
        LineItem::Tools(1) => ("⚒ ", "1 tool may be called", "", Ink::Faint),
        LineItem::Tools(n) => {
            line.push((format!("⚒ {n} tools may be called"), CharStyle::of(Ink::Faint)));
            return;
        }
        LineItem::Other { kind, .. } => {
            ("▣ ", or(kind, "a block of a kind that is not known"), said.as_str(), Ink::Faint)
        }
    };
    let (name, taken) = glyph::line(name, NAME.min(width), raw);
    let (rest, _) = glyph::line(rest, width.saturating_sub(taken + 1), raw);
    let style = if ink == Ink::Faint { CharStyle::of(ink) } else { CharStyle::strong(ink) };
    line.push((format!("{sign}{name}"), style));
    if !rest.is_empty() {
        line.push((format!(" {rest}"), CharStyle::of(if ink == Ink::Alarm { ink } else { Ink::Faint })));
    }
}

fn or<'a>(name: &'a str, other: &'a str) -> &'a str {
    if name.is_empty() { other } else { name }
}
