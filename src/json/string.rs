//! Finds the end of a string literal and checks everything in it: 64 bytes at a time, with bit masks instead of
//! branches, since escapes in transcripts are too frequent and too irregular to predict.

use crate::error::Error;
use crate::error::ErrorKind::{CutOff, Invalid};
use wide::u8x16;

/// One bit for each of 64 bytes.
#[derive(Clone, Copy)]
struct Masks {
    quote: u64,
    slash: u64,
    control: u64,
}

/// Compares 64 bytes at once. The instructions differ by machine; the algorithm is in [`long`].
trait CompareBytes: Copy {
    /// Masks of the bytes that end a stretch of plain text.
    fn masks(self, block: &[u8; 64]) -> Masks;
    /// A mask of the bytes that can be the second byte of an escape.
    fn simple(self, block: &[u8; 64]) -> u64;
}

/// The second bytes of escapes of two bytes.
const SECOND: [u8; 8] = *b"\"\\/bfnrt";

/// Finds the closing quote of the literal whose first byte is at `start`. Returns its offset, and whether there are
/// escapes.
#[inline]
pub(crate) fn end(text: &[u8], start: usize) -> Result<(usize, bool), Error> {
    // Keys and short values end within 16 bytes. Many are the last of a short text.
    let rest = text.get(start..).unwrap_or_default();
    let stops = match rest.first_chunk::<16>() {
        Some(first) => stops(*first),
        None => {
            let mut first = [0; 16];
            first[..rest.len()].copy_from_slice(rest);
            stops(first)
        }
    };
    if stops == 0 {
        return middle(text, start + 16);
    }
    let at = start + stops.trailing_zeros() as usize;
    if text.get(at) == Some(&b'"') {
        return Ok((at, false));
    }
    wide(text, start)
}

/// The end of a literal that has no stop in its first 16 bytes: identifiers and times end within 48.
fn middle(text: &[u8], start: usize) -> Result<(usize, bool), Error> {
    let mut at = start;
    while at < start + 32
        && let Some(block) = text.get(at..).and_then(|rest| rest.first_chunk::<16>())
    {
        let stops = stops(*block);
        if stops != 0 {
            let end = at + stops.trailing_zeros() as usize;
            return if text[end] == b'"' { Ok((end, false)) } else { wide(text, at) };
        }
        at += 16;
    }
    wide(text, at)
}

fn wide(text: &[u8], start: usize) -> Result<(usize, bool), Error> {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(avx2::Long { simd, text, start });
    }
    long(text, start, NarrowCompare)
}

fn stops(block: [u8; 16]) -> u32 {
    let block = u8x16::new(block);
    let stops = block.simd_eq(u8x16::splat(b'"'))
        | block.simd_eq(u8x16::splat(b'\\'))
        | block.min(u8x16::splat(0x1F)).simd_eq(block);
    stops.to_bitmask()
}

#[inline(always)]
fn long(text: &[u8], start: usize, look: impl CompareBytes) -> Result<(usize, bool), Error> {
    let (mut at, mut carry, mut escaped) = (start, 0, false);
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let mut last = [0; 64];
        let block = match rest.first_chunk::<64>() {
            Some(block) => block,
            None => {
                last[..rest.len()].copy_from_slice(rest);
                &last
            }
        };
        let masks = look.masks(block);
        let hidden = hidden(masks.slash, &mut carry);
        let quotes = masks.quote & !hidden;
        // Everything before the closing quote, if it is in this block.
        let inside = if quotes == 0 { u64::MAX } else { (quotes & quotes.wrapping_neg()) - 1 };
        if masks.control & inside != 0 {
            return Err(stopped(text, at + (masks.control & inside).trailing_zeros() as usize));
        }
        escaped |= (masks.slash | hidden) & inside != 0;
        let other = hidden & inside & !look.simple(block);
        if other != 0 {
            escapes(text, at, other)?;
        }
        if quotes != 0 {
            return Ok((at + quotes.trailing_zeros() as usize, escaped));
        }
        at += 64;
    }
}

/// With registers of 16 bytes, which every machine has.
#[derive(Clone, Copy)]
struct NarrowCompare;

