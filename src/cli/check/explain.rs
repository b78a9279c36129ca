//! The explanation of a rule, for `--explain` and for the manual.

use super::rules::selected;
use crate::cli::failure::Result;
use crate::cli::path::printable;
use std::path::Path;
use unthink::check::Rule;

/// The explanation of the rules that a word selects.
pub fn page(name: &str) -> Result<String> {
    if let Some(row) = unthink::accept::rules::find(name) {
        return Ok(crate::cli::explain::rule(row));
    }
    let pages: Vec<String> = selected("--explain", name)?.into_iter().map(about).collect();
    Ok(pages.join("\n\n"))
}

fn about(rule: &Rule) -> String {
    let mut page = format!("{} {} ({})\n\n", rule.code, rule.name, rule.severity.name());
    page += &wrap(&format!("Finds {}.", rule.finds));
    page += &format!("\nWhy it matters\n\n{}", wrap(rule.why));
    page += &format!("\nWhat to do\n\n{}", wrap(rule.fix));
    page += &format!("\n{}", wrap(&facts(rule)));
    for (title, examples) in [("Found", rule.matches), ("Not found", rule.clean)] {
        if !examples.is_empty() {
            page += &format!("\n{title}\n\n");
            examples.iter().flat_map(|example| shown(example)).for_each(|line| page += &format!("    {line}\n"));
        }
    }
    page
}

/// Whether a rule is in force by default, and whether `strip` can remove its findings, in a sentence each.
pub fn facts(rule: &Rule) -> String {
    let force = match (rule.default, rule.needs) {
        (true, None) => "This rule is used unless --select names others.".to_string(),
        (_, Some(need)) => format!("This rule is used if {} is given.", need.option.name()),
        (false, None) => "This rule is used if --select names it.".to_string(),
    };
    let cure = if rule.fixable {
        "`unthink strip` removes what it finds."
    } else {
        "`unthink strip` does not remove what it finds."
    };
    format!("{force} {cure}")
}

/// The lines of an example, without control characters.
pub fn shown(example: &str) -> impl Iterator<Item = String> {
    example.lines().map(|line| printable(Path::new(line)))
}

/// Breaks a text into lines of at most 80 characters.
fn wrap(text: &str) -> String {
    let (mut out, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let n = word.chars().count();
        match length {
            0 => (),
            _ if length + 1 + n > 80 => {
                out.push('\n');
                length = 0;
            }
            _ => {
                out.push(' ');
                length += 1;
            }
        }
        out.push_str(word);
        length += n;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_whole() {
        let text = "word ".repeat(50);
        let wrapped = wrap(&text);
        assert!(wrapped.lines().all(|line| line.len() <= 80 && !line.ends_with(' ')), "{wrapped}");
        assert_eq!(wrapped.split_whitespace().count(), 50);
        assert_eq!(wrap(&"x".repeat(90)), format!("{}\n", "x".repeat(90)));
    }
}
