//! unthink strip [--policy P] [FILE]...
//!
//! Removes reasoning by policy; every byte that it does not remove is unchanged. `unthink` without a command is
//! `unthink strip --policy all`.

mod numbers;

use super::convert::DECIDE;
use super::destination::Mode;
use super::files::{self, Files, Use};
use super::io::printable;
use super::io::stdout_is_terminal;
use super::jobs::Jobs;
use super::notes::Notes;
use super::options::{self, OnError};
use super::output::OutputArgs;
use super::run::{Job, Main, craft, failed};
use super::states::{self, Told};
use super::{Common, Status, TagArgs, usage, values};
use clap::{Args, ValueEnum};
use numbers::{StatsArg, report};
use std::ffi::OsString;
use unthink::check::report::STDIN;
use unthink::dialect::Pointer;
use unthink::out::{Splice, SpliceOptions, Stats};
use unthink::pass::{self, Policy};
use unthink::settings::Settings;

/// Remove reasoning by policy; every other byte stays as it is
#[derive(Debug, Args)]
pub struct Strip {
    /// Which reasoning goes [default: all, or by the settings]
    ///
    /// One of none, all, all-but-last, before-last-user, keep-tool-turns, keep-last-N (`unthink list policies`).
    #[arg(short, long, value_name = "POLICY", value_parser = values::policies(), hide_possible_values = true)]
    policy: Option<Policy>,

    /// What all-but-last counts
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    unit: UnitArg,

    /// Only what stands in this context
    ///
    /// A name or a path of MEW's reasoning sequences (a/b), with all that stands in it; repeatable.
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    context: Vec<String>,

    /// Only the reasoning of this agent, in a log in which several speak; repeatable
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    agent: Vec<String>,

    /// What happens to a message that is left without content
    #[arg(long, value_enum, default_value_t)]
    empty: Empty,

    /// Remove messages that are marked as intermediate reasoning
    ///
    /// One that begins or ends a delegation stays without its content, so that no delegation is left with one end.
    #[arg(long, hide_short_help = true)]
    intermediate: bool,

    /// The same, and all messages in delegations whose messages are intermediate
    #[arg(long, hide_short_help = true)]
    delegations: bool,

    /// Empty the <REDACTED> sections of the reasoning that stays
    ///
    /// Without a policy, all of it stays, but for signed or encrypted blocks with such a section, which go whole: their
    /// signature holds for no other text.
    #[arg(long)]
    redact: bool,

    /// Strip the string at this JSON Pointer in any JSON record
    ///
    /// And nothing else of the record; repeatable; a step * is every member or element.
    #[arg(long, value_name = "POINTER")]
    field: Vec<String>,

    /// Remove the member at this JSON Pointer from any JSON record
    ///
    /// And nothing else of the record; repeatable; a step * is every member or element.
    #[arg(long, value_name = "POINTER")]
    drop: Vec<String>,

    /// Say on stderr what became of each file, and the sums
    ///
    /// As sentences, or as a JSON object a line.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        num_args(0..=1),
        require_equals(true),
        default_missing_value = "text",
        hide_possible_values = true
    )]
    stats: Option<StatsArg>,

    /// Rewrite each FILE; with SUFFIX (-i.bak), keep the old one
    ///
    /// What is left of each FILE is written to FILE itself, and nothing to stdout. The old one is kept as FILESUFFIX. The
    /// new content is written to a temporary file in the same directory, which takes the place of FILE when all of
    /// it is on the disk, with the owner, the permissions and the attributes that FILE has: a crash leaves FILE as it
    /// was. A symbolic link stays one, and the file behind it is rewritten. FILE is not touched if nothing in it
    /// changes; if a record of it cannot be understood, unless --on-error pass keeps the record; if it is read-only; if
    /// another program writes to it meanwhile; if there is an old backup of that name; if it has several names (hard links); or if it is no regular file. The others
    /// are rewritten all the same. A compressed file (gzip, Zstandard) is written compressed again. Each FILE is named on
    /// stderr as changed, clean or left, why it was left, and the sums behind them.
    #[arg(
        short,
        long,
        value_name = "SUFFIX",
        num_args(0..=1),
        require_equals(true),
        default_missing_value = "",
        value_hint = clap::ValueHint::Other,
        conflicts_with_all = ["output_dir", "output_file"]
    )]
    in_place: Option<OsString>,

    /// Only say what would be removed from each FILE
    ///
    /// A line for each FILE: how many blocks and how many bytes would be removed, its name, and what would become of it
    /// (changed, clean, or left: why), with tabs between them; with the exit status and the messages of a real run, also
    /// one with --in-place.
    #[arg(long, conflicts_with = "output_dir")]
    dry_run: bool,

    /// Write what would change as a unified diff
    ///
    /// For `patch -p0` or `git apply -p0`. It shows the reasoning that would be removed. A record that cannot be understood is not changed by the diff. What became of each FILE is said on stderr. Changes that are next to each other and together
    /// larger than --max-record are written without the lines around them, for which `git apply` needs --unidiff-zero.
    #[arg(long, conflicts_with_all = ["in_place", "dry_run", "output_dir"])]
    diff: bool,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    jobs: Jobs,
}

