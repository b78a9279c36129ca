//! The laws of the house: what is absent, and how long things are.

mod imports;

use crate::support::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The code of a file without its tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    text.split("\n#[cfg(test)]\nmod tests").next().unwrap().to_string()
}

fn absent(room: &str, words: &[&str], why: &str) {
    absent_but(room, "-", words, why);
}

/// The files of a room, `room.rs` and those of its folder, do not have these words. `inner` is a room inside of it that may.
fn absent_but(room: &str, inner: &str, words: &[&str], why: &str) {
    let (source, file) = (root().join("src"), format!("{room}.rs"));
    let inner = source.join(room).join(inner);
    let files = sources(&source.join(room)).into_iter().chain(Some(source.join(file)).filter(|file| file.exists()));
    for path in files.filter(|path| !path.starts_with(&inner) && *path != inner.with_extension("rs")) {
        let code = code(&path);
        let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        for line in lines {
            for word in words {
                assert!(!line.contains(word), "{}: `{word}`: {why}\n{line}", path.display());
            }
        }
    }
}

#[test]
fn rooms_know_only_what_they_may() {
    absent("frame", &["dialect::", "model::", "reasoning_content", "choices"], "frame knows no dialect");
    for room in ["policy", "postproc"] {
        let words = ["dialect::", "json::", "frame::", "span::", "offset"];
        absent(room, &words, "verdicts know no dialect, no JSON, no offset");
    }
    absent("json", &["dialect::", "model::", "inline::"], "json knows no reasoning");
    absent("count", &["dialect::", "frame::", "model::"], "count knows texts only");
    absent("inline", &["json::", "dialect::", "frame::"], "inline knows text only");
    absent("model", &["Serialize", "dialect::", "inline::"], "the model is not one more dialect");
    // What follows the events in the two rooms that have a border inside makes messages and steps for the rest of them.
    absent_but(
        "check",
        "output",
        &["dialect::", "frame::", "engine::", "out::"],
        "rules know messages, whatever the format",
    );
    absent_but(
        "show",
        "draw",
        &["dialect::", "frame::", "engine::", "out::"],
        "drawings know steps, whatever the format",
    );
    for room in ["out", "strip", "split", "convert", "tokens", "agents", "check/output", "show/draw"] {
        absent(room, &["dialect::", "engine::"], "outputs take messages and blocks, whatever the format");
    }
    formats_do_not_import_each_other();
}

/// A format is a file and a folder of its name. Fragments that several share stand in `shared`, `write`, or the one that
/// the others wrap.
fn formats_do_not_import_each_other() {
    let formats = root().join("src/dialect/formats");
    let shared = ["shared", "write", "anthropic", "gemini", "responses"];
    let entries = std::fs::read_dir(&formats).unwrap().map(|entry| entry.unwrap().path());
    let names: BTreeSet<String> = entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_string()).collect();
    assert!(names.len() > 4, "{names:?}");
    for path in sources(&formats) {
        let inside = path.strip_prefix(&formats).unwrap();
        let own = inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        for other in names.iter().filter(|name| *name != own && own != "mod" && !shared.contains(&name.as_str())) {
            let direct = inside.components().count() == 1 && code(&path).contains(&format!("super::{other}"));
            let imports = direct || code(&path).contains(&format!("formats::{other}"));
            assert!(!imports, "{} imports {other}: formats do not import each other", path.display());
        }
    }
}

/// The room of a file: the first part of its path.
fn room(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).unwrap();
    inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_string()
}

#[test]
fn rooms_import_in_one_direction() {
    // The front knows all of them, and the command knows the front.
    let above = ["cli", "front", "lib", "main"];
    let mut imports = BTreeMap::<String, BTreeSet<String>>::new();
    for path in sources(&root().join("src")) {
        let own = room(&path);
        if above.contains(&own.as_str()) {
            continue;
        }
        let code = code(&path);
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for other in line.split("crate::").skip(1) {
                let name: String = other.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                assert!(!above.contains(&name.as_str()), "{} imports {name}", path.display());
                imports.entry(own.clone()).or_default().extend(Some(name).filter(|name| *name != own));
            }
        }
    }
    assert!(imports["engine"].contains("dialect"), "{imports:?}");
    must_have_no_circle(imports);
}

/// What imports nothing that is left is taken out, until there is none.
fn must_have_no_circle(mut imports: BTreeMap<String, BTreeSet<String>>) {
    while !imports.is_empty() {
        let left: BTreeSet<String> = imports.keys().cloned().collect();
        imports.retain(|_, others| others.iter().any(|other| left.contains(other)));
        assert!(imports.len() < left.len(), "these import each other in a circle: {imports:?}");
    }
}

