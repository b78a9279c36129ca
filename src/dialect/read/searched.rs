//! Members that were looked at in earlier records, and hold no reasoning: records of a log repeat the directory, the
//! version and the session in every line.

use super::walked::UnnamedMember;
use crate::json::Literal;

/// How many members are kept: one for each key, as far as the keys do not share a place.
const KEPT: usize = 256;

/// The longest member that is kept, in bytes.
const MAX_MEMBER_BYTES: usize = 256;

/// What is known of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Searched {
    /// Nothing.
    No,
    /// Under its key, one plain word needs no search.
    PlainKey,
    /// Its value is one plain word, so that nobody needs to look at it.
    Plain,
    /// The search found no reasoning in it. It may still be a copy of reasoning that stands in its record.
    Clean,
}

/// The members, one for each key.
#[derive(Debug, Default)]
pub(in crate::dialect) struct SearchedMembers {
    all: Vec<SearchedMember>,
}

#[derive(Clone, Debug, Default)]
struct SearchedMember {
    /// Its key, with the quote behind it, if that is plain.
    key: Vec<u8>,
    /// Its bytes from the key to the end of the value.
    bytes: Vec<u8>,
    /// The value is one plain word.
    plain: bool,
    /// The end of the last member that might have been kept here: one that does not come twice is not kept.
    last: u64,
}

impl SearchedMembers {
    /// What is known of the member with this key and the value that ends at `end`.
    #[inline]
    pub fn get(&self, record: &[u8], key: Literal, end: usize) -> Searched {
        let Some(member) = self.all.get(place(record, key)) else { return Searched::No };
        match (member.bytes == record[key.start..end], member.plain) {
            (true, true) => Searched::Plain,
            (true, false) => Searched::Clean,
            _ if member.key == record[key.start..=key.end] => Searched::PlainKey,
            _ => Searched::No,
        }
    }

    /// Keeps a member whose string is plain, and not exempt by its key.
    #[inline]
    pub fn add_plain(&mut self, record: &[u8], key: Literal, end: usize) {
        self.add(record, key, end, true);
        let name = &record[key.start..=key.end];
        if let Some(member) = self.all.get_mut(place(record, key))
            && name.len() <= MAX_MEMBER_BYTES
            && member.key != name
        {
            member.key.clear();
            member.key.extend_from_slice(name);
        }
    }

    /// Keeps a member that was searched.
    pub fn add_clean(&mut self, record: &[u8], rest: &UnnamedMember) {
        if let Some(key) = rest.key {
            self.add(record, key, rest.end, false);
        }
    }

    /// Keeps a member, if the last one at its place was the same. `plain`: its string is.
    #[inline]
    pub fn add(&mut self, record: &[u8], key: Literal, end: usize, plain: bool) {
        let bytes = &record[key.start..end];
        let Some(end) = bytes.last_chunk::<8>().filter(|_| bytes.len() <= MAX_MEMBER_BYTES) else { return };
        if self.all.is_empty() {
            self.all.resize_with(KEPT, SearchedMember::default);
        }
        let (member, end) = (&mut self.all[place(record, key)], u64::from_le_bytes(*end));
        if std::mem::replace(&mut member.last, end) == end {
            member.bytes.clear();
            member.bytes.extend_from_slice(bytes);
            member.plain = plain;
        }
    }
}

/// Where a member with this key is kept.
#[inline]
fn place(record: &[u8], key: Literal) -> usize {
    let start = record[key.start..].first_chunk::<8>().map_or(0, |start| u64::from_le_bytes(*start));
    let mixed = (start ^ (key.end - key.start) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as usize % KEPT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::members;

    /// What is known of the first member of a record, which is kept then.
    fn look(
        all: &mut SearchedMembers,
        record: &str,
        keep: impl Fn(&mut SearchedMembers, &[u8], Literal, usize),
    ) -> Searched {
        let record = record.as_bytes();
        let Some((key, _, value)) = members(record, 0).next() else { panic!() };
        let found = all.get(record, key, value.end);
        keep(all, record, key, value.end);
        found
    }

    #[test]
    fn what_comes_twice_is_kept() {
        let mut all = SearchedMembers::default();
        let mut look = |record: &str| look(&mut all, record, |all, record, key, end| all.add(record, key, end, false));
        let long = format!(r#"{{"cwd":"{}"}}"#, "a".repeat(300));
        for (record, want) in [
            (r#"{"cwd":"/home/u"}"#, Searched::No),
            (r#"{"cwd":"/home/u"}"#, Searched::No),
            (r#"{"cwd":"/home/u"}"#, Searched::Clean),
            (r#"{"cwd":"/home/v"}"#, Searched::No),
            // The last bytes are the same, so that the second is kept; the rest differs.
            (r#"{"cwd":"a/home/uu"}"#, Searched::No),
            (r#"{"cwd":"b/home/uu"}"#, Searched::No),
            (r#"{"cwd":"a/home/uu"}"#, Searched::No),
            (r#"{"cwd":{"kind":"user"}}"#, Searched::No),
            (r#"{"cwd":{"kind":"user"}}"#, Searched::No),
            (r#"{"cwd":{"kind":"user"}}"#, Searched::Clean),
            (r#"{"cw":"d"}"#, Searched::No),
            (r#"{"cw":"d"}"#, Searched::No),
            (r#"{"cw":"d"}"#, Searched::No),
            (&long, Searched::No),
            (&long, Searched::No),
            (&long, Searched::No),
        ] {
            assert_eq!(look(record), want, "{record}");
        }
    }

    #[test]
    fn plain_keys() {
        let mut all = SearchedMembers::default();
        let mut look = |record: &str| look(&mut all, record, SearchedMembers::add_plain);
        for (record, want) in [
            (r#"{"uuid":"0000-0001"}"#, Searched::No),
            (r#"{"uuid":"0000-0002"}"#, Searched::PlainKey),
            (r#"{"uuid":"0000-0003"}"#, Searched::PlainKey),
            (r#"{"uuid":"0000-0003"}"#, Searched::PlainKey),
            (r#"{"uuid":"0000-0003"}"#, Searched::Plain),
            (r#"{"uuie":"0000-0003"}"#, Searched::No),
        ] {
            assert_eq!(look(record), want, "{record}");
        }
    }
}
