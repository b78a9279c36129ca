//! Texts of Harmony without the tokens around their headers.

use memchr::memmem;

/// What a text of Harmony begins with after the tokens around its headers are lost.
const BARE: [&[u8]; 3] = [b"analysis", b"assistantanalysis", b"systemYou are ChatGPT"];

/// The other headers of such a text.
const LOST: [&[u8]; 2] = [b"assistantfinal", b"assistantcommentary"];

/// The longest of these, in bytes.
pub(in crate::inline) const MAX_LOST_BYTES: usize = 19;

/// Whether a text begins like one of Harmony without its tokens. `None` if more of it must come first.
pub(in crate::inline) fn is_bare(text: &[u8], eof: bool) -> Option<bool> {
    if BARE.iter().any(|bare| text.starts_with(bare)) {
        return Some(true);
    }
    (eof || !BARE.iter().any(|bare| bare.starts_with(text))).then_some(false)
}

/// Whether a text that begins so has another header.
pub(in crate::inline) fn has_lost(text: &[u8]) -> bool {
    LOST.iter().any(|header| memmem::find(text, header).is_some())
}
