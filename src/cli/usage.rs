//! Errors of the command line in plain sentences, with the name that was probably meant, or the command whose option it
//! is. A name that is far is not suggested.

use super::notes::json_line;
use super::path::printable;
use super::{Cli, help};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use unthink::nearest::{meant, nearest};

/// Names of options in other programs, and what does the same here.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["--exclude", "--skip"], "--glob '!PATTERN' leaves files out"),
    (&["--include", "--ext", "--extension", "--pattern"], "--glob PATTERN says which files of a folder are read"),
    (&["--out", "--outfile", "--out-file", "--output"], "-O FILE writes to a file"),
    (&["--outdir", "--out-dir", "--dest"], "--output-dir DIR writes a file for each input"),
    (&["--input", "--file", "--infile", "--stdin"], "files are named without an option, and stdin is -"),
    (&["--format", "--output-format", "--reporter", "--report"], "-o FORMAT says what is written"),
    (&["--type", "--dialect", "--input-format", "--provider"], "--from DIALECT says what is read"),
    (&["--backup"], "-i.bak keeps the old file"),
    (&["--write", "--overwrite", "--edit"], "`unthink strip --in-place` rewrites files"),
    (&["--fix"], "`unthink strip --in-place` removes what is found"),
    (&["--silent"], "--quiet writes fewer messages"),
    (&["--debug", "--trace"], "--verbose writes more messages"),
    (&["--no-color", "--no-colour", "--colour", "--monochrome"], "--color never colours nothing"),
    (&["--all", "--remove-all"], "--policy all takes all reasoning"),
    (&["--keep", "--keep-last", "--last"], "--policy keep-last-N keeps the last N"),
    (&["--config"], "--profile FILE reads settings, and unthink.toml is read by itself"),
    (&["--jsonl", "--ndjson", "--sse"], "--framing says what the input is"),
    (&["--follow", "--stream", "--unbuffered"], "--live decides at once"),
    (&["--no-pager"], "--paging never uses no pager"),
];

/// Words for what a command does.
const VERBS: &[(&[&str], &str)] = &[
    (&["remove", "clean", "filter", "unthink", "delete", "redact"], "strip"),
    (&["extract", "separate", "parse"], "split"),
    (&["transform", "translate", "export"], "convert"),
    (&["count", "stats", "usage", "token"], "tokens"),
    (&["lint", "scan", "verify", "audit", "validate", "test"], "check"),
    (&["view", "render", "display", "print", "html", "cat"], "show"),
    (&["settings", "config"], "profile"),
    (&["ls", "dialects", "formats", "rules", "policies"], "list"),
    (&["completion", "complete"], "completions"),
    (&["manual", "manpage"], "man"),
];

/// The command that a word was probably meant to be.
pub fn verb(word: &str) -> Option<String> {
    let top = Cli::command();
    let names: Vec<&str> = top.get_subcommands().map(Command::get_name).collect();
    let known = VERBS.iter().find(|(words, _)| words.contains(&word)).map(|(_, verb)| *verb);
    known.or_else(|| nearest(word, names)).map(str::to_string)
}

/// The message for a command line that is wrong.
pub fn message(e: &clap::Error, typed: &[OsString]) -> String {
    let top = Cli::command();
    let name = typed.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let verb = top.find_subcommand(name);
    let page = if verb.is_some() { format!("unthink {name} --help") } else { "unthink --help".into() };
    let is_json = typed.windows(2).any(|pair| pair[0] == "--error-format" && pair[1] == "json")
        || typed.iter().any(|word| word == "--error-format=json");
    match sentence(e, &top, verb) {
        Some(said) if is_json => json_line("error", &said),
        Some(said) => format!("unthink: error: {said}\nMore: {page}\n"),
        None => format!("unthink: {}", e.render()),
    }
}

/// What is wrong, in a sentence or in clap's words.
pub fn said(e: &clap::Error, top: &Command, verb: Option<&Command>) -> String {
    sentence(e, top, verb).unwrap_or_else(|| e.render().to_string())
}

/// What is wrong, in a sentence.
fn sentence(e: &clap::Error, top: &Command, verb: Option<&Command>) -> Option<String> {
    let text = |kind| match e.get(kind) {
        Some(ContextValue::String(text)) => Some(printable(Path::new(text))),
        Some(ContextValue::Strings(all)) => Some(printable(Path::new(&all.join(", ")))),
        _ => None,
    };
    let arg = text(ContextKind::InvalidArg);
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    let of = verb.map_or("unthink", Command::get_name);
    let name = |arg: &str| arg.split([' ', '=', '[']).next().unwrap_or_default().trim_end_matches("...").to_string();
    // A value without an option stands alone.
    let subject = |arg: &str| if arg.starts_with('-') { format!("{} {value}", name(arg)) } else { value.clone() };
    Some(match e.kind() {
        ErrorKind::UnknownArgument => unknown(&arg?, top, verb),
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let meant = self::verb(&word).map(|verb| format!("; did you mean {verb}?")).unwrap_or_default();
            format!("{word}: no such command{meant}")
        }
        ErrorKind::InvalidValue => {
            let Some(ContextValue::Strings(all)) = e.get(ContextKind::ValidValue) else { return None };
            let one = if all.is_empty() { String::new() } else { format!("; it is one of {}", all.join(", ")) };
            match value.is_empty() {
                true => format!("{}: the value is missing{one}", name(&arg?)),
                false => {
                    let meant = meant(&value, all.iter().map(String::as_str));
                    let one = if meant.is_empty() { one } else { format!(" It{}", &one[4..]) };
                    format!("{}: no such value{meant}{one}", subject(&arg?))
                }
            }
        }
        ErrorKind::ValueValidation => format!("{}: {}", subject(&arg?), e.source()?),
        ErrorKind::MissingRequiredArgument => format!("{of}: {} is missing", arg?),
        ErrorKind::ArgumentConflict => {
            let prior = text(ContextKind::PriorArg)?;
            match (name(&arg?), name(&prior)) {
                (one, other) if one == other => format!("{one} is given twice"),
                (one, other) => format!("{one} does not go with {other}"),
            }
        }
        _ => return None,
    })
}

