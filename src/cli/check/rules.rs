//! Decides which rules are in force.

use crate::cli::failure::{CommandError, Result, bail, misuse};
use crate::cli::notes::Notes;
use crate::cli::path::printable;
use crate::cli::values;
use clap::Args;
use std::path::Path;
use unthink::accept::Target;
use unthink::accept::rules::{self as accept, TargetRule, rows};
use unthink::check::{
    NoRule, PASSAGES, RULES, Rule, RuleOption, RuleOptions, RuleRequest, RuleRequestError, named, select,
};
use unthink::nearest::meant;

/// Which rules are in force.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// Use these rules only (`unthink list rules`)
    ///
    /// Codes, beginnings of codes such as UT1, or names, with commas between them; repeatable [default: all but those that
    /// `unthink list rules` marks as "only if selected"].
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = values::rules(), hide_possible_values = true)]
    select: Vec<String>,

    /// Do not use these rules; named as for --select
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = values::rules(), hide_possible_values = true)]
    ignore: Vec<String>,
}

impl RuleArgs {
    /// Whether a rule is selected by its own code or name.
    pub fn names(&self, rule: &Rule) -> Result<bool> {
        let mut found = false;
        for name in &self.select {
            found |= matches!(selected("--select", name)?.as_slice(), [named] if named.code == rule.code);
        }
        Ok(found)
    }

    /// The rules that the user wants no findings of.
    pub fn ignored(&self) -> Result<Vec<&'static Rule>> {
        let rules: Result<Vec<_>> = self.ignore.iter().map(|name| selected("--ignore", name)).collect();
        Ok(rules?.concat())
    }

    /// The rules of a target that are in force. Words for the rules that no target has, such as those of a project's
    /// file, say nothing here.
    ///
    /// # Errors
    /// When a word is no rule, or no rule is left.
    pub fn of_target(&self, target: &Target) -> Result<Vec<&'static TargetRule>> {
        let words = |option, words: &[String]| -> Result<Vec<String>> {
            let mut own = Vec::new();
            for word in words.iter().map(|word| word.trim()) {
                if rows().iter().any(|row| is_meant(row, word)) {
                    own.push(word.to_string());
                } else if select(word).is_empty() {
                    let names = accept::of_target(target.name).flat_map(|row| [row.code, row.name]);
                    let (near, word) = (meant(word, names), printable(Path::new(word)));
                    bail!(
                        "{option} {word}: no such rule{near} (`unthink list rules --target {}` has all)",
                        target.name
                    );
                }
            }
            Ok(own)
        };
        let (chosen, ignored) = (words("--select", &self.select)?, words("--ignore", &self.ignore)?);
        let any = |words: &[String], row: &TargetRule| words.iter().any(|word| is_meant(row, word));
        let in_force = |row: &&TargetRule| (chosen.is_empty() || any(&chosen, row)) && !any(&ignored, row);
        let rows: Vec<&'static TargetRule> = accept::of_target(target.name).filter(in_force).collect();
        if rows.is_empty() && accept::of_target(target.name).next().is_some() {
            bail!("no rule of {} is in force (`unthink list rules --target {0}` has all)", target.name);
        }
        Ok(rows)
    }

    /// The rules in force, with these settings. `judged`: there is a policy.
    pub fn in_force(&self, settings: RuleOptions, judged: bool, notes: &Notes) -> Result<RuleOptions> {
        let (selected, ignored) = (trimmed(&self.select), trimmed(&self.ignore));
        let asked = settings.clone();
        let options = match (RuleRequest { selected: &selected, ignored: &ignored, judged, settings }).options() {
            Err(RuleRequestError::Selected(e)) => return Err(not_named("--select", &e)),
            Err(RuleRequestError::Ignored(e)) => return Err(not_named("--ignore", &e)),
            Err(RuleRequestError::Passage) => bail!("--min-length: a number of characters from {PASSAGES}"),
            Err(RuleRequestError::Percent) => bail!("--duplicate-percent: a number from 1 to 100"),
            Err(RuleRequestError::Ratio) => bail!("--max-ratio: a share from 0 to 1"),
            Err(RuleRequestError::None) => None,
            Ok(options) => Some(options),
        };
        // A policy is chosen for the rule that needs one.
        let needy = RULES.iter().filter_map(|rule| Some((rule, rule.needs?.option)));
        for (rule, option) in needy.filter(|(_, option)| *option != RuleOption::Policy) {
            if !asked.has(option, judged) && self.names(rule)? {
                notes.warning(&format!("{} finds nothing without {}", rule.code, option.name()));
            }
        }
        options.ok_or_else(|| misuse!("no rule is in force"))
    }
}

fn trimmed(words: &[String]) -> Vec<String> {
    words.iter().map(|word| word.trim().to_string()).collect()
}

/// Whether a word means a rule of a target: its code, a beginning of that, or its name.
fn is_meant(row: &TargetRule, word: &str) -> bool {
    let begins = row.code.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    row.name == word || word.len() > 1 && begins
}

/// The rules that a word selects; an error if there are none.
pub fn selected(option: &str, name: &str) -> Result<Vec<&'static Rule>> {
    named(name.trim()).map_err(|e| not_named(option, &e))
}

fn not_named(option: &str, e: &NoRule) -> CommandError {
    let (name, near) = (printable(Path::new(&e.name)), &e.near);
    misuse!("{option} {name}: no such rule{near} (`unthink list rules` has all)")
}
