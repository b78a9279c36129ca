//! Values of options of `strip`.

use clap::ValueEnum;
use unthink::policy::Signatures;

/// `--unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum UnitArg {
    /// Messages
    #[default]
    Message,
    /// Turns: all assistant messages since the last user message
    Turn,
}

/// `--empty`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Empty {
    /// It stays
    #[default]
    Keep,
    /// It goes
    Drop,
}

/// `--signatures`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SignaturesArg {
    /// They stay
    Keep,
    /// They go
    Drop,
}

impl From<SignaturesArg> for Signatures {
    fn from(arg: SignaturesArg) -> Self {
        match arg {
            SignaturesArg::Keep => Signatures::Keep,
            SignaturesArg::Drop => Signatures::Drop,
        }
    }
}
