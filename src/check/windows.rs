//! Windows of a text: stretches of a fixed number of characters, found by a rolling hash, and compared if their hashes
//! are equal.

use super::fold::BARRIER;

/// The factor of the rolling hash: odd, so that no information is lost.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Spreads the information of a hash over all of its bits.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ (hash >> 29)
}

fn power(mut n: usize) -> u64 {
    let (mut power, mut base) = (1u64, BASE);
    while n > 0 {
        power = if n % 2 == 1 { power.wrapping_mul(base) } else { power };
        base = base.wrapping_mul(base);
        n /= 2;
    }
    power
}

/// The hash of a block of bytes.
pub(super) fn block(bytes: &[u8]) -> u64 {
    mixed(polynomial(bytes))
}

/// The powers of the factor for four bytes, the first the highest.
const POWERS: [u64; 5] = {
    let mut powers = [1u64; 5];
    let mut i = 4;
    while i > 0 {
        powers[i - 1] = powers[i].wrapping_mul(BASE);
        i -= 1;
    }
    powers
};

/// The hash of bytes before its bits are spread. Four bytes at once, since each multiplication waits for the last.
fn polynomial(bytes: &[u8]) -> u64 {
    let (fours, rest) = bytes.as_chunks::<4>();
    let term = |b: u8, power: u64| (u64::from(b) + 1).wrapping_mul(power);
    let hash = fours.iter().fold(0u64, |hash, [a, b, c, d]| {
        let first = term(*a, POWERS[1]).wrapping_add(term(*b, POWERS[2]));
        let last = term(*c, POWERS[3]).wrapping_add(term(*d, POWERS[4]));
        hash.wrapping_mul(POWERS[0]).wrapping_add(first).wrapping_add(last)
    });
    rest.iter().fold(hash, |hash, b| hash.wrapping_mul(BASE).wrapping_add(u64::from(*b) + 1))
}

/// Calls `found` with where each window of `n` bytes begins, and its hash, until it returns false.
pub(super) fn blocks(text: &[u8], n: usize, mut found: impl FnMut(usize, u64) -> bool) {
    let Some((head, rest)) = text.split_at_checked(n) else { return };
    let (first, mut hash) = (power(n), polynomial(head));
    if !found(0, mixed(hash)) {
        return;
    }
    for (i, (gone, b)) in text.iter().zip(rest).enumerate() {
        // Only one multiplication stands between two hashes: the term that is removed does not depend on the hash.
        let gone = first.wrapping_mul(u64::from(*gone) + 1);
        hash = hash.wrapping_mul(BASE).wrapping_add((u64::from(*b) + 1).wrapping_sub(gone));
        if !found(i + 1, mixed(hash)) {
            return;
        }
    }
}

/// Calls `found` with each window of `n` characters, and its hash. None goes across a barrier.
pub(super) fn windows(text: &[u8], n: usize, mut found: impl FnMut(std::ops::Range<usize>, u64)) {
    for part in text.split(|b| *b == BARRIER) {
        let base = part.as_ptr() as usize - text.as_ptr() as usize;
        let (first, mut hash) = (power(n), 0u64);
        let (mut start, mut count, mut at) = (0, 0, 0);
        while at < part.len() {
            let (c, len) = character(part, at);
            hash = hash.wrapping_mul(BASE).wrapping_add(c + 1);
            at += len;
            count += 1;
            if count > n {
                let (gone, len) = character(part, start);
                hash = hash.wrapping_sub(first.wrapping_mul(gone + 1));
                start += len;
            }
            if count >= n {
                found(base + start..base + at, mixed(hash));
            }
        }
    }
}

/// The character at `at`, and its length in bytes. The text must be UTF-8.
fn character(text: &[u8], at: usize) -> (u64, usize) {
    let b = text[at];
    let len = match b {
        0..0x80 => return (u64::from(b), 1),
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    };
    let bytes = &text[at..(at + len).min(text.len())];
    (bytes.iter().fold(0, |c, b| c << 8 | u64::from(*b)), bytes.len())
}

/// Blocks of equal length of the texts in a buffer, each with all places where it stands.
#[derive(Debug, Default)]
pub(super) struct BlockIndex {
    /// A hash table: the number of an entry plus one, or 0 if empty.
    slots: Vec<u32>,
    /// A Bloom filter, by other bits of the hash than the slots: most blocks that are looked up are not there.
    bits: Vec<u64>,
    /// For each block: where it stands, and the number of the next entry with the same bytes, plus one.
    entries: Vec<(u32, u32)>,
}

impl BlockIndex {
    /// Adds the blocks of `n` bytes in `buffer[at]`.
    pub fn insert(&mut self, buffer: &[u8], at: std::ops::Range<usize>, n: usize) {
        // Room for all of them at once: growing means to hash all blocks again.
        let len = self.entries.len() + at.len() / n;
        if 4 * len > 3 * self.slots.len() {
            self.grow(buffer, n, len);
        }
        for (i, bytes) in buffer[at.clone()].chunks_exact(n).enumerate() {
            let hash = block(bytes);
            let slot = self.slot_for(buffer, bytes, hash);
            self.entries.push(((at.start + i * n) as u32, self.slots[slot]));
            self.slots[slot] = self.entries.len() as u32;
        }
    }

