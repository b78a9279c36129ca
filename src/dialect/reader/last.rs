//! What is known of the records that were read before.

/// How the last record was read.
#[derive(Default)]
pub(super) struct LastRead {
    /// It was read by the keys of the chat family.
    pub by_chat: bool,
    /// It differs from an earlier one in texts only.
    pub alike: bool,
    /// A record was an error.
    pub error: bool,
    /// The first error in a record inside of the one that was read last.
    pub inner_error: Option<(u64, String)>,
    /// A record inside of the one that is examined is of a format that is read.
    pub inner_read: bool,
    /// The number of the row that read the last record inside of another one.
    pub inner_row: Option<usize>,
    /// An object that no other row reads was read as one that holds records: the next ones are likely to be some, too.
    pub held: bool,
    /// The last record's messages are written anew with the end of their stream: a `[DONE]` behind them gets no event.
    pub rebuilt: bool,
}
