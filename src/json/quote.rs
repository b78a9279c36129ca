//! Texts as JSON strings.

use wide::u8x16;

/// Writes a text as a JSON string. Lone surrogates, which JSON may hold, are written as escapes.
pub fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    inside(text, out);
    out.push(b'"');
}

/// Writes a text as it stands inside of a JSON string.
pub fn inside(text: &[u8], out: &mut Vec<u8>) {
    // Room for a few escapes, too.
    out.reserve(text.len() + text.len() / 16 + 16);
    let mut from = 0;
    let (blocks, rest) = text.as_chunks::<16>();
    for (number, block) in blocks.iter().enumerate() {
        let mut stops = stops(*block);
        while stops != 0 {
            from = escape(text, number * 16 + stops.trailing_zeros() as usize, from, out);
            stops &= stops - 1;
        }
    }
    for at in text.len() - rest.len()..text.len() {
        from = escape(text, at, from, out);
    }
    out.extend_from_slice(&text[from..]);
}

/// A bit mask of the bytes that need an escape, or may begin a surrogate.
fn stops(block: [u8; 16]) -> u32 {
    let block = u8x16::new(block);
    let stops = block.simd_eq(u8x16::splat(b'"'))
        | block.simd_eq(u8x16::splat(b'\\'))
        | block.simd_eq(u8x16::splat(0xED))
        | block.min(u8x16::splat(0x1F)).simd_eq(block);
    stops.to_bitmask()
}

/// Writes the text from `from` to `at`, and the byte at `at` as an escape if it needs one. Returns where the text goes
/// on.
#[inline]
fn escape(text: &[u8], at: usize, from: usize, out: &mut Vec<u8>) -> usize {
    let short = match text[at] {
        b'\n' => b'n',
        b'"' => b'"',
        b'\\' => b'\\',
        b'\r' => b'r',
        b'\t' => b't',
        0..=0x1F | 0xED => return rare(text, at, from, out),
        _ => return from,
    };
    if at < from {
        return from;
    }
    out.extend_from_slice(&text[from..at]);
    out.extend_from_slice(&[b'\\', short]);
    at + 1
}

/// Writes the escape of a control character, or of a surrogate in three bytes.
#[cold]
fn rare(text: &[u8], at: usize, from: usize, out: &mut Vec<u8>) -> usize {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let half = text[at] == 0xED;
    if at < from || half && !matches!(text.get(at + 1), Some(0xA0..=0xBF)) {
        return from;
    }
    out.extend_from_slice(&text[from..at]);
    if !half {
        out.extend_from_slice(b"\\u00");
        out.extend_from_slice(&[HEX[usize::from(text[at] >> 4)], HEX[usize::from(text[at] & 15)]]);
        return at + 1;
    }
    let (high, low) = (u16::from(text[at + 1] & 0x3F), u16::from(text.get(at + 2).copied().unwrap_or(0) & 0x3F));
    out.extend_from_slice(format!("\\u{:04x}", 0xD000 | high << 6 | low).as_bytes());
    (at + 3).min(text.len())
}

/// A text as a JSON string of its own.
pub fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    quote(text, &mut out);
    out
}