    /// Whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The places in the buffer of a block with these bytes.
    pub fn places<'a>(&'a self, buffer: &[u8], bytes: &[u8], hash: u64) -> impl Iterator<Item = usize> + 'a {
        let mut entry = if self.may_hold(hash) { self.slots[self.slot(buffer, bytes, hash)] } else { 0 };
        std::iter::from_fn(move || {
            let (at, next) = *self.entries.get((entry as usize).checked_sub(1)?)?;
            entry = next;
            Some(at as usize)
        })
    }

    /// Whether a block with this hash may be in the table.
    fn may_hold(&self, hash: u64) -> bool {
        let bit = (hash >> 32) as usize & (64 * self.bits.len()).wrapping_sub(1);
        self.bits.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }

    fn note(&mut self, hash: u64) {
        let bit = (hash >> 32) as usize & (64 * self.bits.len() - 1);
        self.bits[bit / 64] |= 1 << (bit % 64);
    }

    /// The slot for a block that is added. Most blocks are new, and need not be compared with those in their way, which
    /// lie far apart in memory.
    fn slot_for(&mut self, buffer: &[u8], bytes: &[u8], hash: u64) -> usize {
        if self.may_hold(hash) {
            return self.slot(buffer, bytes, hash);
        }
        self.note(hash);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn slot(&self, buffer: &[u8], bytes: &[u8], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some((at, _)) = (self.slots[slot] as usize).checked_sub(1).map(|i| self.entries[i]) {
            if buffer[at as usize..].starts_with(bytes) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Makes room for `len` blocks.
    fn grow(&mut self, buffer: &[u8], n: usize, len: usize) {
        self.slots = vec![0; (4 * len / 3 + 1).next_power_of_two().max(1 << 8)];
        // Eight bits for each slot.
        self.bits = vec![0; self.slots.len() / 8];
        // A later entry is the head of its list.
        for i in 0..self.entries.len() {
            let bytes = &buffer[self.entries[i].0 as usize..][..n];
            let hash = block(bytes);
            let slot = self.slot_for(buffer, bytes, hash);
            self.slots[slot] = i as u32 + 1;
        }
    }
}

/// Every window of the texts in a buffer; of equal windows, the first.
#[derive(Debug)]
pub(super) struct WindowTable {
    /// The length of a window in characters.
    n: usize,
    /// Where a window begins in the buffer, plus one. 0 if empty.
    slots: Vec<u32>,
    len: usize,
}

impl WindowTable {
    pub fn new(n: usize) -> Self {
        Self { n, slots: vec![0; 1 << 6], len: 0 }
    }

    /// Adds all windows of `buffer[at]`.
    pub fn insert(&mut self, buffer: &[u8], at: std::ops::Range<usize>) {
        windows(&buffer[at.clone()], self.n, |window, hash| {
            if 2 * (self.len + 1) > self.slots.len() {
                self.grow(buffer);
            }
            let window = at.start + window.start..at.start + window.end;
            let (slot, found) = self.slot(buffer, &buffer[window.clone()], hash);
            if found.is_none() {
                self.slots[slot] = window.start as u32 + 1;
                self.len += 1;
            }
        });
    }

    /// Where a window with this hash and these bytes begins in the buffer.
    pub fn get(&self, buffer: &[u8], window: &[u8], hash: u64) -> Option<usize> {
        self.slot(buffer, window, hash).1
    }

    /// The slot of the window, or the one where it would go; and its place in the buffer.
    fn slot(&self, buffer: &[u8], window: &[u8], hash: u64) -> (usize, Option<usize>) {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(at) = (self.slots[slot] as usize).checked_sub(1) {
            if buffer[at..].starts_with(window) {
                return (slot, Some(at));
            }
            slot = (slot + 1) & mask;
        }
        (slot, None)
    }

    fn grow(&mut self, buffer: &[u8]) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![0; 2 * old.len()];
        let mask = self.slots.len() - 1;
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut slot = hash_at(buffer, entry as usize - 1, self.n) as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = entry;
        }
    }
}

/// The hash of the window of `n` characters that begins at `at`.
fn hash_at(buffer: &[u8], mut at: usize, n: usize) -> u64 {
    let mut hash = 0u64;
    for _ in 0..n {
        let (c, len) = character(buffer, at);
        hash = hash.wrapping_mul(BASE).wrapping_add(c + 1);
        at += len;
    }
    mixed(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_window_is_found(text in "[abä]{0,60}", other in "[abä]{0,60}", n in 1usize..9) {
            let mut table = WindowTable::new(n);
            table.insert(text.as_bytes(), 0..text.len());
            let chars: Vec<char> = text.chars().collect();
            windows(other.as_bytes(), n, |at, hash| {
                let window: Vec<char> = other[at.clone()].chars().collect();
                let there = chars.windows(n).any(|w| w == window);
                let found = table.get(text.as_bytes(), other[at].as_bytes(), hash);
                assert_eq!(found.is_some(), there);
            });
        }

        #[test]
        fn blocks_have_the_hash_of_their_bytes(text in "[ab]{0,30}", n in 1usize..6) {
            let bytes = text.as_bytes();
            blocks(bytes, n, |at, hash| { assert_eq!(hash, block(&bytes[at..at + n])); true });
        }
    }

    #[test]
    fn large_tables() {
        let text: String = (0..5000).map(|n| format!("{n} ")).collect();
        let mut table = WindowTable::new(7);
        table.insert(text.as_bytes(), 0..text.len());
        windows(text.as_bytes(), 7, |at, hash| {
            assert!(table.get(text.as_bytes(), &text.as_bytes()[at], hash).is_some());
        });
    }

    #[test]
    fn none_goes_across_a_barrier() {
        let mut found = Vec::new();
        windows(b"abc\xFFdefg\xFFh", 3, |at, _| found.push(at));
        assert_eq!(found, [0..3, 4..7, 5..8]);
    }
}
