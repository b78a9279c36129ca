//! How the data of media begin, where a format has no place for their type.

/// The beginning of a RIFF file in base64, whose type stands behind its size, in the last three of these bytes.
const RIFF: (&[u8], &[(&[u8], &str)]) = (b"UklGR", &[(b"RUJQ", "image/webp"), (b"QVZF", "audio/wav")]);

/// The type of data in base64, by their beginning. Empty if it is not known.
pub(super) fn type_of(raw: &[u8]) -> &'static str {
    let (riff, types) = RIFF;
    let known = match raw.starts_with(riff) {
        true => types.iter().find(|(name, _)| raw.get(12..16) == Some(name)),
        false => BEGINNINGS.iter().find(|(start, _)| raw.starts_with(start)),
    };
    known.map_or("", |(_, mime)| mime)
}

/// How the data of common types begin in base64: some formats have no place for the type of an image.
const BEGINNINGS: &[(&[u8], &str)] = &[
    (b"iVBORw0KGgo", "image/png"),
    (b"/9j/", "image/jpeg"),
    (b"R0lGOD", "image/gif"),
    (b"JVBERi0", "application/pdf"),
];
