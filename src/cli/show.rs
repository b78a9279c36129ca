//! unthink show [--theme T] [--width N] [--collapse] [--tools HOW] [--paging WHEN] [FILE]...
//! unthink show --html|--svg [FILE]...
//!
//! Draws a conversation for a person: in the terminal, as a page of HTML, or as charts.

mod page;
pub(super) mod screen;

use super::destination::Mode;
use super::files::{self, Files, Inputs, Use};
use super::io::stdout_is_terminal;
use super::notes::Notes;
use super::output::OutputFile;
use super::pager::{Pager, Paging};
use super::run::{Job, Main, failed};
use super::{Common, Status, TagArgs};
use anyhow::{Result, bail};
use clap::Args;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use unthink::dialect::FACT_TEXTS;
use unthink::engine::Counts;
use unthink::out::{Draw, DrawOptions};
use unthink::settings::Settings;
use unthink::show::{Charts, Page, PageOptions, Painter, Terminal, TerminalOptions};

/// Options that are for the drawing in a terminal only.
const TERMINAL: [&str; 6] = ["theme", "width", "collapse", "tools", "raw", "paging"];

/// Draw a conversation for a person
#[derive(Debug, Args)]
pub struct Show {
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

    /// Draw no reasoning
    ///
    /// The same as --set reasoning.includeInResponse=false.
    #[arg(long, visible_alias = "hide-reasoning")]
    no_reasoning: bool,

    /// What the background of the terminal is
    #[arg(long, value_enum, default_value_t)]
    theme: screen::ThemeArg,

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
    tools: screen::ToolsArg,

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

    #[command(flatten)]
    files: Files,
}

/// `unthink show`.
pub fn run(common: &Common, settings: &Settings, args: &Show) -> Status {
    let notes = Notes::of(common);
    let (form, output) = match args.form() {
        Ok(found) => found,
        Err(e) => return failed(&notes, &e),
    };
    let own = output.map(Path::to_path_buf);
    let by = Use::reading(common, &args.files.walk, &own);
    let inputs = match files::find(&args.files.walk, &args.files.named, &by, &notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(&notes, &e),
    };
    let painter = painter(common, args, (form, output), &inputs);
    let file = form != Form::Terminal;
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
        mode: Pager::find(args.paging).filter(|_| !file && output.is_none()).map_or(Mode::Standard, Mode::Paged),
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
enum Form {
    Terminal,
    Html,
    Svg,
}

impl Show {
    /// What is drawn, and the file for it, if it does not go to stdout.
    fn form(&self) -> Result<(Form, Option<&Path>)> {
        let page = self.html.as_deref().filter(|path| path.as_os_str() != "-");
        let output = match (page, self.to.path()) {
            (Some(_), Some(_)) => bail!("--html=FILE and -O FILE are two outputs, and there is one"),
            (page, output) => page.or(output),
        };
        let ends = |end: &str| output.and_then(Path::extension).is_some_and(|ending| ending.eq_ignore_ascii_case(end));
        Ok(match () {
            () if self.html.is_some() => (Form::Html, output),
            () if self.svg => (Form::Svg, output),
            () if ends("html") || ends("htm") => (Form::Html, output),
            () if ends("svg") => (Form::Svg, output),
            () => (Form::Terminal, output),
        })
    }
}

fn painter(
    common: &Common,
    args: &Show,
    (form, output): (Form, Option<&Path>),
    inputs: &Inputs,
) -> Rc<RefCell<dyn Painter>> {
    let title = page::title(&inputs.paths().cloned().collect::<Vec<_>>());
    match form {
        Form::Html => return Rc::new(RefCell::new(Page::new(PageOptions { title }))),
        Form::Svg => return Rc::new(RefCell::new(Charts::new(&title))),
        Form::Terminal => (),
    }
    let terminal = stdout_is_terminal() && output.is_none();
    let color = common.color.is_on(terminal);
    Rc::new(RefCell::new(Terminal::new(TerminalOptions {
        width: args.width.map_or_else(screen::width, usize::from),
        theme: args.theme.find(color && terminal),
        color,
        collapse: args.collapse,
        tools: args.tools.into(),
        raw: args.raw,
        live: terminal,
    })))
}

fn done(messages: u64, counts: Counts, notes: &Notes) {
    if messages == 0 && counts.records > 0 && counts.bad == 0 {
        notes.note(&format!("no message in {} records: nothing to draw", counts.records));
    }
}
