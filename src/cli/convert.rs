//! unthink convert --to DIALECT [FILE]...
//!
//! Writes the same conversation in another dialect. Losses are reported.

use super::accept::{TargetName, of_dialect};
use super::failure::{Result, bail, misuse};
use super::files::{self, Files, Inputs, Use};
use super::jobs::Jobs;
use super::notes::Notes;
use super::options::{self, OnError};
use super::output::OutputArgs;
use super::path::printable;
use super::run::{Job, Main, craft, failed};
use super::values::INSTRUCTION_FORMS;
use super::{Common, Status, TagArgs, values};
use crate::convert::{Emit, LinesOutput};
use crate::dialect::{self, Columns, Conversion, Dialect, Pointer};
use crate::engine::{Chain, ConversionRequest, ConversionRequestError, Treatment};
use crate::model::{InstructionForm, Loss};
use crate::policy::Policy;
use crate::settings::Settings;
use crate::strip::{Splice, SpliceOptions};
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Strings of any record, and the members beside them.
#[derive(Debug, Args)]
struct ConvertStringArgs {
    /// Convert the string at this JSON Pointer in any JSON record
    ///
    /// Repeatable; a step * is every member or element. All else of the record stays. --to tagged and harmony write the
    /// reasoning into the string, --to reasoning and reasoning-content into a member beside it.
    #[arg(long, value_name = "POINTER")]
    field: Vec<String>,

    /// The member beside that string which has its reasoning, or gets it
    ///
    /// By default it is reasoning or reasoning_content with these targets; tagged and harmony read none.
    #[arg(long, value_name = "NAME", requires = "field")]
    column: Option<String>,

    /// Make chat messages of that string and of the prompt in this member beside it
    #[arg(long, value_name = "NAME", requires = "field")]
    prompt: Option<String>,
}

/// Write the same conversation in another dialect
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// What to convert to (`unthink list dialects`)
    ///
    /// Any dialect that can be written; xml-lines or serialized: the instructions of messages as text, as lines of a
    /// prompt in front of the text, or in their short form.
    #[arg(short, long, value_name = "DIALECT", value_parser = values::written_dialects(), hide_possible_values = true)]
    to: String,

    /// With --to chat: where the reasoning stands [default: reasoning-content]
    ///
    /// reasoning-content, reasoning, tagged or harmony: each is also a dialect.
    #[arg(long, value_name = "SPELLING", value_parser = values::spellings(), hide_possible_values = true)]
    spelling: Option<String>,

    /// Write an empty reasoning where services refuse messages without one
    ///
    /// In messages with calls of tools, with --to reasoning-content. Other targets do not ask for it: they stay the same.
    #[arg(long)]
    fill_empty: bool,

    /// Remove reasoning by this policy, as strip does, and convert the rest
    ///
    /// `unthink list policies` has all policies [default: that of the settings, if they have one].
    #[arg(short, long, value_name = "POLICY", value_parser = values::policies(), hide_possible_values = true, conflicts_with = "field")]
    policy: Option<Policy>,

    #[command(flatten)]
    strings: ConvertStringArgs,

    /// Escape what would end the reasoning
    ///
    /// With --to tagged or harmony: what would end the reasoning, or be read as Harmony; otherwise the record is refused.
    #[arg(long)]
    escape: bool,

    /// With --to mew: make other identifiers
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    seed: u64,

    /// Refuse records of which something would be lost
    ///
    /// With status 3; events of a stream are written all the same.
    #[arg(long)]
    strict: bool,

    /// Write each loss to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    report_loss: Option<PathBuf>,

    /// Mend what a provider would refuse of the result
    ///
    /// TARGET or TARGET:MODEL (`unthink list targets`) [default: the one whose dialect it is]. What cannot be mended stays
    /// as it was converted, and is told with status 3. The output of a file is held in memory for it.
    #[arg(
        long,
        value_name = "TARGET",
        num_args(0..=1),
        require_equals(true),
        default_missing_value = "",
        conflicts_with = "field"
    )]
    replay: Option<String>,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    jobs: Jobs,
}

impl ConvertArgs {
    fn by<'a>(&'a self, common: &'a Common) -> Use<'a> {
        let own = self.report_loss.iter().chain(self.output.one.own());
        Use::reading(common, &self.files.walk, own).writing_to(self.output.output_dir.as_ref())
    }
}

