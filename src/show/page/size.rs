//! How large a message is, in words and as a bar.

use super::super::Totals;
use super::super::charts::share;

/// The estimates of a message in words, by what they count; nothing if there is nothing to count.
pub fn size(totals: &Totals) -> Option<String> {
    let Totals { visible, tools, reasoning, sealed, logged, .. } = *totals;
    if reasoning == 0 && sealed == 0 && logged.is_none() {
        let all = visible.saturating_add(tools);
        return (all > 0).then(|| count(all));
    }
    let mut parts = Vec::new();
    parts.extend((visible > 0).then(|| format!("{visible} visible")));
    parts.extend((tools > 0).then(|| format!("{tools} of tools")));
    let logged = logged.map(|count| format!(" ({count} in the log)")).unwrap_or_default();
    parts.push(match (reasoning, sealed) {
        (0, 1..) => format!("reasoning of unknown size{logged}"),
        (_, 0) => format!("{reasoning} reasoning{logged}"),
        _ => format!("at least {reasoning} reasoning{logged}"),
    });
    Some(parts.join(", "))
}

/// Draws the share of reasoning as a bar. It is hatched if there is reasoning of unknown size.
pub fn bar(totals: &Totals, out: &mut String) {
    if totals.reasoning == 0 && totals.sealed == 0 {
        return;
    }
    let all = totals.visible.saturating_add(totals.tools);
    let shared = share(all, totals.reasoning);
    let tools = share(totals.visible.saturating_add(totals.reasoning), totals.tools);
    let (least, sealed) = if totals.sealed > 0 { ("at least ", " sealed") } else { ("", "") };
    out.push_str(&format!(
        "<svg class=\"bar{sealed}\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{least}{shared:.0} % reasoning\">\
         <rect class=\"v\" width=\"100\" height=\"4\"/><rect class=\"r\" width=\"{shared:.1}\" height=\"4\"/>"
    ));
    if totals.tools > 0 {
        out.push_str(&format!("<rect class=\"t\" x=\"{:.1}\" width=\"{tools:.1}\" height=\"4\"/>", 100.0 - tools));
    }
    out.push_str("</svg>\n");
}

/// The noun for a count, in the singular or the plural.
pub fn plural(count: u64, one: &'static str, more: &'static str) -> &'static str {
    if count == 1 { one } else { more }
}

pub fn count(tokens: u64) -> String {
    format!("{tokens} token{}", if tokens == 1 { "" } else { "s" })
}
