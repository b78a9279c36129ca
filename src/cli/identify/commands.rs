//! Commands that can be pasted: what takes the reasoning out of a file that is not read.

use crate::check::report::STDIN;
use crate::cli::notes::{remedy_command, word};
use crate::cli::packing::Packing;
use crate::identify::Remedy;

/// Programs that read stdin if no file is named.
const FILTERS: [&str; 4] = ["jq ", "grep ", "xz ", "bzip2 "];

/// The command for a file, if there is one.
pub fn of(remedy: &Remedy, name: &str, packing: Packing) -> Option<String> {
    match remedy {
        Remedy::None => None,
        Remedy::Strip(options, is_read) => Some(remedy_command(name, options, *is_read)),
        Remedy::Check => Some(format!("unthink check {}", word(name)).trim_end().to_string()),
        Remedy::Command(command) => filled(command, name, packing),
    }
}

/// A command with the name of the file in it. A compressed file is decompressed before.
fn filled(command: &str, name: &str, packing: Packing) -> Option<String> {
    let file = word(name);
    let is_filter = FILTERS.iter().any(|filter| command.starts_with(filter));
    // Some have a part that only the user knows, and some have the name in quotes.
    if command.contains('…') || !command.contains(" FILE") || command.contains("'FILE'") {
        return None;
    }
    let unpack = match packing {
        Packing::Not => "",
        Packing::Gzip => "gzip -dc",
        Packing::Zstd => "zstd -dc",
    };
    match (name == STDIN, packing) {
        (false, Packing::Not) => Some(command.replace("FILE", &file)),
        _ if !is_filter => None,
        (true, Packing::Not) => Some(command.replace(" FILE", "")),
        (true, _) => Some(format!("{unpack} | {}", command.replace(" FILE", ""))),
        (false, _) => Some(format!("{unpack} {file} | {}", command.replace(" FILE", ""))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_commands() {
        let jq = Remedy::Command("jq 'del(.a)' FILE");
        let drop = Remedy::Strip(vec!["--drop '/a'".into()], false);
        let both = Remedy::Strip(vec!["--drop '/a'".into()], true);
        for (remedy, name, packing, want) in [
            (&jq, "a.json", Packing::Not, Some("jq 'del(.a)' a.json")),
            (&jq, "it's a.json", Packing::Not, Some(r"jq 'del(.a)' 'it'\''s a.json'")),
            (&jq, "-a", Packing::Not, Some("jq 'del(.a)' ./-a")),
            (&jq, "a.gz", Packing::Gzip, Some("gzip -dc a.gz | jq 'del(.a)'")),
            (&jq, "<stdin>", Packing::Not, Some("jq 'del(.a)'")),
            (&jq, "<stdin>", Packing::Zstd, Some("zstd -dc | jq 'del(.a)'")),
            (&Remedy::Command("unzip -p FILE | unthink"), "a.zip", Packing::Not, Some("unzip -p a.zip | unthink")),
            (&Remedy::Command("unzip -p FILE | unthink"), "<stdin>", Packing::Not, None),
            (&Remedy::Command("sqlite3 -json FILE 'SELECT …' | unthink"), "a.db", Packing::Not, None),
            (&Remedy::Command("write it as JSON Lines first"), "a", Packing::Not, None),
            (&drop, "a b", Packing::Gzip, Some("unthink strip --drop '/a' 'a b'")),
            (&drop, "<stdin>", Packing::Not, Some("unthink strip --drop '/a'")),
            (&both, "a", Packing::Not, Some("unthink strip --foreign pass a | unthink strip --drop '/a'")),
            (&Remedy::Check, "a", Packing::Not, Some("unthink check a")),
            (&Remedy::Check, "<stdin>", Packing::Not, Some("unthink check")),
            (&Remedy::None, "a", Packing::Not, None),
        ] {
            assert_eq!(of(remedy, name, packing).as_deref(), want, "{remedy:?} {name}");
        }
    }
}