impl ConvertArgs {
    /// Who is to take the result.
    fn replay(&self) -> Result<Option<TargetName<'_>>> {
        let Some(name) = self.replay.as_deref() else { return Ok(None) };
        let dialect = dialect::written(&self.to, self.spelling.as_deref()).map_or(self.to.as_str(), |found| found.name);
        let Some(own) = of_dialect(dialect) else {
            bail!("--replay: no target takes {}", printable(Path::new(&self.to)));
        };
        let to = if name.is_empty() {
            TargetName { name: own.name, target: own, model: None }
        } else {
            TargetName::named("--replay", name)?
        };
        if to.target.shape != own.shape {
            bail!("--replay {name}: that target takes {}, and not {dialect}", to.target.shape.name());
        }
        Ok(Some(to))
    }
}

/// The settings that decide which reasoning is sent to a model.
pub const DECIDE: [&str; 3] = ["reasoning.enabled", "reasoning.includeInContext", "reasoning.stripFromContext"];

/// Runs `unthink convert`. Reasoning that the policy or the settings do not send is removed before the rest is converted;
/// without them all reasoning is converted.
pub fn run(common: &Common, mut settings: Settings, args: &ConvertArgs) -> Status {
    let notes = Notes::of(common);
    args.policy.into_iter().for_each(|policy| settings.choose(policy));
    let found = || files::find(&args.files.walk, &args.files.named, &args.by(common), &notes);
    let is_plain = args.strings.field.is_empty() && args.replay.is_none();
    if let Some((_, form)) = INSTRUCTION_FORMS.iter().find(|(name, _)| *name == args.to).filter(|_| is_plain) {
        if args.policy.is_some() {
            return failed(&notes, &misuse!("--policy: --to {} writes no reasoning", args.to));
        }
        return found().map_or_else(|e| failed(&notes, &e), |inputs| lines(common, *form, args, &inputs, &notes));
    }
    let replay = match args.replay() {
        Ok(replay) => replay,
        Err(e) => return failed(&notes, &e),
    };
    let made = conversion(common, args).and_then(|of| Ok((of, strings(&settings, args)?)));
    let ((conversion, common), (fields, columns), inputs) = match made.and_then(|(of, to)| Ok((of, to, found()?))) {
        Ok(found) => found,
        Err(e) => return failed(&notes, &e),
    };
    let options = SpliceOptions {
        pass_bad: common.unread.on_error == OnError::Pass,
        each_loss: args.report_loss.is_some(),
        ..SpliceOptions::default()
    };
    let mut losses: BTreeMap<Loss, u64> = BTreeMap::new();
    let mut count = |found: &BTreeMap<Loss, u64>| {
        found.iter().for_each(|(loss, n)| *losses.entry(*loss).or_default() += n);
    };
    let job = Job {
        streams: true,
        copies_unread: true,
        must_read: true,
        aside: args.report_loss.as_deref(),
        replay,
        cuts: true,
        mode: args.output.mode(),
        output: args.output.one.path(),
        jobs: if conversion.writer.remembers() { Jobs::ONE } else { args.jobs },
        ..Job::new(&common, &args.tags, &inputs)
    };
    let treatment = Treatment { to: Some(conversion.clone()), ..Treatment::default() };
    let (policy, main) = (settings.context_policy(), Main::default());
    let decides = args.policy.is_some() || DECIDE.iter().any(|key| settings.is_set(key));
    let decides = decides && policy != Policy::None;
    let emit = |file| {
        let splice = Splice::new(options).named(file);
        Emit::new(splice, conversion.writer.clone(), conversion.edits_text(), Conversion::call_name).strict(args.strict)
    };
    let status = if decides {
        let tags = options::tags(&common, args.tags.marker.as_deref());
        let read = options::engine(&common, &args.tags, true);
        let (tags, read) = match tags.and_then(|tags| Ok((tags, read?))) {
            Ok(found) => found,
            Err(e) => return failed(&notes, &e),
        };
        let read = treatment.options(read);
        let output = |file: Option<String>| {
            Chain::new(Splice::new(options).named(file.clone()), &tags, read.clone(), emit(file))
        };
        Job { treatment: Treatment { fields, columns, ..Treatment::removing(policy) }, ..job }.run(
            main,
            &craft(output, Chain::losses),
            |()| (),
            |found, _, _| count(found),
        )
    } else {
        let losses = |emit: &Emit| emit.losses().clone();
        let job = Job { treatment: Treatment { fields, columns, ..treatment }, ..job };
        job.run(main, &craft(emit, losses), |()| (), |found, _, _| count(found))
    };
    for (loss, n) in &losses {
        notes.warning(&format!("loss: {}, {}", loss.words().1, counted(*loss, *n)));
    }
    if args.strict && !losses.is_empty() { status.max(Status::NotUnderstood) } else { status }
}

