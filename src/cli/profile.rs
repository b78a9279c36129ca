//! unthink profile [--profile FILE] [--set KEY=VALUE]... [-o json|table] [--check]
//!
//! Shows the settings in force. As JSON they are a profile that `--profile` can load.

use super::fd::stdout_is_terminal;
use super::{Common, Status, page};
use clap::{Args, ValueEnum};
use unthink::settings::{SETTINGS, SettingOrigin, Settings};

/// Show, check and save the settings in force
#[derive(Debug, Args)]
pub struct Profile {
    /// Output form [default: table on a terminal, else json]
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    output: Option<ProfileFormat>,

    /// Print nothing; the status is 0 if the profile is valid, 2 if not
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
pub fn run(args: &Profile, common: &Common, settings: &Settings) -> Status {
    let default = if stdout_is_terminal() { ProfileFormat::Table } else { ProfileFormat::Json };
    match args.output.unwrap_or(default) {
        _ if args.check => Status::Done,
        ProfileFormat::Json => page::print(format!("{}\n", settings.to_profile()).as_bytes()),
        ProfileFormat::Table => page::print(table(common, settings).as_bytes()),
    }
}

fn table(common: &Common, settings: &Settings) -> String {
    let configured = |key: &str| {
        // The file of a profile comes after those of the configuration.
        let mut all = common.config.settings().filter(|_| common.given.profile.is_none());
        all.find(|(name, ..)| *name == key).map(|(_, _, place)| place.to_string())
    };
    let row = |key: &str| match settings.get(key) {
        None => [key.to_string(), "unset".into(), "default".into()],
        Some((value, from)) => {
            let from = match from {
                SettingOrigin::Default => "default".into(),
                SettingOrigin::Profile => configured(key).unwrap_or_else(|| "profile".into()),
                SettingOrigin::Set => "set".into(),
            };
            [key.to_string(), value.json().trim_matches('"').to_string(), from]
        }
    };
    let others = common.config.entries.iter().filter(|entry| SETTINGS.iter().all(|row| row.key != entry.key));
    let others = others.map(|entry| [entry.key.clone(), entry.values.join(", "), entry.place.clone()]);
    page::columns(&SETTINGS.iter().map(|s| row(s.key)).chain(others).collect::<Vec<_>>())
}