/// What plain `unthink` takes.
#[derive(Debug, Args)]
pub struct Plain {
    /// What goes (`unthink list policies`) [default: all]
    #[arg(
        short,
        long,
        value_name = "POLICY",
        value_parser = values::policies(),
        hide_possible_values = true,
        default_value = "all",
        hide_default_value = true
    )]
    policy: Policy,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    jobs: Jobs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// Messages
    #[default]
    Message,
    /// Turns: all assistant messages since the last user message
    Turn,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Empty {
    /// It stays
    #[default]
    Keep,
    /// It goes
    Drop,
}

impl Strip {
    fn mode(&self, common: &Common) -> Mode {
        match (&self.in_place, self.dry_run, self.diff) {
            (suffix, true, _) => Mode::DryRun(suffix.clone()),
            (Some(suffix), ..) => Mode::InPlace(suffix.clone()),
            (None, _, true) => Mode::Diff(
                common.max_record,
                common.color.is_on(stdout_is_terminal() && self.output.one.path().is_none()),
            ),
            (None, ..) => self.output.mode(),
        }
    }
}

/// What was typed, with `--in-place=.bak` instead of `-i.bak`.
///
/// ADVICE: clap takes what stands behind a short option whose value needs a `=` for more options, which is right for
/// `-iq`. A suffix that begins with a letter has to be spelled out.
pub fn suffixes(mut typed: Vec<OsString>) -> Vec<OsString> {
    for word in typed.iter_mut().skip(1).take_while(|word| *word != "--") {
        let Some(suffix) = word.to_str().and_then(|word| word.strip_prefix("-i")) else { continue };
        if suffix.starts_with(['.', '~', '_', '-', '+', '#', ',', '@']) {
            *word = OsString::from(format!("--in-place={suffix}"));
        }
    }
    typed
}

/// `unthink strip`. A policy that was typed is `reasoning.stripFromContext`; the other settings may still remove what it
/// leaves.
pub fn run(common: &Common, mut settings: Settings, args: &Strip) -> Status {
    if let Some(policy) = args.policy {
        settings.choose(policy);
    }
    let decides = args.policy.is_some() || DECIDE.iter().any(|key| settings.is_set(key));
    let policy = if args.redact && !decides { Policy::None } else { settings.context_policy() };
    let unit = match args.unit {
        UnitArg::Message => pass::Unit::Message,
        UnitArg::Turn => pass::Unit::Turn,
    };
    let mode = args.mode(common);
    let removal = (args.intermediate || args.delegations).then_some(args.delegations);
    let narrow = pass::Narrow::new(args.agent.clone(), args.context.clone());
    let how = How {
        policy,
        unit,
        narrow,
        empty: args.empty,
        removal,
        stats: args.stats,
        redact: args.redact,
        mode,
        jobs: args.jobs,
    };
    let pointers = options::pointers("--field", &args.field);
    match pointers.and_then(|fields| Ok((fields, options::pointers("--drop", &args.drop)?))) {
        Ok((_, drops)) if drops.iter().any(Pointer::is_root) => {
            let notes = Notes::of(common);
            failed(&notes, &anyhow::anyhow!("--drop: the empty pointer is the record itself"))
        }
        Ok((fields, drops)) => strip(common, how, (fields, drops), &args.tags, (&args.files, &args.output)),
        Err(e) => failed(&Notes::of(common), &e),
    }
}

/// `unthink` without a command.
pub fn plain(common: &Common, args: &Plain) -> Status {
    if let Some(verb) = usage::command(&args.files.named) {
        let word = printable(&args.files.named[0]);
        let notes = Notes::of(common);
        return failed(&notes, &anyhow::anyhow!("{word}: no such file or command; did you mean `unthink {verb}`?"));
    }
    let (policy, unit) = (args.policy, pass::Unit::Message);
    let (narrow, empty) = (pass::Narrow::default(), Empty::Keep);
    let mode = args.output.mode();
    let how = How { policy, unit, narrow, empty, removal: None, stats: None, redact: false, mode, jobs: args.jobs };
    strip(common, how, (Vec::new(), Vec::new()), &args.tags, (&args.files, &args.output))
}

