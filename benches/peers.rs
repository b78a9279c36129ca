//! The program beside what people would use instead of it: `cargo bench` makes corpora, runs whole processes over
//! them, and prints what each took.
//!
//! ```text
//! cargo bench                    every job
//! cargo bench -- sse array       the jobs with `sse` or `array` in their names
//! cargo bench -- --test          every job once on 1 MiB, to see that all of it works
//! ```
//!
//! `UNTHINK_BENCH_MIB` (32) is the size of a corpus, `UNTHINK_BENCH_RUNS` (5) the number of runs that count. The runs
//! of a job are interleaved (A B A B), after one of each that does not count, so that a machine with other work to do
//! slows all programs alike; the table has medians. Absolute figures do not carry from one machine to another; `times`,
//! the CPU time of a peer divided by ours, does. A small corpus pulls it towards what it is for start-up.
//!
//! A process is measured by `wait4(2)`, through the crate of that name. `/usr/bin/time` would do without a dependency,
//! but it counts CPU time in hundredths of a second, which is more than some jobs take, and is often not installed.
//! What this leaves out: speed inside one process, and any promise about time. A slow machine fails nothing here.

#[path = "peers/corpus.rs"]
mod corpus;
#[path = "peers/job.rs"]
mod job;
#[path = "peers/json.rs"]
mod json;
#[path = "peers/measure.rs"]
mod measure;
#[path = "peers/program.rs"]
mod program;
#[path = "peers/prose.rs"]
mod prose;
#[path = "peers/random.rs"]
mod random;
#[path = "peers/settings.rs"]
mod settings;
#[path = "peers/table.rs"]
mod table;

use anyhow::{Context, Result};
use corpus::{Corpus, Kind};
use job::{JOBS, Job};
use program::Installed;
use settings::Settings;
use std::path::Path;
use std::process::ExitCode;
use table::Row;

fn main() -> ExitCode {
    let settings = match Settings::from_environment() {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("peers: {error:#}\n{}", settings::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(&settings) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("peers: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the jobs that were asked for. False if a program failed at one.
fn run(settings: &Settings) -> Result<bool> {
    let jobs: Vec<&Job> = JOBS.iter().filter(|job| settings.selects(job.name)).collect();
    if jobs.is_empty() {
        let names: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
        eprintln!("peers: no job of that name; there are: {}", names.join(", "));
        return Ok(false);
    }
    if cfg!(debug_assertions) {
        println!("this is a debug build: its figures say nothing");
    }
    let programs = program::find();
    let directory = tempfile::tempdir().context("a temporary directory")?;
    let corpora = corpora(&jobs, directory.path(), settings)?;
    println!("\n{}", table::head());
    let mut sound = true;
    for job in jobs {
        let input = corpora.iter().find(|corpus| corpus.kind == job.corpus).context("a corpus for each job")?;
        sound &= contest(job, &programs, input, settings)?;
    }
    if let Some(own) = measure::own_peak() {
        println!(
            "\nA peak of less than {:.1} MiB does not show: a process inherits that of this one.",
            table::mib(own)
        );
    }
    Ok(sound)
}

/// Writes the corpora that the jobs read, each once.
fn corpora(jobs: &[&Job], directory: &Path, settings: &Settings) -> Result<Vec<Corpus>> {
    let mut corpora = Vec::new();
    for kind in Kind::ALL {
        if jobs.iter().any(|job| job.corpus == kind) {
            let corpus = Corpus::write(kind, directory, settings.corpus_bytes)
                .with_context(|| format!("write the corpus {}", kind.name()))?;
            println!("{corpus}");
            corpora.push(corpus);
        }
    }
    Ok(corpora)
}

/// Runs all programs on one job and prints their rows. False if one of them failed.
fn contest(job: &Job, programs: &[Installed], input: &Corpus, settings: &Settings) -> Result<bool> {
    let processes = if settings.test { 1 } else { job.processes };
    let mut usages = vec![Vec::new(); programs.len()];
    let mut failures = vec![None; programs.len()];
    for round in 0..settings.warm_ups + settings.runs {
        for (index, installed) in programs.iter().enumerate() {
            if failures[index].is_some() || !installed.can(job) {
                continue;
            }
            match measure::measure(|| installed.command(job), &input.path, processes) {
                Ok(usage) if round >= settings.warm_ups => usages[index].push(usage),
                Ok(_) => (),
                Err(error) if installed.is_ours() => return Err(error.context(job.name)),
                Err(error) => failures[index] = Some(format!("{error:#}")),
            }
        }
    }
    let ours = programs.iter().position(Installed::is_ours).map(|index| measure::median(&usages[index]));
    for (index, installed) in programs.iter().enumerate().filter(|(_, installed)| installed.can(job)) {
        let (job, program) = (job.name, installed.name());
        match &failures[index] {
            Some(failure) => println!("{}", table::failed(job, program, failure)),
            None => {
                println!("{}", Row { job, program, input: input.bytes, usage: measure::median(&usages[index]), ours });
            }
        }
    }
    Ok(failures.iter().all(Option::is_none))
}
