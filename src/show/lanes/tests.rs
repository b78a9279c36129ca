//! Lanes, from messages that are made by hand.

use super::*;
use crate::show::Time;

/// A message: its time, its track with the agent of that, its tokens of reasoning, text and tools, its calls and results.
#[derive(Clone, Copy, Default)]
struct Said {
    role: Role,
    time: Option<i64>,
    chain: Option<(u64, &'static str, TrackChange)>,
    tokens: [u64; 3],
    calls: &'static [&'static str],
    results: &'static [&'static str],
}

const ASKS: Said = Said { role: Role::User, time: None, chain: None, tokens: [0, 4, 0], calls: &[], results: &[] };
const SAYS: Said = Said { role: Role::Assistant, tokens: [2, 2, 0], ..ASKS };
const CALLS: Said = Said { role: Role::Assistant, tokens: [2, 0, 2], calls: &["a", "b"], ..ASKS };

fn lanes(said: &[Said]) -> Lanes {
    let mut lanes = Lanes::default();
    for (at, Said { role, time, chain, tokens, calls, results }) in said.iter().copied().enumerate() {
        let place = at as u64 + 1;
        let tracks = chain.map(|(number, agent, change)| Track {
            column: 0,
            number,
            parent: None,
            agent: agent.into(),
            label: String::new(),
            kind: TrackKind::Chain,
            change,
        });
        let head = MessageHead {
            number: place,
            role,
            time: time.map(Time),
            agent: chain.map_or("", |(_, agent, _)| agent).into(),
            track: chain.map(|(number, ..)| number),
            tracks: tracks.into_iter().collect(),
            ..MessageHead::default()
        };
        lanes.open(&head, place);
        for id in calls {
            lanes.item(&LineItem::Call { id: (*id).into(), name: String::new(), arguments: String::new() });
        }
        for id in results {
            let (id, name, text) = ((*id).into(), String::new(), String::new());
            lanes.item(&LineItem::Result { id, name, text, failed: false, media: Vec::new() });
        }
        let [reasoning, visible, tools] = tokens;
        lanes.close(&Totals { reasoning, visible, tools, ..Totals::default() });
    }
    lanes
}

/// The lanes as text: `t` where an agent thinks, `s` where it speaks, `c` where it calls.
fn drawn(said: &[Said], columns: usize) -> Vec<String> {
    let Some(drawn) = lanes(said).draw(columns) else { return Vec::new() };
    let line = |lane: &DrawnLane| {
        let mut line = vec!['.'; columns];
        for cells in &lane.cells {
            let sign = match cells.deed {
                Deed::Thinks => 't',
                Deed::Speaks => 's',
                Deed::Calls => 'c',
            };
            line[cells.from..cells.to].fill(sign);
        }
        format!("{}: {}", lane.name, line.into_iter().collect::<String>())
    };
    drawn.lanes.iter().map(line).collect()
}

#[test]
fn one_agent_has_no_lanes() {
    let alone = Said { calls: &["a"], ..CALLS };
    let answered = Said { role: Role::Tool, tokens: [0, 0, 1], results: &["a"], ..ASKS };
    for said in [vec![], vec![ASKS], vec![ASKS, SAYS], vec![ASKS, alone, answered, alone, answered, SAYS]] {
        assert!(drawn(&said, 20).is_empty());
    }
}

#[test]
fn calls_at_the_same_time_have_lanes() {
    let result = |results| Said { role: Role::Tool, tokens: [0, 0, 1], results, ..ASKS };
    let said = [ASKS, CALLS, result(&["a"]), result(&["b"]), SAYS];
    assert_eq!(
        drawn(&said, 20),
        ["user: ssss................", "assistant: ....ttcccccc....ttss", "parallel calls: ......cccccccccc...."]
    );
}

#[test]
fn agents_think_side_by_side_over_the_time() {
    let at = |time, said: Said| Said { time: Some(time), ..said };
    let scout = |number, change| Said { chain: Some((number, "scout", change)), ..SAYS };
    let task = |number| Said { role: Role::User, ..scout(number, TrackChange::Begins) };
    let said = [
        at(0, ASKS),
        at(10, CALLS),
        at(10, task(1)),
        at(10, task(2)),
        at(20, scout(1, TrackChange::Open)),
        at(30, scout(2, TrackChange::Open)),
        at(40, Said { role: Role::Tool, tokens: [0, 0, 1], results: &["a", "b"], ..ASKS }),
    ];
    assert_eq!(
        drawn(&said, 40),
        [
            "user: s.......................................",
            "assistant: tttttccccccccccccccccccccccccccccccccccc",
            "parallel calls: .....ccccccccccccccccccccccccccccccccccc",
            "scout: ..........tttttsssss....................",
            "scout: ..........ttttttttttssssssssss..........",
        ]
    );
    let drawn = lanes(&said).draw(40).unwrap();
    assert_eq!(drawn.scale, Scale::Time(Time(0), Time(40)));
    // Most messages need times.
    let untimed = [ASKS, CALLS, SAYS, at(9, SAYS), at(10, SAYS)];
    assert_eq!(lanes(&untimed).draw(40).unwrap().scale, Scale::Order);
}

#[test]
fn long_pauses_are_shorter_and_named() {
    let at = |time, said: Said| Said { time: Some(time), ..said };
    let said = [at(0, ASKS), at(100, CALLS), at(100_000, ASKS), at(100_100, SAYS)];
    let drawn = lanes(&said).draw(100).unwrap();
    assert_eq!(drawn.pauses.len(), 1);
    let (at, seconds) = drawn.pauses[0];
    assert!(seconds == 99_900.0 && (30..60).contains(&at), "{seconds} at {at}");
}

#[test]
fn long_inputs_are_summed_up() {
    let mut said = Vec::new();
    for at in 0..100_000 {
        let change = if at == 0 { TrackChange::Begins } else { TrackChange::Open };
        let chain = (at % 3 == 0).then_some((at as u64 % 600, "scout", change));
        said.push(Said { chain, time: Some(at), ..SAYS });
    }
    let mut lanes = lanes(&said);
    assert!(lanes.done.len() <= DEEDS && lanes.lanes.len() <= LANES + 1, "{} {}", lanes.done.len(), lanes.lanes.len());
    let drawn = lanes.draw(200).unwrap();
    assert!(drawn.lanes.len() <= 16);
    for lane in &drawn.lanes {
        assert!(lane.cells.len() <= 200);
        assert!(lane.cells.windows(2).all(|pair| pair[0].to <= pair[1].from));
        assert!(lane.cells.iter().all(|cells| (1..=100_000).contains(&cells.place)));
    }
    let all: u64 = drawn.lanes.iter().flat_map(|lane| lane.counts).sum();
    assert_eq!(all, 200_000, "every thought and every text is counted");
}
