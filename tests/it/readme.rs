//! README.md, CONTRIBUTING.md and the pages in `docs/` are true: their examples are executed, their links lead
//! somewhere, and their tables are what the program says.
//!
//! A `console` block holds commands behind `$ ` and what they print. The commands of a page run one after the other in a
//! folder that looks like the root of the repository, so that what one writes is there for the next. `UNTHINK_WRITE_DOCS=1`
//! writes what they print, and the tables, into the pages: read what it changed.

mod tables;

use crate::support::root;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Held while a page is read and written: several tests are about the same page.
static WRITING: Mutex<()> = Mutex::new(());

/// README.md, CONTRIBUTING.md and the pages in `docs/`.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|page| root().join(page)));
    pages.sort();
    pages
}

/// Replaces what stands between two lines of a page, or fails if it is another text.
fn hold(page: &Path, marker: &str, want: &str) {
    let _writing = WRITING.lock();
    let text = std::fs::read_to_string(page).unwrap();
    let (before, rest) = text.split_once(&format!("<!-- {marker} -->\n")).expect("a marked place");
    let (_, behind) = rest.split_once("<!-- end -->").expect("an end of the marked place");
    settle(page, &text, &format!("{before}<!-- {marker} -->\n{want}<!-- end -->{behind}"));
}

/// Writes a page if that is asked for; otherwise it must be as it should be.
fn settle(page: &Path, text: &str, want: &str) {
    if std::env::var_os("UNTHINK_WRITE_DOCS").is_some() {
        std::fs::write(page, want).unwrap();
    } else if text != want {
        let first = text.lines().zip(want.lines()).find(|(is, should)| is != should);
        panic!("{} is not what comes out (UNTHINK_WRITE_DOCS=1 writes it): {first:#?}", page.display());
    }
}

/// A folder that looks like the root. The examples are copies, so that a command may change them.
#[cfg(unix)]
fn playground() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let link = |from: &Path, to: &Path, but: &[&str]| {
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            if !but.contains(&entry.file_name().to_str().unwrap()) {
                std::os::unix::fs::symlink(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    };
    link(&root(), folder.path(), &["testdata", "target", ".git"]);
    std::fs::create_dir(folder.path().join("testdata")).unwrap();
    link(&root().join("testdata"), &folder.path().join("testdata"), &["examples"]);
    copy(&root().join("testdata/examples"), &folder.path().join("testdata/examples"));
    folder
}

#[cfg(unix)]
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// What a command prints: stdout and stderr, as they come on a terminal. `ollama`, `llama-cli` and `curl` are scripts
/// that print what they would (`testdata/examples/bin`).
#[cfg(unix)]
fn output(command: &str, folder: &Path) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_unthink")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{}:{path}", folder.join("testdata/examples/bin").display(), programs.display());
    let printed = folder.join(".printed");
    let file = std::fs::File::options().create(true).append(true).open(&printed).unwrap();
    file.set_len(0).unwrap();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).current_dir(folder).env("PATH", path).env("HOME", folder);
    shell.env_remove("UNTHINK_WRITE_DOCS").stdin(std::process::Stdio::null());
    shell.stdout(file.try_clone().unwrap()).stderr(file).status().unwrap();
    String::from_utf8(std::fs::read(&printed).unwrap()).unwrap().trim_end().to_string()
}

/// A slow machine takes longer.
fn without_time(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" left, in ") {
        Some((before, behind)) => {
            format!("{before} left, in less than 1 s{}", &behind[behind.find(':').unwrap_or(behind.len())..])
        }
        None => line.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A block as it should be.
#[cfg(unix)]
fn executed(block: &str, folder: &Path, count: &mut usize) -> String {
    let mut page = String::new();
    for recipe in format!("\n{block}").split("\n$ ").skip(1) {
        let mut lines = recipe.lines();
        let mut command = lines.next().unwrap().to_string();
        while command.ends_with('\\') {
            command = format!("{command}\n{}", lines.next().unwrap());
        }
        let printed = without_time(&output(&command, folder));
        page += &format!("$ {command}\n");
        if !printed.is_empty() {
            page += &format!("{printed}\n");
        }
        *count += 1;
    }
    page
}

#[test]
#[cfg(unix)]
fn recipes_do_what_they_say() {
    let mut count = 0;
    for page in pages() {
        let _writing = WRITING.lock();
        let text = std::fs::read_to_string(&page).unwrap();
        let folder = playground();
        let mut blocks = text.split("```console\n");
        let mut want = blocks.next().unwrap().to_string();
        for block in blocks {
            let (block, behind) = block.split_once("\n```\n").expect("an end of the block");
            want += &format!("```console\n{}```\n{behind}", executed(block, folder.path(), &mut count));
        }
        settle(&page, &text, &want);
    }
    assert!(count >= 60, "only {count} recipes");
}

/// The README begins with two commands, and is short.
#[test]
fn the_readme_opens_with_two_commands() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 180, "README.md has {} lines", text.lines().count());
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("    cargo ")).take(2).collect();
    assert_eq!(commands[1], "test");
    let args = commands[0].strip_prefix("run --release --quiet -- ").unwrap().split(' ');
    let done = Command::new(env!("CARGO_BIN_EXE_unthink")).args(args).current_dir(root()).output().unwrap();
    assert!(done.status.success() && !done.stdout.is_empty());
}

/// The anchors of a page, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().to_lowercase();
        kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(!text.contains("OWNER"), "{}: a placeholder stands where it may be pasted", page.display());
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            let there =
                anchor.is_empty() || anchors(&std::fs::read_to_string(&target).unwrap()).contains(&anchor.into());
            assert!(there, "{}: {link} has no such heading", page.display());
        }
    }
}

/// Comments in the code name the sections of `docs/behaviour.md`.
#[test]
fn sections_that_the_code_names_are_there() {
    let page = std::fs::read_to_string(root().join("docs/behaviour.md")).unwrap();
    let mut count = 0;
    for file in sources(&root().join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let text = text.replace("\n//!", "").replace("\n///", "");
        for named in text.split("behaviour.md, section ").skip(1) {
            let number: String = named.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            let heading = format!("# {}. ", number.trim_end_matches('.'));
            assert!(page.contains(&heading), "{}: section {number}", file.display());
            count += 1;
        }
    }
    assert!(count > 20, "only {count} comments");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => files.extend(sources(&path)),
            false => files.extend(Some(path).filter(|path| path.extension().is_some_and(|e| e == "rs"))),
        }
    }
    files
}
