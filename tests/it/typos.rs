//! What people type that is wrong, and the answer they get: a suggestion only if it is near, or known.

use assert_cmd::Command;
use std::fs;
use tempfile::TempDir;

/// A folder with a file, a folder without one to read, and a settings file.
fn place() -> TempDir {
    let dir = TempDir::new().unwrap();
    let message = "{\"role\":\"assistant\",\"reasoning\":\"It rains.\",\"content\":\"Take an umbrella.\"}\n";
    fs::write(dir.path().join("session.jsonl"), message).unwrap();
    fs::create_dir(dir.path().join("empty")).unwrap();
    fs::write(dir.path().join("profile.json"), "{\"reasoning.effrot\":\"low\"}").unwrap();
    dir
}

/// What was typed, the status, and the first line of the answer behind `unthink: error: `.
#[rustfmt::skip]
const TYPOS: &[(&str, i32, &str)] = &[
    // Commands.
    ("stirp session.jsonl", 2, "stirp: no such file or command; did you mean `unthink strip`?"),
    ("strp session.jsonl", 2, "strp: no such file or command; did you mean `unthink strip`?"),
    ("srtip", 2, "srtip: no such file or command; did you mean `unthink strip`?"),
    ("Strip session.jsonl", 2, "Strip: no such file or command; did you mean `unthink strip`?"),
    ("spilt session.jsonl", 2, "spilt: no such file or command; did you mean `unthink split`?"),
    ("covert session.jsonl", 2, "covert: no such file or command; did you mean `unthink convert`?"),
    ("chek session.jsonl", 2, "chek: no such file or command; did you mean `unthink check`?"),
    ("token session.jsonl", 2, "token: no such file or command; did you mean `unthink tokens`?"),
    ("shwo session.jsonl", 2, "shwo: no such file or command; did you mean `unthink show`?"),
    ("remove session.jsonl", 2, "remove: no such file or command; did you mean `unthink strip`?"),
    ("extract session.jsonl", 2, "extract: no such file or command; did you mean `unthink split`?"),
    ("count session.jsonl", 2, "count: no such file or command; did you mean `unthink tokens`?"),
    ("lint session.jsonl", 2, "lint: no such file or command; did you mean `unthink check`?"),
    ("view session.jsonl", 2, "view: no such file or command; did you mean `unthink show`?"),
    ("settings", 2, "settings: no such file or command; did you mean `unthink profile`?"),
    ("help stirp", 2, "stirp: no such command; did you mean strip?"),
    ("help weather", 2, "weather: no such command"),
    ("weather", 4, "weather: No such file or directory (os error 2)"),
    ("man stirp", 2, "stirp: no such value; did you mean strip? It is one of "),
    ("completions fihs", 2, "fihs: no such value; did you mean fish? It is one of "),
    // Options with a typing mistake.
    ("strip --polcy all session.jsonl", 2, "strip has no option --polcy; did you mean --policy?"),
    ("strip --polcy=all session.jsonl", 2, "strip has no option --polcy; did you mean --policy?"),
    ("strip --inplace session.jsonl", 2, "strip has no option --inplace; did you mean --in-place?"),
    ("strip --dryrun session.jsonl", 2, "strip has no option --dryrun; did you mean --dry-run?"),
    ("strip --dry session.jsonl", 2, "strip has no option --dry; did you mean --dry-run?"),
    ("strip --stat session.jsonl", 2, "strip has no option --stat; did you mean --stats?"),
    ("check --selct UT1 session.jsonl", 2, "check has no option --selct; did you mean --select?"),
    ("check --basline x session.jsonl", 2, "check has no option --basline; did you mean --baseline?"),
    ("show --htlm session.jsonl", 2, "show has no option --htlm; did you mean --html?"),
    ("tokens --methd words session.jsonl", 2, "tokens has no option --methd; did you mean --method?"),
    ("--form chat session.jsonl", 2, "unthink has no option --form; did you mean --from?"),
    ("--framming sse session.jsonl", 2, "unthink has no option --framming; did you mean --framing?"),
    ("--verbos session.jsonl", 2, "unthink has no option --verbos; did you mean --verbose?"),
    ("--nonsense session.jsonl", 2, "unthink has no option --nonsense"),
    ("-x session.jsonl", 2, "unthink has no option -x"),
    // Options of another command.
    ("-i session.jsonl", 2, "unthink has no option -i; it is an option of `unthink strip`, repair"),
    ("--in-place session.jsonl", 2, "unthink has no option --in-place; it is an option of `unthink strip`, repair"),
    ("--dry-run session.jsonl", 2, "unthink has no option --dry-run; it is an option of `unthink strip`, repair"),
    ("--html session.jsonl", 2, "unthink has no option --html; it is an option of `unthink show`"),
    ("strip --to chat session.jsonl", 2, "strip has no option --to; it is an option of `unthink convert`"),
    ("split --policy all session.jsonl", 2, "split has no option --policy; it is an option of `unthink strip`, convert, check"),
    ("convert --in-place --to anthropic session.jsonl", 2, "convert has no option --in-place; it is an option of `unthink strip`, repair"),
    ("tokens --html session.jsonl", 2, "tokens has no option --html; it is an option of `unthink show`"),
    ("check --dry-run session.jsonl", 2, "check has no option --dry-run; it is an option of `unthink strip`, repair"),
    ("show --explain UT101", 2, "show has no option --explain; it is an option of `unthink check`"),
    // Options of other programs.
    ("--json session.jsonl", 2, "unthink has no option --json; -o json is an option of `unthink split`, "),
    ("split --json session.jsonl", 2, "split has no option --json; did you mean -o json?"),
    ("check --sarif .", 2, "check has no option --sarif; did you mean -o sarif?"),
    ("check --format json .", 2, "check has no option --format; -o FORMAT says what is written"),
    ("tokens --csv session.jsonl", 2, "tokens has no option --csv; did you mean -o csv?"),
    ("strip --output clean.jsonl session.jsonl", 2, "strip has no option --output; it is an option of "),
    ("strip --exclude tests .", 2, "strip has no option --exclude; --glob '!PATTERN' leaves files out"),
    ("check --include *.json .", 2, "check has no option --include; --glob PATTERN says which files of a folder are read"),
    ("strip --backup session.jsonl", 2, "strip has no option --backup; -i.bak keeps the old file"),
    ("check --fix .", 2, "check has no option --fix; `unthink strip --in-place` removes what is found"),
    ("--no-color session.jsonl", 2, "unthink has no option --no-color; --color never colours nothing"),
    ("--silent session.jsonl", 2, "unthink has no option --silent; --quiet writes fewer messages"),
    ("--debug session.jsonl", 2, "unthink has no option --debug; --verbose writes more messages"),
    ("--dialect chat session.jsonl", 2, "unthink has no option --dialect; --from DIALECT says what is read"),
    ("--type chat session.jsonl", 2, "unthink has no option --type; --from DIALECT says what is read"),
    ("--stdin", 2, "unthink has no option --stdin; files are named without an option, and stdin is -"),
    // Dialects.
    ("--from gemni session.jsonl", 2, "--from gemni: no such dialect; did you mean gemini?"),
    ("--from Claude session.jsonl", 2, "--from Claude: no such dialect; did you mean claude?"),
    ("--from claudecode session.jsonl", 2, "--from claudecode: no such dialect; did you mean claude-code?"),
    ("--from openai session.jsonl", 2, "--from openai: no such dialect; there are chat, reasoning-content, reasoning, tagged, responses"),
    ("--from xai session.jsonl", 2, "--from xai: no such dialect; did you mean chat?"),
    ("--from aws session.jsonl", 2, "--from aws: no such dialect; did you mean bedrock?"),
    ("--from vertex session.jsonl", 2, "--from vertex: no such dialect; did you mean gemini?"),
    ("--from cursor session.jsonl", 2, "--from cursor: no such dialect; files of Cursor are not read yet. Without this option, "),
    ("--from weather session.jsonl", 2, "--from weather: no such dialect"),
    ("convert --to chat --spelling details session.jsonl", 2, "--to chat: no spelling \"details\" of chat; there are reasoning-content, reasoning, tagged, harmony"),
    ("convert --to gemini --spelling tagged session.jsonl", 2, "--to gemini: gemini is written in one spelling only"),
    ("convert --to openai session.jsonl", 2, "--to openai: no such dialect; there are chat, reasoning-content, reasoning, tagged, responses"),
    ("convert --to codex session.jsonl", 2, "--to codex: that dialect is only read. What can be written: "),
    ("convert --to sharegpt session.jsonl", 2, "--to sharegpt: that dialect is only read. What can be written: "),
    ("convert --to codex session.jsonl", 2, "--to codex: that dialect is only read. What can be written: "),
    ("convert --to antropic session.jsonl", 2, "--to antropic: no such dialect; did you mean anthropic? What can be written: "),
    ("convert --to weather session.jsonl", 2, "--to weather: no such dialect. What can be written: "),
    ("convert session.jsonl", 2, "convert: --to <DIALECT> is missing"),
    // Policies.
    ("-p al session.jsonl", 2, "--policy al: no such policy; did you mean all? It is one of none, all, all-but-last, "),
    ("strip -p keep-last session.jsonl", 2, "--policy keep-last: no such policy; did you mean keep-last-N? It is one of "),
    ("strip -p keep-last-0 session.jsonl", 2, "--policy keep-last-0: no such policy; did you mean keep-last-N? It is one of "),
    ("strip -p allbutlast session.jsonl", 2, "--policy allbutlast: no such policy; did you mean all-but-last? It is one of "),
    ("check -p last-user session.jsonl", 2, "--policy last-user: no such policy; did you mean before-last-user? It is one of "),
    ("strip -p weather session.jsonl", 2, "--policy weather: no such policy. It is one of none, all, "),
    ("strip --policy", 2, "--policy: the value is missing; it is one of none, all, all-but-last, "),
    // Tags.
    ("--tag foo session.jsonl", 2, "--tag foo: no such row of the tag table (OPEN,CLOSE adds one)"),
    ("--tag thikn session.jsonl", 2, "--tag thikn: no such row of the tag table; did you mean think? (OPEN,CLOSE adds one)"),
    ("--tag <think> session.jsonl", 2, "--tag <think>: no such row of the tag table; did you mean think? (OPEN,CLOSE adds one)"),
    ("--tag <weather> session.jsonl", 2, "--tag <weather>: no such row of the tag table (OPEN,CLOSE adds one)"),
    // Formats and other values.
    ("tokens -o xml session.jsonl", 2, "--output xml: no such value; it is one of table, jsonl, json, csv, prometheus"),
    ("tokens -o jsn session.jsonl", 2, "--output jsn: no such value; did you mean json? It is one of table, "),
    ("split -o markdown session.jsonl", 2, "--output markdown: no such value; it is one of json, text, "),
    ("--framing jsnl session.jsonl", 2, "--framing jsnl: no such value; did you mean jsonl? It is one of auto, "),
    ("--color alway session.jsonl", 2, "--color alway: no such value; did you mean always? It is one of auto, "),
    ("list dialekts", 2, "dialekts: no such value; did you mean dialects? It is one of dialects, "),
    ("list weather", 2, "weather: no such value; it is one of dialects, "),
    ("list", 2, "list: <WHAT> is missing"),
    ("--max-record 12x session.jsonl", 2, "--max-record 12x: a number of bytes, such as 4096, 64K, 256M or 1G"),
    ("check --max-ratio 85 session.jsonl", 2, "--max-ratio 85: a share from 0 to 1, such as 0.85"),
    ("check --output-file sarf=out.sarif .", 2, "--output-file sarf=out.sarif: no such format; did you mean sarif?"),
    ("check --output-file out.sarif .", 2, "--output-file out.sarif: a format and a file, such as sarif=out.sarif"),
    ("check --select UT19 session.jsonl", 2, "--select UT19: no such rule (`unthink list rules` has all)"),
    ("check --select reasoning-prefx session.jsonl", 2, "--select reasoning-prefx: no such rule; did you mean reasoning-prefix? (`unthink list rules` has all)"),
    ("strip --field response session.jsonl", 2, "--field response: a JSON Pointer is empty or begins with /, and ~ stands only in ~0 and ~1; did you mean /response?"),
    ("convert --to tagged --field /output --column /cot data.jsonl", 2, "--column /cot: this is the name of a member beside the string; did you mean cot?"),
    ("convert --to anthropic --field /output data.jsonl", 2, "--field: a string of any record is converted to tagged, harmony, reasoning or reasoning-content"),
    ("convert --to tagged --prompt question data.jsonl", 2, "convert: --field <POINTER> is missing"),
    // An = that is missing.
    ("--set reasoning.effort low session.jsonl", 2, "--set reasoning.effort: there is no =; it is KEY=VALUE"),
    ("--set reasoning.effort=hihg session.jsonl", 2, "--set reasoning.effort: hihg is not allowed; allowed is minimal, low, medium, high; did you mean high?"),
    ("--set reasoning.effrot=low session.jsonl", 2, "--set reasoning.effrot: no such setting; did you mean reasoning.effort?"),
    ("--set weather=rain session.jsonl", 2, "--set weather: no such setting"),
    ("--profile profile.json session.jsonl", 2, "profile.json: reasoning.effrot: no such setting; did you mean reasoning.effort?"),
    ("check --capability scout session.jsonl", 2, "--capability scout: AGENT=PATTERN, such as scout=reasoning/start"),
    ("strip -i .bak", 4, ".bak: No such file or directory (os error 2)"),
    // Files that are missing, and folders.
    ("sesion.jsonl", 4, "sesion.jsonl: No such file or directory (os error 2); did you mean session.jsonl?"),
    ("session.json", 4, "session.json: No such file or directory (os error 2); did you mean session.jsonl?"),
    ("strip weather.jsonl", 4, "weather.jsonl: No such file or directory (os error 2)"),
    ("strip none/session.jsonl", 4, "none/session.jsonl: No such file or directory (os error 2)"),
    ("strip empty", 3, "empty: no file to read in this folder: "),
    ("--profile empty session.jsonl", 4, "empty: Is a directory (os error 21)"),
    ("--tags empty session.jsonl", 4, "empty: Is a directory (os error 21)"),
    ("check --baseline empty session.jsonl", 4, "empty: Is a directory (os error 21)"),
    ("-O empty session.jsonl", 4, "write empty: "),
    ("--rejects empty session.jsonl", 4, "empty: Is a directory (os error 21)"),
    // Options that exclude each other.
    ("-q -v session.jsonl", 2, "--quiet does not go with --verbose"),
    ("-f chat -f chat session.jsonl", 2, "--from is given twice"),
    ("split --only reasoning --reasoning-to r session.jsonl", 2, "--only does not go with --reasoning-to"),
    ("show --html --theme dark session.jsonl", 2, "--html does not go with --theme"),
    ("strip --diff --dry-run session.jsonl", 2, "--diff does not go with --dry-run"),
];

