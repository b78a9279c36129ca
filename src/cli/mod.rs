//! The command line: the table of verbs and the options that all of them have. This module belongs to the binary;
//! the library cannot name it.

mod accept;
mod check;
mod config;
mod convert;
mod created;
mod crew;
mod destination;
mod diff;
mod exit;
mod explain;
mod failure;
mod fd;
mod files;
mod first_pass;
mod gzip;
pub mod help;
mod identify;
mod input;
mod interrupt;
mod job;
mod jobs;
mod list;
mod mend;
mod notes;
mod options;
mod output;
mod packing;
mod page;
mod pager;
mod path;
mod profile;
mod progress;
mod pump;
mod repair;
mod replace;
mod run;
mod show;
mod split;
mod states;
mod strip;
mod surface;
mod targets;
mod tokens;
pub mod usage;
mod values;
mod whole;

pub use exit::Status;
pub use page::print;

use clap::{Args, FromArgMatches, Parser, Subcommand};
use failure::CommandError;
use notes::{ColorArg, ErrorFormat};
use options::{ForeignArg, OnError};
use std::ffi::OsString;
use std::path::PathBuf;
use unthink::frame::Framing;
use unthink::inline::{Blocks, Close, Inline, Row, Start, Unclosed};

/// Remove the reasoning from what language models wrote
///
/// The rest passes on unchanged. Reads JSON Lines, JSON, server-sent events or raw text from files or stdin and writes to stdout. Without a command
/// it is `unthink strip --policy all`.
#[derive(Debug, Parser)]
#[command(name = "unthink", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Cli {
    #[command(flatten)]
    pub plain: strip::PlainArgs,

    #[command(flatten)]
    pub common: Common,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    Strip(strip::StripArgs),
    Split(split::SplitArgs),
    Convert(convert::ConvertArgs),
    Tokens(tokens::TokensArgs),
    Check(Box<check::CheckArgs>),
    Repair(Box<repair::Repair>),
    Explain(explain::Explain),
    Show(show::ShowArgs),
    Identify(identify::Identify),
    Profile(profile::Profile),
    List(list::ListArgs),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print a page of the manual
    Man {
        /// Which page: unthink(1), that of a command, or the rules of check
        #[arg(default_value = "unthink", value_parser = surface::pages(), hide_possible_values = true)]
        page: String,
    },
}

/// The tag table, and the rows beside it.
#[derive(Clone, Debug, Args)]
pub struct TagTableArgs {
    /// Inline delimiters to look for [default: every row]
    ///
    /// A row of the tag table (`unthink list tags`), or OPEN,CLOSE; repeatable.
    #[arg(long, value_name = "NAME", value_parser = values::tags(), hide_possible_values = true, global = true)]
    pub tag: Vec<String>,

    /// Read more rows of the tag table from this file
    ///
    /// Repeatable; its rows come before the table. The file is JSON: an array of rows as `list tags -o json` prints them, an object with `tags`, or one row. A row has
    /// `open` and `close`, and may have `name` (the row replaces the built-in row of the same name); `opens`, `closes`:
    /// other spellings; `labels` behind the opener; `framing`: the newlines after_open, before_close, after_close;
    /// `word`: like an HTML element, with `suffix`, and with a `heading`; `loose`, `phrase`, `strict`; `missing_open`; `unclosed`: visible,
    /// reasoning or error; `blocks`: one or all; `wrappers` and `markers` of the answer and `tools`: pairs;
    /// `default`: false if it must be named; `examples`: pairs of a text and what is visible of it, which must hold.
    ///
    /// It may also be a response_template of Hugging Face, or a tokenizer_config.json that holds one.
    #[arg(long, value_name = "FILE", hide_short_help = true, global = true)]
    pub tags: Vec<PathBuf>,

    /// The rows of the files of tags.
    #[arg(skip)]
    pub rows: Vec<Row>,

    /// A tag that is read beside the table.
    #[arg(skip)]
    pub tag_too: Option<String>,
}

/// The settings that are given on the command line.
#[derive(Clone, Debug, Args)]
pub struct SettingArgs {
    /// Read settings from this file
    ///
    /// JSON, flat or under ephemeralSettings.
    #[arg(long, value_name = "FILE", hide_short_help = true, global = true)]
    pub profile: Option<PathBuf>,

    /// Set one setting (`unthink list settings`)
    ///
    /// Repeatable; wins over --profile.
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::settings(), hide_possible_values = true, hide_short_help = true, global = true)]
    pub set: Vec<String>,
}