/// The error for a target that a string cannot have.
const STRINGS: &str = "--field: a string of any record is converted to tagged, harmony, reasoning or reasoning-content";

/// Writes the instructions of messages as lines, before their text or alone.
fn lines(common: &Common, form: InstructionForm, args: &ConvertArgs, inputs: &Inputs, notes: &Notes) -> Status {
    let mut lost = 0;
    let (mode, output, jobs) = (args.output.mode(), args.output.one.path(), args.jobs);
    let job =
        Job { streams: true, must_read: true, cuts: true, mode, output, jobs, ..Job::new(common, &args.tags, inputs) };
    let lines = craft(|_| LinesOutput::new(form), LinesOutput::lost);
    let status = job.run(Main::default(), &lines, |()| (), |n, _, _| lost += n);
    if lost > 0 {
        notes.warning(&format!("loss: {}, {}", Loss::Extra.words().1, counted(Loss::Extra, lost)));
    }
    if args.strict && lost > 0 { status.max(Status::NotUnderstood) } else { status }
}

/// A number of losses of one kind, in words.
fn counted(loss: Loss, n: u64) -> String {
    let (_, _, one, many) = loss.words();
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The strings to convert, and the members beside them.
fn strings(settings: &Settings, args: &ConvertArgs) -> Result<(Vec<Pointer>, Columns)> {
    let decides = DECIDE.iter().find(|key| settings.is_set(key)).filter(|_| !args.strings.field.is_empty());
    if let Some(key) = decides {
        bail!("--field: {key} is about messages; strip --field removes the reasoning of a string");
    }
    for (option, name) in [("--column", &args.strings.column), ("--prompt", &args.strings.prompt)] {
        if let Some(name) = name.as_deref().and_then(|name| name.strip_prefix('/')) {
            bail!("{option} /{name}: this is the name of a member beside the string; did you mean {name}?");
        }
    }
    let columns = Columns { reasoning: args.strings.column.clone(), prompt: args.strings.prompt.clone() };
    Ok((options::pointers("--field", &args.strings.field)?, columns))
}

/// The conversion, and the options for reading.
fn conversion(common: &Common, args: &ConvertArgs) -> Result<(Conversion, Common)> {
    let mut common = common.clone();
    let named = !args.strings.field.is_empty();
    if named && INSTRUCTION_FORMS.iter().any(|(name, _)| *name == args.to) {
        bail!("{STRINGS}");
    }
    let mut request = ConversionRequest {
        to: &args.to,
        spelling: args.spelling.as_deref(),
        tag: None,
        rows: &common.table.rows,
        escape: args.escape,
        seed: args.seed,
        fill_empty: args.fill_empty,
    };
    let writes_tags = dialect::written(request.to, request.spelling).is_ok_and(Dialect::has_tags);
    // There `--tag` is the spelling to write; all tags are read.
    let names = if writes_tags { std::mem::take(&mut common.table.tag) } else { Vec::new() };
    match names.as_slice() {
        [] => (),
        [name] => {
            request.tag = Some(name);
            common.table.tag_too = Some(name.clone());
        }
        _ => bail!("--tag: convert --to tagged writes one spelling"),
    }
    let conversion = request.conversion().map_err(|e| match e {
        ConversionRequestError::Dialect(why) => misuse!("--to {}: {why}", printable(Path::new(&args.to))),
        ConversionRequestError::Tag(e) => options::not_chosen(e),
        ConversionRequestError::NoTags => misuse!("--tag: it is read, and not written"),
        ConversionRequestError::NoDelimiters => misuse!("--escape goes with --to tagged or harmony"),
        ConversionRequestError::OnlyRead(_) => misuse!("--to {}: only read", args.to),
    })?;
    if named && !conversion.fits_strings() {
        bail!("{STRINGS}");
    }
    Ok((conversion, common))
}