/// How many messages were removed, and how many lost what they say.
fn intermediate((removed, emptied): (u64, u64), notes: &Notes) {
    let messages =
        |n: u64| if n == 1 { "1 intermediate message was".into() } else { format!("{n} intermediate messages were") };
    let edges = |n: u64| match n {
        1 => "1 that begins or ends a delegation was emptied".into(),
        n => format!("{n} that begin or end a delegation were emptied"),
    };
    match (removed, emptied) {
        (0, 0) => (),
        (n, 0) => notes.note(&format!("{} removed", messages(n))),
        (n, m) => notes.note(&format!("{} removed, and {}", messages(n), edges(m))),
    }
}

/// Names that fit nothing: the reasoning that was meant may be there under another one.
fn unknown(narrow: &pass::Narrow, notes: &Notes) {
    let (agents, contexts) = narrow.unknown();
    for name in agents {
        notes.warning(&format!("--agent {}: no message of the input is from this agent", printable(name.as_ref())));
    }
    for name in contexts {
        notes.warning(&format!(
            "--context {}: no message of the input stands in this context",
            printable(name.as_ref())
        ));
    }
}

/// What is removed, what is reported of it, and where the rest goes.
struct How {
    policy: Policy,
    unit: pass::Unit,
    narrow: pass::Narrow,
    empty: Empty,
    removal: Option<bool>,
    stats: Option<StatsArg>,
    redact: bool,
    mode: Mode,
    jobs: Jobs,
}

type Pointers = (Vec<Pointer>, Vec<Pointer>);

fn strip(
    common: &Common,
    how: How,
    (pointers, drops): Pointers,
    tags: &TagArgs,
    (files, output): (&Files, &OutputArgs),
) -> Status {
    let notes = Notes::of(common);
    let by = Use::reading(common, &files.walk, output.one.own()).writing_to(output.output_dir.as_ref());
    let inputs = match files::find(&files.walk, &files.named, &by, &notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(&notes, &e),
    };
    let named = !pointers.is_empty() || !drops.is_empty();
    let How { policy, unit, narrow, empty, removal, stats, redact, mode, jobs } = how;
    let options = SpliceOptions {
        drop_empty: empty == Empty::Drop,
        pass_bad: common.on_error == OnError::Pass || matches!(mode, Mode::Diff(..)),
        verbatim: policy == Policy::None && !redact && removal.is_none(),
        takes_messages: removal.is_some(),
        steps: mode.needs_steps(),
        ..SpliceOptions::default()
    };
    let named_reasoning = if policy == Policy::None { pass::Narrow::default() } else { narrow.clone() };
    let tells = matches!(mode, Mode::InPlace(_) | Mode::Diff(..));
    let done = |s: &Stats, told: &Told<'_>, notes: &Notes| {
        let (s, counts) = (*s, told.counts);
        unknown(&named_reasoning, notes);
        // Where a policy removes blocks, what was emptied in the others is not counted with them.
        let bytes = s.bytes + if policy == Policy::None { s.emptied } else { 0 };
        let sealed = s.sealed;
        if sealed > 0 {
            let messages = if sealed == 1 { "message" } else { "messages" };
            notes.note(&format!(
                "all reasoning of {sealed} {messages} was removed: it is signed or encrypted, and had a section to empty"
            ));
        }
        intermediate(s.messages, notes);
        if bytes == counts.bytes && counts.bytes > 0 && counts.bad == 0 {
            notes.note(&format!("nothing is left of {} bytes: all of it was reasoning", counts.bytes));
        }
        if named && counts.messages == 0 && counts.records > 0 && counts.bad == 0 {
            notes.note(&format!("no string or member that was named in {} records", counts.records));
        }
        if let Some(form) = stats {
            report(told, s, bytes, form, notes);
        } else if tells && !told.is_told && told.name != STDIN {
            states::tell(told, notes);
        }
    };
    let job = Job {
        streams: true,
        pointers,
        drops,
        verbatim: options.verbatim,
        passes: true,
        removal,
        redact,
        cuts: true,
        policy: (policy, unit),
        narrow,
        mode,
        output: output.one.path(),
        stats: stats.map(|form| form == StatsArg::Json),
        sums: true,
        jobs,
        ..Job::new(common, tags, &inputs)
    };
    job.run(Main::default(), &craft(|_| Splice::new(options), Splice::stats), |()| (), done)
}
