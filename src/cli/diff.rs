//! A unified diff between an input and its output, line by line while both are written. The steps of the output say
//! which bytes are kept, so that no lines need to be matched.
//!
//! Only the lines of one hunk are in memory. A hunk beyond the limit is written in parts without context, which `patch`
//! applies as well; `git apply` needs `--unidiff-zero` for them.

use crate::out::SpliceStep;
use crate::printable::is_hidden;
use memchr::{memchr, memrchr};
use std::collections::VecDeque;
use std::path::Path;

/// How many unchanged lines stand before and behind a change.
const CONTEXT: usize = 3;

/// The diff of one input.
pub struct Diff {
    name: Vec<u8>,
    color: bool,
    /// A hunk with more bytes than this is written in parts.
    limit: usize,
    /// Bytes of the input that no step has covered yet.
    window: Vec<u8>,
    /// How many of these bytes are done.
    at: usize,
    /// The lines of each side that are not complete on both.
    old: Vec<u8>,
    new: Vec<u8>,
    /// The numbers of the next lines, from 1.
    lines: [u64; 2],
    /// Unchanged lines behind the last change.
    unchanged: VecDeque<Vec<u8>>,
    hunk: Option<Hunk>,
    /// The file names were written.
    begun: bool,
}

struct Hunk {
    /// The numbers of its first lines on both sides.
    lines: [u64; 2],
    /// Its lines, each after a blank, `-` or `+`.
    body: Vec<u8>,
    /// It is too large: its changes are written without context.
    parted: bool,
}

impl Diff {
    pub fn new(path: &Path, color: bool, limit: usize) -> Self {
        Self {
            name: quoted(path.as_os_str().as_encoded_bytes()),
            color,
            limit,
            window: Vec::new(),
            at: 0,
            old: Vec::new(),
            new: Vec::new(),
            lines: [1, 1],
            unchanged: VecDeque::new(),
            hunk: None,
            begun: false,
        }
    }

    /// Reads bytes of the input.
    pub fn read(&mut self, bytes: &[u8]) {
        if self.at > self.window.len() / 2 {
            self.window.drain(..self.at);
            self.at = 0;
        }
        self.window.extend_from_slice(bytes);
    }

    /// Reads bytes of the output and their steps, and writes the lines that are complete.
    pub fn write(&mut self, steps: &[SpliceStep], mut out: &[u8], diff: &mut Vec<u8>) {
        let window = std::mem::take(&mut self.window);
        for step in steps {
            match *step {
                SpliceStep::Keep(n) => {
                    self.keep(&window[self.at..self.at + n as usize], diff);
                    self.at += n as usize;
                    out = &out[n as usize..];
                }
                SpliceStep::Cut(n) => {
                    self.old.extend_from_slice(&window[self.at..self.at + n as usize]);
                    self.at += n as usize;
                }
                SpliceStep::Put(n) => {
                    let (put, rest) = out.split_at(n as usize);
                    self.new.extend_from_slice(put);
                    out = rest;
                }
            }
            self.relieve(diff);
        }
        self.window = window;
    }

    /// Ends both sides. `whole`: the steps cover all of the input.
    pub fn finish(&mut self, whole: bool, diff: &mut Vec<u8>) {
        if !whole {
            // The rest is unchanged. Its last line may be incomplete.
            let rest = self.window.split_off(self.at);
            let end = memrchr(b'\n', &rest).map_or(0, |end| end + 1);
            self.keep(&rest[..end], diff);
        }
        if whole || self.old != self.new {
            self.compare(diff);
        }
        self.close(diff);
    }

