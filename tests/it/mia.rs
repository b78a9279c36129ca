//! MIA's event streams: what the laws over test data do not say of them.

use crate::convert::TARGETS;
use crate::support::*;
use assert_cmd::Command;

fn read(name: &str) -> Vec<u8> {
    std::fs::read(root().join("testdata/mia").join(name)).unwrap()
}

/// Three responses, one event of each in turn.
fn interleaved() -> Vec<u8> {
    let response = |n: usize| {
        let event = |name: &str, rest: &str| format!("event: {name}\ndata: {{\"request_id\":\"r{n}\",{rest}}}\n\n");
        let mut events: Vec<String> =
            (0..=n).map(|i| event("analysis", &format!("\"text\":\"S3CRET {n}{i} \""))).collect();
        events.extend((0..3).map(|i| event("token", &format!("\"seq\":{i},\"text\":\"PUBL1C {n}{i} \""))));
        events.push(event("reasoning", &format!("\"reasoning_text\":\"S3CRET again {n}\",\"stats\":{{}}")));
        events.push(event("final", &format!("\"text\":\"PUBL1C again {n}\",\"reasoning_text\":null,\"stats\":{{}}")));
        events.push(event("end", "\"status\":\"ok\""));
        events
    };
    let all: Vec<Vec<String>> = (0..3).map(response).collect();
    let longest = all.iter().map(Vec::len).max().unwrap();
    let turns = (0..longest).flat_map(|i| all.iter().filter_map(move |events| events.get(i).cloned()));
    turns.collect::<String>().into_bytes()
}

#[test]
fn every_form_says_the_same() {
    let want = messages(&read("adapter.jsonl"), Setup::default());
    assert_eq!(want.len(), 7);
    for name in ["adapter.sse", "array.json"] {
        assert_eq!(messages(&read(name), Setup::default()), want, "{name}");
    }
    assert_eq!(messages(&read("numbered.jsonl"), Setup::default()), want[..4]);
}

#[test]
fn responses_may_interleave() {
    let input = interleaved();
    let found = messages(&input, Setup::default());
    assert_eq!(found.len(), 3, "{found:?}");
    for (n, (visible, reasoning)) in found.iter().enumerate() {
        assert_eq!(*visible, format!("PUBL1C again {n}"), "the answer in full is the better");
        let want: String = (0..=n).map(|i| format!("S3CRET {n}{i} ")).collect();
        assert_eq!(reasoning.as_deref(), Some(want.as_str()));
    }
    let stripped = strip(&input, Setup::default());
    assert!(!stripped.text().contains("S3CRET"), "{}", stripped.text());
    assert_eq!(stripped.text().matches("PUBL1C").count(), 12);
    for piece in [1, 2, 3, 7, 64] {
        let setup = Setup { piece, ..Setup::default() };
        assert_eq!(strip(&input, setup), stripped, "in pieces of {piece}");
        assert_eq!(split(&input, setup), split(&input, Setup::default()), "split in pieces of {piece}");
        for to in ["reasoning-content", "anthropic"] {
            let [whole, pieces] = [1 << 20, piece].map(|size| convert_to(&input, to, size));
            assert!(pieces.out == whole.out && pieces.losses == whole.losses, "convert in pieces of {piece}");
            assert_eq!(whole.refused, [""; 0]);
        }
    }
}

/// Each event once, in time that grows with their number, also when no response is ever over.
#[test]
fn open_responses_are_let_go_of() {
    let event = |i: usize| format!("event: token\ndata: {{\"request_id\":\"r{i}\",\"text\":\"PUBL1C {i}\"}}\n\n");
    let input: String = (0..20_000).map(event).collect();
    let found = messages(input.as_bytes(), Setup::default());
    assert_eq!(found.len(), 20_000);
    assert_eq!(found[19_999].0, "PUBL1C 19999");
}

/// A response that is over does not count among what is held, though an earlier one is still open.
#[test]
fn what_is_over_is_not_held() {
    let event = |name: &str, id: &str, rest: &str| format!("{{\"type\":\"{name}\",\"request_id\":\"{id}\",{rest}}}\n");
    let text = "PUBL1C ".repeat(150);
    let response = |id: &str, text: &str| {
        let whole = format!("\"stats\":{{}},\"reasoning_text\":null,\"final_text\":\"{text}\"");
        [event("delta", id, &format!("\"text\":\"{text}\"")), event("final", id, &whole)]
    };
    let [begins, ends] = response("a", "PUBL1C");
    let others: String = (0..100).flat_map(|i| response(&format!("b{i}"), &text)).collect();
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.args(["split", "--max-record", "50000"]).write_stdin(begins + &others + &ends);
    let output = command.assert().success().get_output().stdout.clone();
    assert_eq!(output.iter().filter(|b| **b == b'\n').count(), 101);
}

