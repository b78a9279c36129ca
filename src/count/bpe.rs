//! Counts the tokens of byte pair encoding: those of tiktoken's `encode_ordinary`, without making them.
//!
//! The time is O(n log n) in the longest piece and linear in everything else, whatever the text is.

use super::class::Classes;
use super::pattern::{Pattern, end};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A vocabulary, its pattern, and a cache of the counts of short pieces.
pub(super) struct Bpe {
    pattern: Pattern,
    classes: Classes,
    ranks: Ranks,
    merge: Merge,
    /// A hash table: a short piece and its count in each entry. See [`key`].
    cache: Vec<u128>,
}

/// How many short pieces the cache holds, as a power of two.
const CACHE_BITS: u32 = 16;

impl Bpe {
    pub fn o200k() -> Self {
        Self::new(Pattern::O200k, include_bytes!(concat!(env!("OUT_DIR"), "/o200k.bin")))
    }

    pub fn cl100k() -> Self {
        Self::new(Pattern::Cl100k, include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.bin")))
    }

    fn new(pattern: Pattern, tokens: &'static [u8]) -> Self {
        Self {
            pattern,
            classes: Classes::new(),
            ranks: Ranks::new(tokens),
            merge: Merge::default(),
            cache: vec![0; 1 << CACHE_BITS],
        }
    }

    pub fn count(&mut self, text: &str) -> u64 {
        match self.pattern {
            Pattern::O200k => self.count_as(Pattern::O200k, text),
            Pattern::Cl100k => self.count_as(Pattern::Cl100k, text),
        }
    }

    /// Counts with a pattern that is known at compile time, so that the compiler specialises the code.
    #[inline(always)]
    fn count_as(&mut self, pattern: Pattern, text: &str) -> u64 {
        let (mut at, mut count) = (0, 0);
        while at < text.len() {
            let end = end(pattern, &self.classes, text, at);
            count += self.piece(text.as_bytes(), at, end);
            at = end;
        }
        count
    }

    #[inline(always)]
    fn piece(&mut self, text: &[u8], at: usize, end: usize) -> u64 {
        let Some(key) = key(text, at, end) else {
            return self.merge.count(&self.ranks, &text[at..end]);
        };
        let slot = slot(key);
        let cached = self.cache[slot];
        if cached & KEY == key {
            return (cached >> 124) as u64;
        }
        let count = self.merge.count(&self.ranks, &text[at..end]);
        self.cache[slot] = u128::from(count) << 124 | key;
        count
    }
}

/// The bits of an entry that are its key: 15 bytes, and four bits of length. The other four bits are the count.
const KEY: u128 = u128::MAX >> 4;

/// A piece of up to 15 bytes, with its length. No key is 0.
#[inline(always)]
fn key(text: &[u8], at: usize, end: usize) -> Option<u128> {
    let len = end - at;
    if len > 15 {
        return None;
    }
    let bytes = match text[at..].first_chunk::<16>() {
        Some(bytes) => *bytes,
        None => {
            let mut bytes = [0; 16];
            bytes[..len].copy_from_slice(&text[at..end]);
            bytes
        }
    };
    Some(u128::from_le_bytes(bytes) & ((1 << (8 * len)) - 1) | (len as u128) << 120)
}

#[inline(always)]
fn slot(key: u128) -> usize {
    let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(25).wrapping_mul(MIX)).wrapping_mul(MIX);
    (mixed >> (64 - CACHE_BITS)) as usize
}

/// A factor for hashing: odd, with many bits set, from the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hash table from tokens to ranks, built from the embedded vocabulary.
struct Ranks {
    tokens: &'static [u8],
    /// The entries, by hash. See [`TokenSlot`].
    slots: Vec<TokenSlot>,
    /// The ranks of tokens of two bytes, indexed by these bytes: every merge begins with them.
    pairs: Vec<u32>,
}

/// An entry for a token: 24 bits of its place, behind its length; 20 bits of its rank; 20 bits of its hash, so that few
/// comparisons of the token itself fail. No token is at place 0, so that 0 is an empty entry.
#[derive(Clone, Copy)]
struct TokenSlot(u64);

impl TokenSlot {
    fn start(self) -> usize {
        (self.0 & 0xFF_FFFF) as usize
    }

    fn rank(self) -> u32 {
        (self.0 >> 24) as u32 & 0xF_FFFF
    }

    fn hash(self) -> u64 {
        self.0 >> 44
    }
}

/// The number of slots as a power of two: at least twice the number of tokens in the larger vocabulary.
const SLOTS: u32 = 19;