    /// Adds bytes that both sides have.
    fn keep(&mut self, mut bytes: &[u8], diff: &mut Vec<u8>) {
        while let Some(end) = memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end + 1);
            bytes = rest;
            self.old.extend_from_slice(line);
            self.new.extend_from_slice(line);
            self.compare(diff);
        }
        self.old.extend_from_slice(bytes);
        self.new.extend_from_slice(bytes);
    }

    /// Compares the lines so far, where both sides are at the start of a line: unchanged lines, changed lines,
    /// unchanged lines.
    fn compare(&mut self, diff: &mut Vec<u8>) {
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        let (mut a, mut b): (Vec<&[u8]>, Vec<&[u8]>) = (lines(&old).collect(), lines(&new).collect());
        let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        let (first, second) = (a.split_off(before), b.split_off(before));
        let after = first.iter().rev().zip(second.iter().rev()).take_while(|(a, b)| a == b).count();
        a.iter().for_each(|line| self.same(line, diff));
        self.change(&first[..first.len() - after], &second[..second.len() - after], diff);
        first[first.len() - after..].iter().for_each(|line| self.same(line, diff));
    }

    /// Adds an unchanged line.
    fn same(&mut self, line: &[u8], diff: &mut Vec<u8>) {
        self.unchanged.push_back(line.to_vec());
        self.lines = self.lines.map(|line| line + 1);
        let most = if self.hunk.is_some() { 2 * CONTEXT } else { CONTEXT };
        if self.unchanged.len() > most {
            // Another change, if any, is too far away for this hunk.
            self.close(diff);
            let more = self.unchanged.len() - CONTEXT;
            self.unchanged.drain(..more);
        }
    }

    /// Adds lines that are replaced by others.
    fn change(&mut self, old: &[&[u8]], new: &[&[u8]], diff: &mut Vec<u8>) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        let before = self.unchanged.len() as u64;
        let lines = self.lines.map(|line| line - before);
        let hunk = self.hunk.get_or_insert(Hunk { lines, body: Vec::new(), parted: false });
        self.unchanged.drain(..).for_each(|line| append(&mut hunk.body, b' ', &line));
        old.iter().for_each(|line| append(&mut hunk.body, b'-', line));
        new.iter().for_each(|line| append(&mut hunk.body, b'+', line));
        self.lines = [self.lines[0] + old.len() as u64, self.lines[1] + new.len() as u64];
        if hunk.body.len() > self.limit {
            let hunk = std::mem::replace(hunk, Hunk { lines: self.lines, body: Vec::new(), parted: true });
            self.parts(&hunk, diff);
        }
    }

    /// Writes removed lines early, if too many wait for the lines that replace them.
    fn relieve(&mut self, diff: &mut Vec<u8>) {
        if self.old.len() <= self.limit {
            return;
        }
        if let Some(end) = memrchr(b'\n', &self.old) {
            let rest = self.old.split_off(end + 1);
            let complete = std::mem::replace(&mut self.old, rest);
            self.change(&lines(&complete).collect::<Vec<_>>(), &[], diff);
        }
    }

    /// Writes the open hunk, if there is one, with the unchanged lines behind it.
    fn close(&mut self, diff: &mut Vec<u8>) {
        let Some(mut hunk) = self.hunk.take() else { return };
        if hunk.parted {
            return self.parts(&hunk, diff);
        }
        self.unchanged.iter().take(CONTEXT).for_each(|line| append(&mut hunk.body, b' ', line));
        self.print(hunk.lines, &hunk.body, diff);
    }

    /// Writes the changes of a hunk, each as a hunk of its own.
    fn parts(&mut self, hunk: &Hunk, diff: &mut Vec<u8>) {
        let [mut old, mut new] = hunk.lines;
        let (mut at, mut part, mut first) = (0, 0..0, [old, new]);
        for line in lines(&hunk.body) {
            if line[0] == b' ' {
                self.print(first, &hunk.body[part], diff);
                (old, new) = (old + 1, new + 1);
                part = at + line.len()..at + line.len();
                first = [old, new];
            } else {
                old += u64::from(line[0] == b'-');
                new += u64::from(line[0] == b'+');
                part.end = at + line.len();
            }
            at += line.len();
        }
        self.print(first, &hunk.body[part], diff);
    }

    /// Writes a hunk.
    fn print(&mut self, [old, new]: [u64; 2], body: &[u8], diff: &mut Vec<u8>) {
        if body.is_empty() {
            return;
        }
        if !std::mem::replace(&mut self.begun, true) {
            for sign in ["---", "+++"] {
                let name = [sign.as_bytes(), b" ", &self.name, b"\n"].concat();
                self.paint("1", &name, diff);
            }
        }
        let count = |other: u8| lines(body).filter(|line| line[0] != other && line[0] != b'\\').count() as u64;
        let range = |line: u64, count: u64| match count {
            // For no lines, the number is that of the line before.
            0 => format!("{},0", line - 1),
            1 => line.to_string(),
            _ => format!("{line},{count}"),
        };
        let head = format!("@@ -{} +{} @@\n", range(old, count(b'+')), range(new, count(b'-')));
        self.paint("36", head.as_bytes(), diff);
        for line in lines(body) {
            match line[0] {
                b'-' => self.paint("31", line, diff),
                b'+' => self.paint("32", line, diff),
                _ => diff.extend_from_slice(line),
            }
        }
    }

    fn paint(&self, color: &str, line: &[u8], diff: &mut Vec<u8>) {
        match line {
            [text @ .., b'\n'] if self.color => {
                diff.extend_from_slice(format!("\x1b[{color}m").as_bytes());
                diff.extend_from_slice(text);
                diff.extend_from_slice(b"\x1b[0m\n");
            }
            line => diff.extend_from_slice(line),
        }
    }
}

