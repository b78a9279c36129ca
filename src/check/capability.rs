//! What reasoning an agent may send. How that is written stands in `front`, which knows these words.

use crate::model::SequenceStep;

/// Reasoning that an agent may send, in a log in which several speak: AGENT=PATTERN.
///
/// AGENT is a name, or `*` for every agent that no entry names. PATTERN is `reasoning/*` for all reasoning,
/// `reasoning/start` for the start of a sequence, `reasoning/step` for thoughts, or a kind of reasoning:
/// `reasoning/thought`, `reasoning/conclusion`, `reasoning/cancel`. A `.` may stand for the `/`.
///
/// ```
/// use unthink::{Capability, CheckOptions, check};
///
/// let thoughts: Capability = "scout=reasoning/step".parse()?;
/// assert_eq!((thoughts.agent(), thoughts.to_string().as_str()), ("scout", "scout=reasoning/step"));
/// assert!("scout=answers".parse::<Capability>().is_err());
///
/// let log = br#"{"protocol":"mew/v0.4","id":"1","from":"scout","kind":"reasoning/start","payload":{"message":"How far?"}}"#;
/// let done = check(log, &CheckOptions::default().capabilities([thoughts]).select(["UT216"]))?;
/// assert_eq!(done.findings[0].rule, "UT216");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability {
    /// The name of the agent, or `*`.
    pub(crate) agent: String,
    /// What the agent may do.
    pub(crate) steps: Vec<SequenceStep>,
}

impl Capability {
    /// The name of the agent; `*` stands for every agent that no entry names.
    ///
    /// ```
    /// let capability: unthink::Capability = "*=reasoning/conclusion".parse()?;
    /// assert_eq!(capability.agent(), "*");
    /// # Ok::<(), unthink::CapabilityError>(())
    /// ```
    pub fn agent(&self) -> &str {
        &self.agent
    }
}
