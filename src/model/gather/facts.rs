//! What facts of a block mean for the block: which are the same, and which are lost.

use crate::model::Loss;
use crate::model::content::{Attribute, Block, ContentKind, Other};
use std::borrow::Cow;

/// What is kept of the texts of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeptTexts {
    None,
    Copies,
    /// Texts that are shared with what is written of them.
    Shared,
}

/// A JSON value, with only those escapes in strings that are needed, so that identifiers can be compared.
pub(super) fn one_spelling(value: &[u8]) -> Cow<'_, [u8]> {
    let text = value.contains(&b'\\').then(|| serde_json::from_slice::<String>(value).ok()).flatten();
    text.map_or(Cow::Borrowed(value), |text| Cow::Owned(serde_json::Value::from(text).to_string().into_bytes()))
}

/// For facts of a block that no other format has a place for: the kind of the block, and the loss.
pub(super) fn without_place(name: Attribute) -> Option<(ContentKind, Loss)> {
    match name {
        Attribute::Citations => Some((ContentKind::Text, Loss::Extra)),
        Attribute::Refusal => Some((ContentKind::Text, Loss::Refusal)),
        Attribute::Hidden => Some((ContentKind::Reasoning, Loss::Hidden)),
        Attribute::Identity => Some((ContentKind::Reasoning, Loss::Extra)),
        Attribute::SourceField => Some((ContentKind::Reasoning, Loss::SourceField)),
        _ => None,
    }
}

/// Whether a fact of a stream is not of this block, but of another one with the same number: that of a call which comes whole in
/// an event of its own may be the same, and only its name or its identifier tells it apart.
pub(super) fn is_another(block: &Block, name: Attribute, value: &[u8]) -> bool {
    let Some(known) = block.get(name) else { return false };
    match name {
        Attribute::CallId => known != value,
        Attribute::Name => {
            let whole = block.get(Attribute::Arguments).is_some_and(|value| value.starts_with(b"{"));
            block.kind == ContentKind::Other(Other::Call)
                && block.filled(Attribute::CallId).is_none()
                && (whole || known != value && known.len() > 2 && value.len() > 2)
        }
        _ => false,
    }
}

/// Whether a signature or a ciphertext, as a JSON string, repeats one that was known in part, or whole.
pub(super) fn goes_on(known: &[u8], value: &[u8]) -> bool {
    known.strip_suffix(b"\"").is_some_and(|known| value.starts_with(known))
}

/// The loss of a signature or a ciphertext without a block that could have it.
pub(super) fn lost_seal(name: Attribute) -> Option<Loss> {
    match name {
        Attribute::Signature => Some(Loss::Signature),
        Attribute::Ciphertext => Some(Loss::Encrypted),
        _ => None,
    }
}
