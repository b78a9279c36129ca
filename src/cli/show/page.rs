//! Drawings that are files: an HTML page, and SVG charts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The title of a drawing of these files.
pub fn title(files: &[PathBuf]) -> String {
    let name = |path: &Path| match path.file_name() {
        Some(name) if path != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "Standard input".into(),
    };
    match files {
        [] => name(Path::new(OsStr::new("-"))),
        [one] => name(one),
        [first, rest @ ..] => format!("{} and {} more", name(first), rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_called_after_its_files() {
        let cases: [(&[&str], &str); 5] = [
            (&[], "Standard input"),
            (&["-"], "Standard input"),
            (&["runs/sunday.jsonl"], "sunday.jsonl"),
            (&["..", "a"], "Standard input and 1 more"),
            (&["a.json", "-", "b.json"], "a.json and 2 more"),
        ];
        for (files, called) in cases {
            let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
            assert_eq!(title(&files), called);
        }
    }
}
