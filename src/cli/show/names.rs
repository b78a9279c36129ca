//! The names of pages in a folder: those of the files, with `.html` behind them. None is that of another one, of a folder,
//! or of the index, also where capitals make no difference; and none leads out of the folder.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The name of the index.
pub const INDEX: &str = "index.html";

/// The longest name that is kept as it is, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// The names of the pages for files of these names.
pub fn page_names(files: &[PathBuf]) -> Vec<PathBuf> {
    let files: Vec<PathBuf> = files.iter().map(|file| inside(file)).collect();
    let key = |path: &Path| path.to_string_lossy().to_lowercase();
    let mut taken: HashSet<String> = files.iter().flat_map(|file| file.ancestors().skip(1)).map(key).collect();
    taken.insert(INDEX.into());
    // Of many files of one name, the numbers go on.
    let mut numbers: HashMap<String, u64> = HashMap::new();
    let mut name = |file: &PathBuf| {
        let number = numbers.entry(key(file)).or_insert(1);
        free(file, number, &mut |path| taken.insert(key(path)))
    };
    files.iter().map(&mut name).collect()
}

/// The name without what leads elsewhere.
fn inside(file: &Path) -> PathBuf {
    let parts = file.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let path: PathBuf = parts.collect();
    if path.as_os_str().is_empty() { "session".into() } else { path }
}

/// The first name that is free.
fn free(file: &Path, number: &mut u64, is_free: &mut dyn FnMut(&Path) -> bool) -> PathBuf {
    let mut name = file.file_name().map(OsString::from).unwrap_or_default();
    if name.len() > MAX_NAME_BYTES {
        let text = name.to_string_lossy();
        let end = (0..=MAX_NAME_BYTES).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        name = text.get(..end).unwrap_or_default().into();
    }
    loop {
        let mut whole = name.clone();
        whole.push(if *number == 1 { String::new() } else { format!("~{number}") });
        whole.push(".html");
        let path = file.with_file_name(whole);
        if is_free(&path) {
            *number += 1;
            return path;
        }
        *number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_apart_and_inside() {
        for (files, want) in [
            (&["a.json", "b/a.json"][..], &["a.json.html", "b/a.json.html"][..]),
            (&["a.json", "A.json", "a.json"], &["a.json.html", "A.json~2.html", "a.json~3.html"]),
            (&["index", "INDEX"], &["index~2.html", "INDEX~3.html"]),
            (&["b/index"], &["b/index.html"]),
            (&["a", "a.html/b"], &["a~2.html", "a.html/b.html"]),
            (&["../../etc/x", "/etc/x", ".."], &["etc/x.html", "etc/x~2.html", "session.html"]),
            (&["a~2", "a", "A"], &["a~2.html", "a.html", "A~3.html"]),
        ] {
            let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
            let want: Vec<PathBuf> = want.iter().map(PathBuf::from).collect();
            assert_eq!(page_names(&files), want);
        }
        let long = page_names(&["ä".repeat(125).into(), "ä".repeat(126).into()]);
        assert!(long.iter().all(|name| name.as_os_str().len() < 255) && long[0] != long[1]);
    }
}
