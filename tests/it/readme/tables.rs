//! The tables of products and formats, made from the program's own: what can be read, stripped and converted is tried on
//! the files in `testdata`.

use super::hold;
use crate::support::{files_in, root};
use std::collections::BTreeMap;
use std::fmt::Write;
use unthink::internals::dialect::{DIALECTS, Dialect, UNREAD};
use unthink::{ConvertOptions, Error, StripOptions, convert, strip};

/// What stands in all reasoning of our test data, and in all other text.
const REASONING: &str = "S3CRET";
const VISIBLE: &str = "PUBL1C";

/// Products, and the formats that they write.
type Entry = (String, Vec<&'static str>);

/// What can be done with a format: read it, strip it, convert from it, convert to it.
fn abilities(dialect: &Dialect) -> [bool; 4] {
    let files = files_in(&root().join("testdata").join(dialect.name));
    let inputs: Vec<Vec<u8>> = files.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let holds = |bytes: &[u8], word: &str| String::from_utf8_lossy(bytes).contains(word);
    let stripped: Vec<_> = inputs.iter().map(|input| strip(input, &StripOptions::default())).collect();
    let read = stripped.iter().all(Result::is_ok);
    let clean = stripped.iter().flatten().all(|done| !holds(&done.output, REASONING));
    let converts = |input: &Vec<u8>| {
        let done = convert(input, &ConvertOptions::new("reasoning-content"));
        done.is_ok_and(|done| !holds(input, VISIBLE) || holds(&done.output, VISIBLE))
    };
    let message = br#"{"role":"assistant","reasoning_content":"Low pressure.","content":"Rain by noon."}"#;
    let written = convert(message, &ConvertOptions::new(dialect.name));
    [read, read && clean, inputs.iter().any(converts), written.is_ok()]
}

/// The products of a format. A protocol with several spellings is named with the first of them.
fn products(dialect: &Dialect) -> String {
    let earlier = || DIALECTS.iter().take_while(|other| other.name != dialect.name);
    let is_new = |name: &&str| !earlier().any(|other| other.product_names().any(|known| known == *name));
    let names: Vec<&str> = dialect.product_names().filter(is_new).collect();
    if names.is_empty() { "others".to_string() } else { names.join(", ") }
}

/// Adds a format: neighbours with the same products are one entry.
fn entry(names: &mut Vec<Entry>, dialect: &Dialect) {
    let products = products(dialect);
    match names.last_mut() {
        Some((last, formats)) if *last == products => formats.push(dialect.name),
        _ => names.push((products, vec![dialect.name])),
    }
}

#[test]
fn the_readme_has_the_products() {
    let mut groups: Vec<([bool; 4], Vec<Entry>)> = Vec::new();
    for dialect in DIALECTS {
        let abilities = abilities(dialect);
        match groups.iter_mut().find(|(group, _)| *group == abilities) {
            Some((_, names)) => entry(names, dialect),
            None => {
                let mut names = Vec::new();
                entry(&mut names, dialect);
                groups.push((abilities, names));
            }
        }
    }
    groups.sort_by_key(|(abilities, _)| std::cmp::Reverse(*abilities));
    let mut table =
        "| read | strip | convert from | convert to | written by (name for `-f` and `--to`) |\n".to_string();
    table += "|---|---|---|---|---|\n";
    for (abilities, names) in groups {
        let cells = abilities.map(|able| if able { "yes" } else { "no" }).join(" | ");
        let names = names.iter().map(|(products, formats)| format!("{products} (`{}`)", formats.join("`, `")));
        writeln!(table, "| {cells} | {} |", names.collect::<Vec<_>>().join("; ")).unwrap();
    }
    writeln!(table, "| no | no | no | no | {} |", unread().join("; ")).unwrap();
    hold(&root().join("README.md"), "products", &table);
}

/// Products whose files are refused if they hold reasoning, by what they are.
fn unread() -> Vec<String> {
    let mut names = Vec::new();
    for format in UNREAD.iter().filter(|format| !format.products.is_empty()) {
        let refused = |example: &&str| {
            let done = strip(example.as_bytes(), &StripOptions::default());
            matches!(done, Err(Error::Incomplete(e)) if e.partial.output.is_empty())
        };
        let own: Vec<_> = format.products.iter().map(|product| product.name).filter(|name| !is_read(name)).collect();
        assert!(own.is_empty() || format.suspect.iter().any(refused), "{}", format.name);
        match own.as_slice() {
            [] => (),
            [one] => names.push(one.to_string()),
            all => names.push(format!("{}: {}", format.name, all.join(", "))),
        }
    }
    names
}

fn is_read(product: &str) -> bool {
    DIALECTS.iter().any(|dialect| dialect.product_names().any(|name| name == product))
}

/// What conversions of the examples lose towards a format.
fn losses(dialect: &Dialect, to: &Dialect) -> String {
    let mut lost = BTreeMap::new();
    let mut refused = 0;
    for path in files_in(&root().join("testdata").join(dialect.name)) {
        let input = std::fs::read(&path).unwrap();
        match convert(&input, &ConvertOptions::new(to.name)) {
            Ok(done) => lost.extend(done.report.losses),
            Err(Error::Incomplete(done)) => {
                refused += done.count;
                lost.extend(done.partial.report.losses);
            }
            Err(e) => panic!("{}: {e}", path.display()),
        }
    }
    let mut words: Vec<String> = lost.keys().map(|loss| loss.words().1.to_string()).collect();
    words.extend((refused > 0).then(|| "**some records are refused**".to_string()));
    if words.is_empty() { "nothing".to_string() } else { words.join("; ") }
}

#[test]
fn the_page_of_dialects_has_their_losses() {
    let targets: Vec<&Dialect> = DIALECTS.iter().filter(|dialect| dialect.write.is_some()).collect();
    let mut page = String::new();
    for dialect in DIALECTS {
        let names: Vec<&str> = dialect.framings.iter().map(|framing| framing.name()).collect();
        writeln!(page, "### {}\n\n{}. Written by {}.", dialect.name, dialect.about, products(dialect)).unwrap();
        write!(page, "Framings: {}.", names.join(", ")).unwrap();
        if !dialect.aliases.is_empty() {
            write!(page, " Also called `{}`.", dialect.aliases.join("`, `")).unwrap();
        }
        let holds = dialect.properties.map(|all| all.iter().map(|p| format!(", {}", p.name())).collect::<String>());
        match holds {
            Some(holds) => writeln!(page, " Can be written; keeps of a block: text{holds}.\n").unwrap(),
            None if dialect.is_written() => {
                writeln!(page, " Is written as `{}`.\n", dialect.spelled.join("`, `")).unwrap()
            }
            None => writeln!(page, " Cannot be written.\n").unwrap(),
        }
        let mut rows: Vec<(String, Vec<&str>)> = Vec::new();
        for to in targets.iter().filter(|to| to.name != dialect.name) {
            let lost = losses(dialect, to);
            match rows.iter_mut().find(|(other, _)| *other == lost) {
                Some((_, names)) => names.push(to.name),
                None => rows.push((lost, vec![to.name])),
            }
        }
        page += "| towards | what its examples lose |\n|---|---|\n";
        for (lost, names) in rows {
            writeln!(page, "| {} | {lost} |", names.join(", ")).unwrap();
        }
        page.push('\n');
    }
    hold(&root().join("docs/dialects.md"), "dialects", &page);
}
