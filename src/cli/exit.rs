//! The exit statuses, in one enum (behaviour.md, section 2).

/// How a run ended, in the order of precedence: the largest status wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Done.
    Done,
    /// Finished, but some input could not be understood.
    NotUnderstood,
    /// `check` has findings. It wins over `NotUnderstood`, which may be a finding as well.
    Found,
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
            Status::Found => 1,
            Status::Usage => 2,
            Status::NotUnderstood => 3,
            Status::Io => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_more_wins() {
        let mut all = [Status::Io, Status::Found, Status::Done, Status::NotUnderstood];
        all.sort();
        assert_eq!(all.map(Status::code), [0, 3, 1, 4]);
        assert_eq!(Status::Usage.code(), 2);
    }
}
