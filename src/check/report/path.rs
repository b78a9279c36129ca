//! Paths of files, for programs that look for them below the root of a repository.

/// The path of a file, as it appears in a report.
#[derive(Debug, PartialEq, Eq)]
pub struct ReportPath {
    /// Names of folders and the file with `/` between them; no `.` and no `..`.
    pub path: String,
    /// The file is below the folder in which the run was started. If not, the path does not reveal how the machine is
    /// laid out: an absolute path loses its folders, and a path that begins with `..` loses these.
    pub inside: bool,
}

/// The place of a file with this path.
pub fn place(file: &str) -> ReportPath {
    let named = |part: &&str| !matches!(*part, "" | ".");
    let parts = file.split(std::path::is_separator).filter(named);
    let drive = file.as_bytes().get(1) == Some(&b':') && file.as_bytes()[0].is_ascii_alphabetic();
    if file.starts_with(std::path::is_separator) || drive && file[2..].starts_with(['/', '\\']) {
        let last =
            file.rsplit(|c| std::path::is_separator(c) || drive && c == '\\').find(|part| named(part) && *part != "..");
        return ReportPath { path: last.unwrap_or_default().to_string(), inside: false };
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut inside = true;
    for part in parts {
        if part == ".." {
            inside &= kept.pop().is_some();
        } else {
            kept.push(part);
        }
    }
    ReportPath { path: kept.join("/"), inside }
}

/// A relative reference (RFC 3986): every byte that is not unreserved is escaped, also `:`, which would make the first
/// name a scheme.
pub fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let cases = [
            ("runs/a.jsonl", "runs/a.jsonl", true),
            ("./runs//./a.jsonl", "runs/a.jsonl", true),
            ("runs/../logs/a.jsonl", "logs/a.jsonl", true),
            ("../logs/a.jsonl", "logs/a.jsonl", false),
            ("a/../../b.jsonl", "b.jsonl", false),
            ("/home/ines/runs/a.jsonl", "a.jsonl", false),
            ("//server/a.jsonl", "a.jsonl", false),
            ("C:\\runs\\a.jsonl", "a.jsonl", false),
            ("C:/runs/a.jsonl", "a.jsonl", false),
            ("a:b.jsonl", "a:b.jsonl", true),
            ("...", "...", true),
            ("/runs/..", "runs", false),
            ("ü:\\", "ü:\\", true),
        ];
        for (file, path, inside) in cases {
            assert_eq!(place(file), ReportPath { path: path.to_string(), inside }, "{file}");
        }
    }

    #[test]
    fn references() {
        let cases = [
            ("runs/a b.jsonl", "runs/a%20b.jsonl"),
            ("größe.jsonl", "gr%C3%B6%C3%9Fe.jsonl"),
            ("http://x", "http%3A//x"),
            ("a%2f?b#c\\", "a%252f%3Fb%23c%5C"),
            ("a\n\u{202e}", "a%0A%E2%80%AE"),
        ];
        for (path, reference) in cases {
            assert_eq!(uri(path), reference);
        }
    }
}
