//! The exit statuses, in one enum (SPEC section 2).

/// How a run ended. The order is that of precedence: the larger one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Done.
    Done,
    /// Finished, but some input could not be understood.
    NotUnderstood,
    /// Reading or writing failed.
    Io,
    /// Wrong usage.
    Usage,
}

impl Status {
    /// The number that the shell sees.
    pub fn code(self) -> i32 {
        match self {
            Status::Done => 0,
            Status::Usage => 2,
            Status::NotUnderstood => 3,
            Status::Io => 4,
        }
    }
}
