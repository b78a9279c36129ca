//! Decides which rules are in force.

use crate::cli::io::printable;
use crate::cli::notes::Notes;
use crate::cli::values;
use anyhow::{Result, bail};
use clap::Args;
use std::path::Path;
use unthink::accept::Target;
use unthink::accept::rules::{self as accept, TargetRule, rows};
use unthink::check::{RULES, Rule, RuleChoice, RuleOption, RuleOptions, select};
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

    /// Puts the rules in force. `judged`: there is a policy.
    pub fn put_in_force(&self, options: &mut RuleOptions, judged: bool, notes: &Notes) -> Result<()> {
        let mut selected_rules = Vec::new();
        for name in &self.select {
            selected_rules.extend(selected("--select", name)?);
        }
        let chosen = (!self.select.is_empty()).then_some(selected_rules);
        let choice = RuleChoice { selected: chosen, ignored: self.ignored()? };
        let is_any = options.put_in_force(&choice, judged);
        // A policy is chosen for the rule that needs one.
        let needy = RULES.iter().filter_map(|rule| Some((rule, rule.needs?.option)));
        for (rule, option) in needy.filter(|(_, option)| *option != RuleOption::Policy) {
            if !options.has(option, judged) && self.names(rule)? {
                notes.warning(&format!("{} finds nothing without {}", rule.code, option.name()));
            }
        }
        if is_any { Ok(()) } else { bail!("no rule is in force") }
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
