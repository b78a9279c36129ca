//! What `check --target`, `repair` and `explain` have in common: targets by name, and whole files.

use super::failure::{CommandError, FailureKind, Result, bail};
use super::files::InputFile;
use super::input::{Input, InputSource};
use super::notes::{Notes, word};
use super::path::printable;
use crate::accept::targets::{self, TARGETS};
use crate::accept::{Target, UnjudgedRecord};
use crate::nearest::meant;
use std::io::Read;
use std::path::Path;

/// A target as the user named it: TARGET or TARGET:MODEL.
#[derive(Clone, Copy)]
pub struct TargetName<'a> {
    pub name: &'a str,
    pub target: &'static Target,
    pub model: Option<&'a str>,
}

impl<'a> TargetName<'a> {
    /// The target of this name, which an option has.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(option: &str, name: &'a str) -> Result<Self> {
        let (target, model) = name.split_once(':').map_or((name, None), |(target, model)| (target, Some(model)));
        let Some(found) = targets::find(target) else {
            let names = TARGETS.iter().flat_map(|target| target.aliases.iter().chain([&target.name])).copied();
            let near = meant(target, names);
            let target = printable(Path::new(target));
            let option = if option.ends_with(':') { option.to_string() } else { format!("{option} ") };
            bail!("{option}{target}: no such target{near} (`unthink list targets` has all)");
        };
        if model == Some("") {
            bail!("{option} {name}: the name of a model belongs behind the colon");
        }
        Ok(Self { name, target: found, model })
    }
}

/// Opens a file and reads all of it, which may be so many bytes: a conversation is judged as a whole.
///
/// # Errors
/// Of the kind `Io` if the file cannot be read, and `Input` if it is too large.
pub fn read(file: &InputFile, most: usize) -> Result<(Input, Vec<u8>)> {
    let mut text = Vec::new();
    let mut input = Input::open(&file.path)?;
    let limit = (most as u64).saturating_add(1);
    // A file is as long as it says, as a rule: memory is taken once.
    text.reserve(usize::try_from(input.metadata.len().min(limit)).unwrap_or_default());
    match &mut input.source {
        InputSource::Plain { head, rest } => {
            text.append(head);
            rest.take(limit.saturating_sub(text.len() as u64)).read_to_end(&mut text)?;
        }
        InputSource::Packed { unpacked, .. } => drop(unpacked.take(limit).read_to_end(&mut text)?),
    }
    if text.len() > most {
        let why = format!("longer than --max-record, which is {most} bytes: a conversation is judged as a whole");
        return Err(CommandError::new(FailureKind::Input, why));
    }
    Ok((input, text))
}

/// The first target that takes what `convert --to` writes in this dialect, or the one of its name.
pub fn of_dialect(dialect: &str) -> Option<&'static Target> {
    let writes = TARGETS.iter().find(|target| target.dialect == Some(dialect));
    writes.or_else(|| TARGETS.iter().find(|target| target.name == dialect))
}

/// Reports what was not judged.
pub fn tell_refused(refused: &[UnjudgedRecord], name: &str, notes: &Notes) {
    for UnjudgedRecord { record, what, .. } in refused {
        notes.error(&format!("{name}:{record}: {what}"));
    }
}

/// The command that repairs a file for a target, to be pasted.
pub fn command(to: &str, options: &str, path: &Path) -> String {
    format!("unthink repair --target {}{options} -i.bak {}", pasted(to), file(path))
}

/// A file as a word of a command line. What was read from stdin has no name.
pub fn file(path: &Path) -> String {
    if path.as_os_str() == "-" { "FILE".into() } else { word(&path.to_string_lossy()) }
}

/// TARGET:MODEL as a word of a command line: the colon needs no quotes.
pub fn pasted(to: &str) -> String {
    to.split(':').map(word).collect::<Vec<_>>().join(":")
}
