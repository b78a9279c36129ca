//! unthink show [--theme T] [--width N] [--collapse] [--tools HOW] [--paging WHEN] [FILE]...
//! unthink show --html|--svg [FILE]...
//!
//! Draws a conversation for a person: in the terminal, as a page of HTML, or as charts.

mod names;
mod page;
mod pages;
mod pair;
pub(super) mod screen;

use super::destination::OutputMode;
use super::failure::{Result, bail};
use super::fd::stdout_is_terminal;
use super::files::{self, Files, Inputs, Use};
use super::notes::Notes;
use super::output::OutputFile;
use super::pager::{Pager, Paging};
use super::run::{Job, Main, failed};
use super::values::{AutoOption, OrAuto};
use super::{Common, Status, TagArgs};
use clap::Args;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use unthink::dialect::FACT_TEXTS;
use unthink::engine::Counts;
use unthink::settings::Settings;
use unthink::show::{
    Charts, Draw, DrawOptions, Page, PageOptions, Painter, RedactPattern, Redacted, Redactor, Terminal,
    TerminalOptions, Theme, ToolDetail,
};

/// Options that are for the drawing in a terminal only.
const TERMINAL: [&str; 6] = ["theme", "width", "collapse", "tools", "raw", "paging"];

/// Draw a conversation for a person
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// Write one page of HTML that needs no other file
    ///
    /// Reasoning is collapsed in it, and can be searched. It goes to FILE (--html=page.html), or to stdout. With -O and a
    /// name that ends in .html this is meant, too, and with .svg charts.
    #[arg(
        long,
        value_name = "FILE",
        num_args(0..=1),
        require_equals(true),
        default_missing_value = "-",
        conflicts_with_all = TERMINAL
    )]
    html: Option<PathBuf>,

    /// Write charts as SVG
    ///
    /// The tokens of each message, and the share of reasoning as the conversation goes on.
    #[arg(long, conflicts_with_all = TERMINAL, conflicts_with = "html")]
    svg: bool,

    /// Show what is different in FILE: the same conversation after strip or convert
    ///
    /// With --html, or at least 120 columns, side by side, message by message; otherwise the sums, and a line for each message
    /// in which something is different. Messages of one role and one text belong together, and between these, those of one role in their order.
    /// What is on one side only stands alone.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["svg", "output_dir"], value_hint = clap::ValueHint::FilePath)]
    against: Option<PathBuf>,

    /// Draw no reasoning
    ///
    /// --set reasoning.includeInResponse=false says the same.
    #[arg(long, visible_alias = "hide-reasoning")]
    no_reasoning: bool,

    /// Take what matches out of the drawing, and put ‹redacted› in its place
    ///
    /// PATTERN is a text, which is found in either case, with any white space, and across markup; or one of paths
    /// (absolute paths of files), keys (keys and passwords of programs, by their known forms) and emails. text:PATTERN is a
    /// text in any case. Repeatable. What reasoning says stays otherwise; --no-reasoning leaves it out. Images are not
    /// looked into.
    #[arg(long, value_name = "PATTERN", value_parser = pattern, value_hint = clap::ValueHint::Other)]
    redact: Vec<RedactPattern>,

    /// What the background of the terminal is
    #[arg(long, default_value = "auto", value_parser = OrAuto::<Theme>::new("As the terminal answers, or COLORFGBG says; dark otherwise"))]
    theme: AutoOption<Theme>,

    /// How many columns the drawing has
    ///
    /// [default: those of the terminal, or COLUMNS, or 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..))]
    width: Option<u16>,

    /// Draw each block of reasoning in one line
    #[arg(long)]
    collapse: bool,

    /// How much of calls of tools and their results is drawn
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    tools: ToolDetail,

    /// Pass control characters and escape sequences of the input to the terminal, which obeys them
    #[arg(long, hide_short_help = true)]
    raw: bool,

    /// When to use a pager: the command in PAGER, or less
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    paging: Paging,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    to: OutputFile,

    /// Write a page for each file to this folder, and an index of them
    ///
    /// With --html. -O does the same where its name is that of a folder, ends in /, or has no ending while a folder is
    /// read. The pages have the names of the files with .html behind them, in the folders in which these stand, and
    /// index.html lists them with their titles, dates, models and sums, the newest first. It also lists the files of
    /// which there is no page, and why. A page that is there already is replaced, as a whole.
    #[arg(
        long,
        value_name = "DIR",
        requires = "html",
        conflicts_with = "output_file",
        help_heading = "Output files",
        value_hint = clap::ValueHint::DirPath
    )]
    output_dir: Option<PathBuf>,

    #[command(flatten)]
    files: Files,
}

