//! unthink strip [--policy P] [FILE]...
//!
//! Removes reasoning by policy; every byte that it does not remove is unchanged. `unthink` without a command is
//! `unthink strip --policy all`.

mod choices;
mod numbers;

use super::accept::TargetName;
use super::convert::DECIDE;
use super::destination::OutputMode;
use super::failure::{CommandError, misuse};
use super::files::{self, Files, Use};
use super::job::StateReport;
use super::jobs::Jobs;
use super::mend::Mending;
use super::notes::Notes;
use super::options::{self, OnError};
use super::output::{OutputArgs, RewriteArgs};
use super::path::printable;
use super::run::{Job, Main, craft, failed};
use super::states::{self, FileReport};
use super::values::{self, Removes};
use super::{Common, Status, TagArgs, usage};
use choices::Empty;
use clap::Args;
use numbers::{StatsArg, report};
use std::ffi::OsString;
use unthink::accept::Repairs;
use unthink::check::report::STDIN;
use unthink::dialect::Pointer;
use unthink::engine::{IntermediateMessages, Treatment};
use unthink::policy;
use unthink::policy::Policy;
use unthink::settings::Settings;
use unthink::strip::{Splice, SpliceOptions, Stats};

/// Which messages the policy counts, and whose reasoning it is about.
#[derive(Debug, Args)]
struct NarrowArgs {
    /// What all-but-last counts
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    unit: policy::Unit,

    /// Only what stands in this context
    ///
    /// A name or a path of MEW's reasoning sequences (a/b), with all that stands in it; repeatable.
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    context: Vec<String>,

    /// Only the reasoning of this agent, in a log in which several speak; repeatable
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    agent: Vec<String>,
}

/// Remove reasoning by policy; every other byte stays as it is
#[derive(Debug, Args)]
pub struct StripArgs {
    /// Which reasoning goes [default: all, or by the settings]
    ///
    /// One of none, all, all-but-last, before-last-user, keep-tool-turns, keep-last-N (`unthink list policies`); or
    /// replay:TARGET[:MODEL], which removes what the target refuses and keeps what it demands (`unthink list targets`).
    #[arg(short, long, value_name = "POLICY", value_parser = values::removing_policies(), hide_possible_values = true)]
    policy: Option<Removes>,

    #[command(flatten)]
    about: NarrowArgs,

    /// What happens to a message that is left without content
    #[arg(long, value_enum, default_value_t)]
    empty: Empty,

    /// Remove messages that are marked as intermediate reasoning
    ///
    /// One that begins or ends a delegation stays without its content, so that no delegation is left with one end.
    #[arg(long, hide_short_help = true)]
    intermediate: bool,

    /// Like --intermediate, and remove all messages in delegations whose messages are intermediate
    #[arg(long, hide_short_help = true)]
    delegations: bool,

    /// Empty the <REDACTED> sections of the reasoning that stays
    ///
    /// Without a policy, all of it stays, but for signed or encrypted blocks with such a section, which go whole: their
    /// signature holds for no other text.
    #[arg(long)]
    redact: bool,

    /// What becomes of signatures on calls and texts
    ///
    /// Signatures of reasoning that stand on what is no reasoning, as those of Gemini [default: they go under the policy
    /// all, and stay under every other].
    #[arg(long, value_enum, hide_short_help = true)]
    signatures: Option<policy::Signatures>,

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

    #[command(flatten)]
    rewrite: RewriteArgs,

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
pub struct PlainArgs {
    /// What goes (`unthink list policies`) [default: all]
    #[arg(
        short,
        long,
        value_name = "POLICY",
        value_parser = values::removing_policies(),
        hide_possible_values = true,
        default_value = "all",
        hide_default_value = true
    )]
    policy: Removes,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    jobs: Jobs,
}

impl StripArgs {
    /// An option that was typed and says nothing to a policy about a target.
    fn without_replay(&self) -> Option<&'static str> {
        let typed = [
            ("--unit", self.about.unit != policy::Unit::default()),
            ("--context", !self.about.context.is_empty()),
            ("--agent", !self.about.agent.is_empty()),
            ("--empty", self.empty != Empty::default()),
            ("--intermediate", self.intermediate),
            ("--delegations", self.delegations),
            ("--redact", self.redact),
            ("--signatures", self.signatures.is_some()),
            ("--field", !self.field.is_empty()),
            ("--drop", !self.drop.is_empty()),
            ("--stats", self.stats.is_some()),
        ];
        typed.into_iter().find(|(_, is_typed)| *is_typed).map(|(option, _)| option)
    }
}

