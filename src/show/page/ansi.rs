//! Colours of a terminal as colours of the page. Every other control is shown by its number.

use super::super::markup;

/// Writes a text of a program. The sequences for colours and bold letters become elements.
pub fn ansi(out: &mut String, text: &str) {
    let (mut color, mut bold) = (None, false);
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, sequence) = rest.split_at(at);
        stretch(out, before, color, bold);
        let end = sequence[2..].find(|c: char| !c.is_ascii_digit() && c != ';').map(|end| end + 2);
        match end.filter(|end| sequence.as_bytes()[*end] == b'm') {
            Some(end) => {
                set(&sequence[2..end], &mut color, &mut bold);
                rest = &sequence[end + 1..];
            }
            None => {
                stretch(out, &sequence[..2], color, bold);
                rest = &sequence[2..];
            }
        }
    }
    stretch(out, rest, color, bold);
}

fn set(codes: &str, color: &mut Option<u8>, bold: &mut bool) {
    let mut codes = codes.split(';').map(|code| code.parse::<u8>().unwrap_or(0));
    while let Some(code) = codes.next() {
        match code {
            0 => (*color, *bold) = (None, false),
            1 => *bold = true,
            22 => *bold = false,
            30..=37 => *color = Some(code - 30),
            90..=97 => *color = Some(code - 90),
            39 => *color = None,
            // A colour of another table: its numbers are no codes.
            38 | 48 => {
                let numbers = if codes.next() == Some(5) { 1 } else { 3 };
                codes.by_ref().take(numbers).for_each(|_| ());
            }
            _ => (),
        }
    }
}

fn stretch(out: &mut String, text: &str, color: Option<u8>, bold: bool) {
    if text.is_empty() {
        return;
    }
    let bold = if bold { " ab" } else { "" };
    match color {
        Some(color) => out.push_str(&format!("<span class=\"a{color}{bold}\">")),
        None if !bold.is_empty() => out.push_str("<span class=\"ab\">"),
        None => return markup::text(out, text),
    }
    markup::text(out, text);
    out.push_str("</span>");
}

#[cfg(test)]
mod tests {
    use super::ansi;

    #[test]
    fn colours_are_colours_and_nothing_else_is_obeyed() {
        for (from, to) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m x", "<span class=\"a1\">red</span> x"),
            ("\u{1b}[1;92mok\u{1b}[22m!\u{1b}[39m", "<span class=\"a2 ab\">ok</span><span class=\"a2\">!</span>"),
            ("\u{1b}[38;5;196mx\u{1b}[38;2;1;31;3my", "xy"),
            ("\u{1b}[2J<b>", "<span class=\"u\">\\u{1b}</span>[2J&lt;b&gt;"),
            ("\u{1b}[", "<span class=\"u\">\\u{1b}</span>["),
            ("\u{1b}[31", "<span class=\"u\">\\u{1b}</span>[31"),
            ("\u{1b}[é", "<span class=\"u\">\\u{1b}</span>[é"),
        ] {
            let mut out = String::new();
            ansi(&mut out, from);
            assert_eq!(out, to, "{from:?}");
        }
    }
}