/// `unthink show`.
pub fn run(common: &Common, settings: &Settings, args: &ShowArgs) -> Status {
    let notes = Notes::of(common);
    let (form, output) = match args.form() {
        Ok(found) => found,
        Err(e) => return failed(&notes, &e),
    };
    if let Some(after) = &args.against {
        return pair::run(common, settings, args, after, (form, output), &notes);
    }
    if let Some(folder) = args.pages(form, output) {
        return pages::run(common, settings, args, &folder, &notes);
    }
    let own = output.map(Path::to_path_buf);
    let by = Use::reading(common, &args.files.walk, &own);
    let inputs = match files::find(&args.files.walk, &args.files.named, &by, &notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(&notes, &e),
    };
    let painter = painter(common, args, (form, output), &inputs);
    let file = form != ShowForm::Terminal;
    // Whether any input was drawn. If not, there is no drawing.
    let opened = Cell::new(false);
    let last = || {
        let mut tail = Vec::new();
        if opened.get() {
            painter.borrow_mut().finish(&mut tail);
        }
        tail
    };
    let job = Job {
        streams: !file,
        output,
        mode: Pager::find(args.paging)
            .filter(|_| !file && output.is_none())
            .map_or(OutputMode::Standard, OutputMode::Paged),
        skips: true,
        ..Job::new(common, &args.tags, &inputs)
    };
    let reasoning = settings.include_in_response() && !args.no_reasoning;
    let output = |input| Draw::new(DrawOptions { reasoning, texts: FACT_TEXTS, input }, Rc::clone(&painter));
    job.run_alone(Main { last: Some(&last), ..Main::default() }, output, Draw::messages, |messages, told, notes| {
        opened.set(true);
        done(*messages, told.counts, notes);
    })
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShowForm {
    Terminal,
    Html,
    Svg,
}

impl ShowArgs {
    /// The folder for pages, if there is to be one for each file.
    fn pages(&self, form: ShowForm, output: Option<&Path>) -> Option<PathBuf> {
        let is_folder = |path: &&Path| {
            let ends = path.as_os_str().as_encoded_bytes().ends_with(b"/");
            ends || path.is_dir() || (path.extension().is_none() && self.files.named.iter().any(|file| file.is_dir()))
        };
        let folder = self.output_dir.as_deref().or_else(|| output.filter(is_folder));
        folder.filter(|_| form == ShowForm::Html).map(Path::to_path_buf)
    }

    /// What is drawn, and the file for it, if it does not go to stdout.
    fn form(&self) -> Result<(ShowForm, Option<&Path>)> {
        let page = self.html.as_deref().filter(|path| path.as_os_str() != "-");
        let output = match (page, self.to.path()) {
            (Some(_), Some(_)) => bail!("--html=FILE and -O FILE are two outputs, and there is one"),
            (page, output) => page.or(output),
        };
        let ends = |end: &str| output.and_then(Path::extension).is_some_and(|ending| ending.eq_ignore_ascii_case(end));
        Ok(match () {
            () if self.html.is_some() => (ShowForm::Html, output),
            () if self.svg => (ShowForm::Svg, output),
            () if ends("html") || ends("htm") => (ShowForm::Html, output),
            () if ends("svg") => (ShowForm::Svg, output),
            () => (ShowForm::Terminal, output),
        })
    }
}

fn painter(
    common: &Common,
    args: &ShowArgs,
    (form, output): (ShowForm, Option<&Path>),
    inputs: &Inputs,
) -> Rc<RefCell<dyn Painter>> {
    let redacts = !args.redact.is_empty();
    let mut redactor = Redactor::new(&args.redact);
    let title = page::title(&inputs.paths().cloned().collect::<Vec<_>>());
    let title = if redacts { redactor.text(&title) } else { title };
    let painter: Box<dyn Painter> = match form {
        ShowForm::Html => Box::new(Page::new(PageOptions { title })),
        ShowForm::Svg => Box::new(Charts::new(&title)),
        ShowForm::Terminal => Box::new(Terminal::new(terminal(common, args, output))),
    };
    match redacts {
        true => Rc::new(RefCell::new(Redacted::new(painter, redactor))),
        false => Rc::new(RefCell::new(painter)),
    }
}

fn terminal(common: &Common, args: &ShowArgs, output: Option<&Path>) -> TerminalOptions {
    let is_terminal = stdout_is_terminal() && output.is_none();
    let color = common.messages.color.is_on(is_terminal);
    TerminalOptions {
        width: args.width.map_or_else(screen::width, usize::from),
        theme: screen::theme(args.theme, color && is_terminal),
        color,
        collapse: args.collapse,
        tools: args.tools,
        raw: args.raw,
        live: is_terminal,
    }
}

/// A text of the command without what is redacted.
fn redacted(args: &ShowArgs, text: &str) -> String {
    if args.redact.is_empty() { text.to_string() } else { Redactor::new(&args.redact).text(text) }
}

/// A pattern of `--redact`.
fn pattern(text: &str) -> Result<RedactPattern, String> {
    RedactPattern::read(text).ok_or_else(|| "there is no text in the pattern, which would match everywhere".into())
}

fn done(messages: u64, counts: Counts, notes: &Notes) {
    if messages == 0 && counts.records > 0 && counts.bad == 0 {
        notes.note(&format!("no message in {} records: nothing to draw", counts.records));
    }
}
