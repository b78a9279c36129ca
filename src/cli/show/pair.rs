//! `show --against FILE`: the same conversation before and after a change.

use super::super::files::{self, Use};
use super::super::notes::Notes;
use super::super::path::{printable, same_file};
use super::super::run::{Job, Main, failed};
use super::super::{Common, Status};
use super::{ShowArgs, ShowForm, page, redacted, terminal};
use crate::cli::failure::{Result, bail};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use unthink::dialect::FACT_TEXTS;
use unthink::settings::Settings;
use unthink::show::{AFTER, BESIDE, Draw, DrawOptions, PagePair, Painter, PairLines, Redacted, Redactor, TerminalPair};

/// Draws both.
pub fn run(
    common: &Common,
    settings: &Settings,
    args: &ShowArgs,
    after: &Path,
    (form, output): (ShowForm, Option<&Path>),
    notes: &Notes,
) -> Status {
    let named = match named(args, after) {
        Ok(named) => named,
        Err(e) => return failed(notes, &e),
    };
    let own = output.map(Path::to_path_buf);
    let by = Use::reading(common, &args.files.walk, &own);
    let inputs = match files::find(&args.files.walk, &named, &by, notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(notes, &e),
    };
    let names = named.each_ref().map(|path| redacted(args, &page::title(std::slice::from_ref(path))));
    let painter: Box<dyn Painter> = match form {
        ShowForm::Html => Box::new(PagePair::new(names)),
        _ => {
            let options = terminal(common, args, output);
            if options.width < BESIDE {
                Box::new(PairLines::default())
            } else {
                Box::new(TerminalPair::new(names, options))
            }
        }
    };
    let painter: Rc<RefCell<dyn Painter>> = match args.redact.is_empty() {
        true => Rc::new(RefCell::new(painter)),
        false => Rc::new(RefCell::new(Redacted::new(painter, Redactor::new(&args.redact)))),
    };
    let last = || {
        let mut tail = Vec::new();
        painter.borrow_mut().finish(&mut tail);
        tail
    };
    let reasoning = settings.include_in_response() && !args.no_reasoning;
    let make = |name: Option<String>| {
        let is_after = name.is_some_and(|name| Path::new(&name) == after);
        let input = Some(if is_after { AFTER.to_string() } else { String::new() });
        Draw::new(DrawOptions { reasoning, texts: FACT_TEXTS, input }, Rc::clone(&painter))
    };
    let job = Job { output, skips: true, ..Job::new(common, &args.tags, &inputs) };
    job.run_alone(Main { last: Some(&last), ..Main::default() }, make, Draw::messages, |_, _, _| ())
}

/// The two files.
fn named(args: &ShowArgs, after: &Path) -> Result<[PathBuf; 2]> {
    let before = match args.files.named.as_slice() {
        [] => PathBuf::from("-"),
        [one] => one.clone(),
        more => bail!("--against compares one FILE with another one, and there are {}", more.len()),
    };
    if args.files.walk.files_from.is_some() {
        bail!("--against compares one FILE with another one: --files-from does not go with it");
    }
    for path in [before.as_path(), after] {
        if path.is_dir() {
            bail!("--against: {} is a folder, and two files are compared", printable(path));
        }
    }
    if before == after || same_file(&before, after) {
        bail!("--against: {} is the same file", printable(after));
    }
    Ok([before, after.to_path_buf()])
}