impl Ranks {
    fn new(tokens: &'static [u8]) -> Self {
        let mut this = Self { tokens, slots: vec![TokenSlot(0); 1 << SLOTS], pairs: vec![NONE; 1 << 16] };
        let (mut at, mut rank) = (0, 0);
        while let Some(len) = tokens.get(at) {
            let (start, end) = (at + 1, at + 1 + usize::from(*len));
            let token = &tokens[start..end];
            if let [a, b] = token {
                this.pairs[usize::from(u16::from_le_bytes([*a, *b]))] = rank;
            }
            let hash = Self::hash(token);
            let mut slot = Self::slot(hash);
            while this.slots[slot].0 != 0 {
                slot = (slot + 1) % this.slots.len();
            }
            this.slots[slot] = TokenSlot(start as u64 | u64::from(rank) << 24 | (hash & 0xF_FFFF) << 44);
            (at, rank) = (end, rank + 1);
        }
        this
    }

    #[inline(always)]
    fn hash(token: &[u8]) -> u64 {
        let (words, rest) = token.as_chunks::<8>();
        let mut hash = token.len() as u64;
        for word in words {
            hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(MIX);
        }
        let rest = rest.iter().fold(0, |word, b| word << 8 | u64::from(*b));
        let hash = (hash.rotate_left(5) ^ rest).wrapping_mul(MIX);
        // The high bits are the best mixed, and both ends are used.
        hash ^ hash >> 32
    }

    fn slot(hash: u64) -> usize {
        (hash >> (64 - SLOTS)) as usize
    }

    /// The rank of a token, or [`NONE`].
    #[inline]
    fn get(&self, token: &[u8]) -> u32 {
        if let [a, b] = token {
            return self.pairs[usize::from(u16::from_le_bytes([*a, *b]))];
        }
        if token.len() > MAX_TOKEN_BYTES {
            return NONE;
        }
        let hash = Self::hash(token);
        let mut at = Self::slot(hash);
        loop {
            let slot = self.slots[at];
            if slot.0 == 0 {
                return NONE;
            }
            if slot.hash() == hash & 0xF_FFFF {
                let start = slot.start();
                if usize::from(self.tokens[start - 1]) == token.len() && self.tokens[start..].starts_with(token) {
                    return slot.rank();
                }
            }
            at = (at + 1) % self.slots.len();
        }
    }
}

/// The longest token of both vocabularies, in bytes.
const MAX_TOKEN_BYTES: usize = 128;

/// The rank of bytes that are no token.
const NONE: u32 = u32::MAX;

/// Merges the pairs of a piece: the lowest rank first, and the leftmost of equal ones. Takes about 20 bytes of memory
/// for each byte of the piece.
#[derive(Default)]
struct Merge {
    parts: Vec<BpePart>,
    /// Pairs to merge: the rank, and in the lower 44 bits the place.
    queue: BinaryHeap<Reverse<u64>>,
}

/// A part of a piece, indexed by its place. Parts are tokens, so that their lengths fit a byte.
#[derive(Clone, Copy)]
struct BpePart {
    /// The length of the part before it.
    before: u8,
    len: u8,
    /// The rank of this part and the next as one token.
    rank: u32,
}

impl Merge {
    /// Counts the tokens of a piece.
    fn count(&mut self, ranks: &Ranks, piece: &[u8]) -> u64 {
        // A piece that is a token is never built from parts.
        if piece.len() == 1 || ranks.get(piece) != NONE {
            return 1;
        }
        self.parts.clear();
        self.parts.resize(piece.len(), BpePart { before: 1, len: 1, rank: NONE });
        let mut first = std::mem::take(&mut self.queue).into_vec();
        for (at, pair) in piece.windows(2).enumerate() {
            let rank = ranks.get(pair);
            if rank != NONE {
                self.parts[at].rank = rank;
                first.push(entry(rank, at));
            }
        }
        self.queue = first.into();
        let mut count = piece.len() as u64;
        while let Some(Reverse(pair)) = self.queue.pop() {
            let (rank, at) = ((pair >> 44) as u32, (pair & PLACE) as usize);
            if self.parts[at].rank == rank {
                self.join(ranks, piece, at);
                count -= 1;
            }
        }
        count
    }

    /// Joins the part at `at` with the next one.
    fn join(&mut self, ranks: &Ranks, piece: &[u8], at: usize) {
        let next = at + usize::from(self.parts[at].len);
        self.parts[next].rank = NONE;
        let len = self.parts[at].len + self.parts[next].len;
        self.parts[at].len = len;
        if let Some(after) = self.parts.get_mut(at + usize::from(len)) {
            after.before = len;
        }
        self.rate(ranks, piece, at);
        if at > 0 {
            self.rate(ranks, piece, at - usize::from(self.parts[at].before));
        }
    }

    /// Looks up the rank of the part at `at` joined with the next one.
    fn rate(&mut self, ranks: &Ranks, piece: &[u8], at: usize) {
        let next = at + usize::from(self.parts[at].len);
        let rank = match self.parts.get(next) {
            Some(part) => ranks.get(&piece[at..next + usize::from(part.len)]),
            None => NONE,
        };
        self.parts[at].rank = rank;
        if rank != NONE {
            self.queue.push(entry(rank, at));
        }
    }
}

const PLACE: u64 = (1 << 44) - 1;

fn entry(rank: u32, at: usize) -> Reverse<u64> {
    Reverse(u64::from(rank) << 44 | at as u64)
}
