//! The two questions that a gate can ask.

use clap::ValueEnum;

/// `--ask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ask {
    /// Has reasoning leaked into answers?
    Leaks,
    /// Is there any reasoning at all, also in its own place?
    Any,
}

impl Ask {
    /// The question and its answer, in words.
    pub fn answer(self, findings: u64, not_read: u64) -> String {
        let (question, other) = match self {
            Ask::Leaks => {
                ("has reasoning leaked into answers", "; --ask any asks whether there is any reasoning at all")
            }
            Ask::Any => ("is there any reasoning at all", ""),
        };
        let answer = match (findings, not_read) {
            (0, 0) => "no".to_string(),
            (0, n) => format!("unknown, {n} of the records could not be read"),
            (1, _) => "1 finding".to_string(),
            (n, _) => format!("{n} findings"),
        };
        format!("{question}? {answer}{}", if findings == 0 { other } else { "" })
    }
}
