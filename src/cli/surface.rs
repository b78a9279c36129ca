//! The manual page and the completions, made from the definition that `--help` is made from.

use super::check::manual::text;
use super::{Cli, help};
use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

/// The definition of the command line.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Completions for a shell.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut command(), "unthink", &mut out);
    out
}

/// The names of the pages of the manual: the program, its commands, the rules of `check`.
pub fn pages() -> PossibleValuesParser {
    PossibleValuesParser::new(help::ALL.iter().map(|about| about.name).chain([RULES]))
}

const RULES: &str = "rules";

/// A page of the manual.
pub fn man(page: &str) -> Vec<u8> {
    if page == RULES {
        return super::check::manual::page().into_bytes();
    }
    let top = help::command().disable_help_subcommand(true);
    let verb = top.find_subcommand(page).map(|verb| verb.clone().name(format!("unthink-{page}")));
    let mut out = Vec::new();
    // Rendering into memory cannot fail.
    let man = clap_mangen::Man::new(verb.unwrap_or(top)).source(concat!("unthink ", env!("CARGO_PKG_VERSION")));
    let _ = manual(&man, page, &mut out);
    out
}

fn manual(man: &clap_mangen::Man, page: &str, out: &mut Vec<u8>) -> std::io::Result<()> {
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    let is_top = page == "unthink";
    if is_top {
        man.render_subcommands_section(out)?;
    }
    if let Some(about) = help::About::of(page) {
        out.extend(sections(about, is_top).into_bytes());
    }
    Ok(())
}

/// The sections behind the options.
fn sections(about: &help::About, is_top: bool) -> String {
    let mut page = String::new();
    if !is_top {
        page += ".PP\n";
        page += &text("Options that commands share are described in unthink(1).");
    }
    about.more.iter().for_each(|paragraph| page += &format!(".PP\n{}", text(paragraph)));
    page += ".SH EXAMPLES\n";
    for (task, command) in about.examples {
        page += &format!(".PP\n{}.PP\n.RS 4\n.nf\n{}.fi\n.RE\n", text(&format!("{task}:")), text(command));
    }
    let mut table = |title: &str, rows: &mut dyn Iterator<Item = (String, &str)>| {
        page += &format!(".SH \"{title}\"\n");
        rows.for_each(|(name, meaning)| page += &format!(".TP\n{}{}", text(&name), text(meaning)));
    };
    table("EXIT STATUS", &mut about.statuses.iter().map(|(status, meaning)| (status.to_string(), *meaning)));
    table("ENVIRONMENT", &mut help::VARIABLES.iter().map(|(name, meaning)| (name.to_string(), *meaning)));
    table("FILES", &mut help::FILES.iter().map(|(name, meaning)| (name.to_string(), *meaning)));
    let others = help::ALL.iter().filter(|other| other.name != about.name).map(|other| match other.name {
        "unthink" => "unthink(1)".to_string(),
        name => format!("unthink-{name}(1)"),
    });
    let others: Vec<String> = others.chain(["unthink-rules(7)".to_string()]).collect();
    page + ".SH \"SEE ALSO\"\n" + &text(&others.join(", "))
}
