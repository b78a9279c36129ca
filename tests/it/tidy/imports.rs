//! Which files import which, and by what names.

use super::{code, declared, sources};
use crate::support::root;
use std::collections::{BTreeMap, BTreeSet};

/// Imports that close a circle of files and are still to go: who imports whom. Nothing is added here.
const CIRCLES: &[(&str, &str)] = &[];

/// Rooms in which topics, each a file with the folder of its name, still import each other in a circle. Nothing is added
/// here.
const TOPICS: &[&str] = &["dialect"];

/// Rooms with files that still import all names of the file above them. Nothing is added here.
const ALL_NAMES: &[&str] = &["convert", "dialect", "engine::buffer"];

/// Imports under the name of another type that are still to go. Nothing is added here.
const ALIASES: &[(&str, &str)] = &[];

/// The files without their tests, each by the path of its module.
fn modules() -> BTreeMap<String, String> {
    let src = root().join("src");
    let files = sources(&src).into_iter().map(|path| {
        let inside = path.strip_prefix(&src).unwrap().with_extension("");
        let names = inside.components().map(|part| part.as_os_str().to_str().unwrap());
        let names: Vec<&str> = names.filter(|name| !["mod", "lib"].contains(name)).collect();
        let lines = code(&path);
        let lines = lines.lines().filter(|line| !line.trim_start().starts_with("//"));
        (names.join("::"), lines.collect::<Vec<_>>().join("\n"))
    });
    files.filter(|(name, _)| !name.split("::").any(|part| part == "tests")).collect()
}

/// Adds the paths of a `use`: `a::{b, c::d}` are `a::b` and `a::c::d`.
fn add_paths(tree: &str, before: &str, found: &mut Vec<String>) {
    let (mut depth, mut from) = (0, 0);
    for (at, c) in tree.char_indices().chain([(tree.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = tree[from..at].trim();
                from = at + 1;
                match part.split_once('{') {
                    Some((head, inside)) => {
                        add_paths(inside.strip_suffix('}').unwrap(), &format!("{before}{head}"), found);
                    }
                    None if part.is_empty() => (),
                    None => found.push(format!("{before}{part}")),
                }
            }
            _ => (),
        }
    }
}

/// The paths that a file imports, with what stands behind `as`.
fn imported(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let before = code[..at].lines().next_back().unwrap_or_default().trim();
        if code[..at].ends_with('\n') || before.is_empty() || before.starts_with("pub") {
            let end = code[at..].find(';').map_or(code.len(), |end| at + end);
            add_paths(&code[at + 4..end], "", &mut found);
        }
    }
    found
}

/// The paths that stand in a file: those that it imports, and those of single names.
fn paths(code: &str) -> Vec<String> {
    let mut found = imported(code);
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root).filter(|(at, _)| !code[..*at].ends_with("::")) {
            let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
            found.push(code[at..].chars().take_while(|c| is_path(*c)).collect());
        }
    }
    found
}

/// The file that has what a path in the file `own` names. A name that a file exports for one below it is its own.
fn file_of<'a>(path: &str, own: &str, modules: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let mut at: Vec<&str> = own.split("::").collect();
    let mut rest = path.split("::").map(str::trim).peekable();
    match rest.next() {
        Some("crate") => at.clear(),
        Some("super") => drop(at.pop()),
        _ => return None,
    }
    while rest.next_if_eq(&"super").is_some() {
        at.pop();
    }
    at.extend(rest);
    let names = (1..=at.len()).rev().map(|n| at[..n].join("::"));
    names.into_iter().find_map(|name| modules.get_key_value(&name)).map(|(name, _)| name.as_str())
}

type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Who imports whom, without what a file imports from those above and below it.
fn imports(modules: &BTreeMap<String, String>) -> Imports<'_> {
    let mut found = Imports::new();
    for (own, code) in modules {
        let is_above = |one: &str, other: &str| format!("{other}::").starts_with(&format!("{one}::"));
        let others = paths(code);
        let others = others.iter().filter_map(|path| file_of(path, own, modules));
        let others = others.filter(|other| !is_above(own, other) && !is_above(other, own));
        found.insert(own, others.collect());
    }
    found
}

