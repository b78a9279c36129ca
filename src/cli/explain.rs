//! unthink explain MESSAGE
//!
//! Says which rule a provider's message is about, and what to do.

use super::failure::Result;
use super::notes::Notes;
use super::run::failed;
use super::{Common, Status, page};
use clap::Args;
use std::io::Read;
use unthink::accept::{explain, rules};

/// Explain why a provider refused a request, from its message
///
/// It reads nothing but the message.
#[derive(Debug, Args)]
pub struct Explain {
    /// What the provider said; without it, or with -, an error body or a line of a log from stdin
    #[arg(value_name = "MESSAGE")]
    message: Vec<String>,
}

/// `unthink explain`.
pub fn run(common: &Common, args: &Explain) -> Status {
    let notes = Notes::of(common);
    page(args).map_or_else(
        |e| failed(&notes, &e),
        |page| match page {
            Some(page) => page::print(page.as_bytes()),
            None => {
                notes.error(
                    "no rule is known for this message (`unthink list rules --target TARGET` has all of a target)",
                );
                Status::NotUnderstood
            }
        },
    )
}

fn page(args: &Explain) -> Result<Option<String>> {
    const MAX_BYTES: u64 = 16 << 20;
    let mut message = args.message.join(" ");
    if message.is_empty() || message == "-" {
        let mut bytes = Vec::new();
        super::fd::standard(std::io::stdin())?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        message = String::from_utf8_lossy(&bytes).into_owned();
    }
    let found = explain(&message);
    let pages: Vec<String> = found.iter().enumerate().map(|(i, it)| about(it.row, i > 0)).collect();
    let how_sure = match found.as_slice() {
        [] => return Ok(None),
        [_] => "\nOnly this rule is known for the message.\n".to_string(),
        [first, others @ ..] if others.iter().all(|it| it.length < first.length) => {
            format!("\nMore of the message is that of {} than that of the others.\n", first.row.code)
        }
        all => format!("\n{} rules have this message: `unthink check --target` tells which it is.\n", all.len()),
    };
    Ok(Some(pages.join("\n") + &how_sure))
}

/// A rule, in the words of its row.
fn about(row: &rules::TargetRule, is_other: bool) -> String {
    let mut page = if is_other { "or ".to_string() } else { String::new() };
    page += &rule(row);
    page
}

/// All that the row of a rule says.
pub fn rule(row: &rules::TargetRule) -> String {
    let mut page = format!("{} {} ({})\n\n", row.code, row.name, row.outcome.name());
    let mut fact = |name: &str, text: &str| {
        if !text.is_empty() {
            page += &format!("  {name:<11}{text}\n");
        }
    };
    fact("finds", row.finds);
    fact("targets", &row.targets.join(", "));
    fact("models", row.models);
    fact("message", &row.messages.iter().map(|said| format!("\u{201c}{said}\u{201d}")).collect::<Vec<_>>().join(", "));
    fact("repair", row.repair);
    let to = row.targets.first().copied().unwrap_or("TARGET");
    let command = format!("unthink repair --target {to}[:MODEL]{} -i.bak FILE", row.options);
    let mended = row.unseen.is_empty() || !row.options.is_empty();
    fact("command", if mended { &command } else { "" });
    fact("helps not", row.not);
    fact("unseen", row.unseen);
    fact("evidence", row.evidence);
    fact("known on", row.verified_on);
    page
}
