//! The policies, by name.

use crate::model::Seals;
use std::fmt;
use std::str::FromStr;

/// Which reasoning goes.
///
/// ```
/// use unthink::Policy;
///
/// assert_eq!("keep-last-3".parse(), Ok(Policy::KeepLast(3)));
/// assert_eq!(Policy::AllButLast.to_string(), "all-but-last");
/// assert!(Policy::NAMES.iter().any(|(name, removes)| *name == "none" && *removes == "nothing"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// None.
    None,
    /// All.
    #[default]
    All,
    /// That of every message but the last one that has any.
    AllButLast,
    /// That of finished turns: everything before the last user message.
    BeforeLastUser,
    /// That of every turn without a tool call.
    KeepToolTurns,
    /// That of all turns but the last this many that have any.
    KeepLast(u32),
}

impl Policy {
    /// The name of each policy, and what it removes, in the order of listings.
    pub const NAMES: [(&'static str, &'static str); 6] = [
        ("none", "nothing"),
        ("all", "all reasoning"),
        ("all-but-last", "reasoning of every message but the last one that has any"),
        ("before-last-user", "reasoning of finished turns: everything before the last user message"),
        ("keep-tool-turns", "reasoning of every turn that made no tool call"),
        ("keep-last-N", "reasoning of all but the last N turns that have any"),
    ];
}

/// What becomes of signatures of reasoning that stand on calls and texts of the answer.
///
/// ```
/// use unthink::{Signatures, StripOptions, strip};
///
/// let answer = br#"{"contents":[{"role":"model","parts":[{"text":"Rain.","thoughtSignature":"c2ln"}]}]}"#;
/// assert!(strip(answer, &StripOptions::default())?.output.len() < answer.len());
/// let options = StripOptions::default().signatures(Signatures::Keep);
/// assert_eq!(strip(answer, &options)?.output, answer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Signatures {
    /// They stay.
    Keep,
    /// They go.
    Drop,
}

impl Seals {
    /// What becomes of the signatures on calls and texts: by the user's choice, and otherwise they go where all reasoning
    /// goes. A provider asks for them with the calls whose reasoning other policies keep.
    pub fn of(policy: Policy, choice: Option<Signatures>) -> Self {
        match (choice, policy) {
            (Some(Signatures::Keep), _) => Seals::Stay,
            (None | Some(Signatures::Drop), Policy::All) => Seals::Reason,
            (Some(Signatures::Drop), _) => Seals::Go,
            (None, _) => Seals::Stay,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Policy::None => "none",
            Policy::All => "all",
            Policy::AllButLast => "all-but-last",
            Policy::BeforeLastUser => "before-last-user",
            Policy::KeepToolTurns => "keep-tool-turns",
            Policy::KeepLast(n) => return write!(f, "keep-last-{n}"),
        })
    }
}

/// The error for a policy that does not exist.
///
/// ```
/// use unthink::{Policy, PolicyError};
///
/// let error: PolicyError = "most".parse::<Policy>().unwrap_err();
/// assert!(error.to_string().contains("all-but-last"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError;

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Policy::NAMES.iter().map(|(name, _)| *name).collect();
        write!(f, "the policies are {} (N from 1)", names.join(", "))
    }
}

impl std::error::Error for PolicyError {}

impl FromStr for Policy {
    type Err = PolicyError;

    fn from_str(name: &str) -> Result<Self, PolicyError> {
        Ok(match name {
            "none" => Policy::None,
            "all" => Policy::All,
            "all-but-last" | "allButLast" => Policy::AllButLast,
            "before-last-user" => Policy::BeforeLastUser,
            "keep-tool-turns" => Policy::KeepToolTurns,
            _ => {
                let n = name.strip_prefix("keep-last-").filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
                let n = n.and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                Policy::KeepLast(n.ok_or(PolicyError)?)
            }
        })
    }
}

/// What `all-but-last` counts.
///
/// ```
/// use unthink::{Policy, StripOptions, Unit, strip};
///
/// let chat = br#"{"messages":[{"role":"user","content":"Rain?"},
///     {"role":"assistant","reasoning":"One.","content":"I look."},{"role":"assistant","reasoning":"Two.","content":"Yes."}]}"#;
/// let options = StripOptions::default().policy(Policy::AllButLast);
/// assert_eq!(strip(chat, &options)?.report.kept, 1);
/// assert_eq!(strip(chat, &options.unit(Unit::Turn))?.report.kept, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Unit {
    /// Messages.
    #[default]
    Message,
    /// Turns: all assistant messages since the last user message.
    Turn,
}