/// What is converted says the same; only commentary is no more than text.
#[test]
fn what_is_converted_says_the_same() {
    let run = |args: &[&str], input: &[u8]| {
        let output = Command::cargo_bin("unthink").unwrap().args(args).write_stdin(input).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let flat = |all: Vec<(String, Option<String>)>| -> Vec<(String, Option<String>)> {
        let plain = |text: String| text.split_whitespace().collect::<String>();
        all.into_iter().map(|(visible, reasoning)| (plain(visible), reasoning.map(plain))).collect()
    };
    for file in files_in(&root().join("testdata/mia")) {
        let input = std::fs::read(&file).unwrap();
        let want = flat(messages(&input, Setup::default()));
        for to in TARGETS {
            let out = run(&["convert", "-q", "--to", to], &input);
            assert!(run(&["convert", "-q", "--from", "mia", "--to", to], &input) == out, "{} to {to}", file.display());
            assert_eq!(flat(messages(&out, Setup::default())), want, "{} to {to}", file.display());
            let again = run(&["convert", "-q", "--to", to], &out);
            assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&out), "{} to {to}", file.display());
        }
    }
}

/// An event: its kind, its response, and how its text is written.
fn event((kind, response, sse): (usize, usize, bool)) -> String {
    let id = ["\"request_id\":\"a\",", "\"request_id\":\"b\",", "\"record\":1,\"message\":2,", ""][response];
    let (name, rest) = [
        ("analysis", "\"text\":\"S3CRET \""),
        ("delta", "\"text\":\"PUBL1C \""),
        ("delta", "\"text\":\"\""),
        ("delta", "\"text\":\"a <think>S3CRET</think> PUBL1C\""),
        ("commentary", "\"text\":\"PUBL1C.\""),
        ("tool_call", "\"recipient\":\"f\",\"args_text\":\"PUBL1C\""),
        ("final", "\"stats\":{},\"reasoning_text\":\"S3CRET\",\"final_text\":\"PUBL1C\""),
        ("final", "\"stats\":{},\"reasoning_text\":null,\"final_text\":\"\""),
        ("final", "\"final_text\":null,\"reasoning_text\":\"S\\u0033CRET\""),
        ("reasoning", "\"reasoning_text\":\"S3CRET\",\"stats\":{\"reasoning_tokens\":1}"),
        ("usage", "\"reasoning_tokens\":1"),
        ("end", "\"status\":\"ok\""),
    ][kind];
    match (sse, response < 2) {
        (true, true) => format!("event: {name}\ndata: {{{id}{rest}}}\n\n"),
        (true, false) => format!("event: delta\ndata: {{{id}\"type\":\"{name}\",{rest}}}\n\n"),
        (false, _) => format!("{{{id}\"type\":\"{name}\",{rest}}}\n"),
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(300))]
    #[test]
    fn whatever_the_order_of_events(
        kinds in proptest::collection::vec((0..12usize, 0..4usize), 1..14),
        sse in proptest::bool::ANY,
    ) {
        // What is no event of an adapter is told by the name of the event, and by the name of a response.
        let known = kinds.into_iter().filter(|(kind, response)| *kind < 9 || sse && *response < 2);
        let input: String = known.map(|(kind, response)| event((kind, response, sse))).collect();
        let setup = Setup::default();
        let whole = strip(input.as_bytes(), setup);
        let count = |text: &str| text.matches("PUBL1C").count();
        proptest::prop_assert!(!whole.text().contains("CRET"), "{}", whole.text());
        proptest::prop_assert_eq!(count(&whole.text()), count(&input));
        proptest::prop_assert_eq!(&whole.problems, &[]);
        proptest::prop_assert_eq!(&strip(&whole.out, setup).out, &whole.out);
        for name in POLICIES {
            let all = strip(input.as_bytes(), policy(name));
            proptest::prop_assert_eq!(&strip(input.as_bytes(), Setup { piece: 1, ..policy(name) }), &all);
            proptest::prop_assert_eq!(&strip(input.as_bytes(), Setup { shortcuts_off: true, ..policy(name) }), &all);
        }
        let pieces = Setup { piece: 1, ..setup };
        proptest::prop_assert_eq!(split(input.as_bytes(), pieces), split(input.as_bytes(), setup));
        let deltas = convert_to(input.as_bytes(), "reasoning", 1 << 20);
        // A stream may be cut off.
        let other = deltas.refused.iter().any(|why| !why.contains("no event ends this message"));
        proptest::prop_assert!(input.is_empty() || !other, "{:?}", deltas.refused);
        for line in String::from_utf8_lossy(&deltas.out).lines().filter_map(|line| line.strip_prefix("data: ").filter(|data| *data != "[DONE]").or(line.strip_prefix("{\"").map(|_| line))) {
            proptest::prop_assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{}", line);
        }
    }
}
