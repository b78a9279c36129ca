//! Decides which rules are in force.

use crate::cli::io::printable;
use crate::cli::notes::Notes;
use crate::cli::values;
use anyhow::{Result, bail};
use clap::Args;
use std::path::Path;
use unthink::accept::Target;
use unthink::accept::rules::{self as accept, TargetRule, rows};
use unthink::check::{RULES, Rule, select};
use unthink::nearest::meant;

/// The code of the rule that needs a policy.
pub const PRESENT: &str = "UT105";

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
    pub fn names(&self, code: &str) -> Result<bool> {
        let mut found = false;
        for name in &self.select {
            found |= matches!(selected("--select", name)?.as_slice(), [rule] if rule.code == code);
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

    /// The rules in force, by code. `given` is about rules that need an option: the rule's code, whether the option is
    /// set, and its name. Without the option such a rule is not in force; with it, it is, unless other rules are
    /// selected.
    pub fn in_force(&self, given: &[(&str, bool, &str)], notes: &Notes) -> Result<Vec<&'static Rule>> {
        let all = |option, names: &[String]| -> Result<Vec<&'static Rule>> {
            let mut rules = Vec::new();
            for name in names {
                rules.extend(selected(option, name)?);
            }
            Ok(rules)
        };
        let (chosen, ignored) = (all("--select", &self.select)?, all("--ignore", &self.ignore)?);
        let has = |rules: &[&Rule], code| rules.iter().any(|rule| rule.code == code);
        let in_force = |rule: &&Rule| {
            let given = given.iter().find(|(code, ..)| *code == rule.code);
            let wanted = match (self.select.is_empty(), given) {
                (true, Some((_, given, _))) => *given,
                (true, None) => rule.default,
                (false, given) => has(&chosen, rule.code) && given.is_none_or(|(_, given, _)| *given),
            };
            wanted && !has(&ignored, rule.code)
        };
        for (code, is_given, option) in given {
            if !is_given && *code != PRESENT && self.names(code)? {
                notes.warning(&format!("{code} finds nothing without {option}"));
            }
        }
        let rules: Vec<&'static Rule> = RULES.iter().filter(in_force).collect();
        if rules.is_empty() {
            bail!("no rule is in force");
        }
        Ok(rules)
    }
}

/// Whether a word means a rule of a target: its code, a beginning of that, or its name.
fn is_meant(row: &TargetRule, word: &str) -> bool {
    let begins = row.code.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    row.name == word || word.len() > 1 && begins
}

/// The rules that a word selects; an error if there are none.
pub fn selected(option: &str, name: &str) -> Result<Vec<&'static Rule>> {
    let rules = select(name.trim());
    if rules.is_empty() {
        let names = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
        let near = meant(name, names);
        bail!("{option} {}: no such rule{near} (`unthink list rules` has all)", printable(Path::new(name)));
    }
    Ok(rules)
}
