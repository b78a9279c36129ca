//! `show` in the terminal: what is drawn of whole conversations, how it gets to a terminal or a pager, and that nothing of
//! the input steers a terminal.

use crate::support::*;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

const THEMES: [(&str, &[&str]); 3] = [
    ("dark", &["--color", "always", "--theme", "dark"]),
    ("light", &["--color", "always", "--theme", "light"]),
    ("plain", &["--color", "never"]),
];

fn show(args: &[&str], input: &[u8]) -> (i32, String, String) {
    run_with(args, &[], input)
}

fn run_with(args: &[&str], variables: &[(&str, &str)], input: &[u8]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unthink"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "COLORFGBG", "PAGER", "LESS"] {
        command.env_remove(name);
    }
    command.current_dir(root()).arg("show").args(args).envs(variables.iter().copied());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that ends early does not read all.
    let writes = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writes.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The drawing without our own sequences. Any other is a fault.
fn without_styles(drawing: &str) -> String {
    let mut parts = drawing.split('\u{1b}');
    let mut shown = parts.next().unwrap().to_string();
    for part in parts {
        let (codes, text) = part.split_once('m').unwrap_or_else(|| panic!("{part:?}"));
        let ours = codes.strip_prefix("[0").is_some_and(|codes| codes.bytes().all(|b| b.is_ascii_digit() || b == b';'));
        assert!(ours, "{codes:?}");
        shown.push_str(text);
    }
    shown
}

/// A drawing with the codes of its styles in brackets.
fn readable(drawing: &str) -> String {
    let mut parts = drawing.split("\u{1b}[0");
    let mut shown = parts.next().unwrap().to_string();
    for part in parts {
        let (codes, text) = part.split_once('m').unwrap();
        shown += &format!("⟦{}⟧{text}", codes.trim_start_matches(';'));
    }
    shown
}

fn conversations() -> Vec<String> {
    let files = files_in(&root().join("testdata/show"));
    files.iter().map(|path| path.strip_prefix(root()).unwrap().display().to_string()).collect()
}

#[test]
fn conversations_as_they_are_drawn() {
    let files = conversations();
    for width in ["60", "80", "120"] {
        let mut plain = Vec::new();
        for (theme, options) in THEMES {
            let args: Vec<&str> = [&["--width", width], options].concat();
            let args: Vec<&str> = args.into_iter().chain(files.iter().map(String::as_str)).collect();
            let (status, drawing, notes) = show(&args, b"");
            assert_eq!((status, notes.as_str()), (0, ""));
            insta::assert_snapshot!(format!("show_{theme}_{width}"), readable(&drawing));
            plain.push(without_styles(&drawing));
        }
        assert_eq!(plain[0], plain[1], "themes differ in colours only");
    }
}

#[test]
fn a_conversation_is_drawn_the_same_however_it_comes() {
    for file in conversations() {
        let input = fs::read(root().join(&file)).unwrap();
        let whole = show(&["--width", "60", &file], b"");
        assert_eq!(show(&["--width", "60"], &input), whole, "{file}");
    }
    let stream =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"reasoning\":\"Low pres\"}}]}\n\n";
    let parts = [
        stream,
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"sure west. \"}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"PUBL1C rain. \"}}]}\n\n",
        "data: [DONE]\n\n",
    ];
    let drawn = feed_parts(&["show", "--width", "60", "--color", "never"], &parts);
    assert!(drawn[0].ends_with("┊ Low"), "{drawn:?}");
    assert!(drawn[1].starts_with(" pressure west."), "{drawn:?}");
    assert!(drawn[2].contains("  PUBL1C rain."), "{drawn:?}");
    assert_eq!(drawn.concat(), show(&["--width", "60"], parts.concat().as_bytes()).1[..drawn.concat().len()]);
}

