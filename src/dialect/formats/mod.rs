//! One file a format, or one folder a family: its row, and everything that only this format has.

pub(super) mod anthropic;
pub(super) mod bedrock;
pub(super) mod chat;
pub(super) mod claude_code;
pub(super) mod codex;
pub(super) mod gemini;
pub(super) mod gromozeka;
pub(super) mod mew;
pub(super) mod ollama;
pub(super) mod responses;
pub(super) mod shared;
pub(super) mod text;
mod write;

use crate::model::content::FactTexts;

/// Reads the texts inside of facts that are JSON values.
pub(super) const FACT_TEXTS: FactTexts =
    FactTexts { result: |block| write::result_text(block).0, system: write::system_texts, call_name: write::call_name };

#[cfg(test)]
mod tests {
    use crate::dialect::DIALECTS;
    use crate::dialect::shape::{Case, Slot, State, To, When, is_name_slot};
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The keys and types of a state and of those that it leads to.
    fn words_of(state: &'static State, seen: &mut Vec<*const State>, words: &mut BTreeSet<&'static str>) {
        if seen.contains(&std::ptr::from_ref(state)) {
            return;
        }
        seen.push(state);
        for key in state.all_keys() {
            words.insert(key.name);
            if let To::Same(inner) | To::Into(_, inner) | To::One(_, inner) | To::Each(_, inner) = key.to {
                words_of(inner, seen, words);
            }
        }
        for when in state.cases.iter().flat_map(|case| case.when) {
            if let When::Type(types) | When::Class(types) | When::Is(_, types) = when {
                words.extend(types.iter().map(|name| name.trim_matches('*')));
            }
        }
    }

    /// Fails if a state fills a slot that no meaning of its nodes uses and that none of its conditions reads. `cases`:
    /// those of the node, which for a state of members of the same node are those of the object around it.
    fn slots_are_used(state: &'static State, cases: &'static [Case], seen: &mut Vec<*const State>) {
        if seen.contains(&std::ptr::from_ref(state)) {
            return;
        }
        seen.push(state);
        let used = |slot: Slot| {
            let read = |when: &When| match when {
                When::Has(own) | When::Lacks(own) | When::Several(own) | When::Is(own, _) | When::Under(own, _) => {
                    *own == slot
                }
                _ => false,
            };
            cases.iter().any(|case| case.does.uses(slot) || case.when.iter().any(read))
        };
        for key in state.all_keys() {
            let (slot, inner) = match key.to {
                To::Is(slot) => (Some(slot), None),
                To::Same(inner) => (None, Some((inner, cases))),
                To::Into(slot, inner) => (Some(slot), Some((inner, cases))),
                To::One(slot, inner) | To::Each(slot, inner) => (Some(slot), Some((inner, inner.cases))),
                To::Pass | To::Lost | To::Search => (None, None),
            };
            if let Some(slot) = slot.filter(|slot| !is_name_slot(*slot) && !SEARCHED.contains(slot)) {
                assert!(used(slot), "{}: no node uses {slot:?}, which `{}` fills", state.name, key.name);
            }
            if let Some((inner, cases)) = inner {
                slots_are_used(inner, cases, seen);
            }
        }
    }

    /// Slots whose values are searched in any case: they are read as facts of a record.
    const SEARCHED: &[Slot] = &[
        Slot::Error,
        Slot::OwnParameter,
        Slot::ForeignParameter,
        Slot::ForeignMember,
        Slot::StopDetails,
        Slot::Addressee,
    ];

    #[test]
    fn every_slot_of_a_row_is_used() {
        for shape in DIALECTS.iter().filter_map(|dialect| dialect.shape) {
            slots_are_used(shape.record, shape.record.cases, &mut Vec::new());
        }
    }

    /// The names, keys and types of all formats.
    fn words() -> BTreeSet<&'static str> {
        let mut words = BTreeSet::new();
        for dialect in DIALECTS {
            words.insert(dialect.name);
            words.extend(dialect.aliases);
            if let Some(shape) = dialect.shape {
                words_of(shape.record, &mut Vec::new(), &mut words);
                words.extend(shape.stops.iter().map(|(word, _)| *word));
                words.extend(shape.used.iter().map(|(key, _)| *key));
            }
            if let Some(keys) = dialect.keys {
                let lists = [keys.lists, keys.roles, keys.contents, keys.containers, keys.parts, keys.chunks];
                words.extend(lists.iter().chain(&[keys.wrappers, keys.nested, keys.native]).copied().flatten());
                words.extend(keys.fields.iter().map(|field| field.key));
                words.extend(keys.events.iter().flat_map(|events| events.kinds).map(|kind| kind.name));
            }
        }
        words
    }

    /// The strings in a line of code.
    fn strings(line: &str) -> impl Iterator<Item = &str> {
        line.split('"').skip(1).step_by(2)
    }

    /// Rooms that name things of their own: framings, formats that are not read, tags in texts, losses, the members of
    /// what this program itself writes, and what drawings call things.
    const OWN: &[&str] = &[
        "check/code",
        "check/mod",
        "check/report",
        "check/tokens",
        "cli",
        "dialect/formats",
        "dialect/suspect",
        "frame",
        "front",
        "inline",
        "model/loss",
        "out",
        "pass",
        "settings",
        "show",
        "tagfile",
    ];

    fn check(folder: &Path, root: &Path, words: &BTreeSet<&str>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let inside = path.strip_prefix(root).unwrap().with_extension("");
            if OWN.iter().any(|own| inside == Path::new(own)) {
                continue;
            }
            if path.is_dir() {
                check(&path, root, words);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for string in strings(line).filter(|string| !SOURCES.contains(string)) {
                    assert!(!words.contains(string), "{}: `{string}` is a word of a format\n{line}", path.display());
                }
            }
        }
    }

    /// Sources of reasoning (`model::Source`), and the dialect of what has no records.
    const SOURCES: &[&str] = &["summary", "harmony", "tags", "part", "text"];

    #[test]
    fn words_of_formats_stand_in_their_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let words = words();
        assert!(words.contains("thinking") && words.contains("encrypted_content") && words.len() > 200);
        check(&root, &root, &words);
    }
}
