//! What the deltas of one response have in common.

/// What a response is known by. `B`: the bytes of an identifier, borrowed or owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dialect) enum ResponseKey<B = Vec<u8>> {
    /// Its identifier, as it stands in the record. Empty if it has none.
    Named(B),
    /// It is the list of deltas in one record.
    Chunks,
    /// It is the open message of a conversation.
    Open(OpenMessage),
}

/// The open message of a conversation of a log or a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dialect) struct OpenMessage {
    /// The number of the conversation.
    pub conversation: u32,
    /// How many messages were opened in it before.
    pub number: u32,
}

impl Default for ResponseKey {
    fn default() -> Self {
        Self::Named(Vec::new())
    }
}

impl ResponseKey {
    /// Whether it is the same. For each message that begins, all that are open are asked.
    #[inline]
    pub fn is(&self, key: ResponseKey<&[u8]>) -> bool {
        match (self, key) {
            (Self::Open(own), ResponseKey::Open(message)) => *own == message,
            (Self::Named(own), ResponseKey::Named(id)) => own == id,
            (Self::Chunks, ResponseKey::Chunks) => true,
            _ => false,
        }
    }

    /// The same, borrowed.
    pub fn borrowed(&self) -> ResponseKey<&[u8]> {
        match self {
            Self::Named(id) => ResponseKey::Named(id),
            Self::Chunks => ResponseKey::Chunks,
            Self::Open(message) => ResponseKey::Open(*message),
        }
    }

    /// Whether the response has no identifier, and could still get one.
    pub fn is_nameless(&self) -> bool {
        matches!(self, Self::Named(id) if id.is_empty())
    }
}

impl ResponseKey<&[u8]> {
    /// The same, owned.
    pub fn owned(self) -> ResponseKey {
        match self {
            Self::Named(id) => ResponseKey::Named(id.to_vec()),
            Self::Chunks => ResponseKey::Chunks,
            Self::Open(message) => ResponseKey::Open(message),
        }
    }
}
