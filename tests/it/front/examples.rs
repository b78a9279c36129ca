//! Every public item of the crate has an example, which is a test of the documentation.

use crate::support::root;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Items without an example of their own, and why.
const WITHOUT: &[(&str, &str)] = &[];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The public items, and the methods of each, from the list of all that the crate offers.
fn offered() -> BTreeMap<String, Vec<String>> {
    let list = std::fs::read_to_string(root().join("docs/api.txt")).unwrap();
    let (mut items, mut item) = (BTreeMap::<String, Vec<String>>::new(), String::new());
    for line in list.lines() {
        let name = |after: &str| -> Option<String> {
            Some(line.strip_prefix(after)?.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        };
        if let Some(found) = ["pub struct ", "pub enum ", "pub fn "].into_iter().find_map(name) {
            item.clone_from(&found);
            items.insert(found, Vec::new());
        } else if let Some(method) = name("    pub fn ").or_else(|| name("    pub const ")) {
            items.get_mut(&item).unwrap().push(method);
        }
    }
    items
}

/// What the documentation of the item in this line of a file says.
fn docs<'a>(lines: &[&'a str], at: usize) -> Vec<&'a str> {
    let above = lines[..at].iter().rev().map(|line| line.trim_start());
    let mut docs: Vec<&str> = above.take_while(|line| line.starts_with("///") || line.starts_with("#[")).collect();
    docs.reverse();
    docs
}

fn has_example(docs: &[&str]) -> bool {
    docs.iter().any(|line| line.trim() == "/// ```")
}

/// Whether a line declares an item by this name that is public.
fn declares(line: &str, keywords: &[&str], name: &str) -> bool {
    let is_name = |rest: &str| {
        rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    keywords.iter().any(|keyword| line.strip_prefix(keyword).is_some_and(is_name))
}

#[test]
fn every_public_item_has_an_example() {
    let offered = offered();
    assert!(offered.len() > 70, "items are not found: {offered:?}");
    let files: Vec<String> =
        sources(&root().join("src")).iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let mut missing = Vec::new();
    for (item, methods) in &offered {
        let kind = if item.starts_with(char::is_uppercase) { &["pub struct ", "pub enum "][..] } else { &["pub fn "] };
        let places = || {
            files.iter().flat_map(|text| {
                let lines: Vec<&str> = text.lines().collect();
                let found = (0..lines.len()).find(|at| declares(lines[*at], kind, item));
                found.map(|at| (docs(&lines, at), text))
            })
        };
        // A function of the name of a module stands in `front`, beside functions of that name elsewhere.
        let Some((own, file)) = places().find(|(docs, _)| has_example(docs)) else {
            missing.push(item.clone());
            continue;
        };
        let lines: Vec<&str> = file.lines().collect();
        for method in methods {
            // The example of the type may call it.
            let called =
                [format!(".{method}("), format!("::{method}(",), format!("::{method};"), format!("::{method}.")];
            let in_type = own.iter().any(|line| {
                line.starts_with("///")
                    && (called.iter().any(|call| line.contains(call)) || line.contains(&format!("{item}::{method} ")))
            });
            // A setter's is written by the macro that writes the setter.
            let begins = lines.iter().position(|line| line.starts_with(&format!("setters! {{ {item} ")));
            let is_setter = begins.is_some_and(|at| {
                let block = lines[at..].iter().take_while(|line| !line.starts_with('}'));
                block.clone().any(|line| line.split(' ').any(|word| word == format!("{method}:")))
            });
            let at = (0..lines.len()).filter(|at| {
                declares(lines[*at].trim_start(), &["pub fn ", "pub const "], method) && lines[*at].starts_with(' ')
            });
            let in_method = at.clone().count() > 0 && at.clone().all(|at| has_example(&docs(&lines, at)));
            if !in_type && !is_setter && !in_method {
                missing.push(format!("{item}::{method}"));
            }
        }
    }
    for (item, why) in WITHOUT {
        let at = missing.iter().position(|found| found == item);
        missing.remove(at.unwrap_or_else(|| panic!("{item} has an example now: {why}")));
    }
    assert!(missing.is_empty(), "{} without an example: {missing:#?}", missing.len());
    let macros = std::fs::read_to_string(root().join("src/front/setters.rs")).unwrap();
    assert_eq!(macros.matches("/// ```").count(), 4, "a setter has an example");
}