impl CompareBytes for NarrowCompare {
    #[inline(always)]
    fn masks(self, block: &[u8; 64]) -> Masks {
        let mut masks = Masks { quote: 0, slash: 0, control: 0 };
        let (parts, _) = block.as_chunks::<16>();
        for (i, part) in parts.iter().enumerate() {
            let part = u8x16::new(*part);
            masks.quote |= u64::from(part.simd_eq(u8x16::splat(b'"')).to_bitmask()) << (16 * i);
            masks.slash |= u64::from(part.simd_eq(u8x16::splat(b'\\')).to_bitmask()) << (16 * i);
            masks.control |= u64::from(part.min(u8x16::splat(0x1F)).simd_eq(part).to_bitmask()) << (16 * i);
        }
        masks
    }

    #[inline(always)]
    fn simple(self, _block: &[u8; 64]) -> u64 {
        // Eight comparisons for each register cost more here than checking the few escapes one by one.
        0
    }
}

/// With registers of 32 bytes, if this machine has AVX2. No `map` of an array stands here: an instruction in its closure is a
/// call of a function, unless all of the program is optimized as one, which a user of the crate may not do.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{CompareBytes, Error, Masks, SECOND, long};
    use core::arch::x86_64::__m256i;
    use pulp::{NullaryFnOnce, cast, x86::V3};

    pub(super) struct Long<'a> {
        pub simd: V3,
        pub text: &'a [u8],
        pub start: usize,
    }

    impl NullaryFnOnce for Long<'_> {
        type Output = Result<(usize, bool), Error>;

        #[inline(always)]
        fn call(self) -> Self::Output {
            long(self.text, self.start, WideCompare(self.simd))
        }
    }

    #[derive(Clone, Copy)]
    struct WideCompare(V3);

    impl WideCompare {
        #[inline(always)]
        fn halves(block: &[u8; 64]) -> [__m256i; 2] {
            let (halves, _) = block.as_chunks::<32>();
            [cast(halves[0]), cast(halves[1])]
        }

        #[inline(always)]
        fn bits(self, [low, high]: [__m256i; 2]) -> u64 {
            let mask = |half| self.0.avx2._mm256_movemask_epi8(half) as u32;
            u64::from(mask(high)) << 32 | u64::from(mask(low))
        }

        /// Which bytes are this one.
        #[inline(always)]
        fn is(self, [low, high]: [__m256i; 2], byte: u8) -> u64 {
            let byte = self.0.avx._mm256_set1_epi8(byte as i8);
            self.bits([self.0.avx2._mm256_cmpeq_epi8(low, byte), self.0.avx2._mm256_cmpeq_epi8(high, byte)])
        }

        /// Which bytes are control characters.
        #[inline(always)]
        fn below(self, half: __m256i, space: __m256i) -> __m256i {
            self.0.avx2._mm256_cmpeq_epi8(self.0.avx2._mm256_min_epu8(half, space), half)
        }

        /// Which bytes are not in [`SECOND`]: a byte is if both of its halves match.
        #[inline(always)]
        fn other(self, half: __m256i) -> __m256i {
            let V3 { avx, avx2, .. } = self.0;
            let (low, high, nibble) = (cast(LOW), cast(HIGH), avx._mm256_set1_epi8(0x0F));
            let by_low = avx2._mm256_shuffle_epi8(low, avx2._mm256_and_si256(half, nibble));
            let by_high = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(half), nibble);
            let both = avx2._mm256_and_si256(by_low, avx2._mm256_shuffle_epi8(high, by_high));
            avx2._mm256_cmpeq_epi8(both, avx._mm256_setzero_si256())
        }
    }

    /// One bit for each upper half of the bytes in [`SECOND`]: the table by the lower half, and by the upper one.
    const LOW: [u8; 32] = table(true);
    const HIGH: [u8; 32] = table(false);

    const fn table(low: bool) -> [u8; 32] {
        let (mut table, mut i) = ([0; 32], 0);
        while i < SECOND.len() {
            let bit = match SECOND[i] >> 4 {
                2 => 1,
                5 => 2,
                6 => 4,
                _ => 8,
            };
            let at = (if low { SECOND[i] & 15 } else { SECOND[i] >> 4 }) as usize;
            table[at] |= bit;
            // The instruction looks up each half of a register in the same half of the table.
            table[at + 16] |= bit;
            i += 1;
        }
        table
    }

    impl CompareBytes for WideCompare {
        #[inline(always)]
        fn masks(self, block: &[u8; 64]) -> Masks {
            let halves = Self::halves(block);
            let space = self.0.avx._mm256_set1_epi8(0x1F);
            Masks {
                quote: self.is(halves, b'"'),
                slash: self.is(halves, b'\\'),
                control: self.bits([self.below(halves[0], space), self.below(halves[1], space)]),
            }
        }

        #[inline(always)]
        fn simple(self, block: &[u8; 64]) -> u64 {
            let [low, high] = Self::halves(block);
            !self.bits([self.other(low), self.other(high)])
        }
    }
}