/// What to do with records that are not read.
#[derive(Clone, Debug, Args)]
pub struct UnreadArgs {
    /// What to do with a record that cannot be understood
    #[arg(long, value_enum, default_value_t, hide_short_help = true, global = true)]
    pub on_error: OnError,

    /// What to do with a record that may hold reasoning, and is in no format that is read; for repair: with thoughts that a provider does not take
    #[arg(long, value_enum, default_value_t, hide_short_help = true, global = true)]
    pub foreign: ForeignArg,

    /// Let `--on-error pass` copy records through whose reasoning could not be looked for
    #[arg(long, hide_short_help = true, global = true)]
    pub allow_unstripped: bool,

    /// Keep records that were skipped in this file
    #[arg(long, value_name = "FILE", hide_short_help = true, global = true)]
    pub rejects: Option<PathBuf>,
}

/// How messages on stderr are written.
#[derive(Clone, Debug, Args)]
pub struct MessageArgs {
    /// When to colour messages and diffs
    ///
    /// NO_COLOR, CLICOLOR_FORCE and TERM=dumb are respected.
    #[arg(long, value_enum, default_value_t, hide_short_help = true, global = true, value_name = "WHEN")]
    pub color: ColorArg,

    /// The form of messages on stderr
    #[arg(long, value_enum, default_value_t, hide_short_help = true, global = true, value_name = "FORMAT")]
    pub error_format: ErrorFormat,

    /// Fewer notes on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose", overrides_with = "quiet")]
    pub quiet: bool,

    /// More notes on stderr
    #[arg(short, long, global = true, overrides_with = "verbose")]
    pub verbose: bool,
}

/// Options that every command has.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// Dialect (`unthink list dialects`) [default: auto]
    ///
    /// `auto` looks at each record.
    #[arg(short, long, value_name = "DIALECT", default_value = "auto", hide_default_value = true, value_parser = values::read_dialects(), hide_possible_values = true, global = true)]
    pub from: String,

    /// Input framing
    #[arg(long, default_value = "auto", value_parser = values::OrAuto::<Framing>::new("The first bytes decide"), hide_short_help = true, global = true)]
    pub framing: values::AutoOption<Framing>,

    #[command(flatten)]
    pub table: TagTableArgs,

    /// Read no unthink.toml and no .unthinkignore-findings
    ///
    /// That is for all commands the file of the user, and for check also that of the project, which is found upwards from
    /// the working directory.
    #[arg(long, hide_short_help = true, global = true)]
    pub no_config: bool,

    /// What these files say.
    #[arg(skip)]
    pub config: config::Config,

    /// Decide at once, as for a live event stream
    ///
    /// A text is visible unless it opens with a tag, and nothing waits for what may come.
    #[arg(long, global = true)]
    pub live: bool,

    /// What an opener without a closer means [default: as the tag's row says]
    #[arg(long, value_enum, hide_short_help = true, global = true)]
    pub unclosed: Option<Unclosed>,

    #[command(flatten)]
    pub given: SettingArgs,

    #[command(flatten)]
    pub unread: UnreadArgs,

    /// Longest record held in memory, in bytes; K, M and G are powers of 1024
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = options::size, hide_short_help = true, global = true)]
    pub max_record: usize,

    #[command(flatten)]
    pub messages: MessageArgs,
}

/// How inline tags are read.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Inline tags")]
pub struct TagArgs {
    /// Where a block ends
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    pub close: Close,

    /// What a message begins with
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    pub start: Start,

    /// What a tag means of which it is not certain whether it is used or only spoken of
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    pub inline: Inline,

    /// Which blocks of a message count [default: as the tag's row says]
    #[arg(long, value_enum, hide_short_help = true)]
    pub blocks: Option<Blocks>,

    /// What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    pub marker: Option<String>,
}