#[test]
fn rooms_are_private() {
    let crate_root = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let public: Vec<&str> = crate_root.lines().filter(|line| line.starts_with("pub mod ")).collect();
    assert_eq!(public, ["pub mod internals {"]);
    assert!(crate_root.contains("#[cfg(feature = \"cli\")]\n#[doc(hidden)]\npub mod internals {"));
    for path in sources(&root().join("src")).into_iter().filter(|path| !path.ends_with("src/main.rs")) {
        let named = code(&path).contains("internals::");
        assert!(!named, "{}: `internals` is for the program and the tests", path.display());
    }
    for path in sources(&root().join("examples")) {
        assert!(!code(&path).contains("internals"), "{}: an example shows what users have", path.display());
    }
}

#[test]
fn the_library_does_no_io() {
    for path in sources(&root().join("src")) {
        let inside = path.strip_prefix(root().join("src")).unwrap();
        if inside.starts_with("cli") || inside == Path::new("main.rs") {
            continue;
        }
        // The functions for users of the crate take readers and writers. They open none.
        let front = inside.starts_with("front") || inside == Path::new("front.rs");
        for word in ["stdin", "stdout", "stderr", "File::", "std::net"] {
            assert!(!front || !code(&path).contains(word), "{}: {word}", path.display());
        }
        for word in ["std::io", "std::fs", "std::env", "std::process", "println!", "eprintln!", "unsafe "] {
            let allowed = front && word == "std::io";
            assert!(allowed || !code(&path).contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn nothing_is_too_long() {
    for path in sources(&root().join("src")) {
        let code = code(&path);
        let lines: Vec<&str> = code.lines().collect();
        assert!(lines.len() <= 400, "{} has {} lines", path.display(), lines.len());
        let mut open: Option<(usize, usize)> = None;
        for (i, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let is_fn = line.trim_start().split(' ').take(4).any(|w| w == "fn") && !line.trim_start().starts_with("//");
            if is_fn && open.is_none() && !line.ends_with("{}") {
                open = Some((i, indent));
            }
            let ends = |at: usize| *line == format!("{}}}", " ".repeat(at)) || (line.ends_with(';') && indent == at);
            if let Some((start, _)) = open.filter(|(_, at)| ends(*at)) {
                assert!(i - start < 80, "{}:{} is a function of {} lines", path.display(), start + 1, i - start + 1);
                open = None;
            }
        }
        assert!(code.starts_with("//!"), "{} does not say what it is for", path.display());
    }
}

#[test]
fn every_dialect_has_test_data() {
    for dialect in unthink::internals::dialect::DIALECTS {
        assert!(root().join("testdata").join(dialect.name).is_dir(), "{}", dialect.name);
    }
}

/// Names of two types, and why each keeps its name.
const NAMES_OF_TWO: &[(&str, &str)] =
    &[("Error", "each layer has the error that its functions return, as in the standard library")];

/// The name of the type that a line declares. Types of traits are none: they stand behind white space.
fn declared(line: &str) -> Option<&str> {
    let words = line.trim_start();
    let words = match words.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => words,
    };
    let (keyword, rest) = words.split_once(' ')?;
    let is_type = matches!(keyword, "struct" | "enum" | "trait") || keyword == "type" && !line.starts_with(' ');
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    (is_type && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn a_name_means_one_type() {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let src = root().join("src");
    for path in sources(&src) {
        let short = path.strip_prefix(&src).unwrap().display().to_string();
        if short.ends_with("tests.rs") || short.contains("/tests/") {
            continue;
        }
        for name in code(&path).lines().filter_map(declared) {
            types.entry(name.to_string()).or_default().push(short.clone());
        }
    }
    assert!(types.len() > 900, "types are not found: {}", types.len());
    types.retain(|_, places| places.len() > 1);
    for (name, why) in NAMES_OF_TWO {
        assert!(types.remove(*name).is_some(), "{name} is the name of one type now: {why}");
    }
    assert!(types.is_empty(), "one name for several types: {types:#?}");
}

/// The most fields of a struct.
const MAX_FIELDS: usize = 15;

/// Structs with more fields: each is the row of a table, whose columns are its fields.
const ROWS: &[(&str, &str)] = &[
    ("Row", "a row of the tag table"),
    ("Shape", "the row of a format"),
    ("TallyRow", "a row of what `tokens` prints"),
    ("TargetRule", "a rule of a provider, as `list rules` prints it"),
];

/// The structs of a file, each with the number of its fields.
fn structs(code: &str) -> Vec<(&str, usize)> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    let mut open: Option<usize> = None;
    for line in code.lines() {
        let indent = line.len() - line.trim_start().len();
        if let Some(at) = open {
            let words = line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
            let name = words.trim_start_matches("pub ").split(':').next().unwrap();
            let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && line.contains(": ");
            found.last_mut().unwrap().1 += usize::from(indent == at + 4 && is_name);
            open = open.filter(|at| *line != format!("{}}}", " ".repeat(*at)));
        } else if line.contains("struct ") && line.ends_with(" {") {
            open = declared(line).map(|name| found.push((name, 0))).map(|()| indent);
        }
    }
    found
}

#[test]
fn no_struct_is_too_wide() {
    let mut wide: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for path in sources(&root().join("src")) {
        let code = code(&path);
        let found = structs(&code);
        all += found.len();
        wide.extend(found.iter().filter(|(_, n)| *n > MAX_FIELDS).map(|(name, n)| (name.to_string(), *n)));
    }
    assert!(all > 500, "structs are not found: {all}");
    for (name, what) in ROWS {
        assert!(wide.remove(*name).is_some(), "{name} has no more than {MAX_FIELDS} fields now: {what}");
    }
    assert!(wide.is_empty(), "more than {MAX_FIELDS} fields: {wide:?}");
}

/// Words that are a bound, and do not say of what.
const BARE_BOUNDS: &[&str] = &[
    "AROUND", "BETWEEN", "DEEPEST", "FEW", "KEPT", "LARGE", "LARGEST", "LATE", "LATER", "LEAST", "LIMIT", "LONGEST",
    "MANY", "MAX", "MIN", "MOST", "NEAR", "PAST", "REACH", "RECENT", "SHORTEST", "STEP", "STRETCH", "WAITING",
    "WINDOW",
];

/// Such constants that are still to be named. Nothing is added here.
const BARE_YET: &[(&str, &str)] = &[
    ("dialect/lines/values.rs", "REACH"),
    ("dialect/read/searched.rs", "KEPT"),
    ("dialect/reader/watch/nodes.rs", "KEPT"),
    ("dialect/stream.rs", "BETWEEN"),
    ("dialect/suspect/pieces.rs", "NEAR"),
    ("dialect/suspect/quoted.rs", "REACH"),
    ("dialect/suspect/quotes.rs", "NEAR"),
    ("dialect/turns.rs", "REACH"),
];

#[test]
fn a_constant_says_what_it_bounds() {
    let (mut all, mut bare) = (0, BTreeSet::new());
    for path in sources(&root().join("src")) {
        for line in code(&path).lines() {
            let Some((_, rest)) = line.split_once("const ").filter(|(before, _)| !before.contains("//")) else {
                continue;
            };
            let name = rest.split(':').next().unwrap();
            all += usize::from(name.starts_with("MAX_"));
            if BARE_BOUNDS.contains(&name) {
                let short = path.strip_prefix(root().join("src")).unwrap().display().to_string();
                bare.insert((short, name.to_string()));
            }
        }
    }
    assert!(all > 50, "constants are not found: {all}");
    for (path, name) in BARE_YET {
        assert!(bare.remove(&(path.to_string(), name.to_string())), "{path} has no {name} now");
    }
    assert!(bare.is_empty(), "these do not say what they bound: {bare:?}");
}

/// Rooms in which comments still begin with "The same" and leave open what it is. Nothing is added here. The comment in
/// `frame` is one that the help prints.
const THE_SAME: &[&str] = &["dialect", "frame"];

/// What follows on "The same" if it is no noun.
const NO_NOUN: &[&str] =
    &["about", "around", "as", "at", "but", "for", "from", "in", "of", "on", "that", "where", "with", "without"];

#[test]
fn a_comment_names_what_is_the_same() {
    let mut found = Vec::new();
    for path in sources(&root().join("src")) {
        for line in code(&path).lines().filter_map(|line| line.trim_start().strip_prefix("/// The same")) {
            let word = line.split(|c: char| c.is_whitespace() || ",.:;".contains(c)).nth(1).unwrap_or_default();
            if !line.starts_with(' ') || NO_NOUN.contains(&word) {
                found.push((room(&path), format!("{}: The same{line}", path.display())));
            }
        }
    }
    for room in THE_SAME {
        let before = found.len();
        found.retain(|(own, _)| own != room);
        assert!(found.len() < before, "{room} names what is the same now");
    }
    assert!(found.is_empty(), "what is the same? {found:#?}");
}
