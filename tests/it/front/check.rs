//! The function `check`.

use super::*;
use unthink::CheckOptions;

#[test]
fn check_gives_what_the_command_gives() {
    for (name, input) in inputs() {
        for policy in [None, Some("all-but-last")] {
            let name = format!("{name}: {policy:?}");
            let policy_args = policy.map(|policy| ["--policy", policy]);
            let args: Vec<&str> = ["check", "-o", "jsonl", "--excerpt", "--exit-zero"]
                .into_iter()
                .chain(policy_args.into_iter().flatten())
                .collect();
            let mut options = CheckOptions::default().excerpts(true);
            options.policy = policy.map(|policy| policy.parse().unwrap());
            let command = command(&args, &input);
            let mut out = Vec::new();
            let reader = BufReader::with_capacity(7, input.as_slice());
            let (report, refused) = either(unthink::check_io(reader, &mut out, &options));
            assert_eq!(String::from_utf8(out).unwrap(), String::from_utf8_lossy(&command.out), "{name}");
            same_status(refused.as_ref(), &report.summary, &command, &name);

            let (done, again) = either(unthink::check(&input, &options));
            assert_eq!((&done.report, &again), (&report, &refused), "{name}");
            let mut each = Vec::new();
            let reader = BufReader::with_capacity(7, input.as_slice());
            let (streamed, again) = either(unthink::check_each(reader, |finding| each.push(finding), &options));
            assert_eq!((&each, &streamed, &again), (&done.findings, &report, &refused), "{name}: each");
            for (rule, n) in &report.rules {
                assert_eq!(each.iter().filter(|finding| finding.rule == *rule).count() as u64, *n, "{name}: {rule}");
            }
            let printed = lines(&command.out);
            assert_eq!(printed.len(), done.findings.len(), "{name}");
            assert_eq!(printed.len() as u64, report.errors + report.warnings, "{name}");
            for (printed, finding) in printed.iter().zip(&done.findings) {
                let place = (printed["rule"].as_str(), printed["record"].as_u64(), printed["offset"].as_u64());
                assert_eq!(place, (Some(finding.rule), Some(finding.record), Some(finding.bytes.start)), "{name}");
                assert_eq!(printed["pointer"].as_str(), finding.pointer.as_deref(), "{name}");
                assert_eq!(printed["fingerprint"], finding.fingerprint, "{name}");
                let text = finding.excerpt.as_ref().map(|excerpt| excerpt.text.as_str());
                assert_eq!(printed.get("excerpt").and_then(|excerpt| excerpt["text"].as_str()), text, "{name}");
            }
        }
    }
}

#[test]
fn options_of_check_that_cannot_be() {
    let wrong = |options: CheckOptions| match unthink::check(b"", &options) {
        Err(Error::Option(e)) => (e.option, e.to_string()),
        _ => panic!("{options:?}"),
    };
    let named = |name: &str| vec![name.to_string()];
    let (option, text) = wrong(CheckOptions::default().select(named("UT120")));
    assert!(option == "select" && text.contains("did you mean UT10"), "{text}");
    assert_eq!(wrong(CheckOptions::default().ignore(named("prefix"))).0, "ignore");
    assert_eq!(wrong(CheckOptions::default().ignore(named("UT"))).0, "select");
    assert_eq!(wrong(CheckOptions::default().select(named("UT401"))).0, "select");
    assert_eq!(wrong(CheckOptions::default().min_length(7)).0, "min_length");
    assert_eq!(wrong(CheckOptions::default().duplicate_percent(0)).0, "duplicate_percent");
    assert_eq!(wrong(CheckOptions::default().max_ratio(1.5)).0, "max_ratio");
}