#[test]
fn colour_and_width_are_found_out() {
    let input = b"<think>Low pressure.</think>Rain by noon.\n";
    let styled = |args: &[&str], variables: &[(&str, &str)]| run_with(args, variables, input).1.contains('\u{1b}');
    for (args, variables, colored) in [
        (&[][..], &[][..], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
    ] {
        assert_eq!(styled(args, variables), colored, "{args:?} {variables:?}");
    }
    let columns = |args: &[&str], variables: &[(&str, &str)]| {
        let drawing = run_with(args, variables, input).1;
        drawing.lines().next().unwrap().chars().count()
    };
    for (args, variables, width) in [
        (&[][..], &[][..], 80),
        (&[], &[("COLUMNS", "50")], 50),
        (&[], &[("COLUMNS", "3")], 20),
        (&[], &[("COLUMNS", "wide")], 80),
        (&["--width", "44"], &[("COLUMNS", "50")], 44),
    ] {
        assert_eq!(columns(args, variables), width, "{args:?} {variables:?}");
    }
    let light = |variables: &[(&str, &str)]| run_with(&["--color", "always"], variables, input).1.contains("48;5;255");
    assert!(!light(&[]) && !light(&[("COLORFGBG", "15;0")]) && light(&[("COLORFGBG", "0;15")]));
}

#[test]
fn a_pager_gets_what_it_is_asked_for() {
    let input: String = (0..500).map(|i| format!("{{\"role\":\"user\",\"content\":\"line {i}\"}}\n")).collect();
    let input = input.as_bytes();
    let (_, plain, _) = show(&[], input);
    // In a pipe none is used unless it is asked for.
    assert_eq!(run_with(&[], &[("PAGER", "tr a-z A-Z")], input), (0, plain.clone(), String::new()));
    assert_eq!(
        run_with(&["--paging", "always"], &[("PAGER", "tr a-z A-Z")], input),
        (0, plain.to_ascii_uppercase(), String::new())
    );
    for pager in ["cat", ""] {
        assert_eq!(run_with(&["--paging", "always"], &[("PAGER", pager)], input), (0, plain.clone(), String::new()));
    }
    // One that is left early has had enough.
    let (status, drawing, notes) = run_with(&["--paging", "always"], &[("PAGER", "head -n 2")], &input.repeat(200));
    assert_eq!((status, drawing.lines().count(), notes.as_str()), (0, 2, ""));
    // One that is not there is no reason to draw nothing.
    let (status, drawing, notes) = run_with(&["--paging", "always"], &[("PAGER", "no-such-pager -x")], input);
    assert_eq!((status, drawing == plain), (0, true));
    assert!(notes.contains("the pager no-such-pager cannot be started"), "{notes}");
    let nowhere = [("PATH", "/nowhere")];
    assert_eq!(run_with(&["--paging", "always"], &nowhere, input), (0, plain.clone(), String::new()));
    // What went wrong is told when the pager is gone, and the status stays true.
    let bad = [input, b"{\"role\":\n"].concat();
    let (status, drawing, notes) = run_with(&["--paging", "always"], &[("PAGER", "tr a-z A-Z")], &bad);
    assert!(
        status == 3 && drawing.ends_with("IS CUT OFF\n") && notes.contains("1 of 501 records not processed"),
        "{notes}"
    );
}

#[test]
fn no_input_steers_a_terminal() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("hard/hard/term");
    let files = files_in(&folder);
    assert!(files.len() >= 30);
    for path in files {
        let input = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&input);
        let quoted = serde_json::to_string(&text).unwrap();
        let everywhere = format!(
            "{{\"model\":{quoted},\"messages\":[{{\"role\":\"user\",\"name\":{quoted},\"content\":{quoted}}},{{\"role\":\"assistant\",\
             \"reasoning_content\":{quoted},\"content\":{quoted},\"tool_calls\":[{{\"id\":\"c\",\"type\":\"function\",\"function\":\
             {{\"name\":{quoted},\"arguments\":{quoted}}}}}]}},{{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":{quoted}}}]}}\n"
        );
        let agents = format!(
            "{{\"protocol\":\"mew/v0.4\",\"id\":{quoted},\"from\":{quoted},\"kind\":\"reasoning/start\",\"payload\":{{\"message\":{quoted}}}}}\n"
        );
        for (i, input) in [&input[..], everywhere.as_bytes(), agents.as_bytes()].into_iter().enumerate() {
            for args in [&["--color", "always"][..], &["--color", "never", "--collapse"]] {
                let (status, drawing, _) = show(args, input);
                assert!(status == 0 || status == 3, "{}", path.display());
                let shown = without_styles(&drawing);
                // What keeps letters of a joining script apart is part of their spelling.
                let hidden = |c: char| {
                    c != '\n' && unthink::internals::printable::is_hidden(c) && !matches!(c, '\u{200c}' | '\u{200d}')
                };
                assert!(!shown.chars().any(hidden), "{} {i}: {shown:?}", path.display());
            }
        }
        let (_, raw, _) = show(&["--raw", "--framing", "text"], &input);
        assert_eq!(raw.contains('\u{1b}'), text.contains('\u{1b}'), "{}", path.display());
    }
}

