//! unthink show [--theme T] [--width N] [--collapse] [--paging WHEN] [FILE]...
//! unthink show --html|--svg [FILE]...
//!
//! Draws a conversation for a person: in the terminal, as a page of HTML, or as charts.

mod page;
mod screen;

use super::destination::Mode;
use super::files::{self, Files, Inputs, Use};
use super::io::stdout_is_terminal;
use super::notes::Notes;
use super::output::OutputFile;
use super::pager::{Pager, Paging};
use super::run::{Job, failed};
use super::{Common, Status, TagArgs};
use clap::Args;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use unthink::dialect::FACT_TEXTS;
use unthink::engine::Counts;
use unthink::out::{Draw, DrawOptions};
use unthink::settings::Settings;
use unthink::show::{Charts, Page, PageOptions, Painter, Terminal, TerminalOptions};

/// Options that are for the drawing in a terminal only.
const TERMINAL: [&str; 5] = ["theme", "width", "collapse", "raw", "paging"];

/// Draw a conversation for a person
#[derive(Debug, Args)]
pub struct Show {
    /// Write one page of HTML that needs no other file: reasoning is collapsed in it, and can be searched
    #[arg(long, conflicts_with_all = TERMINAL)]
    html: bool,

    /// Write charts as SVG: the tokens of each message, and the share of reasoning as the conversation goes on
    #[arg(long, conflicts_with_all = TERMINAL, conflicts_with = "html")]
    svg: bool,

    /// What the background of the terminal is
    #[arg(long, value_enum, default_value_t)]
    theme: screen::ThemeArg,

    /// How many columns the drawing has [default: those of the terminal, or COLUMNS, or 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..))]
    width: Option<u16>,

    /// Draw each block of reasoning in one line
    #[arg(long)]
    collapse: bool,

    /// Pass control characters and escape sequences of the input to the terminal, which obeys them
    #[arg(long)]
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
    let notes = Notes::new(common.quiet, common.verbose, common.color);
    let by = Use::reading(common, &args.files.walk, args.to.own());
    let inputs = match files::find(&args.files.walk, &args.files.named, &by, &notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(&notes, &e),
    };
    let painter = painter(common, args, &inputs);
    let file = args.html || args.svg;
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
        output: args.to.path(),
        last: file.then_some(&last as &dyn Fn() -> Vec<u8>),
        mode: Pager::find(args.paging)
            .filter(|_| !file && args.to.path().is_none())
            .map_or(Mode::Standard, Mode::Paged),
        skips: true,
        ..Job::new(common, &args.tags, &inputs)
    };
    let reasoning = settings.include_in_response();
    let output = |input| Draw::new(DrawOptions { reasoning, texts: FACT_TEXTS, input }, Rc::clone(&painter));
    job.run(output, |draw, counts, notes| {
        opened.set(true);
        done(draw, counts, notes);
    })
}

fn painter(common: &Common, args: &Show, inputs: &Inputs) -> Rc<RefCell<dyn Painter>> {
    let title = page::title(&inputs.paths().cloned().collect::<Vec<_>>());
    if args.html {
        return Rc::new(RefCell::new(Page::new(PageOptions { title })));
    }
    if args.svg {
        return Rc::new(RefCell::new(Charts::new(&title)));
    }
    let terminal = stdout_is_terminal() && args.to.path().is_none();
    let color = common.color.is_on(terminal);
    Rc::new(RefCell::new(Terminal::new(TerminalOptions {
        width: args.width.map_or_else(screen::width, usize::from),
        theme: args.theme.find(color && terminal),
        color,
        collapse: args.collapse,
        raw: args.raw,
        live: terminal,
    })))
}

fn done(draw: &Draw, counts: Counts, notes: &Notes) {
    if draw.messages() == 0 && counts.records > 0 && counts.bad == 0 {
        notes.note(&format!("no message in {} records: nothing to draw", counts.records));
    }
}
