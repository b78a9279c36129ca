//! The lanes of an input in the terminal: a line for each, behind its name.

use super::glyph;
use super::look::{CharStyle, Ink};
use super::rails::{self, StyledPart};
use crate::show::lanes::{Deed, DrawnLane, Lanes, Scale};

/// The most columns of a name.
const NAME: usize = 28;

/// The lines of the lanes, if there are several.
pub fn lines(lanes: &mut Lanes, width: usize, raw: bool) -> Vec<Vec<StyledPart>> {
    let Some(names) = lanes.draw(1) else { return Vec::new() };
    let size = |lane: &DrawnLane| glyph::line(&lane.name, NAME, raw).1 + if lane.is_beside { 2 } else { 0 };
    let name_width = names.lanes.iter().map(size).max().unwrap_or(0).min(NAME).min(width / 3);
    let columns = width.saturating_sub(name_width + 1);
    let Some(drawn) = lanes.draw(columns) else { return Vec::new() };
    let faint = CharStyle::of(Ink::Faint);
    let scale = match drawn.scale {
        Scale::Time(first, last) => {
            let from = first.to_string();
            format!("over {} from {} UTC", length(last.0 - first.0), from.get(11..16).unwrap_or(&from))
        }
        Scale::Order => "message by message".to_string(),
    };
    let pauses = if drawn.pauses.is_empty() { "" } else { " · ┆ pause" };
    let (legend, _) = glyph::line(&format!("── ░ thinks · █ speaks · ═ calls{pauses} · {scale}"), width, false);
    let mut lines = vec![vec![(legend, faint)]];
    for (at, lane) in drawn.lanes.iter().enumerate() {
        let name = if lane.is_beside { format!("  {}", lane.name) } else { lane.name.clone() };
        let (name, taken) = glyph::line(&name, name_width, raw);
        let mut line =
            vec![(format!("{name}{} ", " ".repeat(name_width.saturating_sub(taken))), CharStyle::of(rails::ink(at)))];
        let (first, last) =
            (lane.cells.first().map_or(0, |cells| cells.from), lane.cells.last().map_or(0, |cells| cells.to));
        let mut cells = lane.cells.iter().peekable();
        for column in 0..columns {
            while cells.next_if(|cells| cells.to <= column).is_some() {}
            let here = cells.peek().filter(|cells| cells.from <= column);
            let (sign, ink) = match here.map(|cells| cells.deed) {
                Some(Deed::Thinks) => ('░', Ink::System),
                Some(Deed::Speaks) => ('█', Ink::User),
                Some(Deed::Calls) => ('═', Ink::Tool),
                None if drawn.pauses.iter().any(|(at, _)| *at == column) => ('┆', Ink::Faint),
                None if column >= first && column < last => ('·', Ink::Faint),
                None => (' ', Ink::Plain),
            };
            match line.last_mut().filter(|(_, style)| *style == CharStyle::of(ink) && column > 0) {
                Some((text, _)) => text.push(sign),
                None => line.push((sign.to_string(), CharStyle::of(ink))),
            }
        }
        lines.push(line);
    }
    lines
}

/// A length of time in the two largest units.
fn length(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3600 % 24),
    }
}
