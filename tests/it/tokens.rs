//! The counts of tiktoken, over the texts of `testdata/tokens`.

use crate::support::root;
use std::collections::BTreeMap;
use unthink::internals::count::{Counter, Method};

type Counts = BTreeMap<String, BTreeMap<String, u64>>;

#[test]
fn counts_are_those_of_tiktoken() {
    let folder = root().join("testdata/tokens");
    let counts: Counts = serde_json::from_slice(&std::fs::read(folder.join("counts.json")).unwrap()).unwrap();
    let texts = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(texts.filter(|path| path.extension().is_some_and(|e| e == "txt")).count(), counts.len());
    for method in [Method::O200k, Method::Cl100k] {
        let mut counter = Counter::new(method);
        for (name, want) in &counts {
            let text = std::fs::read(folder.join(name).with_extension("txt")).unwrap();
            let want = want[method.name()];
            assert_eq!(counter.text(&text), want, "{method}: {name}");
            let literal = serde_json::to_string(std::str::from_utf8(&text).unwrap()).unwrap();
            let raw = &literal.as_bytes()[1..literal.len() - 1];
            assert_eq!(counter.literal(raw, true), want, "{method}: {name} as a literal");
        }
    }
}
