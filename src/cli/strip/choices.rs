//! Values of options of `strip`.

use clap::ValueEnum;

/// `--empty`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Empty {
    /// It stays
    #[default]
    Keep,
    /// It goes
    Drop,
}
