//! Options of `check` by what they are about.

use super::reports::{self, ReportFile};
use super::share;
use clap::Args;
use std::path::PathBuf;
use unthink::check::report::ReportFormat;
use unthink::check::{Capability, DUPLICATE_PERCENT, PASSAGE, PASSAGES, PERCENT};

/// What a rule takes for a finding.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// UT102: a passage that reasoning and answer share is reported if it has so many characters
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = PASSAGE as u64, value_parser = clap::value_parser!(u64).range(PASSAGES..), help_heading = "Rules")]
    pub min_length: u64,

    /// UT106: an answer is reported as a whole if so many per cent of it are reasoning
    #[arg(long, hide_short_help = true, value_name = "P", default_value_t = DUPLICATE_PERCENT, value_parser = clap::value_parser!(u8).range(i64::from(*PERCENT.start())..=i64::from(*PERCENT.end())), help_heading = "Rules")]
    pub duplicate_percent: u8,

    /// Report messages whose reasoning has more tokens (UT401)
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Rules")]
    pub max_reasoning_tokens: Option<u64>,

    /// Report messages with a larger share of it, 0 to 1 (UT402)
    #[arg(long, value_name = "F", value_parser = share, hide_short_help = true, help_heading = "Rules")]
    pub max_ratio: Option<f64>,

    /// UT225: how many delegations may be open at a time
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true, help_heading = "Rules")]
    pub max_delegation_depth: u64,

    /// UT216: what reasoning an agent may send, in a log in which several speak: reasoning/* all, reasoning/start only the
    /// start of a sequence, reasoning/step only thoughts, or a kind such as reasoning/conclusion; repeatable; for agents that
    /// are not named everything is allowed, unless AGENT is *, which is everybody else
    #[arg(long, hide_short_help = true, value_name = "AGENT=PATTERN", help_heading = "Rules")]
    pub capability: Vec<Capability>,

    /// UT217: how many messages of reasoning a sequence may have, in a log in which several speak
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Rules")]
    pub max_messages: Option<u64>,

    /// Passages that may stand in an answer, one a line
    ///
    /// Lines that begin with # are comments; repeatable.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Rules")]
    pub allow: Vec<PathBuf>,
}

/// How findings are reported.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Output form [default: full; concise in a pipe]
    #[arg(short, long, value_enum, value_name = "FORMAT", help_heading = "Report")]
    pub output: Option<ReportFormat>,

    /// Write a report to a file as well: sarif=out.sarif
    ///
    /// Repeatable; a file is there whole or not at all.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = reports::target, help_heading = "Report")]
    pub output_file: Vec<ReportFile>,

    /// Show the text that was found
    ///
    /// Without this, no report has any text of the input.
    #[arg(long, help_heading = "Report")]
    pub excerpt: bool,

    /// A report shows so many findings; of the others, it has the number
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1000, help_heading = "Report")]
    pub max_findings: usize,

    /// Exit with 0 although there are findings
    ///
    /// With 3 or 4 still, if something could not be understood or read.
    #[arg(long, help_heading = "Report")]
    pub exit_zero: bool,
}

/// Findings that are known.
#[derive(Debug, Args)]
pub struct BaselineArgs {
    /// Leave out the findings that are in this file
    ///
    /// Wherever their lines are now. The files in it are named from the folder that it is in.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,

    /// Write all findings to this file, and report none
    ///
    /// The file is for --baseline.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub write_baseline: Option<PathBuf>,

    /// Leave out the findings with the fingerprints in this file
    ///
    /// One a line, as reports have them; what follows behind # is a comment; repeatable. Without the option, the file
    /// .unthinkignore-findings is read, in the working directory or above it, up to the root of the repository. A
    /// fingerprint that no finding has is told if the folder of the file is checked.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub ignore_findings: Vec<PathBuf>,
}
