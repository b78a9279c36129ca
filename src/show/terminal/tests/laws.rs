//! What holds for every text: the drawing does not depend on how it came, no line is too long, and nothing but our own
//! sequences steers the terminal.

use super::*;
use crate::printable::is_hidden;
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

/// Pieces that texts are made of: words, marks of Markdown, and what terminals obey.
const PIECES: [&str; 48] = [
    "a",
    "rain",
    "pressure",
    " ",
    " ",
    "  ",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    "*",
    "**",
    "***",
    "_",
    "`",
    "``",
    "```",
    "```rust\n",
    "~~~\n",
    "# ",
    "- ",
    "1. ",
    "> ",
    "|",
    "---\n",
    "\\",
    "天",
    "気、",
    "「",
    "ö",
    "o\u{308}",
    "\u{301}",
    "👍",
    "🏽",
    "\u{fe0f}",
    "\u{200d}",
    "👩",
    "🇨",
    "🇭",
    "\u{1b}",
    "\u{1b}[31m",
    "\u{9b}",
    "\u{202e}",
    "\u{7f}",
    "\u{200b}",
    "(",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat())
}

/// What a terminal shows: each character with its style, spaces by their background.
fn cells(drawing: &str) -> Vec<(char, String)> {
    let mut style = String::new();
    let mut cells = Vec::new();
    for (i, part) in drawing.split('\u{1b}').enumerate() {
        let text = match part.split_once('m').filter(|_| i > 0) {
            Some((codes, text)) => {
                style = codes.trim_start_matches("[0").trim_start_matches(';').to_string();
                text
            }
            None => part,
        };
        cells.extend(text.chars().map(|c| (c, style.clone())));
    }
    cells
}

proptest! {
    #[test]
    fn pieces_and_flushes_do_not_matter(
        text in text(), cuts in prop::collection::vec((0usize..400, any::<bool>()), 0..12),
        width in 20usize..60, color: bool, collapse: bool, reasoning: bool, raw: bool, live: bool,
    ) {
        // A raw drawing has sequences of its input, which the comparison would take for ours.
        let raw = raw && !text.contains('\u{1b}');
        let options = TerminalOptions { color, collapse, raw, live, ..options(width) };
        let kind = if reasoning { TextBlockKind::Reasoning } else { TextBlockKind::Text };
        let head = MessageHead::default();
        let whole = draw(options, &[Step::Open(&head), Step::Begin(kind), Step::Text(&text), Step::End(BlockEnd::default())]);

        let mut terminal = Terminal::new(options);
        let mut out = Vec::new();
        terminal.step(Step::Open(&head), &mut out);
        terminal.step(Step::Begin(kind), &mut out);
        let mut cuts: Vec<(usize, bool)> = cuts.into_iter().filter(|(at, _)| text.is_char_boundary(*at)).collect();
        cuts.sort_unstable();
        let mut from = 0;
        for (at, flush) in cuts {
            terminal.step(Step::Text(&text[from..at]), &mut out);
            from = at;
            if flush {
                terminal.flush(&mut out);
                let drawn = std::str::from_utf8(&out).unwrap();
                let plain = drawn.rsplit_once('\u{1b}').is_none_or(|(_, last)| last.starts_with("[0m"));
                prop_assert!(!live || plain, "colours are taken back");
                // What was drawn does not change any more.
                prop_assert!(cells(&whole).starts_with(&cells(drawn)));
            }
        }
        terminal.step(Step::Text(&text[from..]), &mut out);
        terminal.step(Step::End(BlockEnd::default()), &mut out);
        terminal.finish(&mut out);
        prop_assert_eq!(cells(&String::from_utf8(out).unwrap()), cells(&whole));
    }

    #[test]
    fn lines_fit_and_nothing_steers(text in text(), width in 20usize..60, color: bool, collapse: bool, reasoning: bool) {
        let options = TerminalOptions { color, collapse, ..options(width) };
        let head = MessageHead { agent: text.clone(), model: text.clone(), place: text.clone(), number: 7, ..MessageHead::default() };
        let kind = if reasoning { TextBlockKind::Reasoning } else { TextBlockKind::Text };
        let call = LineItem::Call { id: text.clone(), name: text.clone(), arguments: text.clone() };
        let result = LineItem::Result { id: text.clone(), name: String::new(), text: text.clone(), failed: true, media: Vec::new() };
        let steps = [
            Step::Input(&text), Step::Open(&head), Step::Begin(kind), Step::Text(&text), Step::End(BlockEnd::default()),
            Step::Item(&call), Step::Item(&result), Step::Close(&Totals::default()), Step::Unread { first: 1, last: 1, what: &text },
        ];
        let drawing = draw(options, &steps);
        let shown: String = cells(&drawing).into_iter().map(|(c, _)| c).collect();
        for line in shown.lines() {
            prop_assert!(line.width() <= width, "{}: {line:?}", line.width());
        }
        prop_assert!(!shown.chars().any(|c| c != '\n' && is_hidden(c)), "{shown:?}");
        for sequence in drawing.split('\u{1b}').skip(1) {
            let codes = sequence.split_once('m').map_or("?", |(codes, _)| codes);
            prop_assert!(codes.starts_with("[0") && codes[1..].bytes().all(|b| b.is_ascii_digit() || b == b';'), "{codes:?}");
        }
        let left = cells(&drawing).pop().map(|(_, style)| style);
        prop_assert_eq!(left.as_deref(), Some(""), "the terminal is left as it was");
    }
}

#[test]
fn words_of_a_live_stream_are_drawn_when_they_are_over() {
    let head = MessageHead::default();
    let mut terminal = Terminal::new(options(40));
    let mut out = Vec::new();
    terminal.step(Step::Open(&head), &mut out);
    terminal.step(Step::Begin(TextBlockKind::Text), &mut out);
    let mut seen = Vec::new();
    for piece in ["Rain", " by", " no", "on, per", "haps", ".\n"] {
        terminal.step(Step::Text(piece), &mut out);
        terminal.flush(&mut out);
        let drawn = String::from_utf8(out.clone()).unwrap();
        seen.push(drawn.lines().nth(1).unwrap_or("").trim().to_string());
    }
    assert_eq!(seen, ["", "Rain", "Rain by", "Rain by noon,", "Rain by noon,", "Rain by noon, perhaps."]);
}

#[test]
fn time_and_output_are_linear() {
    let much = 1 << 20;
    for unit in [
        "a",
        "a ",
        " ",
        "*",
        "**a ",
        "`",
        "天",
        "x\u{301}",
        "\u{301}",
        "\u{1b}",
        "_a",
        "\n",
        "```\n",
        "- ",
        "\t",
        "#",
        "*a_",
        "|",
        "|a",
        "| a |\n",
        "|a|\n|-|\n",
    ] {
        for color in [false, true] {
            let head = MessageHead::default();
            let text = unit.repeat(much / unit.len());
            let drawing = draw(
                TerminalOptions { color, ..options(80) },
                &[
                    Step::Open(&head),
                    Step::Begin(TextBlockKind::Reasoning),
                    Step::Text(&text),
                    Step::End(BlockEnd::default()),
                ],
            );
            assert!(drawing.len() < 200 * much, "{unit:?}: {}", drawing.len());
        }
    }
}
