//! What providers have signed or encrypted of a block, as Vercel's AI SDK keeps it, and programs that are built on it.

use crate::dialect::shape::{ANY_KEY, LIST, STRING, Slot, State, into, is, pass, same, state};

/// What one provider says of a block.
static PROVIDER: State = state(
    "provider",
    &[
        is("signature", STRING, Slot::Signature),
        is("redactedData", STRING, Slot::Ciphertext),
        is("reasoningEncryptedContent", STRING, Slot::Ciphertext),
        is("thoughtSignature", STRING, Slot::Signature),
        // OpenRouter's says once more what the block is.
        pass("reasoning_details"),
    ],
    &[],
);

/// The same of a part that is no reasoning, which its service wants back with the part.
static OF_OTHERS: State =
    state("provider", &[is("thoughtSignature", STRING, Slot::Seal), is("reasoning_details", LIST, Slot::Seal)], &[]);

/// The same by the name of the provider.
pub(in crate::dialect) static PROVIDER_SEALS: State = state("provider metadata", &[same(ANY_KEY, &OF_OTHERS)], &[]);

/// What is said of reasoning, by the name of the provider.
pub(in crate::dialect) static PROVIDER_METADATA: State =
    state("provider metadata", &[into(ANY_KEY, Slot::SealedUnder, &PROVIDER)], &[]);
