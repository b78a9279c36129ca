//! The keys of a state, compiled for lookup.

use super::{Key, To};

/// The keys by their length, each bucket in the order of the row: the first key that fits wins.
#[derive(Debug)]
pub(super) struct Table {
    by_len: Vec<Vec<Entry>>,
}

#[derive(Debug)]
struct Entry {
    ends: (u64, u64),
    name: &'static [u8],
    json: u8,
    to: To,
}

impl Table {
    pub fn new(keys: impl Iterator<Item = &'static Key>) -> Self {
        let mut by_len: Vec<Vec<Entry>> = Vec::new();
        for key in keys {
            let name = key.name.as_bytes();
            by_len.resize_with(by_len.len().max(name.len() + 1), Vec::new);
            by_len[name.len()].push(Entry { ends: ends(name), name, json: key.json, to: key.to });
        }
        Self { by_len }
    }

    /// The meaning of a key whose value has one of these types.
    #[inline]
    pub fn find(&self, key: &[u8], json: u8) -> Option<To> {
        let bucket = self.by_len.get(key.len()).filter(|bucket| !bucket.is_empty())?;
        let ends = ends(key);
        let is = |e: &&Entry| e.json & json != 0 && e.ends == ends && (key.len() <= 16 || e.name == key);
        bucket.iter().find(is).map(|e| e.to)
    }
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
    use super::super::{LIST, STRING, Slot, is, pass};
    use super::*;

    #[test]
    fn keys() {
        static KEYS: &[Key] = &[
            is("content", STRING, Slot::Text),
            is("content", LIST, Slot::Result),
            pass("a_key_of_more_than_sixteen_bytes"),
            pass("id"),
            pass(""),
        ];
        let table = Table::new(KEYS.iter());
        let slot = |key: &str, json| match table.find(key.as_bytes(), json) {
            Some(To::Is(slot)) => format!("{slot:?}"),
            Some(_) => "pass".into(),
            None => "none".into(),
        };
        for (key, json, want) in [
            ("content", STRING, "Text"),
            ("content", LIST, "Result"),
            ("content", super::super::OBJECT, "none"),
            ("contenT", STRING, "none"),
            ("a_key_of_more_than_sixteen_bytes", STRING, "pass"),
            ("a_key_of_more_thaN_sixteen_bytes", STRING, "none"),
            ("id", STRING, "pass"),
            ("di", STRING, "none"),
            ("", STRING, "pass"),
            ("a key that is longer than all keys of the state", STRING, "none"),
        ] {
            assert_eq!(slot(key, json), want, "{key}");
        }
    }
}
