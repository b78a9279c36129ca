//! How much memory the conversion of a raw text takes, which is written when all of it has come.

#![cfg(target_os = "linux")]

use std::fs::{File, read_to_string, write};
use std::io::{Read, copy, sink};
use std::process::{Command, Stdio};

/// The most memory, in KiB, that a conversion of this file has needed when it writes its first byte. What was made is not
/// out then: nobody has read it.
fn peak(path: &std::path::Path, to: &str, piped: bool) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unthink"));
    command.args(["convert", "--framing", "text", "--to", to]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut cat = piped.then(|| Command::new("cat").arg(path).stdout(Stdio::piped()).spawn().unwrap());
    match &mut cat {
        Some(cat) => command.stdin(cat.stdout.take().unwrap()),
        None => command.arg(path).stdin(Stdio::null()),
    };
    let mut child = command.spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    let status = read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let peak = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    let rest = copy(&mut stdout, &mut sink()).unwrap();
    assert!(rest > File::open(path).unwrap().metadata().unwrap().len() / 2, "{to}: {rest} bytes");
    assert!(child.wait().unwrap().success(), "{to}");
    cat.into_iter().for_each(|mut cat| assert!(cat.wait().unwrap().success()));
    peak
}

/// Makes a text of about so many bytes.
type MakeText<'t> = &'t dyn Fn(usize) -> String;

/// A text is in memory once: what is written shares it, or is a copy of the input, and goes out in parts.
#[test]
fn a_raw_text_is_in_memory_once() {
    let folder = tempfile::tempdir().unwrap();
    let prose = |bytes: usize| "Wind \"from\" the west, rain by noon.\n".repeat(bytes / 37);
    // Of a block, some hundred bytes are not its text.
    let blocks = |bytes: usize| format!("<think>{}</think>\n{}\n", prose(300), prose(600)).repeat(bytes / 900);
    let texts: [(&str, u64, MakeText<'_>); 5] = [
        ("an answer", 12, &|n| format!("<think>S3CRET</think>\n{}", prose(n))),
        ("reasoning", 12, &|n| format!("<think>{}</think>\nPUBL1C", prose(n))),
        ("reasoning behind text", 12, &|n| format!("{}<think>{}</think>\n", prose(n / 2), prose(n / 2))),
        ("both", 12, &|n| format!("<think>{}</think>\n{}", prose(n / 2), prose(n / 2))),
        ("thousands of blocks", 25, &blocks),
    ];
    let targets =
        ["reasoning-content", "thinking-block", "openrouter", "anthropic", "responses", "gemini", "ollama", "harmony"];
    for (name, tenths, text) in texts {
        // Both are large enough for a first pass.
        let paths = [6 << 20, 22 << 20].map(|bytes| {
            let path = folder.path().join(format!("{name} {bytes}"));
            write(&path, text(bytes)).unwrap();
            path
        });
        for to in targets {
            for piped in [false, true] {
                let [small, large] = [&paths[0], &paths[1]].map(|path| peak(path, to, piped));
                let more = large.saturating_sub(small);
                assert!(
                    more < (16 << 10) * tenths / 10,
                    "{name} to {to}, piped {piped}: {small} KiB, then {large} KiB"
                );
            }
        }
    }
}