/// A mask of the bytes that are escaped by a backslash before them. `carry`: the first byte is one; afterwards, whether
/// the first byte of the next block is. (The method of simdjson: Langdale and Lemire, "Parsing Gigabytes of JSON per
/// Second", section 3.1.1.)
#[inline]
pub(super) fn hidden(slash: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let slash = slash & !*carry;
    let follows = slash << 1 | *carry;
    let odd_starts = slash & !EVEN & !follows;
    let (even, overflow) = odd_starts.overflowing_add(slash);
    *carry = u64::from(overflow);
    (EVEN ^ even << 1) & follows
}

/// What each byte means behind a backslash. A table, since a branch on the byte would often be mispredicted.
const SIMPLE: u8 = 1;
const HEX: u8 = 2;
const CLASS: [u8; 256] = {
    let (mut table, mut i) = ([0; 256], 0);
    while i < 256 {
        let b = i as u8;
        table[i] = HEX * b.is_ascii_hexdigit() as u8;
        table[i] |= SIMPLE * is_second(b) as u8;
        i += 1;
    }
    table
};

const fn is_second(b: u8) -> bool {
    let mut i = 0;
    while i < SECOND.len() {
        if SECOND[i] == b {
            return true;
        }
        i += 1;
    }
    false
}

/// Checks the escapes of the block at `at`. `hidden`: a mask of the bytes behind their backslashes.
#[inline]
fn escapes(text: &[u8], at: usize, mut hidden: u64) -> Result<(), Error> {
    let class = |b: u8| CLASS[usize::from(b)];
    while hidden != 0 {
        let i = at + hidden.trailing_zeros() as usize;
        hidden &= hidden - 1;
        match text.get(i) {
            Some(b) if class(*b) & SIMPLE != 0 => (),
            Some(b'u') => match text.get(i + 1..).and_then(|hex| hex.first_chunk::<4>()) {
                Some([a, b, c, d]) if class(*a) & class(*b) & class(*c) & class(*d) & HEX != 0 => (),
                Some(_) => return Err(Error::of(Invalid, i - 1, "a \\u escape without four hexadecimal digits")),
                None => return Err(stopped(text, text.len())),
            },
            Some(_) => return Err(Error::of(Invalid, i - 1, "an escape that JSON does not have")),
            None => return Err(stopped(text, text.len())),
        }
    }
    Ok(())
}

/// The error at `at`, where the search stopped before a closing quote.
#[cold]
fn stopped(text: &[u8], at: usize) -> Error {
    match at < text.len() {
        true => Error::of(Invalid, at, "a control character inside a string"),
        false => Error::of(CutOff, text.len(), "the text is cut off inside a string"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The end of a literal, searched for byte by byte.
    fn slow(text: &[u8]) -> Result<(usize, bool), ()> {
        let (mut at, mut escaped) = (0, false);
        loop {
            match text.get(at) {
                Some(b'"') => return Ok((at, escaped)),
                Some(b'\\') => {
                    escaped = true;
                    at += match text.get(at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if text.get(at + 2..at + 6).is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit)) => {
                            6
                        }
                        _ => return Err(()),
                    };
                }
                None | Some(0..=0x1F) => return Err(()),
                Some(_) => at += 1,
            }
        }
    }

    #[test]
    fn every_byte_behind_a_backslash() {
        for byte in 0..=255 {
            for before in [0, 20, 63] {
                let text = [vec![b'a'; before], vec![b'\\', byte, b'"'], vec![b'"'; 70]].concat();
                assert_eq!(end(&text, 0).map_err(|_| ()), slow(&text), "{byte:#x} behind {before}");
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_grammar(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "\\", "\\\\", "\\\"", "\"", "\\n", "\\u00e9", "\\u12", "\\x", "a", "0123456789abcdef", "\n", "é", "u", "/",
                ]),
                0..60,
            ),
        ) {
            let text = parts.concat().into_bytes();
            prop_assert_eq!(end(&text, 0).map_err(|_| ()), slow(&text));
            prop_assert_eq!(long(&text, 0, NarrowCompare).map_err(|_| ()), slow(&text));
        }
    }
}
