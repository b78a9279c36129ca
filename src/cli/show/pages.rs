//! `show --html -O DIR`: a page for each file, and an index of them.

use super::super::destination::OutputMode;
use super::super::files::{self, InputFile, Inputs, Use};
use super::super::notes::Notes;
use super::super::path::printable;
use super::super::run::{Job, Main, craft, failed};
use super::super::states::{FileReport, not_understood};
use super::super::{Common, Status, whole};
use super::names::{INDEX, page_names};
use super::{ShowArgs, page, redacted};
use crate::cli::failure::{Result, bail};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use unthink::dialect::FACT_TEXTS;
use unthink::settings::Settings;
use unthink::show::{
    Draw, DrawOptions, IndexEntry, Page, PageCard, PageIndex, PageOptions, Painter, Redacted, Redactor,
};

/// What is known of the files so far.
#[derive(Default)]
struct MadePages {
    entries: Vec<IndexEntry>,
    left: Vec<(String, String)>,
    redacted: Vec<(String, u64)>,
}

/// The names of a file: as the index shows it, and as its page is called.
type PageNames = HashMap<PathBuf, (String, PathBuf)>;

/// Makes the pages and the index.
pub fn run(common: &Common, settings: &Settings, args: &ShowArgs, folder: &Path, notes: &Notes) -> Status {
    let own = Some(folder.to_path_buf());
    let by = Use::reading(common, &args.files.walk, &None).writing_to(own.as_ref());
    let found = files::find(&args.files.walk, &args.files.named, &by, notes);
    let (inputs, named) = match found.and_then(|inputs| named(args, inputs)) {
        Ok(found) => found,
        Err(e) => return failed(notes, &e),
    };
    let made = RefCell::new(MadePages::default());
    let reasoning = settings.include_in_response() && !args.no_reasoning;
    let make = |name: Option<String>| {
        let title = name.map_or_else(
            || page::title(&inputs.paths().cloned().collect::<Vec<_>>()),
            |name| page::title(&[name.into()]),
        );
        let options = DrawOptions { reasoning, texts: FACT_TEXTS, input: None };
        Draw::new(options, Rc::new(RefCell::new(painter(args, title)))).whole()
    };
    let left = |path: &Path, why: &str| {
        let name = named.get(path).map_or_else(|| printable(path), |(name, _)| name.clone());
        made.borrow_mut().left.push((name, redacted(args, why)));
    };
    let job =
        Job { mode: OutputMode::Pages(folder.to_path_buf()), skips: true, ..Job::new(common, &args.tags, &inputs) };
    let main = Main { left: Some(&left), ..Main::default() };
    let keep = |draw: &Draw| (draw.messages(), draw.card());
    let status =
        job.run(main, &craft(make, keep), |()| (), |kept, told, _| made.borrow_mut().add(kept, told, &named, args));
    if status == Status::Usage || inputs.files.is_empty() {
        return status;
    }
    let made = made.into_inner();
    let pages = made.entries.len();
    let title = redacted(args, &title(&args.files.named));
    let index = PageIndex { title, entries: made.entries, left: made.left, redacted: made.redacted };
    let place = folder.join(INDEX);
    if let Err(e) = whole::write(&place, index.html().as_bytes()) {
        notes.error(&e.to_string());
        return status.max(Status::Io);
    }
    let s = if pages == 1 { "" } else { "s" };
    notes.note(&format!("{pages} page{s}, and the index {}", printable(&place)));
    status
}

/// The inputs with the names of their pages, and by their paths the names of both.
fn named(args: &ShowArgs, inputs: Inputs) -> Result<(Inputs, PageNames)> {
    if inputs.paths().any(|path| path.as_os_str() == "-") {
        bail!("-O DIR: standard input has no name for a page (-O page.html writes one page)");
    }
    let below: Vec<PathBuf> = inputs.files.iter().map(|file| file.below.clone()).collect();
    let shown: Vec<PathBuf> = below.iter().map(|name| redacted_path(args, name)).collect();
    let pages = page_names(&shown);
    let names = shown.iter().map(|name| printable(name)).zip(pages.iter().cloned());
    let named = inputs.paths().cloned().zip(names).collect();
    let files = inputs.files.into_iter().zip(pages).map(|(file, below)| InputFile { below, ..file }).collect();
    Ok((Inputs { files, are_several: true, ..inputs }, named))
}

fn painter(args: &ShowArgs, title: String) -> Box<dyn Painter> {
    if args.redact.is_empty() {
        return Box::new(Page::new(PageOptions { title }));
    }
    let title = redacted(args, &title);
    Box::new(Redacted::new(Box::new(Page::new(PageOptions { title })), Redactor::new(&args.redact)))
}

/// The path without what matches: each name of it, and what goes across several.
fn redacted_path(args: &ShowArgs, path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    let found = redacted(args, &text);
    if found == text { path.to_path_buf() } else { found.replace(['‹', '›'], "").into() }
}

/// What the index is called: after the folders, by their names.
fn title(named: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        path.canonicalize().ok().as_deref().unwrap_or(path).file_name().map(|name| name.to_string_lossy().into_owned())
    };
    match named {
        [one] => name(one).unwrap_or_else(|| "Conversations".into()),
        _ => "Conversations".into(),
    }
}

impl MadePages {
    fn add(&mut self, (messages, card): &(u64, PageCard), told: &FileReport<'_>, named: &PageNames, args: &ShowArgs) {
        let Some((name, page)) = named.get(Path::new(told.path)) else { return };
        for (at, (pattern, count)) in card.redacted.iter().enumerate() {
            match self.redacted.get_mut(at) {
                Some((_, sum)) => *sum += count,
                None => self.redacted.push((pattern.clone(), *count)),
            }
        }
        let unread = told.why.map(|why| redacted(args, why)).or(not_understood(told.counts)).unwrap_or_default();
        if *messages == 0 || told.is_told {
            let why = if unread.is_empty() { "there is no message in it".to_string() } else { unread };
            return self.left.push((name.clone(), why));
        }
        let page = page.as_os_str().as_encoded_bytes().to_vec();
        self.entries.push(IndexEntry { name: name.clone(), page, card: card.clone(), unread });
    }
}