#[test]
#[cfg(unix)]
fn each_typo_gets_its_answer() {
    let mut wrong = Vec::new();
    for (typed, status, answer) in TYPOS {
        let dir = place();
        let mut command = Command::cargo_bin("unthink").unwrap();
        let out = command.current_dir(dir.path()).args(typed.split(' ')).write_stdin("").output().unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        let first = said.lines().next().unwrap_or_default().strip_prefix("unthink: error: ").unwrap_or_default();
        // What ends in a space or a comma goes on.
        let is_whole = !answer.ends_with(' ');
        let fits = if is_whole { first == *answer } else { first.starts_with(answer) };
        if !fits || out.status.code() != Some(*status) {
            wrong.push(format!("$ unthink {typed}\nwant {status}: {answer}\ngot  {:?}: {said}", out.status.code()));
        }
        let kept = fs::read_to_string(dir.path().join("session.jsonl")).unwrap();
        assert!(kept.contains("It rains."), "{typed}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TYPOS.len() >= 100, "only {}", TYPOS.len());
}

/// What looks like a mistake in other programs, and is none here.
#[test]
fn what_is_typed_in_haste_works() {
    let dir = place();
    let stripped = "{\"role\":\"assistant\",\"content\":\"Take an umbrella.\"}\n";
    for typed in [
        "session.jsonl",
        "-p all session.jsonl",
        "session.jsonl -p all",
        "--policy=all session.jsonl",
        "-r .",
        "strip -r . -g session*",
        "-q session.jsonl",
    ] {
        let mut command = Command::cargo_bin("unthink").unwrap();
        command.current_dir(dir.path()).args(typed.split(' ')).write_stdin("");
        let out = command.output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(text.contains(stripped), "{typed}: {text} {}", String::from_utf8_lossy(&out.stderr));
    }
}