/// Removes what a target refuses: the repairs that need not be asked for.
fn replay(
    common: &Common,
    to: &str,
    mode: OutputMode,
    wrong: Option<CommandError>,
    (files, output): (&Files, &OutputArgs),
) -> Status {
    let notes = Notes::of(common);
    let mending = wrong.map_or_else(|| TargetName::named("replay:", to), Err);
    let mending = mending.map(|to| Mending { to, repairs: Repairs::default(), mode, output, files });
    mending.and_then(|mending| mending.run(common, &notes)).unwrap_or_else(|e| failed(&notes, &e))
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
pub fn run(common: &Common, mut settings: Settings, args: &StripArgs) -> Status {
    match &args.policy {
        Some(Removes::By(policy)) => settings.choose(*policy),
        Some(Removes::Replay(to)) => {
            let mode = args.rewrite.mode(common, &args.output);
            let wrong = args
                .without_replay()
                .map(|option| misuse!("{option}: --policy replay:{to} looks at whole requests, and has no use for it"));
            return replay(common, to, mode, wrong, (&args.files, &args.output));
        }
        None => (),
    }
    let decides = args.policy.is_some() || DECIDE.iter().any(|key| settings.is_set(key));
    let policy = if args.redact && !decides { Policy::None } else { settings.context_policy() };
    let mode = args.rewrite.mode(common, &args.output);
    let steps = IntermediateMessages::of(args.intermediate, args.delegations);
    let pointers = options::pointers("--field", &args.field);
    let (fields, drops) = match pointers.and_then(|fields| Ok((fields, options::pointers("--drop", &args.drop)?))) {
        Ok((_, drops)) if drops.iter().any(Pointer::is_root) => {
            let notes = Notes::of(common);
            return failed(&notes, &misuse!("--drop: the empty pointer is the record itself"));
        }
        Ok(pointers) => pointers,
        Err(e) => return failed(&Notes::of(common), &e),
    };
    let treatment = Treatment {
        fields,
        drops,
        unit: args.about.unit,
        narrow: policy::Narrow::new(args.about.agent.clone(), args.about.context.clone()),
        ..Treatment::strip(policy, args.signatures, args.redact, steps)
    };
    let how = How { treatment, empty: args.empty, stats: args.stats, mode, jobs: args.jobs };
    strip(common, how, &args.tags, (&args.files, &args.output))
}

/// `unthink` without a command.
pub fn plain(common: &Common, args: &PlainArgs) -> Status {
    if let Some(verb) = usage::command(&args.files.named) {
        let word = printable(&args.files.named[0]);
        let notes = Notes::of(common);
        return failed(&notes, &misuse!("{word}: no such file or command; did you mean `unthink {verb}`?"));
    }
    let policy = match &args.policy {
        Removes::By(policy) => *policy,
        Removes::Replay(to) => return replay(common, to, args.output.mode(), None, (&args.files, &args.output)),
    };
    let treatment = Treatment::strip(policy, None, false, IntermediateMessages::Stay);
    let how = How { treatment, empty: Empty::Keep, stats: None, mode: args.output.mode(), jobs: args.jobs };
    strip(common, how, &args.tags, (&args.files, &args.output))
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
fn unknown(narrow: &policy::Narrow, notes: &Notes) {
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
    treatment: Treatment,
    empty: Empty,
    stats: Option<StatsArg>,
    mode: OutputMode,
    jobs: Jobs,
}

fn strip(common: &Common, how: How, tags: &TagArgs, (files, output): (&Files, &OutputArgs)) -> Status {
    let notes = Notes::of(common);
    let by = Use::reading(common, &files.walk, output.one.own()).writing_to(output.output_dir.as_ref());
    let inputs = match files::find(&files.walk, &files.named, &by, &notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(&notes, &e),
    };
    let How { treatment, empty, stats, mode, jobs } = how;
    let policy = treatment.policy;
    let named = !treatment.fields.is_empty() || !treatment.drops.is_empty();
    let options = SpliceOptions {
        drop_empty: empty == Empty::Drop,
        pass_bad: common.unread.on_error == OnError::Pass || matches!(mode, OutputMode::Diff(..)),
        steps: mode.needs_steps(),
        ..treatment.splice()
    };
    let named_reasoning = if policy == Policy::None { policy::Narrow::default() } else { treatment.narrow.clone() };
    let tells = matches!(mode, OutputMode::InPlace(_) | OutputMode::Diff(..));
    let done = |s: &Stats, told: &FileReport<'_>, notes: &Notes| {
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
        treatment,
        copies_unread: true,
        cuts: true,
        mode,
        output: output.one.path(),
        told: StateReport { stats: stats.map(|form| form == StatsArg::Json), sums: true },
        jobs,
        ..Job::new(common, tags, &inputs)
    };
    job.run(Main::default(), &craft(|_| Splice::new(options), Splice::stats), |()| (), done)
}
