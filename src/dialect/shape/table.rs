//! The keys of a state, compiled for lookup.

use super::{ANY_KEY, Beside, Case, Found, Key, Rows, When};

/// The keys by their length, each bucket in the order of the row: the first key that fits wins.
#[derive(Debug)]
pub(super) struct KeyTable {
    by_len: Vec<Vec<KeyEntry>>,
    /// Those that stand for all keys that are not listed.
    any: Vec<KeyEntry>,
    /// For each case, how long a type may be to which it applies: a bit for each length. All bits, if the case does not
    /// ask for a type, or for any type with a certain beginning or end.
    pub type_lens: Vec<u64>,
}

#[derive(Debug)]
struct KeyEntry {
    ends: (u64, u64),
    name: &'static [u8],
    json: u8,
    rows: Rows,
    beside: Option<Beside>,
    found: Found,
    /// The key of the row, which a test may take away.
    #[cfg(test)]
    part: super::mutation::RowPart,
}

impl KeyEntry {
    #[cfg(not(test))]
    fn is_there(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn is_there(&self) -> bool {
        super::mutation::stands(self.part)
    }
}

impl KeyTable {
    pub fn new(keys: impl Iterator<Item = &'static Key> + Clone, cases: &[Case]) -> Self {
        let (mut by_len, mut any): (Vec<Vec<KeyEntry>>, Vec<KeyEntry>) = (Vec::new(), Vec::new());
        let chosen_by = keys.clone().filter_map(|key| key.beside.map(|beside| beside.key));
        let chosen_by: Vec<&str> = chosen_by.collect();
        for key in keys {
            let name = key.name.as_bytes();
            let found = Found::new(key.to, (chosen_by.contains(&key.name), key.name == ANY_KEY));
            let Key { json, rows, beside, .. } = *key;
            let entry = KeyEntry {
                ends: ends(name),
                name,
                json,
                rows,
                beside,
                found,
                #[cfg(test)]
                part: super::mutation::RowPart::key(key),
            };
            if key.name == ANY_KEY {
                any.push(entry);
                continue;
            }
            by_len.resize_with(by_len.len().max(name.len() + 1), Vec::new);
            by_len[name.len()].push(entry);
        }
        Self { by_len, any, type_lens: cases.iter().map(type_lens).collect() }
    }

