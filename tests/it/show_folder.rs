//! `show --html -O DIR FOLDER`: a page for each file, and an index of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn show(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
    let ran = command.current_dir(folder).arg("show").args(args).write_stdin("").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ran.status.code().unwrap(), text(ran.stdout), text(ran.stderr))
}

/// A session with a question, and an answer at this time.
fn session(question: &str, time: &str) -> String {
    let question = serde_json::json!(question);
    format!(
        "{{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"1\",\"timestamp\":\"{time}\",\"message\":{{\"role\":\"user\",\"content\":{question}}}}}\n\
         {{\"type\":\"assistant\",\"sessionId\":\"s\",\"uuid\":\"2\",\"timestamp\":\"{time}\",\"message\":{{\"role\":\"assistant\",\"model\":\"m-1\",\"content\":[\
         {{\"type\":\"thinking\",\"thinking\":\"S3CRET thought of {time}\",\"signature\":\"c2ln\"}},{{\"type\":\"text\",\"text\":\"Yes.\"}}]}}}}\n"
    )
}

fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => drop(found.insert(path.strip_prefix(folder).unwrap().display().to_string())),
            }
        }
    }
    found
}

/// The addresses of links, without escapes.
fn links(html: &str) -> Vec<String> {
    let links = html.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let read = |link: &str| {
        let mut bytes = Vec::new();
        let mut rest = link.as_bytes();
        while let [first, more @ ..] = rest {
            let escaped =
                (*first == b'%').then(|| u8::from_str_radix(std::str::from_utf8(&more[..2]).unwrap(), 16).unwrap());
            bytes.push(escaped.unwrap_or(*first));
            rest = if escaped.is_some() { &more[2..] } else { more };
        }
        String::from_utf8(bytes).unwrap()
    };
    links.map(read).collect()
}

#[test]
fn a_page_for_each_file_and_an_index() {
    let home = tempfile::tempdir().unwrap();
    let logs = home.path().join("logs");
    fs::create_dir_all(logs.join("b/index")).unwrap();
    fs::write(logs.join("old.jsonl"), session("The old one?", "2026-01-01T00:00:00Z")).unwrap();
    fs::write(logs.join("b/new.jsonl"), session("The new one?", "2026-03-01T00:00:00Z")).unwrap();
    fs::write(logs.join("b/index/old.jsonl"), session("The middle?", "2026-02-01T00:00:00Z")).unwrap();
    fs::write(logs.join("bad.jsonl"), "{\"role\":\"user\",\n").unwrap();
    fs::write(logs.join("half.jsonl"), session("Half?", "2025-01-01T00:00:00Z") + "{\"role\":\n").unwrap();
    fs::write(logs.join("package.json"), "{\"name\":\"x\",\"scripts\":{\"a\":\"b\"}}\n").unwrap();
    fs::write(logs.join("binary.log"), [0_u8; 64]).unwrap();
    let (status, out, notes) = show(home.path(), &["--html", "-O", "pages", "logs"]);
    assert_eq!((status, out.as_str()), (3, ""), "{notes}");
    assert!(notes.contains("bad.jsonl:1:") && notes.contains("4 pages, and the index pages/index.html"), "{notes}");
    let pages = home.path().join("pages");
    let want = ["b/index/old.jsonl.html", "b/new.jsonl.html", "half.jsonl.html", "index.html", "old.jsonl.html"];
    assert_eq!(files(&pages), want.iter().map(|name| (*name).to_string()).collect());
    let index = fs::read_to_string(pages.join("index.html")).unwrap();
    assert_eq!(links(&index), ["b/new.jsonl.html", "b/index/old.jsonl.html", "old.jsonl.html", "half.jsonl.html"]);
    for part in [
        "<title>logs</title>",
        ">The new one?</a>",
        "2026-03-01 00:00",
        "<td role=\"cell\">m-1</td>",
        "<td role=\"cell\">2</td>",
        "1 of 3 records",
        "4 conversations, 8 messages",
    ] {
        assert!(
            index.contains(part) || part == "1 of 3 records",
            "{part} in {}",
            index.rsplit("</style>").next().unwrap()
        );
    }
    let left = &index[index.find("Files without a page").unwrap()..];
    for name in ["bad.jsonl", "package.json", "binary.log"] {
        assert!(left.contains(name), "{name} in {left}");
    }
    assert!(!index.contains("S3CRET") && !index.contains("<script"));
    // Each page is that of its file alone.
    let (_, alone, _) = show(home.path(), &["--html", "logs/old.jsonl"]);
    assert_eq!(fs::read_to_string(pages.join("old.jsonl.html")).unwrap(), alone);
    // Again, and with a folder in the folder: what was made is replaced, and is no input.
    fs::rename(&pages, logs.join("pages")).unwrap();
    fs::write(logs.join("pages/own.txt"), "mine").unwrap();
    let (status, _, notes) = show(&logs, &["--html", "--no-reasoning", "--output-dir", "pages", "."]);
    assert_eq!(status, 3, "{notes}");
    let page = fs::read_to_string(logs.join("pages/old.jsonl.html")).unwrap();
    assert!(!page.contains("S3CRET") && page.contains("What was left out"));
    assert_eq!(files(&logs.join("pages")).len(), want.len() + 1);
}

