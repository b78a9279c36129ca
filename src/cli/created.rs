//! Files for output that are made: one of all inputs, or one of each in a folder.

use super::failure::{Result, WithContext, bail};
use super::files::{InputFile, Inputs};
use super::input::Input;
use super::packing::Packing;
use super::path::{place, printable};
use super::states::name_of;
use super::whole::NewFile;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Makes the folder for output, and checks that no two inputs would become the same file, and that none is replaced.
///
/// # Errors
/// Of the kind `Io` if the folder cannot be made; otherwise it is wrong usage.
pub fn prepare(folder: &Path, inputs: &Inputs) -> Result<()> {
    let read: HashSet<PathBuf> = inputs.paths().map(|path| place(path)).collect();
    let mut written: HashMap<PathBuf, &Path> = HashMap::new();
    for InputFile { path, below, .. } in &inputs.files {
        if path.as_os_str() == "-" {
            bail!("--output-dir: standard input has no name for a file (-O FILE writes one)");
        }
        let target = folder.join(below);
        let place = place(&target);
        if read.contains(&place) {
            bail!("{}: the file is read, and would be overwritten", printable(&target));
        }
        if let Some(other) = written.insert(place, path) {
            let (a, b) = (name_of(other), name_of(path));
            bail!("--output-dir: {a} and {b} would both be written to {}", printable(&target));
        }
    }
    fs::create_dir_all(folder).with_context(|| printable(folder))
}

/// A new file in the folder for output.
pub struct CreatedFile {
    file: NewFile,
    name: String,
    /// What was read and is not written yet, as long as both are the same.
    ahead: VecDeque<u8>,
    differs: bool,
}

impl CreatedFile {
    /// What is made of this input.
    pub fn new(folder: &Path, of: &InputFile, input: &Input) -> Result<Self> {
        let target = folder.join(&of.below);
        let name = printable(&target);
        let file = NewFile::below(folder, &target, input.packing, &input.metadata).with_context(|| name.clone())?;
        Ok(Self { file, name, ahead: VecDeque::new(), differs: false })
    }

    /// A page that is made of this input. It is not compressed, and no link leads it out of the folder.
    pub fn page(folder: &Path, of: &InputFile, input: &Input) -> Result<Self> {
        let target = folder.join(&of.below);
        let name = printable(&target);
        let tree = folder.canonicalize().with_context(|| printable(folder))?;
        let place = target.ancestors().find_map(|path| path.canonicalize().ok());
        if !place.is_some_and(|place| place.starts_with(&tree)) {
            let outside = std::io::Error::other("a link leads out of the folder for pages");
            return Err(outside).with_context(|| name);
        }
        let file = NewFile::below(folder, &target, Packing::Not, &input.metadata).with_context(|| name.clone())?;
        Ok(Self { file, name, ahead: VecDeque::new(), differs: true })
    }

    /// Notes bytes of the input.
    pub fn read(&mut self, bytes: &[u8]) {
        if !self.differs {
            self.ahead.extend(bytes);
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.differs = self.differs || !begins_with(&self.ahead, bytes);
        match self.differs {
            true => self.ahead = VecDeque::new(),
            false => drop(self.ahead.drain(..bytes.len())),
        }
        self.file.write_all(bytes).with_context(|| format!("write {}", self.name))
    }

    /// Gives the file its name. Returns whether it differs from the input.
    pub fn commit(self) -> Result<bool> {
        let differs = self.differs || !self.ahead.is_empty();
        self.file.commit().with_context(|| format!("write {}", self.name))?;
        Ok(differs)
    }
}

fn begins_with(queue: &VecDeque<u8>, bytes: &[u8]) -> bool {
    let (a, b) = queue.as_slices();
    let cut = a.len().min(bytes.len());
    a[..cut] == bytes[..cut] && b.starts_with(&bytes[cut..])
}

/// A new file for the output of all inputs. What its name ends in says whether it is compressed.
pub fn one_file(path: &Path) -> Result<NewFile> {
    NewFile::new(path, Packing::named(path)).with_context(|| format!("write {}", printable(path)))
}
