//! How it is written what reasoning an agent may send: for the command, too.

use crate::check::Capability;
use crate::model::SequenceStep;
use std::fmt;
use std::str::FromStr;

/// The patterns, each with the steps that it allows. The first of several for the same steps is the one that is shown.
const PATTERNS: [(&str, &[SequenceStep]); 6] = [
    ("*", &[SequenceStep::Begin, SequenceStep::Think, SequenceStep::End, SequenceStep::Cancel]),
    ("start", &[SequenceStep::Begin]),
    ("step", &[SequenceStep::Think]),
    ("thought", &[SequenceStep::Think]),
    ("conclusion", &[SequenceStep::End]),
    ("cancel", &[SequenceStep::Cancel]),
];

/// Why a text is no [`Capability`].
///
/// ```
/// let error: unthink::CapabilityError = "scout".parse::<unthink::Capability>().unwrap_err();
/// assert_eq!(error.to_string(), "AGENT=PATTERN, such as scout=reasoning/start");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapabilityError(&'static str);

impl FromStr for Capability {
    type Err = CapabilityError;

    fn from_str(text: &str) -> Result<Self, CapabilityError> {
        let (agent, pattern) =
            text.split_once('=').ok_or(CapabilityError("AGENT=PATTERN, such as scout=reasoning/start"))?;
        let pattern = pattern.replace('.', "/");
        let word = pattern.strip_prefix("reasoning/");
        let found = PATTERNS.iter().find(|(name, _)| Some(*name) == word);
        let (_, steps) = found.ok_or(CapabilityError(
            "the patterns are reasoning/*, reasoning/start, reasoning/step, and the kinds of reasoning",
        ))?;
        Ok(Self { agent: agent.into(), steps: steps.to_vec() })
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = PATTERNS.iter().find(|(_, steps)| *steps == self.steps);
        write!(f, "{}=reasoning/{}", self.agent, found.map_or("", |(name, _)| name))
    }
}

impl fmt::Display for CapabilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for CapabilityError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_read_and_shown() {
        for (word, steps) in PATTERNS {
            for separator in ["/", "."] {
                let read: Capability = format!("a=reasoning{separator}{word}").parse().unwrap();
                assert_eq!((read.agent(), read.steps.as_slice()), ("a", steps));
                assert_eq!(read.to_string().parse(), Ok(read));
            }
        }
        for wrong in ["", "a", "a=", "a=reasoning", "a=reasoning/", "a=reasoning/say", "a=thought"] {
            assert!(wrong.parse::<Capability>().is_err(), "{wrong}");
        }
    }
}
