//! What `-h`, `--help` and the manual say besides the options: examples, exit statuses, variables and files, a table with
//! a row for each command. Options that commands share are described once, under `unthink --help`.

use super::Cli;
use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory};
use std::ffi::OsString;

/// The headings of options that commands share, and how one speaks of them.
const SHARED: [(&str, &str); 3] =
    [("Files", "files"), ("Inline tags", "inline tags"), ("Options of every command", "every command")];

/// What is said of a command.
pub struct About {
    /// Its name; that of the program for the program without a command.
    pub name: &'static str,
    /// Tasks, and the commands that do them.
    pub examples: &'static [(&'static str, &'static str)],
    /// Paragraphs besides.
    pub more: &'static [&'static str],
    /// Its exit statuses and their meanings.
    pub statuses: &'static [(u8, &'static str)],
}

const USUAL: &[(u8, &str)] = &[
    (0, "done: everything was read and understood"),
    (2, "wrong usage: nothing was read"),
    (3, "finished, but some input could not be understood"),
    (4, "reading or writing failed"),
];

const QUICK: &[(u8, &str)] = &[(0, "done"), (2, "wrong usage"), (4, "writing failed")];

/// The program and its commands.
pub const ALL: &[About] = &[
    About {
        name: "unthink",
        examples: &[
            ("Show an answer without its reasoning", "ollama run qwen3 'Why is the sky blue?' | unthink --live"),
            ("Remove the reasoning from a file of conversations", "unthink session.jsonl > clean.jsonl"),
            ("The same for a folder, file by file, in place", "unthink strip -i transcripts/"),
            ("Look for reasoning that leaked into answers", "unthink check transcripts/"),
        ],
        more: &["Input that begins with the first bytes of gzip or Zstandard is decompressed."],
        statuses: &[
            (0, "done: everything was read and understood"),
            (1, "check found something, and nothing else ever"),
            (2, "wrong usage: nothing was read"),
            (3, "finished, but some input could not be understood"),
            (4, "reading or writing failed"),
        ],
    },
    About {
        name: "strip",
        examples: &[
            ("Remove all reasoning", "unthink strip session.jsonl > clean.jsonl"),
            ("Keep that of the last message", "unthink strip --policy all-but-last session.jsonl"),
            ("Rewrite the files of a folder, and keep the old ones", "unthink strip -i.bak transcripts/"),
            ("See what would change", "unthink strip --diff session.jsonl"),
            ("Strip one column of a data set", "unthink strip --field /response data.jsonl"),
        ],
        more: &[],
        statuses: USUAL,
    },
    About {
        name: "split",
        examples: &[
            ("An object for each answer, with text and reasoning apart", "unthink split session.jsonl"),
            ("The answer on stdout, the reasoning on stderr", "unthink split -o text --reasoning-to stderr answer.txt"),
            ("Only the reasoning", "unthink split --only reasoning session.jsonl"),
            ("Events of a live stream, word by word", "unthink split -o events stream.sse"),
        ],
        more: &[],
        statuses: USUAL,
    },
    About {
        name: "convert",
        examples: &[
            ("Send a conversation to another provider", "unthink convert --to anthropic session.jsonl"),
            ("Write reasoning between tags, as training data has it", "unthink convert --to tagged data.jsonl"),
            (
                "Give the reasoning of a column one of its own",
                "unthink convert --to reasoning --field /output data.jsonl",
            ),
            ("Know what is lost, or refuse to lose it", "unthink convert --to responses --strict session.jsonl"),
        ],
        more: &[],
        statuses: &[
            (0, "done: everything was read and understood"),
            (2, "wrong usage: nothing was read"),
            (3, "finished, but some input could not be understood, or --strict met a loss"),
            (4, "reading or writing failed"),
        ],
    },
    About {
        name: "identify",
        examples: &[
            ("What is this file, and is it read?", "unthink identify export.json"),
            ("The transcripts of a folder, hidden ones too", "unthink identify --hidden ~/.claude"),
            ("Those that are not read", "unthink identify logs/ | jq -r 'select(.read == \"no\").file'"),
        ],
        more: &[],
        statuses: &[
            (0, "done: every file could be opened, whatever is in it"),
            (2, "wrong usage: nothing was read"),
            (4, "reading or writing failed"),
        ],
    },
    About {
        name: "repair",
        examples: &[
            ("Make a session one that Anthropic takes", "unthink repair --target anthropic -i.bak session.jsonl"),
            ("See what would change", "unthink repair --target kimi:kimi-k2.6 --diff request.json"),
            ("The account has changed", "unthink repair --target openai-responses --drop encrypted rollout.jsonl"),
            (
                "Thoughts of another model stay, as texts",
                "unthink repair --target anthropic --foreign text history.json",
            ),
        ],
        more: &["What is mended is told with its rule, its place and its size, and never with its text."],
        statuses: &[
            (0, "done: the provider takes it, by the rules that are known"),
            (2, "wrong usage: nothing was read"),
            (3, "some of it could not be repaired or understood, and is as it was"),
            (4, "reading or writing failed"),
        ],
    },
    About {
        name: "explain",
        examples: &[
            (
                "What does this message mean?",
                "unthink explain 'messages.3.content.0.thinking.signature: Field required'",
            ),
            ("The same for an error body", "unthink explain < error.json"),
        ],
        more: &[],
        statuses: &[
            (0, "a rule is known for the message"),
            (2, "wrong usage"),
            (3, "no rule is known for it"),
            (4, "reading or writing failed"),
        ],
    },
    About {
        name: "tokens",
        examples: &[
            ("How much of each conversation is reasoning", "unthink tokens session.jsonl"),
            ("The same for each message, with a total", "unthink tokens --by message --total session.jsonl"),
            (
                "How much of all sessions is thinking, by model and day",
                "unthink tokens --by model,day ~/.claude/projects",
            ),
            ("Exact counts, as CSV", "unthink tokens --method o200k -o csv session.jsonl"),
        ],
        more: &[],
        statuses: USUAL,
    },
    About {
        name: "check",
        examples: &[
            ("Has reasoning leaked into answers?", "unthink check transcripts/"),
            ("Is there any reasoning at all, also in its own place?", "unthink check --policy all transcripts/"),
            ("A report for code scanning", "unthink check --output-file sarif=unthink.sarif transcripts/"),
            ("Accept what is there today", "unthink check --write-baseline baseline.json transcripts/"),
            ("What a rule finds, and what to do", "unthink check --explain UT102"),
        ],
        more: &[
            "In a folder, what .gitignore and .unthinkignore name is left out, and so are hidden files. A file that is \
                 named is always read. A folder in which there is no file to check is an error, unless something else is \
                 checked. An empty list of files and an empty input are not: there is a warning.",
        ],
        statuses: &[
            (
                0,
                "everything was read and understood, or is in the baseline or ignored, and no finding matters as much as \
                 --fail-on says",
            ),
            (1, "there is a finding that does; never with --exit-zero"),
            (2, "wrong usage: nothing was read"),
            (3, "some input could not be understood, or there was no file to check"),
            (4, "some input could not be read, or some output not written"),
        ],
    },
    About {
        name: "show",
        examples: &[
            ("Read a conversation in the terminal", "unthink show session.jsonl"),
            ("A page for the browser", "unthink show --html -O page.html session.jsonl"),
            ("Charts of tokens", "unthink show --svg -O charts.svg session.jsonl"),
            (
                "A page to send",
                "unthink show --html -O page.html --no-reasoning --redact paths --redact keys session.jsonl",
            ),
            ("A page for each session, and an index", "unthink show --html -O pages/ ~/.claude/projects"),
            ("What strip has changed", "unthink show --html -O diff.html --against stripped.json request.json"),
        ],
        more: &[],
        statuses: USUAL,
    },
    About {
        name: "profile",
        examples: &[
            ("The settings in force, and where each comes from", "unthink profile -o table"),
            ("Check a profile", "unthink profile --profile profile.json --check"),
            ("Save a changed setting", "unthink profile --set reasoning.stripFromContext=all"),
        ],
        more: &[],
        statuses: QUICK,
    },
    About {
        name: "list",
        examples: &[
            ("What is read and written", "unthink list dialects"),
            ("What check looks for, for a program", "unthink list rules -o json"),
        ],
        more: &[],
        statuses: QUICK,
    },
    About {
        name: "completions",
        examples: &[("Completions for bash", "unthink completions bash")],
        more: &[],
        statuses: QUICK,
    },
    About {
        name: "man",
        examples: &[("The page of a command", "unthink man strip | man -l -")],
        more: &[],
        statuses: QUICK,
    },
];