/// The imports between files in circles.
fn circles(mut imports: Imports<'_>) -> Imports<'_> {
    // A file that imports nothing that is left is taken out, until there is none; then those that nothing imports.
    loop {
        let before: usize = imports.values().map(|others| 1 + others.len()).sum();
        let imported: BTreeSet<&str> = imports.values().flatten().copied().collect();
        imports.retain(|own, others| !others.is_empty() && imported.contains(own));
        let left: BTreeSet<&str> = imports.keys().copied().collect();
        imports.values_mut().for_each(|others| others.retain(|other| left.contains(other)));
        if imports.values().map(|others| 1 + others.len()).sum::<usize>() == before {
            return imports;
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let modules = modules();
    let all = imports(&modules);
    assert!(all["engine::records"].contains("engine::lines") && all["engine"].contains("dialect"), "{all:?}");
    assert!(!circles(Imports::from([("a", ["b"].into()), ("b", ["c"].into()), ("c", ["a"].into())])).is_empty());
    let mut rest = all.clone();
    for (own, other) in CIRCLES {
        assert!(rest.get_mut(own).is_some_and(|others| others.remove(other)), "{own} does not import {other} now");
    }
    let found = circles(rest.clone());
    assert!(found.is_empty(), "these files import each other in a circle: {found:#?}");
    for (own, other) in CIRCLES {
        let mut with = rest.clone();
        with.get_mut(own).unwrap().insert(other);
        assert!(!circles(with).is_empty(), "no circle needs that {own} imports {other} now");
    }
}

/// Which topics import which: of two files in different folders, the folders that stand in the same one.
fn topics(imports: &Imports<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for (own, other) in imports.iter().flat_map(|(own, others)| others.iter().map(move |other| (own, other))) {
        let same = own.split("::").zip(other.split("::")).take_while(|(a, b)| a == b).count();
        let topic = |path: &str| path.split("::").take(same + 1).collect::<Vec<_>>().join("::");
        found.entry(topic(own)).or_default().insert(topic(other));
    }
    found
}

#[test]
fn no_topics_import_each_other_in_a_circle() {
    let modules = modules();
    let topics = topics(&imports(&modules));
    assert!(topics["inline::scanner"].contains("inline::marks"), "{topics:?}");
    let all = topics.iter().map(|(own, others)| (own.as_str(), others.iter().map(String::as_str).collect()));
    let mut rest = BTreeMap::<&str, Imports<'_>>::new();
    for (own, others) in circles(all.collect()) {
        rest.entry(own.split("::").next().unwrap()).or_default().insert(own, others);
    }
    for room in TOPICS {
        assert!(rest.remove(room).is_some(), "{room} has no topics in a circle now");
    }
    assert!(rest.is_empty(), "these topics import each other in a circle: {rest:#?}");
}

#[test]
fn names_are_imported_one_by_one() {
    let all = modules();
    let mut found: Vec<&String> =
        all.iter().filter(|(_, code)| code.contains("\nuse super::*;")).map(|(name, _)| name).collect();
    for room in ALL_NAMES {
        let before = found.len();
        found.retain(|name| *name != room && !name.starts_with(&format!("{room}::")));
        assert!(found.len() < before, "{room} imports names one by one now");
    }
    assert!(found.is_empty(), "these import all names of the file above them: {found:?}");
}

#[test]
fn no_type_is_imported_under_the_name_of_another() {
    let all = modules();
    let types: BTreeSet<&str> = all.values().flat_map(|code| code.lines()).filter_map(declared).collect();
    assert!(types.len() > 900, "types are not found: {}", types.len());
    let mut found = BTreeSet::new();
    for (own, code) in &all {
        for path in imported(code) {
            let alias = path.split_once(" as ").map(|(_, alias)| alias.trim().to_string());
            found.extend(alias.filter(|alias| types.contains(alias.as_str())).map(|alias| (own.clone(), alias)));
        }
    }
    for (own, alias) in ALIASES {
        assert!(found.remove(&(own.to_string(), alias.to_string())), "{own} has no alias {alias} now");
    }
    assert!(found.is_empty(), "these are the names of other types: {found:?}");
}
