//! Tracks beside messages.

use super::*;
use crate::show::{Track, TrackChange, TrackKind, TrackPart};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

fn track(column: usize, number: u64, parent: Option<u64>, agent: &str, change: TrackChange) -> Track {
    let label = format!("msg-{number}");
    Track { column, number, parent, agent: agent.into(), label, kind: TrackKind::Sequence, change }
}

/// A drawing of messages of one line, each with its tracks.
fn drawing(options: TerminalOptions, messages: &[(&str, TrackPart, Option<u64>, Vec<Track>)]) -> String {
    let mut terminal = Terminal::new(options);
    let mut out = Vec::new();
    for (agent, part, own, tracks) in messages {
        let head = MessageHead {
            agent: (*agent).into(),
            part: *part,
            track: *own,
            tracks: tracks.clone(),
            ..MessageHead::default()
        };
        let kind = if *part == TrackPart::Thought { TextBlockKind::Reasoning } else { TextBlockKind::Text };
        terminal.step(Step::Open(&head), &mut out);
        terminal.step(Step::Begin(kind), &mut out);
        terminal.step(Step::Text("Words."), &mut out);
        terminal.step(Step::End(BlockEnd { tokens: 2, sealed: false }), &mut out);
        terminal.step(Step::Close(&Totals::default()), &mut out);
    }
    terminal.finish(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn parallel_and_nested_ones_stand_side_by_side() {
    use TrackChange::{Begins, Ends, Open, Whole};
    let a = |change| track(0, 1, None, "security", change);
    let b = |change| track(1, 2, None, "speed", change);
    let c = |change| track(2, 3, Some(1), "security", change);
    let messages = [
        ("user", TrackPart::None, None, vec![]),
        ("security", TrackPart::Start, Some(1), vec![a(Begins)]),
        ("speed", TrackPart::Start, Some(2), vec![a(Open), b(Begins)]),
        ("security", TrackPart::Start, Some(3), vec![a(Open), b(Open), c(Begins)]),
        ("auditor", TrackPart::Dialogue, Some(3), vec![a(Open), b(Open), c(Open)]),
        ("user", TrackPart::None, None, vec![a(Open), b(Open), c(Open)]),
        ("security", TrackPart::Conclusion, Some(3), vec![a(Open), b(Open), c(Ends)]),
        ("security", TrackPart::Conclusion, Some(1), vec![a(Ends), b(Open)]),
        ("speed", TrackPart::Thought, Some(2), vec![b(Open)]),
        ("speed", TrackPart::Conclusion, Some(2), vec![track(0, 4, Some(2), "left", Whole), b(Ends)]),
        ("security", TrackPart::Answer, None, vec![]),
    ];
    insta::assert_snapshot!("tracks", drawing(options(60), &messages));
    let colored = TerminalOptions { color: true, ..options(60) };
    insta::assert_snapshot!("tracks_dark", readable(&drawing(colored, &messages)));
}

#[test]
fn only_so_many_rails_are_drawn() {
    for (count, width, rails, more) in
        [(3, 40, 3, ""), (5, 40, 5, ""), (6, 40, 5, "+1"), (1000, 40, 5, "+995"), (30, 200, 12, "+18")]
    {
        let tracks: Vec<Track> = (0..count).map(|i| track(i, i as u64 + 1, None, "agent", TrackChange::Open)).collect();
        let own = Some(count as u64);
        let drawing = drawing(options(width), &[("agent", TrackPart::Thought, own, tracks)]);
        let head = drawing.lines().next().unwrap();
        assert!(head.chars().count() <= width, "{head}");
        assert_eq!(head.matches(['│', '●']).count(), rails + usize::from(!more.is_empty()), "{head}");
        assert!(head.contains(more) && head.contains('●'), "{head}");
        assert_eq!(drawing.lines().nth(1).unwrap().matches('│').count(), rails);
    }
}

#[test]
fn tracks_that_are_only_counted_are_told() {
    let tracks = vec![track(0, 1, None, "agent", TrackChange::Open)];
    let head = MessageHead { tracks, track: Some(1), more_tracks: 70, ..MessageHead::default() };
    let drawing = draw(options(40), &[Step::Open(&head)]);
    assert!(drawing.starts_with("● +70 assistant ─"), "{drawing}");
}

#[test]
fn delegations_say_what_they_are() {
    let mut begins = track(0, 1, None, "expert", TrackChange::Begins);
    begins.kind = TrackKind::Delegation;
    begins.label =
        "You are\nan expert of \u{1b}[31mred\u{1b}[0m things, and of everything else that there is to know".into();
    let drawing = drawing(options(60), &[("", TrackPart::Delegates, Some(1), vec![begins])]);
    let lines: Vec<&str> = drawing.lines().collect();
    assert_eq!(lines[0], "╭ expert · delegation 1: You are⏎an expert of ␛[31mred␛[0m …");
    assert_eq!(lines[1], format!("● assistant · delegates {}", "─".repeat(36)));
}

/// Tracks as they may come, also such as no reader makes.
fn tracks() -> impl Strategy<Value = Vec<Track>> {
    let change =
        prop::sample::select(vec![TrackChange::Begins, TrackChange::Open, TrackChange::Ends, TrackChange::Whole]);
    let one = (0..40usize, 1..30u64, prop::option::of(1..30u64), change, any::<bool>());
    prop::collection::vec(one, 0..20).prop_map(|some| {
        let make = |(column, number, parent, change, delegation)| Track {
            kind: if delegation { TrackKind::Delegation } else { TrackKind::Sequence },
            ..track(column, number, parent, "天気-agent", change)
        };
        some.into_iter().map(make).collect()
    })
}

proptest! {
    #[test]
    fn rails_fit(
        messages in prop::collection::vec((tracks(), prop::option::of(1..30u64), 0..100_000usize), 1..6),
        width in 20usize..90, color: bool,
    ) {
        let mut terminal = Terminal::new(TerminalOptions { color, ..options(width) });
        let mut out = Vec::new();
        for (tracks, own, more_tracks) in messages {
            let agent = "security-agent".to_string();
            let head = MessageHead { tracks, track: own, more_tracks, agent, part: TrackPart::Thought, ..MessageHead::default() };
            for kind in [TextBlockKind::Reasoning, TextBlockKind::Text] {
                let text = Step::Text("Low pressure from the west, 天気予報によると雨が降るでしょう.");
                let end = Step::End(BlockEnd { tokens: 12_345, sealed: false });
                let totals = Totals { visible: 70_000, reasoning: 12_345, logged: Some(11), hidden: true, stop: Some("cut off"), ..Totals::default() };
                let call = LineItem::Call { id: String::new(), name: "forecast".into(), arguments: "{\"city\":\"Basel\"}".into() };
                for step in [Step::Open(&head), Step::Begin(kind), text, end, Step::Item(&call), Step::Close(&totals)] {
                    terminal.step(step, &mut out);
                }
            }
        }
        let drawing = String::from_utf8(out).unwrap();
        let shown: String = drawing.split("\u{1b}[0").enumerate().map(|(i, part)| match part.split_once('m') {
            Some((_, text)) if i > 0 => text,
            _ => part,
        }).collect();
        for line in shown.lines() {
            prop_assert!(line.width() <= width, "{}: {line:?}", line.width());
        }
    }
}
