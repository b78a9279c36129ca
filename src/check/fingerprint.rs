//! Fingerprints: identifiers of findings that survive moved lines and reordered records.

use super::Rule;
use super::fold::folded;
use std::collections::HashMap;

/// Gives findings their fingerprints: a hash of the rule and the folded text, and the number of the finding among those
/// with the same hash. The hash is FNV-1a with 128 bits, which never changes.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    known: HashMap<u128, u64>,
}

const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn hash(start: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(start, |hash, b| (hash ^ u128::from(*b)).wrapping_mul(PRIME))
}

/// The hash of a rule and a text, which is the same for all findings of that rule with that text.
pub(crate) fn name(rule: &Rule, text: &str) -> u128 {
    hash(hash(hash(BASIS, rule.code.as_bytes()), b"\0"), &folded(text))
}

impl Fingerprints {
    /// The fingerprint of the next finding with this hash.
    pub fn next(&mut self, name: u128) -> String {
        let n = self.known.entry(name).or_default();
        *n += 1;
        format!("{:032x}", if *n == 1 { name } else { hash(name, &n.to_le_bytes()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::find;

    #[test]
    fn the_same_text_has_the_same_name() {
        let (passage, tag) = (find("UT102").unwrap(), find("UT103").unwrap());
        let (mut a, mut b) = (Fingerprints::default(), Fingerprints::default());
        let first = a.next(name(passage, "Some **text**"));
        assert_eq!(first, b.next(name(passage, "some\ntext")));
        assert_ne!(first, a.next(name(passage, "some text")), "the second of its kind");
        assert_ne!(first, b.next(name(tag, "some text")));
        assert_eq!((first.len(), first.bytes().all(|b| b.is_ascii_hexdigit())), (32, true));
    }
}
