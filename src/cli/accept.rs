//! What `check --target`, `repair` and `explain` have in common: targets by name, and whole files.

use super::files::InputFile;
use super::io::{Input, Source, printable};
use super::notes::{Notes, word};
use super::states::name_of;
use anyhow::{Result, bail};
use std::io::Read;
use std::path::Path;
use unthink::accept::targets::{self, TARGETS};
use unthink::accept::{Refused, Target};
use unthink::nearest::meant;

/// A target as the user named it: TARGET or TARGET:MODEL.
#[derive(Clone, Copy)]
pub struct To<'a> {
    pub name: &'a str,
    pub target: &'static Target,
    pub model: Option<&'a str>,
}

impl<'a> To<'a> {
    /// The target of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &'a str) -> Result<Self> {
        let (target, model) = name.split_once(':').map_or((name, None), |(target, model)| (target, Some(model)));
        let Some(found) = targets::find(target) else {
            let names = TARGETS.iter().flat_map(|target| target.aliases.iter().chain([&target.name])).copied();
            let near = meant(target, names);
            bail!("--target {}: no such target{near} (`unthink list targets` has all)", printable(Path::new(target)));
        };
        if model == Some("") {
            bail!("--target {name}: the name of a model belongs behind the colon");
        }
        Ok(Self { name, target: found, model })
    }
}

/// Opens a file and reads all of it.
///
/// # Errors
/// With an [`std::io::Error`] inside if the file cannot be read.
pub fn read(file: &InputFile) -> Result<(Input, Vec<u8>)> {
    let mut text = Vec::new();
    let mut input = Input::open(&file.path)?;
    match &mut input.source {
        Source::Plain { head, rest } => {
            text.append(head);
            rest.read_to_end(&mut text)?;
        }
        Source::Packed { unpacked, .. } => drop(unpacked.read_to_end(&mut text)?),
    }
    Ok((input, text))
}

/// Reports what was not judged.
pub fn tell_refused(refused: &[Refused], path: &Path, notes: &Notes) {
    for Refused { record, what, .. } in refused {
        notes.error(&format!("{}:{record}: {what}", name_of(path)));
    }
}

/// The command that repairs a file for a target, to be pasted.
pub fn command(to: &str, options: &str, path: &Path) -> String {
    let file = if path.as_os_str() == "-" { "FILE".into() } else { word(&path.to_string_lossy()) };
    format!("unthink repair --target {}{options} -i.bak {file}", word(to))
}