/// The lines of a text, with their ends.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|b| *b == b'\n')
}

fn append(body: &mut Vec<u8>, sign: u8, line: &[u8]) {
    body.push(sign);
    body.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        body.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// A file name as git writes it: in quotes if a byte of it could be misread, and with a tab behind it if it has a
/// blank.
pub fn quoted(name: &[u8]) -> Vec<u8> {
    let plain = |c: char| !matches!(c, '"' | '\\') && !is_hidden(c);
    if std::str::from_utf8(name).is_ok_and(|name| name.chars().all(plain)) {
        let blank: &[u8] = if name.contains(&b' ') { b"\t" } else { b"" };
        return [name, blank].concat();
    }
    let mut quoted = vec![b'"'];
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => quoted.extend_from_slice(&[b'\\', c as u8]),
                '\n' => quoted.extend_from_slice(b"\\n"),
                '\t' => quoted.extend_from_slice(b"\\t"),
                c if plain(c) => quoted.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => octal(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut quoted),
            }
        }
        octal(chunk.invalid(), &mut quoted);
    }
    quoted.push(b'"');
    quoted
}

fn octal(bytes: &[u8], to: &mut Vec<u8>) {
    bytes.iter().for_each(|b| to.extend_from_slice(format!("\\{b:03o}").as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::from_utf8;

    /// The diff of an input whose `[...]` are cut and whose `{...}` are put in.
    fn diff(marked: &str, limit: usize, piece: usize) -> (String, String, String) {
        let (mut old, mut new, mut diff) = (String::new(), String::new(), Vec::new());
        let mut made = Diff::new(Path::new("a.txt"), false, limit);
        let mut kind = ' ';
        let characters: Vec<char> = marked.chars().collect();
        for piece in characters.chunks(piece) {
            let (mut steps, mut out) = (Vec::new(), String::new());
            for c in piece {
                let step = match (kind, c) {
                    (_, '[' | '{') => {
                        kind = *c;
                        continue;
                    }
                    (_, ']' | '}') => {
                        kind = ' ';
                        continue;
                    }
                    ('[', _) => SpliceStep::Cut(1),
                    ('{', _) => SpliceStep::Put(1),
                    _ => SpliceStep::Keep(1),
                };
                if !matches!(step, SpliceStep::Put(_)) {
                    old.push(*c);
                    made.read(&[*c as u8]);
                }
                if !matches!(step, SpliceStep::Cut(_)) {
                    new.push(*c);
                    out.push(*c);
                }
                step.add_to(&mut steps);
            }
            made.write(&steps, out.as_bytes(), &mut diff);
        }
        made.finish(true, &mut diff);
        (old, new, from_utf8(&diff).unwrap().to_string())
    }

    /// What a diff makes of a text; every line of it must stand where it says.
    fn apply(diff: &str, old: &str) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut at, mut new, mut made) = (0, String::new(), 0);
        let lines: Vec<&str> = diff.split_inclusive('\n').collect();
        for (i, line) in lines.iter().enumerate().skip(2) {
            let text = match lines.get(i + 1) {
                Some(next) if next.starts_with('\\') => line[1..].trim_end_matches('\n'),
                _ => &line[1..],
            };
            match &line[..1] {
                "@" => {
                    let mut ranges = line.split(' ').skip(1).map(|range| {
                        let (from, count) = range[1..].split_once(',').unwrap_or((&range[1..], "1"));
                        let (from, count): (usize, usize) = (from.parse().unwrap(), count.parse().unwrap());
                        if count == 0 { from } else { from - 1 }
                    });
                    let (from, to) = (ranges.next().unwrap(), ranges.next().unwrap());
                    old[at..from].iter().for_each(|line| new.push_str(line));
                    made += from - at;
                    assert_eq!(made, to, "{diff}");
                    at = from;
                }
                " " => {
                    assert_eq!(old[at], text, "{diff}");
                    new.push_str(text);
                    (at, made) = (at + 1, made + 1);
                }
                "-" => {
                    assert_eq!(old[at], text, "{diff}");
                    at += 1;
                }
                "+" => {
                    new.push_str(text);
                    made += 1;
                }
                _ => assert_eq!(*line, "\\ No newline at end of file\n"),
            }
        }
        old[at..].iter().for_each(|line| new.push_str(line));
        new
    }

    #[test]
    fn lines_that_go_and_lines_that_change() {
        for (marked, want) in [
            ("a\nb\n", ""),
            ("", ""),
            ("a\n[b\n]c\n", "@@ -1,3 +1,2 @@\n a\n-b\n c\n"),
            ("[a\n]b\n", "@@ -1,2 +1 @@\n-a\n b\n"),
            ("[a\n]", "@@ -1 +0,0 @@\n-a\n"),
            ("{a\n}", "@@ -0,0 +1 @@\n+a\n"),
            ("a[b]c\n", "@@ -1 +1 @@\n-abc\n+ac\n"),
            ("a[b\nc\n]d\n", "@@ -1,3 +1 @@\n-ab\n-c\n-d\n+ad\n"),
            // A cut from the end of one line to that of another leaves whole lines.
            ("a[\n  b]\nc\n", "@@ -1,3 +1,2 @@\n a\n-  b\n c\n"),
            ("a[\nb]", "@@ -1,2 +1 @@\n-a\n-b\n\\ No newline at end of file\n+a\n\\ No newline at end of file\n"),
            ("a\n[b]", "@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n"),
            ("a\nb\nc\nd\n[e\n]f\ng\nh\ni", "@@ -2,7 +2,6 @@\n b\n c\n d\n-e\n f\n g\n h\n"),
            ("[a\n]1\n2\n3\n4\n5\n6\n[b\n]", "@@ -1,8 +1,6 @@\n-a\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n"),
            ("[a\n]1\n2\n3\n4\n5\n6\n7\n[b\n]", "@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -6,4 +5,3 @@\n 5\n 6\n 7\n-b\n"),
        ] {
            let head = if want.is_empty() { "" } else { "--- a.txt\n+++ a.txt\n" };
            for piece in [1, 1000] {
                let (old, new, diff) = diff(marked, 1000, piece);
                assert_eq!(diff, format!("{head}{want}"), "{marked}");
                assert_eq!(apply(&diff, &old), new, "{marked}");
            }
        }
    }

    /// Whatever goes, and however small the limit is, the diff makes the output of the input.
    #[test]
    fn a_diff_makes_the_output_of_the_input() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..3000 {
            let mut marked = String::new();
            for _ in 0..random(40) {
                let text: String = (0..random(4)).map(|_| ['a', 'b', '\n', '\n'][random(4) as usize]).collect();
                marked.push_str(&match random(6) {
                    0 => format!("[{text}]"),
                    1 => format!("{{{text}}}"),
                    _ => text,
                });
            }
            let limit = [1, 5, 30, 1000][random(4) as usize];
            let (old, new, diff) = diff(&marked, limit, 1 + random(20) as usize);
            assert_eq!(apply(&diff, &old), new, "{marked:?} {limit}: {diff}");
        }
    }

    #[test]
    fn names_are_written_as_git_writes_them() {
        for (name, want) in [
            (&b"a.txt"[..], &b"a.txt"[..]),
            (b"a b", b"a b\t"),
            ("\u{e9}\u{4e2d}".as_bytes(), "\u{e9}\u{4e2d}".as_bytes()),
            (b"a\tb\n\"\\", b"\"a\\tb\\n\\\"\\\\\""),
            (b"\x1b[31m\xff", b"\"\\033[31m\\377\""),
            ("\u{202e}".as_bytes(), b"\"\\342\\200\\256\""),
        ] {
            assert_eq!(String::from_utf8_lossy(&quoted(name)), String::from_utf8_lossy(want));
        }
    }
}