/// A terminal of so many rows and 60 columns, in which the program runs. It answers with `background`, if it knows one,
/// when it is asked for it.
#[cfg(target_os = "linux")]
pub struct Screen {
    child: std::process::Child,
    shows: std::sync::mpsc::Receiver<String>,
    shown: String,
}

#[cfg(target_os = "linux")]
impl Screen {
    fn new(args: &[&str], rows: u16, background: Option<&'static str>, stdin: bool) -> Self {
        Self::of(&[&["show"], args].concat(), rows, background, stdin)
    }

    /// Runs the program with these arguments.
    pub fn of(args: &[&str], rows: u16, background: Option<&'static str>, stdin: bool) -> Self {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        use rustix::termios::{Winsize, tcsetwinsize};
        use std::io::Read;
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = fs::File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        tcsetwinsize(&theirs, Winsize { ws_row: rows, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let same = || Stdio::from(theirs.try_clone().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_unthink"));
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "COLORFGBG", "LESS"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color").env("PAGER", "tr a-z A-Z").current_dir(root()).args(args);
        let input = if stdin { Stdio::piped() } else { same() };
        let child = command.stdin(input).stdout(same()).stderr(same()).spawn().unwrap();
        drop((command, theirs));
        let (sender, shows) = std::sync::mpsc::channel();
        let mut terminal = fs::File::from(ours);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // It is hung up when the program is over.
            while let Ok(n @ 1..) = terminal.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..n]).into_owned();
                if text.contains("\u{1b}]11;?") {
                    let colors = |rgb| format!("\u{1b}]10;rgb:8080/8080/8080\u{1b}\\\u{1b}]11;rgb:{rgb}\u{1b}\\");
                    write!(terminal, "{}\u{1b}[?62c", background.map_or(String::new(), colors)).unwrap();
                }
                let _ = sender.send(text);
            }
        });
        Self { child, shows, shown: String::new() }
    }

    /// Waits until this is shown.
    fn wait_for(&mut self, text: &str) {
        while !self.shown.contains(text) {
            let more = self.shows.recv_timeout(std::time::Duration::from_secs(20));
            self.shown += &more.unwrap_or_else(|_| panic!("{text} is not shown: {}", self.shown));
        }
    }

    pub fn end(mut self) -> String {
        assert!(self.child.wait().unwrap().success());
        self.shown += &self.shows.iter().collect::<String>();
        self.shown
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_is_asked_and_a_pager_is_used_for_what_is_longer() {
    let short = "testdata/text/think.txt";
    for (background, args, shade) in [
        (Some("ffff/ffff/ffff"), &[][..], "48;5;255"),
        (Some("1010/1010/1010"), &[], "48;5;235"),
        (None, &[], "48;5;235"),
        (None, &["--theme", "light"], "48;5;255"),
        (Some("ffff/ffff/ffff"), &["--theme", "dark"], "48;5;235"),
    ] {
        let shown = Screen::new(&[args, &[short]].concat(), 24, background, false).end();
        assert!(shown.contains(shade) && shown.contains("PUBL1C Hello!"), "{shown:?}");
        assert_eq!(shown.contains("]11;?"), args.is_empty(), "{shown:?}");
        let head = shown.lines().find(|line| line.contains("assistant")).unwrap();
        assert_eq!(without_styles(&head[head.find("\u{1b}[0;1").unwrap()..]).trim_end().chars().count(), 60);
    }
    // The pager writes in capitals. Five lines fit where one is left for the prompt.
    for (rows, args, paged) in [
        (24, &["--color", "never"][..], false),
        (6, &["--color", "never"], false),
        (5, &["--color", "never"], true),
        (5, &["--color", "never", "--paging", "never"], false),
        (24, &["--color", "never", "--paging", "always"], true),
    ] {
        let shown = Screen::new(&[args, &[short]].concat(), rows, None, false).end();
        assert_eq!(shown.contains("HELLO"), paged, "{rows} {args:?} {shown}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_slow_stream_is_drawn_without_a_pager() {
    let mut screen = Screen::new(&["--color", "never"], 10, None, true);
    let mut stdin = screen.child.stdin.take().unwrap();
    let line = |i: usize| format!("{{\"role\":\"user\",\"content\":\"line {i}\"}}\n");
    stdin.write_all(line(0).as_bytes()).unwrap();
    screen.wait_for("line 0");
    for i in 1..50 {
        stdin.write_all(line(i).as_bytes()).unwrap();
    }
    drop(stdin);
    let shown = screen.end();
    assert!(shown.contains("line 49") && !shown.contains("LINE"), "{shown}");
}