/// What was typed, with the command in front of the options: they may stand on either side of it.
///
/// ADVICE: clap would take them there, too, but drops what a repeatable option has before the command when it comes
/// again behind it.
pub fn arguments(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut typed: Vec<OsString> = strip::suffixes(typed.collect());
    if typed.get(1).is_none_or(|first| !first.as_encoded_bytes().starts_with(b"-")) {
        return typed;
    }
    let top = surface::command();
    let takes_value = |is_it: &dyn Fn(&clap::Arg) -> bool| {
        top.get_arguments().any(|arg| is_it(arg) && arg.get_action().takes_values())
    };
    let (mut at, mut value) = (1, false);
    while let Some(word) = typed.get(at).map(|word| word.to_string_lossy().into_owned()) {
        at += 1;
        if std::mem::take(&mut value) {
            continue;
        }
        if let Some(long) = word.strip_prefix("--") {
            if long.is_empty() {
                break;
            }
            value = takes_value(&|arg| arg.get_long() == Some(long));
        } else if let Some(short) = word.strip_prefix('-').filter(|short| !short.is_empty()) {
            // A value may stand in the same word.
            let first = short.char_indices().find(|(_, c)| takes_value(&|arg| arg.get_short() == Some(*c)));
            value = first.is_some_and(|(i, c)| i + c.len_utf8() == short.len());
        } else {
            if top.find_subcommand(&word).is_some() {
                typed[1..at].rotate_right(1);
            }
            break;
        }
    }
    typed
}

/// What was typed, with what the configuration files add. The error has the form of all others.
pub fn parse(typed: &[OsString]) -> Result<Cli, Unparsed> {
    let matches = surface::command().try_get_matches_from(typed).map_err(Unparsed::Typed)?;
    let (words, config) = config::apply(typed, &matches).map_err(Unparsed::Config)?;
    let cli = if words == typed { Cli::from_arg_matches(&matches) } else { Cli::try_parse_from(words) };
    let mut cli = cli.map_err(Unparsed::Typed)?;
    cli.common.config = config;
    Ok(cli)
}

/// Why there is nothing to run.
pub enum Unparsed {
    /// Help was asked for, or what was typed is wrong.
    Typed(clap::Error),
    /// A configuration file is wrong, or cannot be read.
    Config(CommandError),
}

/// Reports a configuration file that is wrong.
pub fn misconfigured(e: &CommandError) -> Status {
    run::failed(&notes::Notes::plain(ColorArg::Auto), e)
}

/// Runs what was typed. Settings and rows that are wrong are wrong for every verb.
pub fn run(mut cli: Cli) -> Status {
    let wrong = |common: &Common, e| run::failed(&notes::Notes::of(common), &e);
    // Once: a file may be a pipe.
    match options::tag_files(&cli.common.table.tags) {
        Ok(rows) => cli.common.table.rows = rows,
        Err(e) => return wrong(&cli.common, e),
    }
    let common = &cli.common;
    let settings = match options::settings(common) {
        Ok(settings) => settings,
        Err(e) => return wrong(common, e),
    };
    match cli.command {
        None => strip::plain(common, &cli.plain),
        Some(Command::Strip(args)) => strip::run(common, settings, &args),
        Some(Command::Split(args)) => split::run(common, &settings, &args),
        Some(Command::Convert(args)) => convert::run(common, settings, &args),
        Some(Command::Check(args)) => check::run(common, settings, &args),
        Some(Command::Repair(args)) => repair::run(common, &args),
        Some(Command::Explain(args)) => explain::run(common, &args),
        Some(Command::Show(args)) => show::run(common, &settings, &args),
        Some(Command::Identify(args)) => identify::run(common, &args),
        Some(Command::Tokens(args)) => tokens::run(common, &settings, &args),
        Some(Command::Profile(args)) => profile::run(&args, common, &settings),
        Some(Command::List(args)) => list::run(&args, &common.table.rows),
        Some(Command::Completions { shell }) => page::print(&surface::completions(shell)),
        Some(Command::Man { page }) => page::print(&surface::man(&page)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_on_either_side() {
        for (typed, want) in [
            ("u strip -q", "u strip -q"),
            ("u -q strip f", "u strip -q f"),
            ("u --set a=b -q strip --set c=d f", "u strip --set a=b -q --set c=d f"),
            ("u --set=a=b strip", "u strip --set=a=b"),
            ("u -f strip strip", "u strip -f strip"),
            ("u -fchat strip", "u strip -fchat"),
            ("u -qf chat strip", "u strip -qf chat"),
            ("u -- strip", "u -- strip"),
            ("u - strip", "u - strip"),
            ("u file strip", "u file strip"),
            ("u -q file", "u -q file"),
            ("u --tag", "u --tag"),
            ("u strip -i.bak f -i", "u strip --in-place=.bak f -i"),
            ("u strip -i~ -iq -i=x -- -i.bak", "u strip --in-place=~ -iq -i=x -- -i.bak"),
            ("u", "u"),
        ] {
            let words = typed.split(' ').map(OsString::from);
            let want: Vec<OsString> = want.split(' ').map(OsString::from).collect();
            assert_eq!(arguments(words), want, "{typed}");
        }
    }
}
