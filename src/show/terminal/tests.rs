//! The terminal form, from steps that are made by hand.

mod laws;
mod tracks;

use super::*;
use crate::show::{Role, ShownMedia};

pub fn options(width: usize) -> TerminalOptions {
    TerminalOptions { width, ..TerminalOptions::default() }
}

/// The drawing of steps.
pub fn draw(options: TerminalOptions, steps: &[Step<'_>]) -> String {
    let mut terminal = Terminal::new(options);
    let mut out = Vec::new();
    for step in steps {
        terminal.step(*step, &mut out);
    }
    terminal.finish(&mut out);
    String::from_utf8(out).unwrap()
}

/// A drawing with the sequences of its styles in brackets.
pub fn readable(drawing: &str) -> String {
    let parts: Vec<String> = drawing
        .split('\u{1b}')
        .enumerate()
        .map(|(i, part)| match part.split_once('m').filter(|_| i > 0) {
            Some((codes, text)) => format!("⟦{}⟧{text}", codes.trim_start_matches("[0").trim_start_matches(';')),
            None => part.to_string(),
        })
        .collect();
    parts.concat()
}

/// The lines of one block of a message of the assistant.
fn block(options: TerminalOptions, kind: TextBlockKind, text: &str) -> Vec<String> {
    let head = MessageHead::default();
    let end = BlockEnd { tokens: 3, sealed: false };
    let steps = [Step::Open(&head), Step::Begin(kind), Step::Text(text), Step::End(end)];
    let drawing = readable(&draw(options, &steps));
    drawing.lines().skip(1).map(|line| line.strip_prefix("  ").unwrap_or(line).to_string()).collect()
}

#[test]
fn text_is_wrapped_by_columns() {
    let cases: [(&str, &[&str]); 24] = [
        ("Rain by noon.", &["Rain by noon."]),
        ("Low pressure from the west today.", &["Low pressure from", "the west today."]),
        ("  Indented words go on where they began.", &["  Indented words", "  go on where they", "  began."]),
        ("one\ntwo", &["one", "two"]),
        ("one\r\ntwo\r\n", &["one", "two"]),
        ("\n\none\n\n\n\ntwo\n\n", &["one", "", "two"]),
        ("two  spaces", &["two  spaces"]),
        ("- an item that is long\n- b", &["- an item that is", "  long", "- b"]),
        ("10. an item that is long", &["10. an item that", "    is long"]),
        ("2.   an item that is long", &["2.   an item that", "     is long"]),
        ("- 天気予報によると雨が", &["- 天気予報によると", "  雨が"]),
        ("> a quote that is long", &["> a quote that is", "  long"]),
        ("https://example.org/a/long/path", &["https://example.or", "g/a/long/path"]),
        ("see https://example.org/a/long", &["see", "https://example.or", "g/a/long"]),
        ("天気予報によると、明日は雨", &["天気予報によると、", "明日は雨"]),
        ("天気予報によると明、日は雨", &["天気予報によると", "明、日は雨"]),
        ("Wetter「天気予報」と雨が降る", &["Wetter「天気予報」", "と雨が降る"]),
        ("gro\u{308}\u{df}e gro\u{308}\u{df}e gro\u{308}\u{df}e", &["gro\u{308}ße gro\u{308}ße gro\u{308}ße"]),
        ("👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽", &["👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽", "👍🏽"]),
        ("❤\u{fe0f} 👩\u{200d}👧 1\u{fe0f}\u{20e3}", &["❤ 👩👧 1\u{20e3}"]),
        ("می\u{200c}خواهم", &["می\u{200c}خواهم"]),
        ("a\tb", &["a   b"]),
        ("| a | table that is wide |\n| b |", &["| a | table that i", "s wide |", "| b |"]),
        (
            "```\n  let long = \"not prose at all\";\n\n\n}\n```",
            &["```", "  let long = \"not", "prose at all\";", "", "", "}", "```"],
        ),
    ];
    for (text, lines) in cases {
        assert_eq!(block(options(20), TextBlockKind::Text, text), lines, "{text:?}");
    }
}

#[test]
fn tables_stand_in_columns_that_fit() {
    let weather = "|day|rain|\n|:-|-:|\n|Sunday|4 mm|\n|Mo|12 mm|\n\nend";
    let cases: [(usize, &str, &[&str]); 8] = [
        (40, weather, &["day    │  rain", "───────┼──────", "Sunday │  4 mm", "Mo     │ 12 mm", "", "end"]),
        (
            40,
            "|a|b|\n|-|-|\n|1|\n|天|3|4|\ntext",
            &["a   │ b   │", "────┼─────┼────", "1   │     │", "天  │ 3   │ 4", "text"],
        ),
        (
            26,
            "|word|meaning|\n|---|---|\n|fog|a cloud on the ground|",
            &["word │ meaning", "─────┼──────────────────", "fog  │ a cloud on the", "     │ ground"],
        ),
        (26, "|a\\|b|c|\n|-|-|\n|d|e|", &["a|b │ c", "────┼────", "d   │ e"]),
        (26, "|a|\nb", &["|a|", "b"]),
        (26, "|a|\n|b|\n|c|", &["|a|", "|b|", "|c|"]),
        // Without room for the columns the lines stay as they are.
        (20, "|a|b|c|d|e|\n|-|-|-|-|-|", &["|a|b|c|d|e|", "|-|-|-|-|-|"]),
        (40, "```\n|a|\n|-|\n```", &["```", "|a|", "|-|", "```"]),
    ];
    for (width, text, lines) in cases {
        let drawn = block(options(width), TextBlockKind::Text, text);
        assert_eq!(drawn, lines, "{text:?}");
    }
    let color = TerminalOptions { color: true, ..options(40) };
    let drawn = block(color, TextBlockKind::Text, "|a|\n|-|\n|**b** `c`|").join("\n");
    assert!(!drawn.contains('*') && !drawn.contains('`') && drawn.contains("⟦1⟧b"), "{drawn}");
}

#[test]
fn what_steers_is_spelled_out() {
    let cases = [
        ("\u{1b}[31mred\u{7}", "␛[31mred␇"),
        ("over\rwritten", "over␍written"),
        ("\u{9b}31m", "\\u{9b}31m"),
        ("del\u{7f} nul\0", "del␡ nul␀"),
        ("\u{202e}drowssap\u{2066}", "\\u{202e}drowssap\\u{2066}"),
        ("in\u{200b}vis\u{feff}ible", "in\\u{200b}vis\\u{feff}ible"),
        ("a\u{200d}b\u{200c}c", "a\\u{200d}b\\u{200c}c"),
        ("\u{2028}x\u{85}y\u{c}z", "\\u{2028}x\\u{85}y␌z"),
        ("a\u{e0041}\u{fe01}", "a\\u{e0041}\\u{fe01}"),
        ("❤\u{fe0f}\u{fe0f}", "❤\\u{fe0f}"),
        ("\u{301}x", "\\u{301}x"),
        (
            "x\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
            "x\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\\u{301}",
        ),
    ];
    for (text, shown) in cases {
        assert_eq!(block(options(80), TextBlockKind::Text, text), [shown], "{text:?}");
        let (line, width) = glyph::line(text, 70, false);
        assert_eq!(line, shown, "{text:?}");
        assert_eq!(width, shown.chars().filter(|c| *c != '\u{301}').count(), "{text:?}");
    }
    // What is spelled out needs more columns than there are: the line is cut before it.
    assert_eq!(glyph::line("ab\u{200b}", 4, false), ("ab…".into(), 3));
    let raw = TerminalOptions { raw: true, ..options(20) };
    for (text, shown) in [
        ("\u{1b}[31mred\u{1b}[0m", "\u{1b}[31mred\u{1b}[0m"),
        ("\u{1b}[38;5;200mtwelve letters and more\u{1b}[0m", "\u{1b}[38;5;200mtwelve letters and\n  more\u{1b}[0m"),
        ("over\rwritten", "over\rwritten"),
        ("\u{202e}drowssap", "\u{202e}drowssap"),
    ] {
        let head = MessageHead::default();
        let steps =
            [Step::Open(&head), Step::Begin(TextBlockKind::Text), Step::Text(text), Step::End(BlockEnd::default())];
        let drawing = draw(raw, &steps);
        assert!(drawing.ends_with(&format!("\n  {shown}\n")), "{drawing:?}");
    }
}

#[test]
fn emphasis_is_shown_in_colour_and_kept_without() {
    // Bold is ⟦1⟧, italic ⟦3⟧, code ⟦38;5;180⟧, marks of lines ⟦38;5;245⟧.
    let cases = [
        ("**Rain** by noon.", "⟦1⟧Rain⟦⟧ by noon."),
        ("*Rain* by _noon_.", "⟦3⟧Rain⟦⟧ by⟦3⟧ noon⟦⟧."),
        ("***Rain***", "⟦1;3⟧Rain⟦⟧"),
        ("**Rain *by* noon**", "⟦1⟧Rain⟦1;3⟧ by⟦1⟧ noon⟦⟧"),
        ("`a*b` and `c`", "⟦38;5;180⟧a*b⟦⟧ and⟦38;5;180⟧ c⟦⟧"),
        ("``a`b``", "⟦38;5;180⟧a`b⟦⟧"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("snake_case_name", "snake_case_name"),
        ("a*b*c", "a⟦3⟧b⟦⟧c"),
        ("*not closed", "*not closed"),
        ("**not closed *but this*", "**not closed⟦3⟧ but this⟦⟧"),
        ("* **bold** item", "⟦38;5;245⟧•⟦1⟧ bold⟦⟧ item"),
        ("*.rs and *.md", "*.rs and *.md"),
        ("\\*stars\\* and \\n", "*stars* and \\n"),
        ("a ` alone", "a ` alone"),
        ("``` ``` is blank", "``` ``` is blank"),
        ("****", "────────────────────────────────────────"),
        ("## Head **line**", "⟦38;5;245⟧##⟦1⟧ Head line⟦⟧"),
        ("#hash", "#hash"),
        ("3. third", "⟦38;5;245⟧3.⟦⟧ third"),
        ("2026.x", "2026.x"),
        ("**「天気」**です", "⟦1⟧「天気」⟦⟧です"),
    ];
    for (text, shown) in cases {
        let colored = TerminalOptions { color: true, ..options(80) };
        let lines = block(colored, TextBlockKind::Text, text);
        let rule = shown.starts_with('─');
        let want = if rule { format!("⟦38;5;245⟧{shown}⟦⟧") } else { shown.to_string() };
        assert_eq!(lines, [want], "{text}");
        assert_eq!(block(options(80), TextBlockKind::Text, text), [text.trim_end()], "{text}");
    }
}

#[test]
fn reasoning_is_shaded_or_has_a_margin() {
    let text = "Low pressure from the west, so it rains.";
    assert_eq!(
        block(options(40), TextBlockKind::Reasoning, text),
        ["┊ Low pressure from the west, so it", "┊ rains.           reasoning · ≈3 tokens"]
    );
    assert_eq!(
        block(TerminalOptions { color: true, ..options(40) }, TextBlockKind::Reasoning, text),
        [
            "⟦38;5;244;48;5;235⟧┊ ⟦3;38;5;247;48;5;235⟧Low pressure from the west, so it     ⟦⟧",
            "⟦38;5;244;48;5;235⟧┊ ⟦3;38;5;247;48;5;235⟧rains.           ⟦38;5;244;48;5;235⟧reasoning · ≈3 tokens⟦⟧"
        ]
    );
    assert_eq!(
        block(
            TerminalOptions { collapse: true, ..options(40) },
            TextBlockKind::Reasoning,
            "Low\npressure from the west."
        ),
        ["┊ Low⏎pressure f…  reasoning · ≈3 tokens"]
    );
    assert_eq!(
        block(
            TerminalOptions { collapse: true, ..options(30) },
            TextBlockKind::Reasoning,
            "Low\npressure from the west."
        ),
        ["┊ Low⏎pressure from the west."]
    );
    assert_eq!(block(options(40), TextBlockKind::Reasoning, " \n"), ["┊                       reasoning, empty"]);
    let sealed = [Step::Begin(TextBlockKind::Reasoning), Step::End(BlockEnd { tokens: 0, sealed: true })];
    assert_eq!(draw(options(60), &sealed), "┊            reasoning, sealed: its text is not in the input\n");
}

/// A conversation with all that a message may have.
pub fn conversation(options: TerminalOptions) -> String {
    let user = MessageHead { number: 1, role: Role::User, ..MessageHead::default() };
    let answer = MessageHead { number: 2, model: "gpt-oss-120b".into(), ..MessageHead::default() };
    let image = LineItem::Media(ShownMedia { what: "image", mime: "image/png".into(), ..ShownMedia::default() });
    let call = LineItem::Call {
        id: String::new(),
        name: "forecast".into(),
        arguments: "{\"city\":\"Basel\",\"days\":3}".into(),
    };
    let result = LineItem::Result {
        id: String::new(),
        name: "forecast".into(),
        text: "rain\n12 °C, ".repeat(12),
        failed: false,
        media: Vec::new(),
    };
    let failed = LineItem::Result {
        id: String::new(),
        name: String::new(),
        text: "no such station".into(),
        failed: true,
        media: Vec::new(),
    };
    let end = |tokens| Step::End(BlockEnd { tokens, sealed: false });
    let steps = [
        Step::Conversation { number: 1, again: false },
        Step::Open(&user),
        Step::Begin(TextBlockKind::Text),
        Step::Text("What is the weather in **Basel** tomorrow?"),
        end(11),
        Step::Close(&Totals { visible: 11, ..Totals::default() }),
        Step::Open(&answer),
        Step::Begin(TextBlockKind::Reasoning),
        Step::Text(
            "The user asks for a forecast. A station reports low pressure from the west, and 天気 is the word for weather.",
        ),
        end(28),
        Step::Begin(TextBlockKind::Commentary),
        Step::Text("I look it up."),
        end(4),
        Step::Item(&call),
        Step::Item(&result),
        Step::Item(&failed),
        Step::Item(&image),
        Step::Item(&LineItem::Other { kind: "server_tool".into(), value: "{\"type\":\"server_tool\"}".into() }),
        Step::Item(&LineItem::Tools(3)),
        Step::Begin(TextBlockKind::Text),
        Step::Text(
            "# Basel\n\n- **Rain** by noon, from the west, with wind that grows stronger in the evening\n- 12 °C\n\n```json\n{\"rain\": true}\n```\n\u{1b}]0;owned\u{7}",
        ),
        end(30),
        Step::Close(&Totals {
            visible: 34,
            reasoning: 28,
            logged: Some(31),
            stop: Some("cut off at the limit"),
            ..Totals::default()
        }),
        Step::Unread { first: 3, last: 5, what: "may be reasoning, in no format that is read" },
    ];
    draw(options, &steps)
}

#[test]
fn a_conversation() {
    for width in [60, 80, 120] {
        insta::assert_snapshot!(format!("plain_{width}"), conversation(options(width)));
    }
    let colored = TerminalOptions { color: true, ..options(80) };
    insta::assert_snapshot!("dark_80", readable(&conversation(colored)));
    insta::assert_snapshot!("light_80", readable(&conversation(TerminalOptions { theme: Theme::Light, ..colored })));
}
