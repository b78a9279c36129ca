//! JSON in strings: how deep it is looked for, and whether a string may have any.

use crate::error::ErrorKind;
use crate::json::{Literal, string_end, text};

/// How deep JSON inside of JSON strings is searched. Each level is at most half as long, since quotes are escaped anew.
pub(super) const MAX_STRING_DEPTH: usize = 8;

/// How many levels it counts for that a text has JSON in it whose quotes are written otherwise: it may be as long without.
pub(super) const UNQUOTED: usize = 3;

/// How base64 (RFC 4648) of JSON and of event streams begins: `{"`, `{ `, `{` with a line end, `[{`, `data:`, `event:`.
const ENCODED: [&[u8]; 7] = [b"eyJ", b"eyAi", b"ewog", b"ew0K", b"W3si", b"ZGF0YT", b"ZXZlbnQ6"];

/// Whether a string may be JSON in base64, as programs log the bodies of requests and responses.
pub(super) fn may_be_encoded(text: &[u8]) -> bool {
    text.len() >= 24 && ENCODED.iter().any(|start| text.starts_with(start))
}

/// The decoded text of a string in base64, of either alphabet.
pub(super) fn encoded(plain: &[u8]) -> Option<Vec<u8>> {
    use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
    const ANY: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    if !may_be_encoded(plain) {
        return None;
    }
    let decode = |alphabet| base64::Engine::decode(&GeneralPurpose::new(alphabet, ANY), plain.trim_ascii_end()).ok();
    decode(&base64::alphabet::STANDARD).or_else(|| decode(&base64::alphabet::URL_SAFE))
}

/// Whether the inside of a string may be JSON, or have JSON in it.
pub(in crate::dialect) fn may_have_json(raw: &[u8]) -> bool {
    memchr::memchr2(b'{', b'[', raw).is_some()
        || text::escapes_ascii(raw)
        || raw.trim_ascii_start().starts_with(b"\\\"")
        || text::holds_key(raw)
}

/// The same of a string that has no escapes, where fewer signs can be.
pub(super) fn may_have_plain_json(raw: &[u8]) -> bool {
    match memchr::memchr3(b'{', b'[', b'\'', raw) {
        Some(at) => raw[at] != b'\'' || may_have_json(&raw[at..]),
        None => false,
    }
}

/// The string whose inside begins at `start`, if its end is missing: without an escape that is cut off, too.
pub(super) fn cut_string(record: &[u8], start: usize) -> Option<Literal> {
    const MAX_ESCAPE_BYTES: usize = "\\u0000".len();
    let error = string_end(record, start).err()?;
    if error.kind != ErrorKind::CutOff && error.offset + MAX_ESCAPE_BYTES < record.len() {
        return None;
    }
    let rest = &record[start..];
    (0..MAX_ESCAPE_BYTES.min(rest.len())).find_map(|cut| {
        let (end, escaped) = string_end(&[&rest[..rest.len() - cut], b"\""].concat(), 0).ok()?;
        Some(Literal { start, end: start + end, escaped })
    })
}