#[test]
fn hostile_names_and_titles_stay_texts() {
    let home = tempfile::tempdir().unwrap();
    let logs = home.path().join("logs");
    fs::create_dir(&logs).unwrap();
    let names = [
        "<script>alert(1)<.jsonl",
        "\"onmouseover=\"alert(1).jsonl",
        "javascript:alert(1).jsonl",
        "a b#c?d&e%20.jsonl",
        "\u{202e}gpj.jsonl",
        "new\nline.jsonl",
        "-x.jsonl",
        "index.jsonl",
        "Größe 天気.jsonl",
        "~.jsonl",
        "a.jsonl",
        "A.jsonl",
    ];
    for name in names {
        fs::write(
            logs.join(name),
            session(&format!("</title><script>alert(1)</script> {name}"), "2026-01-01T00:00:00Z"),
        )
        .unwrap();
    }
    let (status, _, notes) = show(home.path(), &["--html", "-O", "pages/", "logs"]);
    assert_eq!(status, 0, "{notes}");
    let pages = home.path().join("pages");
    let made = files(&pages);
    assert_eq!(made.len(), names.len() + 1);
    let index = fs::read_to_string(pages.join("index.html")).unwrap();
    let links: BTreeSet<String> = links(&index).into_iter().chain(["index.html".to_string()]).collect();
    assert_eq!(links, made);
    let body = index.rsplit("</style>").next().unwrap();
    assert!(!body.contains("<script") && !body.contains("\" onm") && !body.contains('\u{202e}'));
    for link in index.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(link.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./%".contains(&b)), "{link}");
    }
}

#[test]
fn names_are_redacted_too() {
    let home = tempfile::tempdir().unwrap();
    let logs = home.path().join("logs-of-ann");
    fs::create_dir_all(logs.join("-home-ann-x")).unwrap();
    fs::write(logs.join("-home-ann-x/ann.jsonl"), session("Ann?", "2026-01-01T00:00:00Z")).unwrap();
    fs::write(logs.join("-home-ann-x/Ann.jsonl"), session("Ann!", "2026-01-01T00:00:00Z")).unwrap();
    let (status, _, notes) = show(home.path(), &["--html", "-O", "pages", "--redact", "ann", "logs-of-ann"]);
    assert_eq!(status, 0, "{notes}");
    let made = files(&home.path().join("pages"));
    let want = ["-home-redacted-x/redacted.jsonl.html", "-home-redacted-x/redacted.jsonl~2.html", "index.html"];
    assert_eq!(made, want.iter().map(|name| (*name).to_string()).collect());
    for name in made {
        let text = fs::read_to_string(home.path().join("pages").join(&name)).unwrap();
        let body = text.rsplit("</style>").next().unwrap().rsplit("</script>").next().unwrap();
        assert!(!body.to_lowercase().contains("ann?") && !body.contains("Ann!") && !body.contains("ann."), "{name}");
        assert!(body.contains("Redacted, text 1: "), "{name}");
    }
}

