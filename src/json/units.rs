//! Counts UTF-16 code units on raw bytes, 64 at a time, without decoding them.

use super::string::hidden;
use wide::u8x16;

/// Units of text.
pub(super) fn plain(text: &[u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(avx2::MasksTask { text });
    }
    sums(text)
}

/// Units of the text of a literal.
pub(super) fn escaped(raw: &[u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(avx2::Escaped { simd, raw });
    }
    masks(raw, NarrowUnits)
}

/// A character counts one for its first byte, and one more if it has four bytes.
#[inline(always)]
fn sums(text: &[u8]) -> usize {
    // At most two units a byte, so that the sums of 127 bytes fit into one byte, which lets the compiler vectorize
    // this. Blocks of 64 leave no remainder inside.
    let units = |b: &u8| u8::from(*b as i8 >= -0x40) + u8::from(*b >= 0xF0);
    let (blocks, rest) = text.as_chunks::<64>();
    let block = |block: &[u8; 64]| usize::from(block.iter().map(units).sum::<u8>());
    blocks.iter().map(block).sum::<usize>() + usize::from(rest.iter().map(units).sum::<u8>())
}

/// One bit for each of 64 bytes.
struct Bits {
    slash: u64,
    u: u64,
    /// First bytes of characters.
    first: u64,
    /// First bytes of characters of four.
    four: u64,
}

/// Looks at 64 bytes at once.
trait ScanUnits: Copy {
    fn bits(self, block: &[u8; 64]) -> Bits;
}

#[inline(always)]
fn masks(raw: &[u8], look: impl ScanUnits) -> usize {
    let (mut units, mut carry) = (0, 0);
    let (blocks, rest) = raw.as_chunks::<64>();
    for block in blocks {
        units += weigh(look.bits(block), &mut carry);
    }
    // A byte that begins no character counts nothing.
    let mut last = [0x80; 64];
    last[..rest.len()].copy_from_slice(rest);
    units += weigh(look.bits(&last), &mut carry);
    usize::try_from(units).unwrap_or(0)
}

/// The units of a block. An escape is two or six bytes for one unit, and so is each half of a pair.
#[inline(always)]
fn weigh(bits: Bits, carry: &mut u64) -> isize {
    let hidden = hidden(bits.slash, carry);
    let more = bits.first.count_ones() + bits.four.count_ones();
    let less = hidden.count_ones() + 4 * (hidden & bits.u).count_ones();
    more as isize - less as isize
}

/// With registers of 16 bytes, which every machine has.
#[derive(Clone, Copy)]
struct NarrowUnits;

impl ScanUnits for NarrowUnits {
    #[inline(always)]
    fn bits(self, block: &[u8; 64]) -> Bits {
        let mut bits = Bits { slash: 0, u: 0, first: 0, four: 0 };
        let (parts, _) = block.as_chunks::<16>();
        for (i, part) in parts.iter().enumerate() {
            let part = u8x16::new(*part);
            let mask = |mask: u8x16| u64::from(mask.to_bitmask()) << (16 * i);
            bits.slash |= mask(part.simd_eq(u8x16::splat(b'\\')));
            bits.u |= mask(part.simd_eq(u8x16::splat(b'u')));
            bits.first |= mask((part & u8x16::splat(0xC0)).simd_eq(u8x16::splat(0x80)));
            bits.four |= mask(part.max(u8x16::splat(0xF0)).simd_eq(part));
        }
        bits.first = !bits.first;
        bits
    }
}

/// With registers of 32 bytes, if this machine has AVX2. No `map` of an array stands here, as in [`super::string`].
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Bits, ScanUnits, masks, sums};
    use core::arch::x86_64::__m256i;
    use pulp::{NullaryFnOnce, cast, x86::V3};

    pub(super) struct MasksTask<'a> {
        pub text: &'a [u8],
    }

    impl NullaryFnOnce for MasksTask<'_> {
        type Output = usize;

        #[inline(always)]
        fn call(self) -> usize {
            sums(self.text)
        }
    }

    pub(super) struct Escaped<'a> {
        pub simd: V3,
        pub raw: &'a [u8],
    }

    impl NullaryFnOnce for Escaped<'_> {
        type Output = usize;

        #[inline(always)]
        fn call(self) -> usize {
            masks(self.raw, WideUnits(self.simd))
        }
    }

    #[derive(Clone, Copy)]
    struct WideUnits(V3);

    impl WideUnits {
        #[inline(always)]
        fn join(self, low: __m256i, high: __m256i) -> u64 {
            let mask = |half| self.0.avx2._mm256_movemask_epi8(half) as u32;
            u64::from(mask(high)) << 32 | u64::from(mask(low))
        }
    }

    impl ScanUnits for WideUnits {
        #[inline(always)]
        fn bits(self, block: &[u8; 64]) -> Bits {
            let (halves, _) = block.as_chunks::<32>();
            let (low, high): (__m256i, __m256i) = (cast(halves[0]), cast(halves[1]));
            let V3 { avx, avx2, .. } = self.0;
            let splat = |byte: u8| avx._mm256_set1_epi8(byte as i8);
            let (slash, u, first, four) = (splat(b'\\'), splat(b'u'), splat(0xBF), splat(0xF0));
            let most = [avx2._mm256_max_epu8(low, four), avx2._mm256_max_epu8(high, four)];
            Bits {
                slash: self.join(avx2._mm256_cmpeq_epi8(low, slash), avx2._mm256_cmpeq_epi8(high, slash)),
                u: self.join(avx2._mm256_cmpeq_epi8(low, u), avx2._mm256_cmpeq_epi8(high, u)),
                first: self.join(avx2._mm256_cmpgt_epi8(low, first), avx2._mm256_cmpgt_epi8(high, first)),
                four: self.join(avx2._mm256_cmpeq_epi8(most[0], low), avx2._mm256_cmpeq_epi8(most[1], high)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::decode;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn literals() {
        for (raw, want) in [
            ("", 0),
            ("plain", 5),
            (r"a\nb", 3),
            (r"\\n", 2),
            (r"\\u1234", 6),
            (r"\\\u1234", 2),
            (r"\u00e9é", 2),
            (r"\ud83d\ude00😀", 4),
            (r"\ud83d", 1),
        ] {
            assert_eq!(escaped(raw.as_bytes()), want, "{raw}");
        }
    }

    proptest! {
        #[test]
        fn units_are_those_of_the_text(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    r"\\", r#"\""#, r"\n", r"\u00e9", r"\uD83D", r"\uDE00", "u", "a", "é", "文", "😀", "0123456789abcdef",
                ]),
                0..120,
            ),
        ) {
            let raw = parts.concat();
            let mut text = Vec::new();
            decode(raw.as_bytes(), &mut text);
            // A half is a unit, whether it meets the other or not.
            let halves = parts.iter().filter(|p| p.starts_with(r"\uD")).count();
            let rest = parts.iter().filter(|p| !p.starts_with(r"\uD")).copied().collect::<String>();
            let mut plain_text = Vec::new();
            decode(rest.as_bytes(), &mut plain_text);
            let want = String::from_utf8(plain_text).unwrap().encode_utf16().count() + halves;
            for (name, got) in [
                ("escaped", escaped(raw.as_bytes())),
                ("narrow", masks(raw.as_bytes(), NarrowUnits)),
                ("plain", plain(&text)),
                ("sums", sums(&text)),
            ] {
                prop_assert_eq!(got, want, "{}", name);
            }
        }
    }
}