/// Variables of the environment, and what they do.
pub const VARIABLES: &[(&str, &str)] = &[
    ("NO_COLOR", "If it is set and not empty, nothing is coloured, unless --color always is given."),
    ("CLICOLOR_FORCE", "If it is set and not 0, output is coloured that goes to no terminal, too."),
    ("TERM", "If it is dumb, nothing is coloured, and no progress is shown."),
    ("COLUMNS", "The width of help, and of drawings that go to no terminal."),
    ("XDG_CONFIG_HOME", "The folder of the user's configuration; ~/.config without it."),
    ("PAGER, LESS", "The pager of unthink show, and its options."),
    ("COLORFGBG", "The colours of the terminal, if it does not answer what its background is."),
];

/// Files that are read besides the input.
pub const FILES: &[(&str, &str)] = &[
    (
        "unthink.toml",
        "Options that need not be typed: that of the user ($XDG_CONFIG_HOME/unthink/unthink.toml) for every command, that of \
         a project, found upwards from the working directory, for check only. unthink profile shows them.",
    ),
    (".unthinkignore-findings", "Fingerprints of findings that check ignores."),
    (".gitignore, .unthinkignore", "What they name is not read in folders, unless --no-ignore is given."),
];

impl About {
    /// What is said of the command of that name.
    pub fn of(name: &str) -> Option<&'static About> {
        ALL.iter().find(|about| about.name == name)
    }

    fn examples(&self) -> String {
        let line = |(task, command): &(&str, &str)| format!("  # {task}\n  {command}");
        format!("Examples:\n{}", self.examples.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    fn statuses(&self) -> String {
        let line = |(status, meaning): &(u8, &str)| format!("  {status}  {meaning}");
        format!("Exit status:\n{}", self.statuses.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    /// What stands behind the options in the long help.
    fn tail(&self, pointer: Option<String>) -> String {
        let more = self.more.iter().map(|text| text.to_string());
        let parts = [self.examples(), self.statuses()].into_iter().chain(more).chain(pointer);
        parts.collect::<Vec<_>>().join("\n\n")
    }
}

/// The definition of the command line, in which commands have their own options only, and what the table says.
pub fn command() -> Command {
    let mut top = Cli::command();
    top.build();
    let names: Vec<String> = top.get_subcommands().map(|verb| verb.get_name().to_string()).collect();
    for name in names {
        top = top.mut_subcommand(name, described);
    }
    match About::of("unthink") {
        Some(about) => top.after_long_help(about.tail(None)).after_help(about.statuses()),
        None => top,
    }
}

/// The short page of the program, whose options are few: they stand together.
fn brief(top: Command) -> Command {
    const RARE: [&str; 2] = ["output_dir", "version"];
    top.mut_args(|arg| match arg.is_positional() {
        true => arg,
        false if RARE.contains(&arg.get_id().as_str()) => arg.hide(true),
        false => arg.help_heading("Options"),
    })
    .mut_subcommand("help", |verb| verb.hide(true))
}

fn described(verb: Command) -> Command {
    let Some(about) = About::of(verb.get_name()) else { return verb };
    let of = |arg: &Arg| SHARED.iter().find(|(heading, _)| arg.get_help_heading() == Some(heading));
    let is_shared = |arg: &Arg| of(arg).is_some();
    let has = |heading: &str| verb.get_arguments().any(|arg| arg.get_help_heading() == Some(heading));
    let named: Vec<&str> = SHARED.iter().filter(|(heading, _)| has(heading)).map(|(_, words)| *words).collect();
    let pointer = format!("More options ({}): unthink --help", named.join(", "));
    verb.mut_args(|arg| if is_shared(&arg) { arg.hide(true) } else { arg })
        .after_help(pointer.clone())
        .after_long_help(about.tail(Some(pointer)))
}

/// The page that was asked for: the short one with `-h`, the long one with `--help` and `help`.
pub fn page(typed: &[OsString]) -> StyledStr {
    let words = || typed.iter().skip(1).take_while(|word| *word != "--").filter_map(|word| word.to_str());
    let is_long = words().any(|word| word == "--help") || words().next() == Some("help");
    let mut top = command();
    let name = words().find(|word| *word != "help");
    let verb = match name.and_then(|name| top.find_subcommand_mut(name)) {
        Some(verb) => verb,
        None if is_long => &mut top,
        None => &mut brief(top),
    };
    if is_long { verb.render_long_help() } else { verb.render_help() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments;

    /// A command without a row would have no examples, and no page in the manual.
    #[test]
    fn every_command_is_in_the_table() {
        let top = Cli::command();
        let mut names: Vec<&str> =
            std::iter::once("unthink").chain(top.get_subcommands().map(Command::get_name)).collect();
        let mut rows: Vec<&str> = ALL.iter().map(|about| about.name).collect();
        names.sort_unstable();
        rows.sort_unstable();
        assert_eq!(names, rows);
    }

    #[test]
    fn examples_are_commands_that_are_understood() {
        for (_, command) in ALL.iter().flat_map(|about| about.examples) {
            let run = &command[command.find("unthink").unwrap()..];
            let words = run.split([' ', '|', '>']).take_while(|word| !word.is_empty());
            let words = words.map(OsString::from);
            let parsed = Cli::command().try_get_matches_from(arguments(words));
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
        }
    }
}