    /// The meaning of a key whose value has one of these types, in the first of these rows. A key that is listed, if only
    /// for values of other types, is none of [`ANY_KEY`].
    #[inline]
    pub fn find(&self, key: &[u8], json: u8, rows: Rows, mut stands: impl FnMut(&Beside) -> bool) -> Option<&Found> {
        let bucket = self.by_len.get(key.len()).map_or(&[][..], Vec::as_slice);
        if bucket.is_empty() && self.any.is_empty() {
            return None;
        }
        let ends = ends(key);
        let is = |e: &&KeyEntry| e.ends == ends && e.rows & rows != 0 && (key.len() <= 16 || e.name == key);
        let mut fits = |e: &&KeyEntry| e.json & json != 0 && e.beside.as_ref().is_none_or(&mut stands) && e.is_there();
        let found = bucket.iter().find(|e| is(e) && fits(e));
        if found.is_some() || self.any.is_empty() || bucket.iter().any(|e| is(&e) && e.is_there()) {
            return found.map(|e| &e.found);
        }
        self.any.iter().find(fits).map(|e| &e.found)
    }
}

fn type_lens(case: &Case) -> u64 {
    let names = case.when.iter().find_map(|when| if let When::Type(names) = when { Some(*names) } else { None });
    let len = |name: &&str| if name.contains('*') { u64::MAX } else { 1 << name.len().min(63) };
    names.map_or(u64::MAX, |names| names.iter().map(len).fold(0, |all, len| all | len))
}

/// The first eight and the last eight bytes of a key, which may overlap: together they are all of a key of up to 16
/// bytes, so that keys are compared without a function call.
#[inline]
fn ends(key: &[u8]) -> (u64, u64) {
    match (key.first_chunk::<8>(), key.last_chunk::<8>(), key.first_chunk::<4>(), key.last_chunk::<4>()) {
        (Some(a), Some(z), ..) => (u64::from_le_bytes(*a), u64::from_le_bytes(*z)),
        (_, _, Some(a), Some(z)) => (u32::from_le_bytes(*a).into(), u32::from_le_bytes(*z).into()),
        _ => (key.iter().fold(0, |n, b| n << 8 | u64::from(*b)), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ANEW, ANY, LIST, OBJECT, STRING, Slot, State, To, is, pass, state};
    use super::*;

    fn slot(table: &KeyTable, key: &str, json: u8, beside: &str) -> String {
        let stands = |other: &Beside| other.words.contains(&beside);
        match table.find(key.as_bytes(), json, Rows::MAX, stands).map(|found| found.to) {
            Some(To::Is(slot)) => format!("{slot:?}"),
            Some(_) => "pass".into(),
            None => "none".into(),
        }
    }

    #[test]
    fn keys() {
        static KEYS: &[Key] = &[
            is("content", STRING, Slot::Text),
            is("content", LIST, Slot::Result),
            pass("a_key_of_more_than_sixteen_bytes"),
            pass("id"),
            pass(""),
        ];
        let table = KeyTable::new(KEYS.iter(), &[]);
        for (key, json, want) in [
            ("content", STRING, "Text"),
            ("content", LIST, "Result"),
            ("content", OBJECT, "none"),
            ("contenT", STRING, "none"),
            ("a_key_of_more_than_sixteen_bytes", STRING, "pass"),
            ("a_key_of_more_thaN_sixteen_bytes", STRING, "none"),
            ("id", STRING, "pass"),
            ("di", STRING, "none"),
            ("", STRING, "pass"),
            ("a key that is longer than all keys of the state", STRING, "none"),
        ] {
            assert_eq!(slot(&table, key, json, ""), want, "{key}");
        }
    }
    #[test]
    fn keys_of_maps() {
        static KEYS: &[Key] = &[is("root", STRING, Slot::Id), is(ANY_KEY, OBJECT, Slot::Inner), pass(ANY_KEY)];
        let table = KeyTable::new(KEYS.iter(), &[]);
        for (key, json, want) in [
            ("root", STRING, "Id"),
            // A key that is listed is no identifier.
            ("root", OBJECT, "none"),
            ("3f", OBJECT, "Inner"),
            ("3f", STRING, "pass"),
            ("", OBJECT, "Inner"),
            ("*", OBJECT, "Inner"),
            ("a key that is longer than all keys of the state", OBJECT, "Inner"),
        ] {
            assert_eq!(slot(&table, key, json, ""), want, "{key}");
        }
    }

    #[test]
    fn keys_for_messages_that_are_built_anew() {
        static KEYS: &[Key] = &[
            is("id", STRING, Slot::CallId).of(1).anew(),
            is("id", ANY, Slot::Id),
            is("name", STRING, Slot::Name).anew(),
        ];
        static STATE: State = state("state", KEYS, &[]);
        for (key, json, rows, want) in [
            ("id", STRING, 1, Some(Slot::Id)),
            ("id", STRING, 1 | ANEW, Some(Slot::CallId)),
            ("id", LIST, 1 | ANEW, Some(Slot::Id)),
            // It is a key of another row.
            ("id", STRING, 2 | ANEW, Some(Slot::Id)),
            ("name", STRING, 1, None),
            ("name", STRING, 1 | ANEW, Some(Slot::Name)),
            ("name", LIST, 1 | ANEW, None),
            // No row is read.
            ("name", STRING, ANEW, None),
        ] {
            let found = STATE.find(key.as_bytes(), json, rows, |_| false).map(|found| found.to);
            let slot = if let Some(To::Is(slot)) = found { Some(slot) } else { None };
            assert_eq!(slot, want, "{key} {json} {rows}");
        }
    }

    #[test]
    fn keys_that_another_member_chooses() {
        static KEYS: &[Key] = &[
            is("kind", STRING, Slot::Type),
            is("body", STRING, Slot::Text).beside("kind", &["say"]),
            is("body", STRING, Slot::Result).beside("kind", &["result"]),
        ];
        let table = KeyTable::new(KEYS.iter(), &[]);
        for (beside, want) in [("say", "Text"), ("result", "Result"), ("other", "none"), ("", "none")] {
            assert_eq!(slot(&table, "body", STRING, beside), want, "{beside}");
        }
        let chooses = |key: &str| table.find(key.as_bytes(), STRING, Rows::MAX, |_| true).unwrap().chooses;
        assert!(chooses("kind") && !chooses("body"));
    }
}
