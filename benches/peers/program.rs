//! The programs: ours, and the peers that are installed.

use crate::job::Job;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{Command, Stdio};

/// A program that can be run.
pub struct Installed {
    program: Program,
    path: OsString,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    Unthink,
    Jq,
    Jaq,
    Json,
    Orjson,
    Cat,
}

const PYTHON_JOBS: &str = include_str!("peer.py");

/// Looks for all programs, and prints what was found and what is left out.
pub fn find() -> Vec<Installed> {
    let ours = env!("CARGO_BIN_EXE_unthink");
    let mut programs = vec![Installed { program: Program::Unthink, path: ours.into() }];
    for (program, name) in [(Program::Jq, "jq"), (Program::Jaq, "jaq")] {
        match first_line(Command::new(name).arg("--version")) {
            Some(version) => programs.push(found(program, name, &version)),
            None => println!("{name}: not installed, left out"),
        }
    }
    // The name may be that of a script that chooses among versions and takes longer than they do.
    match first_line(Command::new("python3").args(["-c", "import sys; print(sys.executable or 'python3')"])) {
        Some(path) if !path.is_empty() => {
            for (program, module) in [(Program::Json, "json"), (Program::Orjson, "orjson")] {
                let code = format!("import sys, {module}; print(sys.version.split()[0], {module}.__version__)");
                match first_line(Command::new(&path).args(["-c", &code])) {
                    Some(version) if !version.is_empty() => programs.push(found(program, &path, &version)),
                    _ => println!("python3 with {module}: not installed, left out"),
                }
            }
        }
        _ => println!("python3: not installed, left out"),
    }
    match first_line(Command::new("cat").arg("--version")) {
        Some(version) => programs.push(found(Program::Cat, "cat", &version)),
        None => println!("cat: not installed, left out"),
    }
    programs
}

fn found(program: Program, path: &str, version: &str) -> Installed {
    let installed = Installed { program, path: path.into() };
    println!("{:<14}{}", installed.name(), if version.is_empty() { "of an unknown version" } else { version });
    installed
}

/// The first line that a program writes, or nothing if there is no such program. Not all know `--version`.
fn first_line(command: &mut Command) -> Option<String> {
    match command.stdin(Stdio::null()).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            println!("{}: {error}", command.get_program().display());
            None
        }
    }
}

impl Installed {
    /// Whether it is the one that the others are compared with.
    pub fn is_ours(&self) -> bool {
        self.program == Program::Unthink
    }

    /// What the table calls it.
    pub fn name(&self) -> &'static str {
        match self.program {
            Program::Unthink => "unthink",
            Program::Jq => "jq",
            Program::Jaq => "jaq",
            Program::Json => "python json",
            Program::Orjson => "python orjson",
            Program::Cat => "cat",
        }
    }

    /// Whether it has a way to do a job.
    pub fn can(&self, job: &Job) -> bool {
        !matches!(self.program, Program::Jq | Program::Jaq) || !job.jq.is_empty()
    }

    /// How it does a job from stdin to stdout.
    pub fn command(&self, job: &Job) -> Command {
        let mut command = Command::new(&self.path);
        match self.program {
            Program::Unthink => command.args(job.ours),
            Program::Jq | Program::Jaq => command.args(job.jq),
            Program::Json => command.args(["-c", PYTHON_JOBS, "json", job.python]),
            Program::Orjson => command.args(["-c", PYTHON_JOBS, "orjson", job.python]),
            Program::Cat => &mut command,
        };
        command
    }
}