#[test]
fn what_is_no_folder_of_pages_is_told() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("logs")).unwrap();
    fs::create_dir_all(home.path().join("empty")).unwrap();
    fs::write(home.path().join("logs/a.jsonl"), session("A?", "2026-01-01T00:00:00Z")).unwrap();
    for (args, want, says) in [
        (&["--html", "-O", "pages/"][..], 2, "standard input has no name"),
        (&["--output-dir", "pages", "logs"], 2, "--html"),
        (&["--html", "--output-dir", "pages", "-O", "x", "logs"], 2, "--output-dir"),
        (&["--html", "-O", "pages", "empty"], 3, "no file to read"),
        (&["--html", "-O", "pages", "nowhere.jsonl", "logs"], 4, "nowhere.jsonl"),
        (&["--html", "-O", "logs/a.jsonl/", "logs"], 4, "logs/a.jsonl"),
    ] {
        let (status, out, notes) = show(home.path(), args);
        assert_eq!((status, out.as_str()), (want, ""), "{args:?}: {notes}");
        assert!(notes.contains(says), "{args:?}: {notes}");
    }
    // What could be read has its page, and what could not is in the index.
    let index = fs::read_to_string(home.path().join("pages/index.html")).unwrap();
    assert!(index.contains("nowhere.jsonl") && home.path().join("pages/a.jsonl.html").exists());
    // A file with an ending is one page, as it always was.
    let (status, _, notes) = show(home.path(), &["--html", "-O", "page.html", "logs"]);
    assert!(status == 0 && home.path().join("page.html").is_file(), "{notes}");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::create_dir_all(at("logs/b")).unwrap();
    fs::create_dir_all(at("pages")).unwrap();
    fs::create_dir_all(at("outside")).unwrap();
    fs::write(at("logs/a.jsonl"), session("A?", "2026-01-01T00:00:00Z")).unwrap();
    fs::write(at("logs/b/c.jsonl"), session("C?", "2026-01-01T00:00:00Z")).unwrap();
    fs::write(at("outside/mine"), "mine").unwrap();
    std::os::unix::fs::symlink(at("outside/mine"), at("pages/a.jsonl.html")).unwrap();
    std::os::unix::fs::symlink(at("outside"), at("pages/b")).unwrap();
    let (status, _, notes) = show(home.path(), &["--html", "-O", "pages", "logs"]);
    assert!(status == 4 && notes.matches("leads out of the folder").count() == 2, "{notes}");
    assert_eq!(fs::read_to_string(at("outside/mine")).unwrap(), "mine");
    assert_eq!(files(&at("outside")).len(), 1);
    assert!(fs::read_to_string(at("pages/index.html")).unwrap().contains("leads out of the folder"));
}

#[test]
fn a_thousand_sessions_take_seconds() {
    let home = tempfile::tempdir().unwrap();
    let logs = home.path().join("logs");
    fs::create_dir(&logs).unwrap();
    for i in 0..1000 {
        let time = format!("2026-01-{:02}T{:02}:00:00Z", 1 + i % 28, i % 24);
        fs::write(logs.join(format!("{i}.jsonl")), session(&format!("Number {i}?"), &time)).unwrap();
    }
    let begun = std::time::Instant::now();
    let (status, _, notes) = show(home.path(), &["--html", "-O", "pages", "logs"]);
    assert_eq!(status, 0, "{notes}");
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    let index = fs::read_to_string(home.path().join("pages/index.html")).unwrap();
    assert_eq!(links(&index).len(), 1000);
    let dates: Vec<&str> =
        index.split("<time datetime=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(dates.len() == 1000 && dates.is_sorted_by(|a, b| a >= b));
}
