//! The hash FNV-1a of 64 bits, whose result is the same on every machine and in every version.

/// The hash of no bytes.
pub const BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// The hash of the bytes so far and one more.
pub fn with(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
}
