//! What providers have signed or encrypted of a block, as Vercel's AI SDK keeps it, and programs that are built on it.

use crate::dialect::shape::{ANY_KEY, STRING, Slot, State, is, same, state};

/// What one provider says of a block.
static PROVIDER: State = state(
    "provider",
    &[
        is("signature", STRING, Slot::Signature),
        is("redactedData", STRING, Slot::Ciphertext),
        is("reasoningEncryptedContent", STRING, Slot::Ciphertext),
    ],
    &[],
);

/// The same by the name of the provider.
pub(in crate::dialect) static PROVIDER_METADATA: State = state("provider metadata", &[same(ANY_KEY, &PROVIDER)], &[]);
