//! The lanes of an input on the page: a line of boxes for each, with links to the messages.

use super::super::lanes::{Deed, LaneCells, Lanes, Scale, Timeline};
use super::super::markup;
use super::call::seconds;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many cells a lane has.
const COLUMNS: usize = 240;

/// Writes the lanes, if there are several.
pub fn timeline(lanes: &mut Lanes, out: &mut String) {
    let Some(drawn) = lanes.draw(COLUMNS) else { return };
    out.push_str("<details class=\"charts\" open><summary>Who thought while whom spoke</summary>\n<figure class=\"lanes\"><figcaption>");
    for (class, what) in [("r", "thinks"), ("v", "speaks"), ("t", "calls tools")] {
        let _ = write!(out, "<span class=\"swatch {class}\">{what}</span> ");
    }
    scale(&drawn, out);
    out.push_str("</figcaption>\n<ul>\n");
    let pauses: BTreeMap<usize, f64> = drawn.pauses.iter().copied().collect();
    for lane in &drawn.lanes {
        let [thinks, speaks, calls] = lane.counts;
        let parts = [(thinks, "thought", "thoughts"), (speaks, "text", "texts"), (calls, "call", "calls")];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| counted(count, one, many))
            .collect();
        let class = if lane.is_beside { " class=\"beside\"" } else { "" };
        let _ = write!(out, "<li{class}><a href=\"#m{}\" title=\"", lane.first);
        markup::attribute(out, &lane.name);
        let _ = write!(out, ": {}\">", parts.join(", "));
        markup::attribute(out, &markup::first_words(&lane.name, 80));
        let _ = write!(out, "</a> <span class=\"sr\">{}</span>", parts.join(", "));
        let _ = write!(out, "<svg viewBox=\"0 0 {COLUMNS} 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
        if let Some((first, last)) = lane.cells.first().zip(lane.cells.last()) {
            let _ = write!(out, "<path class=\"life\" d=\"M{} 5H{}\"/>", first.from, last.to);
        }
        for (at, pause) in &pauses {
            let _ =
                write!(out, "<path class=\"pause\" d=\"M{at}.5 0V10\"><title>{} later</title></path>", seconds(*pause));
        }
        lane.cells.iter().for_each(|cells| boxed(cells, out));
        out.push_str("</svg></li>\n");
    }
    out.push_str("</ul></figure></details>\n");
}

fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn boxed(cells: &LaneCells, out: &mut String) {
    let LaneCells { from, to, deed, place, number } = cells;
    let (class, does) = match deed {
        Deed::Thinks => ("r", "thinks"),
        Deed::Speaks => ("v", "speaks"),
        Deed::Calls => ("t", "calls"),
    };
    let _ = write!(
        out,
        "<a href=\"#m{place}\" tabindex=\"-1\"><rect class=\"{class}\" x=\"{from}\" width=\"{}\" height=\"10\"><title>{number}: {does}</title></rect></a>",
        to - from
    );
}

/// Says what the line stands for.
fn scale(drawn: &Timeline, out: &mut String) {
    match drawn.scale {
        Scale::Time(first, last) => {
            let whole = seconds((last.0 - first.0) as f64);
            let from = first.to_string();
            let _ = write!(out, "over {whole}, from {} UTC", from.get(11..19).unwrap_or(&from));
            if !drawn.pauses.is_empty() {
                let _ = write!(out, "; {} drawn shorter", counted(drawn.pauses.len() as u64, "pause is", "pauses are"));
            }
        }
        Scale::Order => out.push_str("in the order of the messages, since times are missing or the same"),
    }
}
