//! unthink repair --target TARGET[:MODEL] [FILE]...
//!
//! Makes the least change after which a provider takes a request, and leaves every other byte as it is.

use super::accept::TargetName;
use super::files::Files;
use super::mend::Mending;
use super::notes::Notes;
use super::options::ForeignArg;
use super::output::{OutputArgs, RewriteArgs};
use super::run::failed;
use super::{Common, Status};
use crate::accept::{Fill, ForeignThoughts, Repairs};
use clap::{Args, ValueEnum};

/// Change a request, and little of it, so that a provider takes it
#[derive(Debug, Args)]
pub struct Repair {
    /// The provider that is to take it (`unthink list targets`)
    ///
    /// TARGET, or TARGET:MODEL. Without a model that of the text counts.
    #[arg(long, value_name = "TARGET")]
    target: String,

    /// Drop thinking blocks that are signed and have no text
    ///
    /// They arrive like this from newer models, and damage leaves them like this; a text does not tell which it was.
    #[arg(long, help_heading = "What may change")]
    hollow: bool,

    /// Change settings of the request: turn thinking off, remove edits of the context
    #[arg(long, help_heading = "What may change")]
    settings: bool,

    /// Drop what only the account can read that got it
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "What may change")]
    drop: Option<Dropped>,

    /// What stands in for reasoning that a provider demands and that is lost [default: the least that it takes]
    ///
    /// `space`, `unique` for a text that names the tool and the number of the message, or a text. The same text in every
    /// message makes the answers of some models worse.
    #[arg(long, value_name = "TEXT", help_heading = "What may change")]
    fill: Option<String>,

    #[command(flatten)]
    rewrite: RewriteArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    files: Files,
}

/// `--drop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Dropped {
    /// Encrypted reasoning
    Encrypted,
}

impl Repair {
    fn repairs(&self, common: &Common) -> Repairs {
        let fill = match self.fill.as_deref() {
            None => Fill::Least,
            Some("space") => Fill::Text(" ".into()),
            Some("unique") => Fill::Unique,
            Some(text) => Fill::Text(text.into()),
        };
        let foreign = match common.unread.foreign {
            ForeignArg::Text => Some(ForeignThoughts::Text),
            ForeignArg::Drop => Some(ForeignThoughts::Drop),
            ForeignArg::Refuse | ForeignArg::Pass => None,
        };
        let drop_encrypted = self.drop == Some(Dropped::Encrypted);
        Repairs { hollow: self.hollow, settings: self.settings, drop_encrypted, fill, foreign }
    }
}

/// `unthink repair`.
pub fn run(common: &Common, args: &Repair) -> Status {
    let notes = Notes::of(common);
    let mending = TargetName::named("--target", &args.target).map(|to| Mending {
        to,
        repairs: args.repairs(common),
        mode: args.rewrite.mode(common, &args.output),
        output: &args.output,
        files: &args.files,
    });
    mending.and_then(|mending| mending.run(common, &notes)).unwrap_or_else(|e| failed(&notes, &e))
}