/// What is said of an option that the command does not have.
fn unknown(typed: &str, top: &Command, verb: Option<&Command>) -> String {
    let typed = typed.split('=').next().unwrap_or_default();
    let of = verb.unwrap_or(top);
    let name = of.get_name();
    let args = || of.get_arguments().chain(top.get_arguments().filter(|arg| arg.is_global_set()));
    let longs: Vec<String> = args().filter_map(Arg::get_long).map(|long| format!("--{long}")).collect();
    let has = |verb: &&Command| verb.get_arguments().any(|arg| is_named(arg, typed));
    let others: Vec<&str> = top.get_subcommands().filter(has).map(Command::get_name).collect();
    let near = nearest(typed, longs.iter().map(String::as_str));
    let can = |advice: &&str| advised(advice).is_none_or(|option| args().any(|arg| is_named(arg, option)));
    let same = |typed: &str| {
        let row = OPTIONS.iter().find(|(names, _)| names.contains(&typed));
        row.map(|(_, advice)| *advice).filter(can)
    };
    // A name of other programs with a typing mistake in it.
    let nearly = || same(nearest(typed, OPTIONS.iter().flat_map(|(names, _)| *names).copied())?);
    let forms = formats(typed, top, verb);
    let hint = match (same(typed), near) {
        _ if !others.is_empty() => format!("; it is an option of {}", commands(&others)),
        _ if !forms.is_empty() => format!("; {forms}"),
        (Some(same), _) => format!("; {same}"),
        (None, Some(near)) => format!("; did you mean {near}?"),
        (None, None) => nearly().map(|advice| format!("; {advice}")).unwrap_or_default(),
    };
    format!("{name} has no option {typed}{hint}")
}

/// The option that an advice begins with, if it is not about another command.
fn advised(advice: &str) -> Option<&str> {
    let first = advice.split(' ').next().filter(|first| first.starts_with('-'))?;
    if first.starts_with("--") { Some(first) } else { first.get(..2) }
}

/// Whether an option is written like this.
fn is_named(arg: &Arg, typed: &str) -> bool {
    let is_long = typed.strip_prefix("--").is_some_and(|long| arg.get_long() == Some(long));
    is_long || (typed.len() == 2 && typed.chars().nth(1).is_some_and(|c| arg.get_short() == Some(c)))
}

/// What an option means that is named like an output form, as `--json` in other programs.
fn formats(typed: &str, top: &Command, verb: Option<&Command>) -> String {
    let Some(form) = typed.strip_prefix("--") else { return String::new() };
    let has = |verb: &&Command| {
        let output = verb.get_arguments().find(|arg| arg.get_long() == Some("output"));
        output.is_some_and(|arg| arg.get_possible_values().iter().any(|value| value.matches(form, false)))
    };
    match verb.filter(has) {
        Some(_) => format!("did you mean -o {form}?"),
        None => {
            let all: Vec<&str> = top.get_subcommands().filter(has).map(Command::get_name).collect();
            if all.is_empty() { String::new() } else { format!("-o {form} is an option of {}", commands(&all)) }
        }
    }
}

/// Commands by name, in words.
fn commands(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("`unthink {one}`"),
        [first, rest @ ..] => format!("`unthink {first}`, {}", rest.join(", ")),
    }
}

/// The command that was probably meant by the first file of a command line without a command, if that file is not there.
pub fn command(files: &[PathBuf]) -> Option<String> {
    let first = files.first().filter(|path| path.symlink_metadata().is_err())?;
    let word = first.to_str().filter(|word| word.bytes().all(|b| b.is_ascii_alphabetic()))?;
    verb(word)
}

/// The question whether another file of the folder was meant, for a file that is not there.
pub fn file(path: &Path) -> String {
    const MAX_FILES: usize = 10_000;
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return String::new() };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = std::fs::read_dir(folder).into_iter().flatten().take(MAX_FILES).filter_map(Result::ok);
    let names: Vec<String> = found.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let near = nearest(name, names.iter().map(String::as_str));
    near.map(|near| format!("; did you mean {}?", printable(&path.with_file_name(near)))).unwrap_or_default()
}

/// The page that was asked for, as it is printed.
pub fn help(typed: &[OsString]) -> String {
    let page = help::page(typed);
    let is_colored = super::notes::ColorArg::Auto.is_on(super::fd::stdout_is_terminal());
    if is_colored { page.ansi().to_string() } else { page.to_string() }
}
