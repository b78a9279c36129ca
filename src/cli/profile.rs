//! unthink profile [--profile FILE] [--set KEY=VALUE]... [-o json|table] [--check]
//!
//! Shows the settings in force. As JSON they are a profile that `--profile` can load.

use super::io::stdout_is_terminal;
use super::{Status, surface};
use clap::{Args, ValueEnum};
use unthink::settings::{Origin, SETTINGS, Settings};

/// Show, check and save the settings in force
#[derive(Debug, Args)]
pub struct Profile {
    /// Output form [default: table on a terminal, else json]
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    output: Option<ProfileFormat>,

    /// Print no settings: only the exit status says whether they are right
    #[arg(long, conflicts_with = "output")]
    check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProfileFormat {
    /// A profile that --profile loads again
    Json,
    /// One setting per line: its key, its value, and where that comes from
    Table,
}

/// `unthink profile`.
pub fn run(args: &Profile, settings: &Settings) -> Status {
    let default = if stdout_is_terminal() { ProfileFormat::Table } else { ProfileFormat::Json };
    match args.output.unwrap_or(default) {
        _ if args.check => Status::Done,
        ProfileFormat::Json => surface::print(format!("{}\n", settings.to_profile()).as_bytes()),
        ProfileFormat::Table => surface::print(table(settings).as_bytes()),
    }
}

fn table(settings: &Settings) -> String {
    let row = |key: &str| match settings.get(key) {
        None => [key.to_string(), "unset".into(), "default".into()],
        Some((value, from)) => {
            let from = match from {
                Origin::Default => "default",
                Origin::Profile => "profile",
                Origin::Set => "set",
            };
            [key.to_string(), value.json().trim_matches('"').to_string(), from.into()]
        }
    };
    surface::columns(&SETTINGS.iter().map(|s| row(s.key)).collect::<Vec<_>>())
}
